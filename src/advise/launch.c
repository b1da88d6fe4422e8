// Commands of serving engines: which option says what, and what an engine cannot be told.
#include "src/advise/launch.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- what the engines call it

// What a command says in a number.
typedef enum Piece {
    PIECE_TENSOR,
    PIECE_PIPELINE,
    PIECE_REPLICAS,
    PIECE_EXPERTS,
    PIECE_LENGTH,
    PIECE_SEQUENCES,
    PIECE_MEMORY,
    PIECE_COUNT
} Piece;

// Where an engine has no option: why, or "" where nothing need be said.
typedef struct Spelling {
    const char *option;
    bool flag;  // takes no value
    const char *note;
} Spelling;

typedef struct EngineCommand {
    const char *engine, *start;  // the model follows
    // the size of tensor parallelism counts the GPUs of all replicas that share experts
    bool tensor_counts_replicas;
    bool limit_of_all_replicas;    // so does the limit of sequences
    bool length_of_all_sequences;  // the length is that of the caches of all sequences together
    bool gguf;                     // reads GGUF files, not checkpoints
    // reads how the checkpoint of a model's owner is quantised from its configuration, in every format that
    // owners use
    bool finds_quantisation;
    Spelling pieces[PIECE_COUNT];
    // speculation by the model's own head: @ is the number of drafts, # one more
    const char *drafts, *drafts_note;
    const char *source, *as_of;
} EngineCommand;

// vLLM's, which ATOM took over.
#define VLLM_PIECES                                                                                          \
    {                                                                                                        \
        [PIECE_TENSOR] = {.option = "--tensor-parallel-size"},                                               \
        [PIECE_PIPELINE] = {.option = "--pipeline-parallel-size"},                                           \
        [PIECE_REPLICAS] = {.option = "--data-parallel-size"},                                               \
        [PIECE_EXPERTS] = {.option = "--enable-expert-parallel", .flag = true},                              \
        [PIECE_LENGTH] = {.option = "--max-model-len"}, [PIECE_SEQUENCES] = {.option = "--max-num-seqs"},    \
        [PIECE_MEMORY] = {.option = "--gpu-memory-utilization"},                                             \
    }

