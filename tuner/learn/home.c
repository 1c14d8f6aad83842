/* SPDX-License-Identifier: MIT
 * The directory of a `tabia learn` run. */
#include "tuner/learn/home.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/chess/stored_weights.h"
#include "engine/eval/evaluation_load.h"
#include "engine/eval/evaluation_write.h"

enum { PATH_BYTES = 4096, FILE_BYTES = 32 };

/* Makes a directory if it is absent; its parent must exist. */
static Status make_folder(const char *path, Error *err)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return STATUS_OK;
    return error_set(err, STATUS_FAILED, "%s: the directory cannot be made: %s", path,
                     strerror(errno));
}

/* Only one process may learn in a directory: two would play the same games. */
static Status take_lock(LearnHome *home, Error *err)
{
    char path[PATH_BYTES];
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    (void)snprintf(path, sizeof path, "%s/learn.lock", home->dir);
    home->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (home->lock < 0)
        return error_set(err, STATUS_FAILED, "%s: cannot be opened: %s", path, strerror(errno));
    if (fcntl(home->lock, F_SETLK, &whole) == 0) return STATUS_OK;
    if (errno == EACCES || errno == EAGAIN)
        return error_set(err, STATUS_FAILED,
                         "%s: another tabia learn uses this directory; wait for its end",
                         home->dir);
    return error_set(err, STATUS_FAILED, "%s: cannot be locked: %s", path, strerror(errno));
}

Status learn_home_open(LearnHome *home, const char *dir, const atomic_int *interrupted, Error *err)
{
    char path[PATH_BYTES];

    *home = (LearnHome){.dir = dir, .lock = -1};
    if (strlen(home->dir) > PATH_BYTES - FILE_BYTES)
        return error_set(err, STATUS_USAGE, "%.60s…: the directory's name is too long", home->dir);
    (void)snprintf(path, sizeof path, "%s/weights", home->dir);
    Status status = make_folder(home->dir, err);
    if (status == STATUS_OK) status = make_folder(path, err);
    if (status == STATUS_OK) status = take_lock(home, err);
    if (status != STATUS_OK) return status;
    (void)snprintf(path, sizeof path, "%s/learn.db", home->dir);
    home->store = store_open_watched(path, STORE_CREATE, interrupted, err);
    if (!home->store) return err->status;
    store_watch(home->store, NULL); /* stages watch it where Ctrl-C may end a statement */
    return STATUS_OK;
}

void learn_home_close(LearnHome *home)
{
    store_close(home->store);
    if (home->lock >= 0) (void)close(home->lock);
}

/* The comment is not always the network's: two generations may have equal networks. */
static Status save_network(const char *path, const Evaluation *w, const char *comment, Error *err)
{
    Network network = *w->network;

    (void)snprintf(network.comment, sizeof network.comment, "%s", comment);
    return network_save(path, &network, err);
}

/* Is this the file's text? */
static bool is_written(const char *path, const char *text)
{
    size_t length = strlen(text), at = 0, n;
    FILE *file = fopen(path, "r");
    char part[4096];

    if (!file) return false;
    while ((n = fread(part, 1, sizeof part, file)) > 0 && n <= length - at &&
           memcmp(text + at, part, n) == 0)
        at += n;
    bool equal = n == 0 && at == length && !ferror(file);
    (void)fclose(file);
    return equal;
}

Status learn_publish(const LearnHome *home, const char *hash, const char *name, Error *err)
{
    char path[PATH_BYTES];
    Evaluation w;
    WeightsInfo info;

    Status status = stored_weights_get(home->store, hash, &w, &info, err);
    if (status != STATUS_OK) return status;
    const bool network = w.kind == EVALUATION_NETWORK;
    (void)snprintf(path, sizeof path, "%s/%s.%s", home->dir, name, network ? "net" : "h");
    if (network) return save_network(path, &w, info.comment, err);
    char *text = evaluation_text(&w, info.comment);
    const bool written = text && is_written(path, text);
    free(text);
    return written ? STATUS_OK : evaluation_save(path, &w, info.comment, err);
}

Status learn_publish_generation(const LearnHome *home, const char *hash, int generation, Error *err)
{
    char name[FILE_BYTES];

    (void)snprintf(name, sizeof name, "weights/gen-%03d", generation);
    return learn_publish(home, hash, name, err);
}
