/* SPDX-License-Identifier: MIT
 * The settings of games, a row each. */
#include "selfplay/game/game.h"

/* ---- Limits of a move */

const Setting limits_settings[] = {
    {"nodes", FIELD(SearchLimits, nodes_soft), "N",
     "soft limit of nodes a move: no iteration starts that is expected to pass it; the hard limit is 8 times as high",
     1, 1e15, .first = true, .not_with = "tc", .key = "nodes_soft"},
    {"nodes-hard", FIELD(SearchLimits, nodes_hard)},
    {"depth", FIELD(SearchLimits, depth), "N",
     "depth limit, plies; without --nodes it is the only limit", 1, MAX_PLY - 1, .not_with = "tc"},
    {"movetime-ms", FIELD(SearchLimits, movetime_ms), .optional = true},
    {"has-clock", FIELD(SearchLimits, has_clock)},
    {"time-ms", FIELD(SearchLimits, time_ms[WHITE]), .needs = "has-clock"},
    {"increment-ms", FIELD(SearchLimits, increment_ms[WHITE]), .needs = "has-clock"},
    {"session-moves", FIELD(SearchLimits, moves_to_go), .needs = "has-clock", .optional = true},
    {"second-time-ms", FIELD(SearchLimits, later[0].time_ms), .needs = "has-clock",
     .optional = true},
    {"second-increment-ms", FIELD(SearchLimits, later[0].increment_ms), .needs = "has-clock",
     .optional = true},
    {"second-moves", FIELD(SearchLimits, later[0].moves), .needs = "has-clock", .optional = true},
    {"third-time-ms", FIELD(SearchLimits, later[1].time_ms), .needs = "has-clock",
     .optional = true},
    {"third-increment-ms", FIELD(SearchLimits, later[1].increment_ms), .needs = "has-clock",
     .optional = true},
    {"third-moves", FIELD(SearchLimits, later[1].moves), .needs = "has-clock", .optional = true},
    {0},
};

const char limits_identity[] =
    "depth nodes nodes-hard movetime-ms time-ms increment-ms session-moves "
    "second-time-ms second-increment-ms second-moves "
    "third-time-ms third-increment-ms third-moves";

const Setting hash_settings[] = {
    {"hash", FIELD_UINT64, .argument = "MB",
     .help = "hash table of an engine in MiB, cleared before each game", .minimum = 1,
     .maximum = 65536, .form = FORM_MEGABYTES, .preset = 2 << 20, .key = "hash_bytes"},
    {0},
};

/* ---- Adjudication */

static const Setting win_settings[] = {
    {"score", FIELD(Adjudication, win_score), .minimum = 1, .maximum = VALUE_MATE, .preset = 2000},
    {"plies", FIELD(Adjudication, win_plies), .minimum = 1, .maximum = VALUE_MATE, .preset = 5,
     .first = true},
    {"sides", FIELD(Adjudication, win_one_sided), .words = "two|one", .key = "one_sided",
     .optional = true},
    {0},
};

static const Setting draw_settings[] = {
    {"score", FIELD(Adjudication, draw_score), .maximum = VALUE_MATE, .preset = 10},
    {"plies", FIELD(Adjudication, draw_plies), .minimum = 1, .maximum = VALUE_MATE, .preset = 12,
     .first = true},
    {"from", FIELD(Adjudication, draw_from_ply), .maximum = VALUE_MATE, .preset = 70,
     .key = "from_ply"},
    {"resets", FIELD(Adjudication, draw_resets), .optional = true},
    {0},
};

const Setting adjudication_settings[] = {
    {"adjudicate-win", FIELD_OTHER, .argument = "RULE",
     .help =
         "win when the score was at least `score` centipawns for `plies` plies in a row; sides=one: only the loser's scores count; none: no adjudication",
     .words = "none", .form = FORM_PAIRS, .rows = win_settings, .prefix = "win-"},
    {"adjudicate-draw", FIELD_OTHER, .argument = "RULE",
     .help =
         "draw when the score was at most `score` for `plies` plies in a row from ply `from` on; resets=yes: a capture or pawn move restarts the count; none: no adjudication",
     .words = "none", .form = FORM_PAIRS, .rows = draw_settings, .prefix = "draw-"},
    {"max-plies", FIELD(Adjudication, max_plies), "N", "draw after this number of plies", 1,
     GAME_PLIES_MAX, .preset = 400},
    {"table-men", FIELD(Adjudication, table_men), .optional = true},
    {"table-count", FIELD(Adjudication, table_count), .needs = "table-men"},
    {"table-ignore-rule50", FIELD(Adjudication, table_ignore_rule50), .needs = "table-men"},
    {"table-spares-draws", FIELD(Adjudication, table_spares_draws), .needs = "table-men",
     .optional = true},
    {"table-spares-wins", FIELD(Adjudication, table_spares_wins), .needs = "table-men",
     .optional = true},
    {0},
};

/* ---- Exploration */

const Setting exploration_settings[] = {
    {"random-move", FIELD(Exploration, random_move), "P",
     "probability of a random move instead of a searched one ...", 0, 1},
    {"random-until", FIELD(Exploration, random_until_ply), "PLY", "... before this ply", 0,
     GAME_PLIES_MAX, .key = "random_until_ply"},
    {"vary-margin", FIELD(Exploration, vary_margin), "CP",
     "play any of the 4 best moves within this many centipawns of the best ...", 0, 1000,
     .needs = "vary-until"},
    {"vary-until", FIELD(Exploration, vary_until_ply), "PLY", "... before this ply", 0,
     GAME_VARIED_PLIES, .key = "vary_until_ply", .optional = true},
    {0},
};
