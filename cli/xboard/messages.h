/* SPDX-License-Identifier: MIT
 * Moves, positions, clocks and thinking in the xboard protocol's notation.
 * Source: T. Mann, H. G. Muller, "Chess Engine Communication Protocol", version 2. */
#ifndef TABIA_CLI_XBOARD_MESSAGES_H
#define TABIA_CLI_XBOARD_MESSAGES_H

#include <stdio.h>

#include "engine/notation/move_text.h"
#include "engine/search/search.h"

/* A move in coordinates (in Chess960 castling as O-O) or, with `san`, in SAN. */
void xboard_move_text(const Position *pos, Move move, bool san, char text[SAN_MAX]);

/* Reads a legal move in any notation. */
MUST_CHECK Status xboard_read_move(const Position *pos, const char *text, Move *move);

/* Prints the commands that set up a position piece by piece, for engines without setboard. They
 * carry no en-passant square, and castling rights follow from where kings and rooks stand. False,
 * and nothing is printed, when the result would be another position. */
bool xboard_print_edit(FILE *out, const Position *pos);

/* Prints the commands that set the time control, once a game. The protocol counts in seconds and
 * has neither node limits nor "no clock". A time a move that is not a whole number of seconds
 * becomes a session of one move; no clock becomes a game of ten hours. */
void xboard_print_level(FILE *out, const SearchLimits *limits, Color engine);

/* Prints the clocks, before a move. */
void xboard_print_clocks(FILE *out, const SearchLimits *limits, Color engine);

/* The content of a line of thinking. */
typedef struct XboardThinking {
    int depth, selective_depth; /* plies; the second is 0 when absent */
    long score;                 /* centipawns, mates 100000 + moves; in the engine's viewpoint */
    long long time_cs, nodes;
    const char *line; /* the moves, in the text that was read */
} XboardThinking;

/* "9 156 1084 48000 Nf3 Nc6"; false when the line is not thinking output. */
bool xboard_read_thinking(const char *text, XboardThinking *thinking);

/* Prints a UCI line "info …". `white_scores`: the engine's scores are White's, not the side to
 * move's. The moves end before the first illegal one. */
void xboard_print_info(FILE *out, const XboardThinking *thinking, const Position *pos,
                       bool white_scores);

#endif
