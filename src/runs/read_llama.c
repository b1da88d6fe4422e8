// llama-bench: JSON, JSONL, CSV and Markdown. Always one sequence: prompts alone (pp), answers alone (tg), or
// both in one figure, which nothing can be made of.
#include "src/runs/parts.h"

#include <stdio.h>

// One test as any of the forms says it.
typedef struct Test {
    const char *model, *filename, *gpu, *backend, *build, *date, *kv;
    double prompt, answer, depth, tokens_per_s, samples, devices;
    bool split;
} Test;

// "qwen2 32B Q4_K - Medium", "x-Q4_K_M.gguf" -> "Q4_K": llama.cpp's name of a quantisation in a text; "" none.
static const char *quantisation(const RunsFile *f, const char *text) {
    for (size_t i = 0; text[i] != '\0'; i++) {
        char before = i == 0 ? ' ' : text[i - 1];
        bool starts = strchr(" -._/", before) != NULL;
        size_t from = i;
        if (!starts) continue;
        if (char_lower(text[i]) == 'i' && char_lower(text[i + 1]) == 'q') i++;
        bool quant = char_lower(text[i]) == 'q' && text[i + 1] >= '1' && text[i + 1] <= '8' &&
                     (text[i + 2] == '_' || text[i + 2] == ' ' || text[i + 2] == '\0' || text[i + 2] == '.');
        bool named = strncmp(text + i, "F16", 3) == 0 || strncmp(text + i, "BF16", 4) == 0 ||
                     strncmp(text + i, "F32", 3) == 0 || strncmp(text + i, "MXFP4", 5) == 0 ||
                     strncmp(text + i, "f16", 3) == 0 || strncmp(text + i, "bf16", 4) == 0;
        if (!quant && !named) {
            i = from;
            continue;
        }
        size_t n = 0;
        while (text[from + n] != '\0' && strchr(" -./", text[from + n]) == NULL) n++;
        return text_of(f, (Str){text + from, n});
    }
    return "";
}

// "models/Qwen3.5-122B-A10B-UD-Q4_K_XL-00001-of-00003.gguf" -> "Qwen3.5-122B-A10B": without the folder, the
// part of a file in pieces and the words of the quantisation.
static const char *base_of(const RunsFile *f, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *back = strrchr(path, '\\');
    const char *base = slash != NULL ? slash + 1 : back != NULL ? back + 1 : path;
    size_t n = strlen(base);
    if (n > 5 && text_same(base + n - 5, ".gguf")) n -= 5;
    if (n > 15 && memcmp(base + n - 9, "-of-", 4) == 0 && base[n - 15] == '-') n -= 15;
    const char *name = text_of(f, (Str){base, n});
    const char *quant = quantisation(f, name);
    const char *from = quant[0] != '\0' ? strstr(name, quant) : NULL;
    if (from == NULL || from == name) return name;
    n = (size_t)(from - name);
    while (n > 0 && strchr("-._", name[n - 1]) != NULL) n--;
    if (n > 3 && memcmp(name + n - 3, "-UD", 3) == 0) n -= 3;  // a maker's mixed widths
    return n > 0 ? text_of(f, (Str){name, n}) : name;
}

// "NVIDIA GeForce RTX 4090, NVIDIA GeForce RTX 4090": the first, and how many of the same.
static const char *first_gpu(const RunsFile *f, const char *info, double *ret_n, bool *ret_mixed) {
    Str rest = str_of(info);
    Str part;
    const char *first = "";
    *ret_n = 0;
    *ret_mixed = false;
    while (str_next(&rest, ',', &part)) {
        const char *name = text_of(f, part);
        if (name[0] == '\0') continue;
        if (first[0] == '\0') first = name;
        if (strcmp(first, name) != 0) *ret_mixed = true;
        ++*ret_n;
    }
    return first;
}

