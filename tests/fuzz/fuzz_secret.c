// Credential commands: a first line is the command, which is only split; the rest is what it printed, which becomes a
// key and stands in the head of a request. No command is run here: cli.kept starts some.
#include <string.h>

#include "catalog/feeds/refresh_job.h"
#include "cli/secret.h"
#include "tests/fuzz/fuzz.h"

static void try_words(const char *command, Arena *a) {
    char *words[SECRET_WORDS_MAX + 1];
    size_t printable = 0, kept = 0, n = 0;
    if (!secret_words(command, a, words)) return;
    for (const char *c = command; *c != '\0'; c++) printable += *c != ' ';
    for (; words[n] != NULL; n++) {
        MUST_HOLD(words[n][0] != '\0' && strchr(words[n], ' ') == NULL);
        kept += strlen(words[n]);
    }
    MUST_HOLD(n > 0 && n <= SECRET_WORDS_MAX && kept == printable);  // nothing is lost
}

static void try_answer(Str printed, Arena *a) {
    enum { MARK = 6 };
    const char *key = NULL;
    Err e = {0};
    bool any = secret_first_line(printed, a, &key);
    MUST_HOLD(any == (key[0] != '\0') && strchr(key, '\n') == NULL);
    size_t length = strlen(key);
    if (!key_check("NAME_OF_IT", key, &e)) {
        MUST_HOLD(e.text[0] != '\0');
        // a key never stands in an error, not even one that is refused
        MUST_HOLD(length < MARK || strstr(e.text, key) == NULL ||
                  strstr("NAME_OF_IT is longer than the 8000 characters "
                         "that a key may have holds a blank or a "
                         "character that no key has",
                         key) != NULL);
        return;
    }
    MUST_HOLD(length <= KEY_LENGTH_MAX);
    for (size_t i = 0; i < length; i++)
        MUST_HOLD((unsigned char)key[i] > ' ' && (unsigned char)key[i] < 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    Str rest = {(const char *)data, size}, line = {"", 0};
    if (str_next(&rest, '\n', &line)) try_words(arena_copy(&a, line.data, line.length), &a);
    if (rest.data == NULL) rest = (Str){"", 0};
    try_answer(rest, &a);
    arena_free(&a);
    return 0;
}
