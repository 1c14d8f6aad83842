/* SPDX-License-Identifier: MIT
 * The network's sums and output. Loops are written for the compiler's vectorizer: the number of
 * hidden units is a multiple of 16. */
#include "engine/eval/network.h"

#include <string.h>

typedef struct Change {
    int count;
    int16_t input[COLORS][SQUARES]; /* by view */
} Change;

static void note(Change *change, Color color, PieceType type, Bitboard squares)
{
    while (squares) {
        int sq = pop_lsb(&squares);
        for (int view = 0; view < COLORS; view++)
            change->input[view][change->count] =
                (int16_t)network_input((Color)view, color, type, sq);
        change->count++;
    }
}

static inline const int16_t *column(const Network *n, int input)
{
    return n->input + input * n->hidden;
}

/* out = in + plus - minus, the change of nearly every move. */
static void add_and_subtract(int hidden, const int16_t *in, const int16_t *restrict plus,
                             const int16_t *restrict minus, int16_t *out)
{
    for (int i = 0; i < hidden; i += NETWORK_HIDDEN_STEP)
        for (int k = 0; k < NETWORK_HIDDEN_STEP; k++)
            out[i + k] = (int16_t)(in[i + k] + plus[i + k] - minus[i + k]);
}

static void add(int hidden, const int16_t *in, const int16_t *restrict plus, int16_t *out)
{
    for (int i = 0; i < hidden; i += NETWORK_HIDDEN_STEP)
        for (int k = 0; k < NETWORK_HIDDEN_STEP; k++)
            out[i + k] = (int16_t)(in[i + k] + plus[i + k]);
}

static void subtract(int hidden, const int16_t *in, const int16_t *restrict minus, int16_t *out)
{
    for (int i = 0; i < hidden; i += NETWORK_HIDDEN_STEP)
        for (int k = 0; k < NETWORK_HIDDEN_STEP; k++)
            out[i + k] = (int16_t)(in[i + k] - minus[i + k]);
}

static void apply(const Network *n, const Change *gone, const Change *come, int view,
                  const int16_t *in, int16_t *out)
{
    int pairs = gone->count < come->count ? gone->count : come->count;

    if (gone->count + come->count == 0 && in != out)
        memcpy(out, in, (size_t)n->hidden * sizeof *out);
    for (int i = 0; i < pairs; i++, in = out)
        add_and_subtract(n->hidden, in, column(n, come->input[view][i]),
                         column(n, gone->input[view][i]), out);
    for (int i = pairs; i < come->count; i++, in = out)
        add(n->hidden, in, column(n, come->input[view][i]), out);
    for (int i = pairs; i < gone->count; i++, in = out)
        subtract(n->hidden, in, column(n, gone->input[view][i]), out);
}

void network_clear(const Network *network, Accumulator *acc)
{
    memset(acc->men, 0, sizeof acc->men);
    for (int view = 0; view < COLORS; view++)
        memcpy(acc->sum[view], network->bias, (size_t)network->hidden * sizeof *network->bias);
}

void network_update(const Network *network, const Accumulator *from, const Position *pos,
                    Accumulator *acc)
{
    Change gone, come;

    gone.count = come.count = 0;
    for (int c = 0; c < COLORS; c++)
        for (int t = 0; t < PIECE_TYPES; t++) {
            Bitboard was = from->men[c][t], is = position_pieces(pos, (Color)c, (PieceType)t);
            acc->men[c][t] = is;
            if (was == is) continue;
            note(&gone, (Color)c, (PieceType)t, was & ~is);
            note(&come, (Color)c, (PieceType)t, is & ~was);
        }
    for (int view = 0; view < COLORS; view++)
        apply(network, &gone, &come, view, from->sum[view], acc->sum[view]);
}

static inline int clamp(int x)
{
    return x < 0 ? 0 : x > NETWORK_QA ? NETWORK_QA : x;
}

/* c and c * w fit in 16 bits, as network_parse() makes sure, so that the compiler can use the
 * instruction that multiplies and adds them. */
static int sum_squared(int hidden, const int16_t *restrict x, const int16_t *restrict w)
{
    int sum = 0;

    for (int i = 0; i < hidden; i += NETWORK_HIDDEN_STEP)
        for (int k = 0; k < NETWORK_HIDDEN_STEP; k++) {
            int16_t c = (int16_t)clamp(x[i + k]), cw = (int16_t)(c * w[i + k]);
            sum += c * cw;
        }
    return sum;
}

static int sum_clipped(int hidden, const int16_t *restrict x, const int16_t *restrict w)
{
    int sum = 0;

    for (int i = 0; i < hidden; i += NETWORK_HIDDEN_STEP)
        for (int k = 0; k < NETWORK_HIDDEN_STEP; k++) {
            int16_t c = (int16_t)clamp(x[i + k]);
            sum += c * w[i + k];
        }
    return sum;
}

int network_output(const Network *n, const Accumulator *acc, const Position *pos)
{
    int bucket = network_bucket(n->buckets, popcount(position_occupied(pos)));
    const int16_t *weight = n->output + bucket * COLORS * n->hidden;
    Color us = position_stm(pos);
    int (*sum)(int, const int16_t *, const int16_t *) = n->squared ? sum_squared : sum_clipped;

    int output =
        sum(n->hidden, acc->sum[us], weight) + sum(n->hidden, acc->sum[us ^ 1], weight + n->hidden);
    if (n->squared) output /= NETWORK_QA;
    return (int)((int64_t)(output + n->output_bias[bucket]) * n->scale / (NETWORK_QA * NETWORK_QB));
}

int network_evaluate(const Network *network, const Position *pos)
{
    Accumulator acc;

    network_clear(network, &acc);
    network_update(network, &acc, pos, &acc);
    return network_output(network, &acc, pos);
}
