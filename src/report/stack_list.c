// A judged stack as a table: an entry a row, with the claim that decides and what speaks against it.
#include "src/report/report.h"

#define TEXT(k, t)                                                                                           \
    { .key = k, .title = t }
#define DETAIL(k, t)                                                                                         \
    { .key = k, .title = t, .detail = true }
#define DAYS(k, t)                                                                                           \
    { .key = k, .title = t, .number = true, .digits = 2 }
enum {
    S_NAME,
    S_KIND,
    S_VERSION,
    S_FIT,
    S_DAYS,
    S_LOW,
    S_HIGH,
    S_CLAIM,
    S_DISPUTE,
    S_CHANGE,
    S_LOST,
    S_INSTALL,
    S_TRAP,
    S_SOURCE,
    S_DATE
};
static const Column columns[] = {
    [S_NAME] = TEXT("name", "ENTRY"),
    [S_KIND] = TEXT("kind", "KIND"),
    [S_VERSION] = TEXT("version", "VERSION"),
    [S_FIT] = TEXT("fits", "ON AMD"),
    [S_DAYS] = DAYS("days", "DAYS"),
    [S_LOW] = DAYS("days_low", "LOW"),
    [S_HIGH] = DAYS("days_high", "HIGH"),
    [S_CLAIM] = TEXT("claim", "CLAIM"),
    [S_DISPUTE] = TEXT("contradicted", "CONTRADICTED BY"),
    [S_CHANGE] = DETAIL("change", "CHANGE"),
    [S_LOST] = DETAIL("lost", "LOST"),
    [S_INSTALL] = DETAIL("install", "INSTALL"),
    [S_TRAP] = DETAIL("trap", "TRAP"),
    [S_SOURCE] = DETAIL("source", "SOURCE"),
    [S_DATE] = DETAIL("as_of", "AS OF"),
};

void stack_listing(const StackView *view, Arena *a, Listing *ret_listing) {
    listing_init(ret_listing, a, "compatibility", columns, COUNT_OF(columns), view->n_items);
    for (size_t i = 0; i < view->n_items; i++) {
        const StackItem *x = &view->items[i];
        const struct {
            size_t column;
            const char *text;
        } texts[] = {{S_NAME, x->title},      {S_KIND, stack_kind_names[x->kind]},
                     {S_VERSION, x->version}, {S_FIT, fit_titles[x->fit]},
                     {S_CHANGE, x->change},   {S_LOST, x->lost},
                     {S_INSTALL, x->install}, {S_TRAP, x->trap},
                     {S_SOURCE, x->source},   {S_DATE, x->as_of}};
        for (size_t c = 0; c < COUNT_OF(texts); c++)
            listing_text(ret_listing, texts[c].column, texts[c].text);
        if (x->rule != NULL) {
            listing_set(ret_listing, L_NUMBER(S_DAYS, x->days), L_NUMBER(S_LOW, x->days_low),
                        L_NUMBER(S_HIGH, x->days_high));
        }
        for (size_t k = x->n_evidence; k-- > 0;) {  // of several that disagree, the first stays
            const StackEvidence *v = &x->evidence[k];
            const char *words = arena_printf(a, "%s, %s", v->claim->status, v->claim->as_of);
            if (v->wins || v->disagrees) listing_text(ret_listing, v->wins ? S_CLAIM : S_DISPUTE, words);
        }
        listing_row_done(ret_listing);
    }
}
