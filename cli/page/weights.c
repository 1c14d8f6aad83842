/* SPDX-License-Identifier: MIT
 * Piece values over the generations, and the tables of squares of the best or last weights. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/board.h"
#include "cli/page/chart.h"
#include "cli/page/rows.h"
#include "cli/page/sections.h"
#include "cli/tune/weights_text.h"
#include "engine/eval/evaluation_load.h"
#include "tuner/report/network_tables.h"

/* The start and the accepted generations; in a database without generations the start and the end
 * of the last fit. */
static const char weights_sql[] =
    "WITH accepted AS (\n"
    "  SELECT g.generation, CASE g.generation WHEN 0 THEN label\n"
    "         ELSE printf('generation %d', g.generation) END AS name, header, sha256\n"
    "  FROM generations AS g JOIN weights ON CASE g.generation WHEN 0 THEN weights_id = best_id\n"
    "       ELSE sha256 = g.json ->> 'weights' AND g.json ->> 'accepted' END\n"
    "  WHERE stage = 'proved'),\n"
    "fitted AS (\n"
    "  SELECT step, label, header, sha256 FROM weights JOIN (\n"
    "    SELECT 0 AS step, start_id AS weights_id, fit_id FROM fits UNION ALL\n"
    "    SELECT 1, weights_id, fit_id FROM fits) USING (weights_id)\n"
    "  WHERE fit_id = (SELECT fit_id FROM fits ORDER BY created DESC, fit_id DESC LIMIT 1)\n"
    "        AND NOT EXISTS (SELECT * FROM generations))\n"
    "SELECT * FROM accepted UNION ALL SELECT * FROM fitted ORDER BY 1";
enum { STEP, NAME, HEADER, HASH };

typedef struct History {
    Rows rows;
    int count;
    EvalWeights *weights; /* [count]; of networks their tables */
    double *step;         /* [count] generation */
    double *values;       /* [count] of one chart's line each: [10][count] */
} History;

static Status read_history(Page *page, History *h, Error *err)
{
    Status status = rows_query(page->store, weights_sql, &h->rows, err);
    size_t n = (size_t)h->rows.count;
    Evaluation stored;

    if (status != STATUS_OK || n == 0) return status;
    h->count = h->rows.count;
    h->weights = malloc(n * sizeof *h->weights);
    h->step = malloc((1 + 2 * EVAL_MATERIAL_COUNT) * n * sizeof *h->step);
    if (!h->weights || !h->step)
        return error_set(err, STATUS_FAILED, "out of memory for the weights");
    h->values = h->step + n;
    for (int i = 0; i < h->count && status == STATUS_OK; i++) {
        const char *text = rows_text(&h->rows, i, HEADER);
        h->step[i] = rows_number(&h->rows, i, STEP);
        status =
            evaluation_parse(text, strlen(text), rows_text(&h->rows, i, NAME), &stored, NULL, err);
        if (status == STATUS_OK) evaluation_tables(&stored, &h->weights[i]);
    }
    return status;
}

/* ---- Piece values */

static void write_values(Page *page, History *h, int half)
{
    const char *heading = half == MG ? "Piece values, middle game" : "Piece values, end game";
    Chart chart = {.title = heading,
                   .x_label = "accepted generation",
                   .y_label = "centipawns",
                   .whole_x = true,
                   .from_zero = true,
                   .count = EVAL_MATERIAL_COUNT};

    html_figure(page, "", heading);
    chart.id = page->figures;
    for (int piece = 0; piece < EVAL_MATERIAL_COUNT; piece++) {
        double *values =
            h->values + (size_t)(half * EVAL_MATERIAL_COUNT + piece) * (size_t)h->count;
        for (int i = 0; i < h->count; i++)
            values[i] = h->weights[i].term[EVAL_MATERIAL + piece][half];
        chart.series[piece] =
            (Series){weights_pieces[piece], SERIES_LINE, h->count, h->step, values, NULL, NULL};
    }
    chart_write(page->out, &chart);
    html_figure_end(page, "Without the values of squares.", page->report_command, weights_sql);
}

static void json_values(JsonWriter *w, const History *h)
{
    json_array(w, "weights");
    for (int i = 0; i < h->count; i++) {
        json_object(w, NULL);
        json_string(w, "name", rows_text(&h->rows, i, NAME));
        json_string(w, "hash", rows_text(&h->rows, i, HASH));
        weights_json_pieces(w, &h->weights[i]);
        json_end_object(w);
    }
    json_end_array(w);
}

/* ---- Boards */

/* The weights of the boards and those that they are compared with. */
typedef struct Compared {
    const EvalWeights *weights, *other; /* other NULL: none, the weights themselves are shown */
    const char *heading, *caption;
    const char *hash, *other_hash; /* of weights in the database; other_hash NULL: not there */
    const char *reference;         /* the other weights then; NULL: none */
} Compared;

static double value_of(const Compared *c, int term, int half)
{
    return c->weights->term[term][half] - (c->other ? c->other->term[term][half] : 0);
}

