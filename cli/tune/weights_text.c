/* SPDX-License-Identifier: MIT
 * Printing weights. */
#include "cli/tune/weights_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/eval/evaluation_write.h"
#include "engine/eval/king_squares.h"
#include "tuner/data/columns.h"

static const EvalWeights nothing; /* all 0 */

const char *const weights_pieces[6] = {"pawn", "knight", "bishop", "rook", "queen", "king"};

/* ---- Boards */

/* The background of a cell in 256 colours: red below 0, green above, deepest at `most`. */
static void shade(FILE *out, double value, double most)
{
    int depth = most > 0 ? (int)(5 * fabs(value) / most + 0.5) : 0;
    int red = value < 0 ? depth : 0, green = value > 0 ? depth : 0;

    if (depth > 0) fprintf(out, "\033[48;5;%dm", 16 + 36 * red + 6 * green);
}

static double greatest(const double *board)
{
    double most = 0;
    for (int sq = 0; sq < SQUARES; sq++)
        most = fmax(most, fabs(board[sq]));
    return most;
}

enum { COLUMNS_MAX = 80, CELL_LEAST = 4, LINE_TERMS = 11 };
#define TERM_INDENT "\n                       "

/* Columns of each file's cells, a blank before them included; returns those of all. */
static int cell_widths(double board[PHASES][SQUARES], int width[PHASES][8])
{
    int all = 0;

    for (int half = MG; half <= EG; half++)
        for (int file = 0; file < 8; file++) {
            int *most = &width[half][file];
            *most = CELL_LEAST;
            for (int sq = file; sq < SQUARES; sq += 8) {
                int length = snprintf(NULL, 0, " %.0f", board[half][sq]);
                if (length > *most) *most = length;
            }
            all += *most;
        }
    return all;
}

/* Halves [first, last]; rank 8 on top. */
static void print_halves(FILE *out, double board[PHASES][SQUARES], int width[PHASES][8], int first,
                         int last, bool colour)
{
    for (int rank = 7; rank >= -1; rank--) {
        fprintf(out, "%c", rank < 0 ? ' ' : '1' + rank);
        for (int half = first; half <= last; half++) {
            double most = greatest(board[half]);
            fputs(half == first ? "" : "  ", out);
            for (int file = 0; file < 8; file++) {
                if (rank < 0) {
                    fprintf(out, "%*c", width[half][file], 'a' + file);
                    continue;
                }
                double value = board[half][8 * rank + file];
                if (colour) shade(out, value, most);
                fprintf(out, "%*.0f", width[half][file], value);
                if (colour) fputs("\033[0m", out);
            }
        }
        fputc('\n', out);
    }
}

/* board[half][square]; eg beside mg, or below it where both would be too wide. */
static void print_boards(FILE *out, double board[PHASES][SQUARES], bool colour)
{
    int width[PHASES][8];

    if (cell_widths(board, width) + 3 <= COLUMNS_MAX) {
        print_halves(out, board, width, MG, EG, colour);
        return;
    }
    print_halves(out, board, width, MG, MG, colour);
    print_halves(out, board, width, EG, EG, colour);
}

static void take_board(const EvalWeights *w, int table, double board[PHASES][SQUARES])
{
    for (int half = MG; half <= EG; half++)
        for (int sq = 0; sq < SQUARES; sq++)
            board[half][sq] = w->term[EVAL_PAWN_PST + table * SQUARES + sq][half];
}

static void add_king(const EvalWeights *w, int piece, int king, double board[PHASES][SQUARES])
{
    for (int half = MG; half <= EG; half++)
        for (int sq = 0; sq < SQUARES; sq++)
            board[half][sq] += king_squares_own(w, piece, king, sq, half);
}

void weights_print_maps(FILE *out, const EvalWeights *w, int king, bool colour)
{
    double board[PHASES][SQUARES];

    for (int table = 0; table < COLUMN_TABLES; table++) {
        fprintf(out, "%s", weights_pieces[table]);
        if (table < EVAL_MATERIAL_COUNT)
            fprintf(out, "  mg %d, eg %d", w->term[EVAL_MATERIAL + table][MG],
                    w->term[EVAL_MATERIAL + table][EG]);
        fputc('\n', out);
        take_board(w, table, board);
        if (king >= 0 && table < KING) add_king(w, table, king, board);
        print_boards(out, board, colour);
    }
    weights_print_terms(out, w);
}

/* One line in place of two thousand numbers, which are those of w, less those of *from. */
static void print_king_squares(FILE *out, const EvalWeights *w, const EvalWeights *from,
                               const EvalTermInfo *t)
{
    double sum[PHASES] = {0, 0};
    int count = 0;

    for (int i = t->first; i < t->first + t->count; i++) {
        int mg = w->term[i][MG] - from->term[i][MG], eg = w->term[i][EG] - from->term[i][EG];
        count += mg != 0 || eg != 0;
        sum[MG] += abs(mg);
        sum[EG] += abs(eg);
    }
    if (count > 0)
        fprintf(out, "%-20s %d of %d %s, mean size mg %.1f, eg %.1f\n", t->name, count, t->count,
                from == &nothing ? "are not 0" : "differ", sum[MG] / count, sum[EG] / count);
}

