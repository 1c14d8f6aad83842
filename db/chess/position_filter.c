/* SPDX-License-Identifier: MIT
 * Why a stored position is dropped. */
#include "db/chess/position_filter.h"

#include <stdlib.h>

#include "engine/board/movegen.h"
#include "engine/board/see.h"
#include "engine/eval/eval.h"

void position_filter_defaults(PositionFilter *filter)
{
    *filter = (PositionFilter){.min_ply = 4, .max_score = 2000, .max_phase = EVAL_PHASE_MAX};
}

static bool captures_win(const Position *pos)
{
    MoveList noisy;
    movegen_noisy(pos, &noisy);
    for (int i = 0; i < noisy.count; i++)
        if (see_at_least(pos, noisy.moves[i], see_value[PAWN])) return true;
    return false;
}

static bool drops_phase(const PositionFilter *filter, const Position *pos)
{
    int phase = pos->phase < EVAL_PHASE_MAX ? pos->phase : EVAL_PHASE_MAX;
    return phase < filter->min_phase || phase > filter->max_phase;
}

DropReason position_filter_drops(const PositionFilter *filter, const GameRecord *game, int ply,
                                 const Position *pos)
{
    int score = game->plies[ply].score;

    if (filter->drop_drawn && game->result == RESULT_DRAW) return DROP_DRAWN;
    if (ply < filter->min_ply || (filter->max_ply > 0 && ply > filter->max_ply)) return DROP_PLY;
    if (score == SCORE_UNKNOWN && !filter->keep_unscored) return DROP_UNSCORED;
    if (score != SCORE_UNKNOWN &&
        (value_is_mate(score) || (filter->max_score > 0 && abs(score) > filter->max_score)))
        return DROP_SCORE;
    if (!filter->keep_checks && position_in_check(pos)) return DROP_CHECK;
    if (!filter->keep_noisy && move_is_noisy(game->plies[ply].move)) return DROP_NOISY;
    if (filter->require_quiet && captures_win(pos)) return DROP_UNQUIET;
    if (drops_phase(filter, pos)) return DROP_PHASE;
    return DROP_NONE;
}

DropReason position_filter_drops_alone(const PositionFilter *filter, GameResult result,
                                       const Position *pos)
{
    if (filter->drop_drawn && result == RESULT_DRAW) return DROP_DRAWN;
    return drops_phase(filter, pos) ? DROP_PHASE : DROP_NONE;
}
