/* SPDX-License-Identifier: MIT
 * Databases for the tests of the store. The functions fail the test on errors. */
#ifndef TABIA_TESTS_SUPPORT_SUPPORT_STORE_H
#define TABIA_TESTS_SUPPORT_SUPPORT_STORE_H

#include "db/store/game_record.h"
#include "db/store/run_record.h"
#include "db/store/store.h"

/* Asserts success; the file has a static Error `err`. */
#define MUST(call)                                                                                 \
    do {                                                                                           \
        Status status_ = (call);                                                                   \
        ck_assert_msg(status_ == STATUS_OK, "%s: %s", #call, err.text);                            \
    } while (0)

enum { SUPPORT_PLIES = 80 }; /* of the longest game of support_make_game() */

/* A checked fixture: a fresh temporary directory. */
void support_store_setup(void);

/* A path in that directory; several may be in use at once. */
const char *support_at(const char *name);

Store *support_open(const char *name, StoreMode mode);

/* A self-play run with its identity. */
RunRecord support_make_run(uint64_t seed);

/* Game `no` with arbitrary numbers: the store has no chess rules. Another `salt`: another game. */
GameRecord support_make_game(int64_t no, int salt, GamePly plies[SUPPORT_PLIES]);
void support_make_rows(const GameRecord *game, PositionRow rows[SUPPORT_PLIES]);

/* Inside a transaction. */
void support_put_game(Store *store, int64_t run_id, int64_t no, bool with_rows);

/* Games [first, last) of the run with this seed, in one transaction; returns its run_id. */
int64_t support_put_games(Store *store, uint64_t seed, int64_t first, int64_t last, bool with_rows);

/* A new file of that name with these games and their rows. */
void support_make_database(const char *name, uint64_t seed, int64_t first, int64_t last);

/* Static storage; several may be in use at once. */
const char *support_digest(Store *store);

int64_t support_count_rows(Store *store, const char *table);

#endif
