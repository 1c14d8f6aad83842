/* SPDX-License-Identifier: MIT
 * Shared options of the commands that play games. */
#include "cli/play/play_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/options/value.h"
#include "engine/search/syzygy.h"

void play_options_init(PlayOptions *p, const SearchLimits *limits, size_t hash_bytes,
                       const OpeningSettings *opening, const Adjudication *adjudication,
                       Option rows[PLAY_OPTION_COUNT])
{
    *p = (PlayOptions){.nodes = (int64_t)limits->nodes_soft,
                       .depth = limits->depth,
                       .hash_mb = (int64_t)(hash_bytes >> 20),
                       .random_plies = opening->random_plies,
                       .opening_max_score = opening->max_score,
                       .adjudicate_win = p->default_win,
                       .adjudicate_draw = p->default_draw,
                       .max_plies = adjudication->max_plies,
                       .tb_results = "both"};
    (void)snprintf(p->default_win, sizeof p->default_win, "score=%d,plies=%d",
                   adjudication->win_score, adjudication->win_plies);
    (void)snprintf(p->default_draw, sizeof p->default_draw, "score=%d,plies=%d,from=%d,resets=%s",
                   adjudication->draw_score, adjudication->draw_plies, adjudication->draw_from_ply,
                   adjudication->draw_resets ? "yes" : "no");
    const Option table[PLAY_OPTION_COUNT] = {
        {"nodes", OPTION_INT, &p->nodes, "N",
         "nodes a move: no iteration starts that would pass them, were it as long as "
         "the last; 8 times that ends it",
         1, 1e15},
        {"depth", OPTION_INT, &p->depth, "N", "plies of search, instead of --nodes or besides", 1,
         MAX_PLY - 1},
        {"hash", OPTION_INT, &p->hash_mb, "MB", "hash table of an engine, fresh for each game", 1,
         65536},
        {"chess960", OPTION_FLAG, &p->chess960, NULL,
         "begin at the 960 starts of Chess960, one after the other in random order", 0, 0},
        {"double-chess960", OPTION_FLAG, &p->double_chess960, NULL,
         "begin at its 921,600 double starts, where each side has its own", 0, 0},
        {"random-plies", OPTION_INT, &p->random_plies, "N",
         "random moves that make an opening, one more in half of them; 0: none at all", 0,
         OPENING_PLIES_MAX},
        {"opening-max-score", OPTION_INT, &p->opening_max_score, "CP",
         "centipawns, either way, beyond which an opening is rejected", 0, 100000},
        {"adjudicate-win", OPTION_STRING, &p->adjudicate_win, "RULE",
         "won when both sides agree so long, or with sides=one when the loser does; none: played "
         "out",
         0, 0},
        {"adjudicate-draw", OPTION_STRING, &p->adjudicate_draw, "RULE",
         "drawn when both sides agree so long, with resets=yes since the last capture or pawn "
         "move; "
         "none: played out",
         0, 0},
        {"max-plies", OPTION_INT, &p->max_plies, "N", "a draw at this length", 1, GAME_PLIES_MAX},
        {"tb", OPTION_STRING, &p->tb, "PATHS",
         "Syzygy tables that decide games: folders, separated by colons", 0, 0},
        {"tb-men", OPTION_INT, &p->tb_men, "N", "look up positions of at most so many men", 3, 7},
        {"tb-ignore50", OPTION_FLAG, &p->tb_ignore50, NULL,
         "tables decide without the fifty-move rule", 0, 0},
        {"tb-results", OPTION_STRING, &p->tb_results, "WHICH",
         "what tables decide: both, win-loss or draw; the others are played out", 0, 0},
    };
    memcpy(rows, table, sizeof table);
}

/* One of the rules "score=CP,plies=N[,from=PLY][,sides=one|two][,resets=yes|no]"; a NULL target is
 * a key the rule does not have. */
typedef struct RuleParser {
    const char *option;
    int *score, *plies, *from;
    bool *one_sided, *resets;
} RuleParser;

