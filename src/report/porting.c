// A rule of the porting scan, and what becomes of CUDA names and libraries, in words.
#include "src/report/porting.h"

#include <string.h>

static void minutes(const Writer *w, const PortRule *r) {
    const char *low = number_text(w->arena, r->minutes_low, 4);
    const char *high = number_text(w->arena, r->minutes_high, 4);
    const char *basis = strcmp(r->minutes_basis, "ports") == 0 ? "in sum these minutes fit documented ports"
                        : strcmp(r->minutes_basis, "mechanical") == 0 ? "mechanical work, seen in own runs"
                                                                      : "a judgment, no measured base";
    const char *per = r->per == UNIT_KLOC ? "thousand lines of CUDA" : port_unit_names[r->per];
    writer_field(w, "effort",
                 arena_printf(w->arena, "%s to %s minutes for each %s (%s)", low, high, per, basis));
}

void rule_text(const Writer *w, const PortRule *r) {
    writer_put(w, "%s: %s (%s, %s)\n", r->rule, r->what, port_class_names[r->port_class],
               port_area_names[r->area]);
    writer_field(w, "why", r->why);
    writer_field(w, "fix", r->fix);
    writer_field(w, "on AMD", r->amd);
    writer_field(w, "since ROCm", r->rocm_since);
    if (r->lanes64 != 0) writer_field(w, "where", "targets with 64 lanes only (gfx9: Instinct)");
    minutes(w, r);
    writer_field(w, "left out, you lose", r->lost);
    writer_field(w, "source", arena_printf(w->arena, "%s (%s)", r->source, r->as_of));
}

// ---------------------------------------------------------------- names

// What becomes of the name, in a word for JSON.
static const char *status_of(const CudaName *x) {
    if (x->hip_name[0] == '\0') return x->cuda_removed[0] != '\0' ? "removed-from-cuda" : "unmapped";
    if (x->hip_removed[0] != '\0') return "removed-from-hip";
    return strcmp(x->cuda_name, x->hip_name) == 0 ? "same-name" : "renamed";
}

// The rule that `migrate scan` has for a use of the name on the target; NULL: nothing to do.
const PortRule *cuda_rule_of(const CWords *words, const char *name) {
    uint16_t k = cuda_judge(words, str_of(name));
    return k == 0 ? NULL : &words->facts->rules[k - 1];
}

// As the scan says: one table. A word of the language may come without a rule of its own.
static const char *class_of(const CWords *words, const CudaName *x) {
    const PortRule *r = cuda_rule_of(words, x->cuda_name);
    return port_class_names[r == NULL ? PORT_AUTOMATIC : r->port_class];
}

static void versions(const Writer *w, const char *what, const char *added, const char *deprecated,
                     const char *removed) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    if (added[0] != '\0') buf_printf(&b, "since %s", added);
    if (deprecated[0] != '\0') buf_printf(&b, "%sdeprecated in %s", b.length > 0 ? ", " : "", deprecated);
    if (removed[0] != '\0') buf_printf(&b, "%sremoved in %s", b.length > 0 ? ", " : "", removed);
    if (b.length > 0) writer_field(w, what, b.data);
    buf_free(&b);
}

static void name_text(const Writer *w, const CWords *words, const CudaName *x) {
    writer_put(w, "%s (%s, %s) -> %s\n", x->cuda_name, x->kind, x->library,
               x->hip_name[0] != '\0' ? x->hip_name : "nothing in HIP");
    const PortRule *r = cuda_rule_of(words, x->cuda_name);
    writer_field(w, "porting", class_of(words, x));
    if (r != NULL && strcmp(r->rule, "api-rename") != 0)
        writer_field(w, "rule", arena_printf(w->arena, "%s: %s. %s", r->rule, r->what, r->fix));
    if (x->hip_name[0] != '\0') {
        writer_field(w, "belongs to", x->target);
        versions(w, "in HIP", x->hip_since, x->hip_deprecated, x->hip_removed);
    }
    if (x->hip_experimental[0] != '\0')
        writer_field(w, "note",
                     arena_printf(w->arena, "marked experimental for HIP %s", x->hip_experimental));
    versions(w, "in CUDA", x->cuda_added, x->cuda_deprecated, x->cuda_removed);
    if (x->shared_name != 0)
        writer_field(w, "note",
                     "a word that other languages and libraries have too: no sign of CUDA by itself");
    writer_field(w, "source", arena_printf(w->arena, "%s (%s)", x->source, x->as_of));
}

