/* SPDX-License-Identifier: MIT
 * The outcome of a match as text. */
#include "cli/match/statistics_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/fields.h"
#include "cli/output/terminal.h"
#include "engine/base/text.h"
#include "engine/values/value.h"

enum {
    INDENT = 7,  /* of the figures */
    COLUMNS = 80 /* where there is no terminal */
};

void match_elo_text(const MatchStats *stats, char out[ELO_TEXT_MAX])
{
    if (isfinite(stats->elo) && stats->normal)
        (void)snprintf(out, ELO_TEXT_MAX, "%+.1f ± %.1f", stats->elo, stats->elo95);
    else if (isfinite(stats->elo))
        (void)snprintf(out, ELO_TEXT_MAX, "%+.1f [%+.0f, %+.0f]", stats->elo, stats->elo_low,
                       stats->elo_high);
    else if (isfinite(stats->elo_low))
        (void)snprintf(out, ELO_TEXT_MAX, "won all; above %+.0f", stats->elo_low);
    else if (isfinite(stats->elo_high))
        (void)snprintf(out, ELO_TEXT_MAX, "lost all; below %+.0f", stats->elo_high);
    else
        (void)snprintf(out, ELO_TEXT_MAX, "–");
}

/* "57.3 %", or "–" for what cannot be computed. */
static void print_percent(FILE *out, const char *name, double share)
{
    if (isfinite(share))
        fprintf(out, "%-6s %.1f %%\n", name, 100 * share);
    else
        fprintf(out, "%-6s –\n", name);
}

/* Why there is no ±. */
static void print_few(FILE *out, const MatchStats *stats)
{
    char text[256];
    int columns = terminal_columns(out);

    (void)snprintf(
        text, sizeof text,
        "%*stoo few %s for ±: %lld of %lld differ from the most frequent result, %d are needed; the 95 %% interval is by likelihood",
        INDENT, "", stats->pairs > 0 ? "pairs" : "games", (long long)stats->unlike,
        (long long)(stats->pairs > 0 ? stats->pairs : stats->games), MATCH_NORMAL);
    (void)text_wrap(out, INDENT, columns > 0 ? columns : COLUMNS, text);
    (void)fputc('\n', out);
}

static void print_elo(FILE *out, const MatchStats *stats)
{
    char elo[ELO_TEXT_MAX];

    match_elo_text(stats, elo);
    (void)fputs("Elo    ", out);
    terminal_put(out,
                 stats->elo_low > 0    ? COLOUR_GREEN
                 : stats->elo_high < 0 ? COLOUR_RED
                                       : COLOUR_NONE,
                 elo);
    (void)fputs(stats->games > 0 && !isfinite(stats->elo) ? " (95 %)\n" : "\n", out);
    if (stats->games > 0 && !stats->normal) print_few(out, stats);
    if (isfinite(stats->nelo95))
        fprintf(out, "nElo   %+.1f ± %.1f\n", stats->nelo, stats->nelo95);
    else if (isfinite(stats->nelo))
        fprintf(out, "nElo   %+.1f\n", stats->nelo);
    else
        fprintf(out, "nElo   –\n");
}

static void print_test(FILE *out, const MatchStats *stats, const SprtSettings *sprt)
{
    bool h1 = stats->decision == SPRT_ACCEPT_H1, h0 = stats->decision == SPRT_ACCEPT_H0;
    const char *decision = h1 ? "H1 accepted" : h0 ? "H0 accepted" : "undecided";
    int columns = terminal_columns(out);
    char text[256];

    (void)snprintf(text, sizeof text,
                   "LLR    %.2f in (%.2f, %.2f) for %s Elo [%g, %g]:", stats->llr, stats->lower,
                   stats->upper, sprt->model == SPRT_NORMALIZED ? "normalised" : "logistic",
                   sprt->elo0, sprt->elo1);
    int used = text_wrap(out, INDENT, columns, text);
    bool fits = columns == 0 || used + 1 + (int)strlen(decision) <= columns;
    (void)fprintf(out, "%s%*s", fits ? " " : "\n", fits ? 0 : INDENT, "");
    terminal_put(out, h1 ? COLOUR_GREEN : h0 ? COLOUR_RED : COLOUR_NONE, decision);
    (void)fputc('\n', out);
}

/* A line, in several where the terminal is narrow. */
static void print_wrapped(FILE *out, const char *text)
{
    (void)text_wrap(out, INDENT, terminal_columns(out), text);
    (void)fputc('\n', out);
}

static void print_counts(FILE *out, const MatchScore *score, const MatchStats *stats)
{
    char text[256] = "";

    text_append(text, sizeof text, "games  %lld", (long long)stats->games);
    if (match_games(score) > 0)
        text_append(text, sizeof text, "   won %lld, drawn %lld, lost %lld", (long long)score->wins,
                    (long long)score->draws, (long long)score->losses);
    print_wrapped(out, text);
    if (stats->pairs == 0) return;
    *text = '\0';
    text_append(text, sizeof text,
                "pairs  %lld   LL, LD, DD or WL, WD, WW:", (long long)stats->pairs);
    for (int i = 0; i < 5; i++)
        text_append(text, sizeof text, " %lld", (long long)score->ptnml[i]);
    print_wrapped(out, text);
}

void match_print(FILE *out, const MatchScore *score, const MatchStats *stats,
                 const SprtSettings *sprt)
{
    print_counts(out, score, stats);
    if (stats->pairs > 0 && isfinite(stats->pair_ratio))
        fprintf(out, "       pairs won to pairs lost %.2f\n", stats->pair_ratio);
    print_percent(out, "score", stats->score);
    if (isfinite(stats->draw_ratio)) print_percent(out, "draws", stats->draw_ratio);
    print_elo(out, stats);
    print_percent(out, "LOS", stats->los);
    if (sprt && sprt->enabled) print_test(out, stats, sprt);
}

/* ---- Given ratings */

static int find_player(const Anchor *anchor, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strncmp(names[i], anchor->name, (size_t)anchor->length) == 0 &&
            !names[i][anchor->length])
            return i;
    return -1;
}

Status anchor_parse(const char *text, bool bare, const char *const *names, int count,
                    Anchor *anchor, Error *err)
{
    const char *equals = strrchr(text, '=');

    *anchor = (Anchor){.name = text, .length = (int)strlen(text), .player = -1};
    if (bare) anchor->player = find_player(anchor, names, count);
    if (anchor->player >= 0 || (bare && !equals)) return STATUS_OK;
    if (!equals || !value_parse_double(equals + 1, &anchor->elo) ||
        !(fabs(anchor->elo) <= ANCHOR_ELO_MAX))
        return error_set(err, STATUS_USAGE,
                         "--anchor: \"%s\" is not %sNAME=ELO, with an Elo of at most %d", text,
                         bare ? "NAME or " : "", ANCHOR_ELO_MAX);
    anchor->length = (int)(equals - text);
    anchor->player = find_player(anchor, names, count);
    if (bare || anchor->player >= 0) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "--anchor: no player has the name \"%.*s\"", anchor->length,
                     text);
}
