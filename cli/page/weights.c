/* SPDX-License-Identifier: MIT
 * Piece values over the generations, and the tables of squares of the best or last weights. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/chart.h"
#include "cli/page/sections.h"
#include "cli/tune/weights_text.h"
#include "engine/base/text.h"
#include "engine/eval/evaluation_load.h"
#include "engine/eval/king_squares.h"
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
    "  WHERE fit_id = (SELECT fit_id FROM fits ORDER BY fit_id DESC LIMIT 1)\n"
    "        AND NOT EXISTS (SELECT * FROM generations))\n"
    "SELECT * FROM accepted UNION ALL SELECT * FROM fitted ORDER BY 1";
enum { STEP, NAME, HEADER, HASH };

typedef struct History {
    Rows rows;
    EvalWeights *weights; /* [rows.count]; of networks their tables */
} History;

static void read_history(Page *page, History *h)
{
    Evaluation stored;

    *h = (History){0};
    if (!page_query(page, weights_sql, &h->rows)) return;
    h->weights = page_alloc(page, h->rows.count, sizeof *h->weights);
    for (int i = 0; i < h->rows.count && page->status == STATUS_OK; i++) {
        const char *text = rows_text(&h->rows, i, HEADER), *name = rows_text(&h->rows, i, NAME);
        page->status = evaluation_parse(text, strlen(text), name, &stored, NULL, page->err);
        if (page->status == STATUS_OK) evaluation_tables(&stored, &h->weights[i]);
        const Network *n = page->status == STATUS_OK ? evaluation_network(&stored) : NULL;
        if (n)
            (void)snprintf(page->headline.network, sizeof page->headline.network,
                           " A network of %d hidden units, %d output bucket%s.", n->hidden,
                           n->buckets, n->buckets == 1 ? "" : "s");
    }
}

/* ---- Piece values */

static void write_values(Page *page, const History *h, int half)
{
    Chart chart = {.x_label = "accepted generation",
                   .y_label = "centipawns",
                   .whole_x = true,
                   .from_zero = true,
                   .count = EVAL_MATERIAL_COUNT};
    int count = h->rows.count;
    double *values = page_alloc(page, EVAL_MATERIAL_COUNT * count, sizeof *values);

    if (!values) return;
    for (int piece = 0; piece < EVAL_MATERIAL_COUNT; piece++) {
        double *line = values + piece * count;
        for (int i = 0; i < count; i++)
            line[i] = h->weights[i].term[EVAL_MATERIAL + piece][half];
        chart.series[piece] = (Series){weights_pieces[piece],
                                       SERIES_LINE,
                                       count,
                                       rows_column(&h->rows, STEP),
                                       line,
                                       NULL,
                                       NULL,
                                       NULL};
    }
    chart_figure(page, half == MG ? "Piece values, middle game" : "Piece values, end game", &chart,
                 "Without the values of squares.", page->report_command, weights_sql);
    free(values);
}

static void json_values(JsonWriter *w, const History *h)
{
    json_array(w, "weights");
    for (int i = 0; i < h->rows.count; i++) {
        json_object(w, NULL);
        json_string(w, "name", rows_text(&h->rows, i, NAME));
        json_string(w, "hash", rows_text(&h->rows, i, HASH));
        weights_json_pieces(w, &h->weights[i]);
        json_end_object(w);
    }
    json_end_array(w);
}

static void take_headline(Headline *headline, const History *h)
{
    const EvalWeights *last = &h->weights[h->rows.count - 1];

    (void)snprintf(headline->start, sizeof headline->start, "%s", rows_text(&h->rows, 0, NAME));
    headline->has_pieces = true;
    for (int i = 0; i < EVAL_MATERIAL_COUNT; i++)
        headline->pieces[i] =
            (last->term[EVAL_MATERIAL + i][MG] + last->term[EVAL_MATERIAL + i][EG]) / 2;
}

/* ---- Boards */

/* What the last weights are compared with. */
typedef struct Other {
    const EvalWeights *weights; /* NULL: nothing, the last ones themselves are shown */
    const char *hash;           /* of weights in the database; NULL: not there */
    const char *reference;      /* the name of the weights then */
    bool kings;                 /* the last weights are shown with kings on g1 and c1 */
} Other;

static double value_of(const History *h, const Other *other, int term, int half)
{
    int value = h->weights[h->rows.count - 1].term[term][half];
    return value - (other->weights ? other->weights->term[term][half] : 0);
}

