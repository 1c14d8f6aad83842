/* SPDX-License-Identifier: MIT
 * Random openings by OpenBench's `genfens`. */
#include "engine/uci/genfens.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/array.h"
#include "engine/base/pcg.h"
#include "engine/base/posix.h"
#include "engine/base/system.h"
#include "engine/base/text.h"
#include "engine/board/chess960.h"
#include "engine/notation/epd.h"
#include "engine/notation/fen.h"
#include "engine/uci/go.h"
#include "engine/uci/random_opening.h"

enum {
    RANDOM_PLIES = 8,      /* from the start position, and one more half the time */
    BOOK_RANDOM_PLIES = 2, /* from a book's position, and one more half the time */
    MAX_IMBALANCE_CP = 300,
    CHECK_NODES = 2000,
    HASH_BYTES = 1 << 20,
    ATTEMPTS_MAX = 10000
};

/* The words of the command. */
typedef struct Request {
    int64_t count, seed;
    const char *book; /* path, or NULL */
    bool frc, dfrc;   /* without a book: start positions of (double) Chess960 */
} Request;

typedef struct BookLine {
    char *text;     /* owned */
    int64_t number; /* in the file, from 1 */
} BookLine;

/* The lines of a book file that are neither empty nor comments. */
typedef struct Book {
    BookLine *lines;
    uint32_t count;
    Error fault; /* of the first line that was drawn and left out, as it has no position */
} Book;

static void book_free(Book *book)
{
    for (uint32_t i = 0; i < book->count; i++)
        free(book->lines[i].text);
    free(book->lines);
    *book = (Book){0};
}

static Status book_read(Book *book, const char *path, Error *err)
{
    FILE *f = fopen(path, "r");
    if (!f) return error_set(err, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));

    Status status = STATUS_OK;
    char *line = NULL;
    size_t room = 0;
    int64_t capacity = 0;
    for (int64_t number = 1; getline(&line, &room, f) >= 0; number++) {
        status = ARRAY_RESERVE(book->lines, capacity, (int64_t)book->count + 1, err);
        if (status != STATUS_OK) break;
        line[strcspn(line, "\r\n\x1a")] = '\0'; /* DOS programs end files with Ctrl-Z */
        if (number == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0) /* UTF-8's byte order mark */
            memmove(line, line + 3, strlen(line + 3) + 1);
        if (text_line_is_empty(text_span(line))) continue;
        book->lines[book->count++] = (BookLine){line, number};
        line = NULL;
        room = 0;
    }
    if (status == STATUS_OK && ferror(f))
        status = error_set(err, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    if (status == STATUS_OK && book->count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s has no positions", path);
    free(line);
    (void)fclose(f);
    return status;
}

/* Plays `plies` random moves; false if the game ends before or with the last. */
static bool play_random(Position *pos, Pcg *rng, int plies)
{
    for (int i = 0; i < plies; i++)
        if (position_is_insufficient_material(pos) || !random_opening_move(pos, rng)) return false;
    return !position_is_insufficient_material(pos) && movegen_count(pos) > 0;
}

static void set_start(Position *pos, const Request *request, Pcg *rng)
{
    if (!request->frc && !request->dfrc) {
        position_set_start(pos);
        return;
    }
    int white = (int)pcg_below(rng, CHESS960_STARTS);
    chess960_start(pos, white, request->dfrc ? (int)pcg_below(rng, CHESS960_STARTS) : white);
}

/* Draws a position of the book; false where the line has none. The first such line is kept in
 * book->fault. */
static bool draw_position(Book *book, Pcg *rng, const char *path, Position *pos)
{
    const BookLine *line = &book->lines[pcg_below(rng, book->count)];
    TextSpan text = text_span(line->text);
    Error err = {0};

    if (epd_read_position(&text, pos, &err) == STATUS_OK) return true;
    if (book->fault.status == STATUS_OK) {
        (void)error_prefix(&err, "%s:%lld", path, (long long)line->number);
        book->fault = err;
    }
    return false;
}

/* Opening number `index` of the request. */
static Status make_opening(Search *search, Book *book, const Request *request, int64_t index,
                           Position *pos, Error *err)
{
    const SearchLimits limits = {.nodes_soft = CHECK_NODES, .nodes_hard = 10 * CHECK_NODES};
    Pcg rng;

    pcg_seed(&rng, (uint64_t)request->seed, (uint64_t)index);
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        int plies;
        if (book->count > 0) {
            if (!draw_position(book, &rng, request->book, pos)) continue;
            plies = BOOK_RANDOM_PLIES + (int)pcg_below(&rng, 2);
        } else {
            set_start(pos, request, &rng);
            plies = RANDOM_PLIES + (int)pcg_below(&rng, 2);
        }
        if (play_random(pos, &rng, plies) &&
            random_opening_imbalance(search, pos, &limits) <= MAX_IMBALANCE_CP)
            return STATUS_OK;
    }
    if (book->fault.status != STATUS_OK) {
        *err = book->fault;
        return err->status;
    }
    return error_set(err, STATUS_FAILED,
                     "genfens: no balanced opening found; try another seed or book");
}

/* "N seed S book B [frc|dfrc]"; other words are ignored. */
static bool read_request(Uci *uci, char *line, Request *request)
{
    char *word;

    *request = (Request){.book = NULL};
    if (!uci_read_number(uci, "genfens", uci_next_word(&line), 0, INT32_MAX, &request->count))
        return false;
    while ((word = uci_next_word(&line)) != NULL) {
        if (strcmp(word, "seed") == 0) {
            if (!uci_read_number(uci, "seed", uci_next_word(&line), 0, INT64_MAX, &request->seed))
                return false;
        } else if (strcmp(word, "book") == 0) {
            char *name = uci_next_word(&line);
            if (name && strcasecmp(name, "None") != 0) request->book = name;
        } else if (strcmp(word, "frc") == 0) {
            request->frc = true;
        } else if (strcmp(word, "dfrc") == 0) {
            request->dfrc = true;
        }
    }
    return true;
}

void uci_genfens(Uci *uci, char *line)
{
    Request request;
    char fen[FEN_MAX];
    Book book = {0};
    Error err = {0};
    Position pos;

    uci_settle(uci);
    if (!read_request(uci, line, &request)) return;
    Status status = stack_prepare(&err);
    if (status == STATUS_OK && request.book) status = book_read(&book, request.book, &err);
    Search *search = status == STATUS_OK ? search_create(&uci->evaluation, HASH_BYTES, &err) : NULL;
    if (!search && status == STATUS_OK) status = STATUS_FAILED;
    for (int64_t i = 0; status == STATUS_OK && i < request.count; i++) {
        status = make_opening(search, &book, &request, i, &pos, &err);
        if (status != STATUS_OK) break;
        position_to_fen(&pos, fen);
        uci_print(uci, "info string genfens %s", fen);
    }
    if (status != STATUS_OK)
        uci_print_error(uci, &err);
    else if (book.fault.status != STATUS_OK)
        uci_print(uci, "info string left out: %s", book.fault.text);
    search_destroy(search);
    book_free(&book);
}
