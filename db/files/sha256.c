/* SPDX-License-Identifier: MIT
 * SHA-256, by nettle. */
#include "db/files/sha256.h"

#include <nettle/version.h>

void sha256_end(struct sha256_ctx *context, uint8_t hash[SHA256_DIGEST_SIZE])
{
#if NETTLE_VERSION_MAJOR < 4
    sha256_digest(context, SHA256_DIGEST_SIZE, hash);
#else
    sha256_digest(context, hash);
#endif
}

void sha256_end_hex(struct sha256_ctx *context, char out[HASH_HEX_MAX])
{
    uint8_t hash[SHA256_DIGEST_SIZE];

    sha256_end(context, hash);
    for (int i = 0; i < SHA256_DIGEST_SIZE; i++) {
        *out++ = "0123456789abcdef"[hash[i] >> 4];
        *out++ = "0123456789abcdef"[hash[i] & 15];
    }
    *out = '\0';
}

void sha256_hex(const void *data, uint64_t length, char out[HASH_HEX_MAX])
{
    struct sha256_ctx context;

    sha256_init(&context);
    sha256_update(&context, (size_t)length, data);
    sha256_end_hex(&context, out);
}
