/* SPDX-License-Identifier: MIT
 * The loop of `tabia learn`. */
#include "cli/learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/learn_home.h"
#include "cli/pool.h"
#include "engine/clock.h"
#include "selfplay/run_config.h"

enum { NAME_BYTES = 32 };

typedef struct Learn {
    const LearnStart *from;
    const LearnSettings *settings;
    const atomic_int *interrupted;
    LearnProgressFn progress;
    void *context;
    LearnReport *report;

    LearnHome home;
    char start_hash[HASH_HEX_MAX];
    char best_hash[HASH_HEX_MAX];
    EvalWeights best;

    /* Of the match being played, for its events. */
    int match_generation;
    const char *match_opponent;
} Learn;

static Status out_of_memory(Error *err)
{
    return error_set(err, STATUS_FAILED, "out of memory");
}

/* Independent seeds from one: SplitMix64's output function.
 * Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014. */
static uint64_t derive_seed(uint64_t seed, uint64_t purpose, int generation)
{
    uint64_t z = seed + 0x9e3779b97f4a7c15ULL * (1 + purpose + 8 * (uint64_t)generation);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}
enum { SEED_SELFPLAY, SEED_TUNE, SEED_GAUNTLET, SEED_FINAL };

static void generation_name(int generation, char out[NAME_BYTES])
{
    (void)snprintf(out, NAME_BYTES, "gen-%03d", generation);
}

/* ---- Rows of generations */

/* The row alone, with the best weights as they are now. Inside a transaction or not. */
static Status put_row(Learn *l, const LearnGeneration *g, Error *err)
{
    char *json = learn_generation_json(g);

    if (!json) return out_of_memory(err);
    Status status = store_put_generation(l->home.store, g->generation, learn_stage_name(g->stage),
                                         l->best_hash, json, err);
    free(json);
    return status;
}

/* Ends a stage: the time that it took is booked; when it succeeded, `stage` is reached and stored.
 * The time of an interrupted one is stored too. */
static Status end_stage(Learn *l, LearnGeneration *g, LearnStage stage, double started,
                        Status status, Error *err)
{
    Error ignored = {0};

    g->seconds[g->stage] += clock_seconds() - started;
    if (status == STATUS_OK) {
        g->stage = stage;
        return put_row(l, g, err);
    }
    /* The failure that ended the stage is the one to report. */
    if (put_row(l, g, &ignored) != STATUS_OK) return status;
    return status;
}

/* ---- Stage 1: play */

static void on_selfplay(void *context, const SelfplayProgress *p)
{
    Learn *l = context;
    LearnEvent event = {.generation = l->report->count - 1, .selfplay = p};

    if (l->progress) l->progress(l->context, &event);
}

/* Games and plies of a generation's self-play, whichever process played them. */
static Status count_generation(Learn *l, LearnGeneration *g, Error *err)
{
    RunRecord *runs;
    int count;

    Status status = store_list_runs(l->home.store, RUN_SELFPLAY, &runs, &count, err);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        GameCounts counts;
        if (runs[i].generation != g->generation) continue;
        status = store_count_games(l->home.store, runs[i].run_id, &counts, err);
        if (status != STATUS_OK) break;
        g->games = counts.games;
        g->plies = counts.plies;
    }
    store_free_runs(runs, count);
    return status;
}

/* The settings of one generation's self-play. Random moves make up for what the weights do not
 * know: from them come the imbalances, and the decided games, that teach what a piece is worth. */
static SelfplaySettings selfplay_settings(const Learn *l, int generation)
{
    SelfplaySettings s = l->settings->selfplay;

    s.seed = derive_seed(l->settings->seed, SEED_SELFPLAY, generation);
    s.generation = generation;
    s.threads = l->settings->threads;
    s.first_game = 0;
    if (generation == 1) {
        s.exploration = l->settings->first;
        s.adjudication.draw_plies = 0; /* to weights that know nothing all is equal */
    }
    for (int i = 3; i <= generation; i++)
        s.exploration.random_move *= l->settings->random_decay;
    return s;
}

