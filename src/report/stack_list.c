// A judged stack as a table: an entry a row, with the claim that decides and what speaks against it.
#include "src/report/report.h"

// clang-format off
#define STACK_COLUMNS(X) \
    X("name",         "ENTRY",           TEXT,      x->title) \
    X("kind",         "KIND",            TEXT,      stack_kind_names[x->kind]) \
    X("version",      "VERSION",         TEXT,      x->version) \
    X("fits",         "ON AMD",          TEXT,      fit_titles[x->fit]) \
    X("days",         "DAYS",            NUMBER(2), x->rule != NULL ? x->days : (double)NAN) \
    X("days_low",     "LOW",             NUMBER(2), x->rule != NULL ? x->days_low : (double)NAN) \
    X("days_high",    "HIGH",            NUMBER(2), x->rule != NULL ? x->days_high : (double)NAN) \
    X("claim",        "CLAIM",           TEXT,      evidence_words(x, true, a)) \
    X("contradicted", "CONTRADICTED BY", TEXT,      evidence_words(x, false, a)) \
    X("change",       "CHANGE",          MORE_TEXT, x->change) \
    X("lost",         "LOST",            MORE_TEXT, x->lost) \
    X("install",      "INSTALL",         MORE_TEXT, x->install) \
    X("trap",         "TRAP",            MORE_TEXT, x->trap) \
    X("source",       "SOURCE",          MORE_TEXT, x->source) \
    X("as_of",        "AS OF",           MORE_TEXT, x->as_of)
// clang-format on

// The claim that decides, or the first of those that contradict it; "" = none.
static const char *evidence_words(const StackItem *x, bool wins, Arena *a) {
    for (size_t k = 0; k < x->n_evidence; k++) {
        const StackEvidence *v = &x->evidence[k];
        if (wins ? v->wins : !v->wins && v->disagrees)
            return arena_printf(a, "%s, %s", v->claim->status, v->claim->as_of);
    }
    return "";
}

void stack_listing(const StackView *view, Arena *a, Listing *ret_listing) {
    *ret_listing = LISTING(a, "compatibility", STACK_COLUMNS, view->n_items);
    for (size_t i = 0; i < view->n_items; i++) {
        const StackItem *x = &view->items[i];
        listing_row(ret_listing, STACK_COLUMNS(LISTING_CELL));
    }
}
