/* SPDX-License-Identifier: MIT
 * The list of evaluation terms. Evaluation, features, tuner, header, loader, report and tests are
 * generated from it.
 *
 * X(FAMILY, NAME, count, description). A term's values are "White minus Black"; the descriptions
 * use a side's own view of the board. Index i of a piece-square term is the square as White sees
 * it, a1 = 0 … h8 = 63; a black piece on s counts at s ^ 56. Terms "by rank" of a pawn begin with
 * the second rank; those "by type" with the pawn or, where only pieces count, the knight.
 *
 * Terms are fitted (`--terms`) and switched off by family. The first family, material and squares,
 * and the last one, which adds to the squares by where the kings stand
 * (engine/eval/king_squares.h), are updated with each move (Position.psq). The others are evaluated
 * by engine/eval/classical.h, which defines the words of the descriptions. */
#ifndef TABIA_ENGINE_EVAL_TERMS_H
#define TABIA_ENGINE_EVAL_TERMS_H

#include "engine/base/status.h"

/* X(NAME, name in `--terms`). */
#define EVAL_FAMILY_LIST(X)                                                                        \
    X(SQUARES, "material-pst")                                                                     \
    X(MOBILITY, "mobility")                                                                        \
    X(PIECES, "pieces")                                                                            \
    X(PAWNS, "pawns")                                                                              \
    X(PASSED, "passed")                                                                            \
    X(SHELTER, "shelter")                                                                          \
    X(ATTACK, "attack")                                                                            \
    X(THREATS, "threats")                                                                          \
    X(SPACE, "space")                                                                              \
    X(TEMPO, "tempo")                                                                              \
    X(KING_SQUARES, "king-squares")

/* The tables of king squares: one of 64 for each bucket of a king (engine/eval/king_squares.c). */
enum { EVAL_KING_BUCKETS = 32, EVAL_KING_TABLES = 64 * EVAL_KING_BUCKETS };

#define EVAL_TERM_LIST(X)                                                                          \
    X(SQUARES, MATERIAL, 5, "value of a pawn, knight, bishop, rook, queen")                        \
    X(SQUARES, PAWN_PST, 64, "pawn by square, a1 first")                                           \
    X(SQUARES, KNIGHT_PST, 64, "knight by square, a1 first")                                       \
    X(SQUARES, BISHOP_PST, 64, "bishop by square, a1 first")                                       \
    X(SQUARES, ROOK_PST, 64, "rook by square, a1 first")                                           \
    X(SQUARES, QUEEN_PST, 64, "queen by square, a1 first")                                         \
    X(SQUARES, KING_PST, 64, "king by square, a1 first")                                           \
    X(MOBILITY, KNIGHT_MOBILITY, 9, "knight by number of safe squares in reach")                   \
    X(MOBILITY, BISHOP_MOBILITY, 14, "bishop by number of safe squares in reach")                  \
    X(MOBILITY, ROOK_MOBILITY, 15, "rook by number of safe squares in reach")                      \
    X(MOBILITY, QUEEN_MOBILITY, 28, "queen by number of safe squares in reach")                    \
    X(PIECES, BISHOP_PAIR, 1, "two bishops or more")                                               \
    X(PIECES, BISHOP_PAWNS, 9, "bishop by number of own pawns on squares of its colour")           \
    X(PIECES, OUTPOST, 2, "knight, bishop on an outpost")                                          \
    X(PIECES, MINOR_BEHIND_PAWN, 1, "knight or bishop right behind a pawn")                        \
    X(PIECES, ROOK_OPEN_FILE, 1, "rook on a file without pawns")                                   \
    X(PIECES, ROOK_HALF_OPEN_FILE, 1, "rook on a file without own pawns, with enemy ones")         \
    X(PAWNS, ISOLATED_PAWN, 6, "isolated pawn by rank")                                            \
    X(PAWNS, DOUBLED_PAWN, 6, "pawn behind one of its own, by rank")                               \
    X(PAWNS, BACKWARD_PAWN, 6, "backward pawn by rank")                                            \
    X(PAWNS, PHALANX_PAWN, 6, "pawn beside one of its own, by rank")                               \
    X(PAWNS, DEFENDED_PAWN, 6, "pawn defended by a pawn, by rank")                                 \
    X(PAWNS, WEAK_PAWN_EXPOSED, 1, "isolated or backward pawn with no enemy pawn before it")       \
    X(PASSED, PASSED_PAWN, 6, "passed pawn by rank")                                               \
    X(PASSED, PASSED_BLOCKED, 6, "passed pawn with a piece right before it, by rank")              \
    X(PASSED, PASSED_FREE_STEP, 6, "passed pawn whose next step is safe but not its way, by rank") \
    X(PASSED, PASSED_FREE_WAY, 6, "passed pawn whose whole way is safe, by rank")                  \
    X(PASSED, PASSED_OWN_KING, 8, "passed pawn on rank 4 to 7, by own king's distance")            \
    X(PASSED, PASSED_ENEMY_KING, 8, "passed pawn on rank 4 to 7, by the other king's distance")    \
    X(SHELTER, SHELTER, 28, "files beside the king: 4 from the edge inwards x rank of own pawn")   \
    X(SHELTER, STORM, 28, "the same, by rank of the enemy pawn")                                   \
    X(SHELTER, STORM_BLOCKED, 5, "enemy pawn before an own one instead, by rank from the third")   \
    X(ATTACK, KING_ATTACKERS, 5, "pieces that reach the other king's zone: 1 to 5 and more")       \
    X(ATTACK, KING_DANGER, 15, "weight of their attacks on it, in steps of 3")                     \
    X(ATTACK, KING_WEAK_SQUARE, 1, "attacked square of the zone that only king or queen defend")   \
    X(ATTACK, SAFE_CHECK, 4, "a knight, bishop, rook, queen could give check unharmed")            \
    X(THREATS, PAWN_THREAT, 5, "pawn attacks a pawn or piece, by type")                            \
    X(THREATS, MINOR_THREAT, 5, "knight or bishop attacks a piece or a weak pawn, by type")        \
    X(THREATS, ROOK_THREAT, 5, "rook attacks a weak pawn or piece, or a queen, by type")           \
    X(THREATS, KING_THREAT, 1, "king attacks a weak pawn or piece")                                \
    X(THREATS, HANGING, 5, "attacked pawn or piece without a defender, by type")                   \
    X(THREATS, PUSH_THREAT, 1, "a safe pawn move would attack a piece")                            \
    X(SPACE, SPACE, 1, "safe square of files c to f, ranks 2 to 4; twice behind own pawns")        \
    X(TEMPO, TEMPO, 1, "to move")                                                                  \
    X(KING_SQUARES, PAWN_OWN_KING, EVAL_KING_TABLES, "pawn by own king and square")                \
    X(KING_SQUARES, KNIGHT_OWN_KING, EVAL_KING_TABLES, "knight by own king and square")            \
    X(KING_SQUARES, BISHOP_OWN_KING, EVAL_KING_TABLES, "bishop by own king and square")            \
    X(KING_SQUARES, ROOK_OWN_KING, EVAL_KING_TABLES, "rook by own king and square")                \
    X(KING_SQUARES, QUEEN_OWN_KING, EVAL_KING_TABLES, "queen by own king and square")              \
    X(KING_SQUARES, PAWN_OTHER_KING, EVAL_KING_TABLES, "pawn by the other king and square")        \
    X(KING_SQUARES, KNIGHT_OTHER_KING, EVAL_KING_TABLES, "knight by the other king and square")    \
    X(KING_SQUARES, BISHOP_OTHER_KING, EVAL_KING_TABLES, "bishop by the other king and square")    \
    X(KING_SQUARES, ROOK_OTHER_KING, EVAL_KING_TABLES, "rook by the other king and square")        \
    X(KING_SQUARES, QUEEN_OTHER_KING, EVAL_KING_TABLES, "queen by the other king and square")      \
    X(KING_SQUARES, KING_OTHER_KING, EVAL_KING_TABLES, "king by the other king and square")

