/* SPDX-License-Identifier: MIT
 * Temporary databases that are renamed when they are complete. */
#include "db/store/new_store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/new_file.h"

static Status refuse_existing(const char *path, Error *err)
{
    return error_set(err, STATUS_USAGE, "%s: already exists", path);
}

Status new_store_open(NewStore *fresh, const char *path, Error *err)
{
    size_t size = strlen(path) + sizeof ".new-" + 20;

    *fresh = (NewStore){0};
    new_file_sweep(path, store_remove);
    if (access(path, F_OK) == 0) return refuse_existing(path, err);
    *fresh = (NewStore){.path = strdup(path), .temporary = malloc(size)};
    if (!fresh->path || !fresh->temporary) {
        free(fresh->temporary); /* its text is not set yet */
        fresh->temporary = NULL;
        new_store_discard(fresh);
        return error_set(err, STATUS_FAILED, "out of memory");
    }
    (void)snprintf(fresh->temporary, size, "%s.new-%ld", path, (long)getpid());
    store_remove(fresh->temporary); /* left by a killed process with our process number */
    store_remove_logs(path);
    fresh->store = store_open(fresh->temporary, STORE_CREATE, err);
    if (fresh->store) return STATUS_OK;
    Status status = err->status;
    new_store_discard(fresh);
    return status;
}

/* Like rename(), but never replaces a file; the old name may stay. */
static int give_name(const char *from, const char *to)
{
    if (link(from, to) == 0) return 0;
    if (errno == EEXIST) return -1;
    if (access(to, F_OK) != 0) return rename(from, to); /* a file system without links */
    errno = EEXIST;
    return -1;
}

Status new_store_close(NewStore *fresh, Error *err)
{
    /* The log would keep the old name. */
    Status status = fresh->store ? store_settle(fresh->store, err) : STATUS_OK;

    store_close(fresh->store);
    fresh->store = NULL;
    return status;
}

Status new_store_commit(NewStore *fresh, Error *err)
{
    Status status = new_store_close(fresh, err);

    if (status == STATUS_OK && give_name(fresh->temporary, fresh->path) != 0)
        status = errno == EEXIST ? refuse_existing(fresh->path, err)
                                 : error_set(err, STATUS_FAILED, "%s cannot be put in place: %s",
                                             fresh->path, strerror(errno));
    const bool named = status == STATUS_OK;
    if (fresh->temporary) store_remove(fresh->temporary);
    if (named) folder_sync(fresh->path);
    new_store_discard(fresh);
    return status;
}

void new_store_discard(NewStore *fresh)
{
    store_close(fresh->store);
    if (fresh->temporary) store_remove(fresh->temporary);
    free(fresh->temporary);
    free(fresh->path);
    *fresh = (NewStore){0};
}
