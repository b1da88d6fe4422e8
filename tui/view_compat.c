// Compatibility: a matrix of subjects against platforms, and the claims behind it.
#include <string.h>

#include "tui/services.h"

static const Panel panels[] = {
    {"matrix", {"compat"}, {"compat"}, "subject"},
    {"claims", {"compat"}, {"compat"}, "subject"},
    {"ROCm", {"compat", "--platform", "rocm"}, {"compat"}, "subject"},
    {"stack", {NULL}, {NULL}, NULL},
};
enum { P_MATRIX, P_STACK = 3 };

static const char *cell(const Listing *l, size_t row, const char *key) {
    for (size_t c = 0; c < l->n_columns; c++) {
        if (strcmp(l->columns[c].key, key) == 0) return l->cells[row * l->n_columns + c].text;
    }
    return "";
}

enum { M_SUBJECT, M_CUDA, M_ROCM, M_DISPUTE, M_CLAIMS, M_DATE, M_SOURCE };
static const Column columns[] = {
    [M_SUBJECT] = {.key = "subject", .title = "SUBJECT"},
    [M_CUDA] = {.key = "cuda", .title = "CUDA"},
    [M_ROCM] = {.key = "rocm", .title = "ROCM"},
    [M_DISPUTE] = {.key = "contradicted", .title = "CONTRADICTED BY"},
    [M_CLAIMS] = {.key = "claims", .title = "CLAIMS", .number = true, .digits = 6},
    [M_DATE] = {.key = "as_of", .title = "ROCM AS OF"},
    [M_SOURCE] = {.key = "source", .title = "SOURCE", .detail = true},
};

// One row from the claims first..last of a subject: they come with the well-founded first, then the newest,
// so that the first of a platform is what holds; a later one that says something else and was not replaced
// contradicts it.
static void matrix_row(Listing *out, const Listing *l, size_t first, size_t last) {
    static const char *const platforms[] = {"cuda", "rocm"};
    for (size_t i = first; i < last; i++) {
        for (size_t p = 0; p < COUNT_OF(platforms); p++) {
            Cell *known = &out->cells[out->n_rows * out->n_columns + M_CUDA + p];
            if (strcmp(cell(l, i, "platform"), platforms[p]) != 0) continue;
            bool is_first = known->text[0] == '\0';
            bool other = !is_first && strcmp(known->text, cell(l, i, "status")) != 0 &&
                         strcmp(cell(l, i, "standing"), "superseded") != 0;
            if (is_first) known->text = cell(l, i, "status");
            if (is_first && p == 1) listing_text(out, M_DATE, cell(l, i, "as_of"));
            if (is_first && p == 1) listing_text(out, M_SOURCE, cell(l, i, "source"));
            if (other && p == 1) listing_text(out, M_DISPUTE, cell(l, i, "status"));
        }
    }
    listing_text(out, M_SUBJECT, cell(l, first, "subject"));
    listing_number(out, M_CLAIMS, (double)(last - first));
    listing_row_done(out);
}

// The stack that What-if names, entry by entry.
static bool load_stack(Tui *t, ViewState *v, Err *e) {
    const char *words[] = {"stack", "show", field_value(t, "stack"), "--format", "csv"};
    if (words[2][0] == '\0') {
        v->answer.text = "No stack is named. `gpuadvise stack init -o FILE` writes one with every key "
                         "explained; name the file in What-if (stack file) or by\n"
                         ":set stack FILE";
        v->list.of = NULL;
        return true;
    }
    if (!view_ask(t, v, words, COUNT_OF(words), e)) return false;
    if (v->answer.n_listings > 0) list_open(&v->list, &v->answer.listings[0], &v->arena);
    return true;
}

static bool load(Tui *t, ViewState *v, Err *e) {
    const Panel *p = panel_now(v);
    if (v->panel == P_STACK) return load_stack(t, v, e);
    if (!view_ask(t, v, p->words, words_of(p->words), e)) return false;
    if (v->answer.n_listings == 0) return err_set(e, ERR_FAILED, "no claims came back");
    const Listing *l = &v->answer.listings[0];
    if (v->panel != P_MATRIX) {
        list_open(&v->list, l, &v->arena);
        return true;
    }
    Listing *matrix = arena_alloc(&v->arena, 1, sizeof *matrix);
    *matrix = listing_new(&v->arena, "matrix", columns, COUNT_OF(columns), l->n_rows);
    for (size_t first = 0, last = 0; first < l->n_rows; first = last) {
        while (last < l->n_rows && strcmp(cell(l, first, "subject"), cell(l, last, "subject")) == 0) last++;
        matrix_row(matrix, l, first, last);
    }
    matrix->note = "What holds on each platform, and what another claim that still stands says of ROCm. "
                   "Enter shows all claims on a subject, with dates and sources.";
    list_open(&v->list, matrix, &v->arena);
    return true;
}

static const Action keys[] = {ACT_OPEN, ACT_FILTER,  ACT_SORT_RIGHT, ACT_EXPORT, ACT_PANEL, ACT_BASIS,
                              ACT_MARK, ACT_COMPARE, ACT_SORT_BY,    ACT_FIND,   ACT_COPY};

const View view_compat = {
    .panels = panels,
    .n_panels = COUNT_OF(panels),
    .load = load,
    .keys = keys,
    .n_keys = COUNT_OF(keys),
    .lists = true,
};
