/* SPDX-License-Identifier: MIT
 * Arrays that grow: contents stay, room at least doubles. */
#include <check.h>
#include <stdlib.h>

#include "engine/base/array.h"
#include "tests/support/support.h"

START_TEST(grows_and_keeps_what_is_there)
{
    int *numbers = NULL;
    int64_t room = 0, growths = 0;

    for (int i = 0; i < 10000; i++) {
        int64_t before = room;
        ck_assert_int_eq(ARRAY_RESERVE(numbers, room, i + 1, NULL), STATUS_OK);
        ck_assert_int_gt(room, i);
        ck_assert(room == before || room >= 2 * before);
        growths += room != before;
        numbers[i] = i;
    }
    for (int i = 0; i < 10000; i++)
        ck_assert_int_eq(numbers[i], i);
    ck_assert_int_lt(growths, 20);
    free(numbers);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, grows_and_keeps_what_is_there);
    return support_run(c);
}
