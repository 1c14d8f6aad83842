/* SPDX-License-Identifier: MIT
 * One game from an opening to its end, refereed. */
#ifndef TABIA_SELFPLAY_GAME_GAME_H
#define TABIA_SELFPLAY_GAME_GAME_H

#include <stdatomic.h>

#include "db/chess/game_end.h"
#include "db/store/game_record.h"
#include "engine/base/pcg.h"
#include "engine/values/setting.h"
#include "selfplay/players/player.h"

/* When a game is ended before mate or a draw by rule. Plies count from the first move after those
 * of a book. A ply count of 0 switches a rule off (max_plies 0: GAME_PLIES_MAX). Scores are those
 * of the side that moved, so that a streak needs both sides to agree. */
typedef struct Adjudication {
    int win_score, win_plies; /* |score| >= win_score, same sign, for win_plies plies in a row */
    bool win_one_sided;       /* counts only the loser's half of these plies: it resigns */
    int draw_score, draw_plies, draw_from_ply; /* |score| <= draw_score …, from that ply on */
    bool draw_resets; /* captures and pawn moves restart the count, as in other match runners */
    int max_plies;    /* a draw at this length */
    /* Syzygy adjudication (engine/search/syzygy.h) of positions with at most table_men pieces; 0
     * switches it off. It applies right after a capture or pawn move. With table_ignore_rule50 it
     * applies after any move, and cursed wins count as wins. */
    int table_men;
    int table_count; /* number of Syzygy tables found: part of a run's identity */
    bool table_ignore_rule50;
    bool table_spares_draws, table_spares_wins; /* games with that result are played on */
} Adjudication;

/* The defaults: 2000 centipawns for 5 plies; a draw within 10 for 12 plies from ply 70 on; at most
 * 400 plies. */
extern const Setting adjudication_settings[];

/* Exploration makes games of one opening differ. Plies count from the first move after those of a
 * book.
 *
 * A random move is a uniformly random legal move, played without a search and recorded with
 * SCORE_UNKNOWN. A varied move is drawn uniformly from the player's best moves within vary_margin
 * of the best one. It is recorded with the best move's score, and in GameRecord.varied if it is
 * another move. Mate scores are not varied. */
typedef struct Exploration {
    double random_move;   /* probability of a random move */
    int random_until_ply; /* only before this ply (0: never) */
    int vary_margin;      /* centipawns */
    int vary_until_ply;   /* only before this ply (0: never), up to GAME_VARIED_PLIES */
} Exploration;

extern const Setting exploration_settings[];

/* Of a move. */
extern const Setting limits_settings[];
extern const char limits_identity[]; /* names of those that identify a run */

/* Of a size_t, the bytes of an engine's hash table. */
extern const Setting hash_settings[];

enum { GAME_PLIES_MAX = 1024 };

/* The game to play; everything is borrowed. */
typedef struct GameSetup {
    Player *players[2]; /* may be the same player, which then plays both sides */
    int white;          /* index of the player of the white pieces */
    const char *start_fen;
    const Move *book_moves; /* played first, without a search; legal, the game goes on after them */
    int book_count;         /* below GAME_PLIES_MAX */
    /* Per player. With has_clock, time_ms and increment_ms of the player's colour are its clock,
     * with the increment from the first move on; after moves_to_go moves (0: never) the next period
     * of `later` is added, or the last one again. The referee keeps the clock. Nothing else in a
     * game depends on time. */
    SearchLimits limits[2];
    int64_t margin_ms[2]; /* per player: its time may be exceeded by this */
    Adjudication adjudication;
    Exploration exploration;
    Pcg *rng; /* of this game only; may be NULL without exploration */
    /* A player's fault returns STATUS_ENGINE with its note, instead of losing the game. A move that
     * comes late has no note and loses the game. */
    bool stop_on_fault;
    const atomic_int *cancelled; /* non-zero: stop; may be NULL */
    bool measured; /* the game depends on time: a pause of the process (system_pauses()) ends it
                      with STATUS_INTERRUPTED, so that it can be played again */
} GameSetup;

/* Completes search limits: the hard node limit defaults to 8 times the soft one. */
static inline SearchLimits game_limits(const SearchLimits *limits)
{
    SearchLimits decided = *limits;
    if (decided.nodes_hard == 0) decided.nodes_hard = 8 * decided.nodes_soft;
    return decided;
}

/* Whether a move ends by depth, nodes or time. */
static inline bool game_is_limited(const SearchLimits *limits)
{
    return limits->depth > 0 || limits->nodes_soft > 0 || limits->nodes_hard > 0 ||
           limits->movetime_ms > 0 || limits->has_clock;
}

/* Resets the players and plays. Fills *game except game_no and opening_no. game->plies must have
 * room for GAME_PLIES_MAX, and so must game->clock and game->search unless they are NULL.
 * STATUS_INTERRUPTED when cancelled, STATUS_BAD_INPUT for an invalid start position, otherwise
 * STATUS_OK or a player's failure. */
MUST_CHECK Status game_play(const GameSetup *setup, GameRecord *game, Error *err);

#endif
