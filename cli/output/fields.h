/* SPDX-License-Identifier: MIT
 * Tables of fields: each figure of a result is described once, and printed as text and as JSON from
 * that description. */
#ifndef TABIA_CLI_OUTPUT_FIELDS_H
#define TABIA_CLI_OUTPUT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/json.h"

typedef enum FieldKind {
    FIELD_END, /* ends a table */
    FIELD_INT,
    FIELD_INT64,
    FIELD_UINT64,
    FIELD_DOUBLE,
    FIELD_BOOL,
    FIELD_ARRAY, /* char[] */
    FIELD_STRING /* const char *; NULL is null in JSON */
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
    int width;         /* of a table's column, as in cell_put() */
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
        const char *: FIELD_STRING)

/* Keys and values into the open object. */
void fields_json(JsonWriter *w, const Field *fields, const void *object);
/* An array of such objects, `count` of `size` bytes. */
void fields_json_array(JsonWriter *w, const char *key, const Field *fields, const void *objects,
                       size_t size, int count);
/* The whole object on a line of its own. */
void fields_json_line(FILE *out, const Field *fields, const void *object);

/* "12 games, 345 plies": each value and its label. */
void fields_sentence(FILE *out, const Field *fields, const void *object);
/* To standard output: the JSON line, or a line of "head: " and the sentence. */
void fields_print(bool json, const char *head, const Field *fields, const void *object);
/* A line for each field: its label, then its value in an aligned column. */
void fields_list(FILE *out, const Field *fields, const void *object);
/* Such a list with a column for each of `count` objects of `size` bytes, below their heads. A value
 * that is the same in all of them stands in the first column alone. */
void fields_columns(FILE *out, const Field *fields, const char *const *heads, const void *objects,
                    size_t size, int count);
/* A table: the labels, and the values of a row below them; each with a newline. */
void fields_header(FILE *out, const Field *fields);
void fields_row(FILE *out, const Field *fields, const void *object);

/* The value of an integer or a double; false for other kinds, which have none. */
bool fields_number(const Field *field, const void *object, double *number);
/* Sets it, of such a kind. */
void fields_set_number(const Field *field, void *object, double number);

/* Characters of a UTF-8 text. */
int text_columns(const char *text);
/* Words between blanks, in lines of at most so many columns (0: one line), the second and later
 * ones indented. Returns the columns of the last line, which is left open. */
int text_wrap(FILE *out, int indent, int columns, const char *text);

/* Text in `width` characters, right-aligned. A negative width: two spaces, then left-aligned and
 * cut off. */
void cell_put(FILE *out, int width, const char *text);
/* A number with these decimals, and its sign when `sign`; "–" for NaN and infinities. */
void cell_put_double(FILE *out, int width, double value, int decimals, bool sign);
void cell_put_int(FILE *out, int width, int64_t value);

#endif
