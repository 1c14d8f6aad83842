/* SPDX-License-Identifier: MIT
 * Choosing positions for export. */
#include "cli/tune/position_filter.h"

#include <string.h>

#include "cli/options/options.h"
#include "cli/options/value.h"

static Status set_number(const char *key, const char *value, int limit, int *target, Error *err)
{
    int64_t number;

    if (!value_parse_int(value, &number) || number < 0 || number > limit)
        return error_set(err, STATUS_USAGE, "%s=%s is out of range", key, value);
    *target = (int)number;
    return STATUS_OK;
}

static Status set_truth(const char *key, const char *value, bool negated, bool *target, Error *err)
{
    bool truth;

    if (!value_parse_bool(value, &truth))
        return error_set(err, STATUS_USAGE, "%s=%s is neither yes nor no", key, value);
    *target = truth != negated;
    return STATUS_OK;
}

static Status parse_pair(void *context, const char *key, const char *value, Error *err)
{
    DatasetFilter *filter = context;
    const struct {
        const char *key;
        int limit;
        int *target;
    } numbers[] = {{"min-ply", 10000, &filter->min_ply},
                   {"max-ply", 10000, &filter->max_ply},
                   {"max-score", VALUE_MATE, &filter->max_score},
                   {"min-phase", EVAL_PHASE_MAX, &filter->min_phase},
                   {"max-phase", EVAL_PHASE_MAX, &filter->max_phase}};
    const struct {
        const char *key;
        bool negated;
        bool *target;
    } truths[] = {{"checks", false, &filter->keep_checks},
                  {"noisy", false, &filter->keep_noisy},
                  {"unscored", false, &filter->keep_unscored},
                  {"drawn", true, &filter->drop_drawn},
                  {"quiet", false, &filter->require_quiet}};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(key, numbers[i].key) == 0)
            return set_number(key, value, numbers[i].limit, numbers[i].target, err);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        if (strcmp(key, truths[i].key) == 0)
            return set_truth(key, value, truths[i].negated, truths[i].target, err);
    return error_set(err, STATUS_USAGE,
                     "\"%s\" is none of min-ply, max-ply, max-score, min-phase, max-phase, checks, "
                     "noisy, unscored, drawn, quiet",
                     key);
}

Status position_filter_parse(const char *text, DatasetFilter *filter, Error *err)
{
    dataset_filter_defaults(filter);
    if (strcmp(text, "tune") == 0) return STATUS_OK;
    Status status = options_parse_pairs(text, parse_pair, filter, err);
    return status == STATUS_OK ? status : error_prefix(err, "--filter");
}

bool position_filter_takes(const void *filter, const GameRecord *game, int ply, const Position *pos)
{
    const DatasetFilter *f = filter;
    int phase = pos->phase < EVAL_PHASE_MAX ? pos->phase : EVAL_PHASE_MAX;

    return dataset_filter_takes(f, game, ply, pos, NULL) && phase >= f->min_phase &&
           phase <= f->max_phase;
}
