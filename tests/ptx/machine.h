// Inside the interpreter: code as it is read, and the state of a block that runs.
#ifndef GPUADVISE_TESTS_PTX_MACHINE_H
#define GPUADVISE_TESTS_PTX_MACHINE_H

#include <string.h>

#include "tests/ptx/ptx.h"

enum {
    LANES = 32,
    OPERANDS_MAX = 8,
    WARPS_MAX = 32,
    THREADS_MAX = LANES * WARPS_MAX,
    GROUP_WARPS = 4,               // of a warpgroup
    SHARED_SPAN = 232448 + 32768,  // addresses of shared memory, gaps between arrays included
    SHARED_STATIC_MAX = 49152,
    SHARED_DYNAMIC_AT = 32768,
    SHARED_GRANULE = 2,  // bytes of a cell; code that touches single bytes is refused
    GLOBAL_GRANULE = 4
};
#define ALL_LANES 0xFFFFFFFFu
// Shared memory among generic addresses.
#define SHARED_WINDOW (UINT64_C(0x7E) << 40)

typedef struct Warp Warp;
typedef struct Ins Ins;
typedef void (*Execute)(Warp *w, const Ins *in, uint32_t mask);

typedef enum OpKind {
    OP_LANES,  // each lane for itself
    OP_BRANCH,
    OP_END,
    OP_WARP,     // all lanes of the warp together
    OP_BARRIER,  // all threads of the block
    OP_GROUP     // all lanes of a warpgroup
} OpKind;

// `format`: a letter an operand. P, H, W, Q: a register of 1, 16, 32, 64 bits that is written, X one of 16 or 32;
// small letters: read, or a literal. m, a: an address in a register of 64, 32 bits or of an array, with an offset.
// k: a parameter. n: a literal. l: a label. Braces: a list; a letter and *: any number of them.
typedef struct Op {
    const char *name, *format;
    Execute execute;
    OpKind kind;
} Op;

struct Ins {
    const Op *op;
    uint32_t at[OPERANDS_MAX];  // of each operand outside of braces: words into the warp's file; n: its value
    uint32_t *list;             // registers in braces, all braces one after the other
    size_t n_list;
    int64_t offset;     // of the address
    uint32_t target;    // of a branch
    int32_t guard;      // predicate, -1 = none
    bool unless;        // the guard is negated
    int line;           // of the module's text
    uint32_t *touched;  // all registers: those that are written, then those that are read
    size_t n_written, n_touched;
};

typedef struct PtxShared {
    Str name;
    size_t align, bytes;
    bool dynamic;  // .extern: as large as the launch says
    bool placed;
    uint32_t offset;
} PtxShared;

typedef struct Constant {
    uint64_t value;
    uint32_t at;
    bool wide;  // 64 bits
} Constant;

struct PtxEntry {
    char name[64];
    PtxModule *module;
    Str body;  // from the parameters on
    int line;  // where that starts
    bool is_read;
    unsigned threads;
    Ins *code;
    size_t n_code;
    uint32_t words;  // of a warp's file
    Constant *constants;
    size_t n_constants;
    uint32_t *params;  // where they are in the file
    Str *param_names;
    size_t n_params;
    uint32_t tid, block, blocks, width;  // special registers in the file; 0 = not used
    PtxShared *shared;
    size_t n_shared;
    uint32_t shared_top;  // where the last array ends
    bool has_groups;      // products by warpgroups
};

const Op *ptx_op(const char *name, size_t skip);  // the skip-th row of that name; NULL: no further one
typedef struct OpTable {
    const Op *ops;
    size_t n;
} OpTable;
extern const OpTable ptx_scalar_ops, ptx_compare_ops, ptx_double_ops, ptx_memory_ops, ptx_matrix_ops,
    ptx_group_ops, ptx_flow_ops;

// ---------------------------------------------------------------- state

enum { CELL_OUTSIDE = 1, CELL_PENDING = 2, CELL_ATOMIC = 4, THREAD_MANY = -1 };

// Who touched some bytes last. Times are counted in barriers, `stamp` in instructions that order memory.
typedef struct Cell {
    uint32_t written, read;  // when; 0 = never
    uint32_t stamp;          // of the write
    int16_t writer, reader;  // threads, or THREAD_MANY
    uint8_t flags;
    uint8_t products;  // by warpgroups that still read it
} Cell;

// Lanes of a warp that are at the same place.
typedef struct Lanes {
    uint32_t pc, mask;
    bool waits;  // at an instruction that all lanes of the warp have to reach
} Lanes;

typedef enum WarpState { WARP_READY, WARP_AT_BARRIER, WARP_AT_GROUP, WARP_ENDED } WarpState;

