/* SPDX-License-Identifier: MIT
 * Members of a struct as values and as JSON. */
#include "engine/values/field.h"

#include <math.h>

enum { DEFAULT_DIGITS = 6 };

FieldValue field_value(const Field *f, const void *object)
{
    const void *at = (const char *)object + f->offset;

    if (f->kind == FIELD_INT) return (FieldValue){.integer = *(const int *)at};
    if (f->kind == FIELD_BOOL) return (FieldValue){.integer = *(const bool *)at};
    if (f->kind == FIELD_DOUBLE) return (FieldValue){.number = *(const double *)at};
    if (f->kind == FIELD_ARRAY) return (FieldValue){.string = at};
    if (f->kind == FIELD_STRING) return (FieldValue){.string = *(const char *const *)at};
    return (FieldValue){.integer = *(const int64_t *)at};
}

bool field_value_is_zero(FieldValue value)
{
    return value.integer == 0 && (value.number == 0 || isnan(value.number)) &&
           (!value.string || !*value.string);
}

bool fields_number(const Field *f, const void *object, double *number)
{
    FieldValue value = field_value(f, object);

    *number = f->kind == FIELD_DOUBLE ? value.number : (double)value.integer;
    return f->kind >= FIELD_INT && f->kind <= FIELD_DOUBLE;
}

void fields_set_number(const Field *f, void *object, double number)
{
    void *at = (char *)object + f->offset;

    if (f->kind == FIELD_DOUBLE) *(double *)at = number;
    if (f->kind == FIELD_INT) *(int *)at = (int)number;
    if (f->kind == FIELD_INT64 || f->kind == FIELD_UINT64) *(int64_t *)at = (int64_t)number;
}

/* ---- JSON */

void fields_json(JsonWriter *w, const Field *fields, const void *object)
{
    for (const Field *f = fields; f->kind != FIELD_END; f++) {
        FieldValue value = field_value(f, object);
        if (!f->key || (f->zero == ZERO_LEFT_OUT && field_value_is_zero(value))) continue;
        if (f->kind == FIELD_DOUBLE)
            json_double(w, f->key, value.number, f->digits ? f->digits : DEFAULT_DIGITS);
        else if (f->kind == FIELD_ARRAY || f->kind == FIELD_STRING)
            json_string(w, f->key, value.string);
        else if (f->kind == FIELD_BOOL)
            json_bool(w, f->key, value.integer);
        else if (f->kind == FIELD_UINT64)
            json_uint(w, f->key, (uint64_t)value.integer);
        else
            json_int(w, f->key, value.integer);
    }
}

void fields_json_array(JsonWriter *w, const char *key, const Field *fields, const void *objects,
                       size_t size, int count)
{
    json_array(w, key);
    for (int i = 0; i < count; i++) {
        json_object(w, NULL);
        fields_json(w, fields, (const char *)objects + (size_t)i * size);
        json_end_object(w);
    }
    json_end_array(w);
}

void fields_json_line(FILE *out, const Field *fields, const void *object)
{
    JsonWriter w;

    json_begin(&w, out);
    fields_json(&w, fields, object);
    json_finish(&w);
}
