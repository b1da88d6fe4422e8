// What a file calls a GPU, a model, an engine, a dtype, held against what the user says of it.
#include "catalog/facts/runs_named.h"

#include <math.h>
#include <string.h>

const char *const run_missing_names[] = {"model", "gpu", "gpus", "engine", "weights", "isl", NULL};
NAMES_FIT(run_missing_names, RUN_MISSING_COUNT);

// An answer that was looked up before: ten thousand files have few names.
typedef struct RunFound {
    char kind;  // 'g', 'm'
    const char *name;
    const Gpu *gpu;
    const Model *model;
    const char *taken, *why;
} RunFound;

// All rows of a table; *ok becomes false where they cannot be read.
static const void *rows_of(Catalog *c, TableId id, Arena *a, size_t *ret_n, bool *ok, Err *e) {
    void *rows = NULL;
    *ok = *ok && catalog_rows(c, id, a, &rows, ret_n, e);
    return rows;
}

bool run_names_open(Catalog *c, Arena *a, RunNames *ret_names, Err *e) {
    RunNames n = {.arena = a};
    bool ok = catalog_names(c, a, &n.words, e);
    n.gpus = rows_of(c, TABLE_GPUS, a, &n.n_gpus, &ok, e);
    n.models = rows_of(c, TABLE_MODELS, a, &n.n_models, &ok, e);
    n.checkpoints = rows_of(c, TABLE_CHECKPOINTS, a, &n.n_checkpoints, &ok, e);
    n.devices = rows_of(c, TABLE_DEVICE_IDS, a, &n.n_devices, &ok, e);
    n.engines = rows_of(c, TABLE_ENGINE_LIMITS, a, &n.n_engines, &ok, e);
    if (ok) *ret_names = n;
    return ok;
}

// ---------------------------------------------------------------- GPUs and models

static RunFound *found_before(RunNames *n, char kind, const char *name) {
    for (size_t i = 0; i < n->n_found; i++) {
        if (n->found[i].kind == kind && strcmp(n->found[i].name, name) == 0) return &n->found[i];
    }
    n->found = arena_grow(n->arena, n->found, n->n_found, &n->room, sizeof *n->found);
    RunFound *f = &n->found[n->n_found++];
    *f = (RunFound){.kind = kind, .name = arena_printf(n->arena, "%s", name), .taken = "", .why = NULL};
    return f;
}

static const Gpu *gpu_of_device(const RunNames *n, const char *name) {
    const Gpu *found = NULL;
    for (size_t i = 0; i < n->n_devices; i++) {
        const char *own = n->devices[i].name;
        const char *space = strchr(own, ' ');
        bool branded = space != NULL && (strncmp(own, "AMD ", 4) == 0 || strncmp(own, "NVIDIA ", 7) == 0);
        if (!text_same(own, name) && !(branded && text_same(space + 1, name))) continue;
        const Gpu *gpu = row_named(n->devices[i].sku_id, n->gpus, n->n_gpus, sizeof *gpu);
        if (found != NULL && gpu != NULL && gpu != found) return NULL;
        if (gpu != NULL) found = gpu;
    }
    return found;
}

// "b200-dgxc" -> "b200": clusters' words behind a GPU's name; "AMD Radeon RX 7900 XTX (RADV NAVI31)" without the bracket.
static const char *shorter(RunNames *n, const char *name) {
    const char *open = strchr(name, '(');
    size_t length = open != NULL && open > name ? (size_t)(open - name) : strlen(name);
    if (open == NULL) {
        size_t cut = length;
        while (cut > 0 && strchr("-_ ", name[cut - 1]) == NULL) cut--;
        length = cut;
    }
    while (length > 0 && strchr("-_ ", name[length - 1]) != NULL) length--;
    return arena_copy(n->arena, name, length);
}

