/* SPDX-License-Identifier: MIT
 * Reading and naming the games of a window. */
#include "tuner/learn/window.h"

#include <stdio.h>

#include "tuner/data/from_store.h"
#include "tuner/learn/derived_settings.h"

Status window_read(const Learn *l, int generation, DatasetFilter *filter, Dataset **data,
                   Error *err)
{
    filter->generations.first = learn_window_start(l->settings, generation);
    filter->generations.last = generation;
    store_watch(l->home.store, l->clock.interrupted);
    Status status = dataset_from_store(l->home.store, filter, l->settings->threads, data, err);
    store_watch(l->home.store, NULL); /* Ctrl-C does not stop the storing of what the stage cost */
    return status;
}

double window_validation(const LearnSettings *settings, const Dataset *data)
{
    double share = settings->tune.fit.validation;
    return share * (double)data->games < 1 ? 0 : share;
}

void window_text(const Learn *l, int generation, char out[WINDOW_TEXT_MAX])
{
    (void)snprintf(out, WINDOW_TEXT_MAX,
                   "self-play of generations %d to %d, tabia learn --from %s --seed %llu",
                   learn_window_start(l->settings, generation), generation, l->report->from,
                   (unsigned long long)l->settings->seed);
}
