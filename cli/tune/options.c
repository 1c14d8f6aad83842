/* SPDX-License-Identifier: MIT
 * The options of `tabia tune`: the table, and what must fit together. */
#include "cli/tune/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/value.h"
#include "tuner/data/scratch.h"

static const char description[] =
    "Fits weights to the outcomes of positions: the squared error of 1 / (1 + exp(-K cp / 400))\n"
    "is minimised, a part of the games being held out, and a header that compiles into the engine\n"
    "is written. What is printed says how good the fit is and how well it knows each weight.";

static const char epilogue[] =
    "Weights W: builtin, zero, material, or a header file.\n"
    "\n"
    "Examples:\n"
    "  tabia tune --db games.db --start zero --out new.h\n"
    "  tabia tune --epd positions.epd.zst --out new.h --folds 5 --prior auto\n"
    "  tabia tune --db games.db --out new.h --freeze 'KING_PST,MATERIAL'\n"
    "  tabia tune --features other.features --out other.weights --folds 5\n"
    "  tabia tune --score-only --weights material --epd positions.epd.zst --json";

/* "3-7" or "5": whole numbers from `least` to `most`, the second not below the first. */
static bool parse_range(const char *text, int64_t least, int64_t most, int64_t *first,
                        int64_t *last)
{
    char number[24];
    size_t length = strcspn(text, "-");

    if (length >= sizeof number) return false;
    (void)snprintf(number, sizeof number, "%.*s", (int)length, text);
    if (!value_parse_int(number, first)) return false;
    *last = *first;
    if (text[length] && !value_parse_int(text + length + 1, last)) return false;
    return *first >= least && *last >= *first && *last <= most;
}

/* --runs, which are counted from 1. */
static Status parse_runs(const char *text, DatasetFilter *filter, Error *err)
{
    if (text && !parse_range(text, 1, INT64_MAX, &filter->first_run, &filter->last_run))
        return error_set(err, STATUS_USAGE, "--runs wants A-B, not \"%s\"", text);
    return STATUS_OK;
}

Status tune_options_generations(const char *text, int *first, int *last, Error *err)
{
    int64_t from = -1, to = -1;

    if (text && !parse_range(text, 0, INT_MAX, &from, &to))
        return error_set(err, STATUS_USAGE, "--generations wants A-B, not \"%s\"", text);
    *first = (int)from;
    *last = (int)to;
    return STATUS_OK;
}

Status tune_options_prior(const char *text, TuneSettings *settings, Error *err)
{
    char *end;

    if (!text) return STATUS_OK;
    settings->fit.prior_auto = strcmp(text, "auto") == 0;
    if (settings->fit.prior_auto) return STATUS_OK;
    settings->fit.prior = strtod(text, &end);
    if (end == text || *end != '\0' || !(settings->fit.prior >= 0 && settings->fit.prior <= 1e12))
        return error_set(err, STATUS_USAGE, "--prior wants auto or a number from 0, not \"%s\"",
                         text);
    return STATUS_OK;
}

/* ---- Words */

/* The number of `text` among the words, which are separated by '|'. */
static Status choose(const char *option, const char *text, const char *words, int *choice,
                     Error *err)
{
    int number = 0;

    for (const char *at = words; *at; at += *at == '|', number++) {
        size_t length = strcspn(at, "|");
        if (strlen(text) == length && memcmp(at, text, length) == 0) {
            *choice = number;
            return STATUS_OK;
        }
        at += length;
    }
    return error_set(err, STATUS_USAGE, "--%s wants %s, not \"%s\"", option, words, text);
}

static Status apply_words(TuneOptions *o, Error *err)
{
    TuneSettings *t = &o->tune;
    int toward = 0, loss = 0, method = 0, duplicates = 0, mirror = 0, order;

    Status status = choose("prior-toward", o->prior_toward, "start|zero", &toward, err);
    if (status == STATUS_OK)
        status = choose("loss", o->loss, "mse|cross-entropy|noise-floor", &loss, err);
    if (status == STATUS_OK)
        status = choose("optimiser", o->optimiser, "newton|lbfgs|adam", &method, err);
    if (status == STATUS_OK)
        status = choose("duplicates", o->duplicates, "keep|mean|first", &duplicates, err);
    if (status == STATUS_OK) status = choose("emit-order", o->emit_order, "a8|a1", &order, err);
    if (status == STATUS_OK) status = choose("mirror", o->mirror, "free|tied", &mirror, err);
    if (status != STATUS_OK) return status;
    t->fit.prior_zero = toward == 1;
    t->fit.loss.kind = (LossKind)loss;
    t->fit.method = (OptimiserMethod)method;
    t->fit.duplicates = (Duplicates)duplicates;
    t->mirror = mirror == 1;
    return STATUS_OK;
}

