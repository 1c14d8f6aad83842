/* SPDX-License-Identifier: MIT
 * The classical terms on positions counted by hand; that they sum, mirror and cache rightly is in
 * test_eval.c. */
#include "engine/eval/eval.h"
#include "tests/support/support.h"
#include "tests/support/support_board.h"

typedef struct Case {
    const char *fen;
    int term;  /* with its index */
    int count; /* White minus Black */
} Case;

static void check_cases(const Case *cases, int n)
{
    for (int i = 0; i < n; i++) {
        int16_t count[EVAL_CLASSICAL_TERMS];
        Position pos;
        pos = board_from_fen(cases[i].fen);
        classical_counts(&pos, EVAL_CLASSICAL_FAMILIES, count);
        ck_assert_msg(count[cases[i].term - EVAL_CLASSICAL] == cases[i].count,
                      "case %d, %s: %d, not %d", i, cases[i].fen,
                      count[cases[i].term - EVAL_CLASSICAL], cases[i].count);
    }
}
#define CHECK_CASES(cases) check_cases(cases, (int)(sizeof(cases) / sizeof(cases)[0]))

START_TEST(mobility)
{
    static const Case cases[] = {
        {"4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", EVAL_KNIGHT_MOBILITY + 8, 1},
        {"4k3/8/8/8/3n4/8/8/4K3 w - - 0 1", EVAL_KNIGHT_MOBILITY + 8, -1},
        {"4k3/8/8/8/3n4/8/8/4K3 w - - 0 1", EVAL_KNIGHT_MOBILITY + 7, 0},
        /* A pawn on d7 makes c6 and e6 unsafe. */
        {"4k3/3p4/8/8/3N4/8/8/4K3 w - - 0 1", EVAL_KNIGHT_MOBILITY + 6, 1},
        /* The own pawn on b3 is low, the one on c2 as well; on b4 it is neither low nor blocked. */
        {"4k3/8/8/8/8/1P6/2P5/N3K3 w - - 0 1", EVAL_KNIGHT_MOBILITY, 1},
        {"4k3/8/8/8/1P6/8/3N4/K7 w - - 0 1", EVAL_KNIGHT_MOBILITY + 6, 1},
        {"4k3/8/8/8/1P6/3N4/8/7K w - - 0 1", EVAL_KNIGHT_MOBILITY + 8, 1},
        {"4k3/8/8/1p6/1P6/3N4/8/7K w - - 0 1", EVAL_KNIGHT_MOBILITY + 7, 1},
        /* Each rook sees through the other, neither through the king. */
        {"4k3/8/8/8/8/8/8/R2RK3 w - - 0 1", EVAL_ROOK_MOBILITY + 10, 2},
        {"4k3/8/8/8/3Q4/8/8/B3K3 w - - 0 1", EVAL_BISHOP_MOBILITY + 7, 1},
        {"4k3/8/8/8/3R4/8/8/B3K3 w - - 0 1", EVAL_BISHOP_MOBILITY + 3, 1},
        {"7k/8/8/8/3Q4/8/8/K7 b - - 0 1", EVAL_QUEEN_MOBILITY + 26, 1},
    };
    CHECK_CASES(cases);
}
END_TEST