static const EngineCommand commands[] = {
    {.engine = "vllm",
     .start = "vllm serve",
     .finds_quantisation = true,
     .pieces = VLLM_PIECES,
     .drafts = "--speculative-config '{\"method\":\"mtp\",\"num_speculative_tokens\":@}'",
     .source = "https://docs.vllm.ai/en/stable/cli/serve/; docs/serving/data_parallel_deployment.md, "
               "docs/features/quantization/online.md and docs/features/speculative_decoding/mtp.md there: "
               "the limit of sequences is of each rank",
     .as_of = "2026-11"},
    {.engine = "sglang",
     .start = "python3 -m sglang.launch_server --model-path",
     .tensor_counts_replicas = true,
     .limit_of_all_replicas = true,
     .finds_quantisation = true,
     .pieces = {[PIECE_TENSOR] = {.option = "--tp-size"},
                [PIECE_PIPELINE] = {.option = "--pp-size"},
                [PIECE_REPLICAS] = {.option = "--enable-dp-attention --dp-size"},
                [PIECE_EXPERTS] = {.option = "--ep-size"},
                [PIECE_LENGTH] = {.option = "--context-length"},
                [PIECE_SEQUENCES] = {.option = "--max-running-requests"},
                [PIECE_MEMORY] = {.option = "--mem-fraction-static"}},
     .drafts = "--speculative-algorithm EAGLE --speculative-num-steps @ --speculative-eagle-topk 1 "
               "--speculative-num-draft-tokens #",
     .source = "https://docs.sglang.io/advanced_features/server_arguments.html; "
               "https://docs.sglang.io/docs/advanced_features/dp_dpa_smg_guide: attention of replicas inside "
               "the tensor-parallel size",
     .as_of = "2026-11"},
    {.engine = "tensorrt-llm",
     .start = "trtllm-serve",
     .tensor_counts_replicas = true,
     .pieces = {[PIECE_TENSOR] = {.option = "--tp_size"},
                [PIECE_PIPELINE] = {.option = "--pp_size"},
                [PIECE_REPLICAS] = {.option = "--enable_attention_dp", .flag = true},
                [PIECE_EXPERTS] = {.option = "--ep_size"},
                [PIECE_LENGTH] = {.option = "--max_seq_len"},
                [PIECE_SEQUENCES] = {.option = "--max_batch_size"},
                [PIECE_MEMORY] = {.option = "--kv_cache_free_gpu_memory_fraction"}},
     .drafts_note = "speculation has no option of its own: a YAML file given by --config holds "
                    "speculative_config with decoding_type: MTP and num_nextn_predict_layers: @",
     .source = "https://nvidia.github.io/TensorRT-LLM/commands/trtllm-serve/trtllm-serve.html; "
               "tensorrt_llm/commands/serve.py of NVIDIA/TensorRT-LLM",
     .as_of = "2026-11"},
    {.engine = "atom",
     .start = "python3 -m atom.entrypoints.openai_server --model",
     .pieces = VLLM_PIECES,
     .drafts = "--method mtp --num-speculative-tokens @",
     .source = "ROCm/ATOM:README.md, atom/model_engine/arg_utils.py, docs/distributed_guide.md and "
               "docs/online_quantization_guide.md@2026-08-22",
     .as_of = "2026-08-22"},
    {.engine = "llama.cpp",
     .start = "llama-server -m",
     .length_of_all_sequences = true,
     .gguf = true,
     .pieces = {[PIECE_TENSOR] = {.option = "--split-mode tensor -ngl 99",
                                  .flag = true,
                                  .note = "splitting weights and cache over GPUs (--split-mode tensor) is "
                                          "experimental in llama.cpp"},
                [PIECE_PIPELINE] = {.option = "--split-mode layer -ngl 99", .flag = true},
                [PIECE_REPLICAS] = {.note = "llama.cpp has no replicas that share experts"},
                [PIECE_EXPERTS] = {.note = "llama.cpp has no option for expert parallelism"},
                [PIECE_LENGTH] = {.option = "-c"},
                [PIECE_SEQUENCES] = {.option = "-np"},
                [PIECE_MEMORY] = {.note = ""}},
     .drafts_note = "llama.cpp speculates with a second model in GGUF: name one beside it",
     .source = "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md",
     .as_of = "2026-11"},
};

// How a precision is asked for; "" is what the engine does by itself. A pair that is not here cannot be asked
// for.
typedef struct DtypeWords {
    const char *engine;
    Dtype dtype;
    const char *words;
} DtypeWords;

static const DtypeWords cache_words[] = {
    {"vllm", DTYPE_BF16, ""},
    {"vllm", DTYPE_FP16, ""},
    {"vllm", DTYPE_FP8, "--kv-cache-dtype fp8"},
    {"sglang", DTYPE_BF16, ""},
    {"sglang", DTYPE_FP16, ""},
    {"sglang", DTYPE_FP8, "--kv-cache-dtype fp8_e4m3"},
    {"tensorrt-llm", DTYPE_BF16, ""},
    {"tensorrt-llm", DTYPE_FP16, ""},
    {"tensorrt-llm", DTYPE_FP8, "--kv_cache_dtype fp8"},
    {"atom", DTYPE_BF16, ""},
    {"atom", DTYPE_FP8, "--kv_cache_dtype fp8"},
    {"llama.cpp", DTYPE_FP16, ""},
    {"llama.cpp", DTYPE_BF16, "-ctk bf16 -ctv bf16"},
    {"llama.cpp", DTYPE_INT8, "-ctk q8_0 -ctv q8_0"},
};

// Quantising a checkpoint of 16 bits while it is loaded.
static const DtypeWords online_words[] = {
    {"vllm", DTYPE_FP8, "--quantization fp8_per_tensor"},
    {"sglang", DTYPE_FP8, "--quantization fp8"},
    {"atom", DTYPE_FP8,
     "--online_quant_config "
     "'{\"global_quant_config\":\"ptpc_fp8\",\"exclude_layer\":[\"lm_head\",\"*.gate.*\"]}'"},
};

