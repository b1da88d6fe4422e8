// Earlier answers of `report`, and how two of them differ.
#include "src/report/baseline.h"

#include <math.h>
#include <string.h>

#include "src/report/moved.h"

enum { VALUES_MAX = 1000000 };

// ---------------------------------------------------------------- reading

static const char *kept_text(Arena *a, const Json *j) {
    const char *text = json_text(j);
    return text != NULL ? text_clean(a, text) : "";
}

static bool check(const Json *root, Winner *ret_winner, Err *e) {
    const char *command = json_text(json_get(root, "command"));
    const char *winner = json_text(json_get(json_get(root, "verdict"), "winner"));
    const char *unknown = json_text(json_get(json_get(root, "verdict"), "unknown_because"));
    double version = json_number(json_get(root, "schema_version"));
    if (command == NULL || strcmp(command, "report") != 0)
        return err_set(e, ERR_USAGE, "it is no answer of `gpuadvise report --json`");
    if (version != SCHEMA_VERSION)
        return err_set(e, ERR_USAGE, "its schema version is not %d", SCHEMA_VERSION);
    int i = winner != NULL ? name_index(winner_names, winner) : unknown != NULL ? WINNER_UNKNOWN : -1;
    if (i < 0) return err_set(e, ERR_USAGE, "it names no winner");
    *ret_winner = (Winner)i;
    return true;
}

bool baseline_read(Str text, const char *name, Arena *a, Baseline *ret_baseline, Err *e) {
    Baseline b = {.name = name};
    if (!json_parse(text, VALUES_MAX, &b.root, e) || !check(b.root, &b.winner, e)) {
        json_free(b.root);
        return err_wrap(e, "read '%s'", name);
    }
    b.generated_at = kept_text(a, json_get(b.root, "generated_at"));
    b.text = kept_text(a, json_get(json_get(b.root, "verdict"), "text"));
    *ret_baseline = b;
    return true;
}

// ---------------------------------------------------------------- comparing

typedef struct Watched {
    const char *path;
    bool number;
} Watched;

static const Watched watched[] = {
    {"verdict.winner", false},
    {"verdict.probability", true},
    {"verdict.cost_ratio_amd_to_nvidia.value", true},
    {"options_found", true},
    {"break_even.months.value", true},
    {"break_even.saving_usd_per_month.value", true},
    {"break_even.once_usd.value", true},
    {"break_even.npv_usd.value", true},
    {"break_even.pays_probability", true},
    {"migration.effort_days.first_port.value", true},
};

// Of the best option of each vendor.
static const Watched watched_best[] = {
    {"gpu", false},
    {"gpu_count", true},
    {"provider", false},
    {"instance", false},
    {"region", false},
    {"engine", false},
    {"weights", false},
    {"kv", false},
    {"price_usd_per_gpu_hour", true},
    {"price_seen_at", false},
    {"concurrency", true},
    {"output_tokens_per_s.value", true},
    {"tpot_ms.value", true},
    {"output_usd_per_mtok.value", true},
    {"usd_per_1k_images.value", true},
    {"usd_total.value", true},
    {"usd_per_run.value", true},
    {"sequences_per_s.value", true},
    {"input_usd_per_mtok.value", true},
};

#define ASKED "inputs."
#define RESOLVED ASKED "resolved."
static const Watched watched_asked[] = {
    {ASKED "vendor", false},        {ASKED "gpu", false},           {ASKED "gpus", true},
    {ASKED "engine", false},        {ASKED "provider", false},      {ASKED "region", false},
    {ASKED "max_price", true},      {ASKED "max_age", false},       {RESOLVED "workload", false},
    {RESOLVED "kind", false},       {RESOLVED "model", false},      {RESOLVED "isl_tokens", true},
    {RESOLVED "osl_tokens", true},  {RESOLVED "concurrency", true}, {RESOLVED "rate_rps", true},
    {RESOLVED "ttft_p99_ms", true}, {RESOLVED "tpot_p99_ms", true}, {RESOLVED "weights", false},
    {RESOLVED "kv", false},         {RESOLVED "duty_cycle", true},  {RESOLVED "pricing_model", false},
};

static const Json *at_path(const Json *root, const char *path, Arena *a) {
    Str rest = str_of(path);
    Str key;
    while (root != NULL && str_next(&rest, '.', &key))
        root = json_get(root, arena_copy(a, key.data, key.length));
    return root;
}

bool figures_agree(double x, double y) {
    return (isnan(x) && isnan(y)) || fabs(x - y) <= 1e-9 * fmax(fabs(x), fabs(y));
}

static bool same_text(const char *x, const char *y) {
    return x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
}

