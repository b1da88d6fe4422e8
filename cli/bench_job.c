// Whose run it is: the job that this process is a part of, by the words of its launcher, and what in the
// environment steers the vendors' libraries.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench.h"

extern char **environ;

enum { VALUE_MAX = 256, VARIABLES_MAX = 64 };

// ---------------------------------------------------------------- the job

// How a launcher tells a process its place; "" = it does not.
typedef struct Launcher {
    const char *name, *rank, *ranks, *local_rank, *job;
} Launcher;

// mpirun inside of an allocation of Slurm starts one daemon a node by srun: its processes then see the rank
// of that daemon as SLURM_PROCID, so the inner launcher comes first.
static const Launcher launchers[] = {
    {"openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "PMIX_NAMESPACE"},
    {"pmi", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", ""},
    {"slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_JOB_ID"},
    {"kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", "", "JOB_NAME"},
};

static const char *variable(const char *name) {
    const char *text = name[0] != '\0' ? getenv(name) : NULL;
    return text != NULL ? text : "";
}

static double place(const char *name) {
    int64_t x = 0;
    return parse_integer(str_of(variable(name)), 0, 1 << 24, &x, NULL) ? (double)x : (double)NAN;
}

static const char *first_of(App *app, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (variable(names[i])[0] != '\0') return text_clean(&app->arena, variable(names[i]));
    }
    return "";
}

static void read_job(App *app, BenchRun *run) {
    run->launcher = run->job = "";
    run->rank = run->ranks = run->local_rank = (double)NAN;
    run->node = first_of(app, (const char *[]){"SLURMD_NODENAME", "NODE_NAME"}, 2);
    for (size_t i = 0; i < COUNT_OF(launchers); i++) {
        const Launcher *l = &launchers[i];
        if (!is_known(place(l->rank))) continue;
        run->launcher = l->name;
        run->rank = place(l->rank);
        run->ranks = place(l->ranks);
        run->local_rank = place(l->local_rank);
        run->job = first_of(app, (const char *[]){l->job, "SLURM_JOB_ID"}, 2);
        return;
    }
}

// ---------------------------------------------------------------- the environment

static bool is_kept(const char *name) {
    static const char *const beginnings[] = {"NCCL_", "RCCL_"}, *const names[] = {"CUDA_VISIBLE_DEVICES",
                                                                                  "ROCR_VISIBLE_DEVICES",
                                                                                  "HIP_VISIBLE_DEVICES",
                                                                                  "GPU_DEVICE_ORDINAL",
                                                                                  "NVIDIA_VISIBLE_DEVICES",
                                                                                  "CUDA_DEVICE_ORDER"};
    if (name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] != '\0') return false;
    for (size_t i = 0; i < COUNT_OF(beginnings); i++) {
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) return true;
    }
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(name, names[i]) == 0) return true;
    }
    return false;
}

// May the value be a secret? By its variable's name, or a URL with somebody's name and password in it.
static bool is_secret(const char *name, const char *value) {
    static const char *const words[] = {"KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strstr(name, words[i]) != NULL) return true;
    }
    const char *url = strstr(value, "://");
    return url != NULL && strchr(url, '@') != NULL;
}

static const char *value_text(App *app, const char *name, const char *value) {
    if (is_secret(name, value)) return "'(not kept)'";
    size_t length = strlen(value);
    const char *text = arena_copy(&app->arena, value, length < VALUE_MAX ? length : VALUE_MAX);
    return text_shell_word(
        &app->arena,
        text_clean(&app->arena, length <= VALUE_MAX ? text : arena_printf(&app->arena, "%s...", text)));
}

static const char *read_environment(App *app) {
    const char *lines[VARIABLES_MAX];
    size_t n = 0, more = 0;
    for (char **line = environ; line != NULL && *line != NULL; line++) {
        size_t length = strcspn(*line, "=");
        if ((*line)[length] != '=' || !is_kept(arena_copy(&app->arena, *line, length))) continue;
        if (n < VARIABLES_MAX) {
            lines[n++] = *line;
        } else {
            more++;
        }
    }
    if (more > 0)
        app_warn(app, "%s of NCCL or RCCL more than %d: not kept with the run",
                 counted(&app->arena, more, "variable"), VARIABLES_MAX);
    qsort(lines, n, sizeof *lines, order_texts);
    const char *text = "";
    for (size_t i = 0; i < n; i++) {
        size_t length = strcspn(lines[i], "=");
        const char *name = arena_copy(&app->arena, lines[i], length);
        text = arena_printf(&app->arena, "%s%s%s=%s", text, i > 0 ? " " : "", name,
                            value_text(app, name, lines[i] + length + 1));
    }
    return text;
}

void bench_job(App *app, BenchRun *run) {
    read_job(app, run);
    run->environment = read_environment(app);
    run->record = "";
}
