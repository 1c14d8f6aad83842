/* SPDX-License-Identifier: MIT
 * The digest of what was played. */
#ifndef TABIA_DB_TABLES_DIGEST_H
#define TABIA_DB_TABLES_DIGEST_H

#include "db/files/sha256.h"
#include "db/store/connection.h"

/* SHA-256 over the games: runs by uuid, games by number; number, opening, start FEN, moves with
 * scores, result, reason, players, nodes, plies, varied if not 0. Independent of times, row ids,
 * order of insertion and file layout. store_check_links() comes first. */
MUST_CHECK Status store_digest(Store *store, char out[HASH_HEX_MAX], Error *err);
/* The same over start FENs, moves with scores and results alone: equal after an export to a format
 * that holds these and an import of it. */
MUST_CHECK Status store_digest_moves(Store *store, char out[HASH_HEX_MAX], Error *err);

#endif
