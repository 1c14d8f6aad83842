/* SPDX-License-Identifier: MIT
 * Text put together in a buffer, where printf's formats would take most of the time. */
#ifndef TABIA_SELFPLAY_FORMATS_TEXT_OUT_H
#define TABIA_SELFPLAY_FORMATS_TEXT_OUT_H

#include <stdint.h>
#include <string.h>

/* Both return where the text ends; the buffer is the caller's care. */
static inline char *put_text(char *out, const char *text)
{
    size_t length = strlen(text);
    memcpy(out, text, length + 1);
    return out + length;
}

static inline char *put_int(char *out, int64_t value)
{
    char digits[20];
    int count = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    if (value < 0) *out++ = '-';
    do
        digits[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    while (count > 0)
        *out++ = digits[--count];
    *out = '\0';
    return out;
}

#endif
