// One pass over a tree on all cores: each worker takes the next file; results are put in order of paths at
// the end.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/migrate/cuda.h"
#include "src/migrate/effort_sum.h"
#include "src/migrate/scan.h"
#include "src/migrate/text.h"

const char *const origin_names[] = {"own", "vendored", "generated", NULL};
const char *const port_state_names[] = {"none", "traces", "present", NULL};

enum {
    FILE_BYTES_MAX = 16 << 20,
    CHUNK_BYTES = 1 << 16,
    THREADS_MAX = 16,
    HEAD_BYTES = 4096,
    WORD_BYTES_MAX = 80
};

typedef struct Shared {
    const PortingFacts *facts;
    const CWords *words;
    const ScanOptions *options;
    const WalkFile *files;
    size_t n_files;
    bool single;
    TextFacts text_facts;
    ScanFile *scanned;  // of the same index
    atomic_size_t next;
} Shared;

typedef struct Worker {
    Shared *shared;
    Arena arena, scratch;
    Buf text, tokens;
    Buf findings, dependencies, notes, defined, evidence;
    uint32_t file;
    size_t unread;
    bool tells;  // of progress
} Worker;

typedef struct WorkerNote {
    uint32_t file;
    const char *why;
} WorkerNote;

static void note(Worker *w, const char *why) {
    WorkerNote n = {w->file, why};
    buf_add(&w->notes, (const char *)&n, sizeof n);
}

void scan_progress(const ScanOptions *o, ScanPhase phase, size_t done, size_t total) {
    if (o->progress != NULL) o->progress(o->context, phase, done, total);
}

// ---------------------------------------------------------------- sinks

static void on_c_finding(void *context, const CFinding *f) {
    Worker *w = context;
    ScanFinding x = {.file = w->file,
                     .line = (uint32_t)f->line,
                     .column = (uint32_t)f->column,
                     .rule = f->rule,
                     .in_string = f->in_string,
                     .device = f->device,
                     .name = f->name};
    size_t n = f->word.length < WORD_BYTES_MAX ? f->word.length : WORD_BYTES_MAX;
    x.word = f->name != NULL ? f->name->cuda_name : arena_copy(&w->arena, f->word.data, n);
    buf_add(&w->findings, (const char *)&x, sizeof x);
}

static void on_defined(void *context, Str word) {
    Worker *w = context;
    const char *copy = arena_copy(&w->arena, word.data, word.length);
    buf_add(&w->defined, (const char *)&copy, sizeof copy);
}

// One a file for each kind.
static void sign(Worker *w, size_t line, bool build, const char *what) {
    const ScanEvidence *seen = (const ScanEvidence *)(const void *)w->evidence.data;
    for (size_t i = w->evidence.length / sizeof *seen; i > 0 && seen[i - 1].file == w->file; i--) {
        if (seen[i - 1].build == build) return;
    }
    ScanEvidence x = {w->file, (uint32_t)line, build, what};
    if (w->shared->scanned[w->file].origin == ORIGIN_OWN) buf_add(&w->evidence, (const char *)&x, sizeof x);
}

static void on_text_hit(void *context, const TextHit *h) {
    Worker *w = context;
    bool build = strcmp(h->rule, SIGN_BUILD) == 0;
    const PortRule *r = rule_find(w->shared->facts, h->rule);
    if (build || strcmp(h->rule, SIGN_CODE) == 0) {
        size_t from = h->offset < w->text.length ? h->offset : w->text.length;
        size_t length = h->length < w->text.length - from ? h->length : w->text.length - from;
        sign(w, h->line, build,
             arena_copy(&w->arena, w->text.data + from, length < WORD_BYTES_MAX ? length : WORD_BYTES_MAX));
        return;
    }
    if (r == NULL) return;
    ScanFinding x = {.file = w->file,
                     .line = (uint32_t)h->line,
                     .column = (uint32_t)h->column,
                     .rule = (uint16_t)(r - w->shared->facts->rules),
                     .in_string = h->in_string};
    size_t at = h->offset < w->text.length ? h->offset : w->text.length;
    size_t n = h->length < w->text.length - at ? h->length : w->text.length - at;
    x.word = arena_copy(&w->arena, w->text.data + at, n < WORD_BYTES_MAX ? n : WORD_BYTES_MAX);
    buf_add(&w->findings, (const char *)&x, sizeof x);
}

