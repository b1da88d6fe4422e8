// traffic: logs and traces of requests, described, kept as a workload's traffic, listed.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed_zip.h"
#include "catalog/facts/own.h"
#include "cli/cmd.h"
#include "cli/traffic.h"
#include "src/report/traffic_report.h"

// ---------------------------------------------------------------- files in

typedef struct FileIn {
    TrafficReader *reader;
    Arena *arena;
    GzipStream *gzip;
    bool begun;
} FileIn;

static bool take_bytes(void *user, Str bytes, Err *e) {
    return traffic_reader_feed(((FileIn *)user)->reader, bytes, e);
}

static bool take_piece(void *user, Str bytes, Err *e) {
    FileIn *in = user;
    if (!in->begun && gzip_begins(bytes) && (in->gzip = gzip_open(in->arena, e)) == NULL) return false;
    in->begun = true;
    return in->gzip != NULL ? gzip_feed(in->gzip, bytes, take_bytes, in, e) : take_bytes(in, bytes, e);
}

static bool read_file(App *app, const char *path, const ColumnMap *map, TrafficScan *scan, Err *e) {
    FileIn in = {.arena = &app->arena, .reader = traffic_reader_open(&app->arena, map, scan)};
    bool ok = file_pieces(path, take_piece, &in, e);
    if (in.gzip != NULL) {
        if (ok)
            ok = gzip_close(in.gzip, e);
        else
            gzip_drop(in.gzip);
    }
    ok = ok && traffic_reader_end(in.reader, e);
    traffic_reader_free(in.reader);
    return ok || err_wrap(e, "read '%s'", path);
}

static bool read_map(App *app, ColumnMap *map, Err *e) {
    const char *const *texts = NULL;
    size_t n = opt_list(app, OPT_MAP, &texts);
    for (size_t i = 0; i < n; i++) {
        if (!column_map_read(texts[i], &app->arena, map, e)) return err_wrap(e, "option '--map'");
    }
    map->block_tokens = opt_number(app, OPT_BLOCK_TOKENS, (double)NAN);
    return true;
}

static bool read_service(App *app, ServiceTime *service, Err *e) {
    double *parts[] = {&service->first_s, &service->input_s, &service->output_s};
    if (!opt_set(app, OPT_SERVICE)) return true;
    Str rest = str_of(opt_text(app, OPT_SERVICE, ""));
    Str part;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (!str_next(&rest, ',', &part))
            return err_set(e, ERR_USAGE,
                           "option '--service-ms': three numbers with commas between are wanted");
        if (!parse_number(str_trim(part), 0, 1e9, parts[i], e)) return err_wrap(e, "option '--service-ms'");
        *parts[i] /= 1e3;
    }
    return rest.data == NULL || err_set(e, ERR_USAGE, "option '--service-ms': more than three numbers");
}

bool traffic_read(App *app, const char *const *files, size_t n, TrafficOptions *options,
                  TrafficScan **ret_scan, TrafficFound *ret_found, Err *e) {
    ColumnMap map = {.block_tokens = (double)NAN};
    options->service = (ServiceTime){0.2, 0.0001, 0.03};
    options->sessions = opt_number(app, OPT_SESSIONS, (double)NAN);
    if (!read_map(app, &map, e) || !read_service(app, &options->service, e)) return false;
    TrafficScan *scan = traffic_scan_open(&app->arena, options);
    for (size_t i = 0; i < n; i++) {
        if (!read_file(app, files[i], &map, scan, e)) return false;
    }
    if (!traffic_scan_end(scan, ret_found, e)) return n == 1 ? err_wrap(e, "read '%s'", files[0]) : false;
    *ret_scan = scan;
    return true;
}

// ---------------------------------------------------------------- describe

