// Code and launches: CUDA's driver and HIP.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/pattern.h"
#include "tests/fake/gpu/state.h"

// ---------------------------------------------------------------- code

static unsigned do_module_load(State *s, GpuModule *module, const void *image) {
    char gfx[256];
    READY(s);
    bool cuda = s == &fake_states[FAKE_CUDA];
    int driver = (int)state_number(s, "driver", 12040);
    unsigned error = cuda ? fake_check_ptx(image, driver, (int)state_number(s, "cc", 90))
                          : fake_check_object(image, fake_text(s->variable, "gfx", "gfx942", gfx));
    bool compiled = strncmp(image, FAKE_OBJECT, sizeof FAKE_OBJECT - 1) == 0;
    if (error == OK && !compiled) error = (unsigned)state_number(s, "refuse", 0);
    if (error != OK) return error;
    for (size_t i = 0; i < MODULES; i++) {
        if (s->modules[i].image != NULL) continue;
        // What a compiler made may be gone after this call; what is linked into the program stays.
        s->modules[i] = (Module){compiled ? FAKE_OBJECT : image, s->current};
        *module = &s->modules[i];
        return OK;
    }
    return OUT_OF_MEMORY;
}

static unsigned do_module_unload(State *s, GpuModule module) {
    READY(s);
    ((Module *)module)->image = NULL;
    return OK;
}

// Entries that are no test have no row of their own: what a launch checks, and their names.
static const Kernel helpers[HELPERS] = {{.launch = {"gk_differ", 128, {0}}},
                                        {.launch = {"gk_pattern_fill", 128, {0}}},
                                        {.launch = {"gk_pattern_check", 128, {0}}}};

static unsigned do_function(State *s, GpuFunction *function, GpuModule module, const char *name) {
    READY(s);
    Module *m = module;
    if (m < s->modules || m >= s->modules + MODULES || m->image == NULL || m->device != s->current)
        return INVALID_HANDLE;
    if (!fake_has_entry((FakeApi)(s - fake_states), m->image, name)) return NOT_FOUND;
    for (size_t i = 0; i < HELPERS; i++) {
        if (strcmp(helpers[i].launch.entry, name) != 0) continue;
        Function *f = &s->functions[m - s->modules][KERNEL_COUNT + i];
        *f = (Function){m, &helpers[i], SHARED_PLAIN};
        *function = f;
        return OK;
    }
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        if (strcmp(kernel_table[i].launch.entry, name) != 0) continue;
        Function *f = &s->functions[m - s->modules][i];
        *f = (Function){m, &kernel_table[i], SHARED_PLAIN};
        *function = f;
        return OK;
    }
    return NOT_FOUND;
}

// ---------------------------------------------------------------- launches

// A fault that strikes at this entry: "hang=gk_triad".
static bool strikes(const State *s, const char *key, const Kernel *k) {
    return state_word(s, key, k->launch.entry);
}

void state_mark(const State *s) {
    char path[256];
    FILE *f = fopen(fake_text(s->variable, "mark", "/nonexistent/mark", path), "w");
    if (f != NULL) fclose(f);
}

// "error=gk_triad:719"
static unsigned error_of(State *s, const Kernel *k) {
    char text[256];
    const char *value = fake_text(s->variable, "error", "", text), *colon = strchr(value, ':');
    if (colon == NULL || strlen(k->launch.entry) != (size_t)(colon - value) ||
        strncmp(value, k->launch.entry, (size_t)(colon - value)) != 0)
        return OK;
    if (state_number(s, "only", s->current) != s->current) return OK;
    s->lost = (unsigned)strtoul(colon + 1, NULL, 10);
    state_mark(s);
    return s->lost;
}

static void spoil(const State *s, const Kernel *k, char *out, size_t bytes) {
    if (strikes(s, "wrong", k)) out[bytes / 2] = (char)~out[bytes / 2];
    if (strikes(s, "stray", k)) out[bytes] = 0;
}

