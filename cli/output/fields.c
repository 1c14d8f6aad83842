/* SPDX-License-Identifier: MIT
 * Fields of a struct as JSON and as text. */
#include "cli/output/fields.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { VALUE_MAX = 64, DEFAULT_DIGITS = 6 };

/* ---- Values */

static double number_at(const Field *f, const void *object)
{
    const char *at = (const char *)object + f->offset;

    switch (f->kind) {
    case FIELD_INT:
        return *(const int *)at;
    case FIELD_INT64:
        return (double)*(const int64_t *)at;
    case FIELD_UINT64:
        return (double)*(const uint64_t *)at;
    case FIELD_DOUBLE:
        return *(const double *)at;
    case FIELD_BOOL:
        return *(const bool *)at;
    default:
        return NAN;
    }
}

static const char *string_at(const Field *f, const void *object)
{
    const char *at = (const char *)object + f->offset;
    return f->kind == FIELD_ARRAY ? at : *(const char *const *)at;
}

static bool is_left_out(const Field *f, const void *object, FieldZero least)
{
    if (f->zero < least) return false;
    if (f->kind == FIELD_ARRAY || f->kind == FIELD_STRING) {
        const char *string = string_at(f, object);
        return !string || !*string;
    }
    double value = number_at(f, object);
    return value == 0 || isnan(value);
}

/* ---- JSON */

void fields_json(JsonWriter *w, const Field *fields, const void *object)
{
    for (const Field *f = fields; f->kind != FIELD_END; f++) {
        const void *at = (const char *)object + f->offset;
        if (!f->key || is_left_out(f, object, ZERO_LEFT_OUT)) continue;
        switch (f->kind) {
        case FIELD_INT:
            json_int(w, f->key, *(const int *)at);
            break;
        case FIELD_INT64:
            json_int(w, f->key, *(const int64_t *)at);
            break;
        case FIELD_UINT64:
            json_uint(w, f->key, *(const uint64_t *)at);
            break;
        case FIELD_BOOL:
            json_bool(w, f->key, *(const bool *)at);
            break;
        case FIELD_DOUBLE:
            json_double(w, f->key, *(const double *)at, f->digits ? f->digits : DEFAULT_DIGITS);
            break;
        default:
            json_string(w, f->key, string_at(f, object));
            break;
        }
    }
}

void fields_json_line(FILE *out, const Field *fields, const void *object)
{
    JsonWriter w;

    json_begin(&w, out);
    fields_json(&w, fields, object);
    json_finish(&w);
}

/* ---- Text */

/* Characters, not bytes. */
static int columns_of(const char *text)
{
    int columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

void cell_put(FILE *out, int width, const char *text)
{
    int columns = columns_of(text);

    if (width >= 0) {
        (void)fprintf(out, "%*s%s", columns < width ? width - columns : 0, "", text);
        return;
    }
    (void)fputs("  ", out);
    for (int left = -width; *text && (left > 0 || ((unsigned char)*text & 0xc0) == 0x80); text++) {
        left -= ((unsigned char)*text & 0xc0) != 0x80;
        (void)putc(*text, out);
    }
    (void)fprintf(out, "%*s", columns < -width ? -width - columns : 0, "");
}

static void format_double(char out[VALUE_MAX], double value, int decimals, bool sign)
{
    if (isfinite(value))
        (void)snprintf(out, VALUE_MAX, sign ? "%+.*f" : "%.*f", decimals, value);
    else
        (void)snprintf(out, VALUE_MAX, "–");
}

void cell_put_double(FILE *out, int width, double value, int decimals, bool sign)
{
    char text[VALUE_MAX];

    format_double(text, value, decimals, sign);
    cell_put(out, width, text);
}

void cell_put_int(FILE *out, int width, int64_t value)
{
    (void)fprintf(out, "%*" PRId64, width, value);
}

/* The value as text, in `room` or where it stands. */
static const char *text_of(const Field *f, const void *object, char room[VALUE_MAX])
{
    const void *at = (const char *)object + f->offset;

    switch (f->kind) {
    case FIELD_INT:
        (void)snprintf(room, VALUE_MAX, "%d", *(const int *)at);
        break;
    case FIELD_INT64:
        (void)snprintf(room, VALUE_MAX, "%" PRId64, *(const int64_t *)at);
        break;
    case FIELD_UINT64:
        (void)snprintf(room, VALUE_MAX, "%" PRIu64, *(const uint64_t *)at);
        break;
    case FIELD_BOOL:
        return *(const bool *)at ? "yes" : "no";
    case FIELD_DOUBLE:
        format_double(room, number_at(f, object) * (f->scale != 0 ? f->scale : 1), f->decimals,
                      false);
        break;
    default:
        return string_at(f, object) ? string_at(f, object) : "–";
    }
    return room;
}

void fields_sentence(FILE *out, const Field *fields, const void *object)
{
    char room[VALUE_MAX];
    const char *separator = "";

    for (const Field *f = fields; f->kind != FIELD_END; f++) {
        if (!f->label || is_left_out(f, object, ZERO_NOT_IN_TEXT)) continue;
        (void)fprintf(out, "%s%s %s", separator, text_of(f, object, room), f->label);
        separator = ", ";
    }
}

void fields_print(bool json, const char *head, const Field *fields, const void *object)
{
    if (json) {
        fields_json_line(stdout, fields, object);
        return;
    }
    (void)printf("%s: ", head);
    fields_sentence(stdout, fields, object);
    (void)putchar('\n');
}

void fields_list(FILE *out, const Field *fields, const void *object)
{
    char room[VALUE_MAX];
    int width = 0;

    for (const Field *f = fields; f->kind != FIELD_END; f++)
        if (f->label && columns_of(f->label) > width) width = columns_of(f->label);
    for (const Field *f = fields; f->kind != FIELD_END; f++) {
        if (!f->label || is_left_out(f, object, ZERO_NOT_IN_TEXT)) continue;
        (void)fprintf(out, "%s%*s", f->label, width - columns_of(f->label), "");
        cell_put(out, 14, text_of(f, object, room));
        (void)putc('\n', out);
    }
}

void fields_header(FILE *out, const Field *fields)
{
    for (const Field *f = fields; f->kind != FIELD_END; f++)
        if (f->label) cell_put(out, f->width, f->label);
    (void)putc('\n', out);
}

void fields_row(FILE *out, const Field *fields, const void *object)
{
    char room[VALUE_MAX];

    for (const Field *f = fields; f->kind != FIELD_END; f++)
        if (f->label) cell_put(out, f->width, text_of(f, object, room));
    (void)putc('\n', out);
}
