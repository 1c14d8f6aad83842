/* SPDX-License-Identifier: MIT
 * Opening books in the Polyglot format. */
#include "engine/notation/polyglot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/byte_order.h"
#include "engine/base/posix.h"
#include "engine/base/system.h"
#include "engine/board/zobrist.h"

enum { ENTRY_BYTES = 16, CHECK_ENTRIES = 4096 /* read at a time while the order is checked */ };

struct PolyglotBook {
    int fd;
    int64_t entries;
    char *path; /* for messages */
};

typedef struct PolyglotEntry {
    uint64_t key;
    uint16_t move, weight;
    uint32_t learn;
} PolyglotEntry;

/* ---- Reading */

static PolyglotEntry decode_entry(const unsigned char bytes[ENTRY_BYTES])
{
    return (PolyglotEntry){.key = get_be(bytes, 8),
                           .move = (uint16_t)get_be(bytes + 8, 2),
                           .weight = (uint16_t)get_be(bytes + 10, 2),
                           .learn = (uint32_t)get_be(bytes + 12, 4)};
}

/* Reads `count` entries from number `first` on, all of them or none. */
static Status read_entries(const PolyglotBook *book, int64_t first, int64_t count,
                           unsigned char *bytes, Error *err)
{
    size_t wanted = (size_t)count * ENTRY_BYTES, got = 0;

    while (got < wanted) {
        off_t at = (off_t)(first * ENTRY_BYTES) + (off_t)got;
        ssize_t n = pread(book->fd, bytes + got, wanted - got, at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return error_set(err, STATUS_BAD_INPUT, "book %s cannot be read: %s", book->path,
                             n < 0 ? strerror(errno) : "the file has become shorter");
        got += (size_t)n;
    }
    return STATUS_OK;
}

static Status read_entry(const PolyglotBook *book, int64_t number, PolyglotEntry *entry, Error *err)
{
    unsigned char bytes[ENTRY_BYTES];

    Status status = read_entries(book, number, 1, bytes, err);
    if (status == STATUS_OK) *entry = decode_entry(bytes);
    return status;
}

/* ---- Opening */

static Status check_order(const PolyglotBook *book, Error *err)
{
    unsigned char *bytes = malloc((size_t)CHECK_ENTRIES * ENTRY_BYTES);
    Status status = bytes ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory for a book");
    uint64_t last = 0;
    int equal = 0; /* entries before this one with its key */

    for (int64_t first = 0; status == STATUS_OK && first < book->entries; first += CHECK_ENTRIES) {
        int64_t left = book->entries - first, count = left < CHECK_ENTRIES ? left : CHECK_ENTRIES;
        status = system_check_end(err);
        if (status == STATUS_OK) status = read_entries(book, first, count, bytes, err);
        for (int64_t i = 0; status == STATUS_OK && i < count; i++) {
            uint64_t key = decode_entry(bytes + i * ENTRY_BYTES).key;
            equal = key == last ? equal + 1 : 0;
            if (equal >= MAX_MOVES)
                status = error_set(err, STATUS_BAD_INPUT,
                                   "%s is not a Polyglot book: entry %lld has the key of %d others",
                                   book->path, (long long)first + i + 1, equal);
            if (key < last)
                status = error_set(err, STATUS_BAD_INPUT,
                                   "%s is not a Polyglot book: entry %lld is out of order",
                                   book->path, (long long)first + i + 1);
            last = key;
        }
    }
    free(bytes);
    return status;
}

/* Opens the file and checks that it is a book. */
static Status open_file(PolyglotBook *book, const char *path, Error *err)
{
    struct stat info;

    book->path = strdup(path);
    if (!book->path) return error_set(err, STATUS_FAILED, "out of memory for a book");
    book->fd =
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* do not wait for the writer of a pipe */
    if (book->fd < 0 || fstat(book->fd, &info) != 0)
        return error_set(err, STATUS_BAD_INPUT, "book %s cannot be read: %s", path,
                         strerror(errno));
    if (!S_ISREG(info.st_mode))
        return error_set(err, STATUS_BAD_INPUT, "book %s cannot be read: it is not a regular file",
                         path);
    if (info.st_size == 0)
        return error_set(err, STATUS_BAD_INPUT, "%s is not a Polyglot book: it is empty", path);
    if (info.st_size % ENTRY_BYTES != 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "%s is not a Polyglot book: its %lld bytes are not a multiple of %d", path,
                         (long long)info.st_size, ENTRY_BYTES);
    book->entries = info.st_size / ENTRY_BYTES;
    return check_order(book, err);
}

PolyglotBook *polyglot_open(const char *path, Error *err)
{
    PolyglotBook *book = malloc(sizeof *book);

    if (!book) return ERROR_NULL(err, STATUS_FAILED, "out of memory for a book");
    *book = (PolyglotBook){.fd = -1};
    if (open_file(book, path, err) == STATUS_OK) return book;
    polyglot_close(book);
    return NULL;
}

void polyglot_close(PolyglotBook *book)
{
    if (!book) return;
    if (book->fd >= 0) (void)close(book->fd);
    free(book->path);
    free(book);
}

/* ---- Looking up */

/* The number of the first entry whose key is not below `key`. */
static Status find_key(const PolyglotBook *book, uint64_t key, int64_t *found, Error *err)
{
    int64_t low = 0, high = book->entries;

    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        PolyglotEntry entry;
        Status status = read_entry(book, middle, &entry, err);
        if (status != STATUS_OK) return status;
        if (entry.key < key)
            low = middle + 1;
        else
            high = middle;
    }
    *found = low;
    return STATUS_OK;
}

