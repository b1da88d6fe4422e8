// The references that kernel_table points to: one output each, in double precision, with its error bound.
#ifndef GPUADVISE_KERNELS_REFERENCE_H
#define GPUADVISE_KERNELS_REFERENCE_H

#include "kernels/kernels.h"

void ref_copy(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_scale(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_add(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_triad(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_read(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_latency(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_reduce(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_gemm(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_gemv_bf16(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_gemv_i8(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_rmsnorm(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_softmax(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_rotary(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_swiglu(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_argmax(const RefIn *in, size_t index, double *ret_value, double *ret_bound);
void ref_topk(const RefIn *in, size_t index, double *ret_value, double *ret_bound);

// Steps of the pointer chase in a buffer of that shape.
size_t chase_steps(const Shape *s);

#endif
