/* SPDX-License-Identifier: MIT
 * The blobs of the table of games: games.moves and games.clock. */
#ifndef TABIA_DB_TABLES_GAME_BLOB_H
#define TABIA_DB_TABLES_GAME_BLOB_H

#include "db/store/game_record.h"
#include "engine/base/byte_order.h"

enum {
    PLY_BYTES = 4,  /* of games.moves: move, then score */
    CLOCK_BYTES = 9 /* of games.clock: time, nodes, depth */
};

static inline void game_blob_put_ply(uint8_t out[PLY_BYTES], GamePly ply)
{
    put_le(out, ply.move, 2);
    put_le(out + 2, (uint16_t)ply.score, 2);
}

static inline GamePly game_blob_get_ply(const uint8_t in[PLY_BYTES])
{
    return (GamePly){.move = (uint16_t)get_le(in, 2), .score = (int16_t)get_le(in + 2, 2)};
}

static inline void game_blob_put_clock(uint8_t out[CLOCK_BYTES], PlyClock clock)
{
    put_le(out, clock.time_ms, 4);
    put_le(out + 4, clock.nodes, 4);
    out[8] = clock.depth;
}

static inline PlyClock game_blob_get_clock(const uint8_t in[CLOCK_BYTES])
{
    return (PlyClock){(uint32_t)get_le(in, 4), (uint32_t)get_le(in + 4, 4), in[8]};
}

#endif
