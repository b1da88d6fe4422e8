// PTX text into modules, entries and code.
#include "tests/ptx/operands.h"

#include <stdio.h>

static const OpTable *const tables[] = {&ptx_scalar_ops, &ptx_compare_ops, &ptx_double_ops, &ptx_memory_ops,
                                        &ptx_matrix_ops, &ptx_group_ops,   &ptx_flow_ops};

const Op *ptx_op(const char *name, size_t skip) {
    for (size_t t = 0; t < COUNT_OF(tables); t++) {
        for (size_t i = 0; i < tables[t]->n; i++) {
            if (strcmp(tables[t]->ops[i].name, name) == 0 && skip-- == 0) return &tables[t]->ops[i];
        }
    }
    return NULL;
}

static bool unknown(const Lexer *x, const char *what, Err *e) {
    int length = x->word.length < 80 ? (int)x->word.length : 80;
    if (x->kind == LEX_WORD || x->kind == LEX_TEXT)
        return err_set(e, ERR_FAILED, "PTX, line %d: %s '%.*s'", x->line, what, length, x->word.data);
    return err_set(e, ERR_FAILED, "PTX, line %d: %s '%c'", x->line, what, x->kind == LEX_END ? ' ' : x->kind);
}

static bool expect(Lexer *x, int kind, Err *e) {
    if (x->kind != kind) return unknown(x, "not expected here:", e);
    lex_next(x);
    return true;
}

static bool expect_number(Lexer *x, uint64_t most, uint64_t *ret_value, Err *e) {
    uint64_t value = 0;
    Lexer before = *x;
    if (!read_literal(x, &value) || value > most)
        return unknown(&before, "not a number that can stand here:", e);
    *ret_value = value;
    return true;
}

// ".align 16 .b8 name[4096];", the word .shared being read
static bool read_shared(Lexer *x, bool external, PtxShared *ret_shared, Err *e) {
    uint64_t align = 1, bytes = 0;
    if (lex_is(x, ".align")) {
        lex_next(x);
        if (!expect_number(x, 1024, &align, e)) return false;
        if (align == 0) return err_set(e, ERR_FAILED, "PTX, line %d: alignment 0", x->line);
    }
    if (!lex_is(x, ".b8")) return unknown(x, "arrays of shared memory are of bytes, not", e);
    lex_next(x);
    Str name = x->word;
    if (!expect(x, LEX_WORD, e) || !expect(x, '[', e)) return false;
    if (!external && !expect_number(x, SHARED_STATIC_MAX, &bytes, e)) return false;
    if (!expect(x, ']', e) || !expect(x, ';', e)) return false;
    *ret_shared = (PtxShared){name, (size_t)align, (size_t)bytes, external, false, 0};
    return true;
}

// ---------------------------------------------------------------- modules

static bool skip_entry(Lexer *x, PtxModule *m, size_t *capacity, Err *e) {
    m->entries = arena_grow(m->arena, m->entries, m->n_entries, capacity, sizeof *m->entries);
    PtxEntry *entry = &m->entries[m->n_entries];
    *entry = (PtxEntry){.module = m};
    if (x->kind != LEX_WORD || x->word.length >= sizeof entry->name)
        return unknown(x, "not the name of an entry:", e);
    snprintf(entry->name, sizeof entry->name, "%.*s", (int)x->word.length, x->word.data);
    entry->body.data = x->at;
    entry->line = x->line;
    size_t depth = 0;
    do {
        lex_next(x);
        depth += x->kind == '{';
        if (x->kind == '}' && depth == 0) return unknown(x, "not expected here:", e);
        if (x->kind == LEX_END) return err_set(e, ERR_FAILED, "PTX: %s has no end", entry->name);
        depth -= x->kind == '}';
    } while (depth > 0 || x->kind != '}');
    entry->body.length = (size_t)(x->at - entry->body.data);
    m->n_entries++;
    lex_next(x);
    return true;
}

static bool read_version(Lexer *x, PtxModule *m, Err *e) {
    double version = 0;
    if (!parse_number(x->word, 1, 20, &version, e)) return err_wrap(e, "PTX, line %d: version", x->line);
    m->version = (int)(version * 10 + 0.5);
    return expect(x, LEX_WORD, e);
}

