// JSON from outside: checked and bounded before cJSON sees it.
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/base.h"

// ---------------------------------------------------------------- the check

// Walks the words of a text; structure (commas, colons, pairs of brackets) is left to cJSON. A text with words
// that cJSON does not know is copied with others in their place.
typedef struct Scan {
    Str text;
    size_t at;
    size_t depth, values, values_max;
    bool words_kept;  // NaN and infinities are texts in the copy, else null
    Buf copy;         // of the text before `copied`; without such a word empty
    size_t copied;
    Err *e;
} Scan;

static bool fault_at(Str text, size_t at, const char *what, Err *e) {
    size_t line = 1;
    bool several = text.length > 0 && memchr(text.data, '\n', text.length) != NULL;
    for (size_t i = 0; i < at && i < text.length; i++) line += text.data[i] == '\n';
    return several ? err_set(e, ERR_USAGE, "byte %zu (line %zu): %s", at, line, what)
                   : err_set(e, ERR_USAGE, "byte %zu: %s", at, what);
}

static bool fault(const Scan *s, const char *what) { return fault_at(s->text, s->at, what, s->e); }

// The same, with the word that stands there.
static bool fault_word(const Scan *s, const char *what) {
    char text[80];
    size_t n = 0;
    while (n < 20 && s->at + n < s->text.length && strchr(" \t\r\n,:]}", s->text.data[s->at + n]) == NULL)
        n++;
    snprintf(text, sizeof text, "'%.*s' is %s", (int)n, s->text.data + s->at, what);
    return fault(s, text);
}

static char peek(const Scan *s, size_t ahead) {
    return s->at + ahead < s->text.length ? s->text.data[s->at + ahead] : '\0';
}

static bool is_hex(char c) { return char_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static void copy_so_far(Scan *s) {
    buf_add(&s->copy, s->text.data + s->copied, s->at - s->copied);
    s->copied = s->at;
}

// The length of an escape behind its backslash; 0: it is none.
static size_t escape_length(const Scan *s) {
    char c = peek(s, 0);
    if (c != 'u') return c != '\0' && strchr("\"\\/bfnrt", c) != NULL ? 1 : 0;
    for (size_t i = 1; i <= 4; i++) {
        if (!is_hex(peek(s, i))) return 0;
    }
    return 5;
}

// From the opening quote to behind the closing one.
static bool scan_string(Scan *s) {
    size_t start = s->at;
    const char *end = s->text.data + s->text.length, *c = s->text.data + start + 1;
    for (;; c++) {
        while (c < end && *c != '"' && *c != '\\' && (unsigned char)*c >= 0x20) c++;
        if (c == end) break;
        s->at = (size_t)(c - s->text.data) + 1;
        if (*c == '"') return true;
        if (*c != '\\') {
            s->at--;
            return fault(s, "a control character in a string");
        }
        size_t length = escape_length(s);
        if (length == 0) return fault(s, "an escape that is none");
        if (memcmp(c, "\\u0000", 1 + length) == 0) return fault(s, "a NUL in a string");
        c += length;
    }
    s->at = start;
    return fault(s, "a string that is never closed");
}

static bool is_null_word(Scan *s) {
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t n = strlen(words[i]);
        if (s->text.length - s->at < n || memcmp(s->text.data + s->at, words[i], n) != 0 ||
            char_is_letter(peek(s, n)))
            continue;
        copy_so_far(s);
        if (s->words_kept)
            buf_printf(&s->copy, "\"%s\"", words[i]);
        else
            buf_puts(&s->copy, "null");
        s->at += n;
        s->copied = s->at;
        return true;
    }
    return false;
}

static size_t digits(const Scan *s, size_t ahead) {
    size_t n = 0;
    while (char_is_digit(peek(s, ahead + n))) n++;
    return n;
}

// -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][-+]?[0-9]+)? and finite.
static bool scan_number(Scan *s) {
    enum { BYTES_MAX = 60 };  // cJSON reads 63
    size_t n = peek(s, 0) == '-' ? 1 : 0;
    bool scaled = false;
    size_t whole = digits(s, n);
    if (whole == 0 || (whole > 1 && peek(s, n) == '0')) return fault_word(s, "not a number");
    n += whole;
    if (peek(s, n) == '.') {
        size_t part = digits(s, n + 1);
        if (part == 0) return fault_word(s, "not a number");
        n += 1 + part;
    }
    if (peek(s, n) == 'e' || peek(s, n) == 'E') {
        n++;
        if (peek(s, n) == '-' || peek(s, n) == '+') n++;
        size_t exponent = digits(s, n);
        if (exponent == 0) return fault_word(s, "not a number");
        n += exponent;
        scaled = true;
    }
    if (n > BYTES_MAX) return fault(s, "a number of too many digits");
    char text[BYTES_MAX + 1];
    memcpy(text, s->text.data + s->at, n);
    text[n] = '\0';
    // So few digits alone are always finite.
    if (scaled && !isfinite(strtod(text, NULL))) return fault(s, "a number too large");
    s->at += n;
    return true;
}

