/* SPDX-License-Identifier: MIT
 * The plan of a run and its estimated cost. */
#include "tuner/learn/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/eval/evaluation.h"
#include "tuner/learn/context.h"
#include "tuner/learn/derived_settings.h"

enum { MEASURED_NODES = 1000, PATH_BYTES = 4096 };

/* Estimated processor seconds. */
typedef struct Rates {
    double play, rest; /* of generation `basis`; if measured without the fit, a few percent */
    double final_game;
} Rates;

/* ---- From the run itself */

/* Reads the run of the directory, if there is one. */
static Status load(Learn *l, Error *err)
{
    char path[PATH_BYTES], *settings = NULL;
    int last;

    (void)snprintf(path, sizeof path, "%s/learn.db", l->home.dir);
    if (access(path, F_OK) != 0) return STATUS_OK;
    l->home.store = store_open(path, STORE_READ, err);
    if (!l->home.store) return err->status;
    Status status = learn_load(l, &settings, &last, err);
    free(settings);
    return status;
}

/* ---- Costs */

/* Processor seconds of a game between equal weights with these limits. Nodes beyond a thousand are
 * extrapolated. */
static Status measure_game(const Learn *l, SearchLimits limits, double *cpu, Error *err)
{
    Evaluation material;
    GauntletSettings g;
    GauntletProgress result;
    double factor = 1;

    if (limits.nodes_soft > MEASURED_NODES) {
        factor = (double)limits.nodes_soft / MEASURED_NODES;
        limits.nodes_soft = MEASURED_NODES;
        limits.nodes_hard = 0;
    }
    evaluation_material(&material);
    const GauntletPlayer player = {
        .name = "material",
        .engine = {.weights = &material, .hash_bytes = l->settings->selfplay.hash_bytes},
        .limits = limits};
    const GauntletPlayer players[2] = {player, player};
    gauntlet_defaults(&g);
    g.players = players;
    g.games = PLAN_MEASURED_GAMES;
    g.opening = l->settings->selfplay.opening;
    g.adjudication = l->settings->selfplay.adjudication;
    g.threads = l->settings->threads;
    double started = clock_cpu_seconds();
    Status status = gauntlet_run(NULL, &g, NULL, l->clock.interrupted, &result, err);
    *cpu = (clock_cpu_seconds() - started) / PLAN_MEASURED_GAMES * factor;
    scoreboard_free(&result.board);
    return status;
}

/* By the last finished generation, as far as there is one, else by measurements. */
static Status find_rates(const Learn *l, int basis, Rates *r, Error *err)
{
    const LearnSettings *s = l->settings;
    const LearnGeneration *g = basis > 0 ? &l->report->generations[basis] : NULL;
    int64_t games = g ? match_games(&g->match) : 0;
    Status status = STATUS_OK;

    if (games > 0)
        r->final_game = g->cost[LEARN_FITTED].cpu / (double)games;
    else
        status = measure_game(l, s->gauntlet_limits, &r->final_game, err);
    if (g) {
        r->play = g->cost[LEARN_STARTED].cpu;
        r->rest = learn_generation_cost(g).cpu - r->play;
    } else if (status == STATUS_OK) {
        const SelfplaySettings first = learn_selfplay_settings(s, 1);
        status = measure_game(l, first.limits, &r->play, err);
        r->play *= (double)first.games;
        r->rest = r->final_game * (double)s->gauntlet_games;
    }
    return status;
}

/* ---- The plan */

static double finals_cost(const LearnPlan *p, const Rates *rates, int generations)
{
    return rates->final_game * (double)p->settings.final_games * (1 + generations);
}

static double generation_cost(const LearnPlan *p, const Rates *r, int generation)
{
    int from = p->basis > 0 ? p->basis : 1;
    return r->play * learn_play_factor(&p->settings, from, generation) + r->rest;
}

/* Fills what depends on the costs. A budget of wall clock counts as if all threads had cores. */
static void estimate(LearnPlan *p, const Rates *rates, double spent)
{
    const LearnSettings *s = &p->settings;
    double left = (s->budget.seconds - spent) * (s->budget.cpu ? 1 : s->threads), used = 0;
    double reserve = fmin(budget_final_share * left, finals_cost(p, rates, p->done + 1));

    int most = s->generations > 0 ? s->generations : LEARN_GENERATIONS_MAX;
    for (p->generations = p->done; p->generations < most; p->generations++) {
        double next = generation_cost(p, rates, p->generations + 1);
        if (s->budget.seconds > 0 && used + next > left - reserve) break;
        used += next;
    }
    p->generation_cpu = generation_cost(p, rates, p->done + 1);
    p->final_matches = p->settings.final_games > 0 ? 1 + p->generations : 0;
    p->final_cpu = finals_cost(p, rates, p->generations);
    p->cpu_seconds = used + p->final_cpu;
    if (s->budget.seconds > 0 && (s->generations == 0 || p->cpu_seconds > left)) {
        p->cpu_seconds = fmax(left, 0);
        p->final_cpu = fmax(left - used, 0);
    }
    p->seconds = p->cpu_seconds / s->threads;
}

static Status plan_run(Learn *l, LearnPlan *p, Error *err)
{
    const LearnSettings *s = l->settings;
    LearnCost generations, finals;
    Rates rates = {0};

    Status status = load(l, err);
    if (status != STATUS_OK) return status;
    learn_report_costs(l->report, &generations, &finals);
    for (int i = 1; i < l->report->count; i++)
        if (l->report->generations[i].stage == LEARN_PROVED) p->done = i;
    /* Runs of earlier versions have no processor times. */
    if (p->done > 0 && learn_generation_cost(&l->report->generations[p->done]).cpu > 0)
        p->basis = p->done;
    const SelfplaySettings next = learn_selfplay_settings(s, p->done + 1);
    p->games = next.games;
    p->window = learn_window(s, p->done + 1);
    p->nodes = next.limits.nodes_soft;
    status = find_rates(l, p->basis, &rates, err);
    p->cpu_spent = generations.cpu + finals.cpu;
    if (status == STATUS_OK)
        estimate(p, &rates, s->budget.cpu ? p->cpu_spent : generations.wall + finals.wall);
    return status;
}

Status learn_plan(const char *dir, const LearnStart *from, const LearnSettings *s,
                  const atomic_int *interrupted, LearnPlan *plan, Error *err)
{
    LearnReport report = {0};
    Learn l = {.from = from,
               .settings = s,
               .report = &report,
               .home = {.dir = dir, .lock = -1},
               .clock = {.interrupted = interrupted}};

    *plan = (LearnPlan){.settings = *s};
    Status status = learn_check_settings(s, err);
    if (status == STATUS_OK) status = plan_run(&l, plan, err);
    learn_home_close(&l.home);
    learn_report_free(&report);
    return status;
}
