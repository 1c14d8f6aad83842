/* SPDX-License-Identifier: MIT
 * tabia spsa: tunes constants of the search, scales of the weights, or another engine's options, by
 * matches. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "cli/play/play_options.h"
#include "cli/play/player_spec.h"
#include "db/chess/stored_weights.h"
#include "db/store/store.h"
#include "engine/base/json.h"
#include "engine/eval/evaluation_load.h"
#include "engine/eval/evaluation_write.h"
#include "selfplay/run/run_config.h"
#include "tuner/spsa/spsa.h"

enum { SPSA_HASH_BYTES = 8 << 20 };

typedef struct SpsaOptions {
    CommonOptions common;
    SpsaSettings settings;
    SpsaMatch match;
    PlayOptions play;
    OpeningOptions openings;
    PlayerSpec spec; /* of --engine */
    const char *engine, *weights, *params, *db, *out, *weights_out;
} SpsaOptions;

/* ---- Progress */

static double moved(const Tunable *t)
{
    return (t->value - t->start) / t->width;
}

static const Tunable *most_moved(const Tunables *list)
{
    const Tunable *most = list->items;

    for (int i = 1; i < list->count; i++)
        if (fabs(moved(&list->items[i])) > fabs(moved(most))) most = &list->items[i];
    return most;
}

static void show(void *context, const SpsaProgress *p)
{
    Progress *progress = context;

    progress->total = p->total;
    progress->resumed = p->resumed;
    if (!progress_due(progress)) return;
    const Tunable *t = most_moved(p->list);
    progress_draw(progress, p->done, "games", "iteration %d, %s %g → %.1f", p->iteration, t->name,
                  t->start, t->value);
}

/* ---- The result */

static const Field tunable_fields[] = {
    {"name", FIELD(Tunable, name)},
    {"start", FIELD(Tunable, start), .digits = 10},
    {"value", FIELD(Tunable, value), .digits = 10},
    {0},
};

static void print_json(const SpsaProgress *p)
{
    JsonWriter w;

    json_begin(&w, stdout);
    json_int(&w, "iterations", p->finished);
    json_int(&w, "games", p->done);
    fields_json_array(&w, "values", tunable_fields, p->list->items, sizeof *p->list->items,
                      p->list->count);
    json_finish(&w);
}

static void print_table(const Tunables *list)
{
    printf("%-28s %9s %9s %9s\n", "", "start", "value", "in c_end");
    for (int i = 0; i < list->count; i++) {
        const Tunable *t = &list->items[i];
        printf("%-28s %9.10g %9.1f %+9.1f\n", t->name, t->start, t->value, moved(t));
    }
}

/* The header says where the weights come from. */
static Status write_weights(const SpsaOptions *o, const SpsaProgress *p, const double *values,
                            NewFile *header, Error *err)
{
    Evaluation weights = o->match.evaluation;
    SearchParams params = o->match.params;
    char comment[512], start[HASH_HEX_MAX];

    Status status = stored_weights_hash(&weights, start, err);
    if (status != STATUS_OK) return status;
    tunables_apply(p->list, values, &params, &weights.weights);
    (void)snprintf(comment, sizeof comment,
                   "Tuned by tabia spsa: %d values, %d iterations, %lld games, seed %llu.\n"
                   "Start: %s.",
                   p->list->count, p->finished, (long long)p->done,
                   (unsigned long long)o->settings.seed, start);
    return evaluation_write(header, o->weights_out, &weights, comment, err);
}

/* Both files are written before either is put in place. */
static Status save(const SpsaOptions *o, const SpsaProgress *p, Error *err)
{
    const Tunables *list = p->list;
    double values[TUNABLES_MAX];
    OutputFile *out = NULL;
    NewFile header = {0};
    Status status = STATUS_OK;

    for (int i = 0; i < list->count; i++)
        values[i] = list->items[i].value;
    if (o->out) {
        out = output_open(o->out, err);
        if (!out) return err->status;
        tunables_print(output_stream(out), list);
        status = output_finish(out, err);
    }
    if (status == STATUS_OK && o->weights_out) status = write_weights(o, p, values, &header, err);
    if (status == STATUS_OK && o->weights_out) status = new_file_commit(&header, err);
    if (status == STATUS_OK && out) return output_commit(out, err);
    output_discard(out);
    return status;
}

/* keep: write the files, too. */
static Status report(const SpsaOptions *o, const SpsaProgress *p, bool keep, Error *err)
{
    Status status = keep ? save(o, p, err) : STATUS_OK;
    if (status != STATUS_OK) return status;
    if (o->common.json)
        print_json(p);
    else
        print_table(p->list);
    return STATUS_OK;
}

/* ---- The run */

