/* SPDX-License-Identifier: MIT
 * The one list of the search's tunable constants. UCI setoption, in-process players, the SPSA
 * listing and the tests are generated from it.
 *
 * They are values of an engine instance, not of the program: two engines with different constants
 * can play each other in one process. */
#ifndef TABIA_ENGINE_SEARCH_PARAMS_H
#define TABIA_ENGINE_SEARCH_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/status.h"

/* X(name, value, least, most, description). Margins are centipawns, depths plies, reductions 1/1024
 * plies. A depth of 0 or 99 at the right end switches a part off. */
#define SEARCH_PARAM_LIST(X)                                                                       \
    X(shared_depth, 3, 1, 99, "results from this depth go into the table of all threads")          \
    X(aspiration_delta, 17, 5, 100, "half width of the first window around the last score")        \
    X(aspiration_growth, 683, 100, 2000, "by which it widens on failure, 1/1024 of itself")        \
    X(razor_depth, 3, 0, 10, "razoring up to this depth")                                          \
    X(razor_margin, 240, 50, 800, "razoring: below alpha by so much a ply")                        \
    X(rfp_depth, 9, 0, 20, "reverse futility up to this depth")                                    \
    X(rfp_margin, 130, 20, 200, "reverse futility: above beta by so much a ply")                   \
    X(null_depth, 3, 1, 99, "null move from this depth")                                           \
    X(null_margin, 32, -100, 400, "null move: static evaluation above beta by so much")            \
    X(null_slope, 18, 0, 60, "less this a ply of depth")                                           \
    X(null_base, 3492, 1024, 8192, "null move: reduction")                                         \
    X(null_depth_scale, 287, 0, 600, "and this a ply of depth")                                    \
    X(null_eval_divisor, 175, 50, 500, "and a ply for each of these above beta, at most three")    \
    X(null_verify_depth, 14, 4, 99, "null moves from this depth are verified")                     \
    X(iir_depth, 8, 1, 99, "internal iterative reduction from this depth")                         \
    X(lmp_base, 7, 1, 20, "late move pruning after so many moves")                                 \
    X(lmp_scale, 1989, 200, 4000, "and so many more by depth squared, 1/1024")                     \
    X(futility_depth, 7, 0, 20, "futility up to this reduced depth")                               \
    X(futility_base, 7, 0, 400, "futility: below alpha by so much")                                \
    X(futility_margin, 46, 20, 300, "and so much a reduced ply")                                   \
    X(history_depth, 4, 0, 20, "history pruning up to this reduced depth")                         \
    X(history_margin, 3535, 500, 16000, "quiet moves below minus this a ply of depth")             \
    X(see_quiet_depth, 7, 0, 20, "exchange pruning of quiet moves up to this reduced depth")       \
    X(see_quiet_margin, 36, 5, 100, "that lose more than this times the reduced depth squared")    \
    X(see_noisy_depth, 6, 0, 20, "exchange pruning of captures up to this depth")                  \
    X(see_noisy_margin, 78, 20, 300, "that lose more than this a ply of depth")                    \
    X(singular_depth, 7, 4, 99, "singular extension from this depth")                              \
    X(singular_margin, 90, 20, 400, "the others must stay below by this a ply of depth, 1/64 cp")  \
    X(double_margin, 6, 0, 200, "two plies when they stay below by so much more")                  \
    X(lmr_base, 1524, -1000, 2000, "late move reduction: constant part")                           \
    X(lmr_scale, 505, 200, 1000, "times ln depth times ln count")                                  \
    X(lmr_history, 14070, 4000, 64000, "history worth a ply, quiet moves")                         \
    X(lmr_capture_history, 8010, 4000, 64000, "history worth a ply, captures")                     \
    X(lmr_not_was_pv, -256, -1024, 2048, "more where no principal variation ever passed")          \
    X(lmr_pv, 1372, -1024, 3072, "less in a principal variation")                                  \
    X(lmr_cut_node, -216, -1024, 4096, "more where the node should fail high")                     \
    X(lmr_not_improving, -1174, -2048, 2048, "more where the evaluation falls")                    \
    X(lmr_killer, -68, -1024, 3072, "less for killers")                                            \
    X(lmr_check, 2210, -1024, 3072, "less for checks")                                             \
    X(lmr_hash_noisy, 968, -1024, 2048, "more where the hash move is a capture")                   \
    X(lmr_cutoffs, -218, -2048, 4096, "more where the reply has refuted several moves")            \
    X(bonus_scale, 229, 20, 400, "history bonus a ply of depth")                                   \
    X(bonus_square, 13, 0, 40, "and by depth squared")                                             \
    X(bonus_offset, 214, -300, 300, "and in any case")                                             \
    X(bonus_most, 1797, 400, 4000, "but no more than this")                                        \
    X(malus_scale, 1145, 0, 4096, "malus of the moves before the best, 1/1024 of the bonus")       \
    X(quiet_malus, 126, -512, 1024, "and of quiet ones before a capture, 1/1024 of that")          \
    X(correct_pawns, 144, 0, 400, "weight of the correction by pawns, 1/128")                      \
    X(correct_pieces, 234, 0, 400, "weight of those by each side's pieces, 1/128")                 \
    X(correct_line, 123, 0, 400, "weight of that by the last two moves, 1/128")                    \
    X(probcut_depth, 5, 3, 99, "probable cut-offs by captures from this depth")                    \
    X(probcut_margin, 276, 50, 500, "a shallow search must beat beta by so much")                  \
    X(reply_bonus, 644, 0, 2048, "history for the quiet move that nothing refuted, 1/1024")        \
    X(reply_continuation, 391, 0, 2048, "and after the move before it, 1/1024")                    \
    X(blend, 24, -32, 64, "a value above beta is brought so near to it, 1/64")                     \
    X(quiescence_blend, 6, -32, 64, "the same in quiescence")                                      \
    X(eval_bonus, 38, -64, 256,                                                                    \
      "history for a quiet move by what the evaluation gained, 1/8 a cp")                          \
    X(noisy_futility_depth, 5, 0, 20, "futility of captures up to this depth")                     \
    X(noisy_futility_margin, 92, 20, 400, "futility of captures: so much a ply")                   \
    X(delta_margin, 247, 20, 500, "quiescence: captures must be able to come so near alpha")

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

/* Whether there is a constant of this name. */
bool search_params_known(const char *name);

/* Sets one by name from decimal text. An unknown name or a value out of range is STATUS_USAGE and
 * changes nothing. */
MUST_CHECK Status search_params_set(SearchParams *params, const char *name, const char *value,
                                    Error *err);

#endif
