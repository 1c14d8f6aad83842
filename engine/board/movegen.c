/* SPDX-License-Identifier: MIT
 * Strictly legal move generation: one template, specialised by colour and kind of move, with pin
 * and check masks.
 * Source: chessprogramming.org "Checks and Pinned Pieces (Bitboards)". */
#include "engine/board/movegen.h"

#include <stddef.h>

#include "engine/board/vector_attacks.h"
#include "engine/board/vector_moves.h"

/* GEN_COUNT_AT_ONCE counts, too, but without loops over knights and sliders. */
typedef enum GenKind { GEN_ALL, GEN_NOISY, GEN_QUIET, GEN_COUNT, GEN_COUNT_AT_ONCE } GenKind;

ALWAYS_INLINE bool only_counts(GenKind kind)
{
    return kind == GEN_COUNT || kind == GEN_COUNT_AT_ONCE;
}

/* What restricts the side to move. A pinned piece may move within its own kind of mask. One mask
 * for ranks and files and one for diagonals are exact: no move along a line leads from one pin ray
 * to another of the same kind. */
typedef struct Restrictions {
    Bitboard targets;  /* squares that end a check; all when there is none */
    Bitboard pin_line; /* ranks and files between our king and a pinner, pinner included */
    Bitboard pin_diag; /* diagonals likewise */
} Restrictions;

/* Where moves are written: to a list, or only into the count. */
typedef struct Sink {
    Move *next;
    int count;
} Sink;

/* The rays from our king to those `snipers` with exactly one own piece between. */
ALWAYS_INLINE Bitboard pin_rays(int king, Bitboard snipers, Bitboard own)
{
    Bitboard pins = 0;

    while (snipers) {
        int sniper = pop_lsb(&snipers);
        Bitboard between = between_bb(king, sniper);
        Bitboard blockers = between & own;
        if (blockers && !more_than_one(blockers)) pins |= between | square_bb(sniper);
    }
    return pins;
}

ALWAYS_INLINE Restrictions restrictions(const Position *pos, Color us)
{
    Bitboard own = pos->by_color[us], enemy = pos->by_color[opponent(us)];
    Bitboard queens = pos->by_type[QUEEN] & enemy;
    int king = position_king(pos, us);
    /* Our own pieces are transparent. */
    Bitboard on_lines = rook_attacks(king, enemy) & ((pos->by_type[ROOK] & enemy) | queens);
    Bitboard on_diags = bishop_attacks(king, enemy) & ((pos->by_type[BISHOP] & enemy) | queens);
    Restrictions r = {~0ULL, pin_rays(king, on_lines, own), pin_rays(king, on_diags, own)};

    if (pos->checkers) r.targets = between_bb(king, lsb(pos->checkers)) | pos->checkers;
    return r;
}

/* ---- Emitting */

ALWAYS_INLINE void emit(Sink *sink, GenKind kind, int from, int to, int move_kind)
{
    if (only_counts(kind))
        sink->count++;
    else
        *sink->next++ = make_move(from, to, move_kind);
}

/* Writes the move base + unit * square for each square of `to`, from a1 up, at `next`; returns the
 * end of the list. Most sets are small: the loop ends only after every second square, and may write
 * a useless move after the last, for which lists have room. */
ALWAYS_INLINE Move *write_moves(Move *next, Bitboard to, int unit, int base)
{
#if TABIA_VECTOR_MOVES
    return vector_write_moves(next, to, unit, base);
#else
    Move *end = next + popcount(to);

    do {
        for (int i = 0; i < 2; i++, to &= to - 1)
            *next++ = (Move)(base + unit * lsb(to | 1ULL << 63)); /* an empty set has no lsb */
    } while (to);
    return end;
#endif
}

ALWAYS_INLINE void emit_each(Sink *sink, int from, Bitboard to, int move_kind)
{
    sink->next = write_moves(sink->next, to, make_move(0, 1, 0), make_move(from, 0, move_kind));
}

/* Moves of one piece to any of `to`, which holds none of our own pieces. */
ALWAYS_INLINE void emit_piece(Sink *sink, GenKind kind, int from, Bitboard to, Bitboard enemy)
{
    if (only_counts(kind)) {
        sink->count += popcount(to);
        return;
    }
    if (kind != GEN_QUIET) emit_each(sink, from, to & enemy, MOVE_CAPTURE);
    if (kind != GEN_NOISY) emit_each(sink, from, to & ~enemy, MOVE_QUIET);
}

