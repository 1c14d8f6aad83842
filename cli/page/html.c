/* SPDX-License-Identifier: MIT
 * Writing HTML. */
#include "cli/page/html.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cli/page/style.h"
#include "engine/base/text.h"
#include "engine/base/version.h"

/* ---- Text */

void html_text(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    while (*at) {
        size_t bytes = text_utf8_length((const char *)at);
        bool control = (*at < 0x20 && *at != '\n') || *at == 0x7F || (*at == 0xC2 && at[1] < 0xA0);
        if (bytes == 0 || control)
            fputs("\xEF\xBF\xBD", out);
        else if (*at == '&')
            fputs("&amp;", out);
        else if (*at == '<')
            fputs("&lt;", out);
        else if (*at == '>')
            fputs("&gt;", out);
        else if (*at == '"')
            fputs("&quot;", out);
        else
            (void)fwrite(at, 1, bytes, out);
        at += bytes > 0 ? bytes : 1;
    }
}

void shell_word(FILE *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./=+:,@%-";
    if (*text && !text[strspn(text, plain)]) {
        fputs(text, out);
        return;
    }
    fputc('\'', out);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    fputc('\'', out);
}

/* ---- The frame */

void html_head(FILE *out, const char *title, int refresh)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          out);
    if (refresh > 0) fprintf(out, "<meta http-equiv=\"refresh\" content=\"%d\">\n", refresh);
    /* An empty icon keeps browsers from requesting one. */
    fputs("<link rel=\"icon\" href=\"data:,\">\n<title>", out);
    html_text(out, title);
    fprintf(out, "</title>\n<style>\n%s</style>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n",
            style_of_charts, style_of_page);
    fputs("<h1>Tabia: ", out);
    html_text(out, title);
    fputs("</h1>\n", out);
}

void html_foot(FILE *out)
{
    fprintf(out, "</main>\n<footer>\n<p>Written by tabia %s.</p>\n</footer>\n</body>\n</html>\n",
            TABIA_VERSION);
}

/* ---- Figures */

void html_figure(Page *page, const char *class, const char *heading)
{
    page->figures++;
    fprintf(page->out, "<figure id=\"figure-%d\"", page->figures);
    if (*class) fprintf(page->out, " class=\"%s\"", class);
    fputs(">\n<h3>", page->out);
    html_text(page->out, heading);
    fputs("</h3>\n", page->out);
}

void html_figure_end(Page *page, const char *caption, const char *command, const char *sql)
{
    FILE *out = page->out;

    fputs("<figcaption>\n<p>", out);
    html_text(out, caption);
    fputs("</p>\n<details>\n<summary>Source of the numbers</summary>\n<pre>", out);
    if (command) {
        html_text(out, command);
        fputc('\n', out);
    }
    fputs("tabia db sql ", out);
    html_text(out, page->database);
    fputs(" --format table &lt;&lt;'SQL'\n", out);
    html_text(out, sql);
    fputs("\nSQL</pre>\n</details>\n</figcaption>\n</figure>\n", out);
}

/* ---- Tables */

void html_table(Page *page, const char *heads)
{
    FILE *out = page->out;

    fprintf(out,
            "<section class=\"scroll\" tabindex=\"0\" aria-label=\"Table of figure "
            "%d\">\n<table>\n<thead>\n<tr>",
            page->figures);
    while (*heads) {
        size_t length = strcspn(heads, "|");
        bool text = *heads == '<';
        fprintf(out, "<th scope=\"col\"%s>%.*s</th>", text ? " class=\"t\"" : "",
                (int)length - text, heads + text);
        heads += length + (heads[length] == '|');
    }
    fputs("</tr>\n</thead>\n<tbody>\n", out);
}

void html_table_end(Page *page)
{
    fputs("</tbody>\n</table>\n</section>\n", page->out);
}

void html_cell_text(FILE *out, const char *text)
{
    fputs("<td class=\"t\">", out);
    html_text(out, text);
    fputs("</td>", out);
}

void html_cell_int(FILE *out, double value)
{
    html_cell_number(out, value, 0, false);
}

void html_cell_number(FILE *out, double value, int decimals, bool sign)
{
    if (!isfinite(value))
        fputs("<td>–</td>", out);
    else
        fprintf(out, sign ? "<td>%+.*f</td>" : "<td>%.*f</td>", decimals, value);
}
