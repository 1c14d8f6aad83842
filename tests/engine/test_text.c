/* SPDX-License-Identifier: MIT
 * Text that others wrote is printed without control characters. */
#include <check.h>
#include <string.h>

#include "engine/base/status.h"
#include "engine/base/text.h"
#include "tests/support/support.h"

START_TEST(control_characters_become_question_marks)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"Kraków 2 – é", "Kraków 2 – é"},
        {"a\x1b[31mb\a\t\r\nc\x7f", "a?[31mb????c?"},
        {"\xc2\x9b"
         "31m\xc2\x80\xc2\x9f",
         "??31m????"},                     /* C1 */
        {"\xc2\xa0\xc3\x9b", "\xc2\xa0Û"}, /* not C1 */
        {"cut \xc2", "cut \xc2"},
        {"\x80\x9b"
         "1\xc3\x9b\xe9\xa0",
         "??1\xc3\x9b\xe9\xa0"}, /* bytes, not of UTF-8 */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        strcpy(text, cases[i][0]);
        text_clean(text);
        ck_assert_str_eq(text, cases[i][1]);
    }
}
END_TEST

START_TEST(copies_are_utf8)
{
    static const struct {
        const char *from, *copy;
        size_t size;
    } cases[] = {
        {"", "", 1},
        {"abc", "ab", 3},
        {"Kraków", "Kraków", 8},
        {"Kraków", "Krak", 6}, /* not half an ó */
        {"M\xfcller", "Müller", 16},
        {"M\xfcller", "M", 3},
        {"a–", "a", 4},
        {"a–", "a–", 5},
        {"\xe9\xe9\x80", "éé\xc2\x80", 16},
        {"\xc0\xaf", "À¯", 16}, /* overlong */
        {"cut \xf0\x9f\x92", "cut ð\xc2\x9f\xc2\x92", 16},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char copy[16];
        memset(copy, '#', sizeof copy);
        text_copy_utf8(copy, cases[i].size, cases[i].from);
        ck_assert_str_eq(copy, cases[i].copy);
    }
}
END_TEST

START_TEST(ends)
{
    ck_assert(text_ends_in("a.zst", ".zst") && text_ends_in(".zst", ".zst"));
    ck_assert(text_ends_in("a", "") && !text_ends_in("st", ".zst"));
    ck_assert(!text_ends_in("a.zst ", ".zst"));
    ck_assert_str_eq(text_file_name("a"), "a");
    ck_assert_str_eq(text_file_name("/a/b.c"), "b.c");
    ck_assert_str_eq(text_file_name("a/"), "");
}
END_TEST

START_TEST(errors_are_clean)
{
    Error err = {0};

    ck_assert_int_eq(error_set(&err, STATUS_FAILED, "no \"%s\"", "\x1b]0;x\a"), STATUS_FAILED);
    ck_assert_str_eq(err.text, "no \"?]0;x?\"");
    ck_assert_int_eq(error_prefix(&err, "a\nb"), STATUS_FAILED);
    ck_assert_str_eq(err.text, "a?b: no \"?]0;x?\"");
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, control_characters_become_question_marks, copies_are_utf8, ends, errors_are_clean);
    return support_run(c);
}
