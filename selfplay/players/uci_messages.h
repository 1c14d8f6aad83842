/* SPDX-License-Identifier: MIT
 * What a UCI engine is told of a game, and what its answers say. */
#ifndef TABIA_SELFPLAY_PLAYERS_UCI_MESSAGES_H
#define TABIA_SELFPLAY_PLAYERS_UCI_MESSAGES_H

#include "selfplay/players/player.h"

/* 1,024 moves of at most 6 characters, the FEN, and `go`. */
enum { UCI_GAME_TEXT_MAX = 8192 };

/* The position command of a game, which grows with it: a move is put into words once. */
typedef struct UciGameText {
    char text[UCI_GAME_TEXT_MAX];
    size_t length; /* of "position … moves …", without an end; 0 before a game */
    int ply_count; /* the moves in it */
    Position position;
} UciGameText;

/* Brings *t, zeroed before a game, up to the present position, and puts the `go` of `limits` behind
 * it, so that both are sent together: t->text holds *size bytes of whole lines. False when the game
 * is too long or its start no position. */
bool uci_tell_game(UciGameText *t, const GameView *game, const SearchLimits *limits, size_t *size);

/* Takes score, depth and nodes of a line "info …" over into *out. Of several best lines only the
 * first counts; a bound counts only as long as there is no score. *exact says whether there is one:
 * false before the search. Mates are counted in moves by UCI, in plies here. */
void uci_read_info(const char *line, PlayerMove *out, bool *exact);

#endif
