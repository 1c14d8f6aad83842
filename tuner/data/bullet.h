/* SPDX-License-Identifier: MIT
 * Data sets from bulletformat. */
#ifndef TABIA_TUNER_DATA_BULLET_H
#define TABIA_TUNER_DATA_BULLET_H

#include "tuner/data/dataset.h"

/* From a file in bulletformat, which has positions without games: each is its own. A record that is
 * no position is STATUS_BAD_INPUT with the file and the byte. The filter as for EPD. */
MUST_CHECK Status dataset_from_bullet(const char *path, const DatasetFilter *filter, int threads,
                                      Dataset **data, Error *err);

#endif