static const RunFound *find_gpu_of(RunNames *n, const char *name) {
    RunFound *f = found_before(n, 'g', name);
    if (f->gpu != NULL || f->why != NULL) return f;
    Err e = {0};
    const Gpu *gpu = gpu_of_device(n, name);
    const char *why = NULL;
    const char *taken = "";
    const char *tried = name;
    for (int i = 0; gpu == NULL && tried[0] != '\0' && i < 4; i++, tried = shorter(n, tried)) {
        Err this = {0};
        if (i > 0 && (gpu = gpu_of_device(n, tried)) != NULL) break;
        if (catalog_find_gpu(&n->words, n->gpus, n->n_gpus, tried, n->arena, &gpu, &taken, &this)) break;
        if (i == 0) e = this;
    }
    if (gpu == NULL) why = arena_printf(n->arena, "%s", e.text);
    if (gpu != NULL && tried != name && taken[0] == '\0')
        taken = arena_printf(n->arena, "'%s' taken as %s", name_shown(n->arena, name), gpu->sku_id);
    f = found_before(n, 'g', name);
    f->gpu = gpu;
    f->taken = taken;
    f->why = why;
    return f;
}

// The part of a path that names a model: the last folder or file, "models--org--name" of a cache as "org/name".
static const char *model_words(RunNames *n, const char *name) {
    const char *cache = strstr(name, "models--");
    if (cache != NULL) {
        const char *from = cache + strlen("models--");
        const char *gap = strstr(from, "--");
        size_t end = gap != NULL ? strcspn(gap, "/") : 0;
        if (gap != NULL)
            return arena_printf(n->arena, "%.*s/%.*s", (int)(gap - from), from, (int)(end - 2), gap + 2);
    }
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] == '/') length--;
    size_t from = length;
    while (from > 0 && name[from - 1] != '/') from--;
    bool path = name[0] == '/' || name[0] == '.' || name[0] == '~';
    return path ? arena_copy(n->arena, name + from, length - from) : name;
}

static const RunFound *find_model_of(RunNames *n, const char *name) {
    RunFound *f = found_before(n, 'm', name);
    if (f->model != NULL || f->why != NULL) return f;
    Err e = {0};
    const Model *model = NULL;
    const char *taken = "";
    bool ok = catalog_find_model(&n->words, n->models, n->n_models, model_words(n, name), n->arena, &model,
                                 &taken, &e);
    f = found_before(n, 'm', name);
    f->model = ok ? model : NULL;
    f->taken = taken;
    f->why = ok ? NULL : arena_printf(n->arena, "%s", e.text);
    return f;
}

// ---------------------------------------------------------------- engines and dtypes

static const struct {
    const char *word, *engine;
} engine_words[] = {
    {"trt", "tensorrt-llm"},
    {"trtllm", "tensorrt-llm"},
    {"trt-llm", "tensorrt-llm"},
    {"tensorrt", "tensorrt-llm"},
    {"dynamo-trt", "tensorrt-llm"},
    {"dynamo-trtllm", "tensorrt-llm"},
    {"dynamo-sglang", "sglang"},
    {"dynamo-vllm", "vllm"},
    {"llamacpp", "llama.cpp"},
    {"llama-cpp", "llama.cpp"},
    {"llama-server", "llama.cpp"},
    {"vllm-openai", "vllm"},
    {"nemo", "nemo"},
    {"torchtitan", "torchtitan"},
    {"megatron-lm", "megatron-lm"},
    {"megatron-bridge", "megatron-bridge"},
    {"maxtext", "maxtext"},
    {"lmdeploy", "lmdeploy"},
    {"tgi", "tgi"},
    {"exllamav2", "exllamav2"},
    {"pytorch", "pytorch"},
    {"text-generation-inference", "tgi"},
};

