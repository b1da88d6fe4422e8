// Files that are not C: every rule of these languages fires on what it is for and not on what only looks like
// it.
#include <string.h>

#include "tests/text_world.h"

static bool fired(const Seen *s, const char *rule) {
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->hits[i].rule, rule) == 0) return true;
    }
    return false;
}

// A rule, a file, what makes it fire, and what looks like it and must not.
typedef struct Example {
    const char *rule, *name, *fires, *quiet;
} Example;

static const Example examples[] = {
    {"b-autoconf", "configure.ac", "AC_CHECK_LIB([cudart], [cudaMalloc])\n", "AC_CHECK_LIB([m], [sqrt])\n"},
    {"b-nvhpc", "Makefile", "FFLAGS = -cuda -gpu=cc80 -cudalib=cufft\n",
     "FFLAGS = -O3 -fopenmp lib-cuda-x\n"},
    {"b-nvhpc", "Makefile", "FC = nvfortran\n", "FC = gfortran\n"},
    {"b-nvhpc", "CMakeLists.txt", "set(F \"-acc\")\n", "set(F \"-accurate\")\n"},
    {"cm-language", "CMakeLists.txt", "set_source_files_properties(a.cpp PROPERTIES LANGUAGE CUDA)\n",
     "set_source_files_properties(a.cpp PROPERTIES LANGUAGE HIP)\n"},
    {"cm-language", "CMakeLists.txt", "check_language(CUDA)\n", "check_language(HIP)\n"},
    {"cm-property", "CMakeLists.txt", "set_target_properties(k PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n",
     "set_target_properties(k PROPERTIES HIP_STANDARD 17)\n"},
    {"f-kernel", "a.cuf", "  attributes(global) subroutine step(t)\n", "  ! attributes(global)\n"},
    {"f-kernel", "a.f90", "  ATTRIBUTES( DEVICE ) FUNCTION f(t)\n", "  subroutine attributes_global(t)\n"},
    {"f-launch", "a.f90", "  call step<<<4, 256>>>(t)\n", "  call step(t)\n"},
    {"f-cuf", "a.f90", "!$cuf kernel do(1) <<<*, *>>>\n", "!$omp parallel do\n"},
    {"f-openacc", "a.f90", "  !$acc parallel loop\n", "  !acc parallel loop\n"},
    {"f-openacc", "old.f", "c$acc kernels\n", "c acc kernels\n"},
    {"f-cudafor", "a.F90", "  use cudafor\n", "#if defined(USE_HIP)\n  use cudafor\n#endif\n"},
    {"f-library", "a.f90", "  use cufft\n", "  use hipfort_hipfft\n"},
    {"f-device-attribute", "a.f90", "  real(8), device, allocatable :: t(:)\n", "  call open(device)\n"},
    {"f-cuda-call", "a.f90", "  i = cudaDeviceSynchronize()\n", "  print *, 'x' ! cudaDeviceSynchronize()\n"},
    {"jl-cuda", "a.jl", "using CUDA\n", "#= using CUDA =# using Test\n"},
    {"jl-kernel", "a.jl", "@cuda threads=256 f(x)\n", "# @cuda\ncuda = 1\n"},
    {"rs-cuda", "a.rs", "use cudarc::driver;\n", "// use cudarc\nuse std::io; /* cudarc */\n"},
    {"rs-cuda", "Cargo.toml", "cudarc = \"0.12\"\n", "# cudarc\nserde = \"1\"\n"},
    {"k-machine", "a.tf", "type = \"nvidia-tesla-t4\"\n", "# nvidia-tesla-t4\ntype = \"n1\"\n"},
    {"k-module", "a.slurm", "module load cuda/12.4\n", "module load rocm\n"},
    {"k-nvtools", "a.sh", "nsys profile ./a\n", "rocprofv3 ./a # nsys\n"},
    {"k-slurm", "a.slurm", "#SBATCH --constraint=a100\n", "#SBATCH --constraint=mi300x\n"},
    {"k-resource", "a.tf", "limits = { \"nvidia.com/gpu\" = 1 }\n", "limits = { \"amd.com/gpu\" = 1 }\n"},
    {"k-resource", "a.json", "{\"limits\": {\"nvidia.com/gpu\": 1}}\n",
     "{\"limits\": {\"amd.com/gpu\": 1}}\n"},
    {"c-nv", "a.sh", "apptainer exec --nv a.sif ./a\n", "apptainer exec --rocm a.sif ./a --nvme\n"},
    {"c-from-cuda", "a.def", "Bootstrap: docker\nFrom: nvidia/cuda:12.4\n",
     "Bootstrap: docker\nFrom: ubuntu\n"},
    {"c-compose", "compose.yml", "    runtime: nvidia\n", "    runtime: runc\n"},
    {"py-cuda-library", "a.py", "r = ctypes.CDLL('libcudart.so.12')\n", "r = print('libcudart.so.12')\n"},
    {"py-cython-extern", "a.pyx", "cdef extern from \"cuda_runtime.h\" nogil:\n",
     "cdef extern from \"math.h\":\n"},
    {"py-triton-tune", "a.py", "c = triton.Config({}, num_stages=4)\n",
     "c = triton.Config({}, num_stages=2)\n"},
    {"py-triton-tune", "a.py", "f[g](x, maxnreg=128)\n", "f[g](x, num_ctas=1)\n"},
    {"py-device-name", "a.py", "if 'h100' in props.name or 'H100' in torch.cuda.get_device_name():\n",
     "x = 'h100'\n"},
    {"py-cuda-env", "a.sh", "export CUDA_LAUNCH_BLOCKING=1\n", "export AMD_SERIALIZE_KERNEL=3\n"},
    {"py-cudaextension", "a.py", "m = load(name='x', sources=['a.cu'])\n", "m = json.load(f)\n"},
    {"b-link", "setup.py", "e = Extension('x', libraries=['cuda'])\n", "d = 'cuda'\n"},
    {"py-torch-cuda", "a.py", "x.to('cuda:0')\n", "x = 'cuda is great'\n"},
    {"py-torch-cuda", "a.py", "torch.cuda.synchronize()\n", "# torch.cuda.synchronize()\n"},
    {"py-torch-cuda", "a.py", "y = x.cuda()\n", "y = x.cuda_like()\n"},
    {"py-version-cuda", "a.py", "if torch.version.cuda:\n", "if torch.version.hip:\n"},
    {"py-capability", "a.py", "torch.cuda.get_device_capability()[0] >= 8\n",
     "\"\"\"get_device_capability\"\"\"\n"},
    {"py-capability", "a.py", "torch.cuda.get_device_properties(0).major\n",
     "torch.cuda.get_device_properties(0).name\n"},
    {"py-cudnn-flags", "a.py", "torch.backends.cudnn.benchmark = True\n", "torch.backends.mps.x\n"},
    {"py-tf32", "a.py", "torch.backends.cuda.matmul.allow_tf32 = True\n", "allow_tf32_later = 1\n"},
    {"py-cudaextension", "setup.py", "ext = CUDAExtension('x', ['a.cu'])\n",
     "ext = CppExtension('x', ['a.cpp'])\n"},
    {"py-cudaextension", "a.py", "m = load_inline(name='x')\n", "m = load_inline_like(name='x')\n"},
    {"py-nvcc-args", "setup.py", "args = {'nvcc': ['-O3']}\n", "args = {'cxx': ['-O3']}\n"},
    {"py-nvcc-args", "setup.py", "args = ['--expt-relaxed-constexpr']\n", "args = ['--expt']\n"},
    {"py-cuda-home", "setup.py", "home = os.environ['CUDA_HOME']\n", "home = os.environ['ROCM_HOME']\n"},
    {"py-cuda-home", "a.py", "p = '/usr/local/cuda-12.4/bin'\n", "p = '/usr/local/bin'\n"},
    {"py-arch-list", "a.sh", "export TORCH_CUDA_ARCH_LIST=9.0\n", "# TORCH_CUDA_ARCH_LIST=9.0\n"},
    {"py-visible-devices", "a.sh", "CUDA_VISIBLE_DEVICES=0 python a.py\n",
     "ROCR_VISIBLE_DEVICES=0 python a.py\n"},
    {"py-pynvml", "a.py", "import pynvml\n", "import psutil\n"},
    {"py-pynvml", "a.sh", "nvidia-smi -L\n", "# nvidia-smi -L\n"},
    {"py-triton", "a.py", "@triton.jit\ndef f(): pass\n", "x = triton.cdiv(1, 2)\n"},
    {"py-triton-asm", "a.py", "tl.inline_asm_elementwise('x')\n", "tl.load(x)\n"},
    {"py-cute-dsl", "a.py", "import cutlass\n", "cutlass_like = 1\n"},
    {"py-flashinfer", "a.py", "import flashinfer\n", "# import flashinfer\n"},
    {"py-flash-attn", "a.py", "from flash_attn import flash_attn_func\n", "x = my_flash_attn\n"},
    {"py-deepgemm-deepep", "a.py", "import deep_gemm\n", "deep_gemm_x = 1\n"},
    {"py-fp8-dtype", "a.py", "x.to(torch.float8_e4m3fn)\n", "x.to(torch.float8_e4m3fnuz)\n"},
    {"py-nccl-backend", "a.py", "init_process_group('nccl')\n", "print('nccl is fast')\n"},
    {"py-nccl-backend", "a.sh", "export NCCL_DEBUG=INFO\n", "echo RCCL_DEBUG\n"},
    {"py-nccl-backend", "Makefile", "NCCL_HOME ?= /x\n", "RCCL_HOME ?= /x\n"},
    {"py-nccl-backend", "a.sh", "export NCCL_DEBUG=INFO\n", "export RCCL_DEBUG=INFO\n"},
    {"py-onnx-ep", "a.py", "p = ['CUDAExecutionProvider']\n", "p = ['CPUExecutionProvider']\n"},
    {"py-tensorrt", "a.py", "import tensorrt as trt\n", "tensorrt_free = 1\n"},
    {"py-tritonserver", "a.sh", "tritonserver --model-repository=/m\n", "echo triton\n"},
    {"py-cupy-numba", "a.py", "from numba import cuda\n", "from numba import njit\n"},
    {"py-cupy-numba", "a.py", "import cupy as cp\n", "import numpy as np\n"},
    {"py-rapids", "a.py", "import cudf\n", "import pandas\n"},
    {"py-dali", "a.py", "from nvidia.dali import fn\n", "from dali import x\n"},
    {"py-bnb-etc", "a.py", "import bitsandbytes as bnb\n", "bitsandbytes = None\n"},
    {"py-req-index", "requirements.txt", "--index-url https://download.pytorch.org/whl/cu121\n",
     "--index-url https://download.pytorch.org/whl/rocm6.2\n"},
    {"py-req-index", "requirements.txt", "torch==2.1.0+cu118\n", "torch==2.1.0\n"},
    {"py-jax-tf", "a.sh", "pip install \"jax[cuda12]\"\n", "pip install jax\n"},
    {"py-serving-flags", "a.sh", "serve --attention-backend FLASHINFER\n", "serve --backend x\n"},
    {"py-kernel-string", "a.py", "src = '''__global__ void f() {}'''\n", "src = 'void f() {}'\n"},
    {"cm-language", "CMakeLists.txt", "enable_language(CUDA)\n", "# enable_language(CUDA)\n"},
    {"cm-language", "CMakeLists.txt", "project(x\n  LANGUAGES CXX CUDA)\n",
     "project(x LANGUAGES CXX)\nset(y CUDA)\n"},
    {"cm-find", "CMakeLists.txt", "FIND_PACKAGE( CUDAToolkit REQUIRED)\n", "find_package(hip)\n"},
    {"cm-targets", "CMakeLists.txt", "target_link_libraries(x CUDA::cudart)\n",
     "target_link_libraries(x hip::host)\n"},
    {"cm-arch", "CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 90)\n",
     "#[[ set(CMAKE_CUDA_ARCHITECTURES 90)\n ]] set(x 1)\n"},
    {"cm-legacy", "CMakeLists.txt", "cuda_add_library(x a.cu)\n", "add_library(x a.cpp)\n"},
    {"b-nvcc", "Makefile", "\tnvcc -O3 a.cu\n", "\tgcc a.c # nvcc\n"},
    {"b-nvcc", "a.yml", "- run: nvcc --version\n", "- name: Setup ccache nvcc\n"},
    {"b-nvcc", "Makefile", "NVCC ?= nvcc12\n", "\t$(NVCC) -c a.cu\n"},
    {"b-nvcc", "env.yml", "run: nvcc a.cu\n", "- cuda-nvcc\n"},
    {"b-nvcc", "CMakeLists.txt", "set(X nvcc)\n",
     "message(STATUS \"flags for nvcc\")\noption(X \"flags for nvcc\" OFF)\n"},
    {"b-link", "Makefile", "L = -lnppif -lm\n", "L = -lnp\n"},
    {"b-nvcc-flags", "Makefile", "F = -gencode arch=compute_90,code=sm_90\n", "F = -O3\n"},
    {"b-link", "Makefile", "L = -lcudart -lm\n", "L = -lcurses\n"},
    {"b-link", "setup.py", "libraries=['cublas']\n", "libraries=['openblas']\n"},
    {"b-bazel", "BUILD.bazel", "cuda_library(name = \"x\")\n", "cc_library(name = \"x\")\n"},
    {"b-bazel", "WORKSPACE", "load(\"@rules_cuda//x:y.bzl\", \"z\")\n",
     "load(\"@rules_cc//x:y.bzl\", \"z\")\n"},
    {"b-meson", "meson.build", "add_languages('cuda')\n", "add_languages('cpp')\n"},
    {"b-ci", "ci.yml", "    runs-on: [self-hosted, gpu]\n", "    runs-on: ubuntu-latest\n"},
    {"b-ci", "ci.yml", "    runs-on: linux-a100\n", "    runs-on: linux-gpu-mi300\n"},
    {"c-from-cuda", "Dockerfile", "FROM nvidia/cuda:12.4.1-devel\n", "FROM rocm/dev-ubuntu-22.04\n"},
    {"c-from-cuda", "Dockerfile", "FROM nvcr.io/nvidia/cuda:12.4.1\n",
     "# FROM nvcr.io/nvidia/cuda:12.4.1\nFROM x\n"},
    {"c-from-ngc", "Dockerfile.gpu", "FROM nvcr.io/nvidia/pytorch:24.05-py3\n", "FROM pytorch/pytorch\n"},
    {"c-from-torch", "Dockerfile", "FROM pytorch/pytorch:2.4.0-cuda12.4-cudnn9\n",
     "FROM pytorch/pytorch:2.4.0-cpu\n"},
    {"c-gpus-all", "run.sh", "docker run --gpus all x\n", "srun --gpus=4 x\n"},
    {"c-gpus-all", "run.sh", "docker run --runtime=nvidia x\n", "docker run --runtime=runc x\n"},
    {"c-compose", "compose.yaml", "          - driver: nvidia\n", "          - driver: overlay\n"},
    {"c-apt-cuda", "Dockerfile", "RUN apt-get install -y \\\n    cuda-toolkit-12-4\n",
     "RUN echo cuda-toolkit-12-4\n"},
    {"c-toolkit", "a.sh", "apt install nvidia-container-toolkit\n", "apt install amd-container-toolkit\n"},
    {"c-ld-path", "Dockerfile", "ENV LD_LIBRARY_PATH=/usr/local/cuda/lib64\n",
     "ENV LD_LIBRARY_PATH=/opt/rocm/lib\n"},
    {"k-resource", "pod.yaml", "      nvidia.com/gpu: 1\n", "      amd.com/gpu: 1\n"},
    {"k-mig", "pod.yaml", "      nvidia.com/mig-1g.5gb: 1\n", "      nvidia.com/gpu: 1\n"},
    {"k-selector", "pod.yaml", "      nvidia.com/gpu.product: H100\n", "      nvidia.com/gpu: 1\n"},
    {"k-runtimeclass", "pod.yaml", "  runtimeClassName: nvidia\n", "  runtimeClassName: kata\n"},
    {"k-operator", "values.yaml", "repository: nvidia/gpu-operator\n", "repository: rocm/gpu-operator\n"},
    {"k-dcgm", "dash.yaml", "expr: DCGM_FI_DEV_GPU_UTIL\n", "expr: gpu_util\n"},
    {"k-mps", "a.sh", "nvidia-cuda-mps-control -d\n", "echo mps\n"},
    {"k-slurm", "job.sbatch", "#!/bin/bash\n#SBATCH --gres=gpu:a100:4\n",
     "#!/bin/bash\n#SBATCH --gres=gpu:4\n"},
    {"k-slurm", "job.sbatch", "#SBATCH --gpus-per-node=h100:8\n", "#SBATCH --gpus-per-node=8\n"},
};

