// An interpreter of PTX for the tests: what the committed device code computes, and what it does wrong on the
// way, without a GPU.
//
// Written from the PTX ISA: warps of 32 lanes that diverge and meet again, blocks with shared memory and barriers,
// cp.async, mma.sync and wgmma by the ISA's fragment layouts and matrix descriptors. An instruction, an operand or
// a modifier that it does not know is refused when the entry is read: nothing is skipped.
//
// A run ends at the first fault: an access outside of the memory given or of every shared array, a misaligned one,
// a write to an input; shared memory read before it is written; two threads that touch the same bytes with no
// barrier between, one of them writing (also of global memory, where no barrier joins two blocks); bytes of
// cp.async before the wait, bytes that a product by warpgroups still reads, or reads without a proxy fence; its
// accumulators before the wait, or without wgmma.fence; lanes that miss a barrier, a shuffle or a product of their
// warp; a block that waits for ever; a budget of instructions that is used up.
#ifndef GPUADVISE_TESTS_PTX_H
#define GPUADVISE_TESTS_PTX_H

#include "src/base/base.h"

typedef struct PtxEntry PtxEntry;

typedef struct PtxModule {
    char target[16];  // "sm_90a"
    int version;      // of the PTX times ten: 84
    PtxEntry *entries;
    size_t n_entries;
    struct PtxShared *shared;  // declared outside of entries
    size_t n_shared;
    Arena *arena;
} PtxModule;

// Finds the entries of a module. `text` and everything else live as long as the arena.
bool ptx_module(Str text, Arena *a, PtxModule *ret_module, Err *e);
// Reads the code of an entry, once. False: there is none of that name, or something in it is not known.
bool ptx_entry(PtxModule *m, const char *name, PtxEntry **ret_entry, Err *e);
const char *ptx_entry_name(const PtxModule *m, size_t i);
// The same for entries whose code is the same, whatever their labels are called.
uint64_t ptx_entry_digest(const PtxEntry *entry);
size_t ptx_entry_length(const PtxEntry *entry);     // instructions
unsigned ptx_entry_threads(const PtxEntry *entry);  // .maxntid

// Which of the warps, lanes and blocks that could go on does.
typedef enum PtxOrder {
    PTX_IN_TURN,    // an instruction of each warp after the other
    PTX_ONE_FIRST,  // each warp as far as it comes
    PTX_REVERSED,   // as before from the last block and warp on; of lanes that are apart those ahead go first
    PTX_RANDOM,     // by seed, some instructions at a time
    PTX_ORDERS
} PtxOrder;
extern const char *const ptx_order_names[PTX_ORDERS];

// Memory of the device: where the code sees it, and where it is.
typedef struct PtxRange {
    uint64_t address;
    void *host;
    size_t bytes;
    bool writable;
} PtxRange;

enum { PTX_RANGES_MAX = 8 };

typedef struct PtxLaunch {
    unsigned blocks, threads;
    uint32_t dynamic_bytes;  // of shared memory, beyond what the code declares
    const uint64_t *params;  // all of 64 bits
    size_t n_params;
    const PtxRange *ranges;
    size_t n_ranges;
    PtxOrder order;
    uint64_t seed;
    // Sums of products on matrix units: false: as exact as doubles are, rounded once; true: as published tests
    // find the hardware's, terms cut below the largest and the result cut, not rounded.
    bool cut_sums;
    uint64_t budget;  // instructions of threads; 0 = no limit
} PtxLaunch;

typedef struct PtxTally {
    uint64_t instructions;  // of threads
    uint64_t products, group_products, copies, barriers;
} PtxTally;

// Adds to the tally. False: a fault, with line of the PTX, block and thread.
bool ptx_run(const PtxEntry *entry, const PtxLaunch *launch, PtxTally *tally, Err *e);

#endif
