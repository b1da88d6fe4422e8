// Judged claims as JSON and text.
#include "src/report/claims.h"

#include <math.h>
#include <string.h>

void claim_json(const ClaimAnswer *x, Json *j) {
    json_add_text(j, "verdict", claim_verdict_names[x->verdict]);
    json_add_number(j, "bound", x->bound);
    json_add_text_or_null(j, "unit", x->unit);
    json_add_number(j, "claimed", x->claimed);
    json_add_number(j, "claimed_over_bound", x->claimed / x->bound);
    json_add_text(j, "bound_by", x->bound_by);
    json_add_text(j, "arithmetic", x->arithmetic);
    Json *list = json_add_array(j, "conditions");
    for (size_t i = 0; i < x->n_conditions; i++) json_add_text(list, NULL, x->conditions[i]);
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
        json_add_text(j, "claim", c->claim);
        json_add_text(j, "kind", claim_kind_names[c->kind]);
        json_add_text_or_null(j, "what", c->what);
        claim_json(&claims[i].answer, j);
        json_add_text_or_null(j, "source", c->source);
        json_add_text_or_null(j, "as_of", c->as_of);
    }
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
    if (x->sources[0] != '\0') {
        buf_printf(out, "%-12s", "sources");
        text_wrapped(out, x->sources, 12, width);
    }
}

static const Column columns[] = {
    {.key = "claim", .title = "CLAIM"}, {.key = "kind", .title = "KIND"}, {.key = "verdict", .title = "VERDICT"}, {.key = "claimed", .title = "CLAIMED", .number = true, .digits = 5},
    {.key = "bound", .title = "BOUND", .number = true, .digits = 4}, {.key = "unit", .title = "UNIT"}, {.key = "what", .title = "WHAT", .detail = true}, {.key = "arithmetic", .title = "ARITHMETIC", .detail = true},
    {.key = "conditions", .title = "CONDITIONS", .detail = true}, {.key = "source", .title = "SOURCE", .detail = true}, {.key = "as_of", .title = "AS OF", .detail = true},
};

static const char *joined(Arena *a, const ClaimAnswer *x) {
    const char *text = "";
    for (size_t i = 0; i < x->n_conditions; i++) text = arena_printf(a, "%s%s%s", text, i > 0 ? "; " : "", x->conditions[i]);
    return text;
}

static void claims_listing(const JudgedClaim *claims, size_t n, Format format, size_t width, Arena *a, Buf *out) {
    Listing l;
    listing_init(&l, a, "claims", columns, COUNT_OF(columns), n);
    for (size_t i = 0; i < n; i++) {
        const PublicClaim *c = claims[i].claim;
        const ClaimAnswer *x = &claims[i].answer;
        const char *texts[] = {c->claim, claim_kind_names[c->kind], claim_verdict_names[x->verdict], NULL, NULL, x->unit, c->what, x->arithmetic, joined(a, x), c->source, c->as_of};
        for (size_t k = 0; k < COUNT_OF(texts); k++) {
            if (texts[k] != NULL) listing_text(&l, k, texts[k]);
        }
        listing_number(&l, 3, x->claimed);
        listing_number(&l, 4, x->bound);
        listing_row_done(&l);
    }
    listing_print(&l, format, width, out);
}

// A claim in a few lines: what it says, who said so, and what the figures make of it.
static void one_of_many(const JudgedClaim *j, size_t width, Arena *a, Buf *out) {
    const PublicClaim *c = j->claim;
    const ClaimAnswer *x = &j->answer;
    buf_printf(out, "%-12s", claim_verdict_names[x->verdict]);
    text_wrapped(out, arena_printf(a, "%s%s%s", text_clean(a, c->claim), c->what[0] != '\0' ? ": " : "", text_clean(a, c->what)), 12, width);
    buf_puts(out, "            ");
    text_wrapped(out, x->arithmetic, 12, width);
    for (size_t i = 0; i < x->n_conditions; i++) {
        buf_puts(out, "          - ");
        text_wrapped(out, x->conditions[i], 12, width);
    }
    if (c->source[0] != '\0') {
        buf_puts(out, "            ");
        text_wrapped(out, arena_printf(a, "said by %s", text_clean(a, c->source)), 12, width);
    }
}

void claims_text(const JudgedClaim *claims, size_t n, Format format, size_t width, Arena *a, Buf *out) {
    if (format != FORMAT_TABLE) {
        claims_listing(claims, n, format, width, a, out);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0) buf_puts(out, "\n");
        one_of_many(&claims[i], width, a, out);
    }
}
