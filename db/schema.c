/* SPDX-License-Identifier: MIT
 * Making, recognising and migrating the schema. */
#include "db/schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/stmt.h"

/* schema.sql, byte by byte: a string literal of its length is beyond what C promises. */
static const char schema_sql[] = {
#include "schema_sql.inc"
    '\0'};

static const char migrate_1_sql[] = {
#include "migrate_1_sql.inc"
    '\0'};

/* migrations[v] brings version v to v + 1, inside a transaction; it ends with its own
 * `PRAGMA user_version`. There has been no version before 1. */
static const char *const migrations[STORE_SCHEMA_VERSION] = {NULL, migrate_1_sql};

/* Offsets in SQLite's file format (sqlite.org/fileformat2.html, section 1.3) and in the b-tree page
 * that follows on the first page; numbers are big-endian. */
enum {
    HEADER_APPLICATION_ID = 68,
    HEADER_SIZE = 100,
    PAGE_CELL_COUNT = HEADER_SIZE + 3, /* rows of sqlite_schema, if it is one page */
    PAGE_KIND_LEAF = 13,
    PROBE_SIZE = HEADER_SIZE + 8
};

static uint32_t get_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

/* Does a rollback journal lie beside the file? Then a writer died, and SQLite knows what was there.
 */
static bool has_journal(const char *path)
{
    size_t size = strlen(path) + sizeof "-journal";
    char *name = malloc(size);
    if (!name) return false;
    (void)snprintf(name, size, "%s-journal", path);
    bool found = access(name, F_OK) == 0;
    free(name);
    return found;
}

static FileKind classify_header(const char *path, const uint8_t *bytes, size_t size, Error *err)
{
    static const char magic[16] = "SQLite format 3";

    if (size == 0) return FILE_EMPTY;
    if (size < PROBE_SIZE || memcmp(bytes, magic, sizeof magic) != 0) {
        if (has_journal(path)) return FILE_EMPTY;
        (void)error_set(err, STATUS_DATABASE, "%s: not a SQLite database", path);
        return FILE_FOREIGN;
    }
    uint32_t application = get_be32(bytes + HEADER_APPLICATION_ID);
    if (application == STORE_APPLICATION_ID) return FILE_OURS;
    bool no_tables = bytes[HEADER_SIZE] == PAGE_KIND_LEAF && bytes[PAGE_CELL_COUNT] == 0 &&
                     bytes[PAGE_CELL_COUNT + 1] == 0;
    if (application == 0 && no_tables) return FILE_EMPTY;
    (void)error_set(err, STATUS_DATABASE,
                    "%s: a SQLite database of another program (application_id 0x%08x)", path,
                    (unsigned)application);
    return FILE_FOREIGN;
}

FileKind schema_identify_file(const char *path, Error *err)
{
    uint8_t bytes[PROBE_SIZE];

    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOENT) return FILE_ABSENT;
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (!file || ferror(file)) {
        (void)error_set(err, STATUS_DATABASE, "%s: cannot be read: %s", path, strerror(errno));
        if (file) (void)fclose(file);
        return FILE_FOREIGN;
    }
    (void)fclose(file);
    return classify_header(path, bytes, size, err);
}

static Status read_number(Store *store, const char *sql, int64_t *value, Error *err)
{
    Stmt stmt;
    bool row;
    Status status = stmt_open(store, &stmt, sql, err);

    if (status) return status;
    status = stmt_step(&stmt, &row, err);
    *value = status == STATUS_OK && row ? stmt_int(&stmt, 0) : 0;
    stmt_close(&stmt);
    return status;
}

/* The body of schema_create's transaction. */
static Status create_if_empty(Store *store, Error *err)
{
    int64_t application, tables;

    Status status = read_number(store, "PRAGMA application_id", &application, err);
    if (status || application == STORE_APPLICATION_ID) return status;
    status = read_number(store, "SELECT count(*) FROM sqlite_schema", &tables, err);
    if (status) return status;
    if (application != 0 || tables != 0)
        return error_set(err, STATUS_DATABASE, "%s: a SQLite database of another program",
                         store->path);
    return store_exec(store, schema_sql, err);
}

Status schema_create(Store *store, Error *err)
{
    int64_t application;

    /* Most often it is there; then no lock is asked for. */
    Status status = read_number(store, "PRAGMA application_id", &application, err);
    if (status || application == STORE_APPLICATION_ID) return status;
    status = store_begin(store, err);
    if (status) return status;
    status = create_if_empty(store, err);
    if (status == STATUS_OK) status = store_commit(store, err);
    if (status) store_rollback(store);
    return status;
}

static Status migrate(Store *store, Error *err)
{
    int64_t version;

    Status status = store_begin(store, err);
    if (status) return status;
    /* Read again under the lock: another process may have migrated meanwhile. */
    while ((status = read_number(store, "PRAGMA user_version", &version, err)) == STATUS_OK &&
           version < STORE_SCHEMA_VERSION) {
        if (version < 0 || !migrations[version]) {
            status = error_set(err, STATUS_DATABASE, "%s: no way to migrate from version %lld",
                               store->path, (long long)version);
            break;
        }
        status = store_exec(store, migrations[version], err);
        if (status) break;
    }
    if (status == STATUS_OK) status = store_commit(store, err);
    if (status) store_rollback(store);
    return status;
}

Status schema_verify(Store *store, Error *err)
{
    int64_t application, version;

    Status status = read_number(store, "PRAGMA application_id", &application, err);
    if (status == STATUS_OK) status = read_number(store, "PRAGMA user_version", &version, err);
    if (status) return status;
    if (application != STORE_APPLICATION_ID)
        return error_set(err, STATUS_DATABASE, "%s: not a Tabia database", store->path);
    if (version > STORE_SCHEMA_VERSION)
        return error_set(err, STATUS_DATABASE,
                         "%s: made by a newer Tabia (schema %lld, this program knows %d): "
                         "use that version",
                         store->path, (long long)version, STORE_SCHEMA_VERSION);
    if (version == STORE_SCHEMA_VERSION) return STATUS_OK;
    if (store->mode == STORE_READ)
        return error_set(err, STATUS_DATABASE,
                         "%s: has the older schema %lld: open it once for writing, which brings it "
                         "up to date",
                         store->path, (long long)version);
    return migrate(store, err);
}
