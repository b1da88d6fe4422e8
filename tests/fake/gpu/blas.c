// cuBLASLt and hipBLASLt: products in columns on the device's memory, and the refusals of the real ones.
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fake/gpu/fake.h"

#define DECLARE(field, cuda, hip, args)                                                                      \
    FAKE_EXPORT unsigned cuda args;                                                                          \
    FAKE_EXPORT unsigned hip args;
GPU_BLAS_FUNCTIONS(DECLARE)

enum { HANDLES = 32, NOTHING = 0, A_HANDLE, A_TASK, A_LAYOUT, A_PREFERENCE, MAGIC = 0x5eed };
enum {
    TYPE_F32 = 0,
    TYPE_F64 = 1,
    TYPE_F16 = 2,
    TYPE_I8 = 3,
    TYPE_I32 = 10,
    TYPE_BF16 = 14,
    TYPE_E4M3 = 28,
    TYPE_FNUZ = 1000
};

typedef struct Thing {
    int kind;
    unsigned compute, scale, type;
    int32_t op_a, op_b;
    uint64_t rows, columns, workspace;
    int64_t leading;
} Thing;
static Thing things[FAKE_APIS][HANDLES];

// What the two libraries number differently: statuses, attributes, operations, kinds of arithmetic.
typedef struct Numbers {
    unsigned invalid, unsupported, no_memory, transpose_a, transpose_b;
    int32_t as_is, transposed;
    unsigned f32, tf32, i32, f64;
} Numbers;
static const Numbers numbers[FAKE_APIS] = {{7, 15, 3, 3, 4, 0, 1, 68, 77, 72, 70},
                                           {3, 7, 2, 0, 1, 111, 112, 2, 6, 9, 7}};

static bool fault(const char *word) {
    char text[256];
    return strcmp(fake_text("FAKE_LT", "fault", "", text), word) == 0;
}

static unsigned make(FakeApi api, void **ret, Thing t) {
    for (size_t i = 0; ret != NULL && i < HANDLES; i++) {
        if (things[api][i].kind != NOTHING) continue;
        things[api][i] = t;
        *ret = &things[api][i];
        return 0;
    }
    return numbers[api].no_memory;
}

static Thing *thing(FakeApi api, const void *p, int kind) {
    for (size_t i = 0; i < HANDLES; i++) {
        if (&things[api][i] == p && things[api][i].kind == kind) return &things[api][i];
    }
    return NULL;
}

static unsigned drop(FakeApi api, void *p, int kind) {
    Thing *t = thing(api, p, kind);
    if (t == NULL) return numbers[api].invalid;
    *t = (Thing){0};
    return 0;
}

static unsigned set_task(FakeApi api, void *task, unsigned attribute, const void *value, size_t bytes) {
    Thing *t = thing(api, task, A_TASK);
    int32_t op = 0;
    if (t == NULL || value == NULL || bytes != sizeof op) return numbers[api].invalid;
    memcpy(&op, value, sizeof op);
    if (op != numbers[api].as_is && op != numbers[api].transposed) return numbers[api].invalid;
    if (attribute != numbers[api].transpose_a && attribute != numbers[api].transpose_b)
        return numbers[api].invalid;
    *(attribute == numbers[api].transpose_a ? &t->op_a : &t->op_b) = op;
    return 0;
}

static unsigned set_preference(FakeApi api, void *preference, unsigned attribute, const void *value,
                               size_t bytes) {
    Thing *t = thing(api, preference, A_PREFERENCE);
    if (t == NULL || attribute != 1 || bytes != sizeof t->workspace) return numbers[api].invalid;
    memcpy(&t->workspace, value, bytes);
    return 0;
}

static unsigned make_layout(FakeApi api, void **ret, unsigned type, uint64_t rows, uint64_t columns,
                            int64_t leading) {
    if (rows == 0 || columns == 0 || leading < (int64_t)rows) return numbers[api].invalid;
    return make(
        api, ret,
        (Thing){.kind = A_LAYOUT, .type = type, .rows = rows, .columns = columns, .leading = leading});
}

