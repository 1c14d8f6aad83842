/* SPDX-License-Identifier: MIT
 * Helpers of the unit test programs. */
#define _XOPEN_SOURCE 700
#include "tests/support/support.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/board/bitboard.h"

/* Made and removed by the process that runs the suite, so that a crashed test leaves no files. */
static char temp_root[96]; /* tests have buffers of 128 for paths below it */

static bool create_temp_root(void)
{
    const char *tmp = getenv("TMPDIR");
    int n =
        snprintf(temp_root, sizeof temp_root, "%s/tabia-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    /* Readable for all: one test reads as the user nobody. */
    bool created = n < (int)sizeof temp_root && mkdtemp(temp_root) && chmod(temp_root, 0755) == 0;
    if (!created) perror(temp_root);
    return created;
}

static int remove_entry(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st;
    (void)flag;
    (void)ftw;
    return remove(path);
}

void support_add_tests(TCase *tests, const TTest *const *list)
{
    for (; *list; list++)
        tcase_add_test(tests, *list);
}

int support_run(TCase *tests)
{
    enum { SECONDS = 120 }; /* of a test; the presets multiply it */
    Suite *suite = suite_create("tabia");

    bitboard_init();
    if (!create_temp_root()) return EXIT_FAILURE;
    tcase_set_timeout(tests, SECONDS);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (nftw(temp_root, remove_entry, 16, FTW_DEPTH | FTW_PHYS) != 0) perror(temp_root);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

const char *support_data(const char *relative)
{
    static char path[1024];
    const char *root = getenv("TABIA_DATA"), *source = getenv("TABIA_SOURCE");

    if (root)
        (void)snprintf(path, sizeof path, "%s/%s", root, relative);
    else
        (void)snprintf(path, sizeof path, "%s/../shared/data/%s", source ? source : ".", relative);
    if (access(path, R_OK) == 0) return path;
    fprintf(stderr, "skipped: no %s below TABIA_DATA\n", relative);
    return NULL;
}

const char *support_temp_dir(void)
{
    static char path[sizeof temp_root + 8];

    (void)snprintf(path, sizeof path, "%s/XXXXXX", temp_root);
    ck_assert_ptr_nonnull(mkdtemp(path));
    return path;
}

const char *support_temp_path(const char *name)
{
    static char path[sizeof temp_root + 64];

    (void)snprintf(path, sizeof path, "%s/%s", support_temp_dir(), name);
    return path;
}

char *support_read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "cannot open %s", path);
    ck_assert_int_eq(fseek(f, 0, SEEK_END), 0);
    long size = ftell(f);
    ck_assert_int_ge(size, 0);
    rewind(f);
    char *text = malloc((size_t)size + 1);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(fread(text, 1, (size_t)size, f), (size_t)size);
    text[size] = '\0';
    (void)fclose(f);
    return text;
}

void support_write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    ck_assert_msg(f != NULL, "cannot create %s", path);
    ck_assert_uint_eq(fwrite(text, 1, strlen(text), f), strlen(text));
    ck_assert_int_eq(fclose(f), 0);
}
