"""migrate scan from outside: trees of sources, hostile ones too."""
import json
import os
import socket

import harness

DEFECTS = r'''
#include <mma.h>
#include <cuda_runtime.h>
#include <cuda_bf16.h>
#include <cub/block/block_reduce.cuh>
#include <nccl.h>
#define CALL(x) cuda##x
// cudaMemset(p, 0, 4);
void cudaCheck(int e) { log("cudaGetErrorName failed"); }
namespace my { int min(int a, int b); }
__global__ void __launch_bounds__(256, 2) k(float *x, int mask) {
    __shared__ float s[32];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    unsigned m = __ballot_sync(all, x[0] > 0);
    int n = __popc(mask);
    for (int o = 16; o > 0; o >>= 1) x[0] += __shfl_down_sync(0xffffffff, x[0], o);
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(n));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%1};" :: "r"(n));
    cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();
    cuda::barrier<cuda::thread_scope_block> b;
    cuda::atomic_ref<int> a(n);
    cg::this_cluster().sync();
    k<<<1, 32>>>(x, 1);
    x[0] = std::max(1, 2) + my::min(1, 2);
}
#if __CUDA_ARCH__ >= 800 || CUDART_VERSION > 11000
#endif
void f(void *p) {
    cudaCheck(cudaMalloc(&p, 4));
    one<int><<<1, 2>>>(p); two<float><<<3, 4>>>(p);
    three<<<dim3(1),
            4>>>(p);
    dlsym(dlopen("libcuda.so.1", 1), "cuMemAlloc_v2");
    __nv_fp8_e4m3 q; cudnnConvolutionForward(p); thrust::sort(thrust::cuda::par, p, p);
    nvmlInit(); cuptiActivityEnable(1); nvshmem_init(); optixInit(); nvjpegDecode(p); cutlass::gemm::device::Gemm<int> g; nvinfer1::ICudaEngine *en;
}
'''


class Tree(harness.Case):
    def put(self, name, text):
        path = os.path.join(self.home, "tree", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        mode = "wb" if isinstance(text, bytes) else "w"
        with open(path, mode) as f:
            f.write(text)
        return path

    def scan(self, *args, **options):
        return self.json("migrate", "scan", os.path.join(self.home, "tree"), *args, **options)

    @staticmethod
    def rules(answer):
        return {f["rule"] for f in answer["findings"]}


class Defects(Tree):
    def setUp(self):
        super().setUp()
        self.put("llm.c/a.cu", DEFECTS)
        self.answer = self.scan()

    def lines(self, rule):
        return [f["line"] for f in self.answer["findings"] if f["rule"] == rule]

    def test_constructs_that_the_peer_misses(self):
        wanted = {"ptx-special-reg", "ptx-mma", "wmma-api", "warp-mask-literal32", "shuffle-tree-16", "lane-arith-32", "shared-32-slots", "ballot-popc32", "warp-mask-var32", "cp-async", "mbarrier",
                  "libcupp-atomic", "cluster-dsmem", "dynamic-parallelism", "launch-bounds-2", "cuda-arch-guard", "cuda-version-guard", "nccl", "nvml", "cupti", "nvshmem", "optix", "npp-nvjpeg", "cutlass-cute",
                  "tensorrt-cpp", "thrust-policy", "cub-header", "token-paste-api", "dlsym-driver", "fp8-types", "bf16-header", "cudnn-legacy"}
        self.assertEqual(wanted - self.rules(self.answer), set())

    def test_comments_logs_and_own_names_are_none(self):
        names = {f["name"] for f in self.answer["findings"]}
        self.assertFalse(names & {"cudaMemset", "cudaGetErrorName", "cudaCheck", "max", "min"})

    def test_each_launch_once_where_its_kernel_is_named(self):
        row = DEFECTS.split("\n").index("    one<int><<<1, 2>>>(p); two<float><<<3, 4>>>(p);") + 1
        self.assertEqual(self.lines("kernel-launch"), [row, row, row + 1])

    def test_a_place_counts_once(self):
        places = [(f["file"], f["line"], f["column"]) for f in self.answer["findings"]]
        self.assertEqual(len(places), len(set(places)))

    def test_lanes_of_the_target(self):
        rdna = self.scan("--gpu", next(g["sku_id"] for g in self.json("gpus", "list")["gpus"] if str(g.get("target", "")).startswith("gfx1")))
        self.assertFalse(self.rules(rdna) & {"lane-arith-32", "shared-32-slots", "shuffle-tree-16", "ballot-popc32", "warp-mask-var32"})
        self.assertEqual(rdna["summary"]["lanes"], 32)

    def test_days(self):
        days = self.answer["effort_days"]
        for key in ("first_port", "tests_and_ci", "kept_a_year"):
            self.assertTrue(0 < days[key]["low"] <= days[key]["value"] <= days[key]["high"])
        self.assertTrue(self.answer["leave_out"])
        self.exits(4, "migrate", "scan", os.path.join(self.home, "tree"), "--fail-over-days", "0.1")
        self.ok("migrate", "scan", os.path.join(self.home, "tree"), "--fail-over-days", "100000")

    def test_sarif(self):
        out = json.loads(self.ok("migrate", "scan", os.path.join(self.home, "tree"), "--format", "sarif"))
        run = out["runs"][0]
        self.assertEqual(out["version"], "2.1.0")
        self.assertEqual(len(run["results"]), len(self.answer["findings"]))
        for result in run["results"]:
            self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"])
            self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "llm.c/a.cu")

    def test_baseline(self):
        old = os.path.join(self.home, "old.json")
        with open(old, "w", encoding="utf-8") as f:
            json.dump(self.answer, f)
        self.assertEqual(self.scan("--baseline", old)["summary"]["baseline"], {"new": 0, "gone": 0, "same": len(self.answer["findings"])})
        self.put("b.cpp", "void g() { cudaFree(0); }\n")
        self.put("llm.c/a.cu", DEFECTS.replace("nvmlInit();", ""))
        change = self.scan("--baseline", old)["summary"]["baseline"]
        self.assertEqual((change["new"], change["gone"]), (1, 1))
        with open(old, "w", encoding="utf-8") as f:
            f.write("{}")
        self.exits(1, "migrate", "scan", os.path.join(self.home, "tree"), "--baseline", old)

    def test_text_csv_and_markdown(self):
        out = self.ok("migrate", "scan", os.path.join(self.home, "tree"))
        for word in ("first working port", "tests and CI", "kept for a year", "blocker", "####", "not analysed", "leave out"):
            self.assertIn(word, out)
        self.assertIn("llm.c/a.cu,", self.ok("migrate", "scan", os.path.join(self.home, "tree"), "--format", "csv"))
        self.assertIn("| llm.c/a.cu |", self.ok("migrate", "scan", os.path.join(self.home, "tree"), "--format", "md"))
        self.exits(2, "migrate", "ports", "--format", "sarif")