static Status tune(SpsaOptions *o, Tunables *list, Error *err)
{
    Progress progress;
    SpsaProgress last;
    Store *store = store_open_watched(o->db, STORE_CREATE, cli_interrupted(), err);

    if (!store) return err->status;
    progress_start(&progress, 0, 0, o->common.quiet);
    Status status = spsa_run(store, &o->settings, &o->match, list, show, &progress,
                             cli_interrupted(), &last, err);
    store_close(store);
    progress_end(&progress);
    bool interrupted = status == STATUS_INTERRUPTED;
    /* Values of stored games alone are older than what a run before may have written. */
    bool news = last.finished * o->match.settings.games > last.resumed;
    if (status == STATUS_OK || interrupted) status = report(o, &last, !interrupted || news, err);
    if (status == STATUS_OK && interrupted)
        return error_set(
            err, STATUS_INTERRUPTED,
            "interrupted after %d of %d iterations, %lld games; the same command continues",
            last.finished, o->settings.iterations, (long long)last.done);
    if (status == STATUS_OK && last.forfeits > 0)
        status = error_set(err, STATUS_ENGINE, "the engine forfeited %lld of %lld games",
                           (long long)last.forfeits, (long long)last.done);
    return status;
}

/* The engine whose options are tuned; it must have them all. */
static Status make_engine(SpsaOptions *o, const Tunables *list, Error *err)
{
    const PlayerDefaults defaults = {.limits = o->match.player.limits,
                                     .cancelled = cli_interrupted()};
    PlayerSpec *spec = &o->spec;

    Status status = player_spec_parse(spec, o->engine, &defaults, err);
    if (status == STATUS_OK && !spec->player.uci)
        status = error_set(err, STATUS_USAGE, "--engine needs cmd=PROGRAM; weights are --weights");
    if (status == STATUS_OK && spec->uci.option_count + list->count > UCI_OPTIONS_MAX)
        status = error_set(err, STATUS_BAD_INPUT, "%s: at most %d options can be set", o->params,
                           UCI_OPTIONS_MAX);
    const char *const inputs[] = {o->db, o->params, o->openings.file};
    const char *const outputs[] = {o->out, NULL, spec->log_path};
    if (status == STATUS_OK) status = outputs_differ(outputs, inputs, 3, err);
    if (status == STATUS_OK) status = player_spec_open(spec, err);
    if (status != STATUS_OK) return status;
    o->match.player = spec->player;
    return spsa_try(&o->match, list, err);
}

static Status load(SpsaOptions *o, Tunables *list, OpeningBook *book, Error *err)
{
    SpsaMatch *match = &o->match;
    WeightsInfo info;

    const char *const inputs[] = {o->db, o->params, o->weights, o->openings.file};
    const char *const outputs[] = {o->out, o->weights_out, NULL, NULL};
    Status status = outputs_check(outputs, inputs, 4, err);
    if (status == STATUS_OK) status = output_needs_file(o->weights_out, "weights-out", err);
    if (status == STATUS_OK) status = output_check_plain(o->weights_out, err);
    if (status == STATUS_OK) status = output_needs_file(o->out, "out", err);
    if (status == STATUS_OK) status = evaluation_load(o->weights, &match->evaluation, &info, err);
    bool scales = !o->engine && strcmp(o->params, "scales") == 0;
    if (status == STATUS_OK && !scales) status = tunables_load(o->params, o->engine, list, err);
    if (status == STATUS_OK && (scales || tunables_have_weights(list)))
        status = evaluation_require_weights(&match->evaluation, o->weights, err);
    if (status == STATUS_OK && scales)
        status = tunables_scales(evaluation_weights(&match->evaluation), list, err);
    if (status == STATUS_OK)
        status = o->engine ? make_engine(o, list, err)
                           : tunables_check(list, evaluation_weights(&match->evaluation), err);
    if (status == STATUS_OK && o->weights_out && !tunables_have_weights(list))
        status = error_set(err, STATUS_USAGE, "--weights-out: %s names no weights", o->params);
    if (status == STATUS_OK) status = opening_options_load(&o->openings, o->common.seed, book, err);
    /* Openings come again with other values. */
    if (status == STATUS_OK)
        status =
            opening_options_check(&o->openings, book, &match->settings.opening,
                                  o->settings.iterations * (match->settings.games / 2), false, err);
    match->book = book->count > 0 ? book : NULL;
    return status;
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    SpsaOptions *o = command;
    GauntletSettings *match = &o->match.settings;
    Tunables list = {0};
    OpeningBook book = {0};

    o->settings.seed = o->common.seed;
    match->threads = options_threads(&o->common);
    if (match->games % 2 != 0)
        return error_set(err, STATUS_USAGE, "--games must be even: openings are played twice");
    if (o->engine && options_typed(parser, "hash"))
        return error_set(err, STATUS_USAGE,
                         "--hash is for engines of Tabia; use option.Hash=MB in --engine");
    Status status = play_options_apply(&o->play, &o->match.player.limits, &match->opening,
                                       &match->adjudication, o->openings.file, parser, err);
    if (status == STATUS_OK) status = load(o, &list, &book, err);
    match->search = search_signature();
    if (status == STATUS_OK && o->spec.limited &&
        (options_typed(parser, "nodes") || options_typed(parser, "depth")))
        status = error_set(err, STATUS_USAGE,
                           "--nodes and --depth are for an engine without a limit in --engine");
    if (status == STATUS_OK) status = tune(o, &list, err);
    opening_book_free(&book);
    tunables_free(&list);
    player_spec_free(&o->spec);
    return status;
}

