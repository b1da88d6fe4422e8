// A model from the files that a user has: which of them to read, and what the model is called.
#include "catalog/facts/model_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/model/model.h"

enum { NAME_BYTES_MAX = 80, LISTED_MAX = 6 };

// One call's work.
typedef struct Job {
    ModelDraft *d;
    TensorTotals *t;
    Arena *a;
    const char *folder;  // of the files
    int64_t days;        // date of the file that describes the model
} Job;

static const char *path_in(const Job *job, const char *name) {
    return arena_printf(job->a, "%s/%s", job->folder, name);
}

static bool is_there(const char *path) {
    struct stat st;
    return stat(path, &st) == 0;
}

// ---------------------------------------------------------------- split files

// "model-00002-of-00005.gguf": the text before "-00002", and 5.
static bool split_name(const char *name, const char *ending, size_t *ret_prefix, int64_t *ret_parts) {
    enum { TAIL = 15 };  // -00002-of-00005
    size_t length = strlen(name);
    size_t n = strlen(ending);
    if (!text_ends_same(name, ending) || length < n + TAIL) return false;
    const char *tail = name + length - n - TAIL;
    int64_t part = 0;
    bool ok = tail[0] == '-' && memcmp(tail + 6, "-of-", 4) == 0 &&
              parse_integer((Str){tail + 1, 5}, 1, MODEL_FILES_MAX, &part, NULL) &&
              parse_integer((Str){tail + 10, 5}, 1, MODEL_FILES_MAX, ret_parts, NULL) && part <= *ret_parts;
    if (ok) *ret_prefix = length - n - TAIL;
    return ok;
}

static const char *part_name(Arena *a, const char *name, size_t prefix, int64_t part, int64_t parts,
                             const char *ending) {
    return arena_printf(a, "%.*s-%05d-of-%05d%s", (int)prefix, name, (int)part, (int)parts, ending);
}

// ---------------------------------------------------------------- GGUF

static bool read_gguf_part(Job *job, const char *name, bool first, double *ret_parts, Err *e) {
    static const size_t limits[] = {16 * 1024 * 1024, GGUF_HEAD_BYTES_MAX};
    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        Arena scratch = {0};
        Str head;
        FileFacts facts;
        bool more = false;
        // A try that fails for want of bytes has changed totals and draft.
        TensorTotals *before = arena_alloc(&scratch, 1, sizeof *before);
        *before = *job->t;
        ModelDraft draft = *job->d;
        bool ok = file_head(&scratch, path_in(job, name), limits[i], &head, &facts, e);
        if (ok) {
            job->days = first ? facts.days : job->days;
            ok = gguf_read(job->d, job->t, head, (double)facts.bytes, first, ret_parts, &more, e);
        }
        if (!ok && more) *job->t = *before, *job->d = draft;
        arena_free(&scratch);
        if (ok) return true;
        if (!more) return false;
    }
    return false;
}

static bool read_gguf(Job *job, const char *name, Err *e) {
    size_t prefix = 0;
    int64_t parts = 1;
    double declared = 1;
    bool split = split_name(name, ".gguf", &prefix, &parts);
    for (int64_t i = 1; i <= parts; i++) {
        const char *part = split ? part_name(job->a, name, prefix, i, parts, ".gguf") : name;
        double count = 1;
        if (!read_gguf_part(job, part, i == 1, &count, e))
            return split ? err_wrap(e, "part '%s'", part) : false;
        if (i == 1) declared = count;
    }
    if (declared > (double)parts)
        return err_set(e, ERR_USAGE,
                       "is one of %g parts, whose names should end in -00001-of-%05.0f.gguf and so on",
                       declared, declared);
    if (job->t->tensors == 0) return err_set(e, ERR_USAGE, "holds no tensors");
    if (is_known(job->t->vocab)) job->d->m.vocab = job->t->vocab;
    job->d->tensors = job->t;
    gguf_describe(job->d, job->t);
    job->d->m.note = arena_printf(job->a, "shape and bytes from the GGUF header (%s)", job->d->type);
    return true;
}

// ---------------------------------------------------------------- config.json