static bool scan_word(Scan *s) {
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t n = strlen(words[i]);
        if (s->text.length - s->at < n || memcmp(s->text.data + s->at, words[i], n) != 0 ||
            char_is_letter(peek(s, n)))
            continue;
        s->at += n;
        return true;
    }
    return fault_word(s, "neither a value nor a name");
}

static bool scan_token(Scan *s) {
    char c = peek(s, 0);
    switch (c) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
    case ':':
    case ',': s->at++; return true;
    case '{':
    case '[':
        if (++s->depth > JSON_DEPTH_MAX) return fault(s, "nested too deep");
        s->at++;
        break;
    case '}':
    case ']':
        if (s->depth == 0) return fault(s, "a bracket too many");
        s->depth--;
        s->at++;
        return true;
    case '"':
        if (!scan_string(s)) return false;
        break;
    default:
        if (is_null_word(s)) break;
        if (!(c == '-' || char_is_digit(c) ? scan_number(s) : scan_word(s))) return false;
    }
    return ++s->values <= s->values_max || fault(s, "too many values");
}

static bool scan(Scan *s) {
    if (s->text.length >= 3 && memcmp(s->text.data, "\xef\xbb\xbf", 3) == 0) s->copied = s->at = 3;
    if (!str_is_utf8(s->text)) return err_set(s->e, ERR_USAGE, "not valid UTF-8");
    while (s->at < s->text.length) {
        if (!scan_token(s)) return false;
    }
    return (s->values > 0 && s->depth == 0) || fault(s, s->values == 0 ? "empty" : "ends too early");
}

// What cJSON shall read once `scan` is content: the text itself where no word had to be replaced.
static Str readable(Scan *s) {
    if (s->copy.length == 0) return (Str){s->text.data + s->copied, s->text.length - s->copied};
    copy_so_far(s);
    return (Str){s->copy.data, s->copy.length};
}

static bool parse(Scan s, Json **ret_root, Err *e) {
    buf_init(&s.copy, s.text.length + s.text.length * 2 / 3 + 16);  // "NaN" grows by up to two
    cJSON *root = NULL;
    bool ok = scan(&s);
    if (ok) {
        Str text = readable(&s);
        const char *end = NULL;
        errno = 0;
        root = cJSON_ParseWithLengthOpts(text.data, text.length, &end, false);
        size_t at = end == NULL ? 0 : (size_t)(end - text.data);
        while (root != NULL && at < text.length && strchr(" \t\r\n", text.data[at]) != NULL) at++;
        ok = root != NULL && at == text.length;
        if (root == NULL && errno == ENOMEM) out_of_memory();
        if (!ok) fault_at(text, at, "not JSON", e);
    }
    buf_free(&s.copy);
    if (ok) {
        *ret_root = root;
    } else {
        cJSON_Delete(root);
    }
    return ok;
}

bool json_parse(Str text, size_t values_max, Json **ret_root, Err *e) {
    return parse((Scan){.text = text, .values_max = values_max, .e = e}, ret_root, e);
}

bool json_parse_rows(Str text, size_t values_max, Json **ret_root, Err *e) {
    return parse((Scan){.text = text, .values_max = values_max, .e = e, .words_kept = true}, ret_root, e);
}

// ---------------------------------------------------------------- reading

const Json *json_get(const Json *object, const char *key) {
    if (!cJSON_IsObject(object)) return NULL;
    const Json *found = NULL;
    for (const Json *j = object->child; j != NULL; j = j->next) {
        if (strcmp(j->string, key) == 0) found = j;
    }
    return cJSON_IsNull(found) ? NULL : found;
}

const char *json_text(const Json *j) { return cJSON_IsString(j) ? j->valuestring : NULL; }

double json_number(const Json *j) { return cJSON_IsNumber(j) ? j->valuedouble : (double)NAN; }

int json_truth(const Json *j) { return cJSON_IsBool(j) ? cJSON_IsTrue(j) : -1; }

bool json_is_object(const Json *j) { return cJSON_IsObject(j); }

bool json_is_array(const Json *j) { return cJSON_IsArray(j); }

bool json_is_number(const Json *j) { return cJSON_IsNumber(j); }

const Json *json_first(const Json *parent) {
    return json_is_object(parent) || json_is_array(parent) ? parent->child : NULL;
}

const Json *json_next(const Json *child) { return child->next; }

const char *json_key(const Json *member) { return member->string != NULL ? member->string : ""; }
