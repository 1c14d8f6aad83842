/* SPDX-License-Identifier: MIT
 * A heat map on a chess board, as SVG. */
#ifndef TABIA_CLI_PAGE_BOARD_H
#define TABIA_CLI_PAGE_BOARD_H

#include <stdio.h>

typedef struct Board {
    int id; /* of the page, like those of figures */
    const char *title;
    double value[64]; /* a1 = 0; rank 8 is drawn on top */
    double most;      /* the magnitude with the deepest colour */
} Board;

/* Orange squares are above 0, blue ones below; each has its number. The description names the
 * highest and the lowest square. */
void board_write(FILE *out, const Board *board);

#endif
