/* SPDX-License-Identifier: MIT
 * The fits of `tabia tune` and the diagnostics of the last one. */
#include "cli/page/chart.h"
#include "cli/page/sections.h"

/* ---- All fits */

static const char fits_sql[] =
    "SELECT fit_id, w.label, json ->> 'source' AS source, json ->> 'start' AS start,\n"
    "       json ->> 'n' AS positions, json ->> 'games' AS games, json ->> 'k' AS k,\n"
    "       json -> 'train' ->> 'mse_before' AS before, json -> 'train' ->> 'mse' AS training,\n"
    "       json -> 'validation' ->> 'mse_before' AS held_out_before,\n"
    "       json -> 'validation' ->> 'mse' AS held_out, json ->> 'prior' AS prior,\n"
    "       json ->> 'effective_positions' AS effective_positions,\n"
    "       json ->> 'effective_parameters' AS effective_parameters\n"
    "FROM fits JOIN weights AS w USING (weights_id)\n"
    "WHERE json -> 'train' IS NOT NULL ORDER BY fit_id";
enum { FIT, LABEL, SOURCE, START, POSITIONS, GAMES, K, LOSSES, PRIOR = LOSSES + 4, EFFECTIVE };
enum { TABLE_MAX = 200 };

static void write_fits(Page *page, const Rows *rows)
{
    FILE *out = page->out;
    int first = rows->count > TABLE_MAX ? rows->count - TABLE_MAX : 0;

    html_figure(page, "wide", "Fits");
    html_table(page, "Fit|<Weights|<Positions of|<Start|Positions|Games|K|Training before|Training|"
                     "Held out before|Held out|Prior|Effective positions|Effective parameters");
    for (int i = first; i < rows->count; i++) {
        fputs("<tr>", out);
        html_cell_int(out, rows_number(rows, i, FIT));
        for (int column = LABEL; column <= START; column++)
            html_cell_text(out, rows_text(rows, i, column));
        html_cell_int(out, rows_number(rows, i, POSITIONS));
        html_cell_int(out, rows_number(rows, i, GAMES));
        html_cell_number(out, rows_number(rows, i, K), 4, false);
        for (int column = LOSSES; column < LOSSES + 4; column++)
            html_cell_number(out, rows_number(rows, i, column), 6, false);
        fprintf(out, "<td>%g</td>", rows_number(rows, i, PRIOR));
        for (int column = PRIOR + 1; column <= EFFECTIVE + 1; column++)
            html_cell_number(out, rows_number(rows, i, column), 0, false);
        fputs("</tr>\n", out);
    }
    html_table_end(page);
    html_figure_end(
        page,
        "Losses are mean squared errors, before and after the fit. "
        "Held out: games that the fit did not use. docs/method.md explains effective positions and parameters.",
        NULL, fits_sql);
}

/* ---- The last fit */

#define LAST_FIT                                                                                   \
    "FROM fits, json_each(fits.json, '$.%s')\n"                                                    \
    "WHERE fit_id = (SELECT fit_id FROM fits WHERE fits.json -> 'train' IS NOT NULL\n"             \
    "                ORDER BY fit_id DESC LIMIT 1)"

static void write_warnings(Page *page)
{
    char sql[320];
    Rows rows;

    (void)snprintf(sql, sizeof sql, "SELECT value " LAST_FIT, "warnings");
    if (page_query(page, sql, &rows)) {
        html_figure(page, "wide", "Warnings of the last fit");
        fputs("<ul>\n", page->out);
        for (int i = 0; i < rows.count; i++) {
            fputs("<li>", page->out);
            html_text(page->out, rows_text(&rows, i, 0));
            fputs("</li>\n", page->out);
        }
        fputs("</ul>\n", page->out);
        html_figure_end(page, "As tabia tune printed them.", NULL, sql);
    }
    rows_free(&rows);
}

/* Rows of a breakdown: bounds, positions, prediction, score, error, accuracy. */
enum { FROM, TO, N, PREDICTED, SCORED, MSE, ACCURACY };

typedef struct Part {
    const char *path, *heading, *caption;
    bool chart; /* of predicted and scored points, or else a table */
} Part;

static void write_rows(Page *page, const Part *part, const Rows *rows, const char *sql)
{
    FILE *out = page->out;

    html_figure(page, "wide", part->heading);
    html_table(page, "From|To|Positions|Predicted|Scored|Error|Accuracy");
    for (int i = 0; i < rows->count; i++) {
        fputs("<tr>", out);
        html_cell_int(out, rows_number(rows, i, FROM));
        html_cell_int(out, rows_number(rows, i, TO));
        html_cell_int(out, rows_number(rows, i, N));
        for (int column = PREDICTED; column <= ACCURACY; column++)
            html_cell_number(out, rows_number(rows, i, column), column == MSE ? 5 : 3, false);
        fputs("</tr>\n", out);
    }
    html_table_end(page);
    html_figure_end(page, part->caption, NULL, sql);
}

static void write_part(Page *page, const Part *part)
{
    char sql[640];
    Rows rows;

    (void)snprintf(
        sql, sizeof sql,
        "SELECT value ->> 'from', value ->> 'to', value ->> 'n', value ->> 'predicted',\n"
        "       value ->> 'scored', value ->> 'mse', value ->> 'accuracy'\n" LAST_FIT,
        part->path);
    if (page_query(page, sql, &rows) && part->chart)
        chart_calibration(page, part->heading, rows.count, rows_column(&rows, PREDICTED),
                          rows_column(&rows, SCORED), part->caption, sql);
    else if (rows.count > 0)
        write_rows(page, part, &rows, sql);
    rows_free(&rows);
}

void section_fits(Page *page)
{
    static const Part parts[] = {
        {"train_breakdown.by_prediction", "Calibration in training",
         "White's points by the prediction of the fitted weights.", true},
        {"validation_breakdown.by_prediction", "Calibration on held-out games",
         "White's points by the prediction of the fitted weights.", true},
        {"validation_breakdown.by_phase", "Held-out positions by phase",
         "Phase 24 with all pieces, 0 without.", false},
        {"validation_breakdown.by_material", "Held-out positions by material",
         "Pawns that White is ahead by.", false},
    };
    Rows rows;

    if (page_query(page, fits_sql, &rows)) {
        write_fits(page, &rows);
        write_warnings(page);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            write_part(page, &parts[i]);
    }
    rows_free(&rows);
}
