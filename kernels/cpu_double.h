// The product in double precision, for every instruction set: part of cpu_body.h.
//
// 256 of k of a panel of B, two vectors wide, are packed; then all rows of the range run over it, six at a time.

#define F64_LANES (LANES / 2)
enum { F64_DEPTH = 256, F64_ROWS = 6, F64_WIDTH = 2 * F64_LANES };

FN void pack_f64(const double *b, size_t n, size_t depth, size_t width, double *panel) {
    for (size_t p = 0; p < depth; p++) {
        for (size_t j = 0; j < F64_WIDTH; j++) panel[p * F64_WIDTH + j] = j < width ? b[p * n + j] : 0;
    }
}

// `rows` is a number where it is called: sums stay in registers.
static inline __attribute__((always_inline)) TARGET void
tile_f64(size_t rows, const double *a, size_t lda, size_t depth, const double *panel, double *out) {
    vd sums[F64_ROWS][2];
    memset(sums, 0, sizeof sums);
    for (size_t p = 0; p < depth; p++) {
        vd x = LOAD_F64(panel + p * F64_WIDTH), y = LOAD_F64(panel + p * F64_WIDTH + F64_LANES);
        for (size_t r = 0; r < rows; r++) sums[r][0] += a[r * lda + p] * x, sums[r][1] += a[r * lda + p] * y;
    }
    for (size_t r = 0; r < rows; r++) {
        STORE_F64(out + r * F64_WIDTH, sums[r][0]);
        STORE_F64(out + r * F64_WIDTH + F64_LANES, sums[r][1]);
    }
}

// Rows begin..end of columns `column` and following.
FN void panel_f64(const CpuArgs *g, size_t begin, size_t end, size_t column, size_t width, size_t from,
                  size_t depth, const double *panel) {
    size_t n = g->shape.d[1], k = g->shape.d[2];
    double tile[F64_ROWS * F64_WIDTH];
    for (size_t row = begin, rows; row < end; row += rows) {
        const double *a = (const double *)g->in[0] + row * k + from;
        double *c = (double *)g->out + row * n + column;
        rows = row + F64_ROWS <= end ? F64_ROWS : 1;
        if (rows == F64_ROWS)
            tile_f64(F64_ROWS, a, k, depth, panel, tile);
        else
            tile_f64(1, a, k, depth, panel, tile);
        for (size_t r = 0; r < rows; r++) {
            for (size_t j = 0; j < width; j++)
                c[r * n + j] = from > 0 ? c[r * n + j] + tile[r * F64_WIDTH + j] : tile[r * F64_WIDTH + j];
        }
    }
}

FN void gemm_f64(const CpuArgs *g, size_t begin, size_t end) {
    size_t n = g->shape.d[1], k = g->shape.d[2];
    double panel[F64_DEPTH * F64_WIDTH];
    for (size_t column = 0; column < n; column += F64_WIDTH) {
        size_t width = n - column < F64_WIDTH ? n - column : F64_WIDTH;
        for (size_t from = 0; from < k; from += F64_DEPTH) {
            size_t depth = k - from < F64_DEPTH ? k - from : F64_DEPTH;
            pack_f64((const double *)g->in[1] + from * n + column, n, depth, width, panel);
            panel_f64(g, begin, end, column, width, from, depth, panel);
        }
    }
}
