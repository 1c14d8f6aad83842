/* SPDX-License-Identifier: MIT
 * Stockfish's binpack: the functions of its row in formats.h. */
#ifndef TABIA_SELFPLAY_FORMATS_BINPACK_H
#define TABIA_SELFPLAY_FORMATS_BINPACK_H

#include <stdio.h>

#include "selfplay/formats/export_game.h"
#include "selfplay/formats/game_source.h"

bool binpack_holds(const ExportGame *game);
MUST_CHECK Status binpack_write(FILE *out, const ExportGame *game, Error *err);
GameSource *binpack_open(const char *path, Error *err);

#endif
