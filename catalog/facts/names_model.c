// Models by the names that they have on Hugging Face.
#include <string.h>

#include "catalog/facts/names.h"

// What stands behind the last slash: the publisher in front says nothing about the architecture.
static const char *behind_slash(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : name;
}

// Where the parts of `word` stand side by side in `name`; SIZE_MAX: nowhere.
static size_t place_of(const char *name, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(name, word); at != NULL; at = strstr(at + 1, word)) {
        if ((at == name || at[-1] == '-') && (at[length] == '-' || at[length] == '\0'))
            return (size_t)(at - name);
    }
    return SIZE_MAX;
}

static bool cut_word(char *name, const char *word) {
    size_t at = place_of(name, word);
    if (at == SIZE_MAX) return false;
    const char *rest = name + at + strlen(word);
    if (*rest == '-') {
        rest++;
    } else if (at > 0) {
        at--;
    }
    memmove(name + at, rest, strlen(rest) + 1);
    return true;
}

// Four digits are the date of a release ("2507", "0324").
static bool cut_date(char *name) {
    Str rest = str_of(name);
    Str part;
    while (str_next(&rest, '-', &part)) {
        char date[5] = "";
        if (part.length != 4 || part.data == name) continue;
        memcpy(date, part.data, 4);
        if (strspn(date, "0123456789") == 4) return cut_word(name, date);
    }
    return false;
}

// A name without the words that leave the architecture as it is.
typedef struct Plain {
    char text[NAME_FOLDED_BYTES];
    const UserName *weights;  // the word for narrower weights; NULL: none
} Plain;

static Plain plain_of(const UserNames *names, const char *name) {
    char word[NAME_FOLDED_BYTES];
    Plain p = {.weights = NULL};
    name_fold(behind_slash(name), p.text);
    for (size_t i = names->n; i-- > 0;) {  // from the end: "q4-k-m" before "q4"
        const UserName *row = &names->rows[i];
        if (row->kind != NAMED_VARIANT) continue;
        name_fold(row->name, word);
        if (strcmp(p.text, word) == 0 || !cut_word(p.text, word)) continue;
        bool better = row->means[0] != '\0' ? p.weights == NULL || p.weights->means[0] == '\0'
                                            : row->note[0] != '\0' && p.weights == NULL;
        if (better) p.weights = row;
    }
    while (cut_date(p.text)) {
    }
    return p;
}

// Is `m` called so, whoever published it?
static bool called(const Model *m, const char *folded) {
    char own[NAME_FOLDED_BYTES];
    name_fold(behind_slash(m->hf_name), own);
    if (strcmp(own, folded) == 0) return true;
    name_fold(m->model_id, own);
    return strcmp(own, folded) == 0;
}

static bool called_plainly(const UserNames *names, const Model *m, const char *plain) {
    Plain own = plain_of(names, m->hf_name);
    if (strcmp(own.text, plain) == 0) return true;
    own = plain_of(names, m->model_id);
    return strcmp(own.text, plain) == 0;
}

static const char *model_taken(const char *typed, const Model *m, const UserName *weights, Arena *a) {
    const char *like = m->hf_name[0] != '\0' && !text_same(m->hf_name, m->model_id)
                           ? arena_printf(a, " (the architecture of %s)", m->hf_name)
                           : "";
    const char *native = dtype_names[m->weights_native];
    const char *dtype = "";
    if (weights != NULL && strcmp(weights->means, native) != 0) {
        const char *such = weights->means[0] != '\0'
                               ? arena_printf(a, "such weights are asked for by --weights %s", weights->means)
                               : "narrower weights are asked for by --weights";
        dtype = arena_printf(a, "; '%s' in the name is not taken over: %s", weights->name, such);
    }
    return arena_printf(a, "'%s' taken as %s%s%s", name_shown(a, typed), m->model_id, like, dtype);
}

static bool refuse_models(const char *typed, const Model *models, const size_t *fits, size_t n, Arena *a,
                          Err *e) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (size_t i = 0; i < n; i++) buf_printf(&b, "%s%s", i > 0 ? ", " : "", models[fits[i]].model_id);
    err_set(e, ERR_USAGE, "'%s' is ambiguous: %s", name_shown(a, typed), b.data);
    buf_free(&b);
    return false;
}

// A fine-tune often has the name of what it was made from in its own: the longest such id.
static const Model *named_inside(const Model *models, size_t n, const char *plain) {
    const Model *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        char id[NAME_FOLDED_BYTES];
        name_fold(models[i].model_id, id);
        if (strlen(id) <= most || place_of(plain, id) == SIZE_MAX) continue;
        best = &models[i];
        most = strlen(id);
    }
    return best;
}

static bool find_short(const Model *models, size_t n, const char *typed, const Plain *plain, Arena *a,
                       const Model **ret_model, const char **ret_taken, Err *e) {
    size_t i = 0;
    bool of_hub = strchr(typed, '/') != NULL;
    if (catalog_find("model", of_hub ? plain->text : typed, n > 0 ? &models[0].model_id : NULL, n,
                     sizeof *models, &i, e)) {
        *ret_model = &models[i];
        *ret_taken = of_hub ? model_taken(typed, &models[i], plain->weights, a) : "";
        return true;
    }
    const Model *inside = named_inside(models, n, plain->text);
    if (inside == NULL) return false;
    return err_set(e, ERR_USAGE, "unknown model '%s': did you mean '%s', which is part of its name? %s",
                   name_shown(a, typed), inside->model_id, catalog_lister("model"));
}

bool catalog_find_model(const UserNames *names, const Model *models, size_t n, const char *typed, Arena *a,
                        const Model **ret_model, const char **ret_taken, Err *e) {
    char folded[NAME_FOLDED_BYTES];
    size_t *fits = arena_alloc(a, n + 1, sizeof *fits);
    size_t n_fits = 0;
    name_fold(behind_slash(typed), folded);
    const Plain plain = plain_of(names, typed);
    for (size_t i = 0; i < n; i++) {
        bool own = text_same(models[i].model_id, typed) ||
                   (models[i].hf_name[0] != '\0' && text_same(models[i].hf_name, typed));
        if (!own) continue;
        *ret_model = &models[i];
        *ret_taken = "";
        return true;
    }
    for (size_t i = 0; folded[0] != '\0' && i < n; i++) {
        if (called(&models[i], folded)) fits[n_fits++] = i;
    }
    const bool whole = n_fits > 0;
    for (size_t i = 0; !whole && plain.text[0] != '\0' && i < n; i++) {
        if (called_plainly(names, &models[i], plain.text)) fits[n_fits++] = i;
    }
    if (n_fits > 1) return refuse_models(typed, models, fits, n_fits, a, e);
    if (n_fits == 0) return find_short(models, n, typed, &plain, a, ret_model, ret_taken, e);
    *ret_model = &models[fits[0]];
    *ret_taken = whole && strchr(typed, '/') == NULL
                     ? ""
                     : model_taken(typed, *ret_model, whole ? NULL : plain.weights, a);
    return true;
}
