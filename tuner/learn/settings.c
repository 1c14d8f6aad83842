/* SPDX-License-Identifier: MIT
 * The settings of `tabia learn`: defaults, JSON, checks. */
#include "tuner/learn/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "db/store/json_read.h"
#include "engine/eval/network_file.h"
#include "engine/values/value.h"
#include "selfplay/match/stats.h"
#include "selfplay/run/pool.h"

/* An empty text keeps the default test. */
static Status parse_sprt(void *sprt, const char *text, Error *err)
{
    return *text ? sprt_parse(sprt, text, err) : STATUS_OK;
}

static Status parse_pool(void *last, const char *text, Error *err)
{
    Status status = pool_parse_last(text, last, err);

    if (status != STATUS_OK || *(int *)last > 0) return status;
    return error_set(err, STATUS_USAGE, "\"%s\" is not last:K", text);
}

/* "10m" or "30cm", at least a second. */
static Status parse_budget(void *budget, const char *text, Error *err)
{
    LearnBudget *b = budget;
    int64_t ms = 0;

    b->cpu = value_parse_core_time(text, &ms);
    if (!b->cpu && !value_parse_time(text, &ms))
        return error_set(err, STATUS_USAGE,
                         "\"%s\" is not a time such as 90s or 10m, or core time such as 30cm",
                         text);
    if (ms < 1000) return error_set(err, STATUS_USAGE, "must be at least 1s, not %s", text);
    b->seconds = (double)ms / 1000;
    return STATUS_OK;
}

/* What the loop has of the settings of fits and of positions. */
#define OF_FIT "lambda army prior king-prior terms validation decay iterations patience"
#define OF_POSITIONS                                                                               \
    "min-ply max-score keep-checks keep-noisy keep-unscored drop-drawn require-quiet"

