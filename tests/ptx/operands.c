// Reading the operands of an instruction by its row's format.
#include "tests/ptx/operands.h"

uint32_t take_slot(Reader *r) {
    uint32_t at = r->entry->words;
    r->entry->words += 2 * LANES;
    return at;
}

bool find_register(const Reader *r, Str name, unsigned *ret_bits, uint32_t *ret_at) {
    for (size_t i = r->n_registers; i-- > 0;) {
        const Registers *g = &r->registers[i];
        int64_t number = 0;
        if (g->count == 0 && !str_same(g->name, name)) continue;
        if (g->count > 0) {
            if (name.length <= g->name.length || memcmp(name.data, g->name.data, g->name.length) != 0)
                continue;
            Str digits = {name.data + g->name.length, name.length - g->name.length};
            if (!parse_integer(digits, 0, (int64_t)g->count - 1, &number, NULL)) continue;
        }
        *ret_bits = g->bits;
        *ret_at = g->at + (uint32_t)number * 2 * LANES;
        return true;
    }
    return false;
}

static bool hex_of(Str digits, uint64_t *ret_value) {
    uint64_t value = 0;
    if (digits.length == 0 || digits.length > 16) return false;
    for (size_t i = 0; i < digits.length; i++) {
        char c = char_lower(digits.data[i]);
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) return false;
        value = value << 4 | (uint64_t)digit;
    }
    *ret_value = value;
    return true;
}

static bool decimal_of(Str digits, uint64_t *ret_value) {
    uint64_t value = 0;
    if (digits.length == 0) return false;
    for (size_t i = 0; i < digits.length; i++) {
        unsigned digit = (unsigned)(digits.data[i] - '0');
        if (digits.data[i] < '0' || digit > 9 || value > (UINT64_MAX - digit) / 10) return false;
        value = value * 10 + digit;
    }
    *ret_value = value;
    return true;
}

bool read_literal(Lexer *x, uint64_t *ret_value) {
    bool minus = x->kind == '-';
    uint64_t value = 0;
    if (minus) lex_next(x);
    if (x->kind != LEX_WORD) return false;
    Str w = x->word, rest = {w.data + 2, w.length > 2 ? w.length - 2 : 0};
    bool prefixed =
        w.length > 2 && w.data[0] == '0' && (w.data[1] == 'x' || w.data[1] == 'f' || w.data[1] == 'd');
    bool is_float = prefixed && w.data[1] == 'f';
    bool is_double = prefixed && w.data[1] == 'd';
    if (((is_float || is_double) && (minus || rest.length != (is_float ? 8 : 16))) ||
        !(prefixed ? hex_of(rest, &value) : decimal_of(w, &value)))
        return false;
    lex_next(x);
    *ret_value = minus ? 0 - value : value;
    return true;
}

// Where a number stands in every lane.
static uint32_t constant(Reader *r, uint64_t value, bool wide) {
    PtxEntry *entry = r->entry;
    for (size_t i = 0; i < entry->n_constants; i++) {
        if (entry->constants[i].value == value && entry->constants[i].wide == wide)
            return entry->constants[i].at;
    }
    uint32_t at = take_slot(r);
    entry->constants = arena_grow(r->arena, entry->constants, entry->n_constants, &r->constants_capacity,
                                  sizeof *entry->constants);
    entry->constants[entry->n_constants++] = (Constant){value, at, wide};
    return at;
}

// Arrays lie apart, so that what runs over the end of one is not in the next.
static bool find_shared(Reader *r, Str name, uint32_t *ret_offset) {
    enum { GAP = 256 };
    PtxEntry *entry = r->entry;
    for (size_t i = entry->n_shared; i-- > 0;) {
        PtxShared *s = &entry->shared[i];
        if (!str_same(s->name, name)) continue;
        uint32_t align = (uint32_t)s->align;
        if (!s->placed) {
            s->offset =
                s->dynamic ? SHARED_DYNAMIC_AT : (entry->shared_top + GAP + align - 1) / align * align;
            if (!s->dynamic) entry->shared_top = s->offset + (uint32_t)s->bytes;
            s->placed = true;
        }
        *ret_offset = s->offset;
        return true;
    }
    return false;
}

// %tid.x and its like.
static uint32_t *special(Reader *r, Str name) {
    PtxEntry *e = r->entry;
    return str_is(name, "%tid.x")      ? &e->tid
           : str_is(name, "%ctaid.x")  ? &e->block
           : str_is(name, "%nctaid.x") ? &e->blocks
           : str_is(name, "%ntid.x")   ? &e->width
                                       : NULL;
}

static bool bits_fit(char letter, unsigned bits) {
    switch (char_lower(letter)) {
    case 'p': return bits == 1;
    case 'h': return bits == 16;
    case 'w': return bits == 32;
    case 'q': return bits == 64;
    default: return bits == 16 || bits == 32;
    }
}

