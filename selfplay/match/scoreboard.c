/* SPDX-License-Identifier: MIT
 * Adding games to the scores of pairings. */
#include "selfplay/match/scoreboard.h"

#include <stdlib.h>

Status scoreboard_init(Scoreboard *board, const Schedule *schedule, Error *err)
{
    int pairings = schedule_pairings(schedule);

    *board = (Scoreboard){
        .schedule = *schedule,
        .pairing_count = pairings,
        .pairings = calloc((size_t)pairings, sizeof *board->pairings),
        .forfeits = calloc((size_t)schedule->players, sizeof *board->forfeits),
    };
    if (!board->pairings || !board->forfeits) {
        scoreboard_free(board);
        return error_set(err, STATUS_FAILED, "out of memory for the results");
    }
    for (int i = 0; i < pairings; i++)
        schedule_pairing(schedule, i, board->pairings[i].players);
    return STATUS_OK;
}

void scoreboard_free(Scoreboard *board)
{
    free(board->pairings);
    free(board->forfeits);
    free(board->seen.keys);
    *board = (Scoreboard){0};
}

GameOutcome game_outcome(const Schedule *schedule, const GameRecord *game)
{
    ScheduledGame scheduled = schedule_game(schedule, game->game_no);
    bool fault =
        game->result != RESULT_DRAW && game->reason >= REASON_TIME && game->reason <= REASON_STALL;

    return (GameOutcome){.known = 1,
                         .points = (uint8_t)(scheduled.white == 0
                                                 ? (int)game->result
                                                 : RESULT_WHITE_WINS - (int)game->result),
                         .fault = fault ? (uint8_t)game->reason : 0,
                         .game = game_record_hash(game)};
}

static void count_forfeit(Forfeits *forfeits, GameReason reason)
{
    forfeits->time += reason == REASON_TIME;
    forfeits->crashes += reason == REASON_CRASH;
    forfeits->stalls += reason == REASON_STALL;
    forfeits->illegal += reason == REASON_ILLEGAL_MOVE;
}

void pairing_add_game(PairingScore *pairing, int side, int points)
{
    MatchScore *score = &pairing->score;

    score->losses += points == 0;
    score->draws += points == 1;
    score->wins += points == 2;
    pairing->white_games[side]++;
    pairing->white_points2[side] += points;
}

/* Was the game seen before in the pairing? Now it is. */
static bool is_repeated(Scoreboard *board, const PairingScore *pairing, const GameOutcome *outcome)
{
    uint64_t number = (uint64_t)(pairing - board->pairings) + 1;
    bool added = true;

    if (!outcome->game || outcome->fault) return false;
    uint64_t key = outcome->game ^ number * UINT64_C(0x9e3779b97f4a7c15);
    return key_set_add(&board->seen, key, &added, &(Error){0}) == STATUS_OK && !added;
}

bool scoreboard_add_pair(Scoreboard *board, int64_t game_no, const GameOutcome outcomes[2])
{
    PairingScore *pairing = &board->pairings[schedule_game(&board->schedule, game_no).pairing];
    const bool known = pairing->repeats;

    for (int i = 0; i < 2; i++) {
        GameOutcome o = outcomes[i];
        pairing_add_game(pairing, i, o.points);
        int loser = pairing->players[o.points == 0 ? 0 : 1];
        if (o.fault) count_forfeit(&board->forfeits[loser], (GameReason)o.fault);
        pairing->repeated += is_repeated(board, pairing, &o);
    }
    pairing->score.ptnml[outcomes[0].points + outcomes[1].points]++;
    pairing->repeats |= pairing->repeated >= REPEATED_LEAST &&
                        4 * pairing->repeated >= match_games(&pairing->score);
    return pairing->repeats && !known;
}

/* From one of its players' view. */
static MatchScore seen_by(const PairingScore *pairing, int player)
{
    const MatchScore *s = &pairing->score;
    MatchScore reversed = {.wins = s->losses, .draws = s->draws, .losses = s->wins};

    for (int i = 0; i < 5; i++)
        reversed.ptnml[i] = s->ptnml[4 - i];
    return pairing->players[0] == player ? *s : reversed;
}

MatchScore scoreboard_player(const Scoreboard *board, int player)
{
    MatchScore sum = {0};

    for (int i = 0; i < board->pairing_count; i++) {
        const PairingScore *pairing = &board->pairings[i];
        if (pairing->players[0] != player && pairing->players[1] != player) continue;
        MatchScore score = seen_by(pairing, player);
        sum.wins += score.wins;
        sum.draws += score.draws;
        sum.losses += score.losses;
        for (int j = 0; j < 5; j++)
            sum.ptnml[j] += score.ptnml[j];
    }
    return sum;
}

MatchScore scoreboard_white(const Scoreboard *board)
{
    MatchScore sum = {0};

    for (int i = 0; i < board->pairing_count; i++) {
        const PairingScore *p = &board->pairings[i];
        int64_t points2 = p->white_points2[0] + 2 * p->white_games[1] - p->white_points2[1];
        int64_t wins = (points2 - p->score.draws) / 2;
        sum.wins += wins;
        sum.draws += p->score.draws;
        sum.losses += match_games(&p->score) - wins - p->score.draws;
    }
    return sum;
}

bool scoreboard_meeting(const Scoreboard *board, int player, int opponent, MatchScore *score)
{
    for (int i = 0; i < board->pairing_count; i++) {
        const int *players = board->pairings[i].players;
        if (!(players[0] == player && players[1] == opponent) &&
            !(players[0] == opponent && players[1] == player))
            continue;
        *score = seen_by(&board->pairings[i], player);
        return true;
    }
    return false;
}

int64_t forfeits_total(const Forfeits *f)
{
    return f->time + f->crashes + f->stalls + f->illegal;
}
