/* SPDX-License-Identifier: MIT
 * Names and their numbers, in order of first appearance. */
#ifndef TABIA_ENGINE_BASE_NAME_TABLE_H
#define TABIA_ENGINE_BASE_NAME_TABLE_H

#include <stdbool.h>

#include "engine/base/status.h"

typedef struct NameTable {
    char **names; /* [room], at the slots of a hash; owned */
    int *numbers; /* [room] */
    int room, count;
} NameTable; /* zero is an empty one */

/* The number of a name, from 0; *added tells whether it is new. */
MUST_CHECK Status name_table_number(NameTable *table, const char *name, int *number, bool *added,
                                    Error *err);
void name_table_free(NameTable *table);

#endif