static void on_dependency(void *context, const DependencyHit *h) {
    Worker *w = context;
    ScanDependency d = {.file = w->file,
                        .line = (uint32_t)h->line,
                        .column = (uint32_t)h->column,
                        .package = h->package,
                        .port_class = h->port_class,
                        .pinned = h->pinned,
                        .pin_blocks = h->pin_blocks,
                        .index_trap = h->index_trap};
    d.name = arena_copy(&w->arena, h->name.data, h->name.length);
    d.spec = arena_copy(&w->arena, h->spec.data, h->spec.length);
    d.rule = h->rule == NULL ? NULL : rule_find(w->shared->facts, h->rule);
    buf_add(&w->dependencies, (const char *)&d, sizeof d);
}

typedef struct Embedded {
    Worker *worker;
    size_t line, column;
} Embedded;

static void on_embedded(void *context, const CFinding *f) {
    const Embedded *in = context;
    CFinding moved = *f;
    if (f->line == 1) moved.column += in->column - 1;
    moved.line += in->line - 1;
    moved.in_string = true;
    on_c_finding(in->worker, &moved);
}

static void on_cuda_source(void *context, Str text, size_t offset, size_t line, size_t column) {
    Worker *w = context;
    (void)offset;
    Embedded in = {w, line, column};
    CSink sink = {&in, on_embedded, NULL};
    CLexed lexed;
    cuda_scan(w->shared->words, text, true, true, &w->tokens, &sink, &lexed);
}

// ---------------------------------------------------------------- one file

static bool read_all(Worker *w, const char *path, size_t *ret_expected) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (w->shared->single ? 0 : O_NOFOLLOW));
    struct stat st;
    if (fd < 0) {
        note(w, arena_printf(&w->arena, "could not be opened: %s", strerror(errno)));
        return false;
    }
    bool ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (!ok) note(w, "no longer a plain file");
    if (ok && st.st_size > FILE_BYTES_MAX) {
        note(w, "larger than 16 MiB: not read");
        w->unread += (size_t)st.st_size;
        ok = false;
    }
    *ret_expected = ok ? (size_t)st.st_size : 0;
    w->text.length = 0;
    char chunk[CHUNK_BYTES];
    while (ok && w->text.length <= FILE_BYTES_MAX) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0) break;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            note(w, arena_printf(&w->arena, "could not be read: %s", strerror(errno)));
            ok = false;
        } else {
            buf_add(&w->text, chunk, (size_t)n);
        }
    }
    close(fd);
    if (ok && w->text.length > FILE_BYTES_MAX) {
        note(w, "grew beyond 16 MiB while it was read: not analysed");
        return false;
    }
    return ok;
}

static bool is_generated(Str head) {
    static const char *const signs[] = {"@generated",
                                        "DO NOT EDIT",
                                        "Do not edit",
                                        "automatically generated",
                                        "Automatically generated",
                                        "auto-generated",
                                        "autogenerated",
                                        "AUTOGENERATED",
                                        "Auto-generated"};
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        if (str_has(head, signs[i])) return true;
    }
    return false;
}

// Headers of the tree itself are none of a library's, by name and by the path below a folder of headers.
static void own_header(Worker *w, const char *path) {
    const char *name = strrchr(path, '/');
    name = name == NULL ? path : name + 1;
    const char *dot = strrchr(name, '.');
    if (dot == NULL || !word_in("h hh hpp hxx h++ cuh inc inl ipp", dot + 1)) return;
    on_defined(w, str_of(name));
    const char *below = strstr(path, "include/");
    bool folder = below != NULL && (below == path || below[-1] == '/');
    if (folder && strcmp(below + strlen("include/"), name) != 0)
        on_defined(w, str_of(below + strlen("include/")));
}

static void scan_c(Worker *w, const WalkFile *f, ScanFile *ret) {
    if (ret->origin == ORIGIN_OWN) own_header(w, f->path);
    CSink sink = {w, on_c_finding, on_defined};
    CLexed lexed;
    const char *dot = strrchr(f->path, '.');
    bool cuda = dot != NULL && (text_same(dot, ".cu") || text_same(dot, ".cuh"));
    cuda_scan(w->shared->words, (Str){w->text.data, w->text.length}, cuda, false, &w->tokens, &sink, &lexed);
    ret->lines = lexed.lines;
    ret->guarded_lines = lexed.guarded_lines;
    ret->amd_guards = lexed.amd_guards;
    ret->amd_lines = lexed.amd_lines;
    if (lexed.amd_guards > 0) sign(w, lexed.amd_guard_at, false, "condition about AMD");
    if (lexed.hip_at > 0) sign(w, lexed.hip_at, false, "header of HIP");
    ret->cuda = cuda;
    if (lexed.cut) note(w, "more than 4 million tokens: the rest was not analysed");
    if (lexed.open_comment) note(w, "a comment or string is not closed: what follows it may be read wrongly");
}

