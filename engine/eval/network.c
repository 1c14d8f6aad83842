/* SPDX-License-Identifier: MIT
 * The network's sums and output. */
#include "engine/eval/network.h"

#include <string.h>

/* Sixteen numbers, in as many registers as the machine needs. Sums wrap without harm: those of a
 * position fit (network_check()). */
#pragma GCC diagnostic ignored "-Wpsabi"
typedef uint16_t Units
    __attribute__((vector_size(NETWORK_HIDDEN_STEP * sizeof(uint16_t)), aligned(2), may_alias));

/* Units, in sixteens, that stay in registers while columns are added: those of a small network. */
enum { WIDE = 4 };

/* Columns to add and to subtract, as a view sees the pieces that came and went. */
typedef struct Change {
    int come, gone;
    const int16_t *plus[SQUARES], *minus[SQUARES];
} Change;

static inline Units load(const int16_t *from)
{
    return *(const Units *)(const void *)from;
}

static inline void store(int16_t *to, Units units)
{
    *(Units *)(void *)to = units;
}

/* out = in + change, for `width` times 16 units from `first` on. */
ALWAYS_INLINE void apply_to(const Change *change, int first, int width, const int16_t *in,
                            int16_t *out)
{
    Units sum[WIDE];

    for (int k = 0; k < width; k++)
        sum[k] = load(in + first + k * NETWORK_HIDDEN_STEP);
    for (int i = 0; i < change->come; i++)
        for (int k = 0; k < width; k++)
            sum[k] += load(change->plus[i] + first + k * NETWORK_HIDDEN_STEP);
    for (int i = 0; i < change->gone; i++)
        for (int k = 0; k < width; k++)
            sum[k] -= load(change->minus[i] + first + k * NETWORK_HIDDEN_STEP);
    for (int k = 0; k < width; k++)
        store(out + first + k * NETWORK_HIDDEN_STEP, sum[k]);
}

static void apply(const Change *change, int hidden, const int16_t *in, int16_t *out)
{
    int first = 0;

    for (; first + WIDE * NETWORK_HIDDEN_STEP <= hidden; first += WIDE * NETWORK_HIDDEN_STEP)
        apply_to(change, first, WIDE, in, out);
    for (; first < hidden; first += NETWORK_HIDDEN_STEP)
        apply_to(change, first, 1, in, out);
}

void network_clear(const Network *network, Accumulator *acc)
{
    memset(acc->by_type, 0, sizeof acc->by_type);
    memset(acc->by_color, 0, sizeof acc->by_color);
    memset(acc->board, NO_PIECE, sizeof acc->board);
    for (int view = 0; view < COLORS; view++)
        memcpy(acc->sum[view], network->bias, (size_t)network->hidden * sizeof *network->bias);
}

/* Squares where a piece came, went or was replaced. */
static Bitboard changed_squares(const Accumulator *from, const Position *pos)
{
    Bitboard changed = 0;

    for (int c = 0; c < COLORS; c++)
        changed |= from->by_color[c] ^ pos->by_color[c];
    for (int t = 0; t < PIECE_TYPES; t++)
        changed |= from->by_type[t] ^ pos->by_type[t];
    return changed;
}

static inline const int16_t *column(const Network *n, int view, int piece, int sq)
{
    return n->input +
           network_input((Color)view, piece_color(piece), piece_type(piece), sq) * n->hidden;
}

void network_update(const Network *network, const Accumulator *from, const Position *pos,
                    Accumulator *acc)
{
    Change change[COLORS];
    int come = 0, gone = 0;

    for (Bitboard changed = changed_squares(from, pos); changed;) {
        int sq = pop_lsb(&changed), was = from->board[sq], is = pos->board[sq];
        for (int view = 0; view < COLORS && is != NO_PIECE; view++)
            change[view].plus[come] = column(network, view, is, sq);
        for (int view = 0; view < COLORS && was != NO_PIECE; view++)
            change[view].minus[gone] = column(network, view, was, sq);
        come += is != NO_PIECE;
        gone += was != NO_PIECE;
    }
    for (int view = 0; view < COLORS; view++) {
        change[view].come = come;
        change[view].gone = gone;
        apply(&change[view], network->hidden, from->sum[view], acc->sum[view]);
    }
    memcpy(acc->by_type, pos->by_type, sizeof acc->by_type);
    memcpy(acc->by_color, pos->by_color, sizeof acc->by_color);
    memcpy(acc->board, pos->board, sizeof acc->board);
}

static inline int clamp(int x)
{
    return x < 0 ? 0 : x > NETWORK_QA ? NETWORK_QA : x;
}

/* c and c * w fit in 16 bits (network_check()), so that the compiler can use the instruction that
 * multiplies and adds them. It does so where the number of units is a constant above 16. */
ALWAYS_INLINE int sum_units(const int16_t *restrict x, const int16_t *restrict w, int units,
                            bool squared)
{
    int sum = 0;

    for (int i = 0; i < units; i++) {
        int16_t c = (int16_t)clamp(x[i]), factor = squared ? (int16_t)(c * w[i]) : w[i];
        sum += c * factor;
    }
    return sum;
}

ALWAYS_INLINE int sum_side(int hidden, const int16_t *x, const int16_t *w, bool squared)
{
    enum { BLOCK = WIDE * NETWORK_HIDDEN_STEP };
    int sum = 0, first = 0;

    for (; first + BLOCK <= hidden; first += BLOCK)
        sum += sum_units(x + first, w + first, BLOCK, squared);
    for (; first < hidden; first += NETWORK_HIDDEN_STEP)
        sum += sum_units(x + first, w + first, NETWORK_HIDDEN_STEP, squared);
    return sum;
}

static int sum_squared(int hidden, const int16_t *x, const int16_t *w)
{
    return sum_side(hidden, x, w, true);
}

static int sum_clipped(int hidden, const int16_t *x, const int16_t *w)
{
    return sum_side(hidden, x, w, false);
}

int network_output(const Network *n, const Accumulator *acc, const Position *pos)
{
    int bucket = network_bucket(n->buckets, popcount(position_occupied(pos)));
    const int16_t *weight = n->output + bucket * COLORS * n->hidden;
    Color us = position_stm(pos);
    int (*sum)(int, const int16_t *, const int16_t *) = n->squared ? sum_squared : sum_clipped;

    int output = sum(n->hidden, acc->sum[us], weight) +
                 sum(n->hidden, acc->sum[opponent(us)], weight + n->hidden);
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
