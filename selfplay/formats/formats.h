/* SPDX-License-Identifier: MIT
 * Formats of games for import and export. docs/formats.md says what each holds, in which units. */
#ifndef TABIA_SELFPLAY_FORMATS_FORMATS_H
#define TABIA_SELFPLAY_FORMATS_FORMATS_H

#include <stdio.h>

#include "db/chess/game_builder.h"
#include "db/files/reader.h"
#include "db/store/run_record.h"
#include "engine/search/search.h"

/* ---- Reading the games of a file of any format */

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

/* ---- Formats */

/* A game as the formats export it. Its moves are legal. Everything is borrowed. */
typedef struct ExportGame {
    const RunRecord *run;
    const char *white, *black;          /* the players' names */
    const SearchLimits *limits[COLORS]; /* of the players; NULL: unknown */
    unsigned pgn_fields;                /* of PGN, besides PGN_NODES */
    const GameRecord *record;
    const Position *positions; /* [ply_count + 1]: before each ply, and the last */
    const bool *taken;         /* [ply_count]: positions to export; NULL: all */
} ExportGame;

enum { POSITION_BYTES_MAX = 1024 };

/* How a position ends in a file that is a list of positions. */
typedef enum PositionEnd {
    END_NONE, /* games, or positions that cannot be shuffled */
    END_LINE,
    END_BLOCK, /* after a line "e" */
    END_32_BYTES
} PositionEnd;

typedef struct GameFormat {
    const char *name;
    const char *summary;
    const char *ending; /* of file names, before .zst */
    /* For lists of positions: puts the position before `ply` into out[POSITION_BYTES_MAX] and
     * returns the end; `out` itself when the format cannot hold this position. NULL for games. */
    char *(*put)(char *out, const ExportGame *game, int ply);
    /* For games: writes the game; errors as of pgn_write(). NULL for positions. */
    Status (*write)(FILE *out, const ExportGame *game, Error *err);
    /* Whether the format can hold this game. NULL: every game. */
    bool (*holds)(const ExportGame *game);
    /* NULL and an Error (STATUS_BAD_INPUT). A NULL function: this format cannot be imported. */
    GameSource *(*open)(const char *path, Error *err);
    PositionEnd end;
    const char *head; /* what every file begins with; or NULL */
} GameFormat;

/* Ended by a row whose name is NULL. */
extern const GameFormat game_formats[];

/* NULL and an Error (STATUS_USAGE) that lists the formats, for an unknown name. */
const GameFormat *game_format_find(const char *name, Error *err);
/* By the ending of a file's name, before .zst or, for reading, .gz, .bz2, .xz or .lz4; NULL
 * when it is unknown. */
const GameFormat *game_format_of(const char *path, bool reading);

/* Writes the game, which the format holds, and adds to *positions. Errors as of pgn_write(); write
 * errors stay in the stream. */
MUST_CHECK Status game_format_write(const GameFormat *format, FILE *out, const ExportGame *game,
                                    int64_t *positions, Error *err);

#endif
