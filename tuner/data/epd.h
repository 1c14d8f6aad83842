/* SPDX-License-Identifier: MIT
 * Data sets from labelled EPD files. */
#ifndef TABIA_TUNER_DATA_EPD_H
#define TABIA_TUNER_DATA_EPD_H

#include "tuner/data/dataset.h"

/* From an EPD, FEN or CSV file, plain or .zst, labelled `c9 "1-0"`, `[1.0]`, `c2 "1-0"`, or a bare
 * number or result at the end of the line (epd_line.h). Positions of one game share `id "…"`;
 * without ids each line is its own game. Blank lines and lines starting with '#' are skipped. A
 * line without a label, with an unknown label or an illegal FEN is STATUS_BAD_INPUT with file and
 * line. Of the filter only `terms`, `leaf_weights`, `scratch`, `keep_going` and what
 * position_filter_drops_alone() reads apply. */
MUST_CHECK Status dataset_from_epd(const char *path, const DatasetFilter *filter, int threads,
                                   Dataset **data, Error *err);

#endif
