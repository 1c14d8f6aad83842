/* SPDX-License-Identifier: MIT
 * The table of readable positions. */
#include "db/tables/positions.h"

#include <limits.h>
#include <stdlib.h>

#include "db/store/stmt.h"
#include "engine/base/array.h"

/* ---- tabia_new_positions: rows in memory as a virtual table, store->new_rows[new_row_count] at
 * the time of the SELECT, so that one INSERT … SELECT stores all positions of a game. An INSERT a
 * row takes twice as long. */

typedef struct NewPositionsTable {
    sqlite3_vtab base;
    const Store *store;
} NewPositionsTable;

typedef struct NewPositionsCursor {
    sqlite3_vtab_cursor base;
    const PositionRow *row, *end;
} NewPositionsCursor;

static int connect_table(sqlite3 *db, void *store, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **message)
{
    (void)argc;
    (void)argv;
    (void)message;
    *out = NULL;
    int code = sqlite3_declare_vtab(db, "CREATE TABLE x (ply, fen, score, move, flags)");
    if (code != SQLITE_OK) return code;
    NewPositionsTable *table = calloc(1, sizeof *table);
    if (!table) return SQLITE_NOMEM;
    table->store = store;
    *out = &table->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

static int plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    info->estimatedCost = 100;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    (void)table;
    NewPositionsCursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor) return SQLITE_NOMEM;
    *out = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    free(cursor);
    return SQLITE_OK;
}

static int first_row(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
                     sqlite3_value **argv)
{
    NewPositionsCursor *cursor = (NewPositionsCursor *)base;
    const Store *store = ((const NewPositionsTable *)base->pVtab)->store;

    (void)number;
    (void)text;
    (void)argc;
    (void)argv;
    cursor->row = store->new_rows;
    cursor->end = cursor->row + store->new_row_count;
    return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
    ((NewPositionsCursor *)base)->row++;
    return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *base)
{
    const NewPositionsCursor *cursor = (NewPositionsCursor *)base;
    return cursor->row == cursor->end;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    *id = ((NewPositionsCursor *)base)->row->ply;
    return SQLITE_OK;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int which)
{
    const PositionRow *row = ((NewPositionsCursor *)base)->row;

    switch (which) {
    case 0:
        sqlite3_result_int(context, row->ply);
        break;
    case 1:
        sqlite3_result_text(context, row->fen, -1, SQLITE_STATIC);
        break;
    case 2: /* unknown is NULL: averages skip it */
        if (row->score != SCORE_UNKNOWN) sqlite3_result_int(context, row->score);
        break;
    case 3:
        sqlite3_result_text(context, row->move, -1, SQLITE_STATIC);
        break;
    default:
        sqlite3_result_int(context, (int)row->flags);
    }
    return SQLITE_OK;
}

/* Returns SQLite's result code. */
static int register_new_positions(Store *store)
{
    static const sqlite3_module module = {
        .xConnect = connect_table, /* no xCreate: the table exists without CREATE */
        .xBestIndex = plan,
        .xDisconnect = disconnect_table,
        .xOpen = open_cursor,
        .xClose = close_cursor,
        .xFilter = first_row,
        .xNext = next_row,
        .xEof = at_end,
        .xColumn = column,
        .xRowid = row_id,
    };
    return sqlite3_create_module(store->handle, "tabia_new_positions", &module, store);
}

/* ---- Writing and reading */

static Status delete_positions(Store *store, int64_t game_id, Error *err)
{
    Stmt stmt = stmt_open(store, "DELETE FROM positions WHERE game_id = ?1", err);
    stmt_bind_int(&stmt, 1, game_id);
    return stmt_finish(&stmt);
}

Status store_put_positions(Store *store, int64_t game_id, const PositionRow *rows, int count,
                           Error *err)
{
    Status status = delete_positions(store, game_id, err);
    if (status) return status;
    if (!store->has_new_positions && register_new_positions(store) != SQLITE_OK)
        return store_error(store, err);
    store->has_new_positions = true;
    store->new_rows = rows;
    store->new_row_count = count;
    Stmt stmt = stmt_open(store,
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

    *rows = NULL;
    *count = 0;
    Stmt stmt = stmt_open(
        store, "SELECT ply, fen, score, move, flags FROM positions WHERE game_id = ?1 ORDER BY ply",
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
