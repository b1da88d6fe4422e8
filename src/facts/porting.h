// What moving code from CUDA to ROCm takes: libraries, packages, names, constructs, ports that happened.
#ifndef GPUADVISE_FACTS_PORTING_H
#define GPUADVISE_FACTS_PORTING_H

#include <stddef.h>

// CUDA library or tool -> ROCm (data/libraries.tsv). effort_class 0-1 automatic, 2-3 review, 4 manual, 5
// blocker.
typedef struct Library {
    const char *cuda_name, *rocm_name, *kind, *coverage;
    double effort_class;
    const char *note;
    const char *source, *as_of;
} Library;

// A Python package and its ROCm status (data/packages.tsv); effort_class as above.
typedef struct Package {
    const char *package, *rocm_status, *install_instead;
    double effort_class;
    const char *lost;  // what a user loses when it is left out
    const char *trap;  // how an install goes wrong without an error
    const char *note;
    const char *source, *as_of;
} Package;

// A CUDA name and its HIP counterpart (data/cuda_api_map.tsv). Versions are CUDA's and HIP's, "" = not
// stated.
typedef struct CudaName {
    const char *cuda_name, *library;
    const char *kind;      // function, device-function, type, enum, macro, header
    const char *hip_name;  // "": no release of HIP up to the newest known has one
    const char *hip_since, *hip_experimental, *hip_deprecated, *hip_removed;
    const char *cuda_added, *cuda_deprecated, *cuda_removed;
    const char *target;  // where hip_name belongs: HIP, MIOpen, RCCL, ...
    int shared_name;     // bool: C, C++ or OpenGL have the word too: no sign of CUDA by itself
    const char *source, *as_of;
} CudaName;

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

// A construct that does not move to ROCm by itself (data/cuda_constructs.tsv).
typedef struct PortRule {
    const char *rule;
    PortArea area;
    PortClass port_class;
    double minutes_low, minutes_high;  // of work for one `per`
    PortUnit per;
    const char *minutes_basis;  // ports: fits documented ports in sum; mechanical; judgment
    int lanes64;                // bool: a hazard only where the target has 64 lanes
    PortEffect effect;
    const char *what, *why, *fix;
    const char *amd;         // counterpart on AMD
    const char *rocm_since;  // first ROCm version that has it, "" = any or none
    const char *lost;        // what a user loses when it is left out
    const char *source, *as_of;
} PortRule;

// How a rule of a language that is not C is seen in a text (data/text_patterns.tsv, where src/migrate/text.h says
// how `text` is written). Of one class the row that stands first counts: what is narrower stands before what holds it.
typedef struct TextPatternFact {
    const char
        *rule;  // of data/cuda_constructs.tsv; "=build", "=code": no finding but a sign of a build for ROCm
    const char *before;  // what stands directly before, its blank any blanks; "": anything
    const char *text;
    const char *kinds;  // of texts: names of TextKind and of groups of them
    const char *where;  // code, string, whole, arguments, setup
    const char
        *also;  // a word that starts with one of these must stand in the logical line; "": no condition
    const char *unless;  // none of these may
    // An example: the name of a file, a text of it that fires the rule, and one that looks like it and does not; in
    // both "\n" is the end of a line.
    const char *file, *fires, *quiet;
    const char *source, *as_of;
    size_t line;  // in the file
} TextPatternFact;

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

// How a rule is seen in C, C++ and CUDA (data/cuda_patterns.tsv): of one place the row that stands first counts.
typedef struct CudaPattern {
    const char *rule;
    CudaPlace place;
    const char *text;           // src/migrate/cuda.h says how it is written
    const char *needs;          // of a word: cuda, device, call, member, also-member
    int says_cuda;              // bool: a file that holds this word is CUDA
    const char *fires, *quiet;  // as above
    const char *source, *as_of;
    size_t line;
} CudaPattern;

// What shows that a library of data/libraries.tsv is used (data/library_signs.tsv); the row that stands first counts.
typedef struct LibrarySign {
    const char *library;
    const char *rule;   // its findings, where what was found begins with `word`
    const char *names;  // the library of a CUDA name; "": none
    const char *link;   // how its word on a link line begins; "": none
    const char *word;
    const char *source, *as_of;
    size_t line;
} LibrarySign;

typedef enum PortScope { SCOPE_FIRST_PORT, SCOPE_PRODUCT, SCOPE_UPKEEP, SCOPE_COUNT } PortScope;
extern const char *const port_scope_names[];  // first-port, product, upkeep

// A port that happened (data/ports.tsv): what it was made of, and the author-days that its history shows.
typedef struct Port {
    const char *port, *title;
    double cuda_files, cuda_loc;  // .cu and .cuh before the port
    // constructs counted there; library: libcu++, Thrust, CUB
    double asm_blocks, lane_uses, wmma_uses, library_uses, launches;
    // sum of the rules' minutes over all constructs found, 480 min a day
    double weights_low_days, weights_high_days;
    PortScope scope;  // what the author-days cover
    double years;     // that they span, for products and upkeep
    double commits, authors;
    double author_days;    // distinct pairs of author and calendar day
    const char *squashed;  // yes: history squashed, author-days undercount; no; unknown
    const char *how, *left_out;
    const char *source, *as_of;
} Port;

// The tree of a documented port before it was ported (data/port_trees.tsv), which the scan has read.
typedef struct PortedTree {
    const char *port;   // of data/ports.tsv
    const char *tree;   // owner/name@commit
    double cuda_lines;  // own .cu and .cuh there, as the scan counts them
    int held_out;       // bool: never fitted
    const char *why;    // of the split
    const char *source, *as_of;
} PortedTree;

// What the scan counts in such a tree for the first port, tests, CI and documents apart
// (data/port_findings.tsv).
typedef struct PortFinding {
    const char *tree, *rule;
    double count;  // as effort_parts.rule of `migrate scan --json` counts
    const char *source, *as_of;
} PortFinding;

// A number of the effort model that is not fitted (data/effort_factors.tsv).
typedef struct EffortFactor {
    const char *factor;
    double value;
    const char *unit, *what;
    const char *source, *as_of;
} EffortFactor;

// What a porting estimate needs.
typedef struct PortingFacts {
    const CudaName *names;  // by name, then library
    size_t n_names;
    const PortRule *rules;  // by id
    size_t n_rules;
    const Library *libraries;
    size_t n_libraries;
    const Package *packages;
    size_t n_packages;
    const Port *ports;
    size_t n_ports;
    const EffortFactor *factors;
    size_t n_factors;
    const PortedTree *trees;
    size_t n_trees;
    const PortFinding *port_findings;  // by tree, then rule
    size_t n_port_findings;
    // in the order of their files
    const TextPatternFact *text_patterns;
    size_t n_text_patterns;
    const CudaPattern *cuda_patterns;
    size_t n_cuda_patterns;
    const LibrarySign *library_signs;
    size_t n_library_signs;
} PortingFacts;

#endif
