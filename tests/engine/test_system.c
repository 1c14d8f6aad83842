/* SPDX-License-Identifier: MIT
 * What the system grants: quotas of control groups. */
#include "engine/base/system.h"

#include <check.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tests/support/support.h"

static const char *folder; /* of the test */

static const char *at(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];

    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

START_TEST(quotas)
{
    folder = support_temp_dir();
    ck_assert(mkdir(at("a"), 0700) == 0 && mkdir(at("a/b"), 0700) == 0 &&
              mkdir(at("cpu,cpuacct"), 0700) == 0);
    support_write_file(at("groups"), "0::/a/b\n");
    ck_assert_double_eq(system_processor_quota(at("groups"), folder), 0);
    support_write_file(at("a/b/cpu.max"), "max 100000\n");
    ck_assert_double_eq(system_processor_quota(at("groups"), folder), 0);
    support_write_file(at("a/cpu.max"), "150000 100000\n"); /* of the group above */
    ck_assert_double_eq(system_processor_quota(at("groups"), folder), 1.5);
    support_write_file(at("groups"), "3:memory:/a\n2:cpu,cpuacct:/docker/x\n");
    support_write_file(at("cpu,cpuacct/cpu.cfs_quota_us"), "-1\n");
    support_write_file(at("cpu,cpuacct/cpu.cfs_period_us"), "100000\n");
    ck_assert_double_eq(system_processor_quota(at("groups"), folder), 0);
    support_write_file(at("cpu,cpuacct/cpu.cfs_quota_us"), "50000\n");
    ck_assert_double_eq(system_processor_quota(at("groups"), folder), 0.5);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("tests");

    ADD_TESTS(c, quotas);
    return support_run(c);
}