static Status play(Learn *l, LearnGeneration *g, Error *err)
{
    SelfplaySettings s = selfplay_settings(l, g->generation);
    SelfplayProgress totals;
    Pool pool = {0};
    char label[NAME_BYTES];
    double started = clock_seconds();

    generation_name(l->report->best, label);
    Status status = STATUS_OK;
    if (l->settings->pool_last > 0)
        status = pool_load_last(l->home.store, l->settings->pool_last, &pool, err);
    s.pool = pool.members;
    s.pool_count = pool.count;
    if (status == STATUS_OK)
        status = selfplay_run(l->home.store, &l->best, label, &s, l->interrupted, on_selfplay, l,
                              &totals, err);
    pool_free(&pool);
    if (status == STATUS_OK) status = count_generation(l, g, err);
    return end_stage(l, g, LEARN_PLAYED, started, status, err);
}

/* ---- Stage 2: fit */

static void on_tune(void *context, const TuneIteration *iteration)
{
    Learn *l = context;
    LearnEvent event = {.generation = l->report->count - 1, .tune = iteration};

    if (l->progress) l->progress(l->context, &event);
}

/* The first generation that a fit sees. The games of generation 1, decided by accidents, serve
 * until there are two better generations. */
static int window_start(const Learn *l, int generation)
{
    int first = generation - l->settings->window + 1;
    int oldest = generation < 3 ? 1 : 2;
    return first > oldest ? first : oldest;
}

static Status put_fit(Learn *l, const LearnGeneration *g, Error *err)
{
    char *json = learn_generation_json(g);

    if (!json) return out_of_memory(err);
    Status status =
        store_put_fit(l->home.store, g->weights, g->parent, g->dataset_digest, json, err);
    free(json);
    return status;
}

/* Weights, fit and stage: together or not at all. */
static Status store_fit(Learn *l, LearnGeneration *g, const EvalWeights *weights,
                        const char *comment, double started, Error *err)
{
    char name[NAME_BYTES];

    generation_name(g->generation, name);
    Status status = tune_weights_hash(weights, g->weights, err);
    if (status == STATUS_OK) status = store_begin(l->home.store, err);
    if (status != STATUS_OK) return status;
    status = learn_home_put_weights(&l->home, g->weights, name, weights, comment, g->parent, err);
    if (status == STATUS_OK) status = end_stage(l, g, LEARN_FITTED, started, STATUS_OK, err);
    if (status == STATUS_OK) status = put_fit(l, g, err);
    if (status == STATUS_OK) status = store_commit(l->home.store, err);
    if (status != STATUS_OK) store_rollback(l->home.store);
    return status;
}

static void describe(const Learn *l, const LearnGeneration *g, const Dataset *data,
                     const TuneSettings *settings, const TuneResult *result,
                     char comment[TUNE_COMMENT_MAX])
{
    char source[128], start[NAME_BYTES];

    (void)snprintf(source, sizeof source,
                   "self-play of generations %d to %d, tabia learn --from %s --seed %llu",
                   window_start(l, g->generation), g->generation, l->report->from,
                   (unsigned long long)l->settings->seed);
    generation_name(l->report->best, start);
    tune_provenance(data, source, start, g->parent, settings, result, comment);
}

static Status fit_dataset(Learn *l, LearnGeneration *g, const Dataset *data, TuneResult *result,
                          char comment[TUNE_COMMENT_MAX], Error *err)
{
    TuneSettings t = l->settings->tune;

    /* The same for all, so that a game held out once is held out for good. */
    t.seed = derive_seed(l->settings->seed, SEED_TUNE, 0);
    t.threads = l->settings->threads;
    g->window_games = dataset_games(data);
    g->positions = dataset_positions(data);
    dataset_digest(data, g->dataset_digest);
    Status status = tune_fit(data, &l->best, &t, l->interrupted, on_tune, l, result, err);
    if (status != STATUS_OK) return status;
    g->k = result->k;
    g->iterations = result->iterations;
    g->train_loss = result->train_after.mse;
    g->validation_loss = result->validation_after.mse;
    describe(l, g, data, &t, result, comment);
    return STATUS_OK;
}

static Status fit(Learn *l, LearnGeneration *g, Error *err)
{
    Dataset *data = NULL;
    TuneResult result;
    char comment[TUNE_COMMENT_MAX];
    double started = clock_seconds();
    DatasetFilter filter = l->settings->filter;

    filter.terms = l->settings->tune.terms | weights_families(&l->best);
    Status status = dataset_from_store(l->home.store, window_start(l, g->generation), g->generation,
                                       &filter, l->settings->threads, &data, err);
    if (status == STATUS_OK) status = fit_dataset(l, g, data, &result, comment, err);
    dataset_destroy(data);
    if (status != STATUS_OK) return end_stage(l, g, LEARN_FITTED, started, status, err);
    return store_fit(l, g, &result.weights, comment, started, err);
}

