// One pass over a tree on all cores: each worker takes the next file; results are put in order of paths at
// the end.
#include <pthread.h>
#include <unistd.h>

#include "src/migrate/scan_work.h"

const char *const origin_names[] = {"own", "vendored", "generated", NULL};
const char *const port_state_names[] = {"none", "traces", "present", NULL};

enum { THREADS_MAX = 16 };

static void *work(void *context) {
    Worker *w = context;
    for (;;) {
        size_t at = atomic_fetch_add(&w->shared->next, 1);
        if (at >= w->shared->n_todo) return NULL;
        scan_take_file(w, w->shared->todo[at]);
        if (w->tells)
            scan_progress(w->shared->options, SCAN_READING, w->shared->done + at + 1, w->shared->n_files);
    }
}

static size_t thread_count(const ScanOptions *options) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = options->threads > 0 ? options->threads : cores > 0 ? (size_t)cores : 1;
    return n > THREADS_MAX ? THREADS_MAX : n;
}

static void start_workers(Shared *s, Worker *workers, size_t n) {
    for (size_t i = 0; i < n; i++) {
        workers[i].shared = s;
        Buf *const buffers[] = {&workers[i].text,         &workers[i].tokens,  &workers[i].findings,
                                &workers[i].dependencies, &workers[i].notes,   &workers[i].defined,
                                &workers[i].evidence,     &workers[i].symbols, &workers[i].questions,
                                &workers[i].includes,     &workers[i].macros,  &workers[i].sources,
                                &workers[i].away};
        for (size_t k = 0; k < COUNT_OF(buffers); k++) buf_init(buffers[k], BUF_LIMIT);
    }
    workers[0].tells = true;
}

// One round over s->todo.
static void run_workers(Shared *s, Worker *workers, size_t n) {
    pthread_t threads[THREADS_MAX];
    size_t started = 0;
    atomic_store(&s->next, 0);
    // This thread is one of them: where none can be started it does all.
    while (started + 1 < n && s->n_todo > 1 &&
           pthread_create(&threads[started], NULL, work, &workers[started + 1]) == 0)
        started++;
    work(&workers[0]);
    for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    s->done += s->n_todo;
}

// Each file once: what builds say first, since the macros they define decide how C is read.
static void run_rounds(Shared *s, CWords *words, Worker *workers, size_t n, Arena *a) {
    uint32_t *todo = arena_alloc(a, s->n_files + 1, sizeof *todo);
    TreeMacros *macros = arena_alloc(a, 1, sizeof *macros);
    start_workers(s, workers, n);
    s->todo = todo;
    for (size_t i = 0; i < s->n_files; i++) {
        if (!s->files[i].c) todo[s->n_todo++] = (uint32_t)i;
    }
    run_workers(s, workers, n);
    *macros = tree_macros(workers, n, a);
    words->macros = macros;
    tree_languages(s, workers, n);
    s->n_todo = 0;
    for (size_t i = 0; i < s->n_files; i++) {
        if (s->files[i].c) todo[s->n_todo++] = (uint32_t)i;
    }
    run_workers(s, workers, n);
    for (size_t i = 0; i < n; i++) {
        buf_free(&workers[i].text);
        buf_free(&workers[i].tokens);
        arena_free(&workers[i].scratch);
    }
}

bool scan_tree(const PortingFacts *facts, const ScanOptions *options, ScanResult *ret, Err *e) {
    *ret = (ScanResult){0};
    Walk walk = {.options = options, .arena = &ret->arena};
    Buf *const buffers[] = {&walk.files, &walk.notes,    &walk.ignores,
                            &walk.own,   &walk.projects, &walk.tracked};
    CWords *words = NULL;
    for (size_t i = 0; i < COUNT_OF(buffers); i++) buf_init(buffers[i], BUF_LIMIT);
    TextFacts text_facts = {.packages = facts->packages, .n_packages = facts->n_packages};
    bool ok = cuda_words(facts, options->rocm, options->lanes64, &ret->arena, &words, e) &&
              text_patterns(facts, &ret->arena, &text_facts, e) && walk_tree(&walk, e);
    if (ok) {
        bool followed = follow_lists(&walk);
        Shared s = {.facts = facts, .words = words, .options = options, .single = walk.single};
        s.files = (const WalkFile *)(const void *)walk.files.data;
        s.n_files = walk.files.length / sizeof(WalkFile);
        s.scanned = arena_alloc(&ret->arena, s.n_files + 1, sizeof *s.scanned);
        s.text_facts = text_facts;
        s.text_facts.own = (const char *const *)(const void *)walk.own.data;
        s.text_facts.n_own = walk.own.length / sizeof(const char *);
        s.text_facts.projects = (const char *const *)(const void *)walk.projects.data;
        s.text_facts.n_projects = walk.projects.length / sizeof(const char *);
        Worker *workers = arena_alloc(&ret->arena, THREADS_MAX, sizeof *workers);
        size_t n = thread_count(options);
        s.paths = tree_paths(s.files, s.n_files, &ret->arena);
        s.cuda_language = arena_alloc(&ret->arena, s.n_files + 1, 1);
        run_rounds(&s, words, workers, n, &ret->arena);
        bool whole = scan_gather(&s, workers, n, &walk, ret) && followed && !walk.files.overflow &&
                     !walk.ignores.overflow && !walk.own.overflow;
        ok = whole ||
             err_set(e, ERR_FAILED, "scan '%s': more than %d MB of files or findings: scan it in parts",
                     options->root, BUF_LIMIT / (1024 * 1024));
        ret->workers = workers;
        ret->n_workers = n;
    }
    for (size_t i = 0; i < COUNT_OF(buffers); i++) buf_free(buffers[i]);
    return ok;
}

void scan_free(ScanResult *r) {
    for (size_t i = 0; i < r->n_workers; i++) arena_free(&r->workers[i].arena);
    for (size_t i = 0; i < COUNT_OF(r->buffers); i++) buf_free(&r->buffers[i]);
    arena_free(&r->arena);
}
