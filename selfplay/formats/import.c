/* SPDX-License-Identifier: MIT
 * Importing files of games. */
#include "selfplay/formats/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "db/files/input_file.h"
#include "db/files/pipeline.h"
#include "db/tables/cursor.h"
#include "db/tables/games.h"
#include "db/tables/players.h"
#include "db/tables/runs.h"
#include "engine/base/array.h"
#include "engine/base/clock.h"
#include "engine/base/json.h"
#include "engine/base/name_table.h"
#include "engine/base/text.h"
#include "engine/base/version.h"
#include "selfplay/formats/pgn_read.h"

enum { REPORT_GAMES = 256 /* between two checks of progress and Ctrl-C */ };

typedef struct Import {
    Store *store;
    const ImportJob *job;
    ImportCounts *counts;
    FileReader *file; /* that is read */
    int64_t run_id;   /* 0: games are only counted */
    NameTable players;
    int32_t player_count;
} Import;

/* ---- The run */

static Status describe_run(const Import *import, const char *hash, RunRecord *run,
                           char **config_text, Error *err)
{
    JsonWriter config;

    json_begin_text(&config, true);
    json_string(&config, "format", import->job->format->name);
    json_string(&config, "sha256", hash);
    Status status = json_finish_text(&config, config_text, err);
    if (status != STATUS_OK) return status;
    *run = (RunRecord){.kind = RUN_IMPORT, .generation = -1, .config = *config_text};
    text_copy_utf8(run->label, sizeof run->label, text_file_name(import->job->path));
    (void)snprintf(run->program, sizeof run->program, "%s", TABIA_VERSION);
    run_identify(run);
    return STATUS_OK;
}

/* ---- Games */

static Status number_player(Import *import, const char *name, int *number, Error *err)
{
    int32_t known = import->player_count;

    if (!name || !*name) name = "?";
    Status status =
        name_table_number(&import->players, name, strlen(name), &import->player_count, number, err);
    if (status != STATUS_OK || import->player_count == known) return status;
    PlayerRecord player = {.player_no = *number, .config = "{}"};
    (void)snprintf(player.name, sizeof player.name, "%s", name);
    return store_put_player(import->store, import->run_id, &player, err);
}

static Status put_game(Import *import, const GameRecord *record, const char *white,
                       const char *black, Error *err)
{
    GameRecord game = *record;

    game.game_no = game.opening_no = import->counts->games;
    Status status = number_player(import, white, &game.white, err);
    if (status == STATUS_OK) status = number_player(import, black, &game.black, err);
    if (status == STATUS_OK)
        status = store_put_game(import->store, import->run_id, &game, NULL, err);
    return status;
}

static Status report(const Import *import, Error *err)
{
    import->counts->consumed = input_consumed(import->file->file);
    import->job->progress(import->job->context, import->counts);
    if (!atomic_load_explicit(import->job->interrupted, memory_order_relaxed)) return STATUS_OK;
    return error_set(err, STATUS_INTERRUPTED, "interrupted");
}

/* Takes a game; without one *err says why, if `status` is not STATUS_OK. */
static Status take_game(Import *import, Status status, const GameRecord *game, const char *white,
                        const char *black, Error *err)
{
    ImportCounts *counts = import->counts;

    if (status == STATUS_OK) {
        if (import->run_id) status = put_game(import, game, white, black, err);
        counts->games++;
        counts->plies += game->ply_count;
    } else if (status == STATUS_BAD_INPUT && import->job->keep_going) {
        if (counts->damaged++ == 0) counts->first = *err;
        status = STATUS_OK;
    }
    return status;
}

static Status take_games(Import *import, Error *err)
{
    GameSource *source = import->job->format->open(import->job->path, err);
    const GameRecord *game;

    if (!source) return err->status;
    import->file = source->file;
    Status status = STATUS_OK;
    for (int64_t seen = 1; status == STATUS_OK; seen++) {
        status = game_source_next(source, &game, err);
        if (status == STATUS_OK && !game) break;
        status = take_game(import, status, game, source->white, source->black, err);
        if (status == STATUS_OK && seen % REPORT_GAMES == 0) status = report(import, err);
    }
    import->counts->unfinished = source->unfinished;
    import->counts->dropped = source->dropped;
    if (status == STATUS_OK) status = report(import, err);
    game_source_close(source);
    return status;
}

