/* SPDX-License-Identifier: MIT
 * From all games of matches to ratings. */
#include "cli/page/ratings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/match/statistics_text.h"
#include "engine/base/name_table.h"
#include "engine/base/text.h"
#include "selfplay/match/played.h"

/* Those of `tabia spsa` play one iteration each and are not rated.
 * Players of several matches are one if their weights, or names of programs, and settings are
 * equal; where two of one match would be one, names count, too. */
#define PLAYER_SQL                                                                                 \
    "WITH named AS (\n"                                                                            \
    "  SELECT p.run_id, r.kind, player_no, name, weights_id, p.config,\n"                          \
    "         coalesce(weights_id, name) AS who,\n"                                                \
    "         count(*) OVER (PARTITION BY run_id, coalesce(weights_id, name), p.config) AS here\n" \
    "  FROM players AS p JOIN runs AS r USING (run_id)\n"                                          \
    "  WHERE r.kind <> 'selfplay' AND (r.generation IS NULL OR name NOT IN ('plus', 'minus'))),\n" \
    "equal AS (SELECT *, max(here) OVER (PARTITION BY who, config) AS most FROM named),\n"         \
    "player AS (\n"                                                                                \
    "  SELECT *, dense_rank() OVER (ORDER BY who, config, CASE WHEN most > 1 THEN name END) AS "   \
    "id\n"                                                                                         \
    "  FROM equal),\n"

static const char players_sql[] = PLAYER_SQL
    "side AS (\n"
    "  SELECT run_id, white AS player_no, count(*) AS games FROM games\n"
    "  WHERE run_id IN (SELECT run_id FROM named) GROUP BY 1, 2 UNION ALL\n"
    "  SELECT run_id, black, count(*) FROM games WHERE run_id IN (SELECT run_id FROM named)\n"
    "  GROUP BY 1, 2),\n"
    "generation AS (\n"
    "  SELECT weights_id, min(generation) AS generation FROM generations JOIN weights\n"
    "  ON CASE generation WHEN 0 THEN weights_id = best_id ELSE sha256 = json ->> 'weights' END\n"
    "  GROUP BY 1)\n"
    "SELECT id, min(name) AS name, min(generation) AS generation, sum(games) AS games,\n"
    "       min(run_id * 1000 + player_no) AS first\n"
    "FROM player JOIN side USING (run_id, player_no) LEFT JOIN generation USING (weights_id)\n"
    "GROUP BY id ORDER BY sum(games) DESC, id";

const char ratings_pairings_sql[] = PLAYER_SQL
    "game AS ( -- a and b: the players; points: half points of a; pair: which games may be pairs\n"
    "  SELECT min(w.id, b.id) AS a, max(w.id, b.id) AS b, w.id < b.id AS a_white, g.run_id,\n"
    "         CASE WHEN w.id < b.id THEN result ELSE 2 - result END AS points, game_no,\n"
    "         CASE WHEN w.kind <> 'import' THEN game_no / 2 -- an import keeps no Round: games "
    "from\n"
    "              -- the start of chess are no pairs\n"
    "              WHEN start_fen GLOB 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w *' THEN "
    "game_no\n"
    "              ELSE start_fen END AS pair\n"
    "  FROM games AS g JOIN player AS w ON w.run_id = g.run_id AND w.player_no = white\n"
    "       JOIN player AS b ON b.run_id = g.run_id AND b.player_no = black WHERE w.id <> b.id),\n"
    "numbered AS ( -- the n-th game of one colour goes with the n-th of the other\n"
    "  SELECT *, row_number() OVER (PARTITION BY a, b, run_id, pair, a_white\n"
    "                               ORDER BY game_no) AS number FROM game),\n"
    "pair AS (\n"
    "  SELECT a, b, sum(points = 2) AS wins, sum(points = 1) AS draws, sum(points = 0) AS losses,\n"
    "         CASE count(*) WHEN 2 THEN sum(points) END AS points, sum(a_white) AS whites,\n"
    "         sum(a_white * points) AS white_points, sum((1 - a_white) * points) AS black_points\n"
    "  FROM numbered GROUP BY a, b, run_id, pair, number)\n"
    "SELECT a, b, sum(wins) AS wins, sum(draws) AS draws, sum(losses) AS losses,\n"
    "       sum(whites) AS whites, sum(white_points) AS white_points,\n"
    "       sum(black_points) AS black_points, coalesce(sum(points = 0), 0) AS LL,\n"
    "       coalesce(sum(points = 1), 0) AS LD, coalesce(sum(points = 2), 0) AS DD_WL,\n"
    "       coalesce(sum(points = 3), 0) AS WD, coalesce(sum(points = 4), 0) AS WW\n"
    "FROM pair GROUP BY a, b";

