/* SPDX-License-Identifier: MIT
 * Values of settings: their defaults, the texts they take, their bounds, and what JSON, comments
 * and help say of them. */
#include "engine/values/setting.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/suggest.h"
#include "engine/base/text.h"
#include "engine/values/value.h"

enum { IDENTITY_DIGITS = 10, REPORT_DIGITS = 12 };

bool setting_next_name(const char **names, char name[SETTING_WORD_MAX])
{
    if (!*names) return false;
    *names += strspn(*names, " ");
    size_t length = strcspn(*names, " ");
    (void)snprintf(name, SETTING_WORD_MAX, "%.*s", (int)length, *names);
    *names += length;
    return length > 0;
}

bool setting_names_hold(const char *names, const char *wanted)
{
    char name[SETTING_WORD_MAX];

    while (setting_next_name(&names, name))
        if (strcmp(name, wanted) == 0) return true;
    return false;
}

bool setting_is_flag(const Setting *row)
{
    return row->kind == FIELD_BOOL && !row->words;
}

/* ---- Members */

static void *member(const Setting *row, void *object)
{
    return (char *)object + row->offset;
}

static const void *member_of(const Setting *row, const void *object)
{
    return (const char *)object + row->offset;
}

/* Of numbers, words and flags; 0 for other kinds. */
static double number_of(const Setting *row, const void *object)
{
    return field_number(row->kind, member_of(row, object));
}

static void set_number(const Setting *row, void *object, double value)
{
    field_set_number(row->kind, member(row, object), value);
}

/* Has the value no effect? For a text: is there none? */
static bool is_neutral(const Setting *row, const void *object)
{
    if (row->kind == FIELD_STRING) return !*(const char *const *)member_of(row, object);
    if (row->kind == FIELD_LIST) return ((const TextList *)member_of(row, object))->count == 0;
    return number_of(row, object) == row->neutral;
}

void settings_default(const Setting *rows, void *object)
{
    for (const Setting *row = rows; row->kind != FIELD_END; row++) {
        if (row->rows)
            settings_default(row->rows, row->name ? object : member(row, object));
        else if (row->kind == FIELD_STRING)
            *(const char **)member(row, object) = row->preset_text;
        else
            set_number(row, object, row->preset);
    }
}

/* ---- Words */

bool setting_word(const Setting *row, int index, char word[SETTING_WORD_MAX])
{
    const char *words = row->words;

    if (index < 0 || !words) return false;
    for (; index > 0; index--) {
        words += strcspn(words, "|");
        if (!*words++) return false;
    }
    (void)snprintf(word, SETTING_WORD_MAX, "%.*s", (int)strcspn(words, "|"), words);
    return true;
}

/* The number of the word, or -1. */
static int find_word(const Setting *row, const char *text)
{
    char word[SETTING_WORD_MAX];

    for (int i = 0; setting_word(row, i, word); i++)
        if (strcmp(word, text) == 0) return i;
    return -1;
}

/* Does each value have a word? */
static bool is_choice(const Setting *row)
{
    return row->words && (row->kind == FIELD_BOOL || row->kind == FIELD_ENUM);
}

/* "one, two or three" */
static void list_words(const Setting *row, char *out, size_t size)
{
    char word[SETTING_WORD_MAX], next[SETTING_WORD_MAX];

    for (int i = 0; setting_word(row, i, word); i++)
        text_append(out, size, "%s%s",
                    i == 0                           ? ""
                    : setting_word(row, i + 1, next) ? ", "
                                                     : " or ",
                    word);
}

static Status set_word(const Setting *row, void *object, const char *dashes, const char *text,
                       Error *err)
{
    char word[SETTING_WORD_MAX], all[256] = "";
    int index = find_word(row, text);
    Suggestion s;

    if (index >= 0) {
        set_number(row, object, index);
        return STATUS_OK;
    }
    suggest_begin(&s, text);
    for (int i = 0; setting_word(row, i, word); i++)
        suggest_offer(&s, word);
    list_words(row, all, sizeof all);
    return error_set(err, STATUS_USAGE, "%s%s must be %s, not \"%s\"%s", dashes, row->name, all,
                     text, suggest_text(&s, "", ""));
}

/* ---- Text */

