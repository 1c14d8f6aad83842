/* SPDX-License-Identifier: MIT
 * The evaluation beyond material and squares: the families of eval_terms.h that have to be worked
 * out on each position.
 *
 * One piece of code says when a term applies and how often: a function `add(tally, colour, term,
 * times)` is called for each. It is compiled twice, with a tally that sums weights and with one
 * that counts, so that the engine's evaluation and the tuner's features cannot disagree. The engine
 * pays for what has weights: whoever takes weights over asks once which families those are, with
 * none of them nothing here is ever called, and with some of them the others are left out.
 *
 * The words of the terms, from a side's own view:
 *   rank, ahead    as that side sees the board; its pawns start on rank 2.
 *   attacked       by any man, pinned or not; through nothing but what mobility says.
 *   safe in reach  (mobility) squares a piece attacks, bishops through own queens and rooks through
 *                  own rooks and queens, that no hostile pawn attacks and that do not hold the own
 *                  king or an own pawn that is blocked or still on rank 2 or 3.
 *   isolated       no own pawn on the files beside. backward: some there, but all further ahead,
 *                  and the square before it held or attacked by a hostile pawn.
 *   passed         no hostile pawn ahead on its file or those beside, no own one ahead on its file.
 *   way, step      the squares ahead of a passed pawn, the first of them; safe: neither held nor
 *                  attacked by the other side.
 *   king's distance  in moves of a king, to the step.
 *   outpost        on rank 4 to 6, defended by a pawn, beyond reach of hostile pawns.
 *   shelter        on the king's file and its neighbours (of b and g at the edge) the own pawn
 *                  nearest to home that is level with the king or ahead, 0 when there is none,
 *                  otherwise its rank, from 1 for the second; storm: the same of hostile pawns.
 *   zone           the nine squares around the king's, moved inwards from the edges.
 *   weight         2 for each square of the zone that a knight or bishop attacks, rook 3, queen 5.
 *   weak man       attacked, and neither defended by a pawn nor defended twice and attacked once.
 *   safe check     (by a side that reaches the zone) from a square not its own, which the other
 *                  side does not attack, or with its king alone against two.
 *
 * Sources: chessprogramming.org "Evaluation" and its pages "Mobility", "Pawn Structure", "King
 * Safety", "Outposts", "Space". */
#ifndef TABIA_ENGINE_EVAL_CLASSICAL_H
#define TABIA_ENGINE_EVAL_CLASSICAL_H

#include "engine/board/position.h"
#include "engine/eval/weights.h"

/* What pawns, and for the shelter the kings, alone decide, by pawn_key; White's view. */
typedef struct PawnEntry {
    uint64_t key;
    uint8_t filled; /* 0: never */
    uint8_t king[COLORS];
    Score score;
    Score shelter;   /* of both kings, on those squares */
    Bitboard passed; /* of either colour */
} PawnEntry;

enum { PAWN_ENTRIES = 1 << 13 };

/* Weights arranged for the search, and what it remembers of pawns: one for each searching thread.
 * Some hundred kilobytes that are only touched when there are weights. */
typedef struct Classical {
    EvalFamilies families; /* those with weights; 0: there is nothing to evaluate */
    Score value[EVAL_CLASSICAL_TERMS];
    PawnEntry pawns[PAWN_ENTRIES];
} Classical;

/* Takes weights over, and forgets what was remembered under others. */
void classical_set_weights(Classical *c, const EvalWeights *w);

/* The sum of the terms that have weights; White's view. Always the same for a position. */
Score classical_score(Classical *c, const Position *pos);

/* count[EVAL_CLASSICAL_TERMS]: how often each term of the families applies, White minus Black. */
void classical_counts(const Position *pos, EvalFamilies families,
                      int16_t count[EVAL_CLASSICAL_TERMS]);

#endif
