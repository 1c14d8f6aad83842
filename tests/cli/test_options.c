/* SPDX-License-Identifier: MIT
 * The option table: values, their order of precedence, and what is refused in which words. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/options/options.h"
#include "engine/base/suggest.h"
#include "engine/values/value.h"
#include "tests/support/support.h"

enum { ARGUMENTS_MAX = 32 };

/* Options with their defaults, read by parse(). */
typedef struct Fixture {
    bool compact, positions, tied;
    int64_t games, budget;
    int plies, loss;
    size_t hash;
    uint64_t salt;
    double lambda;
    const char *db;
    TextList engines;
    char rule[64]; /* the texts that the custom option's function was called with */
    CommonOptions common;
    OptionParser *parser;
    bool done, takes_arguments;
    const Setting *settings;
    const OptionVerb *verbs;
    Error err;
} Fixture;

static Status parse_rule(void *target, const char *text, Error *err)
{
    char *rule = target;

    if (strcmp(text, "bad") == 0) return error_set(err, STATUS_USAGE, "no such rule");
    (void)snprintf(rule + strlen(rule), 64 - strlen(rule), "<%s>", text);
    return STATUS_OK;
}

static const Setting more[] = {
    {"loss", FIELD_ENUM, offsetof(Fixture, loss), sizeof(int), "FORM", .help = "a form",
     .words = "mse|entropy|floor"},
    {"mirror", FIELD(Fixture, tied), "HOW", .help = "free or tied", .words = "free|tied"},
    {"hash", FIELD(Fixture, hash), "MB", "a size", 1, 1024, .form = FORM_MEGABYTES},
    {"rule", FIELD(Fixture, rule), "RULE", .help = "a rule", .parse = parse_rule},
    {"no-rows", FIELD(Fixture, positions), .help = "leave rows out", .form = FORM_OPPOSITE},
    {0},
};

static const Setting options[] = {
    {"compact", FIELD(Fixture, compact), .help = "leave positions out", .not_with = "games"},
    {"games", FIELD(Fixture, games), "N", "games to play", 1, 1000000, .not_with = "compact"},
    {"budget", FIELD(Fixture, budget), "TIME", "time to spend", 1000, INFINITY, .not_with = "games",
     .form = FORM_TIME},
    {"salt", FIELD(Fixture, salt), "N", .help = "a number"},
    {"lambda", FIELD(Fixture, lambda), "X", "weight of the result", .maximum = 1},
    {"db", FIELD(Fixture, db), "FILE", .help = "database"},
    {"engine", FIELD(Fixture, engines), "SPEC", .help = "a player"},
    {"plies", FIELD(Fixture, plies), "N", "a number", .maximum = 400, .needs = "db engine"},
    {.rows = more, .kind = FIELD_OTHER},
    {FIELD(Fixture, common), .rows = common_settings},
    {0},
};

static const Setting needed[] = {
    {"db", FIELD(Fixture, db), "FILE", .help = "database", .required = true},
    {FIELD(Fixture, common), .rows = common_settings},
    {0},
};

static Fixture fixture(void)
{
    return (Fixture){.games = 100,
                     .budget = 60000,
                     .lambda = 1,
                     .positions = true,
                     .loss = 1,
                     .hash = 8 << 20,
                     .settings = options,
                     .common = {.seed = 1}};
}

/* Parses NULL-terminated words (argv[0] is added) into *f. */
static Status parse(Fixture *f, const char *const *words)
{
    const OptionSpec spec = {.command = "selfplay",
                             .synopsis = "--db FILE",
                             .settings = f->settings,
                             .verbs = f->verbs,
                             .takes_arguments = f->takes_arguments};
    char text[ARGUMENTS_MAX][256] = {"selfplay"};
    char *argv[ARGUMENTS_MAX + 1] = {text[0]};
    int argc = 1;

    for (; words[argc - 1]; argc++) {
        (void)snprintf(text[argc], sizeof text[argc], "%s", words[argc - 1]);
        argv[argc] = text[argc];
    }
    return options_parse(&spec, f, argc, argv, &f->parser, &f->done, &f->err);
}

#define PARSE(f, ...) parse((f), (const char *const[]){__VA_ARGS__, NULL})

