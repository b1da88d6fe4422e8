// GPUs by the names that sellers give them.
//
// A name is cut into words ("AMD Instinct MI300X OAM" -> mi300x oam). Words that every card has (vendor,
// family, "gpu") say nothing; the model words must be those of the catalog's id; a form (sxm, pcie, nvl, ...)
// or a memory size that is stated must fit. What still fits several ids is unknown: an "H100" may be any of
// three cards at three prices.
#include <math.h>
#include <string.h>

#include "src/market/gpu_names.h"

enum { WORDS_MAX = 12, WORD_BYTES = 24 };

typedef struct Name {
    char model[WORDS_MAX][WORD_BYTES];  // sorted by appearance
    char form[WORDS_MAX][WORD_BYTES];
    size_t n_model, n_form;
    double memory_gb;  // NaN: not stated
} Name;

typedef struct GpuEntry {
    const Gpu *gpu;
    Name name;
} GpuEntry;

typedef struct SellerEntry {
    const SellerName *row;
    Name name;
} SellerEntry;

struct GpuNames {
    GpuEntry *entries;
    size_t n;
    const DeviceId *devices;
    size_t n_devices;
    SellerEntry *sellers;
    size_t n_sellers;
    const SellerFacts *facts;
};

// Between words of one name; '+' and the like carry nothing.
static bool is_word_char(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.'; }

static bool all_digits(const char *s) {
    if (*s == '\0') return false;
    for (; *s != '\0'; s++) {
        if ((*s < '0' || *s > '9') && *s != '.') return false;
    }
    return true;
}

// "80gb", "80g", "80gib" -> 80; NaN: no size.
static double memory_word(const char *word) {
    size_t digits = strspn(word, "0123456789");
    double gb = 0;
    const char *unit = word + digits;
    bool size = strcmp(unit, "gb") == 0 || strcmp(unit, "g") == 0 || strcmp(unit, "gib") == 0;
    if (digits == 0 || !size || !parse_number((Str){word, digits}, 1, 10000, &gb, NULL)) return (double)NAN;
    return gb;
}

static void push_word(char words[WORDS_MAX][WORD_BYTES], size_t *n, const char *word) {
    if (*n == WORDS_MAX) return;
    memcpy(words[*n], word, strlen(word) + 1);
    (*n)++;
}

// Spellings of one thing.
static const char *plain_form(const char *word) {
    static const char *const forms[][2] = {{"sxm", "sxm"},
                                           {"sxm2", "sxm2"},
                                           {"sxm3", "sxm3"},
                                           {"sxm4", "sxm4"},
                                           {"sxm5", "sxm5"},
                                           {"sxm6", "sxm6"},
                                           {"hgx", "sxm"},
                                           {"pcie", "pcie"},
                                           {"pci", "pcie"},
                                           {"nvl", "nvl"},
                                           {"hbm3e", "hbm3e"},
                                           {"server", "server"},
                                           {"se", "server"},
                                           {"ws", "ws"},
                                           {"wk", "ws"},
                                           {"we", "ws"},
                                           {"workstation", "ws"},
                                           {"maxq", "maxq"},
                                           {"blackwell", "blackwell"}};
    return paired(word, forms, COUNT_OF(forms));
}

static void take_word(Name *n, const char *word) {
    static const char silent[] =
        "nvidia amd instinct geforce radeon tesla quadro gpu gpus graphics oam hbm2 hbm2e hbm3 gddr6 gddr6x "
        "gddr7 "
        "nvlink nvidia-hgx mega ac corporation accelerator dgx spark edition vram core tensor baseboard x1";
    double gb = memory_word(word);
    const char *form = plain_form(word);
    if (is_known(gb)) {
        // "A100-80GB-160GB": of one card, then of all.
        if (!(n->memory_gb <= gb)) n->memory_gb = gb;
    } else if (form != NULL) {
        push_word(n->form, &n->n_form, form);
    } else if (!word_in(silent, word)) {
        push_word(n->model, &n->n_model, word);
    }
}

// Some sellers glue what belongs apart: "rtx4090", "rtxa6000", "a100sxm", "h100nvl", "rtxpro6000", "6000ada".
static void take_glued(Name *n, char *word) {
    static const char *const heads[] = {"geforcertx", "rtxpro", "rtx", "gtx"};
    static const char *const tails[] = {"sxm2", "sxm3", "sxm4", "sxm5", "sxm6",
                                        "sxm",  "pcie", "nvl",  "ada",  "ti"};
    for (size_t i = 0; i < COUNT_OF(heads); i++) {
        size_t length = strlen(heads[i]);
        if (strncmp(word, heads[i], length) != 0 || word[length] == '\0') continue;
        if (strcmp(heads[i], "rtxpro") == 0) push_word(n->model, &n->n_model, "rtx");
        take_word(n, strcmp(heads[i], "rtxpro") == 0 ? "pro" : i == 0 ? "rtx" : heads[i]);
        take_glued(n, word + length);
        return;
    }
    size_t length = strlen(word);
    for (size_t i = 0; i < COUNT_OF(tails); i++) {
        size_t tail = strlen(tails[i]);
        if (length <= tail || strcmp(word + length - tail, tails[i]) != 0 ||
            !(word[length - tail - 1] >= '0' && word[length - tail - 1] <= '9'))
            continue;
        if (strcmp(tails[i], "ti") == 0 && strncmp(word, "mi", 2) == 0) continue;
        word[length - tail] = '\0';
        take_word(n, word);
        take_word(n, tails[i]);
        return;
    }
    take_word(n, word);
}

// "A6000" and "RTX A6000" are one card.
static bool is_workstation_a(const char *word) {
    return word[0] == 'a' && strlen(word) == 5 && strspn(word + 1, "0123456789") == 4;
}

static void drop_rtx_of_a(Name *n) {
    bool a = false;
    for (size_t i = 0; i < n->n_model; i++) a = a || is_workstation_a(n->model[i]);
    for (size_t i = 0; a && i < n->n_model; i++) {
        if (strcmp(n->model[i], "rtx") != 0) continue;
        memmove(n->model[i], n->model[i + 1], (n->n_model - i - 1) * WORD_BYTES);
        n->n_model--;
        return;
    }
}

static void name_read(const char *text, Name *n) {
    memset(n, 0, sizeof *n);
    n->memory_gb = (double)NAN;
    char pending[WORD_BYTES] = "";  // a number that "gb" may follow as a word of its own
    while (*text != '\0') {
        char word[WORD_BYTES];
        size_t used = 0;
        for (; *text != '\0' && is_word_char(char_lower(*text)); text++) {
            if (used + 1 < sizeof word) word[used++] = char_lower(*text);
        }
        word[used] = '\0';
        if (*text != '\0') text++;
        if (used == 0) continue;
        bool unit = strcmp(word, "gb") == 0 || strcmp(word, "gib") == 0;
        if (unit && pending[0] != '\0') {
            size_t digits = strlen(pending);
            if (digits + 3 < sizeof pending) {
                memcpy(pending + digits, "gb", 3);
                take_word(n, pending);
            }
            pending[0] = '\0';
            continue;
        }
        if (pending[0] != '\0') take_word(n, pending);
        pending[0] = '\0';
        if (all_digits(word)) {
            memcpy(pending, word, used + 1);
        } else {
            take_glued(n, word);
        }
    }
    if (pending[0] != '\0') take_word(n, pending);
    drop_rtx_of_a(n);
    // "max-q" and "Max Q" are one word.
    for (size_t i = 0; i + 1 < n->n_model; i++) {
        if (strcmp(n->model[i], "max") != 0 || strcmp(n->model[i + 1], "q") != 0) continue;
        memmove(n->model[i], n->model[i + 2], (n->n_model - i - 2) * WORD_BYTES);
        n->n_model -= 2;
        push_word(n->form, &n->n_form, "maxq");
        break;
    }
}

static bool has_word(const char words[WORDS_MAX][WORD_BYTES], size_t n, const char *word) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(words[i], word) == 0) return true;
    }
    return false;
}

