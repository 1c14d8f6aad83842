/* SPDX-License-Identifier: MIT
 * The games of self-play (in a database without self-play, all games): how they end, their lengths,
 * scores and phases. Of a run of `tabia learn` generation 2 and the latest whole one: generation 1
 * is mostly random moves. And one or two games to look at. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/chart.h"
#include "cli/page/sections.h"

enum { SQL_MAX = 2048, PARTS_MAX = 2 };

/* The games that are counted, in one or two parts. */
typedef struct Sample {
    const char *part; /* SQL: the number of a game's part; no literal integer, which GROUP BY takes
                         for a column */
    const char *window;  /* SQL: all rows of a part */
    char condition[160]; /* SQL over `games AS g JOIN runs AS r` */
    int parts;
    int number[PARTS_MAX]; /* of each part */
    char name[PARTS_MAX][32];
} Sample;

static void choose_sample(Page *page, Sample *s)
{
    static const char sql[] =
        "SELECT coalesce(min(generation) FILTER (WHERE generation > 1), min(generation)),\n"
        "       max(generation), count(*) FROM runs\n"
        "WHERE kind = 'selfplay' AND EXISTS (SELECT * FROM games WHERE games.run_id = runs.run_id)\n"
        "AND coalesce(generation <= (SELECT nullif(max(generation), 0) FROM generations\n"
        "                            WHERE stage = 'proved'), true)";
    Rows rows;

    *s = (Sample){
        .part = "0.0", .window = "", .condition = "true", .parts = 1, .name = {"all games"}};
    if (page_query(page, sql, &rows) && isfinite(rows_number(&rows, 0, 0))) {
        int first = (int)rows_number(&rows, 0, 0), last = (int)rows_number(&rows, 0, 1);
        s->part = "r.generation";
        s->window = "PARTITION BY r.generation";
        s->parts = last > first ? 2 : 1;
        (void)snprintf(s->condition, sizeof s->condition,
                       "r.kind = 'selfplay' AND r.generation IN (%d, %d)", first, last);
        for (int i = 0; i < s->parts; i++) {
            s->number[i] = i == 0 ? first : last;
            (void)snprintf(s->name[i], sizeof s->name[i], "generation %d", s->number[i]);
        }
    } else if (rows.count > 0 && rows_number(&rows, 0, 2) > 0) {
        (void)snprintf(s->condition, sizeof s->condition, "r.kind = 'selfplay'");
        (void)snprintf(s->name[0], sizeof s->name[0], "self-play");
    }
    rows_free(&rows);
}

/* Columns of a statement; the last is per cent of the part. */
enum { PART, BIN, NUMBER, SHARE };

static int part_of(const Sample *s, const Rows *rows, int row)
{
    return rows_number(rows, row, PART) == s->number[0] ? 0 : 1;
}

/* ---- Figures */

typedef struct Figure {
    const char *heading, *x_label, *caption;
    const char *bin;   /* SQL: the bin of a row */
    const char *from;  /* SQL: what is counted, after `games AS g JOIN runs AS r USING (run_id)` */
    const char *order; /* SQL */
    double width;      /* of a bin of numbers; 0: bins are words, and bars are drawn */
    bool shares;       /* as one bar */
} Figure;

static const Figure figures[] = {
    {"Results", "per cent of games", "Per cent of games. At most 10,000 of each run.",
     "CASE result WHEN 2 THEN 'White won' WHEN 1 THEN 'drawn' ELSE 'Black won' END", "",
     "min(-result)", 0, true},
    {"Ends of games", "per cent of games",
     "Why the referee ended them. At most 10,000 of each run.", "e.name",
     " JOIN reasons AS e USING (reason)", "min(reason)", 0, false},
    {"Lengths of games", "moves of both sides (plies)",
     "In steps of 20 plies. At most 10,000 games of each run.", "ply_count / 20 * 20", "", "2", 20,
     false},
    {"Scores", "score, pawns, White's view",
     "Of the searches, in steps of half a pawn. "
     "Those beyond 10 pawns are at the ends; mates are left out. "
     "At most 500 games of each run.",
     "max(-10.0, min(10.0, floor(p.score / 50.0) / 2))",
     " JOIN tabia_positions AS p USING (game_id)", "2", 0.5, false},
    {"Phases", "game phase: 24 with all pieces, 0 without",
     "Of the positions played. At most 500 games of each run.", "p.phase",
     " JOIN tabia_positions AS p USING (game_id)", "2", 1, false},
};

/* Bars of all bins, in order of appearance. */
static void write_bars(Page *page, const Figure *f, const Sample *s, const Rows *rows,
                       const char *sql)
{
    int n = rows->count, bins = 0;
    const char **labels = page_alloc(page, n, sizeof *labels);
    double *shares = page_alloc(page, PARTS_MAX * n, sizeof *shares);

    for (int i = 0; i < n && labels && shares; i++) {
        int bin = 0;
        while (bin < bins && strcmp(labels[bin], rows_text(rows, i, BIN)) != 0)
            bin++;
        if (bin == bins) labels[bins++] = rows_text(rows, i, BIN);
        shares[part_of(s, rows, i) * n + bin] = rows_number(rows, i, SHARE);
    }
    if (bins > 0) {
        const BarChart chart = {.x_label = f->x_label,
                                .count = bins,
                                .labels = labels,
                                .parts = s->parts,
                                .names = {s->name[0], s->name[1]},
                                .values = {shares, shares + n}};
        (f->shares ? chart_shares : chart_bars)(page, f->heading, &chart, f->caption, sql);
    }
    free((void *)labels);
    free(shares);
}