static void scan_other(Worker *w, const WalkFile *f, TextKind kind, ScanFile *ret) {
    TextSink sink = {
        .context = w, .hit = on_text_hit, .dependency = on_dependency, .cuda_source = on_cuda_source};
    TextFacts facts = w->shared->text_facts;
    facts.rocm_index = f->rocm_index != 0;
    Err e = {0};
    Str text = {w->text.data, w->text.length};
    if (!text_scan(kind, f->path, text, &facts, &sink, &w->scratch, &e))
        note(w, arena_printf(&w->arena, "not understood: %s", e.text));
    arena_free(&w->scratch);
    for (size_t i = 0; i < text.length; i++) ret->lines += text.data[i] == '\n';
}

static void take_file(Worker *w, size_t index) {
    const WalkFile *f = &w->shared->files[index];
    ScanFile *ret = &w->shared->scanned[index];
    const char *root = w->shared->options->root;
    size_t expected = 0;
    w->file = (uint32_t)index;
    *ret = (ScanFile){
        .path = f->path, .origin = f->vendored ? ORIGIN_VENDORED : ORIGIN_OWN, .c = f->c, .tests = f->tests};
    const char *path = w->shared->single ? root : arena_printf(&w->scratch, "%s/%s", root, f->path);
    bool read = read_all(w, path, &expected);
    arena_free(&w->scratch);
    if (!read || w->text.length == 0) return;
    Str head = {w->text.data, w->text.length < HEAD_BYTES ? w->text.length : HEAD_BYTES};
    TextKind kind = (TextKind)f->kind;
    if (!f->c && kind == TEXT_NONE) kind = text_kind(f->path, head);
    if (!f->c && kind == TEXT_NONE) return;
    ret->bytes = w->text.length;
    if (memchr(head.data, '\0', head.length) != NULL) {
        note(w, "holds NUL bytes: taken for binary, not analysed");
        w->unread += w->text.length;
        return;
    }
    if (w->text.length < expected) note(w, "became shorter while it was read");
    if (!f->vendored && is_generated(head)) ret->origin = ORIGIN_GENERATED;
    if (f->c) {
        scan_c(w, f, ret);
    } else {
        scan_other(w, f, kind, ret);
    }
}

static void *work(void *context) {
    Worker *w = context;
    for (;;) {
        size_t index = atomic_fetch_add(&w->shared->next, 1);
        if (index >= w->shared->n_files) return NULL;
        take_file(w, index);
        if (w->tells) scan_progress(w->shared->options, SCAN_READING, index + 1, w->shared->n_files);
    }
}

// ---------------------------------------------------------------- putting together

static int order(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

static int by_place(const void *a, const void *b) {
    const ScanFinding *x = a;
    const ScanFinding *y = b;
    int o = order(x->file, y->file);
    if (o == 0) o = order(x->line, y->line);
    if (o == 0) o = order(x->column, y->column);
    return o != 0 ? o : order(x->rule, y->rule);
}

static int by_dependency(const void *a, const void *b) {
    const ScanDependency *x = a;
    const ScanDependency *y = b;
    int o = order(x->file, y->file);
    if (o == 0) o = order(x->line, y->line);
    if (o == 0) o = order(x->column, y->column);
    return o != 0 ? o : strcmp(x->name, y->name);
}

static int by_sign(const void *a, const void *b) {
    const ScanEvidence *x = a;
    const ScanEvidence *y = b;
    int o = (int)y->build - (int)x->build;
    if (o == 0) o = order(x->file, y->file);
    return o != 0 ? o : order(x->line, y->line);
}

static int by_note(const void *a, const void *b) {
    const ScanNote *x = a;
    const ScanNote *y = b;
    int o = strcmp(x->path, y->path);
    return o != 0 ? o : strcmp(x->why, y->why);
}

static int by_text(const void *a, const void *b) {
    const char *const *x = a;
    const char *const *y = b;
    return strcmp(*x, *y);
}

static double rule_weight(const PortRule *r) { return r->port_class * 1e6 + r->minutes_high; }

// Drops what the tree itself defines, and all but the heaviest finding of one place.
static size_t settle(const PortingFacts *facts, ScanFinding *rows, size_t n, const char *const *defined,
                     size_t n_defined) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const PortRule *r = &facts->rules[rows[i].rule];
        bool named = strcmp(r->rule, "kernel-launch") != 0 && strcmp(r->rule, "grid-over-2e32") != 0 &&
                     (strcmp(r->rule, "dynamic-parallelism") != 0 || strncmp(rows[i].word, "cuda", 4) == 0) &&
                     r->area == AREA_SOURCE;
        // A header that CUDA has by that name is taken for CUDA's, whoever else has one.
        named = named && !(rows[i].name != NULL && strchr(rows[i].name->cuda_name, '.') != NULL);
        if (named && n_defined > 0 &&
            bsearch(&rows[i].word, defined, n_defined, sizeof *defined, by_text) != NULL)
            continue;
        ScanFinding *last = kept > 0 ? &rows[kept - 1] : NULL;
        if (last != NULL && last->file == rows[i].file && last->line == rows[i].line &&
            last->column == rows[i].column) {
            if (rule_weight(r) > rule_weight(&facts->rules[last->rule])) *last = rows[i];
            continue;
        }
        rows[kept++] = rows[i];
    }
    return kept;
}

