/* SPDX-License-Identifier: MIT
 * `tabia db merge`: adds the games of databases to another. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/db/verbs.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "db/chess/stored_weights.h"
#include "db/store/store.h"
#include "db/tables/check.h"
#include "db/tables/merge.h"

/* Of the file that is being merged. */
typedef struct MergeProgress {
    Progress progress;
    const char *from;
} MergeProgress;

static void draw_merge(void *context, const MergeCounts *counts)
{
    MergeProgress *p = context;
    if (progress_due(&p->progress))
        progress_draw(&p->progress, counts->games, "games", "%s", p->from);
}

/* Merging copies rows by SQL statements, so their values are checked before. */
static Status check_source(const char *from, Error *err)
{
    Store *source = store_open_watched(from, STORE_READ, cli_interrupted(), err);
    if (!source) return err->status;
    Status status = store_check_values(source, err);
    if (status == STATUS_OK) status = stored_weights_check(source, err);
    store_close(source);
    return status;
}

static Status merge_one(Store *store, const DbOptions *options, const char *from, int64_t *added,
                        Error *err)
{
    MergeProgress progress = {.from = from};
    MergeCounts counts;
    const MergeOptions merge = {
        .mixed = options->mixed, .progress = draw_merge, .context = &progress};

    progress_start(&progress.progress, 0, 0, options->common.quiet);
    Status status = store_merge(store, from, &merge, &counts, err);
    progress_end(&progress.progress);
    if (status) return status;
    if (!options->common.json)
        printf("%s: %" PRId64 " games added\n", text_shown(from, (char[TEXT_SHOWN_MAX]){0}),
               counts.added);
    *added += counts.added;
    return STATUS_OK;
}

static const Field added_field[] = {{"added", .kind = FIELD_INT64}, {0}};

Status db_verb_merge(const DbOptions *options, const char **arguments, Error *err)
{
    int64_t added = 0;

    /* No new file is made for a source that cannot be read. */
    Status status = check_source(arguments[1], err);
    if (status != STATUS_OK) return status;
    Store *store = store_open_watched(arguments[0], STORE_CREATE, cli_interrupted(), err);
    if (!store) return err->status;
    for (const char **from = arguments + 1; *from && status == STATUS_OK; from++) {
        if (from > arguments + 1) status = check_source(*from, err);
        if (status == STATUS_OK) status = merge_one(store, options, *from, &added, err);
    }
    store_close(store);
    if (status == STATUS_OK && options->common.json) fields_json_line(stdout, added_field, &added);
    return status;
}
