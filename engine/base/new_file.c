/* SPDX-License-Identifier: MIT
 * Temporary files that replace another file. */
#include "engine/base/new_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_device(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

Status new_file_open(NewFile *file, const char *path, Error *err)
{
    size_t size = strlen(path) + sizeof ".new-" + 20;
    bool direct = is_device(path);

    *file = (NewFile){.path = strdup(path), .temporary = direct ? NULL : calloc(1, size)};
    if (!file->path || (!direct && !file->temporary)) {
        new_file_discard(file);
        return error_set(err, STATUS_FAILED, "out of memory");
    }
    if (direct) {
        file->stream = fopen(path, "wb");
    } else {
        (void)snprintf(file->temporary, size, "%s.new-%ld", path, (long)getpid());
        (void)unlink(file->temporary); /* left by a killed process with the same pid */
        file->stream = fopen(file->temporary, "wbx");
    }
    if (file->stream) return STATUS_OK;
    Status status =
        error_set(err, STATUS_FAILED, "%s cannot be created: %s", path, strerror(errno));
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

static Status write_failed(const NewFile *file, Error *err)
{
    return error_set(err, STATUS_FAILED, "%s cannot be written: %s", file->path, strerror(errno));
}

Status new_file_finish(NewFile *file, Error *err)
{
    return !file->stream || finish(file) ? STATUS_OK : write_failed(file, err);
}

Status new_file_commit(NewFile *file, Error *err)
{
    Status status = new_file_finish(file, err);

    if (status == STATUS_OK && file->temporary && rename(file->temporary, file->path) != 0)
        status = write_failed(file, err);
    if (status == STATUS_OK) {
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
