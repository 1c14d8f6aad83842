/* SPDX-License-Identifier: MIT
 * bulletformat: positions for the trainer bullet. Source: Jamie Whiting, "bulletformat"
 * (github.com/jw1912/bulletformat), type ChessBoard.
 *
 * 32 bytes a position, little-endian, from the side to move's view: for Black the board is mirrored
 * vertically and colours are swapped. Occupied squares, 8 bytes; for each of them in order a
 * nibble, own 0 or opponent's 8 | type; score, 2; result in half points; square of the own king;
 * square of the opponent's king, mirrored; three zero bytes. */
#include <string.h>

#include "engine/base/byte_order.h"
#include "selfplay/formats/internal.h"

enum { POSITION_BYTES = 32, TURN = 56 };

char *bullet_put(char *bytes, const ExportGame *game, int number)
{
    const Position *pos = &game->positions[number];
    const GamePly ply = game->record->plies[number];
    const GameResult result = game->record->result;
    uint8_t *out = (uint8_t *)bytes;
    Color us = position_stm(pos);
    int turn = us == WHITE ? 0 : TURN;
    Bitboard occupied = 0;

    if (ply.score == SCORE_UNKNOWN) return bytes;
    memset(out, 0, POSITION_BYTES);
    for (Bitboard all = position_occupied(pos); all;)
        occupied |= square_bb(pop_lsb(&all) ^ turn);
    put_le(out, occupied, 8);
    for (int i = 0; occupied; i++) {
        int piece = pos->board[pop_lsb(&occupied) ^ turn];
        unsigned code = (unsigned)(piece_color(piece) != us) << 3 | (unsigned)piece_type(piece);
        out[8 + i / 2] |= (uint8_t)(code << 4 * (i & 1));
    }
    put_le(out + 24, (uint16_t)(us == WHITE ? ply.score : -ply.score), 2);
    out[26] = (uint8_t)(us == WHITE ? result : RESULT_WHITE_WINS - result);
    out[27] = (uint8_t)(position_king(pos, us) ^ turn);
    out[28] = (uint8_t)(position_king(pos, opponent(us)) ^ turn ^ TURN);
    return bytes + POSITION_BYTES;
}
