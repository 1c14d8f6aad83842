/* SPDX-License-Identifier: MIT
 * Which stored positions are used: exports, fits and trainers of networks share it. */
#ifndef TABIA_DB_CHESS_POSITION_FILTER_H
#define TABIA_DB_CHESS_POSITION_FILTER_H

#include "db/store/game_record.h"
#include "engine/board/position.h"
#include "engine/values/setting.h"

/* What each is, is said by its row. */
typedef struct PositionFilter {
    int min_ply, max_ply, max_score;
    bool keep_checks, keep_noisy, keep_unscored, drop_drawn;
    bool require_quiet; /* by static exchange */
    int min_phase, max_phase;
} PositionFilter;

/* The defaults are those of `tabia tune`: what a static evaluation can judge. */
extern const Setting position_filter_settings[];

/* The filters, in the order in which they apply. */
typedef enum DropReason {
    DROP_DRAWN, /* the game was drawn */
    DROP_PLY,
    DROP_UNSCORED,
    DROP_SCORE,
    DROP_CHECK,
    DROP_NOISY,
    DROP_UNQUIET,
    DROP_PHASE,
    DROP_REASONS,
    DROP_NONE = DROP_REASONS /* the position is kept */
} DropReason;

/* "in check", "before captures or promotions", …: what such positions are. */
extern const char *const drop_reason_text[DROP_REASONS];

/* Why the filter drops the position before plies[ply]. */
DropReason position_filter_drops(const PositionFilter *filter, const GameRecord *game, int ply,
                                 const Position *pos);

/* The same for a position of a list, without its game: drawn games and phases alone. */
DropReason position_filter_drops_alone(const PositionFilter *filter, GameResult result,
                                       const Position *pos);

#endif
