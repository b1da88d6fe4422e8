#!/usr/bin/python3
"""Runs the committed AMD code objects in tinygrad's emulator, which is no part of this project.

    TINYGRAD=FOLDER emulated_amd.py KERNEL_CASE [ENTRY...]    a line an entry, and how many came out right

KERNEL_CASE is the program of the target kernel_case, FOLDER a tree of github.com/tinygrad/tinygrad with test/mockgpu. Without
one it says 'skipped: ...' and exits with 77. gfx942, gfx1100 and gfx1200 are what the emulator knows; each entry runs in a
process of its own with a time limit. "not run": the emulator does not know an instruction, or takes too long.
"""
import ctypes
import os
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARGETS = {"gfx942": "cdna", "gfx1100": "rdna3", "gfx1200": "rdna4"}
SIZE, LIMIT_S = 1, 120  # which of the odd sizes; of one entry
SKIPPED = 77
# Words that write caches back or drop them, by the vendor's ISA: mask, value, length. The emulator has no caches and does not
# know some of them; they become instructions that do nothing.
CACHES = {"gfx942": ((0xFFFC0000, 0xE0A00000, 2), (0xFFFC0000, 0xE0A40000, 2)),   # buffer_wbl2, buffer_inv
          "gfx1100": ((0xFFFFFFFF, 0xE0AC0000, 2), (0xFFFFFFFF, 0xE0B00000, 2)),  # buffer_gl0_inv, buffer_gl1_inv
          # global_inv, global_wb, global_wbinv
          "gfx1200": ((0xFFFFC000, 0xEE0AC000, 3), (0xFFFFC000, 0xEE0B0000, 3), (0xFFFFC000, 0xEE13C000, 3))}
NOP = 0xBF800000


def cases(program):
    """Entry -> threads, shared bytes, sizes, blocks, bytes of each buffer."""
    found = {}
    for line in subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout.splitlines():
        entry, threads, shared, *shapes = line.split()
        sizes, blocks, buffers = shapes[SIZE].split(":")
        found[entry] = (int(threads), int(shared), [int(x) for x in sizes.split(",")], int(blocks), [int(x) for x in buffers.split(",")])
    return found


