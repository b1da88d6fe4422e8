// A stack file: `key = value` lines -> Stack, and the commented example that `stack init` writes.
#include "src/advise/stack.h"

#include <math.h>
#include <string.h>

#include "src/base/keyvalue.h"

const char *const stack_kind_names[] = {"framework", "need", "library", NULL};
NAMES_FIT(stack_kind_names, STACK_KIND_COUNT);

enum { ENTRIES_MAX = 400, NAME_MAX_BYTES = 80 };

typedef struct Reader {
    Arena *arena;
    Stack *stack;
    StackEntry *entries;
    size_t n_entries;
    const char **replaceable;
    size_t n_replaceable;
    const char *team;
} Reader;

static const char *copy_of(Arena *a, Str s) { return arena_copy(a, s.data, s.length); }

// "name", "name version", "name count".
static bool read_entry(Reader *r, StackKind kind, Str item, Err *e) {
    Str name;
    Str rest = item;
    if (r->n_entries == ENTRIES_MAX) return err_set(e, ERR_USAGE, "more than %d entries", ENTRIES_MAX);
    str_next(&rest, ' ', &name);
    rest = rest.data != NULL ? str_trim(rest) : (Str){"", 0};
    if (name.length > NAME_MAX_BYTES || rest.length > NAME_MAX_BYTES)
        return err_set(e, ERR_USAGE, "a name of more than %d bytes", NAME_MAX_BYTES);
    StackEntry *x = &r->entries[r->n_entries];
    *x = (StackEntry){
        .kind = kind, .name = copy_of(r->arena, name), .version = "", .count = (double)NAN, .from = ""};
    if (kind == STACK_NEED && rest.length > 0) {
        if (!parse_number(rest, 0, 1e6, &x->count, e)) return err_wrap(e, "'%s': how many", x->name);
    } else {
        x->version = copy_of(r->arena, rest);
    }
    r->n_entries++;
    return true;
}

static bool read_list(Reader *r, int kind, Str value, Err *e) {
    Str item;
    while (str_next(&value, ',', &item)) {
        item = str_trim(item);
        if (item.length == 0) continue;
        if (kind < STACK_KIND_COUNT) {
            if (!read_entry(r, (StackKind)kind, item, e)) return false;
            continue;
        }
        if (r->n_replaceable == ENTRIES_MAX) return err_set(e, ERR_USAGE, "more than %d names", ENTRIES_MAX);
        r->replaceable[r->n_replaceable++] = copy_of(r->arena, item);
    }
    return true;
}

static bool read_yes(Str value, bool *ret, Err *e) {
    if (str_is(value, "yes") || str_is(value, "no")) {
        *ret = str_is(value, "yes");
        return true;
    }
    return err_set(e, ERR_USAGE, "neither yes nor no");
}

static bool read_team(Str value, int *ret, Err *e) {
    for (int i = 0; team_names[i] != NULL; i++) {
        if (!str_is(value, team_names[i])) continue;
        *ret = i;
        return true;
    }
    return err_set(e, ERR_USAGE, "none of novice, some, expert");
}

static bool read_term(Reader *r, Str key, Str value, bool *ret_known, Err *e) {
    for (int t = 0; t < TERM_COUNT; t++) {
        if (!str_is(key, term_specs[t].key)) continue;
        *ret_known = true;
        Given *g = &r->stack->terms[t];
        g->set = parse_number(value, term_specs[t].min, term_specs[t].max, &g->value, e);
        return g->set;
    }
    return true;
}

static bool read_key(Reader *r, Str key, Str value, Err *e) {
    static const char *const lists[] = {"frameworks", "needs", "libraries", "may-replace", NULL};
    Stack *s = r->stack;
    for (int i = 0; lists[i] != NULL; i++) {
        if (str_is(key, lists[i])) return read_list(r, i, value, e);
    }
    if (str_is(key, "kernel-lines")) {
        double lines = 0;
        if (!parse_number(value, 0, 1e8, &lines, e)) return false;
        s->kernel_kloc = lines / 1000;
        return true;
    }
    if (str_is(key, "test-coverage")) return parse_number(value, 0, 1, &s->test_coverage, e);
    if (str_is(key, "team")) return read_team(value, &s->team, e);
    if (str_is(key, "regulated")) return read_yes(value, &s->regulated, e);
    if (str_is(key, "spot")) return read_yes(value, &s->spot, e);
    bool known = false;
    if (!read_term(r, key, value, &known, e)) return false;
    return known || err_set(e, ERR_USAGE, "unknown key; `gpuadvise stack init` shows all of them");
}

