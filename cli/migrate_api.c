// migrate api: one CUDA name, and what stands for it in HIP since which version; or a library, and what
// stands for it in ROCm.
#include <string.h>

#include "catalog/facts/names.h"
#include "cli/migrate.h"
#include "src/migrate/cuda.h"

// What becomes of the name, in a word for JSON.
static const char *status_of(const CudaName *x) {
    if (x->hip_name[0] == '\0') return x->cuda_removed[0] != '\0' ? "removed-from-cuda" : "unmapped";
    if (x->hip_removed[0] != '\0') return "removed-from-hip";
    return strcmp(x->cuda_name, x->hip_name) == 0 ? "same-name" : "renamed";
}

// The rule that `migrate scan` has for a use of the name on the target; NULL: nothing to do.
static const PortRule *rule_of(const CWords *words, const char *name) {
    uint16_t k = cuda_judge(words, str_of(name));
    return k == 0 ? NULL : &words->facts->rules[k - 1];
}

// As the scan says: one table. A word of the language may come without a rule of its own.
static const char *class_of(const CWords *words, const CudaName *x) {
    const PortRule *r = rule_of(words, x->cuda_name);
    return port_class_names[r == NULL ? PORT_AUTOMATIC : r->port_class];
}

static void versions(App *app, const char *what, const char *added, const char *deprecated,
                     const char *removed) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    if (added[0] != '\0') buf_printf(&b, "since %s", added);
    if (deprecated[0] != '\0') buf_printf(&b, "%sdeprecated in %s", b.length > 0 ? ", " : "", deprecated);
    if (removed[0] != '\0') buf_printf(&b, "%sremoved in %s", b.length > 0 ? ", " : "", removed);
    if (b.length > 0) migrate_line(app, what, b.data);
    buf_free(&b);
}

static void name_text(App *app, const CWords *words, const CudaName *x) {
    buf_printf(&app->out, "%s (%s, %s) -> %s\n", x->cuda_name, x->kind, x->library,
               x->hip_name[0] != '\0' ? x->hip_name : "nothing in HIP");
    const PortRule *r = rule_of(words, x->cuda_name);
    migrate_line(app, "porting", class_of(words, x));
    if (r != NULL && strcmp(r->rule, "api-rename") != 0)
        migrate_line(app, "rule", arena_printf(&app->arena, "%s: %s. %s", r->rule, r->what, r->fix));
    if (x->hip_name[0] != '\0') {
        migrate_line(app, "belongs to", x->target);
        versions(app, "in HIP", x->hip_since, x->hip_deprecated, x->hip_removed);
    }
    if (x->hip_experimental[0] != '\0')
        migrate_line(app, "note",
                     arena_printf(&app->arena, "marked experimental for HIP %s", x->hip_experimental));
    versions(app, "in CUDA", x->cuda_added, x->cuda_deprecated, x->cuda_removed);
    if (x->shared_name != 0)
        migrate_line(app, "note",
                     "a word that other languages and libraries have too: no sign of CUDA by itself");
    migrate_line(app, "source", arena_printf(&app->arena, "%s (%s)", x->source, x->as_of));
}

// What a word names: names of the CUDA libraries, a word of the language (one name, with a note), or a whole
// library.
typedef struct Found {
    const CudaName *names;
    size_t n;
    const char *note;  // "": none
    const Library *libraries;
    size_t n_libraries;
    bool whole;  // a library
    const CWords *words;
} Found;

