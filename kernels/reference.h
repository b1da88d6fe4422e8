// The references that kernel_table points to: one output each, in double precision, with its error bound.
#ifndef GPUADVISE_KERNELS_REFERENCE_H
#define GPUADVISE_KERNELS_REFERENCE_H

#include "kernels/kernels.h"

// Element i of an input: generated, or put in its place.
static inline double ref_input(const RefIn *in, size_t buffer, size_t i) {
    if (in->special.set && in->special.buffer == buffer && in->special.index == i) return in->special.value;
    return input_value(in->kernel, &in->shape, buffer, in->seed, i);
}

void ref_copy(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_scale(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_add(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_triad(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_triad_f64(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_read(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_latency(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_reduce(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_gemm(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_gemm_f64(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_gemv_bf16(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_gemv_bytes(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_rmsnorm(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_softmax(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_rotary(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_swiglu(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_argmax(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_topk(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_gemm_nt(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_gemm_mxfp4(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_gemv_i4(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_gemv_mxfp4(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_prefill(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_decode_gqa(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_decode_mla(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_moe_gather(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_atomics(const RefIn *in, size_t index, double *ret_value, double *ret_bound);

#define ROUNDOFF_F32 5.9604644775390625e-08  // 2^-24: half a unit of the last place

// Steps of the pointer chase in a buffer of that shape.
size_t chase_steps(const Shape *s);

#endif
