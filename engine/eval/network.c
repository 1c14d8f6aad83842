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
ALWAYS_INLINE void apply_to(const Change *change, int come, int gone, int first, int width,
                            const int16_t *in, int16_t *out)
{
    Units sum[WIDE];

    for (int k = 0; k < width; k++)
        sum[k] = load(in + first + k * NETWORK_HIDDEN_STEP);
    for (int i = 0; i < come; i++)
        for (int k = 0; k < width; k++)
            sum[k] += load(change->plus[i] + first + k * NETWORK_HIDDEN_STEP);
    for (int i = 0; i < gone; i++)
        for (int k = 0; k < width; k++)
            sum[k] -= load(change->minus[i] + first + k * NETWORK_HIDDEN_STEP);
    for (int k = 0; k < width; k++)
        store(out + first + k * NETWORK_HIDDEN_STEP, sum[k]);
}

ALWAYS_INLINE void apply(const Change *change, int come, int gone, int hidden, const int16_t *in,
                         int16_t *out)
{
    int first = 0;

    for (; first + WIDE * NETWORK_HIDDEN_STEP <= hidden; first += WIDE * NETWORK_HIDDEN_STEP)
        apply_to(change, come, gone, first, WIDE, in, out);
    for (; first < hidden; first += NETWORK_HIDDEN_STEP)
        apply_to(change, come, gone, first, 1, in, out);
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

ALWAYS_INLINE const int16_t *column(const Network *n, int hidden, int view, int piece, int sq)
{
    return n->input +
           network_input((Color)view, piece_color(piece), piece_type(piece), sq) * hidden;
}

/* The sums of network_update(). Where `hidden` is a constant, no loop remains for a common move. */
ALWAYS_INLINE void update_sums(const Network *network, int hidden, const Accumulator *from,
                               const Position *pos, Accumulator *acc)
{
    Change change[COLORS];
    int come = 0, gone = 0;

    for (Bitboard changed = changed_squares(from, pos); changed;) {
        int sq = pop_lsb(&changed), was = from->board[sq], is = pos->board[sq];
        for (int view = 0; view < COLORS && is != NO_PIECE; view++)
            change[view].plus[come] = column(network, hidden, view, is, sq);
        for (int view = 0; view < COLORS && was != NO_PIECE; view++)
            change[view].minus[gone] = column(network, hidden, view, was, sq);
        come += is != NO_PIECE;
        gone += was != NO_PIECE;
    }
    for (int view = 0; view < COLORS; view++) {
        const int16_t *in = from->sum[view];
        int16_t *out = acc->sum[view];
        if (come == 1 && gone == 1) /* a piece moved … */
            apply(&change[view], 1, 1, hidden, in, out);
        else if (come == 1 && gone == 2) /* … and captured */
            apply(&change[view], 1, 2, hidden, in, out);
        else
            apply(&change[view], come, gone, hidden, in, out);
    }
}

void network_update(const Network *network, const Accumulator *from, const Position *pos,
                    Accumulator *acc)
{
    switch (network->hidden) {
    case 64:
        update_sums(network, 64, from, pos, acc);
        break;
    case 128:
        update_sums(network, 128, from, pos, acc);
        break;
    case 256:
        update_sums(network, 256, from, pos, acc);
        break;
    default:
        update_sums(network, network->hidden, from, pos, acc);
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

/* Of both sides. `units` is a constant, so that each side is one block. */
ALWAYS_INLINE int sum_sides(int units, const int16_t *us, const int16_t *them, const int16_t *w)
{
    return sum_units(us, w, units, true) + sum_units(them, w + units, units, true);
}

static int sum_output(const Network *n, const int16_t *us, const int16_t *them, const int16_t *w)
{
    if (!n->squared)
        return sum_side(n->hidden, us, w, false) + sum_side(n->hidden, them, w + n->hidden, false);
    switch (n->hidden) {
    case 64:
        return sum_sides(64, us, them, w);
    case 128:
        return sum_sides(128, us, them, w);
    case 256:
        return sum_sides(256, us, them, w);
    default:
        return sum_side(n->hidden, us, w, true) + sum_side(n->hidden, them, w + n->hidden, true);
    }
}

int network_output(const Network *n, const Accumulator *acc, const Position *pos)
{
    int bucket = network_bucket(n->buckets, popcount(position_occupied(pos)));
    Color us = position_stm(pos);
    int output = sum_output(n, acc->sum[us], acc->sum[opponent(us)],
                            n->output + bucket * COLORS * n->hidden);

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
