/* SPDX-License-Identifier: MIT
 * Making books of random openings. */
#include "selfplay/openings/maker.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "engine/notation/fen.h"

enum {
    BLOCK = 512,           /* openings made in parallel, then filtered in order */
    FIRST_BLOCK = 16,      /* shows early that the bound cannot be met */
    FRUITLESS_BLOCKS = 20, /* blocks in a row without a new opening that end the search */
};

typedef struct Maker {
    const OpeningBookRequest *request;
    Search **verifiers;    /* [threads] */
    char (*fens)[FEN_MAX]; /* [BLOCK] */
    bool *balanced;        /* [BLOCK]; false: all tries were rejected */
    KeySet seen;
    OpeningBook book;
} Maker;

static bool is_interrupted(const OpeningBookRequest *request)
{
    return request->interrupted && atomic_load(request->interrupted);
}

static void make_one(const Maker *m, int64_t index, int place, Search *verifier)
{
    const OpeningBookRequest *o = m->request;
    const char *base = opening_book_fen(o->base, index);

    if (!is_interrupted(o))
        m->balanced[place] =
            opening_random(&o->opening, o->seed, (uint64_t)index, base, verifier, m->fens[place]);
}

static void make_block(const Maker *m, int64_t first, int size)
{
    const int threads = m->request->threads;
    atomic_int next = 0;

#pragma omp parallel for num_threads(threads) default(none) shared(m, first, size, threads, next)
    for (int thread = 0; thread < threads; thread++)
        for (int i; (i = atomic_fetch_add(&next, 1)) < size;)
            make_one(m, first + i, i, m->verifiers[thread]);
}

/* Adds the new openings of the block, up to the count wanted. */
static Status take_block(Maker *m, int size, Error *err)
{
    Status status = STATUS_OK;
    int balanced = 0;

    for (int i = 0; i < size && status == STATUS_OK && m->book.count < m->request->count; i++) {
        Position pos;
        bool added;
        if (!m->balanced[i]) continue;
        balanced++;
        if (position_from_fen(&pos, m->fens[i], &(Error){0}) != STATUS_OK) assert(false);
        status = key_set_add(&m->seen, pos.key, &added, err);
        if (status == STATUS_OK && added) status = opening_book_add(&m->book, &pos, err);
    }
    if (status == STATUS_OK && balanced == 0)
        return error_set(
            err, STATUS_BAD_INPUT,
            "only %d openings found: each of the next %d positions has a score beyond %d centipawns",
            m->book.count, size * OPENING_TRIES, m->request->opening.max_score);
    return status;
}

static Status make_all(Maker *m, Error *err)
{
    const OpeningBookRequest *o = m->request;
    int fruitless = 0, size = FIRST_BLOCK;
    Status status = STATUS_OK;

    for (int64_t first = 0; status == STATUS_OK && m->book.count < o->count;
         first += size, size = BLOCK) {
        int before = m->book.count;
        make_block(m, first, size);
        if (is_interrupted(o)) return error_set(err, STATUS_INTERRUPTED, "interrupted");
        status = take_block(m, size, err);
        fruitless = m->book.count > before ? 0 : fruitless + 1;
        if (status == STATUS_OK && fruitless == FRUITLESS_BLOCKS)
            status = error_set(err, STATUS_BAD_INPUT,
                               "only %d different openings found: the next %d had no new one",
                               m->book.count, FRUITLESS_BLOCKS * BLOCK);
        if (o->progress) o->progress(o->context, m->book.count);
    }
    return status;
}

static Status create_verifiers(Maker *m, Error *err)
{
    m->verifiers = calloc((size_t)m->request->threads, sizeof *m->verifiers);
    m->fens = calloc(BLOCK, sizeof *m->fens);
    m->balanced = calloc(BLOCK, sizeof *m->balanced);
    if (!m->verifiers || !m->fens || !m->balanced)
        return error_set(err, STATUS_FAILED, "out of memory for openings");
    for (int i = 0; i < m->request->threads; i++) {
        m->verifiers[i] = search_create(m->request->weights, OPENING_VERIFIER_HASH, err);
        if (!m->verifiers[i]) return STATUS_FAILED;
    }
    return STATUS_OK;
}

Status opening_book_make(const OpeningBookRequest *request, OpeningBook *book, Error *err)
{
    Maker m = {.request = request};

    Status status = create_verifiers(&m, err);
    if (status == STATUS_OK) status = make_all(&m, err);
    for (int i = 0; m.verifiers && i < request->threads; i++)
        search_destroy(m.verifiers[i]);
    free(m.verifiers);
    free(m.fens);
    free(m.balanced);
    free(m.seen.keys);
    if (status == STATUS_OK)
        *book = m.book;
    else
        opening_book_free(&m.book);
    return status;
}