/* ---- PGN, by several threads */

enum { PARTS = 16 /* of a batch */ };

typedef struct ParsedGame {
    BatchGame copy;
    char white[PLAYER_NAME_MAX], black[PLAYER_NAME_MAX];
    Error fault; /* STATUS_OK: none */
} ParsedGame;

typedef struct ParsedPart {
    FileReader *text; /* until it is parsed */
    ParsedGame *games;
    int64_t count, room, unfinished;
    FaultCount dropped;
    bool whole; /* or the last one */
} ParsedPart;

typedef struct PartsImport {
    Import *import;
    bool alone; /* the file must be read by one thread */
} PartsImport;

static Status read_part(void *context, void *item, bool *found, Error *err)
{
    PartsImport *p = context;
    ParsedPart *part = item;
    FileReader *file = p->import->file;
    Status status = STATUS_OK;

    if (reader_peek(file) != READER_END) status = pgn_next_part(file, &part->text, err);
    *found = status == STATUS_OK && part->text;
    part->whole = reader_peek(file) == READER_END;
    p->alone |= (!*found && !part->whole) || file->fault.status != STATUS_OK;
    return status;
}

/* Keeps what the source gave: a game or an error. */
static Status keep_game(ParsedPart *part, const GameSource *source, const GameRecord *record,
                        const Error *fault, Error *err)
{
    Status status = ARRAY_RESERVE(part->games, part->room, part->count + 1, err);
    if (status != STATUS_OK) return status;
    ParsedGame *game = &part->games[part->count++];
    *game = (ParsedGame){.fault = *fault};
    if (!record) return STATUS_OK;
    text_copy_utf8(game->white, sizeof game->white, source->white);
    text_copy_utf8(game->black, sizeof game->black, source->black);
    return batch_game_copy(&game->copy, record, err);
}

static Status parse_part(void *context, void *item, Error *err)
{
    ParsedPart *part = item;
    const GameRecord *record = NULL;
    Error fault = {0};
    GameSource *source = pgn_open_part(part->text, err);
    Status status = STATUS_OK;

    (void)context;
    part->text = NULL;
    if (!source) return err->status;
    do {
        fault = (Error){0};
        fault.status = game_source_next(source, &record, &fault);
        if (record || fault.status != STATUS_OK)
            status = keep_game(part, source, record, &fault, err);
    } while (status == STATUS_OK && (record || fault.status == STATUS_BAD_INPUT));
    part->unfinished = source->unfinished;
    part->dropped = source->dropped;
    part->whole |= pgn_part_is_whole(source);
    game_source_close(source);
    return status;
}

static void forget_games(ParsedPart *part)
{
    for (int64_t i = 0; i < part->count; i++)
        batch_game_free(&part->games[i].copy);
    part->count = 0;
}

static Status take_part(void *context, void *item, Error *err)
{
    PartsImport *p = context;
    ParsedPart *part = item;
    Status status = STATUS_OK;

    p->alone |= !part->whole;
    for (int64_t i = 0; i < part->count && !p->alone && status == STATUS_OK; i++) {
        const ParsedGame *game = &part->games[i];
        *err = game->fault;
        status = take_game(p->import, game->fault.status, &game->copy.record, game->white,
                           game->black, err);
    }
    p->import->counts->unfinished += part->unfinished;
    fault_count_add(&p->import->counts->dropped, part->dropped.count, &part->dropped.first);
    forget_games(part);
    return status;
}

static Status report_parts(void *context, Error *err)
{
    return report(((PartsImport *)context)->import, err);
}

static void free_part(void *item)
{
    ParsedPart *part = item;

    reader_close(part->text);
    forget_games(part);
    free(part->games);
}

/* *done: the games are those that one thread takes; otherwise some of them may be stored. */
static Status take_by_parts(Import *import, bool *done, Error *err)
{
    static const Pipeline pipeline = {sizeof(ParsedPart), PARTS,        read_part, parse_part,
                                      take_part,          report_parts, free_part};
    PartsImport p = {.import = import};

    import->file = reader_open_text(import->job->path, err);
    Status status =
        import->file ? pipeline_run(&pipeline, &p, import->job->threads, err) : err->status;
    *done = !p.alone || (status != STATUS_OK && status != STATUS_BAD_INPUT);
    reader_close(import->file);
    return status;
}

/* ---- The file */