// Reading a checkpoint of another 16-bit or 32-bit format.
static const DtypeWords cast_words[] = {
    {"vllm", DTYPE_FP16, "--dtype float16"},
    {"vllm", DTYPE_BF16, "--dtype bfloat16"},
    {"sglang", DTYPE_FP16, "--dtype float16"},
    {"sglang", DTYPE_BF16, "--dtype bfloat16"},
};

static const char *words_of(const DtypeWords *list, size_t n, const char *engine, Dtype dtype) {
    for (size_t i = 0; i < n; i++) {
        if (list[i].dtype == dtype && strcmp(list[i].engine, engine) == 0) return list[i].words;
    }
    return NULL;
}

// ---------------------------------------------------------------- putting it together

typedef struct Draft {
    const Advice *advice;
    const Ask *ask;
    const Option *o;
    const EngineCommand *c;
    Arena *a;
    Launch *l;
} Draft;

static void note(Draft *d, const char *text) {
    if (text[0] != '\0' && d->l->n_notes < LAUNCH_NOTES_MAX) d->l->notes[d->l->n_notes++] = text;
}
#define note_printf(d, ...) note((d), arena_printf((d)->a, __VA_ARGS__))

// Appends words of which blanks and quotes are the shell's already, cut before each option.
static void put(Draft *d, const char *words) {
    for (const char *at = words; at != NULL && at[0] != '\0' && d->l->n_words < LAUNCH_WORDS_MAX;) {
        const char *next = strstr(at, " -");
        d->l->words[d->l->n_words++] = arena_copy(d->a, at, next != NULL ? (size_t)(next - at) : strlen(at));
        at = next != NULL ? next + 1 : NULL;
    }
}

static void put_number(Draft *d, Piece piece, double value) {
    const Spelling *s = &d->c->pieces[piece];
    if (s->note != NULL) note(d, s->note);
    if (s->option == NULL) return;
    put(d, s->flag ? s->option : arena_printf(d->a, "%s %.15g", s->option, value));
}

// Every @ becomes the number, every # one more.
static const char *numbered(Draft *d, const char *text, double number) {
    char *out = arena_alloc(d->a, 32 * strlen(text) + 1, 1);
    size_t n = 0;
    for (const char *p = text; *p != '\0'; p++) {
        const char *digits = *p == '@' || *p == '#' ? arena_printf(d->a, "%.15g", number + (*p == '#'))
                                                    : (const char[]){*p, '\0'};
        memcpy(out + n, digits, strlen(digits));
        n += strlen(digits);
    }
    return out;
}

// ---------------------------------------------------------------- the model

static bool in_16_bits(Dtype t) { return t == DTYPE_BF16 || t == DTYPE_FP16; }
static bool not_quantised(Dtype t) { return in_16_bits(t) || t == DTYPE_FP32; }

// "owner/name" of Hugging Face; some rows describe models that were never released.
static bool is_hub_name(const char *name) {
    const char *slash = strchr(name, '/');
    return slash != NULL && slash != name && slash[1] != '\0' && strchr(slash + 1, '/') == NULL &&
           strchr(name, ' ') == NULL;
}

// The folder of a checkpoint of which one file was named.
static const char *checkpoint_folder(Draft *d, const char *path) {
    if (!text_ends_same(path, ".json") && !text_ends_same(path, ".safetensors")) return path;
    return path_folder(d->a, path);
}

// What is at hand in the precision that the model was released in; NULL: nothing that this engine reads.
static const char *at_hand(Draft *d) {
    const Model *m = d->ask->model;
    if (m->path != NULL) {
        if (text_ends_same(m->path, ".gguf") != d->c->gguf) return NULL;
        const char *path = text_clean(d->a, checkpoint_folder(d, m->path));
        return path[0] == '-' ? arena_printf(d->a, "./%s", path) : path;
    }
    return !d->c->gguf && is_hub_name(m->hf_name) ? m->hf_name : NULL;
}

// A checkpoint of the model in the option's weights that somebody released, its owner's first; NULL: none is
// known.
static const Checkpoint *released(const Draft *d) {
    const Checkpoint *found = NULL;
    for (size_t i = 0; i < d->advice->n_checkpoints && d->ask->model->path == NULL && !d->c->gguf; i++) {
        const Checkpoint *c = d->advice->checkpoints[i];
        if (c->weights == d->o->weights && (found == NULL || c->maker < found->maker)) found = c;
    }
    return found;
}

