/* SPDX-License-Identifier: MIT
 * A search thread's state: its start and its limits. */
#include "engine/search/worker.h"

void worker_set_evaluation(Worker *w, const Evaluation *evaluation)
{
    const EvalWeights *weights = evaluation_weights(evaluation);

    eval_psq_table(weights, &w->psq);
    king_squares_set_weights(&w->kings, weights);
    classical_set_weights(&w->classical, weights);
    w->network = evaluation_network(evaluation);
    w->keeps_values = w->network || w->classical.families;
    for (int ply = 0; w->network && ply <= MAX_PLY; ply++)
        network_clear(w->network, &w->accumulators[ply]);
    if (w->network) network_clear_cache(w->network, &w->network_cache);
}

void worker_refresh_psq(const Worker *w, Position *pos)
{
    position_refresh_psq(pos, &w->psq);
    if (w->kings.used) pos->psq += king_squares_sum(&w->kings, pos);
}

/* The network's sums of the position at `ply`. Nodes above it may have none yet. */
static const Accumulator *find_sums(Worker *w, int ply)
{
    Accumulator *acc = &w->accumulators[ply];

    if (acc->key == w->line[ply]->key) return acc;
    const Accumulator *from = ply > 0 ? find_sums(w, ply - 1) : acc;
    network_update(w->network, from, w->line[ply], acc, &w->network_cache);
    return acc;
}

int worker_kept_value(Worker *w, int ply, const Position *pos)
{
    uint64_t *entry = &w->values.entry[pos->key % VALUE_ENTRIES];

    if ((*entry ^ pos->key) >> 16 == 0) return (int16_t)*entry;
    int value = w->network ? network_output(w->network, find_sums(w, ply), pos)
                           : eval_position(pos, &w->classical);
    if (value == (int16_t)value) *entry = pos->key >> 16 << 16 | (uint16_t)value;
    return value;
}

void worker_start(Worker *w, const Position *pos, const KeyHistory *history)
{
    Continuation *none = &w->histories.continuation[NO_PIECE][0];

    w->nodes = 0;
    w->tb_hits = 0;
    w->root_value = VALUE_NONE;
    w->check_at = 0;
    w->nodes_hard = UINT64_MAX;
    w->stopped = false;
    w->seldepth = 0;
    w->root_depth = 0;
    w->null_min_ply = 0;
    w->budget = (TimeBudget){false, false, 0, 0};
    for (int i = 0; i < FRAMES_BEFORE + MAX_PLY + 1; i++)
        w->frame_store[i] = (Frame){.continuation = none, .eval = VALUE_NONE};
    w->root_key = history ? history->count : 0;
    if (history) memcpy(w->keys, history->keys, (size_t)history->count * sizeof w->keys[0]);
    w->keys[w->root_key] = pos->key;
    w->line[0] = pos;
    w->pv_length[0] = 0;
}

int64_t worker_read_clock(Worker *w)
{
    int64_t now = clock_ms();

    if (now - w->last_read_ms > w->longest_gap_ms) w->longest_gap_ms = now - w->last_read_ms;
    w->last_read_ms = now;
    return now;
}

static bool is_told_to_stop(const Control *c)
{
    return atomic_load_explicit(&c->stop, memory_order_relaxed) ||
           (c->interrupted && atomic_load_explicit(c->interrupted, memory_order_relaxed));
}

/* Of all threads, as published. */
static uint64_t published_nodes(const Worker *w)
{
    const Worker *main = w->helped ? w->helped : w;
    uint64_t total = atomic_load_explicit(&main->nodes_published, memory_order_relaxed);

    for (int i = 0; i < main->helper_count; i++)
        total += atomic_load_explicit(&main->helpers[i].nodes_published, memory_order_relaxed);
    return total;
}

void worker_check_limits(Worker *w)
{
    worker_publish_counts(w);
    if ((w->nodes_hard != UINT64_MAX && published_nodes(w) >= w->nodes_hard) ||
        is_told_to_stop(w->control)) {
        w->stopped = true;
    } else if (w->budget.limited) {
        int64_t now = worker_read_clock(w);
        /* The order matters: a ponderhit sets the clock first. */
        if (!atomic_load(&w->control->pondering) &&
            now - atomic_load(&w->control->clock_start_ms) >= w->budget.hard_ms)
            w->stopped = true;
    }
    w->check_at = w->nodes + CHECK_INTERVAL;
    if (w->check_at > w->nodes_hard) w->check_at = w->nodes_hard;
}
