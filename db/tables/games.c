/* SPDX-License-Identifier: MIT
 * The table of games: writing, presence, counting. */
#include "db/tables/games.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/stmt.h"
#include "db/tables/positions.h"
#include "engine/base/array.h"

Status store_games_present(Store *store, int64_t run_id, int64_t first, int64_t count,
                           bool *present, Error *err)
{
    memset(present, 0, (size_t)count * sizeof *present);
    Stmt stmt = stmt_open(store,
                          "SELECT game_no FROM games"
                          " WHERE run_id = ?1 AND game_no >= ?2 AND game_no - ?2 < ?3",
                          err);
    stmt_bind_int(&stmt, 1, run_id);
    stmt_bind_int(&stmt, 2, first);
    stmt_bind_int(&stmt, 3, count);
    while (stmt_row(&stmt))
        present[stmt_int_in(&stmt, 0, first, first + count - 1) - first] = true;
    return stmt_close(&stmt);
}

/* The blobs of a game, in the buffer of the store. */
typedef struct PackedGame {
    const uint8_t *moves, *clock; /* clock may be NULL */
} PackedGame;

static Status pack_game(Store *store, const GameRecord *game, PackedGame *packed, Error *err)
{
    size_t plies = (size_t)game->ply_count;

    Status status = ARRAY_RESERVE(store->packed, store->packed_capacity,
                                  (int64_t)plies * (PLY_BYTES + CLOCK_BYTES), err);
    if (status) return status;
    uint8_t *to = store->packed;
    packed->moves = to;
    for (size_t i = 0; i < plies; i++, to += PLY_BYTES)
        game_blob_put_ply(to, game->plies[i]);
    packed->clock = game->clock ? to : NULL;
    for (size_t i = 0; game->clock && i < plies; i++, to += CLOCK_BYTES)
        game_blob_put_clock(to, game->clock[i]);
    return STATUS_OK;
}

/* Parameters ?1 to ?11: what makes two games the same. */
static void bind_game(Stmt *stmt, int64_t run_id, const GameRecord *game, const PackedGame *packed)
{
    stmt_bind_int(stmt, 1, run_id);
    stmt_bind_int(stmt, 2, game->game_no);
    stmt_bind_int(stmt, 3, game->opening_no);
    stmt_bind_text(stmt, 4, game->start_fen);
    stmt_bind_int(stmt, 5, game->result);
    stmt_bind_int(stmt, 6, game->reason);
    stmt_bind_int(stmt, 7, game->white);
    stmt_bind_int(stmt, 8, game->black);
    stmt_bind_int(stmt, 9, game->nodes);
    stmt_bind_blob(stmt, 10, packed->moves, (size_t)game->ply_count * PLY_BYTES);
    stmt_bind_int(stmt, 11, game->varied);
}

/* STATUS_FAILED unless the stored game of this number is the same. */
static Status compare_game(Store *store, int64_t run_id, const GameRecord *game,
                           const PackedGame *packed, Error *err)
{
    Stmt stmt =
        stmt_open(store,
                  "SELECT opening_no = ?3 AND start_fen = ?4 AND result = ?5"
                  " AND reason = ?6 AND white = ?7 AND black = ?8 AND nodes = ?9"
                  " AND moves = ?10 AND varied = ?11 FROM games WHERE run_id = ?1 AND game_no = ?2",
                  err);
    bind_game(&stmt, run_id, game, packed);
    bool same = stmt_row(&stmt) && stmt_int(&stmt, 0);
    if (!same && stmt.status == STATUS_OK)
        stmt.status = error_set(
            err, STATUS_FAILED,
            "%s: game %lld of run %lld differs from the stored one: the run is not deterministic, another process plays the same run, or another version of Tabia imported it",
            store->path, (long long)game->game_no, (long long)run_id);
    return stmt_close(&stmt);
}

/* *inserted is false when the run already has a game of this number. */
static Status insert_game(Store *store, int64_t run_id, const GameRecord *game,
                          const PackedGame *packed, bool *inserted, Error *err)
{
    Stmt stmt = stmt_open(
        store,
        "INSERT INTO games (run_id, game_no, opening_no, start_fen, result, reason, white,"
        " black, nodes, moves, varied, ply_count, clock)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
        " ON CONFLICT (run_id, game_no) DO NOTHING",
        err);
    bind_game(&stmt, run_id, game, packed);
    stmt_bind_int(&stmt, 12, game->ply_count);
    if (packed->clock)
        stmt_bind_blob(&stmt, 13, packed->clock, (size_t)game->ply_count * CLOCK_BYTES);
    stmt_run(&stmt);
    *inserted = stmt.status == STATUS_OK && sqlite3_changes(store->handle) > 0;
    return stmt_close(&stmt);
}

Status store_put_game(Store *store, int64_t run_id, const GameRecord *game, const PositionRow *rows,
                      Error *err)
{
    PackedGame packed;
    bool inserted;

    assert(!sqlite3_get_autocommit(store->handle) &&
           "a game and its positions are one transaction");
    Status status = pack_game(store, game, &packed, err);
    if (status) return status;
    status = insert_game(store, run_id, game, &packed, &inserted, err);
    if (status) return status;
    if (!inserted) return compare_game(store, run_id, game, &packed, err);
    if (!rows) return STATUS_OK;
    return store_put_positions(store, sqlite3_last_insert_rowid(store->handle), rows,
                               game->ply_count, err);
}

Status store_count_games(Store *store, int64_t run_id, GameCounts *counts, Error *err)
{
    *counts = (GameCounts){0};
    Stmt stmt = stmt_open(store, /* sum() fails beyond 63 bits. */
                          "SELECT result, reason, count(*), sum(ply_count),"
                          " CAST(min(total(nodes), 9.2e18) AS INTEGER) FROM games"
                          " WHERE run_id = ?1 GROUP BY result, reason",
                          err);
    stmt_bind_int(&stmt, 1, run_id);
    while (stmt_row(&stmt)) {
        int64_t result = stmt_int_in(&stmt, 0, RESULT_BLACK_WINS, RESULT_WHITE_WINS);
        int64_t reason = stmt_int_in(&stmt, 1, REASON_CHECKMATE, REASON_TABLEBASE);
        int64_t games = stmt_int(&stmt, 2);
        counts->games += games;
        counts->plies = game_counts_sum(counts->plies, stmt_int_in(&stmt, 3, 0, INT64_MAX));
        counts->nodes = game_counts_sum(counts->nodes, stmt_int_in(&stmt, 4, 0, INT64_MAX));
        counts->reasons[reason] += games;
        *(result == RESULT_WHITE_WINS ? &counts->wins
          : result == RESULT_DRAW     ? &counts->draws
                                      : &counts->losses) += games;
    }
    return stmt_close(&stmt);
}

Status store_total_games(Store *store, int64_t *games, Error *err)
{
    /* Not count(*), which SQLite does in one instruction: a damaged tree may be endless, and an
     * interrupt comes between instructions. */
    return stmt_read_number(store, "SELECT sum(1) FROM games", games, err);
}