static void add_test(RunsFile *f, const char *tool, const Test *t) {
    if (!(t->tokens_per_s > 0)) {
        run_refuse(f, tool, RUN_IS_NONE, "no tokens a second");
        return;
    }
    if (!(t->prompt > 0) && !(t->answer > 0)) {
        run_refuse(f, tool, RUN_IS_NONE, "tokens of neither a prompt nor an answer");
        return;
    }
    if (t->prompt > 0 && t->answer > 0) {
        run_refuse(f, tool, RUN_IS_NONE, "prompt and answer in one figure (pg): neither can be told from it");
        return;
    }
    if (text_same(t->backend, "CPU") || text_same(t->backend, "BLAS") || text_same(t->backend, "Metal")) {
        run_refuse(f, tool, RUN_IS_NONE,
                   arena_printf(f->arena, "backend %s: no GPU of NVIDIA or AMD", t->backend));
        return;
    }
    RunRead *r = run_new(f, tool);
    if (r == NULL) return;
    Measurement *m = &r->run.m;
    double n = 0;
    bool mixed = false;
    r->said.gpu = first_gpu(f, t->gpu, &n, &mixed);
    if (mixed) r->said.gpu = t->gpu;
    if (n >= 1 && !mixed && !t->split) m->gpu_count = n;
    if (t->devices >= 1) m->gpu_count = t->devices;  // all that it sees are used
    r->said.model = base_of(f, t->filename[0] != '\0' ? t->filename : t->model);
    r->said.engine = "llama.cpp";
    r->said.version = t->build;
    r->said.weights = quantisation(f, t->model);
    if (r->said.weights[0] == '\0') r->said.weights = quantisation(f, t->filename);
    r->said.kv = t->kv;
    r->run.ran_at = day_of(f, t->date);
    r->run.requests_completed = t->samples;
    m->batch_or_concurrency = 1;
    bool prefill = t->prompt > 0;
    double depth = t->depth > 0 ? t->depth : 0;
    m->scenario = prefill ? "prefill" : "single-stream";
    m->task = prefill ? "prefill" : "serving";
    if (prefill) {
        m->input_tokens = t->prompt;
        m->tokens_per_s_total = t->tokens_per_s;
        m->tokens_kind = "input";
        r->run.seconds = t->prompt / t->tokens_per_s * t->samples;
        if (depth > 0) run_note(f, r, arena_printf(f->arena, "behind %.0f tokens that were there", depth));
    } else {
        m->input_tokens = depth > 0 ? depth : UNKNOWN_NUMBER;
        m->output_tokens = t->answer;
        m->output_tokens_per_s = t->tokens_per_s;
        m->tpot_ms = 1000 / t->tokens_per_s;
        m->latency_statistic = "mean";
        m->prompt_cached = 1;
        r->run.seconds = t->answer / t->tokens_per_s * t->samples;
    }
    // its tests take seconds by design, and are repeated: no load that has to settle
    if (text_contains(t->backend, "Vulkan")) run_note(f, r, "backend Vulkan, not CUDA or ROCm");
    if (depth > 0 && prefill) m->grade = "B";
}

void read_llama_bench(RunsFile *f, const Json *o) {
    Test t = {.model = text_at(f, o, "model_type"),
              .filename = text_at(f, o, "model_filename"),
              .gpu = text_at(f, o, "gpu_info"),
              .backend = text_at(f, o, "backends"),
              .date = text_at(f, o, "test_time")};
    if (t.gpu[0] == '\0') t.gpu = text_at(f, o, "gpu");
    const char *number = text_at(f, o, "build_number");
    t.build = number[0] != '\0' ? arena_printf(f->arena, "b%s", number) : text_at(f, o, "build_commit");
    t.kv = text_at(f, o, "type_k");
    t.prompt = number_at(o, "n_prompt");
    t.answer = number_at(o, "n_gen");
    t.depth = number_at(o, "n_depth");
    t.tokens_per_s = number_at(o, "avg_ts");
    for (const Json *j = json_first(json_get(o, "samples_ts")); j != NULL; j = json_next(j)) t.samples++;
    if (t.samples == 0) t.samples = UNKNOWN_NUMBER;
    add_test(f, "llama-bench", &t);
}