START_TEST(pieces)
{
    static const Case cases[] = {
        {"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", EVAL_BISHOP_PAIR, 1},
        {"2b1k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", EVAL_BISHOP_PAIR, 1},
        {"2b1kb2/8/8/8/8/8/8/2B1KB2 w - - 0 1", EVAL_BISHOP_PAIR, 0},
        /* d4 and f2 are dark like c1, e4 is light. */
        {"4k3/8/8/8/3PP3/8/5P2/2B1K3 w - - 0 1", EVAL_BISHOP_PAWNS + 2, 1},
        {"4k3/8/8/8/3PP3/8/5P2/2B1K3 w - - 0 1", EVAL_BISHOP_PAWNS + 1, 0},
        {"4k3/8/8/3N4/4P3/8/8/4K3 w - - 0 1", EVAL_OUTPOST, 1},
        {"4k3/8/8/3B4/4P3/8/8/4K3 w - - 0 1", EVAL_OUTPOST + 1, 1},
        {"4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", EVAL_OUTPOST, 0},
        {"4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1", EVAL_OUTPOST, 0},
        {"4k3/8/8/2pN4/4P3/8/8/4K3 w - - 0 1", EVAL_OUTPOST, 1},
        {"4k3/8/8/4p3/3n4/8/8/4K3 w - - 0 1", EVAL_OUTPOST, -1},
        {"4k3/8/8/8/5P2/5N2/8/4K3 w - - 0 1", EVAL_MINOR_BEHIND_PAWN, 1},
        {"4k3/8/8/8/5p2/5N2/8/4K3 w - - 0 1", EVAL_MINOR_BEHIND_PAWN, 1},
        {"4k3/8/5b2/5p2/8/8/8/4K3 w - - 0 1", EVAL_MINOR_BEHIND_PAWN, -1},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", EVAL_ROOK_OPEN_FILE, 1},
        {"4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", EVAL_ROOK_OPEN_FILE, 0},
        {"4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", EVAL_ROOK_HALF_OPEN_FILE, 1},
        {"4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", EVAL_ROOK_HALF_OPEN_FILE, 0},
        {"r3k3/8/8/8/8/8/P7/R3K3 w - - 0 1", EVAL_ROOK_HALF_OPEN_FILE, -1},
    };
    CHECK_CASES(cases);
}
END_TEST

START_TEST(pawns)
{
    static const char lonely[] = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
                      doubled[] = "4k3/8/8/8/P7/P7/8/4K3 w - - 0 1",
                      chain[] = "4k3/8/8/8/2P5/3PP3/8/4K3 w - - 0 1",
                      backward[] = "4k3/8/8/4p3/2P1P3/3P4/8/4K3 w - - 0 1";
    static const Case cases[] = {
        {lonely, EVAL_ISOLATED_PAWN, 1},
        {lonely, EVAL_WEAK_PAWN_EXPOSED, 1},
        {"4k3/p7/8/8/8/8/P7/4K3 w - - 0 1", EVAL_ISOLATED_PAWN, 0},
        {"4k3/p7/8/8/8/8/8/4K3 w - - 0 1", EVAL_ISOLATED_PAWN, -1},
        {doubled, EVAL_DOUBLED_PAWN + 1, 1},
        {doubled, EVAL_DOUBLED_PAWN + 2, 0},
        {doubled, EVAL_ISOLATED_PAWN + 1, 1},
        {doubled, EVAL_ISOLATED_PAWN + 2, 1},
        {doubled, EVAL_PASSED_PAWN + 1, 0},
        {doubled, EVAL_PASSED_PAWN + 2, 1},
        {chain, EVAL_PHALANX_PAWN + 1, 2},
        {chain, EVAL_DEFENDED_PAWN + 2, 1},
        {chain, EVAL_DEFENDED_PAWN + 1, 0},
        {chain, EVAL_ISOLATED_PAWN + 1, 0},
        /* d3 cannot safely pass d4; e5 has no neighbours, and e4 before it. */
        {backward, EVAL_BACKWARD_PAWN + 1, 1},
        {backward, EVAL_BACKWARD_PAWN + 2, 0},
        {backward, EVAL_ISOLATED_PAWN + 2, -1},
        {backward, EVAL_WEAK_PAWN_EXPOSED, 1},
        {"4k3/8/8/8/2P1P3/3P4/8/4K3 w - - 0 1", EVAL_BACKWARD_PAWN + 1, 0},
    };
    CHECK_CASES(cases);
}
END_TEST