// A copy of cp.async on its way.
typedef struct Copy {
    uint32_t to, bytes, group;
    const char *from;
    int lane;
    bool landed;
} Copy;

struct Warp {
    struct Block *block;
    unsigned index;
    WarpState state;
    uint32_t *file;
    uint32_t live;
    Lanes groups[LANES];
    size_t n_groups, now;
    Copy *copies;
    size_t n_copies, copies_capacity;
    uint32_t committed[LANES];  // groups of copies
    // products by warpgroups
    uint32_t products_committed, products_done;
    uint8_t *in_flight;  // of a register: products that write it
    uint8_t *dirty;      // of a register: written since the last wgmma.fence
    size_t n_in_flight;
    bool fenced;
};

// A product by a warpgroup that was started.
typedef struct GroupProduct {
    unsigned first_warp;
    uint32_t group;
    const Ins *in;
    uint64_t a, b;     // descriptors
    unsigned retired;  // bits: warps of the four that waited for it
    bool done;
} GroupProduct;

typedef struct Range {
    PtxRange r;
    Cell *cells;  // of writable ones
} Range;

typedef struct Block {
    const PtxEntry *entry;
    const PtxLaunch *launch;
    unsigned index, n_warps;
    Warp warps[WARPS_MAX];
    Range ranges[PTX_RANGES_MAX];
    size_t n_ranges;
    unsigned char *shared;
    size_t shared_bytes;  // gaps between arrays included
    Cell *cells;
    uint32_t epoch, first_epoch;  // barriers passed, over all blocks
    uint32_t stamp;
    uint32_t fence_stamp[THREADS_MAX], fence_epoch[THREADS_MAX];
    GroupProduct *products;
    size_t n_products, products_capacity;
    PtxTally *tally;
    uint64_t used;  // instructions
    uint64_t random;
    Arena *arena;
    bool failed;
    Err *e;
} Block;

// Notes the first fault of the block.
void ptx_fault(Warp *w, const Ins *in, int lane, const char *format, ...) PRINTF_LIKE(4, 5);

static inline uint32_t *file_words(const Warp *w, uint32_t at) { return w->file + at; }
static inline uint64_t *file_quads(const Warp *w, uint32_t at) { return (uint64_t *)(void *)(w->file + at); }
static inline float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? 0x7FFFFFFFu : bits;
}
static inline int thread_of(const Warp *w, int lane) { return (int)w->index * LANES + lane; }

// `body` for every lane of `mask`, its number in l.
#define FOR_LANES(mask, body)                                                                                \
    do {                                                                                                     \
        if ((mask) == ALL_LANES) {                                                                           \
            for (int l = 0; l < LANES; l++) {                                                                \
                body;                                                                                        \
            }                                                                                                \
        } else {                                                                                             \
            for (int l = 0; l < LANES; l++) {                                                                \
                if (((mask) >> l & 1) != 0) {                                                                \
                    body;                                                                                    \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
    } while (0)

// ---------------------------------------------------------------- shared memory (shadow.c)

void shadow_map(Block *b);  // a block starts: nothing is written, what no array holds is outside
// Checked access of a lane: the bytes, or NULL after a fault.
unsigned char *shared_at(Warp *w, const Ins *in, int lane, uint64_t address, uint32_t bytes, bool writes);
unsigned char *global_at(Warp *w, const Ins *in, int lane, uint64_t address, uint32_t bytes, bool writes,
                         bool atomic);
// Bytes that cp.async will write, and has written.
bool shadow_announce(Warp *w, const Ins *in, int lane, uint32_t at, uint32_t bytes);
void shadow_land(Warp *w, int lane, uint32_t at, uint32_t bytes);
// Bytes that a product by a warpgroup reads, from here until shadow_release.
bool shadow_hold(Warp *w, const Ins *in, uint32_t at, uint32_t bytes);
void shadow_release(Block *b, uint32_t at, uint32_t bytes);

// ---------------------------------------------------------------- numbers (floats.c)

typedef enum Number { NUMBER_TF32, NUMBER_F16, NUMBER_BF16, NUMBER_E4M3, NUMBER_S8, NUMBER_E2M1 } Number;
float half_to_float(uint16_t h);
double e4m3_to_double(uint8_t x);
uint16_t e4m3_to_half(uint8_t x);  // exact
unsigned number_bits(Number n);
double number_at(Number n, const unsigned char *bytes, size_t i);  // of packed ones
// start + the sum of a[i] b[i] in fp32; `cut`: PtxLaunch.cut_sums.
float dot_f32(float start, const double *a, const double *b, size_t n, Number kind, bool cut);

// Products by warpgroups (groups.c): all four warps are at this instruction.
void group_product(Warp *first, const Ins *in);

#endif
