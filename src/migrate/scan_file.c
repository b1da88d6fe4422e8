// One file of a scan: read, its language told, what its lexers report put into the worker's lists.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/migrate/effort_sum.h"
#include "src/migrate/scan_work.h"

enum {
    FILE_BYTES_MAX = 16 << 20,
    CHUNK_BYTES = 1 << 16,
    HEAD_BYTES = 4096,
    UNKNOWN_BYTES_MAX = 1 << 20,
    WORD_BYTES_MAX = 80
};

static void note(Worker *w, const char *why) {
    WorkerNote n = {w->file, why};
    buf_add(&w->notes, (const char *)&n, sizeof n);
}

// ---------------------------------------------------------------- sinks

static ScanFinding finding_of(Worker *w, const CFinding *f) {
    ScanFinding x = {.file = w->file,
                     .line = (uint32_t)f->line,
                     .column = (uint32_t)f->column,
                     .rule = f->rule,
                     .in_string = f->in_string,
                     .device = f->device,
                     .name = f->name,
                     .declared_file = w->file,
                     .declared_line = f->declared_line};
    size_t n = f->word.length < WORD_BYTES_MAX ? f->word.length : WORD_BYTES_MAX;
    x.word = f->name != NULL ? f->name->cuda_name : arena_copy(&w->arena, f->word.data, n);
    return x;
}

static void on_c_finding(void *context, const CFinding *f) {
    Worker *w = context;
    ScanFinding x = finding_of(w, f);
    buf_add(&w->findings, (const char *)&x, sizeof x);
}

static void on_defined(void *context, Str word) {
    Worker *w = context;
    Defined x = {arena_copy(&w->arena, word.data, word.length), w->file};
    buf_add(&w->defined, (const char *)&x, sizeof x);
}

// Names of a width live on with what was found.
static Width kept_width(Worker *w, Width x) {
    for (size_t i = 0; i < x.n; i++)
        x.names[i].data = arena_copy(&w->arena, x.names[i].data, x.names[i].length);
    return x;
}

static void on_symbol(void *context, const CSymbol *s) {
    Worker *w = context;
    Symbol x = {.name = arena_copy(&w->arena, s->name.data, s->name.length),
                .width = kept_width(w, s->width),
                .file = w->file,
                .line = s->line,
                .kind = s->kind,
                .for_amd = s->for_amd};
    buf_add(&w->symbols, (const char *)&x, sizeof x);
}

static void on_question(void *context, const CQuestion *q) {
    Worker *w = context;
    Question x = {finding_of(w, &q->finding), kept_width(w, q->width)};
    buf_add(&w->questions, (const char *)&x, sizeof x);
}

static bool on_include(void *context, Str path, bool quoted) {
    Worker *w = context;
    uint32_t files[RESOLVED_MAX];
    bool near = false;
    size_t n = tree_resolve(&w->shared->paths, w->file, path, quoted, files, &near);
    for (size_t i = 0; i < n; i++) {
        Include x = {w->file, files[i]};
        buf_add(&w->includes, (const char *)&x, sizeof x);
    }
    return quoted && near && w->shared->files[files[0]].vendored == 0;
}

static void on_build_word(Worker *w, Buf *to, Str word, MacroSide side) {
    BuildWord x = {arena_copy(&w->arena, word.data, word.length), w->file, side == MACRO_AMD};
    buf_add(to, (const char *)&x, sizeof x);
}

static void on_macro(void *context, Str name, MacroSide side) {
    Worker *w = context;
    on_build_word(w, &w->macros, name, side);
}

