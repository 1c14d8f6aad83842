/* SPDX-License-Identifier: MIT
 * Sorting games by pairing and opening, and pairing them. */
#include "selfplay/match/played.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/array.h"
#include "engine/base/fnv.h"

Status played_add(PlayedGames *played, const char *white, const char *black, GameResult result,
                  uint64_t opening, Error *err)
{
    const char *const names[2] = {white, black};
    Status status = STATUS_OK;
    int32_t numbers[2];

    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = name_table_number(&played->names, names[i], strlen(names[i]),
                                   &played->player_count, &numbers[i], err);
    if (status != STATUS_OK) return status;
    if (played->player_count > PLAYED_PLAYERS_MAX)
        return error_set(err, STATUS_BAD_INPUT, "there are more than %d players",
                         PLAYED_PLAYERS_MAX);
    status = ARRAY_RESERVE(played->games, played->room, played->count + 1, err);
    if (status != STATUS_OK) return status;
    bool first_white = numbers[0] < numbers[1];
    int points = first_white ? (int)result : RESULT_WHITE_WINS - (int)result;
    played->games[played->count] = (PlayedGame){
        {numbers[!first_white], numbers[first_white]}, points, first_white, opening, played->count};
    played->count++;
    return STATUS_OK;
}

void played_free(PlayedGames *played)
{
    name_table_free(&played->names);
    free(played->games);
    *played = (PlayedGames){0};
}

uint64_t played_opening(const char *fen, const char *round)
{
    size_t digits = strspn(round, "0123456789");

    if (*fen) return fnv_add_bytes(FNV_START, fen, strlen(fen)) | 1;
    return digits > 0 ? fnv_add_bytes(0x84222325cbf29ce4, round, digits) | 1 : 0;
}

void played_names(const PlayedGames *played, const char **names)
{
    for (size_t i = 0; i < played->names.size; i++)
        if (played->names.entries[i].name)
            names[played->names.entries[i].number] = played->names.entries[i].name;
}

/* ---- Pairs */

static int compare_pairing(const PlayedGame *x, const PlayedGame *y)
{
    for (int i = 0; i < 2; i++)
        if (x->players[i] != y->players[i]) return x->players[i] < y->players[i] ? -1 : 1;
    return 0;
}

/* By pairing, opening, file. */
static int compare_games(const void *a, const void *b)
{
    const PlayedGame *x = a, *y = b;
    int order = compare_pairing(x, y);

    if (order != 0) return order;
    if (x->opening != y->opening) return x->opening < y->opening ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* games[0, count) have one opening; pairs the n-th of each colour. */
static void add_pairs(PairingScore *pairing, const PlayedGame *games, int64_t count)
{
    for (int64_t i = 0, j = 0;; i++, j++) {
        while (i < count && !games[i].first_white)
            i++;
        while (j < count && games[j].first_white)
            j++;
        if (i >= count || j >= count) return;
        pairing->score.ptnml[games[i].points + games[j].points]++;
    }
}

/* The pairing of games[0]; returns the number of its games. */
static int64_t add_pairing(PairingScore *pairing, const PlayedGame *games, int64_t count)
{
    int64_t begin = 0, end = 0;

    *pairing = (PairingScore){.players = {games[0].players[0], games[0].players[1]}};
    while (begin < count && compare_pairing(&games[begin], games) == 0) {
        for (end = begin; end < count && compare_pairing(&games[end], games) == 0 &&
                          games[end].opening == games[begin].opening;
             end++)
            pairing_add_game(pairing, games[end].first_white ? 0 : 1, games[end].points);
        add_pairs(pairing, games + begin, end - begin);
        begin = end;
    }
    return begin;
}

Status played_board(PlayedGames *played, Scoreboard *board, Error *err)
{
    PlayedGame *games = played->games;
    int64_t n = played->count, room = 0;

    *board = (Scoreboard){.schedule = {.players = played->player_count}};
    Status status = ARRAY_RESERVE(board->pairings, room, 1, err);
    if (n > 0) qsort(games, (size_t)n, sizeof *games, compare_games);
    for (int64_t at = 0; at < n && status == STATUS_OK;) {
        status = ARRAY_RESERVE(board->pairings, room, board->pairing_count + 1, err);
        if (status == STATUS_OK)
            at += add_pairing(&board->pairings[board->pairing_count++], games + at, n - at);
    }
    return status;
}
