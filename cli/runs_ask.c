// What a result file does not say, asked on a terminal.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/runs.h"

enum { ANSWER_BYTES = 256, TRIES_MAX = 5 };

// The questions in their order. Optional ones come with the first one of a folder that had to be asked.
static const struct {
    const char *setting, *question;
    unsigned missing;  // 0: optional
} questions[] = {
    {"model", "Model (a name of `gpuadvise models`)", MISSING_MODEL},
    {"gpu", "GPU (a name of `gpuadvise gpus`)", MISSING_GPU},
    {"gpus", "Number of GPUs", MISSING_GPUS},
    {"engine", "Engine and version, as vllm:0.11.0", MISSING_ENGINE},
    {"weights", "Dtype of the weights (bf16, fp8, int4, ...)", MISSING_WEIGHTS},
    {"isl", "Tokens of a training sequence", MISSING_ISL},
    {"tp", "Tensor-parallel size (empty: unknown)", 0},
    {"kv", "Dtype of the KV cache (empty: unknown)", 0},
    {"cached-prompt", "Share of each prompt that the prefix cache held, 0 to 1 (empty: unknown)", 0},
    {"draft-tokens", "Tokens speculated a step (empty: none or unknown)", 0},
};

// A line from the terminal, trimmed; false: its end.
static bool answer(App *app, const char **ret_text) {
    char line[ANSWER_BYTES];
    if (fgets(line, sizeof line, stdin) == NULL) return false;
    size_t n = strlen(line);
    if (n > 0 && line[n - 1] != '\n') {  // too long: the rest of it goes
        for (int c = getchar(); c != '\n' && c != EOF; c = getchar()) {
        }
    }
    Str text = str_trim((Str){line, n});
    *ret_text = text_clean(&app->arena, arena_copy(&app->arena, text.data, text.length));
    return true;
}

// The GPU that a part of the path names; "" none.
static const char *gpu_in_path(App *app, RunNames *names, const char *path) {
    char part[32];
    size_t n = 0;
    for (const char *c = path;; c++) {
        bool ends = *c == '\0' || strchr("/_-. ", *c) != NULL;
        if (!ends && n + 1 < sizeof part) part[n++] = *c;
        if (!ends) continue;
        part[n] = '\0';
        bool digit = strpbrk(part, "0123456789") != NULL;
        bool letter = n > 0 && (char_lower(part[0]) >= 'a' && char_lower(part[0]) <= 'z');
        RunGiven g = runs_given_none();
        Err e = {0};
        g.gpu = arena_copy(&app->arena, part, n);
        if (n >= 3 && digit && letter && run_given_check(names, &g, &e)) return g.gpu;
        n = 0;
        if (*c == '\0') return "";
    }
}

static bool take(App *app, RunNames *names, const char *setting, const char *text, RunGiven *given, Err *e) {
    RunGiven tried = *given;
    if (!runs_given_set(&tried, setting, text, &app->arena, e) || !run_given_check(names, &tried, e))
        return false;
    *given = tried;
    return true;
}

// One question until it has an answer that is one. False: the input ended.
static bool ask_one(App *app, RunNames *names, size_t i, const char *guess, RunGiven *given) {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
        const char *text = "";
        Err e = {0};
        fprintf(stderr, "%s%s%s%s: ", questions[i].question, guess[0] != '\0' ? " (its path names " : "",
                guess, guess[0] != '\0' ? "; y takes it)" : "");
        fflush(stderr);
        if (!answer(app, &text)) return false;
        if (guess[0] != '\0' && (text_same(text, "y") || text_same(text, "yes"))) text = guess;
        if (text[0] == '\0' || take(app, names, questions[i].setting, text, given, &e)) return true;
        fprintf(stderr, "%s\n", e.text);
    }
    return true;
}

bool runs_ask(App *app, RunNames *names, const char *file, unsigned missing, RunGiven *given) {
    fprintf(stderr, "%s does not say all of its run.\n", file);
    for (size_t i = 0; i < COUNT_OF(questions); i++) {
        bool needed = questions[i].missing != 0 && (missing & questions[i].missing) != 0;
        if (!needed && questions[i].missing != 0) continue;
        const char *guess = questions[i].missing == MISSING_GPU ? gpu_in_path(app, names, file) : "";
        if (!ask_one(app, names, i, guess, given)) return false;
    }
    return true;
}

static void add_text(Buf *b, const char *name, const char *value) {
    if (value[0] != '\0') buf_printf(b, "%s = %s\n", name, value);
}

static void add_number(Buf *b, const char *name, double value) {
    if (is_known(value)) buf_printf(b, "%s = %.10g\n", name, value);
}

void runs_ask_keep(App *app, const char *folder, const RunGiven *g) {
    const char *path = arena_printf(&app->arena, "%s/%s", folder, RUNS_SIDE_FILE);
    const char *text = "";
    if (access(path, F_OK) == 0) return;
    fprintf(stderr, "Write these answers to %s for the next import? [y/N] ", text_clean(&app->arena, path));
    fflush(stderr);
    if (!answer(app, &text) || !(text_same(text, "y") || text_same(text, "yes"))) return;
    Buf b;
    Err e = {0};
    buf_init(&b, BUF_LIMIT);
    buf_puts(&b, "# What the result files in this folder do not say (gpuadvise runs import)\n");
    add_text(&b, "model", g->model);
    add_text(&b, "gpu", g->gpu);
    add_number(&b, "gpus", g->gpus);
    add_text(&b, "engine",
             g->version[0] != '\0' ? arena_printf(&app->arena, "%s:%s", g->engine, g->version) : g->engine);
    add_text(&b, "weights", g->weights);
    add_text(&b, "kv", g->kv);
    add_number(&b, "tp", g->tp);
    add_number(&b, "isl", g->isl);
    add_number(&b, "cached-prompt", g->cached_prompt);
    add_text(&b, "draft-tokens", g->draft_tokens);
    if (!file_write(path, b.data, b.length, &e)) app_warn(app, "%s", e.text);
    buf_free(&b);
}