/* With the first of them. */
static const char alone_sql[] =
    "SELECT count(*) AS games, min(game_id), g.run_id, game_no, name\n"
    "FROM games AS g JOIN players AS p ON p.run_id = g.run_id AND player_no = white\n"
    "WHERE white = black";

/* ---- The scoreboard */

/* Columns of ratings_pairings_sql. */
enum { A, B, WON, WHITES = WON + 3, WHITE_POINTS, BLACK_POINTS, PAIRS };

static PairingScore read_pairing(const Rows *rows, int row, int a, int b)
{
    PairingScore p = {.players = {a, b}, .score = rows_score(rows, row, WON, PAIRS)};

    p.white_games[0] = rows_count(rows, row, WHITES);
    p.white_games[1] = match_games(&p.score) - p.white_games[0];
    p.white_points2[0] = rows_count(rows, row, WHITE_POINTS);
    p.white_points2[1] = rows_count(rows, row, BLACK_POINTS);
    return p;
}

/* The indexes of rated players by their ids, which are small numbers; -1: it is not among them.
 * *count of them, malloc'ed; NULL when out of memory. */
static int *index_players(const Ratings *r, int64_t *count)
{
    *count = 0;
    for (int i = 0; i < r->count; i++) {
        int64_t id = rows_count(&r->players, i, RATED_ID);
        if (id >= *count) *count = id + 1;
    }
    int *index = malloc((size_t)*count * sizeof *index + 1);
    for (int64_t k = 0; index && k < *count; k++)
        index[k] = -1;
    for (int i = 0; index && i < r->count; i++)
        index[rows_count(&r->players, i, RATED_ID)] = i;
    return index;
}

static Status fill_board(Ratings *r, const Rows *pairings, Error *err)
{
    int64_t ids;
    int *index = index_players(r, &ids);

    r->board =
        (Scoreboard){.schedule = {.players = r->count},
                     .pairings = calloc((size_t)pairings->count + 1, sizeof *r->board.pairings)};
    Status status = index && r->board.pairings
                        ? STATUS_OK
                        : error_set(err, STATUS_FAILED, "out of memory for the ratings");
    for (int i = 0; i < pairings->count && status == STATUS_OK; i++) {
        int64_t a = rows_count(pairings, i, A), b = rows_count(pairings, i, B);
        if (a < ids && b < ids && index[a] >= 0 && index[b] >= 0)
            r->board.pairings[r->board.pairing_count++] =
                read_pairing(pairings, i, index[a], index[b]);
    }
    free(index);
    return status;
}

/* ---- The anchor */

static Status find_anchor(Ratings *r, const char *text, Error *err)
{
    Anchor anchor;

    Status status = anchor_parse(text ? text : "material", true, r->names, r->count, &anchor, err);
    if (status != STATUS_OK) return status;
    r->anchor = anchor.player;
    r->anchor_elo = anchor.elo;
    if (!text && r->anchor < 0) r->anchor = ratings_generation(r, 0);
    if (!text && r->anchor < 0) r->anchor = 0;
    if (r->anchor >= 0) return STATUS_OK;
    if (r->count == PLAYERS_MAX)
        return error_set(
            err, STATUS_USAGE,
            "--anchor: \"%.*s\" is not among the %d players with the most games, which are rated; tabia elo rates more",
            anchor.length, text, PLAYERS_MAX);
    return error_set(err, STATUS_USAGE, "--anchor: no match has a player \"%.*s\"", anchor.length,
                     text);
}

/* ---- The whole */