static bool same_model(const Name *a, const Name *b) {
    if (a->n_model != b->n_model) return false;
    for (size_t i = 0; i < a->n_model; i++) {
        if (!has_word(b->model, b->n_model, a->model[i])) return false;
    }
    return true;
}

// How a card is mounted, when its id has no need to say so: sellers say "SXM" and "PCIe" all the same.
static bool mounted_so(const char *form, const GpuEntry *card) {
    bool sxm = strncmp(form, "sxm", 3) == 0;
    if (!sxm && strcmp(form, "pcie") != 0) return false;
    for (size_t i = 0; i < card->name.n_form; i++) {
        const char *own = card->name.form[i];
        // it does say
        if (strncmp(own, "sxm", 3) == 0 || strcmp(own, "pcie") == 0 || strcmp(own, "nvl") == 0) return false;
    }
    return sxm ? card->name.n_form == 0 : text_contains(card->gpu->form_factor, "PCIe");
}

// Every form that the seller states is one of the card's; "sxm" is any of sxm2..sxm6, and the other way
// round.
static bool same_form(const Name *listed, const GpuEntry *card) {
    for (size_t i = 0; i < listed->n_form; i++) {
        const char *form = listed->form[i];
        bool found = strcmp(form, "blackwell") == 0 || mounted_so(form, card);  // "Blackwell" is said of many
        for (size_t k = 0; k < card->name.n_form && !found; k++) {
            const char *own = card->name.form[k];
            found = strcmp(form, own) == 0 || (strncmp(form, "sxm", 3) == 0 && strncmp(own, "sxm", 3) == 0 &&
                                               (form[3] == '\0' || own[3] == '\0'));
        }
        if (!found) return false;
    }
    return true;
}

