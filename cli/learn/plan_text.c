/* SPDX-License-Identifier: MIT
 * The fields of a plan. */
#include "cli/learn/plan_text.h"

#include <stdio.h>

#include "cli/output/fields.h"

static const Field fields[] = {
    {"done", FIELD(LearnPlan, done), .label = "generations finished before"},
    {"generations", FIELD(LearnPlan, generations), .label = "last generation of this call"},
    {"games", FIELD(LearnPlan, games), .label = "games of the next generation"},
    {"nodes", FIELD(LearnPlan, nodes), .label = "  nodes a move", .zero = ZERO_NOT_IN_TEXT},
    {"window", FIELD(LearnPlan, window), .label = "generations in a fit"},
    {"gauntlet_games", FIELD(LearnPlan, gauntlet_games), .label = "games of a proof, at most"},
    {"gauntlet_nodes", FIELD(LearnPlan, gauntlet_nodes), .label = "  nodes a move",
     .zero = ZERO_NOT_IN_TEXT},
    {"final_matches", FIELD(LearnPlan, final_matches), .label = "final matches, at most"},
    {"final_games", FIELD(LearnPlan, final_games), .label = "  games of each"},
    {"threads", FIELD(LearnPlan, threads), .label = "threads"},
    {"basis", FIELD(LearnPlan, basis)},
    {"generation_cpu", FIELD(LearnPlan, generation_cpu), .label = "core-minutes of a generation",
     .decimals = 2, .scale = 1.0 / 60},
    {"final_cpu", FIELD(LearnPlan, final_cpu), .label = "core-minutes of final matches",
     .decimals = 2, .scale = 1.0 / 60},
    {"cpu_spent", FIELD(LearnPlan, cpu_spent), .label = "core-minutes spent before", .decimals = 2,
     .scale = 1.0 / 60},
    {"cpu_seconds", FIELD(LearnPlan, cpu_seconds), .label = "core-minutes of this call",
     .decimals = 2, .scale = 1.0 / 60},
    {"seconds", FIELD(LearnPlan, seconds), .label = "minutes, with a free core a thread",
     .decimals = 2, .scale = 1.0 / 60},
    {0},
};

void learn_plan_print(const LearnPlan *p)
{
    fields_list(stdout, fields, p);
    if (p->basis > 0)
        printf("\nCosts are estimated by generation %d of the run.\n", p->basis);
    else
        printf(
            "\nCosts are estimated by %d games with the weights `material` on this machine, fits left out.\n",
            2 * PLAN_MEASURED_GAMES);
}

void learn_plan_json(const LearnPlan *p)
{
    fields_json_line(stdout, fields, p);
}
