/* SPDX-License-Identifier: MIT
 * The virtual table of the rows that are inserted. */
#include "db/tables/new_positions.h"

#include <stdlib.h>

#include "db/store/internal.h"

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

int new_positions_register(Store *store)
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
