// Running the native kernels: choice of instruction set, threads, packing for the matrix product.
#include "kernels/cpu.h"

#include <string.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#define THREAD_INDEX ((size_t)omp_get_thread_num())
#define THREADS omp_get_max_threads()
#else
#define THREAD_INDEX ((size_t)0)
#define THREADS 1
#endif

// Blocks of the matrix product: a panel of A (MC x KC) fits the second cache. KC is long because C goes to
// memory and back for every KC of k, which is what two threads wait for.
enum { KC = 512, MC_TILES = 16, NC = 3072, GRAIN = 4096, PAGE = 4096 };
_Static_assert(KC * 127 * 127 < 1 << 24, "a block of k keeps sums of int8 exact in fp32");

// The instruction sets beyond the base that this processor and its system have, best first.
#if defined(__x86_64__)
static size_t add_sets(const CpuOps **usable) {
    size_t n = 0;
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (avx512) usable[n++] = &cpu_ops_avx512;
    if (avx2) usable[n++] = &cpu_ops_avx2;
    return n;
}
#elif defined(__aarch64__)
static size_t add_sets(const CpuOps **usable) {
    if ((getauxval(AT_HWCAP) & HWCAP_ASIMD) == 0) return 0;
    usable[0] = &cpu_ops_neon;
    return 1;
}
#else
static size_t add_sets(const CpuOps **usable) {
    (void)usable;
    return 0;
}
#endif

const CpuOps *cpu_ops(size_t i) {
    const CpuOps *usable[4] = {NULL};
    size_t n = add_sets(usable);
    usable[n++] = &cpu_ops_base;
    return i < n ? usable[i] : NULL;
}

static size_t rounded_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

static size_t a_floats(const CpuTile *t) { return MC_TILES * t->mr * KC; }
static size_t b_floats(const CpuTile *t) { return rounded_up(NC, t->nr) * KC; }

bool cpu_open(const CpuOps *ops, Cpu *ret_cpu, Err *e) {
    Cpu cpu = {.ops = ops != NULL ? ops : cpu_ops(0), .threads = THREADS};
    cpu.packed_bytes = rounded_up(
        (b_floats(&cpu.ops->tile) + (size_t)cpu.threads * a_floats(&cpu.ops->tile)) * sizeof(float), PAGE);
    cpu.packed_b = pages_map(cpu.packed_bytes, e);
    if (cpu.packed_b == NULL) return false;
    cpu.packed_a = cpu.packed_b + b_floats(&cpu.ops->tile);
    *ret_cpu = cpu;
    return true;
}

void cpu_close(Cpu *cpu) { pages_unmap(cpu->packed_b, cpu->packed_bytes); }

// ---------------------------------------------------------------- matrix product

typedef struct Product {
    const CpuTile *tile;
    Elem elem;                        // of A and B
    bool turned;                      // B has k along its rows
    bool whole;                       // C holds whole numbers
    const void *a_scales, *b_scales;  // of MXFP4; NULL: elements as they are
    const void *a, *b;
    void *c;
    size_t m, n, k;
} Product;

static void floats_of(Elem elem, const void *elements, const void *scales, size_t begin, size_t n,
                      float *out) {
    if (scales != NULL)
        mxfp4_floats(elements, scales, begin, n, out);
    else
        elem_floats(elem, elements, begin, n, out);
}

// Slivers of nr columns: element (p, j) of sliver s at (s kc + p) nr + j, zeros past the edge.
static void pack_b(const Product *g, size_t pc, size_t kc, size_t jc, size_t sliver, float *out) {
    size_t nr = g->tile->nr, from = jc + sliver * nr;
    size_t width = g->n - from < nr ? g->n - from : nr;
    float column[KC], *to = out + sliver * kc * nr;
    if (!g->turned) {
        for (size_t p = 0; p < kc; p++, to += nr) {
            elem_floats(g->elem, g->b, (pc + p) * g->n + from, width, to);
            for (size_t j = width; j < nr; j++) to[j] = 0;
        }
        return;
    }
    for (size_t j = 0; j < nr; j++) {
        if (j < width) floats_of(g->elem, g->b, g->b_scales, (from + j) * g->k + pc, kc, column);
        for (size_t p = 0; p < kc; p++) to[p * nr + j] = j < width ? column[p] : 0;
    }
}

static void pack_a(const Product *g, size_t ic, size_t mc, size_t pc, size_t kc, float *out) {
    size_t mr = g->tile->mr;
    float row[KC];
    for (size_t i = 0; i < mc; i += mr) {
        for (size_t r = 0; r < mr; r++) {
            bool inside = i + r < mc;
            if (inside) floats_of(g->elem, g->a, g->a_scales, (ic + i + r) * g->k + pc, kc, row);
            for (size_t p = 0; p < kc; p++) out[i * kc + p * mr + r] = inside ? row[p] : 0;
        }
    }
}

