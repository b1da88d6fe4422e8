// Command lines run in this process, as the program runs them: with a home of the test's own, and what they say on standard error caught.
#ifndef GPUADVISE_TESTS_LINE_WORLD_H
#define GPUADVISE_TESTS_LINE_WORLD_H

#include <fcntl.h>

#include "cli/cmd.h"
#include "tests/scratch.h"

enum { WORDS_MAX = 24 };

static Scratch scratch;  // its folder is HOME after line_home

typedef struct Ran {
    int code;
    bool failed;
    const char *out, *said;  // what it answers, and its words on standard error
} Ran;

// % in a word stands for the scratch folder.
static inline char *line_word_(Str word) {
    const char *text = arena_copy(&scratch.arena, word.data, word.length), *mark = strchr(text, '%');
    size_t room = word.length + sizeof scratch.path, before = mark != NULL ? (size_t)(mark - text) : 0;
    char *ret = arena_alloc(&scratch.arena, room, 1);
    snprintf(ret, room, "%.*s%s%s", (int)before, text, mark != NULL ? scratch.path : "",
             mark != NULL ? mark + 1 : text);
    return ret;
}

// Runs words that are apart by blanks.
static inline Ran line_run(const char *words) {
    Arena *a = &scratch.arena;
    char *argv[WORDS_MAX] = {line_word_(str_of("gpuadvise"))};
    int argc = 1;
    Str rest = str_of(words), word;
    for (; argc < WORDS_MAX && str_next(&rest, ' ', &word); argc++) argv[argc] = line_word_(word);
    const char *path = scratch_path(&scratch, "said");
    int before = dup(STDERR_FILENO), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(before >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
    App app = {.commands = &command_table};
    Ran ran = {.code = app_main(&app, argc, argv)};
    ran.failed = app.failed;
    ran.out = app.failed ? "" : arena_copy(a, app.out.length > 0 ? app.out.data : "", app.out.length);
    buf_free(&app.out);
    app_close(&app);
    dup2(before, STDERR_FILENO);
    close(before);
    close(file);
    Str said = scratch_read(&scratch, path);
    ran.said = arena_copy(a, said.data, said.length);
    return ran;
}

// Commands find nothing of the user who runs the tests.
static inline void line_home(void) {
    scratch = scratch_make();
    setenv("HOME", scratch.path, 1);
    static const char *const others[] = {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
                                         "XDG_CACHE_HOME"};
    for (size_t i = 0; i < COUNT_OF(others); i++) unsetenv(others[i]);
    setenv("TERM", "xterm", 1);
}

// A run of one's own in runs.csv.
static inline void line_measured(void) {
    const char measured[] = "gpu_sku,gpu_count,model,precision_weights,engine,input_tokens,output_tokens,"
                            "batch_or_concurrency,output_tokens_per_s\n"
                            "mi300x-192gb,8,llama-3.1-70b,fp8,vllm,1024,128,64,3000\n";
    scratch_write(scratch_path(&scratch, "runs.csv"), measured, sizeof measured - 1);
}

#endif
