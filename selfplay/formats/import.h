/* SPDX-License-Identifier: MIT
 * Importing the games of a file as a run of kind 'import'. */
#ifndef TABIA_SELFPLAY_FORMATS_IMPORT_H
#define TABIA_SELFPLAY_FORMATS_IMPORT_H

#include <stdatomic.h>

#include "db/store/connection.h"
#include "selfplay/formats/formats.h"

typedef struct ImportCounts {
    int64_t games, plies;   /* read; at the end: added */
    int64_t unfinished;     /* skipped, without a result */
    int64_t damaged;        /* skipped */
    Error first;            /* of the first damaged game */
    FaultCount dropped;     /* positions that lost a castling right or the like */
    int64_t consumed, size; /* bytes of the file */
    bool known;             /* the file was imported before: only missing games are added */
    double seconds;         /* that it took */
} ImportCounts;

typedef struct ImportJob {
    const char *path;
    const GameFormat *format;
    bool keep_going;
    int threads;                                                 /* at least 1 */
    const atomic_int *interrupted;                               /* non-zero: stop */
    void (*progress)(void *context, const ImportCounts *counts); /* called now and then */
    void *context;
} ImportJob;

/* The run is identified by format and SHA-256 of the file. The import is one transaction: a file is
 * stored completely or not at all, also when interrupted or killed. Players are numbered by name in
 * order of appearance. A file that was imported before is read again, and missing games (of a
 * sample or a killed merge) are added; when none is missing and the run is finished, no write lock
 * is taken. STATUS_DATABASE when the run has games that are not in the file. A damaged game
 * ends the import (STATUS_BAD_INPUT with file, line or byte, and cause), or with keep_going is
 * skipped and counted. A file without games is STATUS_BAD_INPUT. Ends the watch of store_watch().
 */
MUST_CHECK Status import_file(Store *store, const ImportJob *job, ImportCounts *counts, Error *err);

#endif