static bool same_memory(double stated_gb, double card_gb, double tolerance) {
    return !is_known(stated_gb) || !is_known(card_gb) || fabs(stated_gb - card_gb) <= tolerance * card_gb;
}

GpuNames *gpu_names_make(Arena *a, const Gpu *gpus, size_t n_gpus, const DeviceId *devices, size_t n_devices,
                         const SellerFacts *sellers) {
    GpuNames *names = arena_alloc(a, 1, sizeof *names);
    *names = (GpuNames){
        arena_alloc(a, n_gpus + 1, sizeof *names->entries),           n_gpus,           devices, n_devices,
        arena_alloc(a, sellers->n_names + 1, sizeof *names->sellers), sellers->n_names, sellers};
    for (size_t i = 0; i < n_gpus; i++) {
        names->entries[i].gpu = &gpus[i];
        name_read(gpus[i].sku_id, &names->entries[i].name);
    }
    for (size_t i = 0; i < sellers->n_names; i++) {
        names->sellers[i].row = &sellers->names[i];
        name_read(sellers->names[i].listed_name, &names->sellers[i].name);
    }
    return names;
}

const Gpu *gpu_names_sku(const GpuNames *names, const char *sku_id) {
    for (size_t i = 0; i < names->n; i++) {
        if (strcmp(names->entries[i].gpu->sku_id, sku_id) == 0) return names->entries[i].gpu;
    }
    return NULL;
}

// The one id of the devices that report themselves so; NULL: none, or several.
static const Gpu *find_device(const GpuNames *names, const char *listed) {
    const char *sku = NULL;
    for (size_t i = 0; i < names->n_devices; i++) {
        const DeviceId *d = &names->devices[i];
        if (d->name[0] == '\0' || !text_same(d->name, listed)) continue;
        if (sku != NULL && strcmp(sku, d->sku_id) != 0) return NULL;
        sku = d->sku_id;
    }
    return sku == NULL ? NULL : gpu_names_sku(names, sku);
}

// The one card that fits a name; NULL: none or several. `memory_gb` stands beside the name, may be a total,
// and only breaks ties.
static const Gpu *find_card(const GpuNames *names, const Name *n, double memory_gb, double tolerance) {
    const Gpu *fit = NULL;
    const Gpu *by_memory = NULL;
    size_t fits = 0;
    size_t fits_memory = 0;
    for (size_t i = 0; i < names->n; i++) {
        const GpuEntry *entry = &names->entries[i];
        double own_gb = entry->gpu->memory_gb;
        if (!same_model(n, &entry->name) || !same_form(n, entry) ||
            !same_memory(n->memory_gb, own_gb, tolerance))
            continue;
        fit = entry->gpu;
        fits++;
        if (!is_known(memory_gb) || !same_memory(memory_gb, own_gb, tolerance)) continue;
        by_memory = entry->gpu;
        fits_memory++;
    }
    if (fits == 1) return fit;
    return fits_memory == 1 ? by_memory : NULL;
}

// What this seller means by a name without a form.
static const Gpu *find_seller(const GpuNames *names, const char *provider, const Name *n, double memory_gb) {
    if (provider == NULL || n->n_form > 0) return NULL;
    for (size_t i = 0; i < names->n_sellers; i++) {
        const SellerEntry *entry = &names->sellers[i];
        if (strcmp(entry->row->provider, provider) != 0 || !same_model(n, &entry->name)) continue;
        const Gpu *gpu = gpu_names_sku(names, entry->row->sku_id);
        if (gpu == NULL || !same_memory(n->memory_gb, gpu->memory_gb, 0.1) ||
            !same_memory(memory_gb, gpu->memory_gb, 0.15))
            continue;
        // the row speaks of one of several sizes
        if (is_known(entry->name.memory_gb) && !is_known(n->memory_gb) && !is_known(memory_gb)) continue;
        return gpu;
    }
    return NULL;
}

