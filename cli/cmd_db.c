/* SPDX-License-Identifier: MIT
 * `tabia db`: looking at databases, proving them, joining them, and getting things out of them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/db_export.h"
#include "cli/db_info.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/suggest.h"
#include "selfplay/materialize.h"

typedef struct DbOptions {
    CommonOptions common;
    const char *format;
    bool header;
} DbOptions;

/* One verb; arguments[0] is the database. */
typedef struct DbVerb {
    const char *name, *synopsis;
    int least, most; /* arguments after the verb */
    Status (*run)(const DbOptions *options, int count, const char **arguments, Error *err);
} DbVerb;

/* ---- Verbs */

static Status db_info(const DbOptions *options, int count, const char **arguments, Error *err)
{
    (void)count;
    Store *store = store_open(arguments[0], STORE_READ, err);
    if (!store) return err->status;
    Status status = db_info_print(store, options->common.json, err);
    store_close(store);
    return status;
}

static Status db_digest(const DbOptions *options, int count, const char **arguments, Error *err)
{
    char digest[HASH_HEX_MAX];
    JsonWriter w;

    (void)count;
    Store *store = store_open(arguments[0], STORE_READ, err);
    if (!store) return err->status;
    Status status = store_digest(store, 0, digest, err);
    store_close(store);
    if (status) return status;
    if (!options->common.json) {
        printf("%s\n", digest);
        return STATUS_OK;
    }
    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_string(&w, "digest", digest);
    json_end_object(&w);
    json_finish(&w);
    return STATUS_OK;
}

static void draw_progress(void *context, const MaterializeCounts *counts)
{
    Progress *progress = context;
    if (progress_due(progress)) progress_draw(progress, counts->games, "games", "%s", "");
}

static void print_counts(bool json, const char *sentence, const MaterializeCounts *counts)
{
    JsonWriter w;

    if (!json) {
        printf("%s: %" PRId64 " games, %" PRId64 " plies, %" PRId64
               " games with readable positions\n",
               sentence, counts->games, counts->plies, counts->with_positions);
        return;
    }
    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_int(&w, "games", counts->games);
    json_int(&w, "plies", counts->plies);
    json_int(&w, "with_positions", counts->with_positions);
    json_end_object(&w);
    json_finish(&w);
}

static Status check_store(const DbOptions *options, Store *store, MaterializeCounts *counts,
                          Error *err)
{
    GameCounts games;
    Progress progress;

    Status status = store_check(store, err);
    if (status == STATUS_OK) status = store_count_games(store, 0, &games, err);
    if (status) return status;
    progress_start(&progress, games.games, 0, options->common.quiet);
    status = materialize_verify(store, cli_interrupted(), draw_progress, &progress, counts, err);
    progress_end(&progress);
    return status;
}

static Status db_check(const DbOptions *options, int count, const char **arguments, Error *err)
{
    MaterializeCounts counts;

    (void)count;
    Store *store = store_open(arguments[0], STORE_READ, err);
    if (!store) return err->status;
    Status status = check_store(options, store, &counts, err);
    store_close(store);
    if (status == STATUS_OK) print_counts(options->common.json, "sound", &counts);
    return status;
}

static Status db_materialize(const DbOptions *options, int count, const char **arguments,
                             Error *err)
{
    MaterializeCounts counts;
    Progress progress;

    (void)count;
    Store *store = store_open(arguments[0], STORE_WRITE, err);
    if (!store) return err->status;
    progress_start(&progress, 0, 0, options->common.quiet);
    Status status =
        materialize_positions(store, cli_interrupted(), draw_progress, &progress, &counts, err);
    progress_end(&progress);
    store_close(store);
    if (status == STATUS_OK) print_counts(options->common.json, "materialized", &counts);
    return status;
}

static Status db_sql(const DbOptions *options, int count, const char **arguments, Error *err)
{
    (void)count;
    Store *store = store_open(arguments[0], STORE_READ, err);
    if (!store) return err->status;
    Status status = store_sql(store, arguments[1], options->header, stdout, err);
    store_close(store);
    return status;
}

static void print_added(bool json, const char *from, int64_t added)
{
    if (!json) printf("%s: %" PRId64 " games added\n", from, added);
}

static Status db_merge(const DbOptions *options, int count, const char **arguments, Error *err)
{
    int64_t total = 0, added;
    JsonWriter w;

    Store *store = store_open(arguments[0], STORE_CREATE, err);
    if (!store) return err->status;
    Status status = STATUS_OK;
    for (int i = 1; i < count && status == STATUS_OK; i++) {
        status = store_merge(store, arguments[i], &added, err);
        if (status) break;
        print_added(options->common.json, arguments[i], added);
        total += added;
    }
    store_close(store);
    if (status || !options->common.json) return status;
    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_int(&w, "added", total);
    json_end_object(&w);
    json_finish(&w);
    return STATUS_OK;
}

