/* SPDX-License-Identifier: MIT
 * Checks of the principal variation (PV) that an engine printed last before its move.
 *
 * Judged is the last info line with a PV; of several best lines (multipv) the first one. Nothing is
 * judged after a bound (lowerbound, upperbound), since the best move may then be another one. A PV
 * may be cut short anywhere, but not go on after mate or stalemate. Draws by rule do not end it. */
#ifndef TABIA_SELFPLAY_PLAYERS_PV_CHECK_H
#define TABIA_SELFPLAY_PLAYERS_PV_CHECK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "engine/base/text.h"
#include "engine/board/position.h"
#include "engine/values/field.h"

enum { PV_LINE_MAX = 4096, PV_WARNING_MAX = 1024 };

typedef enum PvFault {
    PV_SOUND,
    PV_ILLEGAL,    /* a move is illegal */
    PV_OTHER_MOVE, /* the first move is not the best move */
    PV_NO_MATE,    /* of a mate score: as long as the mate, or without a next move, and no mate */
    PV_FAULTS
} PvFault;

/* Takes an info line of the search: keeps it if it is the one to judge so far, cut at a word. "" at
 * the beginning of a search. */
void pv_keep(char kept[PV_LINE_MAX], const char *line);

/* The first of these faults that the line has. best: the engine's move in the position, legal.
 * *word: the illegal move, within the line; otherwise unchanged. */
PvFault pv_check(const Position *pos, const char *line, Move best, TextWord *word);

typedef struct PvCounts {
    int64_t illegal, other_move, no_mate; /* moves of the engine with such a PV */
} PvCounts;

/* Of a PvCounts: pv_illegal, pv_other_move, pv_no_mate. */
extern const Field pv_fields[];

/* The faults of all processes of an engine. Zeroed there are none. Threads may share it. */
typedef struct PvFaults {
    /* Private, by kind. */
    atomic_llong counts[PV_FAULTS];
    atomic_int states[PV_FAULTS]; /* of the text: 0 none, 1 written, 2 there, 3 given out */
    char texts[PV_FAULTS][PV_WARNING_MAX];
} PvFaults;

/* Checks and counts; the first fault of each kind becomes a warning "name: …". */
void pv_faults_judge(PvFaults *faults, const char *name, const Position *pos, const char *line,
                     Move best);

/* Copies a warning that was not given out yet; false when there is none. */
bool pv_faults_warning(PvFaults *faults, char out[PV_WARNING_MAX]);

PvCounts pv_faults_counts(PvFaults *faults);
/* Adds those of an earlier part of a match. */
void pv_faults_add(PvFaults *faults, const PvCounts *earlier);

#endif
