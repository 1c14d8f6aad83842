/* SPDX-License-Identifier: MIT
 * Where games start: a base (the start of chess, one of Chess960's, a line of a book), then random
 * plies until a search finds the position balanced, or the base as it is.
 *
 * Opening i is a function of seed, i and settings alone, so that any machine can make any part of a
 * run. Bases come in a permutation that the seed chooses, round and round: without random plies no
 * opening comes twice before all have been played. Random plies are drawn from PCG stream i, and
 * streams may meet: of 8 or 9 plies from the start of chess, 9 openings of 100,000 have been there
 * before and 641 of a million; from the starts of Chess960 none. opening_book_make() (`tabia
 * openings`) makes a book in which there are none by construction. */
#ifndef TABIA_SELFPLAY_OPENINGS_OPENING_H
#define TABIA_SELFPLAY_OPENINGS_OPENING_H

#include <stdatomic.h>
#include <stdbool.h>

#include "engine/base/pcg.h"
#include "engine/search/search.h"

typedef enum OpeningBase {
    OPENING_CHESS,          /* the one start position */
    OPENING_CHESS960,       /* 960 */
    OPENING_DOUBLE_CHESS960 /* 921,600: each side has its own of the 960 */
} OpeningBase;

typedef struct OpeningSettings {
    OpeningBase base;
    int random_plies; /* uniformly random legal moves from there; 0: none, and no verification … */
    int random_plies_extra; /* … else one more in half of the openings when 1 */
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

/* How many different positions settings->base stands for. */
int64_t opening_bases(const OpeningSettings *settings);

/* Opening number `index` as FEN: a function of (seed, index, settings, base, verifier's weights and
 * table size) alone. `base` is a FEN to begin at instead of settings->base, or NULL. With random
 * plies it is never a mate, stalemate or drawn position, unless every line of so many plies ends
 * there: then the base it is. verifier may be NULL when random_plies or verify_depth is 0; it is
 * reset before each use. */
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

/* Drops positions that have been there before, whatever their move counters say; the first one of
 * each keeps its place in the order. */
MUST_CHECK Status opening_book_unique(OpeningBook *book, Error *err);

/* How a book is made. */
typedef struct OpeningBookOrder {
    OpeningSettings opening;
    const OpeningBook *base;    /* borrowed: or NULL … */
    int64_t base_start;         /* … opening i begins at line (i + base_start) mod its count */
    const EvalWeights *weights; /* of the verification search */
    uint64_t seed;
    int count, threads;
    const atomic_int *interrupted;             /* non-zero: STATUS_INTERRUPTED; or NULL */
    void (*progress)(void *context, int done); /* now and then, on one thread at a time; or NULL */
    void *context;
} OpeningBookOrder;

/* Makes `count` openings by opening_random(), leaving out what has been there before, whatever the
 * move counters say: a function of the order alone, not of its threads. STATUS_BAD_INPUT when there
 * are not so many. *book is unchanged on failure. */
MUST_CHECK Status opening_book_make(const OpeningBookOrder *order, OpeningBook *book, Error *err);

#endif
