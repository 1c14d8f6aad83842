/* SPDX-License-Identifier: MIT
 * Making books of random openings, on all cores, without repetitions. */
#ifndef TABIA_SELFPLAY_OPENINGS_MAKER_H
#define TABIA_SELFPLAY_OPENINGS_MAKER_H

#include "selfplay/openings/book.h"
#include "selfplay/openings/opening.h"

/* The book that is wanted. */
typedef struct OpeningBookRequest {
    OpeningSettings opening;
    const OpeningBook *base;   /* borrowed: opening i begins at its opening i; or NULL */
    const Evaluation *weights; /* of the verification search */
    uint64_t seed;
    int count, threads;
    const atomic_int *interrupted;             /* non-zero: STATUS_INTERRUPTED; or NULL */
    void (*progress)(void *context, int done); /* now and then, on one thread at a time; or NULL */
    void *context;
} OpeningBookRequest;

/* Makes `count` openings by opening_random(), without repetitions; move counters are ignored. The
 * book is a function of the request, not of its number of threads. STATUS_BAD_INPUT when there are
 * fewer different openings: 20 blocks of 512 openings had no new one, or all positions of a block
 * were rejected (of the first block, of 16 openings, 3,200 positions: OPENING_TRIES for each).
 * *book is unchanged on failure. */
MUST_CHECK Status opening_book_make(const OpeningBookRequest *request, OpeningBook *book,
                                    Error *err);

#endif
