/* SPDX-License-Identifier: MIT
 * Clocks from text, as fastchess and cutechess write them; pgn_time_control() is the reverse. */
#ifndef TABIA_CLI_PLAY_TIME_CONTROL_H
#define TABIA_CLI_PLAY_TIME_CONTROL_H

#include "engine/base/status.h"
#include "engine/search/search.h"

/* OptionParseFn for "[MOVES/]TIME[+INCREMENT]": TIME is SECONDS or MINUTES:SECONDS for MOVES moves,
 * without MOVES for the game; the increment is in seconds. Up to CLOCK_PERIODS of them, with colons
 * between them, follow each other; all but the last have MOVES. *limits, a SearchLimits, becomes that
 * clock for both colours and nothing else. "inf" only takes the clock away. STATUS_USAGE, *limits
 * unchanged, for any other text. */
MUST_CHECK Status time_control_set(void *limits, const char *text, Error *err);

/* The same for "SECONDS" a move. */
MUST_CHECK Status time_control_set_move(void *limits, const char *text, Error *err);

#endif
