/* SPDX-License-Identifier: MIT
 * Scales, axes and series of charts. */
#include "cli/page/chart.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 400, HEIGHT = 270, LEFT = 58, RIGHT = 386, TOP = 30, BOTTOM = 222, TICKS = 6 };

/* A linear axis from `low` to `high`, with a tick at each multiple of `step`. */
typedef struct Axis {
    double low, high, step;
    double from, to; /* in pixels */
} Axis;

/* ---- Axes */

static void include(Axis *axis, double value)
{
    if (!isfinite(value)) return;
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

/* The step 1, 2 or 5 times a power of ten that gives at most `ticks` intervals. */
static double nice_step(double range, int ticks)
{
    static const double factors[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(range / ticks)));

    for (int i = 0; i < 3; i++)
        if (range / (factors[i] * power) <= ticks) return factors[i] * power;
    return factors[3] * power;
}

/* Widens an axis to whole steps (or leaves its ends) and places it. */
static void finish_axis(Axis *axis, bool whole_steps, double least_step)
{
    if (axis->low > axis->high) {
        axis->low = 0;
        axis->high = 1;
    }
    if (axis->high - axis->low < 1e-9 * fmax(1, fabs(axis->high))) {
        double room = fmax(least_step, axis->high == 0 ? 1 : fabs(axis->high) / 10);
        axis->low -= room;
        axis->high += room;
    }
    axis->step = fmax(nice_step(axis->high - axis->low, TICKS), least_step);
    if (!whole_steps) return;
    axis->low = axis->step * floor(axis->low / axis->step + 1e-9);
    axis->high = axis->step * ceil(axis->high / axis->step - 1e-9);
}

static double place(const Axis *axis, double value)
{
    double share = (value - axis->low) / (axis->high - axis->low);
    return axis->from + share * (axis->to - axis->from);
}

/* "1.5M", "20k", "0.025": a number of an axis with this step. */
static void tick_text(double value, double step, char text[32])
{
    const char *unit = "";
    if (fabs(value) < step / 1e6) value = 0; /* no "-0" */
    double most = fabs(value) > fabs(step) ? fabs(value) : fabs(step);

    if (most >= 1e6) {
        value /= 1e6;
        step /= 1e6;
        unit = "M";
    } else if (most >= 1e4) {
        value /= 1e3;
        step /= 1e3;
        unit = "k";
    }
    int decimals = 0;
    while (decimals < 6 && fabs(step - round(step)) > 1e-6 * step) {
        step *= 10;
        decimals++;
    }
    (void)snprintf(text, 32, "%.*f%s", decimals, value, value == 0 ? "" : unit);
}

static void axis_ticks(FILE *out, const Axis *axis, bool vertical)
{
    char text[32];

    long first = lround(ceil(axis->low / axis->step - 1e-9));
    long last = lround(floor(axis->high / axis->step + 1e-9));

    for (long k = first; k <= last; k++) {
        double value = (double)k * axis->step, at = place(axis, value);
        tick_text(value, axis->step, text);
        if (vertical)
            fprintf(out,
                    "<path class=\"rule\" d=\"M%d %.1fH%d\"/><text class=\"end\" x=\"%d\" "
                    "y=\"%.1f\">%s</text>\n",
                    LEFT, at, RIGHT, LEFT - 6, at + 4, text);
        else
            fprintf(out,
                    "<path class=\"axis\" d=\"M%.1f %dv5\"/><text class=\"mid\" x=\"%.1f\" "
                    "y=\"%d\">%s</text>\n",
                    at, BOTTOM, at, BOTTOM + 18, text);
    }
}

/* The line at 0 with its label on the side where the first series does not end. */
static void zero_line(FILE *out, const Chart *chart, const Axis *y)
{
    const Series *s = &chart->series[0];
    double at = place(y, 0);
    bool above = s->count == 0 || !(s->y[s->count - 1] >= 0);

    fprintf(out,
            "<path class=\"axis\" d=\"M%d %.1fH%d\"/><text class=\"soft end\" x=\"%d\" "
            "y=\"%.1f\">",
            LEFT, at, RIGHT, RIGHT, above ? at - 4 : at + 13);
    svg_end_text(out, chart->zero);
}

