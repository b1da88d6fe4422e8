// Between deps.c (one requirement) and deps_files.c (the formats that list them).
#ifndef GPUADVISE_MIGRATE_DEPS_H
#define GPUADVISE_MIGRATE_DEPS_H

#include "src/migrate/text.h"

// One requirement of a text; parts are borrowed.
typedef struct Requirement {
    Str name, extras, spec;  // extras with their brackets
    size_t at;               // where the name starts in what was parsed
} Requirement;

// Where a requirement stands.
typedef struct DependencyPlace {
    bool conda;             // conda's names and its "name=version"
    bool known_only;        // strings of a script: only names that a table knows are dependencies
    bool extra_rocm_index;  // a ROCm index stands beside the default one
} DependencyPlace;

// "torch[extra] >=2.1 ; marker", "torch==2.1+cu121", "torch=2.1" (conda). False: no requirement.
bool requirement_parse(Str s, Requirement *ret);
// dep-class-N for the effort class of a package or library; NULL: unknown.
const char *rule_of_class(double effort_class);
// Looks up, judges and passes on. `offset`: of the name in the scanned text.
void dependency_report(TextScan *s, const Requirement *r, size_t offset, DependencyPlace place);
// Parses text[from..to) and reports it; what is no requirement is passed over.
void requirement_report(TextScan *s, size_t from, size_t to, DependencyPlace place);

#endif
