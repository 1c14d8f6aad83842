/* SPDX-License-Identifier: MIT
 * Reading and writing FEN, X-FEN, Shredder-FEN and the fields of an EPD.
 * Source: the PGN standard, section 16.1; en.wikipedia.org/wiki/X-FEN for Chess960. */
#include "engine/notation/fen.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/board/chess960.h"

static const char piece_letters[] = "PpNnBbRrQqKk";

/* For "%.*s"; long fields are cut. */
#define FIELD_ARGS(f) (int)((f).length < 80 ? (f).length : 80), (f).at

static Status bad(Error *err, const char *what, TextWord field)
{
    return error_set(err, STATUS_BAD_INPUT, "FEN: %s: \"%.*s\"", what, FIELD_ARGS(field));
}

/* What is dropped, as the text of *err without a failure; the first of a FEN stays. */
static void note_dropped(Error *err, const char *what, TextWord field)
{
    if (!err->text[0])
        (void)error_set(err, STATUS_OK, "FEN: dropped %s: \"%.*s\"", what, FIELD_ARGS(field));
}

/* ---- Squares */

void square_to_text(int sq, char out[3])
{
    if (sq == NO_SQUARE) {
        memcpy(out, "-", 2);
        return;
    }
    out[0] = (char)('a' + square_file(sq));
    out[1] = (char)('1' + square_rank(sq));
    out[2] = '\0';
}

