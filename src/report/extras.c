// Indexer, linear attention and unpacking of a configuration, each with what stands behind it.
#include "src/perf/extras.h"

#include "src/report/figures.h"

// Of one output token of one sequence, and of one prompt of which nothing is cached yet.
static double token_ms(const ServingAnswer *w, ExtraKind kind) {
    const Serving *s = &w->serving;
    double batch = w->point.running / (s->in_turn ? 1 : s->layout.pp);
    return extras_step_s(s, kind, batch, batch * (1 + s->drafts)) / s->kept * 1e3;
}

static double prompt_ms(const ServingAnswer *w, ExtraKind kind) {
    const Serving *s = &w->serving;
    double tokens = s->isl * (1 - s->cached_share);
    return extras_prompt_s(s, kind, s->isl - tokens, tokens) * 1e3;
}

void extras_json(const ServingAnswer *w, Arena *a, Json *root) {
    Json *list = json_add_array(root, "terms");
    for (int i = 0; i < EXTRA_COUNT && w->status == SERVE_OK; i++) {
        if (!w->serving.extras.known[i]) continue;
        Json *j = json_add_object(list, NULL);
        json_add(j, J_TEXT("term", extra_names[i]), J_TEXT("what", extra_titles[i]),
                 J_NUMBER("ms_per_output_token", token_ms(w, (ExtraKind)i)),
                 J_NUMBER("ms_per_prompt", prompt_ms(w, (ExtraKind)i)),
                 J_TEXT("basis", extras_basis(&w->serving, (ExtraKind)i, a)),
                 J_TEXT_OR_NULL("source", extras_source(&w->serving, (ExtraKind)i, a)));
    }
}

void extras_explain(const ServingAnswer *w, size_t width, Arena *a, Buf *out) {
    for (int i = 0; i < EXTRA_COUNT; i++) {
        if (!w->serving.extras.known[i]) continue;
        const char *source = extras_source(&w->serving, (ExtraKind)i, a);
        wrapped_printf(
            out, 0, width, "%s: %.4g ms a token and %.4g ms a prompt, in the items above: %s (%s%s%s)",
            extra_names[i], token_ms(w, (ExtraKind)i), prompt_ms(w, (ExtraKind)i), extra_titles[i],
            extras_basis(&w->serving, (ExtraKind)i, a), source[0] != '\0' ? "; " : "", text_clean(a, source));
    }
}
