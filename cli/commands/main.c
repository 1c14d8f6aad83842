/* SPDX-License-Identifier: MIT
 * The program `tabia`. */
#include "cli/commands/command.h"
#include "selfplay/players/child_guard.h"

int main(int argc, char **argv)
{
    guard_main(argv);
    return cli_main(argc, argv);
}
