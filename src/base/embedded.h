// Files linked into the program (cmake/Embed.cmake): migrations, queries, facts, examples of commands, parts of pages.
#ifndef GPUADVISE_EMBEDDED_H
#define GPUADVISE_EMBEDDED_H

#include <stddef.h>

typedef struct EmbeddedFile {
    const char *name;  // without folder and extension
    const char *data;  // NUL-terminated
    size_t length;     // without the NUL
} EmbeddedFile;

// Each list is sorted by name; the names alone are NULL-terminated.
extern const EmbeddedFile embedded_migrations[];  // db/migrations/*.sql
extern const size_t n_embedded_migrations;

extern const EmbeddedFile embedded_facts_schema[];  // db/facts.sql alone

extern const EmbeddedFile embedded_queries[];  // db/queries/*.sql
extern const size_t n_embedded_queries;
extern const char *const embedded_queries_names[];

extern const EmbeddedFile embedded_facts[];  // data/*.tsv
extern const size_t n_embedded_facts;

extern const EmbeddedFile embedded_examples[];  // cli/examples.tsv alone

extern const EmbeddedFile embedded_completions[];  // cli/completion/*, a script a shell
extern const size_t n_embedded_completions;

extern const EmbeddedFile embedded_prose[];  // src/report/*.md: parts of docs/accuracy.md

extern const EmbeddedFile embedded_page[];  // src/report/html_page.css and .js, and Chart.js
extern const size_t n_embedded_page;

#endif
