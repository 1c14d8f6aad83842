/* SPDX-License-Identifier: MIT
 * INI files as a source of option values. */
#ifndef TABIA_CLI_OPTIONS_INI_H
#define TABIA_CLI_OPTIONS_INI_H

#include "cli/options/parser.h"

/* Sets the keys of the section [command]; STATUS_BAD_INPUT, naming file and line. */
MUST_CHECK Status ini_read(OptionParser *parser, const char *path, Error *err);

#endif
