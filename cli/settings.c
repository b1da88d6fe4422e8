// Settings from the environment (GPUADVISE_<NAME>) and from the settings file (`key = value`).
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "src/base/keyvalue.h"

enum { SETTINGS_BYTES_MAX = 64 * 1024 };

const char *settings_path(App *app) { return xdg_path(app, "XDG_CONFIG_HOME", ".config", "config"); }

// "max-age" -> "GPUADVISE_MAX_AGE"
static const char *variable_of(App *app, const char *option) {
    char *name = arena_printf(&app->arena, "GPUADVISE_%s", option);
    for (char *c = name; *c != '\0'; c++) {
        if (*c == '-') *c = '_';
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
    }
    return name;
}

const char *option_variable(App *app, OptionId id) { return variable_of(app, option_table[id].name); }

static bool load_environment(App *app, Err *e) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        if (!option_table[i].setting) continue;
        const char *name = option_variable(app, (OptionId)i);
        const char *value = getenv(name);
        if ((value == NULL || value[0] == '\0') && option_table[i].former != NULL) {
            name = variable_of(app, option_table[i].former);
            value = getenv(name);
        }
        if (value == NULL || value[0] == '\0') continue;
        const char *where = arena_printf(&app->arena, "environment variable '%s'", name);
        if (!option_store(app, (OptionId)i, LEVEL_ENVIRONMENT, where, value, e)) return false;
    }
    return true;
}

static bool unknown_key(App *app, const char *where, const char *key, Err *e) {
    const char **names = arena_alloc(&app->arena, OPT_COUNT, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < OPT_COUNT; i++) {
        if (option_table[i].setting) names[n++] = option_table[i].name;
    }
    name_unknown(e, "setting", key, names, n);
    return err_wrap(e, "%s", where);
}

static bool take_line(App *app, const char *where, Str key, Str value, Err *e) {
    bool nul = memchr(key.data, '\0', key.length) != NULL ||
               (value.length > 0 && memchr(value.data, '\0', value.length) != NULL);
    if (nul) return err_set(e, ERR_USAGE, "%s: a NUL byte", where);
    if (value.data == NULL || key.length == 0)
        return err_set(e, ERR_USAGE, "%s: expected 'key = value'", where);
    OptionId id;
    if (!option_by_name(key.data, key.length, &id) || !option_table[id].setting)
        return unknown_key(app, where, arena_copy(&app->arena, key.data, key.length), e);
    const char *what = arena_printf(&app->arena, "%s: '%s'", where, option_table[id].name);
    return option_store(app, id, LEVEL_FILE, what, arena_copy(&app->arena, value.data, value.length), e);
}

static bool load_file(App *app, Err *e) {
    const char *path = settings_path(app);
    struct stat st;
    if (path[0] == '\0') return true;
    if (stat(path, &st) != 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            app_warn(app, "settings '%s' are not heeded: %s", path, strerror(errno));
        return true;
    }
    Str rest;
    if (!file_read(&app->arena, path, SETTINGS_BYTES_MAX, &rest, e)) {
        e->kind = ERR_USAGE;
        return err_wrap(e, "settings file");
    }
    app_note(app, "settings from '%s'", path);
    KeyValues r = {.rest = rest, .comments = true};
    for (Str key, value; keyvalue_next(&r, &key, &value);) {
        if (!take_line(app, arena_printf(&app->arena, "%s:%zu", path, r.line), key, value, e)) return false;
    }
    return true;
}

bool settings_load(App *app, Err *e) { return load_environment(app, e) && load_file(app, e); }
