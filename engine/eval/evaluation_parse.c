/* SPDX-License-Identifier: MIT
 * Reading weights headers: two macros and comments, and nothing else of C. */
#include "engine/eval/evaluation_parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/eval/network_file.h"

enum { WEIGHT_LIMIT = 10000, NAME_MAX_LENGTH = 32 };

/* A cursor over the text with its line number, for errors. */
typedef struct HeaderReader {
    const char *at, *end;
    const char *name; /* of the file */
    int line;         /* from 1 */
    bool opening;     /* no row has been read yet: a comment here is the file's own */
    WeightsInfo *info;
    Error *err;
} HeaderReader;

#define REFUSE(r, ...) (error_set((r)->err, STATUS_BAD_INPUT, __VA_ARGS__), refuse_at(r))

/* Puts "file:line: " before the sentence. Every reader below returns false when it refused. */
static bool refuse_at(const HeaderReader *r)
{
    (void)error_prefix(r->err, "%s:%d", r->name, r->line);
    return false;
}

static bool at_text(const HeaderReader *r, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(r->end - r->at) >= n && memcmp(r->at, text, n) == 0;
}

/* Keeps the file's opening comment: its text without the stars that open its lines. */
static void keep_comment(const HeaderReader *r, const char *from, const char *to)
{
    char *out = r->info->comment;
    size_t used = 0, room = sizeof r->info->comment - 1;

    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    while (from < to && *from == ' ')
        from++;
    while (from < to && used < room) {
        char c = *from++;
        out[used++] = c;
        if (c != '\n') continue;
        while (from < to && (*from == ' ' || *from == '\t'))
            from++;
        if (from < to && *from == '*') from++;
        if (from < to && *from == ' ') from++;
    }
    out[used] = '\0';
}

/* Skips the comment at the cursor. */
static bool skip_comment(HeaderReader *r)
{
    bool block = at_text(r, "/*");
    /* The line for clang-format is not the file's comment. */
    bool keep = block && r->opening && !r->info->comment[0] && !at_text(r, "/* clang-format");

    r->at += 2;
    const char *start = r->at;
    while (r->at < r->end && !(block ? at_text(r, "*/") : *r->at == '\n')) {
        if (*r->at == '\n') r->line++;
        r->at++;
    }
    if (!block) return true;
    if (r->at == r->end) return REFUSE(r, "the comment does not end");
    if (keep) keep_comment(r, start, r->at);
    r->at += 2;
    return true;
}

static bool skip_blank(HeaderReader *r)
{
    while (r->at < r->end) {
        if (isspace((unsigned char)*r->at)) {
            if (*r->at == '\n') r->line++;
            r->at++;
        } else if (at_text(r, "/*") || at_text(r, "//")) {
            if (!skip_comment(r)) return false;
        } else {
            break;
        }
    }
    return true;
}

static bool expect(HeaderReader *r, char c)
{
    if (!skip_blank(r)) return false;
    if (r->at == r->end) return REFUSE(r, "expected '%c', found the end of the file", c);
    if (*r->at != c) return REFUSE(r, "expected '%c', found '%c'", c, *r->at);
    r->at++;
    return true;
}

/* The next run of letters, digits and underscores; "" where there is none. */
static bool read_name(HeaderReader *r, char name[NAME_MAX_LENGTH])
{
    int n = 0;
    if (!skip_blank(r)) return false;
    while (r->at < r->end && (isalnum((unsigned char)*r->at) || *r->at == '_')) {
        if (n == NAME_MAX_LENGTH - 1) return REFUSE(r, "a name is too long");
        name[n++] = *r->at++;
    }
    name[n] = '\0';
    return true;
}

static bool read_integer(HeaderReader *r, int limit, int *value)
{
    int magnitude = 0;
    if (!skip_blank(r)) return false;
    bool negative = r->at < r->end && *r->at == '-';
    if (negative) r->at++;
    if (r->at == r->end || !isdigit((unsigned char)*r->at)) return REFUSE(r, "expected a number");
    if (*r->at == '0' && r->at + 1 < r->end && isalnum((unsigned char)r->at[1]))
        return REFUSE(r, "expected a decimal number"); /* a compiler reads another one */
    while (r->at < r->end && isdigit((unsigned char)*r->at)) {
        magnitude = 10 * magnitude + (*r->at++ - '0');
        if (magnitude > limit) return REFUSE(r, "value outside -%d to %d", limit, limit);
    }
    *value = negative ? -magnitude : magnitude;
    return true;
}

static bool read_number(HeaderReader *r, int *value)
{
    return read_integer(r, WEIGHT_LIMIT, value);
}

/* "(NAME, n)" of EVAL_TERM. */
static bool read_term(HeaderReader *r, const bool seen[EVAL_TERM_ROWS], const EvalTermInfo **term)
{
    char name[NAME_MAX_LENGTH];
    int count;

    if (!expect(r, '(') || !read_name(r, name)) return false;
    const EvalTermInfo *found = eval_term_info;
    while (found->name && strcmp(found->name, name) != 0)
        found++;
    if (!found->name) return REFUSE(r, "unknown term '%s'", name);
    if (seen[found - eval_term_info]) return REFUSE(r, "term %s is given twice", name);
    if (!expect(r, ',') || !read_number(r, &count)) return false;
    if (count != found->count)
        return REFUSE(r, "term %s has %d values, not %d", name, found->count, count);
    *term = found;
    return expect(r, ')');
}

