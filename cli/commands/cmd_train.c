/* SPDX-License-Identifier: MIT
 * `tabia train`: trains a small network on positions of games. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands/command.h"
#include "cli/output/fields.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "cli/tune/report.h"
#include "db/chess/stored_weights.h"
#include "db/store/store.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/eval/evaluation_load.h"
#include "engine/eval/evaluation_write.h"
#include "tuner/data/bullet.h"
#include "tuner/data/epd.h"
#include "tuner/data/from_store.h"
#include "tuner/network/train.h"

typedef struct TrainOptions {
    CommonOptions common;
    TextList db;
    const char *epd, *bullet, *out, *from;
    char from_hash[HASH_HEX_MAX];
    TrainSettings settings;
    DatasetFilter filter;
} TrainOptions;

typedef struct TrainReport {
    double games; /* NAN: not known */
    TrainOptions options;
    TrainResult result;
    double load_seconds, train_seconds, rate;
} TrainReport;

static const Field report_fields[] = {
    {"games", FIELD(TrainReport, games), .label = "games", .digits = 12},
    {"positions", FIELD(TrainReport, result.positions), .label = "positions trained on"},
    {"held_out", FIELD(TrainReport, result.split.held_out), .label = "positions held out"},
    {"shared", FIELD(TrainReport, result.split.shared), .label = "  of them also in training"},
    {"hidden", FIELD(TrainReport, options.settings.hidden), .label = "hidden units"},
    {"buckets", FIELD(TrainReport, options.settings.buckets), .label = "output buckets"},
    {"epochs", FIELD(TrainReport, options.settings.epochs), .label = "epochs"},
    {"steps", FIELD(TrainReport, result.steps), .label = "steps"},
    {"k", FIELD(TrainReport, result.k), .label = "K", .decimals = 4, .digits = 17},
    {"train_loss", FIELD(TrainReport, result.train_loss), .label = "loss of the last epoch",
     .decimals = 6, .digits = 17},
    {"validation_loss", FIELD(TrainReport, result.validation_loss),
     .label = "held out, in integers", .decimals = 6, .digits = 17},
    {"load_seconds", FIELD(TrainReport, load_seconds), .label = "seconds of reading",
     .decimals = 1},
    {"train_seconds", FIELD(TrainReport, train_seconds), .label = "seconds of training",
     .decimals = 1},
    {"positions_per_second", FIELD(TrainReport, rate), .label = "positions a second"},
    {"out", FIELD(TrainReport, options.out), .label = "network"},
    {0},
};

static void show(void *context, const TrainProgress *p)
{
    Progress *progress = context;

    progress->total = p->total;
    progress->resumed = p->resumed;
    if (progress_due(progress))
        progress_draw(progress, p->done, "positions", "epoch %d, loss %.6f", p->epoch, p->loss);
}

static Status read_databases(const TrainOptions *o, Dataset **data, Error *err)
{
    Store **stores = calloc((size_t)o->db.count, sizeof *stores);
    Status status = stores ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory");

    for (int i = 0; i < o->db.count && status == STATUS_OK; i++) {
        stores[i] = store_open_watched(o->db.items[i], STORE_READ, cli_interrupted(), err);
        if (!stores[i]) status = err->status;
    }
    if (status == STATUS_OK)
        status =
            dataset_from_stores(stores, o->db.count, &o->filter, o->settings.threads, data, err);
    for (int i = 0; stores && i < o->db.count; i++)
        store_close(stores[i]);
    free(stores);
    return status;
}

static Status read_positions(const TrainOptions *o, Dataset **data, Error *err)
{
    const DatasetFilter *filter = &o->filter;
    if (o->epd) return dataset_from_epd(o->epd, filter, o->settings.threads, data, err);
    if (o->bullet) return dataset_from_bullet(o->bullet, filter, o->settings.threads, data, err);
    return read_databases(o, data, err);
}

/* "games.db" or "a.db, b.db", with the filters. */
static void name_source(const TrainOptions *o, char *out, size_t size)
{
    const char *const file = o->epd ? o->epd : o->bullet;
    const char *const *names = o->db.count ? o->db.items : &file;

    *out = '\0';
    for (int i = 0; i < (o->db.count ? o->db.count : 1); i++)
        text_append(out, size, "%s%s", i > 0 ? ", " : "", text_file_name(names[i]));
    tune_describe_filter(&o->filter, o->db.count > 0, out, size);
}

/* Fewer steps leave a network near the random numbers that it began with. */
enum { STEPS_FEW = 200 };

static void warn(const TrainOptions *o, const TrainResult *result)
{
    char warning[SPLIT_WARNING_MAX];

    if (o->common.quiet) return;
    if (result->steps < STEPS_FEW && !o->from)
        fprintf(
            stderr,
            "warning: %lld steps hardly train a network; a smaller --batch or more --epochs make more\n",
            (long long)result->steps);
    if (o->settings.k <= 0 && !result->k_fitted)
        fprintf(stderr, "warning: K is %g, because no scores predict the results; --k sets it\n",
                result->k);
    if (split_warning(&result->split, SPLIT_SHARED_MAX, warning))
        fprintf(stderr, "warning: %s\n", warning);
}

static void print_report(const TrainOptions *o, const Dataset *data, const TrainReport *report)
{
    char dropped[DROPPED_TEXT_MAX];
    JsonWriter w;

    if (o->common.json) {
        json_begin(&w, stdout);
        fields_json(&w, report_fields, report);
        fields_json_object(&w, "dropped", drop_fields, data->stats.dropped);
        json_finish(&w);
        return;
    }
    fields_list(stdout, report_fields, report);
    dropped_text(data->stats.dropped, dropped);
    if (*dropped) printf("positions left out: %s\n", dropped);
}

