/* SPDX-License-Identifier: MIT
 * The tag section of a PGN game. */
#ifndef TABIA_SELFPLAY_FORMATS_PGN_TAGS_H
#define TABIA_SELFPLAY_FORMATS_PGN_TAGS_H

#include "db/files/reader.h"

enum { PGN_VALUE_MAX = 256 };

/* The tags that are read; "" when absent. Longer values are cut. */
typedef struct PgnTagValues {
    char white[PGN_VALUE_MAX], black[PGN_VALUE_MAX];
    char result[PGN_VALUE_MAX], termination[PGN_VALUE_MAX];
    char fen[PGN_VALUE_MAX], variant[PGN_VALUE_MAX];
} PgnTagValues;

/* Reads the tag section. STATUS_BAD_INPUT with *line for the first malformed tag; the section is
 * still read to its end. */
MUST_CHECK Status pgn_tags_read(FileReader *text, PgnTagValues *tags, int64_t *line, Error *err);

#endif
