"""migrate fix: the patch applies, changes nothing the second time, and leaves the CUDA side as it was."""
import os
import re
import shutil
import subprocess

import harness

TREE = {
    "include/util.h": "#ifndef UTIL_H\n#define UTIL_H\n#include <cuda_runtime.h>\n#ifdef __CUDACC__\n#define HD __host__ __device__\n#else\n#define HD\n#endif\n"
                      "int *get(int n);\n#endif\n",
    "src/sum.cu": "#include \"util.h\"\n#define FULL_MASK 0xffffffff\n"
                  "__global__ void sum(float *x) {\n  float v = x[threadIdx.x];\n  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL_MASK, v, o);\n"
                  "  if (threadIdx.x == 0) x[0] = v;\n  asm volatile(\"bar.sync 0;\");\n}\n"
                  "int *get(int n) { int *p = nullptr; cudaMalloc(&p, n); sum<<<1, 32>>>((float *)p); return p; }\nint main() { return get(4) == nullptr; }\n",
    "Makefile": "NVCC := nvcc\nFLAGS = -O2 -arch=sm_80\nsum: src/sum.cu\n\t$(NVCC) $(FLAGS) -Iinclude -o sum src/sum.cu\n",
    "run.sh": "#!/bin/sh\nmodule load cuda/12.4\ndocker run --gpus all image ./sum\n",
    "deploy/pod.yaml": "spec:\n  containers:\n    - resources:\n        limits:\n          nvidia.com/gpu: 1\n",
    "Dockerfile": "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\nRUN make\n",
}


