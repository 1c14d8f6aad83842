/* SPDX-License-Identifier: MIT
 * The UCI options: one table for their declaration, their defaults and their limits. */
#include "engine/uci/options.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "engine/base/system.h"
#include "engine/eval/evaluation_load.h"
#include "engine/search/syzygy.h"
#include "engine/uci/go.h"
#include "engine/uci/strength.h"

enum { HASH_DEFAULT_MB = 16 };

/* ---- What an option does when its value in Uci is set, or a string option with its text */

static void apply_hash(Uci *uci)
{
    Error err = {0};
    if (search_resize(uci->search, (size_t)uci->hash_mb << 20, &err) != STATUS_OK)
        uci_print_error(uci, &err);
}

static void clear_hash(Uci *uci)
{
    search_new_game(uci->search);
}

static void apply_threads(Uci *uci)
{
    Error err = {0};
    if (search_set_threads(uci->search, uci->threads, &err) != STATUS_OK)
        uci_print_error(uci, &err);
}

static void apply_move_overhead(Uci *uci)
{
    search_set_move_overhead(uci->search, uci->move_overhead_ms);
}

static void apply_chess960(Uci *uci)
{
    uci->pos.chess960 = uci->pos_chess960 || uci->chess960;
}

static void load_evaluation(Uci *uci, const char *text)
{
    Error err = {0};
    Status status = system_is_device(text) /* no command would end the wait for its writer */
                        ? error_set(&err, STATUS_BAD_INPUT, "%s is not a regular file", text)
                        : evaluation_load(text[0] ? text : "builtin", &uci->evaluation, NULL, &err);

    if (status != STATUS_OK) {
        uci_print_error(uci, &err); /* the old one stays */
        return;
    }
    search_set_evaluation(uci->search, &uci->evaluation);
}

static void open_book(Uci *uci, const char *text)
{
    Error err = {0};
    PolyglotBook *file = NULL;

    if (text[0] && !(file = polyglot_open(text, &err))) {
        uci_print_error(uci, &err); /* the old book stays */
        return;
    }
    polyglot_close(uci->book.file);
    uci->book.file = file;
}

/* The search gets the Syzygy options, with no more pieces than the files have. */
static void apply_syzygy(Uci *uci)
{
    SearchSyzygy syzygy = uci->syzygy;

    if (syzygy.pieces > syzygy_pieces()) syzygy.pieces = syzygy_pieces();
    search_set_syzygy(uci->search, &syzygy);
}

static void open_syzygy(Uci *uci, const char *text)
{
    Error err = {0};

    if (syzygy_open(text, &err) != STATUS_OK)
        uci_print_error(uci, &err);
    else if (syzygy_pieces() > 0)
        uci_print(uci, "info string Syzygy files of up to %d pieces", syzygy_pieces());
    apply_syzygy(uci);
}

/* ---- The table */

typedef enum OptionType { SPIN, CHECK, STRING, BUTTON } OptionType;

typedef struct UciOption {
    const char *name;
    OptionType type;
    size_t target;           /* in Uci: int of a spin, bool of a check; 0: not kept */
    int preset, least, most; /* preset: the default; least and most of a spin */
    void (*apply)(Uci *uci); /* or NULL */
    void (*load)(Uci *uci, const char *text); /* of a string */
} UciOption;

#define AT(field) offsetof(Uci, field)
static const UciOption options[] = {
    {"Hash", SPIN, AT(hash_mb), HASH_DEFAULT_MB, 1, UCI_HASH_MAX_MB, apply_hash},
    {"Clear Hash", BUTTON, 0, 0, 0, 0, clear_hash},
    {"Threads", SPIN, AT(threads), 1, 1, SEARCH_THREADS_MAX, apply_threads},
    {"Ponder", CHECK, 0, false, 0, 0, NULL},
    {"MultiPV", SPIN, AT(multipv), 1, 1, 256, NULL},
    {"Move Overhead", SPIN, AT(move_overhead_ms), 10, 0, 5000, apply_move_overhead},
    {"UCI_Chess960", CHECK, AT(chess960), false, 0, 0, apply_chess960},
    {"UCI_ShowWDL", CHECK, AT(show_wdl), false, 0, 0, NULL},
    {"UCI_LimitStrength", CHECK, AT(limit_strength), false, 0, 0, NULL},
    {"UCI_Elo", SPIN, AT(elo), STRENGTH_ELO_MIN, STRENGTH_ELO_MIN, STRENGTH_ELO_MAX, NULL},
    {"EvalFile", STRING, .load = load_evaluation},
    {"OwnBook", CHECK, AT(book.on), false, 0, 0, NULL},
    {"BookFile", STRING, .load = open_book},
    {"BookDepth", SPIN, AT(book.depth), 255, 0, 1000, NULL},
    {"BookSeed", SPIN, AT(book.seed), 0, 0, INT32_MAX, NULL},
    {"SyzygyPath", STRING, .load = open_syzygy},
    {"SyzygyProbeDepth", SPIN, AT(syzygy.probe_depth), 1, 1, 100, apply_syzygy},
    {"Syzygy50MoveRule", CHECK, AT(syzygy.rule50), true, 0, 0, apply_syzygy},
    {"SyzygyProbeLimit", SPIN, AT(syzygy.pieces), 7, 0, 7, apply_syzygy},
};
enum { OPTIONS = sizeof options / sizeof options[0] };