static void test_every_rule_fires_and_keeps_quiet(void) {
    World w;
    begin(&w);
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        const Example *x = &examples[i];
        Seen yes, no;
        scan(&w.f, x->name, x->fires, &w.a, &yes);
        scan(&w.f, x->name, x->quiet, &w.a, &no);
        if (!fired(&yes, x->rule) || fired(&no, x->rule))
            fprintf(stderr, "%s in %s: %s\n", x->rule, x->name, fired(&no, x->rule) ? x->quiet : x->fires);
        CHECK(fired(&yes, x->rule) && !fired(&no, x->rule));
    }
    end(&w);
}

// Every rule of the table that belongs to these languages has a pattern and an example; every pattern names a
// known rule.
static void test_rules_and_patterns_agree(void) {
    World w;
    begin(&w);
    for (size_t i = 0; i < w.f.n_rules; i++) {
        const PortRule *r = &w.f.rules[i];
        if (r->area == AREA_SOURCE || r->area >= AREA_DEPENDENCY) continue;
        // of dependencies, tested there
        if (strcmp(r->rule, "py-req-nvidia") == 0 || strcmp(r->rule, "b-conda") == 0) continue;
        bool shown = false;
        for (size_t k = 0; k < COUNT_OF(examples); k++)
            shown = shown || strcmp(examples[k].rule, r->rule) == 0;
        if (!shown) fprintf(stderr, "no example of %s\n", r->rule);
        CHECK(shown);
    }
    for (size_t k = 0; k < n_text_patterns; k++) {
        bool known = text_patterns[k].rule[0] == '=';  // a sign, no finding
        for (size_t i = 0; i < w.f.n_rules; i++)
            known = known || strcmp(w.f.rules[i].rule, text_patterns[k].rule) == 0;
        if (!known) fprintf(stderr, "no rule %s\n", text_patterns[k].rule);
        CHECK(known);
    }
    end(&w);
}

