// gpus: the GPUs of the catalog, and how each reports itself.
#include <string.h>

#include "cli/cmd.h"
#include "cli/own.h"

static const BrowseColumn columns[] = {
    {"sku_id", "GPU", 0, 0, 0},
    {"vendor", "VENDOR", 0, 0, 0},
    {"memory_gb", "MEM GB", 4, 0, 0},
    {"memory_bw_gb_s", "GB/s", 5, 0, 0},
    {"bf16_tflops", "BF16", 5, 0, 0},
    {"fp8_tflops", "FP8", 5, 0, 0},
    {"fp4_tflops", "FP4", 5, 0, 90},
    {"board_power_w", "W", 4, 0, 0},
    {"link_gb_s", "LINK GB/s", 5, 0, 102},
    {"architecture", "ARCH", 0, 0, 114},
    {"launch", "LAUNCH", 0, 0, 124},
};

static const Browse browse = {
    .table = TABLE_GPUS,
    .name = "gpus",
    .columns = columns,
    .n_columns = COUNT_OF(columns),
    .note = "TFLOPS are dense (no structured sparsity) and per SKU; MEM GB is the vendor's number. "
            "`gpuadvise gpus show GPU` gives all.",
};

// The rows of device_ids that lead to this GPU; an empty list when the table cannot be read.
static size_t devices_of(App *app, const Gpu *g, const DeviceId **ret_ids) {
    void *rows = NULL;
    size_t n = 0;
    Err e = {0};
    if (!catalog_rows(app->catalog, TABLE_DEVICE_IDS, &app->arena, &rows, &n, &e)) {
        app_warn(app, "%s", e.text);
        return 0;
    }
    const DeviceId *all = rows;
    DeviceId *ids = arena_alloc(&app->arena, n, sizeof *ids);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(all[i].sku_id, g->sku_id) == 0) ids[used++] = all[i];
    }
    *ret_ids = ids;
    return used;
}

static void devices_json(App *app, const void *row, Json *object) {
    const DeviceId *ids = NULL;
    size_t n = devices_of(app, row, &ids);
    json_add_text(object, "compute_figures", "dense");
    Json *list = json_add_array(object, "device_ids");
    for (size_t i = 0; i < n; i++)
        row_json(json_add_object(list, NULL), &fact_tables[TABLE_DEVICE_IDS], &ids[i]);
}

static void devices_text(App *app, const Gpu *g) {
    const DeviceId *ids = NULL;
    size_t n = devices_of(app, g, &ids);
    buf_printf(&app->out,
               "\nCompute figures are dense (no structured sparsity). Known to report itself in %s%s\n",
               counted(&app->arena, n, "way"), n > 0 ? ":" : ".");
    for (size_t i = 0; i < n; i++) {
        const char *device = ids[i].pci_device[0] != '\0' ? ids[i].pci_device : "any PCI device";
        const char *dot = ids[i].name[0] != '\0' ? ", " : "";
        Buf line;
        buf_init(&line, BUF_LIMIT);
        buf_puts(&app->out, "  ");
        buf_printf(&line, "%s%s%s", device, dot, ids[i].name);
        if (ids[i].pci_subsystem[0] != '\0') buf_printf(&line, ", subsystem %s", ids[i].pci_subsystem);
        if (ids[i].pci_revision[0] != '\0') buf_printf(&line, ", revision %s", ids[i].pci_revision);
        text_wrapped(&app->out, line.data, 4, app_width(app));
        buf_free(&line);
    }
}

static int show(App *app) {
    Err e = {0};
    void *gpus = NULL;
    size_t n = 0;
    const Gpu *g = NULL;
    if (!app_table(app, TABLE_GPUS, &gpus, &n, &e) || !find_gpu(app, gpus, n, app->args[0], &g, &e))
        return app_fail(app, &e);
    int code = browse_show(app, &browse, g, devices_json);
    if (app->format == FORMAT_TABLE) devices_text(app, g);
    return code;
}

static int list(App *app) {
    Err e = {0};
    void *loaded = NULL;
    size_t n = 0, used = 0;
    if (!app_table(app, TABLE_GPUS, &loaded, &n, &e)) return app_fail(app, &e);
    const Gpu *gpus = loaded;
    int vendor = opt_choice(app, OPT_VENDOR, -1);
    const void **rows = arena_alloc(&app->arena, n, sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        if (vendor < 0 || gpus[i].vendor == vendor) rows[used++] = &gpus[i];
    }
    return browse_list(app, &browse, rows, used);
}

static const Verb verbs[] = {
    {"list", "", 0, 0, false, "all of them, with memory, bandwidth and dense arithmetic",
     TAKES(OPT_VENDOR, OPT_WHERE, OPT_SORT), list},
    {"show", "GPU", 1, 1, false, "one with every figure, and how it reports itself", NO_OPTIONS, show},
    OWN_VERBS("GPU", "GPU")};

COMMAND(gpus, "gpus", FORMATS_LISTING, .browse = &browse, .summary = "GPUs of the catalog",
        .description = "Short names work too (`mi300x`, `h100`), names on datasheets, architectures and "
                       "compiler targets that one GPU has; what was taken is said. " OWN_HELP(
                           "`gpus add my-gpu vendor=amd architecture=cdna3 memory_gb=192 link_topology=mesh "
                           "memory_bw_gb_s=5300 ...`"));
