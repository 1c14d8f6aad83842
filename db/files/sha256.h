/* SPDX-License-Identifier: MIT
 * SHA-256, by nettle, which uses the processor's instructions for it; input_sha256() is that of a
 * file. */
#ifndef TABIA_DB_FILES_SHA256_H
#define TABIA_DB_FILES_SHA256_H

#include <stdint.h>

#include <nettle/sha2.h> /* struct sha256_ctx, sha256_init(), sha256_update() */

enum { HASH_HEX_MAX = 65 }; /* 64 lower-case hex digits and a NUL */

/* The hash of what was added; its lower-case hex digits. The context begins anew. */
void sha256_end(struct sha256_ctx *context, uint8_t hash[SHA256_DIGEST_SIZE]);
void sha256_end_hex(struct sha256_ctx *context, char out[HASH_HEX_MAX]);

/* Lower-case hex SHA-256 of a buffer. */
void sha256_hex(const void *data, uint64_t length, char out[HASH_HEX_MAX]);

#endif