// "" an engine that nothing is known of.
static const char *engine_of(const RunNames *n, const char *word) {
    char folded[NAME_FOLDED_BYTES], own[NAME_FOLDED_BYTES];
    name_fold(word, folded);
    for (size_t i = 0; i < n->n_engines; i++) {
        name_fold(n->engines[i].engine, own);
        if (strcmp(own, folded) == 0) return n->engines[i].engine;
    }
    for (size_t i = 0; i < COUNT_OF(engine_words); i++) {
        name_fold(engine_words[i].word, own);
        if (strcmp(own, folded) == 0) return engine_words[i].engine;
    }
    return "";
}

// "one of: sglang, vllm".
static const char *engines_words(const RunNames *n) {
    const char *text = "one of:";
    for (size_t i = 0; i < n->n_engines; i++) {
        bool again = i > 0 && strcmp(n->engines[i].engine, n->engines[i - 1].engine) == 0;
        if (!again) text = arena_printf(n->arena, "%s%s %s", text, i > 0 ? "," : "", n->engines[i].engine);
    }
    return text;
}

// What tools and people write for a dtype, in the order of looking: the first whose words stand in the text.
static const struct {
    const char *word, *dtype;
} dtype_words[] = {
    {"mxfp4", "mxfp4"},    {"nvfp4", "nvfp4"},  {"modelopt-fp4", "nvfp4"},
    {"fp4", "fp4"},        {"mxfp6", "fp6"},    {"fp6", "fp6"},
    {"fp8", "fp8"},        {"e4m3", "fp8"},     {"e5m2", "fp8"},
    {"w4a16", "int4"},     {"w4a8", "int4"},    {"awq", "int4"},
    {"gptq", "int4"},      {"int4", "int4"},    {"4bit", "int4"},
    {"w8a8-int8", "int8"}, {"w8a8", "int8"},    {"int8", "int8"},
    {"8bit", "int8"},      {"bf16", "bf16"},    {"bfloat16", "bf16"},
    {"fp16", "fp16"},      {"float16", "fp16"}, {"half", "fp16"},
    {"f16", "fp16"},       {"fp32", "fp32"},    {"float32", "fp32"},
    {"q8-0", "int8"},      {"q4", "int4"},      {"iq4", "int4"},
};

static bool holds_word(const char *folded, const char *word) {
    size_t n = strlen(word);
    for (const char *at = strstr(folded, word); at != NULL; at = strstr(at + 1, word)) {
        bool begins = at == folded || at[-1] == '-';
        bool digit = word[n - 1] >= '0' && word[n - 1] <= '9';
        // "fp8-e4m3", "float8": a number goes on only into another word
        if (begins && (at[n] == '\0' || at[n] == '-' || (!digit && at[n] != '-'))) return true;
    }
    return false;
}

static const char *dtype_of(const char *text) {
    char folded[NAME_FOLDED_BYTES];
    name_fold(text, folded);
    Dtype dtype = dtype_named(folded, DTYPE_UNKNOWN);
    if (dtype != DTYPE_UNKNOWN) return dtype_names[dtype];
    for (size_t i = 0; i < COUNT_OF(dtype_words); i++) {
        if (holds_word(folded, dtype_words[i].word)) return dtype_words[i].dtype;
    }
    return "";
}

// The dtype that a model's name fixes: a checkpoint of data/checkpoints.tsv, a word for narrow weights in the name, or a model
// that was released in narrow ones and is named as it was. A wide model may have been quantised as it was loaded: "".
static const char *dtype_by_name(const RunNames *n, const char *said, const Model *m) {
    for (size_t i = 0; i < n->n_checkpoints; i++) {
        if (text_same(n->checkpoints[i].hf_name, said)) return dtype_names[n->checkpoints[i].weights];
    }
    const char *slash = strrchr(said, '/');
    const char *by_word = dtype_of(slash != NULL && slash[1] != '\0' ? slash + 1 : said);
    bool narrow = by_word[0] != '\0' && strcmp(by_word, "bf16") != 0 && strcmp(by_word, "fp16") != 0 &&
                  strcmp(by_word, "fp32") != 0;
    if (narrow) return by_word;
    const char *native = m != NULL ? dtype_names[m->weights_native] : "";
    bool named_so = m != NULL && (text_same(m->hf_name, said) || text_same(m->model_id, said));
    bool wide = strcmp(native, "bf16") == 0 || strcmp(native, "fp16") == 0 || strcmp(native, "fp32") == 0 ||
                strcmp(native, "unknown") == 0;
    return named_so && !wide ? native : "";
}