static void test_one_hit_a_chain(void) {
    World w;
    begin(&w);
    Seen s;
    scan(&w.f, "a.py", "if torch.cuda.get_device_capability() > (8, 0):\n    pass\n", &w.a, &s);
    CHECK_INT((int)s.n, 1);
    CHECK_STR(s.hits[0].rule, "py-capability");
    end(&w);
}

static void test_python_places(void) {
    World w;
    begin(&w);
    Seen s;
    scan(&w.f, "a.py",
         "'''torch.cuda in documentation'''\n# torch.cuda\nx = 1 # torch.cuda\ny = "
         "f'{torch.cuda.is_available()} cuda'\nz = \"a\\\"b\" + 'cuda'\n",
         &w.a, &s);
    CHECK_INT((int)s.n, 2);
    CHECK_INT((int)s.hits[0].line, 4);
    CHECK_INT((int)s.hits[0].column, 8);
    CHECK(!s.hits[0].in_string);
    CHECK_INT((int)s.hits[1].line, 5);
    CHECK_INT((int)s.hits[1].column, 15);
    CHECK(s.hits[1].in_string);
    scan(&w.f, "k.py", "a = 1\nsrc = r\"\"\"\n__global__ void k() { __syncthreads(); }\n\"\"\"\n", &w.a, &s);
    CHECK_INT((int)s.kernels, 1);
    CHECK_INT((int)s.kernel_line, 2);
    end(&w);
}

