/* SPDX-License-Identifier: MIT
 * The piece-square table made of weights, features, and the evaluation by them. */
#include "engine/eval/eval.h"

/* The piece-square term of each piece type. */
static const int pst_term[PIECE_TYPES] = {EVAL_PAWN_PST, EVAL_KNIGHT_PST, EVAL_BISHOP_PST,
                                          EVAL_ROOK_PST, EVAL_QUEEN_PST,  EVAL_KING_PST};

void eval_psq_table(const EvalWeights *w, PsqTable *table)
{
    for (int piece = 0; piece < PIECES; piece++) {
        PieceType type = piece_type(piece);
        for (int sq = 0; sq < SQUARES; sq++) {
            bool white = piece_color(piece) == WHITE;
            const int16_t *square = w->term[pst_term[type] + (white ? sq : sq ^ 56)];
            int mg = square[MG], eg = square[EG];
            if (type != KING) {
                mg += w->term[EVAL_MATERIAL + (int)type][MG];
                eg += w->term[EVAL_MATERIAL + (int)type][EG];
            }
            table->value[piece][sq] = white ? make_score(mg, eg) : make_score(-mg, -eg);
        }
    }
}

static int append(EvalFeature *out, int n, int term, int count)
{
    if (count == 0) return n;
    out[n].term = (uint16_t)term;
    out[n].count = (int16_t)count;
    return n + 1;
}

static int append_squares(const Position *pos, EvalFeature *out)
{
    int n = 0;

    for (int t = PAWN; t <= QUEEN; t++) {
        int white = popcount(position_pieces(pos, WHITE, (PieceType)t));
        int black = popcount(position_pieces(pos, BLACK, (PieceType)t));
        n = append(out, n, EVAL_MATERIAL + t, white - black);
    }
    for (int t = PAWN; t <= KING; t++) {
        Bitboard white, uneven = eval_uneven_squares(pos, (PieceType)t, &white);
        while (uneven) {
            int sq = pop_lsb(&uneven);
            n = append(out, n, pst_term[t] + sq, white >> sq & 1 ? 1 : -1);
        }
    }
    return n;
}

int eval_features(const Position *pos, EvalFamilies families, EvalFeature *out)
{
    int n = families & EVAL_MATERIAL_PST ? append_squares(pos, out) : 0;

    if (families & ~(EvalFamilies)EVAL_ALL_SQUARES) {
        int16_t count[EVAL_CLASSICAL_TERMS];
        classical_counts(pos, families & ~(EvalFamilies)EVAL_ALL_SQUARES, count);
        for (int i = 0; i < EVAL_CLASSICAL_TERMS; i++)
            n = append(out, n, EVAL_CLASSICAL + i, count[i]);
    }
    if (families & eval_family(EVAL_FAMILY_KING_SQUARES)) n += king_squares_features(pos, out + n);
    return n;
}

int eval_white(const Position *pos, const EvalWeights *w)
{
    EvalFeature feature[EVAL_FEATURES_MAX];
    int sum[PHASES] = {0, 0};
    int n = eval_features(pos, EVAL_MATERIAL_PST | weights_families(w), feature);

    for (int i = 0; i < n; i++)
        for (int phase = MG; phase < PHASES; phase++)
            sum[phase] += feature[i].count * w->term[feature[i].term][phase];
    return eval_taper(sum[MG], sum[EG], pos->phase);
}
