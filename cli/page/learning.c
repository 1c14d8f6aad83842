/* SPDX-License-Identifier: MIT
 * The generations of `tabia learn`: losses, speed and the outcome of each. */
#include <stdlib.h>

#include "cli/match/statistics_text.h"
#include "cli/page/chart.h"
#include "cli/page/rows.h"
#include "cli/page/sections.h"

static const char generations_sql[] =
    "SELECT generation, json ->> 'games' AS games, json ->> 'positions' AS positions,\n"
    "       json ->> 'train_loss' AS training, json ->> 'validation_loss' AS held_out,\n"
    "       json ->> 'k' AS k, json ->> 'wins' AS won, json ->> 'draws' AS drawn,\n"
    "       json ->> 'losses' AS lost, json -> 'ptnml' ->> 0 AS LL, json -> 'ptnml' ->> 1 AS LD,\n"
    "       json -> 'ptnml' ->> 2 AS DD_WL, json -> 'ptnml' ->> 3 AS WD,\n"
    "       json -> 'ptnml' ->> 4 AS WW, json ->> 'accepted' AS accepted,\n"
    "       json ->> 'seconds_selfplay' AS selfplay, json ->> 'seconds_tune' AS fit,\n"
    "       json ->> 'seconds_gauntlet' AS match,\n"
    "       json ->> 'seconds_selfplay' + json ->> 'seconds_tune'\n"
    "           + json ->> 'seconds_gauntlet' AS seconds,\n"
    "       nullif(json ->> 'plies', 0) / nullif(0.0 + json ->> 'seconds_selfplay', 0) AS speed\n"
    "FROM generations WHERE generation > 0 AND stage = 'proved' ORDER BY generation";
enum Column {
    GENERATION,
    GAMES,
    POSITIONS,
    TRAINING,
    HELD_OUT,
    K,
    WON,
    DRAWN,
    LOST,
    PAIRS,
    ACCEPTED = PAIRS + 5,
    SECONDS_SELFPLAY,
    SECONDS_FIT,
    SECONDS_MATCH,
    SECONDS,
    SPEED,
    COLUMNS
};

/* The columns of numbers one after the other, [COLUMNS][count]. */
typedef struct Generations {
    Rows rows;
    double *values;
} Generations;

static const double *column_of(const Generations *g, enum Column column)
{
    return g->values + (size_t)column * (size_t)g->rows.count;
}

static Status read_generations(Page *page, Generations *g, Error *err)
{
    Status status = rows_query(page->store, generations_sql, &g->rows, err);
    size_t n = (size_t)g->rows.count;

    if (status != STATUS_OK || n == 0) return status;
    g->values = malloc(COLUMNS * n * sizeof *g->values);
    if (!g->values) return error_set(err, STATUS_FAILED, "out of memory for a chart");
    for (int column = 0; column < COLUMNS; column++)
        rows_column(&g->rows, column, g->values + (size_t)column * n);
    return STATUS_OK;
}

/* ---- Charts */

static Series by_generation(const Generations *g, const char *name, const double *values)
{
    return (Series){name, SERIES_LINE, g->rows.count, column_of(g, GENERATION), values, NULL, NULL};
}

static void write_chart(Page *page, const char *heading, Chart *chart, const char *caption)
{
    html_figure(page, "", heading);
    chart->id = page->figures;
    chart->title = heading;
    chart->x_label = "generation";
    chart->whole_x = true;
    chart_write(page->out, chart);
    html_figure_end(page, caption, NULL, generations_sql);
}

static void write_charts(Page *page, const Generations *g)
{
    Chart loss = {.y_label = "mean squared error",
                  .count = 2,
                  .series = {by_generation(g, "training", column_of(g, TRAINING)),
                             by_generation(g, "held out", column_of(g, HELD_OUT))}};
    Chart speed = {.y_label = "positions a second",
                   .from_zero = true,
                   .count = 1,
                   .series = {by_generation(g, NULL, column_of(g, SPEED))}};
    Chart seconds = {.y_label = "seconds",
                     .from_zero = true,
                     .count = 3,
                     .series = {by_generation(g, "self-play", column_of(g, SECONDS_SELFPLAY)),
                                by_generation(g, "fit", column_of(g, SECONDS_FIT)),
                                by_generation(g, "match", column_of(g, SECONDS_MATCH))}};

    write_chart(page, "Loss", &loss,
                "Of each fit, on its training games and on games held out. "
                "Generations have different games, so compare the two lines, not the generations.");
    write_chart(page, "Speed of self-play", &speed, "On all threads, wall-clock time.");
    write_chart(page, "Time of each stage", &seconds, "Wall-clock time.");
}

/* ---- The table */

enum { ROWS_MAX = 400 };

static void write_row(Page *page, const Generations *g, int i)
{
    FILE *out = page->out;
    MatchScore score = {.wins = rows_count(&g->rows, i, WON),
                        .draws = rows_count(&g->rows, i, DRAWN),
                        .losses = rows_count(&g->rows, i, LOST)};
    MatchStats stats;
    char elo[ELO_TEXT_MAX];

    for (int k = 0; k < 5; k++)
        score.ptnml[k] = rows_count(&g->rows, i, PAIRS + k);
    match_stats(&score, NULL, &stats);
    match_elo_text(&stats, elo);
    fputs("<tr>", out);
    html_cell_int(out, column_of(g, GENERATION)[i]);
    html_cell_int(out, column_of(g, GAMES)[i]);
    html_cell_int(out, column_of(g, POSITIONS)[i]);
    html_cell_number(out, column_of(g, TRAINING)[i], 5, false);
    html_cell_number(out, column_of(g, HELD_OUT)[i], 5, false);
    html_cell_number(out, column_of(g, K)[i], 3, false);
    html_cell_int(out, (double)score.wins);
    html_cell_int(out, (double)score.draws);
    html_cell_int(out, (double)score.losses);
    html_cell_text(out, elo);
    html_cell_text(out, column_of(g, ACCEPTED)[i] != 0 ? "yes" : "no");
    html_cell_number(out, column_of(g, SECONDS)[i], 1, false);
    fputs("</tr>\n", out);
}

static void write_table(Page *page, const Generations *g)
{
    int first = g->rows.count > ROWS_MAX ? g->rows.count - ROWS_MAX : 0;

    html_figure(page, "wide", "Generations");
    html_table(page, "Generation|Games|Positions|Training|Held out|K|Won|Drawn|Lost|<Elo ± 95 %|"
                     "<Accepted|Seconds");
    for (int i = first; i < g->rows.count; i++)
        write_row(page, g, i);
    html_table_end(page);
    html_figure_end(
        page,
        first > 0
            ? "The latest 400 generations. "
              "Positions: in the fit. "
              "Won, drawn, lost and Elo: against the best weights before."
            : "Positions: in the fit. Won, drawn, lost and Elo: against the best weights before.",
        page->report_command, generations_sql);
}

Status section_learning(Page *page, Error *err)
{
    Generations g = {0};

    Status status = read_generations(page, &g, err);
    if (status == STATUS_OK && g.rows.count > 0) {
        write_charts(page, &g);
        write_table(page, &g);
    }
    rows_free(&g.rows);
    free(g.values);
    return status;
}
