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

static void clear_board(NetworkBoard *of)
{
    *of = (NetworkBoard){.by_type = {0}};
    memset(of->board, NO_PIECE, sizeof of->board);
}

static void copy_sums(const Network *network, const int16_t *from, int16_t *to)
{
    memcpy(to, from, (size_t)network->hidden * sizeof *to);
}

static void clear_view(const Network *network, NetworkView *view)
{
    clear_board(&view->of);
    copy_sums(network, network->bias, view->sum);
}

/* The sums of no pieces are the same for any kings. */
void network_clear(const Network *network, Accumulator *acc)
{
    clear_board(&acc->of);
    acc->key = 0;
    for (int view = 0; view < COLORS; view++) {
        acc->king[view] = 0;
        copy_sums(network, network->bias, acc->sum[view]);
    }
}

void network_clear_cache(const Network *network, NetworkCache *cache)
{
    for (int view = 0; view < COLORS; view++)
        for (int king = 0; king < 2 * NETWORK_KING_BUCKETS_MAX; king++)
            clear_view(network, &cache->view[view][king]);
}

static void remember(const Position *pos, NetworkBoard *of)
{
    memcpy(of->by_type, pos->by_type, sizeof of->by_type);
    memcpy(of->by_color, pos->by_color, sizeof of->by_color);
    memcpy(of->board, pos->board, sizeof of->board);
}

/* Squares where a piece came, went or was replaced. */
static Bitboard changed_squares(const NetworkBoard *from, const Position *pos)
{
    Bitboard changed = 0;

    for (int c = 0; c < COLORS; c++)
        changed |= from->by_color[c] ^ pos->by_color[c];
    for (int t = 0; t < PIECE_TYPES; t++)
        changed |= from->by_type[t] ^ pos->by_type[t];
    return changed;
}

ALWAYS_INLINE const int16_t *column(const Network *n, int hidden, int view, int king, int piece,
                                    int sq)
{
    int input = network_input((Color)view, piece_color(piece), piece_type(piece), sq);
    return n->input + network_king_input(king, input) * hidden;
}

/* Views `first` to `last` of a position, from others of the board *from. king[COLORS]: of the
 * views, in[COLORS] and out[COLORS]: their sums. Where `hidden` is a constant, no loop remains for
 * a common move. */
ALWAYS_INLINE void update_sums(const Network *n, int hidden, int first, int last, const int *king,
                               const NetworkBoard *from, const Position *pos,
                               const int16_t *const *in, int16_t *const *out)
{
    Change change[COLORS];
    int come = 0, gone = 0;

    for (Bitboard changed = changed_squares(from, pos); changed;) {
        int sq = pop_lsb(&changed), was = from->board[sq], is = pos->board[sq];
        for (int view = first; view <= last && is != NO_PIECE; view++)
            change[view].plus[come] = column(n, hidden, view, king[view], is, sq);
        for (int view = first; view <= last && was != NO_PIECE; view++)
            change[view].minus[gone] = column(n, hidden, view, king[view], was, sq);
        come += is != NO_PIECE;
        gone += was != NO_PIECE;
    }
    for (int view = first; view <= last; view++) {
        if (come == 1 && gone == 1) /* a piece moved … */
            apply(&change[view], 1, 1, hidden, in[view], out[view]);
        else if (come == 1 && gone == 2) /* … and captured */
            apply(&change[view], 1, 2, hidden, in[view], out[view]);
        else
            apply(&change[view], come, gone, hidden, in[view], out[view]);
    }
}

/* Both views from those of *from, whose kings are the same. */
ALWAYS_INLINE void update_both(const Network *n, const int *king, const Accumulator *from,
                               const Position *pos, Accumulator *acc)
{
    const int16_t *const in[COLORS] = {from->sum[WHITE], from->sum[BLACK]};
    int16_t *const out[COLORS] = {acc->sum[WHITE], acc->sum[BLACK]};

    switch (n->hidden) {
    case 64:
        update_sums(n, 64, WHITE, BLACK, king, &from->of, pos, in, out);
        break;
    case 128:
        update_sums(n, 128, WHITE, BLACK, king, &from->of, pos, in, out);
        break;
    case 256:
        update_sums(n, 256, WHITE, BLACK, king, &from->of, pos, in, out);
        break;
    case 512:
        update_sums(n, 512, WHITE, BLACK, king, &from->of, pos, in, out);
        break;
    default:
        update_sums(n, n->hidden, WHITE, BLACK, king, &from->of, pos, in, out);
    }
}

/* One view, from the cache if its king is not that of *from. */
static void update_view(const Network *n, int view, const int *king, const Accumulator *from,
                        const Position *pos, Accumulator *acc, NetworkCache *cache)
{
    NetworkView none, *other = cache ? &cache->view[view][king[view]] : &none;
    const int16_t *const in[COLORS] = {from->sum[WHITE], from->sum[BLACK]};
    int16_t *const out[COLORS] = {acc->sum[WHITE], acc->sum[BLACK]};
    int16_t *const kept[COLORS] = {other->sum, other->sum};

    if (from->king[view] == king[view]) {
        update_sums(n, n->hidden, view, view, king, &from->of, pos, in, out);
        return;
    }
    if (!cache) clear_view(n, &none);
    update_sums(n, n->hidden, view, view, king, &other->of, pos, (const int16_t *const *)kept,
                kept);
    remember(pos, &other->of);
    copy_sums(n, other->sum, acc->sum[view]);
}

static void update_with_kings(const Network *n, const Accumulator *from, const Position *pos,
                              Accumulator *acc, NetworkCache *cache)
{
    const int king[COLORS] = {network_king(&n->kings, WHITE, position_king(pos, WHITE)),
                              network_king(&n->kings, BLACK, position_king(pos, BLACK))};

    if (memcmp(from->king, king, sizeof king) == 0)
        update_both(n, king, from, pos, acc);
    else
        for (int view = 0; view < COLORS; view++)
            update_view(n, view, king, from, pos, acc, cache);
    memcpy(acc->king, king, sizeof acc->king);
}

void network_update(const Network *n, const Accumulator *from, const Position *pos,
                    Accumulator *acc, NetworkCache *cache)
{
    static const int none[COLORS]; /* a constant, so that common networks compute no more */

    if (n->kings.mirrored)
        update_with_kings(n, from, pos, acc, cache);
    else
        update_both(n, none, from, pos, acc);
    remember(pos, &acc->of);
    acc->key = pos->key;
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
    case 512:
        return sum_sides(512, us, them, w);
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
    network_update(network, &acc, pos, &acc, NULL);
    return network_output(network, &acc, pos);
}