static const Setting options[] = {
    SETTING_HEADING("The run"),
    {"params", FIELD(SpsaOptions, params), "FILE",
     "what is tuned: lines \"name, int, value, least, most, c_end, r_end\"; or `scales`: of material and of each term of the weights",
     .required = true},
    {"db", FIELD(SpsaOptions, db), "FILE", "database of the games, which a later run continues",
     .required = true},
    {FIELD(SpsaOptions, settings), .rows = spsa_settings, .names = "iterations"},
    {"games", FIELD(SpsaOptions, match.settings.games), "N",
     "games of an iteration, an even number", 2, 1e6, .first = true},
    {FIELD(SpsaOptions, settings), .rows = spsa_settings, .names = "alpha gamma stability"},
    SETTING_HEADING("Players"),
    {"engine", FIELD(SpsaOptions, engine), "PLAYER",
     "tune options of this UCI engine: cmd=PROGRAM, with keys as in tabia gauntlet --help",
     .keys = player_keys, .not_with = "weights weights-out"},
    {"weights", FIELD(SpsaOptions, weights), "W",
     "weights of the players: builtin, classical, tables, network, pesto, zero, material or a file",
     .words = EVALUATION_NAMES, .preset_text = "builtin", .not_with = "engine"},
    {FIELD(SpsaOptions, match.player.limits), .rows = limits_settings},
    {FIELD(SpsaOptions, match.player.engine.hash_bytes), .rows = hash_settings},
    SETTING_HEADING(opening_heading),
    {FIELD(SpsaOptions, openings), .rows = opening_option_settings},
    {FIELD(SpsaOptions, match.settings.opening), .rows = opening_settings},
    {FIELD(SpsaOptions, match.settings.adjudication), .rows = adjudication_settings},
    {FIELD(SpsaOptions, play), .rows = play_settings},
    SETTING_HEADING("Output"),
    {"out", FIELD(SpsaOptions, out), "FILE", "the same lines with the tuned values", .first = true},
    {"weights-out", FIELD(SpsaOptions, weights_out), "FILE", "header of the tuned weights",
     .not_with = "engine"},
    {FIELD(SpsaOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "spsa",
    .synopsis = "--params FILE --db FILE [options]",
    .description =
        "Tunes numbers by playing: in each iteration all of them move a little, each up or down by\n"
        "lot; the engine with these moves meets the engine with the opposite ones, and the numbers step\n"
        "toward the winner (SPSA). A NAME is a constant of the search (tabia-engine spsa lists them in\n"
        "this form) or weights with a factor in thousandths: PAWN_PST.mg, MATERIAL[1].eg, KING_PST[0-7].mg;\n"
        "with --engine it is a UCI option of that engine.\n"
        "The games are the state: after an interruption the same command continues. Ctrl-C shows and\n"
        "writes the values so far.",
    .settings = options,
    .epilogue =
        "Examples:\n"
        "  tabia-engine spsa | grep margin >margins.txt\n"
        "  tabia spsa --params margins.txt --db spsa.db --iterations 500 --out new.txt\n"
        "  tabia spsa --params options.txt --engine cmd=./engine,tc=5+0.05 --db own.db --out new.txt\n"
        "  tabia spsa --params scales --weights new.h --db scales.db --weights-out scaled.h",
};

Status cmd_spsa(int argc, char **argv, Error *err)
{
    SpsaOptions o = {0};

    settings_default(options, &o);
    gauntlet_defaults(&o.match.settings);
    search_params_defaults(&o.match.params);
    o.match.settings.games = 60;
    o.match.player.limits.nodes_soft = 2000;
    o.match.player.engine.hash_bytes = SPSA_HASH_BYTES;
    o.common.seed = 1;

    return options_run(&spec, argc, argv, run, &o, err);
}
