/* SPDX-License-Identifier: MIT
 * Do predictions come true? The static evaluation of positions that its weights have not seen:
 * those of the games that the weights of an earlier generation played for the latest one. */
#include <math.h>

#include "cli/page/chart.h"
#include "cli/page/rows.h"
#include "cli/page/sections.h"

/* K turns centipawns into a prediction; it is that of the fit that made the weights. */
static const char run_sql[] =
    "SELECT r.run_id, g.generation, w.weights_id, w.label,\n"
    "       coalesce(p.json ->> 'k', g.json ->> 'k') AS k\n"
    "FROM generations AS g JOIN runs AS r ON r.kind = 'selfplay' AND r.generation = g.generation\n"
    "     JOIN weights AS w ON w.weights_id = r.weights_a_id\n"
    "     LEFT JOIN generations AS p ON p.json ->> 'weights' = w.sha256\n"
    "WHERE g.generation > 0 AND g.stage = 'proved' ORDER BY g.generation DESC LIMIT 1";
enum { RUN, GENERATION, WEIGHTS, LABEL, K };

/* Positions by their prediction, a tenth of a point each. */
enum { BINS = 10 };
typedef struct Calibration {
    double n[BINS], predicted[BINS], scored[BINS]; /* predicted, scored: means; NAN without n */
    double positions, error; /* error: mean |predicted - scored| over positions */
} Calibration;

/* Rows of centipawns, number of positions, points of White. */
static void calibrate(const Rows *rows, double k, Calibration *c)
{
    *c = (Calibration){.positions = 0};
    for (int i = 0; i < rows->count; i++) {
        double n = rows_number(rows, i, 1);
        double predicted = 1 / (1 + exp(-k * rows_number(rows, i, 0) / 400));
        int bin = (int)(BINS * predicted);
        if (bin >= BINS) bin = BINS - 1;
        c->n[bin] += n;
        c->predicted[bin] += n * predicted;
        c->scored[bin] += rows_number(rows, i, 2);
        c->positions += n;
    }
    for (int bin = 0; bin < BINS; bin++) {
        if (c->n[bin] > 0) c->error += fabs(c->predicted[bin] - c->scored[bin]) / c->positions;
        c->predicted[bin] /= c->n[bin];
        c->scored[bin] /= c->n[bin];
    }
}

static void write_figure(Page *page, const Rows *run, const Calibration *c, const char *sql)
{
    static const double diagonal[] = {0, 1};
    char caption[512];

    (void)snprintf(caption, sizeof caption,
                   "White's points in %.0f quiet positions of the self-play of generation %s, by "
                   "the prediction of the static evaluation of %s, 1 / (1 + exp(-K cp / 400)) with "
                   "K = %.3f. Its fit had not seen these games. Mean difference %.4f.",
                   c->positions, rows_text(run, 0, GENERATION), rows_text(run, 0, LABEL),
                   rows_number(run, 0, K), c->error);
    html_figure(page, "", "Calibration");
    const Chart chart = {
        .id = page->figures,
        .title = "Calibration",
        .x_label = "predicted points",
        .y_label = "points scored",
        .count = 2,
        .series = {{"positions", SERIES_LINE, BINS, c->predicted, c->scored, NULL, NULL},
                   {"perfect", SERIES_DASHES, 2, diagonal, diagonal, NULL, NULL}}};
    chart_write(page->out, &chart);
    html_figure_end(page, caption, NULL, sql);
}

Status section_calibration(Page *page, Error *err)
{
    char sql[512];
    Calibration c;
    Rows run, rows = {0};

    Status status = rows_query(page->store, run_sql, &run, err);
    if (status == STATUS_OK && run.count > 0) {
        (void)snprintf(sql, sizeof sql,
                       "SELECT eval(fen, %s) AS cp, count(*) AS n, sum(result) / 2.0 AS points\n"
                       "FROM games AS g JOIN tabia_positions AS p USING (game_id)\n"
                       "WHERE g.run_id = %s AND game_no < 500 AND flags & 3 = 0 GROUP BY 1",
                       rows_text(&run, 0, WEIGHTS), rows_text(&run, 0, RUN));
        status = rows_query(page->store, sql, &rows, err);
    }
    if (status == STATUS_OK && rows.count > 1) {
        calibrate(&rows, rows_number(&run, 0, K), &c);
        write_figure(page, &run, &c, sql);
    }
    rows_free(&run);
    rows_free(&rows);
    return status;
}
