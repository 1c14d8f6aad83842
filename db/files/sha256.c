/* SPDX-License-Identifier: MIT
 * SHA-256, by libmd. */
#include "db/files/sha256.h"

#include <sys/types.h>

#include <sha2.h>

void sha256_hex(const void *data, uint64_t length, char out[HASH_HEX_MAX])
{
    (void)SHA256Data(data, (size_t)length, out);
}
