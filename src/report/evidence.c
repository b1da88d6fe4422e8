// Claims, libraries and packages of one subject, as JSON and text.
#include "src/report/evidence.h"

static void claim_json(Json *j, const SubjectEvidence *x, size_t i) {
    const StackEvidence *v = x->judged != NULL ? &x->judged[i] : NULL;
    row_json(j, &fact_tables[TABLE_SUPPORT], v != NULL ? v->claim : &x->claims[i]);
    if (v == NULL) return;
    json_add(j, J_BOOL("wins", v->wins), J_BOOL("disagrees", v->disagrees), J_TEXT("why", v->why));
}

void evidence_json(const SubjectEvidence *x, bool one, Json *root) {
    Json *list = json_add_array(root, "claims");
    for (size_t i = 0; i < x->n_claims; i++) claim_json(json_add_object(list, NULL), x, i);
    list = json_add_array(root, "libraries");
    for (size_t i = 0; one && i < x->n_libraries; i++)
        row_json(json_add_object(list, NULL), &fact_tables[TABLE_LIBRARIES], &x->libraries[i]);
    list = json_add_array(root, "packages");
    for (size_t i = 0; one && i < x->n_packages; i++)
        row_json(json_add_object(list, NULL), &fact_tables[TABLE_PACKAGES], &x->packages[i]);
}

static void claim_text(const Writer *w, const StackEvidence *v) {
    const Claim *c = v->claim;
    writer_put(w, "%s on %s: %s (%s, %s)\n", text_clean(w->arena, c->subject), c->platform, c->status,
               c->standing, c->as_of);
    writer_field(w, v->wins ? "taken" : v->disagrees ? "contradicted" : "beside it", v->why);
    writer_field(w, "since", c->since_version);
    writer_field(w, "version", c->framework_version);
    writer_field(w, "platform version", c->platform_version);
    writer_field(w, "GPUs", c->gpu_scope);
    writer_field(w, "install", c->install_hint);
    writer_field(w, "note", c->note);
    writer_field(w, "source", c->source);
}

static const char *class_word(double effort_class) {
    int k = port_class_of(effort_class);
    return k < 0 ? "" : port_class_names[k];
}

void subject_text(const Writer *w, const SubjectEvidence *x) {
    for (size_t i = 0; i < x->n_claims; i++) claim_text(w, &x->judged[i]);
    for (size_t i = 0; i < x->n_libraries; i++) {
        const Library *l = &x->libraries[i];
        const char *rocm = l->rocm_name[0] != '\0' ? l->rocm_name : "nothing on ROCm";
        writer_put(w, "CUDA library %s -> %s: %s (%s)\n", text_clean(w->arena, l->cuda_name),
                   text_clean(w->arena, rocm), l->coverage, l->as_of);
        writer_field(w, "porting", class_word(l->effort_class));
        writer_field(w, "note", l->note);
        writer_field(w, "source", l->source);
    }
    for (size_t i = 0; i < x->n_packages; i++) {
        const Package *p = &x->packages[i];
        writer_put(w, "Python package %s on ROCm: %s (%s)\n", text_clean(w->arena, p->package),
                   p->rocm_status, p->as_of);
        writer_field(w, "install instead", p->install_instead);
        writer_field(w, "porting", class_word(p->effort_class));
        writer_field(w, "note", p->note);
        writer_field(w, "source", p->source);
    }
}
