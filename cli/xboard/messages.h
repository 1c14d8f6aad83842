/* SPDX-License-Identifier: MIT
 * The xboard protocol's words for moves, positions, clocks and thinking.
 * Source: T. Mann, H. G. Muller, "Chess Engine Communication Protocol", version 2. */
#ifndef TABIA_CLI_XBOARD_MESSAGES_H
#define TABIA_CLI_XBOARD_MESSAGES_H

#include <stdio.h>

#include "engine/search/search.h"

/* Prints a move as the engine wants it: coordinates, castling in Chess960 as O-O, or with `san`. */
void xboard_print_move(FILE *out, const Position *pos, Move move, bool san);

/* Reads a legal move in any notation. */
MUST_CHECK Status xboard_read_move(const Position *pos, const char *text, Move *move, Error *err);

/* Prints how a position is set up piece by piece, for engines that have no other way: this knows
 * nothing of castling rights, which then follow from where kings and rooks stand, nor of en
 * passant. False, and nothing is printed, when that would be another position. */
bool xboard_print_edit(FILE *out, const Position *pos);

/* Prints the commands that say how a game's time is kept, once a game. The protocol counts in
 * seconds, and has neither nodes nor "no clock": times a move that are no whole seconds become
 * sessions of one move, and no clock a game of ten hours. */
void xboard_print_level(FILE *out, const SearchLimits *limits, Color engine);

/* Prints what is on the clocks, before a move. */
void xboard_print_clocks(FILE *out, const SearchLimits *limits, Color engine);

/* What a line of thinking says. */
typedef struct XboardThinking {
    int depth, selective_depth; /* the second 0 when it is not said */
    long score;                 /* centipawns, mates 100000 + moves; as the engine has it */
    long long time_cs, nodes;
    const char *line; /* the moves, in the text that was read */
} XboardThinking;

/* "9 156 1084 48000 Nf3 Nc6"; false when it is nothing of that kind. */
bool xboard_read_thinking(const char *text, XboardThinking *thinking);

/* Prints it as UCI's "info …", a line; `white_scores`: the engine's scores are White's, not the
 * side to move's. The moves go as far as they are legal. */
void xboard_print_info(FILE *out, const XboardThinking *thinking, const Position *pos,
                       bool white_scores);

#endif
