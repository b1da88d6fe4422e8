// compat: what runs on CUDA and on ROCm, with the evidence and its date; CUDA libraries and Python packages
// on ROCm.
#include <stdlib.h>
#include <string.h>

#include "catalog/facts/names.h"
#include "cli/cmd.h"
#include "cli/own.h"
#include "src/report/evidence.h"

// ---------------------------------------------------------------- finding

static bool load(App *app, SubjectEvidence *ret, Err *e) {
    Catalog *c = NULL;
    void *claims = NULL;
    void *libraries = NULL;
    void *packages = NULL;
    SubjectEvidence x = {0};
    bool ok = app_catalog(app, &c, e) &&
              catalog_rows(c, TABLE_SUPPORT, &app->arena, &claims, &x.n_claims, e) &&
              catalog_rows(c, TABLE_LIBRARIES, &app->arena, &libraries, &x.n_libraries, e) &&
              catalog_rows(c, TABLE_PACKAGES, &app->arena, &packages, &x.n_packages, e);
    if (!ok) return false;
    x.claims = claims;
    x.libraries = libraries;
    x.packages = packages;
    *ret = x;
    return true;
}

static char plain(char c) {
    if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
    return c == '_' || c == ' ' || c == '.' ? '-' : c;
}

// Equal but for case and the kind of separator; `whole` false: `word` somewhere in `name`.
static bool matches(const char *name, const char *word, bool whole) {
    size_t n = strlen(word);
    for (const char *start = name; *start != '\0'; start++) {
        size_t i = 0;
        while (i < n && start[i] != '\0' && plain(start[i]) == plain(word[i])) i++;
        if (i == n && (!whole || start[i] == '\0')) return true;
        if (whole) break;
    }
    return false;
}

// Keeps what the word names.
static void keep(SubjectEvidence *x, const char *word, bool whole) {
    size_t n = 0;
    for (size_t i = 0; i < x->n_claims; i++) {
        if (matches(x->claims[i].subject, word, whole)) x->claims[n++] = x->claims[i];
    }
    x->n_claims = n;
    n = 0;
    for (size_t i = 0; i < x->n_libraries; i++) {
        const Library *l = &x->libraries[i];
        if (matches(l->cuda_name, word, whole) || matches(l->rocm_name, word, whole))
            x->libraries[n++] = x->libraries[i];
    }
    x->n_libraries = n;
    n = 0;
    for (size_t i = 0; i < x->n_packages; i++) {
        if (matches(x->packages[i].package, word, whole)) x->packages[n++] = x->packages[i];
    }
    x->n_packages = n;
}

static size_t count(const SubjectEvidence *x) { return x->n_claims + x->n_libraries + x->n_packages; }

static void *copied(Arena *a, const void *rows, size_t n, size_t size) {
    void *copy = arena_alloc(a, n, size);
    if (n > 0) memcpy(copy, rows, n * size);
    return copy;
}

static SubjectEvidence copy_of(Arena *a, const SubjectEvidence *x) {
    SubjectEvidence copy = *x;
    copy.claims = copied(a, x->claims, x->n_claims, sizeof *x->claims);
    copy.libraries = copied(a, x->libraries, x->n_libraries, sizeof *x->libraries);
    copy.packages = copied(a, x->packages, x->n_packages, sizeof *x->packages);
    return copy;
}

static bool unknown_subject(App *app, const SubjectEvidence *x, const char *word, Err *e) {
    const char **names = arena_alloc(&app->arena, count(x), sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < x->n_claims; i++) names[n++] = x->claims[i].subject;
    for (size_t i = 0; i < x->n_libraries; i++) names[n++] = x->libraries[i].cuda_name;
    for (size_t i = 0; i < x->n_packages; i++) names[n++] = x->packages[i].package;
    return name_unknown(e, "subject", word, names, n);
}

