// doctor: what a bug report needs to know about the program, its data and its surroundings. Never a secret.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "cli/bench.h"
#include "cli/cmd.h"
#include "db/db.h"
#include "kernels/cpu.h"
#include "src/report/bench_report.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

typedef struct Pair {
    const char *name, *value;
} Pair;

typedef struct Checkup {
    const char *sqlite, *system, *data_origin;
    const char *db_path;  // "" = in memory
    double db_bytes;      // NaN = no file
    const char *settings, *settings_state;
    const DataAge *ages;
    size_t n_ages;
    Pair environment[64];
    size_t n_environment;
    BenchDevice *devices;
    size_t n_devices;
    const char *devices_note;
    CpuFacts cpu;
    const char *cpu_isa;  // "" = its memory could not be had
    int cpu_threads;
    const char *problem;  // "" = none: the catalog could not be opened
} Checkup;

// ---------------------------------------------------------------- gathering

static const char *system_text(App *app) {
    struct utsname u;
    if (uname(&u) != 0) return "unknown";
    return arena_printf(&app->arena, "%s %s %s", u.sysname, u.release, u.machine);
}

// "http://user:secret@host:3128" -> "http://***@host:3128"
static const char *without_credentials(App *app, const char *url) {
    const char *at = strrchr(url, '@');
    if (at == NULL) return url;
    const char *scheme = strstr(url, "://");
    size_t head = scheme != NULL && scheme < at ? (size_t)(scheme - url) + 3 : 0;
    return arena_printf(&app->arena, "%.*s***%s", (int)head, url, at);
}

static void add_variable(App *app, Checkup *c, const char *name, bool is_url) {
    const char *value = getenv(name);
    if (value == NULL || c->n_environment == COUNT_OF(c->environment)) return;
    c->environment[c->n_environment++] = (Pair){name, is_url ? without_credentials(app, value) : value};
}

static void add_environment(App *app, Checkup *c) {
    static const char *const plain[] = {
        "HOME",     "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
        "LANG",     "LC_ALL",          "TERM",          "COLUMNS",        "NO_COLOR",
        "NO_PROXY", "no_proxy",        "SSL_CERT_FILE", "GPUADVISE_NOW"};
    static const char *const urls[] = {"HTTPS_PROXY", "https_proxy", "HTTP_PROXY",
                                       "http_proxy",  "ALL_PROXY",   "all_proxy"};
    for (size_t i = 0; i < COUNT_OF(plain); i++) add_variable(app, c, plain[i], false);
    for (size_t i = 0; i < COUNT_OF(urls); i++) add_variable(app, c, urls[i], true);
    for (size_t i = 0; i < OPT_COUNT; i++) {
        if (option_table[i].setting) add_variable(app, c, option_variable(app, (OptionId)i), false);
    }
}

static void examine_catalog(App *app, Checkup *c) {
    Catalog *catalog = NULL;
    Err e = {0};
    if (!app_catalog(app, &catalog, &e) ||
        !catalog_ages(catalog, true, &app->arena, &c->ages, &c->n_ages, &e)) {
        c->problem = arena_printf(&app->arena, "%s", e.text);
        c->n_ages = 0;
    }
    if (catalog == NULL) return;
    c->db_path = catalog_db_path(catalog);
    c->data_origin = catalog_data_origin(catalog);
    struct stat st;
    if (c->db_path[0] != '\0' && stat(c->db_path, &st) == 0) c->db_bytes = (double)st.st_size;
}

static void examine_cpu(Checkup *c) {
    const char *root = getenv("GPUADVISE_SYSROOT");
    Cpu cpu;
    Err e = {0};
    cpu_facts(root != NULL ? root : "", &c->cpu);
    if (!cpu_open(NULL, &cpu, &e)) return;
    c->cpu_isa = cpu.ops->isa;
    c->cpu_threads = cpu.threads;
    cpu_close(&cpu);
}

static Checkup examine(App *app) {
    Checkup c = {.db_path = "", .data_origin = "", .problem = "", .cpu_isa = "", .db_bytes = (double)NAN};
    c.sqlite = db_library_version();
    c.system = system_text(app);
    c.settings = settings_path(app);
    struct stat st;
    c.settings_state = c.settings[0] == '\0' ? "no home" : stat(c.settings, &st) == 0 ? "read" : "absent";
    examine_catalog(app, &c);
    add_environment(app, &c);
    const GpuDevice *gpus = NULL;
    examine_cpu(&c);
    c.n_devices = app_gpus(app, &gpus, &c.devices);
    for (size_t i = 0; i < c.n_devices; i++) bench_gpu_look(app, &gpus[i], &c.devices[i]);
    c.devices_note = c.n_devices == 0
                         ? "no GPU of NVIDIA or AMD is visible: `gpuadvise bench` measures the processor"
                         : counted(&app->arena, c.n_devices, "GPU device");
    return c;
}

// clang-format off
#define COLUMNS(X) \
    X("table",    "TABLE",  TEXT,      c->ages[i].table) \
    X("rows",     "ROWS",   NUMBER(7), c->ages[i].rows) \
    X("oldest",   "OLDEST", TEXT,      c->ages[i].oldest) \
    X("newest",   "NEWEST", TEXT,      c->ages[i].newest) \
    X("age_days", "AGE d",  NUMBER(5), app_age_days(app, c->ages[i].newest))
