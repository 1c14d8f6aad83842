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

#include "engine/base/pcg.h"
#include "engine/notation/fen.h"
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

#endif