static void axes(FILE *out, const Chart *chart, const Axis *x, const Axis *y)
{
    axis_ticks(out, y, true);
    axis_ticks(out, x, false);
    fprintf(out, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", LEFT, BOTTOM, RIGHT);
    if (chart->zero) zero_line(out, chart, y);
    fprintf(out, "<text class=\"mid\" x=\"%d\" y=\"%d\">", (LEFT + RIGHT) / 2, HEIGHT - 8);
    html_text(out, chart->x_label);
    fprintf(out, "</text>\n<text class=\"mid\" transform=\"translate(13 %d) rotate(-90)\">",
            (TOP + BOTTOM) / 2);
    svg_end_text(out, chart->y_label);
}

/* ---- Series */

static bool is_gap(const Series *s, int i)
{
    return !isfinite(s->x[i]) || !isfinite(s->y[i]);
}

static bool has_interval(const Series *s, int i)
{
    return s->low && isfinite(s->low[i]) && isfinite(s->high[i]);
}

/* Marks and lines of more points than pixels: a point nearer than this to the one before is left
 * out. */
static const double nearest = 0.8;

/* One edge of a band, forwards or backwards. */
static void edge(FILE *out, const Series *s, const double *values, const Axis *x, const Axis *y,
                 int first, int end, int step)
{
    double before = INFINITY;

    for (int i = first; i != end; i += step) {
        double at = place(x, s->x[i]);
        if (fabs(at - before) < nearest && i + step != end) continue;
        fprintf(out, "%c%.1f %.1f", i == first && step > 0 ? 'M' : 'L', at, place(y, values[i]));
        before = at;
    }
}

/* The area between low and high, one for each run of values that have both. */
static void band(FILE *out, const Series *s, const Axis *x, const Axis *y)
{
    for (int first = 0, end; first < s->count; first = end + 1) {
        for (end = first; end < s->count && !is_gap(s, end) && has_interval(s, end); end++)
            ;
        if (end - first < 2) continue;
        fputs("<path class=\"band\" d=\"", out);
        edge(out, s, s->high, x, y, first, end, 1);
        edge(out, s, s->low, x, y, end - 1, first - 1, -1);
        fputs("Z\"/>\n", out);
    }
}

static void line(FILE *out, const Series *s, const Axis *x, const Axis *y)
{
    double before = -INFINITY;
    bool pen = false;

    fputs("<path class=\"line\" d=\"M0 0", out);
    for (int i = 0; i < s->count; i++) {
        if (is_gap(s, i)) {
            pen = false;
            continue;
        }
        double at = place(x, s->x[i]), height = place(y, s->y[i]);
        if (pen && at - before < nearest && i + 1 < s->count) continue;
        if (s->style == SERIES_STEPS && pen)
            fprintf(out, "H%.1fV%.1f", at, height);
        else
            fprintf(out, "%c%.1f %.1f", pen ? 'L' : 'M', at, height);
        pen = true;
        before = at;
    }
    fputs("\"/>\n", out);
}

static void whisker(FILE *out, const Series *s, const Axis *x, const Axis *y, int i)
{
    double at = place(x, s->x[i]), top = place(y, s->high[i]), bottom = place(y, s->low[i]);

    fprintf(out, "<path class=\"whisker\" d=\"M%.1f %.1fh6m-3 0V%.1fm-3 0h6\"/>", at - 3, top,
            bottom);
}

static void marks(FILE *out, const Series *s, const Axis *x, const Axis *y)
{
    const char *class = s->style == SERIES_POINTS ? "ring" : "mark";
    double before = -INFINITY;

    for (int i = 0; i < s->count; i++) {
        if (is_gap(s, i) || place(x, s->x[i]) - before < nearest) continue;
        before = place(x, s->x[i]);
        if (s->style == SERIES_POINTS && has_interval(s, i)) whisker(out, s, x, y, i);
        fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", class,
                place(x, s->x[i]), place(y, s->y[i]));
    }
}

/* More points than this are a line without marks. */
enum { MARKS_MAX = 50 };

