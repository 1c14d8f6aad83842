/* SPDX-License-Identifier: MIT
 * Fuzzes the readers of foreign features, text and binary. Every input is refused with an error, or
 * gives a consistent set. */
#include <unistd.h>

#include "tests/fuzz/support_fuzz.h"
#include "tuner/data/dataset.h"
#include "tuner/data/foreign.h"

static void check_set(const ForeignSet *set)
{
    int64_t occurrences = 0;

    for (int64_t i = 0; i < set->data->positions; i++) {
        occurrences += set->data->count[i];
        demand(set->data->game[i] >= 0 && set->data->game[i] < set->data->games);
    }
    demand(occurrences == set->data->occurrences);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[FUZZ_PATH_MAX];
    ForeignSet set;
    Error err = {0};

    fuzz_file("features", bytes, size, path);
    if (foreign_read(path, NULL, 1, &set, &err) == STATUS_OK) {
        check_set(&set);
        foreign_free(&set);
    } else {
        demand(err.text[0] != '\0');
    }
    (void)unlink(path);
    return 0;
}
