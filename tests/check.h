// Unit tests in a few macros: a test is a function, a binary a table of them, a case a process (CTest starts
// each by name).
//
//     static void test_adds(void) { CHECK_INT(1 + 1, 2); }
//     static const TestCase tests[] = {TEST(adds)};
//     TEST_MAIN(tests)
//
// A binary runs all cases; with a name, that one; with --list, it prints the names. The first failing check
// ends the process with file, line, expression and both values. Exit 77: every case that ran was skipped.
#ifndef GPUADVISE_TESTS_CHECK_H
#define GPUADVISE_TESTS_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct TestCase {
    const char *name;
    void (*run)(void);
} TestCase;

enum { TEST_SKIPPED = 77 };  // CTest's SKIP_RETURN_CODE, see tests/CMakeLists.txt

static int test_skips_;

#define FAIL_(...)                                                                                           \
    (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr),      \
     exit(1))

#define CHECK(condition) ((condition) ? (void)0 : FAIL_("%s", "CHECK(" #condition ") failed"))

#define CHECK_INT(got, want) check_int_(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))
#define CHECK_STR(got, want) check_str_(__FILE__, __LINE__, #got, (got), (want))
// Both NaN, or apart by at most `relative` times the wanted value.
#define CHECK_NEAR(got, want, relative) check_near_(__FILE__, __LINE__, #got, (got), (want), (relative))
// Leaves the test function that it stands in.
#define SKIP(why)                                                                                            \
    do {                                                                                                     \
        fprintf(stderr, "skipped: %s\n", why);                                                               \
        test_skips_++;                                                                                       \
        return;                                                                                              \
    } while (0)

// Is this a build with sanitizers, where all is several times slower?
static inline bool check_sanitized(void) {
    const char *sanitize = getenv("GPUADVISE_SANITIZE");
    return sanitize != NULL && sanitize[0] != '\0';
}

#define TEST(name)                                                                                           \
    { #name, test_##name }
#define TEST_MAIN(tests)                                                                                     \
    int main(int argc, char **argv) { return test_main_(argc, argv, tests, sizeof(tests) / sizeof *(tests)); }

static inline void check_int_(const char *file, int line, const char *what, long long got, long long want) {
    if (got == want) return;
    fprintf(stderr, "%s:%d: %s\n   got %lld\n  want %lld\n", file, line, what, got, want);
    exit(1);
}

static inline void check_str_(const char *file, int line, const char *what, const char *got,
                              const char *want) {
    if (got == want || (got != NULL && want != NULL && strcmp(got, want) == 0)) return;
    fprintf(stderr, "%s:%d: %s\n   got \"%s\"\n  want \"%s\"\n", file, line, what, got ? got : "(null)",
            want ? want : "(null)");
    exit(1);
}

static inline void check_near_(const char *file, int line, const char *what, double got, double want,
                               double relative) {
    if ((isnan(got) && isnan(want)) || got == want || fabs(got - want) <= relative * fabs(want)) return;
    fprintf(stderr, "%s:%d: %s\n   got %.17g\n  want %.17g (within %g)\n", file, line, what, got, want,
            relative);
    exit(1);
}

static inline int test_main_(int argc, char **argv, const TestCase *tests, size_t n) {
    int ran = 0;
    for (size_t i = 0; i < n; i++) {
        if (argc > 1 && strcmp(argv[1], "--list") != 0 && strcmp(argv[1], tests[i].name) != 0) continue;
        puts(tests[i].name);
        fflush(stdout);
        if (argc < 2 || strcmp(argv[1], "--list") != 0) tests[i].run();
        ran++;
    }
    if (ran == 0) fprintf(stderr, "no test named '%s'\n", argc > 1 ? argv[1] : "");
    if (ran > 0 && test_skips_ == ran) return TEST_SKIPPED;
    return ran > 0 ? 0 : 1;
}

#endif
