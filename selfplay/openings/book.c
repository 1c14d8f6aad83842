/* SPDX-License-Identifier: MIT
 * Opening books in memory and from files: positions, games in PGN, lines of Polyglot books. */
#include "selfplay/openings/book.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/game_end.h"
#include "db/files/reader.h"
#include "engine/base/array.h"
#include "engine/base/pcg.h"
#include "engine/base/text.h"
#include "engine/board/position_make.h"
#include "engine/notation/epd.h"
#include "engine/notation/fen.h"
#include "engine/notation/polyglot.h"
#include "selfplay/formats/formats.h"
#include "selfplay/formats/pgn_read.h"

/* ---- Positions that were seen */

/* *slot: the key's slot, or the free slot for it. */
static bool holds(const KeySet *set, uint64_t key, size_t *slot)
{
    *slot = key & (set->room - 1);
    while (set->keys[*slot] != 0 && set->keys[*slot] != key)
        *slot = (*slot + 1) & (set->room - 1);
    return set->keys[*slot] == key;
}

static bool grow(KeySet *set)
{
    KeySet larger = {.room = set->room ? 2 * set->room : 1024, .count = set->count};
    size_t slot;

    larger.keys = calloc(larger.room, sizeof *larger.keys);
    if (!larger.keys) return false;
    for (size_t i = 0; i < set->room; i++)
        if (set->keys[i] && !holds(&larger, set->keys[i], &slot)) larger.keys[slot] = set->keys[i];
    free(set->keys);
    *set = larger;
    return true;
}

Status key_set_add(KeySet *set, uint64_t key, bool *added, Error *err)
{
    size_t slot;

    if (2 * (set->count + 1) > set->room && !grow(set))
        return error_set(err, STATUS_FAILED, "out of memory for the set of positions");
    if (key == 0) key = 1;
    *added = !holds(set, key, &slot);
    set->keys[slot] = key;
    set->count += *added;
    return STATUS_OK;
}

/* ---- Books in memory */

static bool is_over(const Position *pos, GameReason *reason)
{
    static const KeyHistory none;
    GameResult result;
    return game_over(pos, &none, &result, reason);
}

