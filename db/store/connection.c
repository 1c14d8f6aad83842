/* SPDX-License-Identifier: MIT
 * Transactions of an open database, and its errors in words. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "db/store/connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store/internal.h"
#include "db/store/store.h"

const char *store_path(const Store *store)
{
    return store->path;
}

bool store_is_alone(const Store *store)
{
    return store->alone;
}

/* ---- Locks */

static bool is_interrupted(const Store *store)
{
    return store->interrupted &&
           atomic_load_explicit(store->interrupted, memory_order_relaxed) != 0;
}

int store_wait_for_lock(void *context, int calls)
{
    enum { FIRST_MS = 1, LONGEST_MS = 100, LIMIT_MS = 30000 };
    Store *store = context;
    int nap = FIRST_MS, slept = 0;

    for (int i = 0; i < calls && slept < LIMIT_MS; i++) {
        slept += nap;
        nap = 2 * nap < LONGEST_MS ? 2 * nap : LONGEST_MS;
    }
    if (slept >= LIMIT_MS) store->waited = true;
    if (store->waited) return 0;
    if (is_interrupted(store)) return 0;
    (void)sqlite3_sleep(nap);
    return 1;
}

/* ---- Errors */

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

static bool is_in_closed_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool closed = folder && access(folder, F_OK) == 0 && access(folder, W_OK) != 0;

    free(folder);
    return closed;
}

Status store_check_unchanged(const Store *store, Error *err)
{
    struct stat now;

    if (!store->immutable || (stat(store->path, &now) == 0 && now.st_ino == store->opened.st_ino &&
                              now.st_size == store->opened.st_size &&
                              now.st_mtim.tv_sec == store->opened.st_mtim.tv_sec &&
                              now.st_mtim.tv_nsec == store->opened.st_mtim.tv_nsec))
        return STATUS_OK;
    return error_set(
        err, STATUS_DATABASE,
        "%s: the file was changed while it was read without locks, which its folder does not allow; read it again",
        store->path);
}

Status store_error_code(const Store *store, int code, Error *err)
{
    int system_error = store->handle ? sqlite3_system_errno(store->handle) : 0;
    const char *cause = system_error ? strerror(system_error) : sqlite3_errstr(code);

    switch (code & 0xFF) { /* the primary code */
    case SQLITE_INTERRUPT:
        return error_set(err, STATUS_INTERRUPTED, "interrupted");
    case SQLITE_FULL:
        return error_set(err, STATUS_DATABASE, "%s: the disk is full", store->path);
    case SQLITE_IOERR:
        return error_set(err, STATUS_DATABASE, "%s: cannot read or write the disk: %s", store->path,
                         cause);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        if (!store->waited && is_interrupted(store))
            return error_set(err, STATUS_INTERRUPTED, "interrupted");
        return error_set(
            err, STATUS_DATABASE,
            "%s: another process keeps the database locked, or its file system refuses locks; end that process, or use a local disk",
            store->path);
    case SQLITE_READONLY:
        return error_set(err, STATUS_DATABASE, "%s: the file or its directory cannot be written",
                         store->path);
    case SQLITE_CANTOPEN:
        /* SQLite then tries to read the file, so that the error is that it is not there. */
        if (is_in_closed_folder(store->path))
            return error_set(err, STATUS_DATABASE, "%s: no new file, its folder cannot be written",
                             store->path);
        return error_set(err, STATUS_DATABASE, "%s: cannot be opened: %s", store->path, cause);
    case SQLITE_TOOBIG:
        return error_set(err, STATUS_DATABASE, "%s: a text or blob of more than %d MiB",
                         store->path, STORE_VALUE_MAX >> 20);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        if (store_check_unchanged(store, err) != STATUS_OK) return STATUS_DATABASE;
        (void)error_set(err, STATUS_DATABASE, "%s: the database is damaged: %s", store->path,
                        sqlite3_errmsg(store->handle));
        err->damage = true;
        return STATUS_DATABASE;
    default:
        return error_set(err, STATUS_DATABASE, "%s: %s", store->path,
                         store->handle ? sqlite3_errmsg(store->handle) : sqlite3_errstr(code));
    }
}

Status store_error(const Store *store, Error *err)
{
    return store_error_code(store, sqlite3_extended_errcode(store->handle), err);
}

