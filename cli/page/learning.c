/* SPDX-License-Identifier: MIT
 * The generations of `tabia learn`: losses, speed and the outcome of each. */
#include "cli/match/statistics_text.h"
#include "cli/page/chart.h"
#include "cli/page/sections.h"

static const char generations_sql[] =
    "SELECT generation, games, positions, train_loss, validation_loss, k, wins, draws, losses,\n"
    "       LL, LD, DD_WL, WD, WW, accepted, seconds_selfplay, seconds_tune, seconds_gauntlet,\n"
    "       seconds_selfplay + seconds_tune + seconds_gauntlet AS seconds,\n"
    "       nullif(plies, 0) / nullif(0.0 + seconds_selfplay, 0) AS speed\n"
    "FROM learning WHERE stage = 'proved' ORDER BY generation";
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
    SPEED
};

/* ---- Charts */

static Series by_generation(const Rows *rows, const char *name, int column)
{
    return (Series){.name = name,
                    .count = rows->count,
                    .x = rows_column(rows, GENERATION),
                    .y = rows_column(rows, column)};
}

static void write_chart(Page *page, const char *heading, Chart *chart, const char *caption)
{
    chart->x_label = "generation";
    chart->whole_x = true;
    chart_figure(page, heading, chart, caption, NULL, generations_sql);
}

static void write_charts(Page *page, const Rows *rows)
{
    Chart loss = {.y_label = "mean squared error",
                  .count = 2,
                  .series = {by_generation(rows, "training", TRAINING),
                             by_generation(rows, "held out", HELD_OUT)}};
    Chart speed = {.y_label = "positions a second",
                   .from_zero = true,
                   .count = 1,
                   .series = {by_generation(rows, NULL, SPEED)}};
    Chart seconds = {.y_label = "seconds",
                     .from_zero = true,
                     .count = 3,
                     .series = {by_generation(rows, "self-play", SECONDS_SELFPLAY),
                                by_generation(rows, "fit", SECONDS_FIT),
                                by_generation(rows, "match", SECONDS_MATCH)}};

    write_chart(page, "Loss", &loss,
                "Of each fit, on its training games and on games held out. "
                "Generations have different games, so compare the two lines, not the generations.");
    write_chart(page, "Speed of self-play", &speed, "On all threads, wall-clock time.");
    write_chart(page, "Time of each stage", &seconds, "Wall-clock time.");
}

/* ---- The table */

enum { ROWS_MAX = 400 };

static void write_row(FILE *out, const Rows *rows, int i)
{
    MatchScore score = rows_score(rows, i, WON, PAIRS);
    MatchStats stats;
    char elo[ELO_TEXT_MAX];

    match_stats(&score, NULL, &stats);
    match_elo_text(&stats, elo);
    fputs("<tr>", out);
    html_cell_int(out, rows_number(rows, i, GENERATION));
    html_cell_int(out, rows_number(rows, i, GAMES));
    html_cell_int(out, rows_number(rows, i, POSITIONS));
    html_cell_number(out, rows_number(rows, i, TRAINING), 5, false);
    html_cell_number(out, rows_number(rows, i, HELD_OUT), 5, false);
    html_cell_number(out, rows_number(rows, i, K), 3, false);
    html_cell_int(out, (double)score.wins);
    html_cell_int(out, (double)score.draws);
    html_cell_int(out, (double)score.losses);
    html_cell_text(out, elo);
    html_cell_text(out, rows_number(rows, i, ACCEPTED) != 0 ? "yes" : "no");
    html_cell_number(out, rows_number(rows, i, SECONDS), 1, false);
    fputs("</tr>\n", out);
}

static void write_table(Page *page, const Rows *rows)
{
    int first = rows->count > ROWS_MAX ? rows->count - ROWS_MAX : 0;

    html_figure(page, "wide", "Generations");
    html_table(page, "Generation|Games|Positions|Training|Held out|K|Won|Drawn|Lost|<Elo ± 95 %|"
                     "<Accepted|Seconds");
    for (int i = first; i < rows->count; i++)
        write_row(page->out, rows, i);
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

void section_learning(Page *page)
{
    Rows rows;

    if (page_query(page, generations_sql, &rows)) {
        write_charts(page, &rows);
        write_table(page, &rows);
    }
    rows_free(&rows);
}