// ---------------------------------------------------------------- CSV: columns by name, in any order

static const char *cell(const RunsFile *f, const TableReader *t, const Str *names, size_t n,
                        const char *name) {
    for (size_t i = 0; i < n && i < t->n_cells; i++) {
        if (str_is(names[i], name)) return text_of(f, t->cells[i]);
    }
    return "";
}

void read_llama_csv(RunsFile *f, Str text) {
    TableReader r;
    Err e = {0};
    bool more = false;
    table_open(&r, f->scratch, text, ',');
    if (!table_next(&r, &more, &e) || !more) return;
    size_t n = r.n_cells;
    Str *names = arena_alloc(f->arena, n, sizeof *names);
    for (size_t i = 0; i < n; i++) names[i] = str_trim(r.cells[i]);
    bool ok = true;
    while ((ok = table_next(&r, &more, &e)) && more) {
        Test t = {.model = cell(f, &r, names, n, "model_type"),
                  .filename = cell(f, &r, names, n, "model_filename"),
                  .gpu = cell(f, &r, names, n, "gpu_info"),
                  .backend = cell(f, &r, names, n, "backends"),
                  .date = cell(f, &r, names, n, "test_time"),
                  .kv = cell(f, &r, names, n, "type_k")};
        if (t.filename[0] == '\0') t.filename = cell(f, &r, names, n, "model");
        const char *number = cell(f, &r, names, n, "build_number");
        t.build =
            number[0] != '\0' ? arena_printf(f->arena, "b%s", number) : cell(f, &r, names, n, "build_commit");
        t.prompt = number_of(str_of(cell(f, &r, names, n, "n_prompt")));
        t.answer = number_of(str_of(cell(f, &r, names, n, "n_gen")));
        t.depth = number_of(str_of(cell(f, &r, names, n, "n_depth")));
        t.tokens_per_s = number_of(str_of(cell(f, &r, names, n, "avg_ts")));
        t.samples = UNKNOWN_NUMBER;
        add_test(f, "llama-bench-csv", &t);
    }
    if (!ok) run_refuse(f, "llama-bench-csv", RUN_IS_NONE, arena_printf(f->arena, "%s", e.text));
}

// ---------------------------------------------------------------- Markdown

enum { MD_CELLS_MAX = 32 };

static size_t md_cells(Str line, Str *cells) {
    size_t n = 0;
    Str rest = str_trim(line);
    Str part;
    if (rest.length < 2 || rest.data[0] != '|') return 0;
    rest = (Str){rest.data + 1, rest.length - 1};
    while (n < MD_CELLS_MAX && str_next(&rest, '|', &part)) cells[n++] = str_trim(part);
    return n;
}

static int md_column(const Str *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        if (str_is(names[i], name)) return (int)i;
    }
    return -1;
}

// "pp512", "tg128 @ d4096", "pp512+tg128"
static void test_of(Str word, Test *t) {
    t->prompt = t->answer = 0;
    t->depth = UNKNOWN_NUMBER;
    for (size_t i = 0; i + 2 < word.length; i++) {
        size_t k = i + 2;
        while (k < word.length && word.data[k] >= '0' && word.data[k] <= '9') k++;
        if (k == i + 2) continue;
        double x = number_of((Str){word.data + i + 2, k - i - 2});
        if (word.data[i] == 'p' && word.data[i + 1] == 'p') t->prompt = x;
        if (word.data[i] == 't' && word.data[i + 1] == 'g') t->answer = x;
        if (word.data[i] == ' ' && word.data[i + 1] == 'd') t->depth = x;
    }
}

