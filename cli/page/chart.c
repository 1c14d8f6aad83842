/* SPDX-License-Identifier: MIT
 * Scales, axes and series of charts. */
#include "cli/page/chart.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 400, HEIGHT = 270, LEFT = 64, TOP = 30, MARGIN = 14, FOOT = 48, TICKS = 6 };
enum { WIDE_WIDTH = 760, WIDE_HEIGHT = 340, NAMES_WIDTH = 150 };

/* An axis from `low` to `high`, with a tick at each multiple of `step`, or at powers of ten. */
typedef struct Axis {
    double low, high, step;
    double from, to; /* in pixels */
    bool log;
} Axis;

/* A chart with its axes and its ends in pixels. */
typedef struct Plot {
    const Chart *chart;
    Axis x, y;
    int width, height, right, bottom;
} Plot;

/* ---- Axes */

static void include(Axis *axis, double value)
{
    if (!isfinite(value) || (axis->log && value <= 0)) return;
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

/* Widens an axis to whole steps, or leaves its ends. */
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

/* Values beyond the ends are at the ends. */
static double place(const Axis *axis, double value)
{
    double share = axis->log ? log(value / axis->low) / log(axis->high / axis->low)
                             : (value - axis->low) / (axis->high - axis->low);
    return axis->from + fmin(fmax(share, 0), 1) * (axis->to - axis->from);
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

static void tick_x(FILE *out, const Plot *p, double value, double step)
{
    char text[32];

    tick_text(value, step, text);
    fprintf(out,
            "<path class=\"axis\" d=\"M%.1f %dv5\"/><text class=\"mid\" x=\"%.1f\" "
            "y=\"%d\">%s</text>\n",
            place(&p->x, value), p->bottom, place(&p->x, value), p->bottom + 18, text);
}

static void tick_y(FILE *out, const Plot *p, double value, double step)
{
    char text[32];

    tick_text(value, step, text);
    fprintf(out,
            "<path class=\"rule\" d=\"M%d %.1fH%d\"/><text class=\"end\" x=\"%d\" "
            "y=\"%.1f\">%s</text>\n",
            LEFT, place(&p->y, value), p->right, LEFT - 6, place(&p->y, value) + 4, text);
}

/* 1, 2 and 5 times each power of ten; those powers alone where there are many. */
static void log_ticks(FILE *out, const Plot *p)
{
    static const int factors[] = {1, 2, 5};
    int count = p->x.high / p->x.low < 2000 ? 3 : 1;

    for (int k = (int)floor(log10(p->x.low)); k <= log10(p->x.high); k++)
        for (int i = 0; i < count; i++) {
            double at = factors[i] * pow(10, k);
            if (at >= p->x.low && at <= p->x.high) tick_x(out, p, at, at);
        }
}

static void axis_ticks(FILE *out, const Plot *p, const Axis *axis)
{
    long first = lround(ceil(axis->low / axis->step - 1e-9));
    long last = lround(floor(axis->high / axis->step + 1e-9));

    for (long k = first; k <= last; k++)
        (axis == &p->y ? tick_y : tick_x)(out, p, (double)k * axis->step, axis->step);
}

/* Lines across at values of y; their names, from the highest down, do not overlap. They are beside
 * a wide chart, and above the lines of another. */
static void levels(FILE *out, const Plot *p)
{
    enum { NAME_HEIGHT = 14 };
    const Chart *c = p->chart;
    int names = c->wide ? p->right + 6 : p->right;
    double free = 0;
    bool written[CHART_LINES_MAX] = {false};

    for (int n = 0; n < c->level_count; n++) {
        int next = -1;
        for (int i = 0; i < c->level_count; i++)
            if (!written[i] && (next < 0 || c->levels[i].at > c->levels[next].at)) next = i;
        written[next] = true;
        double at = place(&p->y, c->levels[next].at);
        free = fmax(free + NAME_HEIGHT, c->wide ? at + 4 : at - 4);
        fprintf(out,
                "<path class=\"axis level\" d=\"M%d %.1fH%d\"/><text class=\"soft%s\" x=\"%d\" "
                "y=\"%.1f\">",
                LEFT, at, p->right, c->wide ? "" : " end", names, free);
        if (c->levels[next].at < p->y.low) fputs("▾ ", out);
        if (c->levels[next].at > p->y.high) fputs("▴ ", out);
        svg_end_text(out, c->levels[next].name);
    }
}

/* Dotted lines up; their names are beside them, where there is more room before the next. */
static void breaks(FILE *out, const Plot *p)
{
    double before = LEFT;

    for (int i = 0; i < p->chart->break_count; i++) {
        double at = place(&p->x, p->chart->breaks[i].at);
        double after =
            i + 1 < p->chart->break_count ? place(&p->x, p->chart->breaks[i + 1].at) : p->right;
        bool left = at - before > after - at;
        before = at;
        fprintf(out,
                "<path class=\"axis level\" d=\"M%.1f %dV%d\"/><text class=\"soft%s\" x=\"%.1f\" "
                "y=\"%d\">",
                at, TOP, p->bottom, left ? " end" : "", at + (left ? -5 : 5),
                p->bottom - 6 - 14 * i);
        svg_end_text(out, p->chart->breaks[i].name);
    }
}

static void axes(FILE *out, const Plot *p)
{
    axis_ticks(out, p, &p->y);
    if (p->x.log)
        log_ticks(out, p);
    else
        axis_ticks(out, p, &p->x);
    fprintf(out, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", LEFT, p->bottom, p->right);
    levels(out, p);
    breaks(out, p);
    fprintf(out, "<text class=\"mid\" x=\"%d\" y=\"%d\">", (LEFT + p->right) / 2, p->height - 8);
    html_text(out, p->chart->x_label);
    fprintf(out, "</text>\n<text class=\"mid\" transform=\"translate(12 %d) rotate(-90)\">",
            (TOP + p->bottom) / 2);
    svg_end_text(out, p->chart->y_label);
}

/* ---- Series */

static bool is_gap(const Plot *p, const Series *s, int i)
{
    return !isfinite(s->x[i]) || !isfinite(s->y[i]) || (p->x.log && s->x[i] <= 0);
}

/* -1: below the y axis, 1: above it, 0: within. */
static int beyond(const Plot *p, double y)
{
    return y < p->y.low ? -1 : y > p->y.high ? 1 : 0;
}

/* Is there a break between a point and the one before? Points beyond the y axis have no line. */
static bool is_broken(const Plot *p, const Series *s, int i)
{
    if (beyond(p, s->y[i]) || (i > 0 && beyond(p, s->y[i - 1]))) return true;
    for (int k = 0; k < p->chart->break_count && i > 0; k++)
        if (s->x[i] >= p->chart->breaks[k].at && s->x[i - 1] < p->chart->breaks[k].at) return true;
    return false;
}

static bool has_interval(const Series *s, int i)
{
    return s->low && isfinite(s->low[i]) && isfinite(s->high[i]);
}

/* The height of a row of marks beyond the y axis. */
enum { ROW = 8 };

/* Marks and lines of more points than pixels: a point nearer than this to the one before is left
 * out. */
static const double nearest = 0.8;

/* One edge of a band, forwards or backwards. */
static void edge(FILE *out, const Plot *p, const Series *s, const double *values, int first,
                 int end, int step)
{
    double before = INFINITY;

    for (int i = first; i != end; i += step) {
        double at = place(&p->x, s->x[i]);
        if (fabs(at - before) < nearest && i + step != end) continue;
        fprintf(out, "%c%.1f %.1f", i == first && step > 0 ? 'M' : 'L', at,
                place(&p->y, values[i]));
        before = at;
    }
}

/* The area between low and high, one for each run of values that have both. */
static void band(FILE *out, const Plot *p, const Series *s)
{
    for (int first = 0, end; first < s->count; first = end + 1) {
        for (end = first; end < s->count && !is_gap(p, s, end) && has_interval(s, end); end++)
            ;
        if (end - first < 2) continue;
        fputs("<path class=\"band\" d=\"", out);
        edge(out, p, s, s->high, first, end, 1);
        edge(out, p, s, s->low, end - 1, first - 1, -1);
        fputs("Z\"/>\n", out);
    }
}

static void line(FILE *out, const Plot *p, const Series *s)
{
    double before = -INFINITY;
    bool pen = false;

    fputs("<path class=\"line\" d=\"M0 0", out);
    for (int i = 0; i < s->count; i++) {
        if (is_gap(p, s, i) || is_broken(p, s, i)) pen = false;
        if (is_gap(p, s, i)) continue;
        double at = place(&p->x, s->x[i]), height = place(&p->y, s->y[i]);
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

static void whisker(FILE *out, const Plot *p, const Series *s, int i)
{
    double at = place(&p->x, s->x[i]), top = place(&p->y, s->high[i]),
           bottom = place(&p->y, s->low[i]);

    fprintf(out, "<path class=\"whisker\" d=\"M%.1f %.1fh6m-3 0V%.1fm-3 0h6\"/>", at - 3, top,
            bottom);
}

/* number: of the series; those beyond the y axis are in a row for each. */
static void marks(FILE *out, const Plot *p, const Series *s, int number)
{
    const char *class = s->style == SERIES_POINTS ? "ring" : "mark";
    double before = -INFINITY;

    for (int i = 0; i < s->count; i++) {
        if (is_gap(p, s, i) || place(&p->x, s->x[i]) - before < nearest) continue;
        before = place(&p->x, s->x[i]);
        if (has_interval(s, i) && (s->style == SERIES_POINTS || s->marks)) whisker(out, p, s, i);
        int side = beyond(p, s->y[i]);
        if (side)
            fprintf(out, "<path class=\"mark\" d=\"M%.1f %.1fl3 %dh-6z\"/>\n", before,
                    place(&p->y, s->y[i]) + ROW * number * side, 6 * side);
        else
            fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", class, before,
                    place(&p->y, s->y[i]));
    }
}

/* The texts at points, unless they would overlap; values beyond the y axis, which have their mark
 * at its end. */
static void texts(FILE *out, const Plot *p, const Series *s, int number)
{
    double free = -INFINITY;

    for (int i = 0; i < s->count; i++) {
        char text[64], value[32] = "";
        if (is_gap(p, s, i)) continue;
        int side = beyond(p, s->y[i]);
        double at = place(&p->x, s->x[i]);
        double top = place(&p->y, has_interval(s, i) ? s->high[i] : s->y[i]);
        if ((!s->marks && !side) || at < free) continue;
        if (side) (void)snprintf(value, sizeof value, "%s%.3g", side < 0 ? "▾ " : "▴ ", s->y[i]);
        (void)snprintf(text, sizeof text, "%.20s%s%s", s->marks ? s->marks[i] : "",
                       s->marks && *value ? " " : "", value);
        free = at + 5 + 6.5 * (double)strlen(text);
        double edge = ROW * p->chart->count + 11 + 13 * number;
        fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", *value ? "own" : "soft mid",
                *value ? at + 5 : at,
                *value ? (side < 0 ? p->bottom - edge + 6 : TOP + edge) : top - 5);
        svg_end_text(out, text);
    }
}

/* More points than this are a line without marks. */
enum { MARKS_MAX = 50 };

static void draw_series(FILE *out, const Plot *p, const Series *s, int number)
{
    fprintf(out, "<g class=\"s%d\">\n", number);
    if (s->style == SERIES_LINE && !s->marks) band(out, p, s);
    if (s->style != SERIES_POINTS) line(out, p, s);
    if (s->style == SERIES_POINTS || s->marks || (s->style == SERIES_LINE && s->count <= MARKS_MAX))
        marks(out, p, s, number);
    texts(out, p, s, number);
    fputs("</g>\n", out);
}

/* ---- Words */

/* Of an entry of the legend: its sample, name and gap. */
static double legend_width(const char *name)
{
    return name ? 40 + 6.5 * (double)strlen(name) : 0;
}

static void legend(FILE *out, const Plot *p)
{
    const Chart *chart = p->chart;
    double width = 0;

    for (int i = 0; i < chart->count; i++)
        width += legend_width(chart->series[i].name);
    double at = fmax(fmin(LEFT, p->width - width), 0);

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

static void describe_series(FILE *out, const Plot *p, const Series *s)
{
    int first = 0, last = s->count - 1;

    while (first < s->count && is_gap(p, s, first))
        first++;
    while (last > first && is_gap(p, s, last))
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

static void describe(FILE *out, const Plot *p)
{
    const Chart *chart = p->chart;

    html_text(out, chart->y_label);
    fputs(" over ", out);
    html_text(out, chart->x_label);
    fputs(".", out);
    for (int i = 0; i < chart->count; i++)
        describe_series(out, p, &chart->series[i]);
    fputs("</desc>\n", out);
}

/* ---- The whole */

static void include_point(Plot *p, const Series *s, int i)
{
    include(&p->x, s->x[i]);
    if (p->chart->scale_from > 0 && s->x[i] < p->chart->scale_from) return;
    include(&p->y, s->y[i]);
    if (!has_interval(s, i)) return;
    include(&p->y, s->low[i]);
    include(&p->y, s->high[i]);
}

static Plot measure(const Chart *c)
{
    Plot p = {.chart = c,
              .width = c->wide ? WIDE_WIDTH : WIDTH,
              .height = c->wide ? WIDE_HEIGHT : HEIGHT};

    p.right = p.width - (c->wide && c->level_count > 0 ? NAMES_WIDTH : MARGIN);
    p.bottom = p.height - FOOT;
    p.x = (Axis){.low = INFINITY, .high = -INFINITY, .from = LEFT + 8, .to = p.right - 8};
    p.y = (Axis){.low = INFINITY, .high = -INFINITY, .from = p.bottom, .to = TOP};
    p.x.log = c->log_x;
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->series[i].count; k++)
            if (!is_gap(&p, &c->series[i], k)) include_point(&p, &c->series[i], k);
    if (c->from_zero) include(&p.y, 0);
    double range = p.y.high - p.y.low, low = p.y.low - range, high = p.y.high + range;
    for (int i = 0; i < c->level_count; i++) /* one that is far away is at an end */
        if (c->all_levels || (c->levels[i].at > low && c->levels[i].at < high))
            include(&p.y, c->levels[i].at);
    finish_axis(&p.x, false, c->whole_x ? 1 : 0);
    p.x.low = p.x.log ? fmax(p.x.low, p.x.high * 1e-9) : p.x.low;
    finish_axis(&p.y, true, 0);
    return p;
}

static void draw(Page *page, const char *heading, const Chart *chart, const char *title_id,
                 const char *text_id)
{
    FILE *out = page->out;
    const Plot p = measure(chart);

    svg_begin(out, title_id, text_id, page->figures, heading, p.width, p.height);
    describe(out, &p);
    legend(out, &p);
    axes(out, &p);
    for (int i = 0; i < chart->count; i++)
        draw_series(out, &p, &chart->series[i], i);
    fputs("</svg>\n", out);
}

void chart_write(Page *page, const char *heading, const Chart *chart)
{
    Chart narrow = *chart;

    narrow.wide = false;
    if (chart->wide) fputs("<div class=\"broad\">\n", page->out);
    draw(page, heading, chart, "title", "desc");
    if (!chart->wide) return;
    fputs("</div>\n<div class=\"narrow\">\n", page->out);
    draw(page, heading, &narrow, "narrow-title", "narrow-desc");
    fputs("</div>\n", page->out);
}

void chart_path(Page *page, const char *title, const Series *series)
{
    enum { PATH_WIDTH = 240, PATH_HEIGHT = 36 };
    const Chart chart = {.series = {*series}, .count = 1};
    Plot p = measure(&chart);

    p.x.from = p.y.to = 2;
    p.x.to = PATH_WIDTH - 2;
    p.y.from = PATH_HEIGHT - 2;
    svg_begin(page->out, "path", "path-text", ++page->boards, title, PATH_WIDTH, PATH_HEIGHT);
    describe_series(page->out, &p, series);
    fputs("</desc>\n<g class=\"s0\">\n", page->out);
    band(page->out, &p, series);
    line(page->out, &p, series);
    fputs("</g>\n</svg>\n", page->out);
}

void chart_figure(Page *page, const char *heading, const Chart *chart, const char *caption,
                  const char *command, const char *sql)
{
    html_figure(page, chart->wide ? "wide" : "", heading);
    chart_write(page, heading, chart);
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
        .series = {{"positions", SERIES_LINE, count, predicted, scored, NULL, NULL, NULL},
                   {"perfect", SERIES_DASHES, 2, diagonal, diagonal, NULL, NULL, NULL}}};

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

void chart_shares(Page *page, const char *heading, const BarChart *c, const char *caption,
                  const char *sql)
{
    static const int colours[] = {0, 4, 1};
    enum { PART_HEIGHT = 64, SHARES_WIDTH = WIDTH - 2 * MARGIN };
    FILE *out = page->out;

    html_figure(page, "", heading);
    svg_begin(out, "title", "desc", page->figures, heading, WIDTH, c->parts * PART_HEIGHT);
    describe_bars(out, c);
    for (int part = 0; part < c->parts; part++) {
        double left = 0;
        int top = part * PART_HEIGHT;
        fprintf(out, "<text class=\"soft\" y=\"%d\">", top + 12);
        svg_end_text(out, c->names[part]);
        for (int i = 0; i < c->count && i < 3; i++) {
            double width = c->values[part][i] / 100 * SHARES_WIDTH;
            fprintf(out,
                    "<g class=\"s%d\"><rect class=\"mark\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" "
                    "height=\"%d\"/><rect class=\"mark\" x=\"%d\" y=\"%d\" width=\"9\" "
                    "height=\"9\"/></g><text x=\"%d\" y=\"%d\">",
                    colours[i], left, top + 36, fmax(width - 1, 0), BAR, i * 130, top + 20,
                    i * 130 + 14, top + 29);
            html_text(out, c->labels[i]);
            fprintf(out, " %.1f</text>\n", c->values[part][i]);
            left += width;
        }
    }
    fputs("</svg>\n", out);
    html_figure_end(page, caption, NULL, sql);
}

void bars_write(Page *page, const char *title, const BarChart *c)
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
    svg_begin(out, "bars", "bars-text", ++page->boards, title, WIDTH, height);
    describe_bars(out, c);
    if (c->parts > 1) bar_legend(out, c);
    for (int i = 0; i < c->count; i++)
        bar_group(out, c, &x, i, BARS_TOP + i * step);
    fprintf(out, "<path class=\"axis\" d=\"M%d %dV%d\"/>\n<text class=\"mid\" x=\"%d\" y=\"%d\">",
            BARS_LEFT, BARS_TOP - 2, height - BARS_END, (BARS_LEFT + BARS_RIGHT) / 2,
            height - BARS_END + 20);
    svg_end_text(out, c->x_label);
    fputs("</svg>\n", out);
}

void chart_bars(Page *page, const char *heading, const BarChart *c, const char *caption,
                const char *sql)
{
    html_figure(page, "", heading);
    bars_write(page, heading, c);
    html_figure_end(page, caption, NULL, sql);
}
