/* SPDX-License-Identifier: MIT
 * A network's tables by taking pieces away. */
#include "tuner/report/network_tables.h"

#include <math.h>

#include "engine/eval/eval.h"
#include "engine/notation/fen.h"
#include "engine/search/bench.h"

/* By type, square as White sees it, and phase. */
typedef struct Sums {
    double value[PIECE_TYPES][SQUARES][PHASES], weight[PIECE_TYPES][SQUARES][PHASES];
} Sums;

static void toggle(Position *pos, Color side, PieceType type, int sq)
{
    pos->by_type[type] ^= square_bb(sq);
    pos->by_color[side] ^= square_bb(sq);
    pos->board[sq] = (uint8_t)(pos->board[sq] == NO_PIECE ? make_piece(side, type) : (int)NO_PIECE);
}

static double value_for(const Network *network, const Position *pos, Color side)
{
    int value = network_evaluate(network, pos);
    return position_stm(pos) == side ? value : -value;
}

static Bitboard squares_of(PieceType type)
{
    return type == PAWN ? ~(rank_bb(RANK_1) | rank_bb(RANK_8)) : ~(Bitboard)0;
}

/* The piece on `from`, on every empty square. */
static void add_piece(const Network *network, const Position *pos, Color side, PieceType type,
                      int from, Sums *sums)
{
    int phase = pos->phase < EVAL_PHASE_MAX ? pos->phase : EVAL_PHASE_MAX;
    const double share[PHASES] = {(double)phase / EVAL_PHASE_MAX,
                                  1 - (double)phase / EVAL_PHASE_MAX};
    Position other = *pos;

    /* Without kings no position comes up, so a king is compared with where it was. */
    double without = value_for(network, pos, side);
    toggle(&other, side, type, from);
    if (type != KING) without = value_for(network, &other, side);
    Bitboard targets = squares_of(type) & ~position_occupied(&other);
    while (targets) {
        int to = pop_lsb(&targets), seen = side == WHITE ? to : to ^ 56;
        toggle(&other, side, type, to);
        double gain = value_for(network, &other, side) - without;
        toggle(&other, side, type, to);
        for (int half = MG; half < PHASES; half++) {
            sums->value[type][seen][half] += share[half] * gain;
            sums->weight[type][seen][half] += share[half];
        }
    }
}

static void add_position(const Network *network, const Position *pos, Sums *sums)
{
    for (int side = WHITE; side < COLORS; side++)
        for (int type = PAWN; type < PIECE_TYPES; type++) {
            Bitboard pieces = position_pieces(pos, (Color)side, (PieceType)type);
            while (pieces)
                add_piece(network, pos, (Color)side, (PieceType)type, pop_lsb(&pieces), sums);
        }
}

static int16_t centipawns(double value)
{
    const double most = 10000;
    return (int16_t)lround(fmax(-most, fmin(most, value)));
}

static double mean_at(const Sums *sums, int type, int sq, int half)
{
    double weight = sums->weight[type][sq][half];
    return weight > 0 ? sums->value[type][sq][half] / weight : 0;
}

static void set_table(const Sums *sums, PieceType type, int half, EvalWeights *tables)
{
    Bitboard squares = squares_of(type);
    double mean = 0;

    for (Bitboard left = squares; left;)
        mean += mean_at(sums, (int)type, pop_lsb(&left), half) / popcount(squares);
    if (type != KING) tables->term[EVAL_MATERIAL + (int)type][half] = centipawns(mean);
    for (Bitboard left = squares; left;) {
        int sq = pop_lsb(&left);
        tables->term[EVAL_PAWN_PST + (int)type * SQUARES + sq][half] =
            centipawns(mean_at(sums, (int)type, sq, half) - mean);
    }
}

void evaluation_tables(const Evaluation *e, EvalWeights *tables)
{
    Sums sums = {0};
    Position pos;

    if (e->kind == EVALUATION_LINEAR) {
        *tables = e->weights;
        return;
    }
    for (int i = 0; bench_fens[i]; i++)
        if (position_from_fen(&pos, bench_fens[i], &(Error){0}) == STATUS_OK)
            add_position(e->network, &pos, &sums);
    weights_zero(tables);
    for (int type = PAWN; type < PIECE_TYPES; type++)
        for (int half = MG; half < PHASES; half++)
            set_table(&sums, (PieceType)type, half, tables);
}