/* One word is refused as a usage error whose sentence contains `part`. */
#define REFUSED(part, ...)                                                                         \
    do {                                                                                           \
        Fixture f_ = fixture();                                                                    \
        ck_assert_int_eq(PARSE(&f_, __VA_ARGS__), STATUS_USAGE);                                   \
        ck_assert_msg(strstr(f_.err.text, part), "%s", f_.err.text);                               \
        ck_assert_ptr_null(f_.parser);                                                             \
    } while (0)

START_TEST(defaults_stay)
{
    Fixture f = fixture();

    ck_assert_int_eq(PARSE(&f, "--quiet"), STATUS_OK);
    ck_assert_int_eq(f.games, 100);
    ck_assert_int_eq(f.budget, 60000);
    ck_assert_double_eq(f.lambda, 1);
    ck_assert_ptr_null(f.db);
    ck_assert(f.common.quiet && !f.common.json && !f.compact);
    ck_assert(options_given(f.parser, "quiet") && !options_given(f.parser, "games"));
    ck_assert(!options_given(f.parser, "no such option"));
    ck_assert(f.positions && !f.tied && f.loss == 1 && f.hash == 8 << 20);
    options_destroy(f.parser);
}
END_TEST

START_TEST(every_kind_is_read)
{
    Fixture f = fixture();

    ck_assert_int_eq(PARSE(&f, "--games", "10k", "--salt", "18446744073709551615", "--lambda",
                           ".25", "--db", "a b.db", "--engine", "x", "--engine=y=1", "--threads=3",
                           "--loss", "floor", "--mirror=tied", "--plies", "12", "--hash=64",
                           "--no-rows", "--rule=a=1", "--rule", "b"),
                     STATUS_OK);
    ck_assert_int_eq(f.games, 10000);
    ck_assert_uint_eq(f.salt, UINT64_MAX);
    ck_assert_double_eq(f.lambda, .25);
    ck_assert_str_eq(f.db, "a b.db");
    ck_assert_int_eq(f.engines.count, 2);
    ck_assert_str_eq(f.engines.items[0], "x");
    ck_assert_str_eq(f.engines.items[1], "y=1");
    ck_assert_int_eq(options_threads(&f.common), 3);
    ck_assert(f.loss == 2 && f.tied && f.plies == 12 && f.hash == 64 << 20 && !f.positions);
    ck_assert_str_eq(f.rule, "<b>"); /* called once, with the last text */
    options_destroy(f.parser);
    f = fixture();
    ck_assert_int_eq(PARSE(&f, "--compact", "--budget=2m30s", "--no-no-rows"), STATUS_OK);
    ck_assert(f.compact && f.positions && f.budget == 150000);
    options_destroy(f.parser);
    f.common.threads = 0;
    ck_assert_int_ge(options_threads(&f.common), 1);
}
END_TEST

START_TEST(command_line_is_refused)
{
    REFUSED("unknown option --game; did you mean --games?", "--game=3");
    REFUSED("unknown option --xyzzyplugh", "--xyzzyplugh");
    REFUSED("unknown option -x", "-x");
    REFUSED("--games needs a value", "--games");
    REFUSED("--games needs a whole number, not \"many\"", "--games", "many");
    REFUSED("--games needs a whole number, not \"1.5\"", "--games", "1.5");
    REFUSED("--games needs a whole number, not \"9999999999999999G\"", "--games=9999999999999999G");
    REFUSED("--games must be from 1 to 1e+06, not 0", "--games", "0");
    REFUSED("--games must be from 1 to 1e+06, not 2M", "--games", "2M");
    REFUSED("--budget must be at least 1s, not 10ms", "--budget", "10ms");
    REFUSED("--budget needs a time such as 90s, 10m or 2h, not \"3x\"", "--budget", "3x");
    REFUSED("--lambda must be from 0 to 1, not 1.01", "--lambda", "1.01");
    REFUSED("--lambda needs a number, not \"nan\"", "--lambda", "nan");
    REFUSED("--salt needs a whole number", "--salt", "-1");
    REFUSED("--compact takes no value", "--compact=yes");
    REFUSED("--loss must be mse, entropy or floor, not \"flor\"; did you mean floor?",
            "--loss=flor");
    REFUSED("--mirror must be free or tied, not \"\"", "--mirror=");
    REFUSED("--plies must be from 0 to 400, not 5G", "--plies=5G");
    REFUSED("--hash must be from 1 to 1024, not 0", "--hash=0");
    REFUSED("--rule: no such rule", "--rule=bad");
    REFUSED("unexpected argument \"stray\"", "--compact", "stray");
}
END_TEST