static void test_own_packages_are_no_findings(void) {
    World w;
    begin(&w);
    Err e = {0};
    static const char *const own[] = {"other", "exllamav2"};
    Seen s = {0};
    TextSink sink = {.context = &s, .hit = on_hit, .dependency = on_dependency, .cuda_source = on_cuda};
    TextFacts facts = {
        .packages = w.f.packages, .n_packages = w.f.n_packages, .own = own, .n_own = COUNT_OF(own)};
    CHECK(text_scan(TEXT_PYTHON, "a.py", str_of("import exllamav2\nimport bitsandbytes\n"), &facts, &sink,
                    &w.a, &e));
    CHECK_INT((int)s.n, 1);
    CHECK_INT((int)s.hits[0].line, 2);
    end(&w);
}

static void test_unterminated_strings_end(void) {
    World w;
    begin(&w);
    Seen s;
    scan(&w.f, "a.py", "x = 'open\ny = torch.cuda.x\n", &w.a, &s);
    CHECK(fired(&s, "py-torch-cuda"));
    scan(&w.f, "a.py", "x = '''open\ny = torch.version.cuda\n", &w.a, &s);
    CHECK(!fired(&s, "py-version-cuda"));
    scan(&w.f, "a.sh", "echo 'don\nnvidia-smi\n", &w.a, &s);
    CHECK(fired(&s, "py-pynvml"));
    end(&w);
}