const Setting learn_settings[] = {
    SETTING_HEADING("The run"),
    {"budget", FIELD(LearnSettings, budget), "TIME",
     "for everything: wall clock (90s, 10m, 8h), or time of all cores together (90cs, 30cm)",
     .parse = parse_budget, .first = true},
    {"generations", FIELD(LearnSettings, generations), "N", "number of the last generation", 1,
     LEARN_GENERATIONS_MAX, .first = true},
    SETTING_HEADING("Self-play"),
    {"games", FIELD(LearnSettings, selfplay.games), "N", "games of a generation", 1, 1e9,
     .preset = 2000, .first = true},
    {FIELD(LearnSettings, selfplay.limits), .rows = limits_settings},
    {"nodes-growth", FIELD(LearnSettings, nodes_growth), "X",
     "factor on --nodes for each generation from 2 on ...", 1, 10, .preset = 1.03, .neutral = 1,
     .optional = true},
    {"nodes-max", FIELD(LearnSettings, nodes_max), "N",
     "... up to this limit, if --nodes is below it", 1, 1e15, .preset = 2000,
     .needs = "nodes-growth"},
    {FIELD(LearnSettings, selfplay.hash_bytes), .rows = hash_settings},
    {FIELD(LearnSettings, selfplay.exploration), .rows = exploration_settings},
    {"random-decay", FIELD(LearnSettings, random_decay), "X",
     "factor on the probability of random moves for each generation from 3 on", 0, 1,
     .preset = 0.9},
    {"first-random-move", FIELD(LearnSettings, first.random_move), "P",
     "probability of a random move in generation 1 ...", 0, 1, .preset = 0.6},
    {"first-random-until", FIELD(LearnSettings, first.random_until_ply), "PLY",
     "... before this ply", 0, GAME_PLIES_MAX, .preset = 400, .key = "first_random_until_ply"},
    {"pool", FIELD(LearnSettings, pool_last), "last:K",
     "self-play opponents: the K latest best weights, one drawn for each game", .parse = parse_pool,
     .key = "pool_last", .optional = true},
    SETTING_HEADING(opening_heading),
    {FIELD(LearnSettings, selfplay.opening), .rows = opening_settings},
    {FIELD(LearnSettings, selfplay.adjudication), .rows = adjudication_settings},
    {FIELD(LearnSettings, tune), .rows = tune_settings, .names = OF_FIT},
    {"window", FIELD(LearnSettings, window), "N", "number of latest generations in a fit", 1, 9999,
     .preset = 5},
    {"mirror-until", FIELD(LearnSettings, mirror_until), "N",
     "last generation in whose fit squares that mirror each other share a weight", 0, 9999,
     .preset = 12, .optional = true},
    {"late-from", FIELD(LearnSettings, late_from), "N",
     "first generation whose fit uses drawn games, and as --lambda ...; 0: none", 0, 9999,
     .preset = 8, .optional = true},
    {"late-lambda", FIELD(LearnSettings, late_lambda), "X", "... this", 0, 1, .preset = 0.2,
     .needs = "late-from"},
    {FIELD(LearnSettings, filter), .rows = dataset_filter_settings,
     .names = OF_POSITIONS " scratch"},
    SETTING_HEADING("King squares"),
    {"king-from", FIELD(LearnSettings, king_phase.from), "N",
     "first generation that fits the king squares of --terms; 0: all do", 0, 9999,
     .optional = true},
    {"king-window", FIELD(LearnSettings, king_phase.window), "N",
     "number of latest generations in such a fit", 1, 9999, .preset = 12, .needs = "king-from"},
    {"king-games", FIELD(LearnSettings, king_phase.games), "N",
     "games of such a generation; 0: as of the others", 0, 1e9, .preset = 20000,
     .needs = "king-from", .optional = true},
    {"king-nodes", FIELD(LearnSettings, king_phase.nodes), "N",
     "nodes of such a generation's self-play, without --nodes-growth; 0: as of the others", 0, 1e15,
     .preset = 200, .needs = "king-from", .optional = true},
    {"king-random-move", FIELD(LearnSettings, king_phase.random_move), "P",
     "probability of a random move in such a generation, without decay; 0: as of the others", 0, 1,
     .needs = "king-from", .optional = true},
    SETTING_HEADING("Networks"),
    {"network", FIELD(LearnSettings, network.hidden), "H",
     "hidden units of the networks that later generations train; 0: none", 0, NETWORK_HIDDEN_MAX,
     .optional = true, .first = true},
    {"network-buckets", FIELD(LearnSettings, network.buckets), "N",
     "their output buckets, by number of pieces", 1, NETWORK_BUCKETS_MAX, .preset = 1,
     .needs = "network", .neutral = 1, .optional = true},
    {"network-king-buckets", FIELD(LearnSettings, network.king_buckets), "N",
     "their sets of inputs by the square of the own king, as of tabia train",
     .words = TRAIN_KING_WORDS, .needs = "network", .optional = true},
    {"network-from", FIELD(LearnSettings, network_phase.from), "N",
     "first generation that trains one", 1, 9999, .preset = 25, .needs = "network"},
    {"network-window", FIELD(LearnSettings, network_phase.window), "N",
     "number of latest generations in its training", 1, 9999, .preset = 6, .needs = "network"},
    /* A network learns more from many games of few nodes than from few deeper ones. */
    {"network-games", FIELD(LearnSettings, network_phase.games), "N",
     "games of such a generation; 0: as of the others", 0, 1e9, .preset = 60000, .needs = "network",
     .optional = true},
    {"network-nodes", FIELD(LearnSettings, network_phase.nodes), "N",
     "nodes of such a generation's self-play, without --nodes-growth; 0: as of the others", 0, 1e15,
     .preset = 100, .needs = "network", .optional = true},
    {"network-nodes-growth", FIELD(LearnSettings, network_phase.nodes_growth), "X",
     "factor on --network-nodes for each generation after --network-from", 1, 10, .preset = 1,
     .needs = "network-nodes", .neutral = 1, .optional = true},
    {"network-random-move", FIELD(LearnSettings, network_phase.random_move), "P",
     "probability of a random move in such a generation, without decay; 0: as of the others", 0, 1,
     .needs = "network", .optional = true},
    {"network-epochs", FIELD(LearnSettings, network.epochs), "N", "passes over their positions", 1,
     10000, .preset = 10, .needs = "network"},
    {"network-lambda", FIELD(LearnSettings, network.lambda), "X", "--lambda of the training", 0, 1,
     .preset = 0.1, .needs = "network"},
    {"network-continue", FIELD(LearnSettings, network_continues), NULL,
     "each network begins with the one before, not with random numbers", .needs = "network",
     .optional = true},
    {"network-k", FIELD(LearnSettings, network.k), "X",
     "K of the training, which fixes the scale of centipawns; 0: fitted to the scores", 0, 1000,
     .needs = "network", .optional = true},
    {"network-td", FIELD(LearnSettings, network.td), "X", "--td of the training", 0, 0.99,
     .needs = "network-k", .optional = true},
    {"network-late", FIELD(LearnSettings, network_late), "H",
     "hidden units of the networks of late generations; 0: as of the others", 0, NETWORK_HIDDEN_MAX,
     .needs = "network", .optional = true},
    {"network-late-from", FIELD(LearnSettings, network_late_from), "N",
     "first generation that has them; its network begins with random numbers", 1, 9999,
     .preset = 40, .needs = "network-late"},
    {"network-late-epochs", FIELD(LearnSettings, network_late_epochs), "N",
     "passes over the positions in that generation", 1, 10000, .preset = 10,
     .needs = "network-late"},
    {"network-late-window", FIELD(LearnSettings, network_late_window), "N",
     "number of latest generations in their training; 0: --network-window", 0, 9999,
     .needs = "network-late", .optional = true},
    SETTING_HEADING("Matches"),
    {"gauntlet-games", FIELD(LearnSettings, gauntlet_games), "N",
     "most games of a generation's match against the best, an even number; 0: none, every generation replaces the best",
     0, 1e9},
    {"gauntlet-nodes", FIELD(LearnSettings, gauntlet_limits.nodes_soft), "N",
     "soft limit of nodes a move in matches", 1, 1e15, .preset = 1000},
    {"sprt", FIELD(LearnSettings, sprt), "TEST",
     "sequential test of that match: elo0=X,elo1=Y[,model=...]", .parse = parse_sprt,
     .needs = "gauntlet-games"},
    {"final-games", FIELD(LearnSettings, final_games), "N",
     "games of each match at the end, an even number; 0: no such matches", 0, 1e9, .preset = 200},
    {"strength-games", FIELD(LearnSettings, strength_games), "N",
     "without --gauntlet-games: most games of a match of generations 2, 3, 4, 6, 8, 12, 16, 24 ... against the one before in this list, at 3 % of the nodes of self-play; 0: none, and the table shows final matches instead of ratings",
     0, 1e9, .preset = 400, .optional = true},
    {0},
};

