/* SPDX-License-Identifier: MIT
 * The list of tunables: its file, and its values in a player. */
#include "tuner/spsa/tunables.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "db/files/reader.h"
#include "engine/values/value.h"

enum { FIELDS = 7, WEIGHT_MOST = 10000 };

/* ---- A line */

static const EvalTermInfo *find_term(const char *name, size_t length)
{
    const EvalTermInfo *term = eval_term_info;
    while (term->name && (strlen(term->name) != length || strncmp(term->name, name, length) != 0))
        term++;
    return term->name ? term : NULL;
}

/* Up to three digits; moves *at behind them. */
static bool parse_index(const char **at, int *index)
{
    int digits = 0;

    for (*index = 0; **at >= '0' && **at <= '9' && digits < 3; digits++)
        *index = 10 * *index + *(*at)++ - '0';
    return digits > 0;
}

/* "[i]", "[i-j]" or nothing, which is all. */
static bool parse_range(const char **at, int *from, int *to)
{
    if (**at != '[') return true;
    (*at)++;
    if (!parse_index(at, from)) return false;
    *to = *from;
    if (**at == '-') {
        (*at)++;
        if (!parse_index(at, to)) return false;
    }
    return *(*at)++ == ']';
}

/* TERM.mg, TERM[i].mg or TERM[i-j].mg, or the same with eg. */
static bool parse_weights(const char *name, Tunable *t)
{
    size_t length = strcspn(name, "[.");
    const EvalTermInfo *term = find_term(name, length);
    const char *rest = name + length;

    if (!term) return false;
    int from = 0, to = term->count - 1;
    if (!parse_range(&rest, &from, &to) || from > to || to >= term->count) return false;
    if (strcmp(rest, ".mg") != 0 && strcmp(rest, ".eg") != 0) return false;
    t->first = term->first + from;
    t->count = to - from + 1;
    t->phase = rest[1] == 'm' ? MG : EG;
    return true;
}

/* Cuts the line at its commas and takes the blanks around the fields away; returns their number. */
static int cut_fields(char *line, char *fields[FIELDS + 1])
{
    int count = 0;

    for (char *at = line; at && count <= FIELDS; count++) {
        char *comma = strchr(at, ',');
        if (comma) *comma = '\0';
        at += strspn(at, " \t");
        char *end = at + strlen(at);
        while (end > at && strchr(" \t", end[-1]))
            end--;
        *end = '\0';
        fields[count] = at;
        at = comma ? comma + 1 : NULL;
    }
    return count;
}

static Status check_numbers(const Tunable *t, Error *err)
{
    if (!(t->least < t->most) || t->start < t->least || t->start > t->most)
        return error_set(err, STATUS_BAD_INPUT, "%s: %.15g is not between %.15g and %.15g", t->name,
                         t->start, t->least, t->most);
    if (t->constant && (t->least < t->constant->least || t->most > t->constant->most))
        return error_set(err, STATUS_BAD_INPUT, "%s goes from %d to %d", t->name,
                         t->constant->least, t->constant->most);
    if (t->least != floor(t->least) || t->most != floor(t->most) || t->least < INT_MIN ||
        t->most > INT_MAX)
        return error_set(err, STATUS_BAD_INPUT,
                         "%s: least and most must be whole numbers of 32 bits", t->name);
    if (t->width < 0.5 || t->rate <= 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "%s: c_end must be 0.5 or more, and r_end more than 0", t->name);
    if (t->width > t->most - t->least || t->rate > 1)
        return error_set(err, STATUS_BAD_INPUT,
                         "%s: c_end must be within the range, and r_end at most 1", t->name);
    return STATUS_OK;
}

/* A constant or weights, unless `option`: a UCI option. */
static Status parse_name(const char *name, bool option, Tunable *t, Error *err)
{
    if (strlen(name) >= sizeof t->name)
        return error_set(err, STATUS_BAD_INPUT, "the name is too long");
    if (option && (*name == '\0' || strchr(name, '=')))
        return error_set(err, STATUS_BAD_INPUT, "\"%s\" is no name of an option", name);
    memcpy(t->name, name, strlen(name) + 1);
    t->constant = option ? NULL : search_param_find(name);
    if (!option && !t->constant && !parse_weights(name, t))
        return error_set(
            err, STATUS_BAD_INPUT,
            "\"%s\" is neither a constant of the search (tabia-engine spsa) nor weights as PAWN_PST.mg or MATERIAL[1].eg (docs/eval-terms.md); options of another engine need --engine",
            name);
    return STATUS_OK;
}

static Status parse_line(char *line, bool option, Tunable *t, Error *err)
{
    char *fields[FIELDS + 1];
    double *const numbers[] = {&t->start, &t->least, &t->most, &t->width, &t->rate};

    if (cut_fields(line, fields) != FIELDS)
        return error_set(err, STATUS_BAD_INPUT,
                         "expected \"name, int, value, least, most, c_end, r_end\"");
    Status status = parse_name(fields[0], option, t, err);
    if (status != STATUS_OK) return status;
    if (strcmp(fields[1], "int") != 0)
        return error_set(err, STATUS_BAD_INPUT, "%s: its type must be int, not \"%s\"", t->name,
                         fields[1]);
    for (int i = 0; i < FIELDS - 2; i++)
        if (!value_parse_double(fields[2 + i], numbers[i]))
            return error_set(err, STATUS_BAD_INPUT, "%s: \"%s\" is not a number", t->name,
                             fields[2 + i]);
    t->value = t->start;
    return check_numbers(t, err);
}

/* ---- The list */

