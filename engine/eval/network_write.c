/* SPDX-License-Identifier: MIT
 * Writing network files. */
#include <string.h>

#include "engine/base/byte_order.h"
#include "engine/base/new_file.h"
#include "engine/eval/network.h"

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
    const uint32_t field[NETWORK_FIELDS] = {NETWORK_VERSION,      (uint32_t)n->hidden,
                                            (uint32_t)n->buckets, n->squared,
                                            (uint32_t)n->scale,   (uint32_t)comment};

    Status status = new_file_open(&file, path, err);
    if (status != STATUS_OK) return status;
    (void)fwrite(NETWORK_MAGIC, 1, 8, file.stream);
    for (int i = 0; i < NETWORK_FIELDS; i++)
        put(file.stream, field[i], 4);
    (void)fwrite(n->comment, 1, comment, file.stream);
    fill(file.stream, NETWORK_HEAD + comment);
    for (size_t i = 0; i < count; i++)
        put(file.stream, (uint16_t)n->input[i], 2);
    fill(file.stream, 2 * count);
    return new_file_commit(&file, err);
}