// Adds to `x` what `all` has of that name.
static void add_named(SubjectEvidence *x, const SubjectEvidence *all, Str id, Arena *a) {
    SubjectEvidence part = copy_of(a, all);
    keep(&part, arena_copy(a, id.data, id.length), true);
    if (part.n_claims > 0) memcpy(x->claims + x->n_claims, part.claims, part.n_claims * sizeof *x->claims);
    if (part.n_libraries > 0)
        memcpy(x->libraries + x->n_libraries, part.libraries, part.n_libraries * sizeof *x->libraries);
    if (part.n_packages > 0)
        memcpy(x->packages + x->n_packages, part.packages, part.n_packages * sizeof *x->packages);
    x->n_claims += part.n_claims;
    x->n_libraries += part.n_libraries;
    x->n_packages += part.n_packages;
}

// What a word of data/names.tsv means, in the order written there.
static void take_meant(SubjectEvidence *x, const SubjectEvidence *all, const UserName *meant, Arena *a) {
    Str rest = str_of(meant->means);
    Str id;
    x->n_claims = x->n_libraries = x->n_packages = 0;
    while (user_name_next(&rest, &id)) add_named(x, all, id, a);
}

// What data/names.tsv says of the word; else what is called so; failing that, what has the word in its name;
// failing that, nothing and "did you mean".
static bool choose(App *app, SubjectEvidence *x, const char *word, const UserName **ret_meant, Err *e) {
    enum { SHORTEST = 2 };
    Catalog *c = NULL;
    UserNames names;
    SubjectEvidence all = copy_of(&app->arena, x);
    if (!app_catalog(app, &c, e) || !catalog_names(c, &app->arena, &names, e)) return false;
    const UserName *meant = user_name(&names, NAMED_SUBJECT, word);
    *ret_meant = meant;
    if (meant != NULL) take_meant(x, &all, meant, &app->arena);
    if (meant != NULL && count(x) > 0) return true;
    *x = copy_of(&app->arena, &all);
    keep(x, word, true);
    if (count(x) > 0) return true;
    *x = copy_of(&app->arena, &all);
    if (strlen(word) >= SHORTEST) keep(x, word, false);
    if (strlen(word) >= SHORTEST && count(x) > 0) return true;
    return unknown_subject(app, &all, word, e);
}

static void keep_platform(SubjectEvidence *x, const char *platform) {
    size_t n = 0;
    for (size_t i = 0; i < x->n_claims; i++) {
        if (strcmp(x->claims[i].platform, platform) == 0) x->claims[n++] = x->claims[i];
    }
    x->n_claims = n;
}

// ---------------------------------------------------------------- order: by subject, the well-founded first, newest first

static int standing_rank(const Claim *c) {
    static const char *const order[] = {"current", "disputed", "unverified", "superseded", NULL};
    int rank = name_index(order, c->standing);
    return rank >= 0 ? rank : (int)COUNT_OF(order);
}

static int64_t day_of(const Claim *c) {
    int64_t day = 0;
    return parse_date(str_of(c->as_of), &day, NULL) ? day : 0;
}

static int compare_claims(const void *x, const void *y) {
    const Claim *a = x;
    const Claim *b = y;
    int order = strcmp(a->subject, b->subject);
    if (order == 0) order = standing_rank(a) - standing_rank(b);
    if (order == 0) order = day_of(a) > day_of(b) ? -1 : day_of(a) < day_of(b) ? 1 : 0;
    if (order == 0) order = strcmp(a->platform, b->platform);
    if (order == 0) order = strcmp(a->status, b->status);
    return order != 0 ? order : strcmp(a->source, b->source);
}

// What a word means first comes first.
static void order_as_meant(App *app, SubjectEvidence *x, const UserName *meant) {
    Claim *ordered = arena_alloc(&app->arena, x->n_claims + 1, sizeof *ordered);
    size_t n = 0;
    Str rest = str_of(meant->means);
    Str id;
    while (user_name_next(&rest, &id)) {
        const char *subject = arena_copy(&app->arena, id.data, id.length);
        for (size_t i = 0; i < x->n_claims; i++) {
            if (matches(x->claims[i].subject, subject, true)) ordered[n++] = x->claims[i];
        }
    }
    x->claims = ordered;
    app_warn(app, "'%s' taken as %s%s%s", name_shown(&app->arena, app->args[0]), meant->means,
             meant->note[0] != '\0' ? ": " : "", meant->note);
}

