/* SPDX-License-Identifier: MIT
 * Fuzzes stored games and games from other processes of a job: the input is a record, four bytes a
 * ply, and the start position. A game is refused with an error, or replays to positions that agree.
 */
#include <stdlib.h>
#include <string.h>

#include "db/chess/replay.h"
#include "engine/notation/fen.h"
#include "selfplay/run/remote_workers.h"
#include "tests/fuzz/support_fuzz.h"

/* Fills the record from the input: two bytes for result and reason, a line for the start, plies. */
static void read_game(const uint8_t *data, size_t size, GameRecord *game)
{
    size_t at = 2, length = 0;

    if (size < 2) return;
    game->result = (GameResult)data[0];
    game->reason = (GameReason)data[1];
    for (; at < size && data[at] != '\n'; at++)
        if (length + 1 < sizeof game->start_fen) game->start_fen[length++] = (char)data[at];
    if (length == 0) (void)strcpy(game->start_fen, START_FEN);
    for (at++; at + 4 <= size && game->ply_count < GAME_PLIES_MAX; at += 4)
        game->plies[game->ply_count++] =
            (GamePly){.move = (uint16_t)(data[at] | data[at + 1] << 8),
                      .score = (int16_t)(data[at + 2] | data[at + 3] << 8)};
}

static void check_replay(const GameRecord *game)
{
    PositionRow *rows = malloc((size_t)game->ply_count * sizeof *rows + 1);
    Position *positions = malloc(((size_t)game->ply_count + 1) * sizeof *positions);
    Error err = {0};

    demand(rows && positions);
    if (replay_line(game, positions, &err) == STATUS_OK) {
        demand(replay_positions(game, rows, &err) == STATUS_OK);
        for (int i = 0; i < game->ply_count; i++) {
            char fen[FEN_MAX];
            position_to_fen(&positions[i], fen);
            demand(strcmp(fen, rows[i].fen) == 0);
        }
    } else {
        demand(err.text[0] && replay_check(game, &(Error){0}) != STATUS_OK);
    }
    free(rows);
    free(positions);
}

/* The bytes as a message; after a game that was accepted, replay_check() has nothing to say. */
static void check_message(const uint8_t *data, size_t size, const GameRecord *game)
{
    GameMessage *message = calloc(1, sizeof *message);
    GamePly *plies = malloc(GAME_PLIES_MAX * sizeof *plies);
    PlyClock *clock = malloc(GAME_PLIES_MAX * sizeof *clock);
    GameRecord taken = {.plies = plies, .clock = clock};
    Error err = {0};
    double cpu;

    demand(message && plies && clock);
    message->game = *game;
    memcpy(message->plies, game->plies, (size_t)game->ply_count * sizeof *plies);
    /* Pairs of bytes: where in the message another byte stands. */
    for (size_t i = 0; size > 2 && i + 3 < size && i < 64; i += 4) {
        size_t at = (size_t)(data[i] | data[i + 1] << 8) % offsetof(GameMessage, plies);
        ((uint8_t *)message)[at] = data[i + 2];
    }
    if (game_message_take(message, 7, &taken, &cpu, &err) == STATUS_OK)
        demand(replay_check(&taken, &(Error){0}) == STATUS_OK && taken.game_no == 7);
    else
        demand(memchr(err.text, '\0', sizeof err.text) != NULL);
    free(message);
    free(plies);
    free(clock);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static GamePly plies[GAME_PLIES_MAX];
    GameRecord game = {.plies = plies};

    read_game(data, size, &game);
    check_replay(&game);
    check_message(data, size, &game);
    return 0;
}