// clang-format on

static Listing tables_of(App *app, const Checkup *c) {
    Listing l = LISTING(&app->arena, "tables", COLUMNS, c->n_ages);
    for (size_t i = 0; i < c->n_ages; i++) listing_row(&l, COLUMNS(LISTING_CELL));
    return l;
}

// ---------------------------------------------------------------- answers

static void answer_json(App *app, const Checkup *c) {
    Json *root = app_json(app);
    json_add(root, J_TEXT("version", tool_version()), J_TEXT("compiler", COMPILER));
    device_code_json(&app->arena, root);
    json_add_text(root, "system", c->system);
    json_add_text(json_add_object(root, "libraries"), "sqlite", c->sqlite);
    Json *database = json_add_object(root, "database");
    json_add(database, J_TEXT_OR_NULL("path", c->db_path), J_NUMBER("size_bytes", c->db_bytes),
             J_INTEGER("schema_version", db_version_known()));
    json_add_text_or_null(root, "data_origin", c->data_origin);
    Json *settings = json_add_object(root, "settings");
    json_add(settings, J_TEXT_OR_NULL("path", c->settings), J_TEXT("state", c->settings_state));
    Listing tables = tables_of(app, c);
    listing_json(&tables, root);
    KindAge kind[DATA_KINDS];
    kinds_of(app, c->ages, c->n_ages, kind);
    kinds_json(kind, root);
    Json *processor = json_add_object(root, "processor");
    json_add(processor, J_TEXT("name", c->cpu.name), J_TEXT_OR_NULL("instruction_set", c->cpu_isa),
             J_NUMBER("threads", c->cpu_isa[0] != '\0' ? c->cpu_threads : (double)NAN));
    bench_devices_json(c->devices, c->n_devices, root);
    json_add_text(root, "devices_note", c->devices_note);
    Json *environment = json_add_object(root, "environment");
    for (size_t i = 0; i < c->n_environment; i++)
        json_add_text(environment, c->environment[i].name, c->environment[i].value);
    Json *problems = json_add_array(root, "problems");
    if (c->problem[0] != '\0') json_add_text(problems, NULL, c->problem);
}

static const char *database_text(App *app, const Checkup *c) {
    if (c->problem[0] != '\0' && c->db_path[0] == '\0') return "cannot be used";
    if (c->db_path[0] == '\0') return "in memory";
    return arena_printf(&app->arena, "%s (%s MB, schema %lld)", c->db_path,
                        number_text(&app->arena, c->db_bytes / 1e6, 3), (long long)db_version_known());
}

static const char *cpu_text(App *app, const Checkup *c) {
    if (c->cpu_isa[0] == '\0') return c->cpu.name;
    return arena_printf(&app->arena, "%s, %s, %s", c->cpu.name, c->cpu_isa,
                        counted(&app->arena, (size_t)c->cpu_threads, "thread"));
}

static void answer_text(App *app, const Checkup *c) {
    const Pair lines[] = {
        {"gpuadvise", tool_version()},
        {"compiler", COMPILER},
        {"GPU code", device_code_text(&app->arena)},
        {"SQLite", c->sqlite},
        {"system", c->system},
        {"database", database_text(app, c)},
        {"facts", c->data_origin[0] != '\0' ? c->data_origin : "-"},
        {"settings", arena_printf(&app->arena, "%s (%s)", c->settings[0] != '\0' ? c->settings : "none",
                                  c->settings_state)},
        {"processor", cpu_text(app, c)},
        {"devices", c->devices_note},
        {"problem", c->problem},
    };
    Buf *out = &app->out;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        if (lines[i].value[0] == '\0') continue;
        buf_printf(out, "%-10s ", arena_printf(&app->arena, "%s:", lines[i].name));
        buf_add_clean(out, lines[i].value);
        buf_puts(out, "\n");
    }
    Writer w = app_writer(app);
    bench_device_lines(&w, c->devices, c->n_devices);
    if (c->n_ages > 0) {
        buf_puts(out, "\n");
        Listing tables = tables_of(app, c);
        app_listing(app, &tables);
        KindAge kind[DATA_KINDS];
        kinds_of(app, c->ages, c->n_ages, kind);
        buf_printf(out, "\n%s\n", kinds_text(kind, &app->arena));
    }
    buf_puts(out, "\n");
    for (size_t i = 0; i < c->n_environment; i++) {
        buf_printf(out, "%s=", c->environment[i].name);
        buf_add_clean(out, c->environment[i].value);
        buf_puts(out, "\n");
    }
}

static int run(App *app) {
    Checkup c = examine(app);
    if (c.problem[0] != '\0') app_warn(app, "%s", c.problem);
    if (app->format == FORMAT_JSON) {
        answer_json(app, &c);
    } else {
        answer_text(app, &c);
    }
    return c.problem[0] != '\0' ? EXIT_FAILED : EXIT_DONE;
}

static const Verb verbs[] = {{"", "", 0, 0, false, NULL, NO_OPTIONS, run}};

COMMAND(doctor, "doctor", FORMATS_TEXT_JSON,
        .summary = "versions, data ages and surroundings, to paste into a bug report",
        .description = "Passwords in proxy addresses are left out.");
