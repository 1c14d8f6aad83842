/* SPDX-License-Identifier: MIT
 * The digest of what was played. */
#ifndef TABIA_DB_TABLES_DIGEST_H
#define TABIA_DB_TABLES_DIGEST_H

#include "db/files/sha256.h"
#include "db/store/connection.h"

/* SHA-256 over what was played: runs by uuid, games by number; start FEN, moves with scores,
 * result, reason, players, nodes. No timings, row ids, order of insertion or file layout. kind 0:
 * all. */
MUST_CHECK Status store_digest(Store *store, int kind, char out[HASH_HEX_MAX], Error *err);
/* The same over starts, moves with scores and results alone, in the same order: what an export to a
 * format that holds these and an import of it keep. */
MUST_CHECK Status store_digest_moves(Store *store, char out[HASH_HEX_MAX], Error *err);

#endif