static bool read_top(Lexer *x, PtxModule *m, size_t *entries_capacity, size_t *shared_capacity, Err *e) {
    bool external = lex_is(x, ".extern");
    Lexer start = *x;
    if (external || lex_is(x, ".visible")) lex_next(x);
    Lexer word = *x;
    lex_next(x);
    if (lex_is(&word, ".version") && x->kind == LEX_WORD) return read_version(x, m, e);
    if (lex_is(&word, ".target") && x->kind == LEX_WORD) {
        snprintf(m->target, sizeof m->target, "%.*s", (int)(x->word.length < 15 ? x->word.length : 15),
                 x->word.data);
        return expect(x, LEX_WORD, e);
    }
    if (lex_is(&word, ".address_size") && lex_is(x, "64")) return expect(x, LEX_WORD, e);
    if (lex_is(&word, ".entry") && !external) return skip_entry(x, m, entries_capacity, e);
    if (!lex_is(&word, ".shared")) return unknown(&start, "not known:", e);
    m->shared = arena_grow(m->arena, m->shared, m->n_shared, shared_capacity, sizeof *m->shared);
    return read_shared(x, external, &m->shared[m->n_shared++], e);
}

bool ptx_module(Str text, Arena *a, PtxModule *ret_module, Err *e) {
    PtxModule m = {.arena = a};
    Lexer x = {.at = text.data, .end = text.data + text.length, .line = 1};
    size_t entries = 0, shared = 0;
    lex_next(&x);
    while (x.kind != LEX_END) {
        if (!read_top(&x, &m, &entries, &shared, e)) return false;
    }
    if (m.target[0] == '\0' || m.version == 0 || m.n_entries == 0)
        return err_set(e, ERR_FAILED, "PTX without a version, a target or an entry");
    *ret_module = m;
    return true;
}

const char *ptx_entry_name(const PtxModule *m, size_t i) { return m->entries[i].name; }
size_t ptx_entry_length(const PtxEntry *entry) { return entry->n_code; }
unsigned ptx_entry_threads(const PtxEntry *entry) { return entry->threads; }

static uint64_t mixed(uint64_t digest, uint64_t x) {
    return (digest ^ x) * UINT64_C(0x100000001B3) + (digest >> 29);
}

uint64_t ptx_entry_digest(const PtxEntry *entry) {
    uint64_t d = entry->threads;
    for (size_t i = 0; i < entry->n_code; i++) {
        const Ins *in = &entry->code[i];
        d = mixed(d, (uint64_t)(uintptr_t)in->op);
        for (size_t j = 0; j < OPERANDS_MAX; j++) d = mixed(d, in->at[j]);
        for (size_t j = 0; j < in->n_list; j++) d = mixed(d, in->list[j]);
        d = mixed(mixed(mixed(d, (uint64_t)in->offset), in->target), (uint64_t)in->guard << 1 | in->unless);
    }
    for (size_t i = 0; i < entry->n_constants; i++)
        d = mixed(mixed(d, entry->constants[i].value), entry->constants[i].at);
    for (size_t i = 0; i < entry->n_shared; i++)
        d = mixed(d, entry->shared[i].placed ? entry->shared[i].bytes : 0);
    return d;
}

// ---------------------------------------------------------------- entries

static bool read_parameters(Reader *r, Err *e) {
    PtxEntry *entry = r->entry;
    size_t slots = 0, names = 0;
    if (!expect(&r->x, '(', e)) return false;
    while (lex_is(&r->x, ".param")) {
        lex_next(&r->x);
        if (!lex_is(&r->x, ".u64")) return unknown(&r->x, "parameters are of 64 bits, not", e);
        lex_next(&r->x);
        entry->params = arena_grow(r->arena, entry->params, entry->n_params, &slots, sizeof *entry->params);
        entry->param_names =
            arena_grow(r->arena, entry->param_names, entry->n_params, &names, sizeof *entry->param_names);
        entry->param_names[entry->n_params] = r->x.word;
        entry->params[entry->n_params++] = take_slot(r);
        if (!expect(&r->x, LEX_WORD, e)) return false;
        if (r->x.kind == ',') lex_next(&r->x);
    }
    return expect(&r->x, ')', e);
}