/* Steps of all bins from the lowest to the highest, empty ones too. */
static void write_steps(Page *page, const Figure *f, const Sample *s, const Rows *rows,
                        const char *sql)
{
    enum { BINS_MAX = 1000000 };
    const double *bins = rows_column(rows, BIN);
    double low = INFINITY, high = -INFINITY;
    bool numbers = true;

    for (int i = 0; i < rows->count; i++) {
        numbers &= isfinite(bins[i]) != 0;
        low = fmin(low, bins[i]);
        high = fmax(high, bins[i]);
    }
    if (!numbers || !(high - low < BINS_MAX * f->width)) {
        page->status =
            error_set(page->err, STATUS_DATABASE, "%s: '%s' go from %g to %g, beyond any chart",
                      store_path(page->store), f->heading, low, high);
        return;
    }
    int steps = (int)lround((high - low) / f->width) + 2; /* the last one closes the last bin */
    double *x = page_alloc(page, (1 + PARTS_MAX) * steps, sizeof *x);
    if (!x) return;
    double *y = x + steps;
    Chart chart = {
        .x_label = f->x_label, .y_label = "per cent", .from_zero = true, .count = s->parts};
    for (int i = 0; i < steps; i++)
        x[i] = low + i * f->width;
    for (int i = 0; i < rows->count; i++)
        y[part_of(s, rows, i) * steps + lround((bins[i] - low) / f->width)] =
            rows_number(rows, i, SHARE);
    for (int part = 0; part < s->parts; part++, y += steps) {
        y[steps - 1] = y[steps - 2];
        chart.series[part] = (Series){s->name[part], SERIES_STEPS, steps, x, y, NULL, NULL, NULL};
    }
    chart_figure(page, f->heading, &chart, f->caption, NULL, sql);
    free(x);
}

static void write_figure(Page *page, const Figure *f, const Sample *s)
{
    enum { GAMES_MOST = 10000, REPLAYED_MOST = 500 }; /* of a run, so that any page is soon made */
    char sql[SQL_MAX];
    Rows rows;

    bool positions = strstr(f->from, "tabia_positions") != NULL;
    bool scores = strstr(f->bin, "p.score") != NULL;
    (void)snprintf(
        sql, sizeof sql,
        "SELECT %s AS part,\n       %s AS bin,\n       count(*) AS n,\n"
        "       100.0 * count(*) / sum(count(*)) OVER (%s) AS per_cent\n"
        "FROM games AS g JOIN runs AS r USING (run_id)%s\n"
        "WHERE %s\n"
        "      AND game_no < %d + (SELECT min(game_no) FROM games WHERE run_id = r.run_id)%s\n"
        "GROUP BY 1, 2 ORDER BY %s",
        s->part, f->bin, s->window, f->from, s->condition, positions ? REPLAYED_MOST : GAMES_MOST,
        scores ? " AND abs(p.score) < 30000" : "", f->order);
    if (page_query(page, sql, &rows) && f->width > 0)
        write_steps(page, f, s, &rows, sql);
    else if (rows.count > 0)
        write_bars(page, f, s, &rows, sql);
    rows_free(&rows);
}

void section_games(Page *page)
{
    Sample sample;

    choose_sample(page, &sample);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        write_figure(page, &figures[i], &sample);
}

/* ---- Games to look at: boards, moves and evaluations */

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

/* A board for every ten plies, of long games for more: at most eight. */
static void write_positions(Page *page, const Rows *moves)
{
    int step = 10 * ((moves->count + 79) / 80);
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
                       rows_number(games, game, LONGEST) > 0 ? "A long game: " : "",
                       named ? rows_text(games, game, WHITE_NAME) : "self-play", named ? " – " : "",
                       rows_text(games, game, BLACK_NAME), rows_text(games, game, RESULT));
        (void)snprintf(
            caption, sizeof caption,
            "%.0f plies, %s. The evaluation is each player's own when it moves, White's view, up to 10 pawns.%s",
            rows_number(games, game, PLIES), rows_text(games, game, REASON),
            rows_number(games, game, LONGEST) > 0
                ? " The longest of the first 1,000 games of its run."
                : "");
        html_figure(page, "wide", heading);
        write_positions(page, &moves);
        write_moves(page, &moves);
        write_evaluation(page, heading, &moves);
        html_figure_end(page, caption, NULL, sql);
    }
    rows_free(&moves);
}

void section_chosen_games(Page *page)
{
    Rows games;

    if (page_query(page, games_sql, &games))
        for (int i = 0; i < games.count; i++)
            write_game(page, &games, i);
    rows_free(&games);
}
