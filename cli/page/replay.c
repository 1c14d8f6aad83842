/* SPDX-License-Identifier: MIT
 * Games to look at: boards, moves and the evaluation of one or two games of a match. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/chart.h"
#include "cli/page/sections.h"

/* A game of the last generation against the start if there is one, else the first of the last
 * match; and the longest of the last match. No other games are read, however many there are. */
static const char games_sql[] =
    "WITH match AS (\n"
    "  SELECT run_id FROM runs WHERE EXISTS (SELECT * FROM games WHERE games.run_id = runs.run_id)\n"
    "  ORDER BY kind = 'gauntlet' DESC, run_id DESC LIMIT 1),\n"
    "learned AS (\n"
    "  SELECT run_id FROM gauntlets WHERE weights_b_id = (\n"
    "    SELECT best_id FROM generations WHERE generation = 0)\n"
    "  AND weights_a_id = (SELECT best_id FROM generations WHERE stage = 'proved'\n"
    "                      ORDER BY generation DESC LIMIT 1) LIMIT 1),\n"
    "chosen AS (\n"
    "  SELECT * FROM (SELECT 0 AS longest, game_id FROM games\n"
    "                 WHERE run_id = coalesce((SELECT * FROM learned), (SELECT * FROM match))\n"
    "                 ORDER BY game_no LIMIT 1) UNION ALL\n"
    "  SELECT * FROM (SELECT 1, game_id FROM (SELECT game_id, ply_count FROM games\n"
    "                                         WHERE run_id = (SELECT * FROM match)\n"
    "                                         ORDER BY game_no LIMIT 1000)\n"
    "                 ORDER BY ply_count DESC, game_id LIMIT 1))\n"
    "SELECT game_id, longest, white_name, black_name, result, reason, ply_count\n"
    "FROM chosen JOIN results USING (game_id) WHERE ply_count > 0 GROUP BY game_id ORDER BY longest";
enum { GAME, LONGEST, WHITE_NAME, BLACK_NAME, RESULT, REASON, PLIES };

enum { PLY, PAWNS, SAN, FEN }; /* of a game's statement */

/* A board for every ten plies, of long games for more. */
static void write_positions(Page *page, const Rows *moves)
{
    int step = 10 * (moves->count / 160 + 1);
    char title[32];

    fputs("<div class=\"positions\">\n", page->out);
    for (int i = 0; i < moves->count; i += step) {
        (void)snprintf(title, sizeof title, "after %d plies", i);
        board_position(page, title, rows_text(moves, i, FEN));
    }
    fputs("</div>\n", page->out);
}

static void write_moves(Page *page, const Rows *moves)
{
    fputs("<p class=\"moves\">", page->out);
    for (int i = 0; i < moves->count; i++) {
        const char *fen = rows_text(moves, i, FEN), *side = strchr(fen, ' ');
        const char *number = strrchr(fen, ' ');
        bool white = side && side[1] == 'w';
        if (number && (white || i == 0))
            fprintf(page->out, "%s%s ", number + (i == 0), white ? "." : "…");
        else
            fputs(" ", page->out);
        html_text(page->out, rows_text(moves, i, SAN));
    }
    fputs("</p>\n", page->out);
}

/* Each player's own evaluation. */
static void write_evaluation(Page *page, const char *title, const Rows *moves)
{
    double *values = page_alloc(page, 4 * moves->count, sizeof *values);
    Chart chart = {.x_label = "ply", .y_label = "pawns", .whole_x = true, .from_zero = true};

    for (int black = 0; black < 2 && values; black++) {
        double *x = values + 2 * black * moves->count, *y = x + moves->count;
        Series *s = &chart.series[chart.count++];
        *s = (Series){.name = black ? "Black" : "White", .x = x, .y = y};
        for (int i = 0; i < moves->count; i++) {
            if ((strstr(rows_text(moves, i, FEN), " b ") != NULL) != black) continue;
            x[s->count] = rows_number(moves, i, PLY);
            y[s->count++] = rows_number(moves, i, PAWNS);
        }
    }
    if (values) chart_write(page, title, &chart);
    free(values);
}

static void write_game(Page *page, const Rows *games, int game)
{
    char sql[320], heading[320], caption[320];
    Rows moves;

    (void)snprintf(
        sql, sizeof sql,
        "SELECT ply, max(-10.0, min(10.0, score / 100.0)) AS pawns, san(fen, move), fen\n"
        "FROM tabia_positions WHERE game_id = %lld ORDER BY ply",
        (long long)rows_count(games, game, GAME));
    if (page_query(page, sql, &moves)) {
        bool named = *rows_text(games, game, WHITE_NAME) && *rows_text(games, game, BLACK_NAME);
        (void)snprintf(heading, sizeof heading, "%s%.100s%s%.100s, %s",
                       rows_number(games, game, LONGEST) > 0 ? "The longest game: " : "",
                       named ? rows_text(games, game, WHITE_NAME) : "self-play", named ? " – " : "",
                       rows_text(games, game, BLACK_NAME), rows_text(games, game, RESULT));
        (void)snprintf(
            caption, sizeof caption,
            "%.0f plies, %s. The evaluation is each player's own when it moves, White's view, up to 10 pawns.%s",
            rows_number(games, game, PLIES), rows_text(games, game, REASON),
            rows_number(games, game, LONGEST) > 0
                ? " The longest of the first 1,000 games of the last match."
                : "");
        html_figure(page, "wide", heading);
        write_positions(page, &moves);
        write_moves(page, &moves);
        write_evaluation(page, heading, &moves);
        html_figure_end(page, caption, NULL, sql);
    }
    rows_free(&moves);
}

void section_replay(Page *page)
{
    Rows games;

    if (page_query(page, games_sql, &games))
        for (int i = 0; i < games.count; i++)
            write_game(page, &games, i);
    rows_free(&games);
}
