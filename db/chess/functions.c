/* SPDX-License-Identifier: MIT
 * The SQL functions san(), eval() and position_key(), and the entry point that SQLite calls when it
 * loads the extension. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/extension.h"
#include "db/files/sha256.h"
#include "db/store/difference.h"
#include "engine/board/bitboard.h"
#include "engine/eval/evaluation_load.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"

SQLITE_EXTENSION_INIT1

static void fail(sqlite3_context *context, const Error *err)
{
    sqlite3_result_error(context, err->text, -1);
}

static const char *text_of(sqlite3_value *value)
{
    return (const char *)sqlite3_value_text(value);
}

/* False when an argument is NULL (then the result is NULL) or the FEN is invalid (an error). */
static bool read_position(sqlite3_context *context, int count, sqlite3_value **values,
                          Position *pos)
{
    Error err;

    for (int i = 0; i < count; i++)
        if (sqlite3_value_type(values[i]) == SQLITE_NULL) return false;
    const char *fen = text_of(values[0]);
    if (!fen) {
        sqlite3_result_error_nomem(context);
        return false;
    }
    if (position_from_fen(pos, fen, &err) == STATUS_OK) return true;
    fail(context, &err);
    return false;
}

static void sql_san(sqlite3_context *context, int count, sqlite3_value **values)
{
    char san[SAN_MAX];
    Error err = {0};
    Position pos;
    Move move;

    if (!read_position(context, count, values, &pos)) return;
    const char *text = text_of(values[1]);
    if (!text || move_from_uci(&pos, text, &move, &err) != STATUS_OK) {
        fail(context, &err);
        return;
    }
    move_to_san(&pos, move, san);
    sqlite3_result_text(context, san, -1, SQLITE_TRANSIENT);
}

static void sql_position_key(sqlite3_context *context, int count, sqlite3_value **values)
{
    Position pos;

    if (read_position(context, count, values, &pos))
        sqlite3_result_int64(context, (sqlite3_int64)pos.key);
}

/* ---- eval() */

/* The weights of the last call that needed a text read: in a column they seldom change from row to
 * row, and reading takes a thousand times as long as an evaluation. */
typedef struct LastRead {
    char sha256[HASH_HEX_MAX]; /* of stored ones, else empty */
    char *header;              /* that was given, else NULL */
    Evaluation evaluation;
} LastRead;

static void last_read_free(void *last)
{
    free(((LastRead *)last)->header);
    free(last);
}

static Status read_header(LastRead *last, const char *text, Error *err)
{
    last->sha256[0] = '\0';
    free(last->header);
    last->header = NULL;
    return evaluation_parse(text, strlen(text), "weights", &last->evaluation, NULL, err);
}

static Status find_given(LastRead *last, const char *text, Evaluation *w, Error *err)
{
    Status status = STATUS_OK;

    if (!last->header || strcmp(text, last->header) != 0) {
        status = read_header(last, text, err);
        if (status == STATUS_OK) last->header = strdup(text); /* without it, the next call reads */
    }
    if (status == STATUS_OK) *w = last->evaluation;
    return status;
}

