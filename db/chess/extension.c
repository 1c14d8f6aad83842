/* SPDX-License-Identifier: MIT
 * The entry point that SQLite calls when it loads the extension. */
#include "db/chess/extension.h"

#include "engine/board/bitboard.h"

SQLITE_EXTENSION_INIT1

#ifdef _WIN32
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
    int sqlite3_tabiasqlite_init(sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
    (void)message;
    (void)api; /* unused when built in */
    SQLITE_EXTENSION_INIT2(api)
    bitboard_init();
    int code = extension_register_functions(db);
    return code == SQLITE_OK ? extension_register_positions(db) : code;
}