class CodeObject:
    """An ELF of AMD's, laid out in memory as its loader would."""
    def __init__(self, path):
        with open(path, "rb") as f:
            self.bytes = f.read()
        elf = self.bytes
        programs, sections = struct.unpack_from("<QQ", elf, 32)
        _, n_programs, _, n_sections = struct.unpack_from("<HHHH", elf, 54)
        loads = [h for h in (struct.unpack_from("<IIQQQQQQ", elf, programs + 56 * i) for i in range(n_programs)) if h[0] == 1]
        self.code = [(h[3], h[5]) for h in loads if h[1] & 1]  # executable
        self.size = (max(h[3] + h[6] for h in loads) + 8191) // 4096 * 4096
        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
        self.base = libc.mmap(None, self.size, 3, 0x22, -1, 0)
        for _, _, offset, address, _, in_file, _, _ in loads:
            ctypes.memmove(self.base + address, elf[offset:offset + in_file], in_file)
        headers = [struct.unpack_from("<IIQQQQIIQQ", elf, sections + 64 * i) for i in range(n_sections)]
        self.symbols = {}
        for h in (h for h in headers if h[1] == 11):  # of the dynamic linker
            names = headers[h[6]][4]
            for at in range(h[4], h[4] + h[5], 24):
                name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", elf, at)
                self.symbols[elf[names + name:elf.index(b"\0", names + name)].decode()] = value

    def quiet_caches(self, target):
        for address, length in self.code:
            words = (ctypes.c_uint32 * (length // 4)).from_address(self.base + address)
            at = 0
            while at < len(words):
                size = next((n for mask, value, n in CACHES[target] if words[at] & mask == value and at + n <= len(words)), 0)
                for i in range(size):
                    words[at + i] = NOP
                at += max(1, size)

    def descriptor(self, entry):
        return self.base + self.symbols[entry + ".kd"] if entry + ".kd" in self.symbols else None


def run(target, entry, case, folder):
    """In a process of its own: the entry of a target on the inputs in `folder`; the output goes there too."""
    os.environ.setdefault("DEV", "CPU")
    os.environ.setdefault("CPU_LLVM", "0")
    sys.path.insert(0, os.environ["TINYGRAD"])
    from test.mockgpu.amd import emu
    threads, shared, sizes, blocks, buffers = case
    code = CodeObject(os.path.join(ROOT, f"kernels/prebuilt/{target}.hsaco"))
    code.quiet_caches(target)
    kd = code.descriptor(entry)
    head = ctypes.string_at(kd, 64)
    lds, private, _ = struct.unpack_from("<III", head, 0)
    start, = struct.unpack_from("<q", head, 16)
    rsrc2, properties = struct.unpack_from("<IH", head, 52)
    memory, pointers = [], []
    for i, n in enumerate(buffers):
        block = ctypes.create_string_buffer(n + 512)
        address = (ctypes.addressof(block) + 255) // 256 * 256
        if i + 1 < len(buffers):
            with open(os.path.join(folder, str(i)), "rb") as f:
                ctypes.memmove(address, f.read(), n)
        else:
            ctypes.memset(address, 0xFF, n)
        memory.append(block)
        pointers.append(address)
    arguments = struct.pack(f"<{len(sizes) + len(pointers)}Q", *sizes, *pointers)
    # hidden ones, code object 5: blocks, threads of a block
    arguments += struct.pack("<III6H", blocks, 1, 1, threads, 1, 1, 0, 0, 0)
    kernel_arguments = ctypes.create_string_buffer(arguments + bytes(512))
    packet = ctypes.create_string_buffer(struct.pack("<6H3I", 0, 1, threads, 1, 1, 0, blocks * threads, 1, 1) + bytes(64))
    user = []
    for bit, words in ((1, [0, 0, 0, 0]), (2, ctypes.addressof(packet)), (4, 0), (8, ctypes.addressof(kernel_arguments)), (16, 0), (32, 0), (64, [private])):
        if properties & bit:
            user += words if isinstance(words, list) else [words & 0xFFFFFFFF, words >> 32]
    granules = (lds + shared + 511) // 512
    emu.run_asm(kd + start, code.size, blocks, 1, 1, threads, 1, 1, ctypes.addressof(kernel_arguments),
                rsrc2 & ~(0x1FF << 15) | granules << 15, private, TARGETS[target], user)
    with open(os.path.join(folder, "out"), "wb") as f:
        f.write(ctypes.string_at(pointers[-1], buffers[-1]))


def one(program, target, entry):
    """'right', 'wrong' or 'not run', and why."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "make", entry, str(SIZE), folder], check=True)
        try:
            ran = subprocess.run([sys.executable, "-B", os.path.abspath(__file__), "--run", program, target, entry, folder], capture_output=True, text=True,
                                 check=False, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return "not run", f"over {LIMIT_S} s"
        if ran.returncode != 0:
            return "not run", (ran.stderr.strip().splitlines() or ["crashed"])[-1][:120]
        checked = subprocess.run([program, "check", entry, str(SIZE), "amd", os.path.join(folder, "out")], capture_output=True, text=True, check=False)
        return ("right" if checked.returncode == 0 else "wrong"), (checked.stdout + checked.stderr).strip()


def main(arguments):
    if arguments[:1] == ["--run"]:
        program, target, entry, folder = arguments[1:]
        run(target, entry, cases(program)[entry], folder)
        return 0
    if not arguments:
        sys.exit(__doc__)
    if not os.path.isdir(os.path.join(os.environ.get("TINYGRAD", ""), "test/mockgpu/amd")):
        print("skipped: TINYGRAD names no tree of tinygrad with test/mockgpu")
        return SKIPPED
    program, wanted = arguments[0], arguments[1:]
    table = cases(program)
    counts = {}
    for target in TARGETS:
        code = CodeObject(os.path.join(ROOT, f"kernels/prebuilt/{target}.hsaco"))
        for entry in (e for e in table if code.descriptor(e) and (not wanted or e in wanted)):
            outcome, why = one(program, target, entry)
            counts[target, outcome] = counts.get((target, outcome), 0) + 1
            print(f"{target:8} {entry:18} {outcome:8} {why}", flush=True)
    for target in TARGETS:
        print(target, ", ".join(f"{counts.get((target, o), 0)} {o}" for o in ("right", "wrong", "not run")))
    return 1 if any(o == "wrong" for _, o in counts) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