// ---------------------------------------------------------------- filling

typedef struct Filling {
    RunNames *names;
    RunRead *r;
    const RunGiven *given;
    unsigned missing;
    const char *contradiction, *why;
} Filling;

static void contradict(Filling *x, const char *option, const char *file, const char *user) {
    if (x->contradiction[0] == '\0')
        x->contradiction = arena_printf(x->names->arena, "the file says %s '%s', --%s says '%s'", option,
                                        file, option, user);
}

static void note(Filling *x, const char *text) {
    const char **to = &x->r->run.note;
    if (text[0] != '\0') *to = (*to)[0] == '\0' ? text : arena_printf(x->names->arena, "%s; %s", *to, text);
}

static void unknown_name(Filling *x, const char *why) {
    if (x->why[0] == '\0' && why != NULL) x->why = why;
}

static void fill_gpu(Filling *x) {
    const char *said = x->r->said.gpu;
    const char *user = x->given->gpu;
    const RunFound *file = said[0] != '\0' ? find_gpu_of(x->names, said) : NULL;
    const Gpu *in_file = file != NULL ? file->gpu : NULL;
    const char *taken = file != NULL ? file->taken : "";
    const char *why = file != NULL ? file->why : NULL;
    const RunFound *option = user[0] != '\0' ? find_gpu_of(x->names, user) : NULL;
    if (option != NULL && option->gpu != NULL) {
        char name[NAME_FOLDED_BYTES];
        name_fold(said, name);
        bool part_of = said[0] != '\0' && name_parts_in(name, option->gpu->sku_id);
        if (in_file != NULL && in_file != option->gpu && !part_of) contradict(x, "gpu", said, user);
        in_file = option->gpu;
        taken = "";
    }
    x->r->run.m.gpu_sku = in_file != NULL ? in_file->sku_id : "";
    if (in_file == NULL) {
        x->missing |= MISSING_GPU;
        unknown_name(x, why);
    }
    note(x, taken);
}

static const Model *fill_model(Filling *x) {
    const char *said = x->r->said.model;
    const char *user = x->given->model;
    const RunFound *file = said[0] != '\0' ? find_model_of(x->names, said) : NULL;
    const Model *in_file = file != NULL ? file->model : NULL;
    const char *why = file != NULL ? file->why : NULL;
    const RunFound *option = user[0] != '\0' ? find_model_of(x->names, user) : NULL;
    if (option != NULL && option->model != NULL) {
        if (in_file != NULL && in_file != option->model && !model_same_shape(in_file, option->model))
            contradict(x, "model", said, user);
        if (in_file == NULL || model_same_shape(in_file, option->model)) in_file = option->model;
    }
    x->r->run.m.model = in_file != NULL ? in_file->model_id : "";
    if (in_file == NULL) {
        x->missing |= MISSING_MODEL;
        unknown_name(x, why);
    }
    return in_file;
}

static void fill_engine(Filling *x) {
    Measurement *m = &x->r->run.m;
    const char *said = x->r->said.engine;
    const char *user = x->given->engine;
    const char *in_file = said[0] != '\0' ? engine_of(x->names, said) : "";
    const char *option = user[0] != '\0' ? engine_of(x->names, user) : "";
    if (in_file[0] != '\0' && option[0] != '\0' && strcmp(in_file, option) != 0)
        contradict(x, "engine", said, user);
    m->engine = in_file[0] != '\0' ? in_file : option;
    m->engine_version = x->r->said.version[0] != '\0' ? x->r->said.version : x->given->version;
    if (m->engine[0] != '\0') return;
    x->missing |= MISSING_ENGINE;
    if (said[0] != '\0')
        unknown_name(x,
                     arena_printf(x->names->arena, "unknown engine '%s'", name_shown(x->names->arena, said)));
}

