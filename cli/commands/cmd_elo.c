/* SPDX-License-Identifier: MIT
 * `tabia elo`: the statistics of a match from its counts. */
#include "cli/commands/command.h"
#include "cli/match/statistics_text.h"
#include "cli/options/value.h"

typedef struct EloOptions {
    CommonOptions common;
    bool wdl, ptnml;
    SprtSettings sprt;
} EloOptions;

/* The positional arguments as counts. */
static Status parse_score(const EloOptions *o, const OptionParser *parser, MatchScore *score,
                          Error *err)
{
    const char *option = o->ptnml ? "ptnml" : "wdl";
    int given, wanted = o->ptnml ? 5 : 3;
    const char **arguments = options_arguments(parser, &given);
    int64_t *counts[] = {&score->wins, &score->draws, &score->losses};

    *score = (MatchScore){0};
    if (!o->wdl && !o->ptnml)
        return error_set(err, STATUS_USAGE, "either --wdl W D L or --ptnml A B C D E is needed");
    if (given != wanted)
        return error_set(err, STATUS_USAGE, "--%s needs %d counts, not %d", option, wanted, given);
    for (int i = 0; i < wanted; i++) {
        int64_t *count = o->ptnml ? &score->ptnml[i] : counts[i];
        if (!value_parse_int(arguments[i], count) || *count < 0 || *count > 1000000000)
            return error_set(err, STATUS_USAGE, "--%s: \"%s\" is not a count", option,
                             arguments[i]);
    }
    return STATUS_OK;
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    const EloOptions *o = command;
    MatchScore score;
    MatchStats stats;

    Status status = parse_score(o, parser, &score, err);
    if (status != STATUS_OK) return status;
    match_stats(&score, &o->sprt, &stats);
    if (o->common.json) {
        JsonWriter w;
        json_begin(&w, stdout);
        match_json(&w, &score, &stats);
        json_finish(&w);
    } else {
        match_print(stdout, &score, &stats, &o->sprt);
    }
    return STATUS_OK;
}

Status cmd_elo(int argc, char **argv, Error *err)
{
    EloOptions o = {0};
    const Option options[] = {
        {"wdl", OPTION_FLAG, &o.wdl, NULL, "three counts follow: wins, draws, losses",
         .not_with = "ptnml"},
        {"ptnml", OPTION_FLAG, &o.ptnml, NULL,
         "five counts of game pairs follow: LL, LD, DD or WL, WD, WW", .not_with = "wdl"},
        {"sprt", OPTION_CUSTOM, &o.sprt, "TEST",
         "sequential test: elo0=X,elo1=Y; also model=normalized|logistic, alpha=, beta=",
         .parse = match_set_sprt},
        {0},
    };
    const OptionSpec spec = {
        .command = "elo",
        .sections = command_names,
        .synopsis = "--wdl W D L | --ptnml A B C D E [--sprt elo0=X,elo1=Y]",
        .description =
            "Elo with its 95 % error, normalised Elo, likelihood of superiority and the\n"
            "log-likelihood ratio of a match, from the first player's counts.",
        .options = options,
        .common = &o.common,
        .takes_arguments = true,
        .epilogue = "Examples:\n"
                    "  tabia elo --wdl 76 123 89\n"
                    "  tabia elo --ptnml 365 16618 36229 16974 390 --sprt elo0=0,elo1=2",
    };

    return options_run(&spec, argc, argv, run, &o, err);
}
