/* SPDX-License-Identifier: MIT
 * Writing one JSON value to a stream, piece by piece (the writer puts commas and quotes), and
 * reading back the objects that it wrote. */
#ifndef TABIA_CLI_OUTPUT_JSON_H
#define TABIA_CLI_OUTPUT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct JsonWriter {
    FILE *out;
    int depth;  /* objects and arrays open */
    bool first; /* no comma before the next element */
} JsonWriter;

void json_begin(JsonWriter *w, FILE *out);
/* key is NULL inside arrays and at the top. Text is UTF-8; bytes that are not become U+FFFD. Write
 * errors stay in the stream: look at ferror(out) at the end. */
void json_object(JsonWriter *w, const char *key);
void json_end_object(JsonWriter *w);
void json_array(JsonWriter *w, const char *key);
void json_end_array(JsonWriter *w);
void json_string(JsonWriter *w, const char *key, const char *value); /* NULL becomes null */
void json_int(JsonWriter *w, const char *key, int64_t value);
void json_uint(JsonWriter *w, const char *key, uint64_t value);
void json_bool(JsonWriter *w, const char *key, bool value);
/* `digits` significant digits, 17 for exact; NaN and infinities become null. */
void json_double(JsonWriter *w, const char *key, double value, int digits);
/* A newline at the end of the top value. */
void json_finish(JsonWriter *w);

/* ---- Reading: the value of a key at the top of an object that was written as above (well-formed;
 * keys without escapes). false, and the outputs unchanged, when the key is absent, null or of
 * another type. */
bool json_get_int(const char *object, const char *key, int64_t *value);
bool json_get_double(const char *object, const char *key, double *value);
bool json_get_bool(const char *object, const char *key, bool *value);
/* Cut to fit; escapes other than \" and \\ are kept as they stand. */
bool json_get_string(const char *object, const char *key, char *out, size_t size);
/* An array of exactly `count` integers. */
bool json_get_ints(const char *object, const char *key, int64_t *values, int count);

#endif
