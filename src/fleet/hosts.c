// Names of machines: lists with ranges, likeness, form.
#include <string.h>

#include "src/fleet/fleet.h"

enum { NAME_MAX_BYTES = 253, DIGITS_MAX = 9 };

typedef struct Hosts {
    Arena *arena;
    const char **list;
    size_t n, room;
} Hosts;

static bool add(Hosts *h, const char *name, Err *e) {
    if (h->n == FLEET_HOSTS_MAX) return err_set(e, ERR_USAGE, "more than %d hosts", FLEET_HOSTS_MAX);
    if (!fleet_is_host(name)) return err_set(e, ERR_USAGE, "'%s' is no name of a host", name);
    h->list = arena_grow(h->arena, h->list, h->n, &h->room, sizeof *h->list);
    h->list[h->n++] = name;
    return true;
}

static bool expand(Hosts *h, Str word, Err *e);

// "01-16": as wide as its first number is written; "7": itself.
static bool add_range(Hosts *h, Str before, Str range, Str after, Err *e) {
    Str rest = range, from, to;
    int64_t first = 0, last = 0;
    str_next(&rest, '-', &from);
    if (!str_next(&rest, '-', &to)) to = from;
    bool ok = from.length <= DIGITS_MAX && to.length <= DIGITS_MAX && rest.length == 0 &&
              parse_integer(from, 0, INT64_MAX, &first, NULL) && parse_integer(to, 0, INT64_MAX, &last, NULL);
    if (!ok || last < first)
        return err_set(e, ERR_USAGE, "'%.*s' is no range of numbers such as 01-16", (int)range.length,
                       range.data);
    if (last - first >= FLEET_HOSTS_MAX) return err_set(e, ERR_USAGE, "more than %d hosts", FLEET_HOSTS_MAX);
    for (int64_t i = first; i <= last; i++) {
        const char *name = arena_printf(h->arena, "%.*s%0*lld%.*s", (int)before.length, before.data,
                                        (int)from.length, (long long)i, (int)after.length, after.data);
        if (!expand(h, str_of(name), e)) return false;
    }
    return true;
}

// One name, of which brackets make several: the first ones here, those behind them in turn.
static bool expand(Hosts *h, Str word, Err *e) {
    const char *open = memchr(word.data, '[', word.length), *close = NULL;
    if (open == NULL) return add(h, arena_copy(h->arena, word.data, word.length), e);
    size_t at = (size_t)(open - word.data);
    close = memchr(open, ']', word.length - at);
    if (close == NULL)
        return err_set(e, ERR_USAGE, "'%.*s': no ']' ends what '[' begins", (int)word.length, word.data);
    Str before = {word.data, at}, list = {open + 1, (size_t)(close - open) - 1},
        after = {close + 1, word.length - (size_t)(close - word.data) - 1}, range;
    if (list.length == 0) return err_set(e, ERR_USAGE, "'%.*s' has no numbers", (int)word.length, word.data);
    while (str_next(&list, ',', &range)) {
        if (!add_range(h, before, range, after, e)) return false;
    }
    return true;
}

// The next word: commas and blanks end it, but not inside of brackets. A remark goes to the end of its line.
static bool next_word(Str *rest, Str *ret_word) {
    static const char between[] = ", \t\r\n";
    size_t at = 0, end = 0;
    while (at < rest->length && (strchr(between, rest->data[at]) != NULL || rest->data[at] == '#')) {
        bool remark = rest->data[at] == '#';
        while (remark && at < rest->length && rest->data[at] != '\n') at++;
        at += !remark;
    }
    bool inside = false;
    for (end = at; end < rest->length; end++) {
        char c = rest->data[end];
        if (c == '[') inside = true;
        if (c == ']') inside = false;
        if (c == '\n' || c == '#' || (!inside && (c == '\0' || strchr(between, c) != NULL))) break;
    }
    *ret_word = (Str){rest->data + at, end - at};
    *rest = (Str){rest->data + end, rest->length - end};
    return ret_word->length > 0;
}

bool fleet_hosts(Str text, Arena *a, const char *const **ret_hosts, size_t *ret_n, Err *e) {
    Hosts h = {.arena = a};
    Str word;
    if (!str_is_utf8(text)) return err_set(e, ERR_USAGE, "the list of hosts is no text");
    while (next_word(&text, &word)) {
        if (!expand(&h, word, e)) return false;
    }
    if (text.length > 0) return err_set(e, ERR_USAGE, "the list of hosts has something that is no name");
    if (h.n == 0) return err_set(e, ERR_USAGE, "the list of hosts is empty");
    *ret_hosts = h.list;
    *ret_n = h.n;
    return true;
}

bool fleet_same_host(const char *a, const char *b) {
    size_t n = strcspn(a, "."), m = strcspn(b, ".");
    if (text_same(a, b)) return true;
    if (n != m || (a[n] == '.' && b[m] == '.')) return false;
    for (size_t i = 0; i < n; i++) {
        if (char_lower(a[i]) != char_lower(b[i])) return false;
    }
    return n > 0;
}

bool fleet_is_host(const char *name) {
    size_t n = strlen(name);
    if (n == 0 || n > NAME_MAX_BYTES || text_same(name, "all")) return false;
    if (!char_is_alnum(name[0]) || !char_is_alnum(name[n - 1])) return false;
    for (size_t i = 0; i < n; i++) {
        if (!char_is_alnum(name[i]) && strchr("-._", name[i]) == NULL) return false;
    }
    return true;
}
