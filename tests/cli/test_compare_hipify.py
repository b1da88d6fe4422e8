"""bench/compare_hipify.py on a tree that is written here, with the map and with a stand-in for the peer; no network."""
import json
import os
import subprocess
import sys

import harness

SCRIPT = os.path.join(harness.ROOT, "bench/compare_hipify.py")
SOURCE = """#include <cuda_runtime.h>
// cudaMemset is not called
#define cudaDeviceReset() 0
__global__ void k(int *p) {
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(p[0]));
}
void f(int *p) {
    log("cudaMallocHost failed");
    cudaMalloc(&p, 4);
    k<<<1, 32>>>(p);
    cudaFree(p);
    cudaDeviceReset();
}
"""
# Replaces every word that starts with "cuda", wherever it stands; of the file "bad.cu" it makes nothing.
PEER = """#!/bin/sh
[ "$1" = -quiet-warnings ] || exit 4
case "$2" in *bad.cu) exit 3;; esac
sed -E 's/\\bcuda([A-Z])/hip\\1/g' "$2"
"""


class Compare(harness.Case):
    def setUp(self):
        super().setUp()
        self.tree = os.path.join(self.home, "tree")
        self.put("tree/a.cu", SOURCE)

    def put(self, name, text):
        path = os.path.join(self.home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def compare(self, *args, peer=False):
        env = harness.environment(self.home)
        env["PATH"] = (os.path.join(self.home, "bin") + ":" if peer else "") + "/usr/bin:/bin"
        env["GPUADVISE_BIN"] = harness.BIN
        done = subprocess.run([sys.executable, SCRIPT, self.tree, *args], env=env, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout, done.stderr

    def answer(self, code, *args, **options):
        got, out, err = self.compare("--json", *args, **options)
        self.assertEqual(got, code, out + err)
        return json.loads(out)

    @staticmethod
    def names(rows):
        return {row["name"] for row in rows}

    def test_map_as_the_peer(self):
        x = self.answer(0, "--peer", "map")
        self.assertEqual((x["files"], x["missed"]), (1, []))
        self.assertEqual(x["converted"], 3)
        self.assertEqual(self.names(x["peer_false"]), {"cudaDeviceReset"})
        self.assertEqual([r["rule"] for r in x["only_here"]], ["ptx-special-reg"])

    def test_peer_on_the_path(self):
        os.chmod(self.put("bin/hipify-perl", PEER), 0o755)
        self.put("tree/bad.cu", "void g() { cudaFree(0); }\n")
        x = self.answer(0, peer=True)
        self.assertEqual((x["peer"], x["peer_failed"], x["missed"]), ("hipify-perl", ["bad.cu"], []))
        self.assertEqual(self.names(x["peer_false"]), {"cudaMemset", "cudaMallocHost", "cudaDeviceReset"})

    def test_a_name_that_the_scan_lacks(self):
        names = self.put("map.tsv", "cuda_name\thip_name\ncudaFree\thipFree\nlog\thipLog\nsame\tsame\n")
        x = self.answer(4, "--peer", "map", "--map", names)
        self.assertEqual(x["missed"], [{"name": "log", "files": ["a.cu"]}])
        code, out, _ = self.compare("--peer", "map", "--map", names)
        self.assertEqual(code, 4)
        self.assertIn("log in a.cu", out)

    def test_what_cannot_be_compared(self):
        for args in (("--peer", "hipify-perl"), ("--peer", "map", "--map", "/dev/null/x"), ("--peer", "map", "--program", "/dev/null/x")):
            code, out, err = self.compare(*args)
            self.assertEqual((code, out), (1, ""), args)
            self.assertTrue(err.startswith("compare_hipify: ") and "Traceback" not in err)
        self.assertEqual(self.compare("--peer", "wrong")[0], 2)


if __name__ == "__main__":
    harness.main()