START_TEST(passed)
{
    static const char fifth[] = "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1",
                      third[] = "4k3/8/8/8/8/3P4/8/4K3 w - - 0 1";
    static const Case cases[] = {
        {fifth, EVAL_PASSED_PAWN + 3, 1},
        {"4k3/2p5/8/3P4/8/8/8/4K3 w - - 0 1", EVAL_PASSED_PAWN + 3, 0},
        {"4k3/8/8/2pP4/8/8/8/4K3 w - - 0 1", EVAL_PASSED_PAWN + 3, 1},
        {"4k3/8/8/2pP4/8/8/8/4K3 w - - 0 1", EVAL_PASSED_PAWN + 2, -1},
        /* The king on e8 guards d7 and d8. */
        {fifth, EVAL_PASSED_FREE_STEP + 3, 1},
        {fifth, EVAL_PASSED_FREE_WAY + 3, 0},
        {"8/8/8/3P4/8/8/8/4K2k w - - 0 1", EVAL_PASSED_FREE_WAY + 3, 1},
        {"8/8/8/3P4/8/8/8/4K2k w - - 0 1", EVAL_PASSED_FREE_STEP + 3, 0},
        {"3r4/8/8/3P4/8/8/8/4K2k w - - 0 1", EVAL_PASSED_FREE_STEP + 3, 0},
        {"4k3/8/3n4/3P4/8/8/8/4K3 w - - 0 1", EVAL_PASSED_BLOCKED + 3, 1},
        {"4k3/8/3N4/3P4/8/8/8/4K3 b - - 0 1", EVAL_PASSED_BLOCKED + 3, 1},
        /* To d6. */
        {fifth, EVAL_PASSED_OWN_KING + 5, 1},
        {fifth, EVAL_PASSED_ENEMY_KING + 2, 1},
        {third, EVAL_PASSED_FREE_STEP + 1, 1},
        {third, EVAL_PASSED_OWN_KING + 3, 0},
    };
    CHECK_CASES(cases);
}
END_TEST

START_TEST(shelter)
{
    static const char castled[] = "4k3/8/8/8/8/5p2/5PPP/6K1 w - - 0 1";
    static const Case cases[] = {
        {castled, EVAL_SHELTER + 7 * 0 + 1, 1},
        {castled, EVAL_SHELTER + 7 * 1 + 1, 1},
        {castled, EVAL_SHELTER + 7 * 2 + 1, 1},
        {castled, EVAL_STORM_BLOCKED, 1},
        {castled, EVAL_STORM + 7 * 1, 1},
        {castled, EVAL_STORM + 7 * 0, 1},
        /* Black's king on e8: nothing on d and e; on f3, its own sixth, the pawn that blocks f2. */
        {castled, EVAL_SHELTER + 7 * 3, -2},
        {castled, EVAL_SHELTER + 7 * 2 + 5, -1},
        {castled, EVAL_STORM + 7 * 3, -2},
        {castled, EVAL_STORM_BLOCKED + 4, -1},
        /* What is behind the king does not shelter it. */
        {"4k3/8/8/8/6K1/8/6P1/8 w - - 0 1", EVAL_SHELTER + 7 * 1, 1},
    };
    CHECK_CASES(cases);
}
END_TEST

START_TEST(attack)
{
    static const char queen[] = "6k1/8/8/8/8/8/6Q1/4K3 b - - 0 1";
    static const Case cases[] = {
        /* g6, g7 and g8 of the zone, 5 each: 15 are five steps. */
        {queen, EVAL_KING_ATTACKERS, 1},
        {queen, EVAL_KING_DANGER + 4, 1},
        {queen, EVAL_KING_WEAK_SQUARE, 3},
        {queen, EVAL_SAFE_CHECK + 3, 1},
        {queen, EVAL_SAFE_CHECK + 2, 0},
        {"6k1/8/8/3N4/8/8/8/4K3 w - - 0 1", EVAL_SAFE_CHECK, 1},
        /* b8, which the king attacks; with a bishop's help that is not enough. */
        {"k7/8/8/8/8/8/8/KR6 w - - 0 1", EVAL_SAFE_CHECK + 2, 0},
        {"k7/8/8/8/8/6B1/8/KR6 w - - 0 1", EVAL_SAFE_CHECK + 2, 1},
        /* From e1, unless a pawn is between; a rook that does not reach the zone is no danger. */
        {"4k3/8/8/8/8/8/8/3R2K1 w - - 0 1", EVAL_SAFE_CHECK + 2, 1},
        {"4k3/8/8/8/8/8/4p3/3R2K1 w - - 0 1", EVAL_SAFE_CHECK + 2, 0},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", EVAL_SAFE_CHECK + 2, 0},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", EVAL_KING_ATTACKERS, 0},
    };
    CHECK_CASES(cases);
}
END_TEST