/* Untrusted names, made safe for terminals. Equal names are numbered, so that --anchor can
 * distinguish them. */
static Status name_players(Ratings *r, Error *err)
{
    enum { NUMBER_MAX = 16 };
    NameTable used = {0};
    Status status = STATUS_OK;

    for (int i = 0; i < r->count && status == STATUS_OK; i++) {
        char **text = &r->players.texts[(int64_t)i * r->players.columns + RATED_NAME];
        size_t length = strlen(*text);
        char *name = malloc(length + NUMBER_MAX);
        int32_t number = -1;
        if (!name) {
            status = error_set(err, STATUS_FAILED, "out of memory for the ratings");
            break;
        }
        text_clean(memcpy(name, *text, length + 1));
        free(*text);
        r->names[i] = *text = name;
        for (int32_t n = 1, next = i; status == STATUS_OK && number < i; n++) {
            if (n > 1) (void)snprintf(name + length, NUMBER_MAX, " #%d", n);
            status = name_table_number(&used, name, strlen(name), &next, &number, err);
        }
    }
    name_table_free(&used);
    return status;
}

/* The players and their scores. most: players that are kept, those with the most games. */
static Status read_scores(Store *store, int most, Ratings *r, Error *err)
{
    Rows pairings = {0};

    *r = (Ratings){.anchor = -1};
    Status status = rows_query(store, players_sql, &r->players, err);
    r->count = r->players.count < most ? r->players.count : most;
    if (status != STATUS_OK || r->count == 0) return status;
    r->names = malloc((size_t)r->count * sizeof *r->names);
    if (!r->names) return error_set(err, STATUS_FAILED, "out of memory for the ratings");
    status = name_players(r, err);
    if (status != STATUS_OK) return status;
    status = rows_query(store, ratings_pairings_sql, &pairings, err);
    if (status == STATUS_OK) status = fill_board(r, &pairings, err);
    rows_free(&pairings);
    return status;
}

static Status read_alone(Store *store, FaultCount *alone, Error *err)
{
    enum { GAMES, RUN = 2, GAME, NAME };
    Rows rows = {0};
    Error first;

    Status status = rows_query(store, alone_sql, &rows, err);
    if (status == STATUS_OK) {
        (void)error_set(&first, STATUS_BAD_INPUT,
                        "%s: run %s: game %s: \"%.60s\" plays against itself", store_path(store),
                        rows_text(&rows, 0, RUN), rows_text(&rows, 0, GAME),
                        rows_text(&rows, 0, NAME));
        fault_count_add(alone, rows_count(&rows, 0, GAMES), &first);
    }
    rows_free(&rows);
    return status;
}

Status ratings_read_games(Store *store, Ratings *r, Error *err)
{
    Status status = read_scores(store, PLAYED_PLAYERS_MAX + 1, r, err);
    if (status == STATUS_OK) status = read_alone(store, &r->alone, err);
    if (status == STATUS_OK && r->count > PLAYED_PLAYERS_MAX)
        status = error_set(err, STATUS_BAD_INPUT, "%s: there are more than %d players",
                           store_path(store), PLAYED_PLAYERS_MAX);
    return status;
}

Status ratings_read(Store *store, const char *anchor, Ratings *r, Error *err)
{
    Status status = read_scores(store, PLAYERS_MAX, r, err);
    if (status == STATUS_OK && r->count == 0 && anchor)
        return error_set(err, STATUS_USAGE, "--anchor: the database has no matches");
    if (status != STATUS_OK || r->count == 0) return status;
    status = find_anchor(r, anchor, err);
    if (status != STATUS_OK) return status;
    const RatingSettings settings = {.anchor = r->anchor, .elo = r->anchor_elo};
    return rating_fit(&r->board, &settings, &r->table, err);
}

void ratings_free(Ratings *r)
{
    rows_free(&r->players);
    free(r->names);
    scoreboard_free(&r->board);
    rating_free(&r->table);
    *r = (Ratings){0};
}

int ratings_generation(const Ratings *r, int generation)
{
    for (int i = 0; i < r->count; i++)
        if (rows_number(&r->players, i, RATED_GENERATION) == generation) return i;
    return -1;
}
