// Which file of the tree a name means: what an #include names, what a build script lists.
#include <string.h>

#include "src/migrate/scan_work.h"

TreePaths tree_paths(const WalkFile *files, size_t n, Arena *a) {
    TreePaths t = {.files = files, .n = n, .n_slots = 64};
    while (t.n_slots < 2 * n + 2) t.n_slots *= 2;
    t.slots = arena_alloc(a, t.n_slots, sizeof *t.slots);
    for (size_t i = 0; i < n; i++) {
        size_t at = cuda_hash(str_of(path_name(files[i].path))) & (t.n_slots - 1);
        while (t.slots[at] != 0) at = (at + 1) & (t.n_slots - 1);
        t.slots[at] = (uint32_t)i + 1;
    }
    return t;
}

// Does `path` end with the folders and name of `what`?
static bool ends_so(const char *path, Str what) {
    size_t n = strlen(path);
    return n >= what.length && memcmp(path + n - what.length, what.data, what.length) == 0 &&
           (n == what.length || path[n - what.length - 1] == '/');
}

// Does `path` stand in the folder of `from`, under the name `what`?
static bool stands_beside(const char *path, const char *from, Str what) {
    size_t folder = (size_t)(path_name(from) - from);
    return strlen(path) == folder + what.length && memcmp(path, from, folder) == 0 &&
           memcmp(path + folder, what.data, what.length) == 0;
}

// "../a.h" and "./a.h" without what leads up: such a path is told by its end.
static Str without_steps(Str path) {
    for (;;) {
        if (path.length > 3 && memcmp(path.data, "../", 3) == 0) {
            path = (Str){path.data + 3, path.length - 3};
        } else if (path.length > 2 && memcmp(path.data, "./", 2) == 0) {
            path = (Str){path.data + 2, path.length - 2};
        } else {
            return path;
        }
    }
}

size_t tree_resolve(const TreePaths *t, uint32_t from, Str path, bool quoted,
                    uint32_t ret_files[RESOLVED_MAX], bool *ret_near) {
    enum { CANDIDATES_MAX = 400 };
    path = without_steps(path);
    size_t slash = path.length;
    while (slash > 0 && path.data[slash - 1] != '/') slash--;
    Str base = {path.data + slash, path.length - slash};
    size_t n = 0;
    size_t alike = 0;
    uint32_t only = 0;
    *ret_near = false;
    if (base.length == 0 || t->n == 0) return 0;
    size_t left = CANDIDATES_MAX;
    for (size_t at = cuda_hash(base) & (t->n_slots - 1); t->slots[at] != 0 && left-- > 0;
         at = (at + 1) & (t->n_slots - 1)) {
        uint32_t k = t->slots[at] - 1;
        const char *other = t->files[k].path;
        if (!str_is(base, path_name(other))) continue;
        if (quoted && stands_beside(other, t->files[from].path, path)) {
            *ret_near = true;
            ret_files[0] = k;
            return 1;
        }
        alike++;
        only = k;
        if (ends_so(other, path) && n < RESOLVED_MAX) ret_files[n++] = k;
    }
    if (n == 0 && alike == 1) {
        ret_files[0] = only;
        return 1;
    }
    return n;
}