/* Of matches, whose players have the hash table of self-play. */
static const Setting match_settings[] = {
    {FIELD(LearnSettings, gauntlet_limits), .rows = limits_settings, .prefix = "gauntlet-"},
    {FIELD(LearnSettings, selfplay.hash_bytes), .rows = hash_settings, .prefix = "gauntlet-"},
    {0},
};

void learn_defaults(LearnSettings *settings)
{
    *settings = (LearnSettings){
        .seed = 1,
        .sprt = {.alpha = 0.05, .beta = 0.05, .model = SPRT_NORMALIZED},
        .threads = 1,
    };
    selfplay_defaults(&settings->selfplay);
    dataset_filter_defaults(&settings->filter);
    tune_defaults(&settings->tune);
    train_defaults(&settings->network);
    settings_default(learn_settings, settings);
    settings->selfplay.limits.nodes_soft = 500;
    settings->selfplay.positions = false;
    settings->selfplay.repeat_openings = true; /* random moves make the games differ */
    settings->selfplay.exploration = (Exploration){.random_move = 0.05, .random_until_ply = 200};
    settings->selfplay.opening.verify_nodes = 500;
    /* Weak players draw won positions; decided games say more about the value of pieces. */
    settings->filter.positions.drop_drawn = true;
    /* The search's score carries more information than the result of one game. */
    settings->tune.fit.lambda = 0.5;
    /* A strong prior, not an early stop, keeps a fit to few games from learning their noise: the
     * weight of a square moves only with the number of positions that have it. */
    settings->tune.fit.prior = LEARN_PRIOR;
    settings->tune.fit.patience = 0;
}

