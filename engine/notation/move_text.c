/* SPDX-License-Identifier: MIT
 * Writing and reading moves. A move that is read is always one of the legal moves.
 * Sources: the UCI protocol; the PGN standard, section 8.2.3. */
#include "engine/notation/move_text.h"

#include <ctype.h>
#include <string.h>

#include "engine/board/movegen.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"

static const char type_letters[] = "PNBRQK";
static const char promotion_letters[] = "nbrq"; /* from KNIGHT on */

/* Characters of the caller's text that an error shows. */
enum { SHOWN_MAX = 20 };

/* Length of the text up to NUL or white space, at most `most`. */
static int token_length(const char *text, int most)
{
    int n = 0;

    while (n < most && text[n] != '\0' && !isspace((unsigned char)text[n]))
        n++;
    return n;
}

static Status refuse(const Position *pos, const char *text, const char *what, Error *err)
{
    char fen[FEN_MAX];

    position_to_fen(pos, fen);
    return error_set(err, STATUS_BAD_INPUT, "move \"%.*s\": %s in %s",
                     token_length(text, SHOWN_MAX), text, what, fen);
}

/* The king's target square of a castling move. */
static int castle_target(Move m)
{
    bool queen_side = move_to(m) < move_from(m);
    return make_square(queen_side ? FILE_C : FILE_G, square_rank(move_from(m)));
}

/* ---- UCI */

void move_to_uci(const Position *pos, Move m, char out[UCI_MOVE_MAX])
{
    int to = move_to(m);

    if (m == MOVE_NONE) {
        memcpy(out, "0000", 5);
        return;
    }
    if (move_is_castle(m) && !pos->chess960) to = castle_target(m);
    square_to_text(move_from(m), out);
    square_to_text(to, out + 2);
    if (move_is_promotion(m)) {
        out[4] = promotion_letters[move_promotion(m) - KNIGHT];
        out[5] = '\0';
    }
}

/* Does m go from `from` to `to` by its own 16 bits (castling: king takes rook)? `promotion` is a
 * lower case letter, or NUL. */
static bool matches_uci(Move m, int from, int to, char promotion)
{
    char own = move_is_promotion(m) ? promotion_letters[move_promotion(m) - KNIGHT] : '\0';
    return move_from(m) == from && move_to(m) == to && own == promotion;
}

Status move_from_uci(const Position *pos, const char *text, Move *m, Error *err)
{
    MoveList list;
    int length = token_length(text, 6);
    int from = length >= 4 ? square_from_text(text) : NO_SQUARE;
    int to = length >= 4 ? square_from_text(text + 2) : NO_SQUARE;
    char promotion = length == 5 ? (char)tolower((unsigned char)text[4]) : '\0';

    if (length > 5 || from == NO_SQUARE || to == NO_SQUARE ||
        (promotion != '\0' && strchr(promotion_letters, promotion) == NULL))
        return refuse(pos, text, "not a move in coordinates such as e2e4 or e7e8q", err);
    movegen_all(pos, &list);
    for (int i = 0; i < list.count; i++) {
        if (!matches_uci(list.moves[i], from, to, promotion)) continue;
        *m = list.moves[i];
        return STATUS_OK;
    }
    /* Castling by the king's target square: only when no other move has this text. */
    for (int i = 0; i < list.count && promotion == '\0'; i++) {
        Move castle = list.moves[i];
        if (!move_is_castle(castle) || move_from(castle) != from || castle_target(castle) != to)
            continue;
        *m = castle;
        return STATUS_OK;
    }
    return refuse(pos, text, "not legal", err);
}

/* ---- SAN */

