/* SPDX-License-Identifier: MIT
 * Files read as characters, lines, bytes and blocks of lines. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/files/reader.h"
#include "tests/support/support.h"
#include "tests/support/support_store.h"

static Error err;

/* Writes these bytes to a file and opens it. */
static FileReader *open_bytes(const char *bytes, size_t size, bool text)
{
    const char *path = support_at("file");
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
    FileReader *reader = text ? reader_open_text(path, &err) : reader_open(path, &err);
    ck_assert_ptr_nonnull(reader);
    return reader;
}

START_TEST(lines_and_characters)
{
    static const char text[] = "\xef\xbb\xbf"
                               "one\r\n\ntoo long\nlast";
    FileReader *reader = open_bytes(text, sizeof text - 1, true);
    char line[6];
    bool whole;

    ck_assert_int_eq(reader_peek(reader), 'o');
    ck_assert_int_eq(reader_next(reader), 'o');
    ck_assert_int_eq(reader_line(reader, line, sizeof line, &whole), 2);
    ck_assert_str_eq(line, "ne");
    ck_assert_int_eq(reader->line, 2);
    ck_assert_int_eq(reader_next(reader), '\n');
    ck_assert_int_eq(reader->line, 3);
    ck_assert_int_eq(reader_line(reader, line, sizeof line, &whole), 5);
    ck_assert_str_eq(line, "too l");
    ck_assert(!whole);
    ck_assert_int_eq(reader_line(reader, line, sizeof line, &whole), 4);
    ck_assert(whole);
    ck_assert_int_eq(reader_line(reader, line, sizeof line, &whole), READER_END);
    ck_assert_int_eq(reader_next(reader), READER_END);
    ck_assert_int_eq(reader_fault(reader, &err), STATUS_OK);
    reader_close(reader);
}
END_TEST

/* The text before a NUL byte is read; then it ends with a fault. */
START_TEST(nul_byte)
{
    FileReader *reader = open_bytes("ab\0cd", 5, true);

    ck_assert_int_eq(reader_next(reader), 'a');
    ck_assert_int_eq(reader_next(reader), 'b');
    ck_assert_int_eq(reader_next(reader), READER_END);
    ck_assert_int_eq(reader_fault(reader, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "NUL"));
    reader_close(reader);
}
END_TEST

/* zstd --ultra --long=31: the window has 2 GiB. */
START_TEST(wide_window)
{
    static const char frame[] = "\x28\xb5\x2f\xfd\0\xa8\x11\0\0ab"; /* one block, not packed */
    FileReader *reader = open_bytes(frame, sizeof frame - 1, true);

    ck_assert_int_eq(reader_next(reader), 'a');
    ck_assert_int_eq(reader_next(reader), 'b');
    ck_assert_int_eq(reader_next(reader), READER_END);
    ck_assert_int_eq(reader_fault(reader, &err), STATUS_OK);
    reader_close(reader);
}
END_TEST

/* Pieces larger than one read of the file; the file ends within the last one. */
START_TEST(bytes)
{
    enum { SIZE = 300000, PIECE = 70001 };
    char *all = malloc(SIZE);
    const uint8_t *data;

    ck_assert_ptr_nonnull(all);
    for (int i = 0; i < SIZE; i++)
        all[i] = (char)(i * 7 / 3);
    FileReader *reader = open_bytes(all, SIZE, false);
    for (int at = 0; at + PIECE <= SIZE; at += PIECE) {
        ck_assert_int_eq(reader_offset(reader), at);
        ck_assert_int_eq(reader_take(reader, PIECE, &data, &err), STATUS_OK);
        ck_assert_int_eq(memcmp(data, all + at, PIECE), 0);
    }
    ck_assert_int_eq(reader_take(reader, PIECE, &data, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "ends at byte 300000"));
    ck_assert_int_eq(reader_take(reader, PIECE, &data, &err), STATUS_OK); /* reported once */
    ck_assert_ptr_null(data);
    reader_close(reader);
    free(all);
}
END_TEST

/* All whole pieces before a fault are read; then it is reported once. */
START_TEST(bytes_before_a_fault)
{
    enum { BEFORE = 65636, PIECE = 7 }; /* more than one read of the file */
    char *all = malloc(BEFORE + 1);
    const uint8_t *data;

    ck_assert_ptr_nonnull(all);
    memset(all, 'a', BEFORE);
    all[BEFORE] = '\0'; /* a fault of texts */
    FileReader *reader = open_bytes(all, BEFORE + 1, true);
    for (int i = 0; i < BEFORE / PIECE; i++) {
        MUST(reader_take(reader, PIECE, &data, &err));
        ck_assert_ptr_nonnull(data);
    }
    ck_assert_int_eq(reader_take(reader, PIECE, &data, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "NUL"));
    MUST(reader_take(reader, PIECE, &data, &err));
    ck_assert_ptr_null(data);
    reader_close(reader);
    free(all);
}
END_TEST

/* Blocks hold whole lines, even one longer than a block, and together the whole file. */
START_TEST(blocks)
{
    static const char text[] = "a\nbb\na line of more than eight bytes\n\nc\nno newline";
    FileReader *reader = open_bytes(text, sizeof text - 1, false);
    char joined[sizeof text] = "";
    const char *block;
    size_t length, count = 0, total = 0;

    for (;; count++) {
        ck_assert_int_eq(reader_block(reader, 8, &block, &length, &err), STATUS_OK);
        if (length == 0) break;
        memcpy(joined + total, block, length);
        total += length;
        ck_assert(total == sizeof text - 1 || block[length - 1] == '\n');
    }
    ck_assert_str_eq(joined, text);
    ck_assert_uint_gt(count, 2);
    reader_close(reader);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reader");
    TCase *c = tcase_create("reader");

    tcase_add_checked_fixture(c, support_store_setup, NULL);
    tcase_add_test(c, lines_and_characters);
    tcase_add_test(c, nul_byte);
    tcase_add_test(c, wide_window);
    tcase_add_test(c, bytes);
    tcase_add_test(c, bytes_before_a_fault);
    tcase_add_test(c, blocks);
    suite_add_tcase(s, c);
    return support_run(s);
}
