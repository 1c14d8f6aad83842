/* SPDX-License-Identifier: MIT
 * Tables of matches. */
#include "cli/match/report.h"

#include <math.h>
#include <stdlib.h>

#include "cli/match/statistics_text.h"
#include "cli/output/fields.h"

enum { CELL_MAX = 64, NAME_COLUMNS = 24, CROSSTABLE_MAX = 16 };

/* With one decimal. */
static void put_number(FILE *out, int width, double value, bool sign)
{
    cell_put_double(out, width, value, 1, sign);
}

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
static void print_forfeits(FILE *out, const GauntletReport *report, const Scoreboard *board)
{
    for (int i = 0; i < report->player_count; i++) {
        if (forfeits_total(&board->forfeits[i]) == 0) continue;
        (void)fprintf(out, "%s lost ", report->players[i].name);
        fields_sentence(out, forfeit_fields, &board->forfeits[i]);
        (void)fputc('\n', out);
    }
}

/* ---- The table */

/* Players in order of strength; those without a rating last, in order of number. */
static void rank_players(const RatingTable *table, int *order)
{
    for (int i = 0; i < table->players; i++) {
        int at = i;
        double elo = isnan(table->elo[i]) ? -INFINITY : table->elo[i];
        for (; at > 0; at--) {
            double above = table->elo[order[at - 1]];
            if (!(isnan(above) ? elo > -INFINITY : above < elo)) break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

static void put_player(FILE *out, const GauntletReport *report, const Scoreboard *board,
                       const RatingTable *table, const int *order, int rank)
{
    int player = order[rank];
    MatchScore score = scoreboard_player(board, player);
    MatchStats stats;
    double los = rank + 1 < table->players ? rating_los(table, player, order[rank + 1]) : NAN;

    match_stats(&score, NULL, &stats);
    cell_put_int(out, 4, rank + 1);
    cell_put(out, -NAME_COLUMNS, report->players[player].name);
    put_number(out, 9, table->elo[player], true);
    put_number(out, 8, table->elo95[player], false);
    put_number(out, 8, 100 * los, false);
    cell_put_int(out, 8, stats.games);
    put_number(out, 8, 100 * stats.score, false);
    put_number(out, 8, 100 * stats.draw_ratio, false);
    put_number(out, 9, stats.nelo, true);
    for (int i = 0; i < 5; i++)
        cell_put_int(out, i ? 5 : 6, score.ptnml[i]);
    cell_put_int(out, 7, forfeits_total(&board->forfeits[player]));
    (void)fputc('\n', out);
}

/* If it was fitted. */
static void print_white(FILE *out, const RatingTable *table, const char *note)
{
    if (isfinite(table->white))
        (void)fprintf(out, "White's advantage %+.1f ± %.1f Elo%s\n", table->white, table->white95,
                      note);
}

/* What holds for all of the table. */
static void print_footnotes(FILE *out, const RatingTable *table)
{
    bool few = false;

    for (int i = 0; i < table->players; i++)
        few = few || (isfinite(table->elo[i]) && isnan(table->elo95[i]));
    if (few)
        (void)fprintf(out,
                      "Few pairs: a rating has no error (–) if fewer than %d of the player's pairs "
                      "differ from the most frequent result.\n",
                      MATCH_NORMAL);
    if (table->bounded)
        (void)fputs(
            "A player, or a colour, lost or won all games against others. Ratings are bounds: "
            "one draw is added to each pairing.\n",
            out);
    print_white(out, table, "");
}

static void print_table(FILE *out, const GauntletReport *report, const Scoreboard *board,
                        const RatingTable *table, const int *order)
{
    (void)fputs("   #  player                        Elo  95 % ±   LOS %   games score %  drawn %"
                "    nElo    LL   LD DD,WL  WD   WW  faults\n",
                out);
    for (int rank = 0; rank < table->players; rank++)
        put_player(out, report, board, table, order, rank);
    print_footnotes(out, table);
}

/* ---- The crosstable */

/* The score of a player against another; NULL when they do not meet. */
static const PairingScore *find_pairing(const Scoreboard *board, int a, int b)
{
    for (int i = 0; i < board->pairing_count; i++) {
        const int *players = board->pairings[i].players;
        if ((players[0] == a && players[1] == b) || (players[0] == b && players[1] == a))
            return &board->pairings[i];
    }
    return NULL;
}

static void put_meeting(FILE *out, const Scoreboard *board, int player, int opponent)
{
    const PairingScore *pairing = find_pairing(board, player, opponent);
    char cell[CELL_MAX] = "";

    if (pairing) {
        MatchScore score =
            pairing->players[0] == player ? pairing->score : match_score_reversed(&pairing->score);
        (void)snprintf(cell, sizeof cell, "%lld-%lld-%lld", (long long)score.wins,
                       (long long)score.draws, (long long)score.losses);
    }
    cell_put(out, 16, cell);
}

static void print_crosstable(FILE *out, const GauntletReport *report, const Scoreboard *board,
                             const int *order)
{
    char head[CELL_MAX];

    if (report->player_count > CROSSTABLE_MAX) return;
    (void)fputs("\n   #  won-drawn-lost          ", out);
    for (int i = 0; i < report->player_count; i++) {
        (void)snprintf(head, sizeof head, "%d", i + 1);
        cell_put(out, 16, head);
    }
    (void)fputc('\n', out);
    for (int i = 0; i < report->player_count; i++) {
        cell_put_int(out, 4, i + 1);
        cell_put(out, -NAME_COLUMNS, report->players[order[i]].name);
        for (int j = 0; j < report->player_count; j++)
            put_meeting(out, board, order[i], order[j]);
        (void)fputc('\n', out);
    }
}

/* ---- Reports */

Status gauntlet_report_table(FILE *out, const GauntletReport *report, const Scoreboard *board,
                             bool crosstable, Error *err)
{
    RatingTable table;
    int *order = malloc((size_t)report->player_count * sizeof *order);

    Status status = rating_fit(board, &report->rating, &table, err);
    if (status == STATUS_OK && !order)
        status = error_set(err, STATUS_FAILED, "out of memory for the table");
    if (status == STATUS_OK) {
        rank_players(&table, order);
        print_table(out, report, board, &table, order);
        if (crosstable) print_crosstable(out, report, board, order);
    }
    rating_free(&table);
    free(order);
    return status;
}

static Status print_many(FILE *out, const GauntletReport *report, const GauntletProgress *progress,
                         Error *err)
{
    (void)fprintf(out, "%d players, %lld of %lld games\n\n", report->player_count,
                  (long long)progress->done, (long long)progress->total);
    Status status = gauntlet_report_table(out, report, &progress->board, true, err);
    if (status == STATUS_OK) (void)fputc('\n', out);
    return status;
}

/* Of two players there is no table. */
static Status print_two(FILE *out, const GauntletReport *report, const GauntletProgress *progress,
                        Error *err)
{
    RatingTable table;

    (void)fprintf(out, "%s against %s\n", report->players[0].name, report->players[1].name);
    match_print(out, &progress->score, &progress->stats, report->sprt);
    if (!report->rating.fit_white) return STATUS_OK;
    Status status = rating_fit(&progress->board, &report->rating, &table, err);
    if (status == STATUS_OK)
        print_white(out, &table, table.bounded ? ", with one draw added to the games" : "");
    rating_free(&table);
    return status;
}

Status gauntlet_report_print(FILE *out, const GauntletReport *report,
                             const GauntletProgress *progress, Error *err)
{
    Status status = report->player_count > 2 ? print_many(out, report, progress, err)
                                             : print_two(out, report, progress, err);
    if (status == STATUS_OK) print_forfeits(out, report, &progress->board);
    return status;
}

/* ---- JSON */

static void json_player(JsonWriter *w, const GauntletReport *report, const Scoreboard *board,
                        const RatingTable *table, int player)
{
    MatchScore score = scoreboard_player(board, player);
    MatchStats stats;

    match_stats(&score, NULL, &stats);
    json_object(w, NULL);
    json_string(w, "name", report->players[player].name);
    json_double(w, "rating", table->elo[player], 10);
    json_double(w, "rating95", table->elo95[player], 10);
    match_json(w, &score, &stats);
    fields_json(w, forfeit_fields, &board->forfeits[player]);
    json_array(w, "los_over"); /* in the order of this array */
    for (int i = 0; i < report->player_count; i++)
        json_double(w, NULL, i == player ? NAN : rating_los(table, player, i), 6);
    json_end_array(w);
    json_end_object(w);
}

static void json_pairings(JsonWriter *w, const GauntletReport *report, const Scoreboard *board)
{
    json_array(w, "pairings");
    for (int i = 0; i < board->pairing_count; i++) {
        const PairingScore *pairing = &board->pairings[i];
        MatchStats stats;
        match_stats(&pairing->score, NULL, &stats);
        json_object(w, NULL);
        json_string(w, "a", report->players[pairing->players[0]].name);
        json_string(w, "b", report->players[pairing->players[1]].name);
        match_json(w, &pairing->score, &stats);
        json_end_object(w);
    }
    json_end_array(w);
}

Status gauntlet_report_json(FILE *out, const GauntletReport *report,
                            const GauntletProgress *progress, Error *err)
{
    RatingTable table;
    JsonWriter w;

    Status status = rating_fit(&progress->board, &report->rating, &table, err);
    if (status == STATUS_OK) {
        json_begin(&w, out);
        json_string(&w, "a", report->players[0].name);
        if (report->player_count == 2) json_string(&w, "b", report->players[1].name);
        match_json(&w, &progress->score, &progress->stats);
        json_array(&w, "players");
        for (int i = 0; i < report->player_count; i++)
            json_player(&w, report, &progress->board, &table, i);
        json_end_array(&w);
        json_pairings(&w, report, &progress->board);
        json_bool(&w, "ratings_are_bounds", table.bounded);
        if (report->rating.fit_white) {
            json_double(&w, "white_advantage", table.white, 10);
            json_double(&w, "white_advantage95", table.white95, 10);
        }
        json_int(&w, "done", progress->done);
        json_int(&w, "total", progress->total);
        json_int(&w, "resumed", progress->resumed);
        json_double(&w, "seconds", progress->seconds, 6);
        json_finish(&w);
    }
    rating_free(&table);
    return status;
}
