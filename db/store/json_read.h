/* SPDX-License-Identifier: MIT
 * Reading JSON objects with SQLite's parser, which is linked already, is fuzzed by its authors and
 * has read these same columns in our views and queries all along. cJSON and jansson would each be
 * one more dependency for two kinds of small object. cJSON also keeps every number as a double,
 * which cuts 64-bit integers. Writing is engine/base/json.h. */
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

/* Reads the fields of a JSON object. Any store will do, for its tables are not looked at.
 * STATUS_BAD_INPUT: the text is no JSON object, or lacks a field that is not optional. */
MUST_CHECK Status json_read(Store *store, const char *object, const JsonField *fields, int count,
                            Error *err);

/* The first entry in which two flat objects differ, as "nodes_soft 5000 instead of 1000" (now
 * instead of then; "none" where there is no such key): new and changed ones in the order of `now`,
 * then those that are gone. "" when there is none. STATUS_BAD_INPUT when one is no JSON object. */
MUST_CHECK Status json_difference(Store *store, const char *then, const char *now, char *text,
                                  size_t size, Error *err);

#endif
