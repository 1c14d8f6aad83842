/* SPDX-License-Identifier: MIT
 * The content of a database: counted in info.c, printed in info_print.c. */
#ifndef TABIA_CLI_DB_INFO_H
#define TABIA_CLI_DB_INFO_H

#include "db/store/run_record.h"
#include "db/tables/games.h"

enum { LENGTH_BIN = 20, LENGTH_BINS = 16, SCORE_ENDS = 12, SCORE_BINS = SCORE_ENDS + 1 };
typedef enum GamePhase { PHASE_OPENING, PHASE_MIDDLEGAME, PHASE_ENDGAME, GAME_PHASES } GamePhase;

/* Upper ends of the score bins, centipawns; the last bin holds the rest, mates are apart. */
extern const int info_score_ends[SCORE_ENDS];

/* Of a run, of a generation, or of all. */
typedef struct InfoGroup {
    int generation; /* of a group of this kind */
    GameCounts counts;
    int64_t openings;             /* different start positions */
    uint64_t last_opening;        /* hash of the last of them */
    int shortest, longest;        /* game, plies */
    int64_t lengths[LENGTH_BINS]; /* games by plies: [0] below LENGTH_BIN, … the last is open */
    int64_t scores[SCORE_BINS];   /* plies by White's score */
    int64_t white_mates, black_mates, unscored;
    int64_t phases[GAME_PHASES]; /* positions before a move, by the pieces on the board */
} InfoGroup;

typedef struct DbInfo {
    RunRecord *runs;
    InfoGroup *of_run;        /* [run_count] */
    InfoGroup *of_generation; /* [generation_count], ascending; those that runs have */
    int run_count, generation_count;
    InfoGroup all;
    int64_t positions; /* readable rows */
} DbInfo;

/* To standard output. */
void info_print_text(const Store *store, const DbInfo *info);
void info_print_json(const Store *store, const DbInfo *info);

#endif
