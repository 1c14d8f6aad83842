/* SPDX-License-Identifier: MIT
 * Steps of the UCI protocol, each tried on an engine, with a verdict: for the engine's author.
 *
 * Protocol: "Description of the universal chess interface", April 2006. Where it leaves a choice,
 * the step takes what engines and GUIs do: words that a GUI cannot know are faults of info lines,
 * a position without legal moves is answered by any bestmove that is no move. */
#ifndef TABIA_SELFPLAY_PLAYERS_COMPLIANCE_H
#define TABIA_SELFPLAY_PLAYERS_COMPLIANCE_H

#include "selfplay/players/player_uci.h"

typedef enum Verdict { VERDICT_PASSED, VERDICT_FAILED, VERDICT_SKIPPED } Verdict;

enum { COMPLIANCE_NOTE_MAX = 1024 };

typedef struct ComplianceStep {
    int number;       /* from 1 */
    const char *name; /* static storage */
    Verdict verdict;
    const char *note; /* why it failed or was skipped; "" */
} ComplianceStep;

/* Tries all steps in their order and calls `take` after each. An engine that fails a step is
 * started again; when that fails, the later steps are skipped. Of `setup` command, log, name and
 * cancelled are used. STATUS_ENGINE when the program cannot be started at all, STATUS_FAILED when
 * this process lacks memory or descriptors, STATUS_INTERRUPTED. */
MUST_CHECK Status compliance_run(const UciSetup *setup,
                                 void (*take)(void *context, const ComplianceStep *step),
                                 void *context, Error *err);

#endif
