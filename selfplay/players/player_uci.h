/* SPDX-License-Identifier: MIT
 * The player that is an external UCI engine. */
#ifndef TABIA_SELFPLAY_PLAYERS_PLAYER_UCI_H
#define TABIA_SELFPLAY_PLAYERS_PLAYER_UCI_H

#include "db/store/run_record.h"
#include "selfplay/players/child_guard.h"
#include "selfplay/players/engine_identity.h"
#include "selfplay/players/engine_log.h"
#include "selfplay/players/player.h"
#include "selfplay/players/pv_check.h"

/* Pointers are borrowed. */
typedef struct UciSetup {
    const char *name; /* for errors and the log */
    ProgramCommand command;
    ProgramCommand adapter; /* to UCI, started instead, with the program and its arguments as its
                               last arguments; its program is NULL where there is none */
    bool white_scores;      /* what the adapter turns: the program's scores are White's */
    const char *const *options; /* "Name=value" or the name of a button, sent after uciok; at most
                                   UCI_OPTIONS_MAX (uci_messages.h) */
    int option_count;
    /* Longest silence without a clock before the game is lost, and longest time to get ready for a
     * game. A move without a clock may take 20 times as long. */
    int64_t stall_ms;
    int64_t init_ms;             /* from the start to uciok, and from there to readyok */
    bool restart;                /* a new process for each game */
    EngineLog *log;              /* of the traffic; may be NULL */
    const atomic_int *cancelled; /* non-zero: give up starting it; may be NULL */
    PvFaults *pv;                /* of its PVs; NULL: they are not checked */
    EngineIdentity *identity;    /* found by player_ask_name(), compared at each start; or NULL */
} UciSetup;

/* The first game starts it. An engine that crashes, stalls, floods its output, or exceeds its time
 * and does not answer `stop`, forfeits its game, is killed, and is started again for the next game.
 * A start that fails is repeated, three times at least and for three seconds; then
 * player_new_game() returns STATUS_ENGINE, or STATUS_FAILED when this process lacks memory,
 * descriptors or processes. So it does at once when the engine is no longer setup->identity. NULL
 * and an Error without memory.
 */
Player *player_create_uci(const UciSetup *setup, Error *err);

/* Ends the process of a player made by player_create_uci(); the next game starts another one. */
void player_stop_uci(Player *player);

/* Starts the engine, reads its name ("id name"; "" when there is none), and ends it; sets
 * *setup->identity. STATUS_ENGINE when it cannot be started, does not answer `uci` and `isready`,
 * or does not have the options that are wanted; STATUS_FAILED as above. */
MUST_CHECK Status player_ask_name(const UciSetup *setup, char name[PLAYER_NAME_MAX], Error *err);

#endif
