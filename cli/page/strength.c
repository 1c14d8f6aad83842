/* SPDX-License-Identifier: MIT
 * Ratings of all players. */
#include <stdlib.h>
#include <string.h>

#include "cli/match/report.h"
#include "cli/page/chart.h"
#include "cli/page/ratings.h"
#include "cli/page/sections.h"

enum { CAPTION_MAX = 640 };

/* ---- The first line */

static void headline_of_player(Headline *h, const Ratings *r, int player)
{
    h->elo = r->table.elo[player] - r->anchor_elo;
    h->elo95 = r->table.elo95[player];
    h->bounded = r->table.bounded;
    (void)snprintf(h->anchor, sizeof h->anchor, "%s", r->names[r->anchor]);
}

static void headline_of_match(Headline *h, const Ratings *r)
{
    headline_of_player(h, r, 1 - r->anchor);
    (void)snprintf(h->player, sizeof h->player, "%s", r->names[1 - r->anchor]);
}

/* ---- Over generations */

/* Sums from the first generation to each; the start has spent nothing. core_minutes: time of
 * processors; 0 in runs of versions that did not record it. */
static const char progress_sql[] =
    "SELECT generation, coalesce(json ->> 'accepted', 1) AS accepted,\n"
    "       coalesce(sum(json ->> 'seconds_selfplay' + json ->> 'seconds_tune'\n"
    "                    + json ->> 'seconds_gauntlet') OVER so_far, 0) / 60 AS minutes,\n"
    "       coalesce(sum(json ->> 'cpu_selfplay' + json ->> 'cpu_tune'\n"
    "                    + json ->> 'cpu_gauntlet') OVER so_far, 0) / 60 AS core_minutes,\n"
    "       coalesce(sum(json ->> 'plies') OVER so_far, 0) AS positions\n"
    "FROM generations WHERE stage = 'proved' WINDOW so_far AS (ORDER BY generation)";
enum { SO_FAR_GENERATION, SO_FAR_ACCEPTED, SO_FAR_MINUTES, SO_FAR_CORE_MINUTES, SO_FAR_POSITIONS };

/* The ratings of the generations that were accepted (with the start), or of those that were
 * rejected, over a column of progress_sql. values: room for 4 numbers of each generation. */
static Series take_curve(const Rows *progress, const Ratings *r, bool accepted, int column,
                         double *values)
{
    const char *name = accepted ? "accepted" : "rejected";
    SeriesStyle style = accepted ? SERIES_LINE : SERIES_POINTS;
    int n = progress->count, count = 0;
    double *x = values, *elo = x + n, *low = elo + n, *high = low + n;

    for (int i = 0; i < n; i++) {
        int player = ratings_generation(r, (int)rows_number(progress, i, SO_FAR_GENERATION));
        if (player < 0 || (rows_number(progress, i, SO_FAR_ACCEPTED) != 0) != accepted) continue;
        x[count] = rows_number(progress, i, column);
        elo[count] = r->table.elo[player];
        low[count] = elo[count] - r->table.elo95[player];
        high[count] = elo[count] + r->table.elo95[player];
        count++;
    }
    return (Series){name, style, count, x, elo, low, high};
}

static void write_curve(Page *page, const Ratings *r, const Rows *progress, int column,
                        const char *heading, const char *x_label, const char *caption)
{
    double *values = page_alloc(page, 8 * progress->count, sizeof *values);
    char anchor[160];

    if (!values) return;
    (void)snprintf(anchor, sizeof anchor, "%s = 0", r->names[r->anchor]);
    Chart chart = {
        .x_label = x_label,
        .y_label = "Elo",
        .whole_x = column == SO_FAR_GENERATION,
        .zero = r->anchor_elo == 0 ? anchor : NULL,
        .series = {take_curve(progress, r, true, column, values),
                   take_curve(progress, r, false, column, values + 4 * progress->count)}};
    chart.count = chart.series[1].count > 0 ? 2 : 1;
    chart_figure(page, heading, &chart, caption, page->report_command,
                 column == SO_FAR_GENERATION ? ratings_pairings_sql : progress_sql);
    free(values);
}

/* The last accepted generation that played. */
static void headline_of_generations(Headline *h, const Ratings *r, const Rows *progress)
{
    for (int i = 0; i < progress->count; i++) {
        int player = ratings_generation(r, (int)rows_number(progress, i, SO_FAR_GENERATION));
        if (player >= 0 && player != r->anchor && rows_number(progress, i, SO_FAR_ACCEPTED) != 0)
            headline_of_player(h, r, player);
    }
}

