/* SPDX-License-Identifier: MIT
 * Reading the games of a file of any format. */
#ifndef TABIA_SELFPLAY_FORMATS_GAME_SOURCE_H
#define TABIA_SELFPLAY_FORMATS_GAME_SOURCE_H

#include "db/chess/game_builder.h"
#include "db/files/reader.h"

typedef struct GameSource GameSource;
typedef Status GameSourceNext(GameSource *source, const GameRecord **game, Error *err);

/* Formats embed it as their first member. */
struct GameSource {
    GameSourceNext *next;
    FileReader *file;          /* owned */
    GameBuilder game;          /* the game that is read or was returned last; owned */
    const char *white, *black; /* players of the last game; NULL: the format does not say */
    int64_t start;             /* of binary formats: offset of that game */
    int64_t unfinished;        /* games left out so far because their result is not known */
    FaultCount dropped;        /* start positions that lost a castling right or the like so far */
};

/* A source of `size` bytes, zeroed after its GameSource. The file is taken; NULL: it could not be
 * opened, as *err says. NULL and an Error. */
GameSource *game_source_open(size_t size, FileReader *file, GameSourceNext *next, Error *err);
void game_source_close(GameSource *source); /* NULL-safe */

/* A game whose moves are legal and whose end passes replay_check(); NULL at the end. The numbers of
 * game, opening and players are 0. It is valid until the next call. STATUS_BAD_INPUT with file,
 * line (or byte) and cause; the next call continues after the fault as well as the format allows.
 * After a finite number of calls the end is reached. */
static inline MUST_CHECK Status game_source_next(GameSource *source, const GameRecord **game,
                                                 Error *err)
{
    return source->next(source, game, err);
}

/* For formats: counts what position_from_fen() has dropped from the position of that line, as
 * note->text says; it is cleared. */
void game_source_note(GameSource *source, int64_t line, Error *note);

/* For formats: reader_take() within the game that begins at source->start, where the file must not
 * end. */
MUST_CHECK Status game_source_take(GameSource *source, size_t size, const uint8_t **data,
                                   Error *err);

#endif