/* Pawn moves to each of `to`, all from `delta` squares away, without promotion. */
ALWAYS_INLINE void emit_pawns(Sink *sink, GenKind kind, Bitboard to, int delta, int move_kind)
{
    if (only_counts(kind)) {
        sink->count += popcount(to);
        return;
    }
    sink->next =
        write_moves(sink->next, to, make_move(1, 1, 0), make_move(0, 0, move_kind) - delta);
}

ALWAYS_INLINE void emit_promotions(Sink *sink, GenKind kind, Bitboard to, int delta, int move_kind)
{
    if (only_counts(kind)) {
        sink->count += 4 * popcount(to);
        return;
    }
    while (to) {
        int sq = pop_lsb(&to);
        for (int type = QUEEN; type >= KNIGHT; type--)
            *sink->next++ = make_move(sq - delta, sq, MOVE_PROMOTION | move_kind | (type - KNIGHT));
    }
}

/* ---- By piece */

ALWAYS_INLINE void gen_en_passant(Sink *sink, GenKind kind, const Position *pos, Color us,
                                  Bitboard pawns)
{
    int to = pos->ep_square;
    Bitboard takers = pawn_attacks(opponent(us), to) & pawns;

    while (takers) {
        int from = pop_lsb(&takers);
        if (position_ep_is_legal(pos, from, to)) emit(sink, kind, from, to, MOVE_EN_PASSANT);
    }
}

ALWAYS_INLINE void gen_pawns(Sink *sink, GenKind kind, const Position *pos, Color us,
                             const Restrictions *r)
{
    const int up = us == WHITE ? 8 : -8;
    const Bitboard last_rank = rank_bb(us == WHITE ? RANK_8 : RANK_1);
    const Bitboard third_rank = rank_bb(us == WHITE ? RANK_3 : RANK_6);
    Bitboard empty = ~position_occupied(pos);
    Bitboard victims = pos->by_color[opponent(us)] & r->targets;
    Bitboard pawns = position_pieces(pos, us, PAWN);

    /* Captures: a pawn pinned on a line has none, one pinned on a diagonal only along it. */
    Bitboard takers = pawns & ~r->pin_line;
    Bitboard free_takers = takers & ~r->pin_diag, pinned_takers = takers & r->pin_diag;
    Bitboard west = (shift_forward_west(us, free_takers) |
                     (shift_forward_west(us, pinned_takers) & r->pin_diag)) &
                    victims;
    Bitboard east = (shift_forward_east(us, free_takers) |
                     (shift_forward_east(us, pinned_takers) & r->pin_diag)) &
                    victims;
    /* Pushes, the other way round. */
    Bitboard pushers = pawns & ~r->pin_diag;
    Bitboard single = (shift_forward(us, pushers & ~r->pin_line) |
                       (shift_forward(us, pushers & r->pin_line) & r->pin_line)) &
                      empty;
    Bitboard twice = shift_forward(us, single & third_rank) & empty & r->targets;
    single &= r->targets;

    if (only_counts(kind)) {
        sink->count += popcount(west) + popcount(east) + popcount(single) + popcount(twice);
        if (pawns & shift_forward(opponent(us), last_rank))
            sink->count += 3 * (popcount(west & last_rank) + popcount(east & last_rank) +
                                popcount(single & last_rank));
        if (pos->ep_square != NO_SQUARE) gen_en_passant(sink, kind, pos, us, pawns);
        return;
    }
    if (kind != GEN_QUIET) {
        emit_promotions(sink, kind, west & last_rank, up - 1, MOVE_CAPTURE);
        emit_promotions(sink, kind, east & last_rank, up + 1, MOVE_CAPTURE);
        emit_promotions(sink, kind, single & last_rank, up, MOVE_QUIET);
        emit_pawns(sink, kind, west & ~last_rank, up - 1, MOVE_CAPTURE);
        emit_pawns(sink, kind, east & ~last_rank, up + 1, MOVE_CAPTURE);
        if (pos->ep_square != NO_SQUARE) gen_en_passant(sink, kind, pos, us, pawns);
    }
    if (kind != GEN_NOISY) {
        emit_pawns(sink, kind, single & ~last_rank, up, MOVE_QUIET);
        emit_pawns(sink, kind, twice, 2 * up, MOVE_DOUBLE_PUSH);
    }
}

