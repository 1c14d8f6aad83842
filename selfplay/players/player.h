/* SPDX-License-Identifier: MIT
 * The interface of players, engines that choose moves; and the player that is an engine instance in
 * this process. */
#ifndef TABIA_SELFPLAY_PLAYERS_PLAYER_H
#define TABIA_SELFPLAY_PLAYERS_PLAYER_H

#include "db/store/game_record.h"
#include "engine/search/search.h"

typedef struct Player Player;

/* The game so far, for the player to move. Everything is borrowed. */
typedef struct GameView {
    const char *start_fen;
    const GamePly *plies; /* played from start_fen; external engines are sent these */
    int ply_count;
    const Position *position;    /* the current one; its psq is not meaningful */
    const KeyHistory *history;   /* of the positions before it */
    int64_t margin_ms;           /* the limits' time may be exceeded by this */
    const atomic_int *cancelled; /* non-zero: may return STATUS_INTERRUPTED; may be NULL */
    bool wants_search;           /* PlayerMove.search is to be filled */
} GameView;

/* Most lines that SearchLimits.multipv may ask a player for. */
enum { PLAYER_LINES = 4 };

typedef struct PlayerLine {
    Move move;
    int score; /* side to move's view, centipawns or mate value */
} PlayerLine;

/* A player's answer. */
typedef struct PlayerMove {
    Move move;
    int score; /* side to move's view, centipawns or mate value; SCORE_UNKNOWN when absent */
    int depth;
    uint64_t nodes;
    int64_t time_us;  /* from the request until the answer arrived */
    PlySearch search; /* undefined unless it is wanted */
    GameReason lost;  /* not 0: there is no move, and the player loses for this reason:
                         REASON_TIME, _CRASH, _STALL, or _WIN_ADJUDICATION when it resigned */
    const char *note; /* one line about a fault or illegal move; or NULL. Owned by the player,
                         valid until its next move */
    int line_count;   /* 0 when one line was asked for, or the player does not support several */
    PlayerLine lines[PLAYER_LINES]; /* the best moves, best first */
} PlayerMove;

/* The interface; implementations embed Player as their first member. A Status other than STATUS_OK
 * ends the run. What only loses the game is a fault, or a move that the referee refuses. */
typedef struct PlayerVtable {
    /* Clears everything about the previous game. */
    Status (*new_game)(Player *player, Error *err);
    /* The game is not over, so there is a legal move. */
    Status (*choose)(Player *player, const GameView *game, const SearchLimits *limits,
                     PlayerMove *out, Error *err);
    void (*destroy)(Player *player);
} PlayerVtable;

struct Player {
    const PlayerVtable *vtable;
};

static inline MUST_CHECK Status player_new_game(Player *p, Error *err)
{
    return p->vtable->new_game(p, err);
}
static inline MUST_CHECK Status player_choose(Player *p, const GameView *game,
                                              const SearchLimits *limits, PlayerMove *out,
                                              Error *err)
{
    return p->vtable->choose(p, game, limits, out, err);
}
static inline void player_destroy(Player *p)
{
    if (p) p->vtable->destroy(p);
}

typedef struct EngineSetup {
    const Evaluation *weights;  /* borrowed */
    const SearchParams *params; /* NULL: the built-in constants of the search */
    size_t hash_bytes;
    int threads; /* 0 means 1; games with more cannot be repeated */
} EngineSetup;

/* NULL and an Error when memory or threads are short. */
Player *player_create_engine(const EngineSetup *setup, Error *err);

#endif
