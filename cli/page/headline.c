/* SPDX-License-Identifier: MIT
 * The first lines of the page: what came out, from how much. */
#include <string.h>

#include "cli/page/sections.h"
#include "cli/tune/weights_text.h"
#include "engine/base/text.h"

/* games: of self-play in a database of `tabia learn`, else of matches, else all. core_minutes: 0 in
 * runs of versions that did not record it. */
static const char summary_sql[] =
    "SELECT (SELECT max(generation) FROM generations WHERE stage = 'proved') AS generations,\n"
    "       coalesce((SELECT sum(json ->> 'games') FROM generations WHERE generation > 0),\n"
    "                (SELECT nullif(count(*), 0) FROM games JOIN runs USING (run_id)\n"
    "                 WHERE kind <> 'selfplay'), (SELECT count(*) FROM games)) AS games,\n"
    "       (SELECT sum(json ->> 'cpu_selfplay' + json ->> 'cpu_tune' + json ->> 'cpu_gauntlet')\n"
    "        FROM generations) / 60 AS core_minutes,\n"
    "       (SELECT json ->> 'seed' FROM generations WHERE generation = 0) AS seed,\n"
    "       (SELECT strftime('%Y-%m-%d %H:%M', min(started)) FROM runs) AS begun,\n"
    "       strftime('%Y-%m-%d %H:%M') AS now, m.state,\n"
    "       strftime('%Y-%m-%d %H:%M', m.updated) AS updated\n"
    "FROM (SELECT 1) LEFT JOIN (\n"
    "  SELECT state, updated FROM gauntlets WHERE NOT EXISTS (SELECT * FROM generations)\n"
    "  ORDER BY run_id DESC LIMIT 1) AS m";
enum { GENERATIONS, GAMES, CORE_MINUTES, SEED, BEGUN, NOW, STATE, UPDATED };

enum { LINE_MAX_TEXT = 512 };

/* 21000: "21,000". */
static void append_count(char line[LINE_MAX_TEXT], double count)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%.0f", count);

    for (int i = 0; i < length; i++)
        text_append(line, LINE_MAX_TEXT, "%s%c", i > 0 && (length - i) % 3 == 0 ? "," : "",
                    digits[i]);
}

static void append_amounts(char line[LINE_MAX_TEXT], const Rows *rows)
{
    double generations = rows_number(rows, 0, GENERATIONS);

    if (generations > 0)
        text_append(line, LINE_MAX_TEXT, "%.0f generation%s, ", generations,
                    generations == 1 ? "" : "s");
    append_count(line, rows_number(rows, 0, GAMES));
    text_append(line, LINE_MAX_TEXT, " games");
    if (generations > 0 && rows_number(rows, 0, CORE_MINUTES) > 0)
        text_append(line, LINE_MAX_TEXT, ", %.1f core-minutes", rows_number(rows, 0, CORE_MINUTES));
}

/* " to +233 ± 53 Elo over material", " is -12 ± 8 Elo against b", " won all against b (above +28
 * Elo)", " is the first of 3 players, +12 ± 8 Elo over b". */
static void append_elo(char line[LINE_MAX_TEXT], const Headline *h, bool learned)
{
    const char *bound = strchr(h->elo, ';');

    if (h->players > 2) text_append(line, LINE_MAX_TEXT, " is the first of %d players", h->players);
    if (bound)
        text_append(line, LINE_MAX_TEXT, "%s %.*s against %s (%s Elo)", learned ? ", which" : "",
                    (int)(bound - h->elo), h->elo, h->anchor, bound + 2);
    else
        text_append(line, LINE_MAX_TEXT, "%s %s Elo %s %s",
                    h->players > 2 ? ","
                    : learned      ? " to"
                                   : " is",
                    h->elo, (learned || h->players > 2) && h->elo[0] != '-' ? "over" : "against",
                    h->anchor);
    if (h->matches > 1) text_append(line, LINE_MAX_TEXT, ", the last of %d matches", h->matches);
}