class Fix(harness.Case):
    def tree(self):
        for name, text in TREE.items():
            self.write("tree/" + name, text)
        folder = os.path.join(self.home, "tree")
        for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
            subprocess.run(["git", *words], cwd=folder, check=True, env={"PATH": os.environ["PATH"], "HOME": self.home})
        return folder

    def git(self, folder, *words, text=None):
        done = subprocess.run(["git", *words], cwd=folder, input=text, capture_output=True, text=True, env={"PATH": os.environ["PATH"], "HOME": self.home})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_patch_applies_and_the_second_is_empty(self):
        folder = self.tree()
        patch = self.ok("migrate", "fix", folder)
        self.git(folder, "apply", "-", text=patch)
        self.assertEqual(sorted(self.git(folder, "status", "--porcelain", "-uall").split()[1::2]),
                         sorted(["include/util.h", "src/sum.cu", "Makefile", "run.sh", "deploy/pod.yaml", "Dockerfile", "include/gpu_compat.h"]))
        again = self.ok("migrate", "fix", folder)
        self.assertNotIn("diff --git", again)
        self.assertTrue(again.startswith("# migrate fix: 0 files to change\n"), again)
        with open(folder + "/include/gpu_compat.h", encoding="utf-8") as f:
            self.assertIn("#define cudaMalloc hipMalloc\n", f.read())
        with open(folder + "/src/sum.cu", encoding="utf-8") as f:
            text = f.read()
        self.assertIn("__shfl_down_sync(GPU_ALL_LANES, v, o)", text)
        self.assertRegex(text, r"// TODO\(rocm\): ptx-asm: [^\n]*\n  asm volatile")

    def test_scripts_do_as_before_without_the_switch(self):
        folder = self.tree()
        self.write("bin/docker", "#!/bin/sh\nprintf '<%s>' docker \"$@\"\n")
        self.write("bin/module", "#!/bin/sh\nprintf '<%s>' module \"$@\"\n")
        for name in ("docker", "module"):
            os.chmod(os.path.join(self.home, "bin", name), 0o755)
        env = {"PATH": os.path.join(self.home, "bin") + ":" + os.environ["PATH"]}

        def said(words, **more):
            return subprocess.run(words, cwd=folder, capture_output=True, text=True, env={**env, **more}).stdout
        before = said(["sh", "run.sh"]), said(["make", "-Bn"])
        self.git(folder, "apply", "-", text=self.ok("migrate", "fix", folder))
        self.assertEqual((said(["sh", "run.sh"]), said(["make", "-Bn"])), before)
        amd = said(["sh", "run.sh"], GPU_DOCKER_FLAGS="--device=/dev/kfd --device=/dev/dri", GPU_MODULE="rocm/7.2"), said(["make", "-Bn", "GPU_HIP=1"])
        self.assertEqual(amd, ("<module><load><rocm/7.2><docker><run><--device=/dev/kfd><--device=/dev/dri><image><./sum>",
                               "hipcc -O2 -Iinclude -o sum src/sum.cu\n"))

    def test_write_wants_a_clean_tree(self):
        folder = self.tree()
        self.write("tree/more.txt", "x\n")
        self.assertIn("changes of its own", str(self.exits(1, "migrate", "fix", folder, "--write")))
        os.remove(folder + "/more.txt")
        self.assertIn("# written", self.ok("migrate", "fix", folder, "--write"))
        self.assertIn("gpu_compat.h", self.git(folder, "status", "--porcelain", "-uall"))
        shutil.rmtree(folder + "/.git")
        self.assertIn("no git tree", str(self.exits(1, "migrate", "fix", folder, "--write")))

    def test_ported_trees_are_left_alone(self):
        folder = self.tree()
        self.write("tree/CMakeLists.txt", "if(USE_HIP)\n  enable_language(HIP)\n  find_package(hip REQUIRED)\nelse()\n  enable_language(CUDA)\nendif()\n")
        self.write("tree/src/b.cu", "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\nint *b() { int *p; cudaMalloc(&p, 4); return p; }\n")
        answer = self.json("migrate", "fix", folder)["fix"]
        self.assertTrue(answer["left_alone"]["builds_for_rocm"])
        self.assertEqual(answer["files"], [])

    def test_refusals(self):
        folder = self.tree()
        self.exits(2, "migrate", "fix", folder + "/run.sh")
        self.exits(2, "migrate", "fix", folder + "/none")
        self.exits(2, "migrate", "fix", folder, "--format", "csv")
        self.write("tree/include/gpu_compat.h", "int somebody_elses;\n")
        self.assertIn("not written by migrate fix", str(self.exits(1, "migrate", "fix", folder)))

    def test_json_counts_what_the_patch_holds(self):
        folder = self.tree()
        answer = self.json("migrate", "fix", folder)["fix"]
        patch = self.ok("migrate", "fix", folder)
        self.assertEqual(len(answer["files"]), patch.count("diff --git"))
        self.assertEqual(answer["edits"]["todo"], len(re.findall(r"^\+.*TODO\(rocm\)", patch, re.M)))
        self.assertEqual(answer["edits"]["mask"], 1)
        self.assertIsNone(answer["check"])

    def tools(self, **scripts):
        """Programs of these names before all others in PATH -> the environment for that."""
        for name, text in scripts.items():
            self.write("bin/" + name.replace("_", "-"), "#!/bin/sh\n" + text)
            os.chmod(os.path.join(self.home, "bin", name.replace("_", "-")), 0o755)
        return {"PATH": os.path.join(self.home, "bin") + ":" + os.environ["PATH"], "ROCM_PATH": os.path.join(self.home, "rocm")}

    def test_compilers_are_asked_before_and_after(self):
        folder = self.tree()
        self.write("rocm/include/hip/hip_runtime.h", "")
        self.write("tree/third_party/v.cu", "int v(int *p) { return cudaMalloc(&p, 4); }\n")
        self.write("tree/n.ipynb", '{"cells": [{"cell_type": "code", "source": ["!nvidia-smi"]}], "nbformat": 4}')
        last = "for file; do true; done\n"  # the source is the last word
        env = self.tools(nvcc=last + 'if grep -q GPU_ALL_LANES "$file"; then echo "$file(3): error: no such mask"; exit 2; fi\n',
                         hipcc=last + 'if ! grep -q gpu_compat "$file"; then echo "$file:1:1: error: no cuda.h"; exit 1; fi\n',
                         hipify_perl='echo "info: CONVERTED refs count: 3"\n')
        patch, _ = self.exits(4, "migrate", "fix", folder, "--check", env=env)
        head = patch[:patch.index("diff --git")]
        self.assertRegex(head, r"(?m)^# CUDA side, [^ ]*/bin/nvcc: of 1 file 1 compiled before and 0 compile after; more errors after: 1$")
        self.assertIn("#   src/sum.cu: errors 0 before, 1 after: src/sum.cu(3): error: no such mask\n", head)
        self.assertRegex(head, r"(?m)^# HIP side, [^ ]*/bin/hipcc: of 1 file 0 compiled before and 1 compile after; more errors after: 0$")
        self.assertRegex(head, r"(?m)^# left alone: 1 finding in vendored and generated files$")
        self.assertRegex(head, r"(?m)^# left alone: 1 finding in notebooks and lock files, which take no comment$")
        self.assertRegex(head, r"(?m)hipify-perl: would rename in place where this patch maps names in gpu_compat.h: info: CONVERTED refs count: 3$")
        checked = self.json("migrate", "fix", folder, "--check", env=env, code=4)["fix"]["check"]
        self.assertEqual([(checked[side]["compiled_before"], checked[side]["compile_after"]) for side in ("cuda", "hip")], [(1, 0), (0, 1)])
        env = self.tools(nvcc="kill -9 $$\n", hipify_perl="exit 1\n")
        del env["ROCM_PATH"]
        patch = self.ok("migrate", "fix", folder, "--check", env=env)
        self.assertIn("#   src/sum.cu: the compiler did not end\n", patch)
        self.assertIn("# no HIP headers in ROCM_PATH, HIP_PATH or /opt/rocm: the HIP side was not compiled\n", patch)

    def test_the_header_stands_where_those_who_need_it_meet(self):
        for name in ("lib/a/x.cu", "lib/b/y.cu"):
            self.write("two/" + name, "#include <cuda_runtime.h>\nint f(int *p) { return cudaMalloc(&p, 4); }\n")
        names = [f["path"] for f in self.json("migrate", "fix", os.path.join(self.home, "two"))["fix"]["files"]]
        self.assertIn("lib/gpu_compat.h", names)

    def test_cuda_compiles_as_before(self):
        folder = self.tree()
        if shutil.which("nvcc") is None:
            answer = self.json("migrate", "fix", folder, "--check")["fix"]["check"]["cuda"]
            self.assertIn("not compiled", answer["note"])
            return
        answer = self.json("migrate", "fix", folder, "--check")["fix"]["check"]["cuda"]
        self.assertEqual((answer["files"], answer["compiled_before"], answer["compile_after"], answer["more_errors_after"]), (1, 1, 1, 0))


if __name__ == "__main__":
    harness.main()
