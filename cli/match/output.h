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
    /* Private. */
    unsigned pgn_fields;
    char date[16];
    OutputFile *pgn, *epd;
    int64_t games; /* written */
} GauntletOutput;

/* Makes the files. STATUS_USAGE for an unknown field. */
MUST_CHECK Status gauntlet_output_open(GauntletOutput *out, Error *err);

MUST_CHECK Status gauntlet_output_game(GauntletOutput *out, const GauntletPlayer *players,
                                       const GameRecord *game, Error *err);

/* Renames the files into place, or with `keep` false removes them. */
MUST_CHECK Status gauntlet_output_close(GauntletOutput *out, bool keep, Error *err);

#endif
