/* SPDX-License-Identifier: MIT
 * The table of facts about a database, as text, as a card in Markdown and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/db/info.h"
#include "cli/output/fields.h"
#include "engine/base/json.h"

enum { BAR_WIDTH = 22, FACT_NAME_MAX = 40, LABEL_COLUMNS = 14, COLUMNS = 80 };

/* ---- The facts */

static void phase_name(int phase, char out[FACT_NAME_MAX])
{
    static const char *const names[GAME_PHASES] = {"opening", "middlegame", "endgame"};
    (void)snprintf(out, FACT_NAME_MAX, "%s", names[phase]);
}

static void filter_name(int reason, char out[FACT_NAME_MAX])
{
    (void)snprintf(out, FACT_NAME_MAX, "%s",
                   reason == DROP_NONE ? "taken" : drop_fields[reason].label);
}

static void end_name(int reason, char out[FACT_NAME_MAX])
{
    (void)snprintf(out, FACT_NAME_MAX, "%s", reason_name((GameReason)reason));
}

static void length_name(int bin, char out[FACT_NAME_MAX])
{
    int least = LENGTH_BIN * bin;

    if (bin == LENGTH_BINS - 1)
        (void)snprintf(out, FACT_NAME_MAX, "%d and above", least);
    else
        (void)snprintf(out, FACT_NAME_MAX, "%d to %d", least, least + LENGTH_BIN - 1);
}

static void score_name(int number, char out[FACT_NAME_MAX])
{
    static const char *const others[] = {"White mates", "Black mates", "not searched"};
    const int *ends = info_score_ends;

    if (number >= SCORE_BINS)
        (void)snprintf(out, FACT_NAME_MAX, "%s", others[number - SCORE_BINS]);
    else if (number == 0)
        (void)snprintf(out, FACT_NAME_MAX, "below %d", ends[0]);
    else if (number == SCORE_BINS - 1)
        (void)snprintf(out, FACT_NAME_MAX, "%d and above", ends[number - 1]);
    else
        (void)snprintf(out, FACT_NAME_MAX, "%d to %d", ends[number - 1], ends[number] - 1);
}

/* A number of a group, or a distribution: several numbers, each with a name. */
typedef struct Fact {
    const char *key;                                   /* in JSON */
    int at, count;                                     /* of InfoGroup.n */
    int whole;                                         /* what they are shares of */
    const char *title;                                 /* heading above it in text; or NULL */
    const char *label;                                 /* of a single number in text; or NULL */
    void (*name)(int number, char out[FACT_NAME_MAX]); /* of a distribution, from 0; else NULL */
    int first;                                         /* number that is the first in text */
    bool zeros;                                        /* of a distribution: they are shown */
} Fact;

static const Fact facts[] = {
    {"games", FACT_GAMES, 1},
    {"plies", FACT_PLIES, 1},
    {"nodes", FACT_NODES, 1},
    {"wins", FACT_WINS, 1, FACT_GAMES, "Results", "1-0"},
    {"draws", FACT_DRAWS, 1, FACT_GAMES, .label = "1/2-1/2"},
    {"losses", FACT_LOSSES, 1, FACT_GAMES, .label = "0-1"},
    {"reasons", FACT_REASONS, FACT_LENGTHS - FACT_REASONS, FACT_GAMES, "Ends", .name = end_name},
    {"openings", FACT_OPENINGS, 1, FACT_GAMES, "Openings", "different openings"},
    {"lengths", FACT_LENGTHS, LENGTH_BINS, FACT_GAMES, "Lengths in plies", .name = length_name},
    {"phases", FACT_PHASES, GAME_PHASES, FACT_PLIES,
     "Phases, by the pieces left (N, B 1; R 2; Q 4; opening above 16, endgame up to 8)",
     .name = phase_name, .zeros = true},
    {"filter", FACT_FILTER, DROP_REASONS + 1, FACT_PLIES,
     "Positions that the default filter of tabia tune takes and leaves out", .name = filter_name,
     .first = DROP_NONE},
    {"scores", FACT_SCORES, FACTS - FACT_SCORES, FACT_PLIES,
     "Scores of the moves played, centipawns, White's view", .name = score_name,
     .first = FACT_BLACK_MATES - FACT_SCORES},
    {0},
};

/* ---- Text */