static void sums(ScanResult *r) {
    for (size_t i = 0; i < r->n_files; i++) {
        const ScanFile *f = &r->files[i];
        r->bytes += f->bytes;
        r->lines += f->lines;
        if (f->origin == ORIGIN_OWN) r->amd_guards += f->amd_guards;
        if (f->origin == ORIGIN_OWN) r->amd_lines += f->amd_lines;
        if (!f->cuda || f->origin != ORIGIN_OWN) continue;
        r->cuda_lines += f->lines - f->guarded_lines;
        if (f->tests) r->cuda_lines_of_tests += f->lines - f->guarded_lines;
    }
}

// A build script that speaks of ROCm may be for something beside the sources, and a guard may have come with
// copied code: both together are a port.
static PortState port_state(const ScanResult *r) {
    bool build = false;
    bool source = false;
    for (size_t i = 0; i < r->n_evidence; i++) {
        build = build || r->evidence[i].build;
        source = source || (!r->evidence[i].build && r->files[r->evidence[i].file].c != 0);
    }
    return build && source ? PORTED_PRESENT : r->n_evidence > 0 ? PORTED_TRACES : PORTED_NOT;
}

static bool append(Buf *to, Buf *from) {
    bool whole = !from->overflow;
    if (from->length > 0) buf_add(to, from->data, from->length);
    buf_free(from);
    return whole && !to->overflow;
}

// False: more was found than is kept, so that no sum of it would be true.
static bool gather(Shared *s, Worker *workers, size_t n, Walk *walk, ScanResult *ret) {
    bool whole = true;
    Buf defined;
    Buf *all = ret->buffers;
    buf_init(&defined, BUF_LIMIT);
    for (size_t i = 0; i < COUNT_OF(ret->buffers); i++) buf_init(&all[i], BUF_LIMIT);
    for (size_t i = 0; i < n; i++) {
        whole = append(&all[0], &workers[i].findings) && whole;
        whole = append(&all[1], &workers[i].dependencies) && whole;
        whole = append(&defined, &workers[i].defined) && whole;
        whole = append(&all[3], &workers[i].evidence) && whole;
        const WorkerNote *notes = (const WorkerNote *)(const void *)workers[i].notes.data;
        for (size_t k = 0; k < workers[i].notes.length / sizeof *notes; k++)
            walk_note(walk, s->files[notes[k].file].path, notes[k].why);
        whole = whole && !workers[i].notes.overflow;
        buf_free(&workers[i].notes);
        ret->unread_bytes += workers[i].unread;
    }
    whole = append(&all[2], &walk->notes) && whole;
    size_t n_defined = defined.length / sizeof(const char *);
    scan_progress(s->options, SCAN_SETTLING, all[0].length / sizeof(ScanFinding), 0);
    if (n_defined > 0) qsort(defined.data, n_defined, sizeof(const char *), by_text);
    ret->n_findings = all[0].length / sizeof(ScanFinding);
    if (ret->n_findings > 0) qsort(all[0].data, ret->n_findings, sizeof(ScanFinding), by_place);
    ret->n_findings = settle(s->facts, (ScanFinding *)(void *)all[0].data, ret->n_findings,
                             (const char *const *)(const void *)defined.data, n_defined);
    scan_libraries(s->facts, s->scanned, (const ScanFinding *)(const void *)all[0].data, ret->n_findings,
                   &all[1]);
    whole = whole && !all[1].overflow;
    ret->n_dependencies = all[1].length / sizeof(ScanDependency);
    if (ret->n_dependencies > 0)
        qsort(all[1].data, ret->n_dependencies, sizeof(ScanDependency), by_dependency);
    ret->n_notes = all[2].length / sizeof(ScanNote);
    if (ret->n_notes > 0) qsort(all[2].data, ret->n_notes, sizeof(ScanNote), by_note);
    ret->findings = (const ScanFinding *)(const void *)all[0].data;
    ret->dependencies = (const ScanDependency *)(const void *)all[1].data;
    ret->notes = (const ScanNote *)(const void *)all[2].data;
    ret->n_evidence = all[3].length / sizeof(ScanEvidence);
    if (ret->n_evidence > 0) qsort(all[3].data, ret->n_evidence, sizeof(ScanEvidence), by_sign);
    ret->evidence = (const ScanEvidence *)(const void *)all[3].data;
    buf_free(&defined);
    return whole;
}