// The claims on each subject and platform side by side, and which of them wins.
static void judge(App *app, SubjectEvidence *x) {
    StackEvidence *all = arena_alloc(&app->arena, x->n_claims + 1, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < x->n_claims; i++) {
        const Claim *c = &x->claims[i];
        bool done = false;
        for (size_t k = 0; k < n; k++)
            done = done || (strcmp(all[k].claim->subject, c->subject) == 0 &&
                            strcmp(all[k].claim->platform, c->platform) == 0);
        size_t found = 0;
        const StackEvidence *list =
            done ? NULL
                 : evidence_of(x->claims, x->n_claims, c->subject, c->platform, "", &app->arena, &found);
        for (size_t k = 0; k < found; k++) all[n++] = list[k];
    }
    x->judged = all;
}

// ---------------------------------------------------------------- answers

static const BrowseColumn columns[] = {
    {"subject", "SUBJECT", 0, 0, 0},
    {"platform", "PLATFORM", 0, 0, 0},
    {"status", "STATUS", 0, 0, 0},
    {"standing", "STANDING", 0, 0, 0},
    {"since_version", "SINCE", 0, 0, 100},
    {"framework_version", "VERSION", 0, 0, 120},
    {"platform_version", "ON VERSION", 0, 0, 130},
    {"gpu_scope", "GPUS", 0, 0, 0},
};

static const Browse browse = {
    .table = TABLE_SUPPORT,
    .name = "claims",
    .columns = columns,
    .n_columns = COUNT_OF(columns),
    .note = "`gpuadvise compat SUBJECT` gives versions, how to install, notes, sources and dates.",
};

static int run(App *app) {
    Err e = {0};
    SubjectEvidence x;
    if (!load(app, &x, &e)) return app_fail(app, &e);
    bool one = app->n_args > 0;
    const UserName *meant = NULL;
    if (one && !choose(app, &x, app->args[0], &meant, &e)) return app_fail(app, &e);
    if (opt_set(app, OPT_PLATFORM)) keep_platform(&x, opt_text(app, OPT_PLATFORM, ""));
    if (x.n_claims > 0) qsort(x.claims, x.n_claims, sizeof *x.claims, compare_claims);
    if (meant != NULL) order_as_meant(app, &x, meant);
    if (one) judge(app, &x);
    if (app->format == FORMAT_JSON) {
        if (one) app_input(app, "subject", app->args[0]);
        evidence_json(&x, one, app_json(app));
    } else if (one && app->format == FORMAT_TABLE) {
        Writer w = app_writer(app);
        subject_text(&w, &x);
    } else {
        return browse_list(app, &browse, table_pointers(TABLE_SUPPORT, x.claims, x.n_claims, &app->arena),
                           x.n_claims);
    }
    return EXIT_DONE;
}

static const Verb verbs[] = {
    {"list", "[SUBJECT]", 0, 1, false, "claims about what runs on CUDA and ROCm",
     TAKES(OPT_PLATFORM, OPT_WHERE, OPT_SORT), run},
    {"show", "SUBJECT", 1, 1, false, "those of one subject side by side", TAKES(OPT_PLATFORM), run},
    OWN_VERBS("SUBJECT", "claim")};

COMMAND(compat, "compat", FORMATS_LISTING, .browse = &browse,
        .summary = "what runs on CUDA and ROCm, with evidence and dates",
        .description = "SUBJECT is a framework, library, tool or package: vllm, flash-attention, cuDNN, "
                       "bitsandbytes. Of one subject the claims stand side by side, the newest well-founded "
                       "one first, each with why it is taken or what contradicts it. " OWN_HELP(
                           "`compat add vllm platform=rocm status=full note='runs here'`"));
