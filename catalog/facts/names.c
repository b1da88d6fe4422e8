// What users call GPUs, models and sellers.
#include "catalog/facts/names.h"

#include <string.h>

// ---------------------------------------------------------------- the table

const UserName *user_name(const UserNames *names, NamedKind kind, const char *typed) {
    char wanted[NAME_FOLDED_BYTES];
    char folded[NAME_FOLDED_BYTES];
    name_fold(typed, wanted);
    for (size_t i = 0; wanted[0] != '\0' && i < names->n; i++) {
        if (names->rows[i].kind != kind) continue;
        name_fold(names->rows[i].name, folded);
        if (strcmp(folded, wanted) == 0) return &names->rows[i];
    }
    return NULL;
}

bool user_name_next(Str *rest, Str *ret_id) {
    Str part;
    while (str_next(rest, ';', &part)) {
        *ret_id = str_trim(part);
        if (ret_id->length > 0) return true;
    }
    return false;
}

static bool same_name(const char *a, const char *b) {
    char folded[2][NAME_FOLDED_BYTES];
    name_fold(a, folded[0]);
    name_fold(b, folded[1]);
    return folded[0][0] != '\0' && strcmp(folded[0], folded[1]) == 0;
}

// ---------------------------------------------------------------- GPUs

enum { LISTED_MAX = 12 };

// Some rows of the catalog's GPUs.
typedef struct GpuList {
    const Gpu **items;
    size_t n;
} GpuList;

static void list_gpu(Buf *b, size_t i, const Gpu *g) {
    if (i < LISTED_MAX) buf_printf(b, "%s%s", i > 0 ? ", " : "", g->sku_id);
    if (i == LISTED_MAX) buf_puts(b, ", ...");
}

static bool refuse_several(const char *typed, const char *what, const GpuList *of, const char *note, Arena *a,
                           Err *e) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (size_t i = 0; i < of->n; i++) list_gpu(&b, i, of->items[i]);
    err_set(e, ERR_USAGE, "'%s' is %s: %s%s%s", name_shown(a, typed), what, b.data,
            note[0] != '\0' ? "; " : "", note);
    buf_free(&b);
    return false;
}

// "'h100' taken as h100-sxm5-80gb: why; also of that name: h100-nvl-94gb, ..."
static const char *gpu_taken(const char *typed, const Gpu *taken, const char *note, const Gpu *gpus, size_t n,
                             Arena *a) {
    char name[NAME_FOLDED_BYTES];
    char id[NAME_FOLDED_BYTES];
    Buf b;
    buf_init(&b, BUF_LIMIT);
    name_fold(typed, name);
    for (size_t i = 0, others = 0; i < n; i++) {
        name_fold(gpus[i].sku_id, id);
        if (&gpus[i] != taken && name_parts_in(name, id)) list_gpu(&b, others++, &gpus[i]);
    }
    const char *text = arena_printf(a, "'%s' taken as %s%s%s%s%s", name_shown(a, typed), taken->sku_id,
                                    note[0] != '\0' ? ": " : "", note,
                                    b.length > 0 ? "; also of that name: " : "", b.length > 0 ? b.data : "");
    buf_free(&b);
    return text;
}

// "NVIDIA H100", "Instinct MI300X": what stands behind the maker and the brand, which ids mostly leave out.
static const char *without_brand(const char *typed, Arena *a) {
    static const char brands[] = "nvidia amd instinct tesla geforce radeon";
    char folded[NAME_FOLDED_BYTES];
    name_fold(typed, folded);
    Str rest = str_of(folded);
    Str part;
    const char *at = folded;
    while (str_next(&rest, '-', &part) && rest.data != NULL &&
           word_in(brands, arena_copy(a, part.data, part.length)))
        at = rest.data;
    return at == folded ? typed : arena_copy(a, at, strlen(at));
}

// The row's meanings that are in this catalog.
static GpuList meant(const UserName *row, const Gpu *gpus, size_t n, Arena *a) {
    GpuList list = {arena_alloc(a, n + 1, sizeof *list.items), 0};
    Str rest = str_of(row->means);
    Str id;
    while (user_name_next(&rest, &id)) {
        for (size_t i = 0; i < n; i++) {
            if (str_is(id, gpus[i].sku_id)) list.items[list.n++] = &gpus[i];
        }
    }
    return list;
}

