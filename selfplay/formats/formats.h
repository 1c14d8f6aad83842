/* SPDX-License-Identifier: MIT
 * The formats in which games come and go: what each holds, and in which units, is in
 * docs/formats.md. */
#ifndef TABIA_SELFPLAY_FORMATS_FORMATS_H
#define TABIA_SELFPLAY_FORMATS_FORMATS_H

#include <stdio.h>

#include "db/store/game_record.h"
#include "db/store/run_record.h"
#include "engine/board/position.h"
#include "selfplay/formats/game_source.h"

/* A game on its way out, its moves known to be legal. Everything is borrowed. */
typedef struct ExportGame {
    const RunRecord *run;
    const char *white, *black;       /* the players' names */
    const char *white_tc, *black_tc; /* their time controls as PGN has them; NULL: not known */
    const GameRecord *record;
    const Position *positions; /* [ply_count + 1]: before each ply, and the last */
    const bool *taken;         /* [ply_count]: the positions that are wanted; NULL: all */
} ExportGame;

typedef struct GameFormat {
    const char *name;
    const char *summary;
    const char *ending; /* of file names, before a .zst */
    bool of_positions;  /* a list of positions, from which some may be left out */
    /* Prints the game and adds to *positions. STATUS_FAILED, STATUS_BAD_INPUT as pgn_write();
     * otherwise errors stay in the stream. */
    Status (*write)(FILE *out, const ExportGame *game, int64_t *positions, Error *err);
    /* NULL and an Error (STATUS_BAD_INPUT); a NULL function: there are no games in such files. */
    GameSource *(*open)(const char *path, Error *err);
} GameFormat;

/* Ended by a row whose name is NULL. */
extern const GameFormat game_formats[];

/* NULL, with a STATUS_USAGE sentence that lists them, for an unknown name. */
const GameFormat *game_format_find(const char *name, Error *err);
/* By the ending of a file's name, behind which .zst may stand, and .bz2 where it is read; NULL when
 * it says nothing. */
const GameFormat *game_format_of(const char *path, bool reading);

/* The rows of the table. */
Status pgn_export(FILE *out, const ExportGame *game, int64_t *positions, Error *err);
Status epd_write(FILE *out, const ExportGame *game, int64_t *positions, Error *err);
Status plain_write(FILE *out, const ExportGame *game, int64_t *positions, Error *err);
Status bullet_write(FILE *out, const ExportGame *game, int64_t *positions, Error *err);
Status viri_write(FILE *out, const ExportGame *game, int64_t *positions, Error *err);
GameSource *pgn_open(const char *path, Error *err);
GameSource *epd_open(const char *path, Error *err);
GameSource *plain_open(const char *path, Error *err);
GameSource *viri_open(const char *path, Error *err);

#endif
