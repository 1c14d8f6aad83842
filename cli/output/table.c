/* SPDX-License-Identifier: MIT
 * Columns that fit. */
#include "cli/output/table.h"

#include "cli/output/fields.h"

int table_width(const TableColumn *columns, int count)
{
    int width = 0;

    for (int i = 0; i < count; i++)
        width += columns[i].width;
    return width;
}

void table_fit(TableColumn *columns, int count, int width)
{
    while (width > 0 && table_width(columns, count) > width) {
        TableColumn *last = columns;
        for (int i = 0; i < count; i++)
            if (columns[i].width > 0 && columns[i].drop > last->drop) last = &columns[i];
        if (last->drop == 0) return;
        last->width = 0;
    }
}

void table_put_head(FILE *out, const TableColumn *columns, int count)
{
    for (const TableColumn *c = columns; c < columns + count; c++)
        if (c->width > 0) cell_put(out, c->left ? 2 - c->width : c->width, c->head);
    (void)fputc('\n', out);
}

void table_put_row(FILE *out, const TableColumn *columns, int count, const void *row)
{
    for (const TableColumn *c = columns; c < columns + count; c++)
        if (c->width > 0) c->put(out, c->width, row);
    (void)fputc('\n', out);
}