static void fill_dtypes(Filling *x, const Model *model) {
    Measurement *m = &x->r->run.m;
    const char *said = dtype_of(x->r->said.weights);
    const char *by_name = x->r->said.model[0] != '\0' ? dtype_by_name(x->names, x->r->said.model, model) : "";
    const char *user = x->given->weights;
    // "fp4" of a file is any of its kinds: the name of the checkpoint, or the user, says which
    bool any_fp4 = strcmp(said, "fp4") == 0;
    const char *file = said[0] == '\0' || (any_fp4 && strstr(by_name, "fp4") != NULL) ? by_name : said;
    bool same = user[0] == '\0' || file[0] == '\0' || strcmp(file, user) == 0 ||
                (strcmp(file, "fp4") == 0 && strstr(user, "fp4") != NULL);
    if (!same) contradict(x, "weights", file, user);
    m->precision_weights = user[0] != '\0' && same ? user : file;
    if (m->precision_weights[0] == '\0') x->missing |= MISSING_WEIGHTS;
    const char *kv = dtype_of(x->r->said.kv);
    if (kv[0] != '\0' && x->given->kv[0] != '\0' && strcmp(kv, x->given->kv) != 0)
        contradict(x, "kv", kv, x->given->kv);
    m->precision_kv = kv[0] != '\0' ? kv : x->given->kv;
    if (!is_known(m->weight_bits))
        m->weight_bits = dtype_bits(dtype_named(m->precision_weights, DTYPE_UNKNOWN));
}

static void fill_number(Filling *x, const char *option, double *file, double user) {
    if (is_known(*file) && is_known(user) && fabs(*file - user) > 1e-9 * fabs(user))
        contradict(x, option, arena_printf(x->names->arena, "%.6g", *file),
                   arena_printf(x->names->arena, "%.6g", user));
    if (!is_known(*file)) *file = user;
}

// Lengths that ran differ from those asked for, which is what a user knows: no contradiction.
static void fill_length(double *file, double user) {
    if (!is_known(*file)) *file = user;
}

static void fill_numbers(Filling *x) {
    OwnRun *run = &x->r->run;
    Measurement *m = &run->m;
    const RunGiven *g = x->given;
    fill_number(x, "gpus", &m->gpu_count, g->gpus);
    fill_number(x, "tp", &m->tp, g->tp);
    fill_number(x, "pp", &m->pp, g->pp);
    fill_number(x, "ep", &m->ep, g->ep);
    fill_number(x, "dp", &m->dp, g->dp);
    fill_number(x, "prefill-gpus", &run->prefill_gpus, g->prefill_gpus);
    fill_length(&m->input_tokens, g->isl);
    fill_length(&m->output_tokens, g->osl);
    if (!own_run_has(run, RUN_QUEUED))
        fill_number(x, "concurrency", &m->batch_or_concurrency, g->concurrency);
    if (own_run_has(run, RUN_QUEUED) && is_known(g->concurrency))
        m->batch_or_concurrency = g->concurrency;  // what the server allowed
    if (!is_known(run->cached_share)) run->cached_share = g->cached_prompt;
    if (m->draft_tokens[0] == '\0' || strcmp(m->draft_tokens, "?") == 0)
        m->draft_tokens = g->draft_tokens[0] != '\0' ? g->draft_tokens : m->draft_tokens;
    double least = (is_known(m->tp) ? m->tp : 1) * (is_known(m->pp) ? m->pp : 1);
    if (m->gpu_count < least)
        contradict(x, "tp", arena_printf(x->names->arena, "%.0f", least),
                   arena_printf(x->names->arena, "%.0f GPUs", m->gpu_count));
    if (!is_known(m->gpu_count)) x->missing |= MISSING_GPUS;
    m->layout = is_known(m->tp) ? "stated" : "";
}