static bool read_value(Reader *r, char letter, Ins *in, uint32_t *ret_at) {
    bool writes = letter >= 'A' && letter <= 'Z';
    unsigned bits = 0;
    uint32_t offset = 0;
    uint64_t value = 0;
    if (r->x.kind == LEX_WORD && find_register(r, r->x.word, &bits, ret_at)) {
        if (!bits_fit(letter, bits)) return false;
        in->touched[in->n_touched++] = *ret_at;
        in->n_written += writes;
        lex_next(&r->x);
        return true;
    }
    if (writes) return false;
    uint32_t *slot = r->x.kind == LEX_WORD && letter == 'w' ? special(r, r->x.word) : NULL;
    if (slot != NULL) {
        if (*slot == 0) *slot = take_slot(r);
        *ret_at = *slot;
        lex_next(&r->x);
        return true;
    }
    if (r->x.kind == LEX_WORD && letter == 'q' && find_shared(r, r->x.word, &offset)) {
        *ret_at = constant(r, offset, true);
        lex_next(&r->x);
        return true;
    }
    if (!read_literal(&r->x, &value)) return false;
    value = letter == 'p' ? (value != 0 ? ALL_LANES : 0) : letter == 'h' ? value & 0xFFFF : value;
    *ret_at = constant(r, letter == 'q' ? value : (uint32_t)value, letter == 'q');
    return true;
}

// "[%rd1+-16]", "[array+4]", "[%r5]"
static bool read_address(Reader *r, char letter, Ins *in, uint32_t *ret_at) {
    uint64_t offset = 0;
    uint32_t at = 0;
    if (r->x.kind != '[') return false;
    lex_next(&r->x);
    if (r->x.kind != LEX_WORD || !read_value(r, letter == 'a' ? 'w' : 'q', in, &at)) return false;
    if (r->x.kind == '+') {
        lex_next(&r->x);
        if (!read_literal(&r->x, &offset)) return false;
    }
    if (r->x.kind != ']') return false;
    lex_next(&r->x);
    if (letter == 'a' && offset != 0) return false;
    if (letter == 'm') in->offset = (int64_t)offset;
    *ret_at = at;
    return true;
}

static bool read_parameter(Reader *r, uint32_t *ret_at) {
    if (r->x.kind != '[') return false;
    lex_next(&r->x);
    for (size_t i = 0; i < r->entry->n_params && r->x.kind == LEX_WORD; i++) {
        if (!str_same(r->entry->param_names[i], r->x.word)) continue;
        *ret_at = r->entry->params[i];
        lex_next(&r->x);
        if (r->x.kind != ']') return false;
        lex_next(&r->x);
        return true;
    }
    return false;
}

static bool read_label(Reader *r) {
    if (r->x.kind != LEX_WORD) return false;
    r->jumps = arena_grow(r->arena, r->jumps, r->n_jumps, &r->jumps_capacity, sizeof *r->jumps);
    r->jumps[r->n_jumps++] = (Label){r->x.word, (uint32_t)r->entry->n_code, r->x.line};
    lex_next(&r->x);
    return true;
}

static bool read_number(Reader *r, uint32_t *ret_value) {
    uint64_t value = 0;
    if (!read_literal(&r->x, &value) || value > UINT32_MAX) return false;
    *ret_value = (uint32_t)value;
    return true;
}

static bool read_one(Reader *r, char letter, Ins *in, uint32_t *ret_at) {
    switch (letter) {
    case 'm':
    case 'a': return read_address(r, letter, in, ret_at);
    case 'k': return read_parameter(r, ret_at);
    case 'l': return read_label(r);
    case 'n': return read_number(r, ret_at);
    default: return read_value(r, letter, in, ret_at);
    }
}

// From behind the brace of the format to behind the closing one.
static bool read_list(Reader *r, const char **format, Ins *in) {
    if (r->x.kind != '{') return false;
    lex_next(&r->x);
    for (bool first = true;; first = false) {
        bool any = (*format)[1] == '*';
        if (any ? r->x.kind == '}' && !first : **format == '}') break;
        if (!first) {
            if (r->x.kind != ',') return false;
            lex_next(&r->x);
        }
        if (in->n_list == LIST_MAX || !read_one(r, **format, in, &in->list[in->n_list])) return false;
        in->n_list++;
        if (!any) (*format)++;
    }
    if ((*format)[1] == '*') *format += 2;
    if (r->x.kind != '}') return false;
    (*format)++;
    lex_next(&r->x);
    return true;
}

bool read_operands(Reader *r, const Op *op, Ins *in) {
    size_t n = 0;
    in->list = r->list, in->touched = r->touched;
    in->n_list = in->n_touched = in->n_written = 0;
    for (const char *f = op->format; *f != '\0';) {
        if (f != op->format) {
            if (r->x.kind != ',') return false;
            lex_next(&r->x);
        }
        bool ok = false;
        if (*f == '{') {
            f++;
            ok = read_list(r, &f, in);
        } else {
            ok = n < OPERANDS_MAX && read_one(r, *f++, in, &in->at[n]);
            n++;
        }
        if (!ok) return false;
    }
    if (r->x.kind != ';') return false;
    in->list = (uint32_t *)(void *)arena_copy(r->arena, (const char *)r->list, in->n_list * sizeof *r->list);
    in->touched = (uint32_t *)(void *)arena_copy(r->arena, (const char *)r->touched,
                                                 in->n_touched * sizeof *r->touched);
    lex_next(&r->x);
    return true;
}
