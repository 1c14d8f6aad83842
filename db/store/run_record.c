/* SPDX-License-Identifier: MIT
 * The identity of a run. */
#include "db/store/run_record.h"

#include <stdio.h>
#include <string.h>

const char *run_kind_name(RunKind kind)
{
    static const char *const names[] = {"unknown", [RUN_SELFPLAY] = "selfplay",
                                        [RUN_GAUNTLET] = "gauntlet", [RUN_IMPORT] = "import"};
    size_t i = (size_t)kind;
    return names[i < sizeof names / sizeof *names ? i : 0];
}

static void hash_text(struct sha256_ctx *context, const char *text)
{
    sha256_update(context, strlen(text) + 1, (const uint8_t *)text); /* the NUL separates fields */
}

static void hash_number(struct sha256_ctx *context, uint64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    hash_text(context, text);
}

/* A version-8 UUID (RFC 9562, section 5.8: application-defined contents) of 16 bytes. */
static void format_uuid(const uint8_t bytes[16], char out[UUID_MAX])
{
    char *to = out;

    for (int i = 0; i < 16; i++) {
        unsigned byte = bytes[i];
        if (i == 6) byte = (byte & 0x0F) | 0x80; /* version 8 */
        if (i == 8) byte = (byte & 0x3F) | 0x80; /* variant 10 */
        if (i == 4 || i == 6 || i == 8 || i == 10) *to++ = '-';
        *to++ = "0123456789abcdef"[byte >> 4];
        *to++ = "0123456789abcdef"[byte & 15];
    }
    *to = '\0';
}

void run_identify(RunRecord *run)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx context;

    sha256_hex(run->config, strlen(run->config), run->config_hash);
    sha256_init(&context);
    hash_number(&context, (uint64_t)run->kind);
    hash_number(&context, run->seed);
    hash_number(&context, (uint64_t)(int64_t)run->generation);
    hash_text(&context, run->weights[0]);
    hash_text(&context, run->weights[1]);
    hash_text(&context, run->config_hash);
    sha256_end(&context, digest);
    format_uuid(digest, run->uuid);
}
