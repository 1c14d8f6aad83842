/* SPDX-License-Identifier: MIT
 * The sections of the page. Each writes nothing when the database lacks what it shows; failures
 * stay in page->status. */
#ifndef TABIA_CLI_PAGE_SECTIONS_H
#define TABIA_CLI_PAGE_SECTIONS_H

#include "cli/page/html.h"
#include "cli/page/rows.h"

/* Runs a section's statement. False when it gives no rows, and after a failure. Free *rows in any
 * case. */
bool page_query(Page *page, const char *sql, Rows *rows);

/* Zeroed memory for a chart; NULL after a failure, such as too little memory. */
void *page_alloc(Page *page, int count, size_t size);

/* The first lines, after all sections: the result, from how much, the values of the pieces. */
void page_headline(Page *page, FILE *out);

/* How matches and the last iteration of a tuning were played: once a page. */
void page_conditions(Page *page);

/* Ratings of all players, over the generations of `tabia learn` if there are any. */
void section_strength(Page *page);

/* The constants and the gain of `tabia spsa`. */
void section_tuning(Page *page);

/* Losses, speed and outcome of the generations of `tabia learn`. */
void section_learning(Page *page);

/* Piece values and tables of squares of learned or fitted weights. */
void section_weights(Page *page);

/* One or two games, with boards and moves. */
void section_chosen_games(Page *page);

/* Ends, lengths, scores and phases of games. */
void section_games(Page *page);

/* Predictions against results, of the latest generation. */
void section_calibration(Page *page);

/* Diagnostics of the fits of `tabia tune`. */
void section_fits(Page *page);

/* Every match, and the path of its sequential test. */
void section_matches(Page *page);

#endif
