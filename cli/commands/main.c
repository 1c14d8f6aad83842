/* SPDX-License-Identifier: MIT
 * The program `tabia`. */
#include <stdlib.h>

#include "cli/commands/command.h"
#include "selfplay/players/child_guard.h"

/* Threads of OpenMP that wait sleep. If they spun, as libgomp's do by default, they would keep the
 * processor from the thread that they wait for when other programs run. The library reads the
 * variable in its constructor, which has no priority. */
__attribute__((constructor(101))) static void wait_without_spinning(void)
{
    (void)setenv("OMP_WAIT_POLICY", "passive", 0);
}

int main(int argc, char **argv)
{
    guard_main(argv);
    return cli_main(argc, argv);
}