/* First-order steps are short and many. */
enum { ADAM_ITERATIONS = 10000, ADAM_PATIENCE = 500 };

static void apply_method(TuneOptions *o, const OptionParser *parser)
{
    if (o->tune.fit.method == OPTIMISER_NEWTON) return;
    if (!options_given(parser, "iterations")) o->tune.fit.max_iterations = ADAM_ITERATIONS;
    if (!options_given(parser, "patience")) o->tune.fit.patience = ADAM_PATIENCE;
}

static Status apply(TuneOptions *o, const OptionParser *parser, Error *err)
{
    Status status = apply_words(o, err);

    if (status == STATUS_OK) status = tune_options_prior(o->prior, &o->tune, err);
    if (status == STATUS_OK) status = parse_runs(o->runs, &o->filter, err);
    if (status == STATUS_OK) status = eval_families_parse(o->terms, &o->tune.terms, err);
    if (status != STATUS_OK) return status;
    o->filter.min_ply = (int)o->min_ply;
    o->filter.max_ply = (int)o->max_ply;
    o->filter.max_score = (int)o->max_score;
    o->filter.min_phase = (int)o->min_phase;
    o->filter.max_phase = (int)o->max_phase;
    o->tune.fit.folds = (int)o->folds;
    o->tune.fit.max_iterations = (int)o->iterations;
    o->tune.fit.patience = (int)o->patience;
    o->tune.fit.seed = o->common.seed;
    o->tune.fit.threads = options_threads(&o->common);
    apply_method(o, parser);
    return STATUS_OK;
}

/* A file of positions holds what its maker chose; what has to do with chess has nothing to do with
 * features. */
static const OptionRivals rivals[] = {
    {"db", {"epd", "features"}},
    {"epd",
     {"db", "features", "generations", "window", "runs", "decay", "min-ply", "max-ply", "max-score",
      "keep-checks", "keep-unscored", "keep-noisy", "require-quiet"}},
    {"features",
     {"db",      "epd",        "score-only",    "weights",   "start",      "generations",
      "window",  "runs",       "min-ply",       "max-ply",   "max-score",  "keep-checks",
      "resolve", "keep-noisy", "min-phase",     "max-phase", "drop-drawn", "require-quiet",
      "diff",    "emit",       "keep-unscored", "mirror",    "decay",      "errors",
      "terms",   "emit-order"}},
    {"score-only", {"out"}},
    {"generations", {"window"}},
    {"window", {"generations"}},
    {0},
};

static Status refuse_rivals(const OptionParser *parser, const char *name, Error *err)
{
    const OptionRivals *r = rivals;

    while (strcmp(r->name, name) != 0)
        r++;
    for (int i = 0; r->others[i]; i++)
        if (options_given(parser, r->others[i]))
            return error_set(err, STATUS_USAGE, "--%s does not go with --%s", r->others[i], name);
    return STATUS_OK;
}

static Status check(const TuneOptions *o, const OptionParser *parser, Error *err)
{
    int first, last;

    if ((o->db != NULL) + (o->epd != NULL) + (o->features != NULL) != 1)
        return error_set(err, STATUS_USAGE,
                         "one of --db FILE, --epd FILE and --features FILE is needed");
    if (o->filter.scratch) {
        Status status = scratch_check(o->filter.scratch, err);
        if (status != STATUS_OK) return status;
    }
    if (o->tune.freeze && !*o->tune.freeze)
        return error_set(err, STATUS_USAGE, "--freeze names no term");
    if (o->folds == 1)
        return error_set(err, STATUS_USAGE, "--folds wants at least 2 folds, or 0 for none");
    if (o->tune.fit.prior_auto && o->folds == 0 && o->tune.fit.validation <= 0)
        return error_set(err, STATUS_USAGE, "--prior auto needs --folds or a --validation part");
    if (o->features) {
        Status status = refuse_rivals(parser, "features", err);
        return status == STATUS_OK ? options_require(parser, "out", err) : status;
    }
    if (o->score_only && o->out)
        return error_set(err, STATUS_USAGE, "--score-only writes nothing: leave --out away");
    if (!o->score_only && !o->out) return options_require(parser, "out", err);
    if (!o->score_only && options_given(parser, "weights"))
        return error_set(err, STATUS_USAGE, "--weights belongs to --score-only; a fit has --start");
    if (o->epd) {
        Status status = refuse_rivals(parser, "epd", err);
        if (status != STATUS_OK) return status;
    }
    if (o->min_phase > o->max_phase)
        return error_set(err, STATUS_USAGE, "--min-phase is beyond --max-phase");
    if (o->generations && o->window > 0)
        return error_set(err, STATUS_USAGE, "either --generations or --window");
    return tune_options_generations(o->generations, &first, &last, err);
}