// A tile over the edge, or of whole numbers, goes through one beside the matrix.
static void edge_tile(const Product *g, size_t kc, const float *a, const float *b, size_t row, size_t column,
                      bool more) {
    enum { MR_MAX = 16, NR_MAX = 48 };
    float whole[MR_MAX * NR_MAX];
    size_t mr = g->tile->mr, nr = g->tile->nr;
    size_t height = g->m - row < mr ? g->m - row : mr, width = g->n - column < nr ? g->n - column : nr;
    g->tile->run(kc, a, b, whole, nr, false);
    for (size_t i = 0; i < height; i++) {
        if (g->whole) {
            int32_t *to = (int32_t *)g->c + (row + i) * g->n + column;
            for (size_t j = 0; j < width; j++) to[j] = (more ? to[j] : 0) + (int32_t)whole[i * nr + j];
        } else {
            float *to = (float *)g->c + (row + i) * g->n + column;
            for (size_t j = 0; j < width; j++) to[j] = more ? to[j] + whole[i * nr + j] : whole[i * nr + j];
        }
    }
}

static void block(const Product *g, size_t ic, size_t jc, size_t nc, size_t kc, bool more, const float *a,
                  const float *b) {
    size_t mr = g->tile->mr, nr = g->tile->nr;
    size_t mc = g->m - ic < MC_TILES * mr ? g->m - ic : MC_TILES * mr;
    for (size_t j = 0; j < nc; j += nr) {
        for (size_t i = 0; i < mc; i += mr) {
            bool inside = !g->whole && ic + i + mr <= g->m && jc + j + nr <= g->n;
            if (inside) {
                g->tile->run(kc, a + i * kc, b + j * kc, (float *)g->c + (ic + i) * g->n + jc + j, g->n,
                             more);
            } else {
                edge_tile(g, kc, a + i * kc, b + j * kc, ic + i, jc + j, more);
            }
        }
    }
}

static void product(const Cpu *cpu, const Product *g) {
    size_t nr = g->tile->nr, mc = MC_TILES * g->tile->mr;
    for (size_t jc = 0; jc < g->n; jc += NC) {
        size_t nc = g->n - jc < NC ? g->n - jc : NC;
        for (size_t pc = 0; pc < g->k; pc += KC) {
            size_t kc = g->k - pc < KC ? g->k - pc : KC;
            size_t slivers = (nc + nr - 1) / nr, blocks = (g->m + mc - 1) / mc;
            _Pragma("omp parallel num_threads(cpu->threads)") {
                _Pragma("omp for schedule(static)") for (size_t s = 0; s < slivers; s++)
                    pack_b(g, pc, kc, jc, s, cpu->packed_b);
                _Pragma("omp for schedule(dynamic)") for (size_t i = 0; i < blocks; i++) {
                    float *a = cpu->packed_a + THREAD_INDEX * a_floats(g->tile);
                    pack_a(g, i * mc, g->m - i * mc < mc ? g->m - i * mc : mc, pc, kc, a);
                    block(g, i * mc, jc, nc, kc, pc > 0, a, cpu->packed_b);
                }
            }
        }
    }
}

// ---------------------------------------------------------------- the others

static bool is_flat(KernelId id) {
    return id == KERNEL_COPY || id == KERNEL_SCALE || id == KERNEL_ADD || id == KERNEL_TRIAD ||
           id == KERNEL_TRIAD_F64 || id == KERNEL_SWIGLU;
}

// Items begin..end of part `i` of `parts`, cut at multiples of `grain`.
static void part_of(size_t items, size_t grain, size_t i, size_t parts, size_t *ret_begin, size_t *ret_end) {
    size_t grains = (items + grain - 1) / grain;
    size_t begin = grains * i / parts * grain, end = grains * (i + 1) / parts * grain;
    *ret_begin = begin < items ? begin : items;
    *ret_end = end < items ? end : items;
}

void cpu_run(const Cpu *cpu, KernelId id, const CpuArgs *a) {
    CpuRange range = cpu->ops->range[id];
    if (range == NULL) {
        const Kernel *k = &kernel_table[id];
        bool scaled = id == KERNEL_GEMM_MXFP4;
        Product g = {&cpu->ops->tile,
                     k->buffers[0].elem,
                     id != KERNEL_GEMM_F32,
                     k->buffers[k->output].elem == ELEM_I32,
                     scaled ? a->in[2] : NULL,
                     scaled ? a->in[3] : NULL,
                     a->in[0],
                     a->in[1],
                     a->out,
                     a->shape.d[0],
                     a->shape.d[1],
                     a->shape.d[2] * (scaled ? MX_BLOCK : 1)};
        product(cpu, &g);
        return;
    }
    if (id == KERNEL_LATENCY) {
        range(a, 0, 1);
        return;
    }
    size_t parts = (size_t)cpu->threads, grain = is_flat(id) ? GRAIN : 1;
    _Pragma("omp parallel for num_threads(cpu->threads) schedule(static, 1)") for (size_t i = 0; i < parts;
                                                                                   i++) {
        size_t begin, end;
        part_of(id == KERNEL_PREFILL ? a->shape.d[1] / PREFILL_HEADS : a->shape.d[0], grain, i, parts, &begin,
                &end);
        if (begin < end) range(a, begin, end);
    }
}

void cpu_fill(const Cpu *cpu, const Kernel *k, const Shape *s, size_t buffer, uint64_t seed, void *out) {
    size_t n = buffer_count(&k->buffers[buffer], s), parts = (size_t)cpu->threads;
    _Pragma("omp parallel for num_threads(cpu->threads) schedule(static, 1)") for (size_t i = 0; i < parts;
                                                                                   i++) {
        size_t begin, end;
        part_of(n, GRAIN, i, parts, &begin, &end);
        input_fill(k, s, buffer, seed, begin, end, out);
    }
}
