/* SPDX-License-Identifier: MIT
 * Tables that leave out columns where a terminal is narrow. */
#ifndef TABIA_CLI_OUTPUT_TABLE_H
#define TABIA_CLI_OUTPUT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

/* A column. `width` includes the blanks before it; 0: left out. Of a table that is too wide, the
 * columns with the greatest `drop` are left out; 0 stays. */
typedef struct TableColumn {
    const char *head;
    int width, drop;
    void (*put)(FILE *out, int width, const void *row); /* prints a cell with cell_put() */
    bool left; /* the head is at the left, two blanks after the column before */
} TableColumn;

int table_width(const TableColumn *columns, int count);

/* Leaves out columns until the table has at most `width`; 0: any. */
void table_fit(TableColumn *columns, int count, int width);

void table_put_head(FILE *out, const TableColumn *columns, int count);
void table_put_row(FILE *out, const TableColumn *columns, int count, const void *row);

#endif
