"""The CPU kernels of 64-bit ARM: compiled by a cross compiler and run by an emulator. Skipped where one of them is missing."""
import concurrent.futures
import os
import re
import shutil
import subprocess
import unittest

import harness

COMPILER, EMULATOR = shutil.which("aarch64-linux-gnu-gcc"), shutil.which("qemu-aarch64")
OBJDUMP = shutil.which("aarch64-linux-gnu-objdump")
# As cmake/Flags.cmake and CMakeLists.txt have them.
FLAGS = ["-std=c17", "-D_POSIX_C_SOURCE=200809L", "-D_XOPEN_SOURCE=700", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-I" + harness.ROOT]
PLAIN, KERNEL = ["-O2", "-ffp-contract=off"], ["-O3", "-ffp-contract=fast"]
SETS = ["kernels/cpu_base.c", "kernels/cpu_neon.c", "kernels/cpu_avx2.c", "kernels/cpu_avx512.c"]
OTHERS = ["tests/test_kernels.c", *(f"kernels/{name}.c" for name in ("check", "cpu", "cpu_system", "elems", "inputs", "reference", "reference_serve", "shapes", "sysfs", "table")),
          *(f"src/base/{name}.c" for name in ("memory", "number", "order", "text"))]
CASES = ["native_kernels_fit_the_references", "nan_and_infinity_propagate", "runs_give_the_same_bits", "the_best_instruction_set_comes_first"]


def run(args, **options):
    return subprocess.run(args, capture_output=True, text=True, errors="replace", timeout=80, check=False, **options)


@unittest.skipIf(harness.SANITIZED, "sanitizers of this build do not reach code for another processor")
@unittest.skipUnless(COMPILER and EMULATOR, "needs Debian's gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user")
class Neon(harness.Case):
    def compiled(self, source):
        out = os.path.join(self.home, source.replace("/", "-") + ".o")
        done = run([COMPILER, *FLAGS, *(KERNEL if source in SETS else PLAIN), "-c", os.path.join(harness.ROOT, source), "-o", out])
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def test_kernels_fit_the_references(self):
        binary = os.path.join(self.home, "kernels")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            objects = list(pool.map(self.compiled, SETS + OTHERS))
        # No case looks at characters: whoever did would want a utf8proc of that processor, and ends here.
        unused = [f"-Wl,--defsym=utf8proc_{name}=abort" for name in ("iterate", "get_property", "category", "charwidth")]
        done = run([COMPILER, "-static", "-fopenmp", *objects, *unused, "-lm", "-o", binary])
        self.assertEqual(done.returncode, 0, done.stderr)
        for case in CASES:
            done = run([EMULATOR, binary, case], env={"OMP_NUM_THREADS": "2", "GPUADVISE_ONE_SEED": "1"})
            self.assertEqual(done.returncode, 0, f"{case}\n{done.stdout}{done.stderr}")

    @unittest.skipUnless(OBJDUMP, "needs binutils-aarch64-linux-gnu")
    def test_sums_of_the_matrix_product_stay_in_registers(self):
        text = run([OBJDUMP, "-d", "--disassemble=tile", self.compiled("kernels/cpu_neon.c")]).stdout
        loop = max(re.split(r"\n.*\bb\.\w+\b.*", text), key=lambda block: block.count("fmla"))
        loop = loop[loop.index("ldp"):]
        self.assertEqual(loop.count("fmla"), 24, loop)
        self.assertNotIn("[sp", loop)


if __name__ == "__main__":
    harness.main()
