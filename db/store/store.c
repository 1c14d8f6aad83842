/* SPDX-License-Identifier: MIT
 * Opening and closing a store. */
#include "db/store/store.h"

#include <assert.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/store/difference.h"
#include "db/store/internal.h"
#include "db/store/schema.h"
#include "db/store/stmt.h"
#include "engine/base/new_file.h"
#include "engine/base/text.h"

/* A database is untrusted input: it runs no triggers, and SQL changes no schema behind SQLite's
 * back. TRUSTED_SCHEMA must stay on: SQLite 3.40 counts json_valid(), which our tables use, as
 * unsafe. schema_verify() refuses every expression that is not ours instead. */
static int distrust(sqlite3 *handle)
{
    static const int options[][2] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                     {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}};
    int code = SQLITE_OK;

    for (size_t i = 0; i < sizeof options / sizeof *options && code == SQLITE_OK; i++)
        code = sqlite3_db_config(handle, options[i][0], options[i][1], NULL);
    return code;
}

static int prepare_handle(Store *store)
{
    int code = distrust(store->handle);

    if (code == SQLITE_OK) (void)sqlite3_limit(store->handle, SQLITE_LIMIT_LENGTH, STORE_VALUE_MAX);
    if (code == SQLITE_OK) code = difference_register(store->handle);
    if (code == SQLITE_OK) code = sqlite3_busy_handler(store->handle, store_wait_for_lock, store);
    if (code == SQLITE_OK) store_watch(store, store->interrupted);
    return code;
}

static Status open_handle(Store *store, int flags, const char *query, Error *err)
{
    char *uri = store_uri(store->path, query);
    if (!uri) return error_set(err, STATUS_FAILED, "out of memory");
    /* NOMUTEX: one thread at a time is our contract. */
    flags |= SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int code = sqlite3_open_v2(uri, &store->handle, flags, NULL);
    free(uri);
    if (code == SQLITE_OK) code = prepare_handle(store);
    return code == SQLITE_OK ? STATUS_OK : store_error_code(store, code, err);
}

bool store_recognises(const char *path)
{
    Error foreign = {0};
    return schema_identify_file(path, &foreign) == FILE_OURS;
}

/* SQLite rolls a journal back that it finds, and then deletes the file that the journal's end names
 * as a transaction's over several databases (sqlite.org/fileformat2.html, 3.6, "super-journal"). */
static bool names_a_file(FILE *journal)
{
    static const uint8_t magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    uint8_t end[16]; /* length of the name, its sum, magic */

    return fseek(journal, -(long)sizeof end, SEEK_END) == 0 &&
           fread(end, 1, sizeof end, journal) == sizeof end &&
           memcmp(end + 8, magic, sizeof magic) == 0;
}

/* What lies beside a database is no less foreign. path: without symbolic links, as SQLite takes it.
 */
static Status check_beside(const char *path, const char *suffix, Error *err)
{
    char name[4096];
    struct stat there;

    if (snprintf(name, sizeof name, "%s%s", path, suffix) >= (int)sizeof name ||
        lstat(name, &there) != 0)
        return STATUS_OK;
    if (!S_ISREG(there.st_mode))
        return error_set(err, STATUS_DATABASE, "%s: no regular file; remove it", name);
    FILE *file = strcmp(suffix, "-journal") == 0 ? fopen(name, "rb") : NULL;
    bool names = file && names_a_file(file);
    if (file) (void)fclose(file);
    if (!names) return STATUS_OK;
    return error_set(
        err, STATUS_DATABASE,
        "%s: a journal of several databases, which would remove a file that it names; if it is your own, let sqlite3 open the database",
        name);
}

static Status admit_company(const char *name, Error *err)
{
    char *path = store_target(name);

    if (!path) return error_set(err, STATUS_FAILED, "out of memory");
    Status status = check_beside(path, "-journal", err);
    if (status == STATUS_OK) status = check_beside(path, "-wal", err);
    if (status == STATUS_OK) status = check_beside(path, "-shm", err);
    free(path);
    return status;
}

/* May a file of this name be made? SQLite then makes a journal beside it. */
static Status admit_name(const char *path, Error *err)
{
    char name[4096];
    struct stat there;

    if (snprintf(name, sizeof name, "%s-journal", path) < (int)sizeof name &&
        (lstat(name, &there) == 0 || errno != ENAMETOOLONG))
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT,
                     "%s: the name is too long, since SQLite adds \"-journal\" to it", path);
}

/* Each name of a file has a log of its own, and changes by one name are lost in those by another. A
 * process that makes a file gives it its second name for a moment (new_store.h). */
