/* SPDX-License-Identifier: MIT
 * Writing one JSON value, piece by piece: the writer puts commas and quotes. Reading is
 * db/store/json_read.h. */
#ifndef TABIA_ENGINE_BASE_JSON_H
#define TABIA_ENGINE_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/base/status.h"
#include "engine/base/text.h"

typedef struct JsonWriter {
    FILE *out;       /* NULL: json_begin_text() got no memory, and nothing is written */
    bool compact;    /* no spaces; bytes as run configurations have them, which are hashed */
    bool comma;      /* before the next element */
    TextStream text; /* of json_begin_text() */
} JsonWriter;

/* An object on a line of its own. Another value than an object: start from {.out = out}. */
void json_begin(JsonWriter *w, FILE *out);
void json_finish(JsonWriter *w);

/* An object in memory; do not move *w meanwhile. json_finish_text() reports lost text; *text is
 * malloc'ed. */
void json_begin_text(JsonWriter *w, bool compact);
MUST_CHECK Status json_finish_text(JsonWriter *w, char **text, Error *err);

/* key is NULL inside arrays and at the top. Text is UTF-8; bytes that are not become U+FFFD (in
 * compact style they stay). Write errors stay in the stream: look at ferror(out) at the end. */
void json_object(JsonWriter *w, const char *key);
void json_end_object(JsonWriter *w);
void json_array(JsonWriter *w, const char *key);
void json_end_array(JsonWriter *w);
void json_ints(JsonWriter *w, const char *key, const int64_t *values, int count); /* an array */
void json_string(JsonWriter *w, const char *key, const char *value); /* NULL becomes null */
void json_int(JsonWriter *w, const char *key, int64_t value);
void json_uint(JsonWriter *w, const char *key, uint64_t value);
void json_bool(JsonWriter *w, const char *key, bool value);
/* `digits` significant digits, 17 for exact; NaN and infinities become null. */
void json_double(JsonWriter *w, const char *key, double value, int digits);

#endif