static void write_curves(Page *page, const Ratings *r)
{
    Rows progress;
    char caption[CAPTION_MAX];

    if (page_query(page, progress_sql, &progress) && progress.count > 1) {
        headline_of_generations(&page->headline, r, &progress);
        (void)snprintf(
            caption, sizeof caption,
            "Ratings by maximum likelihood from all matches of the run, with 95 %% intervals. %s has %g Elo.%s",
            r->names[r->anchor], r->anchor_elo,
            r->table.bounded
                ? " A player won or lost all of its games, so ratings are bounds: each pairing has one more draw."
                : "");
        write_curve(page, r, &progress, SO_FAR_GENERATION, "Rating by generation", "generation",
                    caption);
        bool cores = rows_number(&progress, progress.count - 1, SO_FAR_CORE_MINUTES) > 0;
        write_curve(
            page, r, &progress, cores ? SO_FAR_CORE_MINUTES : SO_FAR_MINUTES, "Rating by time",
            cores ? "core-minutes of learning" : "minutes of learning, wall clock",
            "The same ratings over the time of self-play, fits and matches, summed over the generations.");
        write_curve(page, r, &progress, SO_FAR_POSITIONS, "Rating by positions",
                    "positions of self-play",
                    "The same ratings over the positions played, summed over the generations.");
    }
    rows_free(&progress);
}

/* ---- The table */

static void write_table(Page *page, const Ratings *r)
{
    html_figure(page, "wide", "Ratings");
    html_table(page, "#|<Player|Elo|95 % ±|Games|Won|Drawn|Lost|Score %");
    for (int rank = 0; rank < r->count; rank++) {
        int player = r->table.order[rank];
        MatchScore score = scoreboard_player(&r->board, player);
        MatchStats stats;
        match_stats(&score, NULL, &stats);
        fputs("<tr>", page->out);
        html_cell_int(page->out, rank + 1);
        html_cell_text(page->out, r->names[player]);
        html_cell_number(page->out, r->table.elo[player], 1, true);
        html_cell_number(page->out, r->table.elo95[player], 1, false);
        html_cell_int(page->out, (double)stats.games);
        html_cell_int(page->out, (double)score.wins);
        html_cell_int(page->out, (double)score.draws);
        html_cell_int(page->out, (double)score.losses);
        html_cell_number(page->out, 100 * stats.score, 1, false);
        fputs("</tr>\n", page->out);
    }
    html_table_end(page);
    html_figure_end(
        page,
        "All players of all matches. "
        "There is no error where fewer than ten pairs of a player differ from its most frequent result.",
        page->report_command, ratings_pairings_sql);
}

/* ---- The crosstable */

/* Of the strongest players: more columns than this do not fit. */
enum { CROSSTABLE_MAX = 16 };

static void write_crosstable(Page *page, const Ratings *r)
{
    int count = r->count < CROSSTABLE_MAX ? r->count : CROSSTABLE_MAX;
    char heads[256] = "#|<Player", text[MEETING_TEXT_MAX];
    size_t length = strlen(heads);

    for (int i = 0; i < count; i++)
        length += (size_t)snprintf(heads + length, sizeof heads - length, "|<%d", i + 1);
    html_figure(page, "wide", "Crosstable");
    html_table(page, heads);
    for (int i = 0; i < count; i++) {
        fputs("<tr>", page->out);
        html_cell_int(page->out, i + 1);
        html_cell_text(page->out, r->names[r->table.order[i]]);
        for (int k = 0; k < count; k++) {
            meeting_text(&r->board, r->table.order[i], r->table.order[k], text);
            html_cell_text(page->out, text);
        }
        fputs("</tr>\n", page->out);
    }
    html_table_end(page);
    html_figure_end(page,
                    r->count > count
                        ? "Won-drawn-lost, the row's player first. The 16 strongest players."
                        : "Won-drawn-lost, the row's player first.",
                    page->report_command, ratings_pairings_sql);
}

/* ---- JSON */

static void json_ratings(JsonWriter *w, const Ratings *r)
{
    json_array(w, "players");
    for (int rank = 0; rank < r->count; rank++) {
        int player = r->table.order[rank];
        json_object(w, NULL);
        ratings_json_player(w, r->names[player], &r->board, &r->table, player);
        json_end_object(w);
    }
    json_end_array(w);
    ratings_json_pairings(w, r->names, &r->board);
    json_bool(w, "ratings_are_bounds", r->table.bounded);
}

void section_strength(Page *page)
{
    Ratings ratings;

    page->status = ratings_read(page->store, page->settings->anchor, &ratings, page->err);
    if (page->status == STATUS_OK && ratings.count > 0) {
        if (ratings.count == 2) headline_of_match(&page->headline, &ratings);
        write_curves(page, &ratings);
        write_table(page, &ratings);
        write_crosstable(page, &ratings);
    }
    if (page->status == STATUS_OK && page->settings->json) json_ratings(&page->json, &ratings);
    ratings_free(&ratings);
}
