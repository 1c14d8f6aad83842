/* SPDX-License-Identifier: MIT
 * Reading PGN. */
#include "selfplay/formats/pgn_read.h"

#include <ctype.h>
#include <string.h>

#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "selfplay/formats/pgn_comment.h"
#include "selfplay/formats/pgn_tags.h"

enum { WORD_MAX = 32, COMMENT_MAX = 1 << 16 };

typedef struct PgnReader {
    GameSource source; /* of the finished games */
    PgnTags tags;
    PgnGame game; /* points to source.game */
    GameResult result;
    int next_score;    /* White's view, of the current position, from a comment */
    GameReason stated; /* why the game ended, by tags or comments */
    bool ended;        /* a result was read */
    bool illegal;      /* the last move is illegal, and the tags say that this ended the game */
    bool failed;       /* the previous game was damaged */
    bool reported;     /* a read error of the file was */
    bool cut;          /* the file ended within tags, a comment or a variation */
    int64_t line;      /* of the current word or tag */
    char comment[COMMENT_MAX + 1];
} PgnReader;

static void skip_past(PgnReader *r, int closing)
{
    (void)reader_take_past(r->source.file, closing, NULL, 0, &(size_t){0});
}

/* The line of the first malformed tag is r->line. */
static Status read_tags(PgnReader *r, Error *err)
{
    Status status = pgn_tags_read(r->source.file, &r->tags, err);

    if (status != STATUS_OK) r->line = r->tags.fault_line;
    r->cut |= reader_peek(r->source.file) == READER_END;
    return status;
}

static Status set_up(PgnReader *r, Error *err)
{
    Position start;

    if (!pgn_tags_are_chess(&r->tags))
        return error_set(err, STATUS_BAD_INPUT, "the variant \"%.60s\" is not chess",
                         r->tags.value[TAG_VARIANT]);
    Status status = position_from_fen(
        &start, r->tags.value[TAG_FEN][0] ? r->tags.value[TAG_FEN] : START_FEN, err);
    if (status != STATUS_OK) return error_prefix(err, "the tag FEN");
    game_source_note(&r->source, r->game.line, err);
    game_builder_start(&r->source.game, &start);
    pgn_tags_clean_names(&r->tags);
    r->source.white = r->tags.value[TAG_WHITE];
    r->source.black = r->tags.value[TAG_BLACK];
    r->stated = pgn_tags_reason(&r->tags);
    return STATUS_OK;
}

/* ---- Moves */

/* What annotators write between moves or after one, in ASCII. */
static bool is_annotation(const char *word)
{
    static const char *const words[] = {"+-", "-+",  "+/-", "-/+", "+/=",  "=/+", "+=",   "=+",
                                        "=",  "+--", "--+", "++-", "-++",  "~",   "+",    "++",
                                        "#",  "N",   "D",   "ep",  "e.p.", "ep+", "e.p.+"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) return true;
    return false;
}

static Status take_move(PgnReader *r, char *word, Error *err)
{
    size_t length = strlen(word);
    Move move;

    if (!*word || is_annotation(word)) return STATUS_OK;
    while (length > 2 && strchr("+-=/~", word[length - 1]))
        word[--length] = '\0';
    if (r->illegal) return STATUS_BAD_INPUT; /* err still describes that move */
    Status status = move_from_any(&r->source.game.pos, word, &move, err);
    if (status == STATUS_OK) {
        status = game_builder_add(&r->source.game, move, r->next_score, err);
        r->next_score = SCORE_UNKNOWN;
        return status;
    }
    /* Match runners write the illegal move that lost the game. */
    r->illegal = r->stated == REASON_ILLEGAL_MOVE;
    return r->illegal ? STATUS_OK : status;
}

/* READER_END does, too. */
static bool ends_word(int c)
{
    switch (c) {
    case '{':
    case '}':
    case '(':
    case ')':
    case '[':
    case ']':
    case ';':
    case '$':
    case '*':
        return true;
    default:
        return c <= ' ' || c >= 0x80;
    }
}

/* Length of the sign of an annotation that the text begins with, in UTF-8 or Latin-1; 0: another
 * character, such as a figurine, which is part of a move. */
static size_t annotation_sign(const char *text)
{
    static const char *const signs[] = {"…", "±", "∓", "⩲", "⩱", "∞", "□", "⨀", "⟳", "→",
                                        "↑", "⇆", "○", "△", "▽", "⌓", "−", "–", "×", "\xb1"};

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i], strlen(signs[i])) == 0) return strlen(signs[i]);
    return 0;
}