static int describe(App *app) {
    Err e = {0};
    TrafficOptions options = {.sessions = (double)NAN};
    TrafficScan *scan = NULL;
    TrafficFound found;
    if (!traffic_read(app, app->args, app->n_args, &options, &scan, &found, &e)) return app_fail(app, &e);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        json_add_texts(app->inputs, "files", app->args, app->n_args);
        traffic_json(&found, &app->arena, root);
        return EXIT_DONE;
    }
    const char *title = app->n_args == 1 ? text_clean(&app->arena, app->args[0])
                                         : arena_printf(&app->arena, "%zu files", app->n_args);
    traffic_text(&found, title, arena_printf(&app->arena, "%s, gpuadvise %s", app_today(app), tool_version()),
                 app->format, app_room(app), &app->arena, &app->out);
    return EXIT_DONE;
}

// ---------------------------------------------------------------- kept ones

static const BrowseColumn columns[] = {
    {"traffic_id", "TRAFFIC", 0, 0, 0}, {"rate_rps", "REQ/s", 4, 0, 0},
    {"input_mean", "IN", 5, 0, 0},      {"input_p99", "IN P99", 5, 0, 100},
    {"output_mean", "OUT", 4, 0, 0},    {"output_p99", "OUT P99", 4, 0, 100},
    {"idc_60s", "IDC 60 s", 3, 0, 110}, {"hit_rate_max", "REUSE", 3, 0, 0},
    {"title", "WHAT", 0, 0, 0},
};

static const Browse browse = {
    .table = TABLE_TRAFFIC,
    .name = "traffic",
    .columns = columns,
    .n_columns = COUNT_OF(columns),
    .note = "IN, OUT: mean tokens of prompt and answer. IDC: variance over mean of the arrivals in a minute, "
            "1 for Poisson. REUSE: share of input tokens that an endless prefix cache holds.",
};

static int import(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    TrafficOptions options = {.sessions = (double)NAN};
    TrafficScan *scan = NULL;
    TrafficFound found;
    if (!app_kept(app, &c, &e) ||
        !traffic_read(app, app->args + 1, app->n_args - 1, &options, &scan, &found, &e))
        return app_fail(app, &e);
    const char *file = text_clean(&app->arena, app->args[1]);
    Traffic t = traffic_of(&found, app->args[0], arena_printf(&app->arena, "%s, %s", found.format, file),
                           &app->arena);
    for (size_t i = 0; i < found.n_notes; i++) app_warn_text(app, found.notes[i]);
    return own_keep(app, TABLE_TRAFFIC, &t, file);
}

static const Verb verbs[] = {
    {"list", "", 0, 0, false, "traffics that are kept, yours and the shipped ones", ROW_OPTIONS,
     browse_every},
    {"show", "NAME", 1, 1, false, "one of them", NO_OPTIONS, browse_named},
    {"describe", "FILE...", 1, 100000, true, "lengths, bursts and reuse of a log or trace",
     TAKES(OPT_MAP, OPT_BLOCK_TOKENS, OPT_SERVICE, OPT_SESSIONS), describe},
    {"import", "NAME FILE...", 2, 100000, true, "keep the same under a name, for `report --traffic NAME`",
     TAKES(OPT_MAP, OPT_BLOCK_TOKENS, OPT_SERVICE, OPT_SESSIONS), import},
    {"remove", "NAME...", 1, 100, true, "forget traffics that you imported", NO_OPTIONS, own_run}};

COMMAND(traffic, "traffic", FORMATS_LISTING | 1u << FORMAT_HTML, .browse = &browse,
        .summary = "logs and traces of requests: lengths, bursts, reuse of prompts",
        .description =
            "`describe` reads logs and traces, also packed with gzip, and says how long requests are, "
            "how they come, and what a prefix cache of any capacity would find: Azure, Mooncake, "
            "BurstGPT, Splitwise, Vidur, Bailian, AIPerf, sessions of agents (Weka), LiteLLM, "
            "OpenAI's responses and usage, OpenTelemetry, detailed results of vLLM and SGLang, vLLM's "
            "log, metrics of vLLM and SGLang (one snapshot or two), and any CSV or JSON lines with "
            "--map. Only counts, times, lengths and hashes are kept, never text. `import` keeps the "
            "summary under a name, for `report --traffic NAME`. docs/traffic.md has the formats.");
