/* SPDX-License-Identifier: MIT
 * Entering a node: limits, draws and the corrected evaluation. */
#include "engine/search/node.h"

enum { RULE50_LIMIT = 100 };

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

/* A draw by repetition (once inside the tree, twice counting the game), the fifty-move rule or
 * insufficient material, at ply >= 1. Mate on the hundredth ply has precedence. */
static bool is_draw(const Worker *w, int ply, const Position *pos)
{
    if (pos->rule50 >= RULE50_LIMIT && (!position_in_check(pos) || movegen_count(pos) > 0))
        return true;
    if (!(pos->by_type[PAWN] | pos->by_type[ROOK] | pos->by_type[QUEEN]) &&
        position_is_insufficient_material(pos))
        return true;
    return pos->rule50 >= 4 && is_repetition(w, ply, pos);
}

/* ---- Evaluation */

/* An evaluation is never a proven value, with any weights. */
static int clamp_eval(int value)
{
    return max_int(min_int(value, VALUE_TB_WIN_IN_MAX - 1), 1 - VALUE_TB_WIN_IN_MAX);
}

int corrected_eval(Worker *w, int ply, const Position *pos)
{
    const SearchParams *p = w->params;
    int value = worker_evaluate(w, ply, pos);

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
    if (ply > 0 && is_draw(w, ply, pos)) return VALUE_DRAW;
    if (ply >= MAX_PLY - 1)
        return position_in_check(pos) ? VALUE_DRAW : corrected_eval(w, ply, pos);
    return VALUE_NONE;
}
