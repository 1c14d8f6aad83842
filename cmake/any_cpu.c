/* SPDX-License-Identifier: MIT
 * The start of a program that holds its code for several kinds of x86-64 processor (any_cpu.cmake):
 * runs the best that this one can, or that of TABIA_CPU. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tabia_main_base(int argc, char **argv);
int tabia_main_v3(int argc, char **argv);
int tabia_main_v4(int argc, char **argv);

/* PEXT, which attacks of sliders need, is slow before Zen 3. */
static bool has_fast_pext(void)
{
    return !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}

int main(int argc, char **argv)
{
    __builtin_cpu_init();
    const bool has_v3 = __builtin_cpu_supports("x86-64-v3"),
               has_v4 = __builtin_cpu_supports("x86-64-v4") &&
                        __builtin_cpu_supports("avx512vbmi") &&
                        __builtin_cpu_supports("avx512vbmi2") &&
                        __builtin_cpu_supports("avx512vpopcntdq");
    const struct {
        const char *name;
        bool possible, good;
        int (*main)(int, char **);
    } kinds[] = {
        {"x86-64-v4", has_v4, true, tabia_main_v4},
        {"x86-64-v3", has_v3, has_fast_pext(), tabia_main_v3},
        {"x86-64", true, true, tabia_main_base},
    };
    const char *wanted = getenv("TABIA_CPU");

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].possible && (wanted ? strcmp(kinds[i].name, wanted) == 0 : kinds[i].good))
            return kinds[i].main(argc, argv);
    fprintf(stderr, "%s: TABIA_CPU=%s: not one of", argv[0], wanted);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].possible) fprintf(stderr, " %s", kinds[i].name);
    fputs(", the kinds of code that this processor can run\n", stderr);
    return 2;
}
