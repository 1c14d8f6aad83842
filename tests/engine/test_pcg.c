/* SPDX-License-Identifier: MIT
 * PCG32 against its author's published output, and the fairness of its bounds. */
#include "engine/base/pcg.h"
#include "tests/support/support.h"

/* The demo program of pcg-c-basic: seed 42, stream 54, first round. */
START_TEST(test_author_vectors)
{
    static const uint32_t expected[6] = {0xa15c02b7, 0x7b47f409, 0xba1d3330,
                                         0x83d2f293, 0xbfa4784b, 0xcbed606e};
    Pcg rng;

    pcg_seed(&rng, 42, 54);
    for (int i = 0; i < 6; i++)
        ck_assert_uint_eq(pcg_next(&rng), expected[i]);
}
END_TEST

START_TEST(test_streams_differ)
{
    Pcg a, b, again;
    int equal = 0;

    pcg_seed(&a, 7, 0);
    pcg_seed(&b, 7, 1);
    pcg_seed(&again, 7, 0);
    for (int i = 0; i < 1000; i++) {
        uint32_t x = pcg_next(&a);
        ck_assert_uint_eq(x, pcg_next(&again));
        equal += x == pcg_next(&b);
    }
    ck_assert_int_lt(equal, 3);
}
END_TEST

/* Chi-squared over the values of a bound; 99.9 % points for 5, 99 and 1 degrees of freedom. */
START_TEST(test_bounds_are_fair)
{
    static const struct {
        uint32_t bound;
        double limit;
    } cases[] = {{6, 20.5}, {100, 148.2}, {2, 10.8}};
    enum { DRAWS = 200000 };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int seen[100] = {0};
        double expected = (double)DRAWS / cases[i].bound, sum = 0;
        Pcg rng;
        pcg_seed(&rng, 1, i);
        for (int n = 0; n < DRAWS; n++) {
            uint32_t x = pcg_below(&rng, cases[i].bound);
            ck_assert_uint_lt(x, cases[i].bound);
            seen[x]++;
        }
        for (uint32_t x = 0; x < cases[i].bound; x++)
            sum += (seen[x] - expected) * (seen[x] - expected) / expected;
        ck_assert_double_lt(sum, cases[i].limit);
    }
}
END_TEST

START_TEST(test_extreme_bounds)
{
    /* Just above 2^31 a plain modulus would favour the low half twofold. */
    const uint32_t bound = 0x80000001U + 0x40000000U;
    Pcg rng;
    int low = 0;

    pcg_seed(&rng, 3, 3);
    for (int i = 0; i < 30000; i++) {
        ck_assert_uint_eq(pcg_below(&rng, 1), 0);
        low += pcg_below(&rng, bound) < bound / 3;
    }
    ck_assert_int_gt(low, 9500);
    ck_assert_int_lt(low, 10500);
}
END_TEST

START_TEST(test_wide_and_unit)
{
    Pcg a, b;
    double sum = 0;

    pcg_seed(&a, 9, 9);
    b = a;
    uint64_t high = pcg_next(&b), low = pcg_next(&b);
    ck_assert(pcg_next64(&a) == (high << 32 | low));
    for (int i = 0; i < 10000; i++) {
        double x = pcg_unit(&a);
        ck_assert(x >= 0 && x < 1);
        sum += x;
    }
    ck_assert_double_eq_tol(sum / 10000, 0.5, 0.015);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_author_vectors, test_streams_differ, test_bounds_are_fair,
              test_extreme_bounds, test_wide_and_unit);
    return support_run(c);
}
