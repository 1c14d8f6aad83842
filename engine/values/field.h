/* SPDX-License-Identifier: MIT
 * Tables of fields: each figure of a result is described once, as a member of a struct. JSON is
 * written here from that description, text by cli/output/fields.h. */
#ifndef TABIA_ENGINE_VALUES_FIELD_H
#define TABIA_ENGINE_VALUES_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/json.h"

/* A setting that may be given several times. */
typedef struct TextList {
    int count;
    const char **items;
} TextList;

typedef enum FieldKind {
    FIELD_END, /* ends a table */
    FIELD_INT,
    FIELD_INT64,
    FIELD_UINT64,
    FIELD_DOUBLE,
    FIELD_BOOL,
    FIELD_ARRAY,  /* char[] */
    FIELD_STRING, /* const char *; NULL is null in JSON */
    /* Of settings alone */
    FIELD_ENUM,
    FIELD_LIST, /* TextList */
    FIELD_OTHER /* a struct, or what functions of the row read and write */
} FieldKind;

/* Treatment of 0, false, NaN, NULL and "" (left out: of text and JSON). Tables show them always. */
typedef enum FieldZero { ZERO_SHOWN, ZERO_NOT_IN_TEXT, ZERO_LEFT_OUT } FieldZero;

typedef struct Field {
    const char *key; /* in JSON; NULL: only in text */
    FieldKind kind;  /* kind, offset and size by FIELD() */
    size_t offset, size;
    const char *label; /* in text; NULL: only in JSON */
    int digits;        /* significant digits of a double in JSON; 0: 6 */
    int decimals;      /* digits after the point of a double in text */
    double scale;      /* text shows a double times this; 0: 1 */
    bool sign;         /* text shows a double's sign, + too */
    int width;         /* of a table's column, as in cell_put() */
    int drop;          /* a table that is too wide loses its greatest first; 0 stays */
    FieldZero zero;
} Field;

/* {"games", FIELD(Counts, games), .label = "games"} */
#define FIELD(type, member)                                                                        \
    .kind = FIELD_KIND(((type *)0)->member), .offset = offsetof(type, member),                     \
    .size = sizeof((type *)0)->member
#define FIELD_KIND(value)                                                                          \
    _Generic((value),                                                                              \
        int: FIELD_INT,                                                                            \
        long: FIELD_INT64,                                                                         \
        long long: FIELD_INT64,                                                                    \
        unsigned long: FIELD_UINT64,                                                               \
        unsigned long long: FIELD_UINT64,                                                          \
        double: FIELD_DOUBLE,                                                                      \
        bool: FIELD_BOOL,                                                                          \
        char *: FIELD_ARRAY,                                                                       \
        const char *: FIELD_STRING,                                                                \
        unsigned int: FIELD_ENUM,                                                                  \
        TextList: FIELD_LIST,                                                                      \
        default: FIELD_OTHER)

/* The value of a field: one of the three, by its kind. */
typedef struct FieldValue {
    int64_t integer; /* the bits of a uint64_t too */
    double number;
    const char *string;
} FieldValue;

FieldValue field_value(const Field *field, const void *object);
/* 0, false, NaN, NULL or "". */
bool field_value_is_zero(FieldValue value);

/* The number at a member of this kind: of integers, doubles, bools and enums; 0 for other kinds. */
double field_number(FieldKind kind, const void *member);
/* Sets it; for all but doubles it is whole. */
void field_set_number(FieldKind kind, void *member, double number);

/* A member as a JSON value; `digits` are those of a double. */
void field_json(JsonWriter *w, const char *key, FieldKind kind, const void *member, int digits);

/* Keys and values into the open object. */
void fields_json(JsonWriter *w, const Field *fields, const void *object);
/* The same as an object of their own. */
void fields_json_object(JsonWriter *w, const char *key, const Field *fields, const void *object);
/* An array of such objects, `count` of `size` bytes. */
void fields_json_array(JsonWriter *w, const char *key, const Field *fields, const void *objects,
                       size_t size, int count);
/* The whole object on a line of its own. */
void fields_json_line(FILE *out, const Field *fields, const void *object);

#endif