START_TEST(arguments_are_kept)
{
    Fixture f = fixture();

    f.takes_arguments = true;
    ck_assert_int_eq(PARSE(&f, "one", "--compact", "two", "--", "--three"), STATUS_OK);
    ck_assert(f.compact);
    int count;
    const char **arguments = options_arguments(f.parser, &count);
    ck_assert_int_eq(count, 3);
    ck_assert_str_eq(arguments[0], "one");
    ck_assert_str_eq(arguments[1], "two");
    ck_assert_str_eq(arguments[2], "--three");
    ck_assert_ptr_null(arguments[3]);
    options_destroy(f.parser);
}
END_TEST

/* ---- Which options go together */

START_TEST(options_that_exclude_each_other_are_refused)
{
    Fixture f = fixture();

    REFUSED("--compact does not go with --games", "--games", "8", "--compact");
    REFUSED("--budget does not go with --games", "--budget", "8", "--games", "8");
    ck_assert_int_eq(PARSE(&f, "--games", "8", "--no-compact"), STATUS_OK); /* is the default */
    options_destroy(f.parser);
}
END_TEST

START_TEST(options_need_others)
{
    Fixture f = fixture();

    REFUSED("--plies needs --db or --engine", "--plies", "3");
    ck_assert_int_eq(PARSE(&f, "--plies", "3", "--engine", "x"), STATUS_OK);
    options_destroy(f.parser);
    f = fixture();
    f.settings = needed;
    ck_assert_int_eq(PARSE(&f, "--quiet"), STATUS_USAGE);
    ck_assert_str_eq(f.err.text, "--db is needed");
}
END_TEST

static const OptionVerb verbs[] = {
    {"fit", "FILE", 1, 1, .options = "hash"},
    {"show", "", 0, 0, .options = "hash"},
    {"list", "FILE...", 1, 3},
    {0},
};

#define REFUSED_VERB(sentence, ...)                                                                \
    do {                                                                                           \
        Fixture f_ = fixture();                                                                    \
        f_.verbs = verbs;                                                                          \
        ck_assert_int_eq(PARSE(&f_, __VA_ARGS__), STATUS_USAGE);                                   \
        ck_assert_str_eq(f_.err.text, sentence);                                                   \
    } while (0)

START_TEST(verbs_take_their_own_options)
{
    Fixture f = fixture();
    int count;

    f.verbs = verbs;
    ck_assert_int_eq(PARSE(&f, "list", "a", "b", "--games", "7"), STATUS_OK);
    ck_assert_int_eq(options_verb(f.parser), 2);
    ck_assert_str_eq(options_arguments(f.parser, &count)[1], "b");
    ck_assert_int_eq(count, 2);
    options_destroy(f.parser);
    f = fixture();
    f.verbs = verbs;
    ck_assert_int_eq(PARSE(&f, "--hash", "7", "show"), STATUS_OK);
    options_destroy(f.parser);

    REFUSED_VERB("list does not use --hash; it is for: fit show", "list", "a", "--hash", "7");
    REFUSED_VERB("usage: tabia selfplay list FILE...", "list");
    REFUSED_VERB("usage: tabia selfplay fit FILE", "fit", "a", "b");
    REFUSED_VERB("unknown verb \"shwo\"; did you mean show?", "shwo");
    REFUSED_VERB("missing verb; usage: tabia selfplay --db FILE", "--games", "7");
}
END_TEST

static const char *ini_path(const char *text)
{
    static char path[128];

    (void)snprintf(path, sizeof path, "%s/test.ini", support_temp_dir());
    support_write_file(path, text);
    return path;
}

