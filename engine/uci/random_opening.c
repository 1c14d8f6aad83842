/* SPDX-License-Identifier: MIT
 * Random moves and the verification search of openings. */
#include "engine/uci/random_opening.h"

#include <stdlib.h>

#include "engine/board/position_make.h"

bool random_opening_move(Position *pos, Pcg *rng)
{
    const Position before = *pos;
    MoveList list;

    movegen_all(pos, &list);
    if (list.count == 0) return false;
    position_make(pos, &before, list.moves[pcg_below(rng, (uint32_t)list.count)]);
    return true;
}

int random_opening_imbalance(Search *verifier, const Position *pos, const SearchLimits *limits)
{
    SearchResult result;

    search_new_game(verifier);
    search_run(verifier, pos, NULL, limits, &result);
    return abs(result.score);
}
