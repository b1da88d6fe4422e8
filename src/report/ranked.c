// The ranked options for people: a line is one GPU, number, engine and precision at all sellers of it. And
// one an option, for the screen.
#include "src/report/ranked.h"

#include <math.h>
#include <string.h>

#include "src/advise/prices.h"
#include "src/report/page.h"

enum { NARROW = 80, NAMES_WIDTH = 22 };

// ---------------------------------------------------------------- lines

static bool same_line(const Option *x, const Option *y) {
    return x->gpu == y->gpu && x->gpu_count == y->gpu_count && strcmp(x->engine, y->engine) == 0 &&
           x->weights == y->weights && x->kv == y->kv;
}

static void add_seller(RankLine *line, const Option *o) {
    size_t i = 0;
    while (i < line->n_sellers && strcmp(line->sellers[i], o->offer->provider) != 0) i++;
    if (i == line->n_sellers) line->sellers[line->n_sellers++] = o->offer->provider;
    line->price_high = fmax(line->price_high, o->price_usd_h);
    line->price_low = fmin(line->price_low, o->price_usd_h);
    line->cost_high = o->cost;  // they come by cost
}

static RankLine line_of(Arena *a, const Option *o, size_t sellers_max) {
    RankLine line = {.option = o,
                     .sellers = arena_alloc(a, sellers_max, sizeof *line.sellers),
                     .price_low = o->price_usd_h,
                     .price_high = o->price_usd_h,
                     .cost_high = o->cost};
    add_seller(&line, o);
    return line;
}

static bool same_offer(const Option *x, const Option *y) {
    return y != NULL && x->gpu == y->gpu && x->offer == y->offer;
}

// Every line of what is offered, cheapest first. The options of a front of cost and speed differ by more than their sellers:
// each is a line there.
static RankLine *all_lines(const Advice *advice, Arena *a, size_t *ret_n) {
    RankLine *lines = arena_alloc(a, advice->n_all + 1, sizeof *lines);
    size_t n = 0;
    for (size_t i = 0; i < advice->n_all; i++) {
        const Option *o = &advice->all[i];
        if (o->today) continue;
        size_t k = advice->ask->pareto ? n : 0;
        while (k < n && !same_line(lines[k].option, o)) k++;
        if (k == n) {
            lines[n++] = line_of(a, o, advice->n_all - i);
            lines[k].rank = n;
        }
        add_seller(&lines[k], o);
        lines[k].best = lines[k].best || same_offer(o, advice->best[o->gpu->vendor]);
        lines[k].next = lines[k].next || same_offer(o, advice->next[o->gpu->vendor]);
    }
    *ret_n = n;
    return lines;
}

static bool among_best(const RankLine *lines, size_t i) {
    const Gpu *g = lines[i].option->gpu;
    size_t others = 0;
    for (size_t k = 0; k < i; k++) {
        if (lines[k].option->gpu == g) return false;
        size_t before = 0;
        while (before < k && lines[before].option->gpu != lines[k].option->gpu) before++;
        others += before == k && lines[k].option->gpu->vendor == g->vendor;
    }
    return others < VENDOR_KEPT;
}

// What runs today is a line of its own, also beside the same GPUs at sellers.
static RankLine today_line(const Advice *advice, Arena *a) {
    RankLine line = line_of(a, advice->current, 1);
    line.best = advice->best[advice->current->gpu->vendor] == advice->current;
    return line;
}

const RankLine *ranked_lines(const Advice *advice, size_t top, Arena *a, size_t *ret_n, size_t *ret_all) {
    const Option *now = advice->current;
    RankLine *lines = all_lines(advice, a, ret_all);
    RankLine *kept = arena_alloc(a, *ret_all + 1, sizeof *kept);
    size_t n = 0;
    for (size_t i = 0; i < *ret_all; i++) {
        if (now != NULL && now->cost < lines[i].option->cost) {
            kept[n++] = today_line(advice, a);
            now = NULL;
        }
        if (i < top || lines[i].next || among_best(lines, i)) kept[n++] = lines[i];
    }
    if (now != NULL) kept[n++] = today_line(advice, a);
    *ret_n = n;
    return kept;
}

const char *sellers_text(const RankLine *line, size_t width, Arena *a) {
    const char *names = line->sellers[0];
    const char *text = "";
    for (size_t n = 1;; n++) {
        const char *longer =
            n < line->n_sellers ? arena_printf(a, "%s +%zu", names, line->n_sellers - n) : names;
        if (n > 1 && text_width(longer) > width) return text;
        text = longer;
        if (n == line->n_sellers) return text;
        names = arena_printf(a, "%s, %s", names, line->sellers[n]);
    }
}

