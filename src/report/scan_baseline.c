// An earlier answer of migrate scan against this one, finding by finding.
#include <stdlib.h>
#include <string.h>

#include "src/report/scan_report.h"

enum { BASELINE_VALUES_MAX = 20 * 1000 * 1000 };

static const char *key_of(Arena *a, const char *file, const char *rule, const char *name) {
    return arena_printf(a, "%s\n%s\n%s", file, rule, name);
}

bool scan_baseline_keys(Str text, const char *path, Arena *a, const char ***ret_keys, size_t *ret_n, Err *e) {
    Json *root = NULL;
    if (!json_parse(text, BASELINE_VALUES_MAX, &root, e)) return err_wrap(e, "baseline '%s'", path);
    const Json *list = json_get(root, "findings");
    size_t n = 0;
    bool ok = list != NULL && json_is_array(list);
    if (json_number(json_get(json_get(root, "summary"), "not_listed")) > 0) {
        json_free(root);
        return err_set(e, ERR_FAILED,
                       "baseline '%s' lists only some of its findings: write it without --class, --rule, "
                       "--path and --where",
                       path);
    }
    for (const Json *f = ok ? json_first(list) : NULL; f != NULL; f = json_next(f)) n++;
    const char **keys = arena_alloc(a, n + 1, sizeof *keys);
    n = 0;
    for (const Json *f = ok ? json_first(list) : NULL; ok && f != NULL; f = json_next(f)) {
        const char *file = json_text(json_get(f, "file"));
        const char *rule = json_text(json_get(f, "rule"));
        const char *name = json_text(json_get(f, "name"));
        ok = file != NULL && rule != NULL && name != NULL;
        if (ok) keys[n++] = key_of(a, file, rule, name);
    }
    json_free(root);
    if (!ok)
        return err_set(e, ERR_FAILED, "baseline '%s' is no answer of `gpuadvise migrate scan --json`", path);
    *ret_keys = keys;
    *ret_n = n;
    return true;
}

ScanChange scan_changes(const char **old, size_t n_old, const char **now, size_t n_now) {
    ScanChange change = {.asked = true};
    qsort(old, n_old, sizeof *old, order_texts);
    qsort(now, n_now, sizeof *now, order_texts);
    for (size_t i = 0, k = 0; i < n_old || k < n_now;) {
        int order = i >= n_old ? 1 : k >= n_now ? -1 : strcmp(old[i], now[k]);
        change.gone += order < 0;
        change.added += order > 0;
        change.same += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
    return change;
}

void scan_keys(const ScanAnswer *x, Arena *a, const char **ret_keys) {
    const ScanResult *r = &x->result;
    for (size_t i = 0; i < r->n_findings; i++) {
        const ScanFinding *f = &r->findings[i];
        ret_keys[i] = key_of(a, path_shown(a, r->files[f->file].path), x->facts.rules[f->rule].rule,
                             text_clean(a, f->word));
    }
}
