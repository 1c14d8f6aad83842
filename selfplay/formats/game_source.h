/* SPDX-License-Identifier: MIT
 * Games that come out of a file, whatever its format. */
#ifndef TABIA_SELFPLAY_FORMATS_GAME_SOURCE_H
#define TABIA_SELFPLAY_FORMATS_GAME_SOURCE_H

#include "db/store/game_record.h"
#include "engine/base/status.h"

typedef struct GameSource GameSource;

typedef struct GameSourceVtable {
    Status (*next)(GameSource *source, const GameRecord **game, Error *err);
    int64_t (*consumed)(const GameSource *source);
    void (*close)(GameSource *source);
} GameSourceVtable;

/* Implementations embed it as their first member. */
struct GameSource {
    const GameSourceVtable *vtable;
    const char *white, *black; /* who played the last game; NULL: the format does not say */
    int64_t unfinished;        /* games passed over so far because nobody says how they ended */
};

/* A game whose moves are legal and whose end passes replay_check(); NULL at the end. Numbers of
 * game, opening and players are 0. It lives until the next call. STATUS_BAD_INPUT with file, line
 * (or byte) and cause; the call after it goes on behind the fault as well as the format allows, and
 * in the end ends. */
static inline MUST_CHECK Status game_source_next(GameSource *source, const GameRecord **game,
                                                 Error *err)
{
    return source->vtable->next(source, game, err);
}

/* For progress: how many of the file's bytes were read. */
static inline int64_t game_source_consumed(const GameSource *source)
{
    return source->vtable->consumed(source);
}

static inline void game_source_close(GameSource *source) /* NULL-safe */
{
    if (source) source->vtable->close(source);
}

#endif
