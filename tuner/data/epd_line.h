/* SPDX-License-Identifier: MIT
 * One line of a labelled EPD or FEN file. */
#ifndef TABIA_TUNER_DATA_EPD_LINE_H
#define TABIA_TUNER_DATA_EPD_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "db/store/game_record.h"
#include "engine/notation/epd.h"

typedef struct EpdLine {
    Position pos;
    double result; /* White's half points: a GameResult, or between for a soft label */
    int score;     /* White's view, centipawns, or SCORE_UNKNOWN */
    TextWord id;   /* of opcode `id`, within the line; id.at is NULL: none, or an empty one */
} EpdLine;

/* Parses a line without its newline: a position, then in any order operations and labels
 * (engine/notation/epd.h), of which these give the outcome, for White:
 *   c9 "1-0";   c2 "1/2-1/2";   "0-1"   [1.0]   [0.5]   or a bare word 1-0, 0.5, 0 …
 * Results are 1-0, 0-1, 1/2-1/2; numbers from 0 to 1, as 0.5, and 0.73 of soft labels. A score is
 * given by
 *   ce 35;   [0.5] 35   for the side to move,   or   | 35 | 0.5   for White
 * Other opcodes are skipped. A line of CSV is FEN,EVAL,RESULT: EVAL in centipawns for White, or
 * empty, or a mate (#3), which is no score; more columns may follow, of which those of `tabia db
 * export` name the game. STATUS_BAD_INPUT with a sentence: no position, no label, an unknown or a
 * second, different label. */
MUST_CHECK Status epd_line_parse(TextSpan text, EpdLine *line, Error *err);

/* The line of CSV that names the columns: FEN,EVAL,RESULT, EVAL also as score, in any case, and
 * perhaps more. It is not a position. */
bool epd_line_is_header(TextSpan text);

/* Every spelling of an outcome: 1-0, 0-1, 1/2-1/2, 1/2, and a number from 0 to 1; also in brackets.
 * *result: White's half points. */
bool epd_parse_result(const char *text, size_t length, double *result);

#endif
