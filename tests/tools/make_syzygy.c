/* SPDX-License-Identifier: MIT
 * Writes real Syzygy tables of all endings with three pieces into a folder.
 *
 *   make_syzygy DIR */
#include <stdio.h>

#include "engine/board/bitboard.h"
#include "tests/support/support_syzygy.h"

int main(int argc, char **argv)
{
    int longest[KING];

    if (argc != 2) {
        fprintf(stderr, "usage: make_syzygy DIR\n");
        return 2;
    }
    bitboard_init();
    if (!support_make_syzygy(argv[1], longest)) return 1;
    for (PieceType man = PAWN; man <= QUEEN; man++)
        printf("K%cvK: at most %d plies\n", "PNBRQ"[man], longest[man]);
    return 0;
}
