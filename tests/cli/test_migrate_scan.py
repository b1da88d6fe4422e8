"""migrate scan from outside: trees of sources, hostile ones too."""
import json
import os
import pty
import select
import socket
import subprocess
import tempfile
import threading

import jsonschema

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

    @harness.once
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

    def test_sarif_has_the_form_of_the_standard(self):
        """No Debian package brings the schema of SARIF 2.1.0: this holds what the standard asks of the parts that are written."""
        text = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}, "additionalProperties": False}
        level = {"enum": ["none", "note", "warning", "error"]}
        region = {"type": "object", "required": ["startLine"], "properties": {k: {"type": "integer", "minimum": 1} for k in ("startLine", "startColumn")}, "additionalProperties": False}
        place = {"type": "object", "required": ["artifactLocation", "region"], "additionalProperties": False, "properties": {
            "artifactLocation": {"type": "object", "required": ["uri"], "properties": {"uri": {"type": "string", "pattern": "^[A-Za-z0-9._~/%-]+$"}}, "additionalProperties": False}, "region": region}}
        result = {"type": "object", "required": ["message", "ruleId"], "additionalProperties": False, "properties": {
            "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": 0}, "level": level, "message": text,
            "locations": {"type": "array", "items": {"type": "object", "properties": {"physicalLocation": place}, "additionalProperties": False}}}}
        rule = {"type": "object", "required": ["id"], "additionalProperties": False, "properties": {
            "id": {"type": "string"}, "shortDescription": text, "fullDescription": text, "help": text,
            "defaultConfiguration": {"type": "object", "properties": {"level": level}, "additionalProperties": False}}}
        driver = {"type": "object", "required": ["name"], "additionalProperties": False, "properties": {"name": {"type": "string"}, "rules": {"type": "array", "uniqueItems": True, "items": rule}}}
        run = {"type": "object", "required": ["tool"], "additionalProperties": False, "properties": {
            "tool": {"type": "object", "required": ["driver"], "properties": {"driver": driver}, "additionalProperties": False},
            "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]}, "results": {"type": "array", "items": result}}}
        schema = {"type": "object", "required": ["version", "runs"], "additionalProperties": False, "properties": {
            "$schema": {"type": "string", "format": "uri"}, "version": {"const": "2.1.0"}, "runs": {"type": "array", "items": run}}}
        tree = os.path.join(self.home, "tree")
        for extra in ([], ["--exclude", "*"]):
            jsonschema.validate(harness.parse_json(self.ok("migrate", "scan", tree, "--format", "sarif", *extra)), schema)

    def test_columns_are_code_points(self):
        self.put("llm.c/a.cu", "\ufeff/* \u00e9\u6f22\U0001f600 */ cudaFree(0); const char *s = \"\u00e9\"; cudaFree(1);\n\u00e9 cudaFree(2);\n")
        self.put("b.py", "x = '\u00e9\u00e9'; y = torch.cuda.synchronize()\n")
        found = [(f["file"], f["line"], f["column"]) for f in self.scan()["findings"]]
        self.assertEqual(found, [("b.py", 1, 15), ("llm.c/a.cu", 1, 11), ("llm.c/a.cu", 1, 45), ("llm.c/a.cu", 2, 3)])

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
        self.put("dependencies/y/f.cu", "void f() { cudaFree(0); }\n")
        self.put("app/dependencies/__init__.py", "")
        self.put("cmake/deps/h.cu", "void f() { cudaFree(0); }\n")
        self.put("app/dependencies/g.cu", "void f() { cudaFree(0); }\n")
        self.put("gen.cu", "// Generated by x. DO NOT EDIT.\nvoid f() { cudaFree(0); }\n")
        self.put("build/c.cu", "void f() { cudaFree(0); }\n")
        self.put("old/d.cu", "void f() { cudaFree(0); }\n")
        self.put("keep/e.tmp.cu", "void f() { cudaFree(0); }\n")
        self.put(".gitignore", "/build/\n*.tmp.cu\n!keep/e.tmp.cu\n# x\n")
        origins = {f["file"]: f["origin"] for f in self.scan("--exclude", "old/**")["findings"]}
        self.assertEqual(origins, {"a.cu": "own", "third_party/x/b.cu": "vendored", "dependencies/y/f.cu": "vendored", "app/dependencies/g.cu": "own", "cmake/deps/h.cu": "own", "gen.cu": "generated", "keep/e.tmp.cu": "own"})

    def test_other_languages_and_dependencies(self):
        self.put("requirements.txt", "torch==2.1.0+cu118\nsome-unknown-thing\n")
        self.put("Dockerfile", "FROM nvidia/cuda:12.4.1-devel\n")
        self.put("k.py", "import torch\nsrc = '''\n__global__ void k(float *x) { x[0] = cudaGetLastError(); }'''\n")
        answer = self.scan()
        self.assertTrue({"c-from-cuda", "py-kernel-string"} <= self.rules(answer))
        self.assertIn(("k.py", 3, "api-rename"), {(f["file"], f["line"], f["rule"]) for f in answer["findings"]})
        of = {d["name"]: d for d in answer["dependencies"]}
        self.assertTrue(of["torch"]["pin_blocks"])
        self.assertIsNone(of["some-unknown-thing"]["class"])

    def test_lists_that_lists_name(self):
        self.put("requirements.txt", "-r deps/gpu.pip  # more\n-c pins.txt\n-r requirements.txt\n-r ../outside.txt\n-r missing.txt\n-r https://example.org/x.txt\n"
                                     "-r $DIR/x.txt\n-r ${DIR}/x.txt\n-r link.txt\n-r build/made.txt\n-r out/y.txt\n-r setup.py\n-r deps\n-r plain\n")
        self.put("deps/gpu.pip", "torch==2.1.0+cu118\n-r ../requirements.txt\n-r gpu.pip\n-r third_party/z.txt\n")
        self.put("deps/third_party/z.txt", "cupy-cuda12x\n")
        self.put("pins.txt", "vllm==0.4.0\n")
        self.put("plain", "xformers\n")
        self.put("not-named.txt", "flash-attn\n")
        self.put("setup.py", "")
        self.put("build/made.txt", "bitsandbytes\n")
        self.put("out/y.txt", "bitsandbytes\n")
        self.put(".gitignore", "build/\n")
        self.put("../outside.txt", "deepspeed\n")
        os.symlink("pins.txt", os.path.join(self.home, "tree", "link.txt"))
        answer = self.scan("--exclude", "out")
        found = [(d["name"], d["file"], d["line"]) for d in answer["dependencies"]]
        self.assertEqual(found, [("torch", "deps/gpu.pip", 1), ("cupy-cuda12x", "deps/third_party/z.txt", 1), ("vllm", "pins.txt", 1), ("xformers", "plain", 1)])
        notes = sorted(n["why"] for n in answer["not_analysed"] if n["file"] == "requirements.txt")
        for line, word in ((4, "outside"), (5, "not there"), (6, "address"), (7, "not there"), (8, "environment"), (9, "symbolic"), (10, ".gitignore"), (11, "--exclude"), (12, "another kind"), (13, "folder")):
            self.assertEqual([n for n in notes if n.startswith(f"line {line} ") and word in n.split("': ")[1]], [n for n in notes if n.startswith(f"line {line} ")])
        self.assertEqual(len(notes), 10)
        alone = self.json("migrate", "scan", os.path.join(self.home, "tree", "requirements.txt"))
        self.assertEqual(alone["dependencies"], [])
        self.assertIn("outside", alone["not_analysed"][0]["why"])

    def test_joined_lines_of_lists(self):
        self.put("requirements.txt", "torch==2.1.0 \\\n    --hash=sha256:0000 \\\n    --hash=sha256:1111\nvllm \\\n  ==0.4.0\n-r \\\n  more.pip\n# xformers \\\ncupy-cuda12x\n"
                                     "# -r no.pip \\\n--requirement \\\r\n\"even more.pip\" \\\n\n-c\n")
        self.put("more.pip", "flash-attn\n")
        self.put("even more.pip", "deepspeed\n")
        answer = self.scan()
        found = [(d["name"], d["spec"], d["file"], d["line"]) for d in answer["dependencies"]]
        self.assertEqual(found, [("deepspeed", "", "even more.pip", 1), ("flash-attn", "", "more.pip", 1), ("torch", "==2.1.0", "requirements.txt", 1), ("vllm", "==0.4.0", "requirements.txt", 4), ("cupy-cuda12x", "", "requirements.txt", 9)])
        self.assertEqual([n for n in answer["not_analysed"] if n["file"]], [])

    def test_lists_that_commands_install(self):
        self.put("Dockerfile", "FROM x\nRUN pip install -r deps/gpu.pip \\\n && pip3 install --requirement=gone.pip -cpins.pip\n# pip install -r no.pip\nRUN pip install -r $LIST -r https://example.org/x.txt -r /tmp/z.txt\n")
        self.put("tools/ci.yml", "steps:\n  - run: python -m pip install \"-r\" near.pip\n  - run: conda install -r channel\n")
        self.put("tools/near.pip", "xformers\n")
        self.put("deps/gpu.pip", "torch\n-r more.pip\n")
        self.put("deps/more.pip", "deepspeed\n")
        self.put("pins.pip", "vllm==0.4.0\n")
        self.put("no.pip", "flash-attn\n")
        answer = self.scan()
        found = [(d["name"], d["file"]) for d in answer["dependencies"]]
        self.assertEqual(found, [("torch", "deps/gpu.pip"), ("deepspeed", "deps/more.pip"), ("vllm", "pins.pip"), ("xformers", "tools/near.pip")])
        notes = sorted(n["why"] for n in answer["not_analysed"] if n["file"] == "Dockerfile")
        self.assertEqual([n.split("': ")[0] + "'" for n in notes], ["line 3 names the list 'gone.pip'", "line 5 names the list '$LIST'", "line 5 names the list '/tmp/z.txt'", "line 5 names the list 'https://example.org/x.txt'"])

    def test_lists_that_notebooks_install(self):
        cells = [["import torch\n", "!pip install -r lists/gpu.pip\n"], ["%%bash\n", "pip install -r near.pip\n"], ["%pip install \\\n", "  -q -r gone.pip"]]
        self.put("n/a.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": c} for c in cells]}))
        self.put("lists/gpu.pip", "vllm==0.4.0\n")
        self.put("n/near.pip", "xformers\n")
        answer = self.scan()
        self.assertEqual([(d["name"], d["file"]) for d in answer["dependencies"]], [("vllm", "lists/gpu.pip"), ("xformers", "n/near.pip")])
        self.assertEqual([n["why"].split("': ")[0] for n in answer["not_analysed"] if n["file"] == "n/a.ipynb"], ["line 1 names the list 'gone.pip"])

    KERNEL = "#include <cuda_runtime.h>\n#ifdef USE_ROCM\nint a;\n#else\nvoid f() { cudaMalloc(&p, 4); }\n#endif\nvoid g() { asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(n)); }\n__global__ void k() {}\n"

    def test_a_tree_that_is_ported_is_told_so(self):
        self.put("src/a.cu", self.KERNEL)
        self.put("third_party/x/CMakeLists.txt", "find_package(hip REQUIRED)\n")
        port = self.scan()["summary"]["rocm_port"]
        self.assertEqual((port["state"], port["guards"], port["guarded_lines"]), ("traces", 1, 4))
        self.assertEqual([(e["file"], e["line"], e["part"]) for e in port["evidence"]], [("src/a.cu", 2, "code")])
        before = self.scan()["effort_days"]["first_port"]["value"]
        self.put("CMakeLists.txt", "# find_package(hip)\nenable_language(HIP)\nset(CMAKE_HIP_ARCHITECTURES gfx942)\n")
        answer = self.scan()
        port = answer["summary"]["rocm_port"]
        self.assertEqual(port["state"], "present")
        self.assertEqual([(e["file"], e["line"], e["what"]) for e in port["evidence"]], [("CMakeLists.txt", 2, "enable_language(HIP"), ("src/a.cu", 2, "condition about AMD")])
        self.assertLess(answer["effort_days"]["first_port"]["value"], before / 2)
        self.assertEqual(answer["summary"]["confidence"], "low")
        text = self.ok("migrate", "scan", os.path.join(self.home, "tree"))
        self.assertIn("already ported", text)
        self.assertIn("CMakeLists.txt:2: enable_language(HIP", text)
        self.assertNotIn("cudaMalloc", {f["name"] for f in answer["findings"]})

    def test_a_package_that_asks_for_hip_while_it_installs(self):
        self.put("setup.py", "import torch\nif torch.version.hip:\n    pass\n")
        self.put("pkg/a.py", "import torch\nif torch.version.hip: pass\n")
        self.assertEqual(self.scan()["summary"]["rocm_port"]["state"], "traces")
        self.put("pkg/a.cu", "#if defined(__HIP_PLATFORM_AMD__)\n#endif\n")
        self.assertEqual(self.scan()["summary"]["rocm_port"]["state"], "present")

    def test_tests_are_work_of_the_second_total(self):
        self.put("src/a.cu", self.KERNEL)
        alone = self.scan()
        self.put("tests/b.cu", self.KERNEL * 20)
        self.put("src/c_test.cu", self.KERNEL * 20)
        answer = self.scan()
        self.assertEqual({f["file"] for f in answer["findings"] if f["in_tests"]}, {"tests/b.cu", "src/c_test.cu"})
        self.assertEqual(answer["summary"]["in_tests"], 40 * len(alone["findings"]))
        self.assertEqual(answer["effort_days"]["first_port"]["value"], alone["effort_days"]["first_port"]["value"])
        self.assertGreater(self.json("migrate", "scan", os.path.join(self.home, "tree", "tests"))["effort_days"]["first_port"]["value"], alone["effort_days"]["first_port"]["value"])

    def test_what_the_tree_installs_is_no_dependency_of_it(self):
        self.put("flash_attn/__init__.py", "")
        self.put("flash_attn/vllm/__init__.py", "")
        self.put("requirements.txt", "flash-attn\nvllm\n")
        self.assertEqual([d["name"] for d in self.scan()["dependencies"]], ["vllm"])

    def test_days_gate(self):
        self.put("src/a.cu", self.KERNEL)
        tree = os.path.join(self.home, "tree")
        days = self.scan()["effort_days"]["first_port"]["value"]
        for form in ([], ["--json"], ["--format", "csv"], ["--format", "sarif"]):
            out, err = self.exits(4, "migrate", "scan", tree, "--fail-over-days", str(days * 0.99), *form)
            self.assertTrue(out)
            self.assertIn("over the limit", err if not form else out + err)
            self.exits(0, "migrate", "scan", tree, "--fail-over-days", str(days * 1.01), *form)
        for bad in ("-1", "nan", "x", ""):
            self.exits(2, "migrate", "scan", tree, "--fail-over-days", bad)
        with tempfile.TemporaryDirectory() as empty:
            self.exits(0, "migrate", "scan", empty, "--fail-over-days", "0")

    def trapped(self):
        return {(d["name"], d["file"]) for d in self.scan()["dependencies"] if d["index_trap"]}

    def test_an_index_counts_for_all_lists_that_are_taken_together(self):
        index = "--extra-index-url https://example.org/whl/rocm6.2\n"
        self.put("a/requirements.txt", index + "torch\n-r base.pip\n")
        self.put("a/base.pip", "torchvision\n-r deep.pip\n")
        self.put("a/deep.pip", "torchaudio\n")
        self.put("b/requirements.txt", "torch\n-r index.pip\n-r side.pip\n")
        self.put("b/index.pip", "--extra-index-url \\\n  https://example.org/whl/rocm6.2\n")
        self.put("b/side.pip", "torchvision\n")
        self.put("c/requirements.txt", "torch\n-r ../a/base.pip\n")
        self.put("c/other.sh", "pip install -r c/called.pip --extra-index-url https://example.org/whl/rocm6.2\npip install -r c/plain.pip\n")
        self.put("c/called.pip", "torchaudio\n")
        self.put("c/plain.pip", "torchaudio\n")
        self.assertEqual(self.trapped(), {("torch", "a/requirements.txt"), ("torchvision", "a/base.pip"), ("torchaudio", "a/deep.pip"), ("torch", "b/requirements.txt"), ("torchvision", "b/side.pip"), ("torchaudio", "c/called.pip")})

    def test_chains_of_lists_end(self):
        self.put("requirements.txt", "-r c0.pip\n")
        for i in range(30):
            self.put(f"c{i}.pip", f"torch=={i}\n-r c{i + 1}.pip\n")
        answer = self.scan()
        self.assertEqual(len(answer["dependencies"]), 16)
        self.assertIn("16 lists deep", " ".join(n["why"] for n in answer["not_analysed"] if n["file"] == "c15.pip"))

    @harness.once
    def test_many_lists_end(self):
        self.put("requirements.txt", "".join(f"-r no{i}.pip\n" for i in range(20000)))
        answer = self.scan()
        notes = [n["why"] for n in answer["not_analysed"] if n["file"] == "requirements.txt"]
        self.assertEqual(len(notes), 1001)
        self.assertEqual(len([n for n in notes if "the rest was not followed" in n]), 1)

    def test_libraries_are_dependencies(self):
        self.put("a.cu", "#include <cublas_v2.h>\nvoid f() { cublasCreate(&h); ncclAllReduce(a); auto cudnn_size = 1; }\n")
        self.put("b/CMakeLists.txt", "target_link_libraries(x CUDA::cufft CUDA::cublasLt)\n")
        self.put("third_party/c.cu", "void f() { cusolverDnCreate(&h); }\n")
        answer = self.scan()
        of = {d["name"]: d for d in answer["dependencies"]}
        self.assertEqual(set(of), {"cuBLAS", "NCCL", "cuFFT", "cuBLASLt"})
        self.assertEqual((of["cuBLAS"]["kind"], of["cuBLAS"]["file"], of["cuBLAS"]["line"], of["cuBLAS"]["class"]), ("library", "a.cu", 1, "automatic"))
        self.assertEqual(of["cuBLAS"]["rocm_status"], "api-compatible")
        self.assertIn("hipBLAS", of["cuBLAS"]["replacement"])
        self.assertIn("CUDA libraries used", self.ok("migrate", "scan", os.path.join(self.home, "tree")))

    def test_libraries_seen_by_headers_and_calls(self):
        self.put("a.cu", "#include <npp.h>\n#include <cudss.h>\n#include <opencv2/cudaimgproc.hpp>\n#include \"cudnn_part.h\"\n#include <rmm/device_buffer.hpp>\n"
                         "void f() { nvjpegHandle_t h; NvEncodeAPICreateInstance(&e); cuvidCreateDecoder(&d, &i); }\n")
        self.put("cudnn_part.h", "int part();\n")
        self.put("lib/include/rmm/device_buffer.hpp", "int buffer();\n")
        answer = self.scan()
        of = {d["name"]: d for d in answer["dependencies"]}
        self.assertEqual({n: (d["line"], d["rule"]) for n, d in of.items()}, {"NPP": (1, None), "cuDSS": (2, "dep-class-4"), "OpenCV cudaimgproc etc.": (3, "dep-class-4"), "nvJPEG": (6, None), "NVENC": (6, None), "NVDEC (Video Codec SDK decode)": (6, None)})
        self.assertEqual({p["name"] for p in answer["effort_parts"]["dependency"]}, {"cuDSS", "OpenCV cudaimgproc etc."})
        self.assertEqual([f["line"] for f in answer["findings"] if f["line"] in (4, 5)], [])
        out = self.ok("migrate", "scan", os.path.join(self.home, "tree"))
        self.assertIn("a.cu:2: cuDSS manual", out)
        self.assertIn("\n  NPP: rewrite", out)

    def test_names_that_the_tree_declares(self):
        self.put("a.cu", "void f(cudaStream_t cudaStream, CUdevice *cudaDev) {\n  cudaError_t cudaStatus = g(cudaStream, cudaDev);\n  if (cudaStatus) return cudaFresh;\n  h(flags & cudaFreshFlag);\n}\n")
        self.put("hint.cuh", "#define __CUDACC__ 1\n")
        self.put("d.cu", "#ifdef __CUDACC__\n#endif\n")
        self.put("c.cu", "struct S { cudaStream_t s; operator cudaStream_t() const { return s; } };\n")
        self.put("b.cu", "typedef struct { int x; } cudaTmaThing;\nvoid g() { cudaTmaThing t; if (ok(cudaStatus)) cudaFresh(); }\n")
        findings = self.scan()["findings"]
        self.assertEqual({f["name"] for f in findings if f["rule"] == "api-unknown"}, {"cudaDev", "cudaFresh", "cudaFreshFlag"})
        self.assertIn(("d.cu", "__CUDACC__"), {(f["file"], f["name"]) for f in findings})
        self.assertEqual([f["line"] for f in findings if f["file"] == "c.cu" and f["name"] == "cudaStream_t"], [1, 1])

    def test_what_the_tree_declares_decides(self):
        # a header of the tree by CUDA's name, an alias that only some files see, an own namespace and members
        self.put("inc/cuda_runtime.h", "#pragma once\nint x;\n")
        self.put("inc/a.cpp", '#include "cuda_runtime.h"\nvoid f() {}\n')
        self.put("b.cpp", "#include <cuda_runtime.h>\nvoid f() {}\n")
        self.put("alias.h", "using cudaStream_t = struct S *;\n")
        self.put("sees.cu", '#include "alias.h"\nvoid f(cudaStream_t s);\n')
        self.put("not.cu", "void f(cudaStream_t s);\n")
        self.put("own.cuh", "namespace app::curanddx { struct S {}; }\ntemplate <class T> struct V {};\nstruct B { V<int> curand_states; };\n")
        self.put("own.cu", '#include "own.cuh"\nvoid f(B &b) { app::curanddx::S s; g(b.curand_states); }\n')
        rows = [(f["file"], f["rule"]) for f in self.scan()["findings"]]
        self.assertNotIn(("inc/a.cpp", "api-rename"), rows)
        self.assertIn(("b.cpp", "api-rename"), rows)
        self.assertNotIn(("sees.cu", "api-rename"), rows)
        self.assertIn(("not.cu", "api-rename"), rows)
        self.assertEqual([r for r in rows if r[0].startswith("own")], [])

    def test_masks_of_names_from_other_files(self):
        self.put("m.cuh", "#pragma once\nusing lanes_t = unsigned;\nconstexpr lanes_t kAll = ~lanes_t(0);\n#define WIDE ~0ull\n"
                 "#ifdef USE_ROCM\n#define EITHER ~0ull\n#else\n#define EITHER ~0u\n#endif\n")
        self.put("k.cu", '#include "m.cuh"\n__device__ int a(int v) { return __shfl_sync(kAll, v, 0); }\n'
                 "__device__ int b(int v) { return __shfl_sync(WIDE, v, 0); }\n__device__ int c(int v) { return __shfl_sync(EITHER, v, 0); }\n"
                 "__device__ int d(int v) { return __shfl_sync(nobody_knows(), v, 0); }\n")
        for gpu in ("mi300x-192gb", "rx-7900-xtx-24gb"):
            answer = self.scan("--gpu", gpu)
            found = [(f["file"], f["line"]) for f in answer["findings"] if f["rule"] == "warp-mask-literal32"]
            self.assertEqual(found, [("k.cu", 2)], gpu)
            self.assertIn("1 of 4 lane masks", "".join(n["why"] for n in answer["not_analysed"]))

    def test_macros_that_only_the_build_for_amd_defines(self):
        self.put("CMakeLists.txt", "if(APP_GPU STREQUAL \"HIP\")\n  enable_language(HIP)\n  target_compile_definitions(app PRIVATE SPECIAL_PATH)\n"
                 "  add_definitions(-DBOTH)\nelse()\n  add_definitions(-DBOTH)\nendif()\nset_source_files_properties(k.cpp PROPERTIES LANGUAGE CUDA)\n")
        self.put("a.cu", "#ifdef SPECIAL_PATH\nint a;\n#else\nvoid f() { cudaFree(p); }\n#endif\n#ifdef BOTH\nvoid g() { cudaFree(p); }\n#endif\n")
        self.put("makefile.hip", "FLAGS = -DFROM_MAKE\n\thipcc $(FLAGS) a.cu\n")
        self.put("b.cu", "#ifndef FROM_MAKE\nvoid f() { cudaFree(p); }\n#endif\n")
        self.put("k.cpp", "int x;\nconstexpr int w = warpSize;\n")
        self.put("other.cpp", "int x;\nconstexpr int w = warpSize;\n")
        answer = self.scan()
        found = [(f["file"], f["line"]) for f in answer["findings"] if f["rule"] == "api-rename"]
        self.assertEqual(found, [("a.cu", 7)])
        self.assertEqual(answer["summary"]["rocm_port"]["state"], "present")
        compiled = [f["file"] for f in answer["findings"] if f["rule"] == "warpsize-constexpr"]
        self.assertEqual(compiled, ["k.cpp"])

    def test_what_compile_commands_say(self):
        def command(file, line):
            return {"directory": "/home/me/p/build", "file": file, "command": line}
        self.put("src/k.cpp", "int x;\nconstexpr int w = warpSize;\n")
        self.put("other/k.cpp", "int x;\nconstexpr int w = warpSize;\n")
        self.put("CMakeLists.txt", "if(USE_HIP)\n  add_definitions(-DSPECIAL_PATH)\nendif()\n")
        self.put("a.cu", "#ifndef SPECIAL_PATH\nvoid f() { cudaFree(p); }\n#endif\n#ifndef EVERYWHERE\nvoid g() { cudaFree(p); }\n#endif\n"
                 "#ifndef MY_HIP_SIDE\nvoid h() { cudaFree(p); }\n#endif\n")

        def found(rule):
            return [(f["file"], f["line"]) for f in self.scan()["findings"] if f["rule"] == rule and f["origin"] == "own"]
        self.assertEqual((found("warpsize-constexpr"), found("api-rename")), ([], [("a.cu", 5)]))
        # A source that is compiled as CUDA whatever its name, and a macro that the CUDA build has as well.
        self.put("compile_commands.json", json.dumps([
            command("/home/me/p/src/k.cpp", "nvcc -gencode arch=compute_80,code=sm_80 -DSPECIAL_PATH -x cu -c /home/me/p/src/k.cpp"),
            command("../a.cu", "hipcc -DEVERYWHERE -DMY_HIP_SIDE --offload-arch=gfx942 -c ../a.cu")]))
        self.assertEqual(found("warpsize-constexpr"), [("src/k.cpp", 2)])
        # Of one build for AMD alone nothing tells which of its macros the other build lacks, but for those that say so.
        self.assertEqual(found("api-rename"), [("a.cu", 2), ("a.cu", 5)])
        # It repeats what build scripts say: none of it is own work.
        self.assertEqual({f["file"] for f in self.scan()["findings"] if f["origin"] == "own"}, {"a.cu", "src/k.cpp"})
        self.put("compile_commands.json", "{}")
        self.assertIn("no list of compile commands", "".join(n["why"] for n in self.scan()["not_analysed"]))

    def test_branches_that_the_build_for_amd_does_not_take(self):
        self.put("CMakeLists.txt", "project(p)\n"
                 "if(USE_ROCM)\n  enable_language(HIP)\nelse()\n  enable_language(CUDA)\n  find_package(CUDAToolkit)\nendif()\n"  # away: 5, 6
                 "if(NOT USE_HIP)\n  if(X)\n    find_package(CUDAToolkit)\n  endif()\nendif()\n"  # away: 10
                 "if(HIP_FOUND)\n  message(a)\nelseif(WANTS_GPU)\n  find_package(CUDAToolkit)\nelse()\n  find_package(CUDAToolkit)\nendif()\n"  # away: 16, 18
                 "if(USE_CUDA)\n  find_package(CUDAToolkit)\nelse()\n  find_package(CUDAToolkit)\nendif()\n"  # told: 21, 23
                 "find_package(CUDAToolkit)\n")  # told: 25
        self.put("Makefile", "ifdef USE_HIP\nCXX = hipcc\nelse\nCXX = nvcc\nendif\nNV = nvcc\n")  # away: 4; told: 6
        self.put("open/CMakeLists.txt", "if(USE_ROCM)\nelse()\nenable_language(CUDA)\n")  # never closed: away
        told = {}
        for f in self.scan()["findings"]:
            told.setdefault(f["file"], set()).add(f["line"])
        self.assertEqual(told, {"CMakeLists.txt": {21, 23, 25}, "Makefile": {6}})

    def test_nothing_is_silent(self):
        # a language that nothing here reads, a document, data, and a picture
        self.put("k.chpl", "proc f() { cudaMalloc(p); }\n")
        self.put("README.md", "Runs on CUDA.\n")
        self.put("x.cfg2", "nothing here\n")
        self.put("y.png", b"cuda\x00")
        answer = self.scan()
        s = answer["summary"]
        self.assertEqual((s["unread_files"], s["prose_files"], s["unreadable"]), (1, 1, 0))
        self.assertEqual([n["file"] for n in answer["not_analysed"] if n["file"]], ["k.chpl"])
        self.assertGreater(s["unread_bytes"], 0)
        text = self.ok("migrate", "scan", os.path.join(self.home, "tree"))
        self.assertIn("not read: 1 file", text)
        self.assertNotIn("nothing to port", text)

    def test_fortran_and_jobs_are_never_nothing(self):
        self.put("a.f90", "program p\n  use cudafor\n  !$acc parallel loop\nend program\n")
        self.put("job.slurm", "#!/bin/bash\n#SBATCH --constraint=a100\nmodule load cuda/12\napptainer exec --nv a.sif ./a\n")
        answer = self.scan()
        self.assertEqual({"f-cudafor", "f-openacc", "k-slurm", "k-module", "c-nv"}, self.rules(answer))

    def test_what_git_follows_is_read_whatever_is_ignored(self):
        import subprocess
        tree = os.path.dirname(self.put("gen/a.cu", "void f() { cudaFree(p); }\n"))
        tree = os.path.dirname(tree)
        self.put("gen/b.cu", "void f() { cudaFree(p); }\n")
        self.put("a**b.cu", "void f() { cudaFree(p); }\n")
        self.put("a/x/b.cu", "void f() { cudaFree(p); }\n")
        self.put(".gitignore", "gen/\na**b.cu\n")
        run = lambda *args: subprocess.run(["git", "-C", tree, *args], check=True, capture_output=True)
        run("init", "-q")
        run("add", "-f", "gen/a.cu")
        files = {f["file"] for f in self.scan()["findings"]}
        self.assertEqual(files, {"gen/a.cu", "a/x/b.cu"})

    def test_days_are_not_known_where_files_are_not(self):
        self.put("a.cu", "void f() { cudaFree(p); }\n")
        tree = os.path.join(self.home, "tree")
        self.ok("migrate", "scan", tree, "--fail-over-days", "100000")
        with open(self.put("big.cu", ""), "wb") as f:
            f.truncate(17 << 20)
        out, err = self.exits(4, "migrate", "scan", tree, "--fail-over-days", "100000")
        self.assertIn("not known: 1 path", out)
        self.assertIn("1 path could not be read", err)

    def test_what_git_follows_is_not_known_without_its_list(self):
        self.put("gen/a.cu", "void f() { cudaFree(p); }\n")
        self.put("b.cu", "void f() { cudaFree(p); }\n")
        self.put(".gitignore", "gen/\n")
        tree = os.path.join(self.home, "tree")
        self.ok("migrate", "scan", tree, "--fail-over-days", "100000")  # no repository: .gitignore counts
        index = self.put(".git/index", "none")
        for _ in ("not understood", "not a file"):
            out, err = self.exits(4, "migrate", "scan", tree, "--fail-over-days", "100000")
            self.assertIn(".git/index: not read or not understood", out)
            self.assertIn("1 path could not be read", err)
            if os.path.isfile(index):
                os.unlink(index)
                os.mkdir(index)

    def test_source_in_utf_16_is_not_known(self):
        for name in ("wide.cu", "third_party/wide.cu"):
            with open(self.put(name, ""), "wb") as f:
                f.write("void f() { cudaFree(p); }\n".encode("utf-16"))
        tree = os.path.join(self.home, "tree")
        out, _ = self.exits(4, "migrate", "scan", tree, "--fail-over-days", "100000")
        self.assertIn("not known: 1 path", out)  # vendored files are nobody's days
        self.assertNotIn("no sign of CUDA", out)
        self.assertIn("wide.cu: holds NUL bytes", out)
        self.assertIn("1 path could not be read", self.run_tool("migrate", "fix", tree)[2])

    def test_api_and_scan_say_the_same(self):
        names = ["cudnnConvolutionForward", "cudaGraphicsGLRegisterBuffer", "cuLinkAddData", "cudaMalloc", "cublasLtMatmul",
                 "cudaMallocManaged", "nvmlInit_v2", "cudaCreateTextureObject", "cuTensorMapEncodeTiled"]
        for i, name in enumerate(names):
            self.put(f"{i}.cu", f"void f() {{ {name}(a); }}\n")
        found = {f["file"]: f["class"] for f in self.scan()["findings"]}
        for i, name in enumerate(names):
            said = [n["class"] for n in self.json("migrate", "api", name)["names"]]
            self.assertEqual(set(said), {found[f"{i}.cu"]}, name)

    def test_work_comes_in_order(self):
        self.put("a.cu", "__global__ void k() { int l = threadIdx.x & 31; asm(\"mov.u32 %0, 1;\" : \"=r\"(l)); }\n"
                 "__global__ void __launch_bounds__(256, 2) m() {}\n")
        out = self.ok("migrate", "scan", os.path.join(self.home, "tree"))
        places = [out.index(s) for s in ("first: does not build", "then: builds, and is wrong without a word", "last: slow")]
        self.assertEqual(places, sorted(places))
        self.assertIn("a.cu:1:", out[places[1]:])

    @harness.once
    def test_what_is_listed_is_chosen_and_all_is_counted(self):
        self.put("src/a.cu", DEFECTS)
        self.put("lib/b.cu", "__global__ void k() { int l = threadIdx.x & 31; }\nvoid f(void *p) { cudaFree(p); }\n")
        whole = self.scan()
        self.assertEqual((whole["summary"]["findings"], whole["summary"]["not_listed"]), (len(whole["findings"]), 0))
        for args, fits in ((("--class", "blocker,manual"), lambda f: f["class"] in ("blocker", "manual")),
                           (("--rule", "lane-arith-32"), lambda f: f["rule"] == "lane-arith-32"),
                           (("--rule", "warp-*", "--rule", "ptx-*"), lambda f: f["rule"].startswith(("warp-", "ptx-"))),
                           (("--path", "lib/"), lambda f: f["file"] == "lib/b.cu"),
                           (("--path", "src/*.cu", "--class", "review"), lambda f: f["file"] == "src/a.cu" and f["class"] == "review"),
                           (("--where", "effort<10 effect=wrong"), lambda f: f["effort_min"] < 10 and f["effect"] == "wrong")):
            some = self.scan(*args)
            wanted = [f for f in whole["findings"] if fits(f)]
            self.assertEqual(some["findings"], wanted, args)
            self.assertTrue(0 < len(wanted) < len(whole["findings"]), args)
            self.assertEqual(some["summary"]["not_listed"], len(whole["findings"]) - len(wanted), args)
            self.assertIn("%d of %d findings are not listed" % (some["summary"]["not_listed"], len(whole["findings"])), " ".join(some["warnings"]))
            self.assertEqual((some["effort_days"], some["summary"]["own"]), (whole["effort_days"], whole["summary"]["own"]), args)
        costs = [f["effort_min"] for f in self.scan("--sort=-effort")["findings"]]
        self.assertEqual(costs, sorted((f["effort_min"] for f in whole["findings"]), reverse=True))
        tree = os.path.join(self.home, "tree")
        # Chosen ones are all in the text too, what a tool renames as well.
        out = self.ok("migrate", "scan", tree, "--rule", "api-rename", "--path", "lib/")
        self.assertIn("lib/b.cu:2:", out)
        self.assertNotIn("more; --format csv", out)
        self.assertEqual(len(self.ok("migrate", "scan", tree, "--class", "blocker", "--format", "csv").splitlines()) - 1, len(self.scan("--class", "blocker")["findings"]))
        sarif = json.loads(self.ok("migrate", "scan", tree, "--class", "blocker", "--format", "sarif"))
        self.assertEqual({r["level"] for r in sarif["runs"][0]["results"]}, {"error"})
        # An answer with some of the findings is nothing to hold another one against.
        part = os.path.join(self.home, "part.json")
        self.ok("migrate", "scan", tree, "--class", "blocker", "--json", "-o", part)
        self.assertIn("lists only some", self.exits(1, "migrate", "scan", tree, "--baseline", part)[1])
        self.exits(4, "migrate", "scan", tree, "--path", "nowhere", "--fail-over-days", "0.1")
        for wrong in (("scan", tree, "--rule", "warp-nothing"), ("scan", tree, "--class", "easy"), ("scan", tree, "--sort", "beauty"), ("api", "cudaMalloc", "--path", "x")):
            self.exits(2, "migrate", *wrong)

    def test_the_line_as_fix_writes_it(self):
        self.put("a.cu", "__global__ void k(float *x) {\n  x[0] = __shfl_sync(0xffffffff, x[0], 0);\n  x[1] = __shfl_sync(some_mask(), x[0], 0, 8);\n}\n")
        found = {(f["line"], f["rule"]): f["line_fix"] for f in self.scan()["findings"]}
        self.assertEqual(found[2, "warp-mask-literal32"], "x[0] = __shfl_sync(GPU_ALL_LANES, x[0], 0);")
        self.assertIsNone(found[3, "warp-width-subtile"])
        tree = os.path.join(self.home, "tree")
        self.assertIn("+  x[0] = __shfl_sync(GPU_ALL_LANES, x[0], 0);", self.ok("migrate", "fix", tree))
        out = self.ok("migrate", "scan", tree)
        self.assertIn("as `migrate fix` writes it: x[0] = __shfl_sync(GPU_ALL_LANES, x[0], 0);", out)
        self.assertIn("Keep the width and test results near its edges", out)
        # A tree that builds for ROCm in a way of its own is left alone by fix: no line of it is promised.
        self.put("CMakeLists.txt", "enable_language(HIP)\n")
        self.put("b.cu", "#ifdef __HIP_PLATFORM_AMD__\nint x;\n#endif\n")
        ported = self.scan()
        self.assertEqual((ported["summary"]["rocm_port"]["state"], {f["line_fix"] for f in ported["findings"]}), ("present", {None}))

    @harness.once
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

    def as_nobody(self, *args):
        """The program as a user who may not read everything."""
        home = tempfile.mkdtemp(prefix="gpuadvise-nobody-")
        self.addCleanup(subprocess.run, ["rm", "-rf", home], check=False)
        extra = {}
        if os.geteuid() == 0:
            os.chmod(self.home, 0o755)
            os.chown(home, 65534, 65534)
            extra = {"user": 65534, "group": 65534, "extra_groups": []}
        try:
            done = subprocess.run([harness.BIN, *args], env=harness.environment(home), capture_output=True, cwd="/", timeout=60, check=False, **extra)
        except PermissionError:
            self.skipTest("the program lies where only root can run it")
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_unreadable_folder_and_file(self):
        self.put("no/a.cu", "cudaFree(0);\n")
        self.put("ok.cu", "void f() { cudaFree(0); }\n")
        os.chmod(self.put("secret.cu", "cudaFree(0);\n"), 0)
        os.chmod(os.path.join(self.home, "tree", "no"), 0)
        self.addCleanup(os.chmod, os.path.join(self.home, "tree", "no"), 0o700)
        code, out, err = self.as_nobody("migrate", "scan", os.path.join(self.home, "tree"), "--json")
        if code == 126 or code == 127:
            self.skipTest("the program lies where only root can run it")
        self.assertEqual(code, 0, err)
        answer = harness.parse_json(out)
        notes = self.notes(answer)
        self.assertIn("could not be opened", notes["no"])
        self.assertIn("could not be opened", notes["secret.cu"])
        self.assertEqual([f["file"] for f in answer["findings"]], ["ok.cu"])

    @harness.once
    def test_hundred_thousand_files(self):
        tree = os.path.join(self.home, "tree")
        first = self.put("d0/f.cu", "void f() { cudaFree(0); }\n")
        other = self.put("d0/g.txt", "cudaFree(0);\n")
        for i in range(100):
            os.makedirs(os.path.join(tree, f"d{i}"), exist_ok=True)
            for k in range(1000):
                os.link(first if k % 2 else other, os.path.join(tree, f"d{i}", f"{k}.{'cu' if k % 2 else 'txt'}"))
        answer = self.scan("--exclude", "d0/f.cu")
        self.assertEqual(answer["summary"]["own"]["automatic"], 50000)
        self.assertEqual(len(answer["findings"]), 50000)
        self.assertLess(len(answer["not_analysed"]), 10)

    def test_file_that_changes_while_it_is_read(self):
        path = self.put("moving.cu", "x")
        line = b"void f() { cudaFree(0); }\n"
        stop = threading.Event()

        def shake():
            with open(path, "r+b") as f:
                while not stop.is_set():
                    f.seek(0)
                    f.write(line * 200000)
                    f.truncate(100)
        thread = threading.Thread(target=shake)
        thread.start()
        try:
            for _ in harness.sampled(range(5), 2):
                answer = self.scan()
                self.assertLessEqual(len(answer["findings"]), 200001)
                for why in self.notes(answer).values():
                    self.assertRegex(why, "shorter|NUL|grew|templates|libraries")
        finally:
            stop.set()
            thread.join()

    def test_pipes_where_known_files_are_expected(self):
        tree = os.path.join(self.home, "tree")
        self.put("a.cu", "void f() { cudaFree(0); }\n")
        for name in ("Dockerfile", ".gitignore", "requirements.txt", "x.ipynb"):
            os.mkfifo(os.path.join(tree, name))
        answer = self.scan()
        self.assertEqual(len(answer["findings"]), 1)
        self.assertIn("pipe", self.notes(answer)["Dockerfile"])
        self.exits(1, "migrate", "scan", os.path.join(tree, "x.ipynb"))
        self.exits(1, "migrate", "scan", "/dev/zero")

    @harness.once
    def test_too_many_findings_are_an_error(self):
        text = "cudaFree\n" * 1800000
        for i in range(5):
            self.put(f"f{i}.cu", text)
        out, err = self.exits(1, "migrate", "scan", os.path.join(self.home, "tree"))
        self.assertEqual(out, "")
        self.assertIn("scan it in parts", err)

    @harness.once
    def test_four_million_bytes_on_a_line(self):
        self.put("long.cu", "int x = 1; " * 400000 + "cudaFree(0);")
        self.put("many.cu", "const char *s = \"__global__ void k(int *p) { cudaFree(p); }\"; " * 60000)
        self.put("open.cu", "#if 1\n" * 100000 + "k<<<" * 100000 + "cudaFree(0)")
        self.put("elif.cu", "#if A\n" + "#elif B\ncudaFree(0);\n" * 50000)
        self.put("long.py", "x = '" + "a" * 4000000 + "'; torch.cuda.synchronize()\n")
        self.put("Makefile", "A=" + "\\\n" * 1000000 + "nvcc\n")
        answer = self.scan()
        self.assertIn(("long.cu", 1, 4400001), {(f["file"], f["line"], f["column"]) for f in answer["findings"]})
        self.assertIn(("long.py", 1, 4000009), {(f["file"], f["line"], f["column"]) for f in answer["findings"]})
        self.assertTrue({"many.cu", "elif.cu", "open.cu"} <= {f["file"] for f in answer["findings"]})

    def test_hostile_names_in_every_format(self):
        names = ["new\nline.cu", "esc\x1b]0;x\x07.cu", "q'\"`$(x).cu", "pipe|md*.cu", "=cmd.cu", "%41 #?.cu", "\u202egnp.cu"]
        for name in names:
            self.put(name, "void f() { cudaFree(0); }\n")
        tree = os.path.join(self.home, "tree")
        self.assertEqual(len(self.scan()["findings"]), len(names))
        for form in ("table", "json", "csv", "md", "sarif"):
            out = self.ok("migrate", "scan", tree, "--format", form)
            for bad in ("\x1b", "\x07", "\u202e"):
                self.assertNotIn(bad, out)
        self.assertNotIn("\n=cmd", self.ok("migrate", "scan", tree, "--format", "csv"))

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


