/* SPDX-License-Identifier: MIT
 * Charts as SVG, in the colours of the page. Each has a title and a description for readers that
 * cannot see it. */
#ifndef TABIA_CLI_PAGE_CHART_H
#define TABIA_CLI_PAGE_CHART_H

#include <stdbool.h>
#include <stdio.h>

typedef enum SeriesStyle { SERIES_LINE, SERIES_POINTS, SERIES_STEPS, SERIES_DASHES } SeriesStyle;

/* Values of NAN are gaps. */
typedef struct Series {
    const char *name; /* in the legend; NULL: not there */
    SeriesStyle style;
    int count;
    const double *x, *y;      /* [count]; of steps x is the left end of each bin */
    const double *low, *high; /* [count] 95 % interval: a band, or whiskers of points; or NULL */
} Series;

enum { CHART_SERIES_MAX = 6 };

typedef struct Chart {
    int id; /* of the page's figure */
    const char *title;
    const char *x_label, *y_label;
    Series series[CHART_SERIES_MAX];
    int count;
    bool from_zero;   /* the y axis includes 0 */
    bool whole_x;     /* x values are whole numbers */
    const char *zero; /* label of a line at y = 0; or NULL */
} Chart;

/* Points and whiskers that would be drawn over each other are left out. The description names the
 * axes, and the first and last value of each series. */
void chart_write(FILE *out, const Chart *chart);

/* Points scored by predicted points, [count] each, beside the diagonal. */
void chart_calibration(FILE *out, int id, const char *title, int count, const double *predicted,
                       const double *scored);

/* Shares by category, in per cent: a group of horizontal bars for each label. */
typedef struct BarChart {
    int id;
    const char *title, *x_label;
    int count;               /* labels */
    const char **labels;     /* [count] */
    int parts;               /* bars of a group: 1 or 2 */
    const char *names[2];    /* of the parts */
    const double *values[2]; /* [count] each */
} BarChart;

void chart_bars(FILE *out, const BarChart *chart);

#endif
