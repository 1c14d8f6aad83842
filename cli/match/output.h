/* SPDX-License-Identifier: MIT
 * The files that a match writes game by game: PGN, and the final positions as EPD. */
#ifndef TABIA_CLI_MATCH_OUTPUT_H
#define TABIA_CLI_MATCH_OUTPUT_H

#include "cli/output/output_file.h"
#include "db/store/game_record.h"
#include "selfplay/match/gauntlet.h"

typedef struct GauntletOutput {
    const char *pgn_path, *epd_path; /* NULL: none */
    const char *event, *site;        /* tags of PGN; may be NULL */
    const char *fields;              /* "nodes,nps,timeleft,min", some of them; or NULL */
    /* Its own. */
    unsigned pgn_fields;
    char date[16];
    OutputFile *pgn, *epd;
    int64_t games; /* in them */
} GauntletOutput;

/* Makes the files. STATUS_USAGE for a field that there is not. */
MUST_CHECK Status gauntlet_output_open(GauntletOutput *out, Error *err);

MUST_CHECK Status gauntlet_output_game(GauntletOutput *out, const GauntletPlayer *players,
                                       const GameRecord *game, Error *err);

/* Puts the files in their places, or with `keep` false removes what was written. */
MUST_CHECK Status gauntlet_output_close(GauntletOutput *out, bool keep, Error *err);

#endif