static Status db_export_verb(const DbOptions *options, int count, const char **arguments,
                             Error *err)
{
    int64_t games;
    JsonWriter w;

    (void)count;
    const ExportFormat *format = export_format_find(options->format, err);
    if (!format) return err->status;
    Store *store = store_open(arguments[0], STORE_READ, err);
    if (!store) return err->status;
    Status status = db_export(store, arguments[1], format, &games, err);
    store_close(store);
    if (status || strcmp(arguments[1], "-") == 0) return status; /* standard output is the export */
    if (!options->common.json) {
        printf("%s: %" PRId64 " games\n", arguments[1], games);
        return STATUS_OK;
    }
    json_begin(&w, stdout);
    json_object(&w, NULL);
    json_int(&w, "games", games);
    json_end_object(&w);
    json_finish(&w);
    return STATUS_OK;
}

/* ---- The command */

static const DbVerb verbs[] = {
    {"info", "info FILE", 1, 1, db_info},
    {"check", "check FILE", 1, 1, db_check},
    {"digest", "digest FILE", 1, 1, db_digest},
    {"materialize", "materialize FILE", 1, 1, db_materialize},
    {"sql", "sql FILE \"SELECT …\" [--header]", 2, 2, db_sql},
    {"merge", "merge INTO FROM…", 2, 1 << 20, db_merge},
    {"export", "export FILE TO --format NAME", 2, 2, db_export_verb},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static const DbVerb *find_verb(const char *name, Error *err)
{
    Suggestion s;

    suggest_begin(&s, name);
    for (int i = 0; i < VERBS; i++) {
        if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
        suggest_offer(&s, verbs[i].name);
    }
    (void)error_set(err, STATUS_USAGE, "unknown verb \"%s\"%s%s", name,
                    s.best ? "; did you mean " : "", s.best ? s.best : "");
    return NULL;
}

static Status run_verb(const DbOptions *options, const char **arguments, Error *err)
{
    int count = 0;

    if (!arguments[0]) return error_set(err, STATUS_USAGE, "what to do with which file?");
    const DbVerb *verb = find_verb(arguments[0], err);
    if (!verb) return err->status;
    while (arguments[1 + count])
        count++;
    if (count < verb->least || count > verb->most)
        return error_set(err, STATUS_USAGE, "it is: tabia db %s", verb->synopsis);
    return verb->run(options, count, arguments + 1, err);
}

Status cmd_db(int argc, char **argv, Error *err)
{
    DbOptions options = {.format = "pgn"};
    OptionParser *parser = NULL;
    const char **arguments;
    bool done;
    const Option table[] = {
        {"format", OPTION_STRING, &options.format, "NAME", "what to export: pgn or epd", 0, 0},
        {"header", OPTION_FLAG, &options.header, NULL, "sql: names of the columns first", 0, 0},
        {NULL, OPTION_END, NULL, NULL, NULL, 0, 0},
    };
    const OptionSpec spec = {
        .command = "db",
        .synopsis = "VERB FILE [ARGUMENTS] [options]",
        .description =
            "Looks at databases of games and works on them. INTO is made when it is absent; TO "
            "may\n"
            "end in .zst, or be - for standard output.\n"
            "\n"
            "  info FILE              runs, games, results, lengths, scores\n"
            "  check FILE             proves it: the file sound, every move legal, every result\n"
            "                         borne out by the final position, readable positions equal "
            "to\n"
            "                         what the moves give; exit code 1 if anything is not so\n"
            "  digest FILE            SHA-256 of what was played, whatever the machine or order\n"
            "  materialize FILE       writes the readable positions of games that lack them\n"
            "  sql FILE \"SELECT …\"    answers a question, columns separated by |\n"
            "  merge INTO FROM…       adds what INTO does not have; doing it again adds nothing\n"
            "  export FILE TO         writes all games as PGN, or all positions as EPD",
        .options = table,
        .common = &options.common,
        .takes_arguments = true,
        .epilogue =
            "Examples:\n"
            "  tabia db merge all.db part1.db part2.db\n"
            "  tabia db sql all.db \"SELECT reason, count(*) FROM results GROUP BY reason\"\n"
            "  tabia db export all.db games.pgn.zst --format pgn",
    };

    Status status = options_parse(&spec, argc, argv, &parser, &arguments, &done, err);
    if (status == STATUS_OK && !done) status = run_verb(&options, arguments, err);
    options_destroy(parser);
    return status;
}
