// src/advise/stack: the file, what becomes of each entry, and which of contradicting claims wins.
#include <math.h>
#include <string.h>

#include "src/advise/stack.h"
#include "tests/shipped.h"

typedef struct StackWorld {
    Arena arena;
    Catalog *catalog;
    StackFacts facts;
} StackWorld;

static void open_stack(StackWorld *s) {
    Err e = {0};
    *s = (StackWorld){0};
    s->catalog = shipped_catalog(&s->arena);
    if (!catalog_stack(s->catalog, &s->arena, &s->facts, &e)) FAIL_("%s", e.text);
}

static void close_stack(StackWorld *s) {
    catalog_close(s->catalog);
    arena_free(&s->arena);
}

static Stack parsed(StackWorld *s, const char *text) {
    Err e = {0};
    Stack stack;
    if (!stack_parse(str_of(text), "f", &s->arena, &stack, &e)) FAIL_("%s", e.text);
    return stack;
}

static StackView judged(StackWorld *s, const Stack *stack, const char *target) {
    Err e = {0};
    StackView view;
    if (!stack_judge(&s->facts, stack, target, 1000, &s->arena, &view, &e)) FAIL_("%s", e.text);
    return view;
}

static void test_keys_and_lists(void) {
    StackWorld s;
    open_stack(&s);
    Stack x =
        parsed(&s, "# c\n frameworks = vllm 0.14, torch\nneeds=custom-ptx 30,fp8 # two\r\nmay-replace = a, "
                   "b\nkernel-lines = 4500\nteam = expert\nregulated = yes\nengineer-day-usd = 1200\n");
    CHECK_INT(x.n_entries, 5);  // regulated is a need too
    CHECK_STR(x.entries[0].name, "vllm");
    CHECK_STR(x.entries[0].version, "0.14");
    CHECK_NEAR(x.entries[2].count, 30, 1e-12);
    CHECK_INT(x.n_replaceable, 2);
    CHECK_NEAR(x.kernel_kloc, 4.5, 1e-12);
    CHECK_INT(x.team, TEAM_EXPERT);
    CHECK(x.terms[TERM_ENGINEER_DAY].set && x.terms[TERM_ENGINEER_DAY].value == 1200);
    CHECK(!x.terms[TERM_HORIZON].set);
    CHECK(isnan(parsed(&s, "").kernel_kloc));
    close_stack(&s);
}

