/* SPDX-License-Identifier: MIT
 * Quiescence that keeps its leaf. */
#include "tuner/data/quiescence_leaves.h"

#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/board/see.h"
#include "engine/search/search.h"

/* Beyond these a position is taken as it is. One of a game seldom needs more than a hundred nodes,
 * one with ten queens a side may need more than can be searched. */
enum { PLIES_MAX = 16, NODES_MAX = 100000 };

/* Moves the move of the most valuable victim among moves[from, count) to the front. */
static void pick(const Position *pos, MoveList *list, int from)
{
    int best = from, most = -1;

    for (int i = from; i < list->count; i++) {
        int victim = pos->board[move_to(list->moves[i])];
        int gain = victim == NO_PIECE ? 0 : see_value[piece_type(victim)];
        gain += move_is_promotion(list->moves[i]) ? see_value[QUEEN] : 0;
        if (gain <= most) continue;
        most = gain;
        best = i;
    }
    Move m = list->moves[from];
    list->moves[from] = list->moves[best];
    list->moves[best] = m;
}

static int quiesce(const Position *pos, const EvalWeights *w, int alpha, int beta, int ply,
                   int *nodes, Position *leaf)
{
    const bool in_check = position_in_check(pos);
    MoveList list;
    int white = eval_white(pos, w), best = pos->stm == WHITE ? white : -white;

    *leaf = *pos;
    if (++*nodes > NODES_MAX || ply == PLIES_MAX) return best;
    if (in_check) {
        best = -VALUE_MATE + ply;
        movegen_all(pos, &list);
    } else {
        if (best >= beta) return best;
        movegen_noisy(pos, &list);
    }
    alpha = best > alpha ? best : alpha;
    for (int i = 0; i < list.count; i++) {
        Position next, its_leaf;
        pick(pos, &list, i);
        if (!in_check && !see_at_least(pos, list.moves[i], 0)) continue;
        position_make(&next, pos, list.moves[i]);
        int value = -quiesce(&next, w, -beta, -alpha, ply + 1, nodes, &its_leaf);
        if (value <= best) continue;
        best = value;
        if (value <= alpha) continue;
        alpha = value;
        *leaf = its_leaf;
        if (value >= beta) break;
    }
    return best;
}

void quiescence_leaf(const Position *pos, const EvalWeights *w, Position *leaf)
{
    int nodes = 0;

    (void)quiesce(pos, w, -VALUE_INFINITE, VALUE_INFINITE, 0, &nodes, leaf);
}
