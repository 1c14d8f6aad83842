/* SPDX-License-Identifier: MIT
 * Counting the leaves of the game tree: the test of the move generator and the measure of its
 * speed. Source: chessprogramming.org "Perft". */
#include "engine/movegen.h"

#include "engine/position_make.h"

uint64_t perft(const Position *pos, int depth)
{
    MoveList list;
    uint64_t leaves = 0;
    Checks checks;

    if (depth <= 0) return 1;
    if (depth == 1) return (uint64_t)movegen_count(pos);
    movegen_all(pos, &list);
    checks_find(&checks, pos);
    for (int i = 0; i < list.count; i++) {
        Position next;
        position_make_with(&next, pos, list.moves[i], NULL, &checks);
        leaves += perft(&next, depth - 1);
    }
    return leaves;
}

uint64_t perft_full(const Position *pos, int depth, const PsqTable *table)
{
    MoveList list;
    Position next;
    Checks checks;
    uint64_t leaves = 0;

    if (depth <= 0) return 1;
    if (!table) __builtin_unreachable(); /* so that it is not asked at every piece */
    movegen_all(pos, &list);
    checks_find(&checks, pos);
    for (int i = 0; i < list.count; i++) {
        position_make_with(&next, pos, list.moves[i], table, &checks);
        leaves += depth > 1 ? perft_full(&next, depth - 1, table) : 1;
    }
    return leaves;
}
