/* SPDX-License-Identifier: MIT
 * Reading JSON objects with SQLite's parser. It is linked already, is fuzzed by its authors, and
 * reads the same columns in our views and queries. cJSON or jansson would be one more dependency
 * for small objects; cJSON also stores numbers as doubles, which truncates 64-bit integers. Writing
 * is engine/base/json.h. */
#ifndef TABIA_DB_STORE_JSON_READ_H
#define TABIA_DB_STORE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "db/store/connection.h"

typedef enum JsonKind {
    JSON_INT,    /* int64_t; a number with a point or an exponent is another type */
    JSON_DOUBLE, /* double, exact; also from an integer */
    JSON_BOOL,   /* bool */
    JSON_TEXT    /* char[size], cut to fit */
} JsonKind;

typedef struct JsonField {
    const char *path; /* "games"; of an element "ptnml[0]" */
    JsonKind kind;
    void *out;
    size_t size;   /* of a text */
    bool optional; /* *out stays as it is when the field is absent, null or of another type */
} JsonField;

/* Reads the fields of a JSON object. The store only lends its parser; its tables are not read.
 * STATUS_BAD_INPUT: the text is not a JSON object, or lacks a field that is not optional. */
MUST_CHECK Status json_read(Store *store, const char *object, const JsonField *fields, int count,
                            Error *err);

/* The first difference of two flat objects, as "nodes_soft 5000 instead of 1000": the value in
 * `now`, then that in `then`, "none" for a missing key. New and changed keys come first, in the
 * order of `now`, then removed ones. "" when they are equal. STATUS_BAD_INPUT when one is not a
 * JSON object. */
MUST_CHECK Status json_difference(Store *store, const char *then, const char *now, char *text,
                                  size_t size, Error *err);

#endif
