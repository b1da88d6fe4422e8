// The option table: every option of every command, once.
#include <string.h>

#include "cli/cli.h"
#include "src/migrate/effort.h"
#include "tui/tui.h"

static const char *const color_choices[] = {"auto", "always", "never", NULL};
static const char *const term_choices[] = {"1y", "3y", NULL};
static const char *const group_choices[] = {"gpu", "provider", "region", NULL};
static const char *const price_of_choices[] = {"instance", "gpu", NULL};
static const char *const leave_out_choices[] = {"none", "cell", "source", "publisher", "block", NULL};
static const char *const split_choices[] = {"layer", "row", NULL};
static const char *const platform_choices[] = {"rocm", "cuda", NULL};

#define TOKENS_MAX 1e9
#define MS_MAX 1e9
#define USD_MAX 1e9
#define SMALLEST 1e-6  // of what must be over zero

// What an option takes, then who may set it.
#define FLAG .kind = OPTION_FLAG
#define TEXT(m) .kind = OPTION_TEXT, .metavar = m
#define INTEGER(lo, hi) .kind = OPTION_INTEGER, .metavar = "N", .min = lo, .max = hi
#define NUMBER(m, lo, hi) .kind = OPTION_NUMBER, .metavar = m, .min = lo, .max = hi
#define TERM(id, m) .kind = OPTION_NUMBER, .metavar = m, .term = &term_specs[id]
#define CHOICE(m, list) .kind = OPTION_CHOICE, .metavar = m, .choices = list
#define SETTING .setting = true
#define SEVERAL .repeat = true, .several_in = "report"

// clang-format off
const char *const bench_gate_names[] = {
    [GATE_LOW] = "low", [GATE_THROTTLED] = "throttled", [GATE_ECC] = "ecc", [GATE_MIXED] = "mixed", NULL};

#define OPTION_ROW(id, ...) [id] = {__VA_ARGS__},
const OptionSpec option_table[OPT_COUNT] = {OPTION_TABLE(OPTION_ROW)};
// clang-format on

bool option_by_name(const char *name, size_t length, OptionId *ret_id) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const OptionSpec *o = &option_table[i];
        Str given = {name, length};
        if (!str_is(given, o->name) && (o->former == NULL || !str_is(given, o->former))) continue;
        *ret_id = (OptionId)i;
        return true;
    }
    return false;
}

// ---------------------------------------------------------------- checking and storing

static bool check_number(Str text, const OptionSpec *o, double *ret_number, Err *e) {
    if (o->term != NULL) return parse_number(text, o->term->min, o->term->max, ret_number, e);
    if (o->kind != OPTION_INTEGER) return parse_number(text, o->min, o->max, ret_number, e);
    int64_t x = 0;
    if (!parse_integer(text, (int64_t)o->min, (int64_t)o->max, &x, e)) return false;
    *ret_number = (double)x;
    return true;
}

static bool check_flag(const char *text, double *ret_number, Err *e) {
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1", NULL};
    int i = name_index(words, text);
    if (i < 0) return err_set(e, ERR_USAGE, "'%s' is neither yes nor no", text);
    *ret_number = i % 2;
    return true;
}

static bool check_choice(const char **text, const OptionSpec *o, Err *e) {
    size_t n = 0;
    for (; o->choices[n] != NULL; n++) {
        if (!text_same(o->choices[n], *text)) continue;
        *text = o->choices[n];
        return true;
    }
    return name_unknown(e, "value", *text, o->choices, n);
}

static bool check_age(Str text, const OptionSpec *o, double *ret_days, Err *e) {
    bool hours = text.length > 0 && text.data[text.length - 1] == 'h';
    bool days = text.length > 0 && text.data[text.length - 1] == 'd';
    if (hours || days) text.length--;
    double x = 0;
    if (!parse_number(text, o->min, hours ? o->max * 24 : o->max, &x, e)) return false;
    *ret_days = hours ? x / 24 : x;
    return true;
}

static bool check_pair(Str text, const OptionSpec *o, double *ret_number, Err *e) {
    Str name;
    Str rest = text;
    if (!str_next(&rest, '=', &name) || str_trim(name).length == 0 || rest.data == NULL) {
        return err_set(e, ERR_USAGE, "'%.*s' is not %s", (int)(text.length > 60 ? 60 : text.length),
                       text.data, o->metavar);
    }
    return parse_number(str_trim(rest), o->min, o->max, ret_number, e);
}

