/* SPDX-License-Identifier: MIT
 * Drawing boards. */
#include <math.h>
#include <string.h>

#include "cli/page/chart.h"

enum { CELL = 34, LEFT = 16, TOP = 20, SIZE = LEFT + 8 * CELL, HEIGHT = TOP + 8 * CELL + 18 };

static void write_name(char name[3], int square)
{
    name[0] = (char)('a' + square % 8);
    name[1] = (char)('1' + square / 8);
    name[2] = '\0';
}

static void find_ends(const Board *b, int *lowest, int *highest, char low[3], char high[3])
{
    *lowest = *highest = 0;
    for (int sq = 1; sq < 64; sq++) {
        if (b->value[sq] < b->value[*lowest]) *lowest = sq;
        if (b->value[sq] > b->value[*highest]) *highest = sq;
    }
    write_name(low, *lowest);
    write_name(high, *highest);
}

static void begin(Page *page, const char *title, const Board *b)
{
    FILE *out = page->out;
    int lowest, highest;
    char low[3], high[3];

    find_ends(b, &lowest, &highest, low, high);
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

void board_small(Page *page, const char *title, const Board *b)
{
    enum { SHADES = 8 };
    FILE *out = page->out;
    int lowest, highest;
    char low[3], high[3];

    find_ends(b, &lowest, &highest, low, high);
    svg_begin(out, "board", "squares", ++page->boards, title, 8, 8);
    fprintf(out,
            "From %.0f on %s to %.0f on %s.</desc>\n<path class=\"rule thin\" d=\"M0 0h8v8h-8z\"/>",
            b->value[lowest], low, b->value[highest], high);
    for (int shade = -SHADES; shade <= SHADES; shade++) {
        bool any = false;
        for (int sq = b->no_ends ? 8 : 0; sq < (b->no_ends ? 56 : 64); sq++) {
            double share = (b->value[sq] - b->middle) / fmax(b->most, 1);
            if (shade == 0 || lround(fmin(fmax(share, -1), 1) * SHADES) != shade) continue;
            if (!any)
                fprintf(out, "<path class=\"%s\" fill-opacity=\"%.2f\" d=\"",
                        shade > 0 ? "pos" : "neg", fabs((double)shade) / SHADES);
            fprintf(out, "M%d %dh1v1h-1z", sq % 8, 7 - sq / 8);
            any = true;
        }
        if (any) fputs("\"/>", out);
    }
    fputs("</svg>\n", out);
}

void board_position(Page *page, const char *title, const char *fen)
{
    enum { STEP = 20 };
    static const char letters[] = "KQRBNPkqrbnp";
    static const char *const glyphs[] = {"♔", "♕", "♖", "♗", "♘", "♙",
                                         "♚", "♛", "♜", "♝", "♞", "♟"};
    FILE *out = page->out;
    int file = 0, rank = 0; /* from a8 */

    svg_begin(out, "board", "squares", ++page->boards, title, 8 * STEP, 8 * STEP + 16);
    html_text(out, fen);
    fprintf(
        out,
        "</desc>\n<rect class=\"light\" width=\"%d\" height=\"%d\"/>\n<path class=\"dark\" d=\"",
        8 * STEP, 8 * STEP);
    for (int i = 0; i < 32; i++)
        fprintf(out, "M%d %dh%dv%dh-%d", (i % 4 * 2 + (i / 4 + 1) % 2) * STEP, i / 4 * STEP, STEP,
                STEP, STEP);
    fputs("\"/>\n", out);
    for (; *fen && *fen != ' '; fen++) {
        const char *letter = strchr(letters, *fen);
        if (letter) /* U+FE0E: no picture in colours */
            fprintf(out, "<text class=\"piece\" x=\"%d\" y=\"%d\">%s\xEF\xB8\x8E</text>",
                    file * STEP + STEP / 2, rank * STEP + 16, glyphs[letter - letters]);
        file = *fen == '/' ? 0 : file + (letter ? 1 : *fen - '0');
        rank += *fen == '/';
    }
    fprintf(out, "\n<text class=\"soft mid\" x=\"%d\" y=\"%d\">", 4 * STEP, 8 * STEP + 13);
    svg_end_text(out, title);
    fputs("</svg>\n", out);
}
