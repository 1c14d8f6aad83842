/* SPDX-License-Identifier: MIT
 * Entering a node: limits, draws, and the evaluation as the search corrects it. */
#include "engine/search/node.h"

#include "engine/base/clock.h"

enum { RULE50_LIMIT = 100 };

int syzygy_value(SyzygyResult result, bool rule50, int ply)
{
    if (result == SYZYGY_WIN || (result == SYZYGY_CURSED_WIN && !rule50)) return VALUE_TB_WIN - ply;
    if (result == SYZYGY_LOSS || (result == SYZYGY_BLESSED_LOSS && !rule50))
        return -VALUE_TB_WIN + ply;
    return VALUE_DRAW + result;
}

int64_t worker_read_clock(Worker *w)
{
    int64_t now = clock_ms();

    if (now - w->last_read_ms > w->longest_gap_ms) w->longest_gap_ms = now - w->last_read_ms;
    w->last_read_ms = now;
    return now;
}

void worker_check_limits(Worker *w)
{
    worker_publish_counts(w);
    if ((w->nodes_hard != UINT64_MAX && worker_total_nodes(w) >= w->nodes_hard) ||
        atomic_load_explicit(&w->control->stop, memory_order_relaxed)) {
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

/* ---- Draws */

static bool is_repetition(const Worker *w, int ply, const Position *pos)
{
    int now = w->root_key + ply;
    int reach = min_int(pos->rule50, now);
    bool seen_before_root = false;

    for (int back = 4; back <= reach; back += 2) {
        if (w->keys[now - back] != pos->key) continue;
        if (back <= ply || seen_before_root) return true;
        seen_before_root = true;
    }
    return false;
}

bool search_is_draw(const Worker *w, int ply, const Position *pos)
{
    if (pos->rule50 >= RULE50_LIMIT && (!position_in_check(pos) || movegen_count(pos) > 0))
        return true;
    if (!(pos->by_type[PAWN] | pos->by_type[ROOK] | pos->by_type[QUEEN]) &&
        position_is_insufficient_material(pos))
        return true;
    return pos->rule50 >= 4 && is_repetition(w, ply, pos);
}

/* ---- Evaluation */

/* Kept clear of proven values, whatever the weights. */
static int clamp_eval(int value)
{
    return max_int(min_int(value, VALUE_TB_WIN_IN_MAX - 1), 1 - VALUE_TB_WIN_IN_MAX);
}

int corrected_eval(Worker *w, int ply, const Position *pos)
{
    const SearchParams *p = w->params;
    int value = eval_position(pos, &w->classical);

    if (w->reference) return clamp_eval(value);
    Corrections c = find_corrections(w, ply, pos);
    int correction = p->correct_pawns * *c.pawns +
                     p->correct_pieces * (*c.pieces[WHITE] + *c.pieces[BLACK]) +
                     p->correct_line * *c.line;
    return clamp_eval(value + correction / (128 * CORRECTION_UNIT));
}

/* ---- Entering a node */

int enter_node(Worker *w, int ply, const Position *pos, bool pv)
{
    if (pv) {
        w->pv_length[ply] = 0;
        w->seldepth = max_int(w->seldepth, ply);
    }
    if (w->nodes >= w->check_at) worker_check_limits(w);
    if (w->stopped) return 0;
    if (ply > 0 && search_is_draw(w, ply, pos)) return VALUE_DRAW;
    if (ply >= MAX_PLY - 1)
        return position_in_check(pos) ? VALUE_DRAW : corrected_eval(w, ply, pos);
    return VALUE_NONE;
}
