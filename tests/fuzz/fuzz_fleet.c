// Records of a fleet and lists of hosts, by anybody: read or refused, judged, and printed as commands for a
// shell that name hosts and nothing else.
#include <string.h>

#include "kernels/bench.h"
#include "src/report/fleet_report.h"
#include "tests/fuzz/fuzz.h"

static const int64_t now = 1795780800;  // 2026-11-27

static void try_hosts(Str text, Arena *a) {
    const char *const *hosts = NULL;
    size_t n = 0;
    Err e = {0};
    bool ok = fleet_hosts(text, a, &hosts, &n, &e);
    MUST_HOLD(ok ? n > 0 : e.text[0] != '\0');
    for (size_t i = 0; ok && i < n; i++) MUST_HOLD(fleet_is_host(hosts[i]));
}

static bool begins(const char *line, const char *with) { return strncmp(line, with, strlen(with)) == 0; }

// Whatever records say, a line is a remark or one of these commands, and names a host where a name stands.
static void check_lines(const char *text, Arena *a) {
    static const char *const commands[] = {"scontrol update NodeName=", "kubectl cordon ",
                                           "kubectl taint nodes ", "kubectl annotate node "};
    for (const char *line = text; line[0] != '\0';) {
        const char *end = strchr(line, '\n');
        MUST_HOLD(end != NULL);
        bool known = line[0] == '#';
        for (size_t i = 0; i < COUNT_OF(commands) && !known; i++) {
            if (!begins(line, commands[i])) continue;
            const char *name = line + strlen(commands[i]);
            known = fleet_is_host(arena_copy(a, name, strcspn(name, " \n")));
        }
        MUST_HOLD(known);
        line = end + 1;
    }
}

static void print_all(const Fleet *f, Arena *a) {
    static const Format formats[] = {FORMAT_TABLE, FORMAT_CSV, FORMAT_MD};
    Buf out;
    BenchRun median;
    const char *why = "";
    Json *root = json_object();
    buf_init(&out, BUF_LIMIT);
    for (size_t i = 0; i < COUNT_OF(formats); i++) fleet_text(f, formats[i], (Room){.width = 80}, a, &out);
    fleet_html(f, "fleet", "now", a, &out);
    fleet_json(f, a, root);
    buf_free(&out);
    buf_init(&out, BUF_LIMIT);
    fleet_drain(f, FORMAT_SLURM, a, &out);
    fleet_drain(f, FORMAT_K8S, a, &out);
    check_lines(out.data, a);
    buf_free(&out);
    json_free(root);
    if (fleet_median_run(f, "here", &median, &why)) MUST_HOLD(median.n_results > 0 && median.n_devices > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    Err e = {0};
    Json *json = NULL;
    Fleet f = {.arena = &a};
    static const char *const expected[] = {"node1"};
    Str text = {(const char *)data, size};
    try_hosts(text, &a);
    if (json_parse(text, 20000, &json, &e)) {
        // several records, or one that is taken for several
        const Json *runs = json_get(json, "runs");
        const Json *r = json_is_array(runs) ? json_first(runs) : json;
        for (size_t i = 0; r != NULL && i < 8; i++) {
            BenchRun run;
            size_t unknown = 0;
            if (bench_run_read(r, now, &a, &run, &unknown, &e)) {
                fleet_add(&f, "record.json", &run);
            } else {
                fleet_add_unreadable(&f, "record.json", e.text);
            }
            r = json_is_array(runs) ? json_next(r) : NULL;
        }
        if (f.n_records % 2 == 1) fleet_expect(&f, expected, 1);
        fleet_judge(&f);
        MUST_HOLD(f.n_nodes > 0 || f.n_records == 0);
        print_all(&f, &a);
    }
    json_free(json);
    arena_free(&a);
    return 0;
}
