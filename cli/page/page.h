/* SPDX-License-Identifier: MIT
 * The page of a database: what was learned, played and fitted, as one HTML file that needs nothing
 * else: no script, no network, no other file. */
#ifndef TABIA_CLI_PAGE_PAGE_H
#define TABIA_CLI_PAGE_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/status.h"

typedef struct PageSettings {
    const char *source;    /* a folder of `tabia learn`, or a database */
    const char *out;       /* the HTML file; replaced as a whole or not at all */
    const char *anchor;    /* "NAME" or "NAME=ELO": player with a given rating; NULL: material=0 */
    const char *reference; /* weights that the heat maps are also compared with; NULL: none */
    int refresh;           /* seconds after which a browser reads the file again; 0: never */
    const char *progress;  /* with `refresh`: how far the work is; NULL: unknown */
    bool checked;          /* the database passed store_check_values(), and since then only this
                              process added to it */
    FILE *json;            /* where an object with the numbers computed for the page goes, when it
                              is complete; NULL: nowhere */
} PageSettings;

/* A section appears when the database has what it shows. STATUS_BAD_INPUT: no such file, a database
 * without games and fits. STATUS_USAGE: an unknown anchor. */
MUST_CHECK Status page_write(const PageSettings *settings, Error *err);

#endif