int square_from_text(const char *text)
{
    if (text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return NO_SQUARE;
    return make_square(text[0] - 'a', text[1] - '1');
}

/* ---- Fields */

static Status read_board(Position *pos, TextWord field, Error *err)
{
    int file = FILE_A, rank = RANK_8;
    bool after_digit = false;

    for (size_t i = 0; i < field.length; i++) {
        char c = field.at[i];
        const char *letter = memchr(piece_letters, c, PIECES);

        if (c == '/') {
            if (file != 8) return bad(err, "a rank of the board does not have 8 squares", field);
            if (rank == RANK_1) return bad(err, "the board has more than 8 ranks", field);
            file = FILE_A;
            rank--;
        } else if (c >= '1' && c <= '8') {
            if (after_digit) return bad(err, "the board has two digits in a row", field);
            file += c - '0';
        } else if (letter != NULL) {
            if (file < 8)
                position_put_piece(pos, (int)(letter - piece_letters), make_square(file, rank));
            file++;
        } else {
            return bad(err, "the board has a character that is not a piece, digit or slash", field);
        }
        if (file > 8) return bad(err, "a rank of the board has more than 8 squares", field);
        after_digit = c >= '1' && c <= '8';
    }
    if (rank != RANK_1 || file != 8) return bad(err, "the board does not have 64 squares", field);
    return STATUS_OK;
}

static Status read_stm(Position *pos, TextWord field, Error *err)
{
    if (field.length != 1 || (field.at[0] != 'w' && field.at[0] != 'b'))
        return bad(err, "the side to move is neither w nor b", field);
    pos->stm = field.at[0] == 'w' ? WHITE : BLACK;
    return STATUS_OK;
}

/* The outermost rook on the king's back rank beyond the king, or NO_SQUARE. */
static int outermost_rook(const Position *pos, Color c, bool queen_side)
{
    int king = position_king(pos, c);
    int step = queen_side ? 1 : -1;
    int corner = make_square(queen_side ? FILE_A : FILE_H, square_rank(king));

    for (int sq = corner; sq != king; sq += step)
        if (pos->board[sq] == make_piece(c, ROOK)) return sq;
    return NO_SQUARE;
}

/* One letter: K, Q, k, q (the outermost rook) or A-H, a-h (the rook on that file). A right whose
 * king or rook is elsewhere is dropped. */
static Status read_castling_letter(Position *pos, char letter, TextWord field, Error *err)
{
    Color c = isupper((unsigned char)letter) ? WHITE : BLACK;
    int low = tolower((unsigned char)letter);
    int back_rank = c == WHITE ? RANK_1 : RANK_8;
    int king = position_king(pos, c);
    int rook = NO_SQUARE;

    if (low != 'k' && low != 'q' && (low < 'a' || low > 'h'))
        return bad(err, "a castling letter is none of KQkq, A-H, a-h", field);
    if (square_rank(king) != back_rank) {
        note_dropped(err, "a castling right, as the king is not on its first rank", field);
        return STATUS_OK;
    }
    if (low == 'k' || low == 'q') {
        rook = outermost_rook(pos, c, low == 'q');
    } else {
        int sq = make_square(low - 'a', back_rank);
        if (pos->board[sq] == make_piece(c, ROOK)) rook = sq;
    }
    if (rook == NO_SQUARE) {
        note_dropped(err, "a castling right that has no rook", field);
        return STATUS_OK;
    }
    pos->chess960 |= low != 'k' && low != 'q';
    int index = castling_index(c, rook < king);
    if (pos->castling & 1 << index) return bad(err, "a castling right is given twice", field);
    pos->castling |= (uint8_t)(1 << index);
    pos->rook_square[index] = (uint8_t)rook;
    return STATUS_OK;
}

static Status read_castling(Position *pos, TextWord field, Error *err)
{
    memset(pos->rook_square, NO_SQUARE, sizeof pos->rook_square);
    if (field.length == 1 && field.at[0] == '-') return STATUS_OK;
    for (size_t i = 0; i < field.length; i++) {
        Status status = read_castling_letter(pos, field.at[i], field, err);
        if (status != STATUS_OK) return status;
    }
    pos->chess960 |= chess960_is_needed(pos);
    return STATUS_OK;
}

/* Can the side not to move have just pushed a pawn two squares past ep_square? The pawn must be
 * there, and the squares behind it empty. Checks that no push can give are allowed: test suites
 * have them. */
static bool double_push_is_possible(const Position *pos, int ep_square)
{
    Color them = opponent(position_stm(pos));
    int origin = them == WHITE ? ep_square - 8 : ep_square + 8;

    return pos->board[ep_square] == NO_PIECE && pos->board[origin] == NO_PIECE &&
           pos->board[ep_square ^ 8] == make_piece(them, PAWN);
}

static Status read_ep_square(Position *pos, TextWord field, Error *err)
{
    int rank = pos->stm == WHITE ? RANK_6 : RANK_3;

    pos->ep_square = NO_SQUARE;
    if (field.length == 1 && field.at[0] == '-') return STATUS_OK;
    int sq = field.length == 2 ? square_from_text(field.at) : NO_SQUARE;
    if (sq == NO_SQUARE) return bad(err, "the en passant field is neither a square nor -", field);
    if (square_rank(sq) != rank || !double_push_is_possible(pos, sq))
        note_dropped(err, "an en passant square that no pawn can have just passed", field);
    else if (position_has_legal_ep(pos, position_stm(pos), sq)) /* else it has no meaning */
        pos->ep_square = (uint8_t)sq;
    return STATUS_OK;
}

/* A decimal number of at most `most`. */
static bool read_number(TextWord field, int most, int *number)
{
    int value = 0;

    for (size_t i = 0; i < field.length; i++) {
        if (!isdigit((unsigned char)field.at[i])) return false;
        value = 10 * value + (field.at[i] - '0');
        if (value > most) return false;
    }
    *number = value;
    return field.length > 0;
}

static Status read_counters(Position *pos, const TextWord fields[2], Error *err)
{
    enum { MOVE_NUMBER_MAX = 32767 }; /* game_ply has 16 bits */
    int rule50, number;

    if (!read_number(fields[0], UINT8_MAX, &rule50))
        return bad(err, "the half-move clock is not a number from 0 to 255", fields[0]);
    if (!read_number(fields[1], MOVE_NUMBER_MAX, &number))
        return bad(err, "the move number is not a number from 1 to 32767", fields[1]);
    pos->rule50 = (uint8_t)rule50;
    if (number == 0) number = 1; /* many programs count from 0 */
    pos->game_ply = (uint16_t)(2 * (number - 1) + pos->stm);
    return STATUS_OK;
}

/* ---- Positions that can be played */

static Status check_men(const Position *pos, Color c, TextWord board, Error *err)
{
    if (popcount(position_pieces(pos, c, KING)) != 1)
        return bad(err,
                   c == WHITE ? "White does not have one king" : "Black does not have one king",
                   board);
    if (popcount(position_pieces(pos, c, PAWN)) > 8 || popcount(pos->by_color[c]) > 16)
        return bad(err, "a side has more than 8 pawns or 16 pieces", board);
    return STATUS_OK;
}

static Status check_board(const Position *pos, TextWord board, Error *err)
{
    Status status = check_men(pos, WHITE, board, err);

    if (status == STATUS_OK) status = check_men(pos, BLACK, board, err);
    if (status == STATUS_OK && pos->by_type[PAWN] & (rank_bb(RANK_1) | rank_bb(RANK_8)))
        status = bad(err, "a pawn stands on the first or last rank", board);
    return status;
}

static Status check_checks(const Position *pos, TextWord board, Error *err)
{
    Color us = position_stm(pos);
    Color them = opponent(us);
    Bitboard on_them = position_attackers(pos, position_king(pos, them), position_occupied(pos));

    if (on_them & pos->by_color[us]) return bad(err, "the side not to move is in check", board);
    if (popcount(pos->checkers) > 2) return bad(err, "more than two pieces give check", board);
    return STATUS_OK;
}

/* ---- The interface */

const TextWord fen_counters[2] = {{"0", 1}, {"1", 1}};

Status position_from_fields(Position *pos, const TextWord fields[FEN_FIELDS], Error *err)
{
    Position read = {0};

    err->text[0] = '\0';
    memset(read.board, NO_PIECE, sizeof read.board);
    Status status = read_board(&read, fields[0], err);
    if (status == STATUS_OK) status = check_board(&read, fields[0], err);
    if (status == STATUS_OK) status = read_stm(&read, fields[1], err);
    if (status == STATUS_OK) status = read_castling(&read, fields[2], err);
    if (status == STATUS_OK) status = read_ep_square(&read, fields[3], err);
    if (status == STATUS_OK) status = read_counters(&read, fields + EPD_FIELDS, err);
    if (status != STATUS_OK) return status;

    position_refresh(&read);
    status = check_checks(&read, fields[0], err);
    if (status == STATUS_OK) *pos = read;
    return status;
}

const char *fen_of(const char *text)
{
    return text && strcmp(text, "startpos") != 0 ? text : START_FEN;
}

Status position_from_fen(Position *pos, const char *fen, Error *err)
{
    TextWord fields[FEN_FIELDS + 1];
    TextSpan rest = text_span(fen);
    int count = 0;

    while (count <= FEN_FIELDS && (fields[count] = text_next_word(&rest)).length > 0)
        count++;
    if (count != EPD_FIELDS && count != FEN_FIELDS)
        return error_set(err, STATUS_BAD_INPUT,
                         "FEN: expected 6 fields (or the 4 of an EPD), found %s%d: \"%.80s\"",
                         count > FEN_FIELDS ? "at least " : "", count, fen);
    if (count == EPD_FIELDS) memcpy(fields + EPD_FIELDS, fen_counters, sizeof fen_counters);
    return position_from_fields(pos, fields, err);
}

/* Writes the board field; returns its end. Walks the pieces, not the squares: a branch on every
 * square is mispredicted too often. */
static char *write_board(const Position *pos, char *out)
{
    Bitboard occupied = position_occupied(pos);

    for (int rank = RANK_8; rank >= RANK_1; rank--) {
        int first = make_square(FILE_A, rank), sq = first;
        for (Bitboard rest = occupied & rank_bb(rank); rest; sq++) {
            int empty = lsb(rest) - sq;
            sq = pop_lsb(&rest);
            *out = (char)('0' + empty); /* kept only if there are empty squares */
            out += empty > 0;
            *out++ = piece_letters[pos->board[sq]];
        }
        *out = (char)('0' + first + 8 - sq);
        out += sq < first + 8;
        *out++ = '/';
    }
    return out - 1; /* the last rank has no slash after it */
}

static char *write_castling(const Position *pos, char *out)
{
    for (int i = 0; i < 4; i++) {
        if (!(pos->castling & 1 << i)) continue;
        char letter =
            pos->chess960 ? (char)('A' + square_file(pos->rook_square[i])) : (i & 1 ? 'Q' : 'K');
        *out++ = i & 2 ? (char)tolower(letter) : letter;
    }
    if (!pos->castling) *out++ = '-';
    return out;
}

void position_to_fen(const Position *pos, char out[FEN_MAX])
{
    char *end = write_board(pos, out);

    *end++ = ' ';
    *end++ = pos->stm == WHITE ? 'w' : 'b';
    *end++ = ' ';
    end = write_castling(pos, end);
    *end++ = ' ';
    square_to_text(pos->ep_square, end);
    end += pos->ep_square == NO_SQUARE ? 1 : 2;
    *end++ = ' ';
    end = text_put_int(end, pos->rule50);
    *end++ = ' ';
    (void)text_put_int(end, pos->game_ply / 2 + 1);
}

void position_set_start(Position *pos)
{
    if (position_from_fen(pos, START_FEN, &(Error){0}) != STATUS_OK)
        abort(); /* a constant: cannot fail */
}
