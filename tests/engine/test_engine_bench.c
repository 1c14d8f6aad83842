/* SPDX-License-Identifier: MIT
 * What the benches of the command line share. */
#include "cli/bench/support.h"
#include "tests/support/support.h"

START_TEST(the_middle_is_of_the_sorted_values)
{
    double one[] = {7}, odd[] = {9, -1, 4}, even[] = {8, 2, 6, 4};

    ck_assert_double_eq(bench_median(one, 1), 7);
    ck_assert_double_eq(bench_median(odd, 3), 4);
    ck_assert_double_eq(bench_median(even, 4), 4); /* the lower of the two */
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("bench");
    TCase *c = tcase_create("bench");

    tcase_add_test(c, the_middle_is_of_the_sorted_values);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return support_run(suite());
}
