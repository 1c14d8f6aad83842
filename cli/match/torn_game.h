/* SPDX-License-Identifier: MIT
 * A game at the end of a PGN or EPD file that a kill or a full disk has cut. */
#ifndef TABIA_CLI_MATCH_TORN_GAME_H
#define TABIA_CLI_MATCH_TORN_GAME_H

#include "engine/base/status.h"

/* Removes the last game of a plain PGN file if it is of this event and was cut: it has no result,
 * or a comment that does not end, which would swallow the next game. So it is with a game of which
 * there is only a part of its first line. event NULL: an EPD file; removes a last line without its
 * result and newline if the line before has one. STATUS_FAILED when the file cannot be read or
 * shortened. */
MUST_CHECK Status torn_game_remove(const char *path, const char *event, Error *err);

#endif
