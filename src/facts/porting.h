// What moving code from CUDA to ROCm takes: libraries, packages, names, constructs, ports that happened.
#ifndef GPUADVISE_FACTS_PORTING_H
#define GPUADVISE_FACTS_PORTING_H

#include <stddef.h>

#include "src/facts/columns.h"

// clang-format off
// CUDA library or tool -> ROCm (data/libraries.tsv). effort_class 0-1 automatic, 2-3 review, 4 manual, 5
// blocker.
#define LIBRARY_FIELDS(X) \
    X(Library, TEXT, KEY, cuda_name) \
    X(Library, TEXT, MAY, rocm_name) \
    X(Library, TEXT, MUST, kind) \
    X(Library, TEXT, MUST, coverage) \
    X(Library, NUM, MAY, effort_class, 0, 5) \
    X(Library, TEXT, MAY, note) \
    ORIGIN(X, Library)
typedef struct Library {LIBRARY_FIELDS(MEMBER)} Library;

// A Python package and its ROCm status (data/packages.tsv); effort_class as above.
#define PACKAGE_FIELDS(X) \
    X(Package, TEXT, KEY, package) \
    X(Package, TEXT, MUST, rocm_status) \
    X(Package, TEXT, MAY, install_instead) \
    X(Package, NUM, MAY, effort_class, 0, 5) \
    X(Package, TEXT, MAY, lost)  /* what a user loses when it is left out */ \
    X(Package, TEXT, MAY, trap)  /* how an install goes wrong without an error */ \
    X(Package, TEXT, MAY, note) \
    ORIGIN(X, Package)
typedef struct Package {PACKAGE_FIELDS(MEMBER)} Package;

// A CUDA name and its HIP counterpart (data/cuda_api_map.tsv). Versions are CUDA's and HIP's, "" = not
// stated.
#define CUDA_NAME_FIELDS(X) \
    X(CudaName, TEXT, KEY, cuda_name) \
    X(CudaName, TEXT, KEY, library) \
    X(CudaName, TEXT, MUST, kind)     /* function, device-function, type, enum, macro, header */ \
    X(CudaName, TEXT, MAY, hip_name)  /* "": no release of HIP up to the newest known has one */ \
    X(CudaName, TEXT, MAY, hip_since) \
    X(CudaName, TEXT, MAY, hip_experimental) \
    X(CudaName, TEXT, MAY, hip_deprecated) \
    X(CudaName, TEXT, MAY, hip_removed) \
    X(CudaName, TEXT, MAY, cuda_added) \
    X(CudaName, TEXT, MAY, cuda_deprecated) \
    X(CudaName, TEXT, MAY, cuda_removed) \
    X(CudaName, TEXT, MUST, target)   /* where hip_name belongs: HIP, MIOpen, RCCL, ... */ \
    /* bool: C, C++ or OpenGL have the word too: no sign of CUDA by itself */ \
    X(CudaName, BOOL, MAY, shared_name) \
    ORIGIN(X, CudaName)
typedef struct CudaName {CUDA_NAME_FIELDS(MEMBER)} CudaName;
// clang-format on

// What a porting finding needs: automatic (a tool does it), review, manual, blocker (leave out or write
// anew).
typedef enum PortClass { PORT_AUTOMATIC, PORT_REVIEW, PORT_MANUAL, PORT_BLOCKER, PORT_CLASS_COUNT } PortClass;

// Where a rule looks, and what one count of it is.
typedef enum PortArea {
    AREA_SOURCE,
    AREA_PYTHON,
    AREA_BUILD,
    AREA_CONTAINER,
    AREA_CLUSTER,
    AREA_LANGUAGE,  // Fortran, Julia, Rust, directives in C
    AREA_DEPENDENCY,
    AREA_PROJECT,
    AREA_COUNT
} PortArea;
typedef enum PortUnit { UNIT_OCCURRENCE, UNIT_FILE, UNIT_KLOC, UNIT_PROJECT, UNIT_COUNT } PortUnit;