static int *spin_of(Uci *uci, const UciOption *o)
{
    return (int *)((char *)uci + o->target);
}

static bool *check_of(Uci *uci, const UciOption *o)
{
    return (bool *)((char *)uci + o->target);
}

/* A build without Syzygy support has no options for it. */
static bool is_offered(const UciOption *option)
{
    return syzygy_built() || strncmp(option->name, "Syzygy", 6) != 0;
}

Status uci_options_init(Uci *uci, Error *err)
{
    uci->search = search_create(&uci->evaluation, (size_t)HASH_DEFAULT_MB << 20, err);
    if (!uci->search) return STATUS_FAILED;
    for (const UciOption *o = options; o < options + OPTIONS; o++) {
        if (o->type == SPIN) *spin_of(uci, o) = o->preset;
        if (o->type == CHECK && o->target > 0) *check_of(uci, o) = o->preset != 0;
    }
    apply_move_overhead(uci);
    apply_syzygy(uci);
    return STATUS_OK;
}

void uci_options_print(Uci *uci)
{
    for (const UciOption *o = options; o < options + OPTIONS; o++) {
        if (!is_offered(o)) continue;
        switch (o->type) {
        case SPIN:
            uci_print(uci, "option name %s type spin default %d min %d max %d", o->name, o->preset,
                      o->least, o->most);
            break;
        case CHECK:
            uci_print(uci, "option name %s type check default %s", o->name,
                      o->preset ? "true" : "false");
            break;
        case STRING:
            uci_print(uci, "option name %s type string default <empty>", o->name);
            break;
        case BUTTON:
            uci_print(uci, "option name %s type button", o->name);
            break;
        }
    }
#ifdef TABIA_TUNE
    /* Runners send only what is listed. In other builds these rows would fill dialogs. */
    for (const SearchParamInfo *info = search_param_info; info->name; info++)
        uci_print(uci, "option name %s type spin default %d min %d max %d", info->name,
                  search_params_get(search_params(uci->search), info), info->least, info->most);
#endif
}

/* ---- setoption */

static void set_listed(Uci *uci, const UciOption *o, const char *text)
{
    int64_t number;

    if (o->type == SPIN) {
        if (!uci_read_number(uci, o->name, text, o->least, o->most, &number)) return;
        *spin_of(uci, o) = (int)number;
    }
    if (o->type == CHECK && o->target > 0 && !uci_read_check(uci, o->name, text, check_of(uci, o)))
        return;
    if (o->apply) o->apply(uci);
    if (o->load) o->load(uci, strcmp(text, "<empty>") == 0 ? "" : text);
}

static void set_search_param(Uci *uci, const char *name, const char *value)
{
    SearchParams params = *search_params(uci->search);
    Error err = {0};

    if (search_params_set(&params, name, value, &err) == STATUS_OK)
        search_set_params(uci->search, &params);
    else
        uci_print_error(uci, &err);
}

/* The text between two places of a line without the blanks around it, cut out in place. */
static char *trimmed(char *from, char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    *to = '\0';
    return from;
}

/* Makes one blank of several between the words of a name, in place. */
static void join_words(char *name)
{
    char *out = name;

    for (const char *at = name; *at; at++)
        if (!isspace((unsigned char)*at))
            *out++ = *at;
        else if (!isspace((unsigned char)at[1]))
            *out++ = ' ';
    *out = '\0';
}

/* Finds a whole word; NULL if it is absent. */
static char *find_word(char *line, const char *word)
{
    size_t n = strlen(word);
    for (char *at = line; (at = strstr(at, word)) != NULL; at += n)
        if ((at == line || isspace((unsigned char)at[-1])) &&
            (at[n] == '\0' || isspace((unsigned char)at[n])))
            return at;
    return NULL;
}

void uci_set_option(Uci *uci, char *line)
{
    char *end = line + strlen(line);
    char *name = find_word(line, "name");
    if (!name) {
        uci_print_bad_word(uci, "setoption: missing name:", line);
        return;
    }
    char *value = find_word(name + 4, "value");
    char *text = value ? trimmed(value + 5, end) : end;
    name = trimmed(name + 4, value ? value : end);
    join_words(name);

    for (const UciOption *o = options; o < options + OPTIONS; o++)
        if (is_offered(o) && strcasecmp(o->name, name) == 0) {
            uci_settle(uci);
            set_listed(uci, o, text);
            return;
        }
    if (search_param_find(name)) {
        uci_settle(uci);
        set_search_param(uci, name, text);
    } else {
        uci_print_bad_word(uci, "setoption: no such option", name);
    }
}