static void test_notebook_lines(void) {
    World w;
    begin(&w);
    Seen s;
    const char *text = "{\n \"cells\": [\n  {\"cell_type\": \"markdown\", \"source\": [\"torch.cuda\"]},\n  "
                       "{\n   \"source\": [\n    \"import torch\\n\",\n    \"torch.cuda.synchronize()\\n\",\n"
                       "    \"!pip install vllm\"\n   ],\n   \"outputs\": [{\"text\": [\"nvidia-smi\"]}],\n  "
                       " \"cell_type\": \"code\"\n  }\n ]\n}\n";
    scan(&w.f, "a.ipynb", text, &w.a, &s);
    CHECK_INT((int)s.n, 1);
    CHECK_STR(s.hits[0].rule, "py-torch-cuda");
    CHECK_INT((int)s.hits[0].line, 7);
    CHECK_INT((int)s.n_deps, 1);
    CHECK_INT((int)s.deps[0].line, 8);
    // A cell of shell; an installer without a sign; a line that goes on.
    text = "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"%%bash\\n\",\n\"pip install "
           "xformers\\n\",\n\"nvidia-smi\"]},\n{\"cell_type\": \"code\", \"source\": \"pip install "
           "vllm\\npip = 3\"},\n"
           "{\"cell_type\": \"code\", \"source\": [\"%pip install -q \\\\\\n\",\n\"  flash-attn==2.5\\n\", "
           "\"!mamba install cupy\"]}]}";
    scan(&w.f, "a.ipynb", text, &w.a, &s);
    CHECK_INT((int)s.n_deps, 4);
    CHECK_INT((int)s.deps[0].line, 2);
    CHECK_INT((int)s.deps[2].line, 6);
    CHECK(fired(&s, "py-pynvml"));
    Err e = {0};
    TextSink sink = {.context = &s, .hit = on_hit, .dependency = on_dependency, .cuda_source = on_cuda};
    CHECK(!text_scan(TEXT_NOTEBOOK, "b.ipynb", str_of("{\"cells\": ["), &(TextFacts){0}, &sink, &w.a, &e));
    end(&w);
}

