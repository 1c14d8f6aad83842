/* SPDX-License-Identifier: MIT
 * Whoever chooses moves: an engine instance of ours, or a child process that speaks UCI. */
#ifndef TABIA_SELFPLAY_PLAYERS_PLAYER_H
#define TABIA_SELFPLAY_PLAYERS_PLAYER_H

#include "db/store/game_record.h"
#include "db/store/run_record.h"
#include "engine/search/search.h"
#include "selfplay/players/engine_log.h"

typedef struct Player Player;

/* A game as far as it went, shown to the player whose turn it is. Everything is borrowed. */
typedef struct GameView {
    const char *start_fen;
    const GamePly *plies; /* played from start_fen: what an external engine is sent */
    int ply_count;
    const Position *position;  /* the present one, its psq not meaningful */
    const KeyHistory *history; /* of the positions before it */
    int64_t margin_ms;         /* by so much the time in the limits may be overstepped */
    const atomic_int
        *cancelled; /* non-zero: STATUS_INTERRUPTED is as good as a move; may be NULL */
} GameView;

/* What loses the game instead of a move, as the referee records it. */
typedef enum PlayerFault {
    PLAYER_SOUND,
    PLAYER_RESIGNED, /* which is no fault */
    PLAYER_CRASHED,
    PLAYER_STALLED,
    PLAYER_LATE
} PlayerFault;

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
    const char *note;  /* of a fault or bad move, in a line: who did what; or NULL. The player's,
                          until it is asked again */
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

/* An external engine. What is no number is borrowed. */
typedef struct UciSetup {
    const char *name; /* for errors and the log */
    const char
        *program; /* as ChildSetup (selfplay/players/child_process.h) has it, and so the next two */
    const char *const *args;    /* ended by NULL; or NULL */
    const char *const *adapter; /* words put before program and arguments, ended by NULL: what is
                                   started instead, and speaks UCI for them; or NULL */
    const char *dir;            /* NULL: ours */
    const char *const *options; /* "Name=value" or the name of a button, sent after uciok; at most
                                   UCI_OPTIONS_MAX (selfplay/players/uci_option.h) */
    int option_count;
    /* Without a clock it may be silent for so long before the game is lost, and take twenty times
     * as long for a move; so long, too, it may take to get ready for a game. */
    int64_t stall_ms;
    int64_t init_ms;             /* from the start to uciok, and from there to readyok */
    bool restart;                /* a fresh process for each game */
    EngineLog *log;              /* of the traffic; may be NULL */
    const atomic_int *cancelled; /* non-zero: give up starting it; may be NULL */
} UciSetup;

/* Starts it. An engine that crashes, stalls, floods us or oversteps its time and does not even
 * answer `stop` loses its game, is killed and started again for the next one. If that fails, the
 * game is lost, too; if it fails three times running, player_new_game() returns STATUS_ENGINE. NULL
 * and an Error (STATUS_ENGINE) when it cannot be started, does not answer to `uci` and `isready`,
 * or does not have the options that are wanted. */
Player *player_create_uci(const UciSetup *setup, Error *err);

/* Ends the process of a player made by player_create_uci(); the next game starts another one. */
void player_rest_uci(Player *player);

/* Starts it in the same way only to ask what it calls itself ("id name"; "" when it does not say),
 * and ends it. */
MUST_CHECK Status player_ask_name(const UciSetup *setup, char name[PLAYER_NAME_MAX], Error *err);

#endif
