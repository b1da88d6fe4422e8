// JSON output through cJSON: one place decides how numbers and foreign text are written.
#include <math.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/base.h"

static cJSON *must(cJSON *j) {
    if (j == NULL) out_of_memory();
    return j;
}

static cJSON *put(Json *parent, const char *key, cJSON *child) {
    must(child);
    cJSON_bool added =
        key == NULL ? cJSON_AddItemToArray(parent, child) : cJSON_AddItemToObject(parent, key, child);
    if (!added) must(NULL);
    return child;
}

Json *json_object(void) { return must(cJSON_CreateObject()); }
Json *json_array(void) { return must(cJSON_CreateArray()); }
void json_free(Json *root) { cJSON_Delete(root); }

Json *json_add_object(Json *parent, const char *key) { return put(parent, key, cJSON_CreateObject()); }
Json *json_add_array(Json *parent, const char *key) { return put(parent, key, cJSON_CreateArray()); }

void json_add_text(Json *parent, const char *key, const char *text) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_add_clean(&b, text);
    put(parent, key, cJSON_CreateString(b.length > 0 ? b.data : ""));
    buf_free(&b);
}

void json_add_path(Json *parent, const char *key, const char *path) {
    Arena a = {0};
    json_add_text_or_null(parent, key, path == NULL ? NULL : path_shown(&a, path));
    arena_free(&a);
}

void json_add_text_or_null(Json *parent, const char *key, const char *text) {
    if (text == NULL || text[0] == '\0') {
        json_add_null(parent, key);
    } else {
        json_add_text(parent, key, text);
    }
}

void json_add_number(Json *parent, const char *key, double x) {
    if (!isfinite(x)) {
        json_add_null(parent, key);
        return;
    }
    char text[32];
    snprintf(text, sizeof text, "%.10g", x);
    put(parent, key, cJSON_CreateRaw(text));
}

void json_add_integer(Json *parent, const char *key, int64_t x) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)x);
    put(parent, key, cJSON_CreateRaw(text));
}

void json_add_bool(Json *parent, const char *key, bool x) { put(parent, key, cJSON_CreateBool(x)); }
void json_add_null(Json *parent, const char *key) { put(parent, key, cJSON_CreateNull()); }

Json *json_object_if(Json *parent, const char *key, bool known) {
    if (known) return json_add_object(parent, key);
    json_add_null(parent, key);
    return NULL;
}

void json_add_texts(Json *parent, const char *key, const char *const *texts, size_t n) {
    Json *list = json_add_array(parent, key);
    for (size_t i = 0; i < n; i++) json_add_text(list, NULL, texts[i]);
}

void json_add_members(Json *parent, const JsonMember *members, size_t n) {
    for (const JsonMember *m = members; m < members + n; m++) {
        switch (m->kind) {
        case MEMBER_NUMBER: json_add_number(parent, m->key, m->number); break;
        case MEMBER_INTEGER: json_add_integer(parent, m->key, m->integer); break;
        case MEMBER_NULL: json_add_null(parent, m->key); break;
        case MEMBER_BOOL: json_add_bool(parent, m->key, m->yes); break;
        case MEMBER_TEXT: json_add_text(parent, m->key, m->text); break;
        case MEMBER_TEXT_OR_NULL: json_add_text_or_null(parent, m->key, m->text); break;
        }
    }
}

// cJSON indents with tabs; two spaces are what `jq` and people's diffs expect. Tabs inside strings are
// written \t, so every raw tab is indentation.
static void add_indented(Buf *out, const char *text) {
    for (const char *c = text; *c != '\0';) {
        size_t run = strcspn(c, "\t");
        buf_add(out, c, run);
        c += run;
        if (*c != '\t') continue;
        c++;
        bool after_key = c - text >= 2 && c[-2] == ':';
        buf_puts(out, after_key ? " " : "  ");
    }
}

void json_print(const Json *root, Buf *out) {
    char *text = cJSON_Print(root);
    if (text == NULL) must(NULL);
    add_indented(out, text);
    buf_puts(out, "\n");
    cJSON_free(text);
}

void json_rows_open(const Json *root, Buf *out, JsonRows *ret_rows) {
    char *text = cJSON_Print(root);
    if (text == NULL) must(NULL);
    // Nothing but brackets and blanks follows the array that stands last.
    size_t end = strlen(text);
    while (end > 0 && strchr("]}\n\t", text[end - 1]) != NULL && text[end - 1] != '\0' &&
           !(end > 1 && text[end - 2] == '['))
        end--;
    *ret_rows = (JsonRows){.out = out, .rest = text};
    char kept = end > 0 ? text[end - 1] : '\0';
    if (end > 0) text[end - 1] = '\0';
    add_indented(out, text);
    if (end > 0) text[end - 1] = kept;
    memmove(text, text + (end > 0 ? end - 1 : 0), strlen(text) - (end > 0 ? end - 1 : 0) + 1);
}

void json_rows_add(JsonRows *r, const Json *element) {
    char *text = cJSON_PrintUnformatted(element);
    if (text == NULL) must(NULL);
    buf_puts(r->out, r->any ? ",\n    " : "\n    ");
    buf_puts(r->out, text);
    r->any = true;
    cJSON_free(text);
}

void json_rows_next(JsonRows *r, const char *key) {
    buf_printf(r->out, "%s,\n  \"%s\": [", r->any ? "\n  ]" : "]", key);
    r->any = false;
}

void json_rows_close(JsonRows *r, const Json *more) {
    buf_puts(r->out, r->any ? "\n  ]" : "]");
    if (more != NULL && more->child != NULL) {
        char *text = cJSON_Print(more);
        if (text == NULL) must(NULL);
        buf_puts(r->out, ",");
        add_indented(r->out, text + 1);
        cJSON_free(text);
    } else {
        add_indented(r->out, r->rest[0] != '\0' ? r->rest + 1 : "");
    }
    buf_puts(r->out, "\n");
    cJSON_free(r->rest);
    r->rest = NULL;
}
