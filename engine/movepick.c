/* SPDX-License-Identifier: MIT
 * The staged move picker. */
#include "engine/movepick.h"

#include "engine/see.h"

/* Item scores are 16 bits; this brings the sums of histories into them. */
enum { QUIET_SCALE = 4, NOISY_SCALE = 4 };

static int32_t make_item(int score, Move m)
{
    return score * 65536 + m;
}

static Move item_move(int32_t item)
{
    return (Move)(item & 0xffff);
}

void movepick_init(MovePicker *picker, const Position *pos, const Heuristics *heuristics,
                   const Continuation *const continuation[CONTINUATIONS], Move hash_move,
                   const Move killers[KILLERS])
{
    picker->pos = pos;
    picker->heuristics = heuristics;
    picker->continuation = continuation;
    picker->hash_move =
        hash_move != MOVE_NONE && movegen_is_legal(pos, hash_move) ? hash_move : MOVE_NONE;
    for (int i = 0; i < KILLERS; i++)
        picker->killers[i] = killers ? killers[i] : MOVE_NONE;
    picker->stage = picker->hash_move == MOVE_NONE ? PICK_GENERATE_NOISY : PICK_HASH;
    picker->noisy_only = false;
    picker->quiets = QUIETS_ALL;
    picker->next_killer = 0;
    picker->bad_end = 0;
}

void movepick_init_noisy(MovePicker *picker, const Position *pos, const Heuristics *heuristics,
                         Move hash_move)
{
    movepick_init(picker, pos, heuristics, NULL, move_is_noisy(hash_move) ? hash_move : MOVE_NONE,
                  NULL);
    picker->noisy_only = true;
}

static int noisy_score(const MovePicker *picker, Move m)
{
    const Position *pos = picker->pos;
    PieceType victim = noisy_victim(pos, m);
    int score = picker->heuristics->capture[pos->board[move_from(m)]][move_to(m)][victim];

    if (move_is_capture(m)) score += 32 * see_value[victim];
    if (move_is_promotion(m)) score += 32 * (see_value[move_promotion(m)] - see_value[KNIGHT]);
    return score / NOISY_SCALE;
}

/* Few as they are, noisy moves are sorted at once, by insertion. */
static void generate_noisy(MovePicker *picker)
{
    MoveList list;
    int32_t *item = picker->item;
    int end = 0;

    movegen_noisy(picker->pos, &list);
    for (int i = 0; i < list.count; i++) {
        Move m = list.moves[i];
        if (m == picker->hash_move) continue;
        int32_t new = make_item(noisy_score(picker, m), m);
        int at = end++;
        for (; at > 0 && item[at - 1] < new; at--)
            item[at] = item[at - 1];
        item[at] = new;
    }
    picker->at = 0;
    picker->end = end;
}

static void generate_quiet(MovePicker *picker)
{
    MoveList list;
    const Position *pos = picker->pos;
    const int16_t(*quiet)[SQUARES] = picker->heuristics->quiet[pos->stm];
    const Continuation *const *c = picker->continuation;
    int32_t *next = picker->item + picker->bad_end;

    movegen_quiet(pos, &list);
    for (int i = 0; i < list.count; i++) {
        Move m = list.moves[i];
        if (m == picker->hash_move || m == picker->killers[0] || m == picker->killers[1]) continue;
        int from = move_from(m), to = move_to(m), piece = pos->board[from];
        int score = 2 * quiet[from][to] + 2 * c[0]->value[piece][to] + c[1]->value[piece][to] +
                    c[2]->value[piece][to];
        *next++ = make_item(score / QUIET_SCALE, m);
    }
    picker->at = picker->bad_end;
    picker->end = (int)(next - picker->item);
    for (int i = 0; i < LANES; i++)
        next[i] = INT32_MIN; /* fills up take_best()'s last block */
}

/* Takes the best of the quiet moves left. No two items are equal, since the move is part of them;
 * loops over whole blocks of LANES, filled up with the lowest, become vector instructions. */
static Move take_best(MovePicker *picker)
{
    int32_t *item = picker->item + picker->at;
    int count = picker->end - picker->at;
    int32_t lane[LANES];
    int32_t top = INT32_MIN;
    int best = 0;

    for (int j = 0; j < LANES; j++)
        lane[j] = item[j];
    for (int i = LANES; i < count; i += LANES)
        for (int j = 0; j < LANES; j++)
            lane[j] = item[i + j] > lane[j] ? item[i + j] : lane[j];
    for (int j = 0; j < LANES; j++)
        top = lane[j] > top ? lane[j] : top;
    while (item[best] != top)
        best++;
    item[best] = item[0];
    picker->at++;
    return item_move(top);
}

/* The next of the items left that attacks the enemy king from where it lands, or MOVE_NONE. */
static Move take_check(MovePicker *picker)
{
    const Position *pos = picker->pos;
    Color us = position_stm(pos), them = us == WHITE ? BLACK : WHITE;
    int king = position_king(pos, them);
    Bitboard occ = position_occupied(pos);
    Bitboard diagonal = bishop_attacks(king, occ), straight = rook_attacks(king, occ);
    const Bitboard checks[PIECE_TYPES] = {
        pawn_attacks(them, king), knight_attacks(king), diagonal, straight, diagonal | straight, 0};

    while (picker->at < picker->end) {
        Move m = item_move(picker->item[picker->at++]);
        PieceType type = piece_type(pos->board[move_from(m)]);
        if (checks[type] & square_bb(move_to(m))) return m;
    }
    return MOVE_NONE;
}

Move movepick_next(MovePicker *picker)
{
    switch (picker->stage) {
    case PICK_HASH:
        picker->stage = PICK_GENERATE_NOISY;
        return picker->hash_move;

    case PICK_GENERATE_NOISY:
        generate_noisy(picker);
        picker->stage = PICK_GOOD_NOISY;
        /* fall through */
    case PICK_GOOD_NOISY:
        while (picker->at < picker->end) {
            Move m = item_move(picker->item[picker->at++]);
            if (see_at_least(picker->pos, m, 0)) return m;
            /* The items already taken make room for it. */
            picker->item[picker->bad_end++] = make_item(0, m);
        }
        if (picker->noisy_only) break;
        picker->stage = PICK_KILLERS;
        /* fall through */
    case PICK_KILLERS:
        while (picker->next_killer < KILLERS && picker->quiets == QUIETS_ALL) {
            Move m = picker->killers[picker->next_killer++];
            if (m != MOVE_NONE && m != picker->hash_move && !move_is_noisy(m) &&
                movegen_is_legal(picker->pos, m))
                return m;
        }
        picker->stage = PICK_GENERATE_QUIET;
        /* fall through */
    case PICK_GENERATE_QUIET:
        picker->at = picker->end = picker->bad_end;
        if (picker->quiets != QUIETS_NONE) generate_quiet(picker);
        picker->stage = PICK_QUIET;
        /* fall through */
    case PICK_QUIET:
        if (picker->quiets == QUIETS_ALL && picker->at < picker->end) return take_best(picker);
        if (picker->quiets == QUIETS_CHECKS && picker->at < picker->end) {
            Move m = take_check(picker);
            if (m != MOVE_NONE) return m;
        }
        picker->at = 0;
        picker->stage = PICK_BAD_NOISY;
        /* fall through */
    case PICK_BAD_NOISY:
        if (picker->at < picker->bad_end) return item_move(picker->item[picker->at++]);
        break;
    case PICK_DONE:
        break;
    }
    picker->stage = PICK_DONE;
    return MOVE_NONE;
}
