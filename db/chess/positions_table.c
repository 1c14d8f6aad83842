/* SPDX-License-Identifier: MIT
 * tabia_positions: the rows of the table `positions`, replayed from `games` when they are read.
 * tabia_find: those of them that match a pattern.
 *
 * Scores, moves and clocks are read from the game's blobs. Moves are replayed only when a query
 * reads fen, flags or phase, so that counting and averaging stay fast. The rows of a game come
 * together; ORDER BY game_id, ply costs no sorting. */
#include <stdlib.h>
#include <string.h>

#include "db/chess/extension.h"
#include "db/chess/position_pattern.h"
#include "db/chess/replay.h"
#include "engine/base/array.h"
#include "engine/eval/eval.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"

SQLITE_EXTENSION_INIT3

enum Column { GAME_ID, PLY, FEN, SCORE, MOVE, FLAGS, PHASE, TIME, NODES, DEPTH, ARGUMENT };
enum { CLOCK_COLUMNS = 1 << TIME | 1 << NODES | 1 << DEPTH };

typedef struct PositionsTable {
    sqlite3_vtab base;
    sqlite3 *db; /* borrowed: the connection that the table belongs to */
    bool finds;  /* tabia_find: the argument is a pattern, else a run_id */
} PositionsTable;

typedef struct PositionsCursor {
    sqlite3_vtab_cursor base;
    sqlite3_stmt *games; /* at the current game; kept from one filter to the next */
    char *sql;           /* the text of `games` */
    bool at_end;
    sqlite3_int64 game_id;
    const uint8_t *moves, *clock; /* of the game, owned by `games`; clock NULL: not recorded */
    int ply;                      /* of the current row */
    /* The board, set up on demand. */
    GameRecord game;
    int64_t plies_capacity;
    bool playing;            /* game and replay are those of game_id */
    Replay replay;           /* after the row's move, if that was read */
    PositionPattern pattern; /* of tabia_find */
} PositionsCursor;

/* ---- The table */

/* The tables differ in their argument, a hidden column. */
static int connect_table(sqlite3 *db, void *unused, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **message)
{
    bool finds = strcmp(argv[0], "tabia_find") == 0;
    char columns[256];

    (void)unused;
    (void)argc;
    (void)message;
    *out = NULL;
    (void)sqlite3_snprintf(
        sizeof columns, columns,
        "CREATE TABLE x (game_id INTEGER, ply INTEGER, fen TEXT, score INTEGER, move TEXT,"
        " flags INTEGER, phase INTEGER, time INTEGER, nodes INTEGER, depth INTEGER, %s HIDDEN)",
        finds ? "pattern TEXT" : "of_run INTEGER");
    int code = sqlite3_declare_vtab(db, columns);
    if (code != SQLITE_OK) return code;
    (void)sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    PositionsTable *table = calloc(1, sizeof *table);
    if (!table) return SQLITE_NOMEM;
    table->db = db;
    table->finds = finds;
    *out = &table->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

/* ---- Planning: which games are read, as SQL over `games` */

/* The SQL of a constraint; NULL: SQLite checks it itself. A pattern is bound, but not to a column
 * of `games`. */
static const char *condition(bool finds, int column, int op)
{
    const struct {
        int column, op;
        const char *sql;
    } known[] = {{ARGUMENT, SQLITE_INDEX_CONSTRAINT_EQ, finds ? "? IS NOT NULL" : "run_id = ?"},
                 {GAME_ID, SQLITE_INDEX_CONSTRAINT_EQ, "game_id = ?"},
                 {GAME_ID, SQLITE_INDEX_CONSTRAINT_GT, "game_id > ?"},
                 {GAME_ID, SQLITE_INDEX_CONSTRAINT_GE, "game_id >= ?"},
                 {GAME_ID, SQLITE_INDEX_CONSTRAINT_LT, "game_id < ?"},
                 {GAME_ID, SQLITE_INDEX_CONSTRAINT_LE, "game_id <= ?"}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].column == column && known[i].op == op) return known[i].sql;
    return NULL;
}

