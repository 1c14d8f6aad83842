/* SPDX-License-Identifier: MIT
 * What is known of a data set once all of it has been read. */
#ifndef TABIA_TUNER_DATA_FINISH_H
#define TABIA_TUNER_DATA_FINISH_H

#include "tuner/data/dataset.h"

/* Call it last: counts duplicates, computes the digest, releases unused memory. */
MUST_CHECK Status dataset_finish(Dataset *data, int threads, Error *err);

/* The end of each reader: finishes the set, unless `status` is a failure, which is returned. A set
 * without positions is STATUS_BAD_INPUT: the sentence names the source, and what was left out of
 * it. After a failure the set is destroyed and *data NULL. */
MUST_CHECK Status dataset_finish_reading(Status status, const char *source, int threads,
                                         Dataset **data, Error *err);

#endif
