"""The device code as every GPU target, as the build compiled it by clang 19 without any vendor's toolkit. Skipped without it."""
import os
import re
import shutil
import struct
import subprocess
import sys
import unittest

import harness

TABLE = os.path.join(harness.ROOT, "kernels/table.c")
PTX = {"sm_60": "6.0", "sm_80": "7.0", "sm_89": "8.4", "sm_90a": "8.4", "sm_120a": "8.7"}  # target -> PTX version, the oldest that its drivers take
AMD = {"gfx906": 64, "gfx90a": 64, "gfx942": 64, "gfx1030": 32, "gfx1100": 32, "gfx1151": 32, "gfx1200": 32, "gfx1201": 32}  # lanes of a wave
CUDA = "/usr/local/cuda/bin/ptxas"

# Target -> entry on matrix units -> the instruction that it must contain. What is not named is not there.
NV = {"gk_gemm_tf32": "m16n8k8.row.col.f32.tf32.tf32.f32", "gk_gemm_f16": "m16n8k16.row.col.f32.f16.f16.f32",
      "gk_gemm_bf16": "m16n8k16.row.col.f32.bf16.bf16.f32", "gk_gemm_i8": "m16n8k32.row.col.s32.s8.s8.s32",
      "gk_prefill": "m16n8k16.row.col.f32.bf16.bf16.f32"}
DECODE = ("gk_decode_gqa", "gk_decode_mla")  # everywhere: on matrix units as gk_prefill where there are any
WMMA3 = {"gk_gemm_f16": "v_wmma_f32_16x16x16_f16", "gk_gemm_bf16": "v_wmma_f32_16x16x16_bf16", "gk_gemm_i8": "v_wmma_i32_16x16x16_iu8",
         "gk_prefill": "v_wmma_f32_16x16x16_bf16"}
WMMA4 = {**WMMA3, "gk_gemm_fp8": "v_wmma_f32_16x16x16_fp8_fp8"}
NV_FP8 = {**NV, "gk_gemm_fp8": "m16n8k32.row.col.f32.e4m3.e4m3.f32"}
HOPPER = {"gk_wgmma_f16": "m64n256k16.f32.f16.f16", "gk_wgmma_bf16": "m64n256k16.f32.bf16.bf16", "gk_wgmma_fp8": "m64n256k32.f32.e4m3.e4m3"}
MATRIX = {
    "sm_80": NV, "sm_89": NV_FP8, "sm_90a": {**NV_FP8, **HOPPER},
    "sm_120a": {**NV_FP8, "gk_gemm_mxfp4": "m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"},
    "gfx90a": {"gk_gemm_tf32": "v_mfma_f32_16x16x4f32", "gk_gemm_f16": "v_mfma_f32_16x16x16f16", "gk_gemm_bf16": "v_mfma_f32_16x16x16bf16_1k",
               "gk_gemm_i8": "v_mfma_i32_16x16x16i8", "gk_prefill": "v_mfma_f32_16x16x16bf16_1k"},
    "gfx942": {"gk_gemm_tf32": "v_mfma_f32_16x16x8_xf32", "gk_gemm_f16": "v_mfma_f32_16x16x16_f16", "gk_gemm_bf16": "v_mfma_f32_16x16x16_bf16",
               "gk_gemm_i8": "v_mfma_i32_16x16x32_i8", "gk_gemm_fp8_fnuz": "v_mfma_f32_16x16x32_fp8_fp8", "gk_prefill": "v_mfma_f32_16x16x16_bf16"},
    "gfx1100": WMMA3, "gfx1151": WMMA3, "gfx1200": WMMA4, "gfx1201": WMMA4,
}
MATRIX = {target: {**found, **{entry: found["gk_prefill"] for entry in DECODE}} for target, found in MATRIX.items()}


def tool(name):
    return shutil.which(name + "-19")


def entries(target=None):
    """The entries of the table; for a target, without the products on matrix units that it has not."""
    with open(TABLE, encoding="utf-8") as f:
        names = set(re.findall(r'"(gk_\w+)"', f.read()))
    products = {n for n in names if n.startswith(("gk_gemm_", "gk_wgmma_"))} | {"gk_prefill"}
    return sorted(names - products | set(MATRIX.get(target, {})) if target else names)


def sections(path):
    """Name -> bytes of the sections of an ELF of 64 bits that are not empty in the file."""
    with open(path, "rb") as f:
        elf = f.read()
    at, = struct.unpack_from("<Q", elf, 40)
    size, n, names = struct.unpack_from("<HHH", elf, 58)
    headers = [struct.unpack_from("<IIQQQQ", elf, at + size * i) for i in range(n)]  # name, kind, flags, address, offset, bytes
    table = headers[names][4]
    return {elf[table + h[0]:elf.index(b"\0", table + h[0])].decode(): elf[h[4]:h[4] + h[5]] for h in headers if h[1] not in (0, 8)}


