// The model of --model: a name of the catalog, or files of the user's own.
#include <string.h>
#include <sys/stat.h>

#include "catalog/facts/model_file.h"
#include "catalog/facts/names.h"
#include "cli/cli.h"

// Does it end as model files do?
static bool is_file_name(const char *name) {
    static const char *const endings[] = {".json", ".gguf", ".safetensors"};
    size_t length = strlen(name);
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        size_t n = strlen(endings[i]);
        if (length > n && text_same(name + length - n, endings[i])) return true;
    }
    return false;
}

// Spelled as a path: whatever the catalog holds, a file or folder is meant.
static bool is_path(const char *name) {
    return is_file_name(name) || strchr(name, '/') != NULL || strcmp(name, ".") == 0 ||
           strcmp(name, "..") == 0;
}

static bool exists(const char *path) {
    struct stat st;
    return stat(path, &st) == 0;
}

// "meta-llama/Llama-3.1-70B": a publisher and a name, where no such folder is.
static bool is_hub_name(const char *name) {
    const char *slash = strchr(name, '/');
    return slash != NULL && slash != name && slash[1] != '\0' && strchr(slash + 1, '/') == NULL &&
           name[0] != '.' && name[0] != '~' && !is_file_name(name);
}

static bool is_own_name(const Facts *f, const char *name) {
    for (size_t i = 0; i < f->n_models; i++) {
        if (text_same(f->models[i].model_id, name)) return true;
    }
    return false;
}

static double rows_of(const Facts *f, const Model *m) {
    for (size_t i = 0; i < f->n_efficiency; i++) {
        if (f->efficiency[i].effect == EFFECT_MODEL && strcmp(f->efficiency[i].level, m->model_id) == 0)
            return f->efficiency[i].n;
    }
    return 0;
}

// A fine-tune runs as the model that it was made from: what was measured of that one speaks for it, of
// several the most measured.
static void find_like(const Facts *f, Model *m) {
    double most = 0;
    for (size_t i = 0; i < f->n_models; i++) {
        const Model *listed = &f->models[i];
        if (!model_same_shape(listed, m) || rows_of(f, listed) <= most) continue;
        most = rows_of(f, listed);
        m->like = listed->model_id;
        m->released = listed->released;
    }
}

static bool read_model(App *app, const Facts *f, const char *path, const Model **ret_model, Err *e) {
    Model *m = arena_alloc(&app->arena, 1, sizeof *m);
    const char *warning = "";
    if (!model_file_read(path, opt_flag(app, OPT_ASSUME_DENSE), &app->arena, m, &warning, e)) return false;
    find_like(f, m);
    m->path = path;
    if (warning[0] != '\0') app_warn(app, "model '%s': %s", m->model_id, warning);
    app_note(app, "model '%s': %s", m->model_id, m->note);
    *ret_model = m;
    return true;
}

bool app_model(App *app, const Facts *f, const char *name, const Model **ret_model, Err *e) {
    if (is_path(name)) {
        if (exists(name) || !is_hub_name(name)) return read_model(app, f, name, ret_model, e);
        return find_model(app, f->models, f->n_models, name, ret_model, e) ||
               err_wrap(e, "'%s' is no file or folder here", name_shown(&app->arena, name));
    }
    // A folder of that name is meant rather than what the catalog might take for it.
    if (exists(name) && !is_own_name(f, name)) return read_model(app, f, name, ret_model, e);
    return find_model(app, f->models, f->n_models, name, ret_model, e);
}

const Traffic *traffic_named(const Facts *f, const char *name) {
    for (size_t i = 0; i < f->n_traffic; i++) {
        if (strcmp(f->traffic[i].traffic_id, name) == 0) return &f->traffic[i];
    }
    return NULL;
}

bool app_techniques(const App *app, ServeTechniques *ret, Err *e) {
    ServeTechniques w = {.cached_share = opt_number(app, OPT_CACHED_PROMPT, 0),
                         .draft_tokens = opt_number(app, OPT_DRAFT_TOKENS, 0),
                         .accepted_tokens = opt_number(app, OPT_ACCEPTED_TOKENS, 0),
                         .power_cap_w = opt_number(app, OPT_POWER_CAP, 0),
                         .memory_fraction = opt_number(app, OPT_MEMORY_FRACTION, 0),
                         .host_gb = opt_number(app, OPT_HOST_GB, 0)};
    if (w.accepted_tokens > 0 && w.draft_tokens == 0)
        return err_set(
            e, ERR_USAGE,
            "option '--accepted-tokens' needs '--draft-tokens': without speculation a step gives one token");
    if (w.accepted_tokens > 1 + w.draft_tokens)
        return err_set(e, ERR_USAGE,
                       "option '--accepted-tokens': a step of %g drafts gives at most %g tokens",
                       w.draft_tokens, 1 + w.draft_tokens);
    *ret = w;
    return true;
}
