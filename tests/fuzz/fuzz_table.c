// TSV and CSV reader: whatever the bytes, each row has 1..256 cells inside the text or the arena, and lines
// only grow.
#include "src/base/base.h"
#include "tests/fuzz/fuzz.h"

static void read_all(const uint8_t *data, size_t size, char separator) {
    Arena a = {0};
    Err e = {0};
    TableReader r;
    table_open(&r, &a, (Str){(const char *)data, size}, separator);
    size_t line = 0;
    size_t bytes = 0;
    bool more = true;
    while (table_next(&r, &more, &e) && more) {
        MUST_HOLD(r.n_cells >= 1 && r.n_cells <= TABLE_CELLS_MAX);
        MUST_HOLD(r.line > line);
        line = r.line;
        for (size_t i = 0; i < r.n_cells; i++) {
            MUST_HOLD(r.cells[i].length <= TABLE_CELL_BYTES_MAX);
            for (size_t k = 0; k < r.cells[i].length; k++) MUST_HOLD(r.cells[i].data[k] != '\0');
            bytes += r.cells[i].length;
        }
    }
    MUST_HOLD(bytes <= size);
    MUST_HOLD(!more || e.kind != ERR_NONE);
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_all(data, size, '\t');
    read_all(data, size, ',');
    return 0;
}