/* ---- Stage 3: prove */

static void on_gauntlet(void *context, const GauntletProgress *p)
{
    Learn *l = context;
    LearnEvent event = {
        .generation = l->match_generation, .gauntlet = p, .opponent = l->match_opponent};

    if (l->progress) l->progress(l->context, &event);
}

/* A match of generation `generation` against named weights; games of earlier processes count. */
static Status match(Learn *l, int generation, const EvalWeights *weights, const char *opponent,
                    const EvalWeights *opponent_weights, uint64_t seed, int64_t games,
                    const SprtSettings *sprt, GauntletProgress *result, Error *err)
{
    const LearnSettings *s = l->settings;
    char name[NAME_BYTES];
    GauntletSettings g;

    generation_name(generation, name);
    GauntletPlayer players[2] = {{.name = name,
                                  .weights = weights,
                                  .limits = s->gauntlet_limits,
                                  .hash_bytes = s->selfplay.hash_bytes},
                                 {.name = opponent,
                                  .weights = opponent_weights,
                                  .limits = s->gauntlet_limits,
                                  .hash_bytes = s->selfplay.hash_bytes}};
    gauntlet_defaults(&g);
    g.seed = seed;
    g.generation = generation;
    g.games = games;
    g.opening = s->selfplay.opening;
    g.adjudication = s->selfplay.adjudication;
    g.sprt = *sprt;
    g.threads = s->threads;
    l->match_generation = generation;
    l->match_opponent = opponent;
    const GauntletObserver observer = {.context = l, .progress = on_gauntlet};
    Status status =
        gauntlet_run(l->home.store, players, 2, &g, &observer, l->interrupted, result, err);
    gauntlet_progress_free(result); /* score and statistics stay */
    return status;
}

static bool is_better(const GauntletProgress *result)
{
    if (result->stats.decision == SPRT_ACCEPT_H1) return true;
    if (result->stats.decision == SPRT_ACCEPT_H0) return false;
    return result->score.wins > result->score.losses;
}

static Status prove(Learn *l, LearnGeneration *g, Error *err)
{
    GauntletProgress result;
    EvalWeights candidate;
    char opponent[NAME_BYTES];
    double started = clock_seconds();

    generation_name(l->report->best, opponent);
    Status status = learn_home_get_weights(&l->home, g->weights, &candidate, NULL, err);
    if (status == STATUS_OK)
        status = match(l, g->generation, &candidate, opponent, &l->best,
                       derive_seed(l->settings->seed, SEED_GAUNTLET, g->generation),
                       l->settings->gauntlet_games, &l->settings->sprt, &result, err);
    if (status == STATUS_OK) {
        g->match = result.score;
        g->accepted = is_better(&result);
        if (g->accepted) {
            l->best = candidate;
            l->report->best = g->generation;
            memcpy(l->best_hash, g->weights, sizeof l->best_hash);
        }
    }
    return end_stage(l, g, LEARN_PROVED, started, status, err);
}

/* ---- Generations */

/* Room for one more; its pointer is valid until the next call. */
static LearnGeneration *append_generation(LearnReport *r)
{
    size_t count = (size_t)r->count + 1;
    LearnGeneration *generations = realloc(r->generations, count * sizeof *generations);

    if (!generations) return NULL;
    r->generations = generations;
    MatchScore *scores = realloc(r->against_start, count * sizeof *scores);
    if (!scores) return NULL;
    r->against_start = scores;
    scores[r->count] = (MatchScore){0};
    generations[r->count] = (LearnGeneration){.generation = r->count};
    return &generations[r->count++];
}

static Status begin_generation(Learn *l, Error *err)
{
    LearnGeneration *g = append_generation(l->report);

    if (!g) return out_of_memory(err);
    memcpy(g->parent, l->best_hash, sizeof g->parent);
    return put_row(l, g, err);
}

