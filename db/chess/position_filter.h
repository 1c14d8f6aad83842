/* SPDX-License-Identifier: MIT
 * Which stored positions are used: exports, fits and trainers of networks share it. */
#ifndef TABIA_DB_CHESS_POSITION_FILTER_H
#define TABIA_DB_CHESS_POSITION_FILTER_H

#include "db/store/game_record.h"
#include "engine/board/position.h"
#include "engine/values/field.h"
#include "engine/values/setting.h"

enum { PIECES_MAX = 32 }; /* of a position, kings and pawns included; at least 2 */

/* What each is, is said by its row. */
typedef struct PositionFilter {
    int min_ply, max_ply, max_score;
    bool keep_checks, keep_noisy, keep_unscored, drop_drawn;
    bool require_quiet; /* by static exchange */
    int min_phase, max_phase;
    int max_against;
    double skip, pieces_full, pieces_half, pieces_bare;
    int soft_ply, one_in;
    /* No setting: by number of pieces, the share of positions that is left out. Only with a curve:
     * 0 before position_filter_follow_curve(). */
    double left_out[PIECES_MAX + 1];
} PositionFilter;

/* The defaults are those of `tabia tune`: what a static evaluation can judge. */
extern const Setting position_filter_settings[];

/* The filters, in the order in which they apply; but DROP_PIECES is the last. */
typedef enum DropReason {
    DROP_DRAWN, /* the game was drawn */
    DROP_PLY,
    DROP_UNSCORED,
    DROP_SCORE,
    DROP_CHECK,
    DROP_NOISY,
    DROP_UNQUIET,
    DROP_PHASE,
    DROP_AGAINST, /* the score is against the result */
    DROP_RANDOM,  /* at random, and by the number of pieces, the ply, the place in the game: */
    DROP_PIECES,
    DROP_EARLY,
    DROP_SPACED,
    DROP_REASONS,
    DROP_NONE = DROP_REASONS /* the position is kept */
} DropReason;

/* Counts by reason, of an array int64_t [DROP_REASONS]; the labels are words: "in check". */
extern const Field drop_fields[];

enum { DROPPED_TEXT_MAX = 1024 };
/* "12 of drawn games, 3 in check"; empty when there are none. */
void dropped_text(const int64_t dropped[DROP_REASONS], char out[DROPPED_TEXT_MAX]);

/* The curve gives wanted(n), the frequency of positions with n pieces, relative to those with other
 * numbers: linear between the settings for 32, 17 and 2. All of them 0: no curve. */
bool position_filter_has_curve(const PositionFilter *filter);

/* Makes the filter follow its curve. present[n]: the positions with n pieces that all other filters
 * keep. Each of them is kept with the probability min(1, a wanted(n) / present[n]). A number n with
 * 0 < present[n] < a wanted(n) falls short of the curve: all of its positions are kept. `a` is the
 * greatest factor at which those that fall short hold at most 5 % of the curve, which is the sum of
 * wanted(n) over all n with present[n] > 0. */
void position_filter_follow_curve(PositionFilter *filter, const int64_t present[PIECES_MAX + 1]);

/* Why the filter drops the position before plies[ply]: a function of filter, game, game_no and
 * ply, also where it is a matter of chance. */
DropReason position_filter_drops(const PositionFilter *filter, const GameRecord *game, int ply,
                                 const Position *pos);

/* The same for a position of a list, without its game: by result, phase, score against the result,
 * at random and by the number of pieces. result: White's half points, which may be between those of
 * a GameResult; score: White's view, or SCORE_UNKNOWN. */
DropReason position_filter_drops_alone(const PositionFilter *filter, double result, int score,
                                       const Position *pos);

#endif
