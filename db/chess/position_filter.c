/* SPDX-License-Identifier: MIT
 * Why a stored position is dropped. */
#include "db/chess/position_filter.h"

#include <inttypes.h>
#include <math.h>
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
     .not_with = "epd features bullet"},
    {"keep-noisy", FIELD(PositionFilter, keep_noisy), NULL,
     "read positions where a capture or promotion was played", .not_with = "epd features bullet"},
    {"keep-unscored", FIELD(PositionFilter, keep_unscored), NULL,
     "read positions without a search score: a random move was played there",
     .not_with = "epd features bullet"},
    {"drop-drawn", FIELD(PositionFilter, drop_drawn), NULL, "leave out drawn games",
     .not_with = "features"},
    {"require-quiet", FIELD(PositionFilter, require_quiet), NULL,
     "leave out positions where a capture wins material", .not_with = "epd features bullet"},
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
    {"pieces-32", FIELD(PositionFilter, pieces_full), "X",
     "wanted frequency of positions with 32 pieces, kings and pawns included, relative to the next two; all 0: any",
     0, 1e9, .not_with = "features", .optional = true},
    {"pieces-17", FIELD(PositionFilter, pieces_half), "X",
     "... with 17 pieces; linear between the three", 0, 1e9, .not_with = "features",
     .optional = true},
    {"pieces-2", FIELD(PositionFilter, pieces_bare), "X",
     "... with 2 pieces; positions that are too frequent are left out at random", 0, 1e9,
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

/* How often positions with so many pieces are wanted. */
static double wanted_at(const PositionFilter *filter, int pieces)
{
    const double low = pieces < 17 ? filter->pieces_bare : filter->pieces_half;
    const double high = pieces < 17 ? filter->pieces_half : filter->pieces_full;

    return low + (high - low) * (pieces < 17 ? pieces - 2 : pieces - 17) / 15;
}

bool position_filter_has_curve(const PositionFilter *f)
{
    return f->pieces_full + f->pieces_half + f->pieces_bare > 0;
}

/* The part of the curve that may fall short. */
static const double SHORT_SHARE = 0.05;

void position_filter_follow_curve(PositionFilter *filter, const int64_t present[PIECES_MAX + 1])
{
    double wanted[PIECES_MAX + 1], scale[PIECES_MAX + 1], sum = 0, chosen = 0;

    for (int n = 2; n <= PIECES_MAX; n++) {
        wanted[n] = present[n] > 0 ? wanted_at(filter, n) : 0;
        scale[n] = wanted[n] > 0 ? (double)present[n] / wanted[n] : 0; /* at which all are kept */
        sum += wanted[n];
    }
    for (int n = 2; n <= PIECES_MAX; n++) {
        double shortfall = 0;
        for (int m = 2; m <= PIECES_MAX; m++)
            if (scale[m] < scale[n]) shortfall += wanted[m];
        if (shortfall <= SHORT_SHARE * sum && scale[n] > chosen) chosen = scale[n];
    }
    for (int n = 2; n <= PIECES_MAX; n++)
        filter->left_out[n] = scale[n] > 0 ? 1 - fmin(chosen / scale[n], 1) : 1;
}

/* Is anything of a list of positions left to chance? */
static bool draws(const PositionFilter *filter)
{
    return filter->skip > 0 || position_filter_has_curve(filter);
}

static bool drops_pieces(const PositionFilter *filter, const Position *pos, uint64_t seed)
{
    return position_filter_has_curve(filter) &&
           chance(seed, DROP_PIECES) < filter->left_out[popcount(position_occupied(pos))];
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
    if (!draws(filter) && filter->soft_ply == 0 && filter->one_in == 0) return DROP_NONE;
    const uint64_t number = mix64((uint64_t)game->game_no);
    const uint64_t seed = mix64(number + (uint64_t)ply) ^ mix64(pos->key);
    if (chance(seed, DROP_RANDOM) < filter->skip) return DROP_RANDOM;
    if (ply < filter->soft_ply && chance(seed, DROP_EARLY) * filter->soft_ply >= ply)
        return DROP_EARLY;
    if (is_between(filter, number, ply)) return DROP_SPACED;
    return drops_pieces(filter, pos, seed) ? DROP_PIECES : DROP_NONE;
}

DropReason position_filter_drops_alone(const PositionFilter *filter, double result, int score,
                                       const Position *pos)
{
    if (filter->drop_drawn && result == RESULT_DRAW) return DROP_DRAWN;
    if (drops_phase(filter, pos)) return DROP_PHASE;
    if (drops_score(filter, result - RESULT_DRAW, score)) return DROP_AGAINST;
    if (!draws(filter)) return DROP_NONE;
    const uint64_t seed = mix64(pos->key);
    if (chance(seed, DROP_RANDOM) < filter->skip) return DROP_RANDOM;
    return drops_pieces(filter, pos, seed) ? DROP_PIECES : DROP_NONE;
}
