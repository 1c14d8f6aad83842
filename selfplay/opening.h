/* SPDX-License-Identifier: MIT
 * Where games start: random balanced positions, or a book. */
#ifndef TABIA_SELFPLAY_OPENING_H
#define TABIA_SELFPLAY_OPENING_H

#include "engine/pcg.h"
#include "engine/search.h"

typedef struct OpeningSettings {
    int random_plies;       /* uniformly random legal moves from the start position … */
    int random_plies_extra; /* … plus one more in half of the openings when 1 */
    int verify_depth;       /* plies of the verification search; 0: none */
    int verify_nodes;       /* its soft node limit (0: none) */
    int max_score;          /* reject when |score| is beyond this, centipawns: by absolute value */
} OpeningSettings;

enum {
    OPENING_PLIES_MAX = 200, /* most random plies that make sense */
    OPENING_TRIES = 200      /* after so many rejections the least lopsided one is taken */
};

/* 8 or 9 random plies, verified to ±600 centipawns. */
void opening_defaults(OpeningSettings *settings);

/* A balanced random opening as FEN: a function of (seed, index, settings, verifier's weights and
 * table size) alone. PCG stream `index` is drawn from until an opening is accepted; it never ends
 * in mate, stalemate or a drawn position. verifier may be NULL when verify_depth is 0; it is reset
 * before each use. */
void opening_random(const OpeningSettings *settings, uint64_t seed, uint64_t index,
                    Search *verifier, char fen[FEN_MAX]);

/* A book of start positions read from an EPD or FEN file (one a line, plain or .zst), in file
 * order. */
typedef struct OpeningBook {
    int count;
    char (*fens)[FEN_MAX]; /* owned */
} OpeningBook;

/* Blank lines and lines starting with '#' are skipped; of EPD operations hmvc and fmvn are
 * understood, others ignored. STATUS_BAD_INPUT with file and line: a position that cannot be played
 * from, or where the game is over; a file without any. *book is unchanged on error. */
MUST_CHECK Status opening_book_load(const char *path, OpeningBook *book, Error *err);
void opening_book_free(OpeningBook *book);

/* Shuffles in place by seed, for random order. */
void opening_book_shuffle(OpeningBook *book, uint64_t seed);

#endif
