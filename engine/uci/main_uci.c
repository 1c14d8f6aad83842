/* SPDX-License-Identifier: MIT
 * tabia-engine: the bare UCI program. */
#include <string.h>

#include "engine/base/version.h"
#include "engine/board/bitboard.h"
#include "engine/uci/uci.h"

static const char usage[] =
    "usage: tabia-engine [\"UCI COMMAND\"...]\n"
    "A UCI chess engine on standard input and output. With commands, such as bench, it runs these\n"
    "and ends.\n";

/* The output of an option; NULL for any other word. */
static const char *text_of(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return usage;
    return strcmp(word, "--version") == 0 ? "tabia-engine " TABIA_VERSION "\n" : NULL;
}

int main(int argc, char **argv)
{
    const char *text = argc > 1 ? text_of(argv[1]) : NULL;

    if (text) return fputs(text, stdout) < 0 || fflush(stdout) != 0;
    bitboard_init();
    return uci_main(stdin, stdout, argc - 1, argv + 1);
}