/* Finds out before the work whether a product can be written; path may be NULL. */
static Status check_out(const char *option, const char *path, Error *err)
{
    char folder[4096] = ".";
    const char *slash = path ? strrchr(path, '/') : NULL;
    struct stat there;

    if (!path) return STATUS_OK;
    bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode))
        return error_set(err, STATUS_FAILED, "%s: cannot be written: it is a folder", path);
    if (exists && !S_ISREG(there.st_mode)) return STATUS_OK; /* new_file.h */
    if (slash && (size_t)(slash - path) >= sizeof folder)
        return error_set(err, STATUS_USAGE, "--%s: the path is too long", option);
    if (slash) {
        size_t length = slash == path ? 1 : (size_t)(slash - path);
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    if (access(folder, W_OK) != 0)
        return error_set(err, STATUS_FAILED, "%s: cannot be written: no writable folder %s", path,
                         folder);
    return STATUS_OK;
}

static Status check_outputs(const TuneOptions *o, Error *err)
{
    Status status = check_out("out", o->out, err);
    if (status == STATUS_OK) status = check_out("emit", o->emit, err);
    if (status == STATUS_OK) status = check_out("checkpoint", o->tune.checkpoint, err);
    return status;
}

Status tune_options_parse(TuneOptions *o, const char *const *sections, int argc, char **argv,
                          OptionParser **parser, bool *done, Error *err)
{
    *o = (TuneOptions){.start = "builtin",
                       .weights = "builtin",
                       .prior_toward = "start",
                       .loss = "mse",
                       .optimiser = "newton",
                       .duplicates = "keep",
                       .emit_order = "a8",
                       .mirror = "free",
                       .terms = "material-pst"};
    dataset_filter_defaults(&o->filter);
    tune_defaults(&o->tune);
    o->tune.diagnostics = true;
    o->tune.fit.loss.floor = 0.02;
    o->common.seed = o->tune.fit.seed;
    o->min_ply = o->filter.min_ply;
    o->max_ply = o->filter.max_ply;
    o->max_score = o->filter.max_score;
    o->max_phase = o->filter.max_phase;
    o->iterations = o->tune.fit.max_iterations;
    o->patience = o->tune.fit.patience;
    const Option options[] = {
        {"db", OPTION_STRING, &o->db, "FILE", "games of this database", 0, 0},
        {"epd", OPTION_STRING, &o->epd, "FILE",
         "positions labelled c9 \"1-0\", [1.0], c2 \"1-0\", or by a result at the end of the line; "
         "id \"...\" names the game; plain or .zst",
         0, 0},
        {"features", OPTION_STRING, &o->features, "FILE",
         "features of any evaluation, \"label i:v i:v ...\": docs/foreign-features.md", 0, 0},
        {"out", OPTION_STRING, &o->out, "FILE.h",
         "the weights header to write (with --features: the list of weights)", 0, 0},
        {"start", OPTION_STRING, &o->start, "W", "weights to start from", 0, 0},
        {"diff", OPTION_FLAG, &o->diff, NULL,
         "print what the fit changed in the start weights, with standard errors", 0, 0},
        {"emit", OPTION_STRING, &o->emit, "FILE", "write the weights as arrays of C too", 0, 0},
        {"emit-order", OPTION_STRING, &o->emit_order, "SQUARE",
         "its tables begin with a8 (rank 8 first) or a1 (rank 1 first)", 0, 0},
        {"score-only", OPTION_FLAG, &o->score_only, NULL, "fit K alone and measure --weights", 0,
         0},
        {"weights", OPTION_STRING, &o->weights, "W", "weights that --score-only measures", 0, 0},
        {"lambda", OPTION_DOUBLE, &o->tune.fit.lambda, "X",
         "part of the game's result in the target; the rest is the search score", 0, 1},
        {"loss", OPTION_STRING, &o->loss, "FORM",
         "mse, cross-entropy, or noise-floor: mse of a sigmoid between --noise-floor and 1 less it",
         0, 0},
        {"noise-floor", OPTION_DOUBLE, &o->tune.fit.loss.floor, "X", "see --loss", 0, 0.49},
        {"k", OPTION_DOUBLE, &o->tune.fit.k, "X", "K of the sigmoid; 0: fitted", 0, 1000},
        {"army", OPTION_DOUBLE, &o->tune.start_material, "CP",
         "scale: what the start position's army is worth; 0: keep the start's centipawns", 0,
         10000},
        {"prior", OPTION_STRING, &o->prior, "N",
         "pull toward the start weights, in positions per weight (20 unless given); auto: the one "
         "that predicts held-out games best",
         0, 0},
        {"prior-toward", OPTION_STRING, &o->prior_toward, "W", "what it pulls toward: start, zero",
         0, 0},
        {"terms", OPTION_STRING, &o->terms, "SET",
         "families of terms that are fitted: material-pst, classical (all of them), or a list as "
         "in "
         "docs/eval-terms.md",
         0, 0},
        {"freeze", OPTION_STRING, &o->tune.freeze, "GLOBS",
         "terms that stay as they are: 'KING_PST,PAWN_PST.?2', or MATERIAL", 0, 0},
        {"mirror", OPTION_STRING, &o->mirror, "HOW",
         "free, or tied: squares that mirror each other share a weight", 0, 0},
        {"validation", OPTION_DOUBLE, &o->tune.fit.validation, "X", "part of the games held out", 0,
         0.5},
        {"folds", OPTION_INT, &o->folds, "K",
         "instead, cross-validate over K folds of the games and then fit to all of them", 0,
         FIT_FOLDS_MAX},
        {"duplicates", OPTION_STRING, &o->duplicates, "HOW",
         "positions that look the same to the evaluation: keep, mean (one with their mean target) "
         "or first",
         0, 0},
        {"draw-weight", OPTION_DOUBLE, &o->tune.fit.draw_weight, "X",
         "weight of drawn games' positions, decided ones' being 1", 0, 1},
        {"decay", OPTION_DOUBLE, &o->tune.fit.decay, "X",
         "weight of a generation, the next one's being 1", 0.001, 1},
        {"optimiser", OPTION_STRING, &o->optimiser, "NAME",
         "newton; lbfgs and adam are first-order cross-checks", 0, 0},
        {"iterations", OPTION_INT, &o->iterations, "N", "stop after so many", 1, 1e6},
        {"patience", OPTION_INT, &o->patience, "N",
         "stop after so many iterations without a better held-out loss; 0: never", 0, 1e6},
        {"checkpoint", OPTION_STRING, &o->tune.checkpoint, "FILE",
         "keep where a long fit stands, and go on from there", 0, 0},
        {"scratch", OPTION_STRING, &o->filter.scratch, "DIR",
         "keep positions in files there, not in memory: for sets greater than that", 0, 0},
        {"errors", OPTION_FLAG, &o->tune.diagnostics, NULL,
         "work out standard errors, calibration and warnings; --no-errors: the fit alone", 0, 0},
        {"generations", OPTION_STRING, &o->generations, "A-B", "only these generations of --db", 0,
         0},
        {"window", OPTION_INT, &o->window, "N", "only the last N generations of --db", 0, 1e6},
        {"runs", OPTION_STRING, &o->runs, "A-B", "only runs with these numbers of --db", 0, 0},
        {"min-phase", OPTION_INT, &o->min_phase, "N",
         "leave out positions with fewer pieces: 24 at the start, 0 without any", 0,
         EVAL_PHASE_MAX},
        {"max-phase", OPTION_INT, &o->max_phase, "N", "leave out positions with more", 0,
         EVAL_PHASE_MAX},
        {"resolve", OPTION_FLAG, &o->resolve, NULL,
         "take each position's quiescent leaf by the start weights in its place", 0, 0},
        {"min-ply", OPTION_INT, &o->min_ply, "N", "first ply of a stored game that is taken", 0,
         1e4},
        {"max-ply", OPTION_INT, &o->max_ply, "N", "last ply of a stored game; 0: no end", 0, 1e4},
        {"max-score", OPTION_INT, &o->max_score, "CP",
         "leave out positions scored beyond; 0: keep all but mates", 0, 32000},
        {"keep-checks", OPTION_FLAG, &o->filter.keep_checks, NULL, "take positions in check", 0, 0},
        {"keep-noisy", OPTION_FLAG, &o->filter.keep_noisy, NULL,
         "take positions where a capture or promotion was played", 0, 0},
        {"keep-unscored", OPTION_FLAG, &o->filter.keep_unscored, NULL,
         "take positions without a search score", 0, 0},
        {"drop-drawn", OPTION_FLAG, &o->filter.drop_drawn, NULL, "leave out drawn games", 0, 0},
        {"require-quiet", OPTION_FLAG, &o->filter.require_quiet, NULL,
         "leave out positions where a capture wins material", 0, 0},
        {NULL, OPTION_END, NULL, NULL, NULL, 0, 0},
    };
    const OptionSpec spec = {
        .command = "tune",
        .sections = sections,
        .synopsis =
            "--db FILE | --epd FILE | --features FILE  --out FILE | --score-only  [options]",
        .description = description,
        .options = options,
        .rivals = rivals,
        .common = &o->common,
        .epilogue = epilogue,
    };

    Status status = options_parse(&spec, argc, argv, parser, NULL, done, err);
    if (status != STATUS_OK || *done) return status;
    status = apply(o, *parser, err);
    if (status == STATUS_OK) status = check(o, *parser, err);
    return status == STATUS_OK ? check_outputs(o, err) : status;
}