// What happens where a finding is left as it is: nothing, the build fails, it fails while running, results are wrong
// and nothing says so, it is slow.
typedef enum PortEffect {
    PORT_EFFECT_NONE,
    PORT_EFFECT_BUILD,
    PORT_EFFECT_RUN,
    PORT_EFFECT_WRONG,
    PORT_EFFECT_SLOW,
    PORT_EFFECT_COUNT
} PortEffect;

extern const char *const port_effect_names[];  // none, build, run, wrong, slow
// The order of work: what keeps it from building, what is wrong and nothing says so, what fails, what is slow.
typedef struct PortStep {
    PortEffect effect;
    const char *title;
} PortStep;

extern const PortStep port_steps[PORT_EFFECT_COUNT];
// Index in port_steps of a PortEffect; of anything else that of the last.
int port_step_of(int effect);

extern const char *const port_class_names[];  // automatic, review, manual, blocker
// source, python, build, container, cluster, language, dependency, project
extern const char *const port_area_names[];
extern const char *const port_unit_names[];  // occurrence, file, kloc, project

// Effort class of libraries and packages -> PortClass: 0-1 automatic, 2-3 review, 4 manual, 5 blocker; -1
// when unknown.
int port_class_of(double effort_class);

// clang-format off
// A construct that does not move to ROCm by itself (data/cuda_constructs.tsv).
#define PORT_RULE_FIELDS(X) \
    X(PortRule, TEXT, KEY, rule) \
    X(PortRule, NAME, MUST, area, PortArea, port_area_names) \
    X(PortRule, NAMED, MUST, port_class, "class", PortClass, port_class_names) \
    X(PortRule, NUM, MUST, minutes_low, 0, 1e5)  /* of work for one `per` */ \
    X(PortRule, NUM, MUST, minutes_high, 0, 1e5) \
    X(PortRule, NAME, MUST, per, PortUnit, port_unit_names) \
    /* ports: fits documented ports in sum; mechanical; judgment */ \
    X(PortRule, TEXT, MUST, minutes_basis) \
    /* bool: a hazard only where the target has 64 lanes */ \
    X(PortRule, BOOL, MAY, lanes64) \
    X(PortRule, NAME, MUST, effect, PortEffect, port_effect_names) \
    X(PortRule, TEXT, MUST, what) \
    X(PortRule, TEXT, MUST, why) \
    X(PortRule, TEXT, MUST, fix) \
    X(PortRule, TEXT, MUST, amd)                 /* counterpart on AMD */ \
    /* first ROCm version that has it, "" = any or none */ \
    X(PortRule, TEXT, MAY, rocm_since) \
    X(PortRule, TEXT, MAY, lost)                 /* what a user loses when it is left out */ \
    ORIGIN(X, PortRule)
typedef struct PortRule {PORT_RULE_FIELDS(MEMBER)} PortRule;

// How a rule of a language that is not C is seen in a text (data/text_patterns.tsv, where src/migrate/text.h says
// how `text` is written). Of one class the row that stands first counts: what is narrower stands before what holds it.
#define TEXT_PATTERN_FACT_FIELDS(X) \
    /* of data/cuda_constructs.tsv; "=build", "=code": no finding but a sign of a build for ROCm */ \
    X(TextPatternFact, TEXT, KEY, rule) \
    /* what stands directly before, its blank any blanks; "": anything */ \
    X(TextPatternFact, TEXT, KEY_MAY, before) \
    X(TextPatternFact, TEXT, KEY, text) \
    X(TextPatternFact, TEXT, KEY, kinds)   /* of texts: names of TextKind and of groups of them */ \
    X(TextPatternFact, TEXT, MUST, where)  /* code, string, whole, arguments, setup */ \
    /* a word that starts with one of these must stand in the logical line; "": no condition */ \
    X(TextPatternFact, TEXT, MAY, also) \
    X(TextPatternFact, TEXT, MAY, unless)  /* none of these may */ \
    /* An example: the name of a file, a text of it that fires the rule, and one that looks like it and */ \
    /* does not; in both "\n" is the end of a line. */ \
    X(TextPatternFact, TEXT, MAY, file) \
    X(TextPatternFact, TEXT, MAY, fires) \
    X(TextPatternFact, TEXT, MAY, quiet) \
    ORIGIN(X, TextPatternFact)
