/* SPDX-License-Identifier: MIT
 * Games of a database in the formats of others. */
#ifndef TABIA_CLI_DB_EXPORT_H
#define TABIA_CLI_DB_EXPORT_H

#include "cli/output_file.h"
#include "db/store.h"

typedef struct ExportFormat {
    const char *name;
    const char *summary; /* one line for the help */
    /* Prints one game of `run`. */
    Status (*write)(FILE *out, const RunRecord *run, const GameRecord *game, Error *err);
} ExportFormat;

/* Ended by a row whose name is NULL. */
extern const ExportFormat export_formats[];

/* NULL, with a STATUS_USAGE sentence that lists them, for an unknown name. */
const ExportFormat *export_format_find(const char *name, Error *err);

/* Writes all games, runs in order of run_id, to path (compressed when it ends in .zst, standard
 * output when it is "-"); *games counts them. The file appears whole or not at all. */
MUST_CHECK Status db_export(Store *store, const char *path, const ExportFormat *format,
                            int64_t *games, Error *err);

#endif
