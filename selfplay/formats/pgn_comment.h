/* SPDX-License-Identifier: MIT
 * The comments that programs write after moves. */
#ifndef TABIA_SELFPLAY_FORMATS_PGN_COMMENT_H
#define TABIA_SELFPLAY_FORMATS_PGN_COMMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/store/game_record.h"

typedef struct PgnComment {
    int score;         /* of the search that chose the move, the mover's view; or SCORE_UNKNOWN */
    int next_score;    /* White's view, of the position after the move; or SCORE_UNKNOWN */
    int depth;         /* plies; 0: unknown */
    int64_t time_ms;   /* -1: unknown */
    int64_t nodes;     /* 0: unknown */
    GameReason reason; /* how the game ended, as we write it; 0: unknown */
} PgnComment;

/* Understands these; in other text it finds nothing:
 *   +0.31/14 0.52s, n=12345, …   fastchess, cutechess; also the score alone, with its sign
 *   +0.31/14, 0.520s, …          fastchess until 2024
 *   0.52s, n=12345, …            the same where there is no score
 *   +M5/20 0.001s                a mate, counted in plies as both of them do
 *   (d7d5 Ng1f3) +0.31/14 1:05   Arena, XBoard: perhaps moves; seconds, or minutes and seconds
 *   +0.31 14/20 520 12345        OpenBench: depths, milliseconds, nodes
 *   d=24, mt=900, n=5, wv=0.54,  TCEC: depth, milliseconds, nodes, score in White's view
 *   book
 *   [%eval -1.25] [%eval #-3]    Lichess: pawns, or moves to mate, White's view, after the move;
 *                                a mate also as -M3
 *   maximum length               a reason_name(), as pgn_write() puts it last
 * text[length] is overwritten. white_moved: the move before the comment was White's. */
void pgn_comment_parse(char *text, size_t length, bool white_moved, PgnComment *comment);

#endif