static size_t thread_count(const ScanOptions *options) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = options->threads > 0 ? options->threads : cores > 0 ? (size_t)cores : 1;
    return n > THREADS_MAX ? THREADS_MAX : n;
}

static void run_workers(Shared *s, Worker *workers, size_t n) {
    pthread_t threads[THREADS_MAX];
    size_t started = 0;
    for (size_t i = 0; i < n; i++) {
        workers[i].shared = s;
        Buf *const buffers[] = {&workers[i].text,         &workers[i].tokens, &workers[i].findings,
                                &workers[i].dependencies, &workers[i].notes,  &workers[i].defined,
                                &workers[i].evidence};
        for (size_t k = 0; k < COUNT_OF(buffers); k++) buf_init(buffers[k], BUF_LIMIT);
    }
    // This thread is one of them: where none can be started it does all.
    while (started + 1 < n && pthread_create(&threads[started], NULL, work, &workers[started + 1]) == 0)
        started++;
    workers[0].tells = true;
    work(&workers[0]);
    for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    for (size_t i = 0; i < n; i++) {
        buf_free(&workers[i].text);
        buf_free(&workers[i].tokens);
        arena_free(&workers[i].scratch);
    }
}

bool scan_tree(const PortingFacts *facts, const ScanOptions *options, ScanResult *ret, Err *e) {
    *ret = (ScanResult){0};
    Walk walk = {.options = options, .arena = &ret->arena};
    Buf *const buffers[] = {&walk.files, &walk.notes, &walk.ignores, &walk.own, &walk.projects};
    CWords *words = NULL;
    for (size_t i = 0; i < COUNT_OF(buffers); i++) buf_init(buffers[i], BUF_LIMIT);
    bool ok =
        cuda_words(facts, options->rocm, options->lanes64, &ret->arena, &words, e) && walk_tree(&walk, e);
    if (ok) {
        bool followed = follow_lists(&walk);
        Shared s = {.facts = facts, .words = words, .options = options, .single = walk.single};
        s.files = (const WalkFile *)(const void *)walk.files.data;
        s.n_files = walk.files.length / sizeof(WalkFile);
        s.scanned = arena_alloc(&ret->arena, s.n_files + 1, sizeof *s.scanned);
        s.text_facts = (TextFacts){.packages = facts->packages,
                                   .n_packages = facts->n_packages,
                                   .own = (const char *const *)(const void *)walk.own.data,
                                   .n_own = walk.own.length / sizeof(const char *)};
        s.text_facts.projects = (const char *const *)(const void *)walk.projects.data;
        s.text_facts.n_projects = walk.projects.length / sizeof(const char *);
        Worker *workers = arena_alloc(&ret->arena, THREADS_MAX, sizeof *workers);
        size_t n = thread_count(options);
        run_workers(&s, workers, n);
        bool whole = gather(&s, workers, n, &walk, ret) && followed && !walk.files.overflow &&
                     !walk.ignores.overflow && !walk.own.overflow;
        ok = whole ||
             err_set(e, ERR_FAILED, "scan '%s': more than %d MB of files or findings: scan it in parts",
                     options->root, BUF_LIMIT / (1024 * 1024));
        ret->workers = workers;
        ret->n_workers = n;
        ret->files = s.scanned;
        ret->n_files = s.n_files;
        sums(ret);
        ret->ported = port_state(ret);
    }
    for (size_t i = 0; i < COUNT_OF(buffers); i++) buf_free(buffers[i]);
    return ok;
}

void scan_free(ScanResult *r) {
    for (size_t i = 0; i < r->n_workers; i++) arena_free(&r->workers[i].arena);
    for (size_t i = 0; i < COUNT_OF(r->buffers); i++) buf_free(&r->buffers[i]);
    arena_free(&r->arena);
}
