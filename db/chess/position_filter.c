/* SPDX-License-Identifier: MIT
 * Why a stored position is dropped. */
#include "db/chess/position_filter.h"

#include <inttypes.h>
#include <stdlib.h>

#include "engine/base/pcg.h"
#include "engine/base/text.h"
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
    {"max-against", FIELD(PositionFilter, max_against), "CP",
     "search score against the game's result beyond which positions are left out: the loser's, of a draw either side's; 0: none",
     0, 1e5, .not_with = "features", .optional = true},
    {"skip", FIELD(PositionFilter, skip), "X", "share of the positions that is left out at random",
     0, 1, .not_with = "features", .optional = true},
    {"skip-32", FIELD(PositionFilter, skip_full), "X",
     "the same of positions with 32 pieces, kings and pawns included; between 32, 17 and 2 linearly",
     0, 1, .not_with = "features", .optional = true},
    {"skip-17", FIELD(PositionFilter, skip_half), "X", "... with 17 pieces", 0, 1,
     .not_with = "features", .optional = true},
    {"skip-2", FIELD(PositionFilter, skip_bare), "X", "... with 2 pieces", 0, 1,
     .not_with = "features", .optional = true},
    {"soft-ply", FIELD(PositionFilter, soft_ply), "N",
     "ply of a stored game from which all positions are read; of earlier ones a share that rises from 0",
     0, 1e4, .not_with = "epd features bullet", .optional = true},
    {"one-in", FIELD(PositionFilter, one_in), "N",
     "successive positions of a stored game of which a random one is read; 0: all are", 0, 1e4,
     .not_with = "epd features bullet", .optional = true},
    {0},
};

#define DROPPED(reason)                                                                            \
    .kind = FIELD_INT64, .offset = (reason) * sizeof(int64_t), .size = sizeof(int64_t)
const Field drop_fields[] = {
    {"drawn", DROPPED(DROP_DRAWN), .label = "of drawn games"},
    {"ply", DROPPED(DROP_PLY), .label = "outside the range of plies"},
    {"unscored", DROPPED(DROP_UNSCORED), .label = "without a search score"},
    {"score", DROPPED(DROP_SCORE), .label = "scored as mate or beyond the limit"},
    {"check", DROPPED(DROP_CHECK), .label = "in check"},
    {"noisy", DROPPED(DROP_NOISY), .label = "before captures or promotions"},
    {"unquiet", DROPPED(DROP_UNQUIET), .label = "with a winning capture"},
    {"phase", DROPPED(DROP_PHASE), .label = "outside the range of phases"},
    {"against", DROPPED(DROP_AGAINST), .label = "scored against the result"},
    {"random", DROPPED(DROP_RANDOM), .label = "at random"},
    {"pieces", DROPPED(DROP_PIECES), .label = "by the number of pieces"},
    {"early", DROPPED(DROP_EARLY), .label = "of early plies"},
    {"spaced", DROPPED(DROP_SPACED), .label = "not chosen among successive ones"},
    {0},
};

void dropped_text(const int64_t dropped[DROP_REASONS], char out[DROPPED_TEXT_MAX])
{
    *out = '\0';
    for (int r = 0; r < DROP_REASONS; r++)
        if (dropped[r] > 0)
            text_append(out, DROPPED_TEXT_MAX, "%s%" PRId64 " %s", *out ? ", " : "", dropped[r],
                        drop_fields[r].label);
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

/* ahead: above 0, White won; below 0, Black did. */
static bool drops_score(const PositionFilter *filter, double ahead, int score)
{
    if (filter->max_against == 0 || score == SCORE_UNKNOWN) return false;
    return (ahead <= 0 && score > filter->max_against) ||
           (ahead >= 0 && -score > filter->max_against);
}

/* From [0, 1): one draw for each reason, of a position whose seed is this. */
static double chance(uint64_t seed, DropReason reason)
{
    return (double)(mix64(seed + (uint64_t)reason) >> 11) * 0x1p-53;
}

/* The share of positions with so many pieces that is left out. */
static double skipped_share(const PositionFilter *filter, int pieces)
{
    const double low = pieces < 17 ? filter->skip_bare : filter->skip_half;
    const double high = pieces < 17 ? filter->skip_half : filter->skip_full;

    return low + (high - low) * (pieces < 17 ? pieces - 2 : pieces - 17) / 15;
}

static bool skips(const PositionFilter *f)
{
    return f->skip + f->skip_full + f->skip_half + f->skip_bare > 0;
}

static DropReason drops_at_random(const PositionFilter *filter, const Position *pos, uint64_t seed)
{
    if (!skips(filter)) return DROP_NONE;
    if (chance(seed, DROP_RANDOM) < filter->skip) return DROP_RANDOM;
    double share = skipped_share(filter, popcount(position_occupied(pos)));
    return chance(seed, DROP_PIECES) < share ? DROP_PIECES : DROP_NONE;
}

/* Of each one_in plies in succession, the one that is kept is a function of game and ply. */
static bool is_between(const PositionFilter *filter, uint64_t game, int ply)
{
    if (filter->one_in < 2) return false;
    uint64_t stretch = (uint64_t)(ply / filter->one_in);
    int kept = (int)(chance(game + (stretch << 8), DROP_SPACED) * filter->one_in);
    return ply % filter->one_in != kept;
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
    if (drops_score(filter, (int)game->result - RESULT_DRAW, score)) return DROP_AGAINST;
    if (!skips(filter) && filter->soft_ply == 0 && filter->one_in == 0) return DROP_NONE;
    const uint64_t number = mix64((uint64_t)game->game_no);
    const uint64_t seed = mix64(number + (uint64_t)ply) ^ mix64(pos->key);
    DropReason reason = drops_at_random(filter, pos, seed);
    if (reason != DROP_NONE) return reason;
    if (ply < filter->soft_ply && chance(seed, DROP_EARLY) * filter->soft_ply >= ply)
        return DROP_EARLY;
    return is_between(filter, number, ply) ? DROP_SPACED : DROP_NONE;
}

DropReason position_filter_drops_alone(const PositionFilter *filter, double result, int score,
                                       const Position *pos)
{
    if (filter->drop_drawn && result == RESULT_DRAW) return DROP_DRAWN;
    if (drops_phase(filter, pos)) return DROP_PHASE;
    if (drops_score(filter, result - RESULT_DRAW, score)) return DROP_AGAINST;
    return drops_at_random(filter, pos, mix64(pos->key));
}