static void test_kinds(void) {
    static const struct {
        const char *name, *head;
        TextKind kind;
    } cases[] = {
        {"x/requirements-dev.txt", "", TEXT_REQUIREMENTS},
        {"requirements/gpu.txt", "", TEXT_REQUIREMENTS},
        {"notes.txt", "", TEXT_NONE},
        {"docker/Dockerfile.cuda", "", TEXT_DOCKER},
        {"train", "#!/usr/bin/env python3\n", TEXT_PYTHON},
        {"run", "#!/bin/bash\n", TEXT_SHELL},
        {"a.cu", "", TEXT_NONE},
        {"CMakeLists.txt", "", TEXT_CMAKE},
        {"poetry.lock", "", TEXT_TOML},
        {".py", "", TEXT_NONE},
        {"a.ipynb", "", TEXT_NOTEBOOK},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        CHECK_INT((int)text_kind(cases[i].name, str_of(cases[i].head)), (int)cases[i].kind);
}

static const TestCase tests[] = {
    TEST(every_rule_fires_and_keeps_quiet),
    TEST(rules_and_patterns_agree),
    TEST(one_hit_a_chain),
    TEST(python_places),
    TEST(own_packages_are_no_findings),
    TEST(unterminated_strings_end),
    TEST(notebook_lines),
    TEST(kinds),
};

TEST_MAIN(tests)
