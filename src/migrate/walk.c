// The files of a tree, in order of their paths; what is passed over gets a note.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/migrate/scan.h"
#include "src/migrate/text.h"

enum {
    DEPTH_MAX = 100,
    FILES_MAX = 5 * 1000 * 1000,
    IGNORE_BYTES_MAX = 1 << 20,
    INDEX_BYTES_MAX = 128 << 20,
    OWN_MAX = 256
};

void scan_progress(const ScanOptions *o, ScanPhase phase, size_t done, size_t total) {
    if (o->progress != NULL) o->progress(o->context, phase, done, total);
}

void walk_note(Walk *w, const char *path, const char *why) {
    ScanNote note = {path, why};
    buf_add(&w->notes, (const char *)&note, sizeof note);
}

static const char *full_path(Walk *w, const char *path) {
    return path[0] == '\0' ? w->options->root : arena_printf(w->arena, "%s/%s", w->options->root, path);
}

static const char *extension_of(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot == NULL || dot == name ? "" : dot + 1;
}

static bool is_c(const char *name) {
    char low[8] = "";
    const char *extension = extension_of(name);
    for (size_t i = 0; i + 1 < sizeof low && extension[i] != '\0'; i++) low[i] = char_lower(extension[i]);
    return strlen(extension) < sizeof low - 1 && low[0] != '\0' &&
           word_in("cu cuh c cc cpp cxx c++ h hh hpp hxx h++ inc inl ipp tpp txx cppm ixx hdl hip", low);
}

static const char *why_not_read(const char *name) {
    const char *extension = extension_of(name);
    if (extension[0] == '\0' || strchr(extension, ' ') != NULL) return NULL;
    if (word_in("so a o lib dll dylib cubin fatbin engine plan", extension))
        return "binary: built code, not read";
    return word_in("ptx sass", extension)
               ? "assembly for NVIDIA's GPUs: not read, would have to be written anew"
               : NULL;
}

// Bytes in which nobody writes words: not opened.
static bool is_picture(const char *name) {
    char low[8] = "";
    const char *extension = extension_of(name);
    for (size_t i = 0; i + 1 < sizeof low && extension[i] != '\0'; i++) low[i] = char_lower(extension[i]);
    return strlen(extension) < sizeof low - 1 && low[0] != '\0' &&
           word_in("png jpg jpeg gif bmp ico tif tiff webp svg pdf mp4 avi mov webm mp3 wav ogg ttf woff "
                   "woff2 eot zip gz "
                   "bz2 xz zst tar tgz 7z jar whl pyc npy npz pt pth onnx pb h5 hdf5 safe bin dat raw exe "
                   "obj class",
                   low);
}

static bool is_vendored_name(const char *name) {
    return strchr(name, ' ') == NULL &&
           word_in("third_party third-party thirdparty 3rdparty 3rd_party external extern externals vendor "
                   "vendored vendors submodules node_modules _deps site-packages bower_components",
                   name);
}

// Own folders have this name too: vendored but where it is a package of Python.
static bool is_vendored_folder(Walk *w, const char *path, const char *name) {
    struct stat st;
    if (is_vendored_name(name)) return true;
    return strcmp(name, "dependencies") == 0 &&
           lstat(full_path(w, arena_printf(w->arena, "%s/__init__.py", path)), &st) != 0;
}

static bool name_begins(const char *name, const char *list) {
    Str rest = str_of(list);
    Str word;
    while (str_next(&rest, ' ', &word)) {
        if (strncmp(name, word.data, word.length) == 0) return true;
    }
    return false;
}

// Is this a file of tests or benchmarks? By a folder of such a name, or its own: "test_x.py", "x_test.cu".
static bool is_of_tests(const char *path) {
    static const char folders[] = "test tests testing unittest unittests unit_test unit_tests gtest gtests "
                                  "benchmark benchmarks bench benches testdata";
    for (const char *end; (end = strchr(path, '/')) != NULL; path = end + 1) {
        char folder[16];
        size_t n = (size_t)(end - path);
        if (n == 0 || n >= sizeof folder || memchr(path, ' ', n) != NULL) continue;
        memcpy(folder, path, n);
        folder[n] = '\0';
        if (word_in(folders, folder)) return true;
    }
    const char *dot = strrchr(path, '.');
    size_t n = dot == NULL ? strlen(path) : (size_t)(dot - path);
    static const char *const ends[] = {"_test", "_tests", "_unittest", "_benchmark", "_bench"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        size_t length = strlen(ends[i]);
        if (n > length && memcmp(path + n - length, ends[i], length) == 0) return true;
    }
    return name_begins(path, "test_ tests_ bench_ benchmark_");
}

