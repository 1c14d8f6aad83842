/* SPDX-License-Identifier: MIT
 * The move picker against its definition: every legal move once, in the order of movepick.h, for
 * any hash move and killers, and wherever the quiet moves are narrowed. */
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/board/position_make.h"
#include "engine/board/see.h"
#include "engine/search/movepick.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"

typedef struct Fixture {
    Histories histories;
    const Continuation *continuation[CONTINUATIONS];
    Tt tt;
    Pcg rng;
    int picked, narrowed;
} Fixture;

/* Histories of few different values, so that many moves have equal scores. */
static void fill(int16_t *entry, size_t count, Pcg *rng)
{
    for (size_t i = 0; i < count; i++)
        entry[i] = (int16_t)(1000 * ((int)pcg_below(rng, 7) - 3));
}

static void setup(Fixture *f, uint64_t seed)
{
    Error err;
    Histories *h = &f->histories;

    memset(f, 0, sizeof *f);
    pcg_seed(&f->rng, seed, 0);
    fill(h->quiet[0], sizeof h->quiet / sizeof(int16_t), &f->rng);
    fill(h->capture[0][0], sizeof h->capture / sizeof(int16_t), &f->rng);
    fill(h->continuation[0][0].value[0], sizeof h->continuation / sizeof(int16_t), &f->rng);
    f->continuation[0] = &h->continuation[3][28];
    f->continuation[1] = &h->continuation[0][35];
    f->continuation[2] = &h->continuation[NO_PIECE][0];
    ck_assert_int_eq(tt_init(&f->tt, 1 << 16, &err), STATUS_OK);
}

static int quiet_score(Fixture *f, const Position *pos, Move m)
{
    int piece = pos->board[move_from(m)], to = move_to(m);
    return 2 * *history_quiet(&f->histories, position_stm(pos), m) +
           2 * f->continuation[0]->value[piece][to] + f->continuation[1]->value[piece][to] +
           f->continuation[2]->value[piece][to];
}

static bool is_killer(const Move killers[KILLERS], Move m)
{
    return m == killers[0] || m == killers[1];
}

/* Does the moved piece attack the king directly from its target square, on the old board? */
static bool attacks_king(const Position *pos, Move m)
{
    Color us = position_stm(pos), them = opponent(us);
    int king = position_king(pos, them), to = move_to(m);
    PieceType type = piece_type(pos->board[move_from(m)]);

    if (type == PAWN) return (pawn_attacks(us, to) & square_bb(king)) != 0;
    if (type == KING) return false;
    return (piece_attacks(type, king, position_occupied(pos)) & square_bb(to)) != 0;
}

/* Which group a move belongs to; groups come in this order. */
typedef enum Group { HASH, GOOD_NOISY, KILLER, QUIET, BAD_NOISY } Group;

static Group group_of(const Position *pos, Move m, Move hash, const Move killers[KILLERS])
{
    if (m == hash) return HASH;
    if (move_is_noisy(m)) return see_at_least(pos, m, 0) ? GOOD_NOISY : BAD_NOISY;
    return is_killer(killers, m) ? KILLER : QUIET;
}

static int index_of(const MoveList *list, Move m)
{
    int i = 0;

    while (i < list->count && list->moves[i] != m)
        i++;
    ck_assert_msg(i < list->count, "%04x is not legal", (unsigned)m);
    return i;
}