START_TEST(ini_gives_defaults_that_options_override)
{
    Fixture f = fixture();
    const char *path = ini_path("# comment\n[selfplay]\n"
                                "games = 7 ; seven\ndb = ini.db\n\nengine = a\n"
                                "engine = b\nseed = 9\nlambda = 0.5\n");

    ck_assert_int_eq(PARSE(&f, "--db", "line.db", "--config", path, "--engine", "c"), STATUS_OK);
    ck_assert_int_eq(f.games, 7);
    ck_assert_str_eq(f.db, "line.db");
    ck_assert_uint_eq(f.common.seed, 9);
    ck_assert_double_eq(f.lambda, .5);
    ck_assert_int_eq(f.budget, 60000);
    ck_assert_int_eq(f.engines.count, 1); /* replaced, not added to */
    ck_assert_str_eq(f.engines.items[0], "c");
    ck_assert(options_given(f.parser, "games") && !options_given(f.parser, "budget"));
    options_destroy(f.parser);

    path = ini_path("[selfplay]\ncompact = yes\nengine = a\nengine = b\n");
    f = fixture();
    ck_assert_int_eq(PARSE(&f, "--no-compact", "--config", path), STATUS_OK);
    ck_assert(!f.compact);
    ck_assert_int_eq(f.engines.count, 2);
    options_destroy(f.parser);
}
END_TEST

START_TEST(excluding_options_override_the_ini_file)
{
    Fixture f = fixture();
    const char *path = ini_path("[selfplay]\nbudget = 9\ncompact = yes\ndb = x\n");

    ck_assert_int_eq(PARSE(&f, "--config", path, "--games", "8"), STATUS_OK);
    ck_assert_int_eq(f.games, 8);
    ck_assert(!options_given(f.parser, "budget") && f.budget == 60000 && !f.compact);
    ck_assert_str_eq(f.db, "x");
    options_destroy(f.parser);

    path = ini_path("[selfplay]\ngames = 7\n");
    f = fixture();
    ck_assert_int_eq(PARSE(&f, "--config", path, "--compact", "--budget", "2"), STATUS_OK);
    ck_assert(f.compact && f.budget == 2000 && !options_given(f.parser, "games"));
    options_destroy(f.parser);

    f = fixture(); /* also where only the other option names it */
    ck_assert_int_eq(PARSE(&f, "--config", path, "--budget", "2"), STATUS_OK);
    ck_assert(f.budget == 2000 && !options_given(f.parser, "games"));
    options_destroy(f.parser);

    f = fixture();
    ck_assert_int_eq(PARSE(&f, "--config", path, "--no-compact"), STATUS_OK);
    ck_assert_int_eq(f.games, 7); /* an option that is turned off excludes nothing */
    options_destroy(f.parser);

    path = ini_path("[selfplay]\ngames = 7\nbudget = 9\n");
    f = fixture();
    ck_assert_int_eq(PARSE(&f, "--config", path), STATUS_USAGE);
    ck_assert_str_eq(f.err.text, "--budget does not go with --games; give one of them");
}
END_TEST

/* A section of a command with verbs serves all of them. */
START_TEST(ini_may_hold_options_of_other_verbs)
{
    Fixture f = fixture();
    const char *path = ini_path("[selfplay]\nhash = 16\nplies = 5\nrule = ini\nloss = mse\n");

    f.verbs = verbs;
    ck_assert_int_eq(PARSE(&f, "list", "a", "--config", path, "--rule", "line"), STATUS_OK);
    ck_assert(f.plies == 5 && f.loss == 0);
    ck_assert_str_eq(f.rule, "<line>");
    options_destroy(f.parser);
}
END_TEST

/* What an INI file is refused with: the sentence after the file's name. */
static void check_ini_refused(const char *text, const char *sentence)
{
    Fixture f = fixture();
    const char *path = ini_path(text);

    ck_assert_int_eq(PARSE(&f, "--config", path), STATUS_BAD_INPUT);
    ck_assert_ptr_null(f.parser);
    ck_assert_int_eq(strncmp(f.err.text, path, strlen(path)), 0);
    ck_assert_str_eq(f.err.text + strlen(path), sentence);
}

START_TEST(ini_is_refused_with_its_line)
{
    char line[400] = "[selfplay]\ndb = ";

    check_ini_refused("[selfplay]\n\ngame = 3\n",
                      ":3: unknown key game in [selfplay]; did you mean games?");
    check_ini_refused("[selfplay]\nconfig = x\n", ":2: config is not allowed in an INI file");
    check_ini_refused("[selfplay]\ngames = x\n", ":2: games needs a whole number, not \"x\"");
    check_ini_refused("[selfplay]\ncompact = maybe\n",
                      ":2: compact needs true or false, not \"maybe\"");
    check_ini_refused("[selfplay]\ngames = 0\n", ":2: games must be from 1 to 1e+06, not 0");
    check_ini_refused("[selfplay]\nloss = x\n",
                      ":2: loss must be mse, entropy or floor, not \"x\"");
    check_ini_refused("[selfplay]\nrule = bad\n", ":2: rule: no such rule");
    check_ini_refused("[selfplay]\ngames = 3\ngames = 4\n",
                      ":3: games is given twice (an indented line continues the key above)");
    check_ini_refused("games = 3\n", ":1: a key must follow a [section]");
    check_ini_refused("[selfplay\ngames = 3\n", ":1: a [section] has no ]");
    check_ini_refused("[qqqqqqqqqqqq]\ngames = 3\n", ":2: [qqqqqqqqqqqq] is not a command");
    check_ini_refused("[selfplay]\ngames\n", ":2: expected [section] or key = value");
    memset(line + strlen(line), 'x', 300);
    check_ini_refused(line, ":2: a line has at most 198 characters");
}
END_TEST

