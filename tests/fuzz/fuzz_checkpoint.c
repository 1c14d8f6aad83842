/* SPDX-License-Identifier: MIT
 * Fuzzes the reader of checkpoints of a fit: the input is the file. What is accepted is written and
 * read again with the same bits. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/support_fuzz.h"
#include "tuner/fit/checkpoint.h"

enum { DIMENSIONS = 5 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double value[DIMENSIONS], again[DIMENSIONS];
    char path[FUZZ_PATH_MAX];
    bool found;
    Error err = {0};

    fuzz_file("checkpoint", data, size, path);
    if (checkpoint_read(path, "fit 1", value, DIMENSIONS, &found, &err) == STATUS_OK) {
        demand(found);
        for (int i = 0; i < DIMENSIONS; i++)
            demand(isfinite(value[i]));
        demand(checkpoint_write(path, "fit 1", value, DIMENSIONS, NULL) == STATUS_OK);
        demand(checkpoint_read(path, "fit 1", again, DIMENSIONS, &found, NULL) == STATUS_OK);
        demand(memcmp(value, again, sizeof value) == 0);
    } else {
        demand(err.status == STATUS_BAD_INPUT && strstr(err.text, path) != NULL);
    }
    (void)unlink(path);
    return 0;
}
