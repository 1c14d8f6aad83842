/* SPDX-License-Identifier: MIT
 * Random openings: random plies, then a look whether both sides can live with them. */
#include "selfplay/opening.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "engine/movegen.h"
#include "engine/position_make.h"
#include "selfplay/game.h"

void opening_defaults(OpeningSettings *settings)
{
    *settings = (OpeningSettings){.random_plies = 8,
                                  .random_plies_extra = 1,
                                  .verify_depth = 10,
                                  .verify_nodes = 5000,
                                  .max_score = 600};
}

/* Plays `plies` random moves from `base`; false when the game ended on the way. */
static bool play_random_plies(Pcg *rng, int plies, const Position *base, Position *pos,
                              KeyHistory *history)
{
    GameResult result;
    GameReason reason;

    *pos = *base;
    history->count = 0;
    for (int ply = 0; ply < plies; ply++) {
        MoveList list;
        Position before = *pos;
        movegen_all(pos, &list);
        if (list.count == 0) return false;
        key_history_push(history, &before);
        position_make(pos, &before, list.moves[pcg_below(rng, (uint32_t)list.count)]);
    }
    return !game_over(pos, history, &result, &reason);
}

/* How lopsided the position is, centipawns, either way. */
static int imbalance(const OpeningSettings *settings, Search *verifier, const Position *pos)
{
    SearchLimits limits = {.depth = settings->verify_depth,
                           .nodes_soft = (uint64_t)settings->verify_nodes,
                           .nodes_hard = 8 * (uint64_t)settings->verify_nodes};
    SearchResult result;

    if (settings->verify_depth == 0) return 0;
    search_new_game(verifier);
    search_run(verifier, pos, NULL, &limits, &result);
    return abs(result.score);
}

void opening_random(const OpeningSettings *settings, uint64_t seed, uint64_t index,
                    const char *base, Search *verifier, char fen[FEN_MAX])
{
    int best = INT_MAX;
    Position start;
    Pcg rng;

    assert(verifier || settings->verify_depth == 0);
    Status status = position_from_fen(&start, base ? base : START_FEN, NULL);
    assert(status == STATUS_OK);
    (void)status;
    position_to_fen(&start, fen);
    pcg_seed(&rng, seed, index);
    for (int rejected = 0, ended = 0; rejected < OPENING_TRIES && ended < OPENING_ENDS;) {
        Position pos;
        KeyHistory history;
        int plies = settings->random_plies;
        if (settings->random_plies_extra) plies += (int)pcg_below(&rng, 2);
        if (!play_random_plies(&rng, plies, &start, &pos, &history)) {
            ended++;
            continue;
        }
        int score = imbalance(settings, verifier, &pos);
        if (score < best) {
            best = score;
            position_to_fen(&pos, fen);
        }
        if (score <= settings->max_score) return;
        rejected++;
    }
}
