// The process that reads sensors, and the lines it writes.
#include "kernels/sensors.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "kernels/devices.h"

static void put_figures(Buf *out, const double *figures, size_t n) {
    for (size_t k = 0; k < n; k++) {
        if (is_known(figures[k])) {
            buf_printf(out, " %.1f", figures[k]);
        } else {
            buf_puts(out, " -");
        }
    }
}

static void put_line(Buf *out, size_t i, const GpuState *s, const BoardFacts *b, const char *words) {
    const double figures[] = {s->clock_mhz,       s->power_w,        s->temperature_c,   s->busy_pct,
                              s->memory_used_gib, b->power_limit_w,  b->power_default_w, b->link_width,
                              b->link_width_max,  b->other_processes};
    buf_printf(out, "%zu", i);
    put_figures(out, figures, COUNT_OF(figures));
    buf_printf(out, " %s\n", words);
}

// One word of a text: blanks would begin another.
static void put_word(Buf *out, const char *text) {
    buf_puts(out, text[0] == '\0' ? " -" : " ");
    for (; *text != '\0'; text++) buf_add(out, *text == ' ' ? "_" : text, 1);
}

static void put_device(Buf *out, size_t i, const GpuDevice *d) {
    const double figures[] = {d->gfx_target_version, d->cu_count, d->memory_gib};
    buf_printf(out, "device %zu %s", i, vendor_names[d->vendor]);
    put_word(out, d->pci_device);
    put_word(out, d->pci_subsystem);
    put_word(out, d->pci_revision);
    put_figures(out, figures, COUNT_OF(figures));
    put_word(out, d->driver);
    buf_printf(out, " %s\n", d->name);
}

static bool put_all(int out, const Buf *text) {
    for (size_t done = 0; done < text->length;) {
        ssize_t n = write(out, text->data + done, text->length - done);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) done += (size_t)n;
    }
    return true;
}

static bool put_head(int out, const GpuDevice *gpus, size_t n) {
    Buf text;
    buf_init(&text, 1 << 16);
    buf_printf(&text, "sensors %d %zu\n", SENSORS_VERSION, n);
    for (size_t i = 0; i < n; i++) put_device(&text, i, &gpus[i]);
    bool done = put_all(out, &text);
    buf_free(&text);
    return done;
}

int sensors_main(int out) {
    const char *root = getenv("GPUADVISE_SYSROOT");
    const GpuDevice *gpus = NULL;
    Arena a = {0};
    if (root == NULL) root = "";
    size_t n = devices_probe(root, &a, &gpus);
    if (n > SENSOR_GPUS_MAX) n = SENSOR_GPUS_MAX;
    bool read_on = put_head(out, gpus, n);
    Telemetry *each = arena_alloc(&a, n + 1, sizeof *each);
    GpuState *before = arena_alloc(&a, n + 1, sizeof *before);
    const char **unread = arena_alloc(&a, n + 1, sizeof *unread);
    for (size_t i = 0; i < n; i++) {
        telemetry_open(gpus[i].vendor == VENDOR_NVIDIA ? GPU_CUDA : GPU_HIP, root, gpus[i].pci_address, &a,
                       &each[i], &unread[i]);
        telemetry_read(&each[i], &before[i]);
    }
    while (read_on && n > 0) {
        Arena line = {0};
        Buf text;
        struct timespec second = {.tv_sec = 1};
        buf_init(&text, 1 << 16);
        for (size_t i = 0; i < n; i++) {
            GpuState now;
            BoardFacts board;
            telemetry_read(&each[i], &now);
            telemetry_board(&each[i], &board);
            put_line(&text, i, &now, &board,
                     unread[i][0] != '\0' ? unread[i]
                                          : limits_text(&line, telemetry_limits(&before[i], &now)));
            before[i] = now;
        }
        read_on = put_all(out, &text);
        buf_free(&text);
        arena_free(&line);
        if (read_on) nanosleep(&second, NULL);
    }
    for (size_t i = 0; i < n; i++) telemetry_close(&each[i]);
    arena_free(&a);
    return 0;
}

static bool take_figures(Str *line, double *const *figures, size_t n) {
    Str word;
    for (size_t i = 0; i < n; i++) {
        if (!str_next(line, ' ', &word)) return false;
        *figures[i] = (double)NAN;
        if (!str_is(word, "-") && !parse_number(word, -1e9, 1e9, figures[i], NULL)) return false;
    }
    return true;
}

static bool take_number(Str *line, size_t *ret_gpu) {
    Str word;
    int64_t gpu = 0;
    if (!str_next(line, ' ', &word) || !parse_integer(word, 0, SENSOR_GPUS_MAX - 1, &gpu, NULL)) return false;
    *ret_gpu = (size_t)gpu;
    return true;
}

bool sensor_line_read(Str line, SensorLine *ret_line) {
    SensorLine x = {0};
    double *const figures[] = {&x.clock_mhz,       &x.power_w,       &x.temperature_c,   &x.busy_pct,
                               &x.memory_used_gib, &x.power_limit_w, &x.power_default_w, &x.link_width,
                               &x.link_width_max,  &x.processes};
    if (!take_number(&line, &x.gpu) || !take_figures(&line, figures, COUNT_OF(figures))) return false;
    x.words = line.data != NULL ? line : (Str){"", 0};
    *ret_line = x;
    return true;
}

bool sensor_head_read(Str line, size_t *ret_gpus) {
    Str word;
    int64_t version = 0, n = 0;
    if (!str_next(&line, ' ', &word) || !str_is(word, "sensors")) return false;
    if (!str_next(&line, ' ', &word) || !parse_integer(word, 0, 1000, &version, NULL)) return false;
    if (line.data == NULL || !parse_integer(line, 0, SENSOR_GPUS_MAX, &n, NULL)) return false;
    *ret_gpus = (size_t)n;
    return version == SENSORS_VERSION;
}

static bool take_word(Str *line, Arena *a, const char **ret_text) {
    Str word;
    if (!str_next(line, ' ', &word)) return false;
    *ret_text = str_is(word, "-") ? "" : text_clean(a, arena_copy(a, word.data, word.length));
    return true;
}

bool sensor_device_read(Str line, Arena *a, size_t *ret_number, GpuDevice *ret_device) {
    GpuDevice d = {.pci_address = "",
                   .partition = "",
                   .missing = "",
                   .part = 1,
                   .parts = 1,
                   .link_width = (double)NAN,
                   .link_width_max = (double)NAN};
    double *const figures[] = {&d.gfx_target_version, &d.cu_count, &d.memory_gib};
    const char *vendor = "";
    Str word;
    if (!str_next(&line, ' ', &word) || !str_is(word, "device") || !take_number(&line, ret_number))
        return false;
    if (!take_word(&line, a, &vendor) || (d.vendor = name_index(vendor_names, vendor)) < 0) return false;
    if (!take_word(&line, a, &d.pci_device) || !take_word(&line, a, &d.pci_subsystem) ||
        !take_word(&line, a, &d.pci_revision) || !take_figures(&line, figures, COUNT_OF(figures)) ||
        !take_word(&line, a, &d.driver))
        return false;
    d.name = line.data != NULL ? text_clean(a, arena_copy(a, line.data, line.length)) : "";
    *ret_device = d;
    return true;
}
