/* SPDX-License-Identifier: MIT
 * The built-in and reference weights, and printing and saving of weights headers. */
#include "engine/eval/weights.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/new_file.h"

/* The compiler's reading of a header: a term becomes a designated initialiser, so that terms may
 * come in any order and an absent one is zero. A wrong count makes an array of negative size. */
#define EVAL_TERM(NAME, n) [EVAL_##NAME + 0 * sizeof(char[(n) == EVAL_##NAME##_COUNT ? 1 : -1])] =
#define S(mg, eg)          {(mg), (eg)},
static const int16_t builtin_weights[EVAL_TERMS][PHASES] = {
#include "engine/eval_weights.h"
};
#undef EVAL_TERM
#undef S

void weights_builtin(EvalWeights *w)
{
    memcpy(w->term, builtin_weights, sizeof w->term);
}

EvalFamilies weights_families(const EvalWeights *w)
{
    EvalFamilies families = 0;

    for (const EvalTermInfo *term = eval_term_info; term->name; term++)
        for (int i = term->first; i < term->first + term->count; i++)
            if (w->term[i][MG] || w->term[i][EG]) families |= eval_family(term->family);
    return families;
}

void weights_zero(EvalWeights *w)
{
    memset(w, 0, sizeof *w);
}

void weights_material(EvalWeights *w)
{
    static const int16_t value[EVAL_MATERIAL_COUNT] = {100, 300, 300, 500, 900};

    weights_zero(w);
    for (int i = 0; i < EVAL_MATERIAL_COUNT; i++)
        w->term[EVAL_MATERIAL + i][MG] = w->term[EVAL_MATERIAL + i][EG] = value[i];
}

/* The opening comment, one " * " per line; an end of comment inside it is broken apart. */
static void print_comment(FILE *out, const char *comment)
{
    fputs("/* ", out);
    for (const char *c = comment; *c; c++) {
        if (*c == '\n') {
            if (c[1] == '\0') break;
            fputs(c[1] == '\n' ? "\n *" : "\n * ", out);
        } else {
            if (*c == '/' && c > comment && c[-1] == '*') fputc(' ', out);
            fputc(*c, out);
        }
    }
    fputs(" */\n\n", out);
}

void weights_print(FILE *out, const EvalWeights *w, const char *comment)
{
    EvalFamilies families = EVAL_MATERIAL_PST | weights_families(w);

    if (comment && comment[0]) print_comment(out, comment);
    fputs("/* clang-format off */\n", out);
    for (const EvalTermInfo *term = eval_term_info; term->name; term++) {
        if (!(families & eval_family(term->family))) continue;
        fprintf(out, "\nEVAL_TERM(%s, %d)\n", term->name, term->count);
        for (int i = 0; i < term->count; i++) {
            const int16_t *v = w->term[term->first + i];
            bool row_ends = i % 8 == 7 || i == term->count - 1;
            fprintf(out, "S(%4d, %4d)%c", v[MG], v[EG], row_ends ? '\n' : ' ');
        }
    }
}

Status weights_save(const char *path, const EvalWeights *w, const char *comment, Error *err)
{
    NewFile file;

    Status status = new_file_open(&file, path, err);
    if (status != STATUS_OK) return status;
    weights_print(file.stream, w, comment);
    return new_file_commit(&file, err);
}

char *weights_text(const EvalWeights *w, const char *comment)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);

    if (!f) return NULL;
    weights_print(f, w, comment);
    bool failed = ferror(f) != 0;
    if (fclose(f) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
