// Stands in for libFuzzer: replay COUNT FOLDER... feeds every file of the folders and COUNT fixed mutations
// of them.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

enum { FILES_MAX = 5000, BYTES_MAX = 65536 };

typedef struct Input {
    size_t length;
    uint8_t *bytes;
} Input;

static _Noreturn void die(const char *what) {
    fprintf(stderr, "replay: %s\n", what);
    exit(1);
}

static uint64_t next_random(uint64_t *state) {  // splitmix64
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static Input read_input(const char *folder, const char *name) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) die("name too long");
    FILE *f = fopen(path, "rb");
    Input in = {.bytes = malloc(BYTES_MAX)};
    if (f == NULL || in.bytes == NULL) die(path);
    in.length = fread(in.bytes, 1, BYTES_MAX, f);
    fclose(f);
    return in;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}
static int visible(const struct dirent *d) { return d->d_name[0] != '.'; }

// An exact-size copy, so that a sanitizer sees reads past the end.
static void feed(const uint8_t *bytes, size_t length) {
    uint8_t *copy = malloc(length > 0 ? length : 1);
    if (copy == NULL) die("out of memory");
    if (length > 0) memcpy(copy, bytes, length);
    LLVMFuzzerTestOneInput(copy, length);
    free(copy);
}

// Some edits of one input: a byte changed, dropped, doubled or replaced by a nasty one, a cut, a splice of
// another input.
static size_t mutate(uint8_t *out, const Input *from, const Input *other, uint64_t *random) {
    static const uint8_t nasty[] = {0,   '\n', '\r', '\t', '"',  ',',  '-',  '+',  '.',
                                    'e', '9',  0x1b, 0x7f, 0x80, 0xc0, 0xe2, 0xf4, 0xff};
    size_t n = from->length;
    memcpy(out, from->bytes, n);
    for (uint64_t edits = 1 + next_random(random) % 6; edits > 0 && n > 0; edits--) {
        size_t at = next_random(random) % n;
        switch (next_random(random) % 6) {
        case 0: out[at] ^= (uint8_t)(1u << next_random(random) % 8); break;
        case 1: out[at] = nasty[next_random(random) % sizeof nasty]; break;
        case 2:
            memmove(out + at, out + at + 1, n - at - 1);
            n--;
            break;
        case 3:
            if (n < BYTES_MAX) memmove(out + at + 1, out + at, n - at), n++;
            break;
        case 4: n = at; break;
        default:
            if (other->length <= BYTES_MAX - at)
                memcpy(out + at, other->bytes, other->length), n = at + other->length;
        }
    }
    return n;
}

static Input inputs[FILES_MAX];

// Feeds every file of a folder and keeps it from place n on. Returns the place after its last.
static int read_folder(const char *folder, int n) {
    struct dirent **names = NULL;
    int found = scandir(folder, &names, visible, by_name);
    if (found <= 0 || found > FILES_MAX - n) die("no corpus, or too large a one");
    for (int i = 0; i < found; i++) {
        inputs[n + i] = read_input(folder, names[i]->d_name);
        feed(inputs[n + i].bytes, inputs[n + i].length);
        free(names[i]);
    }
    free(names);
    return n + found;
}

int main(int argc, char **argv) {
    if (argc < 3) die("usage: COUNT FOLDER...");
    int n = 0, count = atoi(argv[1]);
    for (int i = 2; i < argc; i++) n = read_folder(argv[i], n);
    static uint8_t scratch[BYTES_MAX];
    uint64_t random = 1;
    for (int i = 0; i < count; i++) {
        const Input *from = &inputs[next_random(&random) % (uint64_t)n];
        feed(scratch, mutate(scratch, from, &inputs[next_random(&random) % (uint64_t)n], &random));
    }
    for (int i = 0; i < n; i++) free(inputs[i].bytes);
    printf("%d inputs, %d mutations\n", n, count);
    return 0;
}
