// Which of two comes first, and where a row stands.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/base.h"

int number_order(double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0 : isnan(a) ? -1 : 1;
    return a < b ? -1 : a > b;
}

int order_texts(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

int order_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static const char *name_of(const void *row) { return *(const char *const *)row; }

int order_name(const void *key, const void *row) { return strcmp(key, name_of(row)); }

int order_name_str(const void *key, const void *row) {
    const Str *name = key;
    size_t n = strlen(name_of(row));
    int order = memcmp(name->data, name_of(row), n < name->length ? n : name->length);
    return order != 0 ? order : (name->length > n) - (name->length < n);
}

const void *row_named(const char *name, const void *rows, size_t n, size_t size) {
    for (const char *row = rows; n > 0; row += size, n--) {
        if (strcmp(name_of(row), name) == 0) return row;
    }
    return NULL;
}

const char *paired(const char *name, const char *const pairs[][2], size_t n) {
    const char *const *row = row_named(name, pairs, n, sizeof *pairs);
    return row != NULL ? row[1] : NULL;
}

size_t rows_from(const void *key, const void *rows, size_t n, size_t size, KeyOrder *order) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order(key, (const char *)rows + middle * size) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const void *row_find(const void *key, const void *rows, size_t n, size_t size, KeyOrder *order) {
    return n > 0 ? bsearch(key, rows, n, size, order) : NULL;
}