// Figures that need lengths and GPUs which the file does not tell.
static void fill_derived(Filling *x) {
    RunRead *r = x->r;
    Measurement *m = &r->run.m;
    if (is_known(r->tokens_per_s_gpu)) m->tokens_per_s_total = r->tokens_per_s_gpu * m->gpu_count;
    if (is_known(r->sequences_per_s)) {
        if (!is_known(m->input_tokens)) x->missing |= MISSING_ISL;
        m->tokens_per_s_total = r->sequences_per_s * m->input_tokens;
    }
    bool batch = strcmp(r->run.tool, "vllm-latency") == 0;
    if (batch && !is_known(m->output_tokens_per_s))
        m->output_tokens_per_s = m->batch_or_concurrency * m->output_tokens / (m->e2e_ms / 1000);
    if (strcmp(r->run.tool, "vllm-throughput") != 0 || is_known(m->output_tokens_per_s)) return;
    if (is_known(m->output_tokens) && is_known(m->input_tokens)) {
        // the sum of both, in the proportion of the lengths
        double both = m->input_tokens + m->output_tokens;
        m->output_tokens_per_s = m->tokens_per_s_total * m->output_tokens / both;
        r->run.flags = (double)((unsigned)r->run.flags | RUN_LENGTHS_ASKED | RUN_CONVERTED);
    }
}

void run_fill(RunNames *names, RunRead *r, const RunGiven *given, const char *today, unsigned *ret_missing,
              const char **ret_contradiction, const char **ret_why) {
    Filling x = {.names = names, .r = r, .given = given, .contradiction = "", .why = ""};
    OwnRun *run = &r->run;
    fill_gpu(&x);
    const Model *model = fill_model(&x);
    fill_engine(&x);
    fill_dtypes(&x, model);
    fill_numbers(&x);
    fill_derived(&x);
    if (run->host[0] == '\0') run->host = given->host;
    if (run->ran_at[0] == '\0') run->ran_at = given->date;
    run->imported_at = today;
    run->m.id = arena_printf(names->arena, "own:%s", run->identity);
    run->m.date = run->ran_at;
    run->m.as_of = run->ran_at[0] != '\0' ? run->ran_at : today;
    run->m.source = arena_printf(names->arena, "own: %s", run->file);
    run->m.submitter = "own";
    runs_check(run, names->arena);
    *ret_missing = x.missing;
    *ret_contradiction = x.contradiction;
    *ret_why = x.why;
}

bool run_given_check(RunNames *names, const RunGiven *given, Err *e) {
    const RunFound *gpu = given->gpu[0] != '\0' ? find_gpu_of(names, given->gpu) : NULL;
    if (gpu != NULL && gpu->gpu == NULL) return err_set(e, ERR_USAGE, "%s", gpu->why);
    const RunFound *model = given->model[0] != '\0' ? find_model_of(names, given->model) : NULL;
    if (model != NULL && model->model == NULL) return err_set(e, ERR_USAGE, "%s", model->why);
    if (given->engine[0] != '\0' && engine_of(names, given->engine)[0] == '\0')
        return err_set(e, ERR_USAGE, "unknown engine '%s'; %s", name_shown(names->arena, given->engine),
                       engines_words(names));
    const char *const dtypes[] = {given->weights, given->kv};
    for (size_t i = 0; i < COUNT_OF(dtypes); i++) {
        if (dtypes[i][0] != '\0' && name_index(dtype_names, dtypes[i]) <= 0)
            return err_set(e, ERR_USAGE, "'%s' is no dtype (bf16, fp8, int4, ...)",
                           name_shown(names->arena, dtypes[i]));
    }
    return true;
}