Status opening_book_add(OpeningBook *book, const Position *pos, Error *err)
{
    GameReason reason;

    if (is_over(pos, &reason))
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

/* ---- Books from files */

/* ---- EPD and FEN */

/* Leaves what has no opening out, as *err says; a full book is no fault of a line. */
static Status leave_out(OpeningBook *book, const FileReader *file, int64_t line, Error *err)
{
    if (err->status != STATUS_BAD_INPUT) return err->status;
    Status status = reader_place_line(file, line, err);
    if (book->count == OPENING_BOOK_MAX) return status;
    fault_count_add(&book->left_out, 1, err);
    return STATUS_OK;
}

static Status load_records(const char *path, OpeningBook *book, Error *err)
{
    FileReader *reader = reader_open_text(path, err);
    Status status = reader ? STATUS_OK : err->status;
    TextRecord record;
    Position pos;

    while (status == STATUS_OK && record_next(reader, &record)) {
        TextSpan text = text_span(record.text);
        Error note = {0};
        status = epd_read_position(&text, &pos, &note);
        if (status != STATUS_OK) *err = note;
        if (status == STATUS_OK) status = opening_book_add(book, &pos, err);
        if (status != STATUS_OK) {
            status = leave_out(book, reader, record.line, err);
        } else if (note.text[0]) {
            (void)reader_place_line(reader, record.line, &note);
            fault_count_add(&book->dropped, 1, &note);
        }
    }
    if (status == STATUS_OK) status = reader_fault(reader, err);
    reader_close(reader);
    return status;
}

/* ---- PGN */

/* The position of a game after `plies`, 0 meaning the last. */
static void position_after(const PgnGame *game, int plies, Position *pos)
{
    const GameRecord *record = game->record;
    Position before;

    *pos = *game->end;
    if (plies == 0 || plies >= record->ply_count) return;
    Status status =
        position_from_fen(pos, record->start_fen, &(Error){0}); /* written from a position */
    for (int i = 0; i < plies && status == STATUS_OK; i++) {
        before = *pos;
        position_make(pos, &before, record->plies[i].move);
    }
}

static Status add_game(const PgnGame *game, int plies, KeySet *seen, OpeningBook *book, Error *err)
{
    Position pos;
    bool added;

    position_after(game, plies, &pos);
    Status status = key_set_add(seen, pos.key, &added, err);
    return status == STATUS_OK && added ? opening_book_add(book, &pos, err) : status;
}

static Status load_pgn(const char *path, int plies, OpeningBook *book, Error *err)
{
    KeySet seen = {0};
    const PgnGame *game;
    Status status;
    GameSource *reader = pgn_open(path, err);

    if (!reader) return err->status;
    while ((status = pgn_next(reader, &game, err)) != STATUS_OK || game) {
        if (status == STATUS_OK) {
            status = add_game(game, plies, &seen, book, err);
            if (status != STATUS_OK) status = leave_out(book, reader->file, game->line, err);
        } else if (status == STATUS_BAD_INPUT && reader->file->fault.status == STATUS_OK) {
            fault_count_add(&book->left_out, 1, err); /* a damaged game */
            status = STATUS_OK;
        }
        if (status != STATUS_OK) break;
    }
    book->dropped = reader->dropped;
    game_source_close(reader);
    free(seen.keys);
    return status;
}

/* ---- Polyglot */

typedef struct Lines {
    PolyglotBook *source;
    int plies;
    KeySet seen;
    OpeningBook *book;
} Lines;

/* Adds the position, unless it is there already or the game is over. */
static Status add_end(Lines *lines, const Position *pos, bool *added, Error *err)
{
    GameReason reason;

    *added = false;
    if (is_over(pos, &reason)) return STATUS_OK;
    Status status = key_set_add(&lines->seen, pos->key, added, err);
    return status == STATUS_OK && *added ? opening_book_add(lines->book, pos, err) : status;
}

/* All lines from `pos`, in the book's order. `seen` also holds (position, ply), so that each
 * position is expanded once per ply. */
static Status walk(Lines *lines, const Position *pos, int ply, Error *err)
{
    PolyglotMoves list = {0};
    Position next;
    bool added, leaf = true;
    Status status = STATUS_OK;

    if (ply < lines->plies) status = polyglot_moves(lines->source, pos, &list, err);
    for (int i = 0; i < list.count && status == STATUS_OK; i++) {
        if (list.moves[i].weight == 0) continue;
        leaf = false;
        position_make(&next, pos, list.moves[i].move);
        uint64_t passage = next.key + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(ply + 1);
        status = key_set_add(&lines->seen, passage, &added, err);
        if (status == STATUS_OK && added) status = walk(lines, &next, ply + 1, err);
    }
    return status == STATUS_OK && leaf && ply > 0 ? add_end(lines, pos, &added, err) : status;
}

/* Draws one line, its moves by their weights. */
static Status draw(Lines *lines, Pcg *rng, bool *added, Error *err)
{
    const PolyglotMove *drawn;
    PolyglotMoves list;
    Position pos, before;
    Status status = STATUS_OK;
    int ply = 0;

    *added = false;
    position_set_start(&pos);
    for (; ply < lines->plies; ply++) {
        status = polyglot_moves(lines->source, &pos, &list, err);
        if (status != STATUS_OK) return status;
        drawn = polyglot_draw(&list, rng);
        if (!drawn) break;
        before = pos;
        position_make(&pos, &before, drawn->move);
    }
    return ply > 0 ? add_end(lines, &pos, added, err) : STATUS_OK;
}

static Status draw_many(Lines *lines, uint64_t seed, Error *err)
{
    enum { FRUITLESS_DRAWS = 1000 };
    Status status = STATUS_OK;
    bool added;
    Pcg rng;

    pcg_seed(&rng, seed, 0);
    for (int fruitless = 0; status == STATUS_OK && fruitless < FRUITLESS_DRAWS;) {
        if (lines->book->count == OPENING_DRAWS) break;
        status = draw(lines, &rng, &added, err);
        fruitless = added ? 0 : fruitless + 1;
    }
    return status;
}

static Status load_polyglot(const char *path, const OpeningChoice *choice, OpeningBook *book,
                            Error *err)
{
    Lines lines = {.plies = choice->plies ? choice->plies : OPENING_POLYGLOT_PLIES, .book = book};
    Position start;

    lines.source = polyglot_open(path, err);
    if (!lines.source) return err->status;
    position_set_start(&start);
    Status status =
        choice->random ? draw_many(&lines, choice->seed, err) : walk(&lines, &start, 0, err);
    if (status == STATUS_BAD_INPUT && book->count == OPENING_BOOK_MAX)
        (void)error_prefix(err, "%s", path);
    polyglot_close(lines.source);
    free(lines.seen.keys);
    return status;
}

/* ---- By the ending of the name */

Status opening_book_load(const char *path, const OpeningChoice *choice, OpeningBook *book,
                         Error *err)
{
    OpeningBook loaded = {0};
    size_t length;
    bool packed = input_packing(path, &length) != NULL;
    bool polyglot = length >= 4 && memcmp(path + length - 4, ".bin", 4) == 0;
    const GameFormat *format = game_format_of(path, true);

    if (polyglot && packed)
        return error_set(err, STATUS_BAD_INPUT,
                         "%s: unpack it first; Polyglot books are not read compressed", path);
    Status status = polyglot ? load_polyglot(path, choice, &loaded, err)
                    : format && strcmp(format->name, "pgn") == 0
                        ? load_pgn(path, choice->plies, &loaded, err)
                        : load_records(path, &loaded, err);
    if (status == STATUS_OK && loaded.count == 0 && loaded.left_out.count > 0) {
        *err = loaded.left_out.first;
        status = err->status;
    }
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