/* A move, its number or both, or a result. */
static Status take_word(PgnReader *r, Error *err)
{
    char word[WORD_MAX];
    int length = 0, c;

    while (!ends_word(c = reader_peek(r->source.file))) {
        if (length == WORD_MAX - 1)
            return error_set(err, STATUS_BAD_INPUT, "not PGN: \"%s…\" is not a move", word);
        word[length++] = (char)c;
        word[length] = '\0';
        r->source.file->at++; /* no newline */
    }
    if (result_parse(word, (size_t)length, &r->result)) {
        r->ended = r->game.finished = true;
        return STATUS_OK;
    }
    int dots = 0, move = 0;
    while (isdigit((unsigned char)word[dots]))
        dots++;
    for (move = dots; word[move] == '.';)
        move++;
    if (word[move] == '\0') return STATUS_OK; /* a number alone */
    return take_move(r, move > dots ? word + move : word, err);
}

/* ---- Between moves */

static void note_comment(PgnReader *r, char *text, size_t length)
{
    GameRecord *record = &r->source.game.record;
    bool white_moved = position_stm(&r->source.game.pos) == BLACK;
    PgnComment comment;

    pgn_comment_parse(text, length, white_moved, &comment);
    uint64_t ms = comment.time_ms > 0 ? (uint64_t)comment.time_ms : 0;
    int64_t nodes = comment.nodes < 0               ? 0
                    : comment.nodes > PLY_NODES_MAX ? PLY_NODES_MAX
                                                    : comment.nodes;
    /* Programs that write both mean the same score twice. */
    if (comment.score == SCORE_UNKNOWN && comment.next_score != SCORE_UNKNOWN)
        r->next_score = comment.next_score;
    if (comment.reason) r->stated = comment.reason;
    if (record->ply_count == 0 || r->illegal) return; /* there is no recorded move before it */
    if (comment.score != SCORE_UNKNOWN)
        record->plies[record->ply_count - 1].score =
            (int16_t)(white_moved ? comment.score : -comment.score);
    record->nodes += nodes;
    if (comment.depth > 0 || comment.time_ms >= 0)
        game_builder_set_clock(&r->source.game, ply_clock(ms, (uint64_t)nodes, comment.depth));
}

static Status refuse_end(PgnReader *r, const char *what, Error *err)
{
    r->cut = true;
    return error_set(err, STATUS_BAD_INPUT, "the %s that begins here has no end", what);
}

/* Reads up to the closing character, which is taken too. Text beyond COMMENT_MAX is skipped. */
static Status take_comment(PgnReader *r, int closing, Error *err)
{
    size_t length;

    (void)reader_next(r->source.file);
    if (!reader_take_past(r->source.file, closing, r->comment, COMMENT_MAX, &length) &&
        closing != '\n')
        return refuse_end(r, "comment", err);
    note_comment(r, r->comment, length);
    return STATUS_OK;
}

/* Skips a variation with everything in it. A line that begins with a bracket is none of it: tags
 * follow a damaged game. */
static Status skip_variation(PgnReader *r, Error *err)
{
    int64_t depth = 0;
    int c = ' ', before;

    do {
        before = c;
        c = reader_peek(r->source.file);
        if (c == '[' && before == '\n')
            return error_set(err, STATUS_BAD_INPUT, "the variation that begins here has no end");
        (void)reader_next(r->source.file);
        if (c == READER_END) return refuse_end(r, "variation", err);
        depth += (c == '(') - (c == ')');
        if (c == '{') skip_past(r, '}');
        if (c == ';') skip_past(r, c = '\n');
    } while (depth > 0);
    return STATUS_OK;
}

static Status take_element(PgnReader *r, bool line_start, Error *err)
{
    int c = reader_peek(r->source.file);

    r->line = r->source.file->line;
    if (c == '%' && line_start) {
        skip_past(r, '\n');
    } else if (c == '{' || c == ';') {
        return take_comment(r, c == '{' ? '}' : '\n', err);
    } else if (c == '(') {
        return skip_variation(r, err);
    } else if (c == '*') {
        (void)reader_next(r->source.file);
        r->ended = true;
    } else if (c == '$' || c == '!' || c == '?' || c == '.') {
        do
            (void)reader_next(r->source.file);
        while (isdigit(c = reader_peek(r->source.file)));
    } else if (isalnum(c) || (c != '\0' && strchr("+-=~#", c))) {
        return take_word(r, err);
    } else {
        size_t ahead = 4;
        char *text = reader_ahead(r->source.file, &ahead), after = text[ahead];
        text[ahead] = '\0';
        size_t sign = annotation_sign(text);
        text[ahead] = after;
        reader_advance(r->source.file, sign);
        if (sign > 0) return STATUS_OK;
        return error_set(err, STATUS_BAD_INPUT,
                         c > ' ' && c < 127 ? "not PGN: '%c' among the moves"
                                            : "not PGN: byte %d among the moves",
                         c);
    }
    return STATUS_OK;
}

