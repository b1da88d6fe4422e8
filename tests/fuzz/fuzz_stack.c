// A stack file: all is taken, or refused with a message that names the file.
#include "src/advise/stack.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    Err e = {0};
    Stack stack;
    if (stack_parse((Str){(const char *)data, size}, "file", &a, &stack, &e)) {
        for (size_t i = 0; i < stack.n_entries; i++) MUST_HOLD(stack.entries[i].name[0] != '\0');
    } else {
        MUST_HOLD(e.kind == ERR_USAGE && e.text[0] != '\0');
    }
    arena_free(&a);
    return 0;
}
