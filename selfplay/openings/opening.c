/* SPDX-License-Identifier: MIT
 * Random openings: random plies, verified by a search. */
#include "selfplay/openings/opening.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "db/chess/game_end.h"
#include "engine/board/chess960.h"
#include "engine/uci/random_opening.h"

const char opening_heading[] = "Openings and adjudication";

const Setting opening_settings[] = {
    {"base", FIELD(OpeningSettings, base), .words = "chess|chess960|double chess960",
     .optional = true},
    {"random-plies", FIELD(OpeningSettings, random_plies), "N",
     "random moves that make an opening, one more in half of them; 0: none, the default with a book",
     0, OPENING_PLIES_MAX, .preset = 8},
    {"random-plies-extra", FIELD(OpeningSettings, random_plies_extra), .preset = 1},
    {"verify-depth", FIELD(OpeningSettings, verify_depth), .preset = 10},
    {"verify-nodes", FIELD(OpeningSettings, verify_nodes), "N",
     "nodes of the search that rejects openings, a soft limit", 1, 1000000, .preset = 1000},
    {"opening-max-score", FIELD(OpeningSettings, max_score), "CP",
     "absolute score beyond which an opening is rejected, centipawns", 0, 100000, .preset = 600},
    {0},
};

/* ---- Bases */

int64_t opening_bases(const OpeningSettings *settings)
{
    static const int64_t counts[] = {[OPENING_CHESS] = 1,
                                     [OPENING_CHESS960] = CHESS960_STARTS,
                                     [OPENING_DOUBLE_CHESS960] =
                                         (int64_t)CHESS960_STARTS * CHESS960_STARTS};
    return counts[settings->base];
}

/* The image of `index` in the permutation of [0, count) given by `seed`: four rounds of a Feistel
 * network over the next even number of bits, repeated until the result is below count.
 * Source: J. Black, P. Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002. */
static uint64_t permute(uint64_t index, uint64_t count, uint64_t seed)
{
    int half = 1;

    while ((uint64_t)1 << 2 * half < count)
        half++;
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = index >> half, right = index & mask;
        for (uint64_t round = 0; round < 4; round++) {
            Pcg rng;
            pcg_seed(&rng, seed, right << 2 | round);
            uint64_t next = left ^ (pcg_next(&rng) & mask);
            left = right;
            right = next;
        }
        index = left << half | right;
    } while (index >= count);
    return index;
}

static void set_base(const OpeningSettings *settings, uint64_t seed, uint64_t index,
                     const char *fen, Position *pos)
{
    uint64_t bases = (uint64_t)opening_bases(settings);
    int number = (int)permute(index % bases, bases, seed);

    if (fen || settings->base == OPENING_CHESS) {
        Status status = position_from_fen(pos, fen ? fen : START_FEN, &(Error){0});
        assert(status == STATUS_OK);
        (void)status;
    } else if (settings->base == OPENING_CHESS960) {
        chess960_start(pos, number, number);
    } else {
        chess960_start(pos, number / CHESS960_STARTS, number % CHESS960_STARTS);
    }
}

/* ---- Random plies */

/* Plays `plies` random moves from `base`; false when the game ended before or there. */
static bool play_random_plies(Pcg *rng, int plies, const Position *base, Position *pos,
                              KeyHistory *history)
{
    GameResult result;
    GameReason reason;

    *pos = *base;
    history->count = 0;
    for (int ply = 0; ply < plies; ply++) {
        key_history_push(history, pos);
        if (!random_opening_move(pos, rng)) return false;
    }
    return !game_over(pos, history, &result, &reason);
}

bool opening_random(const OpeningSettings *settings, uint64_t seed, uint64_t index,
                    const char *base, Search *verifier, char fen[FEN_MAX])
{
    const SearchLimits limits = {.depth = settings->verify_depth,
                                 .nodes_soft = (uint64_t)settings->verify_nodes,
                                 .nodes_hard = 8 * (uint64_t)settings->verify_nodes};
    int rejected = 0;
    Position start;
    Pcg rng;

    assert(verifier || settings->random_plies == 0 || settings->verify_depth == 0);
    set_base(settings, seed, index, base, &start);
    position_to_fen(&start, fen);
    if (settings->random_plies == 0) return true;
    pcg_seed(&rng, seed, index);
    for (int ended = 0; rejected < OPENING_TRIES && ended < OPENING_ENDS;) {
        Position pos;
        KeyHistory history;
        int plies = settings->random_plies;
        if (settings->random_plies_extra) plies += (int)pcg_below(&rng, 2);
        if (!play_random_plies(&rng, plies, &start, &pos, &history)) {
            ended++;
            continue;
        }
        int score = limits.depth > 0 ? random_opening_imbalance(verifier, &pos, &limits) : 0;
        if (score <= settings->max_score) {
            position_to_fen(&pos, fen);
            return true;
        }
        rejected++;
    }
    return rejected == 0;
}

Status opening_of_game(const OpeningSettings *settings, uint64_t seed, const OpeningBook *book,
                       int64_t number, Search *verifier, GameOpening *opening, Error *err)
{
    const BookLine *line = settings->random_plies == 0 ? opening_book_line(book, number) : NULL;

    *opening = (GameOpening){0};
    if (line) {
        memcpy(opening->start_fen, line->start_fen, FEN_MAX);
        opening->moves = &book->moves[line->first];
        opening->move_count = line->count;
        return STATUS_OK;
    }
    if (opening_random(settings, seed, (uint64_t)number, opening_book_fen(book, number), verifier,
                       opening->start_fen))
        return STATUS_OK;
    return error_set(err, STATUS_FAILED,
                     "opening %lld: %d random positions in a row have a score beyond %d centipawns;"
                     " use another --opening-max-score",
                     (long long)number + 1, (int)OPENING_TRIES, settings->max_score);
}