START_TEST(ini_must_be_there)
{
    Fixture f = fixture();

    ck_assert_int_eq(PARSE(&f, "--config", "/nowhere/at.ini"), STATUS_BAD_INPUT);
    ck_assert_str_eq(f.err.text, "cannot open /nowhere/at.ini: No such file or directory");
    f = fixture();
    ck_assert_int_eq(PARSE(&f, "--config", "/"), STATUS_BAD_INPUT);
    ck_assert_str_eq(f.err.text, "cannot read /: Is a directory");
}
END_TEST

START_TEST(ini_sections_of_other_commands_are_passed_over)
{
    Fixture f = fixture();
    char text[128];

    (void)snprintf(text, sizeof text, "[%s]\nwhatever = 1\n[selfplay]\ngames = 5\n",
                   command_names[0]);
    ck_assert_int_eq(PARSE(&f, "--config", ini_path(text)), STATUS_OK);
    ck_assert_int_eq(f.games, 5);
    options_destroy(f.parser);
}
END_TEST

START_TEST(values)
{
    int64_t n = -1;
    double x;
    bool b;
    char text[TIME_TEXT_MAX];
    static const struct {
        const char *text;
        int64_t ms;
    } times[] = {{"90", 90000},  {"90s", 90000}, {"10m", 600000},     {"2h", 7200000},
                 {"500ms", 500}, {"1.5s", 1500}, {"1h2m3s", 3723000}, {"0", 0}};

    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        ck_assert_msg(value_parse_time(times[i].text, &n), "%s", times[i].text);
        ck_assert_int_eq(n, times[i].ms);
        value_format_time(n, text);
        ck_assert_msg(value_parse_time(text, &n) && n == times[i].ms, "%s", text);
    }
    static const char *const no_times[] = {"", "s", "-5", "5 s", "1e400", "5sm", "10x"};
    for (size_t i = 0; i < sizeof no_times / sizeof *no_times; i++)
        ck_assert_msg(!value_parse_time(no_times[i], &n), "%s", no_times[i]);
    ck_assert(value_parse_core_time("30cm", &n) && n == 1800000);
    ck_assert(value_parse_core_time("1ch1.5cs", &n) && n == 3601500);
    static const char *const no_core_times[] = {"",   "30m", "30",    "c",
                                                "cs", "30c", "30cms", "1ch30m"};
    for (size_t i = 0; i < sizeof no_core_times / sizeof *no_core_times; i++)
        ck_assert_msg(!value_parse_core_time(no_core_times[i], &n), "%s", no_core_times[i]);
    static const char *const no_ints[] = {"", " 1", "1 ", "0x10", "k", "1kk", "--1", "1e3"};
    for (size_t i = 0; i < sizeof no_ints / sizeof *no_ints; i++)
        ck_assert_msg(!value_parse_int(no_ints[i], &n), "%s", no_ints[i]);
    ck_assert(value_parse_int("-2M", &n) && n == -2000000);
    ck_assert(value_parse_int("9223372036854775807", &n) && n == INT64_MAX);
    ck_assert(!value_parse_int("9223372036854775808", &n));
    ck_assert(!value_parse_int("9223372036854775807k", &n));
    ck_assert(value_parse_double("-1e-3", &x) && x == -1e-3);
    ck_assert(!value_parse_double("inf", &x) && !value_parse_double("1x", &x));
    ck_assert(value_parse_bool("On", &b) && b && value_parse_bool("0", &b) && !b);
    ck_assert(!value_parse_bool("2", &b));
}
END_TEST

