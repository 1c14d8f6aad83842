/* SPDX-License-Identifier: MIT
 * Fuzzes the readers of an xboard engine's lines: features, options and thinking output. The
 * adapter prints complete lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/xboard/features.h"
#include "cli/xboard/messages.h"
#include "engine/notation/fen.h"
#include "tests/fuzz/support_fuzz.h"

/* A line of thinking output becomes one line of UCI. */
static void check_thinking(const char *line)
{
    XboardThinking thinking;
    Position pos;
    char *text = NULL;
    size_t size;

    if (!xboard_read_thinking(line, &thinking)) return;
    position_set_start(&pos);
    FILE *out = open_memstream(&text, &size);
    demand(out != NULL);
    xboard_print_info(out, &thinking, &pos, true);
    (void)fclose(out);
    demand(size > 0 && strchr(text, '\n') == text + size - 1);
    free(text);
}

static void check_features(XboardFeatures *features, const char *line, FILE *out)
{
    xboard_features_read(features, line, out);
    xboard_features_print(features, out);
    for (int i = 0; i < features->option_count; i++)
        (void)!xboard_features_set(features, features->options[i].name, line, out);
    demand(!ferror(out));
    rewind(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    XboardFeatures features;
    char *text = NULL, *copy = malloc(size + 1), *state;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    demand(copy && out);
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    xboard_features_init(&features);
    for (char *line = strtok_r(copy, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
        check_features(&features, line, out);
        check_thinking(line);
    }
    (void)fclose(out);
    xboard_features_free(&features);
    free(text);
    free(copy);
    return 0;
}
