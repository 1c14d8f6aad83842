/* SPDX-License-Identifier: MIT
 * Opening books in memory and from files: positions, games in PGN, lines of Polyglot books. */
#include "selfplay/openings/book.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "db/chess/game_end.h"
#include "db/files/reader.h"
#include "engine/base/array.h"
#include "engine/base/fnv.h"
#include "engine/base/pcg.h"
#include "engine/base/text.h"
#include "engine/board/position_make.h"
#include "engine/notation/epd.h"
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

static bool is_over(const Position *pos, const KeyHistory *history, GameReason *reason)
{
    GameResult result;
    return game_over(pos, history, &result, reason);
}

/* history: of the positions before `pos` that count for repetitions. */
static Status append(OpeningBook *book, const Position *pos, const KeyHistory *history, Error *err)
{
    GameReason reason;

    if (is_over(pos, history, &reason))
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

Status opening_book_add(OpeningBook *book, const Position *pos, Error *err)
{
    static const KeyHistory none;
    return append(book, pos, &none, err);
}

void opening_book_free(OpeningBook *book)
{
    free(book->fens);
    free(book->lines);
    free(book->moves);
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
        if (!book->lines) continue;
        BookLine line = book->lines[i];
        book->lines[i] = book->lines[j];
        book->lines[j] = line;
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
        if (book->lines) book->lines[kept] = book->lines[i];
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

const BookLine *opening_book_line(const OpeningBook *book, int64_t number)
{
    return book && book->lines ? &book->lines[(number + book->start) % book->count] : NULL;
}

/* The moves enter by a hash of their own. */
void opening_book_hash(OpeningBook *book)
{
    char text[HASH_HEX_MAX + 16];
    uint64_t moves = FNV_START;

    sha256_hex(book->fens, (uint64_t)book->count * sizeof *book->fens, book->hash);
    if (!book->lines) return;
    for (int i = 0; i < book->count; i++) {
        const BookLine *line = &book->lines[i];
        moves = fnv_add_bytes(moves, line->start_fen, strlen(line->start_fen) + 1);
        for (int k = 0; k < line->count; k++)
            moves = fnv_add(moves, book->moves[line->first + k]);
    }
    int length = snprintf(text, sizeof text, "%s%016" PRIx64, book->hash, moves);
    sha256_hex(text, (uint64_t)length, book->hash);
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

/* ---- Lines */

/* A line that is being played. */
typedef struct Line {
    Position start, pos;
    KeyHistory history; /* of pos */
    Move moves[OPENING_LINE_MAX];
    int count;
} Line;

static void line_begin(Line *line, const Position *start)
{
    line->start = line->pos = *start;
    line->history.count = line->count = 0;
}

static void line_play(Line *line, Move move)
{
    const Position before = line->pos;

    line->moves[line->count++] = move;
    key_history_push(&line->history, &before);
    position_make(&line->pos, &before, move);
}

static Status add_line(OpeningBook *book, const Line *line, Error *err)
{
    Status status = ARRAY_RESERVE(book->lines, book->line_room, book->count + 1, err);
    if (status == STATUS_OK)
        status = ARRAY_RESERVE(book->moves, book->move_room, book->move_count + line->count, err);
    if (status == STATUS_OK) status = append(book, &line->pos, &line->history, err);
    if (status != STATUS_OK) return status;
    BookLine *added = &book->lines[book->count - 1];
    *added = (BookLine){.first = book->move_count, .count = line->count};
    position_to_fen(&line->start, added->start_fen);
    for (int i = 0; i < line->count; i++)
        book->moves[book->move_count++] = line->moves[i];
    return STATUS_OK;
}

/* ---- PGN */

/* The first `plies` of a game, 0 meaning all. */
static void set_line(Line *line, const GameRecord *game, int plies)
{
    const int end = plies == 0 || plies > game->ply_count ? game->ply_count : plies;
    Position pos;

    Status status =
        position_from_fen(&pos, game->start_fen, &(Error){0}); /* written from a position */
    assert(status == STATUS_OK);
    (void)status;
    line_begin(line, &pos);
    for (int i = 0; i < end; i++) {
        if (i == end - OPENING_LINE_MAX) line_begin(line, &line->pos);
        line_play(line, game->plies[i].move);
    }
}

static Status add_game(const PgnGame *game, int plies, KeySet *seen, OpeningBook *book, Error *err)
{
    Line line;
    bool added;

    set_line(&line, game->record, plies);
    Status status = key_set_add(seen, line.pos.key, &added, err);
    return status == STATUS_OK && added ? add_line(book, &line, err) : status;
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
            if (status != STATUS_OK && plies == 0)
                text_append(err->text, sizeof err->text,
                            "; --opening-plies N takes the first moves of a game");
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
    Line line; /* to the position that is looked at */
    OpeningBook *book;
} Lines;

/* Adds the line, unless its position is there already or the game is over. */
static Status add_end(Lines *lines, bool *added, Error *err)
{
    const Line *line = &lines->line;
    GameReason reason;

    *added = false;
    if (is_over(&line->pos, &line->history, &reason)) return STATUS_OK;
    Status status = key_set_add(&lines->seen, line->pos.key, added, err);
    return status == STATUS_OK && *added ? add_line(lines->book, line, err) : status;
}

/* All lines that go on from this one, in the book's order. `seen` also holds (position, ply), so
 * that each position is expanded once per ply. */
static Status walk(Lines *lines, Error *err)
{
    Line *line = &lines->line;
    const KeyHistory history = line->history;
    const Position pos = line->pos;
    const int ply = line->count;
    PolyglotMoves list = {0};
    bool added, leaf = true;
    Status status = STATUS_OK;

    if (ply < lines->plies) status = polyglot_moves(lines->source, &pos, &list, err);
    for (int i = 0; i < list.count && status == STATUS_OK; i++) {
        if (list.moves[i].weight == 0) continue;
        leaf = false;
        line_play(line, list.moves[i].move);
        uint64_t passage = line->pos.key + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(ply + 1);
        status = key_set_add(&lines->seen, passage, &added, err);
        if (status == STATUS_OK && added) status = walk(lines, err);
        line->history = history;
        line->pos = pos;
        line->count = ply;
    }
    return status == STATUS_OK && leaf && ply > 0 ? add_end(lines, &added, err) : status;
}

/* Draws one line, its moves by their weights. */
static Status draw(Lines *lines, Pcg *rng, bool *added, Error *err)
{
    Line *line = &lines->line;
    const PolyglotMove *drawn;
    PolyglotMoves list;
    const Position start = line->start;

    *added = false;
    line_begin(line, &start);
    while (line->count < lines->plies) {
        Status status = polyglot_moves(lines->source, &line->pos, &list, err);
        if (status != STATUS_OK) return status;
        drawn = polyglot_draw(&list, rng);
        if (!drawn) break;
        line_play(line, drawn->move);
    }
    return line->count > 0 ? add_end(lines, added, err) : STATUS_OK;
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
    line_begin(&lines.line, &start);
    Status status = choice->random ? draw_many(&lines, choice->seed, err) : walk(&lines, err);
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
    bool polyglot = length >= 4 && strncasecmp(path + length - 4, ".bin", 4) == 0;
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
