// JSON output through cJSON: one place decides how numbers and foreign text are written.
#include <math.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/base.h"

static cJSON *must(cJSON *j) {
    if (j != NULL) return j;
    fputs("gpuadvise: out of memory\n", stderr);
    exit(1);
}

static cJSON *put(Json *parent, const char *key, cJSON *child) {
    must(child);
    cJSON_bool added = key == NULL ? cJSON_AddItemToArray(parent, child) : cJSON_AddItemToObject(parent, key, child);
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

// cJSON indents with tabs; two spaces are what `jq` and people's diffs expect. Tabs inside strings are written \t, so
// every raw tab is indentation.
void json_print(const Json *root, Buf *out) {
    char *text = cJSON_Print(root);
    if (text == NULL) must(NULL);
    for (const char *c = text; *c != '\0';) {
        size_t run = strcspn(c, "\t");
        buf_add(out, c, run);
        c += run;
        if (*c != '\t') continue;
        c++;
        bool after_key = c - text >= 2 && c[-2] == ':';
        buf_puts(out, after_key ? " " : "  ");
    }
    buf_puts(out, "\n");
    cJSON_free(text);
}