/* Writes file, rank or both of `from` where other such pieces may go to the same square. */
static char *write_disambiguation(const Position *pos, Move m, char *out)
{
    PieceType type = piece_type(pos->board[move_from(m)]);
    int from = move_from(m), to = move_to(m);
    Bitboard rivals = piece_attacks(type, to, position_occupied(pos)) &
                      position_pieces(pos, position_stm(pos), type) & ~square_bb(from);
    bool any = false, same_file = false, same_rank = false;

    while (rivals) {
        int rival = pop_lsb(&rivals);
        if (!movegen_is_legal(pos, make_move(rival, to, move_kind(m)))) continue;
        any = true;
        same_file |= square_file(rival) == square_file(from);
        same_rank |= square_rank(rival) == square_rank(from);
    }
    if (any && (!same_file || same_rank)) *out++ = (char)('a' + square_file(from));
    if (any && same_file) *out++ = (char)('1' + square_rank(from));
    return out;
}

/* Everything before the sign of check. */
static char *write_san_body(const Position *pos, Move m, char *out)
{
    PieceType type = piece_type(pos->board[move_from(m)]);

    if (move_is_castle(m)) {
        const char *text = move_to(m) < move_from(m) ? "O-O-O" : "O-O";
        size_t length = strlen(text);
        memcpy(out, text, length);
        return out + length;
    }
    if (type != PAWN) {
        *out++ = type_letters[type];
        if (type != KING) out = write_disambiguation(pos, m, out);
    } else if (move_is_capture(m)) {
        *out++ = (char)('a' + square_file(move_from(m)));
    }
    if (move_is_capture(m)) *out++ = 'x';
    square_to_text(move_to(m), out);
    out += 2;
    if (move_is_promotion(m)) {
        *out++ = '=';
        *out++ = type_letters[move_promotion(m)];
    }
    return out;
}

void move_to_san(const Position *pos, Move m, char out[SAN_MAX])
{
    Position next;

    if (m == MOVE_NONE) {
        memcpy(out, "--", 3);
        return;
    }
    out = write_san_body(pos, m, out);
    position_make(&next, pos, m);
    if (position_in_check(&next)) *out++ = movegen_count(&next) ? '+' : '#';
    *out = '\0';
}

/* The parts of a SAN text; -1 where a part is missing. */
typedef struct SanMove {
    bool castle, queen_side;
    int type, from_file, from_rank, to, promotion;
} SanMove;

/* "O-O" or "O-O-O", also with zeros or small o's; `length` without trailing signs. */
static bool read_castle(const char *text, int length, SanMove *san)
{
    if (length != 3 && length != 5) return false;
    for (int i = 0; i < length; i++)
        if (i % 2 ? text[i] != '-' : strchr("O0o", text[i]) == NULL) return false;
    san->castle = true;
    san->queen_side = length == 5;
    return true;
}

/* Takes "=Q", "Q", "(Q)" or "/Q" off the end of the text; only after the target square. */
static int read_promotion(const char *text, int length, SanMove *san)
{
    int n = length;

    if (n > 0 && text[n - 1] == ')') n--;
    if (n < 3) return length;
    const char *letter = strchr("NBRQ", toupper((unsigned char)text[n - 1]));
    int before = n - 1;
    if (letter == NULL || *letter == '\0') return length;
    if (strchr("=(/", text[before - 1]) != NULL) before--;
    if (before < 2 || square_from_text(text + before - 2) == NO_SQUARE) return length;
    san->promotion = KNIGHT + (int)(letter - "NBRQ");
    return before;
}

/* Length of the text without "ep" or "e.p." after a square. */
static int without_ep(const char *text, int length)
{
    static const char *const suffixes[] = {"e.p.", "ep"};

    for (int i = 0; i < 2; i++) {
        int before = length - (int)strlen(suffixes[i]);
        if (before > 0 && isdigit((unsigned char)text[before - 1]) &&
            strncmp(text + before, suffixes[i], (size_t)(length - before)) == 0)
            return before;
    }
    return length;
}

