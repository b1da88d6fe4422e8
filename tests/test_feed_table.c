// What belongs to every feed beside its parser: a row of docs/prices-feeds.md, an answer of the test server, inputs of the fuzzer that
// name their document.
#include <dirent.h>
#include <string.h>

#include "catalog/feeds/feed_table.h"
#include "catalog/feeds/refresh_job.h"
#include "tests/check.h"

static const char *page(Arena *a, const char *path) {
    Str text;
    Err e = {0};
    if (!file_read(a, path, 1 << 20, &text, &e)) FAIL_("%s", e.text);
    return text.data;
}

// A file that defines a feed without a line in the table would compile, and never be asked.
static void test_every_file_of_a_feed_is_listed(void) {
    static const char folder[] = "catalog/feeds";
    Arena a = {0};
    size_t found = 0;
    DIR *dir = opendir(folder);
    CHECK(dir != NULL);
    for (struct dirent *d = readdir(dir); d != NULL; d = readdir(dir)) {
        if (strncmp(d->d_name, "feed_", 5) != 0) continue;
        const char *at = strstr(page(&a, arena_printf(&a, "%s/%s", folder, d->d_name)), "\nconst Feed feed_");
        if (at == NULL) continue;
        at += strlen("\nconst Feed feed_");
        const char *name = arena_copy(&a, at, strcspn(at, " "));
        if (feed_find(name) == NULL) FAIL_("catalog/feeds/feed_table.h has no line of '%s'", name);
        found++;
    }
    closedir(dir);
    CHECK_INT(found, n_feeds);
    arena_free(&a);
}

static void test_every_feed_is_documented(void) {
    Arena a = {0};
    const char *text = page(&a, "docs/prices-feeds.md");
    for (size_t i = 0; i < n_feeds; i++) {
        if (strstr(text, arena_printf(&a, "\n| `%s` |", feed_table[i]->name)) == NULL)
            FAIL_("docs/prices-feeds.md has no row of '%s'", feed_table[i]->name);
    }
    arena_free(&a);
}

// gcp and verda answer in several steps: tests/cli/test_refresh_keys.py writes their servers itself.
static void test_every_feed_is_answered_by_the_test_server(void) {
    Arena a = {0};
    const char *text = page(&a, "tests/servers/feeds.py");
    for (size_t i = 0; i < n_feeds; i++) {
        const char *name = feed_table[i]->name;
        if (!word_in("gcp verda", name) && strstr(text, arena_printf(&a, "\"%s\": (", name)) == NULL)
            FAIL_("tests/servers/feeds.py has no answer of '%s'", name);
    }
    arena_free(&a);
}

// The feed whose document the first line of a fuzz input names, SIZE_MAX: none has it.
static size_t feed_of_input(Str line) {
    Str rest = line, name;
    str_next(&rest, '.', &name);
    for (size_t i = 0; i < n_feeds; i++) {
        if (!str_is(name, feed_table[i]->name)) continue;
        for (size_t d = 0; d < feed_table[i]->n_docs; d++) {
            if (str_is(rest.data != NULL ? rest : str_of(""), feed_table[i]->docs[d].part)) return i;
        }
    }
    return SIZE_MAX;
}

static void test_every_feed_has_an_input_that_names_its_document(void) {
    static const char folder[] = "tests/fuzz/corpus/feeds";
    enum { FEEDS_MAX = 100 };
    Arena a = {0};
    bool seen[FEEDS_MAX] = {false};
    DIR *dir = opendir(folder);
    CHECK(dir != NULL && n_feeds <= FEEDS_MAX);
    for (struct dirent *d = readdir(dir); d != NULL; d = readdir(dir)) {
        Str text = {"", 0}, line;
        Err e = {0};
        if (d->d_name[0] == '.') continue;
        if (!file_read(&a, arena_printf(&a, "%s/%s", folder, d->d_name), 1 << 20, &text, &e))
            FAIL_("%s", e.text);
        str_next(&text, '\n', &line);
        size_t feed = feed_of_input(line);
        if (feed == SIZE_MAX) FAIL_("%s/%s: its first line names no document of a feed", folder, d->d_name);
        seen[feed] = true;
    }
    closedir(dir);
    for (size_t i = 0; i < n_feeds; i++) {
        if (!seen[i]) FAIL_("no input of '%s' in %s", feed_table[i]->name, folder);
    }
    arena_free(&a);
}

static const TestCase tests[] = {
    TEST(every_file_of_a_feed_is_listed),
    TEST(every_feed_is_documented),
    TEST(every_feed_is_answered_by_the_test_server),
    TEST(every_feed_has_an_input_that_names_its_document),
};
TEST_MAIN(tests)