// A compiler's word for a target: gfx942; 9.0, sm_90, sm_90a or compute_90.
static bool same_target(const char *target, const char *typed) {
    static const char *const before[] = {"sm", "compute"};
    char word[NAME_FOLDED_BYTES], want[NAME_FOLDED_BYTES];
    if (same_name(target, typed)) return true;
    if (strchr(target, '.') == NULL) return false;  // the compute capability of NVIDIA's
    name_fold(typed, word);
    name_fold(target, want);
    size_t n = 0;
    for (const char *at = want; *at != '\0'; at++) {
        if (*at >= '0' && *at <= '9') want[n++] = *at;
    }
    want[n] = '\0';
    for (size_t i = 0; i < COUNT_OF(before); i++) {
        size_t skipped = strlen(before[i]);
        const char *digits = strncmp(word, before[i], skipped) == 0 ? word + skipped : "";
        digits += strspn(digits, "_-");
        size_t rest = strncmp(digits, want, n) == 0 ? strlen(digits + n) : 2;
        if (n > 0 && (rest == 0 || (rest == 1 && digits[n] == 'a'))) return true;
    }
    return false;
}

static GpuList of_family(const char *typed, const Gpu *gpus, size_t n, Arena *a) {
    GpuList list = {arena_alloc(a, n + 1, sizeof *list.items), 0};
    for (size_t i = 0; i < n; i++) {
        if (same_name(gpus[i].architecture, typed) || same_target(gpus[i].target, typed))
            list.items[list.n++] = &gpus[i];
    }
    return list;
}

bool catalog_find_gpu(const UserNames *names, const Gpu *gpus, size_t n, const char *typed, Arena *a,
                      const Gpu **ret_gpu, const char **ret_taken, Err *e) {
    const Gpu *own = NULL;
    const char *taken = "";
    for (size_t i = 0; i < n && own == NULL; i++) {
        if (same_name(gpus[i].sku_id, typed) || same_name(gpus[i].name, typed)) own = &gpus[i];
    }
    if (own == NULL) typed = without_brand(typed, a);
    const UserName *row = own == NULL ? user_name(names, NAMED_GPU, typed) : NULL;
    if (row != NULL) {
        GpuList list = meant(row, gpus, n, a);
        if (row->means[0] == '\0')
            return err_set(e, ERR_USAGE, "the catalog has no figures of '%s': %s", name_shown(a, typed),
                           row->note);
        if (list.n > 1) return refuse_several(typed, "a name of several GPUs", &list, row->note, a, e);
        if (list.n == 1) own = list.items[0], taken = gpu_taken(typed, own, row->note, gpus, n, a);
    }
    if (own == NULL) {
        GpuList list = of_family(typed, gpus, n, a);
        if (list.n > 1) return refuse_several(typed, "the architecture of several GPUs", &list, "", a, e);
        if (list.n == 1)
            own = list.items[0],
            taken = gpu_taken(typed, own, "the only one of that architecture", gpus, n, a);
    }
    size_t i = 0;
    if (own == NULL && !catalog_find("GPU", typed, n > 0 ? &gpus[0].sku_id : NULL, n, sizeof *gpus, &i, e))
        return false;
    *ret_gpu = own != NULL ? own : &gpus[i];
    *ret_taken = taken;
    return true;
}

// ---------------------------------------------------------------- sellers

bool catalog_find_provider(const UserNames *names, const char *const *providers, size_t n, const char *typed,
                           Arena *a, const char **ret_provider, const char **ret_taken) {
    for (size_t i = 0; i < n; i++) {
        if (!text_same(providers[i], typed) && !same_name(providers[i], typed)) continue;
        *ret_provider = providers[i];
        *ret_taken = "";
        return true;
    }
    const UserName *row = user_name(names, NAMED_PROVIDER, typed);
    if (row == NULL) return false;
    for (size_t i = 0; i < n; i++) {
        if (!text_same(providers[i], row->means)) continue;
        *ret_provider = providers[i];
        *ret_taken = arena_printf(a, "provider '%s' taken as %s", name_shown(a, typed), providers[i]);
        return true;
    }
    *ret_provider = row->means[0] != '\0' ? row->means : row->name;
    *ret_taken = arena_printf(a, "no price of %s is in the catalog%s%s", *ret_provider,
                              row->note[0] != '\0' ? ": " : "", row->note);
    return true;
}
