/* SPDX-License-Identifier: MIT
 * Making the library ready. */
#include "engine/engine.h"

#include "engine/bitboard.h"

void engine_init(void)
{
    bitboard_init();
}
