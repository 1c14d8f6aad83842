/* SPDX-License-Identifier: MIT
 * What an external engine is when a match begins: its name, and the files that it is given. */
#ifndef TABIA_SELFPLAY_PLAYERS_ENGINE_IDENTITY_H
#define TABIA_SELFPLAY_PLAYERS_ENGINE_IDENTITY_H

#include <stdatomic.h>
#include <sys/stat.h>

#include "db/files/sha256.h"
#include "db/store/run_record.h"
#include "engine/base/status.h"
#include "selfplay/players/child_guard.h"

typedef struct EngineFile {
    char key[24];     /* "program", "arg_N" or "option_N", N from 1; "" for the adapter */
    char *path;       /* relative to our working directory; owned */
    struct stat info; /* when it was hashed */
    char hash[HASH_HEX_MAX];
} EngineFile;

/* Zero: nothing is known. Written by the trial start alone, then read by all threads. */
typedef struct EngineIdentity {
    char id_name[PLAYER_NAME_MAX]; /* that it gives itself; "": none */
    EngineFile *files;             /* [file_count], owned */
    int file_count;
} EngineIdentity;

/* Finds and hashes the program, the adapter and the regular files that arguments ("FILE",
 * "…=FILE") and options name, in the engine's working directory or else in the program's. A program
 * that is not found is left out. STATUS_INTERRUPTED when *engine->cancelled is set. */
struct UciSetup;
MUST_CHECK Status engine_identity_find(EngineIdentity *identity, const struct UciSetup *engine,
                                       Error *err);

/* While the engine runs, ready for a game: drops the files that it has written to or has opened for
 * writing, such as logs. */
void engine_identity_drop_logs(EngineIdentity *identity);

/* After a start: STATUS_ENGINE when a file has other contents, or when the engine gives another
 * name; STATUS_FAILED when one cannot be read. Reads only files that were touched. */
MUST_CHECK Status engine_identity_check(const EngineIdentity *identity, const char *id_name,
                                        const atomic_int *cancelled, Error *err);

/* The hash of the file with this key; NULL when there is none. */
const char *engine_identity_hash(const EngineIdentity *identity, const char *key);

void engine_identity_free(EngineIdentity *identity);

#endif