// The size of a cloud tells the card, whoever lists it: "V100" of aws' p3.2xlarge, "H100" of oci's
// BM.GPU.H100.8, or of RunPod's "NVIDIA H100 80GB HBM3". It must be the one that is named.
static const Gpu *find_by_size(const GpuNames *names, const GpuAsked *asked, const Name *n) {
    const char *sku = NULL;
    if (asked->provider == NULL || asked->instance == NULL) return NULL;
    const InstanceGpu *size = instance_gpu_find(names->facts, asked->provider, asked->instance);
    if (size != NULL) sku = size->sku_id;
    const SellerFacts *f = names->facts;
    const PartsMachine *machine = row_named(asked->instance, f->machines, f->n_machines, sizeof *machine);
    if (machine != NULL && strcmp(asked->provider, "gcp") == 0) sku = machine->sku_id;
    if (strcmp(asked->provider, "oci") == 0) sku = oci_shape_sku(asked->instance);
    // RunPod's ids are what devices report of themselves
    const Gpu *device = sku == NULL ? find_device(names, asked->instance) : NULL;
    if (device != NULL) sku = device->sku_id;
    for (size_t i = 0; sku != NULL && i < names->n; i++) {
        const GpuEntry *entry = &names->entries[i];
        bool so = strcmp(entry->gpu->sku_id, sku) == 0 && same_model(n, &entry->name) && same_form(n, entry);
        if (so && same_memory(n->memory_gb, entry->gpu->memory_gb, 0.15)) return entry->gpu;
    }
    return NULL;
}

// "a100-sxm-80": a number at the end may be the memory of the card that the other words name.
static const Gpu *find_numbered(const GpuNames *names, const Name *n) {
    Name shorter = *n;
    double gb = 0;
    if (n->n_model < 2 || is_known(n->memory_gb) ||
        !parse_number(str_of(n->model[n->n_model - 1]), 8, 1024, &gb, NULL))
        return NULL;
    shorter.n_model--;
    shorter.memory_gb = gb;
    return find_card(names, &shorter, (double)NAN, 0.01);
}

// The instance's name may tell the form that the GPU's leaves out: "gpu-h100-sxm_8gpu-128vcpu".
static const Gpu *find_by_instance(const GpuNames *names, const Name *n, const char *instance,
                                   double memory_gb) {
    Name other;
    Name both = *n;
    if (instance == NULL) return NULL;
    name_read(instance, &other);
    for (size_t i = 0; i < other.n_form; i++) {
        const char *form = other.form[i];
        if (strncmp(form, "sxm", 3) == 0 || strcmp(form, "pcie") == 0 || strcmp(form, "nvl") == 0)
            push_word(both.form, &both.n_form, form);
    }
    return both.n_form > n->n_form ? find_card(names, &both, memory_gb, 0.1) : NULL;
}

const Gpu *gpu_names_find(const GpuNames *names, const GpuAsked *asked) {
    const Gpu *card = gpu_names_sku(names, asked->listed);
    if (card == NULL) card = find_device(names, asked->listed);
    if (card != NULL) return card;
    Name n;
    name_read(asked->listed, &n);
    if (n.n_model == 0) return NULL;
    card = find_card(names, &n, asked->memory_gb, 0.1);
    if (card == NULL) card = find_seller(names, asked->provider, &n, asked->memory_gb);
    if (card == NULL) card = find_by_size(names, asked, &n);
    if (card == NULL) card = find_by_instance(names, &n, asked->instance, asked->memory_gb);
    if (card == NULL) card = find_numbered(names, &n);
    // Some state what is left of the memory, as 24 of a V710's 28 GB.
    return card != NULL ? card : find_card(names, &n, (double)NAN, 0.15);
}

int gpu_names_vendor(const GpuNames *names, const char *text) {
    Name n;
    name_read(text, &n);
    for (size_t i = 0; n.n_model > 0 && i < names->n; i++) {
        if (same_model(&n, &names->entries[i].name)) return names->entries[i].gpu->vendor;
    }
    return -1;
}

bool gpu_names_any(const GpuNames *names, const char *text) { return gpu_names_vendor(names, text) >= 0; }
