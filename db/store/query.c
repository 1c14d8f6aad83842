/* SPDX-License-Identifier: MIT
 * The user's SQL statements. */
#include "db/store/query.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/internal.h"

/* Read-only connections allow reads and pragmas that show the schema: no ATTACH, which would create
 * files, no transactions, no pragma that changes anything. */
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
    case SQLITE_UPDATE: /* SQLite declaring a virtual table; nothing is written */
        return strcmp(name, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/* For writing: the tables and views stay as they are, or no command would read the file again. */
static int keep_schema(void *unused, int action, const char *name, const char *argument,
                       const char *database, const char *trigger)
{
    (void)unused;
    (void)argument;
    (void)database;
    (void)trigger;
    switch (action) {
    case SQLITE_CREATE_TABLE:
    case SQLITE_DROP_TABLE:
        return strncmp(name, "sqlite_stat", 11) == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_CREATE_VIEW:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_VTABLE:
    case SQLITE_DROP_VIEW:
    case SQLITE_DROP_TRIGGER:
    case SQLITE_DROP_VTABLE:
    case SQLITE_ALTER_TABLE:
        return SQLITE_DENY;
    default:
        return SQLITE_OK;
    }
}

static Status query_error(const Store *store, int code, Error *err)
{
    if ((code & 0xFF) == SQLITE_AUTH)
        return error_set(err, STATUS_BAD_INPUT,
                         store->read_only ? "only statements that read are allowed"
                                          : "tables and views of the schema cannot be changed");
    if ((code & 0xFF) == SQLITE_ERROR) /* the user's SQL, not the database */
        return error_set(err, STATUS_BAD_INPUT, "%s", sqlite3_errmsg(store->handle));
    return store_error_code(store, code, err);
}

static void read_value(sqlite3_stmt *stmt, int column, SqlValue *value)
{
    *value = (SqlValue){.name = sqlite3_column_name(stmt, column)};
    switch (sqlite3_column_type(stmt, column)) {
    case SQLITE_NULL:
        value->kind = SQL_NULL;
        return;
    case SQLITE_BLOB:
        value->kind = SQL_BLOB;
        value->bytes = sqlite3_column_blob(stmt, column);
        break;
    case SQLITE_INTEGER:
        value->kind = SQL_INTEGER;
        value->integer = sqlite3_column_int64(stmt, column);
        break;
    case SQLITE_FLOAT:
        value->kind = SQL_REAL;
        value->real = sqlite3_column_double(stmt, column);
        break;
    default:
        value->kind = SQL_TEXT;
        break;
    }
    if (value->kind != SQL_BLOB) value->text = (const char *)sqlite3_column_text(stmt, column);
    value->size = (size_t)sqlite3_column_bytes(stmt, column); /* after column_text: it converts */
}

static Status pass_rows(const Store *store, sqlite3_stmt *stmt, SqlValue *values,
                        const SqlSink *sink, Error *err)
{
    int code, columns = sqlite3_column_count(stmt);
    Status status = STATUS_OK;

    while (status == STATUS_OK && (code = sqlite3_step(stmt)) != SQLITE_DONE) {
        if (code != SQLITE_ROW) return query_error(store, code, err);
        for (int i = 0; i < columns; i++)
            read_value(stmt, i, &values[i]);
        if (columns > 0) status = sink->row(sink->context, columns, values, err);
    }
    return status;
}

static Status run_statement(const Store *store, sqlite3_stmt *stmt, const SqlSink *sink, Error *err)
{
    int columns = sqlite3_column_count(stmt);
    SqlValue *values = calloc((size_t)columns + 1, sizeof *values);
    Status status = STATUS_OK;

    if (!values) return error_set(err, STATUS_FAILED, "out of memory for a row");
    for (int i = 0; i < columns; i++) {
        const char *name = sqlite3_column_name(stmt, i);
        values[i] = (SqlValue){name, .kind = SQL_TEXT, .text = name, .size = strlen(name)};
    }
    if (columns > 0 && sink->begin) status = sink->begin(sink->context, columns, values, err);
    if (status == STATUS_OK) status = pass_rows(store, stmt, values, sink, err);
    if (status == STATUS_OK && columns > 0 && sink->end) status = sink->end(sink->context, err);
    free(values);
    return status;
}

Status store_query(Store *store, const char *sql, const SqlSink *sink, Error *err)
{
    Status status = STATUS_OK;
    bool read_only = store->read_only;

    if (sqlite3_set_authorizer(store->handle, read_only ? authorize : keep_schema, NULL))
        return store_error(store, err);
    while (status == STATUS_OK && *sql) {
        sqlite3_stmt *stmt = NULL;
        int code = sqlite3_prepare_v2(store->handle, sql, -1, &stmt, &sql);
        if (code == SQLITE_OK && stmt && read_only && !sqlite3_stmt_readonly(stmt))
            code = SQLITE_AUTH;
        if (code != SQLITE_OK)
            status = query_error(store, code, err);
        else if (stmt) /* NULL for comments and blanks */
            status = run_statement(store, stmt, sink, err);
        (void)sqlite3_finalize(stmt);
    }
    (void)sqlite3_set_authorizer(store->handle, NULL, NULL);
    return status;
}

/* ---- Lists */

void sql_blob_print(const SqlValue *blob, FILE *out)
{
    (void)fputs("x'", out);
    for (size_t i = 0; i < blob->size; i++)
        (void)fprintf(out, "%02x", blob->bytes[i]);
    (void)putc('\'', out);
}

static Status list_row(void *context, int columns, const SqlValue *values, Error *err)
{
    FILE *out = context;

    (void)err;
    for (int i = 0; i < columns; i++) {
        if (values[i].kind == SQL_BLOB)
            sql_blob_print(&values[i], out);
        else if (values[i].text)
            (void)fputs(values[i].text, out);
        (void)putc(i + 1 < columns ? '|' : '\n', out);
    }
    return STATUS_OK;
}

static Status list_end(void *context, Error *err)
{
    return ferror((FILE *)context) ? error_set(err, STATUS_FAILED, "cannot write the result")
                                   : STATUS_OK;
}

Status store_sql(Store *store, const char *sql, bool header, FILE *out, Error *err)
{
    const SqlSink sink = {out, header ? list_row : NULL, list_row, list_end};
    return store_query(store, sql, &sink, err);
}
