/* SPDX-License-Identifier: MIT
 * Writing HTML. */
#include "cli/page/html.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

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

/* Colours and layout. Text has a contrast of at least 4.5 to its ground, lines of 3, in light and
 * dark (WCAG 2.2, AA); series differ in dashes and marks too. A chart with this style stands by
 * itself. */
static const char style_of_charts[] =
    ":root{--ground:#fff;--ink:#1b1f24;--soft:#57606a;--rule:#d0d7de;--a:#0b5cad;--b:#a84f00;"
    "--c:#1a7f37;--d:#7a3fd1;--pos:#e8833a;--neg:#5b9bd5}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--ground:#0f1419;--ink:#e6edf3;"
    "--soft:#9aa7b4;--rule:#343b44;--a:#6cb6ff;--b:#f0a04b;--c:#57c77a;--d:#c297ff;--pos:#8f4a12;"
    "--neg:#1f5f99}}\n"
    "svg{font:12px system-ui,sans-serif;fill:var(--ink)}\n"
    "svg .soft{fill:var(--soft)}\n"
    "svg .own{fill:var(--s)}\n"
    "svg .end{text-anchor:end}\n"
    "svg .mid{text-anchor:middle}\n"
    "svg .level{stroke-dasharray:1 3}\n"
    "svg .rule{stroke:var(--rule);fill:none}\n"
    "svg .axis{stroke:var(--soft);fill:none}\n"
    "svg .line{fill:none;stroke:var(--s);stroke-width:2;stroke-linejoin:round}\n"
    "svg .mark{fill:var(--s)}\n"
    "svg .ring{fill:var(--ground);stroke:var(--s);stroke-width:2}\n"
    "svg .band{fill:var(--s);fill-opacity:.18}\n"
    "svg .whisker{stroke:var(--s);fill:none}\n"
    "svg .s0{--s:var(--a)}\n"
    "svg .s1{--s:var(--b)}\n"
    "svg .s2{--s:var(--c)}\n"
    "svg .s3{--s:var(--d)}\n"
    "svg .s1 .line{stroke-dasharray:7 4}\n"
    "svg .s2 .line{stroke-dasharray:2 3}\n"
    "svg .s3 .line{stroke-dasharray:9 3 2 3}\n"
    "svg .s4{--s:var(--soft)}\n"
    "svg .s5{--s:var(--ink)}\n"
    "svg .s4 .line{stroke-dasharray:4 4}\n"
    "svg .light{fill:#f3ecdf}\n"
    "svg .dark{fill:#d3c3a3}\n"
    "svg .piece{fill:#1b1f24;font-size:18px;text-anchor:middle}\n"
    "svg .pos{fill:var(--pos)}\n"
    "svg .neg{fill:var(--neg)}\n";

