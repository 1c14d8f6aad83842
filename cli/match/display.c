/* SPDX-License-Identifier: MIT
 * Showing the progress of a match. */
#include "cli/match/display.h"

#include <math.h>

#include "cli/match/statistics_text.h"
#include "cli/output/terminal.h"
#include "engine/base/text.h"

enum { FAULTS_SHOWN = 20 };

Status gauntlet_display_report(GauntletDisplay *display, const GauntletProgress *progress,
                               Error *err)
{
    GauntletReport *report = &display->report;

    report->board = &progress->board;
    Status status = rating_fit(report->board, &report->rating, &report->table, err);
    if (status == STATUS_OK)
        (display->json ? gauntlet_report_json : gauntlet_report_print)(stdout, report, progress);
    rating_free(&report->table);
    if (status == STATUS_OK && fflush(stdout) != 0)
        status = error_set(err, STATUS_FAILED, "standard output cannot be written");
    return status;
}

/* The table above the live line; without memory there is none. */
static void draw_table(GauntletDisplay *d, const GauntletProgress *p)
{
    GauntletReport *report = &d->report;
    int columns = terminal_columns(stderr);
    TextStream text;

    if (!text_stream_open(&text)) return;
    report->board = &p->board;
    Status status = rating_fit(report->board, &report->rating, &report->table, &(Error){0});
    if (status == STATUS_OK)
        gauntlet_report_table(text.out, report, false, columns > 0 ? columns - 1 : 0);
    rating_free(&report->table);
    if (text_stream_close(&text) && status == STATUS_OK)
        progress_draw_above(&d->progress, text.text);
    text_stream_discard(&text);
}

static void draw_line(GauntletDisplay *d, const GauntletProgress *p)
{
    char elo[ELO_TEXT_MAX], llr[64] = "", los[16] = "–";

    match_elo_text(&p->stats, elo);
    if (d->report.sprt->enabled)
        (void)snprintf(llr, sizeof llr, "  LLR %.2f (%.2f, %.2f)", p->stats.llr, p->stats.lower,
                       p->stats.upper);
    if (isfinite(p->stats.los)) (void)snprintf(los, sizeof los, "%.1f %%", 100 * p->stats.los);
    progress_draw(&d->progress, p->done, "games", "+%lld =%lld -%lld  Elo %s%s  LOS %s",
                  (long long)p->score.wins, (long long)p->score.draws, (long long)p->score.losses,
                  elo, llr, los);
}

static void report_now_and_then(GauntletDisplay *d, const GauntletProgress *p)
{
    if (d->report_every <= 0 || p->done - d->reported < d->report_every || p->done == p->total)
        return;
    d->reported = p->done;
    progress_end(&d->progress);
    Status status = gauntlet_display_report(d, p, &(Error){0});
    (void)status; /* the last report returns the error */
}

static void warn_of_logs(GauntletDisplay *d)
{
    char warning[ENGINE_LOG_WARNING_MAX];

    for (int i = 0; i < d->settings->schedule.players; i++) {
        const UciSetup *uci = d->settings->players[i].uci;
        if (!uci || !engine_log_warning(uci->log, warning)) continue;
        progress_end(&d->progress);
        fprintf(stderr, "warning: %s\n", warning);
    }
}

void gauntlet_display_progress(void *context, const GauntletProgress *p)
{
    GauntletDisplay *d = context;

    if (d->progress.started == 0) {
        progress_start(&d->progress, p->total, p->resumed, d->quiet);
        d->reported = p->resumed;
    }
    warn_of_logs(d);
    report_now_and_then(d, p);
    if (!progress_due(&d->progress)) return;
    if (d->settings->schedule.players > 2) draw_table(d, p);
    draw_line(d, p);
}

void gauntlet_display_fault(void *context, const GameRecord *game)
{
    GauntletDisplay *d = context;
    int loser = game->result == RESULT_WHITE_WINS ? game->black : game->white;

    if (d->quiet || d->faults > FAULTS_SHOWN) return;
    progress_end(&d->progress);
    if (d->faults++ == FAULTS_SHOWN)
        fprintf(stderr, "more faults are only counted\n");
    else if (game->note[0])
        fprintf(stderr, "game %lld, %s: %s\n", (long long)game->game_no + 1,
                reason_name(game->reason), game->note);
    else
        fprintf(stderr, "game %lld, %s: %s lost\n", (long long)game->game_no + 1,
                reason_name(game->reason), d->report.names[loser]);
}