static void on_source(void *context, Str name, MacroSide side) {
    Worker *w = context;
    on_build_word(w, &w->sources, name, side);
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

static void on_away(void *context, size_t from, size_t to) {
    Worker *w = context;
    AwayBytes x = {from, to};
    buf_add(&w->away, (const char *)&x, sizeof x);
}

static bool is_away(const Worker *w, size_t offset) {
    const AwayBytes *away = (const AwayBytes *)(const void *)w->away.data;
    for (size_t i = 0; i < w->away.length / sizeof *away; i++) {
        if (offset >= away[i].from && offset < away[i].to) return true;
    }
    return false;
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
    if (r == NULL || is_away(w, h->offset)) return;
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
    CSink sink = {.context = &in, .finding = on_embedded};
    CLexed lexed;
    cuda_scan(w->shared->words, text, true, true, &w->tokens, &sink, &lexed);
}

// ---------------------------------------------------------------- one file

// What a file holds is not known, and why; false.
static bool refuse(Worker *w, const char *why) {
    note(w, why);
    w->unreadable++;
    return false;
}

static bool read_open(Worker *w, int fd, size_t limit, size_t *ret_expected) {
    struct stat st;
    if (fstat(fd, &st) != 0)
        return refuse(w, arena_printf(&w->arena, "could not be looked at: %s", strerror(errno)));
    if (!S_ISREG(st.st_mode)) return refuse(w, "no longer a plain file");
    if (limit == 0 && st.st_size > FILE_BYTES_MAX) {
        w->unread += (size_t)st.st_size;
        return refuse(w, "larger than 16 MiB: not read");
    }
    *ret_expected = (size_t)st.st_size;
    char chunk[CHUNK_BYTES];
    size_t most = limit > 0 ? limit : FILE_BYTES_MAX;
    ssize_t n = 1;
    while (n != 0 && w->text.length <= most) {
        n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return refuse(w, arena_printf(&w->arena, "could not be read: %s", strerror(errno)));
        buf_add(&w->text, chunk, (size_t)n);
    }
    if (limit == 0 && w->text.length > FILE_BYTES_MAX)
        return refuse(w, "grew beyond 16 MiB while it was read: not analysed");
    return true;
}

// `limit`: bytes after which the rest is left (of files that nothing here reads), 0: FILE_BYTES_MAX, over which a file
// is not read at all.
static bool read_all(Worker *w, const char *path, size_t limit, size_t *ret_expected) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (w->shared->single ? 0 : O_NOFOLLOW));
    *ret_expected = 0;
    w->text.length = 0;
    if (fd < 0) return refuse(w, arena_printf(&w->arena, "could not be opened: %s", strerror(errno)));
    bool ok = read_open(w, fd, limit, ret_expected);
    close(fd);
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
    const char *name = path_name(path);
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
    const char *dot = strrchr(f->path, '.');
    bool cuda = dot != NULL && (text_same(dot, ".cu") || text_same(dot, ".cuh"));
    bool header = dot != NULL && word_in("h hh hpp hxx h++ cuh inc inl ipp tpp txx", dot + 1);
    CSink sink = {.context = w,
                  .finding = on_c_finding,
                  .defined = on_defined,
                  .symbol = header ? on_symbol : NULL,
                  .question = on_question,
                  .include = on_include};
    CLexed lexed;
    cuda = cuda || w->shared->cuda_language[w->file] != 0;
    cuda_scan(w->shared->words, (Str){w->text.data, w->text.length}, cuda, false, &w->tokens, &sink, &lexed);
    ret->lines = lexed.lines;
    ret->guarded_lines = lexed.guarded_lines;
    ret->amd_guards = lexed.amd_guards;
    ret->amd_lines = lexed.amd_lines;
    if (lexed.amd_guards > 0) sign(w, lexed.amd_guard_at, false, "condition about AMD");
    if (lexed.hip_at > 0) sign(w, lexed.hip_at, false, "header of HIP");
    ret->cuda = cuda;
    w->masks += lexed.masks;
    w->masks_unknown += lexed.masks_unknown;
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
    BuildSink build = {w, on_macro, on_source, on_away};
    w->away.length = 0;
    build_macros((int)kind, f->path, text, &build);
    if (!text_scan(kind, f->path, text, &facts, &sink, &w->scratch, &e))
        note(w, arena_printf(&w->arena, "not understood: %s", e.text));
    arena_free(&w->scratch);
    for (size_t i = 0; i < text.length; i++) {
        ret->lines += text.data[i] == '\n';
        ret->guarded_lines += text.data[i] == '\n' && is_away(w, i);
    }
}

