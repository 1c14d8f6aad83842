/* SPDX-License-Identifier: MIT
 * The budget of `tabia learn`: what was spent, whether another generation fits, when work ends. */
#include "tuner/learn/budget.h"

#include <math.h>

#include "engine/base/clock.h"
#include "tuner/learn/derived_settings.h"

static LearnCost now(const BudgetClock *c)
{
    double elsewhere = 1e-9 * (double)atomic_load(&c->remote->cpu_ns);
    return (LearnCost){clock_seconds(), clock_cpu_seconds() + elsewhere};
}

static LearnCost difference(LearnCost from, LearnCost to)
{
    return (LearnCost){to.wall - from.wall, to.cpu - from.cpu};
}

void budget_start(BudgetClock *c, const LearnSettings *settings, const RemoteWorkers *remote,
                  const atomic_int *interrupted)
{
    *c = (BudgetClock){.settings = settings, .remote = remote, .interrupted = interrupted};
    c->started = c->charged = now(c);
}

void budget_resume(BudgetClock *c, const LearnReport *report)
{
    LearnCost finals;

    learn_report_costs(report, &c->earlier, &finals);
    learn_cost_add(&c->earlier, finals);
}

void budget_charge(BudgetClock *c, LearnCost *sum)
{
    LearnCost present = now(c);
    learn_cost_add(sum, difference(c->charged, present));
    c->charged = present;
}

/* In the unit of the budget. */
static double budgeted(const BudgetClock *c, LearnCost cost)
{
    return c->settings->budget.cpu ? cost.cpu : cost.wall;
}

double budget_spent(const BudgetClock *c)
{
    LearnCost all = c->earlier;
    learn_cost_add(&all, difference(c->started, now(c)));
    return budgeted(c, all);
}

/* ---- Limits */

const double budget_final_share = 0.1;

static void set_limit(BudgetClock *c, double reserve)
{
    double budget = c->settings->budget.seconds;

    c->limit = budget > 0 ? budget - reserve : INFINITY;
    c->cut = false;
    atomic_store(&c->stop, 0);
}

/* Estimated cost of the final matches if one more generation is accepted: one against the start for
 * each accepted generation and one against `material`, at the speed of the last match. */
static double cost_of_finals(const BudgetClock *c, const LearnReport *r,
                             const LearnGeneration *last)
{
    int64_t played = match_games(&last->match);
    int matches = 2;

    if (played == 0) return INFINITY;
    for (int i = 1; i < r->count; i++)
        matches += r->generations[i].accepted;
    return budgeted(c, last->cost[LEARN_FITTED]) / (double)played *
           (double)c->settings->final_games * matches;
}

void budget_limit_generations(BudgetClock *c, const LearnReport *report)
{
    double reserve =
        budget_final_share * fmax(c->settings->budget.seconds - budgeted(c, c->earlier), 0);
    const LearnGeneration *last = learn_report_last_proved(report);

    if (c->settings->final_games == 0)
        reserve = 0;
    else if (last)
        reserve = fmin(reserve, cost_of_finals(c, report, last));
    set_limit(c, reserve);
}

void budget_limit_all(BudgetClock *c)
{
    set_limit(c, 0);
}

bool budget_is_spent(const BudgetClock *c)
{
    return budget_spent(c) >= c->limit;
}

/* Generations take longer as play improves and the window fills. */
static const double slower_next_time = 1.2;

/* Estimated from the last one. */
static double cost_of_next(const BudgetClock *c, const LearnGeneration *last)
{
    double all = budgeted(c, learn_generation_cost(last));
    double play = budgeted(c, last->cost[LEARN_STARTED]);
    double factor = learn_play_factor(c->settings, last->generation, last->generation + 1);

    return slower_next_time * (all + play * (factor - 1));
}

bool budget_allows_another(const BudgetClock *c, const LearnReport *report)
{
    const LearnGeneration *last = learn_report_last_proved(report);

    return budget_spent(c) + (last ? cost_of_next(c, last) : 0) <= c->limit;
}

/* ---- While a stage runs */

double budget_check(BudgetClock *c)
{
    if (c->interrupted && atomic_load(c->interrupted)) {
        atomic_store(&c->stop, 1);
    } else if (budget_is_spent(c)) {
        c->cut = true;
        atomic_store(&c->stop, 1);
    }
    double left = fmax(c->limit - budget_spent(c), 0);
    return c->settings->budget.cpu ? left / (c->settings->threads + c->remote->count) : left;
}

Status budget_forgive_cut(const BudgetClock *c, Status status, Error *err)
{
    if (status != STATUS_INTERRUPTED || !c->cut) return status;
    *err = (Error){0};
    return STATUS_OK;
}