/* The identity, in the order of its keys. */
static const struct Part {
    const Setting *rows;
    const char *names;
    size_t offset;
} parts[] = {
    {learn_settings, "games window", 0},
    {limits_settings, limits_identity, offsetof(LearnSettings, selfplay.limits)},
    {learn_settings, "hash", 0},
    {opening_settings, NULL, offsetof(LearnSettings, selfplay.opening)},
    {adjudication_settings, NULL, offsetof(LearnSettings, selfplay.adjudication)},
    {exploration_settings, NULL, offsetof(LearnSettings, selfplay.exploration)},
    {learn_settings,
     "random-decay nodes-growth nodes-max mirror-until late-from late-lambda first-random-move "
     "first-random-until pool",
     0},
    {dataset_filter_settings, OF_POSITIONS " max-ply", offsetof(LearnSettings, filter)},
    {tune_settings, OF_FIT " k", offsetof(LearnSettings, tune)},
    {learn_settings, "king-from king-window king-games king-nodes king-random-move", 0},
    {learn_settings,
     "network network-buckets network-king-buckets network-from network-window network-games "
     "network-nodes network-nodes-growth network-random-move network-epochs network-lambda "
     "network-continue network-k network-td network-late network-late-from "
     "network-late-epochs network-late-window",
     0},
    {match_settings, "gauntlet-depth gauntlet-nodes gauntlet-nodes-hard gauntlet-hash", 0},
    {learn_settings, "gauntlet-games final-games strength-games", 0},
};
enum { PARTS = sizeof parts / sizeof *parts };

Status learn_settings_json(const LearnSettings *s, const char *from_hash, char **json, Error *err)
{
    JsonWriter config;
    char seed[24];

    json_begin_text(&config, true);
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)s->seed);
    json_string(&config, "from", from_hash);
    json_string(&config, "seed", seed); /* a JSON number may lose bits of 64 */
    for (int i = 0; i < PARTS; i++)
        settings_json(&config, parts[i].rows, parts[i].names, SETTINGS_IDENTITY,
                      (const char *)s + parts[i].offset);
    sprt_json(&config, &s->sprt);
    json_int(&config, "search", s->selfplay.search);
    return json_finish_text(&config, json, err);
}

/* What such JSON has, and a store to read it with. */
typedef struct StoredValues {
    Store *store;
    const char *json;
    Status status; /* of reading: the JSON is damaged, or memory ran out */
    Error err;
} StoredValues;

static bool find_value(void *context, const char *key, double *number, char text[SETTING_TEXT_MAX])
{
    struct {
        double number;
        char text[SETTING_TEXT_MAX];
    } v = {NAN, ""};
    const Field fields[] = {
        {key, FIELD_DOUBLE, .offset = 0, .size = sizeof v.number},
        {key, FIELD_ARRAY, .offset = sizeof v.number, .size = sizeof v.text},
        {0},
    };
    StoredValues *values = context;

    if (values->status == STATUS_OK)
        values->status = json_read(values->store, values->json, fields, &v, true, &values->err);
    *number = v.number;
    memcpy(text, v.text, sizeof v.text);
    return *text || !isnan(v.number);
}

