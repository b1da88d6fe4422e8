// bench verify: the bits of two machines side by side, before work moves from one to the other.
#include <math.h>
#include <string.h>

#include "cli/bench.h"
#include "kernels/verify.h"

typedef enum Outcome {
    IDENTICAL,
    WITHIN,
    DIFFERENT,
    WRONG_HERE,
    WRONG_THERE,
    OTHER_INPUTS,
    NOT_THERE,
    NOT_HERE
} Outcome;

typedef struct OutcomeWords {
    const char *name;
    bool compared, fails;
} OutcomeWords;
static const OutcomeWords outcomes[] = {
    [IDENTICAL] = {"identical", true, false},
    [WITHIN] = {"within bounds", true, false},
    [DIFFERENT] = {"different", true, true},
    [WRONG_HERE] = {"wrong here", false, true},
    [WRONG_THERE] = {"wrong there", true, true},
    [OTHER_INPUTS] = {"other inputs", false, false},
    [NOT_THERE] = {"not in the reference", false, false},
    [NOT_HERE] = {"not tested here", false, false},
};

typedef struct Pair {
    const Kernel *kernel;
    const BenchResult *here, *there;  // there NULL: none
    Outcome outcome;
    double differing, samples, max_ulp;  // NaN: not compared, or ulps mean nothing
    const char *why;                     // by design, or what is wrong
} Pair;

static const BenchResult *find_test(const BenchSide *s, const char *test) {
    const BenchResult *found = NULL;
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->results[i].test, test) == 0 &&
            (found == NULL || (found->bits[0] == '\0' && s->results[i].bits[0] != '\0')))
            found = &s->results[i];
    }
    return found;
}

// The wider of what the two kinds of machine may be off: which one made the reference is not known.
static double widest_roundoff(const Kernel *k) {
    return fmax(kernel_roundoff(k, "nvidia"), kernel_roundoff(k, "amd"));
}

static void compare_words(const BenchBits *here, const BenchBits *there, Pair *p) {
    const Kernel *k = p->kernel;
    bool floats = elem_is_float(k->buffers[k->output].elem), wrong = false;
    p->samples = (double)here->n;
    p->differing = 0;
    p->max_ulp = floats ? 0 : (double)NAN;
    for (size_t i = 0; i < here->n; i++) {
        uint64_t a = here->words[i], b = there->words[i];
        if (a == b) continue;
        p->differing++;
        if (floats) p->max_ulp = fmax(p->max_ulp, ulps_between(a, b, here->wide));
        wrong = wrong || !bits_right(k, i, b, widest_roundoff(k));
    }
    bool same = here->outputs == there->outputs && p->differing == 0;
    p->outcome = same ? IDENTICAL : wrong ? WRONG_THERE : k->differs[0] != '\0' ? WITHIN : DIFFERENT;
    p->why = same ? ""
             : wrong
                 ? "an output of the reference is outside the bound that the double-precision reference gives"
             : k->differs[0] != '\0' ? k->differs
                                     : "this test has one right answer: bits must agree";
}

static bool compare_pair(Pair *p, Err *e) {
    BenchBits here, there;
    p->differing = p->samples = p->max_ulp = (double)NAN;
    p->why = "";
    p->outcome = strcmp(p->here->verdict, "not supported") == 0  ? NOT_HERE
                 : !p->here->verified                            ? WRONG_HERE
                 : p->there == NULL || p->there->bits[0] == '\0' ? NOT_THERE
                                                                 : IDENTICAL;
    if (p->outcome == NOT_HERE || p->outcome == WRONG_HERE) p->why = p->here->error;
    if (p->outcome != IDENTICAL) return true;
    if (!bits_parse(str_of(p->here->bits), &here, e) || !bits_parse(str_of(p->there->bits), &there, e))
        return err_wrap(e, "test '%s'", p->kernel->name);
    if (here.inputs != there.inputs || here.n != there.n || here.wide != there.wide) {
        p->outcome = OTHER_INPUTS;
        p->why = "made by a version of the program with other inputs or sizes";
        return true;
    }
    compare_words(&here, &there, p);
    return true;
}

// ---------------------------------------------------------------- answer

// clang-format off
#define COLUMNS(X) \
    X("device",    "DEVICE",  TEXT,      p->here->device) \
    X("test",      "TEST",    TEXT,      p->kernel->name) \
    X("dtype",     "DTYPE",   MORE_TEXT, p->kernel->dtype) \
    X("outcome",   "BITS",    TEXT,      outcomes[p->outcome].name) \
    X("differing", "DIFFER",  NUMBER(4), p->differing) \
    X("samples",   "OF",      NUMBER(4), p->samples) \
    X("max_ulp",   "MAX ULP", NUMBER(4), p->max_ulp) \
    X("why",       "WHY",     TEXT,      p->why)
// clang-format on

static Listing listing_of(const Pair *pairs, size_t n, Arena *a) {
    Listing l = LISTING(a, "verification", COLUMNS, n);
    for (size_t i = 0; i < n; i++) {
        const Pair *p = &pairs[i];
        listing_row(&l, COLUMNS(LISTING_CELL));
    }
    l.note = "Each test ran one fixed problem on both machines; bits of up to 64 outputs and a digest of all "
             "are compared. Within bounds: the bits differ as the test's definition allows, and every output "
             "compared is as close to the double-precision reference as its error bound asks.";
    return l;
}

static void answer(App *app, const BenchRun *run, const Pair *pairs, size_t n, bool agree) {
    Listing l = listing_of(pairs, n, &app->arena);
    if (app->format == FORMAT_JSON) {
        json_add_bool(app_json(app), "agree", agree);
        bench_devices_json(run->devices, run->n_devices, app_json(app));
    }
    app_answer(app, &l);
}

int bench_verify_run(App *app, const BenchRun *run, const BenchSide *reference, int code) {
    Err e = {0};
    size_t n = 0, compared = 0, failed = 0;
    Pair *pairs = arena_alloc(&app->arena, run->n_results, sizeof *pairs);
    for (size_t i = 0; i < run->n_results; i++) {
        const Kernel *k = kernel_find(run->results[i].test);
        if (k == NULL) continue;
        pairs[n] = (Pair){.kernel = k, .here = &run->results[i], .there = find_test(reference, k->name)};
        if (!compare_pair(&pairs[n], &e)) {
            err_wrap(&e, "'%s'", reference->name);
            return app_fail(app, &e);
        }
        compared += outcomes[pairs[n].outcome].compared;
        failed += outcomes[pairs[n++].outcome].fails;
    }
    if (compared == 0) app_warn(app, "no test here can be compared with '%s'", reference->name);
    answer(app, run, pairs, n, compared > 0 && failed == 0 && code == EXIT_DONE);
    return code != EXIT_DONE ? code : failed > 0 ? EXIT_GATE : compared == 0 ? EXIT_NO : EXIT_DONE;
}