static bool elem_of(unsigned type, Elem *ret_elem) {
    static const struct {
        unsigned type;
        Elem elem;
    } known[] = {{TYPE_F32, ELEM_F32},   {TYPE_F64, ELEM_F64},       {TYPE_F16, ELEM_F16},
                 {TYPE_I8, ELEM_I8},     {TYPE_I32, ELEM_I32},       {TYPE_BF16, ELEM_BF16},
                 {TYPE_E4M3, ELEM_E4M3}, {TYPE_FNUZ, ELEM_E4M3_FNUZ}};
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (known[i].type != type) continue;
        *ret_elem = known[i].elem;
        return true;
    }
    return false;
}

typedef struct Product {
    const Thing *task, *a, *b, *d;
    uint64_t m, n, k;
    bool turn_a, turn_b;
} Product;

// The combinations of types that the documents of both list, sizes that fit, and the layouts that 8-bit types
// ask for.
static unsigned understand(FakeApi api, void *task, void *a, void *b, void *c, void *d, Product *p) {
    const Numbers *n = &numbers[api];
    *p = (Product){.task = thing(api, task, A_TASK),
                   .a = thing(api, a, A_LAYOUT),
                   .b = thing(api, b, A_LAYOUT),
                   .d = thing(api, d, A_LAYOUT)};
    if (p->task == NULL || p->a == NULL || p->b == NULL || p->d == NULL || c != d) return n->invalid;
    p->turn_a = p->task->op_a == n->transposed;
    p->turn_b = p->task->op_b == n->transposed;
    p->m = p->turn_a ? p->a->columns : p->a->rows;
    p->k = p->turn_a ? p->a->rows : p->a->columns;
    p->n = p->turn_b ? p->b->rows : p->b->columns;
    if ((p->turn_b ? p->b->columns : p->b->rows) != p->k || p->d->rows != p->m || p->d->columns != p->n)
        return n->invalid;
    unsigned in = p->a->type;
    bool whole = in == TYPE_I8, twice = in == TYPE_F64, eight = whole || in == TYPE_E4M3 || in == TYPE_FNUZ;
    if (p->b->type != in ||
        p->d->type != (whole   ? TYPE_I32
                       : twice ? TYPE_F64
                               : TYPE_F32) ||
        p->task->scale != p->d->type)
        return n->unsupported;
    if (p->task->compute != (whole   ? n->i32
                             : twice ? n->f64
                                     : n->f32) &&
        !(in == TYPE_F32 && p->task->compute == n->tf32))
        return n->unsupported;
    if (in == TYPE_FNUZ && api == FAKE_CUDA) return n->unsupported;
    if (eight && (!p->turn_a || p->turn_b || p->m % 16 != 0 || p->n % 16 != 0 || p->k % 16 != 0))
        return n->unsupported;
    return fault("unsupported") ? n->unsupported : 0;
}

static unsigned propose(FakeApi api, void *handle, void *task, void *a, void *b, void *c, void *d,
                        void *preference, int wanted, void *out, int *ret_n) {
    Product p;
    const Thing *most = thing(api, preference, A_PREFERENCE);
    if (thing(api, handle, A_HANDLE) == NULL || most == NULL || wanted < 1) return numbers[api].invalid;
    unsigned status = understand(api, task, a, b, c, d, &p);
    if (status != 0) return status;
    const uint64_t proposal[2] = {MAGIC, most->workspace};
    memcpy(out, proposal, sizeof proposal);
    *ret_n = fault("none") ? 0 : 1;
    return 0;
}

static double at(Elem e, const char *m, const Thing *layout, bool turned, uint64_t row, uint64_t column) {
    return elem_read(e, m,
                     (size_t)(turned ? column + row * (uint64_t)layout->leading
                                     : row + column * (uint64_t)layout->leading));
}

static void compute_f64(const Product *p, const char *a, const char *b, double *d) {
    for (uint64_t j = 0; j < p->n; j++) {
        for (uint64_t i = 0; i < p->m; i++) {
            double sum = 0;
            for (uint64_t q = 0; q < p->k; q++)
                sum += at(ELEM_F64, a, p->a, p->turn_a, i, q) * at(ELEM_F64, b, p->b, p->turn_b, q, j);
            d[i + j * (uint64_t)p->d->leading] = sum;
        }
    }
}

