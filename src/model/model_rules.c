// The quantisation words of a file as rules over the modules of its model: what each module's weights take.
#include <stdlib.h>
#include <string.h>

#include "src/model/model.h"

enum { PATTERN_BYTES_MAX = 400, GENERAL_RULES_MAX = 1000, BUDGET = 40 * 1000 * 1000 };

// ---------------------------------------------------------------- rules

// The layer that a pattern names outright; -1: any.
static int layer_named(const char *text) {
    const char *at = strstr(text, "layers.");
    int n = 0;
    if (at == NULL) return -1;
    const char *c = at + 7;
    const char *start = c;
    for (; *c >= '0' && *c <= '9' && c - start < 6; c++) n = 10 * n + (*c - '0');
    return c > start && (*c == '.' || *c == '\0') ? n : -1;
}

// Whatever wraps the layers of a language model, here they are "model.layers.N.". Layers of towers and of
// drafts stay apart.
static const char *rooted(Arena *a, const char *text, bool expression) {
    static const char *const wrappers =
        "model language_model text_model backbone transformer decoder thinker ^model ^language_model";
    const char *at = strstr(text, "layers");
    if (at == NULL || (at > text && at[-1] != '.')) return text;
    Str rest = {text, (size_t)(at - text)};
    Str part;
    while (str_next(&rest, '.', &part)) {
        size_t n = part.length;
        if (expression && n > 0 && part.data[n - 1] == '\\') n--;
        if (n > 0 && !word_in(wrappers, arena_copy(a, part.data, n))) return text;
    }
    return arena_printf(a, expression ? "model\\.%s" : "model.%s", at);
}

static void push_rule(ModelQuant *q, Arena *a, const char *text, PatternKind kind, int scheme) {
    if (q->n_rules == q->rules_capacity) {
        size_t capacity = q->rules_capacity == 0 ? 64 : 2 * q->rules_capacity;
        QuantRule *grown = arena_alloc(a, capacity, sizeof *grown);
        if (q->n_rules > 0) memcpy(grown, q->rules, q->n_rules * sizeof *grown);
        q->rules = grown, q->rules_capacity = capacity;
    }
    int layer = kind == PATTERN_EXPRESSION ? -1 : layer_named(text);
    q->n_general += layer < 0;
    q->rules[q->n_rules] = (QuantRule){text, kind, scheme, layer, q->n_rules};
    q->n_rules++;
    q->sorted = false;
}

bool rule_add(ModelDraft *d, const char *pattern, int scheme, Err *e) {
    ModelQuant *q = &d->quant;
    if (strlen(pattern) > PATTERN_BYTES_MAX)
        return err_set(e, ERR_USAGE, "the quantisation names a module with over %d bytes", PATTERN_BYTES_MAX);
    bool expression = strncmp(pattern, "re:", 3) == 0;
    const char *text =
        arena_copy(d->arena, pattern + (expression ? 3 : 0), strlen(pattern) - (expression ? 3 : 0));
    PatternKind kind = expression                    ? PATTERN_EXPRESSION
                       : strpbrk(text, "*?") != NULL ? PATTERN_GLOB
                                                     : PATTERN_PLAIN;
    push_rule(q, d->arena, rooted(d->arena, text, expression), kind, scheme);
    // Engines join projections that files keep apart.
    static const struct {
        const char *joined, *parts;
    } joined[] = {{"qkv_proj", "q_proj k_proj v_proj"},
                  {"gate_up_proj", "gate_proj up_proj"},
                  {"in_proj_qkvz", "in_proj_qkv in_proj_z"},
                  {"in_proj_ba", "in_proj_b in_proj_a"}};
    for (size_t i = 0; !expression && i < COUNT_OF(joined); i++) {
        const char *at = strstr(text, joined[i].joined);
        Str rest = str_of(joined[i].parts);
        Str word;
        while (at != NULL && str_next(&rest, ' ', &word)) {
            const char *one = arena_printf(d->arena, "%.*s%.*s%s", (int)(at - text), text, (int)word.length,
                                           word.data, at + strlen(joined[i].joined));
            push_rule(q, d->arena, rooted(d->arena, one, false), kind, scheme);
        }
    }
    return q->n_general <= GENERAL_RULES_MAX ||
           err_set(e, ERR_USAGE, "the quantisation names over %d patterns of modules", GENERAL_RULES_MAX);
}

int scheme_add(ModelQuant *q, QuantScheme s) {
    for (int i = 0; i < q->n_schemes; i++) {
        if (strcmp(q->schemes[i].text, s.text) == 0) return i;
    }
    if (q->n_schemes == SCHEMES_MAX) return SCHEMES_MAX - 1;
    q->schemes[q->n_schemes] = s;
    return q->n_schemes++;
}

// ---------------------------------------------------------------- look-up

static int by_layer(const void *a, const void *b) {
    const QuantRule *x = a;
    const QuantRule *y = b;
    if (x->layer != y->layer) return x->layer < y->layer ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

// Rules of a layer stand together, the general ones being those of layer -1.
static int at_layer(const void *key, const void *row) {
    int layer = *(const int *)key, other = ((const QuantRule *)row)->layer;
    return (layer > other) - (layer < other);
}

static const QuantRule *first_match(const ModelQuant *q, int layer, const char *name, int64_t *budget,
                                    bool *ret_strange) {
    size_t i = rows_from(&layer, q->rules, q->n_rules, sizeof *q->rules, at_layer);
    for (; i < q->n_rules && q->rules[i].layer == layer; i++) {
        if (pattern_match(q->rules[i].kind, q->rules[i].pattern, name, budget, ret_strange))
            return &q->rules[i];
    }
    return NULL;
}

static int rule_of_name(ModelQuant *q, int layer, const char *name) {
    const QuantRule *any = first_match(q, -1, name, &q->budget, &q->strange);
    const QuantRule *own = layer >= 0 ? first_match(q, layer, name, &q->budget, &q->strange) : NULL;
    const QuantRule *best = any == NULL || (own != NULL && own->order < any->order) ? own : any;
    return best == NULL ? SCHEME_UNSAID : best->scheme;
}

// By every name that the part goes by.
static int rule_of_part(ModelQuant *q, int layer, const Part *p) {
    enum { NAME_BYTES = 160 };
    Str groups = str_of(p->group);
    Str group;
    while (str_next(&groups, ' ', &group)) {
        Str names = str_of(p->name);
        Str name;
        while (str_next(&names, ' ', &name)) {
            Buf full;
            buf_init(&full, NAME_BYTES);
            if (layer >= 0) buf_printf(&full, "model.layers.%d.", layer);
            if (!str_is(group, "-")) buf_printf(&full, "%.*s.", (int)group.length, group.data);
            buf_add(&full, name.data, name.length);
            int found = rule_of_name(q, layer, full.data);
            buf_free(&full);
            if (found != SCHEME_UNSAID) return found;
        }
    }
    return SCHEME_UNSAID;
}

int quant_scheme(ModelQuant *q, int layer, const Part *p) {
    if (q->n_schemes == 0 || p->kind == PART_SMALL) return SCHEME_NONE;
    if (!q->sorted) {
        if (q->n_rules > 0) qsort(q->rules, q->n_rules, sizeof *q->rules, by_layer);
        q->sorted = true;
        q->budget = BUDGET;
    }
    int found = rule_of_part(q, layer, p);
    bool usual = p->kind == PART_MATRIX || p->kind == PART_ROUTED || p->kind == PART_ROUTED_SMALL;
    return found != SCHEME_UNSAID ? found : usual ? q->base : SCHEME_NONE;
}
