/* SPDX-License-Identifier: MIT
 * Writing weights headers and networks. */
#include "engine/eval/evaluation_write.h"

#include <string.h>

#include "engine/base/byte_order.h"
#include "engine/base/text.h"
#include "engine/eval/king_squares.h"
#include "engine/eval/network_file.h"

/* The opening comment, one " * " per line; a space is put into an end of comment inside it. */
static void print_comment(FILE *out, const char *comment)
{
    fputs("/* ", out);
    for (const char *c = comment; *c; c++) {
        if (*c == '\n') {
            if (c[1] == '\0') break;
            fputs(c[1] == '\n' ? "\n *" : "\n * ", out);
        } else {
            if (*c == '/' && c > comment && c[-1] == '*') fputc(' ', out);
            fputc(*c, out);
        }
    }
    fputs(" */\n\n", out);
}

static void print_network(FILE *out, const Network *n)
{
    enum { IN_ROW = 16 };
    size_t count = network_numbers(n);

    uint8_t bucket[NETWORK_KING_SQUARES];

    network_king_table(&n->kings, bucket);
    fprintf(out, "\nEVAL_NETWORK(%d, %d, %d, %d", n->hidden, n->buckets, n->squared, n->scale);
    for (int i = 0; n->kings.mirrored && i < NETWORK_KING_SQUARES; i++)
        fprintf(out, ", %d", bucket[i]);
    fputs(")\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%d%c", n->input[i], i % IN_ROW == IN_ROW - 1 || i == count - 1 ? '\n' : ' ');
}

void evaluation_print_kings(FILE *out, int bucket)
{
    fputs("/* king on", out);
    for (int sq = 0; sq < SQUARES; sq++)
        if (king_bucket[sq] == bucket)
            fprintf(out, " %c%d", 'a' + square_file(sq), square_rank(sq) + 1);
    fputs(" */\n", out);
}

static void print_terms(FILE *out, const EvalWeights *w)
{
    EvalFamilies families = EVAL_MATERIAL_PST | weights_families(w);

    for (const EvalTermInfo *term = eval_term_info; term->name; term++) {
        if (!(families & eval_family(term->family))) continue;
        fprintf(out, "\nEVAL_TERM(%s, %d)\n", term->name, term->count);
        for (int i = 0; i < term->count; i++) {
            const int16_t *v = w->term[term->first + i];
            bool row_ends = i % 8 == 7 || i == term->count - 1;
            if (term->family == EVAL_FAMILY_KING_SQUARES && i % SQUARES == 0)
                evaluation_print_kings(out, i / SQUARES);
            fprintf(out, "S(%4d, %4d)%c", v[MG], v[EG], row_ends ? '\n' : ' ');
        }
    }
}

void evaluation_print(FILE *out, const Evaluation *e, const char *comment)
{
    if (comment && comment[0]) print_comment(out, comment);
    fputs(WEIGHTS_TEXT_START, out);
    if (e->kind == EVALUATION_NETWORK)
        print_network(out, e->network);
    else
        print_terms(out, &e->weights);
}

Status evaluation_write(NewFile *file, const char *path, const Evaluation *e, const char *comment,
                        Error *err)
{
    Status status = new_file_open(file, path, err);
    if (status != STATUS_OK) return status;
    evaluation_print(file->stream, e, comment);
    status = new_file_finish(file, err);
    if (status != STATUS_OK) new_file_discard(file);
    return status;
}

Status evaluation_save(const char *path, const Evaluation *e, const char *comment, Error *err)
{
    NewFile file;

    Status status = evaluation_write(&file, path, e, comment, err);
    return status == STATUS_OK ? new_file_commit(&file, err) : status;
}

char *evaluation_text(const Evaluation *e, const char *comment)
{
    TextStream stream;

    if (!text_stream_open(&stream)) return NULL;
    evaluation_print(stream.out, e, comment);
    return text_stream_close(&stream) ? stream.text : NULL;
}

/* ---- Networks */

static void put(FILE *out, uint32_t value, int bytes)
{
    uint8_t byte[4];

    put_le(byte, value, bytes);
    (void)fwrite(byte, 1, (size_t)bytes, out);
}

static void fill(FILE *out, size_t written)
{
    for (size_t i = written; i < network_rounded(written); i++)
        (void)fputc(0, out);
}

Status network_save(const char *path, const Network *n, Error *err)
{
    NewFile file;
    size_t count = network_numbers(n), comment = strlen(n->comment);
    const uint32_t field[NETWORK_FIELDS] = {n->kings.mirrored ? 2 : 1, (uint32_t)n->hidden,
                                            (uint32_t)n->buckets,      n->squared,
                                            (uint32_t)n->scale,        (uint32_t)comment};
    uint8_t bucket[NETWORK_KING_SQUARES];

    Status status = new_file_open(&file, path, err);
    if (status != STATUS_OK) return status;
    (void)fwrite(NETWORK_MAGIC, 1, 8, file.stream);
    for (int i = 0; i < NETWORK_FIELDS; i++)
        put(file.stream, field[i], 4);
    network_king_table(&n->kings, bucket);
    size_t table = n->kings.mirrored ? sizeof bucket : 0;
    (void)fwrite(bucket, 1, table, file.stream);
    (void)fwrite(n->comment, 1, comment, file.stream);
    fill(file.stream, NETWORK_HEAD + table + comment);
    for (size_t i = 0; i < count; i++)
        put(file.stream, (uint16_t)n->input[i], 2);
    fill(file.stream, 2 * count);
    return new_file_commit(&file, err);
}
