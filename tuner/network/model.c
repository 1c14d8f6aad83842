/* SPDX-License-Identifier: MIT
 * In blocks of 16 hidden units, with the compiler's vectors. */
#include "tuner/network/model.h"

#include <math.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/eval/network_file.h"

enum { BLOCK = NETWORK_HIDDEN_STEP, HALF = NETWORK_INPUTS / 2 };

ModelShape model_shape(int hidden, int buckets, bool squared, const NetworkKings *kings)
{
    ModelShape s = {.hidden = hidden, .buckets = buckets, .squared = squared};

    s.kings = kings ? *kings : network_kings(NULL);
    s.set = NETWORK_INPUTS * hidden;
    s.bias = s.kings.sets * s.set;
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
    for (int i = 0; i < s->set; i++)
        model[i] = (float)(input * (2 * pcg_unit(&rng) - 1));
    for (int i = s->set; i < s->bias; i++)
        model[i] = model[i - s->set];
    for (int i = s->bias; i < s->output; i++)
        model[i] = 0.25F;
    for (int i = s->output; i < s->output_bias; i++)
        model[i] = (float)(output * (2 * pcg_unit(&rng) - 1));
}

static void copy_units(float *to, const int16_t *from, int count, int quantum)
{
    for (int i = 0; i < count; i++)
        to[i] = (float)from[i] / (float)quantum;
}

