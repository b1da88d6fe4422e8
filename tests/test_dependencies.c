// Dependencies that files of packages name, with their versions.
#include <string.h>

#include "tests/text_world.h"

static const DependencyHit *dep(const Seen *s, const char *name) {
    for (size_t i = 0; i < s->n_deps; i++) {
        if (str_is(s->deps[i].name, name)) return &s->deps[i];
    }
    fprintf(stderr, "no dependency %s\n", name);
    CHECK(false);
    return NULL;
}

static void test_requirements(void) {
    World w;
    begin(&w);
    Seen s;
    scan(&w.f, "requirements.txt",
         "# torch\n--extra-index-url https://download.pytorch.org/whl/rocm6.2\ntorch==2.4.1  # "
         "pinned\nFlash_Attn>=2.5 ; python_version > '3.8'\nnvidia-cublas-cu12==12.1.3.1\n"
         "tensorrt-llm\nmy-own-thing==1.0\ngit+https://github.com/x/gsplat.git@main\nvllm[audio] @ "
         "https://x/y.whl\nnumpy\nnvidia-curand-cu11\n",
         &w.a, &s);
    CHECK_INT((int)s.n_deps, 9);
    CHECK_INT((int)dep(&s, "torch")->line, 3);
    CHECK(dep(&s, "torch")->pinned && dep(&s, "torch")->pin_blocks && dep(&s, "torch")->index_trap);
    CHECK_STR(dep(&s, "torch")->rule, "dep-class-1");
    CHECK_STR(dep(&s, "Flash_Attn")->package->package, "flash-attn");
    CHECK_INT(dep(&s, "Flash_Attn")->port_class, PORT_REVIEW);
    CHECK_STR(dep(&s, "nvidia-cublas-cu12")->rule, "py-req-nvidia");
    CHECK_STR(dep(&s, "nvidia-curand-cu11")->rule, "py-req-nvidia");
    CHECK_INT(dep(&s, "tensorrt-llm")->port_class, PORT_BLOCKER);
    CHECK(dep(&s, "my-own-thing")->package == NULL && dep(&s, "my-own-thing")->rule == NULL &&
          dep(&s, "my-own-thing")->port_class == -1);
    CHECK_INT(dep(&s, "gsplat")->port_class, PORT_MANUAL);
    CHECK_STR(dep(&s, "vllm")->package->package, "vllm");
    end(&w);
}

static void test_pyproject_and_locks(void) {
    World w;
    begin(&w);
    Seen s;
    scan(&w.f, "pyproject.toml",
         "[build-system]\nrequires = [\"setuptools\", \"torch\"]\n[project]\nname = \"vllm\"\ndependencies = "
         "[\n  \"xformers>=0.0.20\", # vllm\n  'jax[cuda12]',\n]\n"
         "[project.optional-dependencies]\ngpu = [\"cupy-cuda11x\"]\n[tool.poetry.dependencies]\npython = "
         "\"^3.10\"\ndeepspeed = {version = \"0.14\", optional = true}\n[tool.ruff]\nline = [\"vllm\"]\n",
         &w.a, &s);
    CHECK_INT((int)s.n_deps, 6);
    CHECK_STR(dep(&s, "jax")->package->package, "jax[cuda12]");
    CHECK_STR(dep(&s, "cupy-cuda11x")->package->package, "cupy-cuda11x");
    CHECK_STR(dep(&s, "deepspeed")->package->package, "deepspeed");
    CHECK_INT((int)dep(&s, "xformers")->line, 6);
    scan(&w.f, "uv.lock",
         "version = 1\n[[package]]\nname = \"bitsandbytes\"\nversion = \"0.42.0\"\n[[package]]\nname = "
         "\"left-pad\"\nversion = \"1\"\n",
         &w.a, &s);
    CHECK_INT((int)s.n_deps, 2);
    CHECK(str_is(dep(&s, "bitsandbytes")->spec, "0.42.0"));
    scan(&w.f, "Pipfile.lock",
         "{\"_meta\": {}, \"default\": {\"tensorrt\": {\"version\": \"==10.0\"}}, \"develop\": {}}", &w.a,
         &s);
    CHECK_INT((int)s.n_deps, 1);
    CHECK_INT(dep(&s, "tensorrt")->port_class, PORT_MANUAL);
    CHECK_INT((int)dep(&s, "tensorrt")->line, 1);
    end(&w);
}

