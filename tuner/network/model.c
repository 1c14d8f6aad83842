/* SPDX-License-Identifier: MIT
 * In blocks of 16 hidden units, with the compiler's vectors. */
#include "tuner/network/model.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/eval/network_file.h"

enum { BLOCK = NETWORK_HIDDEN_STEP, HALF = NETWORK_INPUTS / 2 };

/* Of the side to move, and of the other. */
typedef struct Layer {
    alignas(64) float sum[COLORS][NETWORK_HIDDEN_MAX];
    int at[COLORS][SQUARES]; /* where the columns of the pieces begin */
} Layer;

ModelShape model_shape(int hidden, int buckets, bool squared)
{
    ModelShape s = {.hidden = hidden, .buckets = buckets, .squared = squared};

    s.bias = NETWORK_INPUTS * hidden;
    s.output = s.bias + hidden;
    s.output_bias = s.output + buckets * COLORS * hidden;
    s.numbers = s.output_bias + buckets;
    return s;
}

void model_start(const ModelShape *s, uint64_t seed, float *model)
{
    const double input = 0.1, output = 1 / sqrt(2.0 * s->hidden);
    Pcg rng;

    pcg_seed(&rng, seed, 0);
    memset(model, 0, (size_t)s->numbers * sizeof *model);
    for (int i = 0; i < s->bias; i++)
        model[i] = (float)(input * (2 * pcg_unit(&rng) - 1));
    for (int i = s->bias; i < s->output; i++)
        model[i] = 0.25F;
    for (int i = s->output; i < s->output_bias; i++)
        model[i] = (float)(output * (2 * pcg_unit(&rng) - 1));
}

/* White's input as the other side sees it. */
static inline int turned(int input)
{
    input ^= 56;
    return input < HALF ? input + HALF : input - HALF;
}

static inline int input_of(const ModelPosition *p, int piece, int side)
{
    int white = p->input[piece] ^ p->flip;
    return (int)p->black == side ? white : turned(white);
}

/* Numbers that are added at once. Compilers divide vectors longer than a register badly, and those
 * of AVX-512 gain nothing. A block has PARTS of them; the order of additions does not depend on
 * that. Functions with them are inlined, so it does not matter how they would be passed. */
#pragma GCC diagnostic ignored "-Wpsabi"
#if defined __AVX__
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
enum { PARTS = BLOCK / LANES };
typedef float Lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
typedef int Mask __attribute__((vector_size(LANES * sizeof(int)), aligned(4), may_alias));

static inline Lanes load(const float *from)
{
    return *(const Lanes *)(const void *)from;
}

static inline void store(float *to, Lanes v)
{
    *(Lanes *)(void *)to = v;
}

static inline void add_to(float *to, Lanes v)
{
    store(to, load(to) + v);
}

static inline Lanes all_of(float x)
{
    Lanes v;
    for (int k = 0; k < LANES; k++)
        v[k] = x;
    return v;
}

static inline Lanes choose(Lanes yes, Lanes no, Mask mask)
{
    return (Lanes)(((Mask)yes & mask) | ((Mask)no & ~mask));
}

static inline Lanes clamp(Lanes x)
{
    const Lanes zero = all_of(0), one = all_of(1);
    x = choose(x, zero, x > zero);
    return choose(x, one, x < one);
}

/* Of clamped sums. */
static inline Lanes activation(const ModelShape *s, Lanes c)
{
    if (s->squared) c *= c;
    return c;
}

/* Where the inputs of the pieces begin, as a side sees them. */
static void find_columns(const ModelShape *s, const ModelPosition *p, int side, int at[SQUARES])
{
    for (int m = 0; m < p->pieces; m++)
        at[m] = input_of(p, m, side) * s->hidden;
}

/* The sums of a side; returns what they add to the output. */
static float forward(const ModelShape *s, const float *model, const float *weight, int pieces,
                     const int at[SQUARES], float *sum)
{
    Lanes total[PARTS] = {{0}};
    float all = 0;

    for (int b = 0; b < s->hidden; b += BLOCK) {
        Lanes block[PARTS];
        for (int p = 0; p < PARTS; p++)
            block[p] = load(model + s->bias + b + p * LANES);
        for (int m = 0; m < pieces; m++)
            for (int p = 0; p < PARTS; p++)
                block[p] += load(model + at[m] + b + p * LANES);
        for (int p = 0; p < PARTS; p++) {
            store(sum + b + p * LANES, block[p]);
            total[p] += load(weight + b + p * LANES) * activation(s, clamp(block[p]));
        }
    }
    for (int k = 0; k < BLOCK; k++)
        all += total[k / LANES][k % LANES];
    return all;
}

