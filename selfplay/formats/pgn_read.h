/* SPDX-License-Identifier: MIT
 * Reading games in Portable Game Notation, one at a time, in constant memory.
 *
 * Reads the standard's import format (Steven J. Edwards, "Portable Game Notation Specification and
 * Implementation Guide", 1994) and common deviations: comments of both kinds, escaped lines,
 * numeric annotations, variations (skipped), a byte order mark, unescaped quotes in tag values,
 * missing results, FEN without SetUp, Chess960 under several names with X-FEN or Shredder-FEN
 * castling, moves in SAN, long algebraic or UCI notation, and scores, depths and times in comments
 * (pgn_comment.h). Every move is checked by the rules. */
#ifndef TABIA_SELFPLAY_FORMATS_PGN_READ_H
#define TABIA_SELFPLAY_FORMATS_PGN_READ_H

#include "selfplay/formats/formats.h"

/* A source of the finished games. Its errors are those of pgn_next(). */
GameSource *pgn_open(const char *path, Error *err);

/* ---- A file in parts, for threads to read at a time */

/* Takes about 64 KB of whole games, up to the tag Event of the next one, as a file of its own:
 * reader_split(). *part is NULL at the end, at a fault of the file, and where 16 MB have no such
 * tag after an empty line. */
MUST_CHECK Status pgn_next_part(FileReader *file, FileReader **part, Error *err);
/* A source of the games of a part, which is taken. */
GameSource *pgn_open_part(FileReader *part, Error *err);
/* After its end: false if the part ends within tags, a comment or a variation. Otherwise its games
 * and errors are those that pgn_open() gives there. */
bool pgn_part_is_whole(const GameSource *source);

/* ---- Games and their data */

/* A game and its players, source->white and source->black ("" without the tag; cut to 127 bytes),
 * are owned by the source and valid until the next call. */
typedef struct PgnGame {
    int64_t line; /* its first line, from 1 */
    /* Start, moves, and from comments scores (else SCORE_UNKNOWN), times, depths and nodes. If
     * finished also result and reason. The numbers of game, opening and players are 0. */
    const GameRecord *record;
    bool finished; /* false: the result is "*" or missing */
} PgnGame;

/* A game of a source of pgn_open(), finished or not; *game is NULL at the end.
 * STATUS_BAD_INPUT with file, line and cause: not PGN, an illegal or unreadable move, an impossible
 * start position, another variant of chess, a result that contradicts the board or the tag. The
 * next call continues with the next game, or after a read error of the file is at the end. */
MUST_CHECK Status pgn_next(GameSource *source, const PgnGame **game, Error *err);

/* The tags of a game, which the source owns until the next call. */
typedef struct PgnHeader {
    int64_t line;              /* its first line, from 1 */
    const char *white, *black; /* cut to 127 bytes */
    const char *round, *fen;   /* "" without the tag */
    GameResult result;
    bool finished; /* false: the result is "*", and `result` says nothing */
} PgnHeader;

/* The tags of the next game, whose moves are skipped unread: a game of any variant will do. *found
 * is false at the end. A source is read by this or by pgn_next() alone. STATUS_BAD_INPUT with file,
 * line and cause: a malformed tag, or no White, Black or Result. */
MUST_CHECK Status pgn_next_header(GameSource *source, PgnHeader *header, bool *found, Error *err);

#endif
