/* SPDX-License-Identifier: MIT
 * Evaluations by name, and from files. */
#include "engine/eval/evaluation_load.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/system.h"

/* ---- Compiled in */

#ifdef TABIA_EVALFILE
/* make EXE=path EVALFILE=file: the bytes of a header or network, as numbers. */
static const unsigned char evalfile[] = {
#include TABIA_EVALFILE
};

Status evaluation_builtin(Evaluation *e, Error *err)
{
    return evaluation_parse(evalfile, sizeof evalfile, "EVALFILE", e, NULL, err);
}
#else
/* The compiler reads a header as designated initialisers: terms may come in any order, and an
 * absent one is zero. A wrong count is an array of negative size, which does not compile. */
#define EVAL_TERM(NAME, n) [EVAL_##NAME + 0 * sizeof(char[(n) == EVAL_##NAME##_COUNT ? 1 : -1])] =
#define S(mg, eg)          {(mg), (eg)},
static const EvalWeights builtin_weights = {{
#include "engine/eval_weights.h"
}};
#undef EVAL_TERM
#undef S

Status evaluation_builtin(Evaluation *e, Error *err)
{
    (void)err;
    e->kind = EVALUATION_LINEAR;
    memcpy(&e->weights, &builtin_weights,
           sizeof e->weights); /* as an assignment it takes GCC 12 minutes */
    return STATUS_OK;
}
#endif

/* ---- By name */

enum { FILE_LIMIT = 1 << 25 };

static Status read_failed(const char *path, Error *err)
{
    (void)error_set(err, STATUS_BAD_INPUT, "%s cannot be read: %s", path, strerror(errno));
    return system_must_end() ? system_check_end(err) : STATUS_BAD_INPUT;
}

/* Gives the file's bytes, to be freed also after an error. */
static Status read_file(const char *path, char **bytes, size_t *length, Error *err)
{
#ifndef _WIN32
    system_may_wait_for(path);
#endif
    FILE *f = fopen(path, "rb");
    Status status = STATUS_OK;

    *bytes = f ? malloc(FILE_LIMIT + 1) : NULL;
    *length = *bytes ? fread(*bytes, 1, FILE_LIMIT + 1, f) : 0;
    if (f && !*bytes)
        status = error_set(err, STATUS_FAILED, "out of memory");
    else if (!f || ferror(f))
        status = read_failed(path, err);
    else if (*length > FILE_LIMIT)
        status = error_set(err, STATUS_BAD_INPUT, "%s is too large for weights", path);
    if (f) (void)fclose(f);
    return status;
}

static Status load_file(const char *path, Evaluation *e, WeightsInfo *info, Error *err)
{
    char *text;
    size_t length;

    Status status = read_file(path, &text, &length, err);
    if (status == STATUS_OK) status = evaluation_parse(text, length, path, e, info, err);
    free(text);
    return status;
}

Status network_load_bare(const char *path, const NetworkLayout *layout, Network **network,
                         Error *err)
{
    char *bytes;
    size_t length;

    Status status = read_file(path, &bytes, &length, err);
    if (status == STATUS_OK && length >= 8 && memcmp(bytes, NETWORK_MAGIC, 8) == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: has its header already", path);
    if (status == STATUS_OK) status = network_parse_bare(bytes, length, layout, path, network, err);
    free(bytes);
    return status;
}

/* The file that comes with the program under this name, or the path as it is. `found` has room for
 * PATH_MAX. */
static const char *find_file(const char *spec, char *found)
{
    static const char *const files[][2] = {{"classical", "weights/classical.h"},
                                           {"network", "weights/network.net"},
                                           {"pesto", "weights/pesto.h"},
                                           {"tables", "weights/tables.h"}};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(spec, files[i][0]) == 0 && system_find_config(files[i][1], found, PATH_MAX))
            return found;
    return spec;
}

bool evaluation_is_name(const char *spec)
{
    char path[PATH_MAX];

    return strcmp(spec, "builtin") == 0 || strcmp(spec, "zero") == 0 ||
           strcmp(spec, "material") == 0 || find_file(spec, path) == path;
}

Status evaluation_load(const char *spec, Evaluation *e, WeightsInfo *info, Error *err)
{
    char path[PATH_MAX];
    Status status = STATUS_OK;

    if (strcmp(spec, "builtin") == 0)
        status = evaluation_builtin(e, err);
    else if (strcmp(spec, "zero") == 0)
        evaluation_zero(e);
    else if (strcmp(spec, "material") == 0)
        evaluation_material(e);
    else
        return load_file(find_file(spec, path), e, info, err);
    if (status != STATUS_OK) return status;
    if (info) {
        (void)snprintf(info->label, sizeof info->label, "%s", spec);
        info->comment[0] = '\0';
    }
    return STATUS_OK;
}

Status evaluation_require_weights(const Evaluation *e, const char *spec, Error *err)
{
    if (e->kind == EVALUATION_LINEAR) return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "%s is a network; this needs a weights header", spec);
}

Status weights_load(const char *spec, EvalWeights *w, WeightsInfo *info, Error *err)
{
    Evaluation *read = malloc(sizeof *read); /* too large for little stacks */
    WeightsInfo found;

    if (!read) return error_set(err, STATUS_FAILED, "out of memory for weights");
    Status status = evaluation_load(spec, read, &found, err);
    if (status == STATUS_OK) status = evaluation_require_weights(read, spec, err);
    if (status == STATUS_OK) *w = read->weights;
    if (status == STATUS_OK && info) *info = found;
    free(read);
    return status;
}