static void add_file(Walk *w, const char *path, const char *name, bool vendored) {
    WalkFile f = {
        .path = path, .vendored = vendored, .c = is_c(name), .tests = !w->single && is_of_tests(path)};
    // "makefile.hip" is told by its name, not by its end.
    if (name_begins(name, "Makefile makefile GNUmakefile")) f.c = false;
    if (!f.c) f.kind = (uint8_t)text_kind(name, (Str){"", 0});
    // "requirements/dev.txt" is told by its folder.
    if (!f.c && f.kind == TEXT_NONE) f.kind = (uint8_t)text_kind(path, (Str){"", 0});
    const char *why = why_not_read(name);
    if (why != NULL) {
        walk_note(w, path, why);
        if (f.kind == TEXT_NONE && !f.c) return;
    }
    if (w->files.length / sizeof f >= FILES_MAX || is_picture(name)) return;
    buf_add(&w->files, (const char *)&f, sizeof f);
}

bool walk_read(Walk *w, const char *path, size_t limit, Arena *a, Str *ret_text) {
    const char *name = w->single ? w->options->root : full_path(w, path);
    struct stat st;
    bool plain = (w->single ? stat(name, &st) : lstat(name, &st)) == 0 && S_ISREG(st.st_mode);
    return plain && file_read(a, name, limit, ret_text, NULL);
}

static void take_ignores(Walk *w, const char *path) {
    Str text;
    const char *base = path[0] == '\0' ? "" : arena_printf(w->arena, "%s/", path);
    if (walk_read(w, arena_printf(w->arena, "%s.gitignore", base), IGNORE_BYTES_MAX, w->arena, &text))
        ignore_add(w, base, text, false);
}

static size_t list_folder(Walk *w, const char *path, DIR *folder, const char ***ret_names) {
    Buf names;
    buf_init(&names, BUF_LIMIT);
    errno = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL; errno = 0) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        const char *name = arena_copy(w->arena, entry->d_name, strlen(entry->d_name));
        buf_add(&names, (const char *)&name, sizeof name);
    }
    if (errno != 0) walk_note(w, path, "folder could not be read to its end");
    w->unreadable += errno != 0;
    size_t n = names.length / sizeof(const char *);
    *ret_names = arena_alloc(w->arena, n + 1, sizeof **ret_names);
    if (n > 0) memcpy(*ret_names, names.data, n * sizeof(const char *));
    buf_free(&names);
    qsort(*ret_names, n, sizeof **ret_names, order_texts);
    return n;
}

static const char *why_special(mode_t mode) {
    if (S_ISLNK(mode)) return "symbolic link: not followed";
    if (S_ISFIFO(mode)) return "a pipe: not read";
    return S_ISSOCK(mode) ? "a socket: not read" : "a device: not read";
}

static void walk_folder(Walk *w, const char *path, bool vendored, size_t depth);

static void take_entry(Walk *w, const char *folder, const char *name, bool vendored, size_t depth) {
    if (word_in(".git .hg .svn", strchr(name, ' ') == NULL ? name : "x")) return;
    const char *path = folder[0] == '\0' ? name : arena_printf(w->arena, "%s/%s", folder, name);
    struct stat st;
    if (lstat(full_path(w, path), &st) != 0) {
        walk_note(w, path, "could not be looked at");
        w->unreadable++;
    } else if (is_ignored(w, path, S_ISDIR(st.st_mode)) ||
               (w->hidden && !is_tracked(w, path, S_ISDIR(st.st_mode)))) {
        return;
    } else if (S_ISDIR(st.st_mode)) {
        bool user = false;
        bool above = w->hidden;
        w->hidden = above || ignore_fits(w, path, true, &user);
        walk_folder(w, path, vendored || is_vendored_folder(w, path, name), depth + 1);
        w->hidden = above;
    } else if (S_ISREG(st.st_mode)) {
        add_file(w, path, name, vendored);
    } else {
        walk_note(w, path, why_special(st.st_mode));
    }
}

