/* SPDX-License-Identifier: MIT
 * The store: one SQLite file of weights, runs, games and positions. The only folder that includes
 * <sqlite3.h>. Knows no chess rules: boards come and go as FEN text, moves as 16-bit numbers.
 *
 * Errors: STATUS_DATABASE with the file's name and SQLite's words (a full disk, a locked or damaged
 * file, a database of another program or of a newer version); STATUS_BAD_INPUT for a missing file.
 * Threads: one Store is used by one thread at a time. */
#ifndef TABIA_DB_STORE_STORE_H
#define TABIA_DB_STORE_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "db/store/record.h"
#include "engine/base/status.h"

typedef struct Store Store;
struct sqlite3; /* SQLite's own, for extensions alone */
struct sqlite3_api_routines;

enum { STORE_APPLICATION_ID = 0x54414249 /* "TABI" */, STORE_SCHEMA_VERSION = 2 };

typedef enum StoreMode {
    STORE_READ,   /* must exist; opened read-only */
    STORE_WRITE,  /* must exist */
    STORE_CREATE, /* made with an empty schema when absent */
    STORE_SALVAGE /* as STORE_READ, and a file whose end is missing opens too: reads of what is not
                     there fail */
} StoreMode;

/* Opens and checks application_id and user_version (an older version is upgraded when writing, in
 * one transaction, and refused when reading, with the command that upgrades it). WAL,
 * synchronous=FULL, foreign keys, busy_timeout 30 s. NULL and an Error on failure; a file that is
 * not ours is never touched. */
Store *store_open(const char *path, StoreMode mode, Error *err);

/* Checkpoints the WAL (TRUNCATE) when opened for writing, and closes. NULL-safe. */
void store_close(Store *store);

/* Brings all that is committed into the file itself, which may then be renamed or copied alone.
 * STATUS_DATABASE when that cannot be (a full disk): everything is there, but part of it in the
 * log. Outside a transaction. */
MUST_CHECK Status store_settle(Store *store, Error *err);

/* Removes a database that nobody has open, with what SQLite may have left beside it. */
void store_remove(const char *path);

/* The latter alone: SQLite would take the log of a database that is gone for that of the next one
 * of its name. */
void store_remove_logs(const char *path);

const char *store_path(const Store *store);

/* ---- Transactions (writers use BEGIN IMMEDIATE) */
MUST_CHECK Status store_begin(Store *store, Error *err);
MUST_CHECK Status store_commit(Store *store, Error *err);
void store_rollback(Store *store);
/* Until store_rollback() all that is read is of one moment, whatever others write. */
MUST_CHECK Status store_begin_reading(Store *store, Error *err);

/* ---- Weights: header texts by the SHA-256 of their canonical form. Idempotent. text is the whole
 * header with comment; parent the hash of weights that are stored already, or NULL.
 * What refers to weights (a run, a fit, a gauntlet, a generation, a parent) must be put after them:
 * a hash that is not stored is STATUS_FAILED, for provenance would end there. "" and NULL name
 * none. */
MUST_CHECK Status store_put_weights(Store *store, const char *hash, const char *label,
                                    const char *text, const char *parent, Error *err);
/* Returns the header text, malloc'ed; NULL with an Error when the hash is unknown. */
char *store_get_weights(Store *store, const char *hash, Error *err);

/* ---- Runs */
/* run_id is 0 where there is none. */
MUST_CHECK Status store_find_run(Store *store, const char *uuid, int64_t *run_id, Error *err);
/* Finds the run with run->uuid or inserts it; fills run_id. *created tells which (may be NULL). */
MUST_CHECK Status store_open_run(Store *store, RunRecord *run, bool *created, Error *err);
MUST_CHECK Status store_finish_run(Store *store, int64_t run_id,
                                   Error *err); /* stamps `finished` */

/* Lists runs in order of run_id into a malloc'ed array (each config malloc'ed); free with
 * store_free_runs. kind 0: all kinds. */
MUST_CHECK Status store_list_runs(Store *store, int kind, RunRecord **runs, int *count, Error *err);
void store_free_runs(RunRecord *runs, int count);

/* ---- Players of a run */
/* Inserts the player, or gives the one with this number its name; its weights must be stored. */
MUST_CHECK Status store_put_player(Store *store, int64_t run_id, const PlayerRecord *player,
                                   Error *err);
