/* SPDX-License-Identifier: MIT
 * tabia-engine: the bare UCI program. */
#include <string.h>

#include "engine/base/version.h"
#include "engine/board/bitboard.h"
#include "engine/uci/uci.h"

static const char usage[] =
    "usage: tabia-engine [\"UCI COMMAND\"...]\n"
    "Speaks UCI on standard input and output, or obeys the commands, such as bench, and ends.\n";

/* What options are answered with; NULL for what is none. */
static const char *answer_to(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return usage;
    return strcmp(word, "--version") == 0 ? "tabia-engine " TABIA_VERSION "\n" : NULL;
}

int main(int argc, char **argv)
{
    const char *answer = argc > 1 ? answer_to(argv[1]) : NULL;

    if (answer) return fputs(answer, stdout) < 0 || fflush(stdout) != 0;
    bitboard_init();
    return uci_main(stdin, stdout, argc - 1, argv + 1);
}
