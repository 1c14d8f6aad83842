/* SPDX-License-Identifier: MIT
 * Tables of matches, and the progress of one. */
#include "cli/match/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/match/statistics_text.h"
#include "cli/output/fields.h"
#include "cli/output/terminal.h"
#include "engine/base/text.h"
#include "selfplay/match/stats.h"

enum {
    NAME_COLUMNS = 24,
    NAME_SHORT = 14,
    CELL_COLUMNS = 16,
    CROSSTABLE_MAX = 16,
    UNRATED_SHOWN = 8,
    FAULTS_SHOWN = 20
};

/* ---- Games lost by faults */

static const Field forfeit_fields[] = {
    {"lost_on_time", FIELD(Forfeits, time), .label = "on time", .zero = ZERO_NOT_IN_TEXT},
    {"lost_by_crash", FIELD(Forfeits, crashes), .label = "by a crash", .zero = ZERO_NOT_IN_TEXT},
    {"lost_by_stall", FIELD(Forfeits, stalls), .label = "by a stall", .zero = ZERO_NOT_IN_TEXT},
    {"lost_by_illegal_move", FIELD(Forfeits, illegal), .label = "by an illegal move",
     .zero = ZERO_NOT_IN_TEXT},
    {0},
};

/* "name lost 2 on time, 1 by an illegal move" */
static void print_forfeits(FILE *out, const GauntletReport *report)
{
    for (int i = 0; i < report->table.players; i++) {
        const Forfeits *forfeits = &report->board->forfeits[i];
        if (forfeits_total(forfeits) == 0) continue;
        (void)fprintf(out, "%s lost ", report->names[i]);
        fields_sentence(out, forfeit_fields, forfeits);
        (void)fputc('\n', out);
    }
}

/* ---- Faulty PVs, and games that repeat */

static PvCounts faulty_pvs(const GauntletReport *report, int player)
{
    const UciSetup *uci = report->players[player].uci;
    return uci && uci->pv ? pv_faults_counts(uci->pv) : (PvCounts){0};
}

/* "name printed PVs: 2 with an illegal move" */
static void print_faulty_pvs(FILE *out, const GauntletReport *report)
{
    for (int i = 0; i < report->table.players; i++) {
        PvCounts counts = faulty_pvs(report, i);
        if (counts.illegal + counts.other_move + counts.no_mate == 0) continue;
        (void)fprintf(out, "%s printed PVs: ", report->names[i]);
        fields_sentence(out, pv_fields, &counts);
        (void)fputc('\n', out);
    }
}

/* "a, b: 10 of 20 games repeat another one, with its opening and moves" */
static void print_repeats(FILE *out, const char *const *names, const PairingScore *pairing)
{
    (void)fprintf(out, "%s, %s: %lld of %lld games repeat another one, with its opening and moves",
                  names[pairing->players[0]], names[pairing->players[1]],
                  (long long)pairing->repeated, (long long)match_games(&pairing->score));
}

static void print_all_repeats(FILE *out, const GauntletReport *report)
{
    for (int i = 0; i < report->board->pairing_count; i++) {
        if (!report->board->pairings[i].repeats) continue;
        print_repeats(out, report->names, &report->board->pairings[i]);
        (void)fputc('\n', out);
    }
}

/* ---- The table */

/* What a row shows. */
typedef struct Row {
    int place;
    const char *name;
    double elo, elo95, los; /* los: over the next player */
    MatchStats stats;
    char pairs[128];
    int64_t faults;
} Row;

enum { PLAYER = 1, FAULTS = 10, TABLE_COLUMNS = 11, NAME_LEAST = 4 };

static const Field all_columns[TABLE_COLUMNS + 1] = {
    {NULL, FIELD(Row, place), .label = "#", .width = 4},
    {NULL, FIELD(Row, name), .label = "player", .width = -NAME_COLUMNS},
    {NULL, FIELD(Row, elo), .label = "Elo", .decimals = 1, .sign = true, .width = 9},
    {NULL, FIELD(Row, elo95), .label = "95 % ±", .decimals = 1, .width = 8},
    {NULL, FIELD(Row, los), .label = "LOS %", .decimals = 1, .scale = 100, .width = 8, .drop = 3},
    {NULL, FIELD(Row, stats.games), .label = "games", .width = 8, .drop = 2},
    {NULL, FIELD(Row, stats.score), .label = "score %", .decimals = 1, .scale = 100, .width = 8,
     .drop = 1},
    {NULL, FIELD(Row, stats.draw_ratio), .label = "drawn %", .decimals = 1, .scale = 100,
     .width = 9, .drop = 4},
    {NULL, FIELD(Row, stats.nelo), .label = "nElo", .decimals = 1, .sign = true, .width = 9,
     .drop = 6},
    {NULL, FIELD(Row, pairs), .label = "LL   LD DD,WL  WD   WW", .width = 26, .drop = 7},
    {NULL, FIELD(Row, faults), .label = "faults", .width = 8, .drop = 5},
    {0},
};