class Streams(Tree):
    """Answers that are written while they are made."""

    def setUp(self):
        super().setUp()
        for i in range(4):
            self.put(f"f{i}.cu", "void f() { cudaFree(0); }\n" * 5000)
        self.tree = os.path.join(self.home, "tree")

    @harness.once
    def test_file_and_stream_are_the_same(self):
        for form in ("json", "csv", "md", "sarif"):
            path = os.path.join(self.home, "out." + form)
            self.ok("migrate", "scan", self.tree, "--format", form, "-o", path)
            with open(path, encoding="utf-8") as f:
                # The command line is part of no answer but JSON's inputs, which hold the path alone.
                self.assertEqual(f.read(), self.ok("migrate", "scan", self.tree, "--format", form))
            self.assertEqual(sorted(os.listdir(self.home)).count("out." + form), 1)
        with open(os.path.join(self.home, "out.csv"), encoding="utf-8") as f:
            lines = f.read().split("\n")
        self.assertEqual((len(lines), len(set(lines[:1]) & set(lines[1:]))), (20002, 0))
        with open(os.path.join(self.home, "out.json"), encoding="utf-8") as f:
            self.assertEqual(len(harness.parse_json(f.read())["findings"]), 20000)

    def test_output_that_cannot_be_written(self):
        _, err = self.exits(1, "migrate", "scan", self.tree, "--json", "-o", os.path.join(self.home, "no", "x.json"))
        self.assertEqual(err.count("write"), 1)
        done = subprocess.run(["sh", "-c", f"ulimit -f 100; exec '{harness.BIN}' migrate scan '{self.tree}' --format csv -o '{self.home}/cut.csv'"], env=harness.environment(self.home) | {"XDG_DATA_HOME": ""}, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertFalse([n for n in os.listdir(self.home) if n.startswith("cut.csv")])

    def test_reader_that_leaves(self):
        done = subprocess.run(["bash", "-c", f"'{harness.BIN}' migrate scan '{self.tree}' --format csv | head -1; exit ${{PIPESTATUS[0]}}"], env=harness.environment(self.home), capture_output=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(done.stdout.startswith(b"file,line"))

    def test_no_progress_in_pipes(self):
        self.assertEqual(self.exits(0, "migrate", "scan", self.tree)[1], "")

    @harness.once
    def test_progress_on_a_terminal_is_erased(self):
        for i in range(60):
            self.put(f"g{i}.cu", "void f() { int x = 1; }\n" * 40000)
        leader, follower = pty.openpty()
        self.addCleanup(os.close, leader)
        env = harness.environment(self.home) | {"TERM": "xterm"}
        done = subprocess.Popen([harness.BIN, "migrate", "scan", self.tree], env=env, stdout=subprocess.DEVNULL, stderr=follower)
        os.close(follower)
        seen = b""
        while True:
            ready, _, _ = select.select([leader], [], [], 60)
            try:
                part = os.read(leader, 65536) if ready else b""
            except OSError:
                part = b""
            if not part:
                break
            seen += part
        self.assertEqual(done.wait(60), 0)
        told = [seen.find(t) for t in (b"looking for files", b"reading: ", b"settling findings", b"estimating days")]
        self.assertEqual(told, sorted(told))
        self.assertGreaterEqual(told[0], 0, seen[:200])
        self.assertRegex(seen, rb"reading: \d+ of \d+ files")
        self.assertTrue(seen.endswith(b"\r\x1b[K"), seen[-80:])


if __name__ == "__main__":
    harness.main()
