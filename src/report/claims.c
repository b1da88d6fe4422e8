// Judged claims as JSON and text.
#include "src/report/claims.h"

#include <math.h>
#include <string.h>

static void best_json(const ClaimAnswer *x, Json *j) {
    const BestMeasured *b = &x->best;
    const Measurement *m = b->row;
    json_add_number(j, "times_measured", x->times_measured);
    Json *best = json_object_if(j, "best_measured", m != NULL);
    if (best == NULL) return;
    json_add(best, J_TEXT("id", m->id), J_TEXT("model", m->model), J_NUMBER("gpus", m->gpu_count),
             J_NUMBER("output_tokens_per_s", m->output_tokens_per_s), J_NUMBER("rate", b->rate),
             J_NUMBER("rate_per_gpu", b->rate_per_gpu), J_TEXT_OR_NULL("engine", m->engine),
             J_TEXT_OR_NULL("weights", m->precision_weights), J_NUMBER("batch", m->batch_or_concurrency),
             J_NUMBER("input_tokens", m->input_tokens), J_NUMBER("output_tokens", m->output_tokens),
             J_TEXT_OR_NULL("draft_tokens", m->draft_tokens), J_BOOL("same_load", b->same_load),
             J_BOOL("harder_load", b->harder));
    json_add_texts(best, "differs", b->differs, b->n_differs);
    json_add(best, J_TEXT_OR_NULL("date", m->date), J_TEXT("source", m->source));
}

static void expected_json(const ClaimAnswer *x, Json *j) {
    const ClaimEstimate *s = &x->estimate;
    json_add_number(j, "times_estimate_high", x->times_estimate_high);
    Json *estimate = json_object_if(j, "estimate", s->known);
    if (estimate == NULL) return;
    estimate_json(estimate, "output_tokens_per_s", &s->rate);
    json_add(estimate, J_TEXT("engine", s->engine), J_TEXT("weights", dtype_names[s->weights]),
             J_INTEGER("tp", s->layout.tp), J_INTEGER("ep", s->layout.ep), J_INTEGER("dp", s->layout.dp),
             J_NUMBER("concurrency", s->concurrency), J_NUMBER("isl", s->isl), J_NUMBER("osl", s->osl));
}

static void ratios_json(const ClaimAnswer *x, Json *j) {
    const ClaimRatios *r = &x->ratios;
    Json *ratios = json_object_if(j, "ratios", r->basis[0] != '\0');
    if (ratios == NULL) return;
    json_add(ratios, J_TEXT("basis", r->basis), J_NUMBER("claimed_low", r->claimed_low),
             J_NUMBER("claimed_high", r->claimed_high), J_INTEGER("n", r->n), J_INTEGER("agree", r->agree),
             J_NUMBER("median", r->median), J_NUMBER("low", r->low), J_NUMBER("high", r->high),
             J_NUMBER("least", r->least), J_NUMBER("most", r->most));
    Json *groups = json_add_array(ratios, "groups");
    for (size_t i = 0; i < r->n_groups; i++) {
        Json *g = json_add_object(groups, NULL);
        json_add(g, J_TEXT("of", r->groups[i].what), J_INTEGER("n", r->groups[i].n),
                 J_INTEGER("agree", r->groups[i].agree), J_NUMBER("median", r->groups[i].median));
    }
}

static void count_json(const ClaimAnswer *x, Json *j) {
    Json *count = json_object_if(j, "count", x->count.name[0] != '\0');
    if (count == NULL) return;
    json_add(count, J_TEXT("of", x->count.name), J_NUMBER("part", x->count.part),
             J_NUMBER("all", x->count.all), J_NUMBER("share", x->count.share));
}

void claim_json(const ClaimAnswer *x, Json *j) {
    json_add(j, J_TEXT("verdict", claim_verdict_names[x->verdict]), J_NUMBER("bound", x->bound),
             J_TEXT_OR_NULL("unit", x->unit), J_NUMBER("claimed", x->claimed),
             J_NUMBER("claimed_over_bound", x->claimed / x->bound), J_TEXT("bound_by", x->bound_by),
             J_TEXT_OR_NULL("regime", x->regime), J_NUMBER("share_most", x->share_most),
             J_TEXT("arithmetic", x->arithmetic));
    best_json(x, j);
    expected_json(x, j);
    ratios_json(x, j);
    count_json(x, j);
    json_add_texts(j, "conditions", x->conditions, x->n_conditions);
    sources_json(j, x->sources);
}

void claims_json(const JudgedClaim *claims, size_t n, Json *root) {
    Json *counts = json_add_object(root, "summary");
    for (int v = 0; v < CLAIM_VERDICT_COUNT; v++) {
        int64_t k = 0;
        for (size_t i = 0; i < n; i++) k += claims[i].answer.verdict == (ClaimVerdict)v;
        json_add_integer(counts, claim_verdict_names[v], k);
    }
    Json *list = json_add_array(root, "claims");
    for (size_t i = 0; i < n; i++) {
        const PublicClaim *c = claims[i].claim;
        Json *j = json_add_object(list, NULL);
        json_add(j, J_TEXT("claim", c->claim), J_TEXT("kind", claim_kind_names[c->kind]),
                 J_TEXT_OR_NULL("what", c->what));
        claim_json(&claims[i].answer, j);
        json_add(j, J_TEXT_OR_NULL("source", c->source), J_TEXT_OR_NULL("as_of", c->as_of));
    }
}