/* Brings the last generation to its end from whatever stage it has reached. */
static Status finish_generation(Learn *l, Error *err)
{
    LearnGeneration *g = &l->report->generations[l->report->count - 1];
    LearnEvent event = {.generation = g->generation, .proved = g};
    Status status = STATUS_OK;

    if (g->stage == LEARN_STARTED) status = play(l, g, err);
    if (status == STATUS_OK && g->stage == LEARN_PLAYED) status = fit(l, g, err);
    if (status == STATUS_OK)
        status = learn_home_publish_generation(&l->home, g->weights, g->generation, err);
    if (status == STATUS_OK && g->stage == LEARN_FITTED) status = prove(l, g, err);
    if (status == STATUS_OK) status = learn_home_publish(&l->home, l->best_hash, "best.h", err);
    if (status == STATUS_OK && l->progress) l->progress(l->context, &event);
    return status;
}

static double seconds_spent(const LearnReport *r)
{
    double sum = 0;
    for (int i = 1; i < r->count; i++)
        sum += learn_generation_seconds(&r->generations[i]);
    return sum;
}

/* What the end will take when one more generation is accepted: a match against the start for each
 * accepted one and one against `material`, judged by the speed of the last match. */
static double seconds_of_finals(const LearnReport *r, int64_t games)
{
    const LearnGeneration *last = &r->generations[r->count - 1];
    int64_t played = last->match.wins + last->match.draws + last->match.losses;
    int matches = 2;

    for (int i = 1; i < r->count; i++)
        matches += r->generations[i].accepted;
    if (played == 0) return 0;
    return last->seconds[LEARN_FITTED] / (double)played * (double)games * matches;
}

/* Generations grow longer as play improves and the window fills. */
static const double slower_next_time = 1.2;

static bool wants_another(const Learn *l)
{
    const LearnSettings *s = l->settings;
    const LearnReport *r = l->report;
    int done = r->count - 1;

    if (s->generations > 0 && done >= s->generations) return false;
    if (s->budget <= 0 || done == 0) return true;
    double next = slower_next_time * learn_generation_seconds(&r->generations[done]);
    return seconds_spent(r) + next + seconds_of_finals(r, s->final_games) <= s->budget;
}

/* ---- The end: how much was gained */

static Status measure_gain(Learn *l, Error *err)
{
    static const SprtSettings no_sprt = {.enabled = false};
    LearnReport *r = l->report;
    uint64_t seed = derive_seed(l->settings->seed, SEED_FINAL, 0);
    EvalWeights weights, opponent;
    GauntletProgress result;
    Status status = learn_home_get_weights(&l->home, l->start_hash, &opponent, NULL, err);

    for (int i = 1; i < r->count && status == STATUS_OK; i++) {
        if (!r->generations[i].accepted) continue;
        status = learn_home_get_weights(&l->home, r->generations[i].weights, &weights, NULL, err);
        if (status == STATUS_OK)
            status = match(l, i, &weights, "gen-000", &opponent, seed, l->settings->final_games,
                           &no_sprt, &result, err);
        if (status == STATUS_OK) r->against_start[i] = result.score;
    }
    if (status != STATUS_OK) return status;
    weights_material(&opponent);
    status = match(l, r->best, &l->best, "material", &opponent, seed, l->settings->final_games,
                   &no_sprt, &result, err);
    if (status == STATUS_OK) r->against_material = result.score;
    return status;
}

/* ---- Beginning and resuming */

/* Row 0 holds the settings. */
static Status begin_run(Learn *l, const char *settings, Error *err)
{
    if (!append_generation(l->report)) return out_of_memory(err);
    l->best = *l->from->weights;
    memcpy(l->best_hash, l->start_hash, sizeof l->best_hash);
    Status status = store_begin(l->home.store, err);
    if (status != STATUS_OK) return status;
    status = learn_home_put_weights(&l->home, l->start_hash, l->from->label, l->from->weights,
                                    l->from->comment, NULL, err);
    if (status == STATUS_OK)
        status = store_put_generation(l->home.store, 0, learn_stage_name(LEARN_PROVED),
                                      l->start_hash, settings, err);
    if (status == STATUS_OK) status = store_commit(l->home.store, err);
    if (status != STATUS_OK) store_rollback(l->home.store);
    return status;
}

static Status check_settings(const Learn *l, const char *then, const char *present, Error *err)
{
    char difference[256];

    if (!run_config_difference(then, present, difference, sizeof difference)) return STATUS_OK;
    return error_set(err, STATUS_USAGE,
                     "%s holds a run with other settings (%s); take those or another directory",
                     l->home.dir, difference);
}

