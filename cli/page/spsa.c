/* SPDX-License-Identifier: MIT
 * Tuning by matches: the path of each constant of a search or option of an engine that `tabia spsa`
 * moves, and the gain by its games. Weights are not drawn. Both are read from the players of its
 * iterations, whose values are on either side of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/chart.h"
#include "cli/page/sections.h"
#include "engine/base/array.h"
#include "selfplay/match/stats.h"

#define LATEST_SQL "(SELECT * FROM spsa WHERE games > 0 ORDER BY iteration DESC LIMIT 1000)"

static const char iterations_sql[] = "SELECT iteration, (wins - losses) / (0.0 + games) AS score\n"
                                     "FROM " LATEST_SQL " ORDER BY iteration";
enum { ITERATION, SCORE };

/* Constants of the search are numbers by name, options of an engine are texts NAME=VALUE. */
static const char constants_sql[] =
    "WITH pair AS (\n"
    "  SELECT iteration, a.key, a.value AS plus, b.value AS minus, instr(a.value, '=') AS at\n"
    "  FROM " LATEST_SQL ", json_each(plus) AS a JOIN json_each(minus) AS b USING (key)),\n"
    "both AS (\n"
    "  SELECT iteration, CASE at WHEN 0 THEN key ELSE substr(plus, 1, at - 1) END AS name,\n"
    "         CAST(substr(plus, at + 1) AS REAL) AS plus,\n"
    "         CAST(substr(minus, at + 1) AS REAL) AS minus FROM pair WHERE key <> 'weights')\n"
    "SELECT name, iteration, plus, minus, (plus + minus) / 2 AS value,\n"
    "       abs(plus - minus) / 2 AS distance FROM both\n"
    "WHERE name IN (SELECT name FROM both WHERE plus <> minus) ORDER BY name, iteration";
enum { NAME, ITERATION_OF, PLUS, MINUS };

/* A constant in each iteration; NAN: not known. */
typedef struct Constant {
    char name[64];
    double *value, *low, *high; /* [iterations] and its two players, ordered by value */
    double *apart;              /* [iterations] plus player's value less the other's */
    double start, now, tried;   /* tried: distance of the last players */
} Constant;

typedef struct Tuning {
    Rows rows; /* of iterations_sql */
    int count;
    int64_t room;
    Constant *items;
    double gain, gain95; /* Elo */
} Tuning;

static Constant *add_constant(Page *page, Tuning *t, const char *name)
{
    int n = t->rows.count;

    if (page->status == STATUS_OK)
        page->status = ARRAY_RESERVE(t->items, t->room, t->count + 1, page->err);
    double *values = page_alloc(page, 4 * n, sizeof *values);
    if (!values) return NULL;
    for (int i = 0; i < 4 * n; i++)
        values[i] = NAN;
    Constant *c = &t->items[t->count++];
    *c = (Constant){.value = values,
                    .low = values + n,
                    .high = values + 2 * n,
                    .apart = values + 3 * n,
                    .start = NAN,
                    .now = NAN};
    (void)snprintf(c->name, sizeof c->name, "%s", name);
    return c;
}

static void set_values(Constant *c, int i, double plus, double minus)
{
    c->low[i] = fmin(plus, minus);
    c->high[i] = fmax(plus, minus);
    c->apart[i] = plus - minus;
    c->value[i] = (plus + minus) / 2;
    if (isnan(c->start)) c->start = c->value[i];
    c->now = c->value[i];
    c->tried = fabs(plus - minus) / 2;
}

static void read_constants(Page *page, Tuning *t)
{
    Constant *c = NULL;
    Rows rows;
    int at = 0;

    bool any = page_query(page, constants_sql, &rows);
    for (int i = 0; any && i < rows.count; i++, at++) {
        if (!c || strcmp(c->name, rows_text(&rows, i, NAME)) != 0) at = 0;
        if (at == 0) c = add_constant(page, t, rows_text(&rows, i, NAME));
        if (!c) break;
        while (at + 1 < t->rows.count &&
               rows_number(&t->rows, at, ITERATION) < rows_number(&rows, i, ITERATION_OF))
            at++;
        set_values(c, at, rows_number(&rows, i, PLUS), rows_number(&rows, i, MINUS));
    }
    rows_free(&rows);
}

/* ---- The gain */

/* What the constants moved by between iterations `from` and `to` is worth, in Elo by game, by the
 * matches of iterations `first` to `end`: each is an estimate of the gradient, as SPSA takes it.
 * NAN: no estimate. A score of 51 % is taken for the slope of Elo. */
