/* SPDX-License-Identifier: MIT
 * The loop: play, store, fit, prove, repeat. It joins self-play and tuner, and prints nothing. */
#ifndef TABIA_TUNER_LEARN_LEARN_H
#define TABIA_TUNER_LEARN_LEARN_H

#include <stdatomic.h>

#include "tuner/learn/report.h"
#include "tuner/learn/settings.h"

/* Learns in the directory `dir`, which is made if it is absent, and holds
 *     learn.db            games, runs, weights, generations, fits, gauntlets
 *     weights/gen-NNN.h   every generation's weights, accepted or not; .net for a network
 *     best.h, best.net    the best so far: of linear weights, and of networks
 * A call that continues a run writes all files of weights again, from the database.
 * Generation g: the best weights play its games. A fit to the games of the window starts from the
 * best weights. Its result plays a match against the best, and is accepted if the sequential test
 * accepts it or, undecided, if it scored more than half; without such a match always. From the
 * generation network_phase.from on a network is trained instead of the fit.
 *
 * The result is a function of the settings and *from, independent of threads, kills and resumes;
 * only the number of generations and final games under a budget depends on time. A generation is
 * started if it would end within the budget together with the final matches, estimated by the cost
 * of the last one; the first always. One that the budget ends earlier stays unfinished: games and
 * fit are kept, the best weights remain, and a call with a larger budget continues it. The final
 * matches end with the budget, and use time that is left. The cost of a killed process in its
 * unfinished stage is not counted.
 *
 * STATUS_USAGE when `dir` holds a run with other settings; STATUS_FAILED when another process uses
 * it; STATUS_INTERRUPTED after *interrupted became non-zero. Free *report in any case. */
MUST_CHECK Status learn_run(const char *dir, const LearnStart *from, const LearnSettings *settings,
                            const atomic_int *interrupted, LearnProgressFn progress, void *context,
                            LearnReport *report, Error *err);

#endif
