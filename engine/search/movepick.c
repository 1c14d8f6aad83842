/* SPDX-License-Identifier: MIT
 * The staged move picker. */
#include "engine/search/movepick.h"

#include "engine/board/position_make.h"
#include "engine/board/see.h"
#include "engine/board/vector_moves.h"

enum {
    NOISY_SCALE = 4, /* brings the score of a noisy move into 16 bits */
    INDEX_BITS = 9,  /* of a quiet move's place in the list */
    INDEX_MASK = (1 << INDEX_BITS) - 1,
    GONE = INT32_MIN
};

static int32_t make_item(int score, Move m)
{
    return score * 65536 + m;
}

static Move item_move(int32_t item)
{
    return (Move)(item & 0xffff);
}

ALWAYS_INLINE void init(MovePicker *picker, const Position *pos, const Histories *histories,
                        const Continuation *const continuation[CONTINUATIONS], const Tt *tt,
                        Move hash_move, const Move killers[KILLERS])
{
    picker->pos = pos;
    picker->histories = histories;
    picker->continuation = continuation;
    picker->tt = tt;
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

void movepick_init(MovePicker *picker, const Position *pos, const Histories *histories,
                   const Continuation *const continuation[CONTINUATIONS], const Tt *tt,
                   Move hash_move, const Move killers[KILLERS])
{
    init(picker, pos, histories, continuation, tt, hash_move, killers);
    checks_find(&picker->checks, pos);
}

void movepick_init_noisy(MovePicker *picker, const Position *pos, const Histories *histories,
                         Move hash_move)
{
    init(picker, pos, histories, NULL, NULL, move_is_noisy(hash_move) ? hash_move : MOVE_NONE,
         NULL);
    picker->noisy_only = true;
}

static int noisy_score(const MovePicker *picker, Move m)
{
    const Position *pos = picker->pos;
    PieceType victim = noisy_victim(pos, m);
    int score = picker->histories->capture[pos->board[move_from(m)]][move_to(m)][victim];

    if (move_is_capture(m)) score += 32 * see_value[victim];
    if (move_is_promotion(m)) score += 32 * (see_value[move_promotion(m)] - see_value[KNIGHT]);
    return score / NOISY_SCALE;
}

/* Noisy moves are few, so all are sorted at once, by insertion, and prefetched. */
static void generate_noisy(MovePicker *picker)
{
    const MoveList *list = &picker->list;
    int32_t *item = picker->noisy;
    int end = 0;

    movegen_noisy(picker->pos, &picker->list);
    for (int i = 0; i < list->count; i++) {
        Move m = list->moves[i];
        if (m == picker->hash_move) continue;
        if (picker->tt) tt_prefetch(picker->tt, position_key_after(picker->pos, m));
        int32_t new = make_item(noisy_score(picker, m), m);
        int at = end++;
        for (; at > 0 && item[at - 1] < new; at--)
            item[at] = item[at - 1];
        item[at] = new;
    }
    picker->at = 0;
    picker->end = end;
}

/* Sets the best of the remaining quiet moves, by its score, and prefetches its hash entry. */
static void set_best_quiet(MovePicker *picker, int32_t score)
{
    picker->best_score = score;
    picker->best_quiet = score == GONE ? -1 : INDEX_MASK - (score & INDEX_MASK);
    if (score != GONE && picker->tt)
        tt_prefetch(picker->tt,
                    position_key_after(picker->pos, picker->list.moves[picker->best_quiet]));
}

/* Finds the best of the remaining quiet moves, those below the last best one. Loops over whole
 * blocks of LANES become vector instructions. No score is overwritten: a vector load after a store
 * to a part of it stalls. */
static void find_best_quiet(MovePicker *picker)
{
    const int32_t *score = picker->score;
    const int32_t below = picker->best_score;
    int32_t lane[LANES];
    int32_t top = GONE;

    for (int j = 0; j < LANES; j++)
        lane[j] = score[j] < below ? score[j] : GONE;
    for (int i = LANES; i < picker->list.count; i += LANES)
        for (int j = 0; j < LANES; j++) {
            int32_t s = score[i + j] < below ? score[i + j] : GONE;
            lane[j] = s > lane[j] ? s : lane[j];
        }
    for (int j = 0; j < LANES; j++)
        top = lane[j] > top ? lane[j] : top;
    set_best_quiet(picker, top);
}

/* The histories for the quiet moves of a node; the last three by piece and target square. */
typedef struct QuietTables {
    const int16_t *quiet, *last, *second, *fourth;
} QuietTables;

/* Scores the quiet moves and finds the best. */
#if TABIA_VECTOR_MOVES

_Static_assert(VECTOR_SCORES % LANES == 0, "the last block of LANES is filled up");

static void score_quiet(MovePicker *picker, const QuietTables *table)
{
    const MoveList *list = &picker->list;
    const __m512i board = _mm512_loadu_si512(picker->pos->board);
    const __m512i square = _mm512_set1_epi32(SQUARES - 1);
    const __m512i from_to = _mm512_set1_epi32(FROM_TO - 1), gone = _mm512_set1_epi32(GONE);
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i top = gone;

    for (int i = 0; i < list->count; i += VECTOR_SCORES) {
        __m512i m = vector_load_moves(list->moves + i);
        __mmask16 left = _mm512_cmplt_epi32_mask(lane, _mm512_set1_epi32(list->count - i));
        left = _mm512_mask_cmpneq_epi32_mask(left, m, _mm512_set1_epi32(picker->hash_move));
        for (int k = 0; k < KILLERS; k++)
            left = _mm512_mask_cmpneq_epi32_mask(left, m, _mm512_set1_epi32(picker->killers[k]));

        __m512i to = _mm512_and_si512(_mm512_srli_epi32(m, 6), square);
        __m512i reply = _mm512_add_epi32(_mm512_slli_epi32(vector_moved_pieces(board, m), 6), to);
        __m512i twice =
            _mm512_add_epi32(vector_look_up(table->quiet, _mm512_and_si512(m, from_to), left),
                             vector_look_up(table->last, reply, left));
        __m512i once = _mm512_add_epi32(vector_look_up(table->second, reply, left),
                                        vector_look_up(table->fourth, reply, left));
        __m512i score = _mm512_add_epi32(_mm512_add_epi32(twice, twice), once);
        __m512i order = _mm512_sub_epi32(_mm512_set1_epi32(INDEX_MASK - i), lane);
        score = _mm512_add_epi32(_mm512_slli_epi32(score, INDEX_BITS), order);
        score = _mm512_mask_mov_epi32(gone, left, score);
        _mm512_storeu_si512(picker->score + i, score);
        top = _mm512_max_epi32(top, score);
    }
    set_best_quiet(picker, _mm512_reduce_max_epi32(top));
}

#else

static void score_quiet(MovePicker *picker, const QuietTables *table)
{
    const MoveList *list = &picker->list;
    int32_t top = GONE;

    for (int i = 0; i < list->count; i++) {
        Move m = list->moves[i];
        int reply = picker->pos->board[move_from(m)] * SQUARES + move_to(m);
        int score = 2 * (table->quiet[m & (FROM_TO - 1)] + table->last[reply]) +
                    table->second[reply] + table->fourth[reply];
        bool known = m == picker->hash_move || m == picker->killers[0] || m == picker->killers[1];
        score = known ? GONE : score * (1 << INDEX_BITS) + INDEX_MASK - i;
        picker->score[i] = score;
        if (score > top) top = score;
    }
    for (int i = 0; i < LANES; i++)
        picker->score[list->count + i] = GONE;
    set_best_quiet(picker, top);
}

#endif

static void generate_quiet(MovePicker *picker)
{
    const QuietTables table = {.quiet = picker->histories->quiet[position_stm(picker->pos)],
                               .last = picker->continuation[0]->value[0],
                               .second = picker->continuation[1]->value[0],
                               .fourth = picker->continuation[2]->value[0]};

    movegen_quiet(picker->pos, &picker->list);
    score_quiet(picker, &table);
}

static Move take_best_quiet(MovePicker *picker)
{
    int best = picker->best_quiet;

    if (best < 0) return MOVE_NONE;
    find_best_quiet(picker);
    return picker->list.moves[best];
}

/* The index, from picker->at up, of the next remaining quiet move to one of the squares `checks` of
 * its piece's type; list.count if there is none. */
#if TABIA_VECTOR_MOVES

static int find_check(const MovePicker *picker, const Bitboard checks[PIECE_TYPES])
{
    const __m512i board = _mm512_loadu_si512(picker->pos->board);
    const __m512i one = _mm512_set1_epi32(1);
    const __m512i gone = _mm512_set1_epi32(GONE);
    const __m512i best = _mm512_set1_epi32(picker->best_score);
    __m512i types = _mm512_setzero_si512(); /* of each square: the types that check from there */
    unsigned passed = (1U << picker->at % VECTOR_SCORES) - 1;

    for (int type = PAWN; type < KING; type++)
        types = _mm512_or_si512(types, _mm512_maskz_set1_epi8(checks[type], (char)(1 << type)));
    for (int i = picker->at & -VECTOR_SCORES; i < picker->list.count;
         i += VECTOR_SCORES, passed = 0) {
        __m512i m = vector_load_moves(picker->list.moves + i);
        __m512i type = _mm512_sllv_epi32(one, _mm512_srli_epi32(vector_moved_pieces(board, m), 1));
        /* Only the low bytes count: no type has its bit in another. */
        __m512i there = _mm512_permutexvar_epi8(_mm512_srli_epi32(m, 6), types);
        __m512i score = _mm512_loadu_si512(picker->score + i);
        __mmask16 wanted = _mm512_test_epi32_mask(type, there);
        wanted = _mm512_mask_cmpneq_epi32_mask(wanted, score, gone);
        wanted = _mm512_mask_cmple_epi32_mask(wanted, score, best);
        unsigned left = (unsigned)wanted & ~passed;
        if (left) return i + lsb(left);
    }
    return picker->list.count;
}

#else

static int find_check(const MovePicker *picker, const Bitboard checks[PIECE_TYPES])
{
    int i = picker->at;

    for (; i < picker->list.count; i++) {
        Move m = picker->list.moves[i];
        PieceType type = piece_type(picker->pos->board[move_from(m)]);
        if (!(checks[type] & square_bb(move_to(m)))) continue;
        if (picker->score[i] != GONE && picker->score[i] <= picker->best_score) break;
    }
    return i;
}

#endif

/* The next remaining quiet move that directly attacks the enemy king, or MOVE_NONE. */
static Move take_check(MovePicker *picker)
{
    int i = find_check(picker, picker->checks.from);

    picker->at = i + 1;
    return i < picker->list.count ? picker->list.moves[i] : MOVE_NONE;
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
            Move m = item_move(picker->noisy[picker->at++]);
            if (see_at_least(picker->pos, m, 0)) return m;
            /* Losing captures overwrite items already taken. */
            picker->noisy[picker->bad_end++] = make_item(0, m);
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
        if (picker->quiets != QUIETS_NONE) generate_quiet(picker);
        picker->at = 0;
        picker->stage = PICK_QUIET;
        /* fall through */
    case PICK_QUIET: {
        Move m = picker->quiets == QUIETS_ALL      ? take_best_quiet(picker)
                 : picker->quiets == QUIETS_CHECKS ? take_check(picker)
                                                   : MOVE_NONE;
        if (m != MOVE_NONE) return m;
        picker->at = 0;
        picker->stage = PICK_BAD_NOISY;
    }
        /* fall through */
    case PICK_BAD_NOISY:
        if (picker->at < picker->bad_end) return item_move(picker->noisy[picker->at++]);
        break;
    case PICK_DONE:
        break;
    }
    picker->stage = PICK_DONE;
    return MOVE_NONE;
}
