// What a step and a prompt take that is neither a product, nor attention over a whole cache, nor a message: the
// indexer of sparse attention, the recurrence of linear attention, and the unpacking of weights that are stored in
// fewer bits than the arithmetic works in. Pure; used by resolve.c, serving.c and for `estimate --explain`.
//
// Of a model with sparse attention, kv_sparse_bytes_per_token_bf16 of the cache's growth is in layers that read at most the
// entries of `sparse_tokens` other tokens, and index_flops_per_pair is what choosing them computes for a token and each
// before it, all layers together.
//
// F peak and BW bandwidth of one rank, c context, n tokens of a prompt, k tokens that a sparse layer reads:
//   indexer   a sequence and step: c x key bytes / (eta BW) + c x index flops / (eta F), on every rank that holds the
//             keys: latent attention computes it whole on each rank. A prompt: index flops x n^2/2 / (eta F). Sparse
//             layers themselves then read min(c, k) entries, and prompts attend to n k - k^2/2 pairs (model.c).
//   linear    a sequence and step: state read and written, 2 x state bytes / ranks / (eta BW). A prompt:
//             6 x state elements x n / ranks / (eta F): decay, read, delta, update and output of each element.
//   unpacking a step of n tokens: max(n / 128, 1) x weights / ranks x dequant_instructions / (vector instructions/s),
//             besides the arithmetic: every tile of 128 tokens unpacks its weights anew, which matrix units hide but
//             for that part. So prompts stay below the dense peak of the wider type.
//   host      a step: (weights there that it touches + its caches there) / what host memory gives; the GPUs wait for the
//             CPU, whose arithmetic is not counted. A prompt: max(n / ubatch, 1) x all weights there / host_link_gb_s,
//             streamed to the GPUs, which compute.
// eta is that of measured kernels (data/kernels.tsv: index_*, linear_*), of the nearest GPU as in kernels.h, at last
// of another vendor's GPU with the nearest balance of arithmetic and bandwidth, which is said; where no table has
// it at all the configuration's own factors stand in.
#ifndef GPUADVISE_PERF_EXTRAS_H
#define GPUADVISE_PERF_EXTRAS_H

#include "src/perf/kernels.h"

typedef enum ExtraKind { EXTRA_INDEXER, EXTRA_LINEAR, EXTRA_UNPACKING, EXTRA_HOST, EXTRA_COUNT } ExtraKind;
extern const char *const extra_names[];   // indexer, linear-attention, unpacking, host-memory
extern const char *const extra_titles[];  // one line each, for people

// Worked out once for a configuration. All zeros where the model and weights have nothing of it.
typedef struct ExtraPlan {
    bool known[EXTRA_COUNT];         // there is such a term
    double sequence_s[EXTRA_COUNT];  // that a sequence adds to a step
    double token_s[EXTRA_COUNT];     // that a token of a prompt takes
    double pair_s[EXTRA_COUNT];      // that a pair of tokens of a prompt takes
    double unpack_s;                 // unpacking all weights that a step of one tile reads
    double tile_tokens;
    // of decoding and of prompts; NULL: no table, or none needed
    const KernelFit *decode[EXTRA_COUNT], *prompt[EXTRA_COUNT];
    KernelReach decode_reach[EXTRA_COUNT], prompt_reach[EXTRA_COUNT];
} ExtraPlan;

struct Serving;

// Looks the tables up; needs the factors, the layout and the memory of `s`.
void extras_plan(const Facts *facts, struct Serving *s);

// Seconds of a step of `batch` sequences with `tokens` tokens: what reads caches and states; what adds to arithmetic.
double extras_step_s(const struct Serving *s, ExtraKind kind, double batch, double tokens);

// Seconds of a prompt of which `tokens` are new behind `held` others.
double extras_prompt_s(const struct Serving *s, ExtraKind kind, double held, double tokens);

// "index_decode of vllm on h200-sxm5-141gb (this GPU)"; for people. Lives in the arena.
const char *extras_basis(const struct Serving *s, ExtraKind kind, Arena *a);
const char *extras_source(const struct Serving *s, ExtraKind kind, Arena *a);

#endif
