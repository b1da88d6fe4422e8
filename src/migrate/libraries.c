// CUDA libraries that the findings show to be used: each becomes a dependency, at the first place that shows
// it.
#include <string.h>

#include "src/migrate/cuda.h"
#include "src/migrate/deps.h"
#include "src/migrate/effort_sum.h"
#include "src/migrate/scan.h"

// What shows a library of data/libraries.tsv: a rule (with `word`, where what was found begins so), the
// library of a name, how its word on a link line begins. "": none.
typedef struct LibrarySign {
    const char *library, *rule, *names, *link, *word;
} LibrarySign;

// The first row that fits counts: longer link words before their beginnings.
static const LibrarySign signs[] = {
    {"cuBLASLt", "cublaslt", "", "cublasLt", ""},
    {"cuBLAS", "cublas", "cublas", "cublas", ""},
    {"cuBLAS", "cublas-tensorop", "", "", ""},
    {"cuDNN graph API / frontend", "cudnn-graph", "", "", ""},
    {"cuDNN (legacy API)", "cudnn-legacy", "cudnn", "cudnn", ""},
    {"cuFFT", "cufft", "cufft", "cufft", ""},
    {"cuRAND", "curand-device", "curand", "curand", ""},
    {"cuSOLVER", "cusolver", "cusolver", "cusolver", ""},
    {"cuSPARSELt", "cusparselt", "cusparselt", "cusparseLt", ""},
    {"cuSPARSE", "cusparse", "cusparse", "cusparse", ""},
    {"cuTENSOR", "cutensor", "cutensor", "cutensor", ""},
    {"NCCL", "nccl", "nccl", "nccl", ""},
    {"NVML / pynvml", "nvml", "nvml", "nvidia-ml", ""},
    {"NVTX", "nvtx", "nvtx", "nvToolsExt", ""},
    {"NVSHMEM", "nvshmem", "", "nvshmem", ""},
    {"CUPTI", "cupti", "", "cupti", ""},
    {"GPUDirect Storage (cuFile)", "cufile", "cufile", "cufile", ""},
    {"OptiX", "optix", "", "", ""},
    {"TensorRT", "tensorrt-cpp", "", "nvinfer", ""},
    {"Thrust", "thrust", "", "", ""},
    {"Thrust", "thrust-policy", "", "", ""},
    {"CUB", "cub-namespace", "cub", "", ""},
    {"CUB", "cub-header", "", "", ""},
    {"CUB", "cub-warp", "", "", ""},
    {"CUB", "cub-internals", "", "", ""},
    {"libcu++", "libcupp-std", "", "", ""},
    {"libcu++", "libcupp-atomic", "", "", ""},
    {"CUTLASS", "cutlass-cute", "", "", ""},
    {"NVRTC", "nvrtc-options", "nvrtc", "nvrtc", ""},
    // ---- several libraries under one rule
    {"nvJPEG", "npp-nvjpeg", "", "nvjpeg", "nvjpeg"},
    {"NVENC", "npp-nvjpeg", "", "nvidia-encode", "NvEnc"},
    {"NVENC", "npp-nvjpeg", "", "", "nvEncode"},
    {"NVENC", "npp-nvjpeg", "", "", "NV_ENC"},
    {"NVDEC (Video Codec SDK decode)", "npp-nvjpeg", "", "nvcuvid", "cuvid"},
    {"NVDEC (Video Codec SDK decode)", "npp-nvjpeg", "", "", "nvcuvid"},
    {"NVDEC (Video Codec SDK decode)", "npp-nvjpeg", "", "", "CUVID"},
    {"NPP", "npp-nvjpeg", "", "npp", "npp"},
    {"NPP", "npp-nvjpeg", "", "", "Npp"},
    {"cuBLASXt / cuBLASMp", "lib-header", "", "", "cublasXt"},
    {"cuBLASXt / cuBLASMp", "lib-header", "", "", "cublasmp"},
    {"cuDSS", "lib-header", "", "cudss", "cudss"},
    {"AmgX", "lib-header", "", "amgx", "amgx"},
    {"cuQuantum", "lib-header", "", "custatevec", "custatevec"},
    {"cuQuantum", "lib-header", "", "", "cutensornet"},
    {"cuQuantum", "lib-header", "", "", "cudensitymat"},
    {"DCGM", "lib-header", "", "dcgm", "dcgm"},
    {"nvJitLink / LTO-IR", "lib-header", "", "nvJitLink", "nvJitLink"},
    {"nvJitLink / LTO-IR", "lib-header", "", "", "nvPTXCompiler"},
    {"RMM", "lib-header", "", "rmm", "rmm"},
    {"cuGraph / RAFT / cuVS", "lib-header", "", "raft", "raft"},
    {"cuGraph / RAFT / cuVS", "lib-header", "", "", "cuvs"},
    {"cuGraph / RAFT / cuVS", "lib-header", "", "", "cugraph"},
    {"cuDF", "lib-header", "", "cudf", "cudf"},
    {"cuML", "lib-header", "", "cuml", "cuml"},
    {"OpenCV cudaimgproc etc.", "lib-header", "", "", "opencv2"},
    {"DALI", "lib-header", "", "", "dali"},
    {"CV-CUDA", "lib-header", "", "cvcuda", "cvcuda"},
    {"CV-CUDA", "lib-header", "", "", "nvcv"},
    {"DeepStream", "lib-header", "", "", "nvds"},
    {"DeepStream", "lib-header", "", "", "gstnvds"},
    {"NIXL", "lib-header", "", "nixl", "nixl"},
    {"ThunderKittens", "lib-header", "", "", "kittens"},
};

