/* SPDX-License-Identifier: MIT
 * The quiescent leaf of a position. */
#ifndef TABIA_TUNER_DATA_QUIESCENCE_LEAVES_H
#define TABIA_TUNER_DATA_QUIESCENCE_LEAVES_H

#include "engine/eval/eval.h"

/* The leaf of a quiescence search from *pos under the weights w: the position whose static
 * evaluation is its value, *pos itself where standing pat is best. Captures and promotions that do
 * not lose material by exchange, in check every evasion; as the engine's quiescence searches, but
 * without its hash table and its margins, so that the leaf depends on position and weights alone.
 * Positions beyond 16 plies or 100,000 nodes are taken as they are.
 * leaf may not be pos. */
void quiescence_leaf(const Position *pos, const EvalWeights *w, Position *leaf);

#endif
