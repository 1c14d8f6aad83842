/* SPDX-License-Identifier: MIT
 * The style sheet of the page. */
#ifndef TABIA_CLI_PAGE_STYLE_H
#define TABIA_CLI_PAGE_STYLE_H

/* Of the charts alone: a chart with this style stands by itself. */
extern const char style_of_charts[];
/* Of the page around them. */
extern const char style_of_page[];

#endif