static void draw_series(FILE *out, const Series *s, int number, const Axis *x, const Axis *y)
{
    fprintf(out, "<g class=\"s%d\">\n", number);
    if (s->style == SERIES_LINE) band(out, s, x, y);
    if (s->style != SERIES_POINTS) line(out, s, x, y);
    if (s->style == SERIES_POINTS || (s->style == SERIES_LINE && s->count <= MARKS_MAX))
        marks(out, s, x, y);
    fputs("</g>\n", out);
}

/* ---- Words */

/* Of an entry of the legend: its sample, name and gap. */
static double legend_width(const char *name)
{
    return name ? 40 + 6.5 * (double)strlen(name) : 0;
}

static void legend(FILE *out, const Chart *chart)
{
    double width = 0;

    for (int i = 0; i < chart->count; i++)
        width += legend_width(chart->series[i].name);
    double at = fmax(fmin(LEFT, WIDTH - width), 0);

    for (int i = 0; i < chart->count; i++) {
        const Series *s = &chart->series[i];
        if (!s->name) continue;
        fprintf(out, "<g class=\"s%d\">", i);
        if (s->style == SERIES_POINTS)
            fprintf(out, "<circle class=\"ring\" cx=\"%.0f\" cy=\"10\" r=\"3\"/>", at + 10);
        else
            fprintf(out, "<path class=\"line\" d=\"M%.0f 10h20\"/>", at);
        fprintf(out, "</g><text x=\"%.0f\" y=\"14\">", at + 25);
        svg_end_text(out, s->name);
        at += legend_width(s->name);
    }
}

static void describe_series(FILE *out, const Series *s)
{
    int first = 0, last = s->count - 1;

    while (first < s->count && is_gap(s, first))
        first++;
    while (last > first && is_gap(s, last))
        last--;
    if (first >= s->count) return;
    fputs(" ", out);
    if (s->name) {
        html_text(out, s->name);
        fputs(": ", out);
    }
    fprintf(out, "%.4g at %.6g", s->y[first], s->x[first]);
    if (last > first) fprintf(out, ", %.4g at %.6g", s->y[last], s->x[last]);
    fputs(".", out);
}

void svg_begin(FILE *out, const char *title_id, const char *text_id, int number, const char *title,
               int width, int height)
{
    fprintf(out,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s-%d %s-%d\">\n"
            "<title id=\"%s-%d\">",
            width, height, title_id, number, text_id, number, title_id, number);
    html_text(out, title);
    fprintf(out, "</title>\n<desc id=\"%s-%d\">", text_id, number);
}

void svg_end_text(FILE *out, const char *text)
{
    html_text(out, text);
    fputs("</text>\n", out);
}

static void describe(FILE *out, const Chart *chart)
{
    html_text(out, chart->y_label);
    fputs(" over ", out);
    html_text(out, chart->x_label);
    fputs(".", out);
    for (int i = 0; i < chart->count; i++)
        describe_series(out, &chart->series[i]);
    fputs("</desc>\n", out);
}

/* ---- The whole */

static void measure(const Chart *chart, Axis *x, Axis *y)
{
    *x = (Axis){.low = INFINITY, .high = -INFINITY, .from = LEFT + 8, .to = RIGHT - 8};
    *y = (Axis){.low = INFINITY, .high = -INFINITY, .from = BOTTOM, .to = TOP};
    for (int i = 0; i < chart->count; i++) {
        const Series *s = &chart->series[i];
        for (int k = 0; k < s->count; k++) {
            if (is_gap(s, k)) continue;
            include(x, s->x[k]);
            include(y, s->y[k]);
            if (!has_interval(s, k)) continue;
            include(y, s->low[k]);
            include(y, s->high[k]);
        }
    }
    if (chart->from_zero || chart->zero) include(y, 0);
    finish_axis(x, false, chart->whole_x ? 1 : 0);
    finish_axis(y, true, 0);
}

void chart_figure(Page *page, const char *heading, const Chart *chart, const char *caption,
                  const char *command, const char *sql)
{
    FILE *out = page->out;
    Axis x, y;

    measure(chart, &x, &y);
    html_figure(page, "", heading);
    svg_begin(out, "title", "desc", page->figures, heading, WIDTH, HEIGHT);
    describe(out, chart);
    legend(out, chart);
    axes(out, chart, &x, &y);
    for (int i = 0; i < chart->count; i++)
        draw_series(out, &chart->series[i], i, &x, &y);
    fputs("</svg>\n", out);
    html_figure_end(page, caption, command, sql);
}

