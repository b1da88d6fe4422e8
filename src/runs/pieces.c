// JSON texts in pieces: one value after the other, and without what no row needs.
#include "src/runs/parts.h"

// Lists and texts of single requests: prompts and answers are nobody's business, and lists of times by token
// would be most of the bytes. A value of these keys becomes null.
static const char *const detail_keys[] = {
    "generated_texts",
    "generated_text",
    "errors",
    "itls",
    "ttfts",
    "input_lens",
    "output_lens",
    "start_times",
    "prompts",
    "prompt",
    "input_texts",
    "output_texts",
    "text",
    "output",
    "queue_times",
    "prompt_token_ids",
    "request_samples",
    "cumulative_distribution_function",
    "request_outputs",
    "responses",
    "messages",
    "end_times",
    "arrival_times",
    "internal_states",
};

// Index behind the string that opens at `i`; the length of the text where it is never closed.
static size_t string_end(Str t, size_t i) {
    for (i++; i < t.length; i++) {
        if (t.data[i] == '\\')
            i++;
        else if (t.data[i] == '"')
            return i + 1;
    }
    return t.length;
}

// Index behind the value at `i`: an object, a list, a text or a word. *ret_ends: it is closed.
static size_t value_end(Str t, size_t i, bool *ret_ends) {
    size_t depth = 0;
    *ret_ends = true;
    while (i < t.length) {
        char c = t.data[i];
        if (c == '"') {
            i = string_end(t, i);
            if (depth == 0) return i;
            continue;
        }
        if (c == '{' || c == '[') depth++;
        if (c == '}' || c == ']') {
            if (depth == 0) return i;
            if (--depth == 0) return i + 1;
        }
        if (depth == 0 && (c == ',' || char_is_blank(c))) return i;
        i++;
    }
    *ret_ends = depth == 0;
    return t.length;
}

bool next_value(Str *rest, Str *ret_value, bool *ret_ends) {
    size_t i = 0;
    while (i < rest->length && rest->data[i] != '{' && rest->data[i] != '[') i++;
    if (i == rest->length) return false;
    size_t end = value_end(*rest, i, ret_ends);
    *ret_value = (Str){rest->data + i, end - i};
    rest->data += end;
    rest->length -= end;
    return true;
}

static bool is_detail(Str key) { return str_in(key, detail_keys, COUNT_OF(detail_keys)); }

Str without_details(Str v, Arena *a) {
    char *copy = NULL;
    size_t n = 0;
    size_t kept = 0;  // bytes of v that are copied
    size_t i = 0;
    while (i < v.length) {
        if (v.data[i] != '"') {
            i++;
            continue;
        }
        size_t end = string_end(v, i);
        Str key = {v.data + i + 1, end > i + 2 ? end - i - 2 : 0};
        i = end;
        size_t colon = end;
        while (colon < v.length && char_is_blank(v.data[colon])) colon++;
        if (colon >= v.length || v.data[colon] != ':' || !is_detail(key)) continue;
        size_t from = colon + 1;
        while (from < v.length && char_is_blank(v.data[from])) from++;
        bool ends = false;
        // single numbers stay: "prompt": 5 is a count
        if (from >= v.length || strchr("{[\"", v.data[from]) == NULL) continue;
        i = value_end(v, from, &ends);
        if (str_has((Str){v.data + from, i - from}, RUN_BLOCK)) continue;  // what a client printed
        if (copy == NULL) copy = arena_alloc(a, v.length + 8, 1);
        memcpy(copy + n, v.data + kept, from - kept);
        n += from - kept;
        size_t room = i - from;
        size_t width = room >= 4 ? 4 : 2;
        memcpy(copy + n, width == 4 ? "null" : "\"\"", width);  // never longer than what it replaces
        n += width;
        kept = i;
    }
    if (copy == NULL) return v;
    memcpy(copy + n, v.data + kept, v.length - kept);
    return (Str){copy, n + v.length - kept};
}
