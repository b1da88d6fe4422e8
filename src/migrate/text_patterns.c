// The rows of data/text_patterns.tsv as scanners take them: words as bits, the heaviest class first.
#include <string.h>

#include "src/migrate/effort_sum.h"
#include "src/migrate/text.h"

#define K(kind) (1u << TEXT_##kind)

enum {
    PY = K(PYTHON) | K(NOTEBOOK),
    COMMANDS = K(SHELL) | K(MAKE) | K(DOCKER) | K(YAML),
    BUILD = COMMANDS | K(CMAKE) | K(BAZEL) | K(MESON) | K(TOML) | K(INI)
};

// Words that stand for several kinds.
static const WordBits kind_groups[] = {
    {"py", PY},
    {"commands", COMMANDS},  // where commands stand
    {"build", BUILD},
    {"images", K(SHELL) | K(DOCKER) | K(YAML) | K(MAKE) | K(APPTAINER) | K(JSON) | K(TERRAFORM)},
    {"any", PY | BUILD | K(APPTAINER) | K(JSON) | K(JULIA) | K(TERRAFORM)},
    {"jobs", K(SHELL) | K(YAML) | K(MAKE) | K(APPTAINER)},
    {"cluster", K(YAML) | K(SHELL) | K(TERRAFORM) | K(JSON) | PY},
    {"flags", COMMANDS | K(CMAKE) | K(MESON) | K(AUTOCONF)},
    {"lists", K(REQUIREMENTS) | K(TOML) | K(YAML) | K(SHELL) | K(DOCKER) | K(INI)},
};

static const WordBits places[] = {{"code", IN_CODE},
                                  {"string", IN_STRING},
                                  {"whole", IN_WHOLE},
                                  {"arguments", IN_ARGUMENTS},
                                  {"setup", IN_SETUP}};

bool cell_bits(const char *column, const char *cell, const WordBits *known, size_t n, unsigned *ret_bits,
               Err *e) {
    Str rest = str_of(cell);
    Str word;
    *ret_bits = 0;
    while (str_next(&rest, ' ', &word)) {
        size_t k = 0;
        if (word.length == 0) continue;
        while (k < n && !str_is(word, known[k].word)) k++;
        if (k == n)
            return err_set(e, ERR_FAILED, "column '%s': '%.*s' is no word of it", column,
                           word.length > 60 ? 60 : (int)word.length, word.data);
        *ret_bits |= known[k].bits;
    }
    return true;
}

static bool read_pattern(const TextPatternFact *r, bool known_rule, TextPattern *ret, Err *e) {
    WordBits kinds[COUNT_OF(kind_groups) + TEXT_KIND_COUNT];
    size_t n = COUNT_OF(kind_groups);
    memcpy(kinds, kind_groups, sizeof kind_groups);
    for (unsigned k = TEXT_NONE + 1; k < TEXT_KIND_COUNT; k++)
        kinds[n++] = (WordBits){text_kind_names[k], 1u << k};
    *ret = (TextPattern){.rule = r->rule, .before = r->before, .text = r->text};
    if (!known_rule) return err_set(e, ERR_FAILED, "no rule '%.60s' in cuda_constructs.tsv", r->rule);
    if (!char_is_word(r->text[0]))
        return err_set(e, ERR_FAILED, "column 'text': '%.60s' does not start as a word does", r->text);
    if (!cell_bits("kinds", r->kinds, kinds, n, &ret->kinds, e) ||
        !cell_bits("where", r->where, places, COUNT_OF(places), &ret->where, e))
        return false;
    if ((ret->where & IN_ARGUMENTS) != 0 && r->also[0] == '\0')
        return err_set(e, ERR_FAILED, "column 'also': empty, so that nothing is looked for among arguments");
    if (r->also[0] != '\0') ret->also = r->also;
    if (r->unless[0] != '\0') ret->unless = r->unless;
    return true;
}

bool text_patterns(const PortingFacts *facts, Arena *a, TextFacts *ret, Err *e) {
    size_t total = facts->n_text_patterns;
    if (total > TEXT_PATTERNS_MAX)
        return err_set(e, ERR_FAILED, "'text_patterns.tsv': more than %d rows", TEXT_PATTERNS_MAX);
    TextPattern *rows = arena_alloc(a, total + 1, sizeof *rows);
    size_t n = 0;
    // Signs, which are no findings, come last.
    for (int class = PORT_CLASS_COUNT - 1; class >= -1; class --) {
        for (size_t i = 0; i < total; i++) {
            const TextPatternFact *r = &facts->text_patterns[i];
            const PortRule *rule = rule_find(facts, r->rule);
            if ((rule == NULL ? -1 : (int)rule->port_class) != class) continue;
            bool sign = strcmp(r->rule, SIGN_BUILD) == 0 || strcmp(r->rule, SIGN_CODE) == 0;
            if (!read_pattern(r, rule != NULL || sign, &rows[n++], e))
                return err_wrap(e, "'text_patterns.tsv': line %zu", r->line);
        }
    }
    ret->patterns = rows;
    ret->n_patterns = n;
    return true;
}
