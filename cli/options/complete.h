/* SPDX-License-Identifier: MIT
 * Candidates for the completion scripts of shells, on standard output. */
#ifndef TABIA_CLI_OPTIONS_COMPLETE_H
#define TABIA_CLI_OPTIONS_COMPLETE_H

/* Prints "<dashes><name> TAB <help>" if that begins with `begun`. */
void complete_offer(const char *begun, const char *dashes, const char *name, const char *help);

#endif