static int longest_name(const GauntletReport *report)
{
    int longest = 0;

    for (int i = 0; i < report->table.players; i++) {
        int length = text_columns(report->names[i]);
        if (length > longest) longest = length;
    }
    return longest;
}

/* Chooses the columns that fit into `width` (0: any). */
static void fit_columns(const GauntletReport *report, int width, Field columns[TABLE_COLUMNS + 1])
{
    int *name = &columns[PLAYER].width, longest = longest_name(report);

    memcpy(columns, all_columns, sizeof all_columns);
    if (!report->board->forfeits) columns[FAULTS].label = NULL;
    if (width == 0 || fields_width(columns) <= width) return;
    if (longest < -*name) *name = longest > 6 ? -longest : -6;
    fields_fit(columns, width);
    while (fields_width(columns) > width && -*name > NAME_LEAST)
        (*name)++;
}

static void put_player(FILE *out, const GauntletReport *report, int place, const Field *columns)
{
    const Scoreboard *board = report->board;
    const RatingTable *table = &report->table;
    int player = table->order[place];
    MatchScore score = scoreboard_player(board, player);
    Row row = {.place = place + 1,
               .name = report->names[player],
               .elo = table->elo[player],
               .elo95 = table->elo95[player],
               .los = NAN,
               .faults = board->forfeits ? forfeits_total(&board->forfeits[player]) : 0};

    if (place + 1 < table->players) row.los = rating_los(table, player, table->order[place + 1]);
    match_stats(&score, NULL, &row.stats);
    for (int i = 0; i < 5; i++)
        text_append(row.pairs, sizeof row.pairs, "%*lld", i > 0 ? 5 : 6, (long long)score.ptnml[i]);
    fields_row(out, columns, &row);
}

/* If it was fitted. */
static void print_white(FILE *out, const RatingTable *table, const char *note)
{
    if (!isfinite(table->white)) return;
    (void)fprintf(out, "White's advantage %+.1f", table->white);
    if (isfinite(table->white95)) (void)fprintf(out, " ± %.1f", table->white95);
    (void)fprintf(out, " Elo%s%s\n", isfinite(table->white95) ? "" : " (too few games for ±)",
                  note);
}

/* A player that has played and is rated, but without error. */
static bool lacks_error(const RatingTable *table, const Scoreboard *board)
{
    for (int i = 0; i < table->players; i++) {
        MatchScore score = scoreboard_player(board, i);
        if (match_games(&score) > 0 && isfinite(table->elo[i]) && !isfinite(table->elo95[i]))
            return true;
    }
    return false;
}

/* What holds for all of the table. */
static void print_footnotes(FILE *out, const GauntletReport *report, int width)
{
    char text[160];

    if (lacks_error(&report->table, report->board)) {
        (void)snprintf(text, sizeof text,
                       "– for ± and LOS: too few pairs. "
                       "Fewer than %d of a player's pairs differ from its most frequent result.",
                       MATCH_NORMAL);
        (void)text_wrap(out, 0, width, text);
        (void)fputc('\n', out);
    }
    if (report->table.bounded) {
        (void)text_wrap(out, 0, width,
                        "A player, or a colour, lost or won all games against others. "
                        "Ratings are bounds: one draw is added to each pairing.");
        (void)fputc('\n', out);
    }
    print_white(out, &report->table, "");
}

static void print_table(FILE *out, const GauntletReport *report, int width)
{
    Field columns[TABLE_COLUMNS + 1];

    fit_columns(report, width, columns);
    fields_header(out, columns);
    for (int place = 0; place < report->table.players; place++)
        put_player(out, report, place, columns);
    print_footnotes(out, report, width);
}

/* ---- The crosstable */

