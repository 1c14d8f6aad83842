/* SPDX-License-Identifier: MIT
 * Games of a file into the store, as a run of kind 'import'. */
#ifndef TABIA_SELFPLAY_FORMATS_IMPORT_H
#define TABIA_SELFPLAY_FORMATS_IMPORT_H

#include <stdatomic.h>

#include "db/store/connection.h"
#include "db/store/run_record.h"
#include "selfplay/formats/formats.h"

typedef struct ImportCounts {
    int64_t games, plies;   /* read; in the end: added */
    int64_t unfinished;     /* passed over: nobody says how they ended */
    int64_t damaged;        /* passed over */
    Error first;            /* what was wrong with the first of them */
    int64_t consumed, size; /* bytes of the file */
    bool known;             /* the file was imported before: games that are here count as none */
    char label[LABEL_MAX];  /* of the run: the file's name without its folders */
} ImportCounts;

/* Called now and then; may be NULL. */
typedef void (*ImportProgressFn)(void *context, const ImportCounts *counts);

/* What identifies the run is the format and the SHA-256 of the file. All is one transaction: a file
 * is in the store whole or not at all, also when interrupted or killed. Players are numbered by
 * name in the order in which they appear. A file that was imported before is read again, for some
 * of its games may be missing (a sample, a merge that was killed): they are added. Where none is,
 * nobody else is kept from writing meanwhile. A damaged game
 * ends the import (STATUS_BAD_INPUT with file, line or byte, and cause), or with keep_going is
 * passed over and counted. A file without any game is STATUS_BAD_INPUT. */
MUST_CHECK Status import_file(Store *store, const char *path, const GameFormat *format,
                              bool keep_going, const atomic_int *interrupted,
                              ImportProgressFn progress, void *context, ImportCounts *counts,
                              Error *err);

#endif
