/* SPDX-License-Identifier: MIT
 * Calibration: predictions of the static evaluation beside results.
 * The games are the latest self-play, played by the weights that predict, so their fit had not seen
 * these positions. */
#include <math.h>

#include "cli/page/chart.h"
#include "cli/page/sections.h"

/* K turns centipawns into a prediction; it is that of the fit that made the weights. */
static const char run_sql[] =
    "SELECT r.run_id, g.generation, w.weights_id, w.label,\n"
    "       p.json ->> 'k' AS k\n"
    "FROM generations AS g JOIN runs AS r ON r.kind = 'selfplay' AND r.generation = g.generation\n"
    "     JOIN weights AS w ON w.weights_id = r.weights_a_id\n"
    "     JOIN generations AS p ON p.json ->> 'weights' = w.sha256\n"
    "WHERE g.generation > 0 AND g.stage = 'proved' ORDER BY g.generation DESC LIMIT 1";
enum { RUN, GENERATION, WEIGHTS, LABEL, K, K_MAX = 1000 };

/* Positions by their prediction, a tenth of a point each. */
enum { BINS = 10 };
enum { POSITIONS, PREDICTED, SCORED }; /* columns; the last two are means */

static void write_figure(Page *page, const Rows *run, const Rows *rows, const char *sql)
{
    const double *predicted = rows_column(rows, PREDICTED), *scored = rows_column(rows, SCORED);
    double positions = 0, error = 0;
    char caption[512];

    for (int i = 0; i < rows->count; i++) {
        positions += rows_number(rows, i, POSITIONS);
        error += rows_number(rows, i, POSITIONS) * fabs(predicted[i] - scored[i]);
    }
    (void)snprintf(
        caption, sizeof caption,
        "White's points in %.0f quiet positions of the self-play of generation %s, by the prediction of the static evaluation of %s, 1 / (1 + exp(-K cp / 400)) with K = %.3f. "
        "Its fit had not seen these games. "
        "Mean difference %.4f.",
        positions, rows_text(run, 0, GENERATION), rows_text(run, 0, LABEL), rows_number(run, 0, K),
        error / positions);
    chart_calibration(page, "Calibration", rows->count, predicted, scored, caption, sql);
}

void section_calibration(Page *page)
{
    char sql[800];
    Rows run, rows;

    /* Read as a number, since it becomes a part of SQL: the JSON is untrusted. */
    double k = page_query(page, run_sql, &run) ? rows_number(&run, 0, K) : NAN;
    if (k >= 0 && k <= K_MAX) {
        (void)snprintf(
            sql, sizeof sql,
            "SELECT count(*) AS positions, avg(predicted) AS predicted, avg(points) AS scored\n"
            "FROM (SELECT 1 / (1 + exp(-%.17g * eval(fen, %lld) / 400)) AS predicted,\n"
            "             result / 2.0 AS points\n"
            "      FROM games AS g JOIN tabia_positions AS p USING (game_id)\n"
            "      WHERE g.run_id = %lld AND flags & 3 = 0\n"
            "        AND game_no < 500 + (SELECT min(game_no) FROM games WHERE run_id = %lld))\n"
            "GROUP BY min(%d, CAST(%d * predicted AS INTEGER)) ORDER BY 2",
            k, (long long)rows_count(&run, 0, WEIGHTS), (long long)rows_count(&run, 0, RUN),
            (long long)rows_count(&run, 0, RUN), BINS - 1, BINS);
        if (page_query(page, sql, &rows) && rows.count > 1 && rows.count <= BINS)
            write_figure(page, &run, &rows, sql);
        rows_free(&rows);
    }
    rows_free(&run);
}