void meeting_text(const Scoreboard *board, int player, int opponent, char cell[MEETING_TEXT_MAX])
{
    MatchScore score;

    *cell = '\0';
    if (!scoreboard_meeting(board, player, opponent, &score)) return;
    (void)snprintf(cell, MEETING_TEXT_MAX, "%lld-%lld-%lld", (long long)score.wins,
                   (long long)score.draws, (long long)score.losses);
}

/* Opponents [first, end) in the order of strength; names and cells of these widths. */
static void print_meetings(FILE *out, const GauntletReport *report, int first, int end, int name,
                           int cell)
{
    const int *order = report->table.order;
    char text[MEETING_TEXT_MAX];

    cell_put(out, 4, "#");
    cell_put(out, -name, "won-drawn-lost");
    for (int i = first; i < end; i++)
        cell_put_int(out, cell, i + 1);
    (void)fputc('\n', out);
    for (int i = 0; i < report->table.players; i++) {
        cell_put_int(out, 4, i + 1);
        cell_put(out, -name, report->names[order[i]]);
        for (int j = first; j < end; j++) {
            meeting_text(report->board, order[i], order[j], text);
            cell_put(out, cell, text);
        }
        (void)fputc('\n', out);
    }
}

/* The longest text, and two blanks before it. */
static int meeting_width(const Scoreboard *board, int players)
{
    char text[MEETING_TEXT_MAX];
    int width = 0;

    for (int i = 0; i < players * players; i++) {
        meeting_text(board, i / players, i % players, text);
        if ((int)strlen(text) + 2 > width) width = (int)strlen(text) + 2;
    }
    return width;
}

/* In parts below each other where the terminal is narrow. */
static void print_crosstable(FILE *out, const GauntletReport *report, int width)
{
    int count = report->table.players, name = NAME_COLUMNS, cell = CELL_COLUMNS, part = count;

    if (count > CROSSTABLE_MAX) return;
    if (width > 0 && 6 + name + count * cell > width) {
        name = NAME_SHORT;
        cell = meeting_width(report->board, count);
        part = (width - 6 - name) / cell;
        if (part < 1) part = 1;
    }
    for (int first = 0; first < count; first += part) {
        int end = first + part < count ? first + part : count;
        (void)fputc('\n', out);
        print_meetings(out, report, first, end, name, cell);
    }
}

static void print_tables(FILE *out, const GauntletReport *report)
{
    int width = terminal_columns(out);

    print_table(out, report, width);
    print_crosstable(out, report, width);
    (void)fputc('\n', out);
}

/* ---- JSON */

/* NULL of a player with a rating. */
static const char *const unrated_reasons[] = {[RATING_WON_ALL] = "won all games",
                                              [RATING_LOST_ALL] = "lost all games",
                                              [RATING_SEPARATE] = "not connected"};

void ratings_json_player(JsonWriter *w, const char *name, const Scoreboard *board,
                         const RatingTable *table, int player)
{
    MatchScore score = scoreboard_player(board, player);
    MatchStats stats;

    match_stats(&score, NULL, &stats);
    json_string(w, "name", name);
    json_double(w, "rating", table->elo[player], 10);
    json_double(w, "rating95", table->elo95[player], 10);
    match_json(w, &score, &stats);
}

static void json_player(JsonWriter *w, const GauntletReport *report, int player)
{
    const Scoreboard *board = report->board;
    const RatingTable *table = &report->table;

    json_object(w, NULL);
    ratings_json_player(w, report->names[player], board, table, player);
    if (report->rating.skip_perfect)
        json_string(w, "unrated", unrated_reasons[table->state[player]]);
    if (board->forfeits) fields_json(w, forfeit_fields, &board->forfeits[player]);
    if (report->players) {
        PvCounts counts = faulty_pvs(report, player);
        fields_json(w, pv_fields, &counts);
    }
    json_array(w, "los_over"); /* in the order of this array */
    for (int i = 0; i < report->table.players; i++)
        json_double(w, NULL, i == player ? NAN : rating_los(table, player, i), 6);
    json_end_array(w);
    json_end_object(w);
}