/* The output; fills the layer. */
static float run_forward(const ModelShape *s, const float *model, const ModelPosition *p,
                         Layer *layer)
{
    int bucket = network_bucket(s->buckets, p->pieces);
    const float *weight = model + s->output + bucket * COLORS * s->hidden;
    float output = model[s->output_bias + bucket];

    for (int side = 0; side < COLORS; side++) {
        find_columns(s, p, side, layer->at[side]);
        output += forward(s, model, weight + side * s->hidden, p->pieces, layer->at[side],
                          layer->sum[side]);
    }
    return output;
}

float model_output(const ModelShape *s, const float *model, const ModelPosition *p)
{
    Layer layer;
    return run_forward(s, model, p, &layer);
}

/* slope: of the error by the output; at: the columns of the pieces. */
static void backward(const ModelShape *s, const float *weight, int pieces, const int at[SQUARES],
                     float slope, const float *sum, float *gradient, float *output)
{
    const Lanes zero = all_of(0), one = all_of(1), slopes = all_of(slope);

    for (int b = 0; b < s->hidden; b += BLOCK) {
        Lanes inside[PARTS];
        for (int p = 0; p < PARTS; p++) {
            int first = b + p * LANES;
            Lanes x = load(sum + first), c = clamp(x), w = load(weight + first) * slopes;
            add_to(output + first, slopes * activation(s, c));
            if (s->squared) w *= c + c;
            inside[p] = choose(w, zero, (x > zero) & (x < one));
            add_to(gradient + s->bias + first, inside[p]);
        }
        for (int m = 0; m < pieces; m++)
            for (int p = 0; p < PARTS; p++)
                add_to(gradient + at[m] + b + p * LANES, inside[p]);
    }
}

double model_gradient(const ModelShape *s, const float *model, const ModelPosition *p, float k,
                      float *gradient)
{
    Layer layer;
    int bucket = network_bucket(s->buckets, p->pieces);
    int output = s->output + bucket * COLORS * s->hidden;
    float x = run_forward(s, model, p, &layer);
    float predicted = 1 / (1 + expf(-k * x)), miss = predicted - p->target;
    float slope = 2 * miss * predicted * (1 - predicted) * k;

    gradient[s->output_bias + bucket] += slope;
    for (int side = 0; side < COLORS; side++)
        backward(s, model + output + side * s->hidden, p->pieces, layer.at[side], slope,
                 layer.sum[side], gradient, gradient + output + side * s->hidden);
    return (double)miss * miss;
}

/* ---- Integers */

static int16_t rounded(float x, int quantum)
{
    return (int16_t)fmin(fmax(rint((double)x * quantum), INT16_MIN + 1), INT16_MAX);
}

Network *model_quantise(const ModelShape *s, const float *model)
{
    Network *n = network_create(s->hidden, s->buckets, s->squared, NETWORK_SCALE);

    for (int i = 0; n && i < s->numbers; i++)
        n->input[i] = rounded(model[i], i < s->output        ? NETWORK_QA
                                        : i < s->output_bias ? NETWORK_QB
                                                             : NETWORK_QA * NETWORK_QB);
    return n;
}

int model_quantised_output(const Network *n, const ModelPosition *p)
{
    Position pos = {.stm = (uint8_t)p->black};
    Accumulator acc;

    memset(pos.board, NO_PIECE, sizeof pos.board);
    for (int m = 0; m < p->pieces; m++) {
        Color color = p->input[m] < HALF ? WHITE : BLACK;
        int type = p->input[m] % HALF / SQUARES, sq = p->input[m] % SQUARES;
        position_put_piece(&pos, make_piece(color, (PieceType)type), sq);
    }
    network_clear(n, &acc);
    network_update(n, &acc, &pos, &acc);
    return network_output(n, &acc, &pos);
}
