#!/usr/bin/python3
"""How fast `gpuadvise migrate scan` is: against `cat` of the same tree and a word scanner in Perl, in the same run.

    bench_scan.py PROGRAM [--lines N] [--tree DIR]

Without --tree it writes a tree of CUDA-like sources of its own (1 million lines unless told), scans it three times and
prints the best time of each. Times are wall seconds; memory is the program's peak.
"""
import argparse
import os
import random
import resource
import shutil
import subprocess
import tempfile
import time

KERNEL = """// Kernel {i}: adds what cudaMalloc gave.
#include <cuda_runtime.h>
#define BLOCK_{i} 256
template <typename T>
__global__ void __launch_bounds__(BLOCK_{i}) add_{i}(const T *__restrict__ a, T *b, int n) {{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    /* one element a thread,
       none beyond the end */
    if (at < n) {{
        T value = __ldg(&a[at]);
        value += __shfl_down_sync(0xffffffff, value, {k});
        b[at] = value * static_cast<T>({k}.5f);
    }}
}}
"""
PLAIN = """
static int step_{i}(int x, const std::vector<float> &values) {{
    int total = 0;  // of this step
    for (size_t k = 0; k < values.size(); ++k) {{
        total += static_cast<int>(values[k]) % {k} + x;
        if (total > 1000) log("step {i} went over", total);
    }}
    return total;
}}
"""
HOST = """
void run_{i}(float *host, int n) {{
    float *device = nullptr;
    CHECK(cudaMalloc(&device, n * sizeof(float)));
    CHECK(cudaMemcpy(device, host, n * sizeof(float), cudaMemcpyHostToDevice));
    add_{i}<float><<<(n + 255) / 256, 256>>>(device, device, n);
    CHECK(cudaFree(device));
}}
"""


def write_tree(root, lines):
    draw = random.Random(1)
    written = at = 0
    while written < lines:
        parts = []
        n = 0
        while n < 600:
            text = draw.choice([KERNEL, PLAIN, PLAIN, PLAIN, HOST]).format(i=at, k=draw.randrange(1, 99))
            parts.append(text)
            n += text.count("\n")
            at += 1
        folder = os.path.join(root, f"part{at % 40}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, f"file{at}.{draw.choice(['cu', 'cu', 'cuh', 'cpp', 'h'])}"), "w", encoding="utf-8") as f:
            f.write("".join(parts))
        written += n
    return written


def best(command, times=3):
    least = None
    for _ in range(times):
        start = time.perf_counter()
        subprocess.run(command, shell=isinstance(command, str), check=True, stdout=subprocess.DEVNULL)
        took = time.perf_counter() - start
        least = took if least is None else min(least, took)
    return least


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--lines", type=int, default=1000000)
    parser.add_argument("--tree")
    args = parser.parse_args()
    root = args.tree or tempfile.mkdtemp(prefix="gpuadvise-bench-")
    try:
        if args.tree is None:
            write_tree(root, args.lines)
        files = f"find '{root}' -type f -regextype posix-extended -regex '.*\\.(cu|cuh|c|cc|cpp|h|hpp|inl)'"
        lines = int(subprocess.run(f"{files} -print0 | xargs -0 cat | wc -l", shell=True, check=True, capture_output=True).stdout)
        cat = best(f"{files} -print0 | xargs -0 cat > /dev/null")
        perl = best(f"{files} -print0 | xargs -0 perl -ne 'while (/(\\w+)/g) {{ $n{{$1}}++ }}'", 1)
        scan = best([args.program, "migrate", "scan", root, "-q"])
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    finally:
        if args.tree is None:
            shutil.rmtree(root, ignore_errors=True)
    cores = os.cpu_count()
    print(f"{lines} lines, {cores} cores")
    print(f"cat {cat:.2f} s, Perl word count {perl:.2f} s, scan {scan:.2f} s")
    print(f"scan: {lines / scan:.0f} lines/s, {lines / scan / cores:.0f} a core; {scan / cat:.1f} times cat, {perl / scan:.1f} times as fast as Perl")
    print(f"peak memory of the largest child: {peak:.0f} MB")


if __name__ == "__main__":
    main()
