/* SPDX-License-Identifier: MIT
 * The sections of the page. Each writes nothing when the database lacks what it shows. */
#ifndef TABIA_CLI_PAGE_SECTIONS_H
#define TABIA_CLI_PAGE_SECTIONS_H

#include "cli/page/html.h"

/* Ratings of all players, over the generations of `tabia learn` if there are any. */
MUST_CHECK Status section_strength(Page *page, Error *err);

/* Losses, speed and outcome of the generations of `tabia learn`. */
MUST_CHECK Status section_learning(Page *page, Error *err);

/* Piece values and tables of squares of learned or fitted weights. */
MUST_CHECK Status section_weights(Page *page, Error *err);

/* Ends, lengths, scores and phases of games. */
MUST_CHECK Status section_games(Page *page, Error *err);

/* Predictions against results, of the latest generation. */
MUST_CHECK Status section_calibration(Page *page, Error *err);

/* Diagnostics of the fits of `tabia tune`. */
MUST_CHECK Status section_fits(Page *page, Error *err);

/* Every match, and the path of its sequential test. */
MUST_CHECK Status section_matches(Page *page, Error *err);

#endif