void cuda_names_json(const NamesFound *x, Json *root) {
    const CudaName *rows = x->names;
    size_t n = x->n;
    Json *list = json_add_array(root, "names");
    for (size_t i = 0; i < n; i++) {
        Json *object = json_add_object(list, NULL);
        row_json(object, &cuda_names_table, &rows[i]);
        json_add(object, J_TEXT("status", status_of(&rows[i])),
                 J_TEXT("class", class_of(x->words, &rows[i])));
        if (x->note[0] != '\0') json_add_text(object, "note", x->note);
    }
    list = json_add_array(root, "libraries");
    for (size_t i = 0; i < x->n_libraries; i++)
        row_json(json_add_object(list, NULL), &fact_tables[TABLE_LIBRARIES], &x->libraries[i]);
}

// clang-format off
#define NAME_COLUMNS(X) \
    X("cuda_name", "CUDA",    TEXT,      x->cuda_name) \
    X("library",   "LIBRARY", TEXT,      x->library) \
    X("kind",      "KIND",    TEXT,      x->kind) \
    X("hip_name",  "HIP",     TEXT,      x->hip_name) \
    X("hip_since", "SINCE",   TEXT,      x->hip_since) \
    X("status",    "STATUS",  TEXT,      status_of(x)) \
    X("class",     "CLASS",   TEXT,      class_of(found->words, x)) \
    X("source",    "SOURCE",  MORE_TEXT, x->source) \
    X("as_of",     "AS OF",   MORE_TEXT, x->as_of)
// clang-format on

void cuda_names_listing(const NamesFound *found, Arena *a, Listing *ret_listing) {
    *ret_listing = LISTING(a, "names", NAME_COLUMNS, found->n);
    for (size_t i = 0; i < found->n; i++) {
        const CudaName *x = &found->names[i];
        listing_row(ret_listing, NAME_COLUMNS(LISTING_CELL));
    }
}

static void library_text(const Writer *w, const NamesFound *x) {
    size_t mapped = 0;
    size_t same = 0;
    for (size_t i = 0; i < x->n_libraries; i++) {
        const Library *l = &x->libraries[i];
        int k = port_class_of(l->effort_class);
        writer_put(w, "CUDA library %s -> %s: %s\n", text_clean(w->arena, l->cuda_name),
                   l->rocm_name[0] != '\0' ? text_clean(w->arena, l->rocm_name) : "nothing on ROCm",
                   l->coverage);
        writer_field(w, "porting", k < 0 ? "" : port_class_names[k]);
        writer_field(w, "note", l->note);
        writer_field(w, "source", arena_printf(w->arena, "%s (%s)", l->source, l->as_of));
    }
    for (size_t i = 0; i < x->n; i++) {
        mapped += strcmp(class_of(x->words, &x->names[i]), "automatic") == 0;
        same += strcmp(status_of(&x->names[i]), "same-name") == 0;
    }
    if (x->n == 0) return;
    writer_put(w,
               "%zu names of it are known: %zu have one in HIP (%zu the same), %zu have none or lost it.\n",
               x->n, mapped, same, x->n - mapped);
    writer_line(w, 0, "`gpuadvise migrate api NAME` says what becomes of one; --format csv lists all.");
}

void cuda_names_text(const Writer *w, const NamesFound *x) {
    if (x->whole) {
        library_text(w, x);
        return;
    }
    for (size_t i = 0; i < x->n; i++) name_text(w, x->words, &x->names[i]);
    writer_field(w, "note", x->note);
}
