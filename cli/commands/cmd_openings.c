/* SPDX-License-Identifier: MIT
 * `tabia openings`: a book of random balanced openings without repetitions. */
#include <stdio.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "cli/play/play_options.h"
#include "engine/base/clock.h"
#include "engine/base/json.h"
#include "engine/eval/evaluation_load.h"
#include "engine/notation/epd.h"
#include "selfplay/openings/maker.h"

typedef struct OpeningsOptions {
    CommonOptions common;
    OpeningOptions base;
    BaseOptions start;
    const char *out, *weights;
    OpeningSettings opening;
    int count;
} OpeningsOptions;

static void show_progress(void *context, int done)
{
    Progress *p = context;
    if (progress_due(p)) progress_draw(p, done, "openings", "%s", "");
}

static Status write_book(const char *path, const OpeningBook *book, Error *err)
{
    OutputFile *out = output_open(path, err);
    Status status = out ? STATUS_OK : err->status;
    char line[EPD_MAX];

    for (int i = 0; status == STATUS_OK && i < book->count; i++) {
        epd_from_fen(book->fens[i], line);
        (void)fprintf(output_stream(out), "%s\n", line);
        status = output_flush(out, err);
    }
    if (status == STATUS_OK) return output_commit(out, err);
    output_discard(out);
    return status;
}

static void print_json(const OpeningBook *book, double seconds)
{
    JsonWriter w;

    json_begin(&w, stdout);
    json_int(&w, "openings", book->count);
    json_double(&w, "seconds", seconds, 6);
    json_finish(&w);
}

static Status make(const OpeningsOptions *o, OpeningBookRequest *order, Error *err)
{
    const double started = clock_seconds();
    OpeningBook book = {0};
    Progress progress;

    progress_start(&progress, o->count, 0, o->common.quiet);
    order->progress = show_progress;
    order->context = &progress;
    Status status = opening_book_make(order, &book, err);
    progress_end(&progress);
    if (status == STATUS_OK) status = write_book(o->out, &book, err);
    if (status == STATUS_OK && o->common.json && strcmp(o->out, "-") != 0)
        print_json(&book, clock_seconds() - started);
    opening_book_free(&book);
    return status;
}

/* Would --openings take a file of this name for another format? */
static bool is_read_otherwise(const char *path)
{
    static const char *const endings[] = {".pgn", ".pgn.zst", ".bin", ".bin.zst"};
    bool found = false;

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(path), ending = strlen(endings[i]);
        found |= length >= ending && strcmp(path + length - ending, endings[i]) == 0;
    }
    return found;
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    const OpeningsOptions *o = command;
    OpeningBookRequest order = {.opening = o->opening,
                                .seed = o->common.seed,
                                .count = o->count,
                                .threads = options_threads(&o->common),
                                .interrupted = cli_interrupted()};
    Evaluation weights;
    WeightsInfo info;
    OpeningBook base;

    Status status = opening_settings_check(&o->opening, parser, err);
    if (status != STATUS_OK) return status;
    order.weights = &weights;
    order.opening.base = base_options_base(&o->start);
    status = evaluation_load(o->weights, &weights, &info, err);
    if (status == STATUS_OK && is_read_otherwise(o->out))
        status = error_set(
            err, STATUS_USAGE,
            "--out %s: openings are written as EPD; a file of this name would be read otherwise",
            o->out);
    const char *const outputs[] = {o->out, NULL}, *const inputs[] = {o->base.file, o->weights};
    if (status == STATUS_OK) status = outputs_check(outputs, inputs, 2, err);
    if (status == STATUS_OK) status = opening_options_load(&o->base, o->common.seed, &base, err);
    if (status != STATUS_OK) return status;
    if (base.count > 0) order.base = &base;
    status = make(o, &order, err);
    opening_book_free(&base);
    return status;
}

static const Setting options[] = {
    {"out", FIELD(OpeningsOptions, out), "FILE",
     "EPD file to write, compressed when its name ends in .zst; -: standard output",
     .required = true},
    {"count", FIELD(OpeningsOptions, count), "N", "number of openings", 1, OPENING_BOOK_MAX,
     .preset = 10000},
    {"weights", FIELD(OpeningsOptions, weights), "W",
     "weights of the search that rejects lopsided openings", .words = EVALUATION_NAMES,
     .preset_text = "builtin"},
    {FIELD(OpeningsOptions, start), .rows = base_settings},
    {"random-plies", FIELD(OpeningsOptions, opening.random_plies), "N",
     "random moves after the start position, one more in half of the openings; 0: none, and no search",
     0, OPENING_PLIES_MAX},
    {FIELD(OpeningsOptions, opening), .rows = opening_settings,
     .names = "verify-nodes opening-max-score"},
    {FIELD(OpeningsOptions, base), .rows = opening_option_settings},
    {FIELD(OpeningsOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "openings",
    .synopsis = "--out FILE --count N [options]",
    .description =
        "Makes a book of random openings that a search finds balanced, on all processors. No position\n"
        "occurs twice. The book depends only on seed and options. Machines that play different\n"
        "games of one book (tabia selfplay --openings FILE) share no opening.",
    .settings = options,
    .epilogue =
        "Examples:\n"
        "  tabia openings --out book.epd.zst --count 100k\n"
        "  tabia openings --out deeper.epd --count 1000 --openings book.epd.zst --random-plies 2",
};

Status cmd_openings(int argc, char **argv, Error *err)
{
    OpeningsOptions o = {0};

    settings_default(options, &o);
    settings_default(opening_settings, &o.opening);
    o.common.seed = 1;

    return options_run(&spec, argc, argv, run, &o, err);
}
