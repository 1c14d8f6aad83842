/* SPDX-License-Identifier: MIT
 * Making and checking messages with games. */
#include "cli/cluster/played_game.h"

#include <math.h>
#include <string.h>

#include "db/chess/replay.h"

void played_game_make(PlayedGame *played, const GameRecord *game, double cpu, const Error *error)
{
    *played = (PlayedGame){.error = *error, .cpu = cpu};
    if (!game || error->status != STATUS_OK) return;
    played->game = *game;
    played->game.plies = NULL; /* pointers mean nothing there */
    played->game.clock = NULL;
    played->game.search = NULL;
    memcpy(played->plies, game->plies, (size_t)game->ply_count * sizeof *game->plies);
    if (game->clock)
        memcpy(played->clock, game->clock, (size_t)game->ply_count * sizeof *game->clock);
}

static bool is_text(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

/* Are these values in the ranges that the table of games allows? */
static bool is_in_range(const PlayedGame *played)
{
    const GameRecord *game = &played->game;

    return is_text(game->start_fen, sizeof game->start_fen) &&
           is_text(game->note, sizeof game->note) && game->opening_no >= 0 && game->nodes >= 0 &&
           game->varied >= 0 && game->white >= 0 && game->black >= 0 && game->ply_count >= 0 &&
           game->ply_count <= GAME_PLIES_MAX && isfinite(played->cpu) && played->cpu >= 0;
}

Status played_game_take(const PlayedGame *played, int64_t index, GameRecord *game, double *cpu,
                        Error *err)
{
    GamePly *plies = game->plies;
    PlyClock *clock = game->clock;
    const Error *sent = &played->error;

    if (sent->status != STATUS_OK && is_text(sent->text, sizeof sent->text))
        return error_set(err, sent->status, "%s", sent->text);
    if (sent->status != STATUS_OK || !is_in_range(played))
        return error_set(err, STATUS_FAILED, "game %lld came damaged from another process",
                         (long long)index);
    *cpu = played->cpu;
    *game = played->game;
    game->game_no = index;
    game->plies = plies;
    game->clock = clock;
    game->search = NULL;
    memcpy(plies, played->plies, (size_t)game->ply_count * sizeof *plies);
    if (clock) memcpy(clock, played->clock, (size_t)game->ply_count * sizeof *clock);
    if (replay_check(game, err) == STATUS_OK) return STATUS_OK;
    (void)error_prefix(err, "from another process");
    if (err) err->status = STATUS_FAILED;
    return STATUS_FAILED;
}
