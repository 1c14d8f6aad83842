/* SPDX-License-Identifier: MIT
 * The classical terms: the families of engine/eval/terms.h other than material and squares.
 *
 * The code of a term calls `add(tally, colour, term, times)` where the term applies. It is compiled
 * twice, with a tally that sums weights and with one that counts, so that the engine's evaluation
 * and the tuner's features are the same. classical_set_weights() finds the families with weights;
 * only these are evaluated.
 *
 * The words of the terms, from a side's own view:
 *   rank, ahead    as that side sees the board; its pawns start on rank 2.
 *   attacked       by any piece, pinned or not; x-rays only as under mobility.
 *   safe in reach  (mobility) squares a piece attacks, bishops through own queens and rooks through
 *                  own rooks and queens, that no enemy pawn attacks and that do not hold the own
 *                  king or an own pawn that is blocked or still on rank 2 or 3.
 *   isolated       no own pawn on the files beside. backward: some there, but all further ahead,
 *                  and the square before it held or attacked by an enemy pawn.
 *   passed         no enemy pawn ahead on its file or those beside, no own one ahead on its file.
 *   way, step      the squares ahead of a passed pawn, the first of them; safe: neither held nor
 *                  attacked by the other side.
 *   king's distance  in moves of a king, to the step.
 *   outpost        on rank 4 to 6, defended by a pawn, beyond reach of enemy pawns.
 *   shelter        on the king's file and its neighbours (of b and g at the edge) the own pawn
 *                  nearest to home that is level with the king or ahead, 0 when there is none,
 *                  otherwise its rank, from 1 for the second; storm: the same of enemy pawns.
 *   zone           the nine squares around the king's, moved inwards from the edges.
 *   weight         2 for each square of the zone that a knight or bishop attacks, rook 3, queen 5.
 *   weak           attacked, and neither defended by a pawn nor defended twice and attacked once.
 *   safe check     (by a side that reaches the zone) from a square not its own, which the other
 *                  side does not attack, or with its king alone against two.
 *
 * Sources: chessprogramming.org "Evaluation" and its pages "Mobility", "Pawn Structure", "King
 * Safety", "Outposts", "Space". */
#ifndef TABIA_ENGINE_EVAL_CLASSICAL_H
#define TABIA_ENGINE_EVAL_CLASSICAL_H

#include "engine/board/position.h"
#include "engine/eval/weights.h"

/* An entry of the pawn hash table, by pawn_key; the shelter also depends on the kings. White's
 * view. */
typedef struct PawnEntry {
    uint64_t key;
    uint8_t filled; /* 0: never */
    uint8_t king[COLORS];
    Score score;
    Score shelter;   /* of both kings, on those squares */
    Bitboard passed; /* of either colour */
} PawnEntry;

enum { PAWN_ENTRIES = 1 << 13 };

/* Weights arranged for the search, and the pawn hash table: one for each search thread. Some
 * hundred kilobytes, which are used only when a classical term has a weight. */
typedef struct Classical {
    EvalFamilies families; /* those with weights; 0: there is nothing to evaluate */
    Score value[EVAL_CLASSICAL_TERMS];
    PawnEntry pawns[PAWN_ENTRIES];
} Classical;

/* Sets the weights and clears the pawn hash table. */
void classical_set_weights(Classical *c, const EvalWeights *w);

/* The sum of the classical terms; White's view. A function of position and weights alone. */
Score classical_score(Classical *c, const Position *pos);

/* count[EVAL_CLASSICAL_TERMS]: how often each term of the families applies, White minus Black. */
void classical_counts(const Position *pos, EvalFamilies families,
                      int16_t count[EVAL_CLASSICAL_TERMS]);

#endif