// "EUR=1.08@2026-11-20"
static bool split_rate(Str text, Str *ret_currency, Str *ret_usd, Str *ret_date) {
    Str rest = text;
    if (!str_next(&rest, '=', ret_currency) || rest.data == NULL) return false;
    if (!str_next(&rest, '@', ret_usd) || rest.data == NULL) return false;
    *ret_currency = str_trim(*ret_currency);
    *ret_usd = str_trim(*ret_usd);
    *ret_date = str_trim(rest);
    return ret_currency->length == 3;
}

static bool check_rate(Str text, const OptionSpec *o, double *ret_number, Err *e) {
    Str currency, usd, date;
    int64_t days = 0;
    if (!split_rate(text, &currency, &usd, &date))
        return err_set(e, ERR_USAGE, "'%.*s' is not %s", (int)(text.length > 60 ? 60 : text.length),
                       text.data, o->metavar);
    return parse_number(usd, o->min, o->max, ret_number, e) &&
           (parse_date(date, &days, e) || err_wrap(e, "date of the rate"));
}

static bool check_value(const OptionSpec *o, const char **text, double *ret_number, Err *e) {
    Str view = str_of(*text);
    switch (o->kind) {
    case OPTION_FLAG: return check_flag(*text, ret_number, e);
    case OPTION_INTEGER:
    case OPTION_NUMBER: return check_number(view, o, ret_number, e);
    case OPTION_CHOICE: return check_choice(text, o, e);
    case OPTION_AGE: return check_age(view, o, ret_number, e);
    case OPTION_PAIR: return check_pair(view, o, ret_number, e);
    case OPTION_RATE: return check_rate(view, o, ret_number, e);
    case OPTION_LINK:
    case OPTION_TEXT: return view.length > 0 || err_set(e, ERR_USAGE, "the value is empty");
    }
    return true;
}

static void keep(App *app, OptionValue *v, const char *text, double number) {
    if (v->n == v->capacity) {
        size_t capacity = v->capacity == 0 ? 4 : v->capacity * 2;
        const char **texts = arena_alloc(&app->arena, capacity, sizeof *texts);
        double *numbers = arena_alloc(&app->arena, capacity, sizeof *numbers);
        for (size_t i = 0; i < v->n; i++) {
            texts[i] = v->texts[i];
            numbers[i] = v->numbers[i];
        }
        v->texts = texts;
        v->numbers = numbers;
        v->capacity = capacity;
    }
    v->texts[v->n] = text;
    v->numbers[v->n] = number;
    v->n++;
}

// As other tools have it: "-o json".
static const char *format_of(const char *text) {
    for (size_t i = 0; format_names[i] != NULL; i++) {
        if (text_same(format_names[i], text)) return format_names[i];
    }
    return NULL;
}

bool option_store(App *app, OptionId id, OptionLevel level, const char *where, const char *text, Err *e) {
    const OptionSpec *o = &option_table[id];
    OptionValue *v = &app->values[id];
    bool wanted = level >= v->level;  // a value that a higher level has set already is checked only
    if (wanted && (level > v->level || !o->repeat)) v->n = 0;
    if (wanted) v->level = level;
    if (wanted) v->latest = v->n;
    Str rest = str_of(text);
    Str part;
    const char *format = id == OPT_OUTPUT ? format_of(text) : NULL;
    if (format != NULL)
        return err_set(
            e, ERR_USAGE,
            "%s: '%s' is the name of a format: did you mean '--format %s'? (a file of that name is './%s')",
            where, text, format, text);
    while (str_next(&rest, o->repeat && o->kind != OPTION_LINK ? ',' : '\0', &part)) {
        if (o->repeat) part = str_trim(part);
        const char *one = arena_copy(&app->arena, part.data, part.length);
        double number = 0;
        if (!check_value(o, &one, &number, e)) return err_wrap(e, "%s", where);
        if (wanted) keep(app, v, one, number);
    }
    return true;
}

// ---------------------------------------------------------------- reading

bool opt_set(const App *app, OptionId id) { return app->values[id].n > 0; }

bool opt_typed(const App *app, OptionId id) {
    return app->values[id].n > 0 && app->values[id].level == LEVEL_FLAG;
}

static size_t last(const App *app, OptionId id) { return app->values[id].n - 1; }

bool opt_flag(const App *app, OptionId id) {
    return opt_set(app, id) && app->values[id].numbers[last(app, id)] != 0;
}

