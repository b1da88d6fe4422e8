// What the workers found, put together: in order, without what the tree itself defines, questions answered.
#include <stdlib.h>
#include <string.h>

#include "src/migrate/effort_sum.h"
#include "src/migrate/scan_work.h"

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

static int by_definition(const void *a, const void *b) {
    const Defined *x = a;
    const Defined *y = b;
    int o = strcmp(x->word, y->word);
    return o != 0 ? o : order(x->file, y->file);
}

static int by_symbol(const void *a, const void *b) {
    const Symbol *x = a;
    const Symbol *y = b;
    int o = strcmp(x->name, y->name);
    if (o == 0) o = order(x->file, y->file);
    return o != 0 ? o : order(x->line, y->line);
}

static int by_edge(const void *a, const void *b) {
    const Include *x = a;
    const Include *y = b;
    int o = order(x->from, y->from);
    return o != 0 ? o : order(x->to, y->to);
}

static int by_target(const void *a, const void *b) {
    const Include *x = a;
    const Include *y = b;
    int o = order(x->to, y->to);
    return o != 0 ? o : order(x->from, y->from);
}

static int by_question(const void *a, const void *b) {
    const Question *x = a;
    const Question *y = b;
    return by_place(&x->finding, &y->finding);
}

static int by_build_word(const void *a, const void *b) {
    const BuildWord *x = a;
    const BuildWord *y = b;
    return strcmp(x->word, y->word);
}

static double rule_weight(const PortRule *r) { return r->port_class * 1e6 + r->minutes_high; }

// Does the tree itself define the word of this finding? A name that CUDA has too is the tree's own only for files
// that include the definition; any other belongs to whoever defines it.
static bool is_defined(Symbols *symbols, const Defined *defined, size_t n, const ScanFinding *f) {
    size_t i = rows_from(f->word, defined, n, sizeof *defined, order_name);
    for (; i < n && strcmp(defined[i].word, f->word) == 0; i++) {
        // Words of the compiler, too, are replaced only where that is seen.
        bool anywhere = f->name == NULL && strncmp(f->word, "__", 2) != 0;
        if (anywhere || symbols_see_with_others(symbols, f->file, defined[i].file)) return true;
    }
    return false;
}

// Drops what the tree itself defines, and all but the heaviest finding of one place.
static size_t settle(const PortingFacts *facts, Symbols *symbols, ScanFinding *rows, size_t n,
                     const Defined *defined, size_t n_defined) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const PortRule *r = &facts->rules[rows[i].rule];
        bool named = strcmp(r->rule, "kernel-launch") != 0 && strcmp(r->rule, "grid-over-2e32") != 0 &&
                     (strcmp(r->rule, "dynamic-parallelism") != 0 || strncmp(rows[i].word, "cuda", 4) == 0) &&
                     r->area == AREA_SOURCE;
        // A header that CUDA has by that name is taken for CUDA's, unless quotes and a file beside say otherwise.
        named = named && !(rows[i].name != NULL && strchr(rows[i].name->cuda_name, '.') != NULL);
        if (named && n_defined > 0 && is_defined(symbols, defined, n_defined, &rows[i])) continue;
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
        source = source || (!r->evidence[i].build && (r->files[r->evidence[i].file].c != 0 ||
                                                      r->files[r->evidence[i].file].code != 0));
    }
    return build && source ? PORTED_PRESENT : r->n_evidence > 0 ? PORTED_TRACES : PORTED_NOT;
}

static bool append(Buf *to, Buf *from) {
    bool whole = !from->overflow;
    if (from->length > 0) buf_add(to, from->data, from->length);
    buf_free(from);
    return whole && !to->overflow;
}

// Questions become findings where the tree says that a mask is narrow.
static void answer(Symbols *symbols, Buf *questions, Buf *findings, size_t *ret_unknown) {
    Question *rows = (Question *)(void *)questions->data;
    size_t n = questions->length / sizeof *rows;
    if (n > 0) qsort(rows, n, sizeof *rows, by_question);
    for (size_t i = 0; i < n; i++) {
        ScanFinding f = rows[i].finding;
        uint8_t bits = 0;
        Symbol declared = {0};
        bool known = symbols_width(symbols, f.file, &rows[i].width, &bits, &declared);
        bool spelled = !known && narrow_by_spelling(&rows[i].width);
        *ret_unknown += !known && !spelled;
        if (!spelled && (!known || bits >= WIDTH_ANY)) continue;
        if (known && declared.name != NULL) {
            f.declared_file = declared.file;
            f.declared_line = declared.line;
        }
        buf_add(findings, (const char *)&f, sizeof f);
    }
}

