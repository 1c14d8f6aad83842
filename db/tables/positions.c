/* SPDX-License-Identifier: MIT
 * The table of readable positions. */
#include "db/tables/positions.h"

#include <limits.h>
#include <stdlib.h>

#include "db/store/stmt.h"
#include "db/tables/new_positions.h"
#include "engine/base/array.h"

static Status delete_positions(Store *store, int64_t game_id, Error *err)
{
    Stmt stmt;

    stmt_open(store, &stmt, "DELETE FROM positions WHERE game_id = ?1", err);
    stmt_bind_int(&stmt, 1, game_id);
    return stmt_finish(&stmt);
}

Status store_put_positions(Store *store, int64_t game_id, const PositionRow *rows, int count,
                           Error *err)
{
    Stmt stmt;

    Status status = delete_positions(store, game_id, err);
    if (status) return status;
    if (!store->has_new_positions && new_positions_register(store) != SQLITE_OK)
        return store_error(store, err);
    store->has_new_positions = true;
    store->new_rows = rows;
    store->new_row_count = count;
    stmt_open(store, &stmt,
              "INSERT INTO positions (game_id, ply, fen, score, move, flags)"
              " SELECT ?1, ply, fen, score, move, flags FROM tabia_new_positions",
              err);
    stmt_bind_int(&stmt, 1, game_id);
    return stmt_finish(&stmt);
}

/* The row with a greater ply than `last`: a damaged tree may give the same rows again and again. */
static void read_position(Stmt *stmt, int last, PositionRow *row)
{
    *row = (PositionRow){
        .ply = (int)stmt_int_in(stmt, 0, last + 1, INT_MAX - 1),
        .score =
            stmt_is_null(stmt, 2) ? SCORE_UNKNOWN : (int)stmt_int_in(stmt, 2, INT_MIN, INT_MAX),
        .flags = (unsigned)stmt_int_in(stmt, 4, 0, UINT_MAX),
    };
    stmt_copy_text(stmt, 1, row->fen, sizeof row->fen);
    stmt_copy_text(stmt, 3, row->move, sizeof row->move);
}

Status store_get_positions(Store *store, int64_t game_id, PositionRow **rows, int *count,
                           Error *err)
{
    int64_t capacity = 0;
    Stmt stmt;

    *rows = NULL;
    *count = 0;
    stmt_open(store, &stmt,
              "SELECT ply, fen, score, move, flags FROM positions WHERE game_id = ?1 ORDER BY ply",
              err);
    stmt_bind_int(&stmt, 1, game_id);
    while (stmt_row(&stmt)) {
        if ((stmt.status = ARRAY_RESERVE(*rows, capacity, *count + 1, err))) break;
        read_position(&stmt, *count ? (*rows)[*count - 1].ply : -1, &(*rows)[*count]);
        ++*count;
    }
    if (stmt_close(&stmt) != STATUS_OK) {
        free(*rows);
        *rows = NULL;
        *count = 0;
    }
    return stmt.status;
}

Status store_count_positions(Store *store, int64_t *count, Error *err)
{
    return stmt_read_number(store, "SELECT count(*) FROM positions", count, err);
}

Status store_lacks_positions(Store *store, bool *lacking, Error *err)
{
    int64_t number = 0;

    Status status = stmt_read_number(store,
                                     "SELECT EXISTS (SELECT 1 FROM games) AND NOT EXISTS "
                                     "(SELECT 1 FROM positions)",
                                     &number, err);
    *lacking = number != 0;
    return status;
}
