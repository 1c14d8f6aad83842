/* SPDX-License-Identifier: MIT
 * Stockfish's plain text: the functions of its row in formats.h. */
#ifndef TABIA_SELFPLAY_FORMATS_PLAIN_H
#define TABIA_SELFPLAY_FORMATS_PLAIN_H

#include "selfplay/formats/export_game.h"
#include "selfplay/formats/game_source.h"

/* No score, here and in binpack. */
enum { STOCKFISH_SCORE_NONE = 32002 };

char *plain_put(char *out, const ExportGame *game, int ply);
GameSource *plain_open(const char *path, Error *err);

#endif
