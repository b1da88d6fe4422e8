// What a scan gives the effort model: own findings by file and rule, own dependencies once each.
#include <stdlib.h>
#include <string.h>

#include "src/migrate/scan.h"

static int by_work(const void *a, const void *b) {
    const ScanDependency *x = *(const ScanDependency *const *)a;
    const ScanDependency *y = *(const ScanDependency *const *)b;
    int o = strcmp(x->name, y->name);
    return o != 0 ? o : strcmp(x->rule->rule, y->rule->rule);
}

// Is a folder of this name on the path? `names`: separated by blanks.
static bool in_folder(const char *path, const char *names) {
    char folder[32];
    for (const char *at = path, *slash; (slash = strchr(at, '/')) != NULL; at = slash + 1) {
        size_t n = (size_t)(slash - at);
        if (n == 0 || n >= sizeof folder) continue;
        for (size_t i = 0; i < n; i++) folder[i] = char_lower(at[i]);
        folder[n] = '\0';
        if (word_in(names, folder)) return true;
    }
    return false;
}

// Jobs that test and build elsewhere: part of "tests and CI", and counted there once.
static bool is_of_ci(const char *path) {
    const char *name = path_name(path);
    return in_folder(path, ".github .circleci .buildkite .gitlab .azure-pipelines .ci ci jenkins .jenkins") ||
           word_in(".gitlab-ci.yml .travis.yml azure-pipelines.yml appveyor.yml .appveyor.yml jenkinsfile "
                   "Jenkinsfile .drone.yml .cirrus.yml",
                   name);
}

static bool is_of_docs(const char *path) {
    return in_folder(path, "doc docs documentation tutorial tutorials") || text_ends(path, ".ipynb");
}

// Named in several files it is one piece of work.
static void add_dependencies(const ScanResult *r, Arena *a, Buf *items) {
    const ScanDependency **list = arena_alloc(a, r->n_dependencies + 1, sizeof *list);
    size_t n = 0;
    // What only documents, tests or CI ask for is no work of the first port.
    for (size_t i = 0; i < r->n_dependencies; i++) {
        const ScanDependency *d = &r->dependencies[i];
        const char *path = r->files[d->file].path;
        bool apart = r->files[d->file].tests != 0 || is_of_ci(path) || is_of_docs(path);
        if (d->rule != NULL && r->files[d->file].origin == ORIGIN_OWN && !apart) list[n++] = d;
    }
    if (n > 0) qsort(list, n, sizeof *list, by_work);
    for (size_t i = 0; i < n; i++) {
        EffortItem item = {.rule = list[i]->rule, .dependency = list[i]->name, .count = 1};
        if (i == 0 || by_work(&list[i - 1], &list[i]) != 0) buf_add(items, (const char *)&item, sizeof item);
    }
}

size_t scan_effort_items(const PortingFacts *facts, const ScanResult *r, Arena *a, EffortItem **ret_items) {
    size_t *counts = arena_alloc(a, facts->n_rules + 1, sizeof *counts);
    size_t n = 0;
    Buf items;
    buf_init(&items, BUF_LIMIT);
    for (size_t i = 0; i < r->n_findings;) {
        uint32_t file = r->findings[i].file;
        size_t end = i;
        for (; end < r->n_findings && r->findings[end].file == file; end++) counts[r->findings[end].rule]++;
        for (size_t k = i; k < end; k++) {
            size_t rule = r->findings[k].rule;
            EffortItem item = {.rule = &facts->rules[rule],
                               .file = r->files[file].path,
                               .count = (double)counts[rule],
                               .tests = r->files[file].tests != 0 || is_of_ci(r->files[file].path),
                               .docs = is_of_docs(r->files[file].path)};
            if (counts[rule] > 0 && r->files[file].origin == ORIGIN_OWN)
                buf_add(&items, (const char *)&item, sizeof item);
            counts[rule] = 0;
        }
        i = end;
    }
    add_dependencies(r, a, &items);
    n = items.length / sizeof(EffortItem);
    *ret_items = arena_alloc(a, n + 1, sizeof **ret_items);
    if (n > 0) memcpy(*ret_items, items.data, n * sizeof **ret_items);
    buf_free(&items);
    return n;
}