static bool overlap(const Tunables *list, const Tunable *a, const Tunable *b)
{
    if (list->options) return strcasecmp(a->name, b->name) == 0;
    if (a->constant || b->constant) return a->constant == b->constant;
    return a->phase == b->phase && a->first < b->first + b->count && b->first < a->first + a->count;
}

static Status add(Tunables *list, const Tunable *t, Error *err)
{
    if (list->count == TUNABLES_MAX)
        return error_set(err, STATUS_BAD_INPUT, "more than %d lines", TUNABLES_MAX);
    for (int i = 0; i < list->count; i++)
        if (overlap(list, &list->items[i], t))
            return error_set(err, STATUS_BAD_INPUT, "%s is tuned twice: see %s", t->name,
                             list->items[i].name);
    list->items[list->count++] = *t;
    return STATUS_OK;
}

static Status make_list(Tunables *list, Error *err)
{
    *list = (Tunables){.items = malloc(TUNABLES_MAX * sizeof *list->items)};
    if (list->items) return STATUS_OK;
    return error_set(err, STATUS_FAILED, "out of memory for a list of tunables");
}

static Status add_record(void *context, const TextRecord *record, Error *err)
{
    Tunables *list = context;
    Tunable t = {.width = 0};

    Status status = parse_line(record->text, list->options, &t, err);
    return status == STATUS_OK ? add(list, &t, err) : status;
}

Status tunables_load(const char *path, bool option, Tunables *list, Error *err)
{
    Status status = make_list(list, err);

    list->options = option;
    if (status == STATUS_OK)
        status = records_use(reader_open_text(path, err), add_record, list, err);
    if (status == STATUS_OK && list->count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "%s: nothing to tune", path);
    return status;
}

/* Is any of its weights other than 0? */
static bool has_weights(const Tunable *t, const EvalWeights *weights)
{
    for (int term = t->first; term < t->first + t->count; term++)
        if (weights->term[term][t->phase] != 0) return true;
    return false;
}

/* Widths cost a few Elo, as docs/spsa.md says: tables of squares bear more than the value of a
 * piece. */
static void add_scales(Tunables *list, const EvalTermInfo *term, int from, int count,
                       const EvalWeights *weights)
{
    bool material = term->first == EVAL_MATERIAL;
    static const char *const phases[PHASES] = {[MG] = "mg", [EG] = "eg"};

    for (int phase = 0; phase < PHASES; phase++) {
        Tunable *t = &list->items[list->count];
        *t = (Tunable){.first = term->first + from,
                       .count = count,
                       .phase = phase,
                       .start = WEIGHT_UNIT,
                       .value = WEIGHT_UNIT,
                       .least = material ? 500 : 0,
                       .most = material ? 1800 : 3000,
                       .width = !material   ? 150
                                : from == 0 ? 80
                                            : 60,
                       .rate = 0.003};
        if (material)
            (void)snprintf(t->name, sizeof t->name, "%s[%d].%s", term->name, from, phases[phase]);
        else
            (void)snprintf(t->name, sizeof t->name, "%s.%s", term->name, phases[phase]);
        list->count += has_weights(t, weights);
    }
}

Status tunables_scales(const EvalWeights *weights, Tunables *list, Error *err)
{
    EvalFamilies families = weights_families(weights) | EVAL_MATERIAL_PST;
    Status status = make_list(list, err);

    if (status != STATUS_OK) return status;
    for (const EvalTermInfo *term = eval_term_info; term->name; term++) {
        bool material = term->first == EVAL_MATERIAL;
        if (!(families & eval_family(term->family))) continue;
        for (int from = 0; from < term->count; from += material ? 1 : term->count)
            add_scales(list, term, from, material ? 1 : term->count, weights);
    }
    if (list->count > 0) return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "the weights are all 0, which no factor changes");
}

void tunables_free(Tunables *list)
{
    free(list->items);
    *list = (Tunables){0};
}

/* lrint() would make 1000 of 999.5 and of 1000.5. */
static int rounded(double value)
{
    return (int)floor(value + 0.5);
}

void tunables_apply(const Tunables *list, const double *values, SearchParams *params,
                    EvalWeights *weights)
{
    for (int i = 0; i < list->count; i++) {
        const Tunable *t = &list->items[i];
        int value = rounded(values[i]);
        if (t->constant)
            *(int *)((char *)params + t->constant->offset) = value;
        else
            for (int term = t->first; term < t->first + t->count; term++) {
                int16_t *w = &weights->term[term][t->phase];
                double scaled = (double)*w * value / WEIGHT_UNIT;
                *w = (int16_t)lrint(fmin(fmax(scaled, -WEIGHT_MOST), WEIGHT_MOST));
            }
    }
}

void tunables_option(const Tunable *tunable, double value, char text[TUNABLE_OPTION_MAX])
{
    (void)snprintf(text, TUNABLE_OPTION_MAX, "%s=%d", tunable->name, rounded(value));
}

bool tunables_have_weights(const Tunables *list)
{
    for (int i = 0; i < list->count; i++)
        if (!list->items[i].constant) return true;
    return false;
}

Status tunables_check(const Tunables *list, const EvalWeights *weights, Error *err)
{
    for (int i = 0; i < list->count; i++) {
        const Tunable *t = &list->items[i];
        if (!t->constant && !has_weights(t, weights))
            return error_set(err, STATUS_BAD_INPUT,
                             "%s: its weights are 0, which no factor changes", t->name);
    }
    return STATUS_OK;
}

void tunables_print(FILE *out, const Tunables *list)
{
    for (int i = 0; i < list->count; i++) {
        const Tunable *t = &list->items[i];
        fprintf(out, "%s, int, %d, %.0f, %.0f, %.15g, %.15g\n", t->name, rounded(t->value),
                t->least, t->most, t->width, t->rate);
    }
}
