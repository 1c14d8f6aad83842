/* SPDX-License-Identifier: MIT
 * The functions of the rows of game_formats, under the contracts of GameFormat: each format is a
 * file of its name. Private to the formats. */
#ifndef TABIA_SELFPLAY_FORMATS_INTERNAL_H
#define TABIA_SELFPLAY_FORMATS_INTERNAL_H

#include "selfplay/formats/formats.h"

/* No score, in Stockfish's plain text and in binpack. */
enum { STOCKFISH_SCORE_NONE = 32002 };

/* pgn_write() with tags from what the database has of the game. */
Status pgn_export(FILE *out, const ExportGame *game, Error *err);

char *epd_put(char *out, const ExportGame *game, int ply);
GameSource *epd_open(const char *path, Error *err);

char *plain_put(char *out, const ExportGame *game, int ply);
GameSource *plain_open(const char *path, Error *err);

char *bullet_put(char *out, const ExportGame *game, int ply);

extern const char csv_head[];
char *csv_put(char *out, const ExportGame *game, int ply);

Status viri_write(FILE *out, const ExportGame *game, Error *err);
GameSource *viri_open(const char *path, Error *err);

bool binpack_holds(const ExportGame *game);
Status binpack_write(FILE *out, const ExportGame *game, Error *err);
GameSource *binpack_open(const char *path, Error *err);

#endif
