/* SPDX-License-Identifier: MIT
 * Counting leaves in parts. */
#include "cli/bench/leaves.h"

#include "cli/output/process.h"
#include "engine/board/movegen.h"
#include "engine/board/perft.h"
#include "engine/board/position_make.h"
#include "engine/eval/eval.h"

enum { PART_DEPTH = 3 }; /* plies, counted in less than a second in any position */

void leaf_counter_init(LeafCounter *counter, bool full)
{
    EvalWeights weights;

    weights_material(&weights);
    counter->full = full;
    eval_psq_table(&weights, &counter->table);
}

uint64_t count_leaves(const LeafCounter *counter, const Position *pos, int depth)
{
    MoveList list;
    Position next;
    uint64_t leaves = 0;

    if (depth <= PART_DEPTH)
        return counter->full ? perft_full(pos, depth, &counter->table) : perft(pos, depth);
    movegen_all(pos, &list);
    for (int i = 0; i < list.count && !atomic_load(cli_interrupted()); i++) {
        position_make_eval(&next, pos, list.moves[i], &counter->table);
        leaves += count_leaves(counter, &next, depth - 1);
    }
    return leaves;
}
