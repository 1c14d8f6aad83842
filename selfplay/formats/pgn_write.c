/* SPDX-License-Identifier: MIT
 * Writing PGN. */
#include "selfplay/formats/pgn_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "db/chess/replay.h"
#include "engine/base/text.h"
#include "engine/notation/fen.h"
#include "engine/notation/move_text.h"
#include "engine/search/game_clock.h"
#include "selfplay/formats/internal.h"

enum { LINE_MAX_LENGTH = 79, TOKEN_MAX = 512 };

/* ---- Fields */

static const struct {
    const char *name;
    unsigned field;
} field_names[] = {{"nodes", PGN_NODES},
                   {"nps", PGN_NPS},
                   {"timeleft", PGN_TIME_LEFT},
                   {"seldepth", PGN_SELDEPTH},
                   {"hashfull", PGN_HASHFULL},
                   {"tbhits", PGN_TBHITS},
                   {"latency", PGN_LATENCY},
                   {"pv", PGN_PV},
                   {"eval", PGN_EVAL},
                   {"clk", PGN_CLK},
                   {"min", PGN_MIN}};
enum { FIELD_NAMES = sizeof field_names / sizeof *field_names };

static Status refuse_field(const char *text, int length, Error *err)
{
    char names[128] = "";

    for (int i = 0; i < FIELD_NAMES; i++)
        text_append(names, sizeof names, "%s%s", i > 0 ? ", " : "", field_names[i].name);
    return error_set(err, STATUS_USAGE, "--pgn-fields: \"%.*s\" is none of %s", length, text,
                     names);
}

Status pgn_read_fields(const char *text, unsigned *fields, Error *err)
{
    *fields = 0;
    while (text && *text) {
        size_t length = strcspn(text, ",");
        int i = 0;
        while (i < FIELD_NAMES && (strlen(field_names[i].name) != length ||
                                   strncmp(field_names[i].name, text, length) != 0))
            i++;
        if (i == FIELD_NAMES) return refuse_field(text, (int)length, err);
        *fields |= field_names[i].field;
        text += length + (text[length] == ',');
    }
    if (*fields & PGN_MIN && *fields != PGN_MIN)
        return error_set(err, STATUS_USAGE,
                         "--pgn-fields: min leaves all comments out; give it alone");
    return STATUS_OK;
}

const char *pgn_field_not_stored(unsigned fields)
{
    for (int i = 0; i < FIELD_NAMES; i++)
        if (field_names[i].field & fields & PGN_OF_SEARCH) return field_names[i].name;
    return NULL;
}

/* ---- Words and tags */

/* Words separated by blanks, with line breaks where a line would pass 79 characters. */
typedef struct MoveText {
    FILE *out;
    size_t column;
} MoveText;

static void put_token(MoveText *text, const char *token)
{
    size_t length = strlen(token);

    if (text->column > 0) {
        bool wrap = text->column + 1 + length > LINE_MAX_LENGTH;
        (void)fputc(wrap ? '\n' : ' ', text->out);
        text->column = wrap ? 0 : text->column + 1;
    }
    (void)fputs(token, text->out);
    text->column += length;
}

/* Tag values escape quotes and backslashes and hold no control characters (PGN standard, 7). */
static void put_tag(FILE *out, const char *name, const char *value)
{
    (void)fprintf(out, "[%s \"", name);
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\') (void)fputc('\\', out);
        (void)fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
    }
    (void)fputs("\"]\n", out);
}

static const char *termination(GameReason reason)
{
    static const char *const words[] = {[REASON_MAX_PLIES] = "adjudication",
                                        [REASON_WIN_ADJUDICATION] = "adjudication",
                                        [REASON_DRAW_ADJUDICATION] = "adjudication",
                                        [REASON_TIME] = "time forfeit",
                                        [REASON_ILLEGAL_MOVE] = "rules infraction",
                                        [REASON_CRASH] = "abandoned",
                                        [REASON_STALL] = "abandoned",
                                        [REASON_TABLEBASE] = "adjudication"};
    size_t i = (size_t)reason;
    return i < sizeof words / sizeof *words && words[i] ? words[i] : "normal";
}

/* Castling from unusual files, or an unusual start array with usual castling. */
static bool is_chess960(const GameRecord *game, const Position *start)
{
    const Bitboard home = rank_bb(RANK_1) | rank_bb(RANK_2) | rank_bb(RANK_7) | rank_bb(RANK_8);
    bool usual = strncmp(game->start_fen, START_FEN, strcspn(START_FEN, " ")) == 0;

    return start->chess960 || (position_occupied(start) == home && !usual);
}

/* ---- Tags */