// A multiprocessor that is always wrong: its tiles of the output, each of which a block of the grid computes
// in its turn.
static void spoil_unit(const State *s, const Kernel *k, const Shape *shape, unsigned grid, char *out,
                       size_t bytes) {
    double unit = state_number(s, "wrong_unit", -1);
    size_t tiles = kernel_blocks(k, shape), units = (size_t)state_number(s, "units", 132);
    for (size_t t = 0; unit >= 0 && t < tiles; t++) {
        size_t word = t * (bytes / sizeof(uint32_t)) / tiles * sizeof(uint32_t);
        if (t % grid % units == (size_t)unit) out[word] = (char)~out[word];
    }
}

// Wrong from a repetition on: once, and what is in memory stays.
static void spoil_later(State *s, char *out, size_t bytes) {
    double after = state_number(s, "wrong_after", -1);
    if (after >= 0 && s->repeats == (uint64_t)after + 1) out[bytes / 3] = (char)~out[bytes / 3];
}

// Executes the PTX of an entry of `n` arguments, all of 64 bits; `buffers`: which of them are memory, and of how many
// bytes. The last one is written.
static unsigned launch_ptx(State *s, const Function *f, const PtxLaunch *grid, void **arguments, size_t n,
                           const size_t *bytes) {
    uint64_t params[3 + BUFFERS_MAX];
    PtxRange ranges[BUFFERS_MAX];
    PtxLaunch l = *grid;
    l.params = params, l.n_params = n, l.ranges = ranges, l.n_ranges = 0;
    for (size_t i = 0; i < n; i++) {
        memcpy(&params[i], arguments[i], sizeof params[i]);
        if (bytes[i] == 0) continue;
        char *host = state_range(s, params[i], bytes[i]);
        if (host == NULL) return s->lost = ILLEGAL_ADDRESS;
        ranges[l.n_ranges++] = (PtxRange){params[i], host, bytes[i], i + 1 == n};
    }
    unsigned error = fake_run_ptx(f->module->image, f->kernel->launch.entry, &l);
    if (error != OK) s->lost = error;
    return error;
}

static unsigned launch_kernel_ptx(State *s, const Function *f, const PtxLaunch *grid, void **arguments,
                                  const Shape *shape) {
    const Kernel *k = f->kernel;
    size_t dims = kernel_dims(k), bytes[3 + BUFFERS_MAX] = {0};
    for (size_t i = 0; i <= k->output; i++)
        bytes[dims + i] = buffer_count(&k->buffers[i], shape) * elem_size(k->buffers[i].elem);
    return launch_ptx(s, f, grid, arguments, dims + k->output + 1, bytes);
}

// Two arrays and a counter; memory and, where it is checked, a counter.
static unsigned launch_helper_ptx(State *s, const Function *f, const PtxLaunch *grid, void **arguments) {
    uint64_t words = 0;
    memcpy(&words, arguments[0], sizeof words);
    size_t array = words * sizeof(uint32_t), differ[] = {0, array, array, sizeof(uint32_t)},
           pattern[] = {0, 0, 0, 0, array, sizeof(uint32_t)};
    if (f->kernel == &helpers[0]) return launch_ptx(s, f, grid, arguments, COUNT_OF(differ), differ);
    return launch_ptx(s, f, grid, arguments, f->kernel == &helpers[1] ? 5 : 6, pattern);
}

// The same comparison of the same memory again: the host does it, thousands of times while a kernel is timed.
static bool compared_before(State *s, const Function *f, void **arguments) {
    Launched now = {.function = f, .memory = s->memory};
    if (f->kernel != &helpers[0]) return false;
    for (size_t i = 0; i < 4; i++) memcpy(&now.values[i], arguments[i], sizeof now.values[i]);
    bool again = memcmp(&now, &s->compared, sizeof now) == 0;
    s->compared = now;
    return again;
}

