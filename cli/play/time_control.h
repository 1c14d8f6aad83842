/* SPDX-License-Identifier: MIT
 * Clocks as text, as fastchess and cutechess write them. */
#ifndef TABIA_CLI_PLAY_TIME_CONTROL_H
#define TABIA_CLI_PLAY_TIME_CONTROL_H

#include "engine/base/status.h"
#include "engine/search/search.h"

/* OptionParseFn for "[MOVES/]TIME[+INCREMENT]": TIME is SECONDS or MINUTES:SECONDS for MOVES moves,
 * without MOVES for the game; the increment is in seconds. *limits, a SearchLimits, becomes that
 * clock for both colours and nothing else. "inf" only takes the clock away. STATUS_USAGE, *limits
 * unchanged, for any other text. */
MUST_CHECK Status time_control_set(void *limits, const char *text, Error *err);

/* The same for "SECONDS" a move. */
MUST_CHECK Status time_control_set_move(void *limits, const char *text, Error *err);

enum { TIME_CONTROL_TEXT_MAX = 64 };

/* The clock of the limits as time_control_set() reads it, or in PGN's form: "40/60+0.5",
 * "0.1/move"; "-" without one. */
void time_control_text(const SearchLimits *limits, char out[TIME_CONTROL_TEXT_MAX]);

#endif
