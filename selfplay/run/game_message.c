/* SPDX-License-Identifier: MIT
 * Checking messages with games. */
#include "selfplay/run/game_message.h"

#include <math.h>
#include <string.h>

#include "db/chess/replay.h"

static bool is_text(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

/* Are these values in the ranges that the table of games allows? */
static bool is_in_range(const GameMessage *message)
{
    const GameRecord *game = &message->game;

    return is_text(game->start_fen, sizeof game->start_fen) &&
           is_text(game->note, sizeof game->note) && game->opening_no >= 0 && game->nodes >= 0 &&
           game->varied >= 0 && game->white >= 0 && game->black >= 0 && game->ply_count >= 0 &&
           game->ply_count <= GAME_PLIES_MAX && isfinite(message->cpu) && message->cpu >= 0;
}

Status game_message_take(const GameMessage *message, int64_t index, GameRecord *game, double *cpu,
                         Error *err)
{
    GamePly *plies = game->plies;
    PlyClock *clock = game->clock;
    const Error *sent = &message->error;

    if (sent->status != STATUS_OK && is_text(sent->text, sizeof sent->text))
        return error_set(err, sent->status, "%s", sent->text);
    if (sent->status != STATUS_OK || !is_in_range(message))
        return error_set(err, STATUS_FAILED, "game %lld came damaged from another process",
                         (long long)index);
    *cpu = message->cpu;
    *game = message->game;
    game->game_no = index;
    game->plies = plies;
    game->clock = clock;
    game->search = NULL;
    memcpy(plies, message->plies, (size_t)game->ply_count * sizeof *plies);
    if (clock) memcpy(clock, message->clock, (size_t)game->ply_count * sizeof *clock);
    if (replay_check(game, err) == STATUS_OK) return STATUS_OK;
    (void)error_prefix(err, "from another process");
    err->status = STATUS_FAILED;
    return STATUS_FAILED;
}
