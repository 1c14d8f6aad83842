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

static const char *write_bytes(const char *bytes, size_t size)
{
    const char *path = support_at("file");
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

/* Writes these bytes to a file and opens it. */
static FileReader *open_bytes(const char *bytes, size_t size, bool text)
{
    const char *path = write_bytes(bytes, size);
    FileReader *reader = text ? reader_open_text(path, &err) : reader_open(path, &err);
    ck_assert_ptr_nonnull(reader);
    return reader;
}

START_TEST(lines_and_characters)
{
    static const char text[] = "\xef\xbb\xbf"
                               "one\r\n\nthe last";
    FileReader *reader = open_bytes(text, sizeof text - 1, true);

    ck_assert_int_eq(reader_peek(reader), 'o');
    ck_assert_int_eq(reader_next(reader), 'o');
    ck_assert_str_eq(reader_line(reader), "ne");
    ck_assert_int_eq(reader->line, 2);
    ck_assert_int_eq(reader_next(reader), '\n');
    ck_assert_int_eq(reader->line, 3);
    ck_assert_str_eq(reader_line(reader), "the last");
    ck_assert_ptr_null(reader_line(reader));
    ck_assert_int_eq(reader_next(reader), READER_END);
    ck_assert_int_eq(reader_fault(reader, &err), STATUS_OK);
    reader_close(reader);
}
END_TEST

/* Carriage returns end lines where the first line ends with one alone; the mark of a file that was
 * joined to this one is blank. */
START_TEST(line_ends)
{
    static const char returns[] = "one\r\rtwo\rthree", doubled[] = "one\r\r\ntwo\rthree\n",
                      joined[] = "one\n\xef\xbb\xbftwo\n\xef\xbbthree\n";
    FileReader *reader = open_bytes(returns, sizeof returns - 1, true);

    ck_assert_str_eq(reader_line(reader), "one");
    ck_assert_str_eq(reader_line(reader), "");
    ck_assert_str_eq(reader_line(reader), "two");
    ck_assert_str_eq(reader_line(reader), "three");
    ck_assert_ptr_null(reader_line(reader));
    reader_close(reader);
    reader = open_bytes(doubled, sizeof doubled - 1, true);
    ck_assert_str_eq(reader_line(reader), "one\r");
    ck_assert_str_eq(reader_line(reader), "two\rthree");
    ck_assert_ptr_null(reader_line(reader));
    reader_close(reader);
    reader = open_bytes(joined, sizeof joined - 1, true);
    ck_assert_str_eq(reader_line(reader), "one");
    ck_assert_str_eq(reader_line(reader), "   two");
    ck_assert_str_eq(reader_line(reader), "\xef\xbbthree");
    reader_close(reader);
}
END_TEST

/* Text up to a character beyond the first read of the file, with lines in it. */
START_TEST(text_up_to_a_character)
{
    enum { FIRST = (1 << 16) + 10 };
    char all[FIRST + 5], begin[4];
    size_t length, ahead = 3;

    memset(all, '\n', FIRST);
    memcpy(all, "abcdef", 6);
    memcpy(all + FIRST, "}ends", 5);
    FileReader *reader = open_bytes(all, sizeof all, true);
    ck_assert_mem_eq(reader_ahead(reader, &ahead), "abc", 3);
    ck_assert_uint_eq(ahead, 3);
    ck_assert(reader_take_past(reader, '}', begin, sizeof begin, &length));
    ck_assert_uint_eq(length, sizeof begin);
    ck_assert_mem_eq(begin, "abcd", sizeof begin);
    ck_assert_int_eq(reader->line, 1 + FIRST - 6);
    ahead = 100;
    ck_assert_mem_eq(reader_ahead(reader, &ahead), "ends", 4);
    ck_assert_uint_eq(ahead, 4);
    ck_assert(!reader_take_past(reader, '}', begin, sizeof begin, &length));
    ck_assert_uint_eq(length, 4);
    ck_assert_int_eq(reader_peek(reader), READER_END);
    reader_close(reader);
}
END_TEST

/* Lines longer than one read of the file, the last one without an end and as long as two reads. */
START_TEST(long_lines)
{
    enum { READ = 1 << 16, LONG = 3 * READ + 1 };
    char *all = malloc(LONG + 1 + 2 * READ);

    ck_assert_ptr_nonnull(all);
    memset(all, 'a', LONG + 1 + 2 * READ);
    all[LONG] = '\n';
    FileReader *reader = open_bytes(all, LONG + 1 + 2 * READ, true);
    ck_assert_uint_eq(strlen(reader_line(reader)), LONG);
    ck_assert_uint_eq(strlen(reader_line(reader)), 2 * READ);
    ck_assert_ptr_null(reader_line(reader));
    reader_close(reader);
    free(all);
}
END_TEST

/* Blank lines and comments are none; NUL bytes are blanks unless the file was opened as text. */
START_TEST(records)
{
    static const char text[] = "\xef\xbb\xbf# a\n\n \t\r\n\0 b\0c\r\r\n  #d\ne";
    FileReader *reader = open_bytes(text, sizeof text - 1, false);
    TextRecord record;

    ck_assert(record_next(reader, &record));
    ck_assert_str_eq(record.text, "b c\r");
    ck_assert_int_eq(record.line, 4);
    ck_assert(record_next(reader, &record));
    ck_assert_str_eq(record.text, "e");
    ck_assert_int_eq(record.line, 6);
    ck_assert(!record_next(reader, &record));
    reader_close(reader);
}
END_TEST

static Status refuse_second(void *count, const TextRecord *record, Error *error)
{
    ck_assert_str_eq(record->text, *(int *)count == 0 ? "one" : "two");
    return ++*(int *)count == 1 ? STATUS_OK : error_set(error, STATUS_BAD_INPUT, "refused");
}

/* What a fault cuts off is no record. */
START_TEST(records_are_used_up_to_the_first_fault)
{
    static const char torn[] = "one\ntw\0o";
    int count = 0;

    Status status =
        records_use(open_bytes("one\n\ntwo\nthree", 14, true), refuse_second, &count, &err);
    ck_assert_int_eq(status, STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "/file:3: refused"));
    count = 0;
    status = records_use(open_bytes(torn, sizeof torn - 1, true), refuse_second, &count, &err);
    ck_assert_int_eq(status, STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "/file: not a text file"));
    ck_assert_int_eq(count, 1);
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