static void pairs_text(const Setting *row, const void *object, char out[SETTING_TEXT_MAX])
{
    char value[SETTING_TEXT_MAX];

    *out = '\0';
    for (const Setting *pair = row->rows; pair->kind != FIELD_END; pair++) {
        bool neutral = is_neutral(pair, object);
        if (pair->first && neutral) {
            (void)snprintf(out, SETTING_TEXT_MAX, "%s", row->words);
            return;
        }
        if (pair->optional && neutral) continue;
        setting_text(pair, object, value);
        text_append(out, SETTING_TEXT_MAX, "%s%s=%s", *out ? "," : "", pair->name, value);
    }
}

void setting_text(const Setting *row, const void *object, char out[SETTING_TEXT_MAX])
{
    const void *at = member_of(row, object);
    double number = number_of(row, object);
    const char *text = NULL;

    *out = '\0';
    if (row->print) {
        row->print(at, out);
    } else if (row->form == FORM_PAIRS) {
        pairs_text(row, object, out);
    } else if (is_choice(row)) {
        (void)setting_word(row, (int)number, out);
    } else if (row->words && number < 0) {
        (void)setting_word(row, -1 - (int)number, out);
    } else if (row->form == FORM_TIME) {
        value_format_time(*(const int64_t *)at, out);
    } else if (row->form == FORM_MEGABYTES) {
        (void)snprintf(out, SETTING_TEXT_MAX, "%" PRIu64, *(const uint64_t *)at >> 20);
    } else if (row->kind == FIELD_STRING) {
        text = *(const char *const *)at;
    } else if (row->kind == FIELD_BOOL) {
        text = (number != 0) != (row->form == FORM_OPPOSITE) ? "yes" : "no";
    } else if (row->kind == FIELD_UINT64) {
        (void)snprintf(out, SETTING_TEXT_MAX, "%" PRIu64, *(const uint64_t *)at);
    } else if (row->kind == FIELD_INT64) {
        (void)snprintf(out, SETTING_TEXT_MAX, "%" PRId64, *(const int64_t *)at);
    } else if (row->kind == FIELD_INT || row->kind == FIELD_ENUM) {
        (void)snprintf(out, SETTING_TEXT_MAX, "%d", *(const int *)at);
    } else if (row->kind == FIELD_DOUBLE) {
        (void)snprintf(out, SETTING_TEXT_MAX, "%.*g", IDENTITY_DIGITS, number);
    }
    if (text) (void)snprintf(out, SETTING_TEXT_MAX, "%s", text);
}

/* ---- Values from text */

static Status refuse(const Setting *row, const char *dashes, const char *expected, const char *text,
                     Error *err)
{
    return error_set(err, STATUS_USAGE, "%s%s needs %s, not \"%s\"", dashes, row->name, expected,
                     text);
}

static Status check_bounds(const Setting *row, const char *dashes, double value, const char *text,
                           Error *err)
{
    double scale = row->form == FORM_TIME ? 1000 : 1;
    const char *unit = row->form == FORM_TIME ? "s" : "";
    double low = row->minimum / scale, high = row->maximum / scale;

    if ((row->minimum == 0 && row->maximum == 0) ||
        (value >= row->minimum && value <= row->maximum))
        return STATUS_OK;
    if (isinf(row->maximum))
        return error_set(err, STATUS_USAGE, "%s%s must be at least %g%s, not %s", dashes, row->name,
                         low, unit, text);
    if (isinf(row->minimum))
        return error_set(err, STATUS_USAGE, "%s%s must be at most %g%s, not %s", dashes, row->name,
                         high, unit, text);
    return error_set(err, STATUS_USAGE, "%s%s must be from %g%s to %g%s, not %s", dashes, row->name,
                     low, unit, high, unit, text);
}

static Status set_integer(const Setting *row, void *object, const char *dashes, const char *text,
                          Error *err)
{
    void *at = member(row, object);
    bool time = row->form == FORM_TIME;
    int64_t value;

    assert(row->kind != FIELD_INT || (row->maximum > 0 && row->maximum <= INT_MAX));
    if (time ? !value_parse_time(text, &value) : !value_parse_int(text, &value))
        return refuse(row, dashes, time ? "a time such as 90s, 10m or 2h" : "a whole number", text,
                      err);
    Status status = check_bounds(row, dashes, (double)value, text, err);
    if (status != STATUS_OK) return status;
    if (row->kind == FIELD_INT)
        *(int *)at = (int)value;
    else
        *(int64_t *)at = row->form == FORM_MEGABYTES ? value << 20 : value;
    return STATUS_OK;
}