TreeMacros tree_macros(Worker *workers, size_t n, Arena *a) {
    Buf all;
    buf_init(&all, BUF_LIMIT);
    for (size_t i = 0; i < n; i++) {
        if (workers[i].macros.length > 0) buf_add(&all, workers[i].macros.data, workers[i].macros.length);
        workers[i].macros.length = 0;
    }
    BuildWord *rows = (BuildWord *)(void *)all.data;
    size_t n_rows = all.length / sizeof *rows;
    const char **amd = arena_alloc(a, n_rows + 1, sizeof *amd);
    size_t n_amd = 0;
    if (n_rows > 0) qsort(rows, n_rows, sizeof *rows, by_build_word);
    for (size_t i = 0; i < n_rows;) {
        bool only = true;
        const char *word = rows[i].word;
        for (; i < n_rows && strcmp(rows[i].word, word) == 0; i++) only = only && rows[i].amd;
        if (only) amd[n_amd++] = word;
    }
    buf_free(&all);
    return (TreeMacros){amd, n_amd};
}

void tree_languages(Shared *s, Worker *workers, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const BuildWord *rows = (const BuildWord *)(const void *)workers[i].sources.data;
        for (size_t k = 0; k < workers[i].sources.length / sizeof *rows; k++) {
            uint32_t files[RESOLVED_MAX];
            bool near = false;
            Str path = str_of(rows[k].word);
            size_t found = tree_resolve(&s->paths, rows[k].file, path, true, files, &near);
            // An absolute path of the machine that built: the longest end of it that the tree has, with a folder.
            for (const char *slash;
                 found == 0 && (slash = memchr(path.data, '/', path.length)) != NULL &&
                 memchr(slash + 1, '/', path.length - (size_t)(slash + 1 - path.data)) != NULL;) {
                path = (Str){slash + 1, path.length - (size_t)(slash + 1 - path.data)};
                found = tree_resolve(&s->paths, rows[k].file, path, true, files, &near);
            }
            for (size_t f = 0; f < found && !rows[k].amd; f++) s->cuda_language[files[f]] = 1;
        }
        workers[i].sources.length = 0;
    }
}

static void take_symbols(Shared *s, Buf *symbols, Buf *includes, ScanResult *ret) {
    Symbols *x = &ret->symbols;
    x->n_files = s->n_files;
    x->seen = arena_alloc(&ret->arena, s->n_files / 8 + 1, 1);
    x->todo = arena_alloc(&ret->arena, s->n_files + 1, sizeof *x->todo);
    x->n = symbols->length / sizeof(Symbol);
    x->n_includes = includes->length / sizeof(Include);
    if (x->n > 0) qsort(symbols->data, x->n, sizeof(Symbol), by_symbol);
    if (x->n_includes > 0) qsort(includes->data, x->n_includes, sizeof(Include), by_edge);
    x->rows = (const Symbol *)(const void *)symbols->data;
    x->includes = (const Include *)(const void *)includes->data;
    Include *back = arena_alloc(&ret->arena, x->n_includes + 1, sizeof *back);
    if (x->n_includes > 0) memcpy(back, includes->data, x->n_includes * sizeof *back);
    if (x->n_includes > 0) qsort(back, x->n_includes, sizeof *back, by_target);
    x->included_by = back;
}

static void take_findings(Shared *s, Buf *findings, Buf *questions, Buf *defined, ScanResult *ret) {
    size_t n_defined = defined->length / sizeof(Defined);
    size_t unknown = 0;
    answer(&ret->symbols, questions, findings, &unknown);
    ret->masks_unknown += unknown;
    scan_progress(s->options, SCAN_SETTLING, findings->length / sizeof(ScanFinding), 0);
    if (n_defined > 0) qsort(defined->data, n_defined, sizeof(Defined), by_definition);
    ret->n_findings = findings->length / sizeof(ScanFinding);
    if (ret->n_findings > 0) qsort(findings->data, ret->n_findings, sizeof(ScanFinding), by_place);
    ret->n_findings = settle(s->facts, &ret->symbols, (ScanFinding *)(void *)findings->data, ret->n_findings,
                             (const Defined *)(const void *)defined->data, n_defined);
    ret->findings = (const ScanFinding *)(const void *)findings->data;
}

