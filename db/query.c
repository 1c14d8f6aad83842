/* SPDX-License-Identifier: MIT
 * The user's own questions: read-only SQL, answered as text. */
#include <string.h>

#include "db/store_private.h"

/* Beside read-only statements only what looks at the schema is let through: no ATTACH, which would
 * make files, no transactions, no pragma that changes anything. */
static int authorize(void *unused, int action, const char *name, const char *argument,
                     const char *database, const char *trigger)
{
    static const char *const pragmas[] = {"table_info",       "table_xinfo", "table_list",
                                          "index_list",       "index_info",  "index_xinfo",
                                          "foreign_key_list", NULL};
    (void)unused;
    (void)database;
    (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_PRAGMA:
        for (int i = 0; pragmas[i]; i++)
            if (strcmp(name, pragmas[i]) == 0) return SQLITE_OK;
        return argument ? SQLITE_DENY : SQLITE_OK;
    default:
        return SQLITE_DENY;
    }
}

static void print_blob(sqlite3_stmt *stmt, int column, FILE *out)
{
    const uint8_t *data = sqlite3_column_blob(stmt, column);
    int size = sqlite3_column_bytes(stmt, column);

    (void)fputs("x'", out);
    for (int i = 0; i < size; i++)
        (void)fprintf(out, "%02x", data[i]);
    (void)putc('\'', out);
}

static void print_row(sqlite3_stmt *stmt, FILE *out)
{
    for (int i = 0, n = sqlite3_column_count(stmt); i < n; i++) {
        if (i) (void)putc('|', out);
        if (sqlite3_column_type(stmt, i) == SQLITE_BLOB) {
            print_blob(stmt, i, out);
        } else {
            const unsigned char *text = sqlite3_column_text(stmt, i);
            (void)fputs(text ? (const char *)text : "", out);
        }
    }
    (void)putc('\n', out);
}

static void print_header(sqlite3_stmt *stmt, FILE *out)
{
    for (int i = 0, n = sqlite3_column_count(stmt); i < n; i++)
        (void)fprintf(out, "%s%s", i ? "|" : "", sqlite3_column_name(stmt, i));
    (void)putc('\n', out);
}

static Status query_error(const Store *store, int code, Error *err)
{
    if ((code & 0xFF) == SQLITE_AUTH)
        return error_set(err, STATUS_BAD_INPUT, "only statements that read are allowed");
    if ((code & 0xFF) == SQLITE_ERROR) /* the user's SQL, not the database */
        return error_set(err, STATUS_BAD_INPUT, "%s", sqlite3_errmsg(store->handle));
    return store_error_code(store, code, err);
}

static Status run_statement(const Store *store, sqlite3_stmt *stmt, bool header, FILE *out,
                            Error *err)
{
    int code;

    if (!sqlite3_stmt_readonly(stmt)) return query_error(store, SQLITE_AUTH, err);
    if (header && sqlite3_column_count(stmt) > 0) print_header(stmt, out);
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW)
        print_row(stmt, out);
    if (code != SQLITE_DONE) return query_error(store, code, err);
    return ferror(out) ? error_set(err, STATUS_FAILED, "the answer cannot be written") : STATUS_OK;
}

Status store_sql(Store *store, const char *sql, bool header, FILE *out, Error *err)
{
    Status status = STATUS_OK;

    if (sqlite3_set_authorizer(store->handle, authorize, NULL)) return store_error(store, err);
    while (status == STATUS_OK && *sql) {
        sqlite3_stmt *stmt = NULL;
        int code = sqlite3_prepare_v2(store->handle, sql, -1, &stmt, &sql);
        if (code != SQLITE_OK)
            status = query_error(store, code, err);
        else if (stmt) /* NULL for a comment or blank */
            status = run_statement(store, stmt, header, out, err);
        (void)sqlite3_finalize(stmt);
    }
    (void)sqlite3_set_authorizer(store->handle, NULL, NULL);
    return status;
}
