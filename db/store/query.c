/* SPDX-License-Identifier: MIT
 * The user's SQL statements. */
#include "db/store/query.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/internal.h"
#include "db/store/schema.h"

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
            if (sqlite3_stricmp(name, pragmas[i]) == 0) return SQLITE_OK;
        return argument ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_UPDATE: /* SQLite declaring a virtual table; nothing is written */
        return strcmp(name, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/* Does this pragma change what store_open() looks at, or cannot be part of a transaction? */
static bool changes_file(const char *pragma, const char *argument)
{
    static const char *const names[] = {"application_id",  "user_version", "schema_version",
                                        "writable_schema", "journal_mode", "wal_checkpoint"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sqlite3_stricmp(pragma, names[i]) == 0)
            return argument || strcmp(names[i], "wal_checkpoint") == 0;
    return false;
}

/* What the authorizer of a writing connection is given. */
typedef struct SchemaGuard {
    bool begins;        /* the statement is the BEGIN of store_query() */
    const char *reason; /* why the last statement was refused; NULL: it was not */
} SchemaGuard;

/* For writing: tables, views and settings stay as they are, or no command would read the file
 * again. */
static int keep_schema(void *context, int action, const char *name, const char *argument,
                       const char *database, const char *trigger)
{
    SchemaGuard *guard = context;

    (void)trigger;
    guard->reason = NULL;
    switch (action) {
    case SQLITE_CREATE_TABLE:
    case SQLITE_DROP_TABLE:
        if (strncmp(name, "sqlite_stat", 11) == 0) return SQLITE_OK;
        break;
    case SQLITE_CREATE_INDEX: /* in a database that is attached nobody would look at it */
        if (strcmp(database, "main") == 0) return SQLITE_OK;
        break;
    case SQLITE_CREATE_VIEW:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_VTABLE:
    case SQLITE_DROP_VIEW:
    case SQLITE_DROP_TRIGGER:
    case SQLITE_DROP_VTABLE:
    case SQLITE_ALTER_TABLE:
        break;
    case SQLITE_PRAGMA:
        if (!changes_file(name, argument)) return SQLITE_OK;
        guard->reason = "this pragma changes the file itself, and is not allowed";
        return SQLITE_DENY;
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
        if (guard->begins) return SQLITE_OK;
        guard->reason =
            "all statements are one transaction; leave BEGIN, COMMIT, ROLLBACK and savepoints out";
        return SQLITE_DENY;
    default:
        return SQLITE_OK;
    }
    guard->reason = "tables and views of the schema cannot be changed";
    return SQLITE_DENY;
}

/* denied: why the authorizer refused the statement; NULL: because it writes. */
static Status query_error(const Store *store, int code, const char *denied, Error *err)
{
    static const char vacuum[] = "cannot VACUUM";

    if ((code & 0xFF) == SQLITE_AUTH)
        return error_set(err, STATUS_BAD_INPUT, "%s",
                         denied ? denied
                                : "only statements that read are allowed; --write allows others");
    const char *text = sqlite3_errmsg(store->handle);
    if ((code & 0xFF) == SQLITE_ERROR && strncmp(text, vacuum, sizeof vacuum - 1) == 0)
        return error_set(err, STATUS_BAD_INPUT, "VACUUM is no statement here; use tabia db vacuum");
    switch (code & 0xFF) { /* the user's SQL, not the database */
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
        return error_set(err, STATUS_BAD_INPUT, "%s", text);
    default:
        return store_error_code(store, code, err);
    }
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
        if (code != SQLITE_ROW) return query_error(store, code, NULL, err);
        for (int i = 0; i < columns; i++)
            read_value(stmt, i, &values[i]);
        if (columns > 0) status = sink->row(sink->context, columns, values, err);
    }
    return status == STATUS_OK ? store_check_unchanged(store, err) : status;
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
    if (columns > 0 && sink->title) sink->title(sink->context, sqlite3_sql(stmt));
    if (columns > 0 && sink->begin) status = sink->begin(sink->context, columns, values, err);
    if (status == STATUS_OK) status = pass_rows(store, stmt, values, sink, err);
    if (status == STATUS_OK && columns > 0 && sink->end) status = sink->end(sink->context, err);
    free(values);
    return status;
}

/* The statements that write, and those after them, are one transaction. */
static Status begin_once(Store *store, SchemaGuard *guard, Error *err)
{
    if (!sqlite3_get_autocommit(store->handle)) return STATUS_OK;
    guard->begins = true;
    Status status = store_begin(store, err);
    guard->begins = false;
    return status;
}

static Status run_statements(Store *store, const char *sql, const SqlSink *sink, SchemaGuard *guard,
                             Error *err)
{
    Status status = STATUS_OK;

    while (status == STATUS_OK && *sql) {
        sqlite3_stmt *stmt = NULL;
        int code = sqlite3_prepare_v2(store->handle, sql, -1, &stmt, &sql);
        bool writes = code == SQLITE_OK && stmt && !sqlite3_stmt_readonly(stmt);
        if (writes && store->read_only) code = SQLITE_AUTH;
        if (code != SQLITE_OK)
            status = query_error(store, code, guard->reason, err);
        else if (writes)
            status = begin_once(store, guard, err);
        if (status == STATUS_OK && stmt) /* NULL for comments and blanks */
            status = run_statement(store, stmt, sink, err);
        (void)sqlite3_finalize(stmt);
    }
    return status;
}

/* What the next store_open() would refuse is not committed. */
static Status end_statements(Store *store, Status status, Error *err)
{
    Error refusal = {0};

    if (status == STATUS_OK) status = schema_verify(store, &refusal);
    if (status == STATUS_DATABASE && refusal.status == status)
        status = error_set(err, STATUS_BAD_INPUT, "%.600s; nothing was changed", refusal.text);
    else if (status != STATUS_OK && refusal.status == status && err)
        *err = refusal;
    return store_end(store, status, err);
}

Status store_query(Store *store, const char *sql, const SqlSink *sink, Error *err)
{
    SchemaGuard guard = {0};
    bool outside = sqlite3_get_autocommit(store->handle);

    if (sqlite3_set_authorizer(store->handle, store->read_only ? authorize : keep_schema, &guard))
        return store_error(store, err);
    Status status = run_statements(store, sql, sink, &guard, err);
    (void)sqlite3_set_authorizer(store->handle, NULL, NULL);
    return outside && !sqlite3_get_autocommit(store->handle) ? end_statements(store, status, err)
                                                             : status;
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
    const SqlSink sink = {
        .context = out, .begin = header ? list_row : NULL, .row = list_row, .end = list_end};
    return store_query(store, sql, &sink, err);
}