/* In order of number into a malloc'ed array (each config malloc'ed); free with store_free_players.
 */
MUST_CHECK Status store_list_players(Store *store, int64_t run_id, PlayerRecord **players,
                                     int *count, Error *err);
void store_free_players(PlayerRecord *players, int count);

/* ---- Games */
/* Which of the indices [first, first + count) are present: present[i] for first + i. */
MUST_CHECK Status store_games_present(Store *store, int64_t run_id, int64_t first, int64_t count,
                                      bool *present, Error *err);

/* Inserts a game; with rows != NULL also its positions (rows[0 … ply_count-1]). Inside a
 * transaction. A game already there is compared: equal is fine (nothing is written), different is
 * STATUS_FAILED with a sentence, for the run is then not deterministic; times may differ. */
MUST_CHECK Status store_put_game(Store *store, int64_t run_id, const GameRecord *game,
                                 const PositionRow *rows, Error *err);

/* Reads games in canonical order (runs in the order given, game_no ascending). */
typedef struct GameCursor GameCursor;
/* run_ids NULL: all runs of kind `kind` (0 for any), ordered by uuid. Borrows store. */
GameCursor *store_read_games(Store *store, const int64_t *run_ids, int run_count, int kind,
                             Error *err);
/* Games that have plies but no rows in `positions`, with game_id > after, ordered by game_id. Rows
 * may be put while the cursor is open. Borrows store. */
GameCursor *store_read_unmaterialized(Store *store, int64_t after, Error *err);
/* For damaged databases: all games in order of game_id, past those that cannot be read. Borrows
 * store. */
GameCursor *store_read_salvage(Store *store, Error *err);
/* How many games such a cursor could not read so far; *more: and perhaps some behind the last one.
 */
int64_t game_cursor_lost(const GameCursor *cursor, bool *more);
/* *game is NULL at the end, else valid until the next call; its plies are owned by the cursor. */
MUST_CHECK Status game_cursor_next(GameCursor *cursor, const GameRecord **game, int64_t *game_id,
                                   int64_t *run_id, Error *err);
void game_cursor_close(GameCursor *cursor); /* NULL-safe */

typedef struct GameCounts {
    int64_t games, plies, nodes;
    int64_t wins, draws, losses; /* White's view */
    int64_t reasons[16];         /* by GameReason */
} GameCounts;
MUST_CHECK Status store_count_games(Store *store, int64_t run_id /* 0: all */, GameCounts *counts,
                                    Error *err);

/* The number of games alone, which is quick. */
MUST_CHECK Status store_total_games(Store *store, int64_t *games, Error *err);

/* ---- Positions */
MUST_CHECK Status store_put_positions(Store *store, int64_t game_id, const PositionRow *rows,
                                      int count, Error *err); /* replaces the game's rows */
MUST_CHECK Status
store_get_positions(Store *store, int64_t game_id, PositionRow **rows, int *count,
                    Error *err); /* malloc'ed; count 0 and NULL when there are none */
MUST_CHECK Status store_count_positions(Store *store, int64_t *count, Error *err);

/* ---- Fits, generations, gauntlets: one row each, `json` holding all figures */
MUST_CHECK Status store_put_fit(Store *store, const char *weights_hash, const char *start_hash,
                                const char *dataset_digest, const char *json, Error *err);
typedef struct GauntletRow {
    int64_t run_id;
    char hash_a[HASH_HEX_MAX], hash_b[HASH_HEX_MAX];
    const char *state; /* "running", "finished", "interrupted" */
    const char *json;  /* the result object; borrowed */
} GauntletRow;
MUST_CHECK Status store_put_gauntlet(Store *store, const GauntletRow *row,
                                     Error *err); /* by run_id */
/* A generation of `tabia learn` advances through its stages; each is written when done, so that a
 * killed run goes on from there. json is the accumulated figures. */
MUST_CHECK Status store_put_generation(Store *store, int generation, const char *stage,
                                       const char *best_hash, const char *json, Error *err);
/* stage, best_hash and json of the highest generation: *generation is -1 when there is none. json
 * is malloc'ed. */
MUST_CHECK Status store_last_generation(Store *store, int *generation, char stage[32],
                                        char best_hash[HASH_HEX_MAX], char **json, Error *err);
/* The latest `room` different best weights of the generations, newest first. */
MUST_CHECK Status store_list_best(Store *store, int room, char hashes[][HASH_HEX_MAX], int *count,
                                  Error *err);
