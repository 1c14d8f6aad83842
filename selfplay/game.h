/* SPDX-License-Identifier: MIT
 * One game from an opening to its end, refereed. */
#ifndef TABIA_SELFPLAY_GAME_H
#define TABIA_SELFPLAY_GAME_H

#include "db/record.h"
#include "engine/pcg.h"
#include "selfplay/player.h"

/* When a game is ended before mate or draw by rule. Zero counts switch a rule off. */
typedef struct Adjudication {
    int win_score,
        win_plies; /* |score| >= win_score for win_plies plies in a row, one side's favour */
    int draw_score, draw_plies, draw_from_ply; /* |score| <= draw_score … from that game ply on */
    int max_plies;                             /* a draw at this length */
} Adjudication;

/* Exploration: what makes games of one opening differ. */
typedef struct Exploration {
    double random_move;   /* probability of playing a uniformly random legal move instead */
    int random_until_ply; /* only before this ply of the game (0: never) */
} Exploration;

enum { GAME_PLIES_MAX = 1024 };

/* Plays from `start_fen`; players[i] has the colour `white == i ? White : Black`. Limits are per
 * player. rng (may be NULL when exploration is off) belongs to this game alone. Fills everything of
 * *game but game_no and opening_no; game->plies must have room for GAME_PLIES_MAX. STATUS_OK unless
 * a player failed for a reason that is not the game's. */
MUST_CHECK Status game_play(Player *players[2], int white, const char *start_fen,
                            const SearchLimits limits[2], const Adjudication *adjudication,
                            const Exploration *exploration, Pcg *rng, GameRecord *game, Error *err);

#endif
