/* SPDX-License-Identifier: MIT
 * Positions for tests. */
#include "tests/support/support_board.h"

#include <ctype.h>
#include <string.h>

#include "engine/base/pcg.h"
#include "engine/board/position_make.h"
#include "engine/notation/fen.h"
#include "tests/support/support.h"

const char *const board_fens[] = {
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    /* En passant: pinned along the rank, giving check, taking a checker, by either of two pawns. */
    "8/8/8/K1pP3r/8/8/8/4k3 b - - 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "5k2/8/8/2PpP3/8/8/8/4K3 w - d6 0 2",
    "8/8/4k3/8/2pPp3/8/B7/7K b - d3 0 1",
    /* Promotions, with captures on both sides. */
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1n2k1n1/P1P1P1P1/8/8/8/8/p1p1p1p1/1N2K1N1 w - - 0 1",
    /* Pins and double checks. */
    "3k4/3r4/8/3Q4/8/8/b2B2q1/3K4 w - - 0 1",
    "4k3/8/4r3/8/1b6/2N5/3PR3/r2QK2q w - - 0 1",
    "r6r/1b2k1bq/8/8/7B/8/8/R3K2R b KQ - 3 2",
    /* The most moves known. */
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    /* Chess960 and double Chess960: kings and rooks that pass or swap, a rook pinned by castling.
     */
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/R4KR1 w GAgb - 0 1",
    "4k3/8/8/8/8/8/8/rR1K3R w HB - 0 1",
    "rk2r3/8/8/8/8/8/8/2RKR3 w ECea - 0 1",
    "krr5/8/8/8/8/8/8/1R2K1R1 w GBc - 0 1",
    /* Few pieces, and the fifty-move rule near. */
    "8/8/4k3/8/8/3KP3/8/8 w - - 98 80",
    "8/5k2/8/8/8/2KB4/8/8 b - - 0 1",
    NULL,
};

Position board_from_fen(const char *fen)
{
    Position pos;
    Error err = {0};
    ck_assert_msg(position_from_fen(&pos, fen, &err) == STATUS_OK, "%s: %s", fen, err.text);
    return pos;
}

void board_walk(uint64_t seed, int games, int plies, const PsqTable *table, BoardVisit visit,
                void *context)
{
    Pcg rng;

    pcg_seed(&rng, seed, 0);
    for (int i = 0; board_fens[i] != NULL; i++) {
        for (int game = 0; game < games; game++) {
            Position pos;
            MoveList list;
            pos = board_from_fen(board_fens[i]);
            if (table) position_refresh_psq(&pos, table);
            for (int ply = 0; ply <= plies; ply++) {
                Position next;
                movegen_all(&pos, &list);
                visit(&pos, &list, context);
                if (list.count == 0) break;
                Move m = list.moves[pcg_below(&rng, (uint32_t)list.count)];
                if (table)
                    position_make_eval(&next, &pos, m, table);
                else
                    position_make(&next, &pos, m);
                pos = next;
            }
        }
    }
}

void board_mirror(Position *out, const Position *pos)
{
    memset(out, 0, sizeof *out);
    for (int sq = 0; sq < SQUARES; sq++) {
        int piece = pos->board[sq ^ 56];
        out->board[sq] = (uint8_t)(piece == NO_PIECE ? NO_PIECE : piece ^ 1);
        if (piece == NO_PIECE) continue;
        out->by_type[piece_type(piece)] |= square_bb(sq);
        out->by_color[piece_color(piece ^ 1)] |= square_bb(sq);
    }
    out->stm = pos->stm ^ 1;
    out->castling = (uint8_t)(pos->castling >> 2 | (pos->castling & 3) << 2);
    out->ep_square = (uint8_t)(pos->ep_square == NO_SQUARE ? NO_SQUARE : pos->ep_square ^ 56);
    for (int i = 0; i < 4; i++) {
        int rook = pos->rook_square[i ^ 2];
        out->rook_square[i] = (uint8_t)(rook == NO_SQUARE ? NO_SQUARE : rook ^ 56);
    }
    out->rule50 = pos->rule50;
    out->chess960 = pos->chess960;
    out->game_ply = pos->game_ply ^ 1;
    position_refresh(out);
}

void board_random_psq(uint64_t seed, PsqTable *table)
{
    Pcg rng;

    pcg_seed(&rng, seed, 1);
    for (int piece = 0; piece < PIECES; piece++) {
        for (int sq = 0; sq < SQUARES; sq++) {
            int mg = (int)pcg_below(&rng, 401) - 200;
            int eg = (int)pcg_below(&rng, 401) - 200;
            table->value[piece][sq] = make_score(mg, eg);
        }
    }
}
