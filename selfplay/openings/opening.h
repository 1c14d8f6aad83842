/* SPDX-License-Identifier: MIT
 * Start positions of games: a base (the start of chess, one of Chess960's, a line of a book), then
 * random plies, repeated until a search finds the position balanced. Without random plies the base
 * itself.
 *
 * Opening i is a function of seed, i and settings, so that any machine can make any part of a run.
 * The bases cycle in a permutation given by the seed: without random plies no opening repeats
 * before all have been used. Random plies are drawn from PCG stream i, and two streams may give the
 * same opening: with 8 or 9 plies from the start of chess, 9 openings of 100,000 and 641 of a
 * million are repetitions; from the starts of Chess960 none. opening_book_make() (`tabia openings`)
 * makes books without repetitions. */
#ifndef TABIA_SELFPLAY_OPENINGS_OPENING_H
#define TABIA_SELFPLAY_OPENINGS_OPENING_H

#include "engine/notation/fen.h"
#include "engine/search/search.h"
#include "engine/values/setting.h"
#include "selfplay/openings/book.h"

typedef enum OpeningBase {
    OPENING_CHESS,          /* the one start position */
    OPENING_CHESS960,       /* 960 */
    OPENING_DOUBLE_CHESS960 /* 921,600: each side has its own of the 960 */
} OpeningBase;

typedef struct OpeningSettings {
    OpeningBase base;
    int random_plies; /* uniformly random legal moves from the base; 0: none, no verification */
    int random_plies_extra; /* 1: one more random ply in half of the openings */
    int verify_depth;       /* plies of the verification search; 0: none */
    int verify_nodes;       /* its soft node limit (0: none) */
    int max_score;          /* reject when |score| exceeds this, in centipawns */
} OpeningSettings;

enum {
    OPENING_PLIES_MAX = 200,         /* most random plies */
    OPENING_TRIES = 200,             /* rejections after which there is no opening */
    OPENING_VERIFIER_HASH = 1 << 20, /* hash bytes of the verifier; it decides openings */
    OPENING_ENDS = 10000             /* the same, games that ended within the random plies */
};

/* The defaults: 8 or 9 random plies, verified to ±600 centipawns. */
extern const Setting opening_settings[];
extern const char opening_heading[]; /* above them and adjudication in help, in all commands */

/* Number of different positions of settings->base. */
int64_t opening_bases(const OpeningSettings *settings);

/* Opening number `index` as FEN: a function of seed, index, settings, base, and the verifier's
 * weights and hash size. `base` is a FEN to begin at instead of settings->base, or NULL. With
 * random plies the game is not over there, unless every line of that length ends the game: then the
 * result is the base. verifier may be NULL when random_plies or verify_depth is 0; it is reset
 * before each use. False, and fen is the base, when all positions that were tried were rejected. */
bool opening_random(const OpeningSettings *settings, uint64_t seed, uint64_t index,
                    const char *base, Search *verifier, char fen[FEN_MAX]);

/* What a game begins with. */
typedef struct GameOpening {
    char start_fen[FEN_MAX];
    const Move *moves; /* from there, of the book's line; borrowed */
    int move_count;
} GameOpening;

/* Opening `number` of a run for a game, which is not played without one: STATUS_FAILED. With a book
 * of lines and without random plies it is the line; else a position. book: may be NULL. */
MUST_CHECK Status opening_of_game(const OpeningSettings *settings, uint64_t seed,
                                  const OpeningBook *book, int64_t number, Search *verifier,
                                  GameOpening *opening, Error *err);

#endif