/* Is it ORDER BY game_id [, ply]? */
static bool order_is_ours(const sqlite3_index_info *info)
{
    for (int i = 0; i < info->nOrderBy; i++)
        if (i > 1 || info->aOrderBy[i].desc || info->aOrderBy[i].iColumn != (i ? PLY : GAME_ID))
            return false;
    return info->nOrderBy > 0;
}

static int plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    double games = 1e9; /* more than SQLite expects in `games`, so conditions on those come first */
    bool finds = ((const PositionsTable *)table)->finds;
    int arguments = 0;

    for (int i = 0; i < info->nConstraint; i++) /* not without its pattern */
        if (finds && info->aConstraint[i].iColumn == ARGUMENT && !info->aConstraint[i].usable)
            return SQLITE_CONSTRAINT;
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(
        sql, "SELECT game_id, run_id, start_fen, moves, varied, %s FROM games WHERE true",
        info->colUsed & CLOCK_COLUMNS ? "clock" : "NULL"); /* SQLite reads what is selected */
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        const char *text = c->usable ? condition(finds, c->iColumn, c->op) : NULL;
        bool is_pattern = finds && c->iColumn == ARGUMENT;
        if (!text || (is_pattern && info->idxNum)) continue;
        sqlite3_str_appendf(sql, " AND %s", text);
        info->aConstraintUsage[i].argvIndex = ++arguments;
        if (is_pattern) info->idxNum = arguments;
        info->aConstraintUsage[i].omit = 1;
        games = c->op != SQLITE_INDEX_CONSTRAINT_EQ ? games / 4
                : c->iColumn == GAME_ID             ? 1
                                                    : games / 10;
    }
    if (order_is_ours(info)) {
        sqlite3_str_appendall(sql, " ORDER BY game_id");
        info->orderByConsumed = 1;
    }
    info->idxStr = sqlite3_str_finish(sql);
    info->needToFreeIdxStr = 1;
    info->estimatedCost = 80 * games;
    info->estimatedRows = (sqlite3_int64)(80 * games);
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- Reading */

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    (void)table;
    PositionsCursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor) return SQLITE_NOMEM;
    *out = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    PositionsCursor *cursor = (PositionsCursor *)base;

    (void)sqlite3_finalize(cursor->games);
    sqlite3_free(cursor->sql);
    free(cursor->game.plies);
    free(cursor);
    return SQLITE_OK;
}

/* Sets the error text of the table; returns SQLITE_ERROR. */
static int set_table_error(PositionsCursor *cursor, const char *text)
{
    sqlite3_free(cursor->base.pVtab->zErrMsg);
    cursor->base.pVtab->zErrMsg = sqlite3_mprintf("%s", text);
    return SQLITE_ERROR;
}

/* Moves to the first row of the next game with plies. */
static int next_game(PositionsCursor *cursor)
{
    sqlite3_stmt *games = cursor->games;
    int code;

    cursor->playing = false;
    cursor->ply = 0;
    cursor->game.ply_count = 0;
    while (cursor->game.ply_count == 0) {
        code = sqlite3_step(games);
        cursor->at_end = code != SQLITE_ROW;
        if (code == SQLITE_DONE) return SQLITE_OK;
        if (code != SQLITE_ROW) return code;
        cursor->game_id = sqlite3_column_int64(games, 0);
        cursor->moves = sqlite3_column_blob(games, 3);
        cursor->game.ply_count = sqlite3_column_bytes(games, 3) / PLY_BYTES;
        cursor->clock = sqlite3_column_blob(games, 5);
        if (sqlite3_column_bytes(games, 5) != cursor->game.ply_count * CLOCK_BYTES)
            cursor->clock = NULL; /* files are untrusted */
    }
    return SQLITE_OK;
}

