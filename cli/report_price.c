// --price and --gpu-price: what a provider would take for an hour of a GPU, and what a GPU would be bought
// for, by the user's own quotes.
#include <math.h>
#include <string.h>

#include "cli/report_price.h"

// "runpod:mi300x" -> the provider as the offers have it, and the GPU.
static bool read_name(App *app, const Facts *f, const char *name, const char **ret_provider,
                      const Gpu **ret_gpu, Err *e) {
    Str rest = str_of(name);
    Str provider;
    str_next(&rest, ':', &provider);
    if (rest.data == NULL || rest.length == 0) return err_set(e, ERR_USAGE, "'%s' is not PROVIDER:GPU", name);
    const char *word = arena_copy(&app->arena, provider.data, provider.length);
    const char **names = arena_alloc(&app->arena, f->n_offers + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < f->n_offers; i++) {
        // they come by provider
        if (n == 0 || strcmp(names[n - 1], f->offers[i].provider) != 0) names[n++] = f->offers[i].provider;
    }
    return find_provider(app, names, n, word, ret_provider, e) &&
           find_gpu(app, f->gpus, f->n_gpus, rest.data, ret_gpu, e);
}

static size_t set_prices(App *app, Offer *offers, size_t n, const char *provider, const Gpu *gpu,
                         double usd_gpu_h) {
    size_t changed = 0;
    for (size_t i = 0; i < n; i++) {
        Offer *o = &offers[i];
        if (strcmp(o->provider, provider) != 0 || strcmp(o->sku_id, gpu->sku_id) != 0) continue;
        double gpus = is_known(o->gpu_count) ? o->gpu_count : 1;
        int64_t micros = (int64_t)llround(usd_gpu_h * gpus * 1e6);
        o->price_micro_usd_h = micros > 0 ? micros : 1;
        o->source = arena_printf(&app->arena, "option --price, not the listed price; listed: %s", o->source);
        changed++;
    }
    return changed;
}

bool report_prices(App *app, Facts *f, Err *e) {
    if (!opt_set(app, OPT_PRICE)) return true;
    Offer *offers = arena_alloc(&app->arena, f->n_offers + 1, sizeof *offers);
    if (f->n_offers > 0) memcpy(offers, f->offers, f->n_offers * sizeof *offers);
    const char *name = NULL;
    double usd = 0;
    for (size_t i = 0; opt_pair(app, OPT_PRICE, i, &name, &usd, &app->arena); i++) {
        const char *provider = NULL;
        const Gpu *gpu = NULL;
        if (!read_name(app, f, name, &provider, &gpu, e)) return err_wrap(e, "option '--price'");
        if (set_prices(app, offers, f->n_offers, provider, gpu, usd) == 0)
            return err_set(e, ERR_USAGE, "option '--price': %s has no offer of %s", provider, gpu->sku_id);
        app_warn(app, "%s at %s costs $%g per GPU-hour by --price, not as listed", gpu->sku_id, provider,
                 usd);
    }
    f->offers = offers;
    return true;
}

bool report_quotes(App *app, const Facts *f, Ask *ask, Err *e) {
    const char *name = NULL;
    double usd = 0;
    for (size_t i = 0; opt_pair(app, OPT_GPU_PRICE, i, &name, &usd, &app->arena); i++) {
        const Gpu *gpu = NULL;
        if (i == QUOTES_MAX) return err_set(e, ERR_USAGE, "option '--gpu-price': more than %d", QUOTES_MAX);
        if (!find_gpu(app, f->gpus, f->n_gpus, name, &gpu, e)) return err_wrap(e, "option '--gpu-price'");
        for (size_t k = 0; k < ask->n_quotes; k++) {
            if (ask->quotes[k].gpu == gpu)
                return err_set(e, ERR_USAGE, "option '--gpu-price': %s is given twice", gpu->sku_id);
        }
        ask->quotes[ask->n_quotes++] = (Quote){gpu, usd};
    }
    return true;
}