static double worth(const Tuning *t, int from, int to, int first, int end, double *error95)
{
    double sum = 0, squares = 0;
    int n = end - first;

    for (int i = first; i < end; i++) {
        double difference = elo_of_score(0.51) / 0.02 * rows_number(&t->rows, i, SCORE), gain = 0;
        for (int k = 0; k < t->count; k++) {
            const Constant *c = &t->items[k];
            double moved = c->value[to] - c->value[from], apart = c->apart[i];
            if (apart != 0 && isfinite(apart) && isfinite(moved))
                gain += moved * difference / apart;
        }
        sum += gain;
        squares += gain * gain;
    }
    *error95 = n > 1 ? 1.96 * sqrt(fmax(squares - sum * sum / n, 0) / (n - 1) / n) : NAN;
    return n > 1 ? sum / n : NAN;
}

/* A gain by the games that led to it would be too great: their luck is in both. So the moves of
 * each half of the iterations have their worth by the games of the other. The errors may depend on
 * each other, hence their sum. */
static void find_gain(Tuning *t)
{
    int n = t->rows.count, half = n / 2;
    double error;

    t->gain = worth(t, 0, half, half, n, &error);
    t->gain95 = error;
    t->gain += worth(t, half, n - 1, 0, half, &error);
    t->gain95 += error;
}

/* ---- The page */

static double moved(const Constant *c)
{
    return c->tried > 0 ? fabs(c->now - c->start) / c->tried : 0;
}

static int by_moves(const void *a, const void *b)
{
    double x = moved(a), y = moved(b);
    return (x < y) - (x > y);
}

enum { TABLE_MAX = 40 };

static void write_paths(Page *page, const Tuning *t)
{
    FILE *out = page->out;
    char caption[640];

    html_figure(page, "wide", "Constants");
    html_table(page, "<Constant|Start|Now|Tried ±|<Path");
    for (int k = 0; k < t->count && k < TABLE_MAX; k++) {
        const Constant *c = &t->items[k];
        const Series path = {"value",  SERIES_LINE, t->rows.count, rows_column(&t->rows, ITERATION),
                             c->value, c->low,      c->high,       NULL};
        fputs("<tr>", out);
        html_cell_text(out, c->name);
        html_cell_number(out, c->start, 1, false);
        html_cell_number(out, c->now, 1, false);
        html_cell_number(out, c->tried, 1, false);
        fputs("<td class=\"t\">", out);
        chart_path(page, c->name, &path);
        fputs("</td></tr>\n", out);
    }
    html_table_end(page);
    (void)snprintf(
        caption, sizeof caption,
        "Iterations %.0f to %.0f; those that moved most are first. The band is between the two players of each iteration: Tried ± is its half width in the last one, and Now their mean, before the last step and rounded as they played. The gain of the first line is an estimate from these games, which only a match can prove.",
        rows_number(&t->rows, 0, ITERATION), rows_number(&t->rows, t->rows.count - 1, ITERATION));
    html_figure_end(page, caption, page->report_command, constants_sql);
}

static void json_tuning(JsonWriter *w, const Tuning *t)
{
    json_array(w, "constants");
    for (int k = 0; k < t->count; k++) {
        json_object(w, NULL);
        json_string(w, "name", t->items[k].name);
        json_double(w, "start", t->items[k].start, 10);
        json_double(w, "now", t->items[k].now, 10);
        json_double(w, "tried", t->items[k].tried, 10);
        json_end_object(w);
    }
    json_end_array(w);
    json_double(w, "gain", t->gain, 10);
    json_double(w, "gain95", t->gain95, 10);
}

void section_tuning(Page *page)
{
    Tuning t = {.gain = NAN, .gain95 = NAN};

    if (page_query(page, iterations_sql, &t.rows)) read_constants(page, &t);
    if (page->status == STATUS_OK && t.count > 0) {
        find_gain(&t);
        page->headline.iterations = (int)rows_number(&t.rows, t.rows.count - 1, ITERATION);
        page->headline.gain = t.gain;
        page->headline.gain95 = t.gain95;
        qsort(t.items, (size_t)t.count, sizeof *t.items, by_moves);
        write_paths(page, &t);
        page_conditions(page);
    }
    if (page->status == STATUS_OK && page->settings->json) json_tuning(&page->json, &t);
    for (int k = 0; k < t.count; k++)
        free(t.items[k].value);
    free(t.items);
    rows_free(&t.rows);
}