static bool read_config(Job *job, const char *name, Err *e) {
    static const char *const quant = "hf_quant_config.json";
    Arena scratch = {0};
    Str text;
    FileFacts facts;
    bool ok = file_read(&scratch, path_in(job, name), CONFIG_BYTES_MAX, &text, e) &&
              file_head(&scratch, path_in(job, name), 1, &(Str){0}, &facts, e) &&
              config_read(job->d, text, e);
    if (ok) job->days = facts.days;
    if (!ok) err_wrap(e, "%s", name);
    if (ok && job->d->quant.n_schemes == 0 && is_there(path_in(job, quant))) {
        ok = file_read(&scratch, path_in(job, quant), CONFIG_BYTES_MAX, &text, e) &&
             config_read_quant(job->d, text, e);
        if (!ok) err_wrap(e, "%s", quant);
    }
    arena_free(&scratch);
    if (ok) job->d->m.note = arena_printf(job->a, "shape from config.json (%s)", job->d->type);
    return ok;
}

// ---------------------------------------------------------------- safetensors

static bool read_shard(Job *job, const char *name, Err *e) {
    Arena scratch = {0};
    Str head;
    FileFacts facts;
    const char *path = path_in(job, name);
    bool ok = file_head(&scratch, path, 8, &head, &facts, e);
    double length = 0;
    for (size_t i = 0; ok && i < head.length; i++)
        length += (double)(unsigned char)head.data[i] * ldexp(1, (int)(8 * i));
    if (ok && length <= SAFETENSORS_HEAD_BYTES_MAX)
        ok = file_head(&scratch, path, 8 + (size_t)length, &head, &facts, e);
    ok = ok && safetensors_read(job->t, head, (double)facts.bytes, job->d->m.layers, e);
    if (ok && job->days < 0) job->days = facts.days;
    arena_free(&scratch);
    return ok || err_wrap(e, "shard '%s'", name);
}

static bool read_shards(Job *job, const char *const *names, size_t n, Err *e) {
    for (size_t i = 0; i < n; i++) {
        if (!read_shard(job, names[i], e)) return false;
    }
    if (job->t->tensors == 0) return err_set(e, ERR_USAGE, "its safetensors files hold no tensors");
    job->d->tensors = job->t;
    const char *note = job->d->m.note;
    job->d->m.note = arena_printf(job->a, "%s%sbytes from %s", note, note[0] != '\0' ? ", " : "",
                                  counted(job->a, n, "safetensors file"));
    return true;
}

static bool read_index(Job *job, const char *name, Err *e) {
    Arena scratch = {0};
    Str text;
    const char *const *names = NULL;
    size_t n = 0;
    bool ok = file_read(&scratch, path_in(job, name), CONFIG_BYTES_MAX, &text, e) &&
              safetensors_index(&scratch, text, &names, &n, e);
    if (!ok) err_wrap(e, "%s", name);
    ok = ok && read_shards(job, names, n, e);
    arena_free(&scratch);
    return ok;
}

// ---------------------------------------------------------------- folders

typedef struct Names {
    const char **names;
    size_t n;
} Names;

// The folder's files of that ending, sorted; hidden ones aside.
static bool list_files(Job *job, const char *ending, Names *ret, Err *e) {
    DIR *dir = opendir(job->folder);
    if (dir == NULL) return err_set(e, ERR_USAGE, "open '%s': %s", job->folder, strerror(errno));
    Names list = {arena_alloc(job->a, MODEL_FILES_MAX, sizeof *list.names), 0};
    bool few = true;
    for (const struct dirent *entry; few && (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.' || !text_ends_same(entry->d_name, ending)) continue;
        few = list.n < MODEL_FILES_MAX;
        if (few) list.names[list.n++] = arena_copy(job->a, entry->d_name, strlen(entry->d_name));
    }
    closedir(dir);
    if (!few) return err_set(e, ERR_USAGE, "more than %d '%s' files", MODEL_FILES_MAX, ending);
    qsort(list.names, list.n, sizeof *list.names, order_texts);
    *ret = list;
    return true;
}

// Leaves out what is not the model: projectors, adapters, the other form of the same weights.
static void drop(Names *list, const char *prefix) {
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++) {
        if (strncmp(list->names[i], prefix, strlen(prefix)) != 0) list->names[kept++] = list->names[i];
    }
    if (kept > 0 || strcmp(prefix, "consolidated") != 0) list->n = kept;
}

