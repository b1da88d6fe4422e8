// GPUs as bytes per second and flops per second.
#include <math.h>

#include "src/perf/perf.h"

double gpu_usable_bytes(const Gpu *g) {
    // Without a reading from a real device the smaller meaning of the vendor's number is the safe one.
    return is_known(g->memory_usable_mib) ? g->memory_usable_mib * 1048576 : g->memory_gb * 1e9;
}

double gpu_peak_flops(const Gpu *g, Dtype compute) {
    switch (compute) {
    case DTYPE_FP64:
        return fmax(is_known(g->fp64_matrix_tflops) ? g->fp64_matrix_tflops : g->fp64_vector_tflops,
                    g->fp64_vector_tflops) *
               1e12;
    case DTYPE_FP32: return g->fp32_vector_tflops * 1e12;
    case DTYPE_TF32: return g->tf32_tflops * 1e12;
    case DTYPE_FP16: return g->fp16_tflops * 1e12;
    case DTYPE_BF16: return g->bf16_tflops * 1e12;
    case DTYPE_FP8: return g->fp8_tflops * 1e12;
    case DTYPE_FP6: return g->fp6_tflops * 1e12;
    case DTYPE_INT8: return g->int8_tops * 1e12;
    case DTYPE_FP4:
    case DTYPE_MXFP4:
    case DTYPE_NVFP4: return g->fp4_tflops * 1e12;
    case DTYPE_INT4:
    case DTYPE_UNKNOWN:
    case DTYPE_COUNT: break;
    }
    return (double)NAN;
}

double capped_clock(const Facts *facts, const Gpu *g, double cap_w) {
    double idle = constant_of(facts, CONSTANT_POWER_IDLE_SHARE) * g->board_power_w;
    return cap_w > idle ? fmin(cbrt((cap_w - idle) / (g->board_power_w - idle)), 1) : (double)NAN;
}

// One direction of 16 PCI Express lanes, after encoding (PCI-SIG: 8 GT/s a lane in generation 3, doubled
// since).
static double pcie_bytes_s(const Gpu *g) {
    return is_known(g->pcie_gen) ? 15.75e9 * exp2(g->pcie_gen - 3) : (double)NAN;
}

double gpu_link_bytes_s(const Gpu *g, int n) {
    enum { MESH_PEERS = 7 };  // boards of eight fully connected GPUs
    double one_way = g->link_gb_s / 2 * 1e9;
    if (!is_known(one_way)) return pcie_bytes_s(g);
    switch (g->link_topology) {
    case LINK_SWITCH: return one_way;
    case LINK_MESH: return one_way * (n - 1 < MESH_PEERS ? n - 1 : MESH_PEERS) / MESH_PEERS;
    case LINK_PAIR: return n <= 2 ? one_way : pcie_bytes_s(g);
    case LINK_NONE:
    case LINK_TOPOLOGY_COUNT: break;
    }
    return pcie_bytes_s(g);
}
