/* SPDX-License-Identifier: MIT
 * `tabia db import`: games of a file into a database. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/db_verbs.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "engine/clock.h"
#include "selfplay/import.h"

static const double megabyte = 1e6;

typedef struct Display {
    Progress progress;
    bool started, quiet;
} Display;

/* In megabytes of the file, for how many games there are nobody knows. */
static void show_progress(void *context, const ImportCounts *counts)
{
    Display *d = context;

    if (!d->started)
        progress_start(&d->progress, (int64_t)((double)counts->size / megabyte), 0, d->quiet);
    d->started = true;
    if (!progress_due(&d->progress)) return;
    progress_draw(&d->progress, (int64_t)((double)counts->consumed / megabyte), "MB",
                  "%" PRId64 " games, %" PRId64 " positions", counts->games, counts->plies);
}

static const GameFormat *choose_format(const DbOptions *options, const char *path, Error *err)
{
    const GameFormat *format =
        options->format ? game_format_find(options->format, err) : game_format_of(path, true);

    if (!format && !options->format)
        (void)error_set(err, STATUS_USAGE, "%s: its name does not tell the format: --format NAME",
                        path);
    if (!format || format->open) return format;
    (void)error_set(err, STATUS_USAGE,
                    "%s holds neither moves nor games: it can be exported, not imported",
                    format->name);
    return NULL;
}

static void print_json(const ImportCounts *counts, double seconds)
{
    JsonWriter w;

    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_int(&w, "games", counts->games);
    json_int(&w, "positions", counts->plies);
    json_int(&w, "unfinished", counts->unfinished);
    json_int(&w, "damaged", counts->damaged);
    json_bool(&w, "known", counts->known);
    json_double(&w, "seconds", seconds, 6);
    json_end_object(&w);
    json_finish(&w);
}

static void print_counts(const char *path, const ImportCounts *counts)
{
    if (counts->known) {
        printf("%s: imported before, nothing added\n", path);
        return;
    }
    printf("%s: %" PRId64 " games added, %" PRId64 " positions\n", path, counts->games,
           counts->plies);
    if (counts->unfinished > 0)
        printf("%" PRId64 " games without a result were left out\n", counts->unfinished);
    if (counts->damaged > 0)
        printf("%" PRId64 " damaged games were left out, the first: %s\n", counts->damaged,
               counts->first.text);
}

Status db_verb_import(const DbOptions *options, int count, const char **arguments, Error *err)
{
    Display display = {.quiet = options->common.quiet};
    double started = clock_seconds();
    ImportCounts counts;

    (void)count;
    const GameFormat *format = choose_format(options, arguments[1], err);
    if (!format) return err->status;
    bool existed = access(arguments[0], F_OK) == 0;
    Store *store = store_open(arguments[0], STORE_CREATE, err);
    if (!store) return err->status;
    Status status = import_file(store, arguments[1], format, options->keep_going, cli_interrupted(),
                                show_progress, &display, &counts, err);
    if (display.started) progress_end(&display.progress);
    store_close(store);
    if (status != STATUS_OK && !existed) store_remove(arguments[0]); /* as if we had never been */
    if (status != STATUS_OK) return status;
    if (options->common.json)
        print_json(&counts, clock_seconds() - started);
    else
        print_counts(arguments[1], &counts);
    return STATUS_OK;
}
