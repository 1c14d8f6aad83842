/* SPDX-License-Identifier: MIT
 * Why a stored position is dropped. */
#include "db/chess/position_filter.h"

#include <stdlib.h>

#include "engine/board/movegen.h"
#include "engine/board/see.h"
#include "engine/eval/eval.h"

const Setting position_filter_settings[] = {
    {"min-ply", FIELD(PositionFilter, min_ply), "N", "first ply of a stored game that is read", 0,
     1e4, .preset = 4, .not_with = "epd features bullet"},
    {"max-ply", FIELD(PositionFilter, max_ply), "N",
     "last ply of a stored game that is read; 0: the end", 0, 1e4,
     .not_with = "epd features bullet"},
    {"max-score", FIELD(PositionFilter, max_score), "CP",
     "absolute score beyond which positions are left out, centipawns; 0: only mates are", 0, 1e5,
     .preset = 2000, .not_with = "epd features bullet"},
    {"keep-checks", FIELD(PositionFilter, keep_checks), NULL, "read positions in check",
     .not_with = "epd features"},
    {"keep-noisy", FIELD(PositionFilter, keep_noisy), NULL,
     "read positions where a capture or promotion was played", .not_with = "epd features"},
    {"keep-unscored", FIELD(PositionFilter, keep_unscored), NULL,
     "read positions without a search score: a random move was played there",
     .not_with = "epd features bullet"},
    {"drop-drawn", FIELD(PositionFilter, drop_drawn), NULL, "leave out drawn games",
     .not_with = "features"},
    {"require-quiet", FIELD(PositionFilter, require_quiet), NULL,
     "leave out positions where a capture wins material", .not_with = "epd features"},
    {"min-phase", FIELD(PositionFilter, min_phase), "N",
     "lowest game phase of a position: 24 with all pieces, 0 without", 0, EVAL_PHASE_MAX,
     .not_with = "features"},
    {"max-phase", FIELD(PositionFilter, max_phase), "N", "highest game phase of a position", 0,
     EVAL_PHASE_MAX, .preset = EVAL_PHASE_MAX, .not_with = "features"},
    {0},
};

const char *const drop_reason_text[DROP_REASONS] = {[DROP_DRAWN] = "of drawn games",
                                                    [DROP_PLY] = "outside the range of plies",
                                                    [DROP_UNSCORED] = "without a search score",
                                                    [DROP_SCORE] =
                                                        "scored as mate or beyond the limit",
                                                    [DROP_CHECK] = "in check",
                                                    [DROP_NOISY] = "before captures or promotions",
                                                    [DROP_UNQUIET] = "with a winning capture",
                                                    [DROP_PHASE] = "outside the range of phases"};

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
