/* SPDX-License-Identifier: MIT
 * bulletformat: the functions of its row in formats.h. */
#ifndef TABIA_SELFPLAY_FORMATS_BULLET_H
#define TABIA_SELFPLAY_FORMATS_BULLET_H

#include "selfplay/formats/export_game.h"

char *bullet_put(char *out, const ExportGame *game, int ply);

#endif