// What the device code does, without a place in the last launch.
static unsigned launch_the_differ(State *s, void **arguments) {
    uint64_t words = 0;
    GpuPointer at[3];
    memcpy(&words, arguments[0], sizeof words);
    for (size_t i = 0; i < COUNT_OF(at); i++) memcpy(&at[i], arguments[i + 1], sizeof at[i]);
    const char *a = state_range(s, at[0], words * sizeof(uint32_t)),
               *b = state_range(s, at[1], words * sizeof(uint32_t));
    char *count = state_range(s, at[2], sizeof(uint32_t));
    uint32_t n = 0;
    if (a == NULL || b == NULL || count == NULL) return s->lost = ILLEGAL_ADDRESS;
    memcpy(&n, count, sizeof n);
    bool same = memcmp(a, b, words * sizeof(uint32_t)) == 0;
    for (uint64_t i = 0; !same && i < words; i++) {
        if (memcmp(a + i * sizeof(uint32_t), b + i * sizeof(uint32_t), sizeof(uint32_t)) != 0) n++;
    }
    memcpy(count, &n, sizeof n);
    return OK;
}

// Memory that is not what it should be: "stuck=WORD", whose lowest bit is always 1; "alias=BIT", of the number
// of a word, that no line carries; "flaky=WORD", read wrong and kept right.
static unsigned launch_pattern(State *s, void **arguments, bool check, Stream *on) {
    uint64_t v[4];
    GpuPointer at = 0, count_at = 0;
    uint32_t wrong = 0;
    for (size_t i = 0; i < COUNT_OF(v); i++) memcpy(&v[i], arguments[i], sizeof v[i]);
    memcpy(&at, arguments[4], sizeof at);
    if (check) memcpy(&count_at, arguments[5], sizeof count_at);
    uint32_t *words = (void *)state_range(s, at, v[0] * sizeof *words);
    char *count = check ? state_range(s, count_at, sizeof wrong) : NULL;
    if (words == NULL || (check && count == NULL)) return s->lost = ILLEGAL_ADDRESS;
    double stuck = state_number(s, "stuck", -1), flaky = state_number(s, "flaky", -1),
           alias = state_number(s, "alias", -1);
    uint64_t lost = alias >= 0 ? ~(UINT64_C(1) << (unsigned)alias) : UINT64_MAX;
    for (uint64_t i = 0; i < v[0]; i++) {
        uint32_t want = pattern_word((unsigned)v[2], v[1] + i, (uint32_t)v[3]), *cell = &words[i & lost];
        if (!check) *cell = (double)(v[1] + i) == stuck ? want | 1 : want;
        if (check) wrong += *cell != want || (double)(v[1] + i) == flaky;
    }
    if (check) {
        uint32_t sum = 0;
        memcpy(&sum, count, sizeof sum);
        sum += wrong;
        memcpy(count, &sum, sizeof sum);
    }
    on->clock += (double)v[0] * sizeof *words / (state_number(s, "bw", 3000) * 1e9) + 1e-6;
    return OK;
}

static double seconds_of(const State *s, const Kernel *k, const Shape *shape) {
    const double least = 20e-6, latency_s = 600e-9;  // few launches a batch: tests stay short
    double bytes = k->bytes(shape);
    if (k->kind == KIND_LATENCY) return bytes * latency_s;
    double moving = bytes / (state_number(s, "bw", 3000) * 1e9),
           computing = k->flops(shape) / (state_number(s, "gflops", 50000) * 1e9);
    double factor = state_number(s, "lame", -1) == s->current ? 2 : 1;
    return factor * fmax(least, k->kind == KIND_COMPUTE ? computing : moving);
}

// Sizes and buffers of the arguments: every buffer must be memory of the device, whole.
static bool take_arguments(State *s, const Kernel *k, void **arguments, CpuArgs *call, size_t *ret_out_bytes,
                           uint64_t *values) {
    size_t dims = kernel_dims(k);
    for (size_t i = 0; i < dims; i++) {
        memcpy(&values[i], arguments[i], sizeof values[i]);
        call->shape.d[i] = values[i];
    }
    for (size_t i = 0; i <= k->output; i++) {
        GpuPointer pointer = 0;
        memcpy(&pointer, arguments[dims + i], sizeof pointer);
        values[dims + i] = pointer;
        size_t bytes = buffer_count(&k->buffers[i], &call->shape) * elem_size(k->buffers[i].elem);
        char *host = state_range(s, pointer, bytes);
        if (host == NULL) return false;
        if (i == k->output) call->out = host, *ret_out_bytes = bytes;
        if (i < k->output) call->in[i] = host;
    }
    return true;
}