void weights_print_terms(FILE *out, const EvalWeights *w)
{
    EvalFamilies families = weights_families(w) & ~(EvalFamilies)EVAL_MATERIAL_PST;

    for (const EvalTermInfo *t = eval_term_info; t->name; t++) {
        if (!(families & eval_family(t->family))) continue;
        if (t->family == EVAL_FAMILY_KING_SQUARES) {
            print_king_squares(out, w, &nothing, t);
            continue;
        }
        for (int half = MG; half <= EG; half++) {
            fprintf(out, "%-20s %s", half == MG ? t->name : "", half == MG ? "mg" : "eg");
            for (int i = 0; i < t->count; i++)
                fprintf(out, "%s %4d", i > 0 && i % LINE_TERMS == 0 ? TERM_INDENT : "",
                        w->term[t->first + i][half]);
            fputc('\n', out);
        }
    }
}

/* ---- Differences */

static bool differs(const EvalWeights *a, const EvalWeights *b, int first, int count)
{
    return memcmp(a->term[first], b->term[first], (size_t)count * sizeof a->term[0]) != 0;
}

static void print_change(FILE *out, const EvalWeights *a, const EvalWeights *b,
                         const TermErrors *errors, int term, const char *name)
{
    fprintf(out, "%-20s", name);
    for (int half = MG; half <= EG; half++) {
        int before = a->term[term][half], after = b->term[term][half];
        fprintf(out, "  %s %4d -> %4d %+5d", half == MG ? "mg" : "eg", before, after,
                after - before);
        if (errors) fprintf(out, " ±%-4.1f", errors->term[term][half]);
    }
    fputc('\n', out);
}

/* The piece's tables with material in them. */
static bool print_board_change(FILE *out, const EvalWeights *a, const EvalWeights *b, int table,
                               bool colour)
{
    double before[DIMENSIONS], after[DIMENSIONS], board[PHASES][SQUARES];
    bool any = false;

    columns_from_weights(a, COLUMNS, before);
    columns_from_weights(b, COLUMNS, after);
    for (int half = MG; half <= EG; half++)
        for (int sq = 0; sq < SQUARES; sq++) {
            int at = half * COLUMNS + table * SQUARES + sq;
            board[half][sq] = column_occurs(table * SQUARES + sq) ? after[at] - before[at] : 0;
            any |= board[half][sq] != 0;
        }
    if (!any) return false;
    fprintf(out, "%s by square, value included: mg, eg\n", weights_pieces[table]);
    print_boards(out, board, colour);
    return true;
}

void weights_print_difference(FILE *out, const EvalWeights *a, const EvalWeights *b,
                              const TermErrors *errors, bool colour)
{
    bool any = false;
    char name[64];

    for (int p = 0; p < EVAL_MATERIAL_COUNT; p++) {
        if (!differs(a, b, EVAL_MATERIAL + p, 1)) continue;
        any = true;
        print_change(out, a, b, errors, EVAL_MATERIAL + p, weights_pieces[p]);
    }
    for (int table = 0; table < COLUMN_TABLES; table++)
        any |= print_board_change(out, a, b, table, colour);
    for (const EvalTermInfo *t = eval_term_info; t->name; t++) {
        if (t->family == EVAL_FAMILY_KING_SQUARES) {
            any |= differs(a, b, t->first, t->count);
            print_king_squares(out, b, a, t);
            continue;
        }
        for (int i = 0; i < t->count; i++) {
            if (t->first < EVAL_KING_PST + SQUARES || !differs(a, b, t->first + i, 1)) continue;
            any = true;
            (void)snprintf(name, sizeof name, t->count > 1 ? "%s.%d" : "%s", t->name, i);
            print_change(out, a, b, errors, t->first + i, name);
        }
    }
    if (!any) fputs("the weights are the same\n", out);
}

/* ---- JSON and C */

static void json_pair(JsonWriter *w, const char *key, const int16_t pair[PHASES])
{
    json_array(w, key);
    json_int(w, NULL, pair[MG]);
    json_int(w, NULL, pair[EG]);
    json_end_array(w);
}

void weights_json(JsonWriter *w, const char *key, const EvalWeights *weights)
{
    EvalFamilies families = EVAL_CLASSICAL_FAMILIES | weights_families(weights);

    json_object(w, key);
    for (const EvalTermInfo *t = eval_term_info; t->name; t++) {
        if (!(families & eval_family(t->family))) continue;
        json_array(w, t->name);
        for (int i = 0; i < t->count; i++)
            json_pair(w, NULL, weights->term[t->first + i]);
        json_end_array(w);
    }
    json_end_object(w);
}

void weights_json_pieces(JsonWriter *w, const EvalWeights *weights)
{
    json_object(w, "pieces");
    for (int p = 0; p < EVAL_MATERIAL_COUNT; p++)
        json_pair(w, weights_pieces[p], weights->term[EVAL_MATERIAL + p]);
    json_end_object(w);
}