static bool has_entry(const Reader *r, const char *name) {
    for (size_t i = 0; i < r->n_entries; i++) {
        if (strcmp(r->entries[i].name, name) == 0) return true;
    }
    return false;
}

bool stack_parse(Str text, const char *path, Arena *a, Stack *ret_stack, Err *e) {
    Stack s = {.path = path, .kernel_kloc = (double)NAN, .test_coverage = (double)NAN, .team = -1};
    Reader r = {.arena = a,
                .stack = &s,
                .entries = arena_alloc(a, ENTRIES_MAX + 2, sizeof(StackEntry)),
                .replaceable = arena_alloc(a, ENTRIES_MAX, sizeof(char *))};
    KeyValues lines = {.rest = text, .comments = true};
    if (!str_is_utf8(text)) return err_set(e, ERR_USAGE, "read '%s': not UTF-8 text", path);
    for (Str key, value; keyvalue_next(&lines, &key, &value);) {
        if (value.data == NULL)
            return err_set(e, ERR_USAGE, "read '%s': line %zu: no '=' in it", path, lines.line);
        if (!read_key(&r, key, value, e))
            return err_wrap(e, "read '%s': line %zu: '%.*s'", path, lines.line,
                            (int)(key.length < 60 ? key.length : 60), key.data);
    }
    // What is said with yes is a need like the others.
    if (s.regulated && !has_entry(&r, "regulated"))
        r.entries[r.n_entries++] = (StackEntry){STACK_NEED, "regulated", "", (double)NAN, ""};
    if (s.spot && !has_entry(&r, "spot"))
        r.entries[r.n_entries++] = (StackEntry){STACK_NEED, "spot", "", (double)NAN, ""};
    s.entries = r.entries, s.n_entries = r.n_entries;
    s.replaceable = r.replaceable, s.n_replaceable = r.n_replaceable;
    *ret_stack = s;
    return true;
}

void stack_template(const StackFacts *facts, Buf *out) {
    buf_puts(out,
             "# What runs today, for `gpuadvise report --stack FILE` and `gpuadvise stack show FILE`.\n"
             "# Lines are key = value; '#' begins a comment. Everything may be left out: what is not said is "
             "not counted.\n\n"
             "# Frameworks, engines and packages, with their versions (see `gpuadvise compat`).\n"
             "frameworks = vllm 0.14, torch 2.9\n\n"
             "# CUDA libraries that own code calls.\n"
             "# libraries = cuBLAS, NCCL\n\n"
             "# Features that the work hangs on. A number says how many places or kernels (custom-ptx 30).\n"
             "needs = flash-attention-2, fp8\n#\n# All that are known:\n");
    for (size_t i = 0; i < facts->n_needs; i++)
        buf_printf(out, "#   %-20s %s\n", facts->needs[i].need, facts->needs[i].title);
    buf_puts(out, "\n# Names of the above that may be given up or replaced. Without it, what has no "
                  "counterpart on AMD keeps the stack where it is.\n"
                  "# may-replace = tensorrt-llm\n\n"
                  "# Own CUDA code: lines of .cu and .cuh, the share that tests cover (0-1), and how well "
                  "the team knows both sides\n"
                  "# (novice, some, expert).\n"
                  "# kernel-lines = 4000\n# test-coverage = 0.6\n# team = some\n\n"
                  "# Results that a regulator wants validated again; capacity that may be taken away.\n"
                  "# regulated = no\n# spot = no\n\n"
                  "# Money and time. What is not said comes from data/decision.tsv, with its range.\n");
    for (int t = 0; t < TERM_COUNT; t++)
        buf_printf(out, "# %-26s = # %s: %s\n", term_specs[t].key, term_specs[t].unit, term_specs[t].what);
}