void ratings_json_pairings(JsonWriter *w, const char *const *names, const Scoreboard *board)
{
    json_array(w, "pairings");
    for (int i = 0; i < board->pairing_count; i++) {
        const PairingScore *pairing = &board->pairings[i];
        MatchStats stats;
        match_stats(&pairing->score, NULL, &stats);
        json_object(w, NULL);
        json_string(w, "a", names[pairing->players[0]]);
        json_string(w, "b", names[pairing->players[1]]);
        match_json(w, &pairing->score, &stats);
        if (board->forfeits) json_int(w, "repeated_games", pairing->repeated);
        json_end_object(w);
    }
    json_end_array(w);
}

/* The arrays `players` and `pairings`, and what holds for all ratings. */
static void json_ratings(JsonWriter *w, const GauntletReport *report)
{
    const RatingTable *table = &report->table;

    json_array(w, "players");
    for (int i = 0; i < report->table.players; i++)
        json_player(w, report, i);
    json_end_array(w);
    ratings_json_pairings(w, report->names, report->board);
    json_bool(w, "ratings_are_bounds", table->bounded);
    if (!report->rating.fit_white) return;
    json_double(w, "white_advantage", table->white, 10);
    json_double(w, "white_advantage95", table->white95, 10);
}

/* ---- Games that were not played here */

/* Games without a partner are in no pair. */
static int64_t count_pairs(const Scoreboard *board)
{
    int64_t pairs = 0;

    for (int i = 0; i < board->pairing_count; i++)
        for (int k = 0; k < 5; k++)
            pairs += board->pairings[i].score.ptnml[k];
    return pairs;
}

static double share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

/* A line for each state: "NAME, NAME and 3 more: left out, ..." */
static void print_unrated(FILE *out, const GauntletReport *report)
{
    static const char *const sentences[] = {
        [RATING_WON_ALL] = "won every game against the others",
        [RATING_LOST_ALL] = "lost every game against the others",
        [RATING_SEPARATE] = "no games connect them with the others"};

    for (RatingState state = RATING_WON_ALL; state <= RATING_SEPARATE; state++) {
        int count = 0;
        for (int i = 0; i < report->table.players; i++) {
            if (report->table.state[i] != state) continue;
            if (count < UNRATED_SHOWN)
                (void)fprintf(out, "%s%s", count > 0 ? ", " : "", report->names[i]);
            count++;
        }
        if (count > UNRATED_SHOWN) (void)fprintf(out, " and %d more", count - UNRATED_SHOWN);
        if (count > 0) (void)fprintf(out, ": left out, %s\n", sentences[state]);
    }
}

void ratings_print(FILE *out, const GauntletReport *report)
{
    const MatchScore white = scoreboard_white(report->board);
    int64_t games = match_games(&white);

    (void)fprintf(out, "%d players, %lld games, of them %lld in pairs", report->table.players,
                  (long long)games, 2 * (long long)count_pairs(report->board));
    if (games > 0)
        (void)fprintf(out, "; White scored %.1f %%, drawn %.1f %%",
                      100 * share(2 * white.wins + white.draws, 2 * games),
                      100 * share(white.draws, games));
    (void)fputs("\n\n", out);
    print_tables(out, report);
    print_unrated(out, report);
}

void ratings_json(FILE *out, const GauntletReport *report)
{
    const MatchScore white = scoreboard_white(report->board);
    int64_t games = match_games(&white);
    JsonWriter w;

    json_begin(&w, out);
    json_int(&w, "games", games);
    json_int(&w, "pairs", count_pairs(report->board));
    json_double(&w, "white_score", share(2 * white.wins + white.draws, 2 * games), 10);
    json_double(&w, "draw_ratio", share(white.draws, games), 10);
    json_ratings(&w, report);
    json_finish(&w);
}

/* ---- The match */

/* Of two players there is no table. */
static void print_report(const GauntletDisplay *d, const GauntletProgress *progress)
{
    const GauntletReport *report = &d->report;
    const RatingTable *table = &report->table;

    if (table->players > 2) {
        printf("%d players, %lld of %lld games\n\n", table->players, (long long)progress->done,
               (long long)progress->total);
        print_tables(stdout, report);
    } else {
        printf("%s against %s\n", report->names[0], report->names[1]);
        match_print(stdout, &progress->score, &progress->stats, &d->settings->sprt);
        print_white(stdout, table, table->bounded ? ", with one draw added to the games" : "");
    }
    print_forfeits(stdout, report);
    print_faulty_pvs(stdout, report);
    print_all_repeats(stdout, report);
}