Status store_exec(Store *store, const char *sql, Error *err)
{
    return sqlite3_exec(store->handle, sql, NULL, NULL, NULL) == SQLITE_OK
               ? STATUS_OK
               : store_error(store, err);
}

/* ---- Transactions */

/* SQLite goes on with a file that has lost its name, and with a log that keeps it. */
static Status check_place(const Store *store, Error *err)
{
    struct stat now;

    if (store->read_only || store->opened.st_ino == 0 || /* it is being opened */
        (stat(store->path, &now) == 0 && now.st_ino == store->opened.st_ino &&
         now.st_dev == store->opened.st_dev))
        return STATUS_OK;
    return error_set(err, STATUS_DATABASE,
                     "%s: the file was removed, renamed or replaced while it was written to",
                     store->path);
}

Status store_begin(Store *store, Error *err)
{
    Status status = check_place(store, err);

    return status == STATUS_OK ? store_exec(store, "BEGIN IMMEDIATE", err) : status;
}

Status store_begin_reading(Store *store, Error *err)
{
    return store_exec(store, "BEGIN", err);
}

Status store_commit(Store *store, Error *err)
{
    Status status = store_exec(store, "COMMIT", err);

    return status == STATUS_OK ? check_place(store, err) : status;
}

void store_rollback(Store *store)
{
    /* After an error such as a full disk SQLite may have rolled back already. */
    if (!sqlite3_get_autocommit(store->handle))
        (void)sqlite3_exec(store->handle, "ROLLBACK", NULL, NULL, NULL);
}

Status store_end(Store *store, Status status, Error *err)
{
    if (status == STATUS_OK) status = store_commit(store, err);
    if (status) store_rollback(store);
    return status;
}

Status store_check_references(Store *store, bool check, Error *err)
{
    return store_exec(store, check ? "PRAGMA foreign_keys = ON" : "PRAGMA foreign_keys = OFF", err);
}

Status store_settle(Store *store, Error *err)
{
    int code =
        sqlite3_wal_checkpoint_v2(store->handle, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    return code == SQLITE_OK ? STATUS_OK : store_error_code(store, code, err);
}

Status store_vacuum(Store *store, Error *err)
{
    Status status = store_exec(store, "VACUUM; PRAGMA optimize", err);
    return status == STATUS_OK ? store_settle(store, err) : status;
}

Status store_extend(Store *store, StoreExtension *extension, Error *err)
{
    char *message = NULL;

    int code = extension(store->handle, &message, NULL);
    sqlite3_free(message);
    return code == SQLITE_OK ? STATUS_OK : store_error_code(store, code, err);
}

static int wants_stop(void *store)
{
    return is_interrupted(store);
}

void store_watch(Store *store, const atomic_int *interrupted)
{
    enum { INSTRUCTIONS = 10000 }; /* of SQLite's virtual machine between two checks */

    store->interrupted = interrupted;
    sqlite3_progress_handler(store->handle, interrupted ? INSTRUCTIONS : 0, wants_stop, store);
}

/* ---- Names of files */

char *store_target(const char *path)
{
    char *target = realpath(path, NULL);
    return target ? target : strdup(path); /* a new file */
}

bool store_has_log(const char *path, const char *suffix)
{
    char *target = store_target(path);
    size_t size = target ? strlen(target) + strlen(suffix) + 1 : 0;
    char *name = target ? malloc(size) : NULL;
    if (name) (void)snprintf(name, size, "%s%s", target, suffix);
    bool found = name && access(name, F_OK) == 0;
    free(name);
    free(target);
    return found;
}

char *store_uri(const char *path, const char *query)
{
    /* An absolute path needs an empty authority, or "//a" would name a host; "./" before a relative
     * path makes ":memory:" a file name. */
    const char *prefix = path[0] == '/' ? "file://" : "file:./";
    char *uri = malloc(strlen(prefix) + 3 * strlen(path) + 1 + strlen(query) + 1);
    if (!uri) return NULL;

    char *to = stpcpy(uri, prefix);
    for (; *path; path++) {
        if (*path == '%' || *path == '?' || *path == '#') {
            *to++ = '%';
            *to++ = "0123456789abcdef"[(unsigned char)*path >> 4];
            *to++ = "0123456789abcdef"[*path & 15];
        } else {
            *to++ = *path;
        }
    }
    *to++ = '?';
    memcpy(to, query, strlen(query) + 1);
    return uri;
}