static void compare(const Baseline *from, const Baseline *to, const Watched *w, Arena *a, Difference *list,
                    size_t *n) {
    const Json *x = at_path(from->root, w->path, a);
    const Json *y = at_path(to->root, w->path, a);
    Difference d = {.key = w->path, .number = w->number, .from = json_number(x), .to = json_number(y)};
    d.from_text = json_text(x) != NULL ? text_clean(a, json_text(x)) : NULL;
    d.to_text = json_text(y) != NULL ? text_clean(a, json_text(y)) : NULL;
    bool same = w->number ? figures_agree(d.from, d.to) : same_text(d.from_text, d.to_text);
    if (!same && *n < DIFFERENCES_MAX) list[(*n)++] = d;
}

size_t baseline_diff(const Baseline *from, const Baseline *to, Arena *a,
                     Difference ret_list[DIFFERENCES_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < COUNT_OF(watched_asked); i++)
        compare(from, to, &watched_asked[i], a, ret_list, &n);
    for (size_t i = 0; i < COUNT_OF(watched); i++) compare(from, to, &watched[i], a, ret_list, &n);
    for (int v = 0; v < VENDOR_COUNT; v++) {
        for (size_t i = 0; i < COUNT_OF(watched_best); i++) {
            Watched w = {arena_printf(a, "best.%s.%s", vendor_names[v], watched_best[i].path),
                         watched_best[i].number};
            compare(from, to, &w, a, ret_list, &n);
        }
    }
    return n;
}

// Did the second answer another question (model, lengths, load, limits, dtypes, pricing, filters)?
static bool other_question(const Difference *list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strncmp(list[i].key, ASKED, strlen(ASKED)) == 0) return true;
    }
    return false;
}

// ---------------------------------------------------------------- showing

static double change_pct(const Difference *d) {
    return d->from != 0 ? 100 * (d->to / d->from - 1) : (double)NAN;
}

static void side_json(const Baseline *b, const char *key, Json *root) {
    Json *j = json_add_object(root, key);
    json_add(j, J_TEXT("file", b->name), J_TEXT_OR_NULL("generated_at", b->generated_at),
             J_TEXT_OR_NULL("winner", b->winner != WINNER_UNKNOWN ? winner_names[b->winner] : ""),
             J_TEXT_OR_NULL("text", b->text));
}

static void value_json(Json *parent, const char *key, const Difference *d, double number, const char *text) {
    if (d->number) {
        json_add_number(parent, key, number);
    } else {
        json_add_text_or_null(parent, key, text != NULL ? text : "");
    }
}

void diff_json(const Baseline *from, const Baseline *to, const Difference *list, size_t n, Json *root) {
    side_json(from, "from", root);
    side_json(to, "to", root);
    json_add(root, J_BOOL("verdict_changed", from->winner != to->winner),
             J_BOOL("other_question", other_question(list, n)));
    Json *changes = json_add_array(root, "changes");
    for (size_t i = 0; i < n; i++) {
        Json *j = json_add_object(changes, NULL);
        json_add_text(j, "key", list[i].key);
        value_json(j, "from", &list[i], list[i].from, list[i].from_text);
        value_json(j, "to", &list[i], list[i].to, list[i].to_text);
        json_add_number(j, "change_pct", list[i].number ? change_pct(&list[i]) : (double)NAN);
    }
}

// clang-format off
#define COLUMNS(X) \
    X("key",        "WHAT",     TEXT,      list[i].key) \
    X("from",       "FROM",     TEXT,      value_text(a, &list[i], list[i].from, list[i].from_text)) \
    X("to",         "TO",       TEXT,      value_text(a, &list[i], list[i].to, list[i].to_text)) \
    X("change_pct", "CHANGE %", NUMBER(3), list[i].number ? change_pct(&list[i]) : (double)NAN)
// clang-format on

static const char *value_text(Arena *a, const Difference *d, double number, const char *text) {
    if (!d->number) return text != NULL ? text : "";
    return number_text(a, number, 5);
}

void diff_text(const Baseline *from, const Baseline *to, const Difference *list, size_t n, const Moved *moved,
               Format format, Room room, Arena *a, Buf *out) {
    Listing l = LISTING(a, "changes", COLUMNS, n);
    for (size_t i = 0; i < n; i++) listing_row(&l, COLUMNS(LISTING_CELL));
    if (format == FORMAT_TABLE) {
        const char *same = from->winner == to->winner ? "the verdict stays" : "THE VERDICT CHANGED";
        wrapped_printf(out, 0, room.width, "%s: %s (%s, %s) -> %s (%s, %s)", same, winner_names[from->winner],
                       from->name, from->generated_at, winner_names[to->winner], to->name, to->generated_at);
        if (other_question(list, n)) text_wrapped(out, "They answer different questions.", 0, room.width);
        moved_text(moved, format, room, a, out);
        buf_puts(out, n > 0 ? "\n" : "Nothing that is compared differs.\n");
    }
    if (format == FORMAT_MD) moved_text(moved, format, room, a, out);
    if (n > 0 || format != FORMAT_TABLE) listing_print(&l, format, room, out);
}
