/* SPDX-License-Identifier: MIT
 * The files to which a match appends its games as they end: PGN, and the final positions as EPD.
 * Files of an earlier part of the match get only the rest: what they hold is known by counts of
 * equal games or lines, kept as hashes. A game at the end of one may be cut by a kill or a full
 * disk. */
#ifndef TABIA_CLI_MATCH_OUTPUT_H
#define TABIA_CLI_MATCH_OUTPUT_H

#include <stdint.h>

#include "cli/output/output_file.h"
#include "db/store/game_record.h"
#include "engine/base/status.h"
#include "selfplay/match/gauntlet.h"

/* What a file holds. Zero-initialised it is empty. */
typedef struct HeldGames {
    uint64_t *keys; /* owned, ascending */
    int64_t *taken; /* owned: at the first of equal keys, how many of them were taken */
    int64_t count, capacity;
} HeldGames;

/* Reads the games of a PGN file, or the lines of a text file, each plain or compressed; damaged
 * games are passed over. STATUS_BAD_INPUT when the file cannot be read to its end. */
MUST_CHECK Status held_games_read_pgn(HeldGames *held, const char *path, Error *err);
MUST_CHECK Status held_games_read_lines(HeldGames *held, const char *path, Error *err);

/* Is the key there, once more than it was taken? Then takes it. */
bool held_games_take(HeldGames *held, uint64_t key);

void held_games_free(HeldGames *held);

/* Removes the last game of a plain PGN file if it is of this event and was cut: it has no result,
 * or a comment that does not end, which would swallow the next game. So it is with a game of which
 * there is only a part of its first line. event NULL: an EPD file; removes a last line without its
 * result and newline if the line before has one. STATUS_FAILED when the file cannot be read or
 * shortened. */
MUST_CHECK Status torn_game_remove(const char *path, const char *event, Error *err);

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