// "lcublas", "-lcublas", "CUDA::cublas" -> "cublas"
static const char *link_word(const char *word) {
    if (strncmp(word, "CUDA::", 6) == 0) return word + 6;
    if (word[0] == '-') word++;
    return word[0] == 'l' ? word + 1 : word;
}

static bool shows(const LibrarySign *s, const PortRule *r, const ScanFinding *f) {
    if (strcmp(s->rule, r->rule) == 0) return strncmp(f->word, s->word, strlen(s->word)) == 0;
    if (f->name != NULL && s->names[0] != '\0') return strcmp(s->names, f->name->library) == 0;
    bool linked = strcmp(r->rule, "b-link") == 0 || strcmp(r->rule, "cm-targets") == 0;
    return linked && s->link[0] != '\0' && strncmp(link_word(f->word), s->link, strlen(s->link)) == 0;
}

const char *library_of(const PortRule *r, const ScanFinding *f) {
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        if (shows(&signs[i], r, f)) return signs[i].library;
    }
    return NULL;
}

static const Library *row_of(const PortingFacts *facts, const char *name) {
    for (size_t i = 0; i < facts->n_libraries; i++) {
        if (strcmp(facts->libraries[i].cuda_name, name) == 0) return &facts->libraries[i];
    }
    return NULL;
}

void scan_libraries(const PortingFacts *facts, const ScanFile *files, const ScanFinding *findings, size_t n,
                    Buf *dependencies) {
    const char *seen[COUNT_OF(signs)];
    size_t n_seen = 0;
    for (size_t i = 0; i < n && n_seen < COUNT_OF(signs); i++) {
        const ScanFinding *f = &findings[i];
        const char *name = files[f->file].origin == ORIGIN_OWN ? library_of(&facts->rules[f->rule], f) : NULL;
        size_t k = 0;
        while (name != NULL && k < n_seen && strcmp(seen[k], name) != 0) k++;
        const Library *row = name != NULL && k == n_seen ? row_of(facts, name) : NULL;
        if (row == NULL) continue;
        seen[n_seen++] = name;
        // Where nothing is found but a header, the work is in the library.
        bool unseen = strcmp(facts->rules[f->rule].rule, "lib-header") == 0;
        const char *rule = unseen ? rule_of_class(row->effort_class) : NULL;
        ScanDependency d = {.rule = rule != NULL ? rule_find(facts, rule) : NULL,
                            .file = f->file,
                            .line = f->line,
                            .column = f->column,
                            .name = row->cuda_name,
                            .spec = "",
                            .library = row,
                            .port_class = port_class_of(row->effort_class)};
        buf_add(dependencies, (const char *)&d, sizeof d);
    }
}