/* Picks all moves; from the `narrow_at`-th quiet move on only checks (-1: never). */
static void check_picker(Fixture *f, const Position *pos, const MoveList *legal, Move hash,
                         const Move killers[KILLERS], int narrow_at)
{
    static MovePicker picker;
    bool seen[MAX_MOVES] = {false};
    MoveList quiet;
    Move m, last = MOVE_NONE;
    Group last_group = HASH;
    int quiets = 0;

    movegen_quiet(pos, &quiet);
    movepick_init(&picker, pos, &f->histories, f->continuation, &f->tt, hash, killers);
    while ((m = movepick_next(&picker)) != MOVE_NONE) {
        int i = index_of(legal, m);
        ck_assert_msg(!seen[i], "%04x twice", (unsigned)m);
        seen[i] = true;
        Group group = group_of(pos, m, hash, killers);
        ck_assert_int_ge(group, last_group);
        if (group == QUIET) {
            quiets++;
            if (picker.quiets == QUIETS_CHECKS) {
                ck_assert(attacks_king(pos, m));
            } else if (last_group == QUIET) {
                int before = quiet_score(f, pos, last), now = quiet_score(f, pos, m);
                ck_assert_int_ge(before, now);
                if (before == now) ck_assert_int_lt(index_of(&quiet, last), index_of(&quiet, m));
            }
            if (quiets == narrow_at) picker.quiets = QUIETS_CHECKS;
        }
        last = m;
        last_group = group;
        f->picked++;
    }
    ck_assert_int_eq(movepick_next(&picker), MOVE_NONE);
    for (int i = 0; i < legal->count; i++) {
        m = legal->moves[i];
        bool left_out = picker.quiets == QUIETS_CHECKS && !attacks_king(pos, m) &&
                        group_of(pos, m, hash, killers) == QUIET;
        ck_assert_msg(seen[i] || left_out, "%04x forgotten", (unsigned)m);
        f->narrowed += !seen[i];
    }
}

/* In quiescence: a noisy hash move, then captures and promotions with SEE >= 0. */
static void check_noisy_picker(Fixture *f, const Position *pos, const MoveList *legal, Move hash)
{
    static MovePicker picker;
    static const Move no_killers[KILLERS];
    int wanted = 0, given = 0;
    Move m;

    if (!movegen_is_legal(pos, hash) || !move_is_noisy(hash)) hash = MOVE_NONE;
    for (int i = 0; i < legal->count; i++)
        wanted += group_of(pos, legal->moves[i], hash, no_killers) <= GOOD_NOISY;
    movepick_init_noisy(&picker, pos, &f->histories, hash);
    while ((m = movepick_next(&picker)) != MOVE_NONE) {
        (void)index_of(legal, m);
        ck_assert_int_le(group_of(pos, m, hash, no_killers), GOOD_NOISY);
        if (hash != MOVE_NONE) ck_assert_int_eq(m == hash, given == 0);
        given++;
    }
    ck_assert_int_eq(given, wanted);
}

/* A legal move, any pattern of bits, or none. */
static Move any_move(Fixture *f, const MoveList *legal)
{
    uint32_t kind = pcg_below(&f->rng, 4);

    if (kind == 0) return MOVE_NONE;
    if (kind == 1 || legal->count == 0) return (Move)pcg_below(&f->rng, 1 << 16);
    return legal->moves[pcg_below(&f->rng, (uint32_t)legal->count)];
}

static void visit(const Position *pos, const MoveList *legal, void *context)
{
    Fixture *f = context;
    Move hash = any_move(f, legal);
    Move killers[KILLERS] = {any_move(f, legal), any_move(f, legal)};

    if (killers[1] == killers[0]) killers[1] = MOVE_NONE; /* as in the search */
    check_picker(f, pos, legal, hash, killers, -1);
    check_picker(f, pos, legal, hash, killers, 1 + (int)pcg_below(&f->rng, 8));
    check_noisy_picker(f, pos, legal, hash);
}

START_TEST(test_against_the_definition)
{
    static Fixture f;

    setup(&f, 7);
    board_walk(6, BOARD_GAMES, 100, NULL, visit, &f);
    ck_assert_int_gt(f.picked, BOARD_GAMES * 25000);
    ck_assert_int_gt(f.narrowed, BOARD_GAMES * 2500);
    tt_free(&f.tt);
}
END_TEST

/* Quiescence takes no quiet moves after an evasion was found. */
START_TEST(test_no_quiet_moves)
{
    static Fixture f;
    static MovePicker picker;
    Position pos;
    int quiets = 0, noisy = 0;
    Move m;

    setup(&f, 8);
    pos = board_from_fen("4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1");
    movepick_init(&picker, &pos, &f.histories, f.continuation, &f.tt, MOVE_NONE, NULL);
    picker.quiets = QUIETS_NONE;
    while ((m = movepick_next(&picker)) != MOVE_NONE) {
        quiets += !move_is_noisy(m);
        noisy += move_is_noisy(m);
    }
    ck_assert_int_eq(quiets, 0);
    ck_assert_int_eq(noisy, 1);
    tt_free(&f.tt);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_against_the_definition, test_no_quiet_moves);
    return support_run(c);
}
