/* SPDX-License-Identifier: MIT
 * What the benches of the command line share. */
#include "cli/bench/support.h"
#include "tests/support/support.h"

START_TEST(median_and_spread_are_of_the_sorted_values)
{
    double one[] = {7}, odd[] = {9, -1, 4}, even[] = {8, 2, 6, 4};

    ck_assert_double_eq(bench_spread(one, 1).median, 7);
    ck_assert_double_eq(bench_spread(odd, 3).median, 4);
    ck_assert_double_eq(bench_spread(even, 4).median, 4); /* the lower of the two */
    ck_assert_double_eq(bench_spread(odd, 3).least, -1);
    ck_assert_double_eq(bench_spread(odd, 3).greatest, 9);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, median_and_spread_are_of_the_sorted_values);
    return support_run(c);
}