static unsigned do_launch(State *s, GpuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                          GpuStream stream, void **arguments, void **extra) {
    READY(s);
    const Function *f = function;
    Stream *on = state_stream(s, stream);
    if (on == NULL || f < s->functions[0] || f >= s->functions[0] + (size_t)MODULES * ENTRIES ||
        f->module == NULL || f->module->image == NULL)
        return INVALID_HANDLE;
    if (f->module->device != s->current) return INVALID_HANDLE;
    const Kernel *k = f->kernel;
    if (grid_x == 0 || grid_x > 0x7FFFFFFF || grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1 ||
        extra != NULL || shared_bytes > f->shared)
        return INVALID_VALUE;
    if (block_x == 0 || block_x > THREADS_MAX || block_x != k->launch.threads) return INVALID_VALUE;
    const PtxLaunch grid = {.blocks = grid_x, .threads = block_x, .dynamic_bytes = shared_bytes};
    bool ptx = s == &fake_states[FAKE_CUDA] && fake_runs_ptx();
    if (ptx && k >= helpers && k < helpers + HELPERS && !compared_before(s, f, arguments))
        return launch_helper_ptx(s, f, &grid, arguments);
    if (k == &helpers[0]) return launch_the_differ(s, arguments);
    if (k == &helpers[1] || k == &helpers[2]) return launch_pattern(s, arguments, k == &helpers[2], on);
    if (shared_bytes < kernel_shared(k)) return s->lost = ILLEGAL_ADDRESS;
    if (strikes(s, "crash", k)) raise(SIGSEGV);
    if (strikes(s, "hang", k)) state_mark(s);
    while (strikes(s, "hang", k)) sleep(1);
    unsigned error = error_of(s, k);
    if (error != OK) return error;
    CpuArgs call = {0};
    Launched now = {.function = f, .blocks = grid_x, .memory = s->memory};
    size_t out_bytes = 0;
    if (!take_arguments(s, k, arguments, &call, &out_bytes, now.values)) return s->lost = ILLEGAL_ADDRESS;
    s->repeats = memcmp(&now, &s->last, sizeof now) == 0 ? s->repeats + 1 : 0;
    if (s->repeats == 0 && ptx) error = launch_kernel_ptx(s, f, &grid, arguments, &call.shape);
    if (error != OK) return error;
    if (s->repeats == 0) {
        if (!ptx) cpu_run(&s->cpu, (KernelId)(k - kernel_table), &call);
        spoil(s, k, call.out, out_bytes);
        spoil_unit(s, k, &call.shape, grid_x, call.out, out_bytes);
    }
    spoil_later(s, call.out, out_bytes);
    s->last = now;
    on->clock += seconds_of(s, k, &call.shape);
    return OK;
}

// ---------------------------------------------------------------- the exported names

BOTH(cuModuleLoadData, hipModuleLoadData, (GpuModule * module, const void *image),
     do_module_load(s, module, image))
BOTH(cuModuleUnload, hipModuleUnload, (GpuModule module), do_module_unload(s, module))
BOTH(cuModuleGetFunction, hipModuleGetFunction, (GpuFunction * function, GpuModule module, const char *name),
     do_function(s, function, module, name))
BOTH(cuLaunchKernel, hipModuleLaunchKernel,
     (GpuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
      unsigned block_y, unsigned block_z, unsigned shared_bytes, GpuStream stream, void **arguments,
      void **extra),
     do_launch(s, function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream,
               arguments, extra))

unsigned cuFuncSetAttribute(GpuFunction function, GpuFunctionAttribute attribute, int value) {
    State *s = &fake_states[FAKE_CUDA];
    READY(s);
    Function *f = function;
    if (f < s->functions[0] || f >= s->functions[0] + (size_t)MODULES * ENTRIES || f->module == NULL)
        return INVALID_HANDLE;
    // The largest block of compute capability 9.0, and of what came before and after it for desktops, in
    // bytes.
    if (attribute != 8 || value < 0 || value > ((int)state_number(s, "cc", 90) == 90 ? 232448 : 101376))
        return INVALID_VALUE;
    f->shared = (unsigned)value;
    return OK;
}