static Status refuse_links(const char *path, Error *err)
{
    enum { TRIES = 20, WAIT_MS = 10 };
    struct stat there;

    for (int i = 0; i < TRIES; i++) {
        if (stat(path, &there) != 0 || !S_ISREG(there.st_mode) || there.st_nlink < 2)
            return STATUS_OK;
        if (i == 0) new_file_sweep(path, store_remove);
        (void)sqlite3_sleep(WAIT_MS);
    }
    return error_set(
        err, STATUS_DATABASE,
        "%s: the file has %ld names (hard links), whose writers would destroy each other's changes; copy it and remove the other names",
        path, (long)there.st_nlink);
}

/* May the file be opened in this mode? Looks at it without SQLite. */
static Status admit_file(const Store *store, StoreMode mode, Error *err)
{
    if (store->path[0] == '\0')
        return error_set(err, STATUS_BAD_INPUT, "the database's file name is empty");
    if (text_ends_in(store->path, "/")) /* SQLite would leave the stroke out */
        return error_set(err, STATUS_BAD_INPUT, "%s: the name of a folder", store->path);
    Status status = admit_company(store->path, err);
    if (status == STATUS_OK && !store->read_only) status = refuse_links(store->path, err);
    if (status != STATUS_OK) return status;
    switch (schema_identify_file(store->path, err)) {
    case FILE_OURS:
        return STATUS_OK;
    case FILE_ABSENT:
        if (mode == STORE_CREATE) return admit_name(store->path, err);
        return error_set(err, STATUS_BAD_INPUT, "%s: no such file", store->path);
    case FILE_EMPTY:
        if (mode == STORE_CREATE) return STATUS_OK;
        return error_set(err, STATUS_DATABASE, "%s: an empty file, not a Tabia database",
                         store->path);
    case FILE_FOREIGN:
        break;
    }
    return STATUS_DATABASE; /* err is set */
}

static int journal_mode_is_wal(void *is_wal, int columns, char **values, char **names)
{
    (void)columns;
    (void)names;
    *(bool *)is_wal = values[0] && strcmp(values[0], "wal") == 0;
    return 0;
}

/* Write-ahead log: readers and the writer do not wait for each other, and a commit is one sync.
 * For some locks of this change SQLite does not call its busy handler, so we do. */
static Status enter_wal(Store *store, Error *err)
{
    bool is_wal = false;
    int code, calls = 0;

    while ((code = sqlite3_exec(store->handle, "PRAGMA journal_mode = WAL", journal_mode_is_wal,
                                &is_wal, NULL)) == SQLITE_BUSY &&
           store_wait_for_lock(store, calls++))
        ;
    if (code != SQLITE_OK) return store_error(store, err);
    if (!is_wal)
        return error_set(
            err, STATUS_DATABASE,
            "%s: no write-ahead logging on this file system (a network file system?); use a local disk",
            store->path);
    return STATUS_OK;
}

static Status prepare_for_writing(Store *store, bool create, Error *err)
{
    Status status = STATUS_OK;

    if (sqlite3_db_readonly(store->handle, "main") == 1)
        return error_set(err, STATUS_DATABASE, "%s: the file cannot be written", store->path);
    if (create) status = schema_create(store, err);
    if (status == STATUS_OK) status = schema_verify(store, err);
    if (status == STATUS_OK) status = enter_wal(store, err);
    return status;
}

static Status open_for_writing(Store *store, bool create, Error *err)
{
    int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    Status status = open_handle(store, flags, "", err);
    /* For new files: games of some 400 bytes fill pages of 8 KiB better. */
    if (status == STATUS_OK) status = store_exec(store, "PRAGMA page_size = 8192", err);
    if (status == STATUS_OK) /* FULL: a commit survives a power failure */
        status = store_exec(store,
                            "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                            "PRAGMA cell_size_check = ON;"
                            "PRAGMA cache_size = -65536",
                            err);
    return status ? status : prepare_for_writing(store, create, err);
}

/* In a directory that is not writable SQLite cannot create the shared-memory file of WAL mode. It
 * then reads only files that are declared immutable. */
static bool may_be_immutable(const Store *store)
{
    char *path = store_target(store->path);
    bool writable = !path || access(dirname(path), W_OK) == 0;
    free(path);
    return !writable && !store_has_log(store->path, "-wal");
}

/* query_only prevents writing. Where possible the file is opened for writing all the same: only
 * then SQLite removes its -wal and -shm files when the last reader closes. */