static Status read_file(Import *import, Error *err)
{
    ImportCounts *counts = import->counts;
    const ImportCounts unread = *counts;
    bool done = false;
    Status status = STATUS_OK;

    if (import->job->threads > 1 && import->job->format->open == pgn_open)
        status = take_by_parts(import, &done, err);
    if (!done) {
        *counts = unread;
        status = take_games(import, err);
    }
    if (status == STATUS_OK && counts->games == 0 && counts->damaged > 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s", counts->first.text);
    else if (status == STATUS_OK && counts->games == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: no %sgames found", import->job->path,
                           counts->unfinished > 0 ? "finished " : "");
    return status;
}

/* Whether all games of the file are stored: then the run is finished. Without a transaction, since
 * reading may take long. */
static Status find_all(Import *import, const char *uuid, bool *found, Error *err)
{
    ImportCounts *counts = import->counts;
    const ImportCounts unread = *counts;
    GameCounts here;
    int64_t run_id;

    *found = false;
    Status status = store_find_run(import->store, uuid, &run_id, err);
    if (status != STATUS_OK || run_id == 0) return status;
    status = read_file(import, err);
    if (status == STATUS_OK) status = store_count_games(import->store, run_id, &here, err);
    if (status != STATUS_OK) return status;
    *found = here.games == counts->games && here.plies == counts->plies;
    if (!*found) {
        *counts = unread;
        return STATUS_OK;
    }
    status = store_finish_range(import->store, run_id, 0, here.games, err);
    counts->known = true;
    counts->games = counts->plies = 0; /* none added */
    return status;
}

/* Those of the file are stored. */
static Status check_no_others(const Import *import, Error *err)
{
    GameCounts here;

    Status status = store_count_games(import->store, import->run_id, &here, err);
    if (status == STATUS_OK && here.games > import->counts->games)
        status = error_set(err, STATUS_DATABASE, "%s: run %lld has games that are not in %s",
                           store_path(import->store), (long long)import->run_id, import->job->path);
    return status;
}

/* In a transaction, which stays open. */
static Status import_run(Import *import, RunRecord *run, Error *err)
{
    ImportCounts *counts = import->counts;
    GameCounts before = {0};
    bool created;

    Status status = store_open_run(import->store, run, &created, err);
    if (status == STATUS_OK && !created)
        status = store_count_games(import->store, run->run_id, &before, err);
    if (status != STATUS_OK) return status;
    counts->known = !created;
    import->run_id = run->run_id;
    status = read_file(import, err);
    if (status == STATUS_OK && !created) status = check_no_others(import, err);
    if (status == STATUS_OK) status = store_finish_run(import->store, run->run_id, err);
    counts->games -= before.games; /* these were read again and are equal */
    counts->plies -= before.plies;
    return status;
}

static Status add_games(Import *import, RunRecord *run, Error *err)
{
    Store *store = import->store;
    ImportCounts *counts = import->counts;
    bool found;

    Status status = find_all(import, run->uuid, &found, err);
    if (status != STATUS_OK || found) return status;
    status = store_begin(store, err);
    if (status != STATUS_OK) return status;
    status = import_run(import, run, err);
    if (status == STATUS_OK && counts->games > 0) status = store_commit(store, err);
    store_rollback(store); /* unless committed */
    return status;
}

Status import_file(Store *store, const ImportJob *job, ImportCounts *counts, Error *err)
{
    Import import = {.store = store, .job = job, .counts = counts};
    double started = clock_seconds();
    char hash[HASH_HEX_MAX];
    char *config = NULL;
    struct stat there;
    RunRecord run;

    *counts = (ImportCounts){0};
    if (stat(job->path, &there) == 0 && !S_ISREG(there.st_mode))
        return error_set(err, STATUS_BAD_INPUT,
                         "%s: no regular file, and games are read twice: write them to one first",
                         job->path);
    store_watch(store, job->interrupted);
    Status status = input_sha256(job->path, job->interrupted, hash, &counts->size, err);
    if (status == STATUS_OK) status = describe_run(&import, hash, &run, &config, err);
    if (status == STATUS_OK) status = add_games(&import, &run, err);
    if (status == STATUS_INTERRUPTED)
        (void)error_set(err, status, "interrupted: nothing was imported");
    store_watch(store, NULL);
    name_table_free(&import.players);
    free(config);
    counts->seconds = clock_seconds() - started;
    return status;
}