/* EVAL_MATERIAL, EVAL_PAWN_PST, … are the offsets of the terms; EVAL_MATERIAL_COUNT, … their
 * lengths; EVAL_TERMS the total. */
#define EVAL_TERM_ENUM(FAMILY, NAME, n, text)                                                      \
    EVAL_##NAME, EVAL_##NAME##_COUNT = (n), EVAL_##NAME##_LAST = EVAL_##NAME + (n)-1,
enum { EVAL_TERM_LIST(EVAL_TERM_ENUM) EVAL_TERMS };
#undef EVAL_TERM_ENUM

#define EVAL_TERM_ONE(FAMILY, NAME, n, text) +1
enum { EVAL_TERM_ROWS = 0 EVAL_TERM_LIST(EVAL_TERM_ONE) }; /* of the list */
#undef EVAL_TERM_ONE

/* What comes after material and squares, and what comes after that. */
enum {
    EVAL_CLASSICAL = EVAL_KING_PST_LAST + 1,
    EVAL_KING_SQUARES = EVAL_PAWN_OWN_KING,
    EVAL_CLASSICAL_TERMS = EVAL_KING_SQUARES - EVAL_CLASSICAL
};

#define EVAL_FAMILY_ENUM(NAME, name) EVAL_FAMILY_##NAME,
enum { EVAL_FAMILY_LIST(EVAL_FAMILY_ENUM) EVAL_FAMILIES };
#undef EVAL_FAMILY_ENUM

/* A set of families, a bit each. */
typedef unsigned EvalFamilies;

/* Sets with names: material-pst, squares and classical. */
enum {
    EVAL_MATERIAL_PST = 1 << EVAL_FAMILY_SQUARES,
    EVAL_ALL_SQUARES = EVAL_MATERIAL_PST | 1 << EVAL_FAMILY_KING_SQUARES,
    EVAL_CLASSICAL_FAMILIES = (1 << EVAL_FAMILY_KING_SQUARES) - 1, /* material-pst included */
    EVAL_ALL_FAMILIES = (1 << EVAL_FAMILIES) - 1
};

static inline EvalFamilies eval_family(int family)
{
    return 1U << family;
}

/* One row per term: name, family, offset, count, description. */
typedef struct EvalTermInfo {
    const char *name;
    int family;
    int first, count;
    const char *description;
} EvalTermInfo;

extern const EvalTermInfo eval_term_info[];  /* ended by a row whose name is NULL */
extern const char *const eval_family_name[]; /* [EVAL_FAMILIES], as in `--terms` */

/* Reads "material-pst", "squares" (with king-squares), "classical" (all but king-squares), or names
 * of families and sets with commas between them. Material and squares belong to every set. An
 * unknown name is STATUS_USAGE with a list of the names. */
MUST_CHECK Status eval_families_parse(const char *text, EvalFamilies *families, Error *err);

enum { EVAL_FAMILIES_TEXT_MAX = 160 };

/* Writes a set in its shortest form. */
void eval_families_text(EvalFamilies families, char out[EVAL_FAMILIES_TEXT_MAX]);

#endif
