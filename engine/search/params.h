/* SPDX-License-Identifier: MIT
 * The list of the search's tunable constants, used by UCI setoption, in-process players, the SPSA
 * listing and the tests.
 *
 * They belong to an engine instance, not to the program: two engines with different constants can
 * play each other in one process. */
#ifndef TABIA_ENGINE_SEARCH_PARAMS_H
#define TABIA_ENGINE_SEARCH_PARAMS_H

#include <stddef.h>

#include "engine/base/status.h"

/* X(name, value, least, most, description). Margins are centipawns, depths plies, reductions 1/1024
 * plies. A depth of 0 (up to) or 99 (from) switches a part off. */
#define SEARCH_PARAM_LIST(X)                                                                       \
    X(shared_depth, 3, 1, 99, "results from this depth go into the shared hash table")             \
    X(aspiration_delta, 17, 5, 100, "half width of the first aspiration window")                   \
    X(aspiration_growth, 683, 100, 2000, "growth of the window on failure, 1/1024")                \
    X(razor_depth, 3, 0, 10, "razoring up to this depth")                                          \
    X(razor_margin, 240, 50, 800, "razoring: margin below alpha a ply")                            \
    X(rfp_depth, 9, 0, 20, "reverse futility up to this depth")                                    \
    X(rfp_margin, 130, 20, 200, "reverse futility: margin above beta a ply")                       \
    X(null_depth, 3, 1, 99, "null move from this depth")                                           \
    X(null_margin, 32, -100, 400, "null move: margin of the static evaluation above beta")         \
    X(null_slope, 18, 0, 60, "null move: decrease of that margin a ply of depth")                  \
    X(null_base, 3492, 1024, 8192, "null move: reduction")                                         \
    X(null_depth_scale, 287, 0, 600, "null move: reduction a ply of depth")                        \
    X(null_eval_divisor, 175, 50, 500,                                                             \
      "null move: evaluation above beta for one ply more, at most three")                          \
    X(null_verify_depth, 14, 4, 99, "null moves from this depth are verified")                     \
    X(iir_depth, 8, 1, 99, "internal iterative reduction from this depth")                         \
    X(lmp_base, 7, 1, 20, "late move pruning after this many moves")                               \
    X(lmp_scale, 1989, 200, 4000, "late move pruning: moves times depth squared, 1/1024")          \
    X(futility_depth, 7, 0, 20, "futility up to this reduced depth")                               \
    X(futility_base, 7, 0, 400, "futility: margin below alpha")                                    \
    X(futility_margin, 46, 20, 300, "futility: margin a reduced ply")                              \
    X(history_depth, 4, 0, 20, "history pruning up to this reduced depth")                         \
    X(history_margin, 3535, 500, 16000, "history pruning: below minus this a ply of depth")        \
    X(see_quiet_depth, 7, 0, 20, "SEE pruning of quiet moves up to this reduced depth")            \
    X(see_quiet_margin, 36, 5, 100,                                                                \
      "SEE pruning of quiet moves: loss times reduced depth squared")                              \
    X(see_noisy_depth, 6, 0, 20, "SEE pruning of captures up to this depth")                       \
    X(see_noisy_margin, 78, 20, 300, "SEE pruning of captures: loss a ply of depth")               \
    X(singular_depth, 7, 4, 99, "singular extension from this depth")                              \
    X(singular_margin, 90, 20, 400,                                                                \
      "singular extension: margin below the hash value a ply of depth, 1/64 cp")                   \
    X(double_margin, 6, 0, 200, "double extension: margin below that")                             \
    X(lmr_base, 1524, -1000, 2000, "late move reduction: constant part")                           \
    X(lmr_scale, 505, 200, 1000, "late move reduction: factor of ln depth times ln count")         \
    X(lmr_history, 14070, 4000, 64000, "late move reduction: history for one ply, quiet moves")    \
    X(lmr_capture_history, 8010, 4000, 64000,                                                      \
      "late move reduction: history for one ply, captures")                                        \
    X(lmr_not_was_pv, -256, -1024, 2048, "more if never in a principal variation")                 \
    X(lmr_pv, 1372, -1024, 3072, "less in a principal variation")                                  \
    X(lmr_cut_node, -216, -1024, 4096, "more in expected cut nodes")                               \
    X(lmr_not_improving, -1174, -2048, 2048, "more if the evaluation does not improve")            \
    X(lmr_killer, -68, -1024, 3072, "less for killers")                                            \
    X(lmr_check, 2210, -1024, 3072, "less for checks")                                             \
    X(lmr_hash_noisy, 968, -1024, 2048, "more where the hash move is a capture")                   \
    X(lmr_cutoffs, -218, -2048, 4096, "more if the reply has had several cut-offs")                \
    X(bonus_scale, 229, 20, 400, "history bonus a ply of depth")                                   \
    X(bonus_square, 13, 0, 40, "history bonus by depth squared")                                   \
    X(bonus_offset, 214, -300, 300, "history bonus: constant part")                                \
    X(bonus_most, 1797, 400, 4000, "history bonus: maximum")                                       \
    X(malus_scale, 1145, 0, 4096, "malus of the moves before the best, 1/1024 of the bonus")       \
    X(quiet_malus, 126, -512, 1024, "malus of quiet moves before a capture, 1/1024 of that malus") \
    X(correct_pawns, 144, 0, 400, "weight of the correction by pawns, 1/128")                      \
    X(correct_pieces, 234, 0, 400, "weight of the corrections by each side's pieces, 1/128")       \
    X(correct_line, 123, 0, 400, "weight of the correction by the last two moves, 1/128")          \
    X(probcut_depth, 5, 3, 99, "ProbCut from this depth")                                          \
    X(probcut_margin, 276, 50, 500, "ProbCut: margin of the shallow search above beta")            \
    X(reply_bonus, 644, 0, 2048, "bonus for a prior quiet move without fail-high, 1/1024")         \
    X(reply_continuation, 391, 0, 2048, "the same in its continuation history, 1/1024")            \
    X(blend, 24, -32, 64, "part by which a fail-high value moves towards beta, 1/64")              \
    X(quiescence_blend, 6, -32, 64, "the same in quiescence, 1/64")                                \
    X(eval_bonus, 38, -64, 256, "bonus for a quiet move by the gain of the evaluation, 1/8 a cp")  \
    X(noisy_futility_depth, 5, 0, 20, "futility of captures up to this depth")                     \
    X(noisy_futility_margin, 92, 20, 400, "futility of captures: margin a ply")                    \
    X(delta_margin, 247, 20, 500, "quiescence: margin of captures below alpha")

typedef struct SearchParams {
#define SEARCH_PARAM_FIELD(name, value, least, most, text) int name;
    SEARCH_PARAM_LIST(SEARCH_PARAM_FIELD)
#undef SEARCH_PARAM_FIELD
} SearchParams;

/* One row per constant. */
typedef struct SearchParamInfo {
    const char *name;
    int value, least, most; /* value: the built-in one */
    size_t offset;          /* of the int in SearchParams */
    const char *description;
} SearchParamInfo;

extern const SearchParamInfo search_param_info[]; /* ended by a row whose name is NULL */

void search_params_defaults(SearchParams *params);

static inline int search_params_get(const SearchParams *params, const SearchParamInfo *info)
{
    return *(const int *)((const char *)params + info->offset);
}

/* The row of this name; NULL: there is none. */
const SearchParamInfo *search_param_find(const char *name);

/* Sets one by name from decimal text. An unknown name or a value out of range is STATUS_USAGE and
 * changes nothing. */
MUST_CHECK Status search_params_set(SearchParams *params, const char *name, const char *value,
                                    Error *err);

#endif
