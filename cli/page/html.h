/* SPDX-License-Identifier: MIT
 * The frame of the page: its head, sections, figures and tables. */
#ifndef TABIA_CLI_PAGE_HTML_H
#define TABIA_CLI_PAGE_HTML_H

#include <stdio.h>

#include "cli/page/page.h"
#include "db/store/connection.h"
#include "engine/base/json.h"
#include "engine/eval/terms.h"

/* What sections find for the first lines of the page. */
typedef struct Headline {
    char start[160];     /* what learning began with */
    char player[160];    /* of a match */
    char anchor[160];    /* "": there is no Elo */
    char elo[80];        /* of the last accepted generation, or that player, against the anchor:
                            match_elo_text() of their games */
    int players;         /* above 2: that player is the first of so many, the anchor the second */
    int matches;         /* above 1: the match is the last of so many */
    char test[256];      /* of the last match: its SPRT, and what it says; or "" */
    char network[64];    /* sizes of the last weights; "": they are no network */
    int iterations;      /* of a tuning by matches; 0: none */
    double gain, gain95; /* its Elo */
    bool has_pieces;
    int pieces[EVAL_MATERIAL_COUNT]; /* centipawns, mean of middle game and end game */
} Headline;

/* The page being written. */
typedef struct Page {
    const PageSettings *settings;
    Store *store;
    Status status;              /* of the first failure; sections end early after it */
    Error *err;                 /* its sentence */
    FILE *out;                  /* of the section */
    int figures, boards;        /* so far: their ids */
    bool folded;                /* the figure is */
    bool conditions;            /* page_conditions() has written them */
    JsonWriter json;            /* the object of --json: numbers that SQL alone does not give */
    const char *database;       /* the file as a word of the shell */
    const char *report_command; /* prints that object */
    Headline headline;
} Page;

/* Text with the characters of HTML escaped. Control characters and bytes that are not UTF-8 become
 * U+FFFD. */
void html_text(FILE *out, const char *text);

/* A word of the shell, quoted where needed. */
void shell_word(FILE *out, const char *text);

/* Everything before and after the sections. */
void html_head(FILE *out, const char *title, int refresh);
void html_foot(FILE *out);

/* A figure with its heading; between the two calls its charts and tables. `class`: "wide", "fold"
 * (wide, and only its heading is seen until a reader opens it), "fold prose" (sentences in its last
 * column) or "". */
void html_figure(Page *page, const char *class, const char *heading);
/* Its caption, and what gives its numbers, as lines for the shell: the statement for `tabia db
 * sql`, and before it `command`, where the numbers are computed from its rows; else NULL. */
void html_figure_end(Page *page, const char *caption, const char *command, const char *sql);

/* A table's head from names separated by '|'; a name that begins with '<' is a column of text.
 * Cells follow between "<tr>" and "</tr>". */
void html_table(Page *page, const char *heads);
void html_table_end(Page *page);
void html_cell_text(FILE *out, const char *text);
void html_cell_int(FILE *out, double value);
/* "–" for NAN and infinities. */
void html_cell_number(FILE *out, double value, int decimals, bool sign);

#endif