static double share(int64_t part, int64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void print_runs(const DbInfo *info)
{
    printf("\n  run  kind      gen  games     1-0 1/2-1/2     0-1  started     label\n");
    for (int i = 0; i < info->run_count; i++) {
        const RunRecord *run = &info->runs[i];
        const int64_t *n = info->of_run[i].n;
        char generation[16] = "-";
        if (run->generation >= 0)
            (void)snprintf(generation, sizeof generation, "%d", run->generation);
        const char *rest = run->finished[0] ? "" : " (unfinished)";
        bool fits = text_columns(run->label) + (int)strlen(rest) <= LABEL_COLUMNS;
        printf("%5" PRId64 "  %-8s  %3s %6" PRId64 " %7" PRId64 " %7" PRId64 " %7" PRId64
               "  %.10s%s%s%s\n",
               run->run_id, run_kind_name(run->kind), generation, n[FACT_GAMES], n[FACT_WINS],
               n[FACT_DRAWS], n[FACT_LOSSES], run->started, fits ? "  " : "\n       ", run->label,
               rest);
    }
}

static void print_figures_header(const char *what)
{
    printf("\n%5s %7s %5s %5s %5s %5s %8s %5s %5s %5s %5s %9s\n", what, "games", "1-0 %", "draw%",
           "0-1 %", "plies", "openings", "open%", "mid %", "end %", "mate%", "nodes/ply");
}

/* One line of figures for a run or a generation. */
static void print_figures(int64_t number, const int64_t *n)
{
    const int64_t games = n[FACT_GAMES], plies = n[FACT_PLIES];

    printf("%5" PRId64 " %7" PRId64 " %5.1f %5.1f %5.1f %5.1f %8" PRId64, number, games,
           100 * share(n[FACT_WINS], games), 100 * share(n[FACT_DRAWS], games),
           100 * share(n[FACT_LOSSES], games), share(plies, games), n[FACT_OPENINGS]);
    for (int i = FACT_PHASES; i < FACT_PHASES + GAME_PHASES; i++)
        printf(" %5.1f", 100 * share(n[i], plies));
    printf(" %5.1f %9.0f\n", 100 * share(n[FACT_WHITE_MATES] + n[FACT_BLACK_MATES], plies),
           share(n[FACT_NODES], plies));
}

static void print_groups(const DbInfo *info)
{
    if (info->run_count > 1) print_figures_header("run");
    for (int i = 0; info->run_count > 1 && i < info->run_count; i++)
        print_figures(info->runs[i].run_id, info->of_run[i].n);
    if (info->generation_count > 0) print_figures_header("gen");
    for (int i = 0; i < info->generation_count; i++)
        print_figures(info->of_generation[i].generation, info->of_generation[i].n);
}

/* In a card a row of a table. */
static void print_bar(const char *name, int64_t count, int64_t whole, bool card)
{
    double part = share(count, whole);

    if (card) {
        printf("| %s | %" PRId64 " | %.1f %% |\n", name, count, 100 * part);
        return;
    }
    printf("  %-34s %10" PRId64 "  %5.1f %%", name, count, 100 * part);
    int width = (int)(BAR_WIDTH * part + 0.5);
    printf("%s%.*s\n", width ? "  " : "", width, "######################");
}

static void print_fact(const DbInfo *info, const Fact *fact)
{
    const bool card = info->is_card;
    const int64_t *all = info->all.n, *n = all + fact->at;
    char name[FACT_NAME_MAX];

    if (fact->title) printf("\n%s%s", card ? "## " : "", fact->title);
    if (fact->at == FACT_LENGTHS)
        printf(" (%d to %d, mean %.1f)", info->shortest, info->longest,
               share(all[FACT_PLIES], all[FACT_GAMES]));
    if (fact->title) printf(card ? "\n\n| | number | share |\n|---|--:|--:|\n" : "\n");
    if (fact->label) print_bar(fact->label, *n, all[fact->whole], card);
    for (int i = 0; fact->name && i < fact->count; i++) {
        int number = i == 0 ? fact->first : i <= fact->first ? i - 1 : i;
        if (n[number] == 0 && !fact->zeros) continue;
        fact->name(number, name);
        print_bar(name, n[number], all[fact->whole], card);
    }
}

void info_print_text(const Store *store, const DbInfo *info)
{
    const int64_t *n = info->all.n;
    char text[TEXT_SHOWN_MAX + 256];

    (void)snprintf(text, sizeof text,
                   "%s: %d run%s, %" PRId64 " games, %" PRId64 " plies, %" PRId64
                   " readable positions%s, %" PRId64 " nodes",
                   text_shown(store_path(store), (char[TEXT_SHOWN_MAX]){0}), info->run_count,
                   info->run_count == 1 ? "" : "s", n[FACT_GAMES], n[FACT_PLIES], info->positions,
                   n[FACT_GAMES] && !info->positions ? " (tabia db materialize writes them)" : "",
                   n[FACT_NODES]);
    (void)text_wrap(stdout, 2, COLUMNS, text);
    (void)putchar('\n');
    if (info->run_count) print_runs(info);
    if (n[FACT_GAMES] == 0) return;
    print_groups(info);
    for (const Fact *fact = facts; fact->key; fact++)
        print_fact(info, fact);
}

/* ---- The card */

enum { CARD_RUNS = 20, CARD_CONFIGS = 3 };

/* Text of the file in a cell: '|' would end it. */
static void put_cell(const char *text)
{
    char room[TEXT_SHOWN_MAX];

    for (text = text_shown(text, room); *text; text++)
        printf("%s%c", *text == '|' ? "\\" : "", *text);
}

static void card_runs(const DbInfo *info)
{
    printf(
        "\n## How it was made\n\n| run | kind | label | games | seed | program | started | weights |\n"
        "|--:|---|---|--:|--:|---|---|---|\n");
    for (int i = 0; i < info->run_count && i < CARD_RUNS; i++) {
        const RunRecord *run = &info->runs[i];
        printf("| %" PRId64 " | %s | ", run->run_id, run_kind_name(run->kind));
        put_cell(run->label);
        printf(" | %" PRId64 " | %" PRIu64 " | ", info->of_run[i].n[FACT_GAMES], run->seed);
        put_cell(run->program);
        printf(" | ");
        put_cell(run->started);
        printf(" | %s%s%s |\n", run->weights[0], run->weights[1][0] ? " " : "", run->weights[1]);
    }
    if (info->run_count > CARD_RUNS)
        printf("\nAnd %d more runs: `tabia db info`.\n", info->run_count - CARD_RUNS);
}

/* The settings of the first runs with different ones. */
static void card_configs(const DbInfo *info)
{
    char room[TEXT_SHOWN_MAX];
    int different = 0, shown = 0;

    for (int i = 0; i < info->run_count; i++) {
        const RunRecord *run = &info->runs[i];
        int same = 0;
        while (strcmp(info->runs[same].config_hash, run->config_hash) != 0)
            same++;
        if (same < i) continue;
        different++;
        if (shown == CARD_CONFIGS || strlen(run->config) >= sizeof room) continue;
        shown++;
        printf("\nSettings of run %" PRId64 ":\n\n```json\n%s\n```\n", run->run_id,
               text_shown(run->config, room));
    }
    if (different > shown)
        printf("\nAnd %d other settings: `runs.config` in the file.\n", different - shown);
}

void info_print_card(const Store *store, const DbInfo *info)
{
    const int64_t *n = info->all.n;
    const char *path = store_path(store), *slash = strrchr(path, '/');
    char room[TEXT_SHOWN_MAX];

    printf(
        "# %s\n\nGames of chess with a score for each searched move, a database of Tabia. Scores and "
        "results are White's.\n\n| | |\n|---|---|\n| games | %" PRId64 " |\n| positions | %" PRId64
        " |\n",
        text_shown(slash ? slash + 1 : path, room), n[FACT_GAMES], n[FACT_PLIES]);
    if (n[FACT_NODES] > 0)
        printf("| nodes | %" PRId64 ", %.0f a position |\n", n[FACT_NODES],
               share(n[FACT_NODES], n[FACT_PLIES]));
    printf("| different openings | %" PRId64 " |\n| `tabia db digest` | %s |\n"
           "| `tabia db digest --moves` | %s |\n",
           n[FACT_OPENINGS], info->digest, info->digest_moves);
    card_runs(info);
    card_configs(info);
    for (const Fact *fact = facts; fact->key && n[FACT_GAMES] > 0; fact++)
        print_fact(info, fact);
}

/* ---- JSON */

static void json_facts(JsonWriter *w, const InfoGroup *group)
{
    char name[FACT_NAME_MAX];

    for (const Fact *fact = facts; fact->key; fact++) {
        const int64_t *n = group->n + fact->at;
        if (!fact->name) {
            json_int(w, fact->key, *n);
            continue;
        }
        json_object(w, fact->key);
        for (int i = 0; i < fact->count; i++) {
            if (n[i] == 0 && !fact->zeros) continue;
            fact->name(i, name);
            json_int(w, name, n[i]);
        }
        json_end_object(w);
    }
}

static void json_run(JsonWriter *w, const RunRecord *run, const InfoGroup *group, bool card)
{
    json_object(w, NULL);
    json_int(w, "run_id", run->run_id);
    json_string(w, "uuid", run->uuid);
    json_string(w, "kind", run_kind_name(run->kind));
    json_string(w, "label", run->label);
    json_uint(w, "seed", run->seed);
    json_int(w, "generation", run->generation);
    json_string(w, "weights_a", run->weights[0][0] ? run->weights[0] : NULL);
    json_string(w, "weights_b", run->weights[1][0] ? run->weights[1] : NULL);
    json_string(w, "program", run->program);
    json_string(w, "started", run->started);
    json_string(w, "finished", run->finished[0] ? run->finished : NULL);
    if (card) json_string(w, "config", run->config);
    json_facts(w, group);
    json_end_object(w);
}

void info_print_json(const Store *store, const DbInfo *info)
{
    JsonWriter w;

    json_begin(&w, stdout);
    json_string(&w, "file", store_path(store));
    json_facts(&w, &info->all);
    json_int(&w, "positions", info->positions);
    if (info->is_card) {
        json_string(&w, "digest", info->digest);
        json_string(&w, "digest_moves", info->digest_moves);
    }
    json_array(&w, "runs");
    for (int i = 0; i < info->run_count; i++)
        json_run(&w, &info->runs[i], &info->of_run[i], info->is_card);
    json_end_array(&w);
    json_array(&w, "generations");
    for (int i = 0; i < info->generation_count; i++) {
        json_object(&w, NULL);
        json_int(&w, "generation", info->of_generation[i].generation);
        json_facts(&w, &info->of_generation[i]);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_finish(&w);
}
