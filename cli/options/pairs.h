/* SPDX-License-Identifier: MIT
 * Values that are lists of key=value: "elo0=0,elo1=5,model=normalized". */
#ifndef TABIA_CLI_OPTIONS_PAIRS_H
#define TABIA_CLI_OPTIONS_PAIRS_H

#include "cli/options/options.h"

/* A SettingPairFn: `table` is a table of options whose names are the keys (const Option *). Not for
 * OPTION_STRING and OPTION_LIST, which would keep the text. STATUS_USAGE for an unknown key. */
MUST_CHECK Status options_set_pair(void *table, const char *key, const char *value, Error *err);

#endif
