/* SPDX-License-Identifier: MIT
 * Writing and reading checkpoints. */
#include "tuner/fit/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/fnv.h"
#include "engine/base/new_file.h"
#include "engine/base/system.h"

enum { LINE_BYTES = CHECKPOINT_IDENTITY_MAX + 32 };

#define SUM_FORMAT "sum %016" PRIx64 "\n"

static const char title[] = "tabia checkpoint 4: ";

/* No number of a state is beyond this, and sums of their products are finite. */
static const double NUMBER_MAX = 1e15;

static uint64_t add_line(uint64_t sum, const char *line)
{
    return fnv_add_bytes(sum, line, strlen(line));
}

Status checkpoint_write(const char *path, const char *identity, const double *number, int count,
                        Error *err)
{
    char line[LINE_BYTES];
    uint64_t sum = FNV_START;
    NewFile file;

    Status status = new_file_open(&file, path, err);
    if (status != STATUS_OK) return status;
    for (int i = -1; i < count; i++) {
        if (i < 0)
            (void)snprintf(line, sizeof line, "%s%s\n", title, identity);
        else
            (void)snprintf(line, sizeof line, "%.17g\n", number[i]);
        sum = add_line(sum, line);
        fputs(line, file.stream);
    }
    fprintf(file.stream, SUM_FORMAT, sum);
    return new_file_commit(&file, err);
}

/* Reads to the end: is the last line the sum of those before it? */
static bool has_its_sum(FILE *in)
{
    char line[LINE_BYTES] = "", next[LINE_BYTES], wanted[LINE_BYTES];
    uint64_t sum = FNV_START;

    while (fgets(next, sizeof next, in)) {
        sum = add_line(sum, line);
        memcpy(line, next, sizeof line);
    }
    (void)snprintf(wanted, sizeof wanted, SUM_FORMAT, sum);
    return strcmp(line, wanted) == 0;
}

static Status parse(FILE *in, const char *path, const char *identity, double *number, int count,
                    Error *err)
{
    char line[LINE_BYTES], *end;

    if (!fgets(line, sizeof line, in) || strncmp(line, title, strcspn(title, "0123456789")) != 0)
        return error_set(err, STATUS_BAD_INPUT, "%s:1: not a checkpoint", path);
    if (strncmp(line, title, sizeof title - 1) != 0)
        return error_set(
            err, STATUS_BAD_INPUT,
            "%s:1: a checkpoint of another version of tabia; remove it or use another --checkpoint",
            path);
    long numbers = ftell(in);
    rewind(in);
    if (!has_its_sum(in))
        return error_set(
            err, STATUS_BAD_INPUT,
            "%s: the checkpoint is damaged: its sum is another; remove it or use another --checkpoint",
            path);
    line[strcspn(line, "\n")] = '\0';
    if (strcmp(line + sizeof title - 1, identity) != 0 || fseek(in, numbers, SEEK_SET) != 0)
        return error_set(
            err, STATUS_USAGE,
            "%s: the checkpoint belongs to a fit of other positions or settings; remove it or use another --checkpoint",
            path);
    for (int i = 0; i < count; i++) {
        if (!fgets(line, sizeof line, in))
            return error_set(err, STATUS_BAD_INPUT, "%s:%d: cut off", path, i + 2);
        number[i] = strtod(line, &end);
        if (end == line || *end != '\n' || !(fabs(number[i]) <= NUMBER_MAX))
            return error_set(err, STATUS_BAD_INPUT, "%s:%d: not a number of a fit", path, i + 2);
    }
    return STATUS_OK;
}

Status checkpoint_read(const char *path, const char *identity, double *number, int count,
                       bool *found, Error *err)
{
    system_may_wait_for(path);
    FILE *in = fopen(path, "r");

    *found = in != NULL;
    if (!in && errno == ENOENT) return STATUS_OK;
    Status status =
        in ? parse(in, path, identity, number, count, err)
           : error_set(err, STATUS_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (in) (void)fclose(in);
    return status != STATUS_OK && system_must_end() ? system_check_end(err) : status;
}
