/* SPDX-License-Identifier: MIT
 * The generations of `tabia learn`: losses, speed and the outcome of each. */
#include <math.h>

#include "cli/match/statistics_text.h"
#include "cli/page/chart.h"
#include "cli/page/sections.h"

static const char generations_sql[] =
    "SELECT generation, games, positions, train_loss, validation_loss, k, wins, draws, losses,\n"
    "       LL, LD, DD_WL, WD, WW, accepted,\n"
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

enum { LATE_TEXT_MAX = 24 };

/* From which generation on the fit has another target, terms or a network. The last of them has the
 * scale. late: the name of the first, which the chart borrows. */
static void add_breaks(Page *page, Chart *loss, int generations, char late[LATE_TEXT_MAX])
{
    static const char sql[] =
        "SELECT json ->> 'late_from', json ->> 'king_from', json ->> 'network_from',\n"
        "       json ->> 'late_lambda' FROM generations WHERE generation = 0";
    const char *const names[] = {late, "king squares", "networks"};
    Rows rows;

    bool any = page_query(page, sql, &rows);
    if (any) (void)snprintf(late, LATE_TEXT_MAX, "lambda %s", rows_text(&rows, 0, 3));
    for (int i = 0; any && i < 3; i++) {
        double from = rows_number(&rows, 0, i);
        if (!(from > 1 && from <= generations)) continue;
        loss->breaks[loss->break_count++] = (ChartLine){names[i], from - 0.5};
        if (from + 3 <= generations) loss->scale_from = fmax(loss->scale_from, from);
    }
    rows_free(&rows);
}

static void write_times(Page *page)
{
    static const char *const stages[] = {"self-play", "fits", "matches"};
    static const char sql[] =
        "SELECT 100 * sum(seconds_selfplay) / sum(seconds) AS self_play,\n"
        "       100 * sum(seconds_tune) / sum(seconds) AS fits,\n"
        "       100 * sum(seconds_gauntlet) / sum(seconds) AS matches\n"
        "FROM (SELECT *, seconds_selfplay + seconds_tune + seconds_gauntlet AS seconds\n"
        "      FROM learning WHERE stage = 'proved')";
    Rows rows;

    if (page_query(page, sql, &rows) && isfinite(rows_number(&rows, 0, 0))) {
        const BarChart chart = {.x_label = "per cent of wall-clock time",
                                .count = 3,
                                .labels = stages,
                                .parts = 1,
                                .names = {"all generations"},
                                .values = {rows.numbers}};
        chart_shares(page, "Time of each stage", &chart, "Per cent of wall-clock time.", sql);
    }
    rows_free(&rows);
}

#define LOSS_CAPTION                                                                               \
    "Of each fit, on its training games and on games held out. "                                   \
    "Generations have different games, so compare the two lines, not the generations."

static void write_charts(Page *page, const Rows *rows)
{
    char late[LATE_TEXT_MAX];
    Chart loss = {.y_label = "mean squared error",
                  .count = 2,
                  .series = {by_generation(rows, "training", TRAINING),
                             by_generation(rows, "held out", HELD_OUT)}};
    Chart speed = {.y_label = "positions a second",
                   .from_zero = true,
                   .count = 1,
                   .series = {by_generation(rows, NULL, SPEED)}};

    loss.scale_from = rows->count > 3 ? 2 : 0; /* the first fit is of random games */
    add_breaks(page, &loss, rows->count, late);
    write_chart(page, "Loss", &loss,
                loss.break_count > 0 ? LOSS_CAPTION " At a dotted line the target changes."
                                     : LOSS_CAPTION);
    write_chart(page, "Speed of self-play", &speed, "On all threads, wall-clock time.");
    write_times(page);
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
    html_cell_text(out, elo);
    html_cell_int(out, rows_number(rows, i, GAMES));
    html_cell_int(out, rows_number(rows, i, POSITIONS));
    html_cell_number(out, rows_number(rows, i, TRAINING), 5, false);
    html_cell_number(out, rows_number(rows, i, HELD_OUT), 5, false);
    html_cell_number(out, rows_number(rows, i, K), 3, false);
    html_cell_int(out, (double)score.wins);
    html_cell_int(out, (double)score.draws);
    html_cell_int(out, (double)score.losses);
    html_cell_text(out, rows_number(rows, i, ACCEPTED) != 0 ? "yes" : "no");
    html_cell_number(out, rows_number(rows, i, SECONDS), 1, false);
    fputs("</tr>\n", out);
}

static void write_table(Page *page, const Rows *rows)
{
    int first = rows->count > ROWS_MAX ? rows->count - ROWS_MAX : 0;

    html_figure(page, "fold", "Generations");
    html_table(page, "Generation|<Elo ± 95 %|Games|Positions|Training|Held out|K|Won|Drawn|Lost|"
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
