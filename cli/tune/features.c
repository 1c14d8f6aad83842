/* SPDX-License-Identifier: MIT
 * Fits the weights of another evaluation and writes them as text, one line a column
 * (docs/foreign-features.md). */
#include "cli/tune/features.h"

#include <string.h>
#include <unistd.h>

#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/output/progress.h"
#include "cli/tune/report.h"
#include "cli/tune/weights_text.h"
#include "engine/base/clock.h"
#include "tuner/data/foreign.h"
#include "tuner/report/diagnostics.h"

static Status write_weights(const TuneOptions *o, const TuneReport *report, Error *err)
{
    const Diagnostics *d = report->result->diagnostics;
    char comment[TUNE_COMMENT_MAX];
    int columns = d->space->columns;
    OutputFile *file = output_open(o->out, err);

    if (!file) return err->status;
    FILE *out = output_stream(file);
    tune_provenance(report->data, report->source, report->start, NULL, report->settings,
                    report->result, comment);
    weights_print_comment(out, "# ", comment);
    fputs("# column name mg eg mg_error eg_error mg_told eg_told games\n", out);
    for (int c = 0; c < columns; c++)
        fprintf(out, "%d %s %.4f %.4f %.3f %.3f %.3f %.3f %lld\n", c, d->space->name[c],
                d->value[c], d->value[columns + c], diagnostics_error(d, c),
                diagnostics_error(d, columns + c), d->errors->resolution[c],
                d->errors->resolution[columns + c], (long long)d->errors->games[c]);
    return output_commit(file, err);
}

/* Takes set->space. */
static Status fit(const TuneOptions *o, ForeignSet *set, TuneReport *report, Error *err)
{
    Progress progress;
    const FitHooks hooks = {
        .interrupted = cli_interrupted(), .progress = tune_report_progress, .context = &progress};
    TuneResult result;
    Space *space = set->space;
    double started = clock_seconds();

    set->space = NULL;
    progress_start(&progress, 0, 0, o->common.quiet);
    Status status = tune_fit_columns(set->data, space, set->start, &o->tune, &hooks, &result, err);
    progress_end(&progress);
    report->fit_seconds = clock_seconds() - started;
    report->result = &result;
    if (status == STATUS_OK) status = write_weights(o, report, err);
    if (status == STATUS_OK && o->tune.checkpoint) (void)unlink(o->tune.checkpoint);
    if (status == STATUS_OK) tune_report_print(report, false, o->common.json);
    tune_result_free(&result);
    return status;
}

Status tune_features(const TuneOptions *o, Error *err)
{
    const char *slash = strrchr(o->features, '/');
    ForeignSet set = {0};
    double started = clock_seconds();

    Status status = foreign_read(o->features, o->filter.scratch, o->tune.fit.threads, &set, err);
    if (status == STATUS_OK) {
        TuneReport report = {.source = slash ? slash + 1 : o->features,
                             .start = "the file's start",
                             .out = o->out,
                             .data = set.data,
                             .settings = &o->tune,
                             .load_seconds = clock_seconds() - started};
        status = fit(o, &set, &report, err);
    }
    foreign_free(&set);
    return status;
}
