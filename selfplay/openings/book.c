/* SPDX-License-Identifier: MIT
 * Opening books in memory. */
#include "selfplay/openings/book.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/game_end.h"
#include "engine/base/array.h"
#include "engine/base/pcg.h"
#include "engine/notation/fen.h"
#include "selfplay/openings/key_set.h"

Status opening_book_add(OpeningBook *book, const Position *pos, Error *err)
{
    KeyHistory none = {0};
    GameResult result;
    GameReason reason;

    if (game_over(pos, &none, &result, &reason))
        return error_set(err, STATUS_BAD_INPUT, "the game is over in this position (%s)",
                         reason_name(reason));
    if (book->count == OPENING_BOOK_MAX)
        return error_set(err, STATUS_BAD_INPUT, "more than %d openings", OPENING_BOOK_MAX);
    Status status = ARRAY_RESERVE(book->fens, book->room, book->count + 1, err);
    if (status != STATUS_OK) return status;
    char *fen = book->fens[book->count++];
    memset(fen, 0, FEN_MAX); /* a run is named by the hash of all */
    position_to_fen(pos, fen);
    return STATUS_OK;
}

void opening_book_free(OpeningBook *book)
{
    free(book->fens);
    *book = (OpeningBook){0};
}

/* Fisher and Yates's shuffle. */
void opening_book_shuffle(OpeningBook *book, uint64_t seed)
{
    Pcg rng;

    pcg_seed(&rng, seed, 0);
    for (int i = book->count - 1; i > 0; i--) {
        int j = (int)pcg_below(&rng, (uint32_t)i + 1);
        char fen[FEN_MAX];
        memcpy(fen, book->fens[i], FEN_MAX);
        memcpy(book->fens[i], book->fens[j], FEN_MAX);
        memcpy(book->fens[j], fen, FEN_MAX);
    }
}

Status opening_book_unique(OpeningBook *book, Error *err)
{
    KeySet seen = {0};
    int kept = 0;
    Status status = STATUS_OK;

    for (int i = 0; i < book->count && status == STATUS_OK; i++) {
        Position pos;
        bool added;
        if (position_from_fen(&pos, book->fens[i], &(Error){0}) != STATUS_OK) assert(false);
        status = key_set_add(&seen, pos.key, &added, err);
        if (status != STATUS_OK || !added) continue;
        if (kept != i) memcpy(book->fens[kept], book->fens[i], FEN_MAX);
        kept++;
    }
    free(seen.keys);
    if (status == STATUS_OK) book->count = kept;
    return status;
}

const char *opening_book_fen(const OpeningBook *book, int64_t number)
{
    return book ? book->fens[(number + book->start) % book->count] : NULL;
}

void opening_book_hash(OpeningBook *book)
{
    sha256_hex(book->fens, (uint64_t)book->count * sizeof *book->fens, book->hash);
}
