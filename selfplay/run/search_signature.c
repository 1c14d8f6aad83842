/* SPDX-License-Identifier: MIT
 * The signature alone, so that nothing else is compiled again for another one. */
#include "selfplay/run/run_config.h"

int64_t search_signature(void)
{
    return TABIA_SEARCH_SIGNATURE;
}
