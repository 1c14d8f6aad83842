/* SPDX-License-Identifier: MIT
 * Staged move picker: the legal moves of a node one by one, generated as late as possible. Order:
 * hash move, captures and promotions that lose nothing (most valuable victim, capture history),
 * killers, quiet moves by history, losing captures. */
#ifndef TABIA_ENGINE_SEARCH_MOVEPICK_H
#define TABIA_ENGINE_SEARCH_MOVEPICK_H

#include "engine/board/checks.h"
#include "engine/board/movegen.h"
#include "engine/search/history.h"
#include "engine/search/tt.h"

enum {
    KILLERS = 2,
    CONTINUATIONS = 3,
    LANES = 16 /* scores compared at once */
};

typedef enum PickStage {
    PICK_HASH,
    PICK_GENERATE_NOISY,
    PICK_GOOD_NOISY,
    PICK_KILLERS,
    PICK_GENERATE_QUIET,
    PICK_QUIET,
    PICK_BAD_NOISY,
    PICK_DONE
} PickStage;

/* Which of the remaining quiet moves are returned. */
typedef enum PickQuiets {
    QUIETS_ALL,
    QUIETS_CHECKS, /* only direct attacks on the enemy king, unsorted */
    QUIETS_NONE
} PickQuiets;

typedef struct MovePicker {
    const Position *pos; /* borrowed, as everything here */
    const Histories *histories;
    const Continuation *const
        *continuation; /* [CONTINUATIONS], of the moves 1, 2 and 4 plies ago */
    const Tt *tt;      /* prefetched before the move is searched; NULL: not prefetched */
    Checks checks;     /* of pos; not for movepick_init_noisy() */
    Move hash_move;
    Move killers[KILLERS];
    PickStage stage;
    bool noisy_only;   /* quiescence: neither quiet moves nor losing captures */
    PickQuiets quiets; /* may be narrowed between two calls */
    int next_killer;
    int at, end, bad_end;     /* noisy[at, end) remain; [0, bad_end) are losing captures */
    int best_quiet;           /* index in the list of the next quiet move, or -1 … */
    int32_t best_score;       /* … and its score; moves with higher scores have been returned */
    int32_t noisy[MAX_MOVES]; /* score in the high half, move in the low */
    MoveList list;            /* as generated: the noisy moves, later the quiet ones */
    /* Of the quiet moves. The low bits hold the index: no two scores are equal, and among equal
     * histories the first move comes first. INT32_MIN for the hash move and killers, which come
     * earlier, and in the rest of the last block of LANES. */
    int32_t score[MAX_MOVES + LANES];
} MovePicker;

/* `hash_move` may be any pattern of bits: it is tested. `tt` and `killers` may be NULL;
 * continuation may not. */
void movepick_init(MovePicker *picker, const Position *pos, const Histories *histories,
                   const Continuation *const continuation[CONTINUATIONS], const Tt *tt,
                   Move hash_move, const Move killers[KILLERS]);

/* For quiescence out of check: a noisy hash move, then captures and promotions with SEE >= 0. */
void movepick_init_noisy(MovePicker *picker, const Position *pos, const Histories *histories,
                         Move hash_move);

/* The next move, or MOVE_NONE at the end. picker->stage is the stage of the move. */
Move movepick_next(MovePicker *picker);

#endif
