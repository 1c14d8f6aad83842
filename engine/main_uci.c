/* SPDX-License-Identifier: MIT
 * tabia-engine: the bare UCI program. */
#include "engine/engine.h"
#include "engine/uci.h"

int main(int argc, char **argv)
{
    engine_init();
    return uci_main(stdin, stdout, argc - 1, argv + 1);
}
