/* SPDX-License-Identifier: MIT
 * `tabia weights`: shows and compares weights and writes them for other engines. */

#include <stdlib.h>
#include <string.h>

#include "cli/commands/command.h"
#include "cli/output/fields.h"
#include "cli/output/output_file.h"
#include "cli/output/process.h"
#include "cli/output/terminal.h"
#include "cli/tune/weights_text.h"
#include "engine/base/text.h"
#include "engine/eval/evaluation_load.h"
#include "engine/eval/evaluation_write.h"
#include "engine/notation/fen.h"
#include "tuner/report/network_tables.h"

typedef struct WeightsOptions {
    CommonOptions common;
    const char *out;
    bool rank8_first, colour;
    int king; /* square, or -1 */
    NetworkLayout layout;
} WeightsOptions;

static Status parse_square(void *target, const char *text, Error *err)
{
    int *square = target;

    *square = strlen(text) == 2 ? square_from_text(text) : NO_SQUARE;
    if (*square != NO_SQUARE) return STATUS_OK;
    return error_set(err, STATUS_USAGE, "%s is no square, such as g1", text);
}

/* The own king's buckets on a1, b1, c1, d1, a2 … d8. */
static Status parse_kings(void *target, const char *text, Error *err)
{
    uint8_t bucket[NETWORK_KING_SQUARES];
    int count = 0;

    for (char *end; *text; text = end + (*end == ',')) {
        long number = strtol(text, &end, 10);
        if (end == text || (*end && *end != ',') || number < 0 ||
            number >= NETWORK_KING_BUCKETS_MAX || count == NETWORK_KING_SQUARES)
            break;
        bucket[count++] = (uint8_t)number;
    }
    if (*text || count != NETWORK_KING_SQUARES)
        return error_set(err, STATUS_USAGE,
                         "a king bucket, 0 to %d, is needed for each of %d squares",
                         NETWORK_KING_BUCKETS_MAX - 1, NETWORK_KING_SQUARES);
    *(NetworkKings *)target = network_kings(bucket);
    return STATUS_OK;
}

static bool wants_colour(const WeightsOptions *o)
{
    return o->colour || (!o->out && terminal_has_colour(stdout));
}

/* ---- The verbs: weights, printed to a stream that appears whole or not at all */

typedef struct NamedWeights {
    EvalWeights weights;    /* of a network its tables */
    const Network *network; /* or NULL */
    WeightsInfo info;
} NamedWeights;

/* The comment is the file's: its lines must not control a terminal. */
static void print_comment(FILE *out, const char *comment)
{
    char text[sizeof((WeightsInfo *)NULL)->comment];
    char *next;

    (void)snprintf(text, sizeof text, "%s", comment);
    for (char *line = text; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        text_clean(line);
        (void)text_wrap(out, 2, 80, line);
        (void)fputc('\n', out);
    }
}

static void show(const WeightsOptions *o, const NamedWeights *w, FILE *out)
{
    JsonWriter json;

    if (!o->common.json) {
        if (w->info.comment[0]) print_comment(out, w->info.comment);
        if (w->network)
            fprintf(
                out,
                "\nA network of %d hidden units, king buckets: %d, output buckets: %d.\n"
                "Its tables are what the evaluation gains by a piece on a square, as a mean over\n"
                "the positions of the bench (docs/networks.md).\n",
                w->network->hidden, w->network->kings.mirrored ? w->network->kings.sets : 0,
                w->network->buckets);
        weights_print_maps(out, &w->weights, o->king, wants_colour(o));
        return;
    }
    json_begin(&json, out);
    json_string(&json, "weights", w->info.label);
    json_string(&json, "comment", w->info.comment);
    if (w->network) json_int(&json, "hidden", w->network->hidden);
    if (w->network) json_int(&json, "buckets", w->network->buckets);
    weights_json(&json, "terms", &w->weights);
    json_finish(&json);
}

static void diff(const WeightsOptions *o, const NamedWeights *w, FILE *out)
{
    const EvalWeights *a = &w[0].weights;
    EvalWeights b = w[1].weights;
    bool tables = weights_equal(a, &b), same = tables && w[0].network == w[1].network;
    JsonWriter json;

    if (!o->common.json) {
        if (tables && !same)
            fputs(w[0].network && w[1].network
                      ? "the tables are the same, the networks differ\n"
                      : "the tables are the same, but only one side is a network\n",
                  out);
        else
            weights_print_difference(out, a, &b, NULL, wants_colour(o));
        return;
    }
    json_begin(&json, out);
    json_string(&json, "a", w[0].info.label);
    json_string(&json, "b", w[1].info.label);
    json_bool(&json, "same", same);
    for (int i = 0; i < EVAL_TERMS; i++)
        for (int half = MG; half <= EG; half++)
            b.term[i][half] = (int16_t)(b.term[i][half] - a->term[i][half]);
    weights_json(&json, "difference", &b);
    json_finish(&json);
}

static void emit(const WeightsOptions *o, const NamedWeights *w, FILE *out)
{
    const char *comment = w->info.comment[0] ? w->info.comment : w->info.label;

    if (w->network)
        weights_emit_network(out, w->network, comment);
    else
        weights_emit_c(out, &w->weights, o->rank8_first, comment);
}

