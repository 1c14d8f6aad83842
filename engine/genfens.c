/* SPDX-License-Identifier: MIT
 * OpenBench's `genfens`: random, roughly balanced opening positions, a function of the seed alone.
 * Source: the OpenBench wiki, "Data generation". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/pcg.h"
#include "engine/position_make.h"
#include "engine/uci_internal.h"

enum {
    RANDOM_PLIES = 8,      /* from the start position, and one more half the time */
    BOOK_RANDOM_PLIES = 2, /* from a book's position */
    MODERATE_CP = 300,     /* the check search's score may not be beyond this, either side */
    CHECK_NODES = 2000,
    HASH_BYTES = 1 << 20,
    ATTEMPTS_MAX = 10000
};

/* The lines of a book file. */
typedef struct Book {
    char **lines;
    uint32_t count;
} Book;

static void book_free(Book *book)
{
    for (uint32_t i = 0; i < book->count; i++)
        free(book->lines[i]);
    free(book->lines);
    *book = (Book){NULL, 0};
}

static Status book_read(Book *book, const char *path, Error *err)
{
    FILE *f = fopen(path, "r");
    if (!f) return error_set(err, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(errno));

    Status status = STATUS_OK;
    char *line = NULL;
    size_t room = 0;
    uint32_t capacity = 0;
    while (getline(&line, &room, f) >= 0) {
        if (book->count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            char **grown = realloc(book->lines, capacity * sizeof *grown);
            if (!grown) {
                status = error_set(err, STATUS_FAILED, "out of memory for %s", path);
                break;
            }
            book->lines = grown;
        }
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0') continue;
        book->lines[book->count++] = line;
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

/* A FEN or the position part of an EPD line. */
static Status read_position(const char *text, Position *pos, Error *err)
{
    char fields[2 * FEN_MAX];
    size_t length = 0;

    if (position_from_fen(pos, text, err) == STATUS_OK) return STATUS_OK;
    /* Not a bare FEN: keep the first four words. */
    for (int word = 0; word < 4; word++) {
        length += strspn(text + length, " ");
        length += strcspn(text + length, " ;");
    }
    if (length >= sizeof fields)
        return error_set(err, STATUS_BAD_INPUT, "a book line is no position");
    memcpy(fields, text, length);
    fields[length] = '\0';
    return position_from_fen(pos, fields, err);
}

/* Plays `plies` random moves; false when the game ends on the way or with the last. */
static bool play_random(Position *pos, Pcg *rng, int plies)
{
    MoveList list;
    Position next;

    for (int i = 0;; i++) {
        movegen_all(pos, &list);
        if (list.count == 0 || position_is_insufficient_material(pos)) return false;
        if (i == plies) return true;
        position_make(&next, pos, list.moves[pcg_below(rng, (uint32_t)list.count)]);
        *pos = next;
    }
}

static bool is_moderate(Search *search, const Position *pos)
{
    SearchLimits limits = {.nodes_soft = CHECK_NODES, .nodes_hard = 10 * CHECK_NODES};
    SearchResult result;

    search_new_game(search);
    search_run(search, pos, NULL, &limits, &result);
    return result.score <= MODERATE_CP && result.score >= -MODERATE_CP;
}

/* Opening number `index` of `seed`. */
static Status make_opening(Search *search, const Book *book, uint64_t seed, uint64_t index,
                           Position *pos, Error *err)
{
    Pcg rng;

    pcg_seed(&rng, seed, index);
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        int plies;
        if (book->count > 0) {
            uint32_t line = pcg_below(&rng, book->count);
            Status status = read_position(book->lines[line], pos, err);
            if (status != STATUS_OK) return error_prefix(err, "book line %u", line + 1);
            plies = BOOK_RANDOM_PLIES + (int)pcg_below(&rng, 2);
        } else {
            position_set_start(pos);
            plies = RANDOM_PLIES + (int)pcg_below(&rng, 2);
        }
        if (play_random(pos, &rng, plies) && is_moderate(search, pos)) return STATUS_OK;
    }
    return error_set(err, STATUS_FAILED, "no balanced opening found");
}

/* "N seed S book B"; words after that are for the user's own use. */
static bool read_arguments(Uci *uci, char *line, int64_t *count, int64_t *seed, char **book)
{
    char *word;

    *seed = 0;
    *book = NULL;
    if (!uci_read_number(uci, "genfens", uci_next_word(&line), 0, INT32_MAX, count)) return false;
    while ((word = uci_next_word(&line)) != NULL) {
        if (strcmp(word, "seed") == 0) {
            if (!uci_read_number(uci, "seed", uci_next_word(&line), 0, INT64_MAX, seed))
                return false;
        } else if (strcmp(word, "book") == 0) {
            char *name = uci_next_word(&line);
            if (name && strcmp(name, "None") != 0) *book = name;
        }
    }
    return true;
}

void uci_genfens(Uci *uci, char *line)
{
    int64_t count, seed;
    char *path;
    char fen[FEN_MAX];
    Book book = {NULL, 0};
    Error err = {0};
    Position pos;

    uci_settle(uci);
    if (!read_arguments(uci, line, &count, &seed, &path)) return;
    Status status = path ? book_read(&book, path, &err) : STATUS_OK;
    Search *search = status == STATUS_OK ? search_create(&uci->weights, HASH_BYTES, &err) : NULL;
    if (!search && status == STATUS_OK) status = STATUS_FAILED;
    for (int64_t i = 0; status == STATUS_OK && i < count; i++) {
        status = make_opening(search, &book, (uint64_t)seed, (uint64_t)i, &pos, &err);
        if (status != STATUS_OK) break;
        position_to_fen(&pos, fen);
        uci_say(uci, "info string genfens %s", fen);
    }
    if (status != STATUS_OK) uci_complain(uci, &err);
    search_destroy(search);
    book_free(&book);
}
