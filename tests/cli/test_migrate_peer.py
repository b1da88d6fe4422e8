"""migrate scan on inputs that a renaming script gets wrong: one test a defect, numbered as they were found."""
import os

import harness

KERNEL = "__global__ void k(float *x, int n) {\n%s\n}\n"


class Defects(harness.Case):
    def scan(self, text, name="a.cu"):
        self.write("tree/" + name, text)
        answer = self.json("migrate", "scan", os.path.join(self.home, "tree"))
        self.answer = answer
        return answer["findings"]

    def fires(self, text, *rules, name="a.cu"):
        found = [f["rule"] for f in self.scan(text, name)]
        for rule in rules:
            self.assertIn(rule, found)
        return found

    def test_01_assembly(self):
        self.fires(KERNEL % 'asm("mov.u32 %0, %%laneid;" : "=r"(n));\nasm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0};" :: "r"(n));', "ptx-special-reg", "ptx-mma")

    def test_02_fragments(self):
        found = self.fires("#include <mma.h>\n" + KERNEL % "nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half> f;", "wmma-api")
        self.assertGreaterEqual(found.count("wmma-api"), 2)

    def test_03_shuffle_tree(self):
        self.fires(KERNEL % "for (int o = 16; o > 0; o >>= 1) x[0] += __shfl_down_sync(0xffffffff, x[0], o);", "warp-mask-literal32", "shuffle-tree-16")

    def test_04_lanes(self):
        found = self.fires(KERNEL % "__shared__ float s[32];\nint lane = threadIdx.x & 31;\nint warp = threadIdx.x >> 5;", "lane-arith-32", "shared-32-slots")
        self.assertEqual(found.count("lane-arith-32"), 2)

    def test_05_ballot(self):
        self.fires(KERNEL % "unsigned m = __ballot_sync(all, x[0] > 0);\nn = __popc(m_mask);", "warp-mask-var32", "ballot-popc32")

    def test_06_pipelines_and_atomics(self):
        self.fires(KERNEL % "cuda::pipeline<cuda::thread_scope_thread> p;\n__pipeline_memcpy_async(a, b, 16);\ncuda::barrier<cuda::thread_scope_block> b;\ncuda::atomic_ref<int> r(n);", "cp-async", "mbarrier", "libcupp-atomic")

    def test_07_clusters(self):
        found = self.fires("__global__ void __cluster_dims__(2, 1, 1) k(float *x) {\n  auto y = cluster.map_shared_rank(x, 1);\n}\n", "cluster-dsmem")
        self.assertEqual(found.count("cluster-dsmem"), 2)

    def test_08_launch_in_a_kernel(self):
        self.fires(KERNEL % "k<<<1, 32>>>(x, 1);", "dynamic-parallelism")

    def test_09_two_launch_bounds(self):
        self.fires("__global__ void __launch_bounds__(256, 2) k() {}\n", "launch-bounds-2")

    def test_10_guards(self):
        found = self.fires("#if __CUDA_ARCH__ >= 800\n#endif\n#if CUDA_VERSION > 11000\n#endif\n#if CUDART_VERSION > 11000\n#endif\n", "cuda-arch-guard", "cuda-version-guard")
        self.assertEqual(found.count("cuda-version-guard"), 2)

    def test_11_libraries(self):
        text = "".join(f"#include <{h}>\n" for h in ("nccl.h", "nvtx3/nvToolsExt.h", "nvml.h", "cupti.h", "cufile.h", "cusparseLt.h", "nppi.h", "nvjpeg.h", "nvshmem.h", "NvInfer.h", "optix.h", "cutlass/cutlass.h", "cuda/std/array"))
        found = self.fires(text, "nccl", "nvtx", "nvml", "cupti", "cufile", "cusparselt", "npp-nvjpeg", "nvshmem", "tensorrt-cpp", "optix", "cutlass-cute", "libcupp-std")
        self.assertEqual(len(found), 13)

    def test_12_policies_and_block_headers(self):
        self.fires("#include <cub/block/block_scan.cuh>\nvoid f() { thrust::sort(thrust::cuda::par.on(s), a, b); }\n", "cub-header", "thrust-policy")

    def test_13_pasted_names(self):
        self.fires("#define CALL(x) cuda##x\n", "token-paste-api")

    def test_14_library_and_symbol_are_one_finding(self):
        findings = self.scan('void f() { auto p = dlsym(dlopen("libcuda.so.1", 1), "cuMemAlloc_v2"); }\n')
        self.assertEqual({f["rule"] for f in findings}, {"dlsym-driver"})

    def test_15_comments_and_logs(self):
        self.assertEqual(self.scan('/* cudaMalloc */ // cudaFree\nvoid f() { log("cudaMalloc failed: cudaErrorMemoryAllocation"); }\n'), [])

    def test_16_names_of_others(self):
        findings = self.scan("__global__ void k() {}\nint f(int a) { return std::max(a, 2) + my::min(a, 3) + v.max(); }\n")
        self.assertEqual(findings, [])

    def test_17_own_functions(self):
        self.write("tree/util.h", "inline void cudaCheck(int e) { if (e) throw e; }\n")
        findings = self.scan("void f(void *p) { cudaCheck(cudaFree(p)); cudaCheck(0); }\n")
        self.assertEqual([f["name"] for f in findings], ["cudaFree"])

    def test_18_fp8_is_not_a_rename(self):
        f = self.scan("__nv_fp8_e4m3 x;\n")[0]
        self.assertEqual(f["rule"], "fp8-types")
        self.assertNotEqual(f["class"], "automatic")

    def test_19_bf16_header(self):
        f = self.scan("#include <cuda_bf16.h>\n")[0]
        self.assertEqual((f["rule"], f["amd"]), ("bf16-header", "hip/hip_bf16.h"))

    def test_20_cudnn_goes_to_miopen_by_hand(self):
        f = self.scan("void f() { cudnnConvolutionForward(h); }\n")[0]
        self.assertTrue(f["rule"].startswith("cudnn") and f["class"] in ("manual", "blocker"))
        self.assertTrue(f["amd"].startswith("miopen"))

    def test_21_each_use_counts_once(self):
        findings = self.scan("#include <cuda.h>\n#include <cuda_runtime.h>\n#include <cuda_runtime.h>\n")
        names = [f["name"] for f in findings]
        self.assertEqual((names.count("cuda.h"), names.count("cuda_runtime.h"), len(names)), (1, 2, 3))

    def test_22_two_launches_on_a_line(self):
        findings = self.scan("void f() { one<int><<<1, 2>>>(p); two<float, 3><<<3, 4>>>(p); }\n")
        self.assertEqual([(f["name"], f["column"], f["class"]) for f in findings], [("one", 12, "automatic"), ("two", 35, "automatic")])

    def test_23_launch_over_lines(self):
        findings = self.scan("void f() {\n  three<<<dim3(1),\n          4\n       >>>(p);\n}\n")
        self.assertEqual([(f["name"], f["line"], f["rule"]) for f in findings], [("three", 2, "kernel-launch")])

    def test_24_folder_that_is_named_like_a_file(self):
        findings = self.scan("void f() { cudaFree(0); }\n", "llm.c/sub.cu/a.cu")
        self.assertEqual([f["file"] for f in findings], ["llm.c/sub.cu/a.cu"])
        self.assertEqual([n for n in self.answer["not_analysed"] if n["file"]], [])


if __name__ == "__main__":
    harness.main()