/* Writes the network with a header, to a file of its own. */
static Status pack(const WeightsOptions *o, const char *name, Error *err)
{
    Network *network;

    if (!o->out) return error_set(err, STATUS_USAGE, "pack needs --out FILE.net");
    Status status = network_load_bare(name, &o->layout, &network, err);
    if (status != STATUS_OK) return status;
    status = network_save(o->out, network, err);
    network_destroy(network);
    return status;
}

typedef void (*VerbFn)(const WeightsOptions *o, const NamedWeights *w, FILE *out);

#define KINDS "builtin, classical, tables, pesto, zero, material, a weights header"
enum { SHOW, DIFF, EMIT, PACK };
static const OptionVerb verbs[] = {
    [SHOW] = {"show", "W", 1, 1, .meaning = "W is " KINDS " or a network", .options = "colour king",
              .summary = "piece values, a board for every piece, and the other terms"},
    [DIFF] = {"diff", "A B", 2, 2, .meaning = "A and B are each " KINDS " or a network",
              .options = "colour", .summary = "differences of B from A, centipawns"},
    [EMIT] = {"emit", "W", 1, 1, " [--order a8|a1]", "W is " KINDS " or a network",
              .options = "order",
              .summary = "the weights as arrays of C for the source of another engine"},
    [PACK] = {"pack", "FILE", 1, 1, " [--kings LIST] [--activation crelu|screlu] --out FILE.net",
              "FILE is a network as bullet writes it", .options = "kings activation scale",
              .summary = "a network that has no header, with one that names its layout"},
    {0},
};
static const VerbFn verb_functions[] = {[SHOW] = show, [DIFF] = diff, [EMIT] = emit};

static Status load(const char *name, NamedWeights *w, Error *err)
{
    Evaluation loaded;

    Status status = evaluation_load(name, &loaded, &w->info, err);
    if (status != STATUS_OK) return status;
    w->network = evaluation_network(&loaded);
    evaluation_tables(&loaded, &w->weights);
    return STATUS_OK;
}

static Status run(void *command, const OptionParser *parser, Error *err)
{
    const WeightsOptions *o = command;
    const char **names = options_arguments(parser, NULL);
    const char *const outputs[] = {o->out, NULL};
    NamedWeights w[2];

    if (!o->out || strcmp(o->out, "-") == 0) cli_end_with_reader();
    Status status = outputs_check(outputs, names, names[1] ? 2 : 1, err);
    if (status == STATUS_OK && options_verb(parser) == PACK) return pack(o, names[0], err);
    OutputFile *out = status == STATUS_OK ? output_open(o->out ? o->out : "-", err) : NULL;
    if (status == STATUS_OK && !out) status = err->status;

    for (int i = 0; status == STATUS_OK && names[i]; i++)
        status = load(names[i], &w[i], err);
    if (status == STATUS_OK) {
        verb_functions[options_verb(parser)](o, w, output_stream(out));
        return output_commit(out, err);
    }
    output_discard(out);
    return status;
}

static const Setting options[] = {
    {"out", FIELD(WeightsOptions, out), "FILE", "file to write instead of standard output"},
    {"order", FIELD(WeightsOptions, rank8_first), "SQUARE",
     "emit: first square of the tables, a8 (rank 8 first) or a1 (rank 1 first)", .words = "a1|a8",
     .preset = 1},
    {"colour", FIELD(WeightsOptions, colour), NULL, "show, diff: shade the boards in a file too"},
    {"king", FIELD(WeightsOptions, king), "SQUARE",
     "show: the boards with what the own king adds on this square of White's",
     .parse = parse_square, .not_with = "json"},
    {"kings", FIELD(WeightsOptions, layout.kings), "LIST",
     "pack: 32 king buckets, of the own king on a1, b1, c1, d1, a2 ... d8, as 0,0,1,1,...; the board is mirrored where it stands on files e to h",
     .parse = parse_kings},
    {"activation", FIELD(WeightsOptions, layout.squared), "NAME",
     "pack: of hidden units: clipped, or clipped and squared", .words = "crelu|screlu",
     .preset = 1},
    {"scale", FIELD(WeightsOptions, layout.scale), "N", "pack: centipawns of an output of 1", 1,
     10000, .preset = NETWORK_SCALE},
    {FIELD(WeightsOptions, common), .rows = common_settings},
    {0},
};

static const OptionSpec spec = {
    .command = "weights",
    .synopsis = "show W | diff A B | emit W | pack FILE  [options]",
    .description =
        "Shows and compares weights: builtin, classical, tables, network, pesto, zero, material,\n"
        "a header file or a network.\n",
    .settings = options,
    .threads_help = "no effect",
    .verbs = verbs,
    .epilogue = "Examples:\n"
                "  tabia weights diff builtin new.h\n"
                "  tabia weights emit new.h --order a1 --out tables.h\n"
                "  tabia weights show new.h --json > maps.json",
};

bool weights_has_verb(const char *name)
{
    return options_has_verb(&spec, name);
}

Status cmd_weights(int argc, char **argv, Error *err)
{
    WeightsOptions o = {0};

    settings_default(options, &o);
    o.king = -1;
    o.layout.kings = network_kings(NULL);

    return options_run(&spec, argc, argv, run, &o, err);
}
