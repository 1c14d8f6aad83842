/* SPDX-License-Identifier: MIT
 * Writing the games of a database in other programs' formats. */
#ifndef TABIA_CLI_DB_EXPORT_H
#define TABIA_CLI_DB_EXPORT_H

#include <stdatomic.h>

#include "db/store/connection.h"
#include "db/store/game_record.h"
#include "selfplay/formats/formats.h"

/* Is the position before plies[ply] wanted? */
typedef bool (*PositionFilter)(const void *context, const GameRecord *game, int ply,
                               const Position *pos);

typedef struct ExportSettings {
    const GameFormat *format;
    PositionFilter filter; /* NULL: all; only for formats of positions */
    const void *filter_context;
    const atomic_int *interrupted;
    bool quiet;
    Error damage; /* known damage: then rows are salvaged one by one; STATUS_OK: none */
} ExportSettings;

typedef struct ExportCounts {
    int64_t games, positions; /* written */
    int64_t lost;             /* games that could not be read, or break the rules */
    bool more_lost;           /* perhaps more were lost */
    Error first;              /* the first fault; STATUS_OK: none */
    double seconds;
} ExportCounts;

/* Writes all games, runs in order of uuid, to path (compressed when it ends in .zst, standard
 * output when it is "-"). The file appears complete or not at all. Games that cannot be read are
 * left out and counted. A damaged database is then read row by row, in order of its rows; not to
 * standard output, where the beginning is written already: STATUS_DATABASE. */
MUST_CHECK Status db_export(Store *store, const char *path, const ExportSettings *settings,
                            ExportCounts *counts, Error *err);

#endif
