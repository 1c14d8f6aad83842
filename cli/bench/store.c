/* SPDX-License-Identifier: MIT
 * tabia bench store: the speed of the database in positions a second, and its bytes a position. The
 * games are random legal ones of usual length. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/support.h"
#include "cli/output/process.h"
#include "db/chess/extension.h"
#include "db/chess/materialize.h"
#include "db/chess/replay.h"
#include "db/store/query.h"
#include "db/store/store.h"
#include "db/tables/cursor.h"
#include "db/tables/games.h"
#include "db/tables/runs.h"
#include "engine/base/json.h"
#include "engine/base/new_file.h"
#include "engine/base/pcg.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "tuner/data/from_store.h"

enum { POOL = 2048, PLIES = 84, TRANSACTION = 64, STEPS = 9, DEFAULT_POSITIONS = 1000000 };

typedef struct StoreBench StoreBench;

/* One thing that is timed. */
typedef struct Step {
    const char *name; /* for people */
    const char *key;  /* for JSON */
    StoreMode mode;
    Status (*work)(StoreBench *b, Store *store, Error *err);
    bool replays;    /* of read_games() */
    const char *sql; /* of query(): its first column counts the positions */
} Step;

struct StoreBench {
    const BenchOptions *options;
    char path[600];
    GameRecord games[POOL];
    GamePly plies[POOL][PLIES];
    const Step *step;               /* that runs */
    double wall[STEPS], cpu[STEPS]; /* seconds of each step */
    int64_t positions, games_stored;
    int64_t compact_bytes, full_bytes; /* of the file, without and with readable positions */
    int threads;
};

static void random_game(GameRecord *game, GamePly *plies, Pcg *rng)
{
    Position pos, before;
    MoveList list;

    *game = (GameRecord){.start_fen = START_FEN,
                         .result = RESULT_DRAW,
                         .reason = REASON_DRAW_ADJUDICATION,
                         .plies = plies};
    position_set_start(&pos);
    while (game->ply_count < PLIES) {
        movegen_all(&pos, &list);
        Move move = list.moves[pcg_below(rng, (uint32_t)list.count)];
        before = pos;
        position_make(&pos, &before, move);
        if (movegen_count(&pos) == 0) break; /* this move would end the game */
        plies[game->ply_count++] =
            (GamePly){.move = move, .score = (int16_t)((int)pcg_below(rng, 401) - 200)};
    }
}

static Status insert_games(StoreBench *b, Store *store, Error *err)
{
    RunRecord run = {.kind = RUN_SELFPLAY, .config = "{}", .generation = -1};
    int64_t wanted = b->options->positions > 0 ? b->options->positions : DEFAULT_POSITIONS;

    run_identify(&run);
    Status status = store_open_run(store, &run, NULL, err);
    while (status == STATUS_OK && b->positions < wanted) {
        status = store_begin(store, err);
        for (int i = 0; i < TRANSACTION && status == STATUS_OK; i++) {
            GameRecord *game = &b->games[b->games_stored % POOL];
            game->game_no = b->games_stored++;
            b->positions += game->ply_count;
            status = store_put_game(store, run.run_id, game, NULL, err);
        }
        if (status == STATUS_OK) status = store_commit(store, err);
    }
    return status;
}

static Status replay(const GameRecord *game, Error *err)
{
    Replay replay;

    Status status = replay_start(&replay, game, err);
    while (status == STATUS_OK && replay.ply < game->ply_count)
        status = replay_next(&replay, err);
    return status;
}

static Status read_games(StoreBench *b, Store *store, Error *err)
{
    const GameRecord *game = NULL;

    GameCursor *cursor = store_read_games(store, NULL, 0, 0, err);
    if (!cursor) return err->status;
    Status status;
    while ((status = game_cursor_next(cursor, &game, NULL, NULL, err)) == STATUS_OK && game) {
        if (b->step->replays) status = replay(game, err);
        if (status) break;
    }
    game_cursor_close(cursor);
    return status;
}

static Status load_dataset(StoreBench *b, Store *store, Error *err)
{
    DatasetFilter filter;
    Dataset *data;

    dataset_filter_defaults(&filter);
    Status status = dataset_from_store(store, &filter, b->threads, &data, err);
    if (status == STATUS_OK) dataset_destroy(data);
    return status;
}

static Status keep_number(void *context, int columns, const SqlValue *values, Error *err)
{
    (void)columns;
    (void)err;
    *(int64_t *)context = values[0].integer;
    return STATUS_OK;
}

