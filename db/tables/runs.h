/* SPDX-License-Identifier: MIT
 * The table of runs. */
#ifndef TABIA_DB_TABLES_RUNS_H
#define TABIA_DB_TABLES_RUNS_H

#include "db/store/connection.h"
#include "db/store/run_record.h"

/* *run_id is 0 when there is no run of this uuid. */
MUST_CHECK Status store_find_run(Store *store, const char *uuid, int64_t *run_id, Error *err);
/* Finds the run with run->uuid or inserts it; sets run->run_id. *created (may be NULL): it was
 * inserted. */
MUST_CHECK Status store_open_run(Store *store, RunRecord *run, bool *created, Error *err);
/* Sets the column `finished` to the current time, unless it is set. */
MUST_CHECK Status store_finish_run(Store *store, int64_t run_id, Error *err);
/* The same after a command for games [first, first + count) that found them all: only if it is not
 * set, and if the run has no other games, of which some may be missing. */
MUST_CHECK Status store_finish_range(Store *store, int64_t run_id, int64_t first, int64_t count,
                                     Error *err);
/* Sets it to NULL: games of the run are about to be played. */
MUST_CHECK Status store_reopen_run(Store *store, int64_t run_id, Error *err);

/* Lists runs in order of run_id into a malloc'ed array (each config malloc'ed), to be freed by
 * store_free_runs(). kind 0: all kinds. */
MUST_CHECK Status store_list_runs(Store *store, int kind, RunRecord **runs, int *count, Error *err);
void store_free_runs(RunRecord *runs, int count);

#endif
