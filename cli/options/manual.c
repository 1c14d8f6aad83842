/* SPDX-License-Identifier: MIT
 * Manual pages from option tables and help texts. Source: mdoc(7). */
#include "cli/options/parser.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/version.h"

enum { LINE_LENGTH = 66 /* bytes after which a line of prose is broken */ };

/* One line of text; of prose, each sentence begins a new line. */
static void print_line(const char *line, int length, bool prose)
{
    const char *begin = line;

    for (const char *c = line; c < line + length; c++) {
        if (c == begin && (*c == '.' || *c == '\'')) (void)fputs("\\&", stdout);
        if (prose && *c == ' ' && c > begin && (strchr(".!?", c[-1]) || c - begin >= LINE_LENGTH)) {
            (void)putchar('\n');
            begin = c + 1;
        } else if (*c == '\\') {
            (void)fputs("\\e", stdout);
        } else if (*c == '-') {
            (void)fputs("\\-", stdout);
        } else {
            (void)putchar(*c);
        }
    }
    (void)putchar('\n');
}

void manual_begin(const char *name, const char *summary)
{
    printf(".Dd %s\n.Dt ", TABIA_VERSION_DATE);
    for (const char *c = name; *c; c++)
        (void)putchar(toupper((unsigned char)*c));
    printf(" 1\n.Os Tabia %s\n.Sh NAME\n.Nm %s\n.Nd ", TABIA_VERSION, name);
    print_line(summary, (int)strlen(summary), false);
}

/* With `gap`, prose begins a paragraph. */
static void print_text(const char *text, bool gap)
{
    static const char example[] = "Example";
    bool literal = false;

    for (int length; *text; text += length + (text[length] == '\n')) {
        length = (int)strcspn(text, "\n");
        bool indented = *text == ' ';
        if (literal && !indented) printf(".Ed\n");
        if (strncmp(text, example, strlen(example)) == 0) {
            int title = (int)strcspn(text, ":") + 1;
            printf(".Sh EXAMPLES\n");
            length = length == title ? length : title;
            literal = gap = false;
            continue;
        }
        if (gap && !indented) printf(".Pp\n");
        if (indented && !literal) printf(".Bd -literal -offset indent\n");
        gap = length == 0;
        literal = indented;
        if (length > 0) print_line(text, length, !literal);
    }
    if (literal) printf(".Ed\n");
}

void manual_text(const char *text)
{
    print_text(text, false);
}

static void print_option(const char *name, const char *argument, const char *help)
{
    printf(".It Fl \\-");
    for (const char *c = name; *c; c++)
        printf(*c == '-' ? "\\-" : "%c", *c);
    if (argument) printf(" Ns = Ns Ar \\&%s", argument);
    (void)putchar('\n');
    print_line(help, (int)strlen(help), true);
}

/* A section for each heading. */
static void print_options(const OptionParser *p)
{
    printf(".Sh OPTIONS\n");
    for (int i = 0; i < p->count; i++) {
        if (parser_group(p, i) < i) continue;
        printf(".Ss %s\n.Bl -tag -width Ds\n", p->entries[i].heading);
        for (int j = i; j < p->count; j++) {
            const Entry *e = &p->entries[j];
            if (parser_group(p, j) == i) print_option(e->row.name, e->row.argument, e->help);
        }
        printf(".El\n");
    }
}

void parser_print_manual(const OptionParser *p)
{
    char name[64];

    if (p->page) {
        (void)snprintf(name, sizeof name, "tabia-%s-%s", p->spec->command, p->page->name);
        manual_begin(name, p->page->summary);
    }
    printf(".Sh SYNOPSIS\n.Nm tabia\n.Cm %s\n", p->title + strlen("tabia "));
    if (*p->synopsis) print_line(p->synopsis, (int)strlen(p->synopsis), false);
    printf(".Sh DESCRIPTION\n");
    if (p->description) manual_text(p->description);
    print_options(p);
    if (p->epilogue && *p->epilogue) print_text(p->epilogue, true);
    printf(".Sh SEE ALSO\n.Xr tabia 1");
    if (p->page) printf(" ,\n.Xr tabia\\-%s 1", p->spec->command);
    (void)putchar('\n');
}
