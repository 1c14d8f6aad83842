/* SPDX-License-Identifier: MIT
 * A player of a match from its text: "name=N,weights=W,..." or "cmd=PROGRAM,...". */
#ifndef TABIA_CLI_PLAY_PLAYER_SPEC_H
#define TABIA_CLI_PLAY_PLAYER_SPEC_H

#include "engine/eval/evaluation.h"
#include "selfplay/match/gauntlet.h"
#include "selfplay/players/uci_messages.h"

enum { PLAYER_PATH_MAX = 4096, PLAYER_OWNED_MAX = 4 };

/* A player for gauntlet_run(), and all that it borrows: the spec must not move while it is in use.
 */
typedef struct PlayerSpec {
    GauntletPlayer player;      /* threads 0: not given */
    char name[PLAYER_NAME_MAX]; /* "": not yet known */
    bool named;                 /* its name was given */
    bool limited;               /* a limit of its own was given */
    const char *weights_spec;   /* of an engine in this process; NULL for an external one */
    Evaluation weights;
    SearchParams params;
    UciSetup uci;      /* from here to `adapter`: of an external engine */
    const char **args; /* owned; NULL: none */
    char *options[UCI_OPTIONS_MAX];
    const char *log_path;
    char id_name[PLAYER_NAME_MAX];
    EngineIdentity identity;
    PvFaults pv; /* not of an xboard engine, whose PVs the adapter completes */
    bool xboard; /* its protocol */
    char tabia[PLAYER_PATH_MAX];
    const char **adapter;          /* its arguments, owned; NULL: none */
    char *owned[PLAYER_OWNED_MAX]; /* [owned_count] texts that the fields above refer to */
    int owned_count;
} PlayerSpec;

extern const Setting player_keys[];

/* The keys, for --help. */
#define PLAYER_KEYS_HELP                                                                           \
    "Keys of --engine, as in \"name=sf,cmd=stockfish,nodes=1000,option.Hash=16\":\n"               \
    "  weights=W           engine of Tabia with these weights: builtin, network, ...\n"            \
    "  cmd=PROGRAM         UCI engine: a path, or a name in PATH; with it also\n"                  \
    "    args=WORDS          its arguments, quoted as for a shell\n"                               \
    "    dir=DIR             its working folder, where a relative PROGRAM is looked up\n"          \
    "    restart=on          a fresh process for each game\n"                                      \
    "    stall=TIME          longest silence without a clock (30s)\n"                              \
    "    init=TIME           longest time until uciok, and until readyok (30s)\n"                  \
    "    log=FILE            file to which its input and output are appended, with times\n"        \
    "    proto=xboard        the engine uses the xboard protocol (tabia xboard); with it also\n"   \
    "      whitepov=on         its scores are White's\n"                                           \
    "  option.NAME=VALUE   UCI option, which the engine must have; of Tabia a search parameter\n"  \
    "  nodes=N, depth=N    limit of a move: nodes; plies, also as plies=N\n"                       \
    "  tc=CLOCK, st=S      [MOVES/]SECONDS[+INCREMENT] a game; SECONDS a move. Of these limits "   \
    "only the\n"                                                                                   \
    "                      last one counts\n"                                                      \
    "  timemargin=MS       tolerance of its clock, milliseconds (0)\n"                             \
    "  hash=MB, threads=N  of an engine of Tabia; a program has options for them\n"                \
    "A comma in a value is written \"\\,\".\n"

/* Values for players that have none of their own; borrowed by the specs. */
typedef struct PlayerDefaults {
    SearchLimits limits;
    size_t hash_bytes;
    const char *each;    /* keys of --engine that each may override; or NULL. Not for --a, --b */
    const char *log_dir; /* folder of NAME.log of each external engine; or NULL */
    const PlayerSpec *earlier; /* [earlier_count] whose logs are other files */
    int earlier_count;
    const atomic_int *cancelled; /* non-zero: stop starting engines */
} PlayerDefaults;

/* Reads `text`, the value of --engine, loads its weights, and gives it a name if it has none.
 * STATUS_USAGE, STATUS_BAD_INPUT or STATUS_FAILED. Call player_spec_free() also after a failure. */
MUST_CHECK Status player_spec_parse(PlayerSpec *spec, const char *text,
                                    const PlayerDefaults *defaults, Error *err);

/* The same for a player given by its weights alone (--a, --b), a text that is borrowed. */
MUST_CHECK Status player_spec_of_weights(PlayerSpec *spec, const char *weights,
                                         const PlayerDefaults *defaults, Error *err);

/* The same for a program with a name; other keys are those of defaults->each. */
MUST_CHECK Status player_spec_of_program(PlayerSpec *spec, const char *program, const char *name,
                                         const PlayerDefaults *defaults, Error *err);

/* Opens the log of an external engine. Before it, compare spec->log_path with all other files. */
MUST_CHECK Status player_spec_open(PlayerSpec *spec, Error *err);

/* Opens an external engine likewise and starts it once to check that it works. Its `id name`
 * becomes the player's name if none was given. Does nothing for players in this process. */
MUST_CHECK Status player_spec_try(PlayerSpec *spec, Error *err);

/* Says on standard error, once for each log, that lines of it were lost. log may be NULL. */
void player_log_warn(EngineLog *log);

void player_spec_free(PlayerSpec *spec); /* also a zeroed one; warns of its log */

#endif
