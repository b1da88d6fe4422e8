// Files that say they hold benchmark runs: refused with a reason, or of a kind that survives being written
// and read again.
#include <math.h>
#include <string.h>

#include "kernels/bench.h"
#include "kernels/roofline.h"
#include "tests/fuzz/fuzz.h"

static const int64_t now = 1795780800;  // 2026-11-27

static void read_again(const BenchRun *run, Arena *a) {
    Err e = {0};
    BenchRun again;
    size_t unknown = 0;
    Json *out = json_object(), *in = NULL;
    Buf text;
    buf_init(&text, BUF_LIMIT);
    bench_run_json(run, out);
    json_print(out, &text);
    MUST_HOLD(json_parse((Str){text.data, text.length}, 20000, &in, &e) &&
              bench_run_read(in, now, a, &again, &unknown, &e));
    MUST_HOLD(unknown == 0 && again.n_results == run->n_results && again.n_devices == run->n_devices);
    for (size_t i = 0; i < run->n_results; i++) {
        MUST_HOLD(strcmp(again.results[i].test, run->results[i].test) == 0);
        MUST_HOLD(!run->results[i].verified ||
                  fabs(again.results[i].median / run->results[i].median - 1) < 1e-9);
    }
    buf_free(&text);
    json_free(in);
    json_free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    Err e = {0};
    Json *json = NULL;
    if (json_parse((Str){(const char *)data, size}, 20000, &json, &e)) {
        const Json *first = json_first(json_get(json, "runs"));
        BenchRun run;
        Roofline roof;
        size_t unknown = 0;
        if (bench_run_read(first != NULL ? first : json, now, &a, &run, &unknown, &e)) {
            read_again(&run, &a);
            for (size_t i = 0; i < run.n_devices; i++) (void)roofline_of(&run, run.devices[i].id, &a, &roof);
        } else {
            MUST_HOLD(e.text[0] != '\0');
        }
    }
    json_free(json);
    arena_free(&a);
    return 0;
}