static bool read_threads(Reader *r, Err *e) {
    uint64_t x = 0, y = 0, z = 0;
    if (!lex_is(&r->x, ".maxntid")) return unknown(&r->x, "an entry says .maxntid first, not", e);
    lex_next(&r->x);
    if (!expect_number(&r->x, THREADS_MAX, &x, e) || !expect(&r->x, ',', e) ||
        !expect_number(&r->x, 1, &y, e) || !expect(&r->x, ',', e) || !expect_number(&r->x, 1, &z, e))
        return false;
    r->entry->threads = (unsigned)x;
    if (!lex_is(&r->x, ".minnctapersm")) return true;
    lex_next(&r->x);  // how many registers: of ptxas alone
    return expect_number(&r->x, THREADS_MAX, &x, e);
}

// ".b32 %r<172>;", ".pred more;"
static bool read_registers(Reader *r, Err *e) {
    enum { REGISTERS_MAX = 4096 };
    static const struct {
        const char *name;
        unsigned bits;
    } types[] = {{".pred", 1}, {".b16", 16}, {".b32", 32}, {".f32", 32},
                 {".f64", 64}, {".b64", 64}, {".u64", 64}};
    unsigned bits = 0;
    uint64_t count = 0;
    for (size_t i = 0; i < COUNT_OF(types); i++) bits = lex_is(&r->x, types[i].name) ? types[i].bits : bits;
    if (bits == 0) return unknown(&r->x, "a type of registers that is not known:", e);
    lex_next(&r->x);
    Str name = r->x.word;
    if (!expect(&r->x, LEX_WORD, e)) return false;
    if (r->x.kind == '<') {
        lex_next(&r->x);
        if (!expect_number(&r->x, REGISTERS_MAX, &count, e) || !expect(&r->x, '>', e)) return false;
        if (count == 0) return err_set(e, ERR_FAILED, "PTX, line %d: no registers", r->x.line);
    }
    uint32_t at = take_slot(r);
    for (uint64_t i = 1; i < count; i++) take_slot(r);
    r->registers =
        arena_grow(r->arena, r->registers, r->n_registers, &r->registers_capacity, sizeof *r->registers);
    r->registers[r->n_registers++] = (Registers){name, bits, (size_t)count, at};
    return expect(&r->x, ';', e);
}

static bool read_directive(Reader *r, Err *e) {
    Lexer word = r->x;
    lex_next(&r->x);
    if (lex_is(&word, ".reg")) return read_registers(r, e);
    if (lex_is(&word, ".shared")) {
        PtxEntry *entry = r->entry;
        entry->shared =
            arena_grow(r->arena, entry->shared, entry->n_shared, &r->shared_capacity, sizeof *entry->shared);
        return read_shared(&r->x, false, &entry->shared[entry->n_shared++], e);
    }
    if (!lex_is(&word, ".pragma") || r->x.kind != LEX_TEXT || !str_is(r->x.word, "nounroll"))
        return unknown(&word, "a directive that is not known:", e);
    lex_next(&r->x);
    return expect(&r->x, ';', e);
}

// "@!%p1 "
static bool read_guard(Reader *r, Ins *in, Err *e) {
    unsigned bits = 0;
    uint32_t at = 0;
    lex_next(&r->x);
    if (r->x.kind == '!') {
        in->unless = true;
        lex_next(&r->x);
    }
    if (r->x.kind != LEX_WORD || !find_register(r, r->x.word, &bits, &at) || bits != 1)
        return unknown(&r->x, "not a predicate:", e);
    in->guard = (int32_t)at;
    lex_next(&r->x);
    return true;
}

static bool read_instruction(Reader *r, Err *e) {
    Ins in = {.guard = -1, .line = r->x.line};
    char name[160];
    PtxEntry *entry = r->entry;
    if (r->x.kind == '@' && !read_guard(r, &in, e)) return false;
    if (r->x.kind != LEX_WORD || r->x.word.length >= sizeof name) return unknown(&r->x, "no instruction:", e);
    snprintf(name, sizeof name, "%.*s", (int)r->x.word.length, r->x.word.data);
    if (ptx_op(name, 0) == NULL) return unknown(&r->x, "an instruction that is not known:", e);
    Lexer opcode = r->x;
    for (size_t i = 0; (in.op = ptx_op(name, i)) != NULL; i++) {
        r->x = opcode;
        lex_next(&r->x);
        if (read_operands(r, in.op, &in)) break;
    }
    if (in.op == NULL) return unknown(&opcode, "operands that are not known, of", e);
    entry->has_groups = entry->has_groups || in.op->kind == OP_GROUP;
    entry->code = arena_grow(r->arena, entry->code, entry->n_code, &r->code_capacity, sizeof *entry->code);
    entry->code[entry->n_code++] = in;
    return true;
}