static bool is_commands(const char *path) { return strcmp(path_name(path), "compile_commands.json") == 0; }

// A build tool wrote it from the build scripts: it says how the sources are compiled, and repeats their work.
static void scan_commands(Worker *w, ScanFile *ret) {
    BuildSink build = {w, on_macro, on_source, NULL};
    Err e = {0};
    Str text = {w->text.data, w->text.length};
    ret->origin = ORIGIN_GENERATED;
    if (!build_commands(text, &build, &e)) note(w, arena_printf(&w->arena, "not understood: %s", e.text));
}

// Documents for people: what they say of CUDA is no work.
static bool is_prose(const char *path) {
    const char *base = path_name(path);
    const char *dot = strrchr(base, '.');
    static const char *const names[] = {"README",  "LICENSE", "LICENCE",    "COPYING",
                                        "NOTICE",  "AUTHORS", "CHANGES",    "CHANGELOG",
                                        "INSTALL", "NEWS",    "CODEOWNERS", "CITATION"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strncmp(base, names[i], strlen(names[i])) == 0) return true;
    }
    return dot != NULL && strchr(dot, ' ') == NULL &&
           word_in("md mdx rst txt html htm adoc tex bib org rtf css csv tsv log po pot", dot + 1);
}

// A file of a kind that nothing here reads: told when it says CUDA.
static void take_unknown(Worker *w, const WalkFile *f) {
    size_t looked = w->text.length < HEAD_BYTES ? w->text.length : HEAD_BYTES;
    if (memchr(w->text.data, '\0', looked) != NULL) return;
    size_t at = cuda_word_in((Str){w->text.data, w->text.length});
    if (at == SIZE_MAX) return;
    if (is_prose(f->path)) {
        w->prose_files++;
        return;
    }
    size_t line = 1;
    for (size_t i = 0; i < at; i++) line += w->text.data[i] == '\n';
    note(w, arena_printf(&w->arena, "says CUDA (line %zu) in a language that is not read here: not analysed",
                         line));
    w->unread += w->text.length;
    w->unread_files++;
}

void scan_take_file(Worker *w, size_t index) {
    const WalkFile *f = &w->shared->files[index];
    ScanFile *ret = &w->shared->scanned[index];
    const char *root = w->shared->options->root;
    size_t expected = 0;
    w->file = (uint32_t)index;
    *ret = (ScanFile){
        .path = f->path, .origin = f->vendored ? ORIGIN_VENDORED : ORIGIN_OWN, .c = f->c, .tests = f->tests};
    const char *path = w->shared->single ? root : arena_printf(&w->scratch, "%s/%s", root, f->path);
    TextKind kind = (TextKind)f->kind;
    // What has no kind by its name is at most one for which its head speaks.
    bool read = read_all(w, path, f->c || kind != TEXT_NONE ? 0 : UNKNOWN_BYTES_MAX, &expected);
    arena_free(&w->scratch);
    if (!read || w->text.length == 0) return;
    Str head = {w->text.data, w->text.length < HEAD_BYTES ? w->text.length : HEAD_BYTES};
    if (!f->c && kind == TEXT_NONE) kind = text_kind(f->path, head);
    if (!f->c && kind == TEXT_NONE) {
        take_unknown(w, f);
        return;
    }
    ret->code = kind == TEXT_FORTRAN || kind == TEXT_JULIA;
    ret->bytes = w->text.length;
    if (memchr(head.data, '\0', head.length) != NULL) {
        note(w, "holds NUL bytes: taken for binary, not analysed");
        w->unread += w->text.length;
        w->unreadable += !f->vendored;  // by its name it is source, in UTF-16 perhaps
        return;
    }
    if (w->text.length < expected) note(w, "became shorter while it was read");
    if (!f->vendored && is_generated(head)) ret->origin = ORIGIN_GENERATED;
    if (is_commands(f->path)) scan_commands(w, ret);
    if (f->c) {
        scan_c(w, f, ret);
    } else {
        scan_other(w, f, kind, ret);
    }
}
