/* SPDX-License-Identifier: MIT
 * Creating, recognising and upgrading the schema. */
#include "db/store/schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/store/stmt.h"
#include "engine/base/byte_order.h"

/* The .sql files of this folder as bytes: C limits the length of string literals. */
static const char schema_sql[] = {
#include "schema_sql.inc"
    '\0'};

static const char migrate_1_sql[] = {
#include "migrate_1_sql.inc"
    '\0'};

static const char migrate_3_sql[] = {
#include "migrate_3_sql.inc"
    '\0'};

/* migrations[v] is migrate_v.sql, from version v to v + 1. There was no version 0; versions 3
 * and 5 added views. */
static const char *const migrations[STORE_SCHEMA_VERSION] = {NULL, migrate_1_sql, "", migrate_3_sql,
                                                             ""};

/* Offsets in SQLite's file format (sqlite.org/fileformat2.html, section 1.3) and in the b-tree page
 * that follows on the first page; numbers are big-endian. */
enum {
    HEADER_ENCODING = 56,
    ENCODING_UTF8 = 1,
    HEADER_APPLICATION_ID = 68,
    HEADER_SIZE = 100,
    PAGE_CELL_COUNT = HEADER_SIZE + 3, /* rows of sqlite_schema, if it is one page */
    PAGE_KIND_LEAF = 13,
    PROBE_SIZE = HEADER_SIZE + 8
};

static FileKind classify_header(const char *path, const uint8_t *bytes, size_t size, Error *err)
{
    static const char magic[16] = "SQLite format 3";

    if (size == 0) return FILE_EMPTY;
    if (size < PROBE_SIZE || memcmp(bytes, magic, sizeof magic) != 0) {
        /* A writer died, and SQLite can restore what was there. */
        if (store_has_log(path, "-journal")) return FILE_EMPTY;
        (void)error_set(err, STATUS_DATABASE, "%s: not a SQLite database%s", path,
                        bytes[0] == '[' ? "; of games tabia db import makes one" : "");
        return FILE_FOREIGN;
    }
    uint32_t application = (uint32_t)get_be(bytes + HEADER_APPLICATION_ID, 4);
    bool utf8 = get_be(bytes + HEADER_ENCODING, 4) <= ENCODING_UTF8; /* 0: not set yet */
    if (application == STORE_APPLICATION_ID && utf8) return FILE_OURS;
    if (application == STORE_APPLICATION_ID) {
        (void)error_set(err, STATUS_DATABASE, "%s: its text is not UTF-8", path);
        return FILE_FOREIGN;
    }
    bool no_tables = bytes[HEADER_SIZE] == PAGE_KIND_LEAF && bytes[PAGE_CELL_COUNT] == 0 &&
                     bytes[PAGE_CELL_COUNT + 1] == 0;
    if (application == 0 && no_tables) return FILE_EMPTY;
    (void)error_set(err, STATUS_DATABASE,
                    "%s: a SQLite database of another program (application_id 0x%08x)", path,
                    (unsigned)application);
    return FILE_FOREIGN;
}

/* By SQLite's own means: closing a descriptor of ours would end the locks of a connection that this
 * process has to the file. *size: bytes that were there. Returns a code of SQLite. */
static int read_header(const char *path, uint8_t bytes[PROBE_SIZE], size_t *size)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    sqlite3_int64 length = 0;

    if (!vfs) return SQLITE_ERROR;
    char *name = calloc(1, (size_t)vfs->mxPathname + 8); /* SQLite looks for parameters behind it */
    sqlite3_file *file = calloc(1, (size_t)vfs->szOsFile);
    int code = SQLITE_NOMEM;
    if (name && file) code = vfs->xFullPathname(vfs, path, vfs->mxPathname + 1, name) & 0xFF;
    if (code == SQLITE_OK)
        code = vfs->xOpen(vfs, name, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, NULL);
    if (code == SQLITE_OK) code = file->pMethods->xFileSize(file, &length);
    *size = length < PROBE_SIZE ? (size_t)length : PROBE_SIZE;
    if (code == SQLITE_OK && *size > 0) code = file->pMethods->xRead(file, bytes, (int)*size, 0);
    if (file && file->pMethods) (void)file->pMethods->xClose(file);
    free(file);
    free(name);
    return code;
}

FileKind schema_identify_file(const char *path, Error *err)
{
    uint8_t bytes[PROBE_SIZE];
    size_t size = 0;
    struct stat info;
    const char *reason = NULL;

    if (stat(path, &info) != 0) {
        if (errno == ENOENT) return FILE_ABSENT;
        reason = strerror(errno);
    } else if (S_ISDIR(info.st_mode)) {
        reason = strerror(EISDIR);
    } else if (!S_ISREG(info.st_mode)) {
        reason = "it is no regular file";
    } else if (access(path, R_OK) != 0) {
        reason = strerror(errno);
    } else {
        int code = read_header(path, bytes, &size);
        if (code != SQLITE_OK) reason = sqlite3_errstr(code);
    }
    if (!reason) return classify_header(path, bytes, size, err);
    (void)error_set(err, STATUS_DATABASE, "%s: cannot be read: %s", path, reason);
    return FILE_FOREIGN;
}

