/* SPDX-License-Identifier: MIT
 * Drawing boards. */
#include <math.h>

#include "cli/page/chart.h"

enum { CELL = 34, LEFT = 16, TOP = 20, SIZE = LEFT + 8 * CELL, HEIGHT = TOP + 8 * CELL + 18 };

static void write_name(char name[3], int square)
{
    name[0] = (char)('a' + square % 8);
    name[1] = (char)('1' + square / 8);
    name[2] = '\0';
}

static void begin(Page *page, const char *title, const Board *b)
{
    FILE *out = page->out;
    int lowest = 0, highest = 0;
    char low[3], high[3];

    for (int sq = 1; sq < 64; sq++) {
        if (b->value[sq] < b->value[lowest]) lowest = sq;
        if (b->value[sq] > b->value[highest]) highest = sq;
    }
    write_name(low, lowest);
    write_name(high, highest);
    svg_begin(out, "board", "squares", ++page->boards, title, SIZE, HEIGHT);
    fprintf(out,
            "Highest: %s %+.0f; lowest: %s %+.0f.</desc>\n"
            "<text x=\"%d\" y=\"13\">",
            high, b->value[highest], low, b->value[lowest], LEFT);
    svg_end_text(out, title);
}

static void write_square(FILE *out, const Board *b, int square)
{
    int x = LEFT + square % 8 * CELL, y = TOP + (7 - square / 8) * CELL;
    double value = b->value[square], away = value - b->middle;
    bool coloured = b->most > 0 && !(b->no_ends && (square < 8 || square >= 56));
    double share = coloured ? fmin(fabs(away) / b->most, 1) : 0;

    if (share > 0.005)
        fprintf(out,
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                "fill-opacity=\"%.2f\"/>",
                away > 0 ? "pos" : "neg", x, y, CELL, CELL, share);
    fprintf(out, "<text class=\"mid\" x=\"%d\" y=\"%d\">%.0f</text>\n", x + CELL / 2,
            y + CELL / 2 + 4, value == 0 ? 0 : value);
}

void board_write(Page *page, const char *title, const Board *b)
{
    FILE *out = page->out;

    begin(page, title, b);
    for (int square = 0; square < 64; square++)
        write_square(out, b, square);
    fputs("<path class=\"rule\" d=\"", out);
    for (int i = 0; i <= 8; i++)
        fprintf(out, "M%d %dv%dM%d %dh%d", LEFT + i * CELL, TOP, 8 * CELL, LEFT, TOP + i * CELL,
                8 * CELL);
    fputs("\"/>\n", out);
    for (int i = 0; i < 8; i++)
        fprintf(out,
                "<text class=\"soft mid\" x=\"%d\" y=\"%d\">%c</text><text class=\"soft end\" "
                "x=\"%d\" y=\"%d\">%d</text>\n",
                LEFT + i * CELL + CELL / 2, HEIGHT - 4, 'a' + i, LEFT - 4,
                TOP + (7 - i) * CELL + CELL / 2 + 4, i + 1);
    fputs("</svg>\n", out);
}