static Status set_double(const Setting *row, void *object, const char *dashes, const char *text,
                         Error *err)
{
    double number;

    if (!value_parse_double(text, &number)) {
        char expected[SETTING_TEXT_MAX] = "a number";
        if (row->words) text_append(expected, sizeof expected, " or %s", row->words);
        return refuse(row, dashes, expected, text, err);
    }
    Status status = check_bounds(row, dashes, number, text, err);
    if (status == STATUS_OK) set_number(row, object, number);
    return status;
}

static Status set_flag(const Setting *row, void *object, const char *dashes, const char *text,
                       Error *err)
{
    bool flag;

    if (!value_parse_bool(text, &flag)) return refuse(row, dashes, "true or false", text, err);
    set_number(row, object, flag != (row->form == FORM_OPPOSITE));
    return STATUS_OK;
}

static Status set_pairs(const Setting *row, void *object, const char *dashes, const char *text,
                        Error *err)
{
    if (row->words && strcmp(text, row->words) == 0) {
        for (const Setting *pair = row->rows; pair->kind != FIELD_END; pair++)
            if (pair->first) set_number(pair, object, pair->neutral);
        return STATUS_OK;
    }
    Status status = settings_set_pairs(row->rows, object, text, err);
    return status == STATUS_OK ? status : error_prefix(err, "%s%s", dashes, row->name);
}

Status setting_set(const Setting *row, void *object, const char *dashes, const char *text,
                   Error *err)
{
    void *at = member(row, object);

    if (row->parse) {
        Status status = row->parse(at, text, err);
        return status == STATUS_OK ? status : error_prefix(err, "%s%s", dashes, row->name);
    }
    if (row->form == FORM_PAIRS) return set_pairs(row, object, dashes, text, err);
    if (is_choice(row)) return set_word(row, object, dashes, text, err);
    if (row->kind == FIELD_STRING) {
        *(const char **)at = text;
        return STATUS_OK;
    }
    if (row->words && find_word(row, text) >= 0) {
        set_number(row, object, -1 - find_word(row, text));
        return STATUS_OK;
    }
    switch (row->kind) {
    case FIELD_BOOL:
        return set_flag(row, object, dashes, text, err);
    case FIELD_INT:
    case FIELD_INT64:
        return set_integer(row, object, dashes, text, err);
    case FIELD_UINT64:
        if (row->maximum > 0) return set_integer(row, object, dashes, text, err);
        if (value_parse_uint64(text, at)) return STATUS_OK;
        return refuse(row, dashes, "a whole number from 0 to 2^64 - 1", text, err);
    case FIELD_DOUBLE:
        return set_double(row, object, dashes, text, err);
    default:
        return STATUS_OK;
    }
}

/* ---- Pairs */

/* Ends a pair at its comma and returns what follows, or NULL. A comma after a backslash belongs to
 * the value. */
static char *cut_pair(char *pair)
{
    char *out = pair, *in = pair;

    for (; *in && *in != ','; *out++ = *in++)
        in += in[0] == '\\' && in[1] == ',';
    char *next = *in ? in + 1 : NULL;
    *out = '\0';
    return next;
}

Status setting_pairs(const char *text, char **copy, SettingPairFn fn, void *context, Error *err)
{
    Status status = STATUS_OK;

    *copy = strdup(text);
    if (!*copy) return error_set(err, STATUS_FAILED, "out of memory");
    for (char *pair = *copy, *next; status == STATUS_OK && pair; pair = next) {
        next = cut_pair(pair);
        char *equals = strchr(pair, '=');
        if (!equals || equals == pair) {
            status =
                error_set(err, STATUS_USAGE, "\"%s\" is not KEY=VALUE (in \"%s\")", pair, text);
            break;
        }
        *equals = '\0';
        status = fn(context, pair, equals + 1, err);
    }
    return status;
}

