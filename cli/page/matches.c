/* SPDX-License-Identifier: MIT
 * Every match of `tabia gauntlet` and `tabia learn`, with the path of its sequential test. */
#include <math.h>
#include <string.h>

#include "cli/match/statistics_text.h"
#include "cli/page/chart.h"
#include "cli/page/sections.h"
#include "selfplay/match/stats.h"

/* The record of a match that goes on, or whose process was killed, has no counts yet: `live` has
 * them from its games. */
static const char matches_sql[] =
    "WITH point AS (\n"
    "  SELECT run_id, game_no / 2 AS pair, CASE white WHEN 0 THEN result ELSE 2 - result END AS p\n"
    "  FROM games JOIN gauntlets USING (run_id) WHERE state = 'running' AND 0 IN (white, black)),\n"
    "pair AS (\n"
    "  SELECT run_id, sum(p = 2) AS won, sum(p = 1) AS drawn, sum(p = 0) AS lost,\n"
    "         CASE count(*) WHEN 2 THEN sum(p) END AS points FROM point GROUP BY run_id, pair),\n"
    "live AS (\n"
    "  SELECT run_id, sum(won) AS won, sum(drawn) AS drawn, sum(lost) AS lost, json_array(\n"
    "         sum(points IS 0), sum(points IS 1), sum(points IS 2), sum(points IS 3),\n"
    "         sum(points IS 4)) AS ptnml FROM pair GROUP BY run_id)\n"
    "SELECT run_id, state, min(name) FILTER (WHERE player_no = 0) AS player,\n"
    "       CASE count(*) WHEN 2 THEN min(name) FILTER (WHERE player_no = 1)\n"
    "                     ELSE (count(*) - 1) || ' others' END AS opponent,\n"
    "       coalesce(l.won, g.json ->> 'wins') AS won,\n"
    "       coalesce(l.drawn, g.json ->> 'draws') AS drawn,\n"
    "       coalesce(l.lost, g.json ->> 'losses') AS lost,\n"
    "       coalesce(l.ptnml, g.json -> 'ptnml') ->> 0 AS LL,\n"
    "       coalesce(l.ptnml, g.json -> 'ptnml') ->> 1 AS LD,\n"
    "       coalesce(l.ptnml, g.json -> 'ptnml') ->> 2 AS DD_WL,\n"
    "       coalesce(l.ptnml, g.json -> 'ptnml') ->> 3 AS WD,\n"
    "       coalesce(l.ptnml, g.json -> 'ptnml') ->> 4 AS WW, g.json ->> 'sprt' AS decision,\n"
    "       g.json ->> 'sprt_elo0' AS elo0, g.json ->> 'sprt_elo1' AS elo1,\n"
    "       g.json ->> 'sprt_alpha' AS alpha, g.json ->> 'sprt_beta' AS beta,\n"
    "       g.json ->> 'sprt_model' AS model, run_id IN (\n"
    "         SELECT min(run_id) FROM runs JOIN generations AS n USING (generation)\n"
    "         WHERE kind = 'gauntlet' AND n.json ->> 'wins' + n.json ->> 'draws' + n.json ->> 'losses' > 0\n"
    "         GROUP BY generation\n"
    "       ) AS generation_has_it\n"
    "FROM gauntlets AS g JOIN players USING (run_id) LEFT JOIN live AS l USING (run_id)\n"
    "WHERE run_id NOT IN (SELECT run_id FROM spsa) GROUP BY run_id ORDER BY run_id";
enum Column {
    RUN,
    STATE,
    PLAYER,
    OPPONENT,
    WON,
    DRAWN,
    LOST,
    PAIRS,
    DECISION = PAIRS + 5,
    ELO0,
    ELO1,
    ALPHA,
    BETA,
    MODEL,
    REPEATED
};

/* The latest of them are shown, so that the page stays small. */
enum { TABLE_MAX = 400, PATHS_MAX = 6 };

/* "H1", "H0", or that there is no decision yet, or will be none. */
static const char *decision_text(const Rows *rows, int row)
{
    const char *decision = rows_text(rows, row, DECISION);

    if (*decision == 'H') return decision;
    return strcmp(rows_text(rows, row, STATE), "running") == 0 ? "goes on" : "undecided";
}

static SprtSettings test_of(const Rows *rows, int row)
{
    return (SprtSettings){.enabled = isfinite(rows_number(rows, row, ELO0)),
                          .elo0 = rows_number(rows, row, ELO0),
                          .elo1 = rows_number(rows, row, ELO1),
                          .alpha = rows_number(rows, row, ALPHA),
                          .beta = rows_number(rows, row, BETA),
                          .model = strcmp(rows_text(rows, row, MODEL), "logistic") == 0
                                       ? SPRT_LOGISTIC
                                       : SPRT_NORMALIZED};
}

/* ---- The table */

