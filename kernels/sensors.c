// The process that reads sensors, and the lines it writes.
#include "kernels/sensors.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "kernels/devices.h"

static void put_line(Buf *out, size_t i, const GpuState *s, const char *words) {
    const double figures[] = {s->clock_mhz, s->power_w, s->temperature_c, s->busy_pct, s->memory_used_gib};
    buf_printf(out, "%zu", i);
    for (size_t k = 0; k < COUNT_OF(figures); k++) {
        if (is_known(figures[k])) {
            buf_printf(out, " %.1f", figures[k]);
        } else {
            buf_puts(out, " -");
        }
    }
    buf_printf(out, " %s\n", words);
}

static bool put_all(int out, const Buf *text) {
    for (size_t done = 0; done < text->length;) {
        ssize_t n = write(out, text->data + done, text->length - done);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) done += (size_t)n;
    }
    return true;
}

int sensors_main(int out) {
    const char *root = getenv("GPUADVISE_SYSROOT");
    const GpuDevice *gpus = NULL;
    Arena a = {0};
    bool read_on = true;
    if (root == NULL) root = "";
    size_t n = devices_probe(root, &a, &gpus);
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
            telemetry_read(&each[i], &now);
            put_line(&text, i, &now,
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

bool sensor_line_read(Str line, SensorLine *ret_line) {
    enum { GPUS_MAX = 4096 };
    SensorLine x = {0};
    double *const figures[] = {&x.clock_mhz, &x.power_w, &x.temperature_c, &x.busy_pct, &x.memory_used_gib};
    Str word;
    int64_t gpu = 0;
    if (!str_next(&line, ' ', &word) || !parse_integer(word, 0, GPUS_MAX, &gpu, NULL)) return false;
    x.gpu = (size_t)gpu;
    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        if (!str_next(&line, ' ', &word)) return false;
        *figures[i] = (double)NAN;
        if (!str_is(word, "-") && !parse_number(word, -1e9, 1e9, figures[i], NULL)) return false;
    }
    x.words = line.data != NULL ? line : (Str){"", 0};
    *ret_line = x;
    return true;
}
