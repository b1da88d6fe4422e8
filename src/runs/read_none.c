// What is no run: requests as they came, counters of a server, estimates, the description of a machine.
#include "src/runs/parts.h"

void read_prometheus(RunsFile *f, Str text) {
    (void)text;
    run_refuse(f, "prometheus", RUN_IS_TRAFFIC, "counters of a server: traffic, not a run");
}

void read_trace(RunsFile *f, const Json *o) {
    (void)o;
    run_refuse(f, "trace", RUN_IS_TRAFFIC,
               "requests as they came, without the time that a GPU took: traffic, not a run");
}

void read_trace_csv(RunsFile *f, Str text) {
    (void)text;
    run_refuse(f, "trace-csv", RUN_IS_TRAFFIC,
               "requests as they came, without the time that a GPU took: traffic, not a run");
}

void read_estimate(RunsFile *f, const Json *o) {
    (void)o;
    run_refuse(f, "estimate", RUN_IS_NONE, "an estimate by its own word (\"estimated\": true), not a run");
}

// Lines of nvidia-smi, amd-smi or of its CSV that name a GPU.
static bool names_gpu(Str line) {
    return str_has(line, "NVIDIA ") || str_has(line, "Tesla ") || str_has(line, "AMD Instinct") ||
           str_has(line, "Radeon");
}

Str run_gpu_line(Str text) {
    Str line;
    while (line_next(&text, &line)) {
        if (names_gpu(line) && find_in(line, "NVIDIA-SMI") == NULL) return line;
    }
    return (Str){"", 0};
}

void read_environment(RunsFile *f, Str text) {
    Str line = run_gpu_line(text);
    Str name = line;
    for (size_t i = line.length; i-- > 0;) {
        if ((line.data[i] == ',' || line.data[i] == '|') && names_gpu((Str){line.data, i})) name.length = i;
    }
    const char *gpu = text_of(f, name);
    run_refuse(f, "environment", RUN_IS_SIDE,
               arena_printf(f->arena,
                            "describes the machine of other files: it names \"%s\" (say it by --gpu, or in a "
                            "file gpuadvise.runs)",
                            gpu));
    if (f->n > 0) f->rows[f->n - 1].said.gpu = gpu;
}