/* Reads up to the result, the next game's tags or the end of the file. */
static Status read_moves(PgnReader *r, Error *err)
{
    Status status = STATUS_OK;
    bool line_start = true;

    while (status == STATUS_OK && !r->ended) {
        int c = reader_peek(r->source.file);
        if (c == READER_END || c == '[') break;
        if (isspace(c)) {
            line_start = reader_next(r->source.file) == '\n';
            continue;
        }
        status = take_element(r, line_start, err);
        line_start = c == '%' || c == ';';
    }
    return status;
}

/* ---- Games */

/* The result after the moves, or without one that of the tag. */
static Status decide_result(PgnReader *r, Error *err)
{
    PgnGame *game = &r->game;
    GameResult by_tag;
    bool tagged =
        result_parse(r->tags.value[TAG_RESULT], strlen(r->tags.value[TAG_RESULT]), &by_tag);

    if (game->finished && tagged && by_tag != r->result)
        return error_set(err, STATUS_BAD_INPUT, "the moves end with %s, but the tag Result is %s",
                         result_text(r->result), result_text(by_tag));
    if (!r->ended && tagged) {
        r->result = by_tag;
        game->finished = true;
    }
    return game->finished ? game_builder_end(&r->source.game, r->result, r->stated, err)
                          : STATUS_OK;
}

static void forget_game(PgnReader *r)
{
    r->game = (PgnGame){.record = &r->source.game.record};
    r->next_score = SCORE_UNKNOWN;
    r->stated = (GameReason)0;
    r->ended = r->illegal = false;
}

/* Whether a comment is open at `end`; `open`: one was at `text`. */
static bool leaves_comment(const unsigned char *text, const unsigned char *end, bool open)
{
    while (end > text && end[-1] != '{' && end[-1] != '}')
        end--;
    return end > text ? end[-1] == '{' : open;
}

/* Skips to the next line that begins with a bracket outside of comments; an empty line ends an
 * unclosed comment. Goes from line to line, and searches text for comments only where a bracket
 * begins a line. */
static void skip_to_bracket(PgnReader *r)
{
    FileReader *file = r->source.file;
    bool line_start = true, comment = false, found = false;

    while (!found && reader_peek(file) != READER_END) {
        const unsigned char *at = file->at, *unsearched = at;
        for (; at < file->end; at++) {
            if (line_start && *at == '[') {
                comment = leaves_comment(unsearched, at, comment);
                unsearched = at;
                if (!comment) break;
            }
            if (line_start && (*at == '\r' || *at == ' ')) continue;
            if (line_start && *at == '\n') {
                comment = false;
                unsearched = at;
            }
            const unsigned char *newline = memchr(at, '\n', (size_t)(file->end - at));
            line_start = newline != NULL;
            file->line += line_start;
            at = newline ? newline : file->end - 1;
        }
        found = at < file->end;
        comment = leaves_comment(unsearched, at, comment);
        file->at = at;
    }
}

/* Skips to the next line that begins a tag section: "[%" begins a command in a comment. */
static void skip_to_tags(PgnReader *r)
{
    for (size_t size = 2;; size = 2) {
        skip_to_bracket(r);
        const char *text = reader_ahead(r->source.file, &size);
        if (size < 2 || text[1] != '%') return;
        (void)reader_next(r->source.file);
    }
}

static Status read_game(PgnReader *r, Error *err)
{
    r->game.line = r->line = r->source.file->line;
    Status status = read_tags(r, err);
    if (status == STATUS_OK) status = set_up(r, err);
    if (status == STATUS_OK) status = read_moves(r, err);
    if (status == STATUS_OK) status = decide_result(r, err);
    r->failed = status != STATUS_OK;
    return status == STATUS_BAD_INPUT ? reader_place_line(r->source.file, r->line, err) : status;
}

/* Comments, annotations and results outside of games read as a game without tags and moves. */
static bool is_between_games(const PgnReader *r)
{
    return !r->tags.any && r->source.game.record.ply_count == 0;
}

