/* SPDX-License-Identifier: MIT
 * Option values as text: numbers with suffixes, times, truth values. Each parser takes the whole
 * text or returns false and leaves *out alone. */
#ifndef TABIA_ENGINE_VALUES_VALUE_H
#define TABIA_ENGINE_VALUES_VALUE_H

#include <stdbool.h>
#include <stdint.h>

bool value_parse_int(const char *text, int64_t *out); /* "-3", "1000", "10k", "5M", "2G" (1000s) */
bool value_parse_uint64(const char *text, uint64_t *out); /* decimal, no sign */
bool value_parse_double(const char *text, double *out);   /* finite */
bool value_parse_time(const char *text, int64_t *ms); /* "90", "1.5s", "10m", "2m30s", "500ms" */
/* The same as processor time: "30cm", "90cs", "1ch30cm"; every unit has its c. */
bool value_parse_core_time(const char *text, int64_t *ms);
/* "3-7", or "5" for both: whole numbers >= 0, the second not below the first. */
bool value_parse_range(const char *text, int64_t *first, int64_t *last);
bool value_parse_bool(const char *text, bool *out); /* true/false, yes/no, on/off, 1/0 */

enum { TIME_TEXT_MAX = 48 };
/* The shortest text that value_parse_time reads back: "2m30s", "500ms", "0s". */
void value_format_time(int64_t ms, char out[TIME_TEXT_MAX]);

#endif