static void compute(const Product *p, const char *a, const char *b, char *d) {
    Elem in = ELEM_F32, out = ELEM_F32;
    float *x = malloc(p->m * p->k * sizeof *x), *y = malloc(p->k * p->n * sizeof *y);
    bool rounded = p->task->compute == numbers[FAKE_CUDA].tf32 || p->task->compute == numbers[FAKE_HIP].tf32;
    if (x == NULL || y == NULL || !elem_of(p->a->type, &in) || !elem_of(p->d->type, &out)) abort();
    for (uint64_t i = 0; i < p->m; i++) {
        for (uint64_t q = 0; q < p->k; q++) x[i * p->k + q] = (float)at(in, a, p->a, p->turn_a, i, q);
    }
    for (uint64_t j = 0; j < p->n; j++) {
        for (uint64_t q = 0; q < p->k; q++) y[j * p->k + q] = (float)at(in, b, p->b, p->turn_b, q, j);
    }
    for (uint64_t i = 0; rounded && i < p->m * p->k; i++) x[i] = tf32_round(x[i]);
    for (uint64_t j = 0; rounded && j < p->n * p->k; j++) y[j] = tf32_round(y[j]);
    for (uint64_t j = 0; j < p->n; j++) {
        for (uint64_t i = 0; i < p->m; i++) {
            float sum = 0;
            for (uint64_t q = 0; q < p->k; q++) sum += x[i * p->k + q] * y[j * p->k + q];
            size_t place = (size_t)(i + j * (uint64_t)p->d->leading);
            if (out == ELEM_I32) {
                ((int32_t *)(void *)d)[place] = (int32_t)lrintf(sum);
            } else {
                elem_write(out, d, place, sum);
            }
        }
    }
    free(x);
    free(y);
}

static size_t bytes_of(const Thing *t) {
    Elem e = ELEM_F32;
    return elem_of(t->type, &e) ? (size_t)((uint64_t)t->leading * (t->columns - 1) + t->rows) * elem_size(e)
                                : 0;
}

static unsigned multiply(FakeApi api, void *handle, void *task, const void *alpha, const void *a, void *la,
                         const void *b, void *lb, const void *beta, const void *c, void *lc, void *d,
                         void *ld, const void *algorithm, void *workspace, size_t bytes) {
    static struct {
        const void *a, *b, *d;
        uint64_t memory;
    } last;
    Product p;
    uint64_t proposal[2] = {0, 0};
    int32_t one = 0, zero = 1;
    double one_f64 = 0, zero_f64 = 1;
    if (thing(api, handle, A_HANDLE) == NULL || algorithm == NULL || c != d) return numbers[api].invalid;
    memcpy(proposal, algorithm, sizeof proposal);
    memcpy(&one, alpha, sizeof one);
    memcpy(&zero, beta, sizeof zero);
    unsigned status = understand(api, task, la, lb, lc, ld, &p);
    if (status != 0) return status;
    const int32_t one_bits = 0x3F800000;
    bool twice = p.d->type == TYPE_F64;
    if (twice) memcpy(&one_f64, alpha, sizeof one_f64), memcpy(&zero_f64, beta, sizeof zero_f64);
    if (proposal[0] != MAGIC || proposal[1] > bytes ||
        (twice ? one_f64 != 1 || zero_f64 != 0 : zero != 0 || one != (p.d->type == TYPE_I32 ? 1 : one_bits)))
        return numbers[api].invalid;
    char *x = fake_memory(api, (GpuPointer)(uintptr_t)a, bytes_of(p.a)),
         *y = fake_memory(api, (GpuPointer)(uintptr_t)b, bytes_of(p.b));
    char *z = fake_memory(api, (GpuPointer)(uintptr_t)d, bytes_of(p.d));
    if (x == NULL || y == NULL || z == NULL ||
        fake_memory(api, (GpuPointer)(uintptr_t)workspace, bytes) == NULL)
        return numbers[api].invalid;
    if (fault("crash")) raise(SIGSEGV);
    while (fault("hang")) sleep(1);
    if (last.a != a || last.b != b || last.d != d || last.memory != fake_memory_changes(api)) {
        if (twice)
            compute_f64(&p, x, y, (double *)(void *)z);
        else
            compute(&p, x, y, z);
        if (fault("wrong")) z[3] = (char)(z[3] ^ 0x40);
        if (fault("stray")) z[bytes_of(p.d)] = 0;
    }
    last.a = a, last.b = b, last.d = d, last.memory = fake_memory_changes(api);
    fake_spend(api, fmax(20e-6, 2.0 * (double)p.m * (double)p.n * (double)p.k /
                                    (fake_number("FAKE_LT", "gflops", 80000) * 1e9)));
    return 0;
}