static void write_row(FILE *out, const Rows *rows, int row)
{
    MatchScore score = rows_score(rows, row, WON, PAIRS);
    MatchStats stats;
    char elo[ELO_TEXT_MAX];
    SprtSettings test = test_of(rows, row);

    match_stats(&score, &test, &stats);
    match_elo_text(&stats, elo);
    fputs("<tr>", out);
    html_cell_text(out, rows_text(rows, row, PLAYER));
    html_cell_text(out, elo);
    html_cell_text(out, rows_text(rows, row, OPPONENT));
    html_cell_number(out, test.enabled ? stats.llr : NAN, 2, true);
    html_cell_text(out, test.enabled ? decision_text(rows, row) : "–");
    for (int column = WON; column < PAIRS + 5; column++)
        html_cell_int(out, rows_number(rows, row, column));
    html_cell_number(out, 100 * stats.los, 1, false);
    html_cell_text(out, rows_text(rows, row, STATE));
    html_cell_int(out, rows_number(rows, row, RUN));
    fputs("</tr>\n", out);
}

static void write_table(Page *page, const Rows *rows)
{
    int first = rows->count > TABLE_MAX ? rows->count - TABLE_MAX : 0;
    char caption[320];
    bool repeated = false;

    for (int i = 0; i < rows->count; i++)
        repeated |= rows_number(rows, i, REPEATED) != 0;
    html_figure(page, repeated ? "fold" : "wide", "Matches");
    html_table(page, "<Player|<Elo ± 95 %|<Opponent|LLR|<SPRT|Won|Drawn|Lost|LL|LD|DD, WL|WD|WW|"
                     "LOS %|<State|Run");
    for (int i = first; i < rows->count; i++)
        if (rows_number(rows, i, REPEATED) == 0) write_row(page->out, rows, i);
    html_table_end(page);
    (void)snprintf(caption, sizeof caption,
                   "%sThe player's view. "
                   "LL to WW: pairs of games by their results. "
                   "LLR and SPRT: of the sequential test, if the match had one.%s",
                   first > 0 ? "The latest 400 matches. " : "",
                   repeated ? " Matches of generations are in the table of generations." : "");
    html_figure_end(page, caption, page->report_command, matches_sql);
}

/* ---- How they were played */

/* Of matches that are not of generations: the players, and what holds for all games. */
static const char conditions_sql[] =
    "WITH conditions AS (\n"
    "  SELECT run_id, -1 AS player_no, 'all games' AS player, 'seed ' || seed AS who, config FROM runs\n"
    "  UNION ALL\n"
    "  SELECT run_id, player_no, name, coalesce(config ->> 'id_name', config ->> 'program',\n"
    "         'weights ' || substr(config ->> 'weights', 1, 12)), config FROM players)\n"
    "SELECT run_id, player, who, (\n"
    "         SELECT group_concat(iif(key GLOB 'option_*', value, key || ' ' || value), ', ')\n"
    "         FROM json_each(conditions.config) WHERE atom IS NOT NULL AND atom <> 0\n"
    "         AND key NOT IN ('program', 'program_sha256', 'weights', 'id_name')) AS settings\n"
    "FROM conditions JOIN runs USING (run_id) JOIN gauntlets USING (run_id)\n"
    "WHERE (generation IS NULL AND run_id NOT IN (SELECT run_id FROM spsa))\n"
    "      OR run_id = (SELECT max(run_id) FROM spsa) -- of a tuning the last match\n"
    "ORDER BY run_id DESC, player_no LIMIT 60";

/* More rows are folded. */
enum { OPEN_MAX = 6 };

void page_conditions(Page *page)
{
    Rows rows;

    if (page->conditions) return;
    page->conditions = true;
    if (page_query(page, conditions_sql, &rows)) {
        html_figure(page, rows.count > OPEN_MAX ? "fold prose" : "wide prose",
                    "Players and settings");
        html_table(page, "Run|<Player|<Program or weights|<Settings");
        for (int i = 0; i < rows.count; i++) {
            fputs("<tr>", page->out);
            html_cell_int(page->out, rows_number(&rows, i, 0));
            for (int column = 1; column < 4; column++)
                html_cell_text(page->out, rows_text(&rows, i, column));
            fputs("</tr>\n", page->out);
        }
        html_table_end(page);
        html_figure_end(page, "As the database has them, without what is 0; the latest first.",
                        NULL, conditions_sql);
    }
    rows_free(&rows);
}

/* ---- The path of a sequential test */

enum { PATH_POINTS = 200 };

/* The log-likelihood ratio after some of the pairs, the last one included. */
typedef struct Path {
    int count;
    double games[PATH_POINTS + 2], llr[PATH_POINTS + 2];
} Path;

static void follow(const Rows *pairs, const SprtSettings *test, Path *path)
{
    MatchScore score = {0};
    int step = pairs->count / PATH_POINTS + 1;

    *path = (Path){.count = 1}; /* 0 after 0 games */
    for (int i = 0; i < pairs->count; i++) {
        int points = (int)rows_count(pairs, i, 0);
        MatchStats stats;
        score.ptnml[points > 4 ? 4 : points]++;
        if ((i + 1) % step != 0 && i + 1 < pairs->count) continue;
        match_stats(&score, test, &stats);
        path->games[path->count] = 2.0 * (i + 1);
        path->llr[path->count++] = stats.llr;
    }
}