static Status train(const TrainOptions *o, const Dataset *data, double load_seconds, Error *err)
{
    Progress progress;
    TrainReport report = {.games = o->bullet ? NAN : (double)data->games,
                          .options = *o,
                          .load_seconds = load_seconds};
    TrainResult *result = &report.result;
    double started = clock_seconds();
    char source[512];

    progress_start(&progress, 1, 0, o->common.quiet);
    Status status =
        train_network(data, &o->settings, show, &progress, cli_interrupted(), result, err);
    progress_end(&progress);
    report.train_seconds = clock_seconds() - started;
    report.rate =
        (double)result->positions * (o->settings.epochs - result->resumed) / report.train_seconds;
    if (status == STATUS_OK) {
        name_source(o, source, sizeof source);
        train_provenance(data, source, &o->settings, result);
        status = network_save(o->out, result->network, err);
    }
    if (status == STATUS_OK) {
        if (o->settings.checkpoint) (void)unlink(o->settings.checkpoint);
        print_report(o, data, &report);
        warn(o, result);
    }
    train_result_free(result);
    return status;
}

/* Sizes that are not given are the network's. It stays as long as the process. */
static Status load_start(TrainOptions *o, const OptionParser *parser, Error *err)
{
    TrainSettings *s = &o->settings;
    Evaluation start;

    if (!o->from) return STATUS_OK;
    Status status = evaluation_load(o->from, &start, NULL, err);
    if (status != STATUS_OK) return status;
    const Network *n = evaluation_network(&start);
    if (!n) return error_set(err, STATUS_BAD_INPUT, "%s is not a network", o->from);
    s->from = n;
    s->from_hash = o->from_hash;
    if (!options_given(parser, "hidden")) s->hidden = n->hidden;
    if (!options_given(parser, "buckets")) s->buckets = n->buckets;
    if (!options_given(parser, "king-buckets") && !train_set_kings(s, &n->kings))
        return error_set(err, STATUS_BAD_INPUT, "%s: has king buckets of another table", o->from);
    if (!options_given(parser, "activation")) s->squared = n->squared;
    return stored_weights_hash(&start, o->from_hash, err);
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    TrainOptions *o = command;
    Dataset *data = NULL;

    o->settings.seed = o->common.seed;
    o->settings.threads = options_threads(&o->common);
    train_filter(&o->settings, &o->filter);
    if (o->db.count == 0 && !o->epd && !o->bullet)
        return error_set(err, STATUS_USAGE, "--db FILE, --epd FILE or --bullet FILE is needed");
    const char *const inputs[] = {o->epd, o->bullet, o->from}; /* a database is never replaced */
    const char *const outputs[] = {o->out, o->settings.checkpoint, NULL};
    Status status = inputs_check(o->db.items, o->db.count, err);
    if (status == STATUS_OK) status = outputs_check(outputs, inputs, 3, err);
    if (status == STATUS_OK) status = output_needs_file(o->out, "out", err);
    if (status == STATUS_OK && text_ends_in(o->out, ".h"))
        status =
            error_set(err, STATUS_USAGE,
                      "--out %s: a training writes a network; tabia tune makes headers", o->out);
    if (status == STATUS_OK) status = output_check_plain(o->out, err);
    if (status == STATUS_OK) status = output_needs_file(o->settings.checkpoint, "checkpoint", err);
    if (status == STATUS_OK) status = load_start(o, parser, err);
    if (status != STATUS_OK) return status;
    double started = clock_seconds();
    status = read_positions(o, &data, err);
    if (status == STATUS_OK && !o->common.quiet)
        tune_report_unscored(data, &o->filter, o->settings.lambda);
    if (status == STATUS_OK) {
        if (o->epd) cli_print_faults(o->epd, "lines left out", &data->left_out);
        status = train(o, data, clock_seconds() - started, err);
    }
    dataset_destroy(data);
    return status;
}

static const Setting options[] = {
    SETTING_HEADING("The run"),
    {"db", FIELD(TrainOptions, db), "FILE", "database of games; may be given several times",
     .not_with = "epd bullet", .first = true},
    {"epd", FIELD(TrainOptions, epd), "FILE", "labelled positions, as of tabia tune",
     .not_with = "db bullet"},
    {"bullet", FIELD(TrainOptions, bullet), "FILE",
     "positions in bulletformat. "
     "They do not tell their games: held-out ones have neighbours in training",
     .not_with = "db epd"},
    {"out", FIELD(TrainOptions, out), "FILE.net", "network to write", .required = true},
    {"from", FIELD(TrainOptions, from), "W",
     "network whose weights the training begins with, instead of random numbers; more --hidden units, and more --buckets than one, may be added",
     .words = "network"},
    {FIELD(TrainOptions, settings), .rows = train_settings},
    {FIELD(TrainOptions, filter), .rows = dataset_filter_settings},
    {FIELD(TrainOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "train",
    .synopsis = "--db FILE... | --epd FILE | --bullet FILE --out FILE.net [options]",
    .description =
        "Trains a small network, (768 -> N) x 2 -> 1, on positions of games. The engine takes it wherever\n"
        "it takes weights (--weights, weights=, EvalFile). Its file is that of bullet's examples behind a\n"
        "header. The same network with any number of threads.",
    .settings = options,
    .epilogue =
        "Examples:\n"
        "  tabia train --db games.db --out first.net\n"
        "  tabia gauntlet --engine weights=first.net,nodes=5000 --engine weights=builtin,nodes=5000",
};

Status cmd_train(int argc, char **argv, Error *err)
{
    TrainOptions o = {0};

    train_defaults(&o.settings);
    dataset_filter_defaults(&o.filter);
    o.common.seed = o.settings.seed;
    return options_run(&spec, argc, argv, run, &o, err);
}