class Device(unittest.TestCase):
    def compiled(self, name):
        path = os.path.join(harness.DEVICE_CODE, name)
        if not os.path.exists(path):
            self.skipTest("this build has no clang 19 for device code")
        return path

    def ptx(self, target):
        version = PTX[target]
        path = self.compiled(target + ".ptx")
        with open(path, encoding="utf-8") as f:
            text = f.read()
        self.assertRegex(text, rf"(?m)^\.version {version}$")
        self.assertRegex(text, rf"(?m)^\.target {target}$")
        self.assertEqual(sorted(re.findall(r"\.entry (\w+)\(", text)), entries(target))
        with open(os.path.join(harness.ROOT, f"kernels/prebuilt/{target}.ptx"), encoding="utf-8") as f:
            self.assertEqual(f.read(), text, "the committed PTX is old: cmake --build ... --target prebuilt_device")
        self.assertNotIn(".local", text)  # no spills, no arrays outside registers
        self.assertIn("shfl.sync.bfly", text)
        self.assertIn("bar.sync", text)
        bodies = dict(re.findall(r"(?ms)^\.visible \.entry (\w+)\(.*?^\{(.*?)^\}", text))
        for entry, instruction in MATRIX.get(target, {}).items():
            self.assertIn(("wgmma.mma_async.sync" if entry in HOPPER else "mma.sync") + ".aligned." + instruction, bodies[entry], entry)
        self.assertIn("ld.global.v4.f32", bodies["gk_triad"])
        if harness.SANITIZED:
            return  # nothing of ours runs in ptxas
        if os.access(CUDA, os.X_OK):
            for later in (target,) if target.endswith("a") else ("sm_80", "sm_89", "sm_90", "sm_100", "sm_120"):
                if not target.endswith("a") and int(later[3:]) < int(target[3:]):
                    continue
                done = subprocess.run([CUDA, "-v", "-arch=" + later, path, "-o", os.devnull], capture_output=True, text=True, timeout=80)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("serialized", done.stderr)  # products by warpgroups that wait for each other
                self.assertLessEqual(max(int(n) for n in re.findall(r"(\d+) bytes spill", done.stderr)), 16)  # a register or two of A100's 128
        else:
            print("no ptxas here: the PTX was not assembled", file=sys.stderr)

    def amd(self, target):
        path = self.compiled(target + ".hsaco")
        # What the linker says of itself aside, the committed object is what is compiled here; another clang 19 may compile otherwise.
        mine, committed = sections(path), sections(os.path.join(harness.ROOT, f"kernels/prebuilt/{target}.hsaco"))
        self.assertIn(b"gk_pattern_check", committed[".dynstr"])
        self.assertNotRegex(committed[".dynstr"], rb"__hip_cuid_[0-9a-f]")  # a hash of the folder's path
        if mine.pop(".comment") == committed.pop(".comment"):
            self.assertEqual(sorted(mine), sorted(committed))
            old = [name for name in mine if mine[name] != committed[name]]
            self.assertEqual(old, [], "the committed code objects are old: cmake --build ... --target prebuilt_device")
        else:
            print("another compiler than that of the committed code objects: entries compared, bytes not", file=sys.stderr)
            self.assertEqual(mine[".dynstr"], committed[".dynstr"])
        if not tool("llvm-readelf") or not tool("llvm-objdump"):
            self.skipTest("no llvm-19")
        notes = subprocess.run([tool("llvm-readelf"), "--notes", path], capture_output=True, text=True, check=True).stdout
        self.assertEqual(sorted(re.findall(r"(?m)^ +\.name: +(gk_\w+)$", notes)), entries(target))
        self.assertEqual(set(re.findall(r"\.wavefront_size: (\d+)", notes)), {str(AMD[target])})
        for key in ("private_segment_fixed_size", "sgpr_spill_count", "vgpr_spill_count"):
            self.assertEqual(set(re.findall(rf"\.{key}: +(\d+)", notes)), {"0"}, key)
        code = subprocess.run([tool("llvm-objdump"), "-d", path], capture_output=True, text=True, check=True).stdout
        for wanted in ("s_barrier", "ds_bpermute_b32", "global_load"):
            self.assertIn(wanted, code)
        bodies = dict(re.findall(r"(?ms)^[0-9a-f]+ <(\w+)>:$(.*?)(?=^[0-9a-f]+ <|\Z)", code))
        for entry, instruction in MATRIX.get(target, {}).items():
            self.assertRegex(bodies[entry], rf"\b{instruction}\b", entry)
        self.assertRegex(bodies["gk_triad"], "global_load_(dwordx4|b128)")

    def test_kernel_names_are_found(self):
        self.assertEqual(len(entries()), 40)


for each in PTX:
    setattr(Device, "test_ptx_" + each, lambda self, t=each: self.ptx(t))
for each in AMD:
    setattr(Device, "test_amd_" + each, lambda self, t=each: self.amd(t))

if __name__ == "__main__":
    harness.main()
