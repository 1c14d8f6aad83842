/* SPDX-License-Identifier: MIT
 * The games of self-play (in a database without self-play, all games): how they end, their lengths,
 * scores and phases. Of a run of `tabia learn` generation 2 and the latest one: generation 1 is
 * mostly random moves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/chart.h"
#include "cli/page/rows.h"
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

static Status choose_sample(Page *page, Sample *s, Error *err)
{
    static const char sql[] =
        "SELECT coalesce(min(generation) FILTER (WHERE generation > 1), min(generation)),\n"
        "       max(generation), count(*) FROM runs\n"
        "WHERE kind = 'selfplay' AND EXISTS (SELECT * FROM games WHERE games.run_id = runs.run_id)";
    Rows rows;

    *s = (Sample){
        .part = "0.0", .window = "", .condition = "true", .parts = 1, .name = {"all games"}};
    Status status = rows_query(page->store, sql, &rows, err);
    if (status == STATUS_OK && isfinite(rows_number(&rows, 0, 0))) {
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
    } else if (status == STATUS_OK && rows_number(&rows, 0, 2) > 0) {
        (void)snprintf(s->condition, sizeof s->condition, "r.kind = 'selfplay'");
        (void)snprintf(s->name[0], sizeof s->name[0], "self-play");
    }
    rows_free(&rows);
    return status;
}

/* Rows of a statement: part, bin, number, per cent of the part. */
typedef struct Counts {
    Rows rows;
    int bins;         /* distinct ones, in order of appearance */
    int *bin_row;     /* [bins] a row with it */
    double *share[2]; /* [parts][bins] per cent of the part */
} Counts;

static int find_bin(const Counts *c, const char *bin)
{
    for (int i = 0; i < c->bins; i++)
        if (strcmp(rows_text(&c->rows, c->bin_row[i], 1), bin) == 0) return i;
    return -1;
}

static void take_part(Counts *c, const Sample *s, int part)
{
    for (int i = 0; i < c->rows.count; i++)
        if (rows_number(&c->rows, i, 0) == s->number[part])
            c->share[part][find_bin(c, rows_text(&c->rows, i, 1))] = rows_number(&c->rows, i, 3);
}

static Status read_counts(Page *page, const Sample *s, const char *sql, Counts *c, Error *err)
{
    *c = (Counts){.bins = 0};
    Status status = rows_query(page->store, sql, &c->rows, err);
    size_t n = (size_t)c->rows.count + 1;

    if (status != STATUS_OK) return status;
    c->bin_row = malloc(n * sizeof *c->bin_row);
    c->share[0] = calloc(PARTS_MAX * n, sizeof *c->share[0]);
    if (!c->bin_row || !c->share[0])
        return error_set(err, STATUS_FAILED, "out of memory for a chart");
    c->share[1] = c->share[0] + n;
    for (int i = 0; i < c->rows.count; i++)
        if (find_bin(c, rows_text(&c->rows, i, 1)) < 0) c->bin_row[c->bins++] = i;
    for (int part = 0; part < s->parts; part++)
        take_part(c, s, part);
    return STATUS_OK;
}

static void free_counts(Counts *c)
{
    rows_free(&c->rows);
    free(c->bin_row);
    free(c->share[0]);
}

/* ---- Figures */

typedef struct Figure {
    const char *heading, *x_label, *caption;
    const char *bin;   /* SQL: the bin of a row */
    const char *from;  /* SQL: what is counted, after `games AS g JOIN runs AS r USING (run_id)` */
    const char *order; /* SQL */
    double width;      /* of a bin of numbers; 0: bins are words, and bars are drawn */
} Figure;

/* SQL: the number of pieces of both colours on the board of a FEN. */
#define BOARD "substr(fen, 1, instr(fen, ' '))"
#define PIECES(white, black)                                                                       \
    "length(" BOARD ")\n         - length(replace(replace(" BOARD ", '" white "', ''), '" black    \
    "', ''))"
#define PHASE                                                                                      \
    "min(24, " PIECES("N", "n") "\n       + " PIECES("B", "b") "\n       + 2 * (" PIECES(          \
        "R", "r") ")\n       + 4 * (" PIECES("Q", "q") "))"

static const Figure figures[] = {
    {"Results", "per cent of games", "For White.",
     "CASE result WHEN 2 THEN 'White won' WHEN 1 THEN 'drawn' ELSE 'Black won' END", "",
     "min(-result)", 0},
    {"Ends of games", "per cent of games", "Why the referee ended them.", "e.name",
     " JOIN reasons AS e USING (reason)", "min(reason)", 0},
    {"Lengths of games", "moves of both sides (plies)", "In steps of 20 plies.",
     "ply_count / 20 * 20", "", "2", 20},
    {"Scores", "score, pawns, White's view",
     "Of the searches, in steps of half a pawn. "
     "Those beyond 10 pawns are at the ends; mates are left out. "
     "At most 500 games of each run.",
     "max(-10.0, min(10.0, floor(p.score / 50.0) / 2))",
     " JOIN tabia_positions AS p USING (game_id)", "2", 0.5},
    {"Phases", "game phase: 24 with all pieces, 0 without",
     "Of the positions played. At most 500 games of each run.", PHASE,
     " JOIN tabia_positions AS p USING (game_id)", "2", 1},
};

