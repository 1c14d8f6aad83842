/* SPDX-License-Identifier: MIT
 * Opening books: openings in the order in which they are played, positions or lines of moves. */
#ifndef TABIA_SELFPLAY_OPENINGS_BOOK_H
#define TABIA_SELFPLAY_OPENINGS_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/files/sha256.h"
#include "engine/base/status.h"
#include "engine/notation/fen.h"

enum {
    OPENING_BOOK_MAX = 10000000, /* positions of a book */
    OPENING_LINE_MAX = 512       /* moves of a line; of a longer one the last are kept */
};

/* The moves that lead to an opening. */
typedef struct BookLine {
    char start_fen[FEN_MAX]; /* zeros after the text */
    int64_t first;           /* index of the first move */
    int count;
} BookLine;

/* Zeroed: empty. */
typedef struct OpeningBook {
    int count;
    char (*fens)[FEN_MAX]; /* owned; zeros after each text, since runs hash all of it */
    int64_t room;          /* of fens */
    BookLine *lines;       /* [count], owned; NULL: of positions alone */
    Move *moves;           /* of all lines, owned */
    int64_t line_room, move_count, move_room;
    int64_t start;           /* of a run: its opening n is fens[(n + start) % count] */
    const char *name;        /* for the run's configuration; borrowed; NULL: "" */
    char hash[HASH_HEX_MAX]; /* SHA-256 of fens and lines, or "": opening_book_hash() makes it */
    FaultCount left_out;     /* of its file: lines and games without an opening */
    FaultCount dropped;      /* of its file: positions that lost a castling right or the like */
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

/* The position of opening number `number` of a run, from 0; NULL without a book. */
const char *opening_book_fen(const OpeningBook *book, int64_t number);
/* Its line; NULL without a book or in one of positions. */
const BookLine *opening_book_line(const OpeningBook *book, int64_t number);

/* Keeps the hash of a book that is complete, for the configurations of many runs. */
void opening_book_hash(OpeningBook *book);

enum {
    OPENING_DRAWS = 20000,     /* most positions drawn from a Polyglot book */
    OPENING_POLYGLOT_PLIES = 8 /* when `plies` is 0 */
};

/* What is taken from a file, and in which order. */
typedef struct OpeningChoice {
    int plies;   /* of a line (PGN, Polyglot), or fewer where it ends before; 0: PGN to the end */
    bool random; /* shuffled by the seed; lines of Polyglot are drawn by their weights instead */
    uint64_t seed;
} OpeningChoice;

/* By the name's ending:
 *   .pgn, .pgn.zst  the line of each game, `plies` long; lines to a position that
 *                   another one reached are left out
 *   .bin            lines of a Polyglot book from the initial position: all of them, in the book's
 *                   order, or OPENING_DRAWS of them drawn by the moves' weights (fewer where a
 *                   thousand draws find nothing new); moves of weight 0 are not played
 *   others          EPD or FEN, one a line, plain or .zst: blank lines and lines starting with '#'
 *                   are skipped; of operations hmvc and fmvn are understood, others ignored
 * What is malformed, a position that cannot be played from or where the game is over is left out
 * and counted, with file and line. STATUS_BAD_INPUT with the file: no position is left, or more
 * than OPENING_BOOK_MAX. *book is unchanged on error; its start is 0 and its name NULL. */
MUST_CHECK Status opening_book_load(const char *path, const OpeningChoice *choice,
                                    OpeningBook *book, Error *err);

/* Positions that were seen, by key. Zeroed: empty. Open addressing, at most half full; 0 and 1 are
 * the same key. */
typedef struct KeySet {
    uint64_t *keys; /* owned; release with free(); 0: a free slot */
    size_t room, count;
} KeySet;

/* *added: whether the key is new. */
MUST_CHECK Status key_set_add(KeySet *set, uint64_t key, bool *added, Error *err);

#endif