static Status read_values(LearnSettings *s, StoredValues *values, char from_hash[HASH_HEX_MAX],
                          Error *err)
{
    char text[SETTING_TEXT_MAX];
    double number;
    Status status = STATUS_OK;

    learn_defaults(s);
    if (!find_value(values, "seed", &number, text) || !value_parse_uint64(text, &s->seed) ||
        !find_value(values, "from", &number, text) || strlen(text) >= HASH_HEX_MAX)
        return error_set(err, STATUS_BAD_INPUT, "seed or start are missing");
    (void)snprintf(from_hash, HASH_HEX_MAX, "%s", text);
    for (int i = 0; i < PARTS && status == STATUS_OK; i++)
        status = settings_read(parts[i].rows, parts[i].names, (char *)s + parts[i].offset,
                               find_value, values, err);
    return status == STATUS_OK ? sprt_read(&s->sprt, find_value, values, err) : status;
}

Status learn_settings_read(LearnSettings *s, Store *store, const char *json,
                           char from_hash[HASH_HEX_MAX], Error *err)
{
    StoredValues values = {.store = store, .json = json};

    Status status = read_values(s, &values, from_hash, err);
    if (values.status == STATUS_OK) return status;
    *err = values.err;
    return values.status;
}

/* ---- Checks */

bool learn_has_openings(const LearnSettings *s, int64_t games)
{
    const OpeningSettings *o = &s->selfplay.opening;
    return o->random_plies > 0 || games / 2 <= opening_bases(o);
}

static Status check_openings(const LearnSettings *s, const char *option, int64_t games, Error *err)
{
    long long count = opening_bases(&s->selfplay.opening);

    if (learn_has_openings(s, games)) return STATUS_OK;
    return error_set(
        err, STATUS_USAGE,
        "%s %lld: without random plies there %s %lld opening%s, each for two games; more would be the same games again, which prove nothing",
        option, (long long)games, count > 1 ? "are" : "is", count, count > 1 ? "s" : "");
}

Status learn_check_settings(const LearnSettings *s, Error *err)
{
    if (s->gauntlet_games % 2 || s->final_games % 2)
        return error_set(
            err, STATUS_USAGE,
            "the games of a match must be even: --gauntlet-games %lld, --final-games %lld",
            (long long)s->gauntlet_games, (long long)s->final_games);
    if (s->tune.fit.prior == FIT_PRIOR_AUTO && s->tune.fit.validation <= 0)
        return error_set(err, STATUS_USAGE, "--prior auto needs --validation above 0");
    if (s->king_phase.from > 0 && !(s->tune.terms & ~(EvalFamilies)EVAL_CLASSICAL_FAMILIES))
        return error_set(err, STATUS_USAGE, "--king-from %d: --terms has no king squares",
                         s->king_phase.from);
    Status status = check_openings(s, "--gauntlet-games", s->gauntlet_games, err);
    if (status == STATUS_OK) status = check_openings(s, "--final-games", s->final_games, err);
    if (status != STATUS_OK) return status;
    if (s->network.hidden > 0 && !network_sizes(s->network.hidden, s->network.buckets))
        return error_set(err, STATUS_USAGE, "--network %d: must be a multiple of %d",
                         s->network.hidden, NETWORK_HIDDEN_STEP);
    if (s->network_late > 0 && !network_sizes(s->network_late, s->network.buckets))
        return error_set(err, STATUS_USAGE, "--network-late %d: must be a multiple of %d",
                         s->network_late, NETWORK_HIDDEN_STEP);
    if (s->network_late > 0 && s->network_late < s->network.hidden)
        return error_set(err, STATUS_USAGE, "--network-late %d: has fewer units than --network %d",
                         s->network_late, s->network.hidden);
    if (s->network_late > 0 && s->network_late_from <= s->network_phase.from)
        return error_set(err, STATUS_USAGE,
                         "--network-late-from %d: is not after --network-from %d",
                         s->network_late_from, s->network_phase.from);
    return STATUS_OK;
}