void model_start_from(const ModelShape *s, const Network *n, float *model)
{
    const int sets = n->kings.sets,
              turn = s->kings.mirrored && !n->kings.mirrored ? MIRROR_FILES : 0;

    memset(model + s->output, 0, (size_t)(s->numbers - s->output) * sizeof *model);
    for (int i = 0; i < s->kings.sets * NETWORK_INPUTS; i++)
        copy_units(model + i * s->hidden,
                   n->input + (i % (sets * NETWORK_INPUTS) ^ turn) * n->hidden, n->hidden,
                   NETWORK_QA);
    copy_units(model + s->bias, n->bias, n->hidden, NETWORK_QA);
    for (int b = 0; b < s->buckets; b++) {
        int from = n->buckets == 1 ? 0 : b;
        for (int side = 0; side < COLORS; side++)
            copy_units(model + s->output + (b * COLORS + side) * s->hidden,
                       n->output + (from * COLORS + side) * n->hidden, n->hidden, NETWORK_QB);
        copy_units(model + s->output_bias + b, n->output_bias + from, 1, NETWORK_QA * NETWORK_QB);
    }
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

int model_inputs(const ModelShape *s, const ModelPosition *p, int side, uint16_t input[SQUARES])
{
    int king = 0;

    for (int m = 0; m < p->pieces; m++)
        input[m] = (uint16_t)input_of(p, m, side);
    if (!s->kings.mirrored) return 0;
    for (int m = 0; m < p->pieces; m++)
        if (input[m] / SQUARES == KING) king = s->kings.index[input[m] % SQUARES];
    for (int m = 0; m < p->pieces; m++)
        input[m] = (uint16_t)network_king_input(king, input[m]);
    return king;
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
    Lanes v = {0};
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

/* Units that are taken together: as many as stay in registers, or the step that all sizes are a
 * multiple of. Of each block the weights of all inputs fit a cache, and the rows lie together. */
enum { WIDE = 4 * BLOCK, WIDE_PARTS = WIDE / LANES, ROWS = COLORS * MODEL_TILE };

static inline int block_parts(const ModelShape *s, int first)
{
    return s->hidden - first >= WIDE ? WIDE_PARTS : PARTS;
}

static void find_rows(const ModelShape *s, const ModelPosition *positions, int count,
                      ModelTile *tile)
{
    for (int row = 0; row < COLORS * count; row++)
        model_inputs(s, &positions[row / COLORS], row % COLORS, tile->input[row]);
}

/* Where the output weights of a row begin. */
static inline int output_weights(const ModelShape *s, const ModelPosition *positions, int row)
{
    int bucket = network_bucket(s->buckets, positions[row / COLORS].pieces);
    return s->output + (bucket * COLORS + row % COLORS) * s->hidden;
}

/* The sums of a block of units, and what they add to the outputs. */
ALWAYS_INLINE void forward_block(const ModelShape *s, const float *model,
                                 const ModelPosition *positions, int count, int first, int parts,
                                 ModelTile *tile)
{
    float *sum = tile->sum + first * ROWS;

    for (int row = 0; row < COLORS * count; row++, sum += parts * LANES) {
        const float *weight = model + output_weights(s, positions, row) + first;
        float *total = tile->total[row];
        const uint16_t *input = tile->input[row];
        Lanes unit[WIDE_PARTS];
        for (int p = 0; p < parts; p++)
            unit[p] = load(model + s->bias + first + p * LANES);
        for (int m = 0; m < positions[row / COLORS].pieces; m++) {
            const float *column = model + input[m] * s->hidden + first;
            for (int p = 0; p < parts; p++)
                unit[p] += load(column + p * LANES);
        }
        for (int p = 0; p < parts; p++) {
            store(sum + p * LANES, unit[p]);
            add_to(total + p % PARTS * LANES,
                   load(weight + p * LANES) * activation(s, clamp(unit[p])));
        }
    }
}

/* The sums and outputs of all positions; the inputs of the rows are filled. */
static void run_forward(const ModelShape *s, const float *model, const ModelPosition *positions,
                        int count, ModelTile *tile)
{
    find_rows(s, positions, count, tile);
    memset(tile->total, 0, (size_t)count * COLORS * sizeof *tile->total);
    for (int first = 0, parts; first < s->hidden; first += parts * LANES) {
        parts = block_parts(s, first);
        if (parts == WIDE_PARTS)
            forward_block(s, model, positions, count, first, WIDE_PARTS, tile);
        else
            forward_block(s, model, positions, count, first, PARTS, tile);
    }
    for (int i = 0; i < count; i++) {
        int bucket = network_bucket(s->buckets, positions[i].pieces);
        tile->output[i] = model[s->output_bias + bucket];
        for (int side = 0; side < COLORS; side++) {
            float all = 0;
            for (int k = 0; k < BLOCK; k++)
                all += tile->total[i * COLORS + side][k];
            tile->output[i] += all;
        }
    }
}

float model_output(const ModelShape *s, const float *model, const ModelPosition *p)
{
    ModelTile tile;

    run_forward(s, model, p, 1, &tile);
    return tile.output[0];
}

/* Replaces the sums of a block by the slopes of the errors by them, and adds to the gradient of all
 * weights but those of the inputs. slope[count]: of the errors by the outputs. */
ALWAYS_INLINE void backward_block(const ModelShape *s, const float *model,
                                  const ModelPosition *positions, int count, const float *slope,
                                  int first, int parts, float *sum, float *gradient)
{
    const Lanes zero = all_of(0), one = all_of(1);
    float *bias = gradient + s->bias + first;

    for (int row = 0; row < COLORS * count; row++, sum += parts * LANES) {
        int weights = output_weights(s, positions, row) + first;
        const Lanes slopes = all_of(slope[row / COLORS]);
        for (int p = 0; p < parts; p++) {
            int at = p * LANES;
            Lanes x = load(sum + at), c = clamp(x), w = load(model + weights + at) * slopes;
            add_to(gradient + weights + at, slopes * activation(s, c));
            if (s->squared) w *= c + c;
            w = choose(w, zero, (x > zero) & (x < one));
            add_to(bias + at, w);
            store(sum + at, w);
        }
    }
}

/* Sorts the rows by input, those of an input in order. end[i]: of the rows of input i. */
static void sort_rows(const ModelPosition *positions, int count, int inputs, int *end,
                      ModelTile *tile)
{
    memset(end, 0, (size_t)(inputs + 1) * sizeof *end);
    for (int row = 0; row < COLORS * count; row++)
        for (int m = 0; m < positions[row / COLORS].pieces; m++)
            end[tile->input[row][m] + 1]++;
    for (int i = 0; i < inputs; i++)
        end[i + 1] += end[i];
    for (int row = 0; row < COLORS * count; row++)
        for (int m = 0; m < positions[row / COLORS].pieces; m++)
            tile->row[end[tile->input[row][m]]++] = (uint16_t)row;
}

/* The gradient of the inputs' weights of a block: each is read and written once a tile. As the rows
 * of an input are in order, the sums are those of one position after the other. */
ALWAYS_INLINE void input_block(const ModelShape *s, const int *end, int first, int parts,
                               const ModelTile *tile, float *gradient)
{
    const float *slopes = tile->sum + first * ROWS;
    float *to = gradient + first;

    for (int i = 0, next = 0; i < s->kings.sets * NETWORK_INPUTS; i++, to += s->hidden) {
        Lanes unit[WIDE_PARTS];
        if (next == end[i]) continue;
        for (int p = 0; p < parts; p++)
            unit[p] = load(to + p * LANES);
        for (; next < end[i]; next++) {
            const float *from = slopes + tile->row[next] * (parts * LANES);
            for (int p = 0; p < parts; p++)
                unit[p] += load(from + p * LANES);
        }
        for (int p = 0; p < parts; p++)
            store(to + p * LANES, unit[p]);
    }
}

double model_gradient(const ModelShape *s, const float *model, const ModelPosition *positions,
                      int count, float k, float *gradient, ModelTile *tile)
{
    int end[NETWORK_KING_BUCKETS_MAX * NETWORK_INPUTS + 1];
    double error = 0;

    run_forward(s, model, positions, count, tile);
    sort_rows(positions, count, s->kings.sets * NETWORK_INPUTS, end, tile);
    for (int i = 0; i < count; i++) {
        int bucket = network_bucket(s->buckets, positions[i].pieces);
        float predicted = 1 / (1 + expf(-k * tile->output[i]));
        float miss = predicted - positions[i].target;
        error += (double)miss * miss;
        tile->output[i] = 2 * miss * predicted * (1 - predicted) * k; /* its slope, from here on */
        gradient[s->output_bias + bucket] += tile->output[i];
    }
    for (int first = 0, parts; first < s->hidden; first += parts * LANES) {
        float *sum = tile->sum + first * ROWS;
        parts = block_parts(s, first);
        if (parts == WIDE_PARTS) {
            backward_block(s, model, positions, count, tile->output, first, WIDE_PARTS, sum,
                           gradient);
            input_block(s, end, first, WIDE_PARTS, tile, gradient);
        } else {
            backward_block(s, model, positions, count, tile->output, first, PARTS, sum, gradient);
            input_block(s, end, first, PARTS, tile, gradient);
        }
    }
    return error;
}

/* ---- Integers */

static int16_t rounded(float x, int quantum)
{
    return (int16_t)fmin(fmax(rint((double)x * quantum), INT16_MIN + 1), INT16_MAX);
}

Network *model_quantise(const ModelShape *s, const float *model)
{
    Network *n = network_create(s->hidden, s->buckets, s->squared, NETWORK_SCALE, &s->kings);

    for (int i = 0; n && i < s->numbers; i++)
        n->input[i] = rounded(model[i], i < s->output        ? NETWORK_QA
                                        : i < s->output_bias ? NETWORK_QB
                                                             : NETWORK_QA * NETWORK_QB);
    return n;
}

int model_quantised_output(const Network *n, const ModelPosition *p)
{
    Position pos = {.stm = (uint8_t)p->black};

    memset(pos.board, NO_PIECE, sizeof pos.board);
    for (int m = 0; m < p->pieces; m++) {
        Color color = p->input[m] < HALF ? WHITE : BLACK;
        int type = p->input[m] % HALF / SQUARES, sq = p->input[m] % SQUARES;
        position_put_piece(&pos, make_piece(color, (PieceType)type), sq);
    }
    return network_evaluate(n, &pos);
}
