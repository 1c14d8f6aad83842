/* SPDX-License-Identifier: MIT
 * The keys of --filter. */
#include "cli/tune/position_filter.h"

#include <string.h>

#include "cli/options/pairs.h"

Status position_filter_parse(const char *text, DatasetFilter *f, Error *err)
{
    Option keys[] = {
        {"min-ply", OPTION_INT, &f->min_ply, .maximum = 10000},
        {"max-ply", OPTION_INT, &f->max_ply, .maximum = 10000},
        {"max-score", OPTION_INT, &f->max_score, .maximum = VALUE_MATE},
        {"min-phase", OPTION_INT, &f->min_phase, .maximum = EVAL_PHASE_MAX},
        {"max-phase", OPTION_INT, &f->max_phase, .maximum = EVAL_PHASE_MAX},
        {"checks", OPTION_FLAG, &f->keep_checks},
        {"noisy", OPTION_FLAG, &f->keep_noisy},
        {"unscored", OPTION_FLAG, &f->keep_unscored},
        {"drawn", OPTION_CLEAR, &f->drop_drawn},
        {"quiet", OPTION_FLAG, &f->require_quiet},
        {0},
    };

    dataset_filter_defaults(f);
    if (strcmp(text, "tune") == 0) return STATUS_OK;
    Status status = options_parse_pairs(text, options_set_pair, keys, err);
    return status == STATUS_OK ? status : error_prefix(err, "--filter");
}

bool position_filter_takes(const void *filter, const GameRecord *game, int ply, const Position *pos)
{
    const DatasetFilter *f = filter;
    int phase = pos->phase < EVAL_PHASE_MAX ? pos->phase : EVAL_PHASE_MAX;

    return dataset_filter_drops(f, game, ply, pos) == DROP_NONE && phase >= f->min_phase &&
           phase <= f->max_phase;
}
