/* SPDX-License-Identifier: MIT
 * An evaluation as linear weights of pieces and squares. */
#ifndef TABIA_TUNER_REPORT_NETWORK_TABLES_H
#define TABIA_TUNER_REPORT_NETWORK_TABLES_H

#include "engine/eval/evaluation.h"

/* Linear weights are their own tables. Of a network: material and squares that come nearest to it,
 * for a reader, not for play. In each position of the bench each piece is taken away and put on
 * every empty square: what the evaluation gains by it, in the view of the piece's side, is the
 * piece's value there (a king moves there). The means over pieces and positions, each with its game
 * phase as its weight for the middle game and the rest for the end game, are the tables; their mean
 * over the squares is the material. */
void evaluation_tables(const Evaluation *e, EvalWeights *tables);

#endif
