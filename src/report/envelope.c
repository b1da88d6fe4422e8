// What all JSON answers share: the envelope, warnings, estimates.
#include "src/report/report.h"

const char *const format_names[] = {"table", "json", "csv", "md", "html", "sarif", "slurm", "k8s", NULL};

Json *envelope_json(const Envelope *env, Json **ret_inputs) {
    char time[32];
    format_time(time, env->generated_at);
    Json *root = json_object();
    json_add(root, J_INTEGER("schema_version", SCHEMA_VERSION), J_TEXT("tool_version", env->tool_version),
             J_TEXT("generated_at", time), J_TEXT("command", env->command));
    *ret_inputs = json_add_object(root, "inputs");
    return root;
}

void warnings_json(Json *root, const char *const *warnings, size_t n) {
    json_add_texts(root, "warnings", warnings, n);
}

void sources_json(Json *parent, const char *sources) {
    Json *list = json_add_array(parent, "sources");
    Arena scratch = {0};
    Str rest = str_of(sources != NULL ? sources : "");
    Str part;
    while (str_next(&rest, ';', &part)) {
        part = str_trim(part);
        if (part.length > 0) json_add_text(list, NULL, arena_copy(&scratch, part.data, part.length));
    }
    arena_free(&scratch);
}

void estimate_json(Json *parent, const char *key, const Estimate *x) {
    Json *object = json_add_object(parent, key);
    json_add(object, J_NUMBER("value", x->value), J_NUMBER("low", x->low), J_NUMBER("high", x->high),
             J_TEXT("basis", basis_names[x->basis]));
    sources_json(object, x->sources);
}

void estimate_text(char *out, size_t size, const Estimate *x, int digits) {
    char value[40], low[40], high[40];
    format_number(value, sizeof value, x->value, digits);
    format_number(low, sizeof low, x->low, digits);
    format_number(high, sizeof high, x->high, digits);
    Buf b;
    buf_init(&b, size > 0 ? size - 1 : 0);
    buf_puts(&b, value);
    if (is_known(x->value) && is_known(x->low) && is_known(x->high)) buf_printf(&b, " (%s-%s)", low, high);
    for (size_t i = 0; i < b.length; i++) out[i] = b.data[i];
    if (size > 0) out[b.length] = '\0';
    buf_free(&b);
}