// ---------------------------------------------------------------- the exported names

#define BOTH(cuda, hip, parameters, call)                                                                    \
    unsigned cuda parameters {                                                                               \
        const FakeApi api = FAKE_CUDA;                                                                       \
        return call;                                                                                         \
    }                                                                                                        \
    unsigned hip parameters {                                                                                \
        const FakeApi api = FAKE_HIP;                                                                        \
        return call;                                                                                         \
    }

BOTH(cublasLtCreate, hipblasLtCreate, (BlasHandle * handle), make(api, handle, (Thing){.kind = A_HANDLE}))
BOTH(cublasLtDestroy, hipblasLtDestroy, (BlasHandle handle), drop(api, handle, A_HANDLE))
BOTH(cublasLtMatmulDescCreate, hipblasLtMatmulDescCreate, (BlasTask * task, BlasCompute kind, BlasType scale),
     make(api, task,
          (Thing){.kind = A_TASK,
                  .compute = kind,
                  .scale = scale,
                  .op_a = numbers[api].as_is,
                  .op_b = numbers[api].as_is}))
BOTH(cublasLtMatmulDescDestroy, hipblasLtMatmulDescDestroy, (BlasTask task), drop(api, task, A_TASK))
BOTH(cublasLtMatmulDescSetAttribute, hipblasLtMatmulDescSetAttribute,
     (BlasTask task, BlasTaskAttribute attribute, const void *value, size_t bytes),
     set_task(api, task, attribute, value, bytes))
BOTH(cublasLtMatrixLayoutCreate, hipblasLtMatrixLayoutCreate,
     (BlasLayout * layout, BlasType type, uint64_t rows, uint64_t columns, int64_t leading),
     make_layout(api, layout, type, rows, columns, leading))
BOTH(cublasLtMatrixLayoutDestroy, hipblasLtMatrixLayoutDestroy, (BlasLayout layout),
     drop(api, layout, A_LAYOUT))
BOTH(cublasLtMatmulPreferenceCreate, hipblasLtMatmulPreferenceCreate, (BlasPreference * preference),
     make(api, preference, (Thing){.kind = A_PREFERENCE}))
BOTH(cublasLtMatmulPreferenceDestroy, hipblasLtMatmulPreferenceDestroy, (BlasPreference preference),
     drop(api, preference, A_PREFERENCE))
BOTH(cublasLtMatmulPreferenceSetAttribute, hipblasLtMatmulPreferenceSetAttribute,
     (BlasPreference preference, BlasPreferenceAttribute attribute, const void *value, size_t bytes),
     set_preference(api, preference, attribute, value, bytes))
BOTH(cublasLtMatmulAlgoGetHeuristic, hipblasLtMatmulAlgoGetHeuristic,
     (BlasHandle handle, BlasTask task, BlasLayout a, BlasLayout b, BlasLayout c, BlasLayout d,
      BlasPreference preference, int wanted, BlasProposal proposals, int *ret_n),
     propose(api, handle, task, a, b, c, d, preference, wanted, proposals, ret_n))
BOTH(cublasLtMatmul, hipblasLtMatmul,
     (BlasHandle handle, BlasTask task, const void *alpha, const void *a, BlasLayout a_layout, const void *b,
      BlasLayout b_layout, const void *beta, const void *c, BlasLayout c_layout, void *d, BlasLayout d_layout,
      BlasAlgorithm algorithm, void *workspace, size_t bytes, GpuStream stream),
     stream != NULL ? numbers[api].invalid
                    : multiply(api, handle, task, alpha, a, a_layout, b, b_layout, beta, c, c_layout, d,
                               d_layout, algorithm, workspace, bytes))
