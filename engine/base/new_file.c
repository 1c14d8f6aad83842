/* SPDX-License-Identifier: MIT
 * Temporary files that replace another file. */
#include "engine/base/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/system.h"
#include "engine/base/text.h"

enum { PATH_BYTES = 4096 };

/* The folder of a path, "./" where it names none; returns the name in it. */
static const char *split_path(const char *path, char folder[PATH_BYTES])
{
    const char *name = text_file_name(path);
    int length = (int)(name - path);

    (void)snprintf(folder, PATH_BYTES, "%.*s", length ? length : 2, length ? path : "./");
    return name;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* ---- Files of ended processes */

/* A lock of the whole file. */
static struct flock whole_file(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

enum { PROCESS_MOST = 1 << 22 }; /* Linux's; a longer number is something else, such as a date */

/* The process whose number follows the prefix in the name; 0: none. */
static long owner_of(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    const char *digits = name + length;

    if (strncmp(name, prefix, length) != 0 || strspn(digits, "0123456789") != strlen(digits))
        return 0;
    return strtol(digits, NULL, 10);
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* `file` is the status of the file to be replaced; all zero if there is none. */
static bool is_abandoned(const char *path, long owner, const struct stat *file)
{
    struct flock lock = whole_file();
    struct stat info;

    if (owner <= 0 || owner > PROCESS_MOST || kill((pid_t)owner, 0) == 0 || errno != ESRCH)
        return false;
    /* A second name of the file itself. Opening it would end our own locks on the file. */
    if (lstat(path, &info) == 0 && is_same_file(&info, file)) return true;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool free = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
    if (fd >= 0) (void)close(fd);
    return free;
}

void new_file_sweep(const char *path, void (*remove_file)(const char *temporary))
{
    char folder[PATH_BYTES], prefix[PATH_BYTES], found[PATH_BYTES];
    struct stat file = {0};

    (void)stat(path, &file);
    if (strlen(path) + sizeof ".new-" > PATH_BYTES) return;
    (void)snprintf(prefix, sizeof prefix, "%s.new-", split_path(path, folder));
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        long owner = owner_of(entry->d_name, prefix);
        int n = snprintf(found, sizeof found, "%s%s", folder, entry->d_name);
        if (owner > 0 && n < PATH_BYTES && is_abandoned(found, owner, &file)) remove_file(found);
    }
    if (entries) (void)closedir(entries);
}

static void remove_one(const char *temporary)
{
    (void)unlink(temporary);
}

/* ---- Writing */

int64_t file_size(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 ? (int64_t)there.st_size : 0;
}

/* Of standard output (1) and standard error (2), the one that is this file already; 0: neither. */
static int standard_stream(const char *path)
{
    struct stat file, stream;

    if (stat(path, &file) != 0) return 0;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &stream) == 0 && is_same_file(&file, &stream)) return fd;
    return 0;
}

bool file_is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0 || standard_stream(path) == STDOUT_FILENO;
}

bool file_is_written_directly(const char *path)
{
    return standard_stream(path) > 0 || system_is_device(path);
}

bool file_is_same(const char *a, const char *b)
{
    char folder_a[PATH_BYTES], folder_b[PATH_BYTES];
    struct stat first = {0}, second = {0};
    bool found = stat(a, &first) == 0;

    if (found != (stat(b, &second) == 0)) return false;
    if (found) return S_ISREG(first.st_mode) && is_same_file(&first, &second);
    if (strcmp(split_path(a, folder_a), split_path(b, folder_b)) != 0) return false;
    (void)stat(folder_a, &first);
    (void)stat(folder_b, &second);
    return is_same_file(&first, &second);
}

static bool begins_like_database(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char first[sizeof magic];

    if (system_is_device(path)) return false;
    FILE *file = fopen(path, "rb");
    bool same =
        file && fread(first, sizeof first, 1, file) == 1 && memcmp(first, magic, sizeof magic) == 0;
    if (file) (void)fclose(file);
    return same;
}