/* What ends lines and files elsewhere is blank, also where a read ends between its bytes. */
START_TEST(foreign_ends)
{
    enum { READ = 1 << 16 };
    char all[READ + 5];

    memset(all, 'a', sizeof all);
    memcpy(all + READ - 2, "\0\0\0\r\n\x1a\0", 7);
    FileReader *reader = open_bytes(all, sizeof all, true);
    const char *line = reader_line(reader);
    ck_assert_str_eq(line + READ - 3, "a   ");
    ck_assert_str_eq(reader_line(reader), "  ");
    ck_assert_ptr_null(reader_line(reader));
    ck_assert_int_eq(reader_fault(reader, &err), STATUS_OK);
    reader_close(reader);
    all[READ + 1] = 'a'; /* after the NUL bytes */
    reader = open_bytes(all, sizeof all, true);
    ck_assert_ptr_null(reader_line(reader));
    ck_assert_int_eq(reader_fault(reader, &err), STATUS_BAD_INPUT);
    reader_close(reader);
}
END_TEST

enum { GZIP = 1 };

/* "ab", compressed by the programs of these names. */
static const struct {
    const char *name, *bytes;
    size_t size;
} packed[] = {
    {"zstd", "(\xb5/\xfd$\x02\x11\x00\x00\x61\x62\x61J\xd0\x92", 15},
    {"gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03KL\x02\x00mH\x83\x9e\x02\x00\x00\x00", 22},
    {"bzip2",
     "BZh91AY&SY\xe9\x93\xfd\xcd\x00\x00\x00\x01\x00\x30\x00 \x00!\x00\x82\xb1w$S"
     "\x85\x09\x0e\x99?\xdc\xd0",
     37},
    {"xz",
     "\xfd\x37zXZ\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00!\x01\x16\x00\x00\x00t/\xe5"
     "\xa3\x01\x00\x01\x61\x62\x00\x00\x00\x46\xb0\x84\x0e se\xbc\x00\x01\x1a\x02"
     "\xdc.\xa5~\x1f\xb6\xf3}\x01\x00\x00\x00\x00\x04YZ",
     60},
    {"lz4", "\x04\x22M\x18\x64@\xa7\x02\x00\x00\x80\x61\x62\x00\x00\x00\x00S\xfc\x99I", 21},
};