static GamePly ply_at(const PositionsCursor *cursor, int ply)
{
    return game_blob_get_ply(cursor->moves + (size_t)ply * PLY_BYTES);
}

/* Copies the game from SQLite's row and sets up its first position. */
static Status start_game(PositionsCursor *cursor, Error *err)
{
    GameRecord *game = &cursor->game;

    Status status = ARRAY_RESERVE(game->plies, cursor->plies_capacity, game->ply_count, err);
    if (status) return status;
    for (int i = 0; i < game->ply_count; i++)
        game->plies[i] = ply_at(cursor, i);
    const char *fen = (const char *)sqlite3_column_text(cursor->games, 2);
    (void)sqlite3_snprintf((int)sizeof game->start_fen, game->start_fen, "%s", fen ? fen : "");
    game->varied = sqlite3_column_int64(cursor->games, 4);
    game->game_no = cursor->game_id; /* named in errors */
    status = replay_start(&cursor->replay, game, err);
    cursor->playing = status == STATUS_OK;
    return status;
}

/* Plays the row's move: replay_before() is then the row's position. */
static Status play_row(PositionsCursor *cursor, Error *err)
{
    Status status = cursor->playing ? STATUS_OK : start_game(cursor, err);

    while (status == STATUS_OK && cursor->replay.ply <= cursor->ply)
        status = replay_next(&cursor->replay, err);
    return status;
}

static int step_row(PositionsCursor *cursor)
{
    return ++cursor->ply < cursor->game.ply_count ? SQLITE_OK : next_game(cursor);
}

/* Goes from the current row on to one that the table has; `code`: of the step to the current row.
 */
static int settle(PositionsCursor *cursor, int code)
{
    Error err;

    if (!((PositionsTable *)cursor->base.pVtab)->finds) return code;
    while (code == SQLITE_OK && !cursor->at_end) {
        if (play_row(cursor, &err) != STATUS_OK) return set_table_error(cursor, err.text);
        if (position_pattern_matches(&cursor->pattern, replay_before(&cursor->replay))) break;
        code = step_row(cursor);
    }
    return code;
}

static int read_pattern(PositionsCursor *cursor, sqlite3_value *value)
{
    Error err;

    const char *text = value ? (const char *)sqlite3_value_text(value) : NULL;
    if (!text && value && sqlite3_value_type(value) == SQLITE_NULL) return SQLITE_OK; /* no rows */
    if (!text) return set_table_error(cursor, "tabia_find(pattern): the pattern is missing");
    if (position_pattern_parse(&cursor->pattern, text, &err) == STATUS_OK) return SQLITE_OK;
    return set_table_error(cursor, err.text);
}

/* pattern: its number among the arguments, from 1; 0: there is none. */
static int filter(sqlite3_vtab_cursor *base, int pattern, const char *sql, int argc,
                  sqlite3_value **argv)
{
    PositionsCursor *cursor = (PositionsCursor *)base;
    const PositionsTable *table = (const PositionsTable *)base->pVtab;
    sqlite3 *db = table->db;
    int code = SQLITE_OK;

    if (table->finds) code = read_pattern(cursor, pattern ? argv[pattern - 1] : NULL);
    if (code != SQLITE_OK) return code;
    if (!cursor->sql || strcmp(cursor->sql, sql) != 0) {
        (void)sqlite3_finalize(cursor->games);
        cursor->games = NULL;
        sqlite3_free(cursor->sql);
        cursor->sql = sqlite3_mprintf("%s", sql);
        if (!cursor->sql) return SQLITE_NOMEM;
        if (sqlite3_prepare_v2(db, sql, -1, &cursor->games, NULL) != SQLITE_OK)
            return set_table_error(cursor, sqlite3_errmsg(db));
    }
    (void)sqlite3_reset(cursor->games);
    for (int i = 0; i < argc && code == SQLITE_OK; i++)
        code = sqlite3_bind_value(cursor->games, 1 + i, argv[i]);
    return settle(cursor, code == SQLITE_OK ? next_game(cursor) : code);
}

