// migrate api: one CUDA name, and what stands for it in HIP since which version; or a library, and what
// stands for it in ROCm.
#include <string.h>

#include "catalog/facts/names.h"
#include "cli/migrate.h"
#include "src/report/porting.h"

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
static bool of_language(App *app, const char *name, NamesFound *x, Err *e) {
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
    *x = (NamesFound){.names = row, .n = 1, .note = word->note, .libraries = NULL};
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

static void of_library(App *app, const PortingFacts *f, const char *word, NamesFound *x) {
    CudaName *names = arena_alloc(&app->arena, f->n_names + 1, sizeof *names);
    Library *libraries = arena_alloc(&app->arena, f->n_libraries + 1, sizeof *libraries);
    *x = (NamesFound){.names = names, .note = "", .libraries = libraries, .whole = true};
    for (size_t i = 0; i < f->n_names; i++) {
        if (text_same(f->names[i].library, word)) names[x->n++] = f->names[i];
    }
    for (size_t i = 0; i < f->n_libraries; i++) {
        if (names_library(f->libraries[i].cuda_name, word)) libraries[x->n_libraries++] = f->libraries[i];
    }
}

// A name that no library's list has and that the scan has a rule for: cub::BlockReduce, nvmlInit_v2, cuda_bf16.h.
static void of_rule(App *app, const CWords *words, const char *name, NamesFound *x) {
    const PortRule *r = cuda_rule_of(words, name);
    if (r == NULL) return;
    CudaName *row = name_row(&app->arena, name, r->amd);
    row->library = row->kind = "construct";
    row->hip_since = r->rocm_since;
    row->target = "AMD";
    row->source = r->source;
    row->as_of = r->as_of;
    *x = (NamesFound){.names = row, .n = 1, .note = r->why, .libraries = NULL};
}

static bool find_name(App *app, const PortingFacts *f, const CWords *words, const char *typed, NamesFound *x,
                      Err *e) {
    *x = (NamesFound){.note = "", .libraries = NULL};
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

int migrate_api(App *app) {
    Err e = {0};
    PortingFacts f;
    NamesFound x;
    CWords *words = NULL;
    if (!migrate_facts(app, &f, &e) ||
        !cuda_words(&f, opt_text(app, OPT_ROCM, "7.2"), true, &app->arena, &words, &e) ||
        !find_name(app, &f, words, app->args[0], &x, &e))
        return app_fail(app, &e);
    if (app->format == FORMAT_JSON) {
        app_input(app, "name", app->args[0]);
        cuda_names_json(&x, app_json(app));
    } else if (app->format == FORMAT_TABLE) {
        Writer w = app_writer(app);
        cuda_names_text(&w, &x);
    } else {
        Listing l;
        cuda_names_listing(&x, &app->arena, &l);
        app_listing(app, &l);
    }
    return EXIT_DONE;
}