static void found_json(App *app, const Found *x) {
    const CudaName *rows = x->names;
    size_t n = x->n;
    Json *root = app_json(app);
    json_add_text(app->inputs, "name", app->args[0]);
    Json *list = json_add_array(root, "names");
    for (size_t i = 0; i < n; i++) {
        Json *object = json_add_object(list, NULL);
        row_json(object, &cuda_names_table, &rows[i]);
        json_add_text(object, "status", status_of(&rows[i]));
        json_add_text(object, "class", class_of(x->words, &rows[i]));
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
    X("class",     "CLASS",   TEXT,      class_of(words, x)) \
    X("source",    "SOURCE",  MORE_TEXT, x->source) \
    X("as_of",     "AS OF",   MORE_TEXT, x->as_of)
// clang-format on
static const Column name_columns[] = {NAME_COLUMNS(LISTING_COLUMN)};

static void names_listing(App *app, const CWords *words, const CudaName *rows, size_t n) {
    Listing l;
    listing_init(&l, &app->arena, "names", name_columns, COUNT_OF(name_columns), n);
    for (size_t i = 0; i < n; i++) {
        const CudaName *x = &rows[i];
        listing_row(&l, NAME_COLUMNS(LISTING_CELL));
    }
    app_listing(app, &l);
}

// Rows of one name stand together: a name of two libraries has two.
static size_t matching(const PortingFacts *f, const char *name, const CudaName **ret_first) {
    size_t n = 0;
    for (size_t i = 0; i < f->n_names; i++) {
        if (strcmp(f->names[i].cuda_name, name) != 0) continue;
        if (n++ == 0) *ret_first = &f->names[i];
    }
    return n;
}

// "threadIdx" of "threadIdx.x": a member has no row of its own.
static const char *without_member(Arena *a, const char *name) {
    const char *dot = strrchr(name, '.');
    bool member =
        dot != NULL && dot != name && dot[1] != '\0' && dot[2] == '\0' && strchr("xyzw", dot[1]) != NULL;
    return member ? arena_copy(a, name, (size_t)(dot - name)) : name;
}

// A name that no table has, with what is not known of it left empty.
static CudaName *name_row(Arena *a, const char *cuda, const char *hip) {
    CudaName *row = arena_alloc(a, 1, sizeof *row);
    row_blank(&cuda_names_table, row);
    row->cuda_name = cuda;
    row->hip_name = hip;
    return row;
}

// Words of the language, which no library declares.
static bool of_language(App *app, const char *name, Found *x, Err *e) {
    Catalog *c = NULL;
    UserNames names;
    if (!app_catalog(app, &c, e) || !catalog_names(c, &app->arena, &names, e)) return false;
    const UserName *word = user_name(&names, NAMED_API, name);
    if (word == NULL) return true;
    CudaName *row = name_row(&app->arena, word->name, word->means);
    row->library = "language";
    row->kind = "built-in word";
    row->target = "HIP";
    row->source = word->source;
    row->as_of = word->as_of;
    *x = (Found){.names = row, .n = 1, .note = word->note, .libraries = NULL};
    return true;
}

// Is the word one of the names in "NVDEC (Video Codec SDK decode)", "cuBLASXt / cuBLASMp", "WMMA
// (nvcuda::wmma)": the first, one behind a slash, or one alone in parentheses?
static bool names_library(const char *library, const char *word) {
    size_t length = strlen(word);
    for (const char *at = library; *at != '\0'; at++) {
        bool begins = at == library || at[-1] == '(' || (at - library >= 2 && at[-1] == ' ' && at[-2] == '/');
        size_t i = 0;
        while (begins && i < length && char_lower(at[i]) == char_lower(word[i])) i++;
        if (begins && i == length && strchr(" )/", at[i]) != NULL &&
            (at == library || at[-1] != '(' || at[i] == ')'))
            return true;
    }
    return false;
}

static void of_library(App *app, const PortingFacts *f, const char *word, Found *x) {
    CudaName *names = arena_alloc(&app->arena, f->n_names + 1, sizeof *names);
    Library *libraries = arena_alloc(&app->arena, f->n_libraries + 1, sizeof *libraries);
    *x = (Found){.names = names, .note = "", .libraries = libraries, .whole = true};
    for (size_t i = 0; i < f->n_names; i++) {
        if (text_same(f->names[i].library, word)) names[x->n++] = f->names[i];
    }
    for (size_t i = 0; i < f->n_libraries; i++) {
        if (names_library(f->libraries[i].cuda_name, word)) libraries[x->n_libraries++] = f->libraries[i];
    }
}

// A name that no library's list has and that the scan has a rule for: cub::BlockReduce, nvmlInit_v2, cuda_bf16.h.
static void of_rule(App *app, const CWords *words, const char *name, Found *x) {
    const PortRule *r = rule_of(words, name);
    if (r == NULL) return;
    CudaName *row = name_row(&app->arena, name, r->amd);
    row->library = row->kind = "construct";
    row->hip_since = r->rocm_since;
    row->target = "AMD";
    row->source = r->source;
    row->as_of = r->as_of;
    *x = (Found){.names = row, .n = 1, .note = r->why, .libraries = NULL};
}

static bool find_name(App *app, const PortingFacts *f, const CWords *words, const char *typed, Found *x,
                      Err *e) {
    *x = (Found){.note = "", .libraries = NULL};
    x->n = matching(f, typed, &x->names);
    const char *whole = x->n == 0 ? without_member(&app->arena, typed) : typed;
    if (x->n == 0) x->n = matching(f, whole, &x->names);
    if (x->n == 0 && !of_language(app, whole, x, e)) return false;
    if (x->n == 0) of_library(app, f, typed, x);
    if (x->n + x->n_libraries == 0) of_rule(app, words, whole, x);
    x->words = words;
    if (x->n + x->n_libraries > 0) return true;
    const char **names = arena_alloc(&app->arena, f->n_names + 1, sizeof *names);
    for (size_t i = 0; i < f->n_names; i++) names[i] = f->names[i].cuda_name;
    return name_unknown(e, "CUDA name", typed, names, f->n_names);
}

static void library_text(App *app, const Found *x) {
    size_t mapped = 0;
    size_t same = 0;
    for (size_t i = 0; i < x->n_libraries; i++) {
        const Library *l = &x->libraries[i];
        int k = port_class_of(l->effort_class);
        buf_printf(&app->out, "CUDA library %s -> %s: %s\n", text_clean(&app->arena, l->cuda_name),
                   l->rocm_name[0] != '\0' ? text_clean(&app->arena, l->rocm_name) : "nothing on ROCm",
                   l->coverage);
        migrate_line(app, "porting", k < 0 ? "" : port_class_names[k]);
        migrate_line(app, "note", l->note);
        migrate_line(app, "source", arena_printf(&app->arena, "%s (%s)", l->source, l->as_of));
    }
    for (size_t i = 0; i < x->n; i++) {
        mapped += strcmp(class_of(x->words, &x->names[i]), "automatic") == 0;
        same += strcmp(status_of(&x->names[i]), "same-name") == 0;
    }
    if (x->n == 0) return;
    buf_printf(&app->out,
               "%zu names of it are known: %zu have one in HIP (%zu the same), %zu have none or lost it.\n",
               x->n, mapped, same, x->n - mapped);
    text_wrapped(&app->out, "`gpuadvise migrate api NAME` says what becomes of one; --format csv lists all.",
                 0, app_width(app));
}

int migrate_api(App *app) {
    Err e = {0};
    PortingFacts f;
    Found x;
    CWords *words = NULL;
    if (!migrate_facts(app, &f, &e) ||
        !cuda_words(&f, opt_text(app, OPT_ROCM, "7.2"), true, &app->arena, &words, &e) ||
        !find_name(app, &f, words, app->args[0], &x, &e))
        return app_fail(app, &e);
    if (app->format == FORMAT_JSON) {
        found_json(app, &x);
    } else if (app->format != FORMAT_TABLE) {
        names_listing(app, words, x.names, x.n);
    } else if (x.whole) {
        library_text(app, &x);
    } else {
        for (size_t i = 0; i < x.n; i++) name_text(app, words, &x.names[i]);
        migrate_line(app, "note", x.note);
    }
    return EXIT_DONE;
}
