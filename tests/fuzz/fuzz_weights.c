/* SPDX-License-Identifier: MIT
 * Fuzzes the reader of weights headers. Every header is refused with an error that names it, or
 * survives a round trip through its own text. */
#include <stdlib.h>
#include <string.h>

#include "engine/eval/weights_file.h"
#include "engine/eval/weights_write.h"
#include "tests/fuzz/support_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EvalWeights weights, again;
    WeightsInfo info = {0};
    Error err = {0};
    char *text = fuzz_copy(data, size);

    if (weights_parse(text, size, "input", &weights, &info, &err) == STATUS_OK) {
        demand(memchr(info.comment, '\0', sizeof info.comment) != NULL);
        char *own = weights_text(&weights, NULL);
        demand(own &&
               weights_parse(own, strlen(own), "own", &again, NULL, &(Error){0}) == STATUS_OK);
        demand(weights_equal(&weights, &again));
        free(own);
    } else {
        demand(err.status == STATUS_BAD_INPUT && strstr(err.text, "input") != NULL);
    }
    free(text);
    return 0;
}
