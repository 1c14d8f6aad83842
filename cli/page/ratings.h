/* SPDX-License-Identifier: MIT
 * Ratings over all matches of a database, by maximum likelihood (selfplay/match/rating.h). */
#ifndef TABIA_CLI_PAGE_RATINGS_H
#define TABIA_CLI_PAGE_RATINGS_H

#include "cli/page/rows.h"
#include "selfplay/match/rating.h"

/* Players of several matches are one when weights (of an engine of another program, the name) and
 * configuration are equal. */
typedef struct Ratings {
    Rows players;       /* columns below; those with the most games first */
    int count;          /* of the first of them, which are rated */
    const char **names; /* [count], borrowed from `players` */
    Scoreboard board;   /* pairings of those with games */
    FaultCount alone;   /* of ratings_read_games(): games of a player against itself, not rated */
    RatingTable table;
    int anchor; /* index of the player with a given rating */
    double anchor_elo;
} Ratings;

/* Columns of `players`; FIRST orders them as matches name them. */
enum { RATED_ID, RATED_NAME, RATED_GENERATION, RATED_GAMES, RATED_FIRST };

extern const char ratings_pairings_sql[];

/* All players and their scores, without ratings. STATUS_BAD_INPUT: more than PLAYED_PLAYERS_MAX. */
MUST_CHECK Status ratings_read_games(Store *store, Ratings *ratings, Error *err);

/* The PLAYERS_MAX players with the most games, with ratings. anchor: "NAME", "NAME=ELO", or NULL:
 * `material`, else generation 0, else the player with the most games, at 0. No players when the
 * database has no matches. STATUS_USAGE: no such player. Free in any case. */
MUST_CHECK Status ratings_read(Store *store, const char *anchor, Ratings *ratings, Error *err);
void ratings_free(Ratings *ratings);

/* The player of a generation of `tabia learn`; -1: it has played no match. */
int ratings_generation(const Ratings *ratings, int generation);

#endif
