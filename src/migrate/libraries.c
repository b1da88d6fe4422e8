// CUDA libraries that the findings show to be used: each becomes a dependency, at the first place that shows
// it.
#include <string.h>

#include "src/migrate/cuda.h"
#include "src/migrate/deps.h"
#include "src/migrate/effort_sum.h"
#include "src/migrate/scan.h"

// "lcublas", "-lcublas", "CUDA::cublas" -> "cublas"
static const char *link_word(const char *word) {
    if (strncmp(word, "CUDA::", 6) == 0) return word + 6;
    if (word[0] == '-') word++;
    return word[0] == 'l' ? word + 1 : word;
}

static bool shows(const LibrarySign *s, const PortRule *r, const ScanFinding *f) {
    if (strcmp(s->rule, r->rule) == 0) return strncmp(f->word, s->word, strlen(s->word)) == 0;
    if (f->name != NULL && s->names[0] != '\0') return strcmp(s->names, f->name->library) == 0;
    bool linked = strcmp(r->rule, "b-link") == 0 || strcmp(r->rule, "cm-targets") == 0;
    return linked && s->link[0] != '\0' && strncmp(link_word(f->word), s->link, strlen(s->link)) == 0;
}

// Name in data/libraries.tsv of the library that a finding shows; NULL: none.
static const char *library_of(const PortingFacts *facts, const ScanFinding *f) {
    for (size_t i = 0; i < facts->n_library_signs; i++) {
        if (shows(&facts->library_signs[i], &facts->rules[f->rule], f))
            return facts->library_signs[i].library;
    }
    return NULL;
}

static const Library *row_of(const PortingFacts *facts, const char *name) {
    return row_named(name, facts->libraries, facts->n_libraries, sizeof *facts->libraries);
}

void scan_libraries(const PortingFacts *facts, const ScanFile *files, const ScanFinding *findings, size_t n,
                    Buf *dependencies) {
    size_t first = dependencies->length / sizeof(ScanDependency);
    for (size_t i = 0; i < n; i++) {
        const ScanFinding *f = &findings[i];
        const char *name = files[f->file].origin == ORIGIN_OWN ? library_of(facts, f) : NULL;
        const Library *row = name != NULL ? row_of(facts, name) : NULL;
        const ScanDependency *seen = (const ScanDependency *)(const void *)dependencies->data;
        size_t k = first;
        while (k < dependencies->length / sizeof *seen && seen[k].library != row) k++;
        if (row == NULL || k < dependencies->length / sizeof *seen) continue;
        // Where nothing is found but a header, the work is in the library.
        bool unseen = strcmp(facts->rules[f->rule].rule, "lib-header") == 0;
        const char *rule = unseen ? rule_of_class(row->effort_class) : NULL;
        ScanDependency d = {.rule = rule != NULL ? rule_find(facts, rule) : NULL,
                            .file = f->file,
                            .line = f->line,
                            .column = f->column,
                            .name = row->cuda_name,
                            .spec = "",
                            .library = row,
                            .port_class = port_class_of(row->effort_class)};
        buf_add(dependencies, (const char *)&d, sizeof d);
    }
}
