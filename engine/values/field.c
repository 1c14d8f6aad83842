/* SPDX-License-Identifier: MIT
 * Members of a struct as values and as JSON. */
#include "engine/values/field.h"

#include <math.h>

enum { DEFAULT_DIGITS = 6 };

static FieldValue read_value(FieldKind kind, const void *at)
{
    switch (kind) {
    case FIELD_INT:
    case FIELD_ENUM:
        return (FieldValue){.integer = *(const int *)at};
    case FIELD_INT64:
    case FIELD_UINT64:
        return (FieldValue){.integer = *(const int64_t *)at};
    case FIELD_BOOL:
        return (FieldValue){.integer = *(const bool *)at};
    case FIELD_DOUBLE:
        return (FieldValue){.number = *(const double *)at};
    case FIELD_ARRAY:
        return (FieldValue){.string = at};
    case FIELD_STRING:
        return (FieldValue){.string = *(const char *const *)at};
    default:
        return (FieldValue){0};
    }
}

FieldValue field_value(const Field *f, const void *object)
{
    return read_value(f->kind, (const char *)object + f->offset);
}

bool field_value_is_zero(FieldValue value)
{
    return value.integer == 0 && (value.number == 0 || isnan(value.number)) &&
           (!value.string || !*value.string);
}

double field_number(FieldKind kind, const void *member)
{
    FieldValue value = read_value(kind, member);

    if (kind == FIELD_DOUBLE) return value.number;
    return kind == FIELD_UINT64 ? (double)(uint64_t)value.integer : (double)value.integer;
}

void field_set_number(FieldKind kind, void *member, double number)
{
    if (kind == FIELD_BOOL) *(bool *)member = number != 0;
    if (kind == FIELD_INT || kind == FIELD_ENUM) *(int *)member = (int)number;
    if (kind == FIELD_INT64) *(int64_t *)member = (int64_t)number;
    if (kind == FIELD_UINT64) *(uint64_t *)member = (uint64_t)number;
    if (kind == FIELD_DOUBLE) *(double *)member = number;
}

/* ---- JSON */

void field_json(JsonWriter *w, const char *key, FieldKind kind, const void *member, int digits)
{
    FieldValue value = read_value(kind, member);

    if (kind == FIELD_DOUBLE)
        json_double(w, key, value.number, digits);
    else if (kind == FIELD_ARRAY || kind == FIELD_STRING)
        json_string(w, key, value.string);
    else if (kind == FIELD_BOOL)
        json_bool(w, key, value.integer);
    else if (kind == FIELD_UINT64)
        json_uint(w, key, (uint64_t)value.integer);
    else
        json_int(w, key, value.integer);
}

void fields_json(JsonWriter *w, const Field *fields, const void *object)
{
    for (const Field *f = fields; f->kind != FIELD_END; f++) {
        bool left_out = f->zero == ZERO_LEFT_OUT && field_value_is_zero(field_value(f, object));
        if (!f->key || left_out) continue;
        field_json(w, f->key, f->kind, (const char *)object + f->offset,
                   f->digits ? f->digits : DEFAULT_DIGITS);
    }
}

void fields_json_object(JsonWriter *w, const char *key, const Field *fields, const void *object)
{
    json_object(w, key);
    fields_json(w, fields, object);
    json_end_object(w);
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
