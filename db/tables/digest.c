/* SPDX-License-Identifier: MIT
 * The digest of what was played. */
#include "db/tables/digest.h"

#include <string.h>

#include "db/store/run_record.h"
#include "db/store/stmt.h"
#include "db/tables/check.h"
#include "engine/base/byte_order.h"

/* The FEN of this column with its NUL, and the plies of the next one. */
static void hash_moves(struct sha256_ctx *context, Stmt *stmt, int column)
{
    size_t size;
    const char *fen = stmt_text(stmt, column);

    sha256_update(context, strlen(fen) + 1, (const uint8_t *)fen);
    const void *moves = stmt_blob(stmt, column + 1, &size);
    sha256_update(context, size, moves);
}

/* One game: eight 64-bit numbers, the FEN with its NUL, the plies as stored, and the bits of varied
 * moves if there are any. The length of each part follows from the parts before it. The last part
 * has its highest bit set, which the first number of the next game has not. */
static void hash_game(struct sha256_ctx *context, Stmt *stmt)
{
    enum { NUMBERS = 8 };
    uint8_t numbers[NUMBERS][8];

    for (int i = 0; i < NUMBERS; i++)
        put_le(numbers[i], (uint64_t)stmt_int(stmt, 1 + i), 8);
    sha256_update(context, sizeof numbers, numbers[0]);
    hash_moves(context, stmt, 1 + NUMBERS);
    if (stmt_int(stmt, 3 + NUMBERS) != 0) {
        put_le(numbers[0], (uint64_t)stmt_int(stmt, 3 + NUMBERS) | (uint64_t)1 << 63, 8);
        sha256_update(context, sizeof numbers[0], numbers[0]);
    }
}

Status store_digest(Store *store, char out[HASH_HEX_MAX], Error *err)
{
    char last_uuid[UUID_MAX] = "";
    int64_t last_no = -1;
    struct sha256_ctx context;

    Status status = store_check_links(store, err);
    if (status) return status;
    /* CROSS JOIN fixes the loop order: the games of each run by their unique index. Runs without
     * games do not count. */
    Stmt stmt = stmt_open(store,
                          "SELECT r.uuid, g.game_no, g.opening_no, g.result, g.reason, g.white,"
                          " g.black, g.nodes, g.ply_count, g.start_fen, g.moves, g.varied"
                          " FROM runs AS r CROSS JOIN games AS g USING (run_id)"
                          " ORDER BY r.uuid, g.game_no",
                          err);
    sha256_init(&context);
    while (stmt_row(&stmt)) {
        const char *uuid = stmt_text(&stmt, 0);
        int order = strcmp(uuid, last_uuid);
        if (order != 0) {
            sha256_update(&context, strlen(uuid) + 1, (const uint8_t *)uuid);
            stmt_copy_text(&stmt, 0, last_uuid, sizeof last_uuid);
            last_no = -1;
        }
        /* A damaged tree may give the same rows again and again. */
        if (order < 0 || strlen(uuid) >= sizeof last_uuid || stmt_int(&stmt, 1) <= last_no)
            stmt.status =
                error_set(err, STATUS_DATABASE,
                          "%s: the database is damaged: game %lld of run %s is not in its order",
                          store->path, (long long)stmt_int(&stmt, 1), last_uuid);
        last_no = stmt_int(&stmt, 1);
        hash_game(&context, &stmt);
    }
    sha256_end_hex(&context, out);
    return stmt_close(&stmt);
}

Status store_digest_moves(Store *store, char out[HASH_HEX_MAX], Error *err)
{
    uint8_t numbers[2][8];
    struct sha256_ctx context;

    Status status = store_check_links(store, err);
    if (status) return status;
    Stmt stmt =
        stmt_open(store,
                  "SELECT g.result, g.ply_count, g.start_fen, g.moves"
                  " FROM runs AS r CROSS JOIN games AS g USING (run_id) ORDER BY r.uuid, g.game_no",
                  err);
    sha256_init(&context);
    while (stmt_row(&stmt)) {
        put_le(numbers[0], (uint64_t)stmt_int(&stmt, 0), 8);
        put_le(numbers[1], (uint64_t)stmt_int(&stmt, 1), 8);
        sha256_update(&context, sizeof numbers, numbers[0]);
        hash_moves(&context, &stmt, 2);
    }
    sha256_end_hex(&context, out);
    return stmt_close(&stmt);
}