static Status query(StoreBench *b, Store *store, Error *err)
{
    const char *sql = b->step->sql;
    int64_t count = 0;
    const SqlSink sink = {.context = &count, .row = keep_number};

    Status status = store_extend(store, sqlite3_tabiasqlite_init, err);
    if (status == STATUS_OK) status = store_query(store, sql, &sink, err);
    if (status == STATUS_OK && count != b->positions)
        status = error_set(err, STATUS_FAILED, "%s counts %" PRId64 " of %" PRId64 " positions",
                           sql, count, b->positions);
    return status;
}

static Status materialize(StoreBench *b, Store *store, Error *err)
{
    MaterializeCounts counts;
    const MaterializeJob job = {.threads = b->threads, .interrupted = cli_interrupted()};
    return (b->step->mode == STORE_READ ? materialize_verify : materialize_positions)(store, &job,
                                                                                      &counts, err);
}

static const Step steps[STEPS] = {
    {"insert compact games", "insert", STORE_CREATE, insert_games},
    {"read games", "read", STORE_READ, read_games},
    {"read and replay", "replay", STORE_READ, read_games, .replays = true},
    {"load as the tuner does", "dataset", STORE_READ, load_dataset},
    {"tabia_positions: scores", "sql_scores", STORE_READ, query,
     .sql = "SELECT count(*), avg(score) FROM tabia_positions"},
    {"tabia_positions: FENs", "sql_fens", STORE_READ, query,
     .sql = "SELECT count(*), max(fen) FROM tabia_positions"},
    {"materialize", "materialize", STORE_WRITE, materialize},
    {"table positions: scores", "rows", STORE_READ, query,
     .sql = "SELECT count(*), avg(score) FROM positions"},
    {"check", "check", STORE_READ, materialize},
};

static Status run_steps(void *context, const char *folder, Error *err)
{
    StoreBench *b = context;

    (void)snprintf(b->path, sizeof b->path, "%s/games.db", folder);
    for (int i = 0; i < STEPS; i++) {
        b->step = &steps[i];
        BenchTimes start = bench_times();
        Store *store = store_open(b->path, steps[i].mode, err);
        if (!store) return err->status;
        store_watch(store, cli_interrupted());
        Status status = steps[i].work(b, store, err);
        store_close(store);
        if (status) return status;
        BenchTimes spent = bench_times_since(start);
        b->wall[i] = spent.wall;
        b->cpu[i] = spent.cpu;
        if (steps[i].mode == STORE_CREATE) b->compact_bytes = file_size(b->path);
        if (steps[i].mode == STORE_WRITE) b->full_bytes = file_size(b->path);
    }
    return STATUS_OK;
}

static double rate(const StoreBench *b, double seconds)
{
    return (double)b->positions / (seconds > 1e-9 ? seconds : 1e-9);
}

static void print_text(const StoreBench *b)
{
    printf("%" PRId64 " positions of %" PRId64 " games, %d thread%s\n", b->positions,
           b->games_stored, b->threads, b->threads == 1 ? "" : "s");
    for (int i = 0; i < STEPS; i++)
        printf("%-26s %8.3f s %8.2f million positions/s %8.2f by processor time\n", steps[i].name,
               b->wall[i], rate(b, b->wall[i]) / 1e6, rate(b, b->cpu[i]) / 1e6);
    printf("%-26s %8.2f bytes a position\n", "compact",
           (double)b->compact_bytes / (double)b->positions);
    printf("%-26s %8.2f bytes a position\n", "with readable positions",
           (double)b->full_bytes / (double)b->positions);
}

static void print_json(const StoreBench *b)
{
    char key[64];
    JsonWriter w;

    json_begin(&w, stdout);
    json_int(&w, "positions", b->positions);
    json_int(&w, "games", b->games_stored);
    json_int(&w, "threads", b->threads);
    for (int i = 0; i < STEPS; i++) {
        (void)snprintf(key, sizeof key, "%s_per_second", steps[i].key);
        json_double(&w, key, rate(b, b->wall[i]), 6);
        (void)snprintf(key, sizeof key, "%s_per_cpu_second", steps[i].key);
        json_double(&w, key, rate(b, b->cpu[i]), 6);
    }
    json_double(&w, "bytes_compact", (double)b->compact_bytes / (double)b->positions, 6);
    json_double(&w, "bytes_full", (double)b->full_bytes / (double)b->positions, 6);
    json_finish(&w);
}

Status bench_store(const BenchOptions *options, Error *err)
{
    StoreBench *b = calloc(1, sizeof *b);
    Pcg rng;

    if (!b) return error_set(err, STATUS_FAILED, "out of memory for games");
    b->options = options;
    b->threads = options_threads(&options->common);
    pcg_seed(&rng, 1, 1);
    for (int i = 0; i < POOL; i++)
        random_game(&b->games[i], b->plies[i], &rng);
    Status status = bench_in_scratch(run_steps, b, err);
    if (status == STATUS_OK) (options->common.json ? print_json : print_text)(b);
    free(b);
    return status;
}
