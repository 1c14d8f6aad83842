/* SPDX-License-Identifier: MIT
 * Opening books: start positions in the order in which they are played. */
#ifndef TABIA_SELFPLAY_OPENINGS_BOOK_H
#define TABIA_SELFPLAY_OPENINGS_BOOK_H

#include "db/files/sha256.h"
#include "engine/notation/fen.h"

enum { OPENING_BOOK_MAX = 10000000 /* positions of a book */ };

/* Zeroed: empty. */
typedef struct OpeningBook {
    int count;
    char (*fens)[FEN_MAX];   /* owned; zeros after each text, since runs hash all of it */
    int64_t room;            /* of fens */
    int64_t start;           /* of a run: its opening n is fens[(n + start) % count] */
    const char *name;        /* for the run's configuration; borrowed; NULL: "" */
    char hash[HASH_HEX_MAX]; /* SHA-256 of the fens, or "": opening_book_hash() makes it */
} OpeningBook;

void opening_book_free(OpeningBook *book);

/* Appends a position. STATUS_BAD_INPUT, without a file's name, when the game is over there or the
 * book is full. */
MUST_CHECK Status opening_book_add(OpeningBook *book, const Position *pos, Error *err);

/* Shuffles in place by seed. */
void opening_book_shuffle(OpeningBook *book, uint64_t seed);

/* Drops repeated positions; move counters are ignored. The first of each keeps its place in the
 * order. */
MUST_CHECK Status opening_book_unique(OpeningBook *book, Error *err);

/* The start position of opening number `number` of a run, from 0; NULL without a book. */
const char *opening_book_fen(const OpeningBook *book, int64_t number);

/* Keeps the hash of a book that is complete, for the configurations of many runs. */
void opening_book_hash(OpeningBook *book);

#endif
