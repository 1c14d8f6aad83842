/* SPDX-License-Identifier: MIT
 * Opening books from files, by the endings of their names. */
#include "selfplay/openings/book_load.h"

#include <string.h>

#include "db/files/reader.h"
#include "engine/notation/epd.h"
#include "selfplay/openings/lines.h"

static Status add_line(OpeningBook *book, const char *line, Error *err)
{
    EpdText text = epd_text(line);
    Position pos;

    if (epd_is_empty(text)) return STATUS_OK;
    Status status = epd_read_position(&text, &pos, err);
    return status == STATUS_OK ? opening_book_add(book, &pos, err) : status;
}

static Status load_positions(const char *path, OpeningBook *book, Error *err)
{
    enum { LINE_BYTES = 4096 }; /* the position comes first, so longer lines may be cut */
    char line[LINE_BYTES];
    bool whole;
    Status status = STATUS_OK;
    FileReader *text = reader_open_text(path, err);

    if (!text) return err ? err->status : STATUS_BAD_INPUT;
    for (int64_t number = text->line;
         status == STATUS_OK && reader_line(text, line, LINE_BYTES, &whole) != READER_END;
         number = text->line) {
        status = add_line(book, line, err);
        if (status != STATUS_OK) status = reader_place_line(text, number, err);
    }
    if (status == STATUS_OK) status = reader_fault(text, err);
    reader_close(text);
    return status;
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

    Status status = polyglot ? opening_lines_load_polyglot(path, choice, &loaded, err)
                    : ends_in(path, ".pgn") || ends_in(path, ".pgn.zst")
                        ? opening_lines_load_pgn(path, choice->plies, &loaded, err)
                        : load_positions(path, &loaded, err);
    if (status == STATUS_OK && loaded.count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: no positions found", path);
    if (status != STATUS_OK) {
        opening_book_free(&loaded);
        return status;
    }
    if (choice->random && !polyglot) opening_book_shuffle(&loaded, choice->seed);
    *book = loaded;
    return STATUS_OK;
}
