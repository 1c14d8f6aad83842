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
#include "engine/values/field.h"

/* Reads the fields of a JSON object into the struct *out that they describe: members of int64_t,
 * double, bool and char[] (cut to fit). Keys may be paths: "ptnml[0]". A double may be an integer,
 * and null is NaN. The store only lends its parser; its tables are not read. STATUS_BAD_INPUT: the
 * text is not a JSON object, or a field is absent or of another type; with `optional` the member
 * then stays as it is. */
MUST_CHECK Status json_read(Store *store, const char *object, const Field *fields, void *out,
                            bool optional, Error *err);

/* The first difference of two flat objects, as "nodes_soft 5000 instead of 1000": the value in
 * `now`, then that in `then`, "none" for a missing key. New and changed keys come first, in the
 * order of `now`, then removed ones. "" when they are equal. STATUS_BAD_INPUT when one is not a
 * JSON object. */
MUST_CHECK Status json_difference(Store *store, const char *then, const char *now, char *text,
                                  size_t size, Error *err);

#endif
