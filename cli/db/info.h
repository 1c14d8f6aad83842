/* SPDX-License-Identifier: MIT
 * The content of a database as numbers: counted in info.c, printed in info_print.c. */
#ifndef TABIA_CLI_DB_INFO_H
#define TABIA_CLI_DB_INFO_H

#include "db/chess/position_filter.h"
#include "db/store/connection.h"
#include "db/store/game_record.h"
#include "db/store/run_record.h"

typedef enum GamePhase { PHASE_OPENING, PHASE_MIDDLEGAME, PHASE_ENDGAME, GAME_PHASES } GamePhase;

enum { LENGTH_BIN = 20, LENGTH_BINS = 16, SCORE_ENDS = 12, SCORE_BINS = SCORE_ENDS + 1 };

/* The numbers of a group of games. info_print.c has their names. */
enum {
    FACT_GAMES,
    FACT_PLIES,
    FACT_NODES,
    FACT_WINS, /* of White: FACT_LOSSES - GameResult */
    FACT_DRAWS,
    FACT_LOSSES,
    FACT_OPENINGS, /* different start positions */
    FACT_REASONS,  /* games by GameReason */
    /* Games by plies: below LENGTH_BIN, …; the last bin holds the rest. */
    FACT_LENGTHS = FACT_REASONS + REASON_TABLEBASE + 1,
    FACT_PHASES = FACT_LENGTHS + LENGTH_BINS, /* positions before a move, by GamePhase */
    FACT_FILTER = FACT_PHASES + GAME_PHASES,  /* positions by DropReason, of the default filter */
    FACT_SCORES = FACT_FILTER + DROP_REASONS + 1, /* plies by White's score, centipawns */
    FACT_WHITE_MATES = FACT_SCORES + SCORE_BINS,  /* plies with other scores */
    FACT_BLACK_MATES,
    FACT_UNSCORED,
    FACTS
};

/* Upper ends of the score bins; the last bin holds the rest. */
extern const int info_score_ends[SCORE_ENDS];

/* Of a run, of a generation, or of all. */
typedef struct InfoGroup {
    int generation; /* of a group of this kind */
    int64_t n[FACTS];
    uint64_t last_opening; /* hash of the last one counted */
} InfoGroup;

typedef struct DbInfo {
    RunRecord *runs;
    InfoGroup *of_run;        /* [run_count] */
    InfoGroup *of_generation; /* [generation_count], ascending; those that runs have */
    int run_count, generation_count;
    InfoGroup all;
    int shortest, longest; /* game, plies */
    int64_t positions;     /* readable rows */
    /* Of a card alone: store_digest() and store_digest_moves(). */
    bool is_card;
    char digest[HASH_HEX_MAX], digest_moves[HASH_HEX_MAX];
} DbInfo;

/* To standard output. */
void info_print_text(const Store *store, const DbInfo *info);
void info_print_card(const Store *store, const DbInfo *info); /* Markdown */
void info_print_json(const Store *store, const DbInfo *info); /* also of a card */

#endif
