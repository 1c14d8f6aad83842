/* SPDX-License-Identifier: MIT
 * Fuzzes the reader of checkpoints of a fit: the input is the file, once as it is and once with the
 * sum that it should have. What is accepted is written and read again with the same bits. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/fnv.h"
#include "tests/fuzz/support_fuzz.h"
#include "tuner/fit/checkpoint.h"

enum { DIMENSIONS = 5, SUM_BYTES = 24 };

static void read_file(const char *path)
{
    double value[DIMENSIONS], again[DIMENSIONS];
    bool found;
    Error err = {0};

    if (checkpoint_read(path, "fit 1", value, DIMENSIONS, &found, &err) == STATUS_OK) {
        demand(found);
        for (int i = 0; i < DIMENSIONS; i++)
            demand(isfinite(value[i]));
        demand(checkpoint_write(path, "fit 1", value, DIMENSIONS, &(Error){0}) == STATUS_OK);
        demand(checkpoint_read(path, "fit 1", again, DIMENSIONS, &found, &(Error){0}) == STATUS_OK);
        demand(memcmp(value, again, sizeof value) == 0);
    } else {
        demand((err.status == STATUS_BAD_INPUT || err.status == STATUS_USAGE) &&
               strstr(err.text, path) != NULL);
    }
    (void)unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX];
    char *summed = malloc(size + SUM_BYTES);

    demand(summed != NULL);
    if (size > 0) memcpy(summed, data, size);
    int more = snprintf(summed + size, SUM_BYTES, "sum %016" PRIx64 "\n",
                        fnv_add_bytes(FNV_START, summed, size));
    fuzz_file("checkpoint", data, size, path);
    read_file(path);
    fuzz_file("checkpoint", summed, size + (size_t)more, path);
    read_file(path);
    free(summed);
    return 0;
}
