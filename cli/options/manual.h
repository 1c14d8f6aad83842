/* SPDX-License-Identifier: MIT
 * Manual pages (mdoc) from the texts of the help. Everything goes to standard output. */
#ifndef TABIA_CLI_OPTIONS_MANUAL_H
#define TABIA_CLI_OPTIONS_MANUAL_H

/* The head of the page and its section NAME. */
void manual_begin(const char *name, const char *summary);

/* A help text. Indented lines become a literal block, "Example:" or "Examples:" a section. */
void manual_text(const char *text);

#endif
