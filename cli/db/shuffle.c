/* SPDX-License-Identifier: MIT
 * `tabia db shuffle`: the positions of an exported file in random order. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/db/verbs.h"
#include "cli/output/fields.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "engine/base/new_file.h"
#include "engine/base/system.h"
#include "selfplay/formats/shuffle.h"

static Status read_positions(Shuffle *s, Progress *progress, int64_t *count, Error *err)
{
    bool ended = false;
    Status status = STATUS_OK;

    while (!ended && status == STATUS_OK) {
        status = shuffle_take(s, count, &ended, err);
        if (status == STATUS_OK) status = system_check_end(err);
        if (progress_due(progress)) progress_draw(progress, *count, "positions", "%s", "read");
    }
    return status;
}

static Status write_positions(Shuffle *s, OutputFile *out, Progress *progress, Error *err)
{
    const char *position;
    size_t size;
    int64_t written = 0;
    Status status;

    while ((status = shuffle_next(s, &position, &size, err)) == STATUS_OK && position) {
        (void)fwrite(position, 1, size, output_stream(out));
        status = output_flush(out, err);
        if (status == STATUS_OK) status = system_check_end(err);
        if (status != STATUS_OK) break;
        written++;
        if (progress_due(progress)) progress_draw(progress, written, "positions", "%s", "written");
    }
    return status;
}

static Status shuffle(const DbOptions *options, const GameFormat *format, const char *from,
                      const char *to, int64_t *count, Error *err)
{
    bool elsewhere = strcmp(to, "-") == 0 || file_is_written_directly(to);
    char folder[4096];
    Progress progress;
    OutputFile *out = NULL;

    Status status = outputs_check(&to, &from, 1, err);
    if (status != STATUS_OK) return status;
    (void)snprintf(folder, sizeof folder, "%s/tabia", cli_temp_folder());
    Shuffle *s = shuffle_open(from, format, options->common.seed, elsewhere ? folder : to, err);
    if (!s) return err->status;
    progress_start(&progress, 0, 0, options->common.quiet);
    status = read_positions(s, &progress, count, err);
    if (status == STATUS_OK && !(out = output_open(to, err))) status = err->status;
    if (status == STATUS_OK) status = write_positions(s, out, &progress, err);
    if (status == STATUS_OK)
        status = output_commit(out, err);
    else
        output_discard(out);
    progress_end(&progress);
    shuffle_close(s);
    return status;
}

/* What is written has the form of what is read. */
static Status check_formats(const GameFormat *from, const char *from_name, const char *to,
                            Error *err)
{
    const GameFormat *named = game_format_of(to, false);

    if (!from || !from->end)
        return error_set(err, STATUS_USAGE,
                         "%s: only positions can be shuffled; give --format epd, plain or bullet",
                         from_name);
    if (!named || named == from) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "%s: shuffled positions keep their format, which is not %s",
                     to, named->name);
}

static const Field count_field[] = {
    {"positions", .kind = FIELD_INT64, .label = "positions"},
    {0},
};

Status db_verb_shuffle(const DbOptions *options, const char **arguments, Error *err)
{
    const char *from = arguments[0], *to = arguments[1];
    int64_t count = 0;

    const GameFormat *format =
        options->format ? game_format_find(options->format, err) : game_format_of(from, true);
    if (options->format && !format) return err->status;
    Status status = check_formats(format, from, to, err);
    if (status == STATUS_OK && strcmp(from, to) != 0 && !options->force)
        status = db_refuse_existing(to, err);
    if (status == STATUS_OK) status = shuffle(options, format, from, to, &count, err);
    if (status == STATUS_OK && !file_is_standard_output(to))
        fields_print(options->common.json, to, count_field, &count);
    return status;
}
