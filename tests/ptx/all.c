// Runs entries of PTX files in the interpreter under the checks of `bench`, and prints a table.
//
//     ptx_all [--manners N] [--entry NAME]... FILE.ptx...
//
// Each entry runs in N manners (all of them without the option): orders of warps, grids, sums. Those with the same
// sums have to give the same bits. Exit code 1: something is wrong or refused.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/ptx/bench.h"

static const PtxManner manners[] = {{PTX_ONE_FIRST, 1, false, 1},
                                    {PTX_REVERSED, 2, false, 2},
                                    {PTX_IN_TURN, 3, false, 3},
                                    {PTX_RANDOM, 4, false, 1},
                                    {PTX_RANDOM, 5, true, 1}};

typedef struct Options {
    size_t manners;
    const char *entries[64];
    size_t n_entries;
} Options;

typedef struct Counts {
    size_t entries, right, wrong, refused;
    PtxTally tally;
    double seconds;
} Counts;

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static bool is_wanted(const Options *o, const char *name) {
    bool any = o->n_entries == 0;
    for (size_t i = 0; i < o->n_entries; i++) any = any || strcmp(o->entries[i], name) == 0;
    return any;
}

// All manners of one entry.
static bool run_entry(PtxModule *m, const char *name, const Options *o, PtxTally *tally, Err *e) {
    Arena a = {0};
    const char *first = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < o->manners; i++) {
        const char *bits = "";
        ok = ptx_bench(m, name, &manners[i], &a, tally, &bits, e);
        if (!ok) {
            err_wrap(e, "%s order, manner %zu", ptx_order_names[manners[i].order], i);
        } else if (!manners[i].cut_sums) {
            if (first != NULL && strcmp(first, bits) != 0)
                ok = err_set(e, ERR_FAILED, "manners 0 and %zu give different bits", i);
            first = bits;
        }
    }
    arena_free(&a);
    return ok;
}

static void run_one(PtxModule *m, const char *name, const Options *o, Counts *c) {
    PtxEntry *entry = NULL;
    Err e = {0};
    double start = now();
    c->entries++;
    if (!ptx_entry(m, name, &entry, &e)) {
        c->refused++;
        printf("%-8s %-16s REFUSED %s\n", m->target, name, e.text);
        return;
    }
    PtxTally t = {0};
    bool ok = run_entry(m, name, o, &t, &e);
    c->right += ok, c->wrong += !ok;
    c->tally.instructions += t.instructions, c->tally.products += t.products;
    c->tally.group_products += t.group_products, c->tally.copies += t.copies;
    printf("%-8s %-16s %-7s %6zu lines %12llu instructions %8llu mma %6llu wgmma %7llu cp.async %6llu "
           "barriers %6.2f s %s\n",
           m->target, name, ok ? "right" : "WRONG", ptx_entry_length(entry),
           (unsigned long long)t.instructions, (unsigned long long)t.products,
           (unsigned long long)t.group_products, (unsigned long long)t.copies, (unsigned long long)t.barriers,
           now() - start, e.text);
    fflush(stdout);
}

static bool run_file(const char *path, const Options *o, Counts *c) {
    Arena a = {0};
    Str text = {0};
    Err e = {0};
    PtxModule m;
    double start = now();
    bool ok = file_read(&a, path, 64 << 20, &text, &e) && ptx_module(text, &a, &m, &e);
    if (!ok) printf("%s: %s\n", path, e.text);
    for (size_t i = 0; ok && i < m.n_entries; i++) {
        if (is_wanted(o, ptx_entry_name(&m, i))) run_one(&m, ptx_entry_name(&m, i), o, c);
    }
    c->seconds = now() - start;
    arena_free(&a);
    return ok;
}

static bool read_options(int argc, char **argv, Options *o, int *ret_files) {
    int i = 1;
    *o = (Options){.manners = COUNT_OF(manners)};
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        int64_t n = 0;
        if (strcmp(argv[i], "--entry") == 0 && o->n_entries < COUNT_OF(o->entries)) {
            o->entries[o->n_entries++] = argv[i + 1];
        } else if (strcmp(argv[i], "--manners") == 0 &&
                   parse_integer(str_of(argv[i + 1]), 1, (int64_t)COUNT_OF(manners), &n, NULL)) {
            o->manners = (size_t)n;
        } else {
            return false;
        }
    }
    *ret_files = i;
    return i < argc;
}

int main(int argc, char **argv) {
    Options o;
    int first = 0, failed = 0;
    if (!read_options(argc, argv, &o, &first)) {
        fprintf(stderr, "usage: ptx_all [--manners N] [--entry NAME]... FILE.ptx...\n");
        return 2;
    }
    Counts counts[64] = {{0}};
    for (int i = first; i < argc && i - first < 64; i++) failed |= !run_file(argv[i], &o, &counts[i - first]);
    printf("\n| file | entries | right | wrong | refused | instructions | seconds "
           "|\n|---|---|---|---|---|---|---|\n");
    for (int i = first; i < argc && i - first < 64; i++) {
        const Counts *c = &counts[i - first];
        const char *slash = strrchr(argv[i], '/');
        printf("| %s | %zu | %zu | %zu | %zu | %.3g | %.1f |\n", slash != NULL ? slash + 1 : argv[i],
               c->entries, c->right, c->wrong, c->refused, (double)c->tally.instructions, c->seconds);
        failed |= c->wrong + c->refused > 0 || c->entries == 0;
    }
    return failed;
}