ALWAYS_INLINE void gen_sliders(Sink *sink, GenKind kind, const Position *pos, Color us,
                               const Restrictions *r, Bitboard straight, Bitboard diagonal,
                               Bitboard allowed)
{
    Bitboard enemy = pos->by_color[opponent(us)], occ = position_occupied(pos);

    while (diagonal) {
        int from = pop_lsb(&diagonal);
        Bitboard to = bishop_attacks(from, occ) & allowed;
        if (square_bb(from) & r->pin_diag) to &= r->pin_diag;
        emit_piece(sink, kind, from, to, enemy);
    }
    while (straight) {
        int from = pop_lsb(&straight);
        Bitboard to = rook_attacks(from, occ) & allowed;
        if (square_bb(from) & r->pin_line) to &= r->pin_line;
        emit_piece(sink, kind, from, to, enemy);
    }
}

ALWAYS_INLINE void gen_pieces(Sink *sink, GenKind kind, const Position *pos, Color us,
                              const Restrictions *r)
{
    Bitboard enemy = pos->by_color[opponent(us)];
    Bitboard allowed = r->targets & ~pos->by_color[us];
    Bitboard queens = position_pieces(pos, us, QUEEN);
    Bitboard knights = position_pieces(pos, us, KNIGHT) & ~(r->pin_line | r->pin_diag);
    Bitboard diagonal = (position_pieces(pos, us, BISHOP) | queens) & ~r->pin_line;
    Bitboard straight = (position_pieces(pos, us, ROOK) | queens) & ~r->pin_diag;

    if (kind == GEN_NOISY) allowed &= enemy;
    if (kind == GEN_QUIET) allowed &= ~enemy;
#if TABIA_VECTOR_ATTACKS
    if (kind == GEN_COUNT_AT_ONCE) {
        sink->count += vector_count_moves(knights, straight & ~r->pin_line, diagonal & ~r->pin_diag,
                                          position_occupied(pos), allowed);
        knights = 0;
        straight &= r->pin_line; /* the loops count the pinned ones */
        diagonal &= r->pin_diag;
    }
#endif
    while (knights) {
        int from = pop_lsb(&knights);
        emit_piece(sink, kind, from, knight_attacks(from) & allowed, enemy);
    }
    gen_sliders(sink, kind, pos, us, r, straight, diagonal, allowed);
}

/* Those of `squares` that `them` attack; our king is transparent. */
ALWAYS_INLINE Bitboard attacked_among(GenKind kind, const Position *pos, Color them,
                                      Bitboard squares)
{
    Bitboard enemy = pos->by_color[them];
    Bitboard occ = position_occupied(pos) & ~position_pieces(pos, opponent(them), KING);
    Bitboard knights = pos->by_type[KNIGHT] & enemy;
    Bitboard diagonal = (pos->by_type[BISHOP] | pos->by_type[QUEEN]) & enemy;
    Bitboard straight = (pos->by_type[ROOK] | pos->by_type[QUEEN]) & enemy;
    Bitboard attacked =
        pawns_attack(them, pos->by_type[PAWN] & enemy) | king_attacks(position_king(pos, them));

    if (!(squares & ~attacked)) return squares;
#if TABIA_VECTOR_ATTACKS
    if (kind == GEN_COUNT_AT_ONCE)
        return squares & (attacked | vector_attacks(knights, straight, diagonal, occ));
#else
    (void)kind;
#endif
    while (knights)
        attacked |= knight_attacks(pop_lsb(&knights));
    while (diagonal)
        attacked |= bishop_attacks(pop_lsb(&diagonal), occ);
    while (straight)
        attacked |= rook_attacks(pop_lsb(&straight), occ);
    return squares & attacked;
}

/* The squares that the king passes or reaches in castling, or none where a piece stands in its way
 * or in the rook's. */
ALWAYS_INLINE Bitboard castling_path(const Position *pos, Color us, int index)
{
    int king = position_king(pos, us), rook = pos->rook_square[index];
    Bitboard occ = position_occupied(pos);

    if (between_bb(king, rook) & occ) return 0; /* the rest finds this, too, but slowly */
    int king_to = castling_king_to(index), rook_to = castling_rook_to(index);
    Bitboard king_path = between_bb(king, king_to) | square_bb(king_to);
    Bitboard rook_path = between_bb(rook, rook_to) | square_bb(rook_to);
    Bitboard others = occ & ~square_bb(king) & ~square_bb(rook);

    return (king_path | rook_path) & others ? 0 : king_path;
}

/* Does the rook of this castling not shield the king from a rook or queen? */
ALWAYS_INLINE bool castling_rook_is_free(const Position *pos, int index, Bitboard pin_line)
{
    return !(pin_line & square_bb(pos->rook_square[index]));
}

/* Generates the king's moves without castling, which comes last, but finds the attacked squares for
 * both. Returns the rights to castle whose path is free and not attacked. */
