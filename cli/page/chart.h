/* SPDX-License-Identifier: MIT
 * Charts and boards as SVG, in the colours of the page. Each has a title and a description for
 * readers that cannot see it. */
#ifndef TABIA_CLI_PAGE_CHART_H
#define TABIA_CLI_PAGE_CHART_H

#include "cli/page/html.h"

typedef enum SeriesStyle { SERIES_LINE, SERIES_POINTS, SERIES_STEPS, SERIES_DASHES } SeriesStyle;

/* Values of NAN are gaps, and so is an x of 0 or less on a logarithmic axis. */
typedef struct Series {
    const char *name; /* in the legend; NULL: not there */
    SeriesStyle style;
    int count;
    const double *x, *y;      /* [count]; of steps x is the left end of each bin */
    const double *low, *high; /* [count] 95 % interval: a band, or whiskers of points; or NULL */
    const char *const *marks; /* [count] text at each point; or NULL */
} Series;

/* A straight line across a chart, with its name. */
typedef struct ChartLine {
    const char *name;
    double at;
} ChartLine;

enum { CHART_SERIES_MAX = 6, CHART_LINES_MAX = 8 };

typedef struct Chart {
    const char *x_label, *y_label;
    Series series[CHART_SERIES_MAX];
    int count;
    bool wide;      /* as wide as the page; narrow windows show another form */
    bool log_x;     /* the x axis is logarithmic */
    bool from_zero; /* the y axis includes 0 */
    bool whole_x;   /* x values are whole numbers */
    double
        scale_from; /* values at smaller x do not widen the y axis: they are at its ends; 0: none */
    ChartLine levels[CHART_LINES_MAX]; /* at values of y */
    int level_count;
    bool all_levels;                   /* those far from the series widen the y axis, too */
    ChartLine breaks[CHART_LINES_MAX]; /* at values of x: lines are interrupted there */
    int break_count;
} Chart;

/* The chart alone, inside a figure; `heading` is its title. */
void chart_write(Page *page, const char *heading, const Chart *chart);

/* A figure with the chart; its heading is the chart's title, its end as html_figure_end() has it.
 * Points and whiskers that would be drawn over each other are left out. The description names the
 * axes, and the first and last value of each series. */
void chart_figure(Page *page, const char *heading, const Chart *chart, const char *caption,
                  const char *command, const char *sql);

/* A small line without axes, for a cell of a table: the path of a series, with its band. */
void chart_path(Page *page, const char *title, const Series *series);

/* Points scored by predicted points, [count] each, beside the diagonal. */
void chart_calibration(Page *page, const char *heading, int count, const double *predicted,
                       const double *scored, const char *caption, const char *sql);

/* Numbers by category, of 0 or more: a group of horizontal bars for each label. */
typedef struct BarChart {
    const char *x_label;
    int count;                 /* labels */
    const char *const *labels; /* [count] */
    int parts;                 /* bars of a group: 1 or 2 */
    const char *names[2];      /* of the parts */
    const double *values[2];   /* [count] each */
} BarChart;

/* The bars alone, inside a figure. */
void bars_write(Page *page, const char *title, const BarChart *chart);

void chart_shares(Page *page, const char *heading, const BarChart *chart, const char *caption,
                  const char *sql); /* per cent, as parts of one bar, which are 100 together */
void chart_bars(Page *page, const char *heading, const BarChart *chart, const char *caption,
                const char *sql);

/* A heat map on a chess board. */
typedef struct Board {
    double value[64]; /* a1 = 0; rank 8 is drawn on top */
    double middle;    /* the value without a colour */
    double most;      /* the distance from it with the deepest colour */
    bool no_ends;     /* ranks 1 and 8 have no values */
} Board;

/* Into a figure. Orange squares are above the middle, blue ones below; each has its number. The
 * description names the highest and the lowest square. */
void board_write(Page *page, const char *title, const Board *board);

/* The colours alone, for a cell of a table. */
void board_small(Page *page, const char *title, const Board *board);

/* The pieces of a FEN. */
void board_position(Page *page, const char *title, const char *fen);

/* ---- chart.c, board.c */

/* The start of an SVG, up to the beginning of its description. `title_id` and `text_id` are the
 * names of the elements with both, which the number completes. */
void svg_begin(FILE *out, const char *title_id, const char *text_id, int number, const char *title,
               int width, int height);
/* The rest of a text element that was begun. */
void svg_end_text(FILE *out, const char *text);

#endif
