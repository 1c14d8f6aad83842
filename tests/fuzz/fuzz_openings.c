/* SPDX-License-Identifier: MIT
 * Fuzzes the reader of opening files: the first byte of the input chooses the kind and the order,
 * the rest is the file. A file is refused with an error that names it, or every opening can be
 * played. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/board/movegen.h"
#include "selfplay/openings/book.h"
#include "tests/fuzz/support_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const endings[] = {"epd", "pgn", "bin", "pgn.zst"};
    char name[FUZZ_PATH_MAX], path[FUZZ_PATH_MAX + 8];
    OpeningBook book = {0};
    Error err = {0};
    Position pos;

    if (size == 0) return 0;
    const OpeningChoice choice = {.plies = data[0] >> 4 & 7, .random = data[0] & 8, .seed = 1};
    fuzz_file("openings", data + 1, size - 1, name);
    (void)snprintf(path, sizeof path, "%s.%s", name, endings[data[0] & 3]);
    demand(rename(name, path) == 0);
    if (opening_book_load(path, &choice, &book, &err) == STATUS_OK) {
        demand(book.count > 0 && opening_book_unique(&book, &(Error){0}) == STATUS_OK);
        for (int i = 0; i < book.count; i++)
            demand(position_from_fen(&pos, book.fens[i], &(Error){0}) == STATUS_OK &&
                   movegen_count(&pos) > 0);
    } else {
        demand(err.status == STATUS_BAD_INPUT && strstr(err.text, path) != NULL);
    }
    opening_book_free(&book);
    (void)unlink(path);
    return 0;
}
