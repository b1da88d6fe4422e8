// The views of the screen in the order of their keys: the one table that tabs, keys, help, ":", the command line, its completion
// and the state file read. What a view does is the View of its row (tui/screen.h).
#ifndef GPUADVISE_TUI_VIEWS_H
#define GPUADVISE_TUI_VIEWS_H

// ROW(id, View without "view_", name that is typed, key, title, one sentence for the help)
// clang-format off
#define TUI_VIEWS(ROW) \
    ROW(ADVICE, advice, "advice", "1", "Advice", \
        "the verdict for the workload, the best of each vendor, ranked options, cost against speed") \
    ROW(WHATIF, whatif, "what-if", "2", "What-if", \
        "every assumption as a field: type (k, M and units too), or turn it with left and right; x resets, X all") \
    ROW(GPUS, gpus, "gpus", "3", "GPUs", \
        "the catalog: GPUs with dense figures, models, workloads; Enter shows every column with its source") \
    ROW(PRICES, prices, "prices", "4", "Prices", \
        "offers with their age; Enter shows how the price of that GPU moved, b the source; refresh asks the providers") \
    ROW(COMPAT, compat, "compat", "5", "Compat", \
        "what runs on CUDA and on ROCm, by whose word, of when; Enter shows claims that contradict each other together; the panel stack judges yours") \
    ROW(BENCH, bench, "bench", "6", "Bench", \
        "devices as they are now, runs that were kept, the tests there are; R measures, K cancels; own runs from other tools, measured against predicted: i imports; two runs compared (space, c), the roofline of one, a fleet judged") \
    ROW(MIGRATE, migrate, "migrate", "7", "Migrate", \
        "what moving CUDA code to ROCm takes: R scans a folder, Enter opens branches, o the line in $EDITOR") \
    ROW(SOURCES, sources, "sources", "8", "Sources", \
        "where the rows of each table come from, and how new they are") \
    ROW(HELP, help, "help", "9", "Help", \
        "this page")

#define VIEW_ID_(id, view, name, key, title, about) VIEW_##id,
typedef enum ViewId { TUI_VIEWS(VIEW_ID_) VIEW_COUNT } ViewId;
#undef VIEW_ID_
// clang-format on

typedef struct ViewRow {
    const char *name, *key, *title, *about;
} ViewRow;

extern const ViewRow view_table[VIEW_COUNT];

#endif