static Status open_reader(Store *store, bool salvage, const char *locking, Error *err)
{
    Status status = store->immutable ? open_handle(store, SQLITE_OPEN_READONLY, "immutable=1", err)
                                     : open_handle(store, SQLITE_OPEN_READWRITE, "", err);
    /* Without this pragma, which DEFENSIVE disables, SQLite refuses a file that is shorter than its
     * header says. */
    if (status == STATUS_OK && salvage)
        (void)sqlite3_db_config(store->handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    if (status == STATUS_OK && salvage)
        status = store_exec(store, "PRAGMA writable_schema = ON", err);
    if (status == STATUS_OK) status = store_exec(store, locking, err);
    if (status == STATUS_OK)
        status = store_exec(store,
                            "PRAGMA query_only = ON; PRAGMA cell_size_check = ON;"
                            "PRAGMA cache_size = -65536",
                            err);
    return status;
}

/* A file of an older version is read from a copy that is upgraded, a file without a name in the
 * folder for such files (sqlite.org/tempfiles.html). It stays as it is: it may lie on a full disk,
 * or belong to somebody else. */
static Status read_copy(Store *store, Error *err)
{
    enum { PAGES = 4096 }; /* between two checks for Ctrl-C */
    sqlite3 *copy = NULL;
    sqlite3_backup *backup = NULL;
    int code = sqlite3_open_v2(
        "", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);

    if (code == SQLITE_OK) backup = sqlite3_backup_init(copy, "main", store->handle, "main");
    while (backup && (code = sqlite3_backup_step(backup, PAGES)) == SQLITE_OK &&
           !(store->interrupted && atomic_load(store->interrupted)))
        ;
    (void)sqlite3_backup_finish(backup);
    (void)sqlite3_close_v2(store->handle);
    store->handle = copy;
    if (code == SQLITE_OK) code = SQLITE_INTERRUPT; /* or there was no memory for a backup */
    if (code == SQLITE_DONE) code = prepare_handle(store);
    return code == SQLITE_OK ? STATUS_OK : store_error_code(store, code, err);
}

static Status open_for_reading(Store *store, bool salvage, Error *err)
{
    int64_t version;

    store->immutable = may_be_immutable(store) && stat(store->path, &store->opened) == 0;
    Status status = open_reader(store, salvage, "PRAGMA locking_mode = NORMAL", err);
    if (status != STATUS_OK && sqlite3_extended_errcode(store->handle) == SQLITE_IOERR_SHMSIZE) {
        /* No disk space for shared memory. SQLite needs none while the file is locked for it. */
        (void)sqlite3_close_v2(store->handle);
        store->alone = true;
        status = open_reader(store, salvage, "PRAGMA locking_mode = EXCLUSIVE", err);
    }
    if (status == STATUS_OK) status = stmt_read_number(store, "PRAGMA user_version", &version, err);
    if (status == STATUS_OK && version < STORE_SCHEMA_VERSION) status = read_copy(store, err);
    if (status == STATUS_OK) status = schema_verify(store, err);
    /* A copy is changed until here. */
    return status ? status : store_exec(store, "PRAGMA query_only = ON", err);
}

Store *store_open_watched(const char *path, StoreMode mode, const atomic_int *interrupted,
                          Error *err)
{
    Store *store = calloc(1, sizeof *store);

    if (store) store->path = strdup(path);
    if (!store || !store->path) {
        (void)error_set(err, STATUS_FAILED, "out of memory");
        free(store);
        return NULL;
    }
    store->interrupted = interrupted;
    store->read_only = mode == STORE_READ || mode == STORE_SALVAGE;
    Status status = admit_file(store, mode, err);
    if (status == STATUS_OK)
        status = store->read_only ? open_for_reading(store, mode == STORE_SALVAGE, err)
                                  : open_for_writing(store, mode == STORE_CREATE, err);
    if (status == STATUS_OK && !store->read_only && stat(store->path, &store->opened) != 0)
        status = error_set(err, STATUS_DATABASE, "%s: the file was removed", store->path);
    if (status) {
        store_close(store);
        return NULL;
    }
    return store;
}

void store_close(Store *store)
{
    if (!store) return;
    for (int i = 0; i < STMT_CACHE_SIZE; i++) {
        assert(!store->cache[i].in_use && "a cursor or statement outlives its store");
        (void)sqlite3_finalize(store->cache[i].handle);
    }
    if (store->handle && !store->read_only) {
        store_rollback(store);
        /* Afterwards the file alone is the whole database. Not needed for safety, so not worth a
         * wait for readers: the last one to close the file does it too. */
        (void)sqlite3_busy_handler(store->handle, NULL, NULL);
        (void)sqlite3_wal_checkpoint_v2(store->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL,
                                        NULL);
    }
    (void)sqlite3_close_v2(store->handle);
    free(store->packed);
    free(store->path);
    free(store);
}

void store_remove(const char *path)
{
    (void)unlink(path);
    store_remove_logs(path);
}

void store_remove_logs(const char *path)
{
    static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
    char name[4096];

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (snprintf(name, sizeof name, "%s%s", path, suffixes[i]) < (int)sizeof name)
            (void)unlink(name);
}