class Trees(Tree):
    def test_without_cuda_says_so(self):
        self.put("a.cpp", "#include <vector>\nint f(int tid, float4 v) { asm volatile(\"pause\"); return max(tid % 32, 1 << lane); }\n")
        self.put("README.md", "cudaMalloc\n")
        answer = self.scan()
        self.assertEqual(answer["findings"], [])
        self.assertEqual(answer["effort_days"]["first_port"]["value"], 0)
        self.assertIn("nothing to port", self.ok("migrate", "scan", os.path.join(self.home, "tree")))

    def test_origins_ignores_and_excludes(self):
        self.put("a.cu", "void f() { cudaFree(0); }\n")
        self.put("third_party/x/b.cu", "void f() { cudaFree(0); }\n")
        self.put("gen.cu", "// Generated by x. DO NOT EDIT.\nvoid f() { cudaFree(0); }\n")
        self.put("build/c.cu", "void f() { cudaFree(0); }\n")
        self.put("old/d.cu", "void f() { cudaFree(0); }\n")
        self.put("keep/e.tmp.cu", "void f() { cudaFree(0); }\n")
        self.put(".gitignore", "/build/\n*.tmp.cu\n!keep/e.tmp.cu\n# x\n")
        origins = {f["file"]: f["origin"] for f in self.scan("--exclude", "old/**")["findings"]}
        self.assertEqual(origins, {"a.cu": "own", "third_party/x/b.cu": "vendored", "gen.cu": "generated", "keep/e.tmp.cu": "own"})

    def test_other_languages_and_dependencies(self):
        self.put("requirements.txt", "torch==2.1.0+cu118\nsome-unknown-thing\n")
        self.put("Dockerfile", "FROM nvidia/cuda:12.4.1-devel\n")
        self.put("k.py", "import torch\nsrc = '''\n__global__ void k(float *x) { x[0] = __ldg(x); }'''\n")
        answer = self.scan()
        self.assertTrue({"c-from-cuda", "py-kernel-string"} <= self.rules(answer))
        self.assertIn(("k.py", 3, "api-rename"), {(f["file"], f["line"], f["rule"]) for f in answer["findings"]})
        of = {d["name"]: d for d in answer["dependencies"]}
        self.assertTrue(of["torch"]["pin_blocks"])
        self.assertIsNone(of["some-unknown-thing"]["class"])

    def test_the_same_answer_every_time(self):
        for i in range(60):
            self.put(f"d{i % 7}/f{i}.cu", f"__global__ void k{i}(int *p) {{}}\nvoid f() {{ k{i}<<<1, 2>>>(0); cudaFree(0); }}\n")
        first = self.scan()
        self.assertEqual(len(first["findings"]), 120)
        for _ in range(3):
            self.assertEqual(self.scan()["findings"], first["findings"])


