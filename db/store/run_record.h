/* SPDX-License-Identifier: MIT
 * A run and its players as plain data, shared by all who read or write the store. */
#ifndef TABIA_DB_STORE_RUN_RECORD_H
#define TABIA_DB_STORE_RUN_RECORD_H

#include <stdint.h>

#include "db/files/sha256.h"

enum { UUID_MAX = 37, LABEL_MAX = 64, TIME_MAX = 24, PLAYER_NAME_MAX = 128 };

typedef enum RunKind { RUN_SELFPLAY = 1, RUN_GAUNTLET = 2, RUN_IMPORT = 3 } RunKind;

/* "selfplay", "gauntlet", "import": what is stored; "unknown" for other numbers. Static storage. */
const char *run_kind_name(RunKind kind);

/* A run: a list of games known in advance. It holds everything that determines them; two runs with
 * equal uuid are the same run, on any machine. */
typedef struct RunRecord {
    int64_t run_id;      /* row in this database; set by store_open_run() */
    char uuid[UUID_MAX]; /* derived by run_identify() */
    RunKind kind;
    char label[LABEL_MAX];
    char weights[2][HASH_HEX_MAX];  /* SHA-256 of players' weights: [0] a, [1] b (or "") */
    const char *config;             /* effective configuration as one JSON object, canonical order;
                                       borrowed on writing; malloc'ed, caller frees, on reading */
    char config_hash[HASH_HEX_MAX]; /* SHA-256 of config; set by run_identify() */
    uint64_t seed;
    int generation;   /* of `tabia learn`; -1 outside */
    char program[32]; /* version that started it */
    /* Set on reading; not part of the identity. Times are UTC, ISO 8601. */
    char host[LABEL_MAX]; /* machine that started it */
    char started[TIME_MAX];
    char finished[TIME_MAX]; /* "" while running or interrupted */
} RunRecord;

/* A player of a run; games refer to it by number. */
typedef struct PlayerRecord {
    int player_no;
    char name[PLAYER_NAME_MAX];
    char weights[HASH_HEX_MAX]; /* SHA-256; "": an external engine */
    const char *config;         /* a JSON object: program, options, limits; borrowed on writing,
                                   malloc'ed, caller frees, on reading */
} PlayerRecord;

/* Sets config_hash and uuid: a version-8 UUID from the SHA-256 over kind, seed, generation, weights
 * and config; not over program version, label and host. */
void run_identify(RunRecord *run);

#endif
