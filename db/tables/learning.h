/* SPDX-License-Identifier: MIT
 * The tables of learning: fits, gauntlets and generations. Their `json` holds all figures. */
#ifndef TABIA_DB_TABLES_LEARNING_H
#define TABIA_DB_TABLES_LEARNING_H

#include <stdint.h>

#include "db/store/connection.h"
#include "db/store/run_record.h"

/* The functions that write may be part of a transaction of the caller, also together with
 * store_put_weights(). */
MUST_CHECK Status store_put_fit(Store *store, const char *weights_hash, const char *start_hash,
                                const char *dataset_digest, const char *json, Error *err);
/* By run->run_id, with its weights. state: "running", "finished", "interrupted"; json: the result.
 * A row that says so already is not written again. */
MUST_CHECK Status store_put_gauntlet(Store *store, const RunRecord *run, const char *state,
                                     const char *json, Error *err);
/* The malloc'ed members of its json whose keys are LIKE `keys`; NULL when there is no row. */
MUST_CHECK Status store_get_gauntlet(Store *store, const RunRecord *run, const char *keys,
                                     char **json, Error *err);
/* Writes the last finished stage of a generation of `tabia learn`, from which a killed run resumes.
 * json holds the figures so far. */
MUST_CHECK Status store_put_generation(Store *store, int generation, const char *stage,
                                       const char *best_hash, const char *json, Error *err);
/* The highest generation; *generation is -1 when there is none. json is malloc'ed. */
MUST_CHECK Status store_last_generation(Store *store, int *generation, char stage[32],
                                        char best_hash[HASH_HEX_MAX], char **json, Error *err);
/* The latest `room` distinct best weights of the generations, newest first. */
MUST_CHECK Status store_list_best(Store *store, int room, char hashes[][HASH_HEX_MAX], int *count,
                                  Error *err);
/* The malloc'ed json of a generation; NULL when it is absent. */
MUST_CHECK Status store_get_generation(Store *store, int generation, char stage[32], char **json,
                                       Error *err);

#endif
