/* SPDX-License-Identifier: MIT
 * EPD with results: the functions of its row in formats.h. */
#ifndef TABIA_SELFPLAY_FORMATS_EPD_H
#define TABIA_SELFPLAY_FORMATS_EPD_H

#include "selfplay/formats/export_game.h"
#include "selfplay/formats/game_source.h"

char *epd_put(char *out, const ExportGame *game, int ply);
GameSource *epd_open(const char *path, Error *err);

#endif
