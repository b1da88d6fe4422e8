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

// Further ones than those of data/text_patterns.tsv, and those of rules that have no pattern.
static const Example further[] = {
    {"rs-cuda", "Cargo.toml", "cudarc = \"0.12\"\n", "# cudarc\nserde = \"1\"\n"},
    {"py-nccl-backend", "Makefile", "NCCL_HOME ?= /x\n", "RCCL_HOME ?= /x\n"},
    {"py-kernel-string", "a.py", "src = '''__global__ void f() {}'''\n", "src = 'void f() {}'\n"},
    {"b-nvcc", "CMakeLists.txt", "set(X nvcc)\n",
     "message(STATUS \"flags for nvcc\")\noption(X \"flags for nvcc\" OFF)\n"},
    {"b-ci", "ci.yml", "    runs-on: linux-a100\n", "    runs-on: linux-gpu-mi300\n"},
    {"c-from-cuda", "Dockerfile", "FROM nvidia/cuda:12.4.1-devel\n", "FROM rocm/dev-ubuntu-22.04\n"},
    {"k-resource", "pod.yaml", "      nvidia.com/gpu: 1\n", "      amd.com/gpu: 1\n"},
};

static void check_example(World *w, const Example *x) {
    Seen yes, no;
    scan(&w->f, x->name, x->fires, &w->a, &yes);
    scan(&w->f, x->name, x->quiet, &w->a, &no);
    if (!fired(&yes, x->rule)) CHECK_STR(x->fires, x->rule);
    if (fired(&no, x->rule)) CHECK_STR(x->quiet, x->rule);
}

static void test_every_rule_fires_and_keeps_quiet(void) {
    World w;
    begin(&w);
    for (size_t i = 0; i < COUNT_OF(further); i++) check_example(&w, &further[i]);
    for (size_t i = 0; i < w.f.n_text_patterns; i++) {
        const TextPatternFact *p = &w.f.text_patterns[i];
        bool any = p->file[0] != '\0' || p->fires[0] != '\0' || p->quiet[0] != '\0';
        if (any && (p->file[0] == '\0' || p->fires[0] == '\0' || p->quiet[0] == '\0'))
            FAIL_("text_patterns.tsv: line %zu: an example needs file, fires and quiet", p->line);
        if (any)
            check_example(&w, &(Example){p->rule, p->file, shipped_example(&w.a, p->fires),
                                         shipped_example(&w.a, p->quiet)});
    }
    end(&w);
}

// Every rule that belongs to these languages has an example.
static void test_every_rule_has_an_example(void) {
    World w;
    begin(&w);
    for (size_t i = 0; i < w.f.n_rules; i++) {
        const PortRule *r = &w.f.rules[i];
        if (r->area == AREA_SOURCE || r->area >= AREA_DEPENDENCY) continue;
        // of dependencies, tested there
        if (strcmp(r->rule, "py-req-nvidia") == 0 || strcmp(r->rule, "b-conda") == 0) continue;
        bool shown = false;
        for (size_t k = 0; k < COUNT_OF(further); k++) shown = shown || strcmp(further[k].rule, r->rule) == 0;
        for (size_t k = 0; k < w.f.n_text_patterns; k++) {
            const TextPatternFact *p = &w.f.text_patterns[k];
            shown = shown || (p->file[0] != '\0' && strcmp(p->rule, r->rule) == 0);
        }
        if (!shown) FAIL_("no example of %s in data/text_patterns.tsv", r->rule);
    }
    end(&w);
}

static void test_bad_rows_are_refused_by_line(void) {
    static const PortRule rules[] = {{.rule = "b-x", .port_class = PORT_MANUAL}};
    static const struct {
        TextPatternFact row;
        const char *error;
    } cases[] = {
        {{.rule = "b-y"}, "no rule 'b-y' in cuda_constructs.tsv"},
        {{.rule = "b-x", .text = "-x"}, "column 'text': '-x' does not start as a word does"},
        {{.rule = "b-x", .text = "x", .kinds = "py pyton"}, "column 'kinds': 'pyton' is no word of it"},
        {{.rule = "b-x", .text = "x", .kinds = "none"}, "column 'kinds': 'none' is no word of it"},
        {{.rule = "=build", .text = "x", .kinds = "make", .where = "comment"},
         "column 'where': 'comment' is no word of it"},
        {{.rule = "b-x", .text = "x", .kinds = "py", .where = "code arguments", .also = ""},
         "column 'also': empty, so that nothing is looked for among arguments"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        TextPatternFact rows[2] = {
            {.rule = "b-x", .text = "x", .kinds = "make", .where = "code", .also = "", .unless = ""},
            cases[i].row};
        rows[1].line = 17;
        PortingFacts f = {.rules = rules, .n_rules = 1, .text_patterns = rows, .n_text_patterns = 2};
        Arena a = {0};
        TextFacts facts = {0};
        Err e = {0};
        CHECK(!text_patterns(&f, &a, &facts, &e));
        CHECK_STR(e.text, arena_printf(&a, "'text_patterns.tsv': line 17: %s", cases[i].error));
        f.n_text_patterns = 1;
        CHECK(text_patterns(&f, &a, &facts, &e) && facts.n_patterns == 1);
        arena_free(&a);
    }
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
    CHECK(text_patterns(&w.f, &w.a, &facts, &e));
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
    TEST(every_rule_has_an_example),
    TEST(bad_rows_are_refused_by_line),
    TEST(one_hit_a_chain),
    TEST(python_places),
    TEST(own_packages_are_no_findings),
    TEST(unterminated_strings_end),
    TEST(notebook_lines),
    TEST(kinds),
};

TEST_MAIN(tests)
