/* SPDX-License-Identifier: MIT
 * Formatting text into a buffer, faster than printf. */
#ifndef TABIA_SELFPLAY_FORMATS_TEXT_OUT_H
#define TABIA_SELFPLAY_FORMATS_TEXT_OUT_H

#include <stdint.h>
#include <string.h>

/* Both return the end of the text; the caller provides enough room. */
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