static const char *why_not_part(Walk *w, const char *path, bool folder) {
    struct stat st;
    const char *name = path_name(path);
    if (lstat(full_path(w, path), &st) != 0) return errno == ENOENT ? "not there" : "could not be looked at";
    if (is_ignored(w, path, S_ISDIR(st.st_mode)) || strcmp(name, ".git") == 0)
        return "left out by .gitignore or --exclude, not followed";
    if (S_ISDIR(st.st_mode)) return folder ? NULL : "a folder";
    if (S_ISREG(st.st_mode)) return folder ? "not there" : NULL;
    return why_special(st.st_mode);
}

const char *walk_why_not(Walk *w, const char *path, bool *ret_vendored) {
    size_t rules = w->ignores.length;
    const char *why = NULL;
    const char *above = "";
    *ret_vendored = false;
    for (size_t i = 0; why == NULL; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        const char *part = arena_copy(w->arena, path, i);
        struct stat st;
        take_ignores(w, above);
        why = why_not_part(w, part, path[i] == '/');
        if (path[i] == '\0') break;
        const char *name = above[0] == '\0' ? part : part + strlen(above) + 1;
        bool repository = lstat(full_path(w, arena_printf(w->arena, "%s/.git", part)), &st) == 0;
        *ret_vendored = *ret_vendored || repository || is_vendored_folder(w, part, name);
        above = part;
    }
    w->ignores.length = rules;
    return why;
}

static void own_package(Walk *w, const char *path) {
    const char *name = path_name(path);
    if (name[0] == '\0' || w->own.length / sizeof name >= OWN_MAX) return;
    struct stat st;
    bool inner =
        name > path &&
        lstat(full_path(w, arena_printf(w->arena, "%.*s__init__.py", (int)(name - path), path)), &st) == 0;
    buf_add(&w->own, (const char *)&name, sizeof name);
    if (!inner && !is_of_tests(path)) buf_add(&w->projects, (const char *)&name, sizeof name);
}

static void walk_folder(Walk *w, const char *path, bool vendored, size_t depth) {
    if (depth > DEPTH_MAX) {
        walk_note(w, path, "nested too deep: not entered");
        w->unreadable++;
        return;
    }
    DIR *folder = opendir(full_path(w, path));
    if (folder == NULL) {
        walk_note(w, path, arena_printf(w->arena, "folder could not be opened: %s", strerror(errno)));
        w->unreadable++;
        return;
    }
    const char **names = NULL;
    size_t n = list_folder(w, path, folder, &names);
    closedir(folder);
    size_t rules = w->ignores.length;
    scan_progress(w->options, SCAN_LOOKING, w->files.length / sizeof(WalkFile), 0);
    take_ignores(w, path);
    for (size_t i = 0; i < n; i++) {
        // Another repository in this one: a submodule.
        if (depth > 0 && strcmp(names[i], ".git") == 0) vendored = true;
        if (!vendored && strcmp(names[i], "__init__.py") == 0) own_package(w, path);
    }
    if (depth > 0 && n == 0) walk_note(w, path, "empty folder: perhaps a submodule that was not fetched");
    for (size_t i = 0; i < n; i++) take_entry(w, path, names[i], vendored, depth);
    w->ignores.length = rules;
}

// What git follows is read, whatever a .gitignore says.
static void take_index(Walk *w) {
    Str bytes;
    struct stat st;
    if (lstat(full_path(w, ".git/index"), &st) != 0 && (errno == ENOENT || errno == ENOTDIR)) return;
    if (walk_read(w, ".git/index", INDEX_BYTES_MAX, w->arena, &bytes) &&
        git_index(bytes, w->arena, &w->tracked))
        return;
    w->tracked.length = 0;
    walk_note(w, ".git/index",
              "not read or not understood: what .gitignore names is left out, followed by git or not");
    w->unreadable++;
}

bool walk_tree(Walk *w, Err *e) {
    struct stat st;
    const char *root = w->options->root;
    if (stat(root, &st) != 0) return err_set(e, ERR_FAILED, "cannot read '%s': %s", root, strerror(errno));
    for (size_t i = 0; i < w->options->n_excludes; i++)
        ignore_add(w, "", str_of(w->options->excludes[i]), true);
    if (S_ISDIR(st.st_mode)) {
        DIR *folder = opendir(root);
        if (folder == NULL) return err_set(e, ERR_FAILED, "cannot read '%s': %s", root, strerror(errno));
        closedir(folder);
        take_index(w);
        walk_folder(w, "", false, 0);
        return true;
    }
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_FAILED, "cannot read '%s': neither a folder nor a file", root);
    const char *name = path_name(root);
    w->single = true;
    add_file(w, name, name, false);
    return true;
}
