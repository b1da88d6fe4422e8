// Values, dates, lines and loads: what the readers share.
#include "src/runs/parts.h"

#include <stdio.h>

// ---------------------------------------------------------------- rows

static RunRead *add(RunsFile *f) {
    if (f->n >= RUNS_OF_FILE_MAX) return NULL;
    f->rows = arena_grow(f->scratch, f->rows, f->n, &f->capacity, sizeof *f->rows);
    RunRead *r = &f->rows[f->n++];
    *r = (RunRead){.run = own_run_blank(),
                   .refused = "",
                   .gpus_least = UNKNOWN_NUMBER,
                   .tokens_per_s_gpu = UNKNOWN_NUMBER,
                   .sequences_per_s = UNKNOWN_NUMBER};
    r->said.model = r->said.gpu = r->said.engine = r->said.version = r->said.weights = r->said.kv = "";
    r->run.place = (double)f->n;
    r->run.file = f->path;
    return r;
}

RunRead *run_new(RunsFile *f, const char *tool) {
    RunRead *r = add(f);
    if (r == NULL) return NULL;
    r->run.tool = tool;
    r->run.m.task = "serving";
    r->run.m.grade = "A";
    r->run.m.run_class = "independent";
    if (f->tool[0] == '\0') f->tool = tool;
    return r;
}

void run_refuse(RunsFile *f, const char *tool, RunKind kind, const char *why) {
    RunRead *r = add(f);
    if (r == NULL) return;
    r->run.tool = tool;
    r->kind = kind;
    r->refused = why;
    if (f->tool[0] == '\0') f->tool = tool;
}

void run_flag(RunRead *r, OwnRunFlag flag) {
    r->run.flags = (double)((unsigned)r->run.flags | (unsigned)flag);
}

void run_note(RunsFile *f, RunRead *r, const char *note) {
    r->run.note = r->run.note[0] == '\0' ? note : arena_printf(f->arena, "%s; %s", r->run.note, note);
}

// ---------------------------------------------------------------- values

const Json *at(const Json *object, const char *path) {
    Str rest = str_of(path);
    Str part;
    while (object != NULL && str_next(&rest, '.', &part)) {
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)part.length, part.data);
        object = json_get(object, key);
    }
    return object;
}

double number_of(Str text) {
    char plain[64];
    size_t n = 0;
    double x = UNKNOWN_NUMBER;
    text = str_trim(text);
    for (size_t i = 0; i < text.length && n + 1 < sizeof plain; i++) {
        if (text.data[i] != ',') plain[n++] = text.data[i];
    }
    plain[n] = '\0';
    if (n == 0 || n + 1 == sizeof plain) return x;
    return parse_number((Str){plain, n}, -1e300, 1e300, &x, NULL) ? x : UNKNOWN_NUMBER;
}

double number_at(const Json *object, const char *path) {
    const Json *j = at(object, path);
    const char *text = json_text(j);
    return text != NULL ? number_of(str_of(text)) : json_number(j);
}

double first_number(const Json *object, const char *path, const char *other) {
    double x = number_at(object, path);
    return is_known(x) ? x : number_at(object, other);
}

double scaled_at(const Json *object, const char *path, double scale) {
    return positive(number_at(object, path)) * scale;
}

double positive(double x) { return x > 0 ? x : UNKNOWN_NUMBER; }

double size_at(const Json *object, const char *path) {
    double x = number_at(object, path);
    return x >= 1 && x <= 100000 && floor(x) == x ? x : UNKNOWN_NUMBER;
}

const char *text_of(const RunsFile *f, Str text) {
    text = str_trim(text);
    size_t n = text.length > TEXT_SHOWN_MAX ? TEXT_SHOWN_MAX : text.length;
    return text_clean(f->arena, arena_copy(f->arena, text.length > 0 ? text.data : "", n));
}

const char *text_at(const RunsFile *f, const Json *object, const char *path) {
    const Json *j = at(object, path);
    const char *text = json_text(j);
    if (text != NULL) return text_of(f, str_of(text));
    return json_is_number(j) ? arena_printf(f->arena, "%.10g", json_number(j)) : "";
}

bool has(const Json *object, const char *key) { return json_get(object, key) != NULL; }

bool has_all(const Json *object, const char *keys) {
    Str rest = str_of(keys);
    Str word;
    while (str_next(&rest, ' ', &word)) {
        char key[64];
        bool there = false;
        snprintf(key, sizeof key, "%.*s", (int)word.length, word.data);
        for (const Json *j = json_first(object); j != NULL && !there; j = json_next(j))
            there = strcmp(json_key(j), key) == 0;
        if (!there) return false;
    }
    return true;
}

