/* SPDX-License-Identifier: MIT
 * Where games start: random balanced positions, or a book. */
#ifndef TABIA_SELFPLAY_OPENING_H
#define TABIA_SELFPLAY_OPENING_H

#include <stdbool.h>

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
    OPENING_TRIES = 200,     /* after so many rejections the least lopsided one is taken */
    OPENING_ENDS = 10000     /* after so many games that ended within the random plies, too */
};

/* 8 or 9 random plies, verified to ±600 centipawns. */
void opening_defaults(OpeningSettings *settings);

/* A balanced random opening as FEN: a function of (seed, index, settings, base, verifier's weights
 * and table size) alone. The random moves begin at `base`, a FEN, NULL being the initial position.
 * PCG stream `index` is drawn from until an opening is accepted; it never ends in mate, stalemate
 * or a drawn position, unless every line of so many plies from `base` does: then `base` it is.
 * verifier may be NULL when verify_depth is 0; it is reset before each use. */
void opening_random(const OpeningSettings *settings, uint64_t seed, uint64_t index,
                    const char *base, Search *verifier, char fen[FEN_MAX]);

/* ---- Books */

/* Start positions from a file, in the order in which they are to be played. */
typedef struct OpeningBook {
    int count;
    char (*fens)[FEN_MAX]; /* owned; zeros behind each text */
    int room;              /* of fens */
} OpeningBook;

enum {
    OPENING_BOOK_MAX = 1000000, /* most positions of a book */
    OPENING_DRAWS = 20000,      /* most positions drawn from a Polyglot book */
    OPENING_POLYGLOT_PLIES = 8  /* when `plies` is 0 */
};

/* What is taken from a file, and in which order. */
typedef struct OpeningChoice {
    int plies; /* of lines (PGN, Polyglot): so deep, or where they end before; 0: PGN to the end */
    bool random; /* shuffled by the seed; lines of Polyglot are drawn by their weights instead */
    uint64_t seed;
} OpeningChoice;

/* By the name's ending:
 *   .pgn, .pgn.zst  the position of each game after `plies`; a position that occurred before, by
 *                   whatever moves, is left out
 *   .bin            lines of a Polyglot book from the initial position: all of them, in the book's
 *                   order, or OPENING_DRAWS of them drawn by the moves' weights (fewer where a
 *                   thousand draws find nothing new); moves of weight 0 are not played
 *   others          EPD or FEN, one a line, plain or .zst: blank lines and lines starting with '#'
 *                   are skipped; of operations hmvc and fmvn are understood, others ignored
 * STATUS_BAD_INPUT with file, and line where there are lines: malformed, a position that cannot be
 * played from or where the game is over, none at all, more than OPENING_BOOK_MAX. *book is
 * unchanged on error. */
MUST_CHECK Status opening_book_load(const char *path, const OpeningChoice *choice,
                                    OpeningBook *book, Error *err);
void opening_book_free(OpeningBook *book);

/* Shuffles in place by seed. */
void opening_book_shuffle(OpeningBook *book, uint64_t seed);

#endif
