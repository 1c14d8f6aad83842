/* SPDX-License-Identifier: MIT
 * The numbered starts of Chess960: the published examples, and all of a published list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/board/chess960.h"
#include "engine/board/movegen.h"
#include "engine/notation/fen.h"
#include "tests/support/support.h"

static const struct {
    int number;
    const char *rank;
} published[] = {
    {0, "bbqnnrkr"},
    {CHESS960_STANDARD, "rnbqkbnr"},
    {959, "rkrnnqbb"},
};

START_TEST(test_published_numbers)
{
    Position pos;
    char fen[FEN_MAX];

    chess960_start(&pos, published[_i].number, published[_i].number);
    position_to_fen(&pos, fen);
    ck_assert_int_eq(strncmp(fen, published[_i].rank, 8), 0);
    ck_assert(pos.chess960);
}
END_TEST

/* Each side's rank by its own number, and all four rights with the rooks that stand there. */
START_TEST(test_double_chess960)
{
    Position pos;
    char fen[FEN_MAX];

    chess960_start(&pos, 0, 959);
    position_to_fen(&pos, fen);
    ck_assert_str_eq(fen, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1");
}
END_TEST

/* No two numbers give the same start, and each start of the list has a number. */
START_TEST(test_whole_list)
{
    const char *path = support_data("openings/FRC_openings.epd");
    static char boards[CHESS960_STARTS][9];
    Position pos;
    char fen[FEN_MAX];

    for (int n = 0; n < CHESS960_STARTS; n++) {
        chess960_start(&pos, n, n);
        position_to_fen(&pos, fen);
        memcpy(boards[n], fen, 8);
        for (int earlier = 0; earlier < n; earlier++)
            ck_assert_str_ne(boards[earlier], boards[n]);
    }
    if (path == NULL) return;
    char *text = support_read_file(path);
    int lines = 0;
    for (char *line = strtok(text, "\r\n"); line; line = strtok(NULL, "\r\n"), lines++) {
        int n = 0;
        while (n < CHESS960_STARTS && strncmp(line, boards[n], 8) != 0)
            n++;
        ck_assert_msg(n < CHESS960_STARTS, "%s", line);
    }
    ck_assert_int_eq(lines, CHESS960_STARTS);
    free(text);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, test_double_chess960, test_whole_list);
    tcase_add_loop_test(c, test_published_numbers, 0, sizeof published / sizeof *published);
    return support_run(c);
}
