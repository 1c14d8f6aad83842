/* SPDX-License-Identifier: MIT
 * Ratings of all players. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/match/report.h"
#include "cli/match/statistics_text.h"
#include "cli/page/chart.h"
#include "cli/page/ratings.h"
#include "cli/page/sections.h"
#include "engine/base/text.h"

enum { CAPTION_MAX = 640 };

/* ---- The first line */

/* By their ratings, which rest on the games of all. */
static void difference_text(const RatingTable *t, int player, int other, char out[ELO_TEXT_MAX])
{
    double error = rating_error(t, player, other);

    (void)snprintf(out, ELO_TEXT_MAX, "%+.1f", t->elo[player] - t->elo[other]);
    if (isfinite(error) && !t->bounded) text_append(out, ELO_TEXT_MAX, " ± %.1f", error);
}

/* Players that met have the figures of their match. */
static void headline_of_player(Headline *h, const Ratings *r, int player, int other)
{
    MatchScore score;
    MatchStats stats;

    bool met = h->players == 0 && scoreboard_meeting(&r->board, player, other, &score) &&
               match_games(&score) > 0;
    if (met) {
        match_stats(&score, NULL, &stats);
        match_elo_text(&stats, h->elo);
    } else {
        difference_text(&r->table, player, other, h->elo);
    }
    (void)snprintf(h->player, sizeof h->player, "%s", r->names[player]);
    (void)snprintf(h->anchor, sizeof h->anchor, "%s", r->names[other]);
}

/* The first player of the first match, unless the anchor was named; of several in one match the
 * strongest. Matches of others have theirs from section_matches(). */
static void headline_of_match(Page *page, const Ratings *r)
{
    static const char sql[] = "SELECT count(*) FROM runs WHERE kind <> 'selfplay'";
    Headline *h = &page->headline;
    bool named = page->settings->anchor != NULL, one = true;
    Rows rows;

    if (page_query(page, sql, &rows)) one = rows_number(&rows, 0, 0) == 1;
    rows_free(&rows);
    bool second =
        rows_number(&r->players, 0, RATED_FIRST) > rows_number(&r->players, 1, RATED_FIRST);
    int first = named ? 1 - r->anchor : second;

    if (r->count == 2) {
        headline_of_player(h, r, first, 1 - first);
    } else if (one && isfinite(r->table.elo[r->table.order[1]])) {
        h->players = r->count;
        headline_of_player(h, r, r->table.order[0], r->table.order[1]);
    }
}

/* ---- Over generations */

/* Sums from the first generation to each; the start has spent nothing. core_minutes: time of
 * processors; 0 in runs of versions that did not record it. */
static const char progress_sql[] =
    "SELECT generation, coalesce(json ->> 'accepted', 1) AS accepted,\n"
    "       coalesce(sum(json ->> 'cpu_selfplay' + json ->> 'cpu_tune'\n"
    "                    + json ->> 'cpu_gauntlet') OVER so_far, 0) / 60 AS core_minutes\n"
    "FROM generations WHERE stage = 'proved' WINDOW so_far AS (ORDER BY generation)";
enum { SO_FAR_GENERATION, SO_FAR_ACCEPTED, SO_FAR_CORE_MINUTES };

/* The ratings of the generations that were accepted (with the start), or of those that were
 * rejected, over a column of progress_sql. values: room for 4 numbers of each generation. */
static Series take_curve(const Rows *progress, const Ratings *r, bool accepted, int column,
                         double *values, const char **marks)
{
    const char *name = accepted ? "accepted generations" : "rejected";
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
        marks[count++] = rows_text(progress, i, SO_FAR_GENERATION);
    }
    return (Series){name, style, count, x, elo, low, high, marks};
}

/* The first generations gain most; the others have the scale. */
static double scale_start(const Series *accepted)
{
    return accepted->count >= 6 ? accepted->x[accepted->count / 3] : 0;
}

/* Players that are no generations; on a logarithmic axis the start, too, which has no time. They
 * are those with the most games. */
static void take_levels(const Ratings *r, Chart *chart, char names[CHART_LINES_MAX][64])
{
    for (int i = 0; i < r->count && chart->level_count < CHART_LINES_MAX; i++) {
        bool point = rows_number(&r->players, i, RATED_GENERATION) >= (chart->log_x ? 1 : 0);
        char *name = names[chart->level_count];
        if ((point && i != r->anchor) || !isfinite(r->table.elo[i])) continue;
        (void)snprintf(name, sizeof names[0], "%.14s %+.0f", r->names[i], r->table.elo[i]);
        if (i != r->anchor && isfinite(r->table.elo95[i]))
            text_append(name, sizeof names[0], " ± %.0f", r->table.elo95[i]);
        chart->levels[chart->level_count++] = (ChartLine){name, r->table.elo[i]};
    }
}

static void write_curve(Page *page, const Ratings *r, const Rows *progress, bool timed)
{
    int n = progress->count, column = timed ? SO_FAR_CORE_MINUTES : SO_FAR_GENERATION;
    double *values = page_alloc(page, 8 * n, sizeof *values);
    const char **marks = page_alloc(page, 2 * n, sizeof *marks);
    char names[CHART_LINES_MAX][64], caption[CAPTION_MAX];

    if (values && marks) {
        Chart chart = {
            .x_label = timed ? "core-minutes of learning, logarithmic" : "generation",
            .y_label = "Elo",
            .wide = true,
            .log_x = timed,
            .whole_x = !timed,
            .series = {take_curve(progress, r, true, column, values, marks),
                       take_curve(progress, r, false, column, values + 4 * n, marks + n)}};
        chart.count = chart.series[1].count > 0 ? 2 : 1;
        chart.scale_from = scale_start(&chart.series[0]);
        take_levels(r, &chart, names);
        (void)snprintf(
            caption, sizeof caption,
            "Ratings by maximum likelihood from all matches, with 95 %% intervals and the numbers of the generations. %s has %g Elo.%s",
            r->names[r->anchor], r->anchor_elo,
            r->table.bounded
                ? " A player won or lost all of its games, so each pairing has one draw more than was played."
                : "");
        chart_figure(page, "Rating by time", &chart, caption, page->report_command, progress_sql);
    }
    free(values);
    free((void *)marks);
}

