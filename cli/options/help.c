/* SPDX-License-Identifier: MIT
 * Help texts, which popt lays out: for a command of many options those that most runs need, or all
 * under their headings. */
#include <assert.h>
#include <popt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/parser.h"

enum { SHORT_HELP_ABOVE = 30 /* options */, TABLES_MAX = 16 };

/* popt's rows of a page, and the tables that include them under a title. */
typedef struct HelpPage {
    struct poptOption *rows, *tables;
    int row_count, table_count;
    char titles[TABLES_MAX][SETTING_WORD_MAX];
} HelpPage;

static void begin_table(HelpPage *page, const char *title)
{
    char *text = page->titles[page->table_count];

    assert(page->table_count < TABLES_MAX);
    (void)snprintf(text, sizeof page->titles[0], "%s:", title);
    if (page->row_count > 0) page->row_count++; /* the end of the table before */
    page->tables[page->table_count++] = (struct poptOption){
        NULL, '\0', POPT_ARG_INCLUDE_TABLE, &page->rows[page->row_count], 0, text, NULL};
}

static void add_row(HelpPage *page, const char *name, char letter, const char *argument,
                    const char *help)
{
    page->rows[page->row_count++] = (struct poptOption){
        name, letter, argument ? POPT_ARG_STRING : POPT_ARG_NONE, NULL, 0, help, argument};
}

static void add_entry(HelpPage *page, const Entry *e)
{
    add_row(page, e->row.name, '\0', setting_is_flag(&e->row) ? NULL : e->row.argument, e->help);
}

/* The entries from that number on. Headings come in the order of their first options, which may
 * stand apart. */
static void add_groups(HelpPage *page, const OptionParser *p, int from)
{
    for (int i = from; i < p->count; i++) {
        if (parser_group(p, i) < i) continue;
        begin_table(page, p->entries[i].heading);
        for (int j = i; j < p->count; j++)
            if (parser_group(p, j) == i) add_entry(page, &p->entries[j]);
    }
}

static int add_first(HelpPage *page, const OptionParser *p)
{
    int count = 0;

    begin_table(page, "Options that most runs need");
    for (int i = 0; i < p->own_count; i++) {
        if (!p->entries[i].row.first && !p->entries[i].row.required) continue;
        add_entry(page, &p->entries[i]);
        count++;
    }
    return count;
}

/* Below the options of every command. */
static void add_answers(HelpPage *page, const OptionParser *p)
{
    if (p->own_count == p->count) begin_table(page, common_settings->heading);
    add_row(page, "help", 'h', NULL, "this text; --help=all: all options");
    add_row(page, "version", '\0', NULL, "the version");
}

static bool print_page(const OptionParser *p, const HelpPage *page)
{
    const char *words[] = {p->title, NULL};
    poptContext context = poptGetContext("tabia", 1, words, page->tables, 0);

    if (!context) return false;
    if (*p->synopsis) poptSetOtherOptionHelp(context, p->synopsis);
    poptPrintHelp(context, stdout, 0);
    (void)poptFreeContext(context);
    return true;
}

Status parser_print_help(const OptionParser *p, bool all, Error *err)
{
    size_t rows = (size_t)p->count + 2 + TABLES_MAX; /* an end for each table */
    HelpPage page = {.rows = calloc(rows, sizeof *page.rows),
                     .tables = calloc(TABLES_MAX + 1, sizeof *page.tables)};
    bool left = false; /* options that are not printed */
    bool made = page.rows && page.tables;

    if (made) {
        bool whole = all || p->own_count <= SHORT_HELP_ABOVE;
        if (!whole) left = p->own_count > add_first(&page, p);
        add_groups(&page, p, whole ? 0 : p->own_count);
        add_answers(&page, p);
        if (p->description) printf("%s\n\n", p->description);
        made = print_page(p, &page);
    }
    if (made && left) printf("\nMore options: tabia %s --help=all\n", p->spec->command);
    if (made && p->epilogue && *p->epilogue) printf("\n%s\n", p->epilogue);
    free(page.rows);
    free(page.tables);
    return made ? STATUS_OK : error_set(err, STATUS_FAILED, "out of memory");
}
