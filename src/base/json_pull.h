// JSON read value by value, without a tree: for logs of millions of objects, most of whose members nobody
// asks for. Texts are given as they stand between their quotes, escapes and all.
#ifndef GPUADVISE_JSON_PULL_H
#define GPUADVISE_JSON_PULL_H

#include "src/base/base.h"

typedef enum JsonKind {
    JSON_NOTHING,  // the end of the text, or no JSON
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_TEXT,
    JSON_NUMBER,
    JSON_WORD  // true, false, null, and NaN or Infinity, which Python writes
} JsonKind;

// Borrows the text. Once something was no JSON every reader says "nothing more", and `bad` stays true.
typedef struct JsonPull {
    const char *at, *end;
    bool bad, fresh;  // fresh: just behind an opening bracket
} JsonPull;

void pull_open(JsonPull *p, Str text);
JsonKind pull_kind(JsonPull *p);  // of the value to come

// Into the object or array to come; then each member's key or each element until false, which is behind the
// closing bracket. Whatever a key or element announces must be read or skipped before the next.
bool pull_enter(JsonPull *p);
bool pull_key(JsonPull *p, Str *ret_key);
bool pull_element(JsonPull *p);

bool pull_scalar(JsonPull *p, Str *ret_raw);  // number, word, or text without its quotes; false: a bracket
bool pull_skip(JsonPull *p);                  // any value; false: no JSON, or deeper than JSON_DEPTH_MAX

#endif