/* The total time of the moves. */
static void put_duration(FILE *out, const GameRecord *game)
{
    int64_t ms = 0;
    char text[32];

    for (int i = 0; i < game->ply_count; i++)
        ms += game->clock[i].time_ms;
    int64_t seconds = (ms + 500) / 1000;
    (void)snprintf(text, sizeof text, "%02lld:%02d:%02d", (long long)(seconds / 3600),
                   (int)(seconds / 60 % 60), (int)(seconds % 60));
    put_tag(out, "GameDuration", text);
}

/* "40/60+0.5". An increment of 0 keeps a next period of less than a minute from being read as the
 * seconds of this one: 40/13:5 is 13 minutes. */
static void append_period(char out[PGN_TIME_CONTROL_MAX], const ClockPeriod *period,
                          const ClockPeriod *next)
{
    if (period->moves > 0) text_append(out, PGN_TIME_CONTROL_MAX, "%d/", period->moves);
    text_append(out, PGN_TIME_CONTROL_MAX, "%.10g", (double)period->time_ms / 1000);
    if (period->increment_ms > 0 || (next && next->time_ms < 60000))
        text_append(out, PGN_TIME_CONTROL_MAX, "+%.10g", (double)period->increment_ms / 1000);
}

/* NULL: there is none. */
static const ClockPeriod *next_period(const SearchLimits *limits, int i)
{
    const ClockPeriod *next = &limits->later[i];
    return i < CLOCK_PERIODS - 1 && next->time_ms + next->increment_ms > 0 ? next : NULL;
}

void pgn_time_control(const SearchLimits *limits, char out[PGN_TIME_CONTROL_MAX])
{
    const ClockPeriod first = {limits->moves_to_go, limits->time_ms[WHITE],
                               limits->increment_ms[WHITE]};

    out[0] = '\0';
    if (limits->has_clock) {
        append_period(out, &first, next_period(limits, 0));
        for (int i = 0; next_period(limits, i); i++) {
            text_append(out, PGN_TIME_CONTROL_MAX, ":");
            append_period(out, &limits->later[i], next_period(limits, i + 1));
        }
    } else if (limits->movetime_ms > 0) {
        (void)snprintf(out, PGN_TIME_CONTROL_MAX, "%.10g/move", (double)limits->movetime_ms / 1000);
    } else {
        (void)snprintf(out, PGN_TIME_CONTROL_MAX, "-");
    }
}

static void put_time_controls(FILE *out, const SearchLimits *const limits[COLORS])
{
    char text[COLORS][PGN_TIME_CONTROL_MAX] = {"", ""};

    for (int c = WHITE; c < COLORS; c++)
        if (limits[c]) pgn_time_control(limits[c], text[c]);
    if (strcmp(text[WHITE], text[BLACK]) == 0) {
        if (*text[WHITE]) put_tag(out, "TimeControl", text[WHITE]);
        return;
    }
    if (*text[WHITE]) put_tag(out, "WhiteTimeControl", text[WHITE]);
    if (*text[BLACK]) put_tag(out, "BlackTimeControl", text[BLACK]);
}

static void put_tags(FILE *out, const PgnOutput *tags, const GameRecord *game,
                     const Position *start)
{
    char round[40] = "?", plies[24];

    if (tags->round > 0) (void)snprintf(round, sizeof round, "%lld", (long long)tags->round);
    if (tags->game > 0) text_append(round, sizeof round, ".%d", tags->game);
    (void)snprintf(plies, sizeof plies, "%d", game->ply_count);
    put_tag(out, "Event", tags->event ? tags->event : "?");
    put_tag(out, "Site", tags->site ? tags->site : "?");
    put_tag(out, "Date", tags->date ? tags->date : "????.??.??");
    put_tag(out, "Round", round);
    put_tag(out, "White", tags->white ? tags->white : "?");
    put_tag(out, "Black", tags->black ? tags->black : "?");
    put_tag(out, "Result", result_text(game->result));
    if (strcmp(game->start_fen, START_FEN) != 0) {
        put_tag(out, "SetUp", "1");
        put_tag(out, "FEN", game->start_fen);
    }
    if (is_chess960(game, start)) put_tag(out, "Variant", "Chess960");
    if (!(tags->fields & PGN_MIN)) {
        if (game->clock) put_duration(out, game);
        put_tag(out, "PlyCount", plies);
        put_tag(out, "Termination", termination(game->reason));
        put_time_controls(out, tags->limits);
    }
    (void)fputc('\n', out);
}