static void write_path(Page *page, const Rows *rows, int row)
{
    SprtSettings test = test_of(rows, row);
    char sql[512], heading[320], caption[256], h1[32], h0[32];
    double lower, upper;
    int64_t counted = 0; /* pairs; games that had begun before the decision are stored, too */
    Rows pairs;
    Path path;

    for (int column = PAIRS; column < PAIRS + 5; column++)
        counted += rows_count(rows, row, column);

    (void)snprintf(sql, sizeof sql,
                   "SELECT sum(CASE white WHEN 0 THEN result ELSE 2 - result END) AS half_points\n"
                   "FROM games WHERE run_id = %lld GROUP BY game_no / 2 HAVING count(*) = 2\n"
                   "ORDER BY min(game_no) LIMIT %lld -- until the decision",
                   (long long)rows_count(rows, row, RUN), (long long)counted);
    if (page_query(page, sql, &pairs)) {
        follow(&pairs, &test, &path);
        sprt_bounds(test.alpha, test.beta, &lower, &upper);
        (void)snprintf(heading, sizeof heading, "SPRT of %s against %s",
                       rows_text(rows, row, PLAYER), rows_text(rows, row, OPPONENT));
        (void)snprintf(h1, sizeof h1, "%+.2f: accepts H1", upper);
        (void)snprintf(h0, sizeof h0, "%+.2f: accepts H0", lower);
        (void)snprintf(caption, sizeof caption, "elo0 %g, elo1 %g (%s), alpha %g, beta %g: %s.",
                       test.elo0, test.elo1, rows_text(rows, row, MODEL), test.alpha, test.beta,
                       decision_text(rows, row));
        const Chart chart = {
            .x_label = "games",
            .y_label = "log-likelihood ratio",
            .count = 1,
            .wide = true,
            .all_levels = true,
            .series = {{NULL, SERIES_STEPS, path.count, path.games, path.llr, NULL, NULL, NULL}},
            .level_count = 2,
            .levels = {{h1, upper}, {h0, lower}}};
        chart_figure(page, heading, &chart, caption, page->report_command, sql);
    }
    rows_free(&pairs);
}

static void write_paths(Page *page, const Rows *rows)
{
    int first = rows->count, paths = 0;

    while (first > 0 && paths < PATHS_MAX)
        paths += isfinite(rows_number(rows, --first, ELO0));
    for (int i = first; i < rows->count; i++)
        if (isfinite(rows_number(rows, i, ELO0))) write_path(page, rows, i);
}

/* Where the ratings left none, that of the last match. */
static void take_headline(Headline *h, const Rows *rows, int row)
{
    const char *decision = rows_text(rows, row, DECISION);
    MatchScore score = rows_score(rows, row, WON, PAIRS);
    SprtSettings test = test_of(rows, row);
    MatchStats stats;
    double lower, upper;

    match_stats(&score, &test, &stats);
    if (!h->anchor[0] && row > 0 && match_games(&score) > 0) {
        match_elo_text(&stats, h->elo);
        (void)snprintf(h->player, sizeof h->player, "%s", rows_text(rows, row, PLAYER));
        (void)snprintf(h->anchor, sizeof h->anchor, "%s", rows_text(rows, row, OPPONENT));
        h->matches = row + 1;
    }
    if (!test.enabled) return;
    sprt_bounds(test.alpha, test.beta, &lower, &upper);
    (void)snprintf(
        h->test, sizeof h->test,
        "SPRT of %.40s against %.40s (elo0 %g, elo1 %g, %.20s): %s%s, LLR %.2f between %.2f and %.2f",
        rows_text(rows, row, PLAYER), rows_text(rows, row, OPPONENT), test.elo0, test.elo1,
        rows_text(rows, row, MODEL), *decision == 'H' ? "accepts " : "",
        *decision == 'H' ? decision : "undecided", stats.llr, lower, upper);
}

/* ---- JSON */

static void json_matches(JsonWriter *w, const Rows *rows)
{
    json_array(w, "matches");
    for (int i = 0; i < rows->count; i++) {
        MatchScore score = rows_score(rows, i, WON, PAIRS);
        SprtSettings test = test_of(rows, i);
        MatchStats stats;
        match_stats(&score, &test, &stats);
        json_object(w, NULL);
        json_int(w, "run_id", rows_count(rows, i, RUN));
        json_string(w, "a", rows_text(rows, i, PLAYER));
        json_string(w, "b", rows_text(rows, i, OPPONENT));
        match_json(w, &score, &stats);
        json_end_object(w);
    }
    json_end_array(w);
}

void section_matches(Page *page)
{
    Rows rows;

    if (page_query(page, matches_sql, &rows)) {
        take_headline(&page->headline, &rows, rows.count - 1);
        write_paths(page, &rows);
        write_table(page, &rows);
        page_conditions(page);
    }
    if (page->settings->json) json_matches(&page->json, &rows);
    rows_free(&rows);
}