static bool is_day(double y, double m, double d) {
    return y >= 2015 && y < 2200 && m >= 1 && m <= 12 && d >= 1 && d <= 31;
}

static double digits(const char *text, size_t n) {
    double x = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9') return UNKNOWN_NUMBER;
        x = x * 10 + (text[i] - '0');
    }
    return x;
}

const char *day_of(const RunsFile *f, const char *text) {
    size_t n = strlen(text);
    bool dashed = n >= 10 && (text[4] == '-' || text[4] == '/') && text[7] == text[4];
    if (n < 8) return "";
    double y = digits(text, 4);
    double m = digits(text + (dashed ? 5 : 4), 2);
    double d = digits(text + (dashed ? 8 : 6), 2);
    if (!is_day(y, m, d)) return "";
    const char *day = arena_printf(f->arena, "%04d-%02d-%02d", (int)y, (int)m, (int)d);
    int64_t days = 0;
    return parse_date(str_of(day), &days, NULL) ? day : "";
}

const char *day_of_seconds(const RunsFile *f, double seconds) {
    char day[11];
    if (!(seconds > 1.4e9 && seconds < 7e9)) return "";
    format_date(day, (int64_t)(seconds / DAY_S));
    return arena_copy(f->arena, day, strlen(day));
}

bool is_infinite(const Json *value) {
    const char *text = json_text(value);
    return text != NULL && (text_same(text, "inf") || text_same(text, "infinity"));
}

void set_load(RunRead *r, double rate, bool unlimited, double concurrency, double asked) {
    Measurement *m = &r->run.m;
    m->rate_rps = unlimited ? UNKNOWN_NUMBER : positive(rate);
    m->batch_or_concurrency = concurrency >= 1 ? concurrency : UNKNOWN_NUMBER;
    m->scenario = is_known(m->rate_rps) ? "request-rate" : "fixed-concurrency";
    if (is_known(m->rate_rps) || is_known(m->batch_or_concurrency)) return;
    m->batch_or_concurrency = positive(asked);
    m->scenario = asked == 1 ? "fixed-concurrency" : "offline";
    if (asked == 1) return;
    m->grade = "B";
    if (asked >= 1) {
        run_flag(r, RUN_QUEUED);
    }
}

bool has_word(const char *text, const char *word) {
    size_t n = strlen(word);
    for (size_t i = 0; text[i] != '\0'; i++) {
        size_t k = 0;
        while (k < n && char_lower(text[i + k]) == word[k]) k++;
        if (k == n && (i == 0 || !char_is_alnum(text[i - 1])) && !char_is_alnum(text[i + n])) return true;
    }
    return false;
}

// ---------------------------------------------------------------- texts

bool line_next(Str *rest, Str *ret_line) {
    if (rest->length == 0) return false;
    size_t n = 0;
    while (n < rest->length && rest->data[n] != '\n' && rest->data[n] != '\r') n++;
    *ret_line = (Str){rest->data, n};
    if (n < rest->length) n++;
    rest->data += n;
    rest->length -= n;
    return true;
}

bool line_value(Str line, const char *label, Str *ret_value) {
    line = str_trim(line);
    size_t n = strlen(label);
    if (line.length <= n) return false;
    for (size_t i = 0; i < n; i++) {
        if (char_lower(line.data[i]) != char_lower(label[i])) return false;
    }
    Str rest = str_trim((Str){line.data + n, line.length - n});
    if (rest.length == 0 || rest.data[0] != ':') return false;
    *ret_value = str_trim((Str){rest.data + 1, rest.length - 1});
    return true;
}

const char *find_in(Str text, const char *needle) {
    size_t at = str_find(text, needle, 0);
    return at == SIZE_MAX ? NULL : text.data + at;
}

Str without_colours(Str text, Arena *a) {
    if (text.length == 0 || memchr(text.data, '\x1b', text.length) == NULL) return text;
    char *copy = arena_alloc(a, text.length + 1, 1);
    size_t n = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] != '\x1b') {
            copy[n++] = text.data[i];
            continue;
        }
        if (i + 1 >= text.length || text.data[i + 1] != '[') continue;
        i += 2;  // ESC [ parameters, then one letter
        while (i < text.length && ((unsigned char)text.data[i] < 0x40 || (unsigned char)text.data[i] > 0x7e))
            i++;
    }
    return (Str){copy, n};
}
