// Errors, arenas and bounded buffers. The only file that allocates.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/base.h"

typedef struct ArenaBlock {
    struct ArenaBlock *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
} ArenaBlock;

enum { ARENA_BLOCK_BYTES = 64 * 1024 };

void out_of_memory(void) {
    fputs("gpuadvise: out of memory\n", stderr);
    exit(1);
}

static void *must(void *p) {
    if (p == NULL) out_of_memory();
    return p;
}

// ---------------------------------------------------------------- errors

bool err_set(Err *e, ErrKind kind, const char *format, ...) {
    if (e == NULL) return false;
    char text[sizeof e->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    text_scrub(text);
    e->kind = kind;
    memcpy(e->text, text, sizeof e->text);
    return false;
}

bool err_wrap(Err *e, const char *format, ...) {
    if (e == NULL) return false;
    char context[sizeof e->text / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(context, sizeof context, format, args);
    va_end(args);
    text_scrub(context);
    char old[sizeof e->text];
    memcpy(old, e->text, sizeof old);
    size_t used = strlen(context);
    memcpy(e->text, context, used);
    snprintf(e->text + used, sizeof e->text - used, ": %.*s", (int)(sizeof e->text - used - 3), old);
    return false;
}

// ---------------------------------------------------------------- arena

void *arena_alloc(Arena *a, size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX / 2 - sizeof(ArenaBlock) - sizeof(max_align_t)) / size) must(NULL);
    size_t bytes = count * size;
    size_t align = _Alignof(max_align_t);
    bytes = (bytes + align - 1) / align * align;
    if (a->head == NULL || a->head->size - a->head->used < bytes) {
        size_t room = bytes > ARENA_BLOCK_BYTES ? bytes : ARENA_BLOCK_BYTES;
        ArenaBlock *block = must(malloc(sizeof *block + room));
        block->next = a->head;
        block->used = 0;
        block->size = room;
        a->head = block;
    }
    void *p = a->head->bytes + a->head->used;
    a->head->used += bytes;
    memset(p, 0, bytes);
    return p;
}

char *arena_copy(Arena *a, const char *bytes, size_t length) {
    char *copy = arena_alloc(a, length + 1, 1);
    if (length > 0) memcpy(copy, bytes, length);
    return copy;
}

void *arena_grow(Arena *a, void *list, size_t n, size_t *capacity, size_t size) {
    if (n < *capacity) return list;
    size_t larger = *capacity == 0 ? 16 : *capacity * 2;
    void *copy = arena_alloc(a, larger, size);
    if (n > 0) memcpy(copy, list, n * size);
    *capacity = larger;
    return copy;
}

char *arena_printf(Arena *a, const char *format, ...) {
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(a, length < 0 ? 1 : (size_t)length + 1, 1);
    if (length >= 0) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void arena_free(Arena *a) {
    while (a->head != NULL) {
        ArenaBlock *next = a->head->next;
        free(a->head);
        a->head = next;
    }
}

// ---------------------------------------------------------------- buffers

void buf_init(Buf *b, size_t limit) { *b = (Buf){.limit = limit}; }

void buf_add(Buf *b, const char *bytes, size_t length) {
    if (b->overflow || length > b->limit - b->length) {
        b->overflow = true;
        return;
    }
    size_t need = b->length + length + 1;
    if (need > b->capacity) {
        size_t capacity = b->capacity < 256 ? 256 : b->capacity;
        while (capacity < need) capacity *= 2;
        b->data = must(realloc(b->data, capacity));
        b->capacity = capacity;
    }
    if (length > 0) memcpy(b->data + b->length, bytes, length);
    b->length += length;
    b->data[b->length] = '\0';
}

void buf_puts(Buf *b, const char *text) { buf_add(b, text, strlen(text)); }

void buf_vprintf(Buf *b, const char *format, va_list args) {
    char small[512];
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(small, sizeof small, format, args);
    if (length >= 0 && (size_t)length < sizeof small) {
        buf_add(b, small, (size_t)length);
    } else if (length >= 0) {
        char *large = must(malloc((size_t)length + 1));
        vsnprintf(large, (size_t)length + 1, format, again);
        buf_add(b, large, (size_t)length);
        free(large);
    }
    va_end(again);
}

void buf_printf(Buf *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    buf_vprintf(b, format, args);
    va_end(args);
}

const char *buf_take(Buf *b, Arena *a) {
    const char *text = arena_copy(a, b->data, b->length);
    buf_free(b);
    return text;
}

void buf_free(Buf *b) {
    free(b->data);
    *b = (Buf){.limit = b->limit};
}