/* "+0.35", "-M4": the mover's view; mates are counted in plies, as fastchess and cutechess do. */
static void format_score(int score, char *text, size_t size)
{
    char sign = score < 0 ? '-' : '+';

    if (value_is_mate(score))
        (void)snprintf(text, size, "%cM%d", sign, VALUE_MATE - abs(score));
    else
        (void)snprintf(text, size, "%c%d.%02d", sign, abs(score) / 100, abs(score) % 100);
}

/* ---- Moves */

/* ", sd=20"; nothing for -1. */
static void add_number(char comment[TOKEN_MAX], bool wanted, const char *name, int64_t value)
{
    if (wanted && value >= 0) text_append(comment, TOKEN_MAX, ", %s=%lld", name, (long long)value);
}

/* ", tl=1.200s" */
static void add_time(char comment[TOKEN_MAX], const char *name, int64_t ms)
{
    text_append(comment, TOKEN_MAX, ", %s=%.3fs", name, (double)ms / 1000);
}

/* ", tl=1.200s", ", n=4321" and so on, as fastchess names and orders them. search may be NULL. No
 * nodes are unknown ones, as in imported games. */
static void add_fields(char comment[TOKEN_MAX], unsigned fields, const PlyClock *ply,
                       const PlySearch *search, const GameClock *clock)
{
    static const PlySearch unknown = {-1, -1, -1, -1, ""};
    uint64_t ms = ply->time_ms > 0 ? ply->time_ms : 1;

    if (!search) search = &unknown;
    int64_t latency = (int64_t)ply->time_ms - search->time_ms;
    if (ply->nodes == 0) fields &= ~(unsigned)(PGN_NODES | PGN_NPS);
    if (clock && fields & PGN_TIME_LEFT) add_time(comment, "tl", clock->left_us / 1000);
    if (search->time_ms >= 0 && fields & PGN_LATENCY)
        add_time(comment, "latency", latency > 0 ? latency : 0);
    add_number(comment, fields & PGN_NODES, "n", ply->nodes);
    add_number(comment, fields & PGN_SELDEPTH, "sd", search->seldepth);
    add_number(comment, fields & PGN_NPS, "nps", (int64_t)(1000ULL * ply->nodes / ms));
    add_number(comment, fields & PGN_HASHFULL, "hashfull", search->hashfull);
    add_number(comment, fields & PGN_TBHITS, "tbhits", search->tb_hits);
    if (fields & PGN_PV && search->pv[0])
        text_append(comment, TOKEN_MAX, ", pv=\"%s\"", search->pv);
}

/* " [%eval 0.35]", " [%eval #-3]", " [%clk 0:01:59.5]" */
static void add_commands(char comment[TOKEN_MAX], unsigned fields, int white_score,
                         const GameClock *clock)
{
    int size = abs(white_score);
    const char *sign = white_score < 0 ? "-" : "";

    if (fields & PGN_EVAL && white_score != SCORE_UNKNOWN) {
        if (value_is_mate(white_score))
            text_append(comment, TOKEN_MAX, " [%%eval #%s%d]", sign, (VALUE_MATE - size + 1) / 2);
        else
            text_append(comment, TOKEN_MAX, " [%%eval %s%d.%02d]", sign, size / 100, size % 100);
    }
    if (fields & PGN_CLK && clock) {
        int64_t tenths = clock->left_us / 1000 / 100;
        text_append(comment, TOKEN_MAX, " [%%clk %lld:%02d:%02d.%d]", (long long)(tenths / 36000),
                    (int)(tenths / 600 % 60), (int)(tenths / 10 % 60), (int)(tenths % 10));
    }
}

/* Writes the comment of a move; false when there is nothing to write. Without a score it begins
 * with the time, as cutechess does. clock: the mover's, or NULL. */
static bool put_comment(MoveText *text, const GameRecord *game, int ply, Color mover,
                        unsigned fields, const GameClock *clock)
{
    const PlyClock *cost = game->clock ? &game->clock[ply] : NULL;
    int white_score = game->plies[ply].score;
    bool scored = white_score != SCORE_UNKNOWN;
    bool timed = cost && (cost->time_ms > 0 || cost->nodes > 0); /* else the time is unknown */
    char comment[TOKEN_MAX] = "", score[16];

    if (fields & PGN_MIN || (!scored && !timed)) return false;
    text_append(comment, TOKEN_MAX, "{");
    if (scored) {
        format_score(mover == WHITE ? white_score : -white_score, score, sizeof score);
        text_append(comment, TOKEN_MAX, "%s", score);
        if (cost) text_append(comment, TOKEN_MAX, "/%d", cost->depth);
    }
    if (cost) {
        if (timed)
            text_append(comment, TOKEN_MAX, "%s%u.%03us", scored ? " " : "",
                        (unsigned)(cost->time_ms / 1000), (unsigned)(cost->time_ms % 1000));
        add_fields(comment, fields, cost, game->search ? &game->search[ply] : NULL, clock);
    }
    add_commands(comment, fields, white_score, clock);
    text_append(comment, TOKEN_MAX, "}");
    put_token(text, comment);
    return true;
}