static void print_json(const GauntletDisplay *d, const GauntletProgress *progress)
{
    const GauntletReport *report = &d->report;
    JsonWriter w;

    json_begin(&w, stdout);
    json_string(&w, "a", report->names[0]);
    if (report->table.players == 2) json_string(&w, "b", report->names[1]);
    match_json(&w, &progress->score, &progress->stats);
    json_ratings(&w, report);
    json_int(&w, "done", progress->done);
    json_int(&w, "total", progress->total);
    json_int(&w, "resumed", progress->resumed);
    json_double(&w, "seconds", progress->seconds, 6);
    json_finish(&w);
}

Status gauntlet_display_report(GauntletDisplay *display, const GauntletProgress *progress,
                               Error *err)
{
    GauntletReport *report = &display->report;

    report->board = &progress->board;
    Status status = rating_fit(report->board, &report->rating, &report->table, err);
    if (status == STATUS_OK) (display->json ? print_json : print_report)(display, progress);
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
    if (status == STATUS_OK) print_table(text.out, report, columns > 0 ? columns - 1 : 0);
    rating_free(&report->table);
    if (text_stream_close(&text) && status == STATUS_OK)
        progress_draw_above(&d->progress, text.text);
    text_stream_discard(&text);
}

static void draw_line(GauntletDisplay *d, const GauntletProgress *p)
{
    char elo[ELO_TEXT_MAX], llr[64] = "", los[16] = "–";

    match_elo_text(&p->stats, elo);
    if (d->settings->sprt.enabled)
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

static void warn_of_programs(GauntletDisplay *d)
{
    char log[ENGINE_LOG_WARNING_MAX], pv[PV_WARNING_MAX];

    for (int i = 0; i < d->settings->schedule.players; i++) {
        const UciSetup *uci = d->settings->players[i].uci;
        if (uci && engine_log_warning(uci->log, log)) {
            progress_end(&d->progress);
            fprintf(stderr, "warning: %s\n", log);
        }
        while (uci && uci->pv && !d->quiet && pv_faults_warning(uci->pv, pv)) {
            progress_end(&d->progress);
            fprintf(stderr, "warning: %s\n", pv);
        }
    }
}

void gauntlet_display_progress(void *context, const GauntletProgress *p)
{
    GauntletDisplay *d = context;

    if (d->progress.started == 0) {
        progress_start(&d->progress, p->total, p->resumed, d->quiet);
        d->reported = p->resumed;
    }
    warn_of_programs(d);
    report_now_and_then(d, p);
    if (!progress_due(&d->progress)) return;
    if (d->settings->schedule.players > 2) draw_table(d, p);
    draw_line(d, p);
}

void gauntlet_display_fault(void *context, const GameRecord *game)
{
    GauntletDisplay *d = context;
    int loser = game->result == RESULT_WHITE_WINS ? game->black : game->white;
    const char *name = d->report.names[loser];

    if (d->quiet || d->faults > FAULTS_SHOWN) return;
    progress_end(&d->progress);
    if (d->faults++ == FAULTS_SHOWN)
        fprintf(stderr, "more faults are only counted\n");
    else if (strstr(game->note, name))
        fprintf(stderr, "game %lld, %s: %s\n", (long long)game->game_no + 1,
                reason_name(game->reason), game->note);
    else
        fprintf(stderr, "game %lld, %s: %s lost%s%s\n", (long long)game->game_no + 1,
                reason_name(game->reason), name, game->note[0] ? "; " : "", game->note);
}

void gauntlet_display_repeats(void *context, const PairingScore *pairing)
{
    GauntletDisplay *d = context;

    if (d->quiet) return;
    progress_end(&d->progress);
    fputs("warning: ", stderr);
    print_repeats(stderr, d->report.names, pairing);
    fputs("; compare the players' limits (does an engine ignore nodes?) and count the openings\n",
          stderr);
}

void gauntlet_display_paused(void *context, int games)
{
    GauntletDisplay *d = context;

    progress_end(&d->progress);
    fprintf(stderr, "warning: this process was stopped: %d game%s in progress %s played again\n",
            games, games == 1 ? "" : "s", games == 1 ? "is" : "are");
}

void gauntlet_display_test_changed(void *context, const char *difference)
{
    (void)context;
    fprintf(
        stderr,
        "warning: the sequential test has changed in the match: %s;"
        " its error rates alpha and beta are those of bounds that were chosen before the first game\n",
        difference);
}