/* "(mg, eg)" of S. */
static bool read_pair(HeaderReader *r, int16_t pair[PHASES])
{
    int mg, eg;

    if (!expect(r, '(') || !read_number(r, &mg) || !expect(r, ',') || !read_number(r, &eg))
        return false;
    pair[MG] = (int16_t)mg;
    pair[EG] = (int16_t)eg;
    return expect(r, ')');
}

/* Checks that the term just read is complete, if there was one. */
static bool end_term(HeaderReader *r, const EvalTermInfo *term, int filled)
{
    return !term || filled == term->count ||
           REFUSE(r, "term %s has %d of its %d values", term->name, filled, term->count);
}

/* "(units, buckets, squared, scale)" of EVAL_NETWORK, perhaps with the king buckets behind the
 * scale, and then all its numbers. */
static bool read_network(HeaderReader *r, Evaluation *e)
{
    int sizes[4], king;
    uint8_t bucket[NETWORK_KING_SQUARES];
    bool mirrored;

    if (!expect(r, '(')) return false;
    for (int i = 0; i < 4; i++)
        if ((i > 0 && !expect(r, ',')) || !read_number(r, &sizes[i])) return false;
    mirrored = skip_blank(r) && r->at < r->end && *r->at == ',';
    for (int i = 0; mirrored && i < NETWORK_KING_SQUARES; i++) {
        if (!expect(r, ',') || !read_integer(r, NETWORK_KING_BUCKETS_MAX - 1, &king)) return false;
        bucket[i] = (uint8_t)king; /* a negative one becomes too large */
    }
    if (!expect(r, ')')) return false;
    const NetworkKings kings = network_kings(mirrored ? bucket : NULL);
    if (!network_sizes(sizes[0], sizes[1]) || sizes[3] < 1 || kings.sets > NETWORK_KING_BUCKETS_MAX)
        return REFUSE(r, "a network of such sizes is not known");
    Network *n = network_create(sizes[0], sizes[1], sizes[2] == 1, sizes[3], &kings);
    if (!n) return REFUSE(r, "out of memory for a network");
    size_t count = network_numbers(n), i = 0;
    for (int value; i < count && read_integer(r, INT16_MAX, &value); i++)
        n->input[i] = (int16_t)value;
    if (i < count || network_check(n, r->name, r->err) != STATUS_OK) {
        network_destroy(n);
        return false;
    }
    (void)snprintf(n->comment, sizeof n->comment, "%s", r->info->comment);
    evaluation_set_network(e, network_keep(n));
    return true;
}

static bool read_rows(HeaderReader *r, Evaluation *e)
{
    bool seen[EVAL_TERM_ROWS] = {false};
    const EvalTermInfo *term = NULL;
    int filled = 0;
    char word[NAME_MAX_LENGTH];

    while (skip_blank(r)) {
        if (r->at == r->end)
            return e->kind == EVALUATION_NETWORK ||
                   (term ? end_term(r, term, filled) : REFUSE(r, "no EVAL_TERM in the file"));
        if (!read_name(r, word)) return false;
        if (strcmp(word, "EVAL_TERM") == 0 && e->kind == EVALUATION_LINEAR) {
            if (!end_term(r, term, filled) || !read_term(r, seen, &term)) return false;
            seen[term - eval_term_info] = true;
            filled = 0;
        } else if (strcmp(word, "S") == 0) {
            if (!term) return REFUSE(r, "values before the first EVAL_TERM");
            if (filled == term->count)
                return REFUSE(r, "term %s has more than its %d values", term->name, term->count);
            if (!read_pair(r, e->weights.term[term->first + filled])) return false;
            filled++;
        } else if (strcmp(word, "EVAL_NETWORK") == 0 && !term && e->kind == EVALUATION_LINEAR) {
            if (!read_network(r, e)) return false;
        } else if (word[0]) {
            return REFUSE(r, "expected EVAL_TERM or S, found '%s'", word);
        } else {
            return REFUSE(r, "expected EVAL_TERM or S, found '%c'", *r->at);
        }
        r->opening = false;
    }
    return false;
}

static void name_file(const char *path, WeightsInfo *info)
{
    text_copy_utf8(info->label, sizeof info->label, text_file_name(path));
}

static Status parse_text(const char *text, size_t length, const char *name, Evaluation *e,
                         WeightsInfo *info, Error *err)
{
    WeightsInfo found = {{0}, {0}};
    Evaluation *read = calloc(1, sizeof *read); /* too large for little stacks */
    HeaderReader r = {text, text + length, name, 1, true, &found, err};

    if (at_text(&r, "\xef\xbb\xbf")) r.at += 3; /* UTF-8's byte order mark */
    if (!read) return error_set(err, STATUS_FAILED, "out of memory for weights");
    read->kind = EVALUATION_LINEAR;
    bool whole = read_rows(&r, read);
    if (whole) *e = *read;
    if (whole && info) {
        name_file(name, &found);
        *info = found;
    }
    free(read);
    return whole ? STATUS_OK : STATUS_BAD_INPUT;
}

static Status parse_network(const void *bytes, size_t length, const char *name, Evaluation *e,
                            WeightsInfo *info, Error *err)
{
    Network *network;

    Status status = network_parse(bytes, length, name, &network, err);
    if (status != STATUS_OK) return status;
    evaluation_set_network(e, network_keep(network));
    if (info) {
        name_file(name, info);
        memcpy(info->comment, e->network->comment, sizeof e->network->comment);
    }
    return STATUS_OK;
}

Status evaluation_parse(const void *bytes, size_t length, const char *name, Evaluation *e,
                        WeightsInfo *info, Error *err)
{
    if (network_is_binary(bytes, length)) return parse_network(bytes, length, name, e, info, err);
    return parse_text(bytes, length, name, e, info, err);
}
