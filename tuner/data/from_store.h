/* SPDX-License-Identifier: MIT
 * Data sets from stored games. */
#ifndef TABIA_TUNER_DATA_FROM_STORE_H
#define TABIA_TUNER_DATA_FROM_STORE_H

#include "db/store/connection.h"
#include "tuner/data/dataset.h"

/* From games in `count` stores, one after another, by replay: those of self-play and imports, or of
 * the filter's runs. Each store is read in one transaction. STATUS_BAD_INPUT for a stored game that
 * breaks the rules. */
MUST_CHECK Status dataset_from_stores(Store *const *stores, int count, const DatasetFilter *filter,
                                      int threads, Dataset **data, Error *err);
static inline Status dataset_from_store(Store *store, const DatasetFilter *filter, int threads,
                                        Dataset **data, Error *err)
{
    return dataset_from_stores(&store, 1, filter, threads, data, err);
}

#endif