// "; nvidia/Llama-FP8 is one, of a third party"
static const char *or_released(Draft *d, const Checkpoint *c) {
    return c == NULL ? ""
                     : arena_printf(d->a, "; %s is one, of %s", c->hf_name,
                                    c->maker == MAKER_OWNER ? "its owner" : "a third party");
}

// A name for what the user must get first.
static const char *stand_in(Draft *d) {
    const Model *m = d->ask->model;
    const char *weights = dtype_names[d->o->weights];
    const char *name = arena_printf(d->a, "./%s-%s%s", m->model_id, weights, d->c->gguf ? ".gguf" : "");
    const char *kind = d->c->gguf ? "a GGUF file" : "a checkpoint";
    const char *native = m->weights_native != DTYPE_UNKNOWN
                             ? arena_printf(d->a, " (released in %s)", dtype_names[m->weights_native])
                             : "";
    note_printf(d, "%s stands for %s of %s%s with weights in %s: make or find one%s", name, kind, m->model_id,
                native, weights, or_released(d, released(d)));
    return name;
}

static void put_model(Draft *d) {
    Dtype native = d->ask->model->weights_native, weights = d->o->weights;
    const char *model = at_hand(d);
    const char *words = "";
    const Checkpoint *quantised = released(d);
    if (native != weights && quantised != NULL && quantised->maker == MAKER_OWNER &&
        d->c->finds_quantisation) {
        model = quantised->hf_name;
    } else if (native != weights) {
        bool cast = in_16_bits(weights) && not_quantised(native);
        words = cast ? words_of(cast_words, COUNT_OF(cast_words), d->c->engine, weights)
                : not_quantised(native)
                    ? words_of(online_words, COUNT_OF(online_words), d->c->engine, weights)
                    : NULL;
        if (words == NULL) model = NULL;
        if (words != NULL && model != NULL && !cast)
            note_printf(
                d,
                "quantised to %s while loading: accuracy is not that of a checkpoint that was calibrated%s",
                dtype_names[weights], or_released(d, quantised));
    }
    bool stands_in = model == NULL;
    if (stands_in) model = stand_in(d);
    d->l->words[d->l->n_words++] = arena_printf(d->a, "%s %s", d->c->start, text_shell_word(d->a, model));
    if (!stands_in) put(d, words);
}

// ---------------------------------------------------------------- layout, load, memory

static void put_layout(Draft *d) {
    const Layout *x = &d->o->layout;
    bool attention_apart = d->c->tensor_counts_replicas && x->dp > 1;
    int tensor = attention_apart ? x->tp * x->dp : x->tp;
    if (d->c->gguf && x->tp * x->pp == 1) put(d, "--split-mode none -ngl 99");
    if (tensor > 1) put_number(d, PIECE_TENSOR, tensor);
    if (x->pp > 1 && d->c->gguf && x->tp > 1) {
        note_printf(d, "%s splits by layers or within them, not both: this splits within them over all GPUs",
                    d->c->engine);
    } else if (x->pp > 1) {
        put_number(d, PIECE_PIPELINE, x->pp);
    }
    if (x->dp > 1) put_number(d, PIECE_REPLICAS, x->dp);
    if (x->dp > 1 && x->tp > 1 && d->c->pieces[PIECE_REPLICAS].flag) {
        note_printf(
            d, "%s puts the whole attention on each GPU: TP%d within each of the %d replicas cannot be said",
            d->c->engine, x->tp, x->dp);
    }
    if (x->ep > 1) put_number(d, PIECE_EXPERTS, x->ep);
    if (d->l->gpus > NODE_GPUS)
        note_printf(d,
                    "the command is for one machine that sees all %d GPUs; over several, the engine's guide "
                    "to multi-node serving adds addresses and ranks",
                    d->l->gpus);
}

// Sequences that one replica runs at once: as many as are in flight, or what fits where requests come as they
// like.
static double sequences(const Draft *d) {
    const Serving *s = &d->o->serving;
    bool arriving = is_known(d->ask->workload.rate_rps);
    return fmax(1, arriving
                       ? floor(s->sequences_max + 1e-9)
                       : fmin(ceil(d->o->point.running - 1e-9), fmax(1, floor(s->sequences_max + 1e-9))));
}