static Status read_row(Learn *l, int generation, Error *err)
{
    char stage[32], *json = NULL;
    LearnGeneration *g = append_generation(l->report);

    if (!g) return out_of_memory(err);
    Status status = store_get_generation(l->home.store, generation, stage, &json, err);
    if (status == STATUS_OK && !json)
        status = error_set(err, STATUS_DATABASE, "%s: generation %d is missing",
                           store_path(l->home.store), generation);
    if (status == STATUS_OK) {
        status = learn_generation_read(g, generation, stage, json, err);
        if (status != STATUS_OK) status = error_prefix(err, "%s", store_path(l->home.store));
    }
    if (status == STATUS_OK && g->accepted) l->report->best = generation;
    free(json);
    return status;
}

static Status resume_run(Learn *l, int last, const char *settings, Error *err)
{
    char stage[32], *then = NULL;

    Status status = store_get_generation(l->home.store, 0, stage, &then, err);
    if (status == STATUS_OK && !then)
        status = error_set(err, STATUS_DATABASE, "%s: generation 0 is missing",
                           store_path(l->home.store));
    if (status == STATUS_OK) status = check_settings(l, then, settings, err);
    free(then);
    if (status == STATUS_OK && !append_generation(l->report)) status = out_of_memory(err);
    for (int i = 1; i <= last && status == STATUS_OK; i++)
        status = read_row(l, i, err);
    return status == STATUS_OK ? learn_home_get_weights(&l->home, l->best_hash, &l->best, NULL, err)
                               : status;
}

static Status begin_or_resume(Learn *l, Error *err)
{
    char stage[32], *json = NULL, *settings = NULL;
    int last = -1;

    Status status = tune_weights_hash(l->from->weights, l->start_hash, err);
    if (status == STATUS_OK)
        status = learn_settings_json(l->settings, l->start_hash, &settings, err);
    if (status == STATUS_OK)
        status = store_last_generation(l->home.store, &last, stage, l->best_hash, &json, err);
    if (status == STATUS_OK)
        status = last < 0 ? begin_run(l, settings, err) : resume_run(l, last, settings, err);
    free(json);
    free(settings);
    if (status == STATUS_OK)
        status = learn_home_publish_generation(&l->home, l->start_hash, 0, err);
    return status == STATUS_OK ? learn_home_publish(&l->home, l->best_hash, "best.h", err) : status;
}

/* ---- The whole */

static Status check_limits(const LearnSettings *s, Error *err)
{
    if (s->selfplay.games < 1 || s->window < 1)
        return error_set(err, STATUS_USAGE, "a generation needs games and a window of at least 1");
    if (s->gauntlet_games < 2 || s->gauntlet_games % 2 || s->final_games < 2 || s->final_games % 2)
        return error_set(err, STATUS_USAGE, "matches need an even number of games, at least 2");
    return STATUS_OK;
}

static Status learn(Learn *l, const char *dir, Error *err)
{
    Status status = check_limits(l->settings, err);

    if (status == STATUS_OK) status = learn_home_open(&l->home, dir, err);
    if (status == STATUS_OK) status = begin_or_resume(l, err);
    if (status == STATUS_OK && l->report->generations[l->report->count - 1].stage != LEARN_PROVED &&
        l->report->count > 1)
        status = finish_generation(l, err);
    while (status == STATUS_OK && wants_another(l)) {
        status = begin_generation(l, err);
        if (status == STATUS_OK) status = finish_generation(l, err);
    }
    if (status == STATUS_OK) status = measure_gain(l, err);
    return status;
}

Status learn_run(const char *dir, const LearnStart *from, const LearnSettings *settings,
                 const atomic_int *interrupted, LearnProgressFn progress, void *context,
                 LearnReport *report, Error *err)
{
    Error own = {0};
    Learn l = {.from = from,
               .settings = settings,
               .interrupted = interrupted,
               .progress = progress,
               .context = context,
               .report = report,
               .home = {.lock = -1}};

    *report = (LearnReport){0};
    (void)snprintf(report->from, sizeof report->from, "%s", from->label);
    Status status = learn(&l, dir, err ? err : &own); /* parts of it return err->status */
    report->weights = l.best;
    report->seconds = seconds_spent(report);
    learn_home_close(&l.home);
    return status;
}

void learn_report_free(LearnReport *report)
{
    free(report->generations);
    free(report->against_start);
    *report = (LearnReport){0};
}