START_TEST(threats)
{
    static const char fork[] = "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1";
    static const Case cases[] = {
        {fork, EVAL_PAWN_THREAT + KNIGHT, 1},
        {fork, EVAL_HANGING + KNIGHT, 1},
        {"4k3/8/3p4/4n3/8/8/1B6/4K3 w - - 0 1", EVAL_MINOR_THREAT + KNIGHT, 1},
        {"4k3/8/3p4/4n3/8/8/1B6/4K3 w - - 0 1", EVAL_HANGING + KNIGHT, 0},
        {"4k3/8/8/4p3/8/8/1B6/4K3 w - - 0 1", EVAL_MINOR_THREAT + PAWN, 1},
        {"4k3/8/3p4/4p3/8/8/1B6/4K3 w - - 0 1", EVAL_MINOR_THREAT + PAWN, 0},
        {"4k3/8/8/q7/8/8/8/R3K3 w - - 0 1", EVAL_ROOK_THREAT + QUEEN, 1},
        {"4k3/8/8/q7/8/8/8/R3K3 w - - 0 1", EVAL_HANGING + ROOK, -1},
        {"4k3/8/1p6/p7/8/8/8/R3K3 w - - 0 1", EVAL_ROOK_THREAT + PAWN, 0},
        {"7k/8/8/8/8/8/4p3/3K4 w - - 0 1", EVAL_KING_THREAT, 1},
        {"7k/8/8/8/8/5p2/4p3/3K4 w - - 0 1", EVAL_KING_THREAT, 0},
        {"4k3/8/3n4/8/4P3/8/8/4K3 w - - 0 1", EVAL_PUSH_THREAT, 1},
        /* Two steps, from the second rank alone; not onto a square that a pawn attacks. */
        {"4k3/8/8/3n4/8/8/4P3/4K3 w - - 0 1", EVAL_PUSH_THREAT, 1},
        {"4k3/8/3n4/8/8/4P3/8/4K3 w - - 0 1", EVAL_PUSH_THREAT, 0},
        {"4k3/8/3n1p2/8/4P3/8/8/4K3 w - - 0 1", EVAL_PUSH_THREAT, 0},
    };
    CHECK_CASES(cases);
}
END_TEST

START_TEST(space_and_tempo)
{
    static const Case cases[] = {
        {"4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", EVAL_SPACE, 11 - 12},
        /* e3 and e2 lie behind; d5 and f5 are not safe for Black. */
        {"4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", EVAL_SPACE, 11 + 2 - 10},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", EVAL_TEMPO, 1},
        {"4k3/8/8/8/8/8/8/4K3 b - - 0 1", EVAL_TEMPO, -1},
    };
    CHECK_CASES(cases);
}
END_TEST

/* A family's counts do not depend on the other families. */
static void check_families(const Position *pos, const MoveList *list, void *context)
{
    int16_t whole[EVAL_CLASSICAL_TERMS], part[EVAL_CLASSICAL_TERMS];

    (void)list;
    (void)context;
    classical_counts(pos, EVAL_CLASSICAL_FAMILIES, whole);
    for (int family = 1; family < EVAL_FAMILY_KING_SQUARES; family++) {
        classical_counts(pos, eval_family(family), part);
        for (const EvalTermInfo *t = eval_term_info; t->name; t++)
            for (int i = t->first;
                 i >= EVAL_CLASSICAL && i < EVAL_KING_SQUARES && i < t->first + t->count; i++)
                ck_assert_int_eq(part[i - EVAL_CLASSICAL],
                                 t->family == family ? whole[i - EVAL_CLASSICAL] : 0);
    }
}

START_TEST(families_stand_alone)
{
    board_walk(8, 1, 60, NULL, check_families, NULL);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, mobility, pieces, pawns, passed, shelter, attack, threats, space_and_tempo,
              families_stand_alone);
    return support_run(c);
}