static void put_load(Draft *d) {
    const Workload *w = &d->ask->workload;
    double length = ceil(w->isl_tokens + w->osl_tokens), n = sequences(d);
    put_number(d, PIECE_LENGTH, d->c->length_of_all_sequences ? length * n : length);
    put_number(d, PIECE_SEQUENCES, d->c->limit_of_all_replicas ? n * d->o->layout.dp : n);
    put_number(d, PIECE_MEMORY, d->o->serving.limits->memory_fraction);
    note_printf(d,
                "a request may hold %.15g tokens, as asked about: longer ones need a larger limit, and so "
                "more memory each",
                length);
}

static void put_cache(Draft *d) {
    const char *words = words_of(cache_words, COUNT_OF(cache_words), d->c->engine, d->o->kv);
    if (words == NULL) {
        note_printf(d, "no option of %s for a KV cache in %s is known", d->c->engine, dtype_names[d->o->kv]);
    } else {
        put(d, words);
    }
}

static void put_techniques(Draft *d) {
    const ServeTechniques *w = &d->ask->techniques;
    const Model *m = d->ask->model;
    if (w->draft_tokens > 0 && d->c->drafts == NULL) {
        note(d, numbered(d, d->c->drafts_note, w->draft_tokens));
    } else if (w->draft_tokens > 0 && !(m->params_mtp > 0)) {
        note_printf(d,
                    "%.15g tokens are speculated a step, and %s is not known to have a head for several "
                    "tokens: add a draft model",
                    w->draft_tokens, m->model_id);
    } else if (w->draft_tokens > 0) {
        const char *drafts = numbered(d, d->c->drafts, w->draft_tokens);
        put(d, drafts);
    }
    if (w->power_cap_w > 0)
        note_printf(d, "the cap of %.15g W a GPU is set beside it, with %s", w->power_cap_w,
                    d->o->gpu->vendor == VENDOR_NVIDIA ? "nvidia-smi" : "amd-smi");
}

static void join(Draft *d) {
    size_t length = 1;
    for (size_t i = 0; i < d->l->n_words; i++) length += strlen(d->l->words[i]) + 1;
    char *command = arena_alloc(d->a, length, 1);
    for (size_t i = 0, n = 0; i < d->l->n_words; i++) {
        if (i > 0) command[n++] = ' ';
        memcpy(command + n, d->l->words[i], strlen(d->l->words[i]));
        n += strlen(d->l->words[i]);
    }
    d->l->command = command;
}

bool launch_of(const Advice *advice, const Option *o, Arena *a, Launch *ret_launch) {
    const Ask *ask = advice->ask;
    if (o->serving.group == NULL || !serves_tokens(&ask->workload)) return false;
    int gpus = o->layout.tp * o->layout.pp * o->layout.dp;
    *ret_launch = (Launch){.servers = o->replicas / o->layout.dp,
                           .servers_per_instance = o->gpu_count / o->instances / gpus,
                           .gpus = gpus,
                           .source = "",
                           .as_of = ""};
    Draft d = {.advice = advice, .ask = ask, .o = o, .a = a, .l = ret_launch};
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        if (strcmp(commands[i].engine, o->engine) == 0) d.c = &commands[i];
    }
    if (d.c == NULL) {
        note_printf(&d, "no command of engine %s is known", o->engine);
        return true;
    }
    put_model(&d);
    put_layout(&d);
    put_cache(&d);
    put_load(&d);
    put_techniques(&d);
    if (ret_launch->servers_per_instance > 1) {
        const char *visible =
            o->gpu->vendor == VENDOR_NVIDIA ? "CUDA_VISIBLE_DEVICES" : "HIP_VISIBLE_DEVICES";
        note_printf(&d, "several servers share an instance: give each %s of its own (%s) and its own --port",
                    counted(a, (size_t)gpus, "GPU"), visible);
    }
    ret_launch->source = d.c->source;
    ret_launch->as_of = d.c->as_of;
    join(&d);
    return true;
}
