/* SPDX-License-Identifier: MIT
 * The directory of a `tabia learn` run. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/learn/internal.h"
#include "db/chess/stored_weights.h"
#include "engine/eval/weights_file.h"
#include "engine/eval/weights_write.h"

enum { PATH_BYTES = 4096, FILE_BYTES = 32 };

Status learn_make_folder(const char *path, Error *err)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return STATUS_OK;
    return error_set(err, STATUS_FAILED, "%s: the directory cannot be made: %s", path,
                     strerror(errno));
}

/* Only one process may learn in a directory: two would play the same games. */
static Status take_lock(Learn *l, Error *err)
{
    char path[PATH_BYTES];
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    (void)snprintf(path, sizeof path, "%s/learn.lock", l->dir);
    l->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (l->lock < 0)
        return error_set(err, STATUS_FAILED, "%s: cannot be opened: %s", path, strerror(errno));
    if (fcntl(l->lock, F_SETLK, &whole) == 0) return STATUS_OK;
    if (errno == EACCES || errno == EAGAIN)
        return error_set(err, STATUS_FAILED,
                         "%s: another tabia learn uses this directory; wait for its end", l->dir);
    return error_set(err, STATUS_FAILED, "%s: cannot be locked: %s", path, strerror(errno));
}

Status learn_home_open(Learn *l, Error *err)
{
    char path[PATH_BYTES];

    if (strlen(l->dir) > PATH_BYTES - FILE_BYTES)
        return error_set(err, STATUS_USAGE, "%.60s…: the directory's name is too long", l->dir);
    (void)snprintf(path, sizeof path, "%s/weights", l->dir);
    Status status = learn_make_folder(l->dir, err);
    if (status == STATUS_OK) status = learn_make_folder(path, err);
    if (status == STATUS_OK) status = take_lock(l, err);
    if (status != STATUS_OK) return status;
    (void)snprintf(path, sizeof path, "%s/learn.db", l->dir);
    l->store = store_open_watched(path, STORE_CREATE, l->interrupted, err);
    if (!l->store) return err->status;
    store_watch(l->store, NULL); /* stages watch it where Ctrl-C may end a statement */
    return STATUS_OK;
}

void learn_home_close(Learn *l)
{
    store_close(l->store);
    if (l->lock >= 0) (void)close(l->lock);
}

/* The comment is not always the network's: two generations may have equal networks. */
static Status save_network(const char *path, const EvalWeights *w, const char *comment, Error *err)
{
    Network network = *w->network;

    (void)snprintf(network.comment, sizeof network.comment, "%s", comment);
    return network_save(path, &network, err);
}

Status learn_publish(Learn *l, const char *hash, const char *name, Error *err)
{
    char path[PATH_BYTES];
    EvalWeights w;
    WeightsInfo info;

    Status status = stored_weights_get(l->store, hash, &w, &info, err);
    if (status != STATUS_OK) return status;
    (void)snprintf(path, sizeof path, "%s/%s.%s", l->dir, name, w.network ? "net" : "h");
    return (w.network ? save_network : weights_save)(path, &w, info.comment, err);
}

Status learn_publish_generation(Learn *l, const char *hash, int generation, Error *err)
{
    char name[FILE_BYTES];

    (void)snprintf(name, sizeof name, "weights/gen-%03d", generation);
    return learn_publish(l, hash, name, err);
}
