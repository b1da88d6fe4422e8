#!/usr/bin/python3
"""Do two builds give the same answers? For changes that move code and mean to change nothing.

    same_answers.py OLD NEW          runs every command with both programs and compares output, errors and exit codes
    same_answers.py --list           prints the commands

Every command runs in an empty home of its own under a fixed clock, with the facts of its own program: give both programs the
same facts with --data DIR where these differ. A story is several commands of one home, one after another: what is imported, then
what is said of it. Prints what differs, and how many commands were compared; exit 1 on a difference.
"""
import argparse
import concurrent.futures
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile

NOW = "2026-11-29T12:00:00Z"
FORMATS = ("table", "json", "csv", "md")
CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fuzz/corpus")
HEAD = "provider,instance,region,country,gpu,gpu_count,price_per_hour,pricing_model\n"
CUDA = """#include <cuda_runtime.h>
#include <cub/block/block_reduce.cuh>
#include <cudnn.h>
__global__ void k(float *x, int n) {
    __shared__ float s[32];
    int lane = threadIdx.x & 31;
    for (int o = 16; o > 0; o >>= 1) x[0] += __shfl_down_sync(0xffffffff, x[0], o);
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(n));
}
#if __CUDA_ARCH__ >= 800
#endif
void f(void *p) {
    cudaMalloc(&p, 4);
    k<<<1, 32>>>((float *)p, 1);
    nvmlInit();
    cudnnConvolutionForward(p);
    optixInit();
}
"""
# Files of every home of a story, beside the corpora of the fuzzers.
TREE = {
    "tree/src/a.cu": CUDA,
    "tree/tests/b.cu": "void g(void *p) { cudaFree(p); cudaDeviceSynchronize(); }\n",
    "tree/third_party/c.cu": "void h(void *p) { cudaMemcpyAsync(p, p, 1, cudaMemcpyDefault, 0); }\n",
    "tree/CMakeLists.txt": "project(x LANGUAGES CXX CUDA)\nfind_package(CUDAToolkit REQUIRED)\ntarget_link_libraries(x CUDA::cublas cudnn)\n",
    "tree/requirements.txt": "torch==2.4.0\nflash-attn\nbitsandbytes>=0.43\ncupy-cuda12x\n",
    "tree/t.py": "import torch\nx = torch.zeros(1, device='cuda')\ntorch.backends.cuda.matmul.allow_tf32 = True\nimport pynvml\n",
    "ported/a.cu": "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n",
    "ported/CMakeLists.txt": "enable_language(HIP)\nfind_package(hip REQUIRED)\n",
    "prices.csv": HEAD + "acme,m8,eu-1,DE,MI300X,8,16.8,on-demand\nacme,m1,us-1,US,MI300X,1,2,on-demand\nboreal,h8,eu-1,SE,H100 SXM,8,20,on-demand\n",
    "later.csv": HEAD + "acme,m8,eu-1,DE,MI300X,8,17.6,on-demand\nacme,m1,us-1,US,MI300X,1,0.02,on-demand\nboreal,h9,eu-1,SE,H100 SXM,8,24,spot\n",
    "odd.csv": HEAD.replace("country", "colour") + "acme,m8,eu-1,red,MI300X,8,-1,on-demand\nacme,m2,eu-1,red,Unheard X9,8,3,on-demand\n",
}
OWN = ("gpu", "h200", "gpus", "8", "engine", "vllm:0.11.0", "weights", "fp8", "model", "llama-3.1-8b", "isl", "1024", "osl", "128")


def all_formats(*words):
    return [(*words, "--format", f) for f in FORMATS]