bool file_is_database(const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    char name[PATH_BYTES];
    bool found = false;

    for (size_t i = 0; i < sizeof endings / sizeof *endings && !found; i++) {
        if (!text_ends_in(path, endings[i])) continue;
        (void)snprintf(name, sizeof name, "%.*s", (int)(strlen(path) - strlen(endings[i])), path);
        found = begins_like_database(name);
    }
    return found;
}

Status file_failed(const char *path, const char *what, Error *err)
{
    if (errno == EINTR) return error_set(err, STATUS_INTERRUPTED, "interrupted");
    return error_set(err, STATUS_FAILED, "%s cannot be %s: %s", path, what, strerror(errno));
}

Status new_file_open(NewFile *file, const char *path, Error *err)
{
    size_t size = strlen(path) + sizeof ".new-" + 20;
    int standard = standard_stream(path);
    bool direct = file_is_written_directly(path);

    *file = (NewFile){.path = NULL};
    if (file_is_database(path))
        return error_set(err, STATUS_FAILED, "%s is a database, or its log, and is not replaced",
                         path);
    if (is_folder(path))
        return error_set(err, STATUS_FAILED, "%s: cannot be written: it is a folder", path);
    *file = (NewFile){.path = strdup(path), .temporary = direct ? NULL : calloc(1, size)};
    if (!file->path || (!direct && !file->temporary)) {
        new_file_discard(file);
        return error_set(err, STATUS_FAILED, "out of memory");
    }
    if (direct) system_may_wait_for(path);
    if (standard > 0) { /* with its place in the file, after what was printed */
        (void)fflush(standard == STDOUT_FILENO ? stdout : stderr);
        int fd = dup(standard);
        file->stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
        if (fd >= 0 && !file->stream) (void)close(fd);
    } else if (direct) {
        file->stream = fopen(path, "wb");
    } else {
        (void)snprintf(file->temporary, size, "%s.new-%ld", path, (long)getpid());
        (void)unlink(file->temporary); /* left by a killed process with the same pid */
        new_file_sweep(path, remove_one);
        file->stream = fopen(file->temporary, "wbx");
        struct flock lock = whole_file();
        /* Best effort: some file systems have no locks. */
        if (file->stream) (void)fcntl(fileno(file->stream), F_SETLK, &lock);
    }
    if (file->stream) return STATUS_OK;
    Status status = file_failed(path, "created", err);
    new_file_discard(file);
    return status;
}

/* Are as many bytes in the file as were written? */
static bool is_whole(const NewFile *file)
{
    struct stat info;

    if (!file->temporary) return true;
    if (fstat(fileno(file->stream), &info) != 0) return false;
    errno = EIO;
    return info.st_size == ftello(file->stream);
}

/* Writes everything to the disk and closes the file; false with errno on failure. */
static bool finish(NewFile *file)
{
    bool written = !ferror(file->stream) && fflush(file->stream) == 0 && is_whole(file) &&
                   (!file->temporary || fsync(fileno(file->stream)) == 0);
    int reason = errno;
    bool closed = fclose(file->stream) == 0;

    file->stream = NULL;
    if (!written) errno = reason;
    return written && closed;
}

Status new_file_finish(NewFile *file, Error *err)
{
    return !file->stream || finish(file) ? STATUS_OK : file_failed(file->path, "written", err);
}

void folder_sync(const char *path)
{
    char folder[PATH_BYTES];

    (void)split_path(path, folder);
    int fd = open(folder, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    (void)fsync(fd);
    (void)close(fd);
}

Status new_file_commit(NewFile *file, Error *err)
{
    Status status = new_file_finish(file, err);

    if (status == STATUS_OK && file->temporary && rename(file->temporary, file->path) != 0)
        status = file_failed(file->path, "written", err);
    if (status == STATUS_OK) {
        if (file->temporary) folder_sync(file->path);
        free(file->temporary); /* it was renamed: nothing to remove */
        file->temporary = NULL;
    }
    new_file_discard(file);
    return status;
}

void new_file_discard(NewFile *file)
{
    if (file->stream) (void)fclose(file->stream);
    if (file->temporary) (void)unlink(file->temporary);
    free(file->temporary);
    free(file->path);
    *file = (NewFile){0};
}
