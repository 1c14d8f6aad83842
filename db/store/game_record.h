/* SPDX-License-Identifier: MIT
 * A game and its positions as plain data, shared by all who read or write the store. */
#ifndef TABIA_DB_STORE_GAME_RECORD_H
#define TABIA_DB_STORE_GAME_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/byte_order.h"

enum { FEN_TEXT_MAX = 128, GAME_NOTE_MAX = 512 };

/* Result of a game; these numbers are stored. */
typedef enum GameResult {
    RESULT_BLACK_WINS = 0,
    RESULT_DRAW = 1,
    RESULT_WHITE_WINS = 2
} GameResult;

/* Why a game ended. The numbers are stored and never change. */
typedef enum GameReason {
    REASON_CHECKMATE = 1,
    REASON_STALEMATE = 2,
    REASON_REPETITION = 3,
    REASON_FIFTY_MOVES = 4,
    REASON_MATERIAL = 5,         /* insufficient material */
    REASON_MAX_PLIES = 6,        /* the configured maximum length: a draw */
    REASON_WIN_ADJUDICATION = 7, /* both scores were decisive for long enough */
    REASON_DRAW_ADJUDICATION = 8,
    REASON_TIME = 9, /* timeout */
    REASON_ILLEGAL_MOVE = 10,
    REASON_CRASH = 11,
    REASON_STALL = 12,
    REASON_TABLEBASE = 13
} GameReason;

/* "checkmate", "stalemate", "repetition", …; "unknown" for other numbers. Static storage. */
const char *reason_name(GameReason reason);
/* "1-0", "0-1", "1/2-1/2". Static storage. */
const char *result_text(GameResult result);
/* Reads those and "1/2" from text[0, length). Otherwise false, and *result is unchanged. */
bool result_parse(const char *text, size_t length, GameResult *result);

/* A score that is no centipawn value. Mate in n plies is 32000 - n, as in the engine. */
enum { SCORE_UNKNOWN = 32767 };

/* One ply as stored in games.moves: four bytes, little-endian, move then score.
 * move: from | to << 6 | kind << 12 (castling: king takes own rook). score: White's view,
 * centipawns, SCORE_UNKNOWN when there was no search. */
typedef struct GamePly {
    uint16_t move;
    int16_t score;
} GamePly;

/* Time, nodes and depth of a ply, as stored in games.clock: nine bytes, little-endian. All 0 where
 * there was no search. */
typedef struct PlyClock {
    uint32_t time_ms; /* measured by the referee */
    uint32_t nodes;   /* UINT32_MAX: that many or more */
    uint8_t depth;    /* plies; UINT8_MAX: that many or more */
} PlyClock;

/* Most nodes of a ply that a foreign program is believed, so that sums of many games fit 63 bits.
 */
#define PLY_NODES_MAX INT64_C(1000000000000)

/* A clock of these, each cut to its range. */
PlyClock ply_clock(uint64_t time_ms, uint64_t nodes, int depth);

enum { PLY_PV_MAX = 128 };

/* What an engine reported of the search of a ply, for PGN; not stored. -1: nothing. */
typedef struct PlySearch {
    int32_t seldepth, hashfull; /* plies; per mille */
    int64_t tb_hits, time_ms;   /* time_ms: by its own clock */
    char pv[PLY_PV_MAX];        /* moves in UCI notation, as many as fit; "" */
} PlySearch;

enum { GAME_VARIED_PLIES = 63 }; /* bits of GameRecord.varied */

/* A finished game. `plies`, `clock` and `search` are owned by the code that fills the record. */
typedef struct GameRecord {
    int64_t game_no;              /* index within its run, from 0 */
    int64_t opening_no;           /* which opening of the run it was played from */
    char start_fen[FEN_TEXT_MAX]; /* position before plies[0] */
    GameResult result;
    GameReason reason;
    int white, black; /* numbers of the run's players; both 0 in self-play without --pool */
    int64_t nodes;    /* spent by both sides */
    int64_t varied;   /* bit p, up to 62: the move of ply p is not the best of its search */
    int ply_count;
    GamePly *plies;
    PlyClock *clock;          /* [ply_count]; NULL: not recorded */
    PlySearch *search;        /* [ply_count]; NULL: not recorded */
    char note[GAME_NOTE_MAX]; /* why a player forfeited, in words; not stored */
} GameRecord;

/* 64 bits of the start position and the moves: equal for copies of a game. */
uint64_t game_record_hash(const GameRecord *game);

/* ---- The blobs of the table of games: games.moves and games.clock */

enum { PLY_BYTES = 4, CLOCK_BYTES = 9 };

static inline void game_blob_put_ply(uint8_t out[PLY_BYTES], GamePly ply)
{
    put_le(out, ply.move, 2);
    put_le(out + 2, (uint16_t)ply.score, 2);
}

static inline GamePly game_blob_get_ply(const uint8_t in[PLY_BYTES])
{
    return (GamePly){.move = (uint16_t)get_le(in, 2), .score = (int16_t)get_le(in + 2, 2)};
}

static inline void game_blob_put_clock(uint8_t out[CLOCK_BYTES], PlyClock clock)
{
    put_le(out, clock.time_ms, 4);
    put_le(out + 4, clock.nodes, 4);
    out[8] = clock.depth;
}

static inline PlyClock game_blob_get_clock(const uint8_t in[CLOCK_BYTES])
{
    return (PlyClock){(uint32_t)get_le(in, 4), (uint32_t)get_le(in + 4, 4), in[8]};
}

/* A row of the table positions: the position before a ply. */
typedef struct PositionRow {
    int ply; /* 0 for the start position */
    char fen[FEN_TEXT_MAX];
    int score;      /* White's view, centipawns, or SCORE_UNKNOWN */
    char move[8];   /* UCI notation: the move played */
    unsigned flags; /* POSITION_* */
} PositionRow;

enum {
    POSITION_IN_CHECK = 1,    /* side to move is in check */
    POSITION_NOISY_MOVE = 2,  /* the move played is a capture or promotion */
    POSITION_MATE_SCORE = 4,  /* the score is a mate */
    POSITION_GIVES_CHECK = 8, /* the move played gives check */
    POSITION_VARIED_MOVE = 16 /* the move played is not the best of its search */
};

#endif
