/* SPDX-License-Identifier: MIT
 * A layer between SQLite and its file system (sqlite.org/vfs.html). */
#include "tests/support/support_faults.h"

#include <check.h>
#include <limits.h>
#include <sqlite3.h>

/* The file object that SQLite uses; the real one follows it in memory. */
typedef struct FaultyFile {
    sqlite3_file base;
    sqlite3_file *real;
} FaultyFile;

static long changes, first_to_fail = LONG_MAX;
static int fault_code;
static sqlite3_vfs *real_vfs, faulty_vfs;

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((FaultyFile *)file)->real;
}

/* SQLITE_OK, or the fault. */
static int change(void)
{
    return changes++ >= first_to_fail ? fault_code : SQLITE_OK;
}

static int faulty_close(sqlite3_file *file)
{
    return real_of(file)->pMethods ? real_of(file)->pMethods->xClose(real_of(file)) : SQLITE_OK;
}
static int faulty_read(sqlite3_file *file, void *to, int size, sqlite3_int64 offset)
{
    return real_of(file)->pMethods->xRead(real_of(file), to, size, offset);
}
static int faulty_write(sqlite3_file *file, const void *from, int size, sqlite3_int64 offset)
{
    int code = change();
    /* A full disk writes the first bytes. */
    if (code == SQLITE_OK || size < 2)
        return code ? code : real_of(file)->pMethods->xWrite(real_of(file), from, size, offset);
    (void)real_of(file)->pMethods->xWrite(real_of(file), from, size / 2, offset);
    return code;
}
static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    int code = change();
    return code ? code : real_of(file)->pMethods->xTruncate(real_of(file), size);
}
static int faulty_sync(sqlite3_file *file, int flags)
{
    int code = change();
    return code ? code : real_of(file)->pMethods->xSync(real_of(file), flags);
}
static int faulty_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}
static int faulty_lock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xLock(real_of(file), level);
}
static int faulty_unlock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}
static int faulty_reserved(sqlite3_file *file, int *reserved)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), reserved);
}
static int faulty_control(sqlite3_file *file, int op, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), op, argument);
}
static int faulty_sector(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}
static int faulty_device(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}
static int faulty_map(sqlite3_file *file, int page, int size, int extend, void volatile **out)
{
    int code = extend ? change() : SQLITE_OK;
    return code ? code : real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, out);
}
static int faulty_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}
static void faulty_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}
static int faulty_unmap(sqlite3_file *file, int remove)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

static int faulty_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    static const sqlite3_io_methods methods = {2,
                                               faulty_close,
                                               faulty_read,
                                               faulty_write,
                                               faulty_truncate,
                                               faulty_sync,
                                               faulty_size,
                                               faulty_lock,
                                               faulty_unlock,
                                               faulty_reserved,
                                               faulty_control,
                                               faulty_sector,
                                               faulty_device,
                                               faulty_map,
                                               faulty_shm_lock,
                                               faulty_barrier,
                                               faulty_unmap,
                                               NULL,
                                               NULL};
    FaultyFile *f = (FaultyFile *)file;

    (void)vfs;
    f->real = (sqlite3_file *)(f + 1);
    f->base.pMethods = NULL;
    int code = real_vfs->xOpen(real_vfs, name, f->real, flags, out);
    if (code == SQLITE_OK) f->base.pMethods = &methods;
    return code;
}

void faults_install(void)
{
    real_vfs = sqlite3_vfs_find(NULL);
    faulty_vfs = *real_vfs;
    faulty_vfs.zName = "faulty";
    faulty_vfs.pNext = NULL;
    faulty_vfs.szOsFile = (int)sizeof(FaultyFile) + real_vfs->szOsFile;
    faulty_vfs.xOpen = faulty_open;
    ck_assert_int_eq(sqlite3_vfs_register(&faulty_vfs, 1), SQLITE_OK);
}

void faults_begin(long countdown, int code)
{
    changes = 0;
    first_to_fail = countdown;
    fault_code = code;
}

long faults_end(void)
{
    first_to_fail = LONG_MAX;
    return changes;
}
