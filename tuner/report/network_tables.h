/* SPDX-License-Identifier: MIT
 * What a network thinks of pieces and squares, in the form of linear weights. */
#ifndef TABIA_TUNER_REPORT_NETWORK_TABLES_H
#define TABIA_TUNER_REPORT_NETWORK_TABLES_H

#include "engine/eval/evaluation.h"

/* Material and squares that come nearest to the network, for a reader, not for play. In each
 * position of the bench each piece is taken away and put on every empty square: what the evaluation
 * gains by it, in the view of the piece's side, is the piece's value there (a king moves there).
 * The means over pieces and positions, each with its game phase as its weight for the middle game
 * and the rest for the end game, are the tables; their mean over the squares is the material. */
void network_tables(const Network *network, EvalWeights *tables);

/* The same for either kind: linear weights are their own tables. */
void evaluation_tables(const Evaluation *e, EvalWeights *tables);

#endif