/* Of the page around them. */
static const char style_of_page[] =
    ":root{color-scheme:light dark}\n"
    "body{margin:0 auto;padding:1rem;max-width:78rem;background:var(--ground);color:var(--ink);"
    "font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.5rem;margin:.5rem 0}\n"
    "h2{font-size:1.25rem;margin:2.5rem 0 .5rem;padding-top:.5rem;border-top:1px solid "
    "var(--rule)}\n"
    "h3{font-size:1rem;margin:0 0 .25rem}\n"
    "p{margin:.5rem 0;max-width:44rem}\n"
    ".headline{font-size:1.375rem;line-height:1.3;font-weight:600;max-width:60rem}\n"
    ".pieces span{white-space:nowrap}\n"
    ".pieces>span{margin-right:1.25rem}\n"
    ".pieces>span>span{font-size:1.75rem}\n"
    "a{color:var(--a)}\n"
    "nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.75rem 0;padding:0;"
    "list-style:none}\n"
    ".grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));"
    "gap:1.75rem 1.5rem}\n"
    "figure{margin:0;min-width:0}\n"
    "figure.wide{grid-column:1/-1}\n"
    "figure>svg{display:block;width:100%;height:auto;max-width:36rem}\n"
    ".broad>svg{display:block;width:100%;height:auto;max-width:64rem}\n"
    ".narrow>svg{display:block;width:100%;height:auto}\n"
    ".narrow{display:none}\n"
    "@media screen and (max-width:40rem){.broad{display:none}.narrow{display:block}}\n"
    ".boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));"
    "gap:.75rem}\n"
    ".boards>svg{display:block;width:100%;height:auto;max-width:22rem}\n"
    ".positions{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:.5rem}\n"
    ".moves{max-width:64rem;font-size:.875rem}\n"
    "figcaption,.caption{font-size:.875rem;color:var(--soft);max-width:44rem}\n"
    "summary{cursor:pointer;color:var(--a)}\n"
    ".prose td:last-child{white-space:normal;min-width:20rem}\n"
    "td>svg{display:block;width:15rem}\n"
    ".heat td>svg{width:6.5rem}\n"
    ".heat .thin{stroke-width:.05}\n"
    ".heat td,.heat th{padding:.15rem}\n"
    "summary h3{display:inline}\n"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;color:var(--ink);font-size:.8125rem;"
    "margin:.25rem 0;padding:.5rem;border:1px solid var(--rule);border-radius:4px}\n"
    /* The shadows at its edges are hidden by covers that move with the content. */
    ".scroll{overflow-x:auto;margin:.25rem 0;background:"
    "linear-gradient(90deg,var(--ground) 50%,transparent) 0/3rem 100% no-repeat local,"
    "linear-gradient(270deg,var(--ground) 50%,transparent) 100%/3rem 100% no-repeat local,"
    "linear-gradient(90deg,var(--rule),transparent) 0/.75rem 100% no-repeat,"
    "linear-gradient(270deg,var(--rule),transparent) 100%/.75rem 100% no-repeat}\n"
    "table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.2rem .6rem;text-align:right;white-space:nowrap;border-bottom:1px solid "
    "var(--rule)}\n"
    "th{font-weight:600}\n"
    "thead th{vertical-align:bottom}\n"
    ".t{text-align:left}\n"
    "footer{margin-top:3rem;font-size:.875rem;color:var(--soft)}\n"
    "@media print{body{max-width:none;padding:0;font-size:10pt}"
    "nav,details,figure:has(>details),main>section:not(:has(figure>h3)),footer{display:none}"
    ".grid{grid-template-columns:1fr 1fr 1fr;gap:.75rem}.boards{grid-template-columns:repeat(4,1fr)}"
    ".positions{grid-template-columns:repeat(8,1fr)}h2{margin:1rem 0 .25rem}"
    "figcaption,.moves{font-size:8pt}.moves{columns:2}"
    "figure,svg{break-inside:avoid}figure.wide{break-inside:auto}h2,h3{break-after:avoid}"
    ".scroll{overflow:visible;background:none}figure.wide>svg{max-width:18rem}table{font-size:8pt}th,td{padding:.1rem .3rem}}\n";

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
    FILE *out = page->out;

    page->figures++;
    page->folded = strncmp(class, "fold", 4) == 0;
    fprintf(out, "<figure id=\"figure-%d\"", page->figures);
    if (page->folded) class += 4;
    if (*class || page->folded) fprintf(out, " class=\"%s%s\"", page->folded ? "wide" : "", class);
    fputs(page->folded ? ">\n<details>\n<summary><h3>" : ">\n<h3>", out);
    html_text(out, heading);
    fputs(page->folded ? "</h3></summary>\n" : "</h3>\n", out);
}

void html_figure_end(Page *page, const char *caption, const char *command, const char *sql)
{
    FILE *out = page->out;

    fputs(page->folded ? "<div class=\"caption\">\n<p>" : "<figcaption>\n<p>", out);
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
    fputs("\nSQL</pre>\n</details>\n", out);
    fputs(page->folded ? "</div>\n</details>\n</figure>\n" : "</figcaption>\n</figure>\n", out);
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