ALWAYS_INLINE int gen_king(Sink *sink, GenKind kind, const Position *pos, Color us)
{
    const int short_index = castling_index(us, false), long_index = castling_index(us, true);
    Bitboard enemy = pos->by_color[opponent(us)], short_path = 0, long_path = 0;
    int from = position_king(pos, us);
    Bitboard to = king_attacks(from) & ~pos->by_color[us];

    if (kind == GEN_NOISY) to &= enemy;
    if (kind == GEN_QUIET) to &= ~enemy;
    if (kind != GEN_NOISY && !pos->checkers && pos->castling) {
        if (pos->castling & 1 << short_index) short_path = castling_path(pos, us, short_index);
        if (pos->castling & 1 << long_index) long_path = castling_path(pos, us, long_index);
    }
    if (!(to | short_path | long_path)) return 0;
    Bitboard attacked = attacked_among(kind, pos, opponent(us), to | short_path | long_path);
    emit_piece(sink, kind, from, to & ~attacked, enemy);
    return (short_path && !(short_path & attacked)) << short_index |
           (long_path && !(long_path & attacked)) << long_index;
}

ALWAYS_INLINE void gen_castling(Sink *sink, GenKind kind, const Position *pos, Color us, int rights,
                                Bitboard pin_line)
{
    for (int index = castling_index(us, false); index <= castling_index(us, true); index++)
        if (rights & 1 << index && castling_rook_is_free(pos, index, pin_line))
            emit(sink, kind, position_king(pos, us), pos->rook_square[index], MOVE_CASTLE);
}

/* The template. */
ALWAYS_INLINE void generate(Sink *sink, GenKind kind, const Position *pos, Color us)
{
    int castling = gen_king(sink, kind, pos, us);

    if (more_than_one(pos->checkers)) return;
    Restrictions r = restrictions(pos, us);
    gen_pawns(sink, kind, pos, us, &r);
    gen_pieces(sink, kind, pos, us, &r);
    if (castling) gen_castling(sink, kind, pos, us, castling, r.pin_line);
}

/* ---- The interface */

ALWAYS_INLINE void generate_list(GenKind kind, const Position *pos, MoveList *list)
{
    Sink sink = {list->moves, 0};

    if (pos->stm == WHITE)
        generate(&sink, kind, pos, WHITE);
    else
        generate(&sink, kind, pos, BLACK);
    list->count = (int)(sink.next - list->moves);
}

void movegen_all(const Position *pos, MoveList *list)
{
    generate_list(GEN_ALL, pos, list);
}

void movegen_noisy(const Position *pos, MoveList *list)
{
    generate_list(GEN_NOISY, pos, list);
}

void movegen_quiet(const Position *pos, MoveList *list)
{
    generate_list(GEN_QUIET, pos, list);
}

ALWAYS_INLINE int count_moves(GenKind kind, const Position *pos)
{
    Sink sink = {NULL, 0};

    if (pos->stm == WHITE)
        generate(&sink, kind, pos, WHITE);
    else
        generate(&sink, kind, pos, BLACK);
    return sink.count;
}

/* Two functions: one would need more registers. */
static int count_by_loops(const Position *pos)
{
    return count_moves(GEN_COUNT, pos);
}

static int count_at_once(const Position *pos)
{
    return count_moves(GEN_COUNT_AT_ONCE, pos);
}

int movegen_count(const Position *pos)
{
    const int few = 12; /* pieces, few enough for loops */

    return TABIA_VECTOR_ATTACKS && popcount(position_occupied(pos)) > few ? count_at_once(pos)
                                                                          : count_by_loops(pos);
}

/* ---- Single moves */

static bool castling_move_is_legal(const Position *pos, Move m)
{
    Color us = position_stm(pos);
    int king = position_king(pos, us);

    if (move_from(m) != king || pos->checkers) return false;
    int index = castling_index(us, move_to(m) < king);
    if (!(pos->castling & 1 << index) || pos->rook_square[index] != move_to(m)) return false;
    Bitboard path = castling_path(pos, us, index);
    return path && !attacked_among(GEN_ALL, pos, opponent(us), path) &&
           castling_rook_is_free(pos, index, restrictions(pos, us).pin_line);
}

/* Does the pawn move follow the rules of pawns, without regard to check? The capture flag agrees
 * with the board already. */
