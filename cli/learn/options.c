/* SPDX-License-Identifier: MIT
 * The options of `tabia learn`. */
#include "cli/learn/options.h"

#include <stdio.h>

#include "cli/output/progress.h"

void learn_budget_text(double seconds, bool cpu, char out[BUDGET_TEXT_MAX])
{
    if (!cpu)
        progress_duration(seconds, out);
    else if (seconds < 60)
        (void)snprintf(out, BUDGET_TEXT_MAX, "%.3g core-seconds", seconds);
    else
        (void)snprintf(out, BUDGET_TEXT_MAX, "%.4g core-minutes", seconds / 60);
}

void learn_options_init(LearnOptions *o)
{
    LearnSettings *s = &o->settings;

    *o = (LearnOptions){0};
    learn_defaults(s);
    o->common.seed = s->seed;
}

/* Refuses half of a rule, which would have no effect. */
static Status check_effects(const LearnSettings *s, const OptionParser *parser, Error *err)
{
    Status status = exploration_options_check(&s->selfplay.exploration, parser, err);
    if (status != STATUS_OK) return status;
    return exploration_check_rule(parser, "first-random-move", s->first.random_move > 0,
                                  "first-random-until", s->first.random_until_ply, err);
}

Status learn_options_apply(LearnOptions *o, const OptionParser *parser, Error *err)
{
    SelfplaySettings *selfplay = &o->settings.selfplay;

    Status status = check_effects(&o->settings, parser, err);
    if (status != STATUS_OK) return status;
    o->settings.seed = o->common.seed;
    o->settings.threads = options_threads(&o->common);
    return play_options_apply(&o->play, &selfplay->limits, &selfplay->opening,
                              &selfplay->adjudication, false, parser, err);
}
