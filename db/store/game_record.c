/* SPDX-License-Identifier: MIT
 * Names of results and reasons. */
#include "db/store/game_record.h"

#include <string.h>

#include "engine/base/pcg.h"

const char *reason_name(GameReason reason)
{
    /* The same words as in the table `reasons` of schema.sql. */
    static const char *const names[] = {
        [REASON_CHECKMATE] = "checkmate",
        [REASON_STALEMATE] = "stalemate",
        [REASON_REPETITION] = "repetition",
        [REASON_FIFTY_MOVES] = "fifty moves",
        [REASON_MATERIAL] = "insufficient material",
        [REASON_MAX_PLIES] = "maximum length",
        [REASON_WIN_ADJUDICATION] = "win adjudicated",
        [REASON_DRAW_ADJUDICATION] = "draw adjudicated",
        [REASON_TIME] = "time",
        [REASON_ILLEGAL_MOVE] = "illegal move",
        [REASON_CRASH] = "crash",
        [REASON_STALL] = "stall",
        [REASON_TABLEBASE] = "tablebase",
    };
    size_t i = (size_t)reason;
    return i < sizeof names / sizeof *names && names[i] ? names[i] : "unknown";
}

PlyClock ply_clock(uint64_t time_ms, uint64_t nodes, int depth)
{
    unsigned plies = depth > 0 ? (unsigned)depth : 0;

    return (PlyClock){.time_ms = time_ms < UINT32_MAX ? (uint32_t)time_ms : UINT32_MAX,
                      .nodes = nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX,
                      .depth = plies < UINT8_MAX ? (uint8_t)plies : UINT8_MAX};
}

static const struct {
    const char *text;
    GameResult result;
} results[] = {{"1-0", RESULT_WHITE_WINS},
               {"0-1", RESULT_BLACK_WINS},
               {"1/2-1/2", RESULT_DRAW},
               {"1/2", RESULT_DRAW}};

enum { RESULTS = sizeof results / sizeof *results };

const char *result_text(GameResult result)
{
    for (int i = 0; i < RESULTS; i++)
        if (results[i].result == result) return results[i].text;
    return "*";
}

bool result_parse(const char *text, size_t length, GameResult *result)
{
    for (int i = 0; i < RESULTS; i++)
        if (strlen(results[i].text) == length && memcmp(results[i].text, text, length) == 0) {
            *result = results[i].result;
            return true;
        }
    return false;
}

uint64_t game_record_hash(const GameRecord *game)
{
    uint64_t hash = 0;

    for (const char *c = game->start_fen; *c; c++)
        hash = mix64(hash + (unsigned char)*c);
    for (int i = 0; i < game->ply_count; i++)
        hash = mix64(hash + game->plies[i].move + 1);
    return hash;
}
