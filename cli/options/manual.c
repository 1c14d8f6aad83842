/* SPDX-License-Identifier: MIT
 * Manual pages from option tables and help texts. Source: mdoc(7). */
#include "cli/options/parser.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/version.h"

enum {
    LINE_LENGTH = 66,   /* bytes after which a line of prose is broken */
    COMMAND_LENGTH = 66 /* bytes of a command line that fit 80 columns, with those before it */
};

/* A text without newlines; of prose, each sentence begins a new line. */
static void print_part(const char *line, int length, bool prose)
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
}

static void print_line(const char *line, int length, bool prose)
{
    print_part(line, length, prose);
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

/* A command line, with a backslash before an option that would be too far right. */
static void print_command(const char *line, int length)
{
    while (length > COMMAND_LENGTH) {
        int cut = COMMAND_LENGTH - 2;
        while (cut > 0 && strncmp(line + cut, " --", 3) != 0)
            cut--;
        if (cut == 0) break;
        print_part(line, cut, false);
        printf(" \\e\n     ");
        line += cut;
        length -= cut;
    }
    print_line(line, length, false);
}

/* The two blanks or more between a word and its meaning; NULL: the line has none. */
static const char *find_gap(const char *line, int length)
{
    const char *c = line + strspn(line, " ");

    while (c < line + length && strncmp(c, "  ", 2) != 0)
        c++;
    return c < line + length ? c : NULL;
}

/* "  WORD  meaning". A word of a word stands further right. */
static void print_item(const char *line, int length, const char *gap)
{
    int indent = (int)strspn(line, " ");

    printf(".It \\&%.*s", indent - 2, "\\ \\ \\ \\ ");
    for (const char *c = line + indent; c < gap; c++)
        printf(*c == '"' ? "\\(dq" : *c == '-' ? "\\-" : "%c", *c);
    (void)putchar('\n');
    gap += strspn(gap, " ");
    print_line(gap, (int)(line + length - gap), true);
}

/* The text up to `end`. With `gap`, prose begins a paragraph. Indented lines are words with their
 * meanings, or command lines. */
static void print_text(const char *text, const char *end, bool gap)
{
    enum { PROSE, LITERAL, LIST } now = PROSE, next;
    static const char *const begins[] = {"", ".Bd -literal -offset indent\n",
                                         ".Bl -tag -width Ds\n"};
    static const char *const ends[] = {"", ".Ed\n", ".El\n"};

    for (int length; text < end; text += length + (text[length] == '\n'), now = next) {
        length = (int)strcspn(text, "\n");
        bool indented = *text == ' ';
        const char *meaning = indented ? find_gap(text, length) : NULL;
        next = !indented ? PROSE : meaning || now == LIST ? LIST : LITERAL;
        if (now != next) fputs(ends[now], stdout);
        if ((gap || now == LIST) && length > 0 && !indented) printf(".Pp\n");
        if (now != next) fputs(begins[next], stdout);
        gap = length == 0;
        if (meaning)
            print_item(text, length, meaning);
        else if (next == LITERAL)
            print_command(text, length);
        else if (length > 0)
            print_line(text + strspn(text, " "), length - (int)strspn(text, " "), true);
    }
    fputs(ends[now], stdout);
}

void manual_text(const char *text)
{
    print_text(text, text + strlen(text), false);
}

/* What applies to the commands that have an option, or to all. */
typedef struct Reference {
    const char *name, *option, *meaning;
} Reference;

static const Reference variables[] = {
    {"OMP_NUM_THREADS", "threads", "number of threads without --threads"},
    {"OMP_THREAD_LIMIT", "threads", "the same, as an upper limit"},
    {"OMP_STACKSIZE", "threads", "stack of a thread; less than 1 MiB is refused"},
    {"TABIA_CPU", NULL,
     "in packages for x86-64, the kind of processor whose code is run: x86-64, x86-64-v3 or "
     "x86-64-v4; without it the best that the processor can"},
    {"TERM", "quiet", "dumb: progress is printed as new lines"},
    {"NO_COLOR", "quiet", "if it is not empty, no colours on a terminal"},
    {"TMPDIR", "quiet", "folder of temporary files, without it /tmp"},
    {"XDG_CACHE_HOME", "a-rev",
     "folder in which tabia/builds keeps engines built from git revisions, without it "
     "$HOME/.cache"},
    {0},
};

static const Reference files[] = {
    {"PREFIX/share/tabia/configs", "config",
     "INI files that --config finds by their names, and weights likewise: classical, tables, "
     "pesto, network; PREFIX is the folder above that of the program"},
    {0},
};

/* Without a parser all of them. */
static void print_references(const char *title, const char *macro, const Reference *r,
                             const OptionParser *p)
{
    bool any = false;

    for (; r->name; r++) {
        if (p && r->option && !parser_find(p, r->option)) continue;
        if (!any) printf(".Sh %s\n.Bl -tag -width Ds\n", title);
        any = true;
        printf(".It %s %s\n", macro, r->name);
        manual_text(r->meaning);
    }
    if (any) printf(".El\n");
}

const char exit_codes[] = "0 done, 1 failed or measured false, 2 usage, 3 bad input data,\n"
                          "4 database, 5 an external engine, 130 interrupted\n";

void manual_end(const OptionParser *p, const char *examples)
{
    print_references("ENVIRONMENT", "Ev", variables, p);
    print_references("FILES", "Pa", files, p);
    printf(".Sh EXIT STATUS\n");
    manual_text(exit_codes);
    if (*examples) printf(".Sh EXAMPLES\n");
    manual_text(examples);
    printf(".Sh SEE ALSO\n");
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
    static const char title[] = "Examples:\n";
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
    const char *text = p->epilogue ? p->epilogue : "", *examples = strstr(text, title);
    print_text(text, examples ? examples : text + strlen(text), true);
    manual_end(p, examples ? examples + strlen(title) : "");
    printf(".Xr tabia 1");
    if (p->page) printf(" ,\n.Xr tabia\\-%s 1", p->spec->command);
    (void)putchar('\n');
}
