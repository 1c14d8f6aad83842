/* SPDX-License-Identifier: MIT
 * Starting positions of Chess960 by number.
 * Source: R. Scharnagl's direct derivation,
 * en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme */
#include "engine/board/chess960.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Puts a piece on the n-th free file from the a-file. */
static void put_on_free(char rank[9], int n, char piece)
{
    int file = 0;

    while (rank[file] != '.' || n-- > 0)
        file++;
    rank[file] = piece;
}

/* The back rank of a number, in lower case. */
static void back_rank(int number, char rank[9])
{
    /* The two knights among five free files; the second counts what the first leaves. */
    static const int knights[10][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1},
                                       {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}};

    memcpy(rank, "........", 9);
    rank[2 * (number % 4) + 1] = 'b';
    rank[2 * (number / 4 % 4)] = 'b';
    put_on_free(rank, number / 16 % 6, 'q');
    put_on_free(rank, knights[number / 96][0], 'n');
    put_on_free(rank, knights[number / 96][1], 'n');
    put_on_free(rank, 0, 'r');
    put_on_free(rank, 0, 'k');
    put_on_free(rank, 0, 'r');
}

void chess960_start(Position *pos, int white, int black)
{
    char fen[FEN_MAX], ours[9], theirs[9];

    assert(white >= 0 && white < CHESS960_STARTS && black >= 0 && black < CHESS960_STARTS);
    back_rank(white, ours);
    back_rank(black, theirs);
    for (char *c = ours; *c; c++)
        *c = (char)toupper(*c);
    (void)snprintf(fen, sizeof fen, "%s/pppppppp/8/8/8/8/PPPPPPPP/%s w KQkq - 0 1", theirs, ours);
    if (position_from_fen(pos, fen, NULL) != STATUS_OK) abort(); /* cannot fail */
    pos->chess960 = true;
}