/* Reads [piece][file][rank][x or -]square[promotion][signs]; false for any other text. */
static bool read_san(const char *text, SanMove *san)
{
    enum { LONGEST = 16 };
    int length = token_length(text, LONGEST);
    int i = 0;

    *san = (SanMove){.type = PAWN, .from_file = -1, .from_rank = -1, .promotion = -1};
    if (length == LONGEST) return false;
    while (length > 0 && strchr("+#!?", text[length - 1]) != NULL)
        length--;
    length = without_ep(text, length);
    if (read_castle(text, length, san)) return true;
    length = read_promotion(text, length, san);
    if (length < 2) return false;
    san->to = square_from_text(text + length - 2);
    length -= 2;
    if (san->to == NO_SQUARE) return false;

    if (i < length) {
        const char *letter = strchr(type_letters, text[i]);
        if (letter != NULL) {
            san->type = (int)(letter - type_letters);
            i++;
        }
    }
    if (i < length && text[i] >= 'a' && text[i] <= 'h') san->from_file = text[i++] - 'a';
    if (i < length && text[i] >= '1' && text[i] <= '8') san->from_rank = text[i++] - '1';
    if (i < length && (text[i] == 'x' || text[i] == '-' || text[i] == ':')) i++;
    return i == length;
}

static bool matches_san(const Position *pos, Move m, const SanMove *san)
{
    int from = move_from(m);

    if (san->castle || move_is_castle(m))
        return san->castle && move_is_castle(m) && (move_to(m) < from) == san->queen_side;
    return (int)piece_type(pos->board[from]) == san->type && move_to(m) == san->to &&
           (san->from_file < 0 || san->from_file == square_file(from)) &&
           (san->from_rank < 0 || san->from_rank == square_rank(from)) &&
           san->promotion == (move_is_promotion(m) ? (int)move_promotion(m) : -1);
}

/* Legal moves with all that the text may mean: of a piece only those to its square. */
static void list_candidates(const Position *pos, const SanMove *san, MoveList *list)
{
    if (san->castle || san->type == PAWN) {
        movegen_all(pos, list);
        return;
    }
    PieceType type = (PieceType)san->type;
    Bitboard from = piece_attacks(type, san->to, position_occupied(pos)) &
                    position_pieces(pos, position_stm(pos), type);
    int kind = pos->board[san->to] == NO_PIECE ? MOVE_QUIET : MOVE_CAPTURE;
    list->count = 0;
    while (from) {
        Move m = make_move(pop_lsb(&from), san->to, kind);
        if (movegen_is_legal(pos, m)) list->moves[list->count++] = m;
    }
}

Status move_from_san(const Position *pos, const char *text, Move *m, Error *err)
{
    MoveList list;
    SanMove san;
    Move found = MOVE_NONE;

    if (!read_san(text, &san)) return refuse(pos, text, "not a move in algebraic notation", err);
    list_candidates(pos, &san, &list);
    for (int i = 0; i < list.count; i++) {
        if (!matches_san(pos, list.moves[i], &san)) continue;
        if (found != MOVE_NONE) return refuse(pos, text, "ambiguous", err);
        found = list.moves[i];
    }
    if (found == MOVE_NONE) return refuse(pos, text, "not legal", err);
    *m = found;
    return STATUS_OK;
}

/* "g1f3" of "g1f3!", "g1-f3" and "g1xf3+": of long algebraic notation without letters. */
static void take_coordinates(const char *text, char out[UCI_MOVE_MAX])
{
    int length = token_length(text, UCI_MOVE_MAX + 4), n = 0;

    while (length > 0 && strchr("+#!?", text[length - 1]) != NULL)
        length--;
    for (int i = 0; i < length && n < UCI_MOVE_MAX - 1; i++)
        if (i != 2 || strchr("-x:", text[i]) == NULL) out[n++] = text[i];
    out[n] = '\0';
}

Status move_from_any(const Position *pos, const char *text, Move *m, Error *err)
{
    char coordinates[UCI_MOVE_MAX];
    Status status = move_from_san(pos, text, m, err);

    if (status == STATUS_OK) return status;
    take_coordinates(text, coordinates);
    return move_from_uci(pos, coordinates, m, &(Error){0}) == STATUS_OK ? STATUS_OK : status;
}