def commands(program):
    """The commands as tuples of words; workloads and GPUs are those that the program lists."""
    def ids(*words):
        done = subprocess.run([program, *words, "--format", "csv"], capture_output=True, text=True, check=True, env=environment(tempfile.gettempdir()))
        return [line.split(",")[0] for line in done.stdout.splitlines()[1:]]
    found = []
    workloads, gpus = ids("workloads"), ids("gpus")
    for workload in workloads[::2]:
        found += all_formats("report", "--workload", workload)
    for workload in workloads[:6]:
        found += [("report", "--workload", workload, "--explain"), ("report", "--workload", workload, "--format", "html"),
                  ("report", "--workload", workload, "--current", "8xh100-sxm5-80gb@2.5"), ("report", "--workload", workload, "--rate", "2/s", "--format", "json")]
    for gpu in gpus[::6]:
        found += [("estimate", "--gpu", gpu, "--model", "llama-3.1-8b"), ("estimate", "--gpu", gpu, "--model", "llama-3.1-8b", "--format", "json", "--explain")]
    for words in (("gpus",), ("models",), ("workloads",), ("prices", "list"), ("prices", "history", "h100-sxm5-80gb"), ("compat",),
                  ("sources",), ("bench", "list"), ("bench", "runs"), ("runs", "list"), ("validate",)):
        found += all_formats(*words)
    for screen in ("advice", "what-if", "gpus", "prices", "compat", "sources", "help"):
        found += [("tui", "--once", screen, "--size", size) for size in ("80x24", "140x50")]
    for command in ("report", "estimate", "prices", "prices import", "migrate", "migrate scan", "bench", "runs", "traffic", "tui", "check", "validate", "gpus", "models"):
        found.append((*command.split(), "--help"))
    found += [("version",), ("help",), ("completion", "bash"), ("nonsense",), ("report",), ("report", "--workload", "nonsense"), ("doctor", "--nonsense")]
    return found


def given(*names):
    """Options that an own run's file leaves open."""
    pairs = dict(zip(OWN[::2], OWN[1::2]))
    return [x for name in names for x in ("--" + name, pairs[name])]


def corpus(*path):
    """A file of the fuzzers' corpora; of result files without the byte that says how the fuzzer gives it."""
    with open(os.path.join(CORPUS, *path), "rb") as f:
        return f.read()[1:] if path[0] == "run_files" else f.read()


def slices(answer):
    """The run of a corpus with pairs of GPUs and a test under load in it."""
    run = json.loads(answer)
    one = run["runs"][0]
    pair = dict(one["results"][0], test="peer-copy", dtype=None, shape="268435456", bits=None, gpu_count=2, path="NVLink", verified=True)
    one["devices"].append(dict(one["devices"][0], id="gpu1", pci="0000:08:00.0"))
    one["results"] += [dict(pair, device=d, median=100 + 10 * i) for i, d in enumerate(("gpu0>gpu1", "gpu1>gpu0"))]
    one["results"].append(dict(one["results"][0], device="gpu1", throttle="power"))
    one["soak"] = {"asked_s": 60, "ran_s": 61, "slice_s": 5, "power_w": 1300, "power_limit_w": 1400, "slowest": "gpu1", "hottest": "gpu0",
                   "gpus": [{"device": d, "memory_pct": 94, "rounds": 3, "ecc_errors_new": 0, "ecc_corrected_new": i, "clock_min_mhz": 1410, "power_max_w": 690, "power_limit_w": 700,
                             "temperature_max_c": 70 + i, "throttle": ("power", None)[i], "below_median_pct": i, "below_median_in": "triad", "ended": None} for i, d in enumerate(("gpu0", "gpu1"))]}
    return json.dumps(run).encode()