/* "From the rules of chess to +233 ± 53 Elo over material: 14 generations, …", "a is +12 ± 8 Elo
 * against b: 2,000 games", after the result of a sequential test if there is one; "100 iterations,
 * gain by their games …", "5,000 games". */
static void make_line(char line[LINE_MAX_TEXT], const Headline *h, const Rows *rows)
{
    bool learned = rows_number(rows, 0, GENERATIONS) > 0;

    *line = '\0';
    if (learned)
        text_append(line, LINE_MAX_TEXT, "From %s",
                    strcmp(h->start, "zero") == 0 ? "the rules of chess" : h->start);
    if (!learned && h->test[0]) text_append(line, LINE_MAX_TEXT, "%s", h->test);
    if (h->iterations > 0)
        text_append(line, LINE_MAX_TEXT, "%d iterations, gain by their games %+.1f ± %.1f Elo",
                    h->iterations, h->gain, h->gain95);
    else if (h->anchor[0] && !learned)
        text_append(line, LINE_MAX_TEXT, "%s%s", h->test[0] ? ". " : "", h->player);
    /* Of a run without an accepted generation there are matches, but no result. */
    if (h->anchor[0] && h->iterations == 0 && !(learned && h->matches > 0))
        append_elo(line, h, learned);
    if (*line) text_append(line, LINE_MAX_TEXT, ": ");
    append_amounts(line, rows);
}

static void write_pieces(FILE *out, const Headline *h)
{
    static const char *const symbols[EVAL_MATERIAL_COUNT] = {"♟", "♞", "♝", "♜", "♛"};

    fputs("<p class=\"pieces\">", out);
    for (int i = 0; i < EVAL_MATERIAL_COUNT; i++)
        fprintf(out, "<span><span role=\"img\" aria-label=\"%s\">%s</span> %d</span>",
                weights_pieces[i], symbols[i], h->pieces[i]);
    fputs(" centipawns, means of middle game and end game</p>\n", out);
}

/* "Begun ", "Running at 2026-11-29 14:18 UTC: generation 12 of 46 took 5m10s; begun "; of the last
 * match "Finished 2026-11-29 14:18 UTC; begun ". A killed run leaves its last page, and a killed
 * match is "running". */
static void begin_state(FILE *out, const PageSettings *settings, const Rows *rows)
{
    const char *state = rows_text(rows, 0, STATE);
    bool running = strcmp(state, "running") == 0;

    if (running)
        fprintf(out, "Not finished at %s UTC", rows_text(rows, 0, NOW));
    else if (*state)
        fprintf(out, "%s %s UTC", *state == 'f' ? "Finished" : "Interrupted",
                rows_text(rows, 0, UPDATED));
    else if (settings->refresh > 0)
        fprintf(out, "Running at %s UTC", rows_text(rows, 0, NOW));
    if (settings->refresh > 0 && settings->progress) {
        fputs(": ", out);
        html_text(out, settings->progress);
    }
    fputs(*state || settings->refresh > 0 ? "; begun " : "Begun ", out);
}

void page_headline(Page *page, FILE *out)
{
    const Headline *h = &page->headline;
    char line[LINE_MAX_TEXT];
    Rows rows;

    if (page_query(page, summary_sql, &rows)) {
        make_line(line, h, &rows);
        fputs("<p class=\"headline\">", out);
        html_text(out, line);
        fputs("</p>\n<p>", out);
        begin_state(out, page->settings, &rows);
        html_text(out, rows_text(&rows, 0, BEGUN));
        fputs(" UTC", out);
        if (*rows_text(&rows, 0, SEED)) fputs(", seed ", out);
        html_text(out, rows_text(&rows, 0, SEED));
        fprintf(out, ".%s</p>\n", h->network);
        if (h->has_pieces) write_pieces(out, h);
    }
    rows_free(&rows);
}