Status settings_set_pair(const Setting *rows, void *object, const char *key, const char *value,
                         Error *err)
{
    char names[256] = "";
    Suggestion s;

    suggest_begin(&s, key);
    for (const Setting *row = rows; row->kind != FIELD_END; row++) {
        if (strcmp(row->name, key) == 0) return setting_set(row, object, "", value, err);
        suggest_offer(&s, row->name);
        text_append(names, sizeof names, "%s%s", *names ? ", " : "", row->name);
    }
    return error_set(err, STATUS_USAGE, "unknown key \"%s\"; the keys are %s%s", key, names,
                     suggest_text(&s, "", ""));
}

/* Where pairs go. */
typedef struct PairTarget {
    const Setting *rows;
    void *object;
} PairTarget;

static Status set_pair(void *context, char *key, char *value, Error *err)
{
    const PairTarget *target = context;
    return settings_set_pair(target->rows, target->object, key, value, err);
}

Status settings_set_pairs(const Setting *rows, void *object, const char *text, Error *err)
{
    PairTarget target = {rows, object};
    char *copy;

    Status status = setting_pairs(text, &copy, set_pair, &target, err);
    free(copy);
    return status;
}

/* ---- Rows by their names */

/* A row, the table that it is in, and its struct. */
typedef struct Found {
    const Setting *row, *rows;
    const void *object;
    const char *prefix;
} Found;

static bool find_name(const Setting *rows, const char *name, const void *object, Found *found)
{
    for (const Setting *row = rows; row->kind != FIELD_END; row++) {
        if (!row->rows) {
            if (!row->name || strcmp(row->name, name) != 0) continue;
            *found = (Found){row, rows, object, ""};
            return true;
        }
        const char *prefix = row->prefix ? row->prefix : "";
        const void *inner = row->name ? object : member_of(row, object);
        if (strncmp(name, prefix, strlen(prefix)) != 0) continue;
        if (!find_name(row->rows, name + strlen(prefix), inner, found)) continue;
        if (*prefix) found->prefix = prefix;
        return true;
    }
    return false;
}

bool settings_meet(const Setting *rows, const void *object, const char *need)
{
    char value[SETTING_TEXT_MAX], name[SETTING_WORD_MAX];
    size_t length = strcspn(need, "=");
    Found found;

    (void)snprintf(name, sizeof name, "%.*s", (int)length, need);
    if (!find_name(rows, name, object, &found)) return false;
    if (!need[length]) return !is_neutral(found.row, found.object);
    setting_text(found.row, found.object, value);
    return strcmp(value, need + length + 1) == 0;
}

/* Has one of the settings that it needs an effect? */
static bool has_effect(const Found *found)
{
    const char *needs = found->row->needs;
    char name[SETTING_WORD_MAX];

    while (setting_next_name(&needs, name))
        if (settings_meet(found->rows, found->object, name)) return true;
    return !found->row->needs;
}

/* ---- Lists of names */

enum { NAMES_MAX = 1024 };

/* Appends the names of all rows but those that `left_out` holds. */
static void append_names(const Setting *rows, const char *prefix, const char *left_out,
                         char names[NAMES_MAX])
{
    char name[SETTING_WORD_MAX];

    for (const Setting *row = rows; row->kind != FIELD_END; row++) {
        if (row->rows) {
            append_names(row->rows, row->prefix ? row->prefix : "", left_out, names);
        } else if (row->name) {
            (void)snprintf(name, sizeof name, "%s%s", prefix, row->name);
            if (!setting_names_hold(left_out, name)) text_append(names, NAMES_MAX, " %s", name);
        }
    }
}

/* A list that names all its rows; it may be built in room. */
static const char *all_names(const Setting *rows, const char *names, char room[NAMES_MAX])
{
    if (names && *names != '-') return names;
    room[0] = '\0';
    append_names(rows, "", names ? names + 1 : NULL, room);
    return room;
}

/* ---- JSON and prose */

enum { KEY_MAX = 2 * SETTING_WORD_MAX };

