/* SPDX-License-Identifier: MIT
 * Histories of moves and correction histories of evaluations, filled while a search runs.
 * Sources: chessprogramming.org "History Heuristic", "Continuation History",
 * "Correction History". */
#ifndef TABIA_ENGINE_SEARCH_HISTORY_H
#define TABIA_ENGINE_SEARCH_HISTORY_H

#include "engine/board/position.h"

enum {
    HISTORY_MAX = 16384,        /* bound of every move history entry, either sign */
    CORRECTION_MAX = 1024 * 16, /* bound of a correction entry, in 1/256 cp */
    FROM_TO = SQUARES * SQUARES,
    CORRECTION_UNIT = 256,
    CORRECTION_SIZE = 1 << 14 /* entries a side, by the low bits of a key */
};

/* History of replies (piece, to) to one earlier move. */
typedef struct Continuation {
    int16_t value[PIECES][SQUARES];
} Continuation;

typedef struct Histories {
    int16_t quiet[COLORS][FROM_TO];                /* by from and to */
    int16_t capture[PIECES][SQUARES][PIECE_TYPES]; /* piece, to, victim */
    /* Average of search result minus evaluation, by features of the position; 1/256 cp, side to
     * move's view. The first index is the side to move. */
    int16_t pawn_correction[COLORS][CORRECTION_SIZE];
    int16_t piece_correction[COLORS][COLORS][CORRECTION_SIZE]; /* by one side's pieces and king */
    int16_t line_correction[CORRECTION_SIZE];                  /* by the last two moves */
    /* By the earlier (piece, to); the last piece stands for "no move". A short game changes few of
     * these large tables. */
    Continuation continuation[PIECES + 1][SQUARES];
    bool continuation_changed[(PIECES + 1) * SQUARES]; /* since histories_clear() */
} Histories;

void histories_clear(Histories *h);

/* Call before changing one of the continuation tables. */
static inline void history_change(Histories *h, const Continuation *c)
{
    h->continuation_changed[c - &h->continuation[0][0]] = true;
}

/* Adds `bonus`, scaled down as the entry approaches ±HISTORY_MAX. */
static inline void history_update(int16_t *entry, int bonus)
{
    int magnitude = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * magnitude / HISTORY_MAX);
}

static inline int16_t *history_quiet(Histories *h, Color stm, Move m)
{
    return &h->quiet[stm][m & (FROM_TO - 1)];
}

/* The piece that a noisy move captures; a pawn for en passant and promotions without capture. */
static inline PieceType noisy_victim(const Position *pos, Move m)
{
    int taken = pos->board[move_to(m)];
    return taken == NO_PIECE ? PAWN : piece_type(taken);
}

static inline int16_t *history_capture(Histories *h, const Position *pos, Move m)
{
    return &h->capture[pos->board[move_from(m)]][move_to(m)][noisy_victim(pos, m)];
}

/* The correction entries for one position. */
typedef struct Corrections {
    int16_t *pawns;
    int16_t *pieces[COLORS];
    int16_t *line;
} Corrections;

/* `last` and `before` are the continuations of the last two moves, from the search's frames. */
Corrections correction_find(Histories *h, const Position *pos, const Continuation *last,
                            const Continuation *before);

/* A search to `depth` found the corrected evaluation plus `difference` centipawns. */
void correction_update(const Corrections *c, int depth, int difference);

#endif
