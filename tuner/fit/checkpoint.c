/* SPDX-License-Identifier: MIT
 * Writing and reading checkpoints. */
#include "tuner/fit/checkpoint.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/new_file.h"
#include "engine/base/system.h"

enum { LINE_BYTES = CHECKPOINT_IDENTITY_MAX + 32 };

static const char title[] = "tabia checkpoint 2: ";

/* No number of a state is beyond this, and sums of their products are finite. */
static const double NUMBER_MAX = 1e15;

Status checkpoint_write(const char *path, const char *identity, const double *number, int count,
                        Error *err)
{
    NewFile file;

    Status status = new_file_open(&file, path, err);
    if (status != STATUS_OK) return status;
    fprintf(file.stream, "%s%s\n", title, identity);
    for (int i = 0; i < count; i++)
        fprintf(file.stream, "%.17g\n", number[i]);
    return new_file_commit(&file, err);
}

static Status parse(FILE *in, const char *path, const char *identity, double *number, int count,
                    Error *err)
{
    char line[LINE_BYTES], *end;

    if (!fgets(line, sizeof line, in) || strncmp(line, title, strcspn(title, "2")) != 0)
        return error_set(err, STATUS_BAD_INPUT, "%s:1: not a checkpoint", path);
    if (strncmp(line, title, sizeof title - 1) != 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "%s:1: a checkpoint of another version of tabia; remove it or use another "
                         "--checkpoint",
                         path);
    line[strcspn(line, "\n")] = '\0';
    if (strcmp(line + sizeof title - 1, identity) != 0)
        return error_set(
            err, STATUS_BAD_INPUT,
            "%s: the checkpoint belongs to a fit of other positions or settings; remove it "
            "or use another --checkpoint",
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
    if (!in)
        return error_set(err, STATUS_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    Status status = parse(in, path, identity, number, count, err);
    (void)fclose(in);
    return status;
}