/* The move as books write it: to (bits 0-5), from (6-11), promotion (12-14: 1 knight … 4 queen);
 * castling is king takes own rook, as with us. */
static unsigned encode_move(Move m)
{
    unsigned promotion = move_is_promotion(m) ? (unsigned)move_promotion(m) : 0;
    return (unsigned)move_to(m) | (unsigned)move_from(m) << 6 | promotion << 12;
}

static Move find_move(const MoveList *legal, unsigned wanted)
{
    for (int i = 0; i < legal->count; i++)
        if (encode_move(legal->moves[i]) == wanted) return legal->moves[i];
    return MOVE_NONE;
}

/* Adds the moves of one key. */
static Status collect(const PolyglotBook *book, uint64_t key, const MoveList *legal,
                      PolyglotMoves *list, Error *err)
{
    int64_t number;
    Status status = find_key(book, key, &number, err);

    for (; status == STATUS_OK && number < book->entries && list->count < MAX_MOVES; number++) {
        PolyglotEntry entry;
        status = read_entry(book, number, &entry, err);
        if (status != STATUS_OK || entry.key != key) break;
        Move m = find_move(legal, entry.move);
        if (m == MOVE_NONE) continue;
        list->moves[list->count++] =
            (PolyglotMove){.move = m, .weight = entry.weight, .learn = entry.learn};
    }
    return status;
}

/* Could the last move have been a double push to `sq` that pins forbid to capture en passant? The
 * position does not keep such a square. */
static bool is_untakable_push(const Position *pos, int sq)
{
    const Color us = position_stm(pos);
    const int ep_square = sq ^ 8, origin = us == WHITE ? sq + 16 : sq - 16;
    Bitboard takers = pawn_attacks(opponent(us), ep_square) & position_pieces(pos, us, PAWN);

    return takers && !(position_occupied(pos) & (square_bb(ep_square) | square_bb(origin))) &&
           !position_has_legal_ep(pos, us, ep_square);
}

Status polyglot_moves(const PolyglotBook *book, const Position *pos, PolyglotMoves *list,
                      Error *err)
{
    const Color us = position_stm(pos);
    MoveList legal;

    list->count = 0;
    movegen_all(pos, &legal);
    Status status = collect(book, pos->key, &legal, list, err);
    if (status == STATUS_OK && list->count == 0 && pos->rule50 == 0 &&
        pos->ep_square == NO_SQUARE) {
        Bitboard pushed =
            position_pieces(pos, opponent(us), PAWN) & rank_bb(us == WHITE ? RANK_5 : RANK_4);
        while (pushed && status == STATUS_OK && list->count == 0) {
            int sq = pop_lsb(&pushed);
            if (!is_untakable_push(pos, sq)) continue;
            uint64_t key = pos->key ^ zobrist.ep_file[square_file(sq)];
            status = collect(book, key, &legal, list, err);
        }
    }
    if (status != STATUS_OK) list->count = 0;
    return status;
}

const PolyglotMove *polyglot_draw(const PolyglotMoves *list, Pcg *rng)
{
    uint32_t sum = 0; /* of at most MAX_MOVES 16-bit weights */

    for (int i = 0; i < list->count; i++)
        sum += list->moves[i].weight;
    if (sum == 0) return NULL;
    uint32_t left = pcg_below(rng, sum);
    const PolyglotMove *drawn = list->moves;
    while (left >= drawn->weight)
        left -= drawn++->weight;
    return drawn;
}