static void write_bars(Page *page, const Figure *f, const Sample *s, Counts *c)
{
    const char **labels = malloc(((size_t)c->bins + 1) * sizeof *labels);

    if (!labels) return;
    for (int i = 0; i < c->bins; i++)
        labels[i] = rows_text(&c->rows, c->bin_row[i], 1);
    const BarChart chart = {.id = page->figures,
                            .title = f->heading,
                            .x_label = f->x_label,
                            .count = c->bins,
                            .labels = labels,
                            .parts = s->parts,
                            .names = {s->name[0], s->name[1]},
                            .values = {c->share[0], c->share[1]}};
    chart_bars(page->out, &chart);
    free(labels);
}

/* Steps of all bins from the lowest to the highest, empty ones too. */
static Status write_steps(Page *page, const Figure *f, const Sample *s, const Counts *c, Error *err)
{
    enum { BINS_MAX = 1000000 };
    double low = INFINITY, high = -INFINITY;
    bool numbers = true;

    for (int i = 0; i < c->bins; i++) {
        numbers &= isfinite(rows_number(&c->rows, c->bin_row[i], 1)) != 0;
        low = fmin(low, rows_number(&c->rows, c->bin_row[i], 1));
        high = fmax(high, rows_number(&c->rows, c->bin_row[i], 1));
    }
    if (!numbers || !(high - low < BINS_MAX * f->width))
        return error_set(err, STATUS_DATABASE, "%s: '%s' go from %g to %g, beyond any chart",
                         store_path(page->store), f->heading, low, high);
    int steps = (int)lround((high - low) / f->width) + 2; /* the last one closes the last bin */
    double *x = calloc(3 * (size_t)steps, sizeof *x);
    if (!x) return error_set(err, STATUS_FAILED, "out of memory for a chart");
    double *y[PARTS_MAX] = {x + steps, x + 2 * steps};
    for (int i = 0; i < steps; i++)
        x[i] = low + i * f->width;
    for (int i = 0; i < c->bins; i++)
        for (int part = 0; part < s->parts; part++)
            y[part][lround((rows_number(&c->rows, c->bin_row[i], 1) - low) / f->width)] =
                c->share[part][i];
    for (int part = 0; part < s->parts; part++)
        y[part][steps - 1] = y[part][steps - 2];
    Chart chart = {.id = page->figures,
                   .title = f->heading,
                   .x_label = f->x_label,
                   .y_label = "per cent",
                   .from_zero = true,
                   .count = s->parts};
    for (int part = 0; part < s->parts; part++)
        chart.series[part] = (Series){s->name[part], SERIES_STEPS, steps, x, y[part], NULL, NULL};
    chart_write(page->out, &chart);
    free(x);
    return STATUS_OK;
}

static Status write_figure(Page *page, const Figure *f, const Sample *s, Error *err)
{
    static const char first_games[] =
        "\n      AND game_no < 500 + (SELECT min(game_no) FROM games WHERE run_id = r.run_id)";
    char sql[SQL_MAX];
    Counts c;

    bool positions = strstr(f->from, "tabia_positions") != NULL;
    bool scores = strstr(f->bin, "p.score") != NULL;
    (void)snprintf(sql, sizeof sql,
                   "SELECT %s AS part,\n       %s AS bin,\n       count(*) AS n,\n"
                   "       100.0 * count(*) / sum(count(*)) OVER (%s) AS per_cent\n"
                   "FROM games AS g JOIN runs AS r USING (run_id)%s\n"
                   "WHERE %s%s%s\nGROUP BY 1, 2 ORDER BY %s",
                   s->part, f->bin, s->window, f->from, s->condition, positions ? first_games : "",
                   scores ? " AND abs(p.score) < 30000" : "", f->order);
    Status status = read_counts(page, s, sql, &c, err);
    if (status == STATUS_OK && c.bins > 0) {
        html_figure(page, "", f->heading);
        if (f->width > 0)
            status = write_steps(page, f, s, &c, err);
        else
            write_bars(page, f, s, &c);
        html_figure_end(page, f->caption, NULL, sql);
    }
    free_counts(&c);
    return status;
}

Status section_games(Page *page, Error *err)
{
    Sample sample;

    Status status = choose_sample(page, &sample, err);
    for (size_t i = 0; i < sizeof figures / sizeof *figures && status == STATUS_OK; i++)
        status = write_figure(page, &figures[i], &sample, err);
    return status;
}
