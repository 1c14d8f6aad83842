/* SPDX-License-Identifier: MIT
 * The least squared error of tapered material and squares, found without code of Tabia, to check
 * `tabia tune`. Reads lines `FEN c9 "result"; …` from standard
 * input, minimises
 *
 *   mean of (1 / (1 + exp(-K cp / 400)) - result)^2   at K = 2, from zero weights
 *
 * by L-BFGS (Nocedal & Wright, Numerical Optimization, algorithm 7.4) from a diagonal, one weight a
 * piece, square and phase, no prior, and prints the number of positions, the loss and the passes
 * used. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 6 * 64, D = 2 * COLUMNS, MEN = 32, MEMORY = 20, STEPS = 5000, WINDOW = 100 };
static const double K = 2, ENOUGH = 1e-8; /* less gain than that over WINDOW steps is none */

typedef struct Row {
    int men;
    short column[MEN]; /* piece and square as its owner sees it, + 1; negative for Black's pieces */
    double mg, result; /* part of the middle game; White's */
} Row;

typedef struct Set {
    Row *row;
    int count, room;
} Set;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "plain_fit: %s\n", what);
    exit(EXIT_FAILURE);
}

static void read_board(const char *fen, Row *row)
{
    static const char letters[] = "PNBRQKpnbrqk";
    static const int phases[] = {0, 1, 1, 2, 4, 0};
    int rank = 7, file = 0, phase = 0;

    for (; *fen != ' ' && *fen; fen++) {
        const char *letter = strchr(letters, *fen);
        if (*fen == '/') {
            rank--;
            file = 0;
        } else if (*fen >= '1' && *fen <= '8') {
            file += *fen - '0';
        } else if (letter && row->men < MEN) {
            int piece = (int)(letter - letters), black = piece >= 6;
            int column = 64 * (piece % 6) + 8 * (black ? 7 - rank : rank) + file++ + 1;
            row->column[row->men++] = (short)(black ? -column : column);
            phase += phases[piece % 6];
        } else {
            die("no board");
        }
    }
    row->mg = (phase < 24 ? phase : 24) / 24.0;
}

static void read_line(Set *set, const char *line)
{
    const char *label = strstr(line, "c9 \"");

    if (!label) die("a line without c9");
    if (set->count == set->room) {
        set->room = 2 * set->room + 1024;
        set->row = realloc(set->row, (size_t)set->room * sizeof *set->row);
        if (!set->row) die("out of memory");
    }
    Row *row = &set->row[set->count++];
    memset(row, 0, sizeof *row);
    read_board(line, row);
    label += strlen("c9 \"");
    row->result = strncmp(label, "1/2", 3) == 0 ? 0.5 : strncmp(label, "1-0", 3) == 0;
}

/* The loss, and its gradient g[D] at w[D]: middle game first. */
static double loss(const Set *set, const double *w, double *g)
{
    double sum = 0;

    memset(g, 0, D * sizeof *g);
    for (int i = 0; i < set->count; i++) {
        const Row *row = &set->row[i];
        double cp = 0;
        for (int m = 0; m < row->men; m++) {
            int sign = row->column[m] > 0 ? 1 : -1, c = sign * row->column[m] - 1;
            cp += sign * (row->mg * w[c] + (1 - row->mg) * w[COLUMNS + c]);
        }
        double p = 1 / (1 + exp(-K * cp / 400)), error = p - row->result;
        double slope = 2 * error * p * (1 - p) * K / 400 / set->count;
        sum += error * error;
        for (int m = 0; m < row->men; m++) {
            int sign = row->column[m] > 0 ? 1 : -1, c = sign * row->column[m] - 1;
            g[c] += sign * slope * row->mg;
            g[COLUMNS + c] += sign * slope * (1 - row->mg);
        }
    }
    return sum / set->count;
}

/* Sums of squared coefficients, for the scales of the weights differ a thousand times. */
static void count_weights(const Set *set, double *weight)
{
    for (int i = 0; i < D; i++)
        weight[i] = 1e-3;
    for (int i = 0; i < set->count; i++) {
        const Row *row = &set->row[i];
        for (int m = 0; m < row->men; m++) {
            int c = abs(row->column[m]) - 1;
            weight[c] += row->mg * row->mg;
            weight[COLUMNS + c] += (1 - row->mg) * (1 - row->mg);
        }
    }
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < D; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The last steps s and changes of the gradient y, newest at (count - 1) % MEMORY. */
typedef struct Memory {
    int count;
    double s[MEMORY][D], y[MEMORY][D];
} Memory;

/* d = H g by the two-loop recursion; weight[D]: how often each weight has a say. */
static void direction(const Memory *m, const double *weight, const double *g, double *d)
{
    double alpha[MEMORY], first = 1e4;
    int oldest = m->count > MEMORY ? m->count - MEMORY : 0;

    memcpy(d, g, D * sizeof *d);
    for (int n = m->count - 1; n >= oldest; n--) {
        const double *s = m->s[n % MEMORY], *y = m->y[n % MEMORY];
        alpha[n % MEMORY] = dot(s, d) / dot(s, y);
        for (int i = 0; i < D; i++)
            d[i] -= alpha[n % MEMORY] * y[i];
    }
    if (m->count > 0) {
        const double *s = m->s[(m->count - 1) % MEMORY], *y = m->y[(m->count - 1) % MEMORY];
        double curvature = 0;
        for (int i = 0; i < D; i++)
            curvature += y[i] * y[i] / weight[i];
        first = dot(s, y) / curvature;
    }
    for (int i = 0; i < D; i++)
        d[i] *= first / weight[i];
    for (int n = oldest; n < m->count; n++) {
        const double *s = m->s[n % MEMORY];
        double beta = dot(m->y[n % MEMORY], d) / dot(s, m->y[n % MEMORY]);
        for (int i = 0; i < D; i++)
            d[i] += (alpha[n % MEMORY] - beta) * s[i];
    }
}

/* From w down to the least loss, halving steps that do not lower it. */
static double descend(const Set *set, double *w, int *passes)
{
    static Memory memory;
    double weight[D], g[D], d[D], next[D], next_g[D], past[WINDOW] = {0};
    double now = loss(set, w, g);

    count_weights(set, weight);
    for (*passes = 1; *passes < STEPS;) {
        double length = 1, then;
        direction(&memory, weight, g, d);
        do {
            for (int i = 0; i < D; i++)
                next[i] = w[i] - length * d[i];
            then = loss(set, next, next_g);
            length /= 2;
        } while (++*passes < STEPS && then > now);
        int slot = memory.count % MEMORY;
        for (int i = 0; i < D; i++) {
            memory.s[slot][i] = next[i] - w[i];
            memory.y[slot][i] = next_g[i] - g[i];
        }
        if (dot(memory.s[slot], memory.y[slot]) > 0) memory.count++;
        memcpy(w, next, sizeof next);
        memcpy(g, next_g, sizeof next_g);
        now = then;
        double before = past[*passes % WINDOW];
        past[*passes % WINDOW] = now;
        if (before != 0 && before - now < ENOUGH) break;
    }
    return now;
}

int main(void)
{
    static double w[D];
    char line[512];
    Set set = {0};
    int passes;

    while (fgets(line, sizeof line, stdin))
        read_line(&set, line);
    if (set.count == 0) die("no positions");
    double least = descend(&set, w, &passes);
    printf("%d %.9f %d\n", set.count, least, passes);
    free(set.row);
    return 0;
}
