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
#include "engine/base/new_file.h"
#include "engine/base/pcg.h"
#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "tuner/data/from_store.h"

enum { POOL = 2048, PLIES = 84, TRANSACTION = 64, STEPS = 9, DEFAULT_POSITIONS = 1000000 };

typedef struct StoreBench StoreBench;

/* One thing that is timed. */
typedef struct StoreStep {
    StoreMode mode;
    Status (*work)(StoreBench *b, Store *store, Error *err);
    bool replays;    /* of read_games() */
    const char *sql; /* of query(): its first column counts the positions */
} StoreStep;

struct StoreBench {
    const BenchOptions *options;
    char path[600];
    GameRecord games[POOL];
    GamePly plies[POOL][PLIES];
    const StoreStep *step; /* that runs */
    int64_t positions, games_stored;
    int threads;
    BenchStep times[STEPS];
    double compact_bytes, full_bytes; /* a position, without and with readable positions */
};

static const Field fields[] = {
    {"positions", FIELD(StoreBench, positions), .label = "positions"},
    {"games", FIELD(StoreBench, games_stored), .label = "games"},
    {"threads", FIELD(StoreBench, threads), .label = "threads"},
    BENCH_STEP(StoreBench, times[0], "insert", "insert compact games"),
    BENCH_STEP(StoreBench, times[1], "read", "read games"),
    BENCH_STEP(StoreBench, times[2], "replay", "read and replay"),
    BENCH_STEP(StoreBench, times[3], "dataset", "load as the tuner does"),
    BENCH_STEP(StoreBench, times[4], "sql_scores", "tabia_positions: scores"),
    BENCH_STEP(StoreBench, times[5], "sql_fens", "tabia_positions: FENs"),
    BENCH_STEP(StoreBench, times[6], "materialize", "materialize"),
    BENCH_STEP(StoreBench, times[7], "rows", "table positions: scores"),
    BENCH_STEP(StoreBench, times[8], "check", "check"),
    {"bytes_compact", FIELD(StoreBench, compact_bytes), .label = "bytes a position, compact",
     .decimals = 2},
    {"bytes_full", FIELD(StoreBench, full_bytes),
     .label = "bytes a position, with readable positions", .decimals = 2},
    {0},
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

/* In the order of the fields. */
static const StoreStep steps[STEPS] = {
    {STORE_CREATE, insert_games},
    {STORE_READ, read_games},
    {STORE_READ, read_games, .replays = true},
    {STORE_READ, load_dataset},
    {STORE_READ, query, .sql = "SELECT count(*), avg(score) FROM tabia_positions"},
    {STORE_READ, query, .sql = "SELECT count(*), max(fen) FROM tabia_positions"},
    {STORE_WRITE, materialize},
    {STORE_READ, query, .sql = "SELECT count(*), avg(score) FROM positions"},
    {STORE_READ, materialize},
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
        b->times[i] = bench_step(bench_times_since(start), b->positions);
        double bytes = (double)file_size(b->path) / (double)b->positions;
        if (steps[i].mode == STORE_CREATE) b->compact_bytes = bytes;
        if (steps[i].mode == STORE_WRITE) b->full_bytes = bytes;
    }
    return STATUS_OK;
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
    if (status == STATUS_OK)
        (options->common.json ? fields_json_line : fields_list)(stdout, fields, b);
    free(b);
    return status;
}
