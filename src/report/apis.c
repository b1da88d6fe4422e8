// What sellers of the model's tokens ask, beside what the options cost.
#include "src/report/apis.h"

#include <math.h>

#include "src/report/figures.h"

void apis_json(const Advice *advice, Json *root) {
    if (advice->apis == NULL) {
        json_add_null(root, "api_prices");
        return;
    }
    Json *all = json_add_array(root, "api_prices");
    for (size_t i = 0; i < advice->n_apis; i++) {
        const ApiBeside *x = &advice->apis[i];
        Json *j = json_add_object(all, NULL);
        json_add(j, J_TEXT("provider", x->price->provider),
                 J_NUMBER("input_usd_per_mtok", x->price->input_usd_mtok),
                 J_NUMBER("cached_input_usd_per_mtok", x->price->cached_usd_mtok),
                 J_NUMBER("output_usd_per_mtok", x->price->output_usd_mtok),
                 J_NUMBER("total_usd_per_mtok", x->fresh_usd_mtok),
                 J_NUMBER("cached_total_usd_per_mtok", x->cached_usd_mtok),
                 J_NUMBER("cached_share", advice->apis_cached_share), J_TEXT_OR_NULL("note", x->price->note),
                 J_TEXT("source", x->price->source), J_TEXT("as_of", x->price->as_of));
    }
}

// ---------------------------------------------------------------- text

// clang-format off
#define COLUMNS(X) \
    X("provider",                  "API",        TEXT, \
      noted ? arena_printf(p->arena, "%s (%s)", price->provider, price->note) : price->provider) \
    X("input_usd_per_mtok",        "$ IN",       NUMBER(3), price->input_usd_mtok) \
    X("cached_input_usd_per_mtok", "CACHED",     NUMBER(3), price->cached_usd_mtok) \
    X("output_usd_per_mtok",       "OUT",        NUMBER(3), price->output_usd_mtok) \
    X("total_usd_per_mtok",        "$ IN+OUT",   NUMBER(3), one->fresh_usd_mtok) \
    X("cached_total_usd_per_mtok", "WITH CACHE", NUMBER(3), one->cached_usd_mtok) \
    X("as_of",                     "AS OF",      TEXT,      price->as_of)
// clang-format on

static void best_words(Page *p) {
    const char *text = "";
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = p->advice->best[v];
        if (o == NULL || !is_known(o->blended_usd_mtok.value)) continue;
        text = arena_printf(p->arena, "%s%s%s $%s", text, text[0] != '\0' ? ", " : "", vendor_titles[v],
                            page_number(p, o->blended_usd_mtok.value, 3));
    }
    if (text[0] != '\0')
        bullet_printf(p, "*", "the best options here, for the same tokens in and out: %s", text);
}

void apis_text(Page *p) {
    const Advice *x = p->advice;
    if (!inputs_lead(x->ask) || x->apis == NULL) return;
    page_heading(p, "APIs of this model: dollars per million tokens");
    if (x->n_apis == 0) {
        bullet_printf(p, "*",
                      "the catalog knows no API price of %s; --api-usd-per-mtok and --api-input-usd-per-mtok "
                      "compare with one of your own",
                      x->ask->model->model_id);
        page_end_section(p);
        return;
    }
    Listing l = LISTING(p->arena, "api_prices", COLUMNS, x->n_apis);
    for (size_t i = 0; i < x->n_apis; i++) {
        const ApiBeside *one = &x->apis[i];
        const ApiPrice *price = one->price;
        bool noted = price->note[0] != '\0';
        listing_row(&l, COLUMNS(LISTING_CELL));
    }
    listing_print(&l, p->format, p->room, p->out);
    if (x->apis_cached_share > 0)
        bullet_printf(p, "*",
                      "with cache: %s %% of the input tokens came before and are charged as cached; which of "
                      "them a seller's cache still has is not known, so its price lies between the two",
                      page_number(p, 100 * x->apis_cached_share, 3));
    best_words(p);
    page_end_section(p);
}