/* What a file of these bytes holds before its end or its fault; *fault: which of them. */
static size_t unpack(const char *bytes, size_t size, char text[8], Status *fault)
{
    FileReader *reader = reader_open(write_bytes(bytes, size), &err);
    size_t length = 0;

    if (!reader) {
        *fault = err.status;
        return 0;
    }
    for (int c; length < 7 && (c = reader_next(reader)) != READER_END;)
        text[length++] = (char)c;
    *fault = reader_fault(reader, &err);
    reader_close(reader);
    return length;
}

/* Whole, two in one file, cut anywhere after the magic number, damaged anywhere after it, and
 * followed by something else. Damage is a fault, or changes nothing. */
START_TEST(compressed)
{
    const char *bytes = packed[_i].bytes;
    const size_t size = packed[_i].size;
    char two[512], text[8];
    Status fault;

    ck_assert_uint_eq(unpack(bytes, size, text, &fault), 2);
    ck_assert_int_eq(fault, STATUS_OK);
    memcpy(two, bytes, size);
    memcpy(two + size, bytes, size);
    ck_assert_uint_eq(unpack(two, 2 * size, text, &fault), 4);
    ck_assert_int_eq(memcmp(text, "abab", 4), 0);
    ck_assert_int_eq(fault, STATUS_OK);
    for (size_t cut = 6; cut < size; cut++) {
        (void)unpack(bytes, cut, text, &fault);
        ck_assert_int_eq(fault, STATUS_BAD_INPUT);
        ck_assert_msg(strstr(err.text, "/file: ") != NULL, "%s", err.text);
    }
    for (size_t at = 5; at < size; at++) {
        two[at] ^= 0x10;
        bool same = unpack(two, size, text, &fault) == 2 && memcmp(text, "ab", 2) == 0;
        ck_assert_msg(same || fault == STATUS_BAD_INPUT, "%s: byte %zu", packed[_i].name, at);
        two[at] ^= 0x10;
    }
    memset(two + size, 0, 64);
    size_t padded = unpack(two, size + 64, text, &fault);
    ck_assert(_i != GZIP || (padded == 2 && fault == STATUS_OK)); /* as gzip's own program */
    strcpy(two + size, "other bytes");
    (void)unpack(two, size + strlen("other bytes"), text, &fault);
    ck_assert_int_eq(fault, STATUS_BAD_INPUT);
}
END_TEST

/* zstd frames of one block, not packed. The window of the second, of zstd --long=31, has 2 GiB. */
START_TEST(wide_window)
{
    static const char frame[] = "\x28\xb5\x2f\xfd\0\x88\x11\0\0ab"; /* 128 MiB */
    static const char wide[] = "\x28\xb5\x2f\xfd\0\xa8\x11\0\0ab";
    FileReader *reader = open_bytes(frame, sizeof frame - 1, true);

    ck_assert_int_eq(reader_next(reader), 'a');
    ck_assert_int_eq(reader_next(reader), 'b');
    ck_assert_int_eq(reader_next(reader), READER_END);
    ck_assert_int_eq(reader_fault(reader, &err), STATUS_OK);
    reader_close(reader);
    reader = open_bytes(wide, sizeof wide - 1, true);
    ck_assert_int_eq(reader_next(reader), READER_END);
    ck_assert_int_eq(reader_fault(reader, &err), STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "too much memory"));
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
    char *all = malloc(BEFORE + 2);
    const uint8_t *data;

    ck_assert_ptr_nonnull(all);
    memset(all, 'a', BEFORE + 2);
    all[BEFORE] = '\0'; /* a fault of texts */
    FileReader *reader = open_bytes(all, BEFORE + 2, true);
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
    TCase *c = tcase_create("tests");

    tcase_add_checked_fixture(c, support_store_setup, NULL);
    ADD_TESTS(c, lines_and_characters, text_up_to_a_character, long_lines, records,
              records_are_used_up_to_the_first_fault, nul_byte, foreign_ends, line_ends,
              wide_window, bytes, bytes_before_a_fault, blocks);
    tcase_add_loop_test(c, compressed, 0, sizeof packed / sizeof *packed);
    return support_run(c);
}