// ---------------------------------------------------------------- columns

// What always fits, and (MORE) what only a wide terminal, Markdown and CSV show.
// clang-format off
#define RANKED(X) \
    X(RANK,        "rank",                        "#",         NUMBER(4)) \
    X(GPUS,        "gpus",                        "GPUS",      TEXT) \
    X(VENDOR,      "vendor",                      "VENDOR",    MORE_TEXT) \
    X(PROVIDER,    "provider",                    "PROVIDER",  TEXT) \
    X(REGION,      "region",                      "REGION",    MORE_TEXT) \
    X(USD_H,       "price_usd_per_hour",          "$/h",       NUMBER(3)) \
    X(COST,        "cost_usd",                    "$/Mtok",    NUMBER(3)) \
    X(OUT_COST,    "output_usd_per_mtok",         "$ OUT",     MORE_NUMBER(3)) \
    X(MARKS,       "marks",                       "MARK",      MORE_TEXT) \
    X(MONTH,       "usd_per_month",               "$/month",   MORE_NUMBER(4)) \
    X(SELLER,      "seller_class",                "SOLD BY",   MORE_TEXT) \
    X(SPREAD,      "cost_spread_pct",             "+/-%",      NUMBER(2)) \
    X(TOK_GPU,     "output_tokens_per_s_per_gpu", "tok/s/GPU", NUMBER(3)) \
    X(TOK_USER,    "tokens_per_s_per_user",       "/user",     MORE_NUMBER(3)) \
    X(TTFT50,      "ttft_p50_ms",                 "TTFT50",    MORE_NUMBER(3)) \
    X(TTFT99,      "ttft_p99_ms",                 "TTFT99",    MORE_NUMBER(3)) \
    X(TPOT,        "tpot_ms",                     "TPOT",      NUMBER(3)) \
    X(CONCURRENCY, "concurrency",                 "CONC",      MORE_NUMBER(4)) \
    X(PARALLEL,    "parallel",                    "LAYOUT",    MORE_TEXT) \
    X(ENGINE,      "engine",                      "ENGINE",    MORE_TEXT) \
    X(WEIGHTS,     "weights",                     "DTYPE",     MORE_TEXT) \
    X(MEMORY,      "memory_used_pct",             "MEM%",      MORE_NUMBER(2)) \
    X(BASIS,       "basis",                       "BASIS",     MORE_TEXT) \
    X(SEEN,        "price_seen_at",               "SEEN",      MORE_TEXT)
#define RANK_ID(id, key, title, kind) id,
#define RANK_COLUMN(id, key, title, kind) LISTING_COLUMN(key, title, kind, )
// clang-format on
typedef enum RankColumn { RANKED(RANK_ID) RANK_COLUMNS } RankColumn;
static const Column rank_columns[] = {RANKED(RANK_COLUMN)};

// What a terminal wider than 80 columns shows besides, the most wanted first, and the columns that each
// takes.
static const struct {
    RankColumn column;
    size_t takes;
} rank_extras[] = {{TOK_GPU, 11},    {SPREAD, 6},  {TPOT, 6},      {TTFT99, 8}, {TTFT50, 8},  {TOK_USER, 7},
                   {CONCURRENCY, 6}, {BASIS, 14},  {PARALLEL, 10}, {MEMORY, 6}, {ENGINE, 14}, {WEIGHTS, 7},
                   {SEEN, 12},       {SELLER, 18}, {REGION, 20},   {VENDOR, 8}};

// Chooses the columns for a width (0 = all) and names those whose unit depends on the kind of workload.
static void name_columns(const Ask *ask, bool lines, size_t width, Column columns[RANK_COLUMNS]) {
    const Workload *w = &ask->workload;
    memcpy(columns, rank_columns, sizeof rank_columns);
    columns[COST].title = cost_title(ask);
    columns[OUT_COST].detail = !(lines && inputs_lead(ask));
    if (lines) {  // ranges take the room of two columns
        columns[TOK_GPU].detail = columns[SPREAD].detail = columns[TPOT].detail = true;
        columns[MARKS].detail = false;
        columns[MONTH].detail = width > 0;
        columns[USD_H].number = columns[COST].number = false;
    }
    size_t room = width == 0 ? SIZE_MAX : width > NARROW ? width - NARROW : 0;
    for (size_t i = 0; i < COUNT_OF(rank_extras) && room >= rank_extras[i].takes; i++) {
        RankColumn c = rank_extras[i].column;
        // a line has several regions, and its vendor before its GPUs
        bool other = lines ? c == REGION || c == VENDOR : c == SELLER;
        if (!columns[c].detail || other) continue;
        columns[c].detail = false;
        room -= width == 0 ? 0 : rank_extras[i].takes;
    }
    if (serves_tokens(w)) return;
    for (size_t i = TOK_USER; i <= CONCURRENCY; i++) columns[i].detail = true;
    columns[TOK_GPU].key = kind_of(w)->rate_key;
    columns[TOK_GPU].title = kind_of(w)->rate_unit;
}