static void test_what_is_wrong_is_named(void) {
    static const struct {
        const char *text, *says;
    } cases[] = {{"x\n", "line 1"},
                 {"\n\nframework = a\n", "line 3"},
                 {"team = clever", "novice"},
                 {"regulated = maybe", "yes nor no"},
                 {"engineer-day-usd = NaN", "engineer-day-usd"},
                 {"test-coverage = 2", "test-coverage"},
                 {"needs = fp8 many", "fp8"},
                 {"kernel-lines = -1", "kernel-lines"},
                 {"frameworks = \xff", "UTF-8"},
                 {"pue = 0.5", "pue"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena a = {0};
        Err e = {0};
        Stack x;
        CHECK(!stack_parse(str_of(cases[i].text), "file", &a, &x, &e));
        CHECK_INT(e.kind, ERR_USAGE);
        CHECK(text_contains(e.text, cases[i].says));
        arena_free(&a);
    }
}

// The example that `stack init` writes is read by what reads stack files, and knows every need and term.
static void test_the_example_can_be_read(void) {
    StackWorld s;
    open_stack(&s);
    Buf b;
    buf_init(&b, BUF_LIMIT);
    stack_template(&s.facts, &b);
    Stack x = parsed(&s, b.data);
    CHECK(x.n_entries >= 4);
    for (size_t i = 0; i < s.facts.n_needs; i++) CHECK(text_contains(b.data, s.facts.needs[i].need));
    for (int t = 0; t < TERM_COUNT; t++) CHECK(text_contains(b.data, term_specs[t].key));
    buf_free(&b);
    close_stack(&s);
}

static const StackItem *item(const StackView *v, const char *name) {
    for (size_t i = 0; i < v->n_items; i++) {
        if (strcmp(v->items[i].name, name) == 0) return &v->items[i];
    }
    FAIL_("no item '%s'", name);
    return NULL;
}

static void test_verdict_of_each_item(void) {
    StackWorld s;
    open_stack(&s);
    Stack x = parsed(&s, "frameworks = tensorrt-llm 1.2, PyTorch 2.9, transformers, no-such-thing\nneeds = "
                         "flash-attention-3, mxfp4, fp8\nlibraries = NCCL\n");
    StackView v = judged(&s, &x, "gfx942");
    CHECK_INT(item(&v, "tensorrt-llm")->fit, FIT_BLOCKED);
    CHECK_INT(item(&v, "PyTorch")->fit, FIT_CHANGES);
    CHECK(item(&v, "PyTorch")->trap[0] != '\0');
    CHECK_INT(item(&v, "transformers")->fit, FIT_WORKS);
    CHECK_INT(item(&v, "no-such-thing")->fit, FIT_UNKNOWN);
    CHECK_INT(item(&v, "flash-attention-3")->fit, FIT_LOSES);
    CHECK(item(&v, "flash-attention-3")->lost[0] != '\0');
    CHECK_INT(item(&v, "mxfp4")->fit, FIT_BLOCKED);  // in hardware on gfx950 only
    CHECK(item(&v, "NCCL")->fit != FIT_UNKNOWN);
    CHECK_INT(v.stuck, 2);
    StackView on950 = judged(&s, &x, "gfx950");
    CHECK_INT(item(&on950, "mxfp4")->fit, FIT_WORKS);
    Stack y = parsed(&s, "frameworks = tensorrt-llm\nmay-replace = TensorRT_LLM\n");
    StackView w = judged(&s, &y, "");
    CHECK_INT(w.stuck, 0);
    CHECK(item(&w, "tensorrt-llm")->replaceable);
    CHECK(w.effort.first_port.value > 0);
    close_stack(&s);
}

static void test_more_kernels_are_more_days(void) {
    StackWorld s;
    open_stack(&s);
    Stack few = parsed(&s, "frameworks = vllm\nneeds = custom-ptx 3\n");
    Stack many = parsed(&s, "frameworks = vllm\nneeds = custom-ptx 30\nkernel-lines = 5000\n");
    StackView a = judged(&s, &few, "gfx942");
    StackView b = judged(&s, &many, "gfx942");
    CHECK(b.effort.first_port.value > a.effort.first_port.value);
    // sums of i^log2(0.8), i to 30 and to 3
    CHECK_NEAR(b.items[1].days / a.items[1].days, 14.019893474495843 / 2.50210370277856, 1e-9);
    CHECK(b.n_steps > 0 && a.effort.first_port.value > 0);
    close_stack(&s);
}

static void test_an_old_version_is_said(void) {
    StackWorld s;
    open_stack(&s);
    Stack x = parsed(&s, "frameworks = vllm 0.1.9\n");
    StackView v = judged(&s, &x, "");
    CHECK(text_contains(item(&v, "vllm")->change, "needs 0.2.4"));
    close_stack(&s);
}

static Claim claim(const char *status, const char *type, const char *standing, const char *scope,
                   const char *as_of) {
    return (Claim){.subject = "x",
                   .platform = "rocm",
                   .status = status,
                   .since_version = "",
                   .framework_version = "",
                   .platform_version = "",
                   .gpu_scope = scope,
                   .install_hint = "",
                   .source_type = type,
                   .standing = standing,
                   .note = "",
                   .source = type,
                   .as_of = as_of};
}

static void test_the_newest_well_founded_claim_wins(void) {
    Arena a = {0};
    const Claim claims[] = {
        claim("none", "article", "current", "", "2026-09"),         // newer, repeated from elsewhere
        claim("partial", "project-doc", "current", "", "2026-01"),  // older
        claim("full", "project-doc", "current", "", "2026-06"),
        claim("none", "vendor-doc", "superseded", "", "2026-08"),
        claim("none", "vendor-doc", "current", "gfx1100", "2026-10"),  // of another GPU
    };
    size_t n = 0;
    const StackEvidence *e = evidence_of(claims, COUNT_OF(claims), "x", "rocm", "gfx942", &a, &n);
    CHECK_INT(n, 5);
    for (size_t i = 0; i < n; i++) {
        bool wins = e[i].claim == &claims[2];
        CHECK_INT(e[i].wins, wins);
        CHECK(e[i].why[0] != '\0');
        if (e[i].claim == &claims[0]) CHECK(e[i].disagrees && text_contains(e[i].why, "article"));
        if (e[i].claim == &claims[1]) CHECK(e[i].disagrees && text_contains(e[i].why, "older"));
        if (e[i].claim == &claims[3]) CHECK(text_contains(e[i].why, "replaced"));
        if (e[i].claim == &claims[4]) CHECK(!e[i].disagrees && text_contains(e[i].why, "other GPUs"));
    }
    e = evidence_of(claims, COUNT_OF(claims), "x", "rocm", "", &a, &n);
    CHECK(e[0].wins && e[0].claim == &claims[2]);  // what speaks of one target alone stands back
    evidence_of(claims, COUNT_OF(claims), "y", "rocm", "", &a, &n);
    CHECK_INT(n, 0);
    arena_free(&a);
}

static Claim release(const char *status, const char *type, const char *platform_version, const char *as_of) {
    Claim c = claim(status, type, "current", "", as_of);
    c.platform_version = platform_version;
    return c;
}

// A year alone is never later than a month of it; of those that say the same, the newest platform makes the
// headline.
static void test_dates_and_versions_of_claims(void) {
    Arena a = {0};
    size_t n = 0;
    const Claim years[] = {claim("full", "project-doc", "current", "", "2026"),
                           claim("partial", "project-doc", "current", "", "2026-02")};
    const StackEvidence *e = evidence_of(years, COUNT_OF(years), "x", "rocm", "", &a, &n);
    CHECK(e[0].claim == &years[1] && e[0].wins && text_contains(e[1].why, "older than 2026-02"));
    const Claim versions[] = {release("full", "vendor-doc", "7.14", "2026-07"),
                              release("full", "vendor-doc", "10.0.0, 7.14.1", "2026-06"),
                              release("full", "article", "10.1.0", "2026-10"),
                              release("none", "article", "11.0", "2026-11"),
                              release("full", "vendor-doc", "HIP SDK of 2026-07", "2026-05")};
    e = evidence_of(versions, COUNT_OF(versions), "x", "rocm", "", &a, &n);
    CHECK(e[0].claim == &versions[2] && e[0].wins && text_contains(e[0].why, "newest platform"));
    arena_free(&a);
}

// What the tables of needs and steps name is there.
static void test_needs_name_what_exists(void) {
    StackWorld s;
    open_stack(&s);
    for (size_t i = 0; i < s.facts.n_needs; i++) {
        const StackNeed *n = &s.facts.needs[i];
        bool rule = n->rule[0] == '\0';
        bool subject = n->subject[0] == '\0';
        for (size_t k = 0; k < s.facts.porting.n_rules; k++)
            rule = rule || strcmp(s.facts.porting.rules[k].rule, n->rule) == 0;
        for (size_t k = 0; k < s.facts.n_claims; k++)
            subject = subject || strcmp(s.facts.claims[k].subject, n->subject) == 0;
        if (!rule || !subject)
            FAIL_("need '%s': no rule '%s' or no claims on '%s'", n->need, n->rule, n->subject);
        CHECK(n->on_amd == FIT_WORKS || n->change[0] != '\0');
        CHECK(n->on_amd != FIT_LOSES || n->lost[0] != '\0');
    }
    close_stack(&s);
}

static const TestCase tests[] = {
    TEST(keys_and_lists),
    TEST(what_is_wrong_is_named),
    TEST(the_example_can_be_read),
    TEST(verdict_of_each_item),
    TEST(more_kernels_are_more_days),
    TEST(an_old_version_is_said),
    TEST(the_newest_well_founded_claim_wins),
    TEST(dates_and_versions_of_claims),
    TEST(needs_name_what_exists),
};
TEST_MAIN(tests)
