/* SPDX-License-Identifier: MIT
 * One game from an opening to its end, refereed. */
#ifndef TABIA_SELFPLAY_GAME_GAME_H
#define TABIA_SELFPLAY_GAME_GAME_H

#include <stdatomic.h>

#include "db/chess/game_end.h"
#include "db/store/game_record.h"
#include "engine/base/pcg.h"
#include "selfplay/players/player.h"

/* When a game is ended before mate or draw by rule. Plies count from the game's start position. A
 * zero count of plies switches a rule off (except max_plies: then GAME_PLIES_MAX). Scores are the
 * movers', turn about, so that both sides agree by construction. */
typedef struct Adjudication {
    int win_score,
        win_plies; /* |score| >= win_score for win_plies plies in a row, one side's favour */
    bool
        win_one_sided; /* of these plies only the loser's are looked at, half of them: it resigns */
    int draw_score, draw_plies, draw_from_ply; /* |score| <= draw_score …, all from that ply on */
    bool draw_resets; /* captures and pawn moves begin that count anew, as other runners have it */
    int max_plies;    /* a draw at this length */
    /* After a move into a position that the endgame tables know (engine/search/syzygy.h), with at
     * most table_men men, 0 switching it off: their result, which is one right after a capture or
     * pawn move. With table_ignore_rule50 after any move, and wins that the fifty-move rule would
     * make draws are wins. */
    int table_men;
    int table_count; /* of the endings that are known: part of a run's identity */
    bool table_ignore_rule50;
    bool table_spares_draws, table_spares_wins; /* such games are played on */
} Adjudication;

/* Exploration: what makes games of one opening differ. Plies count from the game's start position.
 *
 * A random move is a uniformly random legal one, played instead of asking anybody and recorded with
 * SCORE_UNKNOWN. A varied move is drawn uniformly from the best moves that the player names, as far
 * as they are within vary_margin of the best one; it is recorded with the score of the best one,
 * which is what the position is worth, and if it is not that one, in GameRecord.varied. Mates are
 * not varied. */
typedef struct Exploration {
    double random_move;   /* probability of a random move */
    int random_until_ply; /* only before this ply (0: never) */
    int vary_margin;      /* centipawns */
    int vary_until_ply;   /* only before this ply (0: never), up to GAME_VARIED_PLIES */
} Exploration;

enum { GAME_PLIES_MAX = 1024 };

/* What is to be played; everything is borrowed. */
typedef struct GameSetup {
    Player *players[2]; /* may be one and the same, which then plays both sides */
    int white;          /* index of the player of the white pieces */
    const char *start_fen;
    /* Per player. With has_clock, time_ms and increment_ms of the colour it plays are its clock at
     * the start, and that time comes again every moves_to_go moves (0: never); the referee keeps
     * it. Nothing else of a game depends on time. */
    SearchLimits limits[2];
    int64_t margin_ms[2]; /* per player: by so much its time may be overstepped */
    Adjudication adjudication;
    Exploration exploration;
    Pcg *rng; /* this game's alone; may be NULL without exploration */
    /* When a player crashes, stalls or answers nonsense, fail with STATUS_ENGINE and say how,
     * instead of letting it lose. */
    bool stop_on_fault;
    const atomic_int *cancelled; /* non-zero: give up between two plies; may be NULL */
} GameSetup;

/* Search limits with what was left open decided: a soft node limit without a hard one gets 8 times
 * itself as the hard one. */
static inline SearchLimits game_limits(const SearchLimits *limits)
{
    SearchLimits decided = *limits;
    if (decided.nodes_hard == 0) decided.nodes_hard = 8 * decided.nodes_soft;
    return decided;
}

/* Resets the players and plays. Fills everything of *game but game_no and opening_no; game->plies
 * must have room for GAME_PLIES_MAX, and so must game->clock unless it is NULL. STATUS_INTERRUPTED
 * when cancelled, STATUS_BAD_INPUT for a start position that cannot be played from, otherwise
 * STATUS_OK unless a player failed for a reason that is not the game's. */
MUST_CHECK Status game_play(const GameSetup *setup, GameRecord *game, Error *err);

#endif
