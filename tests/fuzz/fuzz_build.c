// Build scripts and compile_commands.json: whatever the bytes, the readers end, and what they name lies in the text.
#include <string.h>

#include "src/migrate/symbols.h"
#include "src/migrate/text.h"
#include "tests/fuzz/fuzz.h"

typedef struct Watch {
    Str text;
    bool inside;  // names are borrowed from the text
} Watch;

static void holds(const Watch *w, Str name) {
    MUST_HOLD(name.length > 0 && name.length <= w->text.length);
    if (w->inside)
        MUST_HOLD(name.data >= w->text.data && name.data + name.length <= w->text.data + w->text.length);
}

static void on_word(void *context, Str name, MacroSide side) {
    const Watch *w = context;
    MUST_HOLD(side == MACRO_AMD || side == MACRO_OTHER);
    holds(w, name);
}

static void on_away(void *context, size_t from, size_t to) {
    const Watch *w = context;
    MUST_HOLD(from <= to && to <= w->text.length);
}

// The first byte chooses the language, one of them compile_commands.json.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    Str text = {(const char *)data + 1, size - 1};
    Watch w = {.text = text, .inside = data[0] % 16 != 15};
    BuildSink sink = {&w, on_word, on_word, on_away};
    Err e = {0};
    if (w.inside) {
        build_macros(data[0] % TEXT_KIND_COUNT, (data[0] & 128) != 0 ? "makefile.hip" : "CMakeLists.txt",
                     text, &sink);
    } else {
        MUST_HOLD(build_commands(text, &sink, &e) || e.kind != ERR_NONE);
    }
    return 0;
}
