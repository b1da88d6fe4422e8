// migrate scan: what becomes of the line of a review finding, where the edits of migrate fix prove it.
#include <string.h>
#include <sys/stat.h>

#include "cli/migrate_scan.h"
#include "src/migrate/fix.h"

enum { FILE_BYTES_MAX = 16 << 20 };

// Findings that no tool settles by renaming, in own C: those whose lines may be proven.
static bool is_asked(const ScanAnswer *x, const ScanFinding *f) {
    const ScanFile *file = &x->result.files[f->file];
    return file->c && file->origin == ORIGIN_OWN && x->facts.rules[f->rule].port_class == PORT_REVIEW;
}

// The lines of the findings from `first` on that are of one file. A file that cannot be read any more proves nothing.
static void take_file(App *app, const ScanAnswer *x, Fix *fix, size_t first, size_t n, const char **lines) {
    const ScanFile *of = &x->result.files[x->result.findings[first].file];
    Arena a = {0};
    FixFile file = {.path = of->path, .c = true, .findings = &x->result.findings[first], .n_findings = n};
    struct stat st;
    const char *root = x->options.root;
    const char *path =
        stat(root, &st) == 0 && S_ISREG(st.st_mode) ? root : arena_printf(&a, "%s/%s", root, of->path);
    if (file_read(&a, path, FILE_BYTES_MAX, &file.text, NULL) &&
        memchr(file.text.data, '\0', file.text.length) == NULL) {
        const char **texts = fix_line_texts(fix, &file, &a);
        for (size_t i = 0; i < n; i++) {
            if (texts[i] != NULL && is_asked(x, &file.findings[i]))
                lines[first + i] = text_clean(&app->arena, texts[i]);
        }
    }
    arena_free(&a);
}

bool scan_lines(App *app, ScanAnswer *x, Err *e) {
    const ScanResult *r = &x->result;
    const char **lines = arena_alloc(&app->arena, r->n_findings + 1, sizeof *lines);
    unsigned char *asked = arena_alloc(&app->arena, r->n_files + 1, 1);
    CWords *words = NULL;
    Fix fix;
    if (r->ported == PORTED_PRESENT) return true;  // migrate fix leaves such trees alone
    if (!cuda_words(&x->facts, x->options.rocm, x->options.lanes64, &app->arena, &words, e)) return false;
    fix_open(&fix, &x->facts, words, &app->arena);
    fix.header = FIX_HEADER;
    for (size_t i = 0; i < x->n_shown; i++) asked[scan_shown(x, i)->file] |= is_asked(x, scan_shown(x, i));
    for (size_t i = 0; i < r->n_findings;) {
        size_t end = i;
        while (end < r->n_findings && r->findings[end].file == r->findings[i].file) end++;
        if (asked[r->findings[i].file] != 0) take_file(app, x, &fix, i, end - i, lines);
        i = end;
    }
    fix_close(&fix);
    x->lines = lines;
    return true;
}
