/* SPDX-License-Identifier: MIT
 * Partial FENs. Source of the language: the manual of pgn-extract by David J. Barnes. */
#include "db/chess/position_pattern.h"

#include <string.h>

#include "engine/notation/fen.h"

enum {
    WHITE_PIECES = 0x555, /* the bits of even pieces */
    BLACK_PIECES = 0xAAA,
    EMPTY = 1 << NO_PIECE,
    ANY = WHITE_PIECES | BLACK_PIECES | EMPTY,
    ANY_NUMBER = 0x8000 /* not a set: any number of squares */
};

/* The contents that a letter stands for; 0: it is none. */
static int contents_of(char letter)
{
    static const char pieces[] = "PpNnBbRrQqKk";
    const char *piece = letter ? strchr(pieces, letter) : NULL;

    if (piece) return 1 << (piece - pieces);
    switch (letter) {
    case 'A':
        return WHITE_PIECES;
    case 'a':
        return BLACK_PIECES;
    case '!':
        return WHITE_PIECES | BLACK_PIECES;
    case '_':
        return EMPTY;
    case '?':
        return ANY;
    case '*':
        return ANY_NUMBER;
    default:
        return 0;
    }
}

/* The set of contents that one letter, digit or set in brackets stands for, after which *text
 * points to its last character; 0: it is none. */
static int read_contents(const char **text)
{
    const char *at = *text;
    int set = 0;

    if (*at >= '1' && *at <= '8') return EMPTY;
    if (*at != '[') return contents_of(*at);
    bool others = at[1] == '^';
    for (at += 1 + others; *at != ']'; at++) {
        int contents = contents_of(*at);
        if (contents == 0 || contents == ANY_NUMBER) return 0;
        set |= contents;
    }
    *text = at;
    return others ? ANY & ~set : set;
}

/* Reads a rank up to '/', a blank or the end, which it returns; NULL: it is none. */
static const char *parse_rank(const char *text, uint16_t tokens[RANK_TOKENS_MAX])
{
    int count = 0, squares = 0;
    bool any_number = false;

    for (; *text && *text != '/' && *text != ' '; text++) {
        int same = *text >= '1' && *text <= '8' ? *text - '0' : 1;
        int contents = read_contents(&text);
        if (contents == 0) return NULL;
        any_number |= contents == ANY_NUMBER;
        if (contents == ANY_NUMBER && count > 0 && tokens[count - 1] == ANY_NUMBER) continue;
        for (; same > 0; same--) {
            squares += contents != ANY_NUMBER;
            if (squares > 8) return NULL;
            tokens[count++] = (uint16_t)contents;
        }
    }
    tokens[count] = 0;
    return squares == 8 || any_number ? text : NULL;
}

static Status parse_position(PositionPattern *pattern, const char *fen, Error *err)
{
    Position pos;

    Status status = position_from_fen(&pos, fen, err);
    if (status) return status;
    pattern->is_position = true;
    pattern->key = pos.key;
    return STATUS_OK;
}

Status position_pattern_parse(PositionPattern *pattern, const char *text, Error *err)
{
    const char *at = text;

    *pattern = (PositionPattern){.stm = COLORS};
    for (int rank = RANK_8; rank >= RANK_1; rank--) {
        at = parse_rank(at, pattern->ranks[rank]);
        if (!at || *at != (rank > RANK_1 ? '/' : *at == ' ' ? ' ' : '\0'))
            return error_set(err, STATUS_BAD_INPUT,
                             "partial FEN \"%.100s\": rank %d is not eight squares", text,
                             rank + 1);
        at += *at != '\0';
    }
    if (*at == '\0') return STATUS_OK;
    if (strchr("wb?", *at) && at[1] == '\0') {
        pattern->stm = *at == 'w' ? WHITE : *at == 'b' ? BLACK : COLORS;
        return STATUS_OK;
    }
    return parse_position(pattern, text, err);
}

static bool rank_matches(const uint16_t *token, const uint8_t *squares, int count)
{
    for (; *token != 0; token++, squares++, count--) {
        if (*token == ANY_NUMBER) {
            for (int skipped = 0; skipped <= count; skipped++)
                if (rank_matches(token + 1, squares + skipped, count - skipped)) return true;
            return false;
        }
        if (count == 0 || !(*token >> *squares & 1)) return false;
    }
    return count == 0;
}

bool position_pattern_matches(const PositionPattern *pattern, const Position *pos)
{
    if (pattern->is_position) return pos->key == pattern->key;
    if (pattern->stm != COLORS && pattern->stm != (int)position_stm(pos)) return false;
    for (int rank = RANK_1; rank <= RANK_8; rank++)
        if (!rank_matches(pattern->ranks[rank], &pos->board[make_square(FILE_A, rank)], 8))
            return false;
    return true;
}