void chart_calibration(Page *page, const char *heading, int count, const double *predicted,
                       const double *scored, const char *caption, const char *sql)
{
    static const double diagonal[] = {0, 1};
    const Chart chart = {
        .x_label = "predicted points",
        .y_label = "points scored",
        .count = 2,
        .series = {{"positions", SERIES_LINE, count, predicted, scored, NULL, NULL},
                   {"perfect", SERIES_DASHES, 2, diagonal, diagonal, NULL, NULL}}};

    chart_figure(page, heading, &chart, caption, NULL, sql);
}

/* ---- Bars */

enum { BAR = 13, GROUP_GAP = 8, BARS_LEFT = 130, BARS_RIGHT = 340, BARS_TOP = 24, BARS_END = 44 };

static void describe_bars(FILE *out, const BarChart *c)
{
    html_text(out, c->x_label);
    for (int part = 0; part < c->parts; part++) {
        fputs(part == 0 ? ". " : " ", out);
        html_text(out, c->names[part]);
        for (int i = 0; i < c->count; i++) {
            fputs(i == 0 ? ": " : ", ", out);
            html_text(out, c->labels[i]);
            fprintf(out, " %.1f", c->values[part][i]);
        }
        fputs(".", out);
    }
    fputs("</desc>\n", out);
}

static void bar_legend(FILE *out, const BarChart *c)
{
    double at = BARS_LEFT;

    for (int part = 0; part < c->parts; part++) {
        fprintf(out,
                "<g class=\"s%d\"><rect class=\"mark\" x=\"%.0f\" y=\"4\" width=\"10\" "
                "height=\"10\"/></g><text x=\"%.0f\" y=\"14\">",
                part, at, at + 15);
        svg_end_text(out, c->names[part]);
        at += 30 + 6.5 * (double)strlen(c->names[part]);
    }
}

static void bar_group(FILE *out, const BarChart *c, const Axis *x, int i, int top)
{
    fprintf(out, "<text class=\"end\" x=\"%d\" y=\"%d\">", BARS_LEFT - 6,
            top + c->parts * BAR / 2 + 4);
    svg_end_text(out, c->labels[i]);
    for (int part = 0; part < c->parts; part++) {
        double end = place(x, c->values[part][i]);
        int y = top + part * BAR;
        fprintf(out,
                "<g class=\"s%d\"><rect class=\"mark\" x=\"%d\" y=\"%d\" width=\"%.1f\" "
                "height=\"%d\"/></g><text x=\"%.1f\" y=\"%d\">%.1f</text>\n",
                part, BARS_LEFT, y, end - BARS_LEFT, BAR - 2, end + 4, y + BAR - 3,
                c->values[part][i]);
    }
}

void chart_bars(Page *page, const char *heading, const BarChart *c, const char *caption,
                const char *sql)
{
    FILE *out = page->out;
    Axis x = {.low = 0, .high = 0, .from = BARS_LEFT, .to = BARS_RIGHT};
    int step = c->parts * BAR + GROUP_GAP;
    int height = BARS_TOP + c->count * step + BARS_END;

    for (int part = 0; part < c->parts; part++)
        for (int i = 0; i < c->count; i++)
            include(&x, c->values[part][i]);
    finish_axis(&x, true, 0);
    if (x.low < 0) x.low = 0;
    html_figure(page, "", heading);
    svg_begin(out, "title", "desc", page->figures, heading, WIDTH, height);
    describe_bars(out, c);
    if (c->parts > 1) bar_legend(out, c);
    for (int i = 0; i < c->count; i++)
        bar_group(out, c, &x, i, BARS_TOP + i * step);
    fprintf(out, "<path class=\"axis\" d=\"M%d %dV%d\"/>\n<text class=\"mid\" x=\"%d\" y=\"%d\">",
            BARS_LEFT, BARS_TOP - 2, height - BARS_END, (BARS_LEFT + BARS_RIGHT) / 2,
            height - BARS_END + 20);
    svg_end_text(out, c->x_label);
    fputs("</svg>\n", out);
    html_figure_end(page, caption, NULL, sql);
}
