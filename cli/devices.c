// The GPUs of this machine, mapped to the catalog's.
#include "kernels/devices.h"

#include <stdlib.h>

#include "cli/cli.h"
#include "kernels/bench.h"

static const DeviceId *device_ids(App *app, size_t *ret_n) {
    Catalog *c = NULL;
    void *rows = NULL;
    Err e = {0};
    *ret_n = 0;
    if (!app_catalog(app, &c, &e) || !catalog_rows(c, TABLE_DEVICE_IDS, &app->arena, &rows, ret_n, &e)) {
        app_warn(app, "GPUs are not mapped to the catalog: %s", e.text);
        return NULL;
    }
    return rows;
}

const char *app_gpu_named(App *app, const GpuDevice *g, const char *name) {
    size_t n = 0;
    const DeviceId *ids = g->pci_device[0] == '\0' ? device_ids(app, &n) : NULL;
    const DeviceId *row = device_named(g->vendor, name, ids, n);
    return row != NULL ? row->sku_id : "";
}

const char *app_sku_of(App *app, const GpuDevice *g) {
    size_t n = 0;
    const char *why = "";
    const DeviceId *ids = device_ids(app, &n);
    const DeviceId *row = g->pci_device[0] != '\0' ? device_match(g, ids, n, &app->arena, &why)
                                                   : device_named(g->vendor, g->name, ids, n);
    return row != NULL ? row->sku_id : "";
}

// "38 compute units, CPX/NPS4, part 3 of 8: ..."
static const char *part_of(App *app, const GpuDevice *g) {
    Buf b;
    buf_init(&b, 4096);
    if (is_known(g->cu_count)) buf_printf(&b, "%.0f compute units", g->cu_count);
    if (is_known(g->memory_gib)) buf_printf(&b, "%s%.0f GiB", b.length > 0 ? ", " : "", g->memory_gib);
    if (g->partition[0] != '\0') buf_printf(&b, "%s%s", b.length > 0 ? ", " : "", g->partition);
    if (g->parts > 1)
        buf_printf(&b, ", part %zu of %zu: not comparable with figures of the whole GPU", g->part, g->parts);
    if (g->link_width < g->link_width_max)
        buf_printf(&b, "%sPCIe x%.0f of x%.0f", b.length > 0 ? ", " : "", g->link_width, g->link_width_max);
    const char *text = b.length > 0 ? arena_copy(&app->arena, b.data, b.length) : "";
    buf_free(&b);
    return text;
}

size_t app_gpus(App *app, const GpuDevice **ret_gpus, BenchDevice **ret_devices) {
    const char *root = getenv("GPUADVISE_SYSROOT");
    size_t n = devices_probe(root != NULL ? root : "", &app->arena, ret_gpus), n_ids = 0;
    const DeviceId *ids = n > 0 ? device_ids(app, &n_ids) : NULL;
    *ret_devices = arena_alloc(&app->arena, n, sizeof **ret_devices);
    for (size_t i = 0; i < n; i++) {
        const GpuDevice *g = &(*ret_gpus)[i];
        const char *unmapped = "";
        const DeviceId *row = device_match(g, ids, n_ids, &app->arena, &unmapped);
        const char *name = g->name[0] != '\0' ? g->name : row != NULL ? row->name : g->pci_device;
        if (row == NULL && n_ids > 0 && g->pci_address[0] != '\0') app_note(app, "gpu%zu: %s", i, unmapped);
        BenchDevice *d = &(*ret_devices)[i];
        *d = bench_device_blank(arena_printf(&app->arena, "gpu%zu", i), vendor_names[g->vendor], name);
        d->sku_id = row != NULL ? row->sku_id : "";
        d->pci = g->pci_address;
        d->driver = g->driver;
        d->why = g->missing;
        d->how = part_of(app, g);
    }
    return n;
}
