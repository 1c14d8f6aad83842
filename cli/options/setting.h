/* SPDX-License-Identifier: MIT
 * How an option gets its value, and what help says of it. */
#ifndef TABIA_CLI_OPTIONS_SETTING_H
#define TABIA_CLI_OPTIONS_SETTING_H

#include "cli/options/options.h"

/* " (default 5)", or what else the help says of the value that the option has, or "". */
void option_default_text(const Option *option, char *out, size_t size);

/* A flag with its two spellings? */
bool option_is_flag(const Option *option);

/* Gives an option that is no list its value; text, which an OPTION_STRING keeps, is borrowed.
 * `dashes` is "--" for the command line and "" for INI keys. STATUS_USAGE with a sentence. */
MUST_CHECK Status option_set(const Option *option, const char *dashes, const char *text,
                             Error *err);

#endif
