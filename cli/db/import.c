/* SPDX-License-Identifier: MIT
 * `tabia db import`: games of a file into a database. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/db/verbs.h"
#include "cli/output/fields.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "db/store/new_store.h"
#include "selfplay/formats/import.h"

static const double megabyte = 1e6;

/* In megabytes of the file, since the number of games is unknown. */
static void show_progress(void *context, const ImportCounts *counts)
{
    Progress *progress = context;

    progress->total = (int64_t)((double)counts->size / megabyte);
    if (!progress_due(progress)) return;
    progress_draw(progress, (int64_t)((double)counts->consumed / megabyte), "MB",
                  "%" PRId64 " games, %" PRId64 " positions", counts->games, counts->plies);
}

static const GameFormat *choose_format(const DbOptions *options, const char *to, const char *from,
                                       Error *err)
{
    if (store_recognises(from)) {
        if (game_format_of(to, true))
            (void)error_set(err, STATUS_USAGE, "the database comes first: tabia db import %s %s",
                            from, to);
        else
            (void)error_set(err, STATUS_USAGE,
                            "%s is a database; tabia db merge %s %s adds its games", from, to,
                            from);
        return NULL;
    }
    const GameFormat *format = db_choose_format(options, from, true, err);
    if (!format || format->open) return format;
    (void)error_set(err, STATUS_USAGE, "format %s can only be exported", format->name);
    return NULL;
}

static const Field import_fields[] = {
    {"games", FIELD(ImportCounts, games), .label = "games added"},
    {"positions", FIELD(ImportCounts, plies), .label = "positions"},
    {"unfinished", FIELD(ImportCounts, unfinished), .label = "unfinished games left out",
     .zero = ZERO_NOT_IN_TEXT},
    {"damaged", FIELD(ImportCounts, damaged), .label = "damaged games left out",
     .zero = ZERO_NOT_IN_TEXT},
    {"dropped", FIELD(ImportCounts, dropped.count),
     .label = "positions with a castling right or en passant square dropped",
     .zero = ZERO_NOT_IN_TEXT},
    {"known", FIELD(ImportCounts, known)},
    {"seconds", FIELD(ImportCounts, seconds)},
    {0},
};

static void print_counts(bool json, const char *path, const ImportCounts *counts)
{
    if (!json && counts->known && counts->games == 0) {
        printf("%s: imported before, nothing added\n", text_shown(path, (char[TEXT_SHOWN_MAX]){0}));
        return;
    }
    fields_print(json, path, import_fields, counts);
    if (!json && counts->damaged > 0) printf("the first damaged game: %s\n", counts->first.text);
    if (!json && counts->dropped.count > 0)
        printf("the first such position: %s\n", counts->dropped.first.text);
}

static Status import_from(const DbOptions *options, Store *store, const char *path,
                          const GameFormat *format, ImportCounts *counts, Error *err)
{
    Progress progress;
    const ImportJob job = {.path = path,
                           .format = format,
                           .keep_going = options->keep_going,
                           .threads = options_threads(&options->common),
                           .interrupted = cli_interrupted(),
                           .progress = show_progress,
                           .context = &progress};

    progress_start(&progress, 0, 0, options->common.quiet);
    Status status = import_file(store, &job, counts, err);
    progress_end(&progress);
    return status;
}

/* A new database appears when it is complete: a failed import leaves none. */
static Status import_into(const DbOptions *options, const char *to, const char *path,
                          const GameFormat *format, ImportCounts *counts, Error *err)
{
    NewStore fresh;

    Status status = new_store_open(&fresh, to, err);
    if (status == STATUS_OK) status = import_from(options, fresh.store, path, format, counts, err);
    if (status == STATUS_OK) status = new_store_commit(&fresh, err);
    new_store_discard(&fresh);
    if (status != STATUS_USAGE) return status; /* the file exists, or another process made it */
    Store *store = store_open_watched(to, STORE_CREATE, cli_interrupted(), err);
    if (!store) return err->status;
    status = import_from(options, store, path, format, counts, err);
    store_close(store);
    return status;
}

static Status import_one(const DbOptions *options, const char *to, const char *from, Error *err)
{
    ImportCounts counts;

    const GameFormat *format = choose_format(options, to, from, err);
    if (!format) return err->status;
    Status status = import_into(options, to, from, format, &counts, err);
    if (status == STATUS_OK) print_counts(options->common.json, from, &counts);
    return status;
}

Status db_verb_import(const DbOptions *options, const char **arguments, Error *err)
{
    Status status = STATUS_OK;

    for (const char **from = arguments + 1; *from && status == STATUS_OK; from++)
        status = import_one(options, arguments[0], *from, err);
    return status;
}