const char *opt_text(const App *app, OptionId id, const char *fallback) {
    return opt_set(app, id) ? app->values[id].texts[last(app, id)] : fallback;
}

double opt_number(const App *app, OptionId id, double fallback) {
    return opt_set(app, id) ? app->values[id].numbers[last(app, id)] : fallback;
}

int64_t opt_integer(const App *app, OptionId id, int64_t fallback) {
    return opt_set(app, id) ? (int64_t)app->values[id].numbers[last(app, id)] : fallback;
}

int opt_choice(const App *app, OptionId id, int fallback) {
    return opt_set(app, id) ? name_index(option_table[id].choices, opt_text(app, id, "")) : fallback;
}

size_t opt_list(const App *app, OptionId id, const char *const **ret_texts) {
    *ret_texts = app->values[id].texts;
    return app->values[id].n;
}

bool opt_pair(const App *app, OptionId id, size_t i, const char **ret_name, double *ret_number, Arena *a) {
    if (i >= app->values[id].n) return false;
    Str rest = str_of(app->values[id].texts[i]);
    Str name;
    if (!str_next(&rest, '=', &name)) return false;
    name = str_trim(name);
    *ret_name = arena_copy(a, name.data, name.length);
    *ret_number = app->values[id].numbers[i];
    return true;
}

bool opt_rate(const App *app, OptionId id, size_t i, const char **ret_currency, double *ret_usd,
              const char **ret_date, Arena *a) {
    Str currency, usd, date;
    if (i >= app->values[id].n || !split_rate(str_of(app->values[id].texts[i]), &currency, &usd, &date))
        return false;
    *ret_currency = arena_copy(a, currency.data, currency.length);
    *ret_date = arena_copy(a, date.data, date.length);
    *ret_usd = app->values[id].numbers[i];
    return true;
}

Dtype opt_dtype(const App *app, OptionId id) { return dtype_named(opt_text(app, id, ""), DTYPE_UNKNOWN); }

bool app_pricing(const App *app, PricingModel *ret_pricing, Err *e) {
    bool spot = opt_flag(app, OPT_SPOT);
    bool reserved = opt_set(app, OPT_RESERVED);
    OptionLevel spot_level = app->values[OPT_SPOT].level;
    OptionLevel reserved_level = app->values[OPT_RESERVED].level;
    if (spot && reserved && spot_level == reserved_level) {
        return err_set(e, ERR_USAGE, "options '--spot' and '--reserved' exclude each other");
    }
    // `--spot=no` on the command line says on-demand, whatever lower levels say of it.
    if (spot && (!reserved || spot_level > reserved_level)) {
        *ret_pricing = PRICING_SPOT;
    } else if (reserved) {
        *ret_pricing = opt_choice(app, OPT_RESERVED, 0) == 0 ? PRICING_RESERVED_1Y : PRICING_RESERVED_3Y;
    } else {
        *ret_pricing = PRICING_ON_DEMAND;
    }
    return true;
}

static void value_json(Json *parent, const char *key, const OptionSpec *o, const OptionValue *v, size_t i) {
    switch (o->kind) {
    case OPTION_FLAG: json_add_bool(parent, key, v->numbers[i] != 0); break;
    case OPTION_INTEGER: json_add_integer(parent, key, (int64_t)v->numbers[i]); break;
    case OPTION_NUMBER: json_add_number(parent, key, v->numbers[i]); break;
    case OPTION_TEXT:
    case OPTION_LINK:
    case OPTION_CHOICE:
    case OPTION_AGE:
    case OPTION_PAIR:
    case OPTION_RATE: json_add_text(parent, key, v->texts[i]); break;
    }
}

void options_json(const App *app, Json *inputs) {
    Arena scratch = {0};
    for (size_t id = 0; id < OPT_COUNT; id++) {
        const OptionSpec *o = &option_table[id];
        const OptionValue *v = &app->values[id];
        if (v->n == 0 || o->global || !command_takes(app->command, (OptionId)id)) continue;
        const char *name = o->key != NULL ? o->key : o->name;
        char *key = arena_copy(&scratch, name, strlen(name));
        for (char *c = key; *c != '\0'; c++) {
            if (*c == '-') *c = '_';
        }
        if (!o->repeat || (o->several_in != NULL && v->n == 1)) {
            value_json(inputs, key, o, v, v->n - 1);
            continue;
        }
        Json *list = json_add_array(inputs, key);
        for (size_t i = 0; i < v->n; i++) value_json(list, NULL, o, v, i);
    }
    arena_free(&scratch);
}
