// What the user says of runs beyond their files.
#include <stddef.h>

#include "src/runs/parts.h"

#define NUMBER_OF(option, field, lo, hi)                                                                     \
    { option, offsetof(RunGiven, field), true, lo, hi }
#define TEXT_OF(option, field)                                                                               \
    { option, offsetof(RunGiven, field), false, 0, 0 }

static const struct {
    const char *name;
    size_t offset;
    bool number;
    double min, max;
} settings[] = {
    TEXT_OF("model", model),
    TEXT_OF("gpu", gpu),
    NUMBER_OF("gpus", gpus, 1, 1e5),
    TEXT_OF("engine", engine),
    TEXT_OF("weights", weights),
    TEXT_OF("kv", kv),
    NUMBER_OF("tp", tp, 1, 1024),
    NUMBER_OF("pp", pp, 1, 1024),
    NUMBER_OF("ep", ep, 1, 1024),
    NUMBER_OF("dp", dp, 1, 1e5),
    NUMBER_OF("isl", isl, 1, 1e9),
    NUMBER_OF("osl", osl, 1, 1e9),
    NUMBER_OF("concurrency", concurrency, 1, 1e9),
    NUMBER_OF("cached-prompt", cached_prompt, 0, 1),
    TEXT_OF("draft-tokens", draft_tokens),
    NUMBER_OF("prefill-gpus", prefill_gpus, 1, 1e5),
    TEXT_OF("host", host),
    TEXT_OF("as-of", date),
};

RunGiven runs_given_none(void) {
    RunGiven g;
    const char *none = "";
    const double unknown = UNKNOWN_NUMBER;
    memset(&g, 0, sizeof g);
    g.version = "";
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        char *where = (char *)&g + settings[i].offset;
        if (settings[i].number)
            memcpy(where, &unknown, sizeof unknown);
        else
            memcpy(where, &none, sizeof none);
    }
    return g;
}

bool runs_given_set(RunGiven *g, const char *name, const char *value, Arena *a, Err *e) {
    size_t i = 0;
    while (i < COUNT_OF(settings) && strcmp(settings[i].name, name) != 0) i++;
    if (i == COUNT_OF(settings))
        return err_set(e, ERR_USAGE, "'%.60s' is none of model, gpu, gpus, engine, weights, kv, tp, ...",
                       name);
    if (value[0] == '\0' || strlen(value) > TEXT_SHOWN_MAX)
        return err_set(e, ERR_USAGE, "'%s' needs a value of at most %d bytes", name, TEXT_SHOWN_MAX);
    char *where = (char *)g + settings[i].offset;
    if (settings[i].number) {
        double x = 0;
        bool whole = strcmp(name, "cached-prompt") != 0;
        if (!parse_number(str_of(value), settings[i].min, settings[i].max, &x, e))
            return err_wrap(e, "'%s'", name);
        if (whole && floor(x) != x)
            return err_set(e, ERR_USAGE, "'%s': '%.60s' is no whole number", name, value);
        memcpy(where, &x, sizeof x);
        return true;
    }
    const char *text = text_clean(a, value);
    if (strcmp(name, "as-of") == 0) {
        int64_t days = 0;
        if (!parse_date(str_of(text), &days, e)) return err_wrap(e, "'%s'", name);
    }
    const char *colon = strcmp(name, "engine") == 0 ? strchr(text, ':') : NULL;
    if (colon != NULL) {
        g->version = colon + 1;
        text = arena_copy(a, text, (size_t)(colon - text));
    }
    memcpy(where, &text, sizeof text);
    return true;
}

bool runs_given_read(Str text, Arena *a, RunGiven *ret_given, Err *e) {
    RunGiven g = runs_given_none();
    Str line;
    size_t number = 0;
    if (!str_is_utf8(text)) return err_set(e, ERR_USAGE, "not valid UTF-8");
    while (line_next(&text, &line)) {
        number++;
        const char *hash = find_in(line, "#");
        if (hash != NULL) line.length = (size_t)(hash - line.data);
        line = str_trim(line);
        if (line.length == 0) continue;
        Str name;
        Str rest = line;
        str_next(&rest, '=', &name);
        name = str_trim(name);
        rest = str_trim(rest.data == NULL ? (Str){"", 0} : rest);
        if (rest.length == 0) return err_set(e, ERR_USAGE, "line %zu: expected 'name = value'", number);
        if (!runs_given_set(&g, arena_copy(a, name.data, name.length), arena_copy(a, rest.data, rest.length),
                            a, e))
            return err_wrap(e, "line %zu", number);
    }
    *ret_given = g;
    return true;
}

RunGiven runs_given_merge(const RunGiven *first, const RunGiven *then) {
    RunGiven g = *first;
    if (g.engine[0] == '\0') g.version = then->version;
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        char *to = (char *)&g + settings[i].offset;
        const char *from = (const char *)then + settings[i].offset;
        if (settings[i].number) {
            double x = 0;
            memcpy(&x, to, sizeof x);
            if (!is_known(x)) memcpy(to, from, sizeof(double));
        } else {
            const char *text = NULL;
            memcpy(&text, to, sizeof text);
            const void *at_other = from;
            if (text[0] == '\0') memcpy(to, at_other, sizeof text);
        }
    }
    return g;
}
