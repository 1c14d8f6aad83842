/* SPDX-License-Identifier: MIT
 * Opening books: positions from files, in order or shuffled. */
#include <stdlib.h>
#include <string.h>

#include "db/chess/game_end.h"
#include "db/files/reader.h"
#include "engine/notation/epd.h"
#include "selfplay/openings/internal.h"

static Status add_line(OpeningBook *book, const char *line, Error *err)
{
    Position pos;

    Status status = epd_read_position(line, &pos, NULL, err);
    return status == STATUS_OK ? opening_book_add(book, &pos, err) : status;
}

static Status load_positions(const char *path, OpeningBook *book, Error *err)
{
    enum { LINE_BYTES = 4096 }; /* the position stands in front: longer lines may be cut */
    char line[LINE_BYTES];
    bool whole;
    Status status = STATUS_OK;
    FileReader *text = reader_open_text(path, err);

    if (!text) return err ? err->status : STATUS_BAD_INPUT;
    for (int64_t number = text->line;
         status == STATUS_OK && reader_line(text, line, LINE_BYTES, &whole) != READER_END;
         number = text->line) {
        if (line[strspn(line, " \t")] == '\0' || line[0] == '#') continue;
        status = add_line(book, line, err);
        if (status != STATUS_OK) status = reader_place_line(text, number, err);
    }
    if (status == STATUS_OK) status = reader_fault(text, err);
    reader_close(text);
    return status;
}

/* ---- Books */

Status opening_book_add(OpeningBook *book, const Position *pos, Error *err)
{
    KeyHistory none = {0};
    GameResult result;
    GameReason reason;

    if (game_over(pos, &none, &result, &reason))
        return error_set(err, STATUS_BAD_INPUT, "the game is over here (%s)", reason_name(reason));
    if (book->count == OPENING_BOOK_MAX)
        return error_set(err, STATUS_BAD_INPUT, "more than %d openings", OPENING_BOOK_MAX);
    if (book->count == book->room) {
        int larger = book->room ? 2 * book->room : 1024;
        void *fens = realloc(book->fens, (size_t)larger * sizeof *book->fens);
        if (!fens) return error_set(err, STATUS_FAILED, "out of memory for the book");
        book->fens = fens;
        book->room = larger;
    }
    char *fen = book->fens[book->count++];
    memset(fen, 0, FEN_MAX); /* a run is named by the hash of all */
    position_to_fen(pos, fen);
    return STATUS_OK;
}

static bool ends_in(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

Status opening_book_load(const char *path, const OpeningChoice *choice, OpeningBook *book,
                         Error *err)
{
    OpeningBook loaded = {0};
    bool polyglot = ends_in(path, ".bin");

    Status status = polyglot ? opening_book_load_polyglot(path, choice, &loaded, err)
                    : ends_in(path, ".pgn") || ends_in(path, ".pgn.zst")
                        ? opening_book_load_pgn(path, choice->plies, &loaded, err)
                        : load_positions(path, &loaded, err);
    if (status == STATUS_OK && loaded.count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: no positions in it", path);
    if (status != STATUS_OK) {
        opening_book_free(&loaded);
        return status;
    }
    if (choice->random && !polyglot) opening_book_shuffle(&loaded, choice->seed);
    *book = loaded;
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
