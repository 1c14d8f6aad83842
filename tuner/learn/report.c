/* SPDX-License-Identifier: MIT
 * The generations of a run. */
#include "tuner/learn/report.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/base/array.h"

void learn_report_free(LearnReport *report)
{
    free(report->generations);
    *report = (LearnReport){0};
}

Status learn_report_append(LearnReport *r, LearnGeneration **g, Error *err)
{
    Status status = ARRAY_RESERVE(r->generations, r->room, r->count + 1, err);
    if (status != STATUS_OK) return status;
    *g = &r->generations[r->count];
    **g = (LearnGeneration){.generation = r->count++};
    return STATUS_OK;
}

LearnGeneration *learn_report_last(const LearnReport *r)
{
    assert(r->count > 1);
    return &r->generations[r->count - 1];
}

const LearnGeneration *learn_report_last_proved(const LearnReport *r)
{
    for (int i = r->count - 1; i > 0; i--)
        if (r->generations[i].stage == LEARN_PROVED) return &r->generations[i];
    return NULL;
}

void learn_report_costs(const LearnReport *r, LearnCost *generations, LearnCost *finals)
{
    *generations = *finals = (LearnCost){0};
    for (int i = 1; i < r->count; i++) {
        learn_cost_add(generations, learn_generation_cost(&r->generations[i]));
        learn_cost_add(finals, r->generations[i].cost[LEARN_PROVED]);
    }
}