static const char *short_layout(Page *p, const Option *o) {
    return o->serving.group != NULL
               ? arena_printf(p->arena, "%s x %d", layout_text(&o->layout, p->arena), o->replicas)
               : "";
}

// All cells of an option but those that a line of several sellers has otherwise.
static void option_cells(Page *p, Listing *l, const Option *o) {
    const Serving *s = &o->serving;
    bool serving = s->group != NULL;
    listing_set(
        l,
        L_TEXT(GPUS, arena_printf(p->arena, "%c %d x %s", vendor_titles[o->gpu->vendor][0], o->gpu_count,
                                  o->gpu->sku_id)),
        L_TEXT(VENDOR, vendor_titles[o->gpu->vendor]), L_TEXT(REGION, o->offer->region),
        L_NUMBER(OUT_COST, o->output_usd_mtok.value),
        L_NUMBER(SPREAD, 100 * (exp(Z80 * hypot(o->sigma_log, o->sigma_price)) - 1)),
        L_NUMBER(TOK_GPU, serving ? o->output_tokens_s_gpu.value
                                  : o->task.rate * kind_of(&p->advice->ask->workload)->rate_s / o->gpu_count),
        L_NUMBER(TOK_USER, o->tokens_s_user.value), L_NUMBER(TTFT50, o->ttft_p50_ms.value),
        L_NUMBER(TTFT99, o->ttft_p99_ms.value), L_NUMBER(TPOT, o->tpot_ms.value),
        L_NUMBER(CONCURRENCY, o->concurrency), L_TEXT(PARALLEL, short_layout(p, o)),
        L_TEXT(ENGINE, o->engine), L_TEXT(WEIGHTS, dtype_names[o->weights]),
        L_NUMBER(MEMORY, o->memory_used_pct), L_TEXT(BASIS, basis_names[o->basis]),
        L_TEXT(SEEN, o->offer->as_of), L_TEXT(SELLER, o->today ? "" : seller_class_names[o->seller]));
}

void advice_ranked(const Advice *advice, size_t width, Arena *a, Listing *ret_listing) {
    Page p = {.advice = advice, .arena = a};
    Column *columns = arena_alloc(a, RANK_COLUMNS, sizeof *columns);
    name_columns(advice->ask, false, width, columns);
    *ret_listing = listing_new(a, "options", columns, RANK_COLUMNS, advice->n_options);
    for (size_t i = 0; i < advice->n_options; i++) {
        const Option *o = &advice->options[i];
        option_cells(&p, ret_listing, o);
        listing_add(ret_listing, L_NUMBER(RANK, (double)i + 1), L_TEXT(PROVIDER, o->offer->provider),
                    L_NUMBER(USD_H, o->price_usd_h), L_NUMBER(COST, o->cost));
    }
}

// ---------------------------------------------------------------- the table

typedef enum Mark {
    MARK_BEST,
    MARK_NEXT,
    MARK_CLASS,
    MARK_DERIVED = MARK_CLASS + SELLER_CLASS_COUNT,
    MARK_ASSUMED,
    MARK_COUNT
} Mark;

static const struct {
    char mark;
    const char *means;
} mark_table[MARK_COUNT] = {
    [MARK_BEST] = {'1', "the best of its vendor"},
    [MARK_NEXT] = {'2', "its nearest alternative: another GPU or seller"},
    [MARK_CLASS + SELLER_UNKNOWN] = {'u', "sold by nobody knows whom"},
    [MARK_CLASS + SELLER_HYPERSCALER] = {'y', "sold by a hyperscaler"},
    [MARK_CLASS + SELLER_CLOUD] = {'c', "sold by a cloud"},
    [MARK_CLASS + SELLER_MARKETPLACE_HOST] = {'m', "the machine of a marketplace's host"},
    [MARK_CLASS + SELLER_BROKER] = {'b', "sold by a broker"},
    [MARK_CLASS + SELLER_PRICE_LIST] = {'p', "a price list only"},
    [MARK_DERIVED] = {'d',
                      "derived: no seller states this price, it is that of fewer GPUs times their number"},
    [MARK_ASSUMED] = {'?', "nobody counted the machines"},
};

