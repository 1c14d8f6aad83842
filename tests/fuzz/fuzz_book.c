/* SPDX-License-Identifier: MIT
 * Fuzzes the reader of Polyglot books: the input is a book. Every book is refused with an error
 * that names it, or gives only legal moves. */
#include <string.h>
#include <unistd.h>

#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "engine/notation/polyglot.h"
#include "tests/fuzz/support_fuzz.h"

/* Looks up the start position, positions after book moves, and the key of each entry. */
static void check_book(const PolyglotBook *book, const uint8_t *data, size_t size)
{
    Position pos, next;
    PolyglotMoves list;

    position_set_start(&pos);
    for (int ply = 0; ply < 8; ply++) {
        demand(polyglot_moves(book, &pos, &list, &(Error){0}) == STATUS_OK);
        for (int i = 0; i < list.count; i++)
            demand(movegen_is_legal(&pos, list.moves[i].move));
        if (list.count == 0) break;
        position_make(&next, &pos, list.moves[list.count - 1].move);
        pos = next;
    }
    position_set_start(&pos);
    for (size_t at = 0; at + 16 <= size && at < 1024; at += 16) {
        pos.key = 0;
        for (int i = 0; i < 8; i++)
            pos.key = pos.key << 8 | data[at + (size_t)i];
        demand(polyglot_moves(book, &pos, &list, &(Error){0}) == STATUS_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX];
    Error err = {0};

    fuzz_file("book", data, size, path);
    PolyglotBook *book = polyglot_open(path, &err);
    if (book)
        check_book(book, data, size);
    else
        demand(err.status == STATUS_BAD_INPUT && strstr(err.text, path) != NULL);
    polyglot_close(book);
    (void)unlink(path);
    return 0;
}