/* The json of one generation, malloc'ed, or NULL in *json when absent. */
MUST_CHECK Status store_get_generation(Store *store, int generation, char stage[32], char **json,
                                       Error *err);

/* ---- Whole databases */
/* SHA-256 over what was played: runs by uuid, games by number; start FEN, moves with scores,
 * result, reason, players, nodes. No timings, row ids, order of insertion or file layout. kind 0:
 * all. */
MUST_CHECK Status store_digest(Store *store, int kind, char out[HASH_HEX_MAX], Error *err);
/* The same over starts, moves with scores and results alone, in the same order: what an export to a
 * format that holds these and an import of it keep. */
MUST_CHECK Status store_digest_moves(Store *store, char out[HASH_HEX_MAX], Error *err);

typedef struct MergeCounts {
    int64_t games; /* of `from` that were looked at */
    int64_t added; /* of them, those that were not here */
} MergeCounts;

typedef struct MergeOptions {
    const int64_t *game_ids; /* of `from`: only these, and nothing that was made of the games (fits,
                                gauntlets, generations); NULL: everything */
    int64_t count;           /* of game_ids */
    bool mixed; /* allow self-play runs of one seed and generation with different settings */
    void (*progress)(void *context, const MergeCounts *counts); /* after each batch; or NULL */
    void *context;
} MergeOptions;

/* Adds the runs and games of `from` that are not here yet, with positions where it has them,
 * weights and players; then fits, gauntlets and, where those here do not contradict them,
 * generations. Games go in batches, each a transaction: what was done when it fails or is killed
 * stays, and doing it again adds the rest; doing it once more adds nothing. Nothing is changed and
 * STATUS_FAILED says why, when the two disagree about a game or hold a mixture of settings. */
MUST_CHECK Status store_merge_games(Store *store, const char *from, const MergeOptions *options,
                                    MergeCounts *counts, Error *err);

/* The same with no options; *added counts games. */
MUST_CHECK Status store_merge(Store *store, const char *from, int64_t *added, Error *err);

/* Rewrites the file without holes, which takes as much room again meanwhile, and has SQLite look at
 * its tables for the sake of its query planner. */
MUST_CHECK Status store_vacuum(Store *store, Error *err);

/* SQLite's own check of the file (STATUS_DATABASE when it is damaged); then foreign keys,
 * identities of runs, blob lengths and positions against ply counts (STATUS_FAILED). The first
 * problem becomes the Error. */
MUST_CHECK Status store_check(Store *store, Error *err);

/* ---- Questions in SQL */
typedef enum SqlKind { SQL_NULL, SQL_INTEGER, SQL_REAL, SQL_TEXT, SQL_BLOB } SqlKind;

/* A value of a row, borrowed from SQLite until the next row. */
typedef struct SqlValue {
    SqlKind kind;
    int64_t integer;
    double real;
    const char *text;     /* also of numbers; NULL for NULL and blobs */
    const uint8_t *bytes; /* of blobs */
    size_t size;          /* of text or bytes */
} SqlValue;

/* Who takes the rows of each statement that has columns. */
typedef struct SqlSink {
    void *context;
    Status (*begin)(void *context, int columns, const char *const *names, Error *err);
    Status (*row)(void *context, int columns, const SqlValue *values, Error *err);
    Status (*end)(void *context, Error *err);
} SqlSink;

/* Runs SQL statements one after the other. In a store that is open for reading, writing ones are
 * refused (STATUS_BAD_INPUT, as is SQL that SQLite does not understand). */
MUST_CHECK Status store_query(Store *store, const char *sql, const SqlSink *sink, Error *err);

/* The same, printed as the sqlite3 shell does: values separated by '|', after the names if
 * `header`.
 */
MUST_CHECK Status store_sql(Store *store, const char *sql, bool header, FILE *out, Error *err);

/* Gives the store the SQL functions of an extension that is linked in: its entry point, as SQLite
 * calls those that it loads. */
typedef int StoreExtension(struct sqlite3 *handle, char **message,
                           const struct sqlite3_api_routines *api);
MUST_CHECK Status store_extend(Store *store, StoreExtension *extension, Error *err);

/* From here on whatever SQLite is at ends with STATUS_INTERRUPTED soon after *interrupted becomes
 * non-zero. NULL: no longer. */
void store_watch(Store *store, const atomic_int *interrupted);

#endif
