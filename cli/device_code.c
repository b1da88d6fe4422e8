// What device code is linked, for `bench list`, `version` and `doctor`.
#include "cli/cli.h"
#include "kernels/code.h"

static const char *ptx_text(Arena *a, const DeviceCode *c) {
    return arena_printf(a, "%d.%d", c->ptx_version / 10, c->ptx_version % 10);
}

const char *device_code_text(Arena *a) {
    const char *ptx = "", *objects = "";
    DeviceCode c;
    for (size_t i = 0; device_code(i, &c); i++) {
        if (c.ptx_version > 0) {
            ptx = arena_printf(a, "%s%s%s (PTX %s)", ptx, ptx[0] != '\0' ? ", " : "", c.target,
                               ptx_text(a, &c));
        } else {
            objects = arena_printf(a, "%s%s%s", objects, objects[0] != '\0' ? ", " : "", c.target);
        }
    }
    return arena_printf(a, "for NVIDIA: %s. For AMD: %s", ptx, objects);
}

void device_code_json(Arena *a, Json *root) {
    Json *embedded = json_add_object(root, "embedded");
    Json *ptx = json_add_array(embedded, "ptx"), *objects = json_add_array(embedded, "amdgpu");
    DeviceCode c;
    for (size_t i = 0; device_code(i, &c); i++) {
        if (c.ptx_version == 0) {
            json_add_text(objects, NULL, c.target);
            continue;
        }
        Json *one = json_add_object(ptx, NULL);
        json_add(one, J_TEXT("target", c.target), J_TEXT("version", ptx_text(a, &c)));
    }
}
