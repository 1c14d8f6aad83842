/* SPDX-License-Identifier: MIT
 * Whoever chooses moves: an engine instance of ours, later also a UCI child process. */
#ifndef TABIA_SELFPLAY_PLAYER_H
#define TABIA_SELFPLAY_PLAYER_H

#include "engine/search.h"

typedef struct Player Player;

/* What a player answers. */
typedef struct PlayerMove {
    Move move;
    int score; /* side to move's view, centipawns or mate value; SCORE_UNKNOWN if it said nothing */
    int depth;
    uint64_t nodes;
    int64_t time_ms;
} PlayerMove;

/* The interface; implementations embed Player as their first member. */
typedef struct PlayerVtable {
    /* Forgets everything of the game before. */
    Status (*new_game)(Player *player, Error *err);
    /* history: positions before `pos` in this game (keys); moves: all moves from start_fen, for
     * peers. */
    Status (*choose)(Player *player, const Position *pos, const KeyHistory *history,
                     const SearchLimits *limits, PlayerMove *out, Error *err);
    void (*destroy)(Player *player);
} PlayerVtable;

struct Player {
    const PlayerVtable *vtable;
};

static inline Status player_new_game(Player *p, Error *err)
{
    return p->vtable->new_game(p, err);
}
static inline Status player_choose(Player *p, const Position *pos, const KeyHistory *history,
                                   const SearchLimits *limits, PlayerMove *out, Error *err)
{
    return p->vtable->choose(p, pos, history, limits, out, err);
}
static inline void player_destroy(Player *p)
{
    if (p) p->vtable->destroy(p);
}

/* An engine instance in this process; weights are borrowed. NULL and an Error when memory is short.
 */
Player *player_create_engine(const EvalWeights *weights, size_t hash_bytes, Error *err);

#endif