// One file, or all parts of one: true. Else names a few.
static bool one_model(const Names *list, const char *ending, Err *e) {
    size_t prefix = 0;
    int64_t parts = 1;
    if (list->n == 1 && !split_name(list->names[0], ending, &prefix, &parts)) return true;
    bool split = split_name(list->names[0], ending, &prefix, &parts);
    for (size_t i = 0; split && i < list->n; i++) {
        size_t p = 0;
        int64_t n = 0;
        split = split_name(list->names[i], ending, &p, &n) && p == prefix && n == parts &&
                strncmp(list->names[i], list->names[0], prefix) == 0;
    }
    if (split && (size_t)parts == list->n) return true;
    if (split)
        return err_set(e, ERR_USAGE, "%zu of %lld parts of '%.*s' are there", list->n, (long long)parts,
                       (int)prefix, list->names[0]);
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (size_t i = 0; i < list->n && i < LISTED_MAX; i++)
        buf_printf(&b, "%s%s", i == 0 ? "" : ", ", list->names[i]);
    err_set(e, ERR_USAGE, "holds several models, name one: %s%s", b.data,
            list->n > LISTED_MAX ? ", ..." : "");
    buf_free(&b);
    return false;
}

// All weights of the folder; *ret_found false: there are none.
static bool read_weights(Job *job, bool *ret_found, Err *e) {
    static const char *const index = "model.safetensors.index.json";
    static const char *const whole = "model.safetensors";
    Names list;
    *ret_found = true;
    if (is_there(path_in(job, index))) return read_index(job, index, e);
    if (!list_files(job, ".safetensors", &list, e)) return false;
    drop(&list, "adapter_");
    drop(&list, "consolidated");
    *ret_found = list.n > 0;
    if (list.n == 0) return true;
    if (is_there(path_in(job, whole))) return read_shards(job, &whole, 1, e);
    return one_model(&list, ".safetensors", e) && read_shards(job, list.names, list.n, e);
}

static bool read_folder(Job *job, Err *e) {
    Names gguf, safetensors;
    if (!list_files(job, ".gguf", &gguf, e) || !list_files(job, ".safetensors", &safetensors, e))
        return false;
    drop(&gguf, "mmproj");
    if (gguf.n > 0 && safetensors.n == 0)
        return one_model(&gguf, ".gguf", e) && read_gguf(job, gguf.names[0], e);
    bool config = is_there(path_in(job, "config.json"));
    bool weights = false;
    if (config && !read_config(job, "config.json", e)) return false;
    if (!read_weights(job, &weights, e)) return false;
    if (!config && !weights)
        return err_set(e, ERR_USAGE, "holds neither config.json nor safetensors nor GGUF files");
    return config || draft_from_tensors(job->d, job->t, e);
}

// ---------------------------------------------------------------- single files

// A safetensors file or an index, with the config.json beside it.
static bool read_weight_file(Job *job, const char *name, Err *e) {
    static const char *const index = "model.safetensors.index.json";
    bool config = is_there(path_in(job, "config.json"));
    size_t prefix = 0;
    int64_t parts = 1;
    if (config && !read_config(job, "config.json", e)) return false;
    bool ok = false;
    if (text_ends_same(name, ".json")) {
        ok = read_index(job, name, e);
    } else if (!split_name(name, ".safetensors", &prefix, &parts)) {
        ok = read_shards(job, &name, 1, e);
    } else if (is_there(path_in(job, index))) {
        ok = read_index(job, index, e);
    } else {
        const char **names = arena_alloc(job->a, (size_t)parts, sizeof *names);
        for (int64_t i = 0; i < parts; i++)
            names[i] = part_name(job->a, name, prefix, i + 1, parts, ".safetensors");
        ok = read_shards(job, names, (size_t)parts, e);
    }
    return ok && (config || draft_from_tensors(job->d, job->t, e));
}

