/* SPDX-License-Identifier: MIT
 * The loop of `tabia spsa`: a match for each iteration, and the step that follows from it. */
#include "tuner/spsa/spsa.h"

#include <math.h>
#include <stdlib.h>

#include "engine/base/pcg.h"
#include "selfplay/players/uci_messages.h"

const Setting spsa_settings[] = {
    {"iterations", FIELD(SpsaSettings, iterations), "N", "number of steps", 1, 1e6, .preset = 1000,
     .first = true},
    {"alpha", FIELD(SpsaSettings, alpha), "X", "decay of the steps", 0, 1, .preset = 0.602},
    {"gamma", FIELD(SpsaSettings, gamma), "X", "decay of the perturbations", 0, 1, .preset = 0.101},
    {"stability", FIELD(SpsaSettings, stability), "X",
     "part of the iterations that damps the first steps", 0, 1, .preset = 0.1},
    {0},
};

/* ---- Gains and signs */

static double width(const SpsaSettings *s, const Tunable *t, int k)
{
    return t->width * pow((double)s->iterations / k, s->gamma);
}

/* Of a won game. */
static double step(const SpsaSettings *s, const Tunable *t, int k)
{
    double a = s->stability * s->iterations;
    double end = t->rate * t->width * t->width;
    return end * pow((a + s->iterations) / (a + k), s->alpha) / width(s, t, k);
}

static double clamp(const Tunable *t, double value)
{
    return fmin(fmax(value, t->least), t->most);
}

static Pcg signs_of(const SpsaSettings *settings, int k)
{
    Pcg rng;
    pcg_seed(&rng, settings->seed, (uint64_t)k);
    return rng;
}

static double next_sign(Pcg *rng)
{
    return pcg_next(rng) >> 31 ? 1 : -1;
}

void spsa_probe(const SpsaSettings *settings, const Tunables *list, int k, double *plus,
                double *minus)
{
    Pcg rng = signs_of(settings, k);

    for (int i = 0; i < list->count; i++) {
        const Tunable *t = &list->items[i];
        double c = next_sign(&rng) * width(settings, t, k);
        plus[i] = clamp(t, t->value + c);
        minus[i] = clamp(t, t->value - c);
    }
}

void spsa_step(const SpsaSettings *settings, Tunables *list, int k, int64_t result)
{
    Pcg rng = signs_of(settings, k);

    for (int i = 0; i < list->count; i++) {
        Tunable *t = &list->items[i];
        double s = next_sign(&rng) * step(settings, t, k);
        t->value = clamp(t, t->value + s * (double)result);
    }
}

/* ---- The loop */

typedef struct Tuning {
    const SpsaMatch *match;
    SpsaProgress progress;
    SpsaProgressFn report;
    void *context;
    int64_t before; /* games of earlier iterations */
    int64_t start;  /* of the book in the first iteration */
} Tuning;

static void on_match(void *context, const GauntletProgress *p)
{
    Tuning *t = context;

    t->progress.done = t->before + p->done;
    t->report(t->context, &t->progress);
}

/* It points into itself. */
typedef struct Side {
    Evaluation weights;
    SearchParams params;
    UciSetup uci;
    const char *options[UCI_OPTIONS_MAX];
    char text[UCI_OPTIONS_MAX][TUNABLE_OPTION_MAX];
    GauntletPlayer player;
} Side;

static void make_program(const UciSetup *uci, const Tunables *list, const double *values,
                         const char *name, Side *side)
{
    int own = uci->option_count;

    side->uci = *uci;
    side->uci.name = name;
    side->uci.options = side->options;
    side->uci.option_count = own + list->count;
    for (int i = 0; i < own; i++)
        side->options[i] = uci->options[i];
    for (int i = 0; i < list->count; i++) {
        tunables_option(&list->items[i], values[i], side->text[i]);
        side->options[own + i] = side->text[i];
    }
    side->player.uci = &side->uci;
}

static void make_side(const SpsaMatch *match, const Tunables *list, const double *values,
                      const char *name, Side *side)
{
    side->player = match->player;
    side->player.name = name;
    if (match->player.uci) {
        make_program(match->player.uci, list, values, name, side);
        return;
    }
    side->weights = match->evaluation;
    side->params = match->params;
    tunables_apply(list, values, &side->params, &side->weights.weights);
    side->player.engine.weights = &side->weights;
    side->player.engine.params = &side->params;
}

Status spsa_try(const SpsaMatch *match, const Tunables *list, Error *err)
{
    double values[UCI_OPTIONS_MAX];
    char name[PLAYER_NAME_MAX];
    Side side;

    for (int which = 0; which < 3; which++) {
        for (int i = 0; i < list->count; i++) {
            const Tunable *t = &list->items[i];
            values[i] = which == 0 ? t->value : which == 1 ? t->least : t->most;
        }
        make_side(match, list, values, match->player.name, &side);
        Status status = player_ask_name(&side.uci, name, err);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

static Status play_iteration(Store *store, const SpsaSettings *settings, Tuning *t, Tunables *list,
                             int k, double *values, const atomic_int *interrupted, Error *err)
{
    Side plus, minus;
    GauntletSettings match = t->match->settings;
    const GauntletObserver observer = {.context = t, .progress = on_match};
    GauntletProgress result;

    spsa_probe(settings, list, k, values, values + list->count);
    make_side(t->match, list, values, "plus", &plus);
    make_side(t->match, list, values + list->count, "minus", &minus);
    const GauntletPlayer players[2] = {plus.player, minus.player};
    match.seed = mix64(settings->seed + (uint64_t)k * UINT64_C(0x9e3779b97f4a7c15));
    match.generation = k;
    if (t->match->book) {
        t->match->book->start = t->start + (k - 1) * (match.games / 2);
        match.book = t->match->book;
    }
    match.players = players;
    Status status = gauntlet_run(store, &match, &observer, interrupted, &result, err);
    t->progress.forfeits += result.forfeits;
    scoreboard_free(&result.board);
    t->progress.resumed += result.resumed;
    t->progress.done = t->before + result.done;
    if (status == STATUS_OK) spsa_step(settings, list, k, result.score.wins - result.score.losses);
    t->before += result.done;
    return status;
}

Status spsa_run(Store *store, const SpsaSettings *settings, const SpsaMatch *match, Tunables *list,
                SpsaProgressFn progress, void *context, const atomic_int *interrupted,
                SpsaProgress *last, Error *err)
{
    Tuning t = {.match = match,
                .progress = {.total = settings->iterations * match->settings.games, .list = list},
                .report = progress,
                .context = context,
                .start = match->book ? match->book->start : 0};
    double *values = malloc(2 * (size_t)list->count * sizeof *values);
    Status status = STATUS_OK;

    if (!values) status = error_set(err, STATUS_FAILED, "out of memory for the values");
    for (int k = 1; status == STATUS_OK && k <= settings->iterations; k++) {
        t.progress.iteration = k;
        if (interrupted && atomic_load(interrupted)) {
            status = error_set(err, STATUS_INTERRUPTED, "interrupted");
            break;
        }
        status = play_iteration(store, settings, &t, list, k, values, interrupted, err);
        if (status == STATUS_OK) t.progress.finished = k;
    }
    free(values);
    *last = t.progress;
    return status;
}
