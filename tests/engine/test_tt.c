/* SPDX-License-Identifier: MIT
 * The hash tables: probing and replacement. */
#include "engine/search/tt.h"

#include <stdlib.h>

#include "tests/support/support.h"

enum { BYTES = 1 << 14, MOVE = 0x1234 };

/* The low 16 bits of a key are compared; the higher ones choose the bucket. */
static const uint64_t place = 0x5a5a5a0000;

static Tt table;
static TtNear *near;

static void set_up(void)
{
    Error err = {0};

    ck_assert_int_eq(tt_init(&table, BYTES, &err), STATUS_OK);
    tt_clear(&table, 0, 1);
    near = calloc(1, sizeof *near);
    ck_assert_ptr_nonnull(near);
}

static void tear_down(void)
{
    tt_free(&table);
    free(near);
}

static void check_hit(TtHit hit, int depth, int value, Bound bound, bool pv, Move move)
{
    ck_assert(hit.found);
    ck_assert_int_eq(hit.depth, depth);
    ck_assert_int_eq(hit.value, value);
    ck_assert_int_eq(hit.bound, bound);
    ck_assert_int_eq(hit.pv, pv);
    ck_assert_uint_eq(hit.move, move);
}

START_TEST(test_what_is_stored_comes_back)
{
    const uint64_t key = place + 7;

    ck_assert(!tt_probe(&table, key, 0).found);
    ck_assert(!tt_near_probe(near, key, 0).found);
    tt_store(&table, key, 2, 9, -321, BOUND_UPPER, true, MOVE);
    tt_near_store(near, key, 2, 1, 123, BOUND_LOWER, false, MOVE + 1);
    check_hit(tt_probe(&table, key, 5), 9, -321, BOUND_UPPER, true, MOVE);
    check_hit(tt_near_probe(near, key, 5), 1, 123, BOUND_LOWER, false, MOVE + 1);
    ck_assert(!tt_probe(&table, key + 1, 0).found);
    ck_assert(!tt_near_probe(near, key + 1, 0).found);
}
END_TEST

/* Key 0 looks like an empty slot and is not found in one. */
START_TEST(test_an_empty_table_knows_nothing)
{
    ck_assert(!tt_probe(&table, 0, 0).found);
    ck_assert(!tt_near_probe(near, 0, 0).found);
}
END_TEST

/* A stored mate counts from the position, whatever the distance from the root. */
START_TEST(test_mates_count_from_the_position)
{
    const int mate = VALUE_MATE - 12, mated = -VALUE_MATE + 12;

    tt_store(&table, place, 2, 4, mate, BOUND_EXACT, true, MOVE);
    ck_assert_int_eq(tt_probe(&table, place, 5).value, mate - 3);
    tt_store(&table, place, 2, 4, mated, BOUND_EXACT, true, MOVE);
    ck_assert_int_eq(tt_probe(&table, place, 0).value, mated - 2);
    tt_near_store(near, place, 2, 0, mate, BOUND_EXACT, true, MOVE);
    ck_assert_int_eq(tt_near_probe(near, place, 5).value, mate - 3);
    tt_near_store(near, place, 2, 0, mated, BOUND_EXACT, true, MOVE);
    ck_assert_int_eq(tt_near_probe(near, place, 0).value, mated - 2);
}
END_TEST

/* A bucket of the shared table replaces its shallowest entry, entries of earlier searches first.
 * The thread's own table keeps the last entry of the main search and the last of quiescence. */
START_TEST(test_who_gives_way)
{
    for (int i = 0; i < TT_BUCKET_SLOTS; i++)
        tt_store(&table, place + (uint64_t)i, 0, 5 + i, i, BOUND_EXACT, false, MOVE);
    tt_store(&table, place + TT_BUCKET_SLOTS, 0, 3, 0, BOUND_EXACT, false, MOVE);
    ck_assert(!tt_probe(&table, place, 0).found);
    for (int i = 1; i <= TT_BUCKET_SLOTS; i++)
        ck_assert(tt_probe(&table, place + (uint64_t)i, 0).found);

    tt_new_search(&table);
    tt_store(&table, place + TT_BUCKET_SLOTS, 0, 3, 0, BOUND_EXACT, false, MOVE);
    tt_store(&table, place, 0, 1, 0, BOUND_EXACT, false, MOVE);
    ck_assert(tt_probe(&table, place + TT_BUCKET_SLOTS, 0).found);
    ck_assert(!tt_probe(&table, place + 1, 0).found);

    tt_near_store(near, place, 0, 9, 0, BOUND_EXACT, false, MOVE);
    tt_near_store(near, place + 1, 0, 0, 0, BOUND_EXACT, false, MOVE);
    tt_near_store(near, place + 2, 0, 0, 0, BOUND_EXACT, false, MOVE);
    ck_assert(tt_near_probe(near, place, 0).found);
    ck_assert(!tt_near_probe(near, place + 1, 0).found);
    ck_assert(tt_near_probe(near, place + 2, 0).found);
    tt_near_store(near, place + 3, 0, 1, 0, BOUND_EXACT, false, MOVE);
    ck_assert(!tt_near_probe(near, place, 0).found);
    ck_assert(tt_near_probe(near, place + 2, 0).found);
    ck_assert(tt_near_probe(near, place + 3, 0).found);
}
END_TEST

/* For one position a shallow bound does not replace a deep result of the same search, and an entry
 * without a move keeps the stored move. */
START_TEST(test_the_same_position_again)
{
    tt_store(&table, place, 0, 12, 50, BOUND_EXACT, false, MOVE);
    tt_store(&table, place, 0, 2, 10, BOUND_LOWER, false, MOVE + 1);
    check_hit(tt_probe(&table, place, 0), 12, 50, BOUND_EXACT, false, MOVE);
    tt_store(&table, place, 0, 13, 60, BOUND_UPPER, false, MOVE_NONE);
    check_hit(tt_probe(&table, place, 0), 13, 60, BOUND_UPPER, false, MOVE);
    for (int depth = 0; depth <= 1; depth++) {
        tt_near_store(near, place, 0, depth, 50, BOUND_EXACT, false, MOVE + (Move)depth);
        tt_near_store(near, place, 0, depth, 60, BOUND_UPPER, false, MOVE_NONE);
        check_hit(tt_near_probe(near, place, 0), depth, 60, BOUND_UPPER, false, MOVE + (Move)depth);
    }
    tt_new_search(&table);
    tt_store(&table, place, 0, 2, 10, BOUND_LOWER, false, MOVE + 1);
    check_hit(tt_probe(&table, place, 0), 2, 10, BOUND_LOWER, false, MOVE + 1);
}
END_TEST

/* Clearing it in parts by several threads makes it as new. */
START_TEST(test_cleared_in_parts)
{
    enum { PARTS = 3 };
    const uint64_t buckets = BYTES / sizeof(TtBucket);

    for (uint64_t i = 0; i < buckets; i++)
        tt_store(&table, i << 16 | 1, 0, 1, 0, BOUND_EXACT, false, MOVE);
    for (int part = 0; part < PARTS; part++)
        tt_clear(&table, part, PARTS);
    for (uint64_t i = 0; i < buckets; i++)
        ck_assert(!tt_probe(&table, i << 16 | 1, 0).found);
    ck_assert_int_eq(tt_fullness(&table), 0);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, set_up, tear_down);
    ADD_TESTS(c, test_what_is_stored_comes_back, test_an_empty_table_knows_nothing,
              test_mates_count_from_the_position, test_who_gives_way, test_the_same_position_again,
              test_cleared_in_parts);
    return support_run(c);
}