// What stands beside physics.
static void noted(Buf *out, const char *title, const char *text, size_t width) {
    if (text[0] == '\0') return;
    buf_printf(out, "%-12s", title);
    text_wrapped(out, text, 12, width);
}

void claim_text(const ClaimAnswer *x, size_t width, Buf *out) {
    buf_printf(out, "%-12s", claim_verdict_names[x->verdict]);
    text_wrapped(out, x->arithmetic, 12, width);
    for (size_t i = 0; i < x->n_conditions; i++) {
        buf_puts(out, "  - ");
        text_wrapped(out, x->conditions[i], 4, width);
    }
    if (is_known(x->bound)) {
        char bound[64];
        format_number(bound, sizeof bound, x->bound, 4);
        buf_printf(out, "%-12s%s %s, by %s\n", "bound", bound, x->unit, x->bound_by);
    }
    noted(out, "measured", x->measured, width);
    noted(out, "estimate", x->expected, width);
    if (x->sources[0] != '\0') {
        buf_printf(out, "%-12s", "sources");
        text_wrapped(out, x->sources, 12, width);
    }
}

// clang-format off
#define CLAIM_COLUMNS(X) \
    X("claim",               "CLAIM",          TEXT,           c->claim) \
    X("kind",                "KIND",           TEXT,           claim_kind_names[c->kind]) \
    X("verdict",             "VERDICT",        TEXT,           claim_verdict_names[x->verdict]) \
    X("claimed",             "CLAIMED",        NUMBER(5),      x->claimed) \
    X("bound",               "BOUND",          NUMBER(4),      x->bound) \
    X("unit",                "UNIT",           TEXT,           x->unit) \
    X("what",                "WHAT",           MORE_TEXT,      c->what) \
    X("arithmetic",          "ARITHMETIC",     MORE_TEXT,      x->arithmetic) \
    X("conditions",          "CONDITIONS",     MORE_TEXT,      joined(a, x)) \
    X("times_measured",      "TIMES MEASURED", MORE_NUMBER(3), x->times_measured) \
    X("measured",            "MEASURED",       MORE_TEXT,      x->measured) \
    X("times_estimate_high", "TIMES ESTIMATE", MORE_NUMBER(3), x->times_estimate_high) \
    X("estimate",            "ESTIMATE",       MORE_TEXT,      x->expected) \
    X("source",              "SOURCE",         MORE_TEXT,      c->source) \
    X("as_of",               "AS OF",          MORE_TEXT,      c->as_of) \
    X("ratio_n",             "RATIOS",         MORE_NUMBER(6), r->n > 0 ? (double)r->n : (double)NAN) \
    X("ratio_agree",         "AGREE",          MORE_NUMBER(6), r->n > 0 ? (double)r->agree : (double)NAN) \
    X("ratio_median",        "MEDIAN RATIO",   MORE_NUMBER(3), r->median) \
    X("ratio_low",           "RATIO LOW",      MORE_NUMBER(3), r->low) \
    X("ratio_high",          "RATIO HIGH",     MORE_NUMBER(3), r->high) \
    X("count_share",         "COUNTED",        MORE_NUMBER(3), x->count.share)
// clang-format on

static const char *joined(Arena *a, const ClaimAnswer *x) {
    const char *text = "";
    for (size_t i = 0; i < x->n_conditions; i++)
        text = arena_printf(a, "%s%s%s", text, i > 0 ? "; " : "", x->conditions[i]);
    return text;
}

static void claims_listing(const JudgedClaim *claims, size_t n, Format format, Room room, Arena *a,
                           Buf *out) {
    Listing l = LISTING(a, "claims", CLAIM_COLUMNS, n);
    for (size_t i = 0; i < n; i++) {
        const PublicClaim *c = claims[i].claim;
        const ClaimAnswer *x = &claims[i].answer;
        const ClaimRatios *r = &x->ratios;
        listing_row(&l, CLAIM_COLUMNS(LISTING_CELL));
    }
    listing_print(&l, format, room, out);
}

// A claim in a few lines: what it says, who said so, and what the figures make of it.
static void one_of_many(const JudgedClaim *j, size_t width, Arena *a, Buf *out) {
    const PublicClaim *c = j->claim;
    const ClaimAnswer *x = &j->answer;
    buf_printf(out, "%-12s", claim_verdict_names[x->verdict]);
    wrapped_printf(out, 12, width, "%s%s%s", text_clean(a, c->claim), c->what[0] != '\0' ? ": " : "",
                   text_clean(a, c->what));
    buf_puts(out, "            ");
    text_wrapped(out, x->arithmetic, 12, width);
    for (size_t i = 0; i < x->n_conditions; i++) {
        buf_puts(out, "          - ");
        text_wrapped(out, x->conditions[i], 12, width);
    }
    noted(out, "  measured", x->measured, width);
    noted(out, "  estimate", x->expected, width);
    if (c->source[0] != '\0') {
        buf_puts(out, "            ");
        wrapped_printf(out, 12, width, "said by %s", text_clean(a, c->source));
    }
}

void claims_text(const JudgedClaim *claims, size_t n, Format format, Room room, Arena *a, Buf *out) {
    if (format != FORMAT_TABLE) {
        claims_listing(claims, n, format, room, a, out);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0) buf_puts(out, "\n");
        one_of_many(&claims[i], room.width, a, out);
    }
}
