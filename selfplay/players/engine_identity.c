/* SPDX-License-Identifier: MIT
 * The files of an engine, compared at each start. */
#define _GNU_SOURCE /* F_SETLEASE */
#include "selfplay/players/engine_identity.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/files/input_file.h"
#include "selfplay/players/player_uci.h"

#ifdef __APPLE__
#define st_ctim st_ctimespec
#endif

/* ---- Files */

static bool is_touched(const struct stat *a, const struct stat *b)
{
    return a->st_dev != b->st_dev || a->st_ino != b->st_ino || a->st_size != b->st_size ||
           a->st_ctim.tv_sec != b->st_ctim.tv_sec || a->st_ctim.tv_nsec != b->st_ctim.tv_nsec;
}

/* The information is from before the hash: a change in between shows at the next comparison. */
static Status hash_file(const char *path, const atomic_int *cancelled, struct stat *info,
                        char hash[HASH_HEX_MAX], Error *err)
{
    int64_t size;

    hash[0] = '\0';
    if (stat(path, info) != 0 || !S_ISREG(info->st_mode)) return STATUS_OK;
    return input_sha256(path, cancelled, hash, &size, err);
}

static void drop_file(EngineFile *file)
{
    free(file->path);
    *file = (EngineFile){0};
}

/* Adds the file DIR/NAME, if it is one and can be read. */
static Status add_file(EngineIdentity *identity, const char *key, const char *dir, const char *name,
                       const atomic_int *cancelled, Error *err)
{
    EngineFile file = {0};
    size_t size = strlen(dir) + strlen(name) + 2;

    file.path = malloc(size);
    if (!file.path)
        return error_set(err, STATUS_FAILED, "out of memory for the files of an engine");
    bool below = *dir && *name != '/';
    (void)snprintf(file.path, size, "%s%s%s", below ? dir : "", below ? "/" : "", name);
    (void)snprintf(file.key, sizeof file.key, "%s", key);
    Status status = hash_file(file.path, cancelled, &file.info, file.hash, err);
    if (status == STATUS_OK && file.hash[0])
        identity->files[identity->file_count++] = file;
    else
        drop_file(&file);
    return status == STATUS_INTERRUPTED ? status : STATUS_OK;
}

/* The file that a word names: in the engine's working directory, or beside the program, which is
 * the first file. */
static Status add_named(EngineIdentity *identity, const UciSetup *engine, const char *key,
                        const char *name, Error *err)
{
    const char *dir = engine->command.dir;
    const int before = identity->file_count;
    char beside[GUARD_PATH_MAX];

    if (!*name) return STATUS_OK;
    Status status = add_file(identity, key, dir ? dir : "", name, engine->cancelled, err);
    if (status != STATUS_OK || identity->file_count > before || before == 0 || *name == '/')
        return status;
    (void)snprintf(beside, sizeof beside, "%s", identity->files[0].path);
    char *slash = strrchr(beside, '/');
    if (!slash) return STATUS_OK;
    *slash = '\0';
    return add_file(identity, key, beside, name, engine->cancelled, err);
}

static Status add_program(EngineIdentity *identity, const ProgramCommand *command, const char *key,
                          const atomic_int *cancelled, Error *err)
{
    char path[GUARD_PATH_MAX];

    if (guard_find_program(command->program, command->dir, path) != 0) return STATUS_OK;
    return add_file(identity, key, "", path, cancelled, err);
}

static const char *value_of(const char *word)
{
    const char *equals = strchr(word, '=');
    return equals ? equals + 1 : "";
}

Status engine_identity_find(EngineIdentity *identity, const UciSetup *engine, Error *err)
{
    const char *const *args = engine->command.args;
    int words = 0;
    char key[24];

    while (args && args[words])
        words++;
    size_t most = 2 + 2 * (size_t)words + (size_t)engine->option_count;
    engine_identity_free(identity);
    identity->files = calloc(most, sizeof *identity->files);
    if (!identity->files)
        return error_set(err, STATUS_FAILED, "out of memory for the files of an engine");
    Status status = add_program(identity, &engine->command, "program", engine->cancelled, err);
    for (int i = 0; i < words && status == STATUS_OK; i++) {
        (void)snprintf(key, sizeof key, "arg_%d", i + 1);
        status = add_named(identity, engine, key, args[i], err);
        if (status == STATUS_OK) status = add_named(identity, engine, key, value_of(args[i]), err);
    }
    for (int i = 0; i < engine->option_count && status == STATUS_OK; i++) {
        (void)snprintf(key, sizeof key, "option_%d", i + 1);
        status = add_named(identity, engine, key, value_of(engine->options[i]), err);
    }
    if (status == STATUS_OK && engine->adapter.program)
        status = add_program(identity, &engine->adapter, "", engine->cancelled, err);
    return status;
}

/* A process that has a file open for writing prevents a lease on it. */
static bool is_open_for_writing(const char *path)
{
    bool busy = false;
#ifdef F_SETLEASE
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0) return false;
    (void)fcntl(fd, F_SETSIG, SIGURG); /* to whom opens it meanwhile; ignored, unlike SIGIO */
    busy = fcntl(fd, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
    (void)close(fd);
#else
    (void)path;
#endif
    return busy;
}

void engine_identity_drop_logs(EngineIdentity *identity)
{
    int kept = 0;

    for (int i = 0; i < identity->file_count; i++) {
        EngineFile *file = &identity->files[i];
        struct stat info;
        bool touched = stat(file->path, &info) != 0 || is_touched(&file->info, &info);
        if (strncmp(file->key, "program", 7) != 0 && (touched || is_open_for_writing(file->path)))
            drop_file(file);
        else
            identity->files[kept++] = *file;
    }
    identity->file_count = kept;
}

Status engine_identity_check(const EngineIdentity *identity, const char *id_name,
                             const atomic_int *cancelled, Error *err)
{
    for (int i = 0; i < identity->file_count; i++) {
        const EngineFile *file = &identity->files[i];
        char hash[HASH_HEX_MAX];
        struct stat info;
        if (stat(file->path, &info) == 0 && !is_touched(&file->info, &info)) continue;
        Status status = hash_file(file->path, cancelled, &info, hash, err);
        if (status != STATUS_OK) {
            err->status = status == STATUS_INTERRUPTED ? status : STATUS_FAILED;
            return err->status;
        }
        if (strcmp(hash, file->hash) != 0)
            return error_set(err, STATUS_ENGINE,
                             "the file %s %s during the match; play the changed one in a new match",
                             file->path, hash[0] ? "was changed" : "was removed");
    }
    if (strcmp(identity->id_name, id_name) == 0) return STATUS_OK;
    return error_set(err, STATUS_ENGINE,
                     "the program gave another name during the match: \"%s\" instead of \"%s\"",
                     id_name, identity->id_name);
}

const char *engine_identity_hash(const EngineIdentity *identity, const char *key)
{
    for (int i = 0; i < identity->file_count; i++)
        if (strcmp(identity->files[i].key, key) == 0) return identity->files[i].hash;
    return NULL;
}

void engine_identity_free(EngineIdentity *identity)
{
    for (int i = 0; i < identity->file_count; i++)
        drop_file(&identity->files[i]);
    free(identity->files);
    *identity = (EngineIdentity){0};
}
