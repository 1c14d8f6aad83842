/* SPDX-License-Identifier: MIT
 * Helpers of the fuzz targets. */
#include "tests/fuzz/support_fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/board/bitboard.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    bitboard_init();
    return 0;
}

void demand(bool condition)
{
    if (!condition) abort();
}

char *fuzz_copy(const void *data, size_t size)
{
    char *copy = malloc(size + 1);

    demand(copy != NULL);
    if (size > 0) memcpy(copy, data, size);
    copy[size] = '\0';
    return copy;
}

void fuzz_file(const char *name, const void *data, size_t size, char path[FUZZ_PATH_MAX])
{
    (void)snprintf(path, FUZZ_PATH_MAX, "/tmp/tabia-fuzz-%.20s-%ld", name, (long)getpid());
    FILE *f = fopen(path, "wb");
    demand(f && fwrite(data, 1, size, f) == size && fclose(f) == 0);
}
