// The words of a command line, and a settings file: all is taken, or refused with a message.
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "tests/fuzz/fuzz.h"

enum { PATH_BYTES = 64, WORDS_MAX = 64 };

// Lines of the input as the words after the program's name.
static void try_words(const uint8_t *data, size_t size) {
    Arena a = {0};
    char *text = arena_copy(&a, (const char *)data, size);
    char program[] = "gpuadvise";
    char *argv[WORDS_MAX + 1] = {program};
    int argc = 1;
    char *start = text;
    for (size_t i = 0; i <= size && argc < WORDS_MAX; i++) {
        if (text[i] != '\n' && text[i] != '\0') continue;
        text[i] = '\0';
        argv[argc++] = start;
        start = text + i + 1;
    }
    App app = {.commands = &command_table};
    buf_init(&app.out, BUF_LIMIT);
    Err e = {0};
    if (!args_parse(&app, argc, argv, &e)) MUST_HOLD(e.kind == ERR_USAGE && e.text[0] != '\0');
    app_close(&app);
    arena_free(&a);
}

static char folder[PATH_BYTES] = "/tmp/gpuadvise-fuzz-XXXXXX";
static char below[PATH_BYTES + 16];
static char path[PATH_BYTES + 32];

static void clean_up(void) {
    unlink(path);
    rmdir(below);
    rmdir(folder);
}

static void make_folder(void) {
    MUST_HOLD(mkdtemp(folder) != NULL);
    snprintf(below, sizeof below, "%s/gpuadvise", folder);
    snprintf(path, sizeof path, "%s/config", below);
    MUST_HOLD(mkdir(below, 0700) == 0);
    MUST_HOLD(setenv("XDG_CONFIG_HOME", folder, 1) == 0);
    MUST_HOLD(atexit(clean_up) == 0);
}

static void try_settings(const uint8_t *data, size_t size) {
    if (path[0] == '\0') make_folder();
    FILE *f = fopen(path, "wb");
    MUST_HOLD(f != NULL && fwrite(data, 1, size, f) == size);
    fclose(f);
    App app = {.commands = &command_table};
    buf_init(&app.out, BUF_LIMIT);
    Err e = {0};
    if (!settings_load(&app, &e)) MUST_HOLD(e.kind == ERR_USAGE && strstr(e.text, "config") != NULL);
    app_close(&app);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_words(data, size);
    try_settings(data, size);
    return 0;
}
