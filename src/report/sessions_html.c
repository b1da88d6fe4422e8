// Figures of sessions on the page of an advice.
#include <stdio.h>

#include "src/advise/search.h"
#include "src/report/html_page.h"
#include "src/report/sessions.h"

// Tokens/s or cost of the best of each vendor against the number of sessions.
static void draw(const Advice *advice, bool cost, Json *figures, Arena *a, Buf *out) {
    const char *id = cost ? "session-cost" : "sessions",
               *y = cost ? "USD per million tokens in and out" : "tokens/s in and out", *words = "";
    Json *j = json_add_object(figures, NULL);
    json_add(j, J_TEXT("id", id), J_TEXT("kind", "scatter"), J_TEXT("x", "sessions at once"), J_TEXT("y", y));
    Json *points = json_add_array(j, "points");
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const SessionCurve *c = advice->session_curve[v];
        if (c == NULL) continue;
        for (size_t i = 0; i < c->n; i++) {
            const SessionCurvePoint *x = &c->points[i];
            Json *p = json_add_object(points, NULL);
            json_add(p, J_TEXT("label", place_text(a, advice->best[v])), J_TEXT("vendor", vendor_names[v]),
                     J_BOOL("today", false), J_NUMBER("x", x->sessions),
                     J_NUMBER("y", cost ? x->blended_usd_mtok : x->total_tokens_s));
        }
        words =
            arena_printf(a, "%s; cliff of %s at %.0f sessions", words, vendor_titles[v], c->cliff_sessions);
    }
    Listing l;
    session_listing(advice, a, &l);
    html_figure(out, id, cost ? "Cost against sessions" : "Throughput against sessions",
                "The cheapest option of each vendor, its GPUs unchanged. Past the cliff prompts are computed "
                "again, and more sessions give less.",
                arena_printf(a, "Lines: %s against sessions at once%s", y, words), &l);
}

void sessions_html(const Advice *advice, Json *figures, Arena *a, Buf *out) {
    if (advice->session_curve[VENDOR_NVIDIA] == NULL && advice->session_curve[VENDOR_AMD] == NULL) return;
    draw(advice, false, figures, a, out);
    draw(advice, true, figures, a, out);
}