START_TEST(threads_without_openmp_are_warned_of_once)
{
    Fixture f = fixture();
    const char *path = support_temp_path("stderr");
    char text[256] = "";

    ck_assert_ptr_nonnull(freopen(path, "w+", stderr));
    ck_assert_int_eq(PARSE(&f, "--threads", "1"), STATUS_OK);
    options_destroy(f.parser);
    ck_assert_int_eq(ftell(stderr), 0);
    ck_assert_int_eq(PARSE(&f, "--threads", "2"), STATUS_OK);
    options_destroy(f.parser);
    rewind(stderr);
    size_t length = fread(text, 1, sizeof text - 1, stderr);
    text[length] = '\0';
#ifdef _OPENMP
    ck_assert_str_eq(text, "");
#else
    ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
    ck_assert_int_eq(strncmp(text, "warning: this build has no OpenMP", 33), 0);
#endif
}
END_TEST

static Status collect(void *context, char *key, char *value, Error *err)
{
    char *out = context;

    if (strcmp(key, "bad") == 0) return error_set(err, STATUS_USAGE, "bad key");
    (void)snprintf(out + strlen(out), 128 - strlen(out), "<%s|%s>", key, value);
    return STATUS_OK;
}

static Status pass_pairs(const char *text, char out[128], Error *err)
{
    char *copy;

    Status status = setting_pairs(text, &copy, collect, out, err);
    free(copy);
    return status;
}

START_TEST(pairs)
{
    char out[128] = "";
    Error err = {0};

    ck_assert_int_eq(pass_pairs("elo0=0,elo1=5,option.X=a=b,empty=", out, &err), STATUS_OK);
    ck_assert_str_eq(out, "<elo0|0><elo1|5><option.X|a=b><empty|>");
    ck_assert_int_eq(pass_pairs("elo0=0,elo1", out, &err), STATUS_USAGE);
    ck_assert_str_eq(err.text, "\"elo1\" is not KEY=VALUE (in \"elo0=0,elo1\")");
    ck_assert_int_eq(pass_pairs("=1", out, &err), STATUS_USAGE);
    ck_assert_int_eq(pass_pairs("", out, &err), STATUS_USAGE);
    ck_assert_int_eq(pass_pairs("bad=1,later=2", out, &err), STATUS_USAGE);
    ck_assert_str_eq(err.text, "bad key");
    ck_assert_ptr_null(strstr(out, "later"));
}
END_TEST

START_TEST(pairs_by_a_table)
{
    Fixture f = {.compact = true};
    Error err = {0};
    static const Setting keys[] = {
        {"plies", FIELD(Fixture, plies), .maximum = 9}, {"drawn", FIELD(Fixture, compact)}, {0}};

    ck_assert_int_eq(settings_set_pairs(keys, &f, "plies=3,drawn=no", &err), STATUS_OK);
    ck_assert(f.plies == 3 && !f.compact);
    ck_assert_int_eq(settings_set_pairs(keys, &f, "plies=10", &err), STATUS_USAGE);
    ck_assert_str_eq(err.text, "plies must be from 0 to 9, not 10");
    ck_assert_int_eq(settings_set_pairs(keys, &f, "plie=1", &err), STATUS_USAGE);
    ck_assert_str_eq(err.text,
                     "unknown key \"plie\"; the keys are plies, drawn; did you mean plies?");
}
END_TEST

START_TEST(suggestions)
{
    Suggestion s;

    suggest_begin(&s, "selfpaly");
    suggest_offer(&s, "tune");
    suggest_offer(&s, "selfplay");
    suggest_offer(&s, "search");
    ck_assert_str_eq(suggest_text(&s, "--", ""), "; did you mean --selfplay?");
    suggest_begin(&s, "frobnicate");
    suggest_offer(&s, "tune");
    ck_assert_str_eq(suggest_text(&s, "--", ""), "");
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, defaults_stay, every_kind_is_read, command_line_is_refused, arguments_are_kept,
              ini_gives_defaults_that_options_override, options_that_exclude_each_other_are_refused,
              options_need_others, verbs_take_their_own_options,
              excluding_options_override_the_ini_file, ini_may_hold_options_of_other_verbs,
              ini_is_refused_with_its_line, ini_must_be_there,
              ini_sections_of_other_commands_are_passed_over, values,
              threads_without_openmp_are_warned_of_once, pairs, pairs_by_a_table, suggestions);
    return support_run(c);
}