/* The body of schema_create's transaction. */
static Status create_if_empty(Store *store, Error *err)
{
    int64_t application, tables;

    Status status = stmt_read_number(store, "PRAGMA application_id", &application, err);
    if (status || application == STORE_APPLICATION_ID) return status;
    status = stmt_read_number(store, "SELECT count(*) FROM sqlite_schema", &tables, err);
    if (status) return status;
    if (application != 0 || tables != 0)
        return error_set(err, STATUS_DATABASE, "%s: a SQLite database of another program",
                         store->path);
    return store_exec(store, schema_sql, err);
}

Status schema_create(Store *store, Error *err)
{
    int64_t application;

    /* Most often the schema exists; then no lock is taken. */
    Status status = stmt_read_number(store, "PRAGMA application_id", &application, err);
    if (status || application == STORE_APPLICATION_ID) return status;
    status = store_begin(store, err);
    if (status) return status;
    status = create_if_empty(store, err);
    return store_end(store, status, err);
}

/* ---- Comparing */

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/* ";" + SQL without comments and without blanks that separate no words + ";". SQLite keeps the
 * text of statements, and comments differ from version to version. malloc'ed; NULL when out of
 * memory. */
static char *normal_form(const char *sql)
{
    char *form = malloc(strlen(sql) + 3), *to = form;
    bool gap = false;

    if (!form) return NULL;
    *to++ = ';';
    while (*sql) {
        if (is_blank(*sql) || (sql[0] == '-' && sql[1] == '-')) {
            sql += is_blank(*sql) ? 1 : strcspn(sql, "\n");
            gap = true;
            continue;
        }
        if (gap && is_word(to[-1]) && is_word(*sql)) *to++ = ' ';
        gap = false;
        char quote = *sql;
        *to++ = *sql++;
        if (quote != '\'' && quote != '"') continue;
        while (*sql && *sql != quote)
            *to++ = *sql++;
        if (*sql) *to++ = *sql++;
    }
    if (to[-1] != ';') *to++ = ';';
    *to = '\0';
    return form;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* "a,b DESC);": names of columns alone, no expression. */
static bool are_columns(const char *at)
{
    for (;; at++) {
        const char *name = at;
        while (is_word(*at))
            at++;
        if (at == name) return false;
        if (starts_with(at, " ASC") || starts_with(at, " DESC")) at += at[1] == 'A' ? 4 : 5;
        if (*at != ',') return strcmp(at, ");") == 0;
    }
}

/* Indexes of columns are the user's, but for UNIQUE ones, which would refuse rows; statistics are
 * SQLite's. */
static bool is_allowed(const char *form)
{
    const char *columns = strchr(form, '(');

    return (starts_with(form, ";CREATE INDEX ") && columns && are_columns(columns + 1)) ||
           strcmp(form, ";CREATE TABLE sqlite_stat1(tbl,idx,stat);") == 0 ||
           strcmp(form, ";CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample);") == 0;
}

/* Compares the objects of the database with those of schema.sql. */
static Status compare_schema(Store *store, Error *err)
{
    char *expected = normal_form(schema_sql);
    int missing = 0;

    if (!expected) return error_set(err, STATUS_FAILED, "out of memory for the schema");
    for (const char *at = expected; (at = strstr(at, ";CREATE ")); at++)
        missing++;
    Stmt stmt = stmt_open(store, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL", err);
    while (stmt_row(&stmt)) {
        char *form = normal_form(stmt_text(&stmt, 1));
        bool ours = form && starts_with(form, ";CREATE ") && strstr(expected, form);
        missing -= ours;
        if (!form)
            stmt.status = error_set(err, STATUS_FAILED, "out of memory for the schema");
        else if (!ours && !is_allowed(form))
            stmt.status = error_set(
                err, STATUS_DATABASE,
                "%s: '%.60s' was altered or added and is not of Tabia's schema %d; such files are not read",
                store->path, stmt_text(&stmt, 0), STORE_SCHEMA_VERSION);
        free(form);
    }
    if (stmt.status == STATUS_OK && missing > 0)
        stmt.status = error_set(err, STATUS_DATABASE,
                                "%s: %d tables or views of Tabia's schema %d are missing",
                                store->path, missing, STORE_SCHEMA_VERSION);
    free(expected);
    return stmt_close(&stmt);
}

/* ---- Upgrading */

/* A view instead of a table could keep an upgrade busy for ever. */
static Status refuse_views(Store *store, Error *err)
{
    int64_t tables;

    Status status = stmt_read_number(store,
                                     "SELECT count(*) FROM pragma_table_list WHERE schema = 'main'"
                                     " AND name IN ('runs', 'games') AND type = 'table'",
                                     &tables, err);
    if (status || tables == 2) return status;
    return error_set(err, STATUS_DATABASE, "%s: its runs and games are not tables", store->path);
}

static Status refuse_newer(const Store *store, int64_t version, Error *err)
{
    return error_set(
        err, STATUS_DATABASE,
        "%s: made by a newer Tabia (schema %lld; this version reads up to %d); use that version",
        store->path, (long long)version, STORE_SCHEMA_VERSION);
}

/* The first builds of version 2 had no games.varied. */
static Status add_varied(Store *store, Error *err)
{
    int64_t there;

    Status status = stmt_read_number(
        store, "SELECT count(*) FROM pragma_table_info('games') WHERE name = 'varied'", &there,
        err);
    if (status || there) return status;
    return store_exec(store, "ALTER TABLE games ADD COLUMN varied INTEGER NOT NULL DEFAULT 0", err);
}

/* Makes the views of schema.sql, after all tables there, in place of those of another version. */
static Status renew_views(Store *store, Error *err)
{
    Status status = store_exec(store,
                               "DROP VIEW IF EXISTS results; DROP VIEW IF EXISTS pairings;"
                               "DROP VIEW IF EXISTS standings; DROP VIEW IF EXISTS run_results;"
                               "DROP VIEW IF EXISTS scored_positions; DROP VIEW IF EXISTS about;"
                               "DROP VIEW IF EXISTS learning; DROP VIEW IF EXISTS spsa",
                               err);
    return status ? status : store_exec(store, strstr(schema_sql, "CREATE VIEW "), err);
}

/* Reads the version inside the transaction: another process may have upgraded meanwhile. */
static Status run_steps(Store *store, const char *const *steps, int target, Error *err)
{
    char stamp[48];
    int64_t version, orphans;

    Status status = stmt_read_number(store, "PRAGMA user_version", &version, err);
    if (status) return status;
    if (version > target) return refuse_newer(store, version, err);
    status = refuse_views(store, err);
    if (status) return status;
    for (; version < target && status == STATUS_OK; version++) {
        status = version >= 0 && steps[version]
                     ? store_exec(store, steps[version], err)
                     : error_set(err, STATUS_DATABASE, "%s: schema %lld cannot be upgraded",
                                 store->path, (long long)version);
        if (status == STATUS_OK && version == 2) status = add_varied(store, err);
    }
    if (status == STATUS_OK && target == STORE_SCHEMA_VERSION) status = renew_views(store, err);
    if (status) return status;
    (void)snprintf(stamp, sizeof stamp, "PRAGMA user_version = %d", target);
    status = store_exec(store, stamp, err);
    if (status == STATUS_OK && target == STORE_SCHEMA_VERSION) status = compare_schema(store, err);
    if (status == STATUS_OK)
        status =
            stmt_read_number(store, "SELECT count(*) FROM pragma_foreign_key_check", &orphans, err);
    if (status == STATUS_OK && orphans > 0)
        status =
            error_set(err, STATUS_DATABASE,
                      "%s: cannot be upgraded: %lld rows refer to missing rows; run tabia db check",
                      store->path, (long long)orphans);
    return status;
}

Status schema_upgrade(Store *store, const char *const *steps, int target, Error *err)
{
    /* Rebuilding a table drops it, which enforced foreign keys forbid. The pragma has no effect
     * inside a transaction (sqlite.org/lang_altertable.html, section 7). */
    Status status = store_check_references(store, false, err);
    if (status == STATUS_OK) status = store_begin(store, err);
    if (status) return status;
    status = run_steps(store, steps, target, err);
    status = store_end(store, status, err);
    Status restored = store_check_references(store, true, status ? &(Error){0} : err);
    return status ? status : restored;
}

Status schema_verify(Store *store, Error *err)
{
    int64_t application, version;

    Status status = stmt_read_number(store, "PRAGMA application_id", &application, err);
    if (status == STATUS_OK) status = stmt_read_number(store, "PRAGMA user_version", &version, err);
    if (status) return status;
    if (application != STORE_APPLICATION_ID) /* the file has it: SQLite rolled back a creation */
        return error_set(err, STATUS_DATABASE, "%s: an empty file, not a Tabia database",
                         store->path);
    if (version > STORE_SCHEMA_VERSION) return refuse_newer(store, version, err);
    if (version == STORE_SCHEMA_VERSION) {
        status = compare_schema(store, err);
        /* A newer process may have upgraded the file between the two readings. */
        if (status != STATUS_OK &&
            stmt_read_number(store, "PRAGMA user_version", &version, &(Error){0}) == STATUS_OK &&
            version > STORE_SCHEMA_VERSION)
            return refuse_newer(store, version, err);
        return status;
    }
    return schema_upgrade(store, migrations, STORE_SCHEMA_VERSION, err);
}
