"""The device code as every GPU target: compiled by clang 19 without any vendor's toolkit, and looked at. Skipped without it."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import harness

SOURCE = os.path.join(harness.ROOT, "kernels/device/kernels.c")
COMMON = ["-std=c++17", "-O3", "-ffp-contract=off", "-Wall", "-Werror", "-I" + harness.ROOT]
PTX = {"sm_60": "6.0", "sm_80": "7.0", "sm_89": "8.4"}  # target -> PTX version, the oldest that its drivers take
AMD = {"gfx906": 64, "gfx90a": 64, "gfx942": 64, "gfx1030": 32, "gfx1100": 32, "gfx1151": 32, "gfx1200": 32, "gfx1201": 32}  # lanes of a wave
CUDA = "/usr/local/cuda/bin/ptxas"


def tool(name):
    return shutil.which(name + "-19")


def entries():
    with open(SOURCE, encoding="utf-8") as f:
        return sorted(re.findall(r"^GK_KERNEL (gk_\w+)\(", f.read(), re.M))


class Device(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="gpuadvise-device-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def compiled(self, *args):
        if not tool("clang"):
            self.skipTest("no clang-19")
        out = os.path.join(self.folder, "out")
        done = subprocess.run([tool("clang"), *args, *COMMON, SOURCE, "-o", out], capture_output=True, timeout=80, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return out

    def ptx(self, target):
        version = PTX[target]
        path = self.compiled("-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=" + target, "--cuda-feature=+ptx" + version.replace(".", ""),
                             "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-S")
        with open(path, encoding="utf-8") as f:
            text = f.read()
        self.assertRegex(text, rf"(?m)^\.version {version}$")
        self.assertRegex(text, rf"(?m)^\.target {target}$")
        self.assertEqual(sorted(re.findall(r"\.entry (\w+)\(", text)), entries())
        with open(os.path.join(harness.ROOT, f"kernels/prebuilt/{target}.ptx"), encoding="utf-8") as f:
            self.assertEqual(f.read(), text, "the committed PTX is old: cmake --build ... --target prebuilt_ptx")
        self.assertNotIn(".local", text)  # no spills, no arrays outside registers
        self.assertIn("shfl.sync.bfly", text)
        self.assertIn("bar.sync", text)
        if os.access(CUDA, os.X_OK):
            for later in ("sm_80", "sm_89", "sm_90", "sm_100", "sm_120"):
                if int(later[3:]) < int(target[3:]):
                    continue
                done = subprocess.run([CUDA, "-arch=" + later, path, "-o", os.devnull], capture_output=True, text=True, timeout=80)
                self.assertEqual(done.returncode, 0, done.stderr)

    def amd(self, target):
        if not tool("ld.lld") and not tool("lld"):
            self.skipTest("no lld-19")
        path = self.compiled("-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "--offload-arch=" + target, "-nogpuinc", "-nogpulib")
        if not tool("llvm-readelf") or not tool("llvm-objdump"):
            self.skipTest("no llvm-19")
        notes = subprocess.run([tool("llvm-readelf"), "--notes", path], capture_output=True, text=True, check=True).stdout
        self.assertEqual(sorted(re.findall(r"(?m)^ +\.name: +(gk_\w+)$", notes)), entries())
        self.assertEqual(set(re.findall(r"\.wavefront_size: (\d+)", notes)), {str(AMD[target])})
        for key in ("private_segment_fixed_size", "sgpr_spill_count", "vgpr_spill_count"):
            self.assertEqual(set(re.findall(rf"\.{key}: +(\d+)", notes)), {"0"}, key)
        code = subprocess.run([tool("llvm-objdump"), "-d", path], capture_output=True, text=True, check=True).stdout
        for wanted in ("s_barrier", "ds_bpermute_b32", "global_load"):
            self.assertIn(wanted, code)

    def test_kernel_names_are_found(self):
        self.assertEqual(len(entries()), 16)


for each in PTX:
    setattr(Device, "test_ptx_" + each, lambda self, t=each: self.ptx(t))
for each in AMD:
    setattr(Device, "test_amd_" + each, lambda self, t=each: self.amd(t))

if __name__ == "__main__":
    harness.main()