typedef struct TextPatternFact {
    TEXT_PATTERN_FACT_FIELDS(MEMBER)
    size_t line;  // in the file
} TextPatternFact;
// clang-format on

// Where a pattern of C, C++ and CUDA is looked for.
typedef enum CudaPlace {
    PLACE_WORD,
    PLACE_QUALIFIED,  // a qualified name: "cuda::pipeline*"
    PLACE_HEADER,     // what an #include names
    PLACE_ASSEMBLY,   // anywhere in the text of one block
    PLACE_STRING,     // a whole string literal, in files that are CUDA
    PLACE_COUNT
} CudaPlace;

extern const char *const cuda_place_names[];  // word, qualified, header, assembly, string

// clang-format off
// How a rule is seen in C, C++ and CUDA (data/cuda_patterns.tsv): of one place the row that stands first counts.
#define CUDA_PATTERN_FIELDS(X) \
    X(CudaPattern, TEXT, KEY, rule) \
    X(CudaPattern, NAME, KEY, place, CudaPlace, cuda_place_names) \
    /* src/migrate/cuda.h says how it is written */ \
    X(CudaPattern, TEXT, KEY, text) \
    /* of a word: cuda, device, call, member, also-member */ \
    X(CudaPattern, TEXT, MAY, needs) \
    /* bool: a file that holds this word is CUDA */ \
    X(CudaPattern, BOOL, MAY, says_cuda) \
    X(CudaPattern, TEXT, MAY, fires)  /* as above */ \
    X(CudaPattern, TEXT, MAY, quiet) \
    ORIGIN(X, CudaPattern)
typedef struct CudaPattern {
    CUDA_PATTERN_FIELDS(MEMBER)
    size_t line;
} CudaPattern;

// What shows that a library of data/libraries.tsv is used (data/library_signs.tsv); the row that stands first counts.
#define LIBRARY_SIGN_FIELDS(X) \
    X(LibrarySign, TEXT, KEY, library) \
    X(LibrarySign, TEXT, KEY, rule)   /* its findings, where what was found begins with `word` */ \
    X(LibrarySign, TEXT, MAY, names)  /* the library of a CUDA name; "": none */ \
    X(LibrarySign, TEXT, MAY, link)   /* how its word on a link line begins; "": none */ \
    X(LibrarySign, TEXT, KEY_MAY, word) \
    ORIGIN(X, LibrarySign)
typedef struct LibrarySign {
    LIBRARY_SIGN_FIELDS(MEMBER)
    size_t line;
} LibrarySign;
// clang-format on

typedef enum PortScope { SCOPE_FIRST_PORT, SCOPE_PRODUCT, SCOPE_UPKEEP, SCOPE_COUNT } PortScope;
extern const char *const port_scope_names[];  // first-port, product, upkeep

