/* SPDX-License-Identifier: MIT
 * The tags of a PGN game: [Name "value"], one or several a line, or one over several lines. */
#ifndef TABIA_SELFPLAY_FORMATS_PGN_TAGS_H
#define TABIA_SELFPLAY_FORMATS_PGN_TAGS_H

#include "db/files/reader.h"
#include "db/store/game_record.h"

enum { PGN_VALUE_MAX = 256 };

/* The tags that are read. No game has one of the first ones twice. */
enum {
    TAG_EVENT,
    TAG_WHITE,
    TAG_BLACK,
    TAG_RESULT,
    TAG_FEN,
    TAGS_ONCE,
    TAG_TERMINATION = TAGS_ONCE,
    TAG_VARIANT,
    TAG_ROUND,
    TAGS
};

typedef struct PgnTags {
    char value[TAGS][PGN_VALUE_MAX]; /* "" when absent; longer ones are cut */
    bool any;                        /* the section has a tag, also one that is not read */
    int64_t fault_line;              /* of the first malformed tag */
} PgnTags;

/* Reads the tag section, which also ends where that of the next game begins: with a second Event,
 * or after an empty line, if a tag follows there that no game has twice. STATUS_BAD_INPUT with
 * fault_line for the first malformed tag; the section is still read to its end. */
MUST_CHECK Status pgn_tags_read(FileReader *file, PgnTags *tags, Error *err);

/* Does the variant's name stand for chess or Chess960? */
bool pgn_tags_are_chess(const PgnTags *tags);

/* Why the game ended, as Termination says it; 0: it does not. */
GameReason pgn_tags_reason(const PgnTags *tags);

/* The players' names, which are stored and printed, lose what terminals and UTF-8 cannot have. */
void pgn_tags_clean_names(PgnTags *tags);

#endif
