// Keys and what they do.
#include "tui/keys.h"

#include <string.h>

// clang-format off
#define VIEW_KEY_(id, view, name, key, title, about) [ACT_VIEW_FIRST + VIEW_##id] = {"view-" key, key, title, ""},
#define KEY_ROW_(id, ...) [id] = {__VA_ARGS__},
const KeyRow key_table[ACT_KEYS] = {KEY_ACTIONS(KEY_ROW_) TUI_VIEWS(VIEW_KEY_)};

static const struct {
    const char *name;
    int key;
} named[] = {
    {"up", K_UP}, {"down", K_DOWN}, {"left", K_LEFT}, {"right", K_RIGHT}, {"pgup", K_PAGE_UP}, {"pgdn", K_PAGE_DOWN}, {"home", K_HOME}, {"end", K_END},
    {"enter", K_ENTER}, {"esc", K_ESC}, {"tab", K_TAB}, {"backtab", K_BACKTAB}, {"space", ' '}, {"backspace", K_BACKSPACE}, {"delete", K_DELETE}, {"insert", K_INSERT},
};
// clang-format on

bool key_parse(Str name, int *ret_key) {
    for (size_t i = 0; i < COUNT_OF(named); i++) {
        if (!str_is(name, named[i].name)) continue;
        *ret_key = named[i].key;
        return true;
    }
    int64_t number = 0;
    if (name.length >= 2 && name.data[0] == 'f' &&
        parse_integer((Str){name.data + 1, name.length - 1}, 1, 12, &number, NULL)) {
        *ret_key = K_F1 + (int)number - 1;
        return true;
    }
    if (name.length == 6 && memcmp(name.data, "ctrl-", 5) == 0 && name.data[5] >= 'a' &&
        name.data[5] <= 'z') {
        *ret_key = name.data[5] - 'a' + 1;
        return true;
    }
    if (name.length == 1 && name.data[0] > ' ' && name.data[0] < 0x7f) {
        *ret_key = name.data[0];
        return true;
    }
    return false;
}

static bool has_key(const char *keys, int key) {
    Str rest = str_of(keys);
    Str name;
    int one = 0;
    while (str_next(&rest, ' ', &name)) {
        if (name.length > 0 && key_parse(name, &one) && one == key) return true;
    }
    return false;
}

static bool check_keys(const char *keys, Err *e) {
    Str rest = str_of(keys);
    Str name;
    int key = 0;
    while (str_next(&rest, ' ', &name)) {
        if (name.length > 0 && !key_parse(name, &key))
            return err_set(e, ERR_USAGE, "no key is called '%.*s'",
                           (int)(name.length < 40 ? name.length : 40), name.data);
    }
    return true;
}

static Action action_named(Str name) {
    for (int i = 1; i < ACT_KEYS; i++) {
        if (str_is(name, key_table[i].name)) return (Action)i;
    }
    return ACT_NONE;
}

static bool take(Keys *keys, bool *own, const char *binding, Arena *a, Err *e) {
    Str rest = str_of(binding);
    Str name;
    str_next(&rest, '=', &name);
    name = str_trim(name);
    Action action = action_named(name);
    if (rest.data == NULL) return err_set(e, ERR_USAGE, "binding '%s' is not ACTION=KEY", binding);
    if (action == ACT_NONE)
        return err_set(e, ERR_USAGE, "no action is called '%.*s'", (int)(name.length < 40 ? name.length : 40),
                       name.data);
    rest = str_trim(rest);
    keys->of[action] = arena_copy(a, rest.data, rest.length);
    own[action] = true;
    return check_keys(keys->of[action], e);
}

// The user's keys stand; other actions lose them.
static bool settle(Keys *keys, const bool *own, Arena *a, Err *e) {
    for (int i = 1; i < ACT_KEYS; i++) {
        Str rest = str_of(keys->of[i]);
        Str name;
        const char *left = "";
        while (str_next(&rest, ' ', &name)) {
            int key = 0;
            bool taken = false;
            if (name.length == 0 || !key_parse(name, &key)) continue;
            for (int k = 1; k < ACT_KEYS && !taken; k++)
                taken = k != i && own[k] && has_key(keys->of[k], key);
            if (taken && own[i])
                return err_set(e, ERR_USAGE, "key '%.*s' is bound to two actions", (int)name.length,
                               name.data);
            if (!taken)
                left = arena_printf(a, "%s%s%.*s", left, left[0] != '\0' ? " " : "", (int)name.length,
                                    name.data);
        }
        keys->of[i] = left;
    }
    return true;
}

bool keys_init(Keys *keys, const char *const *bindings, size_t n, Arena *a, Err *e) {
    bool own[ACT_KEYS] = {false};
    for (int i = 0; i < ACT_KEYS; i++) keys->of[i] = key_table[i].keys;
    for (size_t i = 0; i < n; i++) {
        if (!take(keys, own, bindings[i], a, e)) return err_wrap(e, "option '--bind'");
    }
    return settle(keys, own, a, e) || err_wrap(e, "option '--bind'");
}

Action keys_find(const Keys *keys, int key) {
    for (int i = 1; i < ACT_KEYS; i++) {
        if (has_key(keys->of[i], key)) return (Action)i;
    }
    return ACT_NONE;
}

const char *keys_first(const Keys *keys, Action action, Arena *a) {
    Str rest = str_of(keys->of[action]);
    Str name;
    if (!str_next(&rest, ' ', &name)) return "";
    return arena_copy(a, name.data, name.length);
}