/* A difference shows material and square together, since the two of a piece trade off. */
static void take_board(const Compared *c, int piece, int half, Board *board)
{
    for (int sq = 0; sq < SQUARES; sq++) {
        board->value[sq] = value_of(c, EVAL_PAWN_PST + piece * SQUARES + sq, half);
        if (c->other && piece < EVAL_MATERIAL_COUNT)
            board->value[sq] += value_of(c, EVAL_MATERIAL + piece, half);
        bool empty = piece == 0 && (sq < 8 || sq >= 56);
        if (empty) board->value[sq] = 0;
        board->most = fmax(board->most, fabs(board->value[sq]));
    }
}

static void write_weights(FILE *out, const Page *page, const char *hash, const char *file)
{
    char sql[160]; /* the hash is an untrusted text */

    (void)snprintf(sql, sizeof sql, "SELECT header FROM weights WHERE sha256 = '%s'", hash);
    fprintf(out, "tabia db sql %s ", page->database);
    shell_word(out, sql);
    fprintf(out, " > %s\n", file);
}

/* Lines for the shell that print the numbers of the boards. */
static void write_command(FILE *out, const Page *page, const Compared *c)
{
    write_weights(out, page, c->hash, "weights.h");
    if (c->other_hash) write_weights(out, page, c->other_hash, "other.h");
    if (!c->other) {
        fputs("tabia weights show weights.h", out);
        return;
    }
    fputs("tabia weights diff ", out);
    shell_word(out, c->other_hash ? "other.h" : c->reference);
    fputs(" weights.h", out);
}

static Status write_boards(Page *page, const Compared *c, Error *err)
{
    static const char *const halves[] = {"middle game", "end game"};
    TextStream command = {0};
    char title[64];

    html_figure(page, "wide", c->heading);
    fputs("<div class=\"boards\">\n", page->out);
    for (int piece = 0; piece < 6; piece++)
        for (int half = MG; half <= EG; half++) {
            Board board = {.id = ++page->boards, .title = title};
            (void)snprintf(title, sizeof title, "%s, %s", weights_pieces[piece], halves[half]);
            take_board(c, piece, half, &board);
            board_write(page->out, &board);
        }
    fputs("</div>\n", page->out);
    if (text_stream_open(&command)) write_command(command.out, page, c);
    bool complete = text_stream_close(&command);
    if (complete) html_figure_end(page, c->caption, command.text, weights_sql);
    text_stream_discard(&command);
    return complete ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory for the page");
}

enum { HEADING_MAX = 320 };

static Status write_maps(Page *page, const History *h, Error *err)
{
    char heading[HEADING_MAX];
    int last = h->count - 1;
    const char *name = rows_text(&h->rows, last, NAME);

    (void)snprintf(heading, sizeof heading, "Squares of %s", name);
    const Compared own = {&h->weights[last],
                          NULL,
                          heading,
                          "Centipawns that a square adds to its piece, White's view. "
                          "Each board has its own scale of colours: orange above 0, blue below.",
                          rows_text(&h->rows, last, HASH),
                          NULL,
                          NULL};
    Status status = write_boards(page, &own, err);
    if (last == 0 || status != STATUS_OK) return status;
    (void)snprintf(heading, sizeof heading, "Changes from %s to %s",
                   rows_text(&h->rows, last - 1, NAME), name);
    const Compared change = {&h->weights[last],
                             &h->weights[last - 1],
                             heading,
                             "Centipawns, material and square together.",
                             rows_text(&h->rows, last, HASH),
                             rows_text(&h->rows, last - 1, HASH),
                             NULL};
    return write_boards(page, &change, err);
}

static Status write_reference(Page *page, const History *h, Error *err)
{
    const char *reference = page->settings->reference;
    char heading[HEADING_MAX];
    Evaluation loaded;
    EvalWeights other;
    WeightsInfo info;

    if (!reference) return STATUS_OK;
    Status status = evaluation_load(reference, &loaded, &info, err);
    if (status != STATUS_OK) return error_prefix(err, "--reference");
    evaluation_tables(&loaded, &other);
    const char *name = rows_text(&h->rows, h->count - 1, NAME);
    (void)snprintf(heading, sizeof heading, "Differences of %s from %s", name, info.label);
    const Compared difference = {&h->weights[h->count - 1],
                                 &other,
                                 heading,
                                 "Centipawns, material and square together.",
                                 rows_text(&h->rows, h->count - 1, HASH),
                                 NULL,
                                 reference};
    return write_boards(page, &difference, err);
}

Status section_weights(Page *page, Error *err)
{
    History h = {0};

    Status status = read_history(page, &h, err);
    if (status == STATUS_OK && h.count == 0 && page->settings->reference)
        status = error_set(err, STATUS_USAGE,
                           "--reference: the database has no generations and no fits");
    if (status == STATUS_OK && h.count > 0) {
        bool learned = h.count > 2;
        for (int half = MG; half <= EG && learned; half++)
            write_values(page, &h, half);
        status = write_maps(page, &h, err);
        if (status == STATUS_OK) status = write_reference(page, &h, err);
    }
    if (status == STATUS_OK) json_values(&page->json, &h);
    rows_free(&h.rows);
    free(h.weights);
    free(h.step);
    return status;
}
