/* SPDX-License-Identifier: MIT
 * Whoever chooses moves: an engine instance of ours, or a child process that speaks UCI. */
#ifndef TABIA_SELFPLAY_PLAYER_H
#define TABIA_SELFPLAY_PLAYER_H

#include "db/record.h"
#include "engine/search.h"

typedef struct Player Player;

/* A game as far as it went, shown to the player whose turn it is. Everything is borrowed. */
typedef struct GameView {
    const char *start_fen;
    const GamePly *plies; /* played from start_fen: what a peer is told */
    int ply_count;
    const Position *position;  /* the present one, its psq not meaningful */
    const KeyHistory *history; /* of the positions before it */
    const atomic_int
        *cancelled; /* non-zero: STATUS_INTERRUPTED is as good as a move; may be NULL */
} GameView;

/* Failures that lose the game, as the referee records them. */
typedef enum PlayerFault { PLAYER_SOUND, PLAYER_CRASHED, PLAYER_STALLED } PlayerFault;

/* Lines that a player may be asked for by SearchLimits.multipv, and that it tells of. */
enum { PLAYER_LINES = 4 };

typedef struct PlayerLine {
    Move move;
    int score; /* side to move's view, centipawns or mate value */
} PlayerLine;

/* What a player answers. */
typedef struct PlayerMove {
    Move move;
    int score; /* side to move's view, centipawns or mate value; SCORE_UNKNOWN if it said nothing */
    int depth;
    uint64_t nodes;
    int64_t time_us;   /* from being told to move until the answer was there */
    PlayerFault fault; /* not PLAYER_SOUND: there is no move */
    int line_count;    /* 0 where one line was asked for, and from players that do not tell … */
    PlayerLine lines[PLAYER_LINES]; /* … else the best moves, best first */
} PlayerMove;

/* The interface; implementations embed Player as their first member. A Status other than STATUS_OK
 * ends the run: what is only the game's affair is a fault, or a move that the referee refuses. */
typedef struct PlayerVtable {
    /* Forgets everything of the game before. */
    Status (*new_game)(Player *player, Error *err);
    /* The game is not over: there is a legal move. */
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

/* An engine instance in this process. */
typedef struct EngineSetup {
    const EvalWeights *weights; /* borrowed */
    const SearchParams *params; /* NULL: the built-in constants of the search */
    size_t hash_bytes;
    int threads; /* 0 means 1; with more its games cannot be repeated */
} EngineSetup;

/* NULL and an Error when memory or threads are short. */
Player *player_create_engine(const EngineSetup *setup, Error *err);

enum { UCI_OPTIONS_MAX = 64 };

/* An external engine. */
typedef struct UciSetup {
    const char *program;        /* path, or a name in PATH */
    const char *const *options; /* "Name=value" or the name of a button, sent after uciok */
    int option_count;
    int64_t stall_ms; /* so long may it be silent, or overstep its time, before the game is lost */
} UciSetup;

/* Starts it; setup's strings are borrowed. A peer that crashes or stalls loses its game, is killed
 * and started again for the next one. NULL and an Error (STATUS_PEER) when it cannot be started or
 * does not answer to `uci` and `isready`. */
Player *player_create_uci(const UciSetup *setup, Error *err);

#endif