/* The last accepted generation that played. */
static void headline_of_generations(Headline *h, const Ratings *r, const Rows *progress)
{
    for (int i = 0; i < progress->count; i++) {
        int player = ratings_generation(r, (int)rows_number(progress, i, SO_FAR_GENERATION));
        if (player >= 0 && player != r->anchor && rows_number(progress, i, SO_FAR_ACCEPTED) != 0)
            headline_of_player(h, r, player, r->anchor);
    }
}

/* Is there a curve? */
static bool write_generations(Page *page, const Ratings *r)
{
    Rows progress;
    bool any = page_query(page, progress_sql, &progress) && progress.count > 1;

    if (any) {
        headline_of_generations(&page->headline, r, &progress);
        write_curve(page, r, &progress, rows_number(&progress, 1, SO_FAR_CORE_MINUTES) > 0);
    }
    rows_free(&progress);
    return any;
}

/* ---- The table */

/* More rows are not read, and more columns of a crosstable do not fit. */
enum { TABLE_MAX = 30, CROSSTABLE_MAX = 12 };

static const char *the_strongest(char caption[CAPTION_MAX], const Ratings *r, int count,
                                 const char *text)
{
    *caption = '\0';
    if (r->count > count)
        text_append(caption, CAPTION_MAX, "The strongest %d of %d players. ", count, r->count);
    text_append(caption, CAPTION_MAX, "%s", text);
    return caption;
}

static void write_table(Page *page, const Ratings *r, const char *class)
{
    char caption[CAPTION_MAX], text[CAPTION_MAX];

    (void)snprintf(
        text, sizeof text,
        "One fit to all matches, so errors differ a little from those of a match alone; %s has %g Elo, without error. "
        "There is none either where fewer than ten pairs of a player differ from its most frequent result, and no rating without games that lead to %s.",
        r->names[r->anchor], r->anchor_elo, r->names[r->anchor]);
    html_figure(page, class, "Ratings");
    html_table(page, "#|<Player|Elo|95 % ±|Games|Won|Drawn|Lost|Score %");
    for (int rank = 0; rank < r->count && rank < TABLE_MAX; rank++) {
        int player = r->table.order[rank];
        MatchScore score = scoreboard_player(&r->board, player);
        MatchStats stats;
        match_stats(&score, NULL, &stats);
        fputs("<tr>", page->out);
        html_cell_int(page->out, rank + 1);
        html_cell_text(page->out, r->names[player]);
        html_cell_number(page->out, r->table.elo[player], 1, true);
        html_cell_number(page->out, player == r->anchor ? NAN : r->table.elo95[player], 1, false);
        html_cell_int(page->out, (double)stats.games);
        html_cell_int(page->out, (double)score.wins);
        html_cell_int(page->out, (double)score.draws);
        html_cell_int(page->out, (double)score.losses);
        html_cell_number(page->out, 100 * stats.score, 1, false);
        fputs("</tr>\n", page->out);
    }
    html_table_end(page);
    html_figure_end(page, the_strongest(caption, r, TABLE_MAX, text), page->report_command,
                    ratings_pairings_sql);
}

static void write_crosstable(Page *page, const Ratings *r, const char *class)
{
    int count = r->count < CROSSTABLE_MAX ? r->count : CROSSTABLE_MAX;
    char heads[256] = "#|<Player", text[MEETING_TEXT_MAX], caption[CAPTION_MAX];
    size_t length = strlen(heads);

    for (int i = 0; i < count; i++)
        length += (size_t)snprintf(heads + length, sizeof heads - length, "|<%d", i + 1);
    html_figure(page, class, "Crosstable");
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
    html_figure_end(
        page, the_strongest(caption, r, CROSSTABLE_MAX, "Won-drawn-lost, the row's player first."),
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

/* The table of matches has the whole of a single match of two players. */
static bool is_one_match(Page *page)
{
    static const char sql[] =
        "SELECT 1 FROM gauntlets WHERE 1 = (SELECT count(*) FROM runs WHERE kind <> 'selfplay')\n"
        "AND (SELECT count(*) FROM players WHERE players.run_id = gauntlets.run_id) = 2";
    Rows rows;

    bool one = page_query(page, sql, &rows);
    rows_free(&rows);
    return one;
}

void section_strength(Page *page)
{
    Ratings ratings;

    page->status = ratings_read(page->store, page->settings->anchor, &ratings, page->err);
    if (page->status == STATUS_OK && ratings.count > 0) {
        bool generations = write_generations(page, &ratings);
        const char *class = generations ? "fold" : "wide";
        if (!generations && ratings.count > 1) headline_of_match(page, &ratings);
        if (!is_one_match(page)) write_table(page, &ratings, class);
        if (ratings.count > 2) write_crosstable(page, &ratings, class);
    }
    if (page->status == STATUS_OK && page->settings->json) json_ratings(&page->json, &ratings);
    ratings_free(&ratings);
}