def write_files(home):
    files = {name: text.encode() for name, text in TREE.items()}
    files |= {f"own/{name}": corpus("run_files", name) for name in os.listdir(os.path.join(CORPUS, "run_files")) if name != "deep"}
    files |= {f"records/{name}.json": corpus("fleet", name) for name in ("five", "one")}
    files["runs.json"] = corpus("runs", "exported")
    files["answer.json"] = corpus("runs", "answer")
    files["pairs.json"] = slices(files["runs.json"])
    files |= {f"traffic/{name}": corpus("traffic", name) for name in os.listdir(os.path.join(CORPUS, "traffic"))}
    for name, text in files.items():
        path = os.path.join(home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(text)


def stories():
    """Commands that follow each other in one home, each in every format."""
    scans = [all_formats("migrate", "scan", "tree"), all_formats("migrate", "scan", "tree", "--gpu", "mi300x", "--team", "new"), all_formats("migrate", "scan", "ported"),
             [("migrate", "scan", "tree", "--format", "sarif"), ("migrate", "scan", "tree", "--json", "-o", "base.json"), ("migrate", "scan", "tree", "--baseline", "base.json"),
              ("migrate", "scan", "tree", "--class", "manual", "--sort", "file"), ("migrate", "scan", "tree", "--path", "tests", "--where", "line>0", "--json"),
              ("migrate", "scan", "tree", "--rule", "nonsense"), ("migrate", "scan", "nowhere"), ("migrate", "scan", "tree", "--fail-on", "blocker"), ("migrate", "scan", "tree", "--explain")],
             [("migrate", "fix", "tree"), ("migrate", "fix", "tree", "--json"), ("migrate", "fix", "tree", "--check", "none"), ("migrate", "fix", "ported"), ("migrate", "fix", "tree", "--write"), ("migrate", "scan", "tree")]]
    facts = [all_formats("migrate", "explain"), all_formats("migrate", "explain", "nccl"), all_formats("migrate", "ports"), [("migrate", "explain", "nonsense")]]
    facts += [all_formats("migrate", "api", name) for name in ("cudaMalloc", "threadIdx.x", "cudnn", "cub::BlockReduce", "cudaMallc", "cuMemAlloc_v2")]
    facts += [all_formats("compat", subject) for subject in ("vllm", "flash-attention", "cudnn", "bitsandbytes", "nonsense", "torch", "nccl")]
    facts += [all_formats("gpus", "show", "h100"), all_formats("gpus", "list", "--vendor", "amd", "--sort", "memory_gb"), all_formats("models", "show", "llama-3.1-8b"), all_formats("models", "show", "nonsense"),
              all_formats("workloads", "show", "chat"), all_formats("sources", "show", "gpus"), all_formats("sources", "show", "nonsense"), all_formats("traffic"), all_formats("traffic", "show", "agentic-coding"),
              [("doctor",), ("doctor", "--json"), ("version",), ("version", "--json"), ("calibrate",), ("calibrate", "--json"), ("calibrate", "--tasks"), ("stack",), ("stack", "show", "--json")]]
    own = [[("gpus", "add", "my-gpu", "vendor=amd"), ("models", "add", "m", "family=dense", "bad=1"), ("workloads", "add", "my-chat", "kind=serve", "model_id=llama-3.1-70b", "isl_tokens=2000", "osl_tokens=300", "concurrency=64"),
            ("workloads", "remove", "my-chat", "--json"), ("compat", "add", "vllm", "platform=rocm", "status=full", "note=runs here"), ("compat", "vllm"), ("compat", "remove", "vllm"), ("compat", "remove", "vllm")]]
    prices = [[("prices", "import", "prices.csv", "--name", "quote", "--as-of", "2026-11-20"), ("prices", "import", "later.csv", "--name", "quote", "--json"), ("prices", "import", "odd.csv"), ("prices", "import", "odd.csv", "--json"),
               *all_formats("prices", "history", "mi300x"), *all_formats("prices", "history", "h100", "--spot"), *all_formats("prices", "history", "mi300x", "--since", "3d", "--provider", "acme"),
               *all_formats("prices", "diff"), *all_formats("prices", "diff", "--since", "2026-11-01", "--vendor", "amd"), *all_formats("prices", "list", "mi300x", "--all-regions"), *all_formats("prices", "list", "--quarantined"),
               *all_formats("prices", "list", "--group-by", "provider"), ("prices", "diff", "--since", "soon"), ("prices", "history", "nonsense"), ("prices", "accept", "77"), ("prices", "accept", "quote"),
               ("prices", "list", "--quarantined"), ("prices", "prune"), ("prices", "prune", "--older-than", "1d"), ("prices", "prune", "--older-than", "1d", "--json"), ("prices", "import", "nowhere.csv"), ("prices", "export"),
               ("tui", "--once", "prices", "--size", "120x40")]]
    bench = [[("bench", "runs"), ("bench", "import", "runs.json"), ("bench", "import", "runs.json", "answer.json", "--json"), ("bench", "import", "pairs.json", "prices.csv"), *all_formats("bench", "runs"), *all_formats("bench", "runs", "1"),
              *all_formats("bench", "runs", "2"), *all_formats("bench", "runs", "3"), *all_formats("bench", "compare", "1", "2"), *all_formats("bench", "compare", "3", "answer.json"), ("bench", "compare", "1", "77"), ("bench", "runs", "x"),
              ("bench", "export"), ("bench", "export", "3"), ("bench", "compare", "prices.csv", "1"), ("bench", "verify", "copy", "--reference", "nowhere.json"), ("tui", "--once", "bench", "--size", "120x40")],
             [*all_formats("bench", "fleet", "records"), ("bench", "fleet", "records", "--format", "slurm"), ("bench", "fleet", "records", "--format", "k8s"), ("bench", "fleet", "records", "--format", "html"), ("bench", "fleet", "nowhere")],
             [("bench", "nonsense"), ("bench", "--fail-if", "x"), ("bench", "list", "--explain")]]
    every = given("gpu", "gpus", "engine", "weights")
    runs = [[("runs", "import", "own/vllm_serve", *every, "--dry-run"), ("runs", "import", "own/vllm_serve", *every), *[("runs", "import", "own/llama_bench", "--format", f) for f in FORMATS],
             ("runs", "import", "own/inferencex", "own/own_csv"), ("runs", "import", "own/own_csv"), ("runs", "import", "own/inferencex"), *all_formats("runs", "list"), *all_formats("runs", "show", "1"), *all_formats("runs", "show", "1", "2"),
             *all_formats("runs", "compare", "1", "2"), *all_formats("runs", "compare", "2", "3"), *all_formats("runs", "plan", "llama70b"), *all_formats("validate", "--runs"), ("runs", "export"), ("runs", "export", "--json", "--redact"),
             ("runs", "export", "--format", "md"), ("runs", "accept", "1"), ("runs", "remove", "1"), ("runs", "remove", "77"), ("runs", "show", "x"), ("runs", "show", "77"), ("runs", "plan"), ("runs", "plan", "embed")],
            [*[("runs", "import", "own", *every, "--format", f) for f in FORMATS], ("runs", "list", "--json")]]
    traffic = [[*all_formats("traffic", "import", f"traffic/{name}")] for name in sorted(os.listdir(os.path.join(CORPUS, "traffic")))]
    return scans + facts + own + prices + bench + runs + traffic


def environment(home):
    return {"PATH": os.environ["PATH"], "HOME": home, "GPUADVISE_NOW": NOW, "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": "100"}


def shown(done, home):
    text = b"exit %d\n" % done.returncode + done.stdout + b"\n-- standard error\n" + done.stderr
    text = text.decode(errors="replace").replace(home, "HOME")
    text = re.sub(r'"digest": "[0-9a-f]{16}"', '"digest": "D"', text)  # of the facts and of the schema's version
    text = re.sub(r"\d+ % busy  [\d.]+ GB free", "N % busy  N GB free", text)  # of this machine, as it is
    return re.sub(r"\b\d+(\.\d+)? ?ms\b", "N ms", text)


def answers(program, data, story):
    """What each command of the story says."""
    with tempfile.TemporaryDirectory() as home:
        given_data = ["--data", data] if data else []
        if len(story) > 1 or any("/" in word or "." in word for word in story[0]):
            write_files(home)
        said = []
        for words in story:
            done = subprocess.run([program, *given_data, *words], capture_output=True, env=environment(home), stdin=subprocess.DEVNULL, timeout=300, check=False, cwd=home)
            said.append(shown(done, home))
        return said


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--list", action="store_true", help="print the commands")
    ask.add_argument("--data", help="facts of both programs")
    ask.add_argument("--only", default="", metavar="WORD", help="stories that hold this word alone")
    ask.add_argument("programs", nargs="+", metavar="PROGRAM")
    asked = ask.parse_args()
    if len(asked.programs) != (1 if asked.list else 2):
        ask.error("two programs, or one with --list")
    programs = [os.path.abspath(p) for p in asked.programs]
    every = [story for story in [[words] for words in commands(programs[0])] + stories() if not asked.only or any(asked.only in words for words in story)]
    if asked.list:
        print("\n".join(" ".join(words) for story in every for words in story))
        return 0

    def compare(story):
        return story, [answers(p, asked.data, story) for p in programs]
    compared = differ = failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for story, (was, now) in pool.map(compare, every):
            for words, old, new in zip(story, was, now):
                compared += 1
                failed += old.startswith("exit 2\n")
                if old == new:
                    continue
                differ += 1
                print(f"--- {' '.join(words)}")
                sys.stdout.writelines(list(difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), *asked.programs, n=0))[2:14])
    print(f"{compared} commands compared, {differ} differ; {failed} are refused by both or by the first")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
