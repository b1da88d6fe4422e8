// The box of an option.
#include "tui/option_box.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- sources, each once

typedef struct Sources {
    const char **list;
    size_t n, capacity;
    Arena *arena;
} Sources;

static size_t source_number(Sources *s, Str text) {
    for (size_t i = 0; i < s->n; i++) {
        if (str_is(text, s->list[i])) return i + 1;
    }
    s->list = arena_grow(s->arena, (void *)s->list, s->n, &s->capacity, sizeof *s->list);
    s->list[s->n++] = arena_copy(s->arena, text.data, text.length);
    return s->n;
}

// "[1][3]" of "a; b".
static const char *source_numbers(Sources *s, const char *sources) {
    const char *text = "";
    Str rest = str_of(sources);
    Str one;
    while (rest.length > 0 && str_next(&rest, ';', &one)) {
        one = str_trim(one);
        if (one.length > 0) text = arena_printf(s->arena, "%s[%zu]", text, source_number(s, one));
    }
    return text;
}

// ---------------------------------------------------------------- parts

static const char *cell(const List *l, size_t row, const char *key, Arena *a) {
    for (size_t c = 0; c < l->of->n_columns; c++) {
        if (strcmp(l->of->columns[c].key, key) == 0) return list_text(l, row, c, a);
    }
    return "-";
}

static void add_head(const Option *o, const List *l, size_t row, Sources *s, Buf *b) {
    Arena *a = s->arena;
    buf_printf(b, "%d x %s, %s%s%s\n\n", o->gpu_count, o->gpu->sku_id, o->offer->provider,
               o->offer->region[0] != '\0' ? ", " : "", o->offer->region);
    if (o->engine[0] != '\0') buf_printf(b, "engine         %s\n", o->engine);
    buf_printf(b, "weights        %s%s%s\n", dtype_names[o->weights],
               o->engine[0] != '\0' ? ", KV cache " : "", o->engine[0] != '\0' ? dtype_names[o->kv] : "");
    buf_printf(b, "layout         %s, %d replica%s on %d instance%s\n", cell(l, row, "parallel", a),
               o->replicas, o->replicas == 1 ? "" : "s", o->instances, o->instances == 1 ? "" : "s");
    if (is_known(o->memory_used_pct))
        buf_printf(b, "memory         %s %% of %s GB a GPU\n", number_text(a, o->memory_used_pct, 3),
                   number_text(a, o->gpu->memory_gb, 4));
    buf_printf(b, "price          $%s per GPU-hour, $%s per hour in all%s%s %s\n",
               number_text(a, o->price_usd_gpu_h, 4), number_text(a, o->price_usd_h, 4),
               o->today ? ", what runs today" : ", seen ", o->today ? "" : o->offer->as_of,
               arena_printf(a, "[%zu]", source_number(s, str_of(o->offer->source))));
    if (!o->today && !o->price_ahead)
        buf_printf(b, "age of price   %lld days, sold by %s\n", (long long)o->price_age_days,
                   seller_class_names[o->seller]);
}

static void add_figures(const Option *o, Sources *s, Buf *b) {
    const struct {
        const char *name;
        const Estimate *x;
    } figures[] = {{"$/Mtok", &o->output_usd_mtok},
                   {"$/Mtok in+out", &o->blended_usd_mtok},
                   {"$/Mtok full", &o->saturated_output_usd_mtok},
                   {"tok/s", &o->output_tokens_s},
                   {"tok/s/user", &o->tokens_s_user},
                   {"TTFT p50 ms", &o->ttft_p50_ms},
                   {"TTFT p99 ms", &o->ttft_p99_ms},
                   {"TPOT ms", &o->tpot_ms},
                   {"images/s", &o->images_s},
                   {"$/1k images", &o->usd_1k_images},
                   {"trained tok/s", &o->train_tokens_s},
                   {"hours", &o->hours_total},
                   {"$ in all", &o->usd_total},
                   {"$ a run", &o->usd_run},
                   {"texts/s", &o->sequences_s},
                   {"tok/s in", &o->input_tokens_s}};
    buf_puts(b, "\nEstimates with their 80 % range, and what they stand on\n");
    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        char text[160];
        if (!is_known(figures[i].x->value)) continue;
        estimate_text(text, sizeof text, figures[i].x, 3);
        buf_printf(b, "%-14s %s, %s %s\n", figures[i].name, text, basis_names[figures[i].x->basis],
                   source_numbers(s, figures[i].x->sources));
    }
}

// The lines of how it came about, but for price and sources, which stand above.
static void add_explained(const Advice *advice, const Option *o, Sources *s, Buf *b) {
    Buf all;
    Str line;
    buf_init(&all, BUF_LIMIT);
    advice_explain(advice, o, 0, s->arena, &all);
    Str rest = {all.data, all.length};
    while (rest.length > 0 && str_next(&rest, '\n', &line)) {
        static const char *const said[] = {"price ", "sources "};
        bool skipped = false;
        for (size_t i = 0; i < COUNT_OF(said); i++) {
            size_t n = strlen(said[i]);
            skipped = skipped || (line.length >= n && memcmp(line.data, said[i], n) == 0);
        }
        if (!skipped) buf_printf(b, "%.*s\n", (int)line.length, line.data);
    }
    buf_free(&all);
}

static void add_rest(const List *l, size_t row, Sources *s, Buf *b) {
    buf_puts(b, "\nThe row\n");
    for (size_t c = 0; c < l->of->n_columns; c++)
        buf_printf(b, "%-14s %s\n", l->of->columns[c].title, list_text(l, row, c, s->arena));
}

const char *option_text(const Advice *advice, const List *list, size_t row, Arena *a) {
    const Option *o = &advice->options[row];
    Sources s = {.arena = a};
    Buf b;
    buf_init(&b, BUF_LIMIT);
    add_head(o, list, row, &s, &b);
    add_figures(o, &s, &b);
    if (s.n > 0) buf_puts(&b, "\nSources\n");
    for (size_t i = 0; i < s.n; i++) buf_printf(&b, "[%zu]  %s\n", i + 1, s.list[i]);
    add_explained(advice, o, &s, &b);
    add_rest(list, row, &s, &b);
    return buf_take(&b, a);
}

const char *vendor_absent(const Advice *advice, int vendor, Arena *a) {
    const Ask *ask = advice->ask;
    const char *unknown = advice->verdict.unknown_because;
    if (advice->best[vendor] != NULL) return NULL;
    if (ask->vendor >= 0 && ask->vendor != vendor)
        return arena_printf(a, "%s was not asked for (--vendor %s)", vendor_titles[vendor],
                            vendor_names[ask->vendor]);
    // where both have none, each was judged
    if (unknown != NULL && unknown[0] != '\0') return unknown;
    return arena_printf(a, "%s: nothing meets what was asked", vendor_titles[vendor]);
}

const char *option_brief(const Advice *advice, size_t option, Arena *a) {
    const Option *o = &advice->options[option];
    bool serving = is_known(o->tpot_ms.value);
    return arena_printf(a, "%zu: %c %d x %s, %s: $%s%s%s%s, $%s/h", option + 1,
                        vendor_titles[o->gpu->vendor][0], o->gpu_count, o->gpu->sku_id, o->offer->provider,
                        number_text(a, o->cost, 3), serving ? ", " : "",
                        serving ? number_text(a, o->tpot_ms.value, 3) : "", serving ? " ms" : "",
                        number_text(a, o->price_usd_h, 3));
}
