/* SPDX-License-Identifier: MIT
 * tabia_tree: the moves that were played in a position, a row each, counted by SQL over tabia_find.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "db/chess/extension.h"

SQLITE_EXTENSION_INIT3

/* The columns; a game counts once for each move. ELO is computed from WHITE_POINTS. */
enum { MOVE, SAN, GAMES, WHITE_WINS, DRAWS, BLACK_WINS, WHITE_POINTS, SCORE, ELO, POSITION };

static const char columns[] =
    "CREATE TABLE x (move TEXT, san TEXT, games INTEGER, white_wins INTEGER, draws INTEGER,"
    " black_wins INTEGER, white_points REAL, score REAL, elo REAL, position TEXT HIDDEN)";

static const char moves_sql[] =
    "SELECT move, min(san), count(*), sum(result = 2), sum(result = 1), sum(result = 0),"
    " avg(result) / 2, avg(score)"
    " FROM (SELECT move, result, san(min(fen), move) AS san,"
    "              avg(CASE WHEN flags & 4 = 0 THEN score END) AS score"
    "       FROM games JOIN tabia_find(?1) USING (game_id) GROUP BY game_id, move)"
    " GROUP BY move ORDER BY 3 DESC, 1";

static const char start_fen[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

typedef struct TreeTable {
    sqlite3_vtab base;
    sqlite3 *db; /* borrowed: the connection that the table belongs to */
} TreeTable;

typedef struct TreeCursor {
    sqlite3_vtab_cursor base;
    sqlite3_stmt *moves; /* at the current row */
    sqlite3_int64 row;
    bool at_end;
} TreeCursor;

static int connect_table(sqlite3 *db, void *unused, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **message)
{
    (void)unused;
    (void)argc;
    (void)argv;
    (void)message;
    *out = NULL;
    int code = sqlite3_declare_vtab(db, columns);
    if (code != SQLITE_OK) return code;
    (void)sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    TreeTable *table = calloc(1, sizeof *table);
    if (!table) return SQLITE_NOMEM;
    table->db = db;
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
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        if (c->iColumn != POSITION || c->op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (!c->usable) return SQLITE_CONSTRAINT;
        info->aConstraintUsage[i].argvIndex = 1;
        info->aConstraintUsage[i].omit = 1;
        break;
    }
    info->estimatedCost = 1e9;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    (void)table;
    TreeCursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor) return SQLITE_NOMEM;
    *out = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    (void)sqlite3_finalize(((TreeCursor *)base)->moves);
    free(base);
    return SQLITE_OK;
}

/* Passes an error of the statement on. */
static int check(sqlite3_vtab *table, int code)
{
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return SQLITE_OK;
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", sqlite3_errmsg(((TreeTable *)table)->db));
    return code;
}

static int next_row(sqlite3_vtab_cursor *base)
{
    TreeCursor *cursor = (TreeCursor *)base;

    int code = sqlite3_step(cursor->moves);
    cursor->at_end = code != SQLITE_ROW;
    cursor->row++;
    return check(base->pVtab, code);
}

static int filter(sqlite3_vtab_cursor *base, int unused, const char *unused_too, int argc,
                  sqlite3_value **argv)
{
    TreeCursor *cursor = (TreeCursor *)base;
    sqlite3 *db = ((TreeTable *)base->pVtab)->db;

    (void)unused;
    (void)unused_too;
    (void)sqlite3_finalize(cursor->moves);
    int code = sqlite3_prepare_v2(db, moves_sql, -1, &cursor->moves, NULL);
    if (code == SQLITE_OK)
        code = argc ? sqlite3_bind_value(cursor->moves, 1, argv[0])
                    : sqlite3_bind_text(cursor->moves, 1, start_fen, -1, SQLITE_STATIC);
    return code == SQLITE_OK ? next_row(base) : check(base->pVtab, code);
}

static int at_end(sqlite3_vtab_cursor *base)
{
    return ((TreeCursor *)base)->at_end;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    *id = ((TreeCursor *)base)->row;
    return SQLITE_OK;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int which)
{
    sqlite3_stmt *moves = ((TreeCursor *)base)->moves;

    if (which < ELO) {
        sqlite3_result_value(context, sqlite3_column_value(moves, which));
    } else if (which == ELO) {
        double points = sqlite3_column_double(moves, WHITE_POINTS);
        if (points > 0 && points < 1)
            sqlite3_result_double(context, round(4000 * log10(points / (1 - points))) / 10);
    } /* the position is read as NULL */
    return SQLITE_OK;
}

int extension_register_tree(sqlite3 *db)
{
    static const sqlite3_module module = {
        .xConnect = connect_table, /* no xCreate: the table exists without CREATE */
        .xBestIndex = plan,
        .xDisconnect = disconnect_table,
        .xOpen = open_cursor,
        .xClose = close_cursor,
        .xFilter = filter,
        .xNext = next_row,
        .xEof = at_end,
        .xColumn = column,
        .xRowid = row_id,
    };
    return sqlite3_create_module(db, "tabia_tree", &module, NULL);
}
