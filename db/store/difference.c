/* SPDX-License-Identifier: MIT
 * Differences of texts; compiled into the SQLite extension, too. */
#include "db/store/difference.h"

#include <sqlite3ext.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "db/store/store.h"
#include "engine/base/byte_order.h"

SQLITE_EXTENSION_INIT3

enum { LENGTH_BYTES = 4, SHARE = 4 /* of a text: a difference of more than 1 / SHARE is none */ };

/* bytes[size] += sign * base[base_size], aligned at their ends. */
static void add_base(uint8_t *bytes, size_t size, const char *base, size_t base_size, int sign)
{
    size_t common = size < base_size ? size : base_size;

    bytes += size - common;
    base += base_size - common;
    for (size_t i = 0; i < common; i++)
        bytes[i] = (uint8_t)(bytes[i] + sign * (uint8_t)base[i]);
}

uint8_t *text_difference(const char *text, const char *base, size_t *size)
{
    size_t length = strlen(text);
    uLongf room = (uLongf)(length / SHARE);
    uint8_t *bytes = (uint8_t *)strdup(text), *difference = malloc(LENGTH_BYTES + room);
    int code = Z_MEM_ERROR;

    if (bytes && difference && length <= STORE_VALUE_MAX) {
        add_base(bytes, length, base, strlen(base), -1);
        put_le(difference, length, LENGTH_BYTES);
        code = compress(difference + LENGTH_BYTES, &room, bytes, (uLong)length);
    }
    free(bytes);
    *size = LENGTH_BYTES + room;
    if (code == Z_OK) return difference;
    free(difference);
    return NULL;
}

/* The text, malloc'ed, without a NUL inside; NULL when the difference is none, or memory is short.
 */
static char *restore_text(const uint8_t *difference, size_t size, const char *base,
                          size_t base_size)
{
    uint64_t length = size < LENGTH_BYTES ? STORE_VALUE_MAX + 1 : get_le(difference, LENGTH_BYTES);
    uLongf filled = (uLongf)length;

    uint8_t *bytes = length <= STORE_VALUE_MAX ? malloc((size_t)length + 1) : NULL;
    if (bytes &&
        uncompress(bytes, &filled, difference + LENGTH_BYTES, (uLong)(size - LENGTH_BYTES)) ==
            Z_OK &&
        filled == length) {
        add_base(bytes, (size_t)length, base, base_size, 1);
        bytes[length] = '\0';
        if (strlen((char *)bytes) == length) return (char *)bytes;
    }
    free(bytes);
    return NULL;
}

static void sql_weights_text(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    if (sqlite3_value_type(values[2]) == SQLITE_NULL) {
        sqlite3_result_value(context, values[0]);
        return;
    }
    const uint8_t *difference = sqlite3_value_blob(values[2]);
    const char *base = (const char *)sqlite3_value_text(values[1]);
    char *text = difference && base && sqlite3_value_bytes(values[0]) == 0
                     ? restore_text(difference, (size_t)sqlite3_value_bytes(values[2]), base,
                                    (size_t)sqlite3_value_bytes(values[1]))
                     : NULL;
    if (text) {
        sqlite3_result_text(context, text, -1, free);
        return;
    }
    sqlite3_result_error(context, "the difference of weights to others cannot be read", -1);
    sqlite3_result_error_code(context, SQLITE_CORRUPT);
}

int difference_register(sqlite3 *db)
{
    return sqlite3_create_function(db, "weights_text", 3,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
                                   sql_weights_text, NULL, NULL);
}
