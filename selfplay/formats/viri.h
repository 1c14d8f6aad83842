/* SPDX-License-Identifier: MIT
 * viriformat: the functions of its row in formats.h. */
#ifndef TABIA_SELFPLAY_FORMATS_VIRI_H
#define TABIA_SELFPLAY_FORMATS_VIRI_H

#include <stdio.h>

#include "selfplay/formats/export_game.h"
#include "selfplay/formats/game_source.h"

MUST_CHECK Status viri_write(FILE *out, const ExportGame *game, Error *err);
GameSource *viri_open(const char *path, Error *err);

#endif