// clang-format off
// A port that happened (data/ports.tsv): what it was made of, and the author-days that its history shows.
#define PORT_FIELDS(X) \
    X(Port, TEXT, KEY, port) \
    X(Port, TEXT, MUST, title) \
    X(Port, NUM, MAY, cuda_files, 1, 1e6)                    /* .cu and .cuh before the port */ \
    X(Port, NUM, MAY, cuda_loc, 1, 1e9) \
    /* constructs counted there; library: libcu++, Thrust, CUB */ \
    X(Port, NUM, MAY, asm_blocks, 0, 1e6) \
    X(Port, NUM, MAY, lane_uses, 0, 1e6) \
    X(Port, NUM, MAY, wmma_uses, 0, 1e6) \
    X(Port, NUM, MAY, library_uses, 0, 1e6) \
    X(Port, NUM, MAY, launches, 0, 1e6) \
    /* sum of the rules' minutes over all constructs found, 480 min a day */ \
    X(Port, NUM, MAY, weights_low_days, 0.1, 1e5) \
    X(Port, NUM, MAY, weights_high_days, 0.1, 1e5) \
    X(Port, NAME, MUST, scope, PortScope, port_scope_names)  /* what the author-days cover */ \
    X(Port, NUM, MUST, years, 0, 30)                         /* that they span, for products and upkeep */ \
    X(Port, NUM, MAY, commits, 1, 1e6) \
    X(Port, NUM, MAY, authors, 1, 1e5) \
    X(Port, NUM, MAY, author_days, 0.5, 1e6)                 /* distinct pairs of author and calendar day */ \
    /* yes: history squashed, author-days undercount; no; unknown */ \
    X(Port, TEXT, MUST, squashed) \
    X(Port, TEXT, MUST, how) \
    X(Port, TEXT, MAY, left_out) \
    ORIGIN(X, Port)
typedef struct Port {PORT_FIELDS(MEMBER)} Port;

// The tree of a documented port before it was ported (data/port_trees.tsv), which the scan has read.
#define PORTED_TREE_FIELDS(X) \
    X(PortedTree, TEXT, KEY, port)               /* of data/ports.tsv */ \
    X(PortedTree, TEXT, MUST, tree)              /* owner/name@commit */ \
    X(PortedTree, NUM, MAY, cuda_lines, 0, 1e9)  /* own .cu and .cuh there, as the scan counts them */ \
    X(PortedTree, BOOL, MAY, held_out)           /* bool: never fitted */ \
    X(PortedTree, TEXT, MUST, why)               /* of the split */ \
    ORIGIN(X, PortedTree)
typedef struct PortedTree {PORTED_TREE_FIELDS(MEMBER)} PortedTree;

// What the scan counts in such a tree for the first port, tests, CI and documents apart
// (data/port_findings.tsv).
#define PORT_FINDING_FIELDS(X) \
    X(PortFinding, TEXT, KEY, tree) \
    X(PortFinding, TEXT, KEY, rule) \
    X(PortFinding, NUM, MUST, count, 0, 1e9)  /* as effort_parts.rule of `migrate scan --json` counts */ \
    ORIGIN(X, PortFinding)
typedef struct PortFinding {PORT_FINDING_FIELDS(MEMBER)} PortFinding;

// A number of the effort model that is not fitted (data/effort_factors.tsv).
#define EFFORT_FACTOR_FIELDS(X) \
    X(EffortFactor, TEXT, KEY, factor) \
    X(EffortFactor, NUM, MUST, value, 0.001, 1e6) \
    X(EffortFactor, TEXT, MUST, unit) \
    X(EffortFactor, TEXT, MUST, what) \
    ORIGIN(X, EffortFactor)
typedef struct EffortFactor {EFFORT_FACTOR_FIELDS(MEMBER)} EffortFactor;
// clang-format on

// What a porting estimate needs.
typedef struct PortingFacts {
    ROWS(CudaName, names);  // by name, then library
    ROWS(PortRule, rules);  // by id
    ROWS(Library, libraries);
    ROWS(Package, packages);
    ROWS(Port, ports);
    ROWS(EffortFactor, factors);
    ROWS(PortedTree, trees);
    ROWS(PortFinding, port_findings);  // by tree, then rule
    // in the order of their files
    ROWS(TextPatternFact, text_patterns);
    ROWS(CudaPattern, cuda_patterns);
    ROWS(LibrarySign, library_signs);
} PortingFacts;

#endif