/* Why a game did not end on the board; of an illegal move also what was played. */
static void put_reason(MoveText *text, const GameRecord *game)
{
    char token[TOKEN_MAX] = "";

    text_append(token, sizeof token, "{%s", reason_name(game->reason));
    if (game->reason == REASON_ILLEGAL_MOVE && game->note[0])
        text_append(token, sizeof token - 1, ": %s", game->note);
    text_clean(token);
    for (char *c = token; *c; c++)
        if (*c == '}') *c = ')'; /* it would end the comment */
    text_append(token, sizeof token, "}");
    put_token(text, token);
}

/* Does a ply have a search, unlike those of a book? */
static bool is_searched(const GameRecord *game, int ply)
{
    const PlyClock *cost = &game->clock[ply];

    return game->plies[ply].score != SCORE_UNKNOWN || cost->time_ms > 0 || cost->nodes > 0 ||
           cost->depth > 0;
}

static Status put_moves(FILE *out, const PgnOutput *tags, const GameRecord *game, Replay *replay,
                        Error *err)
{
    GameClock clocks[COLORS] = {{0}};
    MoveText text = {.out = out};
    bool commented = false, searched = false;
    char token[TOKEN_MAX];

    for (int c = WHITE; c < COLORS; c++)
        if (tags->limits[c]) game_clock_start(&clocks[c], tags->limits[c], (Color)c);

    while (replay->ply < game->ply_count) {
        const GamePly *ply = &game->plies[replay->ply];
        Color mover = position_stm(replay_position(replay));
        int number = replay_position(replay)->game_ply / 2 + 1;
        Status status = replay_next(replay, err); /* proves the move legal */
        if (status != STATUS_OK) return status;
        if (mover == WHITE || replay->ply == 1 || commented) {
            (void)snprintf(token, sizeof token, mover == WHITE ? "%d." : "%d...", number);
            put_token(&text, token);
        }
        char san[SAN_MAX];
        move_to_san(replay_before(replay), ply->move, san);
        put_token(&text, san);
        const SearchLimits *limits = tags->limits[mover];
        searched |= game->clock && is_searched(game, replay->ply - 1);
        bool timed = searched && limits && limits->has_clock; /* clocks begin after a book */
        if (timed)
            game_clock_charge(&clocks[mover], limits, mover,
                              1000 * (int64_t)game->clock[replay->ply - 1].time_ms);
        commented = put_comment(&text, game, replay->ply - 1, mover, tags->fields,
                                timed ? &clocks[mover] : NULL);
    }
    if (game->reason >= REASON_MAX_PLIES && !(tags->fields & PGN_MIN)) put_reason(&text, game);
    put_token(&text, result_text(game->result));
    (void)fputs("\n\n", out);
    return STATUS_OK;
}

Status pgn_write(FILE *out, const PgnOutput *tags, const GameRecord *game, Error *err)
{
    Replay replay;

    Status status = replay_start(&replay, game, err);
    if (status != STATUS_OK) return status;
    put_tags(out, tags, game, replay_position(&replay));
    status = put_moves(out, tags, game, &replay, err);
    if (status == STATUS_OK && ferror(out))
        status = error_set(err, STATUS_FAILED, "cannot write PGN: %s", strerror(errno));
    return status;
}

Status pgn_export(FILE *out, const ExportGame *game, Error *err)
{
    const RunRecord *run = game->run;
    int64_t number = game->record->game_no;
    bool pairs = run->kind == RUN_GAUNTLET;
    char event[LABEL_MAX], date[16];

    (void)snprintf(event, sizeof event, "Tabia %s", run_kind_name(run->kind));
    (void)snprintf(date, sizeof date, "%.4s.%.2s.%.2s", run->started, run->started + 5,
                   run->started + 8);
    PgnOutput tags = {.event = event,
                      .date = run->kind != RUN_IMPORT && strlen(run->started) >= 10 ? date : NULL,
                      .white = game->white,
                      .black = game->black,
                      .fields =
                          PGN_NODES | game->pgn_fields, /* so that an import gets all data back */
                      .round = (pairs ? number / 2 : number) + 1,
                      .game = pairs ? (int)(number % 2) + 1 : 0,
                      .limits = {game->limits[WHITE], game->limits[BLACK]}};
    return pgn_write(out, &tags, game->record, err);
}