Status pgn_next(GameSource *source, const PgnGame **game, Error *err)
{
    PgnReader *r = (PgnReader *)source;
    Status status = STATUS_OK;
    bool more;

    *game = NULL;
    do {
        if (r->failed && !r->ended) skip_to_tags(r);
        forget_game(r);
        while (isspace(reader_peek(r->source.file)))
            (void)reader_next(r->source.file);
        more = reader_peek(r->source.file) != READER_END;
        if (more) status = read_game(r, err);
    } while (more && status == STATUS_OK && is_between_games(r));
    bool read = more && status == STATUS_OK && r->ended;
    if (r->source.file->fault.status != STATUS_OK && !r->reported && !read) {
        r->reported = true; /* instead of an error that it caused */
        return reader_fault(r->source.file, err);
    }
    if (more && status == STATUS_OK) *game = &r->game;
    return status;
}

/* ---- Tags alone */

static Status check_header(PgnReader *r, PgnHeader *header, Error *err)
{
    static const char *const needed[] = {
        [TAG_WHITE] = "White", [TAG_BLACK] = "Black", [TAG_RESULT] = "Result"};
    const char *result = r->tags.value[TAG_RESULT];

    for (int i = TAG_WHITE; i <= TAG_RESULT; i++)
        if (!r->tags.value[i][0])
            return error_set(err, STATUS_BAD_INPUT, "the game has no tag %s", needed[i]);
    header->finished = result_parse(result, strlen(result), &header->result);
    if (!header->finished && strcmp(result, "*") != 0)
        return error_set(err, STATUS_BAD_INPUT, "the tag Result is \"%.40s\"", result);
    pgn_tags_clean_names(&r->tags);
    header->white = r->tags.value[TAG_WHITE];
    header->black = r->tags.value[TAG_BLACK];
    header->round = r->tags.value[TAG_ROUND];
    header->fen = r->tags.value[TAG_FEN];
    return STATUS_OK;
}

Status pgn_next_header(GameSource *source, PgnHeader *header, bool *found, Error *err)
{
    PgnReader *r = (PgnReader *)source;
    FileReader *text = source->file;
    Status status;

    while (isspace(reader_peek(text)))
        (void)reader_next(text);
    int c = reader_peek(text);
    if (c == '{' || c == ';' || c == '%') skip_to_tags(r);
    *found = reader_peek(text) != READER_END;
    if (!*found) return reader_fault(text, err);
    *header = (PgnHeader){.line = text->line};
    r->line = header->line;
    if (reader_peek(text) != '[')
        status = error_set(err, STATUS_BAD_INPUT, "not PGN: a game begins with tags");
    else
        status = read_tags(r, err);
    if (status == STATUS_OK) status = check_header(r, header, err);
    if (status != STATUS_OK) return reader_place_line(text, r->line, err);
    skip_to_tags(r);
    return STATUS_OK;
}

/* ---- As a source of finished games */

static Status next_finished(GameSource *source, const GameRecord **record, Error *err)
{
    const PgnGame *game;
    Status status;

    while ((status = pgn_next(source, &game, err)) == STATUS_OK && game && !game->finished)
        source->unfinished++;
    *record = game ? game->record : NULL;
    return status;
}

GameSource *pgn_open(const char *path, Error *err)
{
    return game_source_open(sizeof(PgnReader), reader_open_text(path, err), next_finished, err);
}

/* ---- In parts */

/* A second Event ends any tag section, and an empty line the skipping of a damaged game. */
static bool begins_part(const char *text)
{
    return memcmp(text - 1, "\n[Event ", 8) == 0 &&
           (text[-2] == '\n' || (text[-2] == '\r' && text[-3] == '\n'));
}

Status pgn_next_part(FileReader *file, FileReader **part, Error *err)
{
    enum { LEAST = 1 << 16, MOST = 1 << 24 };
    size_t length = 0;

    *part = NULL;
    for (size_t size = LEAST; length == 0 && size <= MOST; size *= 2) {
        size_t ahead = size;
        const char *text = reader_ahead(file, &ahead);
        if (file->fault.status != STATUS_OK) return STATUS_OK;
        if (ahead < size) { /* the rest of the file */
            length = ahead;
            break;
        }
        for (length = ahead - 8; length >= 3 && !begins_part(text + length);)
            length--;
        if (length < 3) length = 0;
    }
    if (length > 0) *part = reader_split(file, length, err);
    return length > 0 && !*part ? err->status : STATUS_OK;
}

GameSource *pgn_open_part(FileReader *part, Error *err)
{
    return game_source_open(sizeof(PgnReader), part, next_finished, err);
}

bool pgn_part_is_whole(const GameSource *source)
{
    return !((const PgnReader *)source)->cut;
}
