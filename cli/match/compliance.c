/* SPDX-License-Identifier: MIT
 * Verdicts on the steps of the UCI protocol, as lines and as JSON. */
#include "cli/match/compliance.h"

#include <popt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/output/process.h"
#include "cli/output/terminal.h"
#include "cli/play/player_spec.h"
#include "engine/base/json.h"
#include "engine/base/text.h"
#include "selfplay/players/compliance.h"

typedef struct Verdicts {
    const char *engine;
    bool json;
    JsonWriter w;
    int counts[3]; /* by Verdict */
} Verdicts;

static const char *const verdict_names[] = {"passed", "failed", "skipped"};

static void take_step(void *context, const ComplianceStep *step)
{
    static const Colour colours[] = {COLOUR_GREEN, COLOUR_RED, COLOUR_NONE};
    Verdicts *v = context;

    if (v->json && step->number == 1) {
        json_begin(&v->w, stdout);
        json_string(&v->w, "engine", v->engine);
        json_array(&v->w, "steps");
    }
    v->counts[step->verdict]++;
    if (v->json) {
        json_object(&v->w, NULL);
        json_int(&v->w, "step", step->number);
        json_string(&v->w, "name", step->name);
        json_string(&v->w, "verdict", verdict_names[step->verdict]);
        json_string(&v->w, "note", *step->note ? step->note : NULL);
        json_end_object(&v->w);
        return;
    }
    printf("%3d  ", step->number);
    terminal_put(stdout, colours[step->verdict], verdict_names[step->verdict]);
    printf("%s %s%s%s\n", step->verdict == VERDICT_SKIPPED ? "" : " ", step->name,
           *step->note ? ": " : "", step->note);
    (void)fflush(stdout);
}

static Status try_steps(const PlayerSpec *spec, Verdicts *v, Error *err)
{
    Status status = compliance_run(&spec->uci, take_step, v, err);
    if (status != STATUS_OK) return status;
    int passed = v->counts[VERDICT_PASSED], failed = v->counts[VERDICT_FAILED];
    if (v->json) {
        json_end_array(&v->w);
        json_int(&v->w, "passed", passed);
        json_int(&v->w, "failed", failed);
        json_int(&v->w, "skipped", v->counts[VERDICT_SKIPPED]);
        json_finish(&v->w);
    } else {
        printf("%s: %d steps passed, %d failed, %d skipped\n", spec->name, passed, failed,
               v->counts[VERDICT_SKIPPED]);
    }
    if (fflush(stdout) != 0)
        return error_set(err, STATUS_FAILED, "standard output cannot be written");
    return failed > 0 ? error_set(err, STATUS_FAILED, "%s fails %d of %d steps", spec->name, failed,
                                  passed + failed)
                      : STATUS_OK;
}

Status compliance_command(const char *command, const char *log_dir, bool json, Error *err)
{
    const PlayerDefaults defaults = {.log_dir = log_dir, .cancelled = cli_interrupted()};
    PlayerSpec spec = {0};
    const char **words = NULL;
    int count = 0;

    if (poptParseArgvString(command, &count, &words) != 0 || count == 0)
        return error_set(err, STATUS_USAGE, "--compliance \"%s\": the program is missing", command);
    Status status =
        player_spec_of_program(&spec, words[0], text_file_name(words[0]), &defaults, err);
    spec.uci.command.args = words + 1;
    if (status == STATUS_OK) status = player_spec_open(&spec, err);
    if (status == STATUS_OK)
        status = try_steps(&spec, &(Verdicts){.engine = spec.name, .json = json}, err);
    player_spec_free(&spec);
    free(words);
    return status;
}