static bool read_file(Job *job, const char *name, Err *e) {
    Str head = {0};
    FileFacts facts;
    if (!file_head(job->a, path_in(job, name), 9, &head, &facts, e)) return false;
    if (text_ends_same(name, ".gguf") || (head.length >= 4 && memcmp(head.data, "GGUF", 4) == 0))
        return read_gguf(job, name, e);
    if (text_ends_same(name, ".safetensors") || text_ends_same(name, ".safetensors.index.json"))
        return read_weight_file(job, name, e);
    if (text_ends_same(name, ".json") || (str_trim(head).length > 0 && str_trim(head).data[0] == '{'))
        return read_config(job, name, e);
    return err_set(e, ERR_USAGE, "is no config.json, GGUF or safetensors file");
}

// ---------------------------------------------------------------- names

// The last name of a path, and in a Hugging Face cache ("models--org--name/snapshots/revision") that of the
// model.
static const char *folder_name(Arena *a, const char *folder) {
    char real[PATH_MAX];
    if (realpath(folder, real) == NULL) return "model";
    static const char *const mark = "/snapshots/";
    char *snapshot = strstr(real, mark);
    if (snapshot != NULL && strchr(snapshot + strlen(mark), '/') == NULL) *snapshot = '\0';
    const char *last = strrchr(real, '/');
    const char *name = last != NULL ? last + 1 : real;
    for (const char *dashes = name;
         strncmp(name, "models--", 8) == 0 && (dashes = strstr(dashes, "--")) != NULL; dashes += 2) {
        if (strstr(dashes + 2, "--") == NULL) return arena_printf(a, "%s", dashes + 2);
    }
    return arena_printf(a, "%s", name);
}

static const char *file_name(Arena *a, const char *folder, const char *name) {
    static const char *const endings[] = {".gguf", ".safetensors.index.json", ".safetensors", ".json"};
    size_t length = strlen(name);
    size_t prefix = 0;
    int64_t parts = 0;
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        if (!text_ends_same(name, endings[i])) continue;
        length -= strlen(endings[i]);
        if (split_name(name, endings[i], &prefix, &parts)) length = prefix;
        break;
    }
    const char *stem = arena_copy(a, name, length);
    return length == 0 || strcmp(stem, "config") == 0 || strcmp(stem, "model") == 0 ? folder_name(a, folder)
                                                                                    : stem;
}

static const char *model_name(Arena *a, const char *folder, const char *name) {
    const char *found = name == NULL ? folder_name(a, folder) : file_name(a, folder, name);
    size_t length = strlen(found);
    const char *clean =
        text_clean(a, arena_copy(a, found, length > NAME_BYTES_MAX ? NAME_BYTES_MAX : length));
    return clean[0] != '\0' ? clean : "model";
}

// ---------------------------------------------------------------- all together

static void sign(const Job *job, const char *path, const char *name) {
    Model *m = &job->d->m;
    char date[11] = "";
    if (job->days >= 0) format_date(date, job->days);
    m->model_id = model_name(job->a, job->folder, name);
    m->confidence = "user";
    m->source = text_clean(job->a, path);
    m->as_of = arena_copy(job->a, date, strlen(date));
}

bool model_file_read(const char *path, bool assume_dense, Arena *a, Model *ret_model,
                     const char **ret_warning, Err *e) {
    Job job = {
        .d = arena_alloc(a, 1, sizeof *job.d), .t = arena_alloc(a, 1, sizeof *job.t), .a = a, .days = -1};
    draft_init(job.d, a, assume_dense);
    tensors_init(job.t);
    struct stat st;
    const char *slash = strrchr(path, '/');
    const char *name = NULL;
    bool ok = stat(path, &st) == 0;
    if (!ok) {
        err_set(e, ERR_USAGE, "%s", strerror(errno));
    } else if (S_ISDIR(st.st_mode)) {
        job.folder = path;
        ok = read_folder(&job, e);
    } else {
        name = slash != NULL ? slash + 1 : path;
        job.folder = slash == NULL ? "." : slash == path ? "/" : arena_copy(a, path, (size_t)(slash - path));
        ok = read_file(&job, name, e);
    }
    if (ok && job.t->cut)
        draft_warn(job.d, "a weight file is shorter than its header says: is the download complete?");
    ok = ok && draft_finish(job.d, e);
    if (!ok) {
        err_wrap(e, "model '%.200s'", path);
        if (e != NULL) e->kind = ERR_USAGE;
        return false;
    }
    sign(&job, path, name);
    *ret_model = job.d->m;
    *ret_warning = job.d->warning;
    return true;
}