static bool read_label_or_instruction(Reader *r, Err *e) {
    Lexer ahead = r->x;
    lex_next(&ahead);
    if (r->x.kind != LEX_WORD || ahead.kind != ':') return read_instruction(r, e);
    r->labels = arena_grow(r->arena, r->labels, r->n_labels, &r->labels_capacity, sizeof *r->labels);
    r->labels[r->n_labels++] = (Label){r->x.word, (uint32_t)r->entry->n_code, r->x.line};
    lex_next(&ahead);
    r->x = ahead;
    return true;
}

// A block in braces; names of registers that are declared in it end with it.
static bool read_body(Reader *r, Err *e) {
    enum { DEPTH_MAX = 16 };
    size_t depth = 1, outside[DEPTH_MAX] = {0};
    if (!expect(&r->x, '{', e)) return false;
    while (depth > 0) {
        bool ok = true;
        if (r->x.kind == '{') {
            if (depth == DEPTH_MAX) return unknown(&r->x, "too deep:", e);
            outside[depth++] = r->n_registers;
            lex_next(&r->x);
        } else if (r->x.kind == '}') {
            r->n_registers = outside[--depth];
            lex_next(&r->x);
        } else if (r->x.kind == LEX_WORD && r->x.word.data[0] == '.') {
            ok = read_directive(r, e);
        } else {
            ok = read_label_or_instruction(r, e);
        }
        if (!ok) return false;
    }
    return true;
}

// Every jump has its label, and nothing runs off the end.
static bool resolve(Reader *r, Err *e) {
    PtxEntry *entry = r->entry;
    size_t bytes = 0;
    for (size_t i = 0; i < r->n_jumps; i++) {
        size_t l = 0;
        while (l < r->n_labels && !str_same(r->labels[l].name, r->jumps[i].name)) l++;
        if (l == r->n_labels || r->labels[l].pc >= entry->n_code)
            return err_set(e, ERR_FAILED, "PTX, line %d: no such label", r->jumps[i].line);
        entry->code[r->jumps[i].pc].target = r->labels[l].pc;
    }
    const Ins *last = entry->n_code > 0 ? &entry->code[entry->n_code - 1] : NULL;
    bool ends = last != NULL && last->guard < 0 && (last->op->kind == OP_END || last->op->kind == OP_BRANCH);
    if (!ends) return err_set(e, ERR_FAILED, "PTX: %s runs off its end", entry->name);
    bool dynamic = false;
    for (size_t i = 0; i < entry->n_shared; i++) {
        const PtxShared *s = &entry->shared[i];
        if (s->placed) bytes += s->bytes;
        dynamic = dynamic || (s->placed && s->dynamic);
    }
    if (bytes > SHARED_STATIC_MAX || (dynamic && entry->shared_top > SHARED_DYNAMIC_AT))
        return err_set(e, ERR_FAILED, "PTX: %s has %zu bytes of shared memory", entry->name, bytes);
    return true;
}

bool ptx_entry(PtxModule *m, const char *name, PtxEntry **ret_entry, Err *e) {
    PtxEntry *entry = NULL;
    for (size_t i = 0; i < m->n_entries; i++) {
        if (strcmp(m->entries[i].name, name) == 0) entry = &m->entries[i];
    }
    if (entry == NULL) return err_set(e, ERR_FAILED, "PTX for %s has no entry %s", m->target, name);
    *ret_entry = entry;
    if (entry->is_read) return true;
    PtxEntry fresh = {.module = entry->module, .body = entry->body, .line = entry->line};
    memcpy(fresh.name, entry->name, sizeof fresh.name);
    *entry = fresh;  // whatever an earlier try left that failed
    Reader r = {.entry = entry, .arena = m->arena};
    r.x = (Lexer){.at = entry->body.data, .end = entry->body.data + entry->body.length, .line = entry->line};
    entry->words = 2 * LANES;  // place 0 is none
    for (size_t i = 0; i < m->n_shared; i++) {
        entry->shared =
            arena_grow(r.arena, entry->shared, entry->n_shared, &r.shared_capacity, sizeof *entry->shared);
        entry->shared[entry->n_shared++] = m->shared[i];
    }
    lex_next(&r.x);
    if (!read_parameters(&r, e) || !read_threads(&r, e) || !read_body(&r, e) || !resolve(&r, e))
        return err_wrap(e, "%s", name);
    entry->is_read = true;
    return true;
}