static void key_of(const Found *found, SettingsUse use, char key[KEY_MAX])
{
    const Setting *row = found->row;

    (void)snprintf(key, KEY_MAX, "%s%s", found->prefix,
                   use == SETTINGS_IDENTITY && row->key ? row->key : row->name);
    for (char *c = key; *c; c++)
        if (*c == '-') *c = '_';
}

static void put_value(JsonWriter *w, const Found *found, SettingsUse use)
{
    const Setting *row = found->row;
    double number = number_of(row, found->object);
    char text[SETTING_TEXT_MAX], key[KEY_MAX];

    key_of(found, use, key);
    setting_text(row, found->object, text);
    bool integer = row->kind == FIELD_BOOL && use == SETTINGS_IDENTITY;
    if (row->print || (is_choice(row) && !integer) || (row->words && number < 0))
        json_string(w, key, text);
    else if (integer)
        json_int(w, key, (int64_t)number);
    else
        field_json(w, key, row->kind, member_of(row, found->object),
                   use == SETTINGS_REPORT ? REPORT_DIGITS : IDENTITY_DIGITS);
}

void settings_json(JsonWriter *w, const Setting *rows, const char *names, SettingsUse use,
                   const void *object)
{
    char name[SETTING_WORD_MAX], room[NAMES_MAX];
    Found found;

    names = all_names(rows, names, room);
    while (setting_next_name(&names, name)) {
        bool known = find_name(rows, name, object, &found);
        assert(known);
        if (!known) continue;
        bool left_out =
            use == SETTINGS_IDENTITY && found.row->optional && is_neutral(found.row, found.object);
        if (!left_out && has_effect(&found)) put_value(w, &found, use);
    }
}

/* The number may be anything. */
static Status read_number(const Setting *row, void *object, const char *key, double number,
                          Error *err)
{
    bool narrow = row->kind == FIELD_INT || row->kind == FIELD_ENUM;
    double least = row->kind == FIELD_UINT64 ? 0 : -0x1p53, most = narrow ? INT_MAX : 0x1p53;

    if (row->kind != FIELD_DOUBLE && !(number >= fmax(least, -most) && number <= most))
        return error_set(err, STATUS_BAD_INPUT, "%s is %g", key, number);
    set_number(row, object, number);
    return STATUS_OK;
}

Status settings_read(const Setting *rows, const char *names, void *object, SettingValueFn value,
                     void *context, Error *err)
{
    char name[SETTING_WORD_MAX], room[NAMES_MAX], key[KEY_MAX], text[SETTING_TEXT_MAX];
    Status status = STATUS_OK;
    Found found;

    names = all_names(rows, names, room);
    while (status == STATUS_OK && setting_next_name(&names, name)) {
        double number = 0;
        bool known = find_name(rows, name, object, &found);
        assert(known);
        if (!known) continue;
        void *inner = (char *)object + ((const char *)found.object - (const char *)object);
        key_of(&found, SETTINGS_IDENTITY, key);
        text[0] = '\0';
        if (value(context, key, &number, text))
            status = *text ? setting_set(found.row, inner, "", text, err)
                           : read_number(found.row, inner, key, number, err);
        else if (found.row->optional)
            set_number(found.row, inner, found.row->neutral);
    }
    if (status != STATUS_OK) err->status = STATUS_BAD_INPUT;
    return status == STATUS_OK ? status : STATUS_BAD_INPUT;
}

void settings_append(const Setting *rows, const char *names, const void *object, const void *usual,
                     char *out, size_t size)
{
    char name[SETTING_WORD_MAX], value[SETTING_TEXT_MAX], other[SETTING_TEXT_MAX], room[NAMES_MAX];
    Found found, same;

    names = all_names(rows, names, room);
    while (setting_next_name(&names, name)) {
        bool known = find_name(rows, name, object, &found);
        assert(known);
        if (!known || !has_effect(&found)) continue;
        setting_text(found.row, found.object, value);
        if (usual && find_name(rows, name, usual, &same)) {
            setting_text(same.row, same.object, other);
            if (strcmp(value, other) == 0) continue;
        }
        bool flag = setting_is_flag(found.row), off = flag && strcmp(value, "no") == 0;
        text_append(out, size, "%s%s%s", *out ? ", " : "", off ? "no-" : "", name);
        if (!flag) text_append(out, size, " %s", value);
    }
}
