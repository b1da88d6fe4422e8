// Notes that ranks leave for each other, by anybody: refused, or of a kind that survives being written and
// read again.
#include <string.h>

#include "kernels/join.h"
#include "tests/fuzz/fuzz.h"

// As a file has it.
static Json *as_read(const Json *json, Buf *text) {
    Json *again = NULL;
    Err e = {0};
    json_print(json, text);
    MUST_HOLD(json_parse((Str){text->data, text->length}, 20000, &again, &e));
    return again;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    Err e = {0};
    Json *json = NULL, *out = json_object(), *again = NULL;
    Buf text;
    JoinNote note, same;
    JoinAnswer answer, like;
    buf_init(&text, BUF_LIMIT);
    bool ok = json_parse((Str){(const char *)data, size}, 20000, &json, &e);
    if (ok && join_note_read(json, &a, &note)) {
        join_note_json(&note, out);
        again = as_read(out, &text);
        MUST_HOLD(join_note_read(again, &a, &same) && strcmp(same.token, note.token) == 0);
        MUST_HOLD(same.n_pairs == note.n_pairs && strcmp(same.state, note.state) == 0);
    } else if (ok && join_answer_read(json, &a, &answer)) {
        join_answer_json(&answer, out);
        again = as_read(out, &text);
        MUST_HOLD(join_answer_read(again, &a, &like) && like.ranks == answer.ranks && like.go == answer.go);
    }
    buf_free(&text);
    json_free(again);
    json_free(out);
    json_free(json);
    arena_free(&a);
    return 0;
}