static const char *md_text(const RunsFile *f, const Str *cells, size_t n, int column) {
    return column >= 0 && (size_t)column < n ? text_of(f, cells[column]) : "";
}

// "  Device 0: AMD Radeon RX 7900 XTX, gfx1100", "ggml_vulkan: 0 = NVIDIA GeForce RTX 3090 (...)": what llama.cpp prints
// before the table.
static const char *device_of(const RunsFile *f, Str line) {
    const char *mark = find_in(line, "Device 0:");
    const char *vulkan = find_in(line, "ggml_vulkan: 0 = ");
    const char *from = mark != NULL ? mark + 9 : vulkan != NULL ? vulkan + 17 : NULL;
    if (from == NULL) return "";
    size_t n = 0;
    size_t left = (size_t)(line.data + line.length - from);
    while (n < left && from[n] != ',' && from[n] != '(') n++;
    return text_of(f, (Str){from, n});
}

// How many devices it found, "found 2 ROCm devices".
static double devices_of(Str line) {
    const char *mark = find_in(line, "ound ");
    if (mark == NULL || find_in(line, "devices") == NULL) return UNKNOWN_NUMBER;
    size_t n = 0;
    while (mark + 5 + n < line.data + line.length && mark[5 + n] >= '0' && mark[5 + n] <= '9') n++;
    return number_of((Str){mark + 5, n});
}

static const char *build_of(const RunsFile *f, Str line) {
    line = str_trim(line);
    if (!str_starts(line, "build: ")) return "";
    const char *open = find_in(line, "(");
    size_t n = 0;
    while (open != NULL && open + 1 + n < line.data + line.length && open[1 + n] >= '0' && open[1 + n] <= '9')
        n++;
    return n > 0 ? arena_printf(f->arena, "b%s", text_of(f, (Str){open + 1, n})) : "";
}

void read_llama_table(RunsFile *f, Str text) {
    Str names[MD_CELLS_MAX];
    Str cells[MD_CELLS_MAX];
    size_t n_names = 0;
    size_t since = f->n;  // first row of a table whose build comes below it
    const char *device = "";
    double devices = UNKNOWN_NUMBER;
    Str line;
    while (line_next(&text, &line)) {
        size_t n = md_cells(line, cells);
        const char *build = build_of(f, line);
        for (size_t i = since; build[0] != '\0' && i < f->n; i++) f->rows[i].said.version = build;
        if (build[0] != '\0') since = f->n;
        if (n == 0) {
            const char *named = device_of(f, line);
            double found = devices_of(line);
            if (named[0] != '\0') device = named;
            if (is_known(found)) devices = found;
            continue;
        }
        if (md_column(cells, n, "t/s") >= 0 && md_column(cells, n, "test") >= 0) {
            memcpy(names, cells, n * sizeof *cells);
            n_names = n;
            continue;
        }
        int speed = md_column(names, n_names, "t/s");
        if (n_names == 0 || speed < 0 || (size_t)speed >= n || str_has(cells[0], "--")) continue;
        Test t = {.model = md_text(f, cells, n, md_column(names, n_names, "model")),
                  .filename = "",
                  .build = "",
                  .date = "",
                  .backend = md_text(f, cells, n, md_column(names, n_names, "backend")),
                  .gpu = device,
                  .kv = md_text(f, cells, n, md_column(names, n_names, "type_k")),
                  .samples = UNKNOWN_NUMBER,
                  .devices = devices};
        Str value = cells[speed];
        for (size_t i = 0; i < value.length; i++) {
            if ((unsigned char)value.data[i] >= 0x80) value.length = i;  // up to the sign of plus and minus
        }
        t.tokens_per_s = number_of(value);
        int test = md_column(names, n_names, "test");
        if (test < 0 || (size_t)test >= n) continue;
        test_of(cells[test], &t);
        if (t.prompt > 0 || t.answer > 0) add_test(f, "llama-bench-table", &t);
    }
}