static int next_row(sqlite3_vtab_cursor *base)
{
    PositionsCursor *cursor = (PositionsCursor *)base;
    return settle(cursor, step_row(cursor));
}

static int at_end(sqlite3_vtab_cursor *base)
{
    return ((PositionsCursor *)base)->at_end;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    const PositionsCursor *cursor = (PositionsCursor *)base;
    *id = (sqlite3_int64)((sqlite3_uint64)cursor->game_id << 16 | (sqlite3_uint64)cursor->ply);
    return SQLITE_OK;
}

/* ---- Columns */

static void set_fen(sqlite3_context *context, const PositionsCursor *cursor)
{
    char fen[FEN_MAX];
    position_to_fen(replay_before(&cursor->replay), fen);
    sqlite3_result_text(context, fen, -1, SQLITE_TRANSIENT);
}

/* The text of a move depends on the board only by whether it is Chess960. */
static void set_move(sqlite3_context *context, const PositionsCursor *cursor)
{
    char text[UCI_MOVE_MAX];
    move_to_uci(replay_position(&cursor->replay), ply_at(cursor, cursor->ply).move, text);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void set_score(sqlite3_context *context, const PositionsCursor *cursor)
{
    int score = ply_at(cursor, cursor->ply).score;
    if (score != SCORE_UNKNOWN) sqlite3_result_int(context, score);
}

/* NULL where it was not recorded: a search has some nodes and depth, but may take no time. */
static void set_clock(sqlite3_context *context, const PositionsCursor *cursor, int which)
{
    if (!cursor->clock) return;
    PlyClock clock = game_blob_get_clock(cursor->clock + (size_t)cursor->ply * CLOCK_BYTES);
    int64_t value = which == TIME ? clock.time_ms : which == NODES ? clock.nodes : clock.depth;
    if (value > 0 || (which == TIME && (clock.nodes > 0 || clock.depth > 0)))
        sqlite3_result_int64(context, value);
}

/* 24 with all pieces, 0 without. */
static int phase_of(const Position *pos)
{
    return pos->phase < EVAL_PHASE_MAX ? pos->phase : EVAL_PHASE_MAX;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int which)
{
    PositionsCursor *cursor = (PositionsCursor *)base;
    Status status = STATUS_OK;
    Error err;

    if (which == FEN || which == FLAGS || which == PHASE)
        status = play_row(cursor, &err);
    else if (which == MOVE && !cursor->playing)
        status = start_game(cursor, &err);
    if (status != STATUS_OK) {
        sqlite3_result_error(context, err.text, -1);
        return SQLITE_OK;
    }
    switch ((enum Column)which) {
    case GAME_ID:
        sqlite3_result_int64(context, cursor->game_id);
        break;
    case PLY:
        sqlite3_result_int(context, cursor->ply);
        break;
    case FEN:
        set_fen(context, cursor);
        break;
    case SCORE:
        set_score(context, cursor);
        break;
    case MOVE:
        set_move(context, cursor);
        break;
    case FLAGS:
        sqlite3_result_int(context, (int)replay_flags(&cursor->replay));
        break;
    case PHASE:
        sqlite3_result_int(context, phase_of(replay_before(&cursor->replay)));
        break;
    case TIME:
    case NODES:
    case DEPTH:
        set_clock(context, cursor, which);
        break;
    case ARGUMENT: /* a pattern is read as NULL */
        if (!((PositionsTable *)base->pVtab)->finds)
            sqlite3_result_int64(context, sqlite3_column_int64(cursor->games, 1));
        break;
    }
    return SQLITE_OK;
}

int extension_register_positions(sqlite3 *db)
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
    int code = sqlite3_create_module(db, "tabia_positions", &module, NULL);
    return code ? code : sqlite3_create_module(db, "tabia_find", &module, NULL);
}