static void take_rest(Shared *s, Buf *all, ScanResult *ret) {
    scan_libraries(s->facts, s->scanned, ret->findings, ret->n_findings, &all[1]);
    ret->n_dependencies = all[1].length / sizeof(ScanDependency);
    if (ret->n_dependencies > 0)
        qsort(all[1].data, ret->n_dependencies, sizeof(ScanDependency), by_dependency);
    ret->n_notes = all[2].length / sizeof(ScanNote);
    if (ret->n_notes > 0) qsort(all[2].data, ret->n_notes, sizeof(ScanNote), by_note);
    ret->dependencies = (const ScanDependency *)(const void *)all[1].data;
    ret->notes = (const ScanNote *)(const void *)all[2].data;
    ret->n_evidence = all[3].length / sizeof(ScanEvidence);
    if (ret->n_evidence > 0) qsort(all[3].data, ret->n_evidence, sizeof(ScanEvidence), by_sign);
    ret->evidence = (const ScanEvidence *)(const void *)all[3].data;
}

bool scan_gather(Shared *s, Worker *workers, size_t n, Walk *walk, ScanResult *ret) {
    bool whole = true;
    Buf defined;
    Buf questions;
    Buf *all = ret->buffers;
    buf_init(&defined, BUF_LIMIT);
    buf_init(&questions, BUF_LIMIT);
    for (size_t i = 0; i < COUNT_OF(ret->buffers); i++) buf_init(&all[i], BUF_LIMIT);
    for (size_t i = 0; i < n; i++) {
        Buf *const to[] = {&all[0], &all[1], &all[3], &all[4], &all[5], &defined, &questions};
        Buf *const from[] = {&workers[i].findings, &workers[i].dependencies, &workers[i].evidence,
                             &workers[i].symbols,  &workers[i].includes,     &workers[i].defined,
                             &workers[i].questions};
        for (size_t k = 0; k < COUNT_OF(to); k++) whole = append(to[k], from[k]) && whole;
        const WorkerNote *notes = (const WorkerNote *)(const void *)workers[i].notes.data;
        for (size_t k = 0; k < workers[i].notes.length / sizeof *notes; k++)
            walk_note(walk, s->files[notes[k].file].path, notes[k].why);
        whole = whole && !workers[i].notes.overflow;
        buf_free(&workers[i].notes);
        buf_free(&workers[i].macros);
        buf_free(&workers[i].sources);
        buf_free(&workers[i].away);
        ret->unread_bytes += workers[i].unread;
        ret->unread_files += workers[i].unread_files;
        ret->prose_files += workers[i].prose_files;
        ret->unreadable += workers[i].unreadable;
        ret->masks += workers[i].masks;
        ret->masks_unknown += workers[i].masks_unknown;
    }
    ret->unreadable += walk->unreadable;
    if (ret->prose_files > 0)
        walk_note(walk, "",
                  arena_printf(&ret->arena,
                               "%zu documents for people that say CUDA: texts, tables, web pages",
                               ret->prose_files));
    take_symbols(s, &all[4], &all[5], ret);
    take_findings(s, &all[0], &questions, &defined, ret);
    if (ret->masks_unknown > 0)
        walk_note(walk, "",
                  arena_printf(&ret->arena,
                               "%zu of %zu lane masks: their type is not declared in the tree, so their "
                               "width was not judged",
                               ret->masks_unknown, ret->masks));
    whole = append(&all[2], &walk->notes) && whole && !all[0].overflow;
    ret->files = s->scanned;
    ret->n_files = s->n_files;
    take_rest(s, all, ret);
    whole = whole && !all[1].overflow;
    sums(ret);
    ret->ported = port_state(ret);
    buf_free(&defined);
    buf_free(&questions);
    return whole;
}
