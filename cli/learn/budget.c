/* SPDX-License-Identifier: MIT
 * The budget of `tabia learn`: what was spent, whether another generation fits, when work ends. */
#include <math.h>

#include "cli/learn/internal.h"
#include "engine/base/clock.h"

LearnCost learn_clock(const RemoteWorkers *remote)
{
    double elsewhere = remote ? 1e-9 * (double)atomic_load(&remote->cpu_ns) : 0;
    return (LearnCost){clock_seconds(), clock_cpu_seconds() + elsewhere};
}

static void add_difference(LearnCost *sum, LearnCost from, LearnCost to)
{
    sum->wall += to.wall - from.wall;
    sum->cpu += to.cpu - from.cpu;
}

void learn_charge(Learn *l, LearnCost *sum)
{
    LearnCost now = learn_clock(&l->remote);
    add_difference(sum, l->charged, now);
    l->charged = now;
}

/* In the unit of the budget. */
static double budgeted(const Learn *l, LearnCost cost)
{
    return l->settings->budget.cpu ? cost.cpu : cost.wall;
}

static double spent(const Learn *l)
{
    LearnCost all = l->earlier;
    add_difference(&all, l->started, learn_clock(&l->remote));
    return budgeted(l, all);
}

void learn_sum_costs(const LearnReport *r, LearnCost *generations, LearnCost *finals)
{
    *generations = *finals = (LearnCost){0};
    for (int i = 1; i < r->count; i++) {
        LearnCost cost = learn_generation_cost(&r->generations[i]);
        generations->wall += cost.wall;
        generations->cpu += cost.cpu;
        finals->wall += r->generations[i].cost[LEARN_PROVED].wall;
        finals->cpu += r->generations[i].cost[LEARN_PROVED].cpu;
    }
}

/* ---- Limits */

const double learn_final_share = 0.1;

static void set_limit(Learn *l, double reserve)
{
    double budget = l->settings->budget.seconds;

    l->limit = budget > 0 ? budget - reserve : INFINITY;
    l->cut = false;
    atomic_store(&l->stop, 0);
}

static const LearnGeneration *last_proved(const LearnReport *r)
{
    for (int i = r->count - 1; i > 0; i--)
        if (r->generations[i].stage == LEARN_PROVED) return &r->generations[i];
    return NULL;
}

/* Estimated cost of the final matches if one more generation is accepted: one against the start for
 * each accepted generation and one against `material`, at the speed of the last match. */
static double cost_of_finals(const Learn *l, const LearnGeneration *last)
{
    const LearnReport *r = l->report;
    int64_t played = last->match.wins + last->match.draws + last->match.losses;
    int matches = 2;

    if (played == 0) return INFINITY;
    for (int i = 1; i < r->count; i++)
        matches += r->generations[i].accepted;
    return budgeted(l, last->cost[LEARN_FITTED]) / (double)played *
           (double)l->settings->final_games * matches;
}

void learn_limit_generations(Learn *l)
{
    double reserve =
        learn_final_share * fmax(l->settings->budget.seconds - budgeted(l, l->earlier), 0);
    const LearnGeneration *last = last_proved(l->report);

    if (l->settings->final_games == 0)
        reserve = 0;
    else if (last)
        reserve = fmin(reserve, cost_of_finals(l, last));
    set_limit(l, reserve);
}

void learn_limit_all(Learn *l)
{
    set_limit(l, 0);
}

bool learn_time_is_over(const Learn *l)
{
    return spent(l) >= l->limit;
}

/* Generations take longer as play improves and the window fills. */
static const double slower_next_time = 1.2;

double learn_play_factor(const LearnSettings *s, int from, int generation)
{
    uint64_t nodes = learn_nodes(s, from);
    double games = (double)learn_games(s, generation) / (double)learn_games(s, from);
    return nodes > 0 ? games * (double)learn_nodes(s, generation) / (double)nodes : games;
}

/* Estimated from the last one. */
static double cost_of_next(const Learn *l, const LearnGeneration *last)
{
    double all = budgeted(l, learn_generation_cost(last));
    double play = budgeted(l, last->cost[LEARN_STARTED]);
    double factor = learn_play_factor(l->settings, last->generation, last->generation + 1);

    return slower_next_time * (all + play * (factor - 1));
}

bool learn_fits_another(const Learn *l)
{
    const LearnGeneration *last = last_proved(l->report);

    return spent(l) + (last ? cost_of_next(l, last) : 0) <= l->limit;
}

/* ---- While a stage runs */

/* Wall clock until the limit, if all threads are busy until then. */
static double seconds_left(const Learn *l)
{
    double left = fmax(l->limit - spent(l), 0);
    return l->settings->budget.cpu ? left / (l->settings->threads + l->remote.count) : left;
}

void learn_emit(Learn *l, LearnEvent *event)
{
    if (l->interrupted && atomic_load(l->interrupted)) {
        atomic_store(&l->stop, 1);
    } else if (learn_time_is_over(l)) {
        l->cut = true;
        atomic_store(&l->stop, 1);
    }
    event->seconds_left = seconds_left(l);
    if (l->progress) l->progress(l->context, event);
}

Status learn_forgive_cut(Learn *l, Status status, Error *err)
{
    if (status != STATUS_INTERRUPTED || !l->cut) return status;
    *err = (Error){0};
    return STATUS_OK;
}