static Status parse_pair(void *context, const char *key, const char *value, Error *err)
{
    RuleParser *rule = context;
    int64_t number;
    int *target = strcmp(key, "score") == 0   ? rule->score
                  : strcmp(key, "plies") == 0 ? rule->plies
                  : strcmp(key, "from") == 0  ? rule->from
                                              : NULL;

    if (rule->one_sided && strcmp(key, "sides") == 0) {
        *rule->one_sided = strcmp(value, "one") == 0;
        if (*rule->one_sided || strcmp(value, "two") == 0) return STATUS_OK;
        return error_set(err, STATUS_USAGE, "sides=%s is neither one nor two", value);
    }
    if (rule->resets && strcmp(key, "resets") == 0) {
        if (value_parse_bool(value, rule->resets)) return STATUS_OK;
        return error_set(err, STATUS_USAGE, "resets=%s is neither yes nor no", value);
    }
    if (!target)
        return error_set(err, STATUS_USAGE, "\"%s\" is none of score, plies%s", key,
                         rule->from ? ", from, resets" : ", sides");
    if (!value_parse_int(value, &number) || number < 0 || number > VALUE_MATE)
        return error_set(err, STATUS_USAGE, "%s=%s is out of range", key, value);
    *target = (int)number;
    return STATUS_OK;
}

static Status parse_rule(const char *text, RuleParser *rule, Error *err)
{
    if (strcmp(text, "none") == 0) {
        *rule->plies = 0;
        return STATUS_OK;
    }
    Status status = options_parse_pairs(text, parse_pair, rule, err);
    return status == STATUS_OK ? status : error_prefix(err, "--%s", rule->option);
}

static Status apply_tables(const PlayOptions *p, Adjudication *adjudication, Error *err)
{
    adjudication->table_men = 0;
    adjudication->table_spares_draws = strcmp(p->tb_results, "win-loss") == 0;
    adjudication->table_spares_wins = strcmp(p->tb_results, "draw") == 0;
    if (!adjudication->table_spares_draws && !adjudication->table_spares_wins &&
        strcmp(p->tb_results, "both") != 0)
        return error_set(err, STATUS_USAGE, "--tb-results is both, win-loss or draw, not \"%s\"",
                         p->tb_results);
    if (!p->tb) {
        if (p->tb_men == 0 && !p->tb_ignore50 && strcmp(p->tb_results, "both") == 0)
            return STATUS_OK;
        return error_set(err, STATUS_USAGE,
                         "--tb-men, --tb-ignore50 and --tb-results go with --tb");
    }
    Status status = syzygy_open(p->tb, err);
    if (status != STATUS_OK) return error_prefix(err, "--tb");
    if (p->tb_men > syzygy_men())
        return error_set(err, STATUS_BAD_INPUT, "--tb-men %lld: the tables in %s have up to %d men",
                         (long long)p->tb_men, p->tb, syzygy_men());
    adjudication->table_men = p->tb_men > 0 ? (int)p->tb_men : syzygy_men();
    adjudication->table_count = syzygy_count(p->tb, adjudication->table_men);
    adjudication->table_ignore_rule50 = p->tb_ignore50;
    return STATUS_OK;
}

Status play_options_base(bool chess960, bool double_chess960, const OptionParser *parser,
                         OpeningBase *base, Error *err)
{
    if (chess960 && double_chess960)
        return error_set(err, STATUS_USAGE, "--chess960 or --double-chess960, not both");
    if ((chess960 || double_chess960) && options_given(parser, "openings"))
        return error_set(err, STATUS_USAGE, "--%schess960 or --openings, not both",
                         double_chess960 ? "double-" : "");
    *base = chess960 ? OPENING_CHESS960 : double_chess960 ? OPENING_DOUBLE_CHESS960 : OPENING_CHESS;
    return STATUS_OK;
}

Status play_options_apply(const PlayOptions *p, const OptionParser *parser, SearchLimits *limits,
                          OpeningSettings *opening, Adjudication *adjudication, Error *err)
{
    RuleParser win = {"adjudicate-win",
                      &adjudication->win_score,
                      &adjudication->win_plies,
                      NULL,
                      &adjudication->win_one_sided,
                      NULL};
    RuleParser draw = {"adjudicate-draw",
                       &adjudication->draw_score,
                       &adjudication->draw_plies,
                       &adjudication->draw_from_ply,
                       NULL,
                       &adjudication->draw_resets};
    bool by_nodes = options_given(parser, "nodes") || !options_given(parser, "depth");

    limits->nodes_soft = by_nodes ? (uint64_t)p->nodes : 0;
    limits->depth = (int)p->depth;
    opening->random_plies = (int)p->random_plies;
    opening->max_score = (int)p->opening_max_score;
    adjudication->max_plies = (int)p->max_plies;
    Status status = play_options_base(p->chess960, p->double_chess960, parser, &opening->base, err);
    if (status == STATUS_OK) status = parse_rule(p->adjudicate_win, &win, err);
    if (status == STATUS_OK) status = parse_rule(p->adjudicate_draw, &draw, err);
    return status == STATUS_OK ? apply_tables(p, adjudication, err) : status;
}