// What is to be said of a line's cheapest offer; takes down what was.
static const char *marks_of(Page *p, const RankLine *line, bool used[MARK_COUNT]) {
    const Option *o = line->option;
    bool says[MARK_COUNT] = {[MARK_BEST] = line->best,
                             [MARK_NEXT] = line->next,
                             [MARK_DERIVED] = !o->today && o->offer->derived_from > 0,
                             [MARK_ASSUMED] = !o->today && o->most_assumed};
    says[MARK_CLASS + o->seller] = !o->today;
    char text[MARK_COUNT + 1] = "";
    size_t n = 0;
    for (int i = 0; i < MARK_COUNT; i++) {
        if (!says[i]) continue;
        used[i] = true;
        text[n++] = mark_table[i].mark;
    }
    return arena_copy(p->arena, text, n);
}

static const char *span_text(Page *p, double low, double high) {
    const char *from = page_number(p, low, 3);
    const char *to = page_number(p, high, 3);
    return strcmp(from, to) == 0 ? from : arena_printf(p->arena, "%s-%s", from, to);
}

static const char *marks_words(Page *p, const bool used[MARK_COUNT]) {
    const char *text = "";
    for (int i = 0; i < MARK_COUNT; i++) {
        if (used[i])
            text = arena_printf(p->arena, "%s%s%c %s", text, text[0] != '\0' ? "; " : "", mark_table[i].mark,
                                mark_table[i].means);
    }
    return text;
}

void ranked_text(Page *p) {
    const Advice *advice = p->advice;
    size_t n = 0, all = 0;
    const RankLine *lines = ranked_lines(advice, advice->ask->top, p->arena, &n, &all);
    if (n == 0) return;
    Column columns[RANK_COLUMNS];
    bool used[MARK_COUNT] = {false};
    name_columns(advice->ask, true, room_columns(p->room), columns);
    Listing l = listing_new(p->arena, "options", columns, RANK_COLUMNS, n);
    for (size_t i = 0; i < n; i++) {
        const RankLine *x = &lines[i];
        const Option *o = x->option;
        option_cells(p, &l, o);
        listing_add(&l, L_NUMBER(RANK, o->today ? (double)NAN : (double)x->rank),
                    L_TEXT(PROVIDER, sellers_text(x, NAMES_WIDTH, p->arena)),
                    L_TEXT(USD_H, span_text(p, x->price_low, x->price_high)),
                    L_TEXT(COST, span_text(p, o->cost, x->cost_high)),
                    L_NUMBER(MONTH, option_costs(p->facts, advice->ask, o).usd_month.value),
                    L_TEXT(MARKS, marks_of(p, x, used)));
    }
    const char *now = advice->current != NULL ? ", and today's" : "";
    page_heading(p, arena_printf(p->arena, "Options, cheapest first (%zu of %zu%s; N NVIDIA, A AMD)",
                                 n - (advice->current != NULL), all, now));
    listing_print(&l, p->format, p->room, p->out);
    if (!advice->ask->pareto)
        page_bullet(
            p, "*",
            "a line is one GPU, number, engine and precision: prices and costs run from its cheapest seller "
            "to its dearest, the other figures are those of the cheapest; +/- is the 80 % range of its cost");
    if (inputs_lead(advice->ask))
        bullet_printf(p, "*",
                      "$ IN+OUT: %s, which the ranking goes by; $ OUT: the same dollars per million output "
                      "tokens, at the cheapest seller",
                      per_what(advice->ask));
    page_bullet(p, "*", marks_words(p, used));
}

// What was taken where nobody counted machines: once a class of sellers.
void assumed_supply(Page *p) {
    size_t n = 0, all = 0;
    const RankLine *lines = ranked_lines(p->advice, p->advice->ask->top, p->arena, &n, &all);
    for (int c = 0; c < SELLER_CLASS_COUNT; c++) {
        const char *who = "";
        for (size_t i = 0; i < n; i++) {
            const Option *o = lines[i].option;
            if (o->today || !o->most_assumed || (int)o->seller != c) continue;
            if (!word_in(who, o->offer->provider))
                who = arena_printf(p->arena, "%s%s%s", who, who[0] != '\0' ? " " : "", o->offer->provider);
        }
        if (who[0] == '\0') continue;
        const char *of = sells_parts((SellerClass)c) ? " of 8 GPUs, whole or in parts," : "";
        bullet_printf(p, "*",
                      "%s (%s): taken to have %s%s of a kind, which nobody counted (data/seller_classes.tsv)",
                      who, seller_class_names[c],
                      counted_number(p->arena, class_machines(p->facts, (SellerClass)c), 4, "machine"), of);
    }
}
