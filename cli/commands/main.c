/* SPDX-License-Identifier: MIT
 * The program `tabia`. */
#include "cli/commands/command.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