static void test_conda_setup_and_commands(void) {
    World w;
    begin(&w);
    Seen s;
    scan(&w.f, "environment.yml",
         "name: x\nchannels:\n  - nvidia\ndependencies:\n  - python=3.10\n  - cudatoolkit=11.8\n  - "
         "pytorch-cuda=12.1\n  - pip\n  - pip:\n    - vllm==0.5\n",
         &w.a, &s);
    CHECK_STR(dep(&s, "cudatoolkit")->rule, "b-conda");
    CHECK_STR(dep(&s, "pytorch-cuda")->rule, "b-conda");
    CHECK_STR(dep(&s, "vllm")->rule, "dep-class-1");
    scan(&w.f, "setup.py",
         "setup(name='vllm', install_requires=['torch>=2', 'unknown-thing'],\n extras_require={'gpu': "
         "['cupy']})\n",
         &w.a, &s);
    CHECK_INT((int)s.n_deps, 3);
    CHECK(dep(&s, "unknown-thing")->package == NULL);
    scan(&w.f, "setup.py",
         "requirements = [\n 'torch>=2',  # 'vllm'\n 'gekko',\n]\nsetup(install_requires=requirements)\n",
         &w.a, &s);
    CHECK_INT((int)s.n_deps, 2);
    scan(&w.f, "setup.py",
         "setup(install_requires='torch>=2\\nxformers', setup_requires=\"\"\"\n  # vllm\n  cupy  # "
         "x\n\"\"\", python_requires='>=3.8')\n",
         &w.a, &s);
    CHECK_INT((int)s.n_deps, 3);
    CHECK_INT((int)dep(&s, "cupy")->line, 3);
    scan(&w.f, "ci.yml",
         "  - name: Generate pip install commands for release body\n  - run: pip install dist/x.whl y.whl "
         "torch > log\n",
         &w.a, &s);
    CHECK_INT((int)s.n_deps, 1);
    scan(&w.f, "ci.yml",
         "  - run: pip install torch==${{ matrix.torch }} --index-url https://x/rocm$V build\n", &w.a, &s);
    CHECK_INT((int)s.n_deps, 2);
    CHECK(dep(&s, "build")->package == NULL);
    scan(&w.f, "Dockerfile",
         "FROM x\n# RUN pip install vllm\nRUN apt-get update && \\\n    pip install --no-cache-dir -i "
         "https://x/simple \\\n    torch==2.1.0+cu118 \"xformers\" && rm -rf /x\n",
         &w.a, &s);
    CHECK_INT((int)s.n_deps, 2);
    CHECK_INT((int)dep(&s, "torch")->line, 5);
    CHECK(dep(&s, "torch")->pin_blocks);
    end(&w);
}

static void test_links(void) {
    static const struct {
        const char *from, *line, *path;
    } cases[] = {
        {"requirements.txt", "-r base.txt", "base.txt"},
        {"a/b.txt", "  --requirement=../c/d.txt  # e", "c/d.txt"},
        {"a/b.txt", "-rc.txt\r", "a/c.txt"},
        {"a/b.txt", "-c './x y.txt'", "a/x y.txt"},
        {"a/b.txt", "--constraint\tc//./d.txt", "a/c/d.txt"},
        {"a/b/c.txt", "-r ../../d/../e.txt", "e.txt"},
        {"a/b.txt", "-r ../../x.txt", NULL},
        {"b.txt", "-r /etc/x.txt", NULL},
        {"a/b.txt", "-r ../", NULL},
    };
    static const char *const none[] = {
        "torch",           "# -r a.txt", "-r",           "-r   ", "--requirements a.txt",
        "--constraints=a", "-e ./x",     "-i https://x", "-r ''", "x -r a.txt"};
    Arena a = {0};
    Str target = {"", 0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Str rest = str_of(cases[i].line);
        size_t line = 0;
        CHECK(requirements_link(&rest, &line, &target));
        CHECK_INT((int)line, 1);
        const char *path = link_path(&a, cases[i].from, target);
        CHECK((path == NULL) == (cases[i].path == NULL));
        if (path != NULL && cases[i].path != NULL) CHECK_STR(path, cases[i].path);
    }
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        Str rest = str_of(none[i]);
        size_t line = 0;
        CHECK(!requirements_link(&rest, &line, &target));
    }
    arena_free(&a);
}

static const TestCase tests[] = {
    TEST(requirements),
    TEST(pyproject_and_locks),
    TEST(conda_setup_and_commands),
    TEST(links),
};
TEST_MAIN(tests)