class Hostile(Tree):
    def notes(self, answer):
        return {n["file"]: n["why"] for n in answer["not_analysed"]}

    def test_strange_files_get_a_note(self):
        self.put("ok.cu", "void f() { cudaFree(0); }\n")
        self.put("nul.cu", b"int x;\0\0\0cudaFree")
        self.put("bad\xff.cu".encode("latin-1").decode("utf-8", "surrogateescape"), b"void f() { cudaFree(0); } // \xff\xfe\n")
        self.put("evil\n\x1b[31m.cu", "void f() { cudaFree(0); }\n")
        big = self.put("big.cu", "")
        os.truncate(big, 2 << 30)
        tree = os.path.join(self.home, "tree")
        os.mkfifo(os.path.join(tree, "pipe.cu"))
        os.symlink(".", os.path.join(tree, "loop"))
        s = socket.socket(socket.AF_UNIX)
        self.addCleanup(s.close)
        here = os.getcwd()
        os.chdir(tree)
        self.addCleanup(os.chdir, here)
        s.bind("sock.cu")
        answer = self.scan()
        notes = self.notes(answer)
        for name, word in (("nul.cu", "NUL"), ("big.cu", "16 MiB"), ("pipe.cu", "pipe"), ("loop", "symbolic"), ("sock.cu", "socket")):
            self.assertIn(word, notes[name])
        self.assertEqual(len(answer["findings"]), 3)
        out = self.ok("migrate", "scan", tree)
        self.assertNotIn("\x1b", out)
        for form in ("csv", "md", "sarif"):
            self.assertNotIn("\x1b", self.ok("migrate", "scan", tree, "--format", form))

    def test_unreadable_folder(self):
        if os.geteuid() == 0:
            self.skipTest("root reads everything")
        self.put("no/a.cu", "cudaFree(0);\n")
        os.chmod(os.path.join(self.home, "tree", "no"), 0)
        self.addCleanup(os.chmod, os.path.join(self.home, "tree", "no"), 0o700)
        self.assertIn("could not be opened", self.notes(self.scan())["no"])

    def test_strange_texts_end(self):
        self.put("long.cu", "int x = 1; " * 400000)
        self.put("deep.cu", "#if A\n" * 20000 + "cudaFree(0);\n" + "#endif\n" * 20000)
        self.put("parens.cu", "#if " + "(" * 100000 + "\n" + "(" * 100000 + "{" * 100000 + "<" * 99999 + "k<<<" * 20000)
        self.put("open.cu", "/* never closed\ncudaFree(0);")
        self.put("string.cu", 'const char *s = "never closed\ncudaFree(0);\nauto r = R"x(never closed')
        self.put(".gitignore", "*a" * 300 + "b\n" + "**/" * 200 + "x\n")
        self.put("a" * 200 + ".cu", "cudaFree(0);")
        answer = self.scan()
        self.assertIn("not closed", self.notes(answer)["open.cu"])
        self.assertIn("deep.cu", {f["file"] for f in answer["findings"]})

    def test_deep_folders_and_wrong_paths(self):
        self.put("/".join(["d"] * 150) + "/a.cu", "cudaFree(0);\n")
        self.assertIn("too deep", " ".join(self.notes(self.scan()).values()))
        self.exits(1, "migrate", "scan", os.path.join(self.home, "none"))
        self.exits(2, "migrate", "scan")
        self.exits(2, "migrate", "scan", self.home, "--rocm", "seven")
        self.exits(2, "migrate", "scan", self.home, "--gpu", "h100-sxm5-80gb")


if __name__ == "__main__":
    harness.main()
