// `prices list VENDOR:NAME:MEM:COUNT`.
#include "cli/prices.h"

#include <string.h>

static bool spec_memory(Str text, double *ret_gb, Err *e) {
    if (text.length > 2 && char_lower(text.data[text.length - 2]) == 'g' &&
        char_lower(text.data[text.length - 1]) == 'b')
        text.length -= 2;
    return parse_number(text, 0.001, 1e6, ret_gb, e) || err_wrap(e, "memory");
}

static bool spec_count(Str text, double *ret_count, Err *e) {
    return parse_number(text, 0.01, 100000, ret_count, e) || err_wrap(e, "count");
}

static bool spec_vendor(App *app, Str text, int *ret_vendor, Err *e) {
    char *name = arena_copy(&app->arena, text.data, text.length);
    for (char *c = name; *c != '\0'; c++) *c = char_lower(*c);
    int vendor = name_index(vendor_names, name);
    if (vendor < 0) return name_unknown(e, "vendor", name, vendor_names, VENDOR_COUNT);
    *ret_vendor = vendor;
    return true;
}

static bool spec_part(App *app, size_t index, Str part, PriceFilter *f, Err *e) {
    switch (index) {
    case 0: return spec_vendor(app, part, &f->offer.vendor, e);
    case 1: f->name = arena_copy(&app->arena, part.data, part.length); return true;
    case 2: return spec_memory(part, &f->memory_gb, e);
    case 3: return spec_count(part, &f->offer.gpu_count, e);
    default: return err_set(e, ERR_USAGE, "more than four parts");
    }
}

bool price_spec(App *app, const char *text, PriceFilter *f, Err *e) {
    Str rest = str_of(text);
    Str part;
    int ignored = 0;
    if (strchr(text, ':') == NULL && !spec_vendor(app, str_trim(rest), &ignored, NULL)) {
        f->name = text;
        return true;
    }
    for (size_t i = 0; str_next(&rest, ':', &part); i++) {
        part = str_trim(part);
        if ((part.length > 0 || i > 3) && !spec_part(app, i, part, f, e))
            return err_wrap(e, "'%s' (VENDOR:NAME:MEM:COUNT)", text);
    }
    return true;
}