void weights_print_comment(FILE *out, const char *prefix, const char *comment)
{
    for (const char *at = comment; *at; at++) {
        if (at == comment || at[-1] == '\n') fputs(prefix, out);
        if (*at == '/' && at > comment && at[-1] == '*') fputc(' ', out);
        fputc(*at, out);
        if (at[1] == '\0' && *at != '\n') fputc('\n', out);
    }
}

static void emit_table(FILE *out, const EvalWeights *w, int table, int half, bool rank8_first)
{
    fprintf(out, "\nstatic const int %s_%s[64] = {\n", half == MG ? "mg" : "eg",
            weights_pieces[table]);
    for (int row = 0; row < 8; row++) {
        int rank = rank8_first ? 7 - row : row;
        fputs("   ", out);
        for (int file = 0; file < 8; file++)
            fprintf(out, " %4d,", w->term[EVAL_PAWN_PST + table * SQUARES + 8 * rank + file][half]);
        fputc('\n', out);
    }
    fputs("};\n", out);
}

static void emit_term(FILE *out, const EvalWeights *w, const EvalTermInfo *t)
{
    fputs("\nstatic const int ", out);
    for (const char *c = t->name; *c; c++)
        fputc(tolower((unsigned char)*c), out);
    fprintf(out, "[%d][2] = { /* mg, eg: %s */\n", t->count, t->description);
    for (int i = 0; i < t->count; i++) {
        if (t->family == EVAL_FAMILY_KING_SQUARES && i % SQUARES == 0)
            evaluation_print_kings(out, i / SQUARES);
        fprintf(out, "    {%d, %d},\n", w->term[t->first + i][MG], w->term[t->first + i][EG]);
    }
    fputs("};\n", out);
}

void weights_emit_c(FILE *out, const EvalWeights *w, bool rank8_first, const char *comment)
{
    fprintf(out, "/* Squares: %s; for White (Black: s ^ 56).\n",
            rank8_first ? "a8 first, h1 last" : "a1 first, h8 last");
    weights_print_comment(out, " * ", comment);
    fputs(" */\n", out);
    for (int half = MG; half <= EG; half++) {
        fprintf(out,
                "\n/* pawn, knight, bishop, rook, queen, king */\nstatic const int %s_value[6] = {",
                half == MG ? "mg" : "eg");
        for (int p = 0; p < EVAL_MATERIAL_COUNT; p++)
            fprintf(out, "%d, ", w->term[EVAL_MATERIAL + p][half]);
        fputs("0};\n", out);
    }
    for (int table = 0; table < COLUMN_TABLES; table++)
        for (int half = MG; half <= EG; half++)
            emit_table(out, w, table, half, rank8_first);
    for (const EvalTermInfo *t = eval_term_info; t->name; t++) {
        bool any = false;
        for (int i = 0; i < t->count; i++)
            any |= w->term[t->first + i][MG] != 0 || w->term[t->first + i][EG] != 0;
        if (t->first >= EVAL_KING_PST + SQUARES && any) emit_term(out, w, t);
    }
}

static void emit_numbers(FILE *out, const char *declaration, const int16_t *number, int count)
{
    fprintf(out, "\nstatic const int16_t %s = {", declaration);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%d,", i % 16 == 0 ? "\n    " : " ", number[i]);
    fputs("\n};\n", out);
}

void weights_emit_network(FILE *out, const Network *n, const char *comment)
{
    uint8_t bucket[NETWORK_KING_SQUARES];
    char name[128];

    fputs(
        "/* (768 -> HIDDEN) x 2 -> 1. Inputs: own pieces before the other's, pawn to king, a1 to h8,\n"
        " * as each side sees the board. output[bucket]: the side to move, the other.\n",
        out);
    weights_print_comment(out, " * ", comment);
    fprintf(
        out,
        " */\n\n#include <stdint.h>\n\nenum { HIDDEN = %d, KING_BUCKETS = %d, BUCKETS = %d, SQUARED = %d, SCALE = %d, QA = %d, QB = %d };\n",
        n->hidden, n->kings.sets, n->buckets, n->squared, n->scale, NETWORK_QA, NETWORK_QB);
    if (n->kings.mirrored) {
        network_king_table(&n->kings, bucket);
        fputs(
            "\n/* Of the own king on a1, b1, c1, d1, a2 ... d8; the board is mirrored left to right where\n"
            " * it stands on files e to h. */\nstatic const int king_bucket[32] = {",
            out);
        for (int i = 0; i < NETWORK_KING_SQUARES; i++)
            fprintf(out, "%s%d,", i % 4 == 0 ? "\n    " : " ", bucket[i]);
        fputs("\n};\n", out);
    }
    (void)snprintf(name, sizeof name, "input[KING_BUCKETS * %d * HIDDEN]", NETWORK_INPUTS);
    emit_numbers(out, name, n->input, n->kings.sets * NETWORK_INPUTS * n->hidden);
    emit_numbers(out, "bias[HIDDEN]", n->bias, n->hidden);
    emit_numbers(out, "output[BUCKETS * 2 * HIDDEN]", n->output, n->buckets * COLORS * n->hidden);
    emit_numbers(out, "output_bias[BUCKETS]", n->output_bias, n->buckets);
}
