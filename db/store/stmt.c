/* SPDX-License-Identifier: MIT
 * Prepared statements: a small cache by SQL, checked binding and stepping. */
#include "db/store/stmt.h"

#include <assert.h>
#include <string.h>

#include "engine/base/text.h"

/* The slot that holds this SQL, else a free one, else NULL. */
static CachedStmt *find_slot(Store *store, const char *sql)
{
    CachedStmt *free_slot = NULL;

    for (int i = 0; i < STMT_CACHE_SIZE; i++) {
        CachedStmt *slot = &store->cache[i];
        if (slot->sql == sql) return slot;
        if (!slot->sql && !free_slot) free_slot = slot;
    }
    return free_slot;
}

Stmt stmt_open(Store *store, const char *sql, Error *err)
{
    CachedStmt *slot = find_slot(store, sql);
    Stmt stmt = {.store = store, .err = err};

    if (slot && slot->sql && !slot->in_use) {
        slot->in_use = true;
        stmt.slot = slot;
        stmt.handle = slot->handle;
    } else if (sqlite3_prepare_v3(store->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt.handle,
                                  NULL)) {
        stmt.status = store_error(store, err);
    } else if (slot && !slot->sql) {
        *slot = (CachedStmt){.sql = sql, .handle = stmt.handle, .in_use = true};
        stmt.slot = slot;
    }
    return stmt;
}

Status stmt_close(Stmt *stmt)
{
    if (stmt->slot) {
        (void)sqlite3_reset(stmt->handle); /* repeats the last step's error, which was reported */
        (void)sqlite3_clear_bindings(stmt->handle);
        stmt->slot->in_use = false;
    } else {
        (void)sqlite3_finalize(stmt->handle);
    }
    stmt->handle = NULL;
    stmt->slot = NULL;
    return stmt->status;
}

static void note_bind(Stmt *stmt, int code)
{
    if (code != SQLITE_OK && stmt->status == STATUS_OK)
        stmt->status = store_error_code(stmt->store, code, stmt->err);
}

void stmt_bind_int(Stmt *stmt, int index, int64_t value)
{
    note_bind(stmt, sqlite3_bind_int64(stmt->handle, index, value));
}

void stmt_bind_text(Stmt *stmt, int index, const char *text)
{
    note_bind(stmt, sqlite3_bind_text(stmt->handle, index, text, -1, SQLITE_STATIC));
}

void stmt_bind_blob(Stmt *stmt, int index, const void *data, size_t size)
{
    /* A null pointer would bind NULL instead of an empty blob. */
    note_bind(stmt,
              sqlite3_bind_blob64(stmt->handle, index, data ? data : "", size, SQLITE_STATIC));
}

bool stmt_row(Stmt *stmt)
{
    if (stmt->status != STATUS_OK) return false;
    int code = sqlite3_step(stmt->handle);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        stmt->status = store_error(stmt->store, stmt->err);
    else if (code == SQLITE_DONE)
        stmt->status = store_check_unchanged(stmt->store, stmt->err);
    return code == SQLITE_ROW;
}

void stmt_reset(Stmt *stmt)
{
    (void)sqlite3_reset(stmt->handle);
}

void stmt_run(Stmt *stmt)
{
    while (stmt_row(stmt))
        ;
    stmt_reset(stmt);
}

Status stmt_finish(Stmt *stmt)
{
    stmt_run(stmt);
    return stmt_close(stmt);
}

Status stmt_read_number(Store *store, const char *sql, int64_t *value, Error *err)
{
    Stmt stmt = stmt_open(store, sql, err);

    *value = stmt_row(&stmt) ? stmt_int(&stmt, 0) : 0;
    return stmt_close(&stmt);
}

/* Is the value NULL or of this type? The table may have lost its STRICT, or its pages may be those
 * of another table. */
static bool has_type(Stmt *stmt, int column, int type)
{
    static const char *const names[] = {[SQLITE_INTEGER] = "an integer",
                                        [SQLITE_FLOAT] = "a real number",
                                        [SQLITE_TEXT] = "text",
                                        [SQLITE_BLOB] = "a blob"};
    int found = sqlite3_column_type(stmt->handle, column);

    if (found == type || found == SQLITE_NULL) return true;
    if (stmt->status == STATUS_OK)
        stmt->status =
            error_set(stmt->err, STATUS_DATABASE,
                      "%s: the database is damaged: %s is %s instead of %s", stmt->store->path,
                      sqlite3_column_name(stmt->handle, column), names[found], names[type]);
    return false;
}

int64_t stmt_int(Stmt *stmt, int column)
{
    return has_type(stmt, column, SQLITE_INTEGER) ? sqlite3_column_int64(stmt->handle, column) : 0;
}

int64_t stmt_int_in(Stmt *stmt, int column, int64_t low, int64_t high)
{
    int64_t value = stmt_int(stmt, column);

    if (value >= low && value <= high) return value;
    if (stmt->status == STATUS_OK)
        stmt->status = error_set(stmt->err, STATUS_DATABASE,
                                 "%s: the database is damaged: %s is %lld", stmt->store->path,
                                 sqlite3_column_name(stmt->handle, column), (long long)value);
    return low;
}

const char *stmt_text(Stmt *stmt, int column)
{
    const unsigned char *text =
        has_type(stmt, column, SQLITE_TEXT) ? sqlite3_column_text(stmt->handle, column) : NULL;
    return text ? (const char *)text : "";
}

char *stmt_dup_text(Stmt *stmt, int column)
{
    char *text = strdup(stmt_text(stmt, column));

    if (!text) stmt->status = error_set(stmt->err, STATUS_FAILED, "out of memory");
    return text;
}

bool stmt_is_null(const Stmt *stmt, int column)
{
    return sqlite3_column_type(stmt->handle, column) == SQLITE_NULL;
}

const void *stmt_blob(Stmt *stmt, int column, size_t *size)
{
    *size = 0;
    if (!has_type(stmt, column, SQLITE_BLOB)) return NULL;
    *size = (size_t)sqlite3_column_bytes(stmt->handle, column);
    return sqlite3_column_blob(stmt->handle, column);
}

void stmt_copy_text(Stmt *stmt, int column, char *out, size_t capacity)
{
    assert(capacity > 0);
    const char *text = stmt_text(stmt, column);
    size_t size = strlen(text);
    if (size >= capacity) size = capacity - 1;
    memcpy(out, text, size);
    out[size] = '\0';
    text_clean(out);
}