/* A difference shows material and square together, since the two of a piece trade off. */
static void take_board(const History *h, const Other *other, int piece, int half, Board *board)
{
    board->no_ends = piece == 0;
    for (int sq = 0; sq < SQUARES; sq++) {
        board->value[sq] = value_of(h, other, EVAL_PAWN_PST + piece * SQUARES + sq, half);
        if (other->weights && piece < EVAL_MATERIAL_COUNT)
            board->value[sq] += value_of(h, other, EVAL_MATERIAL + piece, half);
        if (board->no_ends && (sq < 8 || sq >= 56)) board->value[sq] = 0;
        board->most = fmax(board->most, fabs(board->value[sq]));
    }
}

/* Differences are coloured by what a square gained beside the other squares of its board, on one
 * scale for all boards. */
static void share_scale(Board boards[], int count)
{
    double most = 0;

    for (int i = 0; i < count; i++) {
        int first = boards[i].no_ends ? 8 : 0, end = SQUARES - first;
        for (int sq = first; sq < end; sq++)
            boards[i].middle += boards[i].value[sq] / (end - first);
        for (int sq = first; sq < end; sq++)
            most = fmax(most, fabs(boards[i].value[sq] - boards[i].middle));
    }
    for (int i = 0; i < count; i++)
        boards[i].most = most;
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
static void write_command(FILE *out, const Page *page, const History *h, const Other *other)
{
    write_weights(out, page, rows_text(&h->rows, h->rows.count - 1, HASH), "weights.h");
    if (other->hash) write_weights(out, page, other->hash, "other.h");
    if (!other->weights) {
        fputs(other->kings ? "tabia weights show weights.h --king g1\n"
                             "tabia weights show weights.h --king c1"
                           : "tabia weights show weights.h",
              out);
        return;
    }
    fputs("tabia weights diff ", out);
    shell_word(out, other->hash ? "other.h" : other->reference);
    fputs(" weights.h", out);
}

static void end_figure(Page *page, const char *caption, TextStream *command)
{
    if (text_stream_close(command))
        html_figure_end(page, caption, command->text, weights_sql);
    else
        page->status = error_set(page->err, STATUS_FAILED, "out of memory for the page");
    free(command->text);
}

static void end_boards(Page *page, const char *caption, const History *h, const Other *other)
{
    TextStream command;

    if (text_stream_open(&command)) write_command(command.out, page, h, other);
    end_figure(page, caption, &command);
}

static void write_boards(Page *page, const char *heading, const History *h, const Other *other)
{
    static const char *const halves[] = {"middle game", "end game"};
    const char *caption =
        other->weights
            ? "Centipawns, material and square together. Orange squares gained more than "
              "their board's mean, blue ones less, on one scale for all boards."
        : page->headline.network[0]
            ? "What the network gains by the piece on the square, in centipawns, as a mean over the "
              "positions of the bench. "
              "Each board has its own scale of colours: orange above 0, blue below."
            : "Centipawns that a square adds to its piece, White's view. "
              "Each board has its own scale of colours: orange above 0, blue below.";
    Board boards[6 * 2] = {{.most = 0}};
    char title[64];

    html_figure(page, "wide", heading);
    fputs("<div class=\"boards\">\n", page->out);
    for (int i = 0; i < 6 * 2; i++)
        take_board(h, other, i / 2, i % 2, &boards[i]);
    if (other->weights) share_scale(boards, 6 * 2);
    for (int i = 0; i < 6 * 2; i++) {
        (void)snprintf(title, sizeof title, "%s, %s", weights_pieces[i / 2], halves[i % 2]);
        board_write(page, title, &boards[i]);
    }
    fputs("</div>\n", page->out);
    end_boards(page, caption, h, other);
}

/* A piece's squares with what its own king on a square of its first rank adds. */
static void take_king_board(const EvalWeights *w, int piece, int king, int half, Board *board)
{
    for (int sq = 0; sq < SQUARES; sq++) {
        board->value[sq] = w->term[EVAL_PAWN_PST + piece * SQUARES + sq][half] +
                           king_squares_own(w, piece, king, sq, half);
        board->most = fmax(board->most, fabs(board->value[sq]));
    }
}

/* How the squares differ with the king castled short and long. */
static void write_king_boards(Page *page, const History *h)
{
    static const int kings[] = {6, 2}; /* g1, c1 */
    const EvalWeights *w = &h->weights[h->rows.count - 1];
    char title[64];

    if (!(weights_families(w) & eval_family(EVAL_FAMILY_KING_SQUARES))) return;
    html_figure(page, "wide", "Squares with the own king on g1 and on c1");
    fputs("<div class=\"boards\">\n", page->out);
    for (int piece = PAWN; piece < KING; piece++)
        for (int k = 0; k < 2; k++) {
            Board board = {.most = 0};
            (void)snprintf(title, sizeof title, "%s, king on %c1", weights_pieces[piece],
                           'a' + kings[k]);
            take_king_board(w, piece, kings[k], MG, &board);
            board_write(page, title, &board);
        }
    fputs("</div>\n", page->out);
    end_boards(page, "Middle game; the piece's own table is added.", h, &(Other){.kings = true});
}

/* ---- Other terms */

/* How much a term can matter: the size of a value, or the distance from the least of several to the
 * greatest. */
static int spread(const EvalWeights *w, const EvalTermInfo *t, int half)
{
    int least = w->term[t->first][half], greatest = least;

    for (int i = 1; i < t->count; i++) {
        int value = w->term[t->first + i][half];
        least = value < least ? value : least;
        greatest = value > greatest ? value : greatest;
    }
    return t->count > 1 ? greatest - least : abs(least);
}

static EvalFamilies other_families(const EvalWeights *w)
{
    return weights_families(w) & EVAL_CLASSICAL_FAMILIES & ~(EvalFamilies)EVAL_MATERIAL_PST;
}

static void write_family(Page *page, const EvalWeights *w, int family)
{
    double values[PHASES][EVAL_TERM_ROWS];
    char names[EVAL_TERM_ROWS][32], label[64];
    const char *labels[EVAL_TERM_ROWS];
    BarChart chart = {
        label, 0, labels, PHASES, {"middle game", "end game"}, {values[MG], values[EG]}};

    for (const EvalTermInfo *t = eval_term_info; t->name; t++) {
        if (t->family != family) continue;
        char *name = names[chart.count];
        (void)snprintf(name, sizeof *names, "%s", t->name);
        for (char *c = name; *c; c++)
            *c = (char)(*c == '_' ? ' ' : tolower((unsigned char)*c));
        for (int half = MG; half <= EG; half++)
            values[half][chart.count] = spread(w, t, half);
        labels[chart.count++] = name;
    }
    (void)snprintf(label, sizeof label, "%s, centipawns", eval_family_name[family]);
    bars_write(page, eval_family_name[family], &chart);
}

static void write_terms(Page *page, const History *h)
{
    const EvalWeights *w = &h->weights[h->rows.count - 1];
    EvalFamilies families = other_families(w);

    if (!families) return;
    html_figure(page, "wide", "Other terms, by family");
    fputs("<div class=\"boards\">\n", page->out);
    for (int family = 0; family < EVAL_FAMILIES; family++)
        if (families & eval_family(family)) write_family(page, w, family);
    fputs("</div>\n", page->out);
    html_figure_end(page,
                    "The size of a term's value, or the distance from the least of its values to "
                    "the greatest. Each family has its own scale.",
                    page->report_command, weights_sql);
}

static void json_terms(JsonWriter *json, const History *h)
{
    const EvalWeights *w = &h->weights[h->rows.count - 1];

    json_object(json, "terms");
    for (const EvalTermInfo *t = eval_term_info; t->name; t++) {
        if (!(other_families(w) & eval_family(t->family))) continue;
        json_array(json, t->name);
        for (int half = MG; half <= EG; half++)
            json_int(json, NULL, spread(w, t, half));
        json_end_array(json);
    }
    json_end_object(json);
}

/* ---- Squares over the generations */

enum { SHOWN_MAX = 8 };

/* The accepted generations that are shown, closer together at the beginning. */
static int choose_shown(int last, int shown[SHOWN_MAX])
{
    int count = 0;

    for (int k = 0; k < SHOWN_MAX; k++) {
        int i = (int)lround(pow(last, k / (SHOWN_MAX - 1.0)));
        if (count == 0 || i > shown[count - 1]) shown[count++] = i;
    }
    return count;
}

static void end_heat(Page *page, const History *h, const int *shown, int count)
{
    TextStream command;

    if (text_stream_open(&command))
        for (int k = 0; k < count; k++) {
            write_weights(command.out, page, rows_text(&h->rows, shown[k], HASH), "weights.h");
            fprintf(command.out, "tabia weights show weights.h%s", k + 1 < count ? "\n" : "");
        }
    end_figure(
        page,
        "Middle game. "
        "Orange squares are above the mean of their board, blue ones below, on one scale for each piece.",
        &command);
}

/* A row of small boards for each piece. */
static void write_heat(Page *page, const History *h)
{
    int shown[SHOWN_MAX], count = choose_shown(h->rows.count - 1, shown);
    char title[64], heads[SHOWN_MAX * 32] = "<Piece";
    Board boards[6 * SHOWN_MAX] = {{.most = 0}};

    for (int i = 0; i < 6 * count; i++) {
        Board *b = &boards[i];
        int piece = i / count;
        b->no_ends = piece == 0;
        for (int sq = b->no_ends ? 8 : 0; sq < (b->no_ends ? 56 : SQUARES); sq++)
            b->value[sq] =
                h->weights[shown[i % count]].term[EVAL_PAWN_PST + piece * SQUARES + sq][MG];
    }
    for (int piece = 0; piece < 6; piece++)
        share_scale(&boards[piece * count], count);
    for (int k = 0; k < count; k++)
        text_append(heads, sizeof heads, "|<Gen. %s", rows_text(&h->rows, shown[k], STEP));
    html_figure(page, "wide heat", "Squares over the generations");
    html_table(page, heads);
    for (int i = 0; i < 6 * count; i++) {
        if (i % count == 0)
            fprintf(page->out, "<tr><td class=\"t\">%s</td>", weights_pieces[i / count]);
        (void)snprintf(title, sizeof title, "%s, generation %.20s", weights_pieces[i / count],
                       rows_text(&h->rows, shown[i % count], STEP));
        fputs("<td class=\"t\">", page->out);
        board_small(page, title, &boards[i]);
        fputs((i + 1) % count == 0 ? "</td></tr>\n" : "</td>", page->out);
    }
    html_table_end(page);
    end_heat(page, h, shown, count);
}

enum { HEADING_MAX = 320 };

static void write_maps(Page *page, const History *h)
{
    char heading[HEADING_MAX];
    int last = h->rows.count - 1;
    const char *name = rows_text(&h->rows, last, NAME);

    (void)snprintf(heading, sizeof heading, "Squares of %s", name);
    write_boards(page, heading, h, &(Other){0});
    write_king_boards(page, h);
    write_terms(page, h);
    if (last > 1) write_heat(page, h);
    if (last != 1) return;
    (void)snprintf(heading, sizeof heading, "Changes from %s to %s",
                   rows_text(&h->rows, last - 1, NAME), name);
    const Other before = {.weights = &h->weights[last - 1],
                          .hash = rows_text(&h->rows, last - 1, HASH)};
    write_boards(page, heading, h, &before);
}

static void write_reference(Page *page, const History *h)
{
    const char *reference = page->settings->reference;
    char heading[HEADING_MAX];
    Evaluation loaded;
    EvalWeights weights;
    WeightsInfo info;

    page->status = evaluation_load(reference, &loaded, &info, page->err);
    if (page->status != STATUS_OK) {
        (void)error_prefix(page->err, "--reference");
        return;
    }
    evaluation_tables(&loaded, &weights);
    (void)snprintf(heading, sizeof heading, "Differences of %s from %s",
                   rows_text(&h->rows, h->rows.count - 1, NAME), info.label);
    write_boards(page, heading, h, &(Other){.weights = &weights, .reference = reference});
}

void section_weights(Page *page)
{
    const char *reference = page->settings->reference;
    History h;

    read_history(page, &h);
    int count = page->status == STATUS_OK ? h.rows.count : 0;
    for (int half = MG; half <= EG && count > 2; half++)
        write_values(page, &h, half);
    if (count > 0) take_headline(&page->headline, &h);
    if (count > 0) write_maps(page, &h);
    if (page->status == STATUS_OK && reference && count > 0)
        write_reference(page, &h);
    else if (page->status == STATUS_OK && reference)
        page->status = error_set(page->err, STATUS_USAGE,
                                 "--reference: the database has no generations and no fits");
    if (page->status == STATUS_OK && page->settings->json) json_values(&page->json, &h);
    if (page->status == STATUS_OK && page->settings->json && count > 0) json_terms(&page->json, &h);
    rows_free(&h.rows);
    free(h.weights);
}
