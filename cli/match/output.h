/* SPDX-License-Identifier: MIT
 * The files to which a match appends its games as they end: PGN, and the final positions as EPD. */
#ifndef TABIA_CLI_MATCH_OUTPUT_H
#define TABIA_CLI_MATCH_OUTPUT_H

#include "cli/match/held_games.h"
#include "cli/output/output_file.h"
#include "db/store/game_record.h"
#include "selfplay/match/gauntlet.h"

typedef struct GauntletOutput {
    const char *pgn_path, *epd_path; /* NULL: none */
    const char *event, *site;        /* tags of PGN; may be NULL */
    const char *fields;              /* "nodes,nps", names of --pgn-fields; or NULL */
    bool needs_search;               /* whether they need GameRecord.search; set by opening */
    /* Private. */
    unsigned pgn_fields;
    char date[16];
    OutputFile *pgn, *epd;
    HeldGames pgn_held, epd_held; /* before this process */
} GauntletOutput;

/* Opens or makes the files; `resumable`: reads what they hold. STATUS_USAGE for an unknown field
 * and for a file of another kind. Call gauntlet_output_close() also after a failure. */
MUST_CHECK Status gauntlet_output_open(GauntletOutput *out, bool resumable, Error *err);

/* Appends the game; a resumed one only to files that lack it. */
MUST_CHECK Status gauntlet_output_game(GauntletOutput *out, const GauntletPlayer *players,
                                       const GameRecord *game, bool resumed, Error *err);

/* Removes new files without games. Returns `status` with its error if it is one. */
MUST_CHECK Status gauntlet_output_close(GauntletOutput *out, Status status, Error *err);

#endif