/* The weights in the database with that weights_id or hash. */
static Status find_stored(sqlite3_context *context, sqlite3_value *which, Evaluation *w, Error *err)
{
    LastRead *last = sqlite3_user_data(context);
    sqlite3_stmt *stmt = NULL;
    Status status = error_set(
        err, STATUS_BAD_INPUT,
        "eval: no weights '%.64s'; use a weights_id, a sha256, a name such as builtin or network, or the text of a header",
        text_of(which));

    if (sqlite3_prepare_v2(sqlite3_context_db_handle(context),
                           "SELECT w.sha256, CASE WHEN w.sha256 IS NOT ?2"
                           " THEN weights_text(w.header, b.header, w.difference) END"
                           " FROM main.weights AS w LEFT JOIN main.weights AS b"
                           " ON b.weights_id = w.base_id WHERE w.weights_id = ?1 OR w.sha256 = ?1",
                           -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_bind_value(stmt, 1, which) == SQLITE_OK &&
        sqlite3_bind_text(stmt, 2, last->sha256, -1, SQLITE_TRANSIENT) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW) {
        const char *hash = (const char *)sqlite3_column_text(stmt, 0);
        const char *text = (const char *)sqlite3_column_text(stmt, 1);
        if (text) {
            status = read_header(last, text, err);
            if (status == STATUS_OK) (void)snprintf(last->sha256, sizeof last->sha256, "%s", hash);
        } else if (hash && *hash && strcmp(hash, last->sha256) == 0)
            status = STATUS_OK;
    }
    (void)sqlite3_finalize(stmt);
    if (status == STATUS_OK) *w = last->evaluation;
    return status;
}

/* A name, the text of a header (it has parentheses), or else a weights_id or hash. Not a file name:
 * SQL must not read files, but those that come with the program. */
static Status find_weights(sqlite3_context *context, sqlite3_value *value, Evaluation *w,
                           Error *err)
{
    const char *text = text_of(value);

    if (!text) return error_set(err, STATUS_FAILED, "out of memory");
    if (evaluation_is_name(text)) return evaluation_load(text, w, NULL, err);
    if (strchr(text, '(')) return find_given(sqlite3_user_data(context), text, w, err);
    return find_stored(context, value, w, err);
}

static void sql_eval(sqlite3_context *context, int count, sqlite3_value **values)
{
    Evaluation builtin;
    Position pos;
    Error err;

    if (!read_position(context, count, values, &pos)) return;
    if (evaluation_builtin(&builtin, &err) == STATUS_OK)
        sqlite3_result_int(context, evaluation_white(&pos, &builtin));
    else
        fail(context, &err);
}

/* With the weights of the second argument. SQLite keeps them from row to row while the argument is
 * a constant. */
static void sql_eval_with(sqlite3_context *context, int count, sqlite3_value **values)
{
    Position pos;
    Error err;

    if (!read_position(context, count, values, &pos)) return;
    Evaluation *kept = sqlite3_get_auxdata(context, 1);
    Evaluation *w = kept ? kept : malloc(sizeof *w);
    if (!w) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (!kept && find_weights(context, values[1], w, &err) != STATUS_OK) {
        fail(context, &err);
        free(w);
        return;
    }
    sqlite3_result_int(context, evaluation_white(&pos, w));
    if (!kept) sqlite3_set_auxdata(context, 1, w, free); /* may free w at once */
}

/* ---- The extension */

static int register_functions(sqlite3 *db)
{
    static const struct {
        const char *name;
        int arguments;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {{"san", 2, sql_san},
                     {"eval", 1, sql_eval},
                     {"eval", 2, sql_eval_with},
                     {"position_key", 1, sql_position_key}};
    int code = SQLITE_OK;

    for (size_t i = 0; i < sizeof functions / sizeof *functions && code == SQLITE_OK; i++) {
        LastRead *last = NULL;
        if (functions[i].call == sql_eval_with && !(last = calloc(1, sizeof *last)))
            return SQLITE_NOMEM;
        code =
            sqlite3_create_function_v2(db, functions[i].name, functions[i].arguments,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, last,
                                       functions[i].call, NULL, NULL, last ? last_read_free : NULL);
    }
    return code;
}

#ifdef _WIN32
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
    int sqlite3_tabiasqlite_init(sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
    (void)message;
    (void)api; /* unused when built in */
    SQLITE_EXTENSION_INIT2(api)
    bitboard_init();
    int code = register_functions(db);
    if (code == SQLITE_OK) code = difference_register(db);
    if (code == SQLITE_OK) code = extension_register_positions(db);
    return code == SQLITE_OK ? extension_register_tree(db) : code;
}