static bool pawn_move_is_pseudo_legal(const Position *pos, Move m)
{
    Color us = position_stm(pos);
    int from = move_from(m), to = move_to(m), kind = move_kind(m);
    Bitboard ahead = shift_forward(us, square_bb(from)) & ~position_occupied(pos);

    if (kind != MOVE_DOUBLE_PUSH) {
        bool reaches_last_rank = square_rank(to) == (us == WHITE ? RANK_8 : RANK_1);
        if (reaches_last_rank != move_is_promotion(m)) return false;
        Bitboard targets = move_is_capture(m) ? pawn_attacks(us, from) : ahead;
        return (targets & square_bb(to)) != 0;
    }
    bool at_home = square_rank(from) == (us == WHITE ? RANK_2 : RANK_7);
    return at_home && shift_forward(us, ahead) == square_bb(to);
}

/* Is the king of the side to move safe when the board is occupied by occ? Enemy kings and a piece
 * on `to` are left out. */
static bool king_is_safe(const Position *pos, int to, Bitboard occ)
{
    Color us = position_stm(pos);
    int king = position_king(pos, us);
    Bitboard enemy = pos->by_color[opponent(us)] & ~square_bb(to);
    Bitboard queens = pos->by_type[QUEEN];
    Bitboard leapers = pos->by_type[PAWN] | pos->by_type[KNIGHT];

    return !(pos->checkers & leapers & enemy) &&
           !(bishop_attacks(king, occ) & (pos->by_type[BISHOP] | queens) & enemy) &&
           !(rook_attacks(king, occ) & (pos->by_type[ROOK] | queens) & enemy);
}

bool movegen_is_legal(const Position *pos, Move m)
{
    Color us = position_stm(pos);
    int from = move_from(m), to = move_to(m), kind = move_kind(m);
    int piece = pos->board[from], target = pos->board[to];

    if (piece == NO_PIECE || piece_color(piece) != us) return false;
    if (kind == MOVE_CASTLE) return castling_move_is_legal(pos, m);
    if (kind == MOVE_EN_PASSANT)
        return piece_type(piece) == PAWN && to == pos->ep_square && to != NO_SQUARE &&
               pawn_attacks(us, from) & square_bb(to) && position_ep_is_legal(pos, from, to);
    if (kind == 3 || kind == 6 || kind == 7) return false;
    if (move_is_capture(m) ? target == NO_PIECE || piece_color(target) == us : target != NO_PIECE)
        return false;

    Bitboard occ = position_occupied(pos);
    if (piece_type(piece) == PAWN) {
        if (!pawn_move_is_pseudo_legal(pos, m)) return false;
    } else {
        if (kind != MOVE_QUIET && kind != MOVE_CAPTURE) return false;
        if (!(piece_attacks(piece_type(piece), from, occ) & square_bb(to))) return false;
        if (piece_type(piece) == KING)
            return !attacked_among(GEN_ALL, pos, opponent(us), square_bb(to));
    }
    return king_is_safe(pos, to, (occ ^ square_bb(from)) | square_bb(to));
}

bool movegen_gives_check(const Position *pos, Move m)
{
    Color us = position_stm(pos);
    int from = move_from(m), to = move_to(m);
    int king = position_king(pos, opponent(us));
    Bitboard own = pos->by_color[us] & ~square_bb(from),
             occ = position_occupied(pos) ^ square_bb(from);
    PieceType type = move_is_promotion(m) ? move_promotion(m) : piece_type(pos->board[from]);
    Bitboard lines = (pos->by_type[ROOK] | pos->by_type[QUEEN]) & own;
    Bitboard diags = (pos->by_type[BISHOP] | pos->by_type[QUEEN]) & own;

    if (move_is_castle(m)) {
        int index = castling_index(us, to < from);
        int king_to = castling_king_to(index), rook_to = castling_rook_to(index);
        occ = (occ ^ square_bb(to)) | square_bb(king_to) | square_bb(rook_to);
        lines = (lines ^ square_bb(to)) | square_bb(rook_to);
        return (rook_attacks(king, occ) & lines) || (bishop_attacks(king, occ) & diags);
    }
    occ |= square_bb(to);
    if (move_is_en_passant(m)) occ ^= square_bb(to ^ 8);
    switch (type) { /* by the moved piece itself */
    case PAWN:
        if (pawn_attacks(us, to) & square_bb(king)) return true;
        break;
    case KNIGHT:
        if (knight_attacks(to) & square_bb(king)) return true;
        break;
    case BISHOP:
        diags |= square_bb(to);
        break;
    case ROOK:
        lines |= square_bb(to);
        break;
    case QUEEN:
        diags |= square_bb(to);
        lines |= square_bb(to);
        break;
    default:
        break;
    }
    return (rook_attacks(king, occ) & lines) || (bishop_attacks(king, occ) & diags);
}
