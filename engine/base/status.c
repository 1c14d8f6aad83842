/* SPDX-License-Identifier: MIT
 * Setting and prefixing the text of an Error. */
#include "engine/base/status.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/text.h"

Status error_set(Error *err, Status status, const char *format, ...)
{
    va_list args;

    assert(err);
    err->status = status;
    err->damage = false;
    va_start(args, format);
    (void)vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    text_clean(err->text);
    return status;
}

Status error_prefix(Error *err, const char *format, ...)
{
    char old[ERROR_TEXT_MAX];
    va_list args;

    memcpy(old, err->text, sizeof old);
    va_start(args, format);
    int n = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof err->text)
        (void)snprintf(err->text + n, sizeof err->text - (size_t)n, ": %s", old);
    text_clean(err->text);
    return err->status;
}

void fault_count_add(FaultCount *faults, int64_t count, const Error *first)
{
    if (faults->count == 0 && count > 0) faults->first = *first;
    faults->count += count;
}
