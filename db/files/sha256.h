/* SPDX-License-Identifier: MIT
 * SHA-256, by libmd; input_sha256() is that of a file. */
#ifndef TABIA_DB_FILES_SHA256_H
#define TABIA_DB_FILES_SHA256_H

#include <stdint.h>

enum { HASH_HEX_MAX = 65 }; /* 64 lower-case hex digits and a NUL */

/* Lower-case hex SHA-256 of a buffer. */
void sha256_hex(const void *data, uint64_t length, char out[HASH_HEX_MAX]);

#endif
