/* SPDX-License-Identifier: MIT
 * A player of a match as the command line describes it: "name=N,weights=W,…" or "cmd=PROGRAM,…". */
#ifndef TABIA_CLI_PLAYER_SPEC_H
#define TABIA_CLI_PLAYER_SPEC_H

#include "engine/weights.h"
#include "selfplay/gauntlet.h"

/* A player, and all that its GauntletPlayer borrows: it stays where it is while that is in use. */
typedef struct PlayerSpec {
    char *name;
    char *weights_spec; /* of an engine of ours; NULL for an external one, which has … */
    EvalWeights weights;
    SearchParams params;
    char *program; /* … this */
    char *options[UCI_OPTIONS_MAX];
    UciSetup uci; /* over the two above */
    SearchLimits limits;
    int64_t margin_ms;
    size_t hash_bytes;
    int threads; /* 0: not said */
} PlayerSpec;

/* Reads `text`, the value of --engine, over the defaults `limits` and `hash_bytes`, loads its
 * weights and gives it a name if it has none. STATUS_USAGE and STATUS_BAD_INPUT say what is wrong
 * with it. player_spec_free() is due in any case. */
MUST_CHECK Status player_spec_parse(PlayerSpec *spec, const char *text, const SearchLimits *limits,
                                    size_t hash_bytes, Error *err);

/* The same for a player of which only the weights are said (--a, --b). */
MUST_CHECK Status player_spec_of_weights(PlayerSpec *spec, const char *weights,
                                         const SearchLimits *limits, size_t hash_bytes, Error *err);

void player_spec_free(PlayerSpec *spec); /* of a zeroed one, too */

/* What a gauntlet is given: borrows from *spec. */
GauntletPlayer player_spec_player(const PlayerSpec *spec);

#endif
