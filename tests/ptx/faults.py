#!/usr/bin/python3
"""Does the interpreter see faults of device code? Plants one at a time in a copy of the committed PTX and runs the entry.

    faults.py PTX_ALL [WORD...]    all of them, or those whose line holds every WORD; a line each, then what was not seen.
                                   Exit code 1 when less than 95 % are seen, or one is not that is in neither of two lists.

PTX_ALL is the program of the target ptx_all. A fault is seen when an entry does not come out right, is refused, or touches
what it must not. EQUIVALENT has those that change nothing which anybody could see, MISSED those that could be seen and are not, each with the
reason.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FLOOR = 0.95


def nth(pattern, replacement, n=0):
    """Replaces match number n (from the end when negative) of a pattern."""
    def plant(code):
        found = list(re.finditer(pattern, code))
        match = found[n]
        return code[:match.start()] + match.expand(replacement) + code[match.end():]
    return plant


def every(pattern, replacement):
    return lambda code: re.sub(pattern, replacement, code)


def middle(pattern, replacement):
    """The match in the middle of the entry."""
    def plant(code):
        return nth(pattern, replacement, len(re.findall(pattern, code)) // 2)(code)
    return plant


BARRIER = r"bar\.sync\s+0;"
MMA = r"(mma\.sync\S+ )\{([^}]*)\}, \{([^}]*)\}, \{([^}]*)\}, \{([^}]*)\}"


def swapped(group, first, second):
    """Exchanges two registers of one operand of every product: 1 D and C, 2 A, 3 B."""
    def exchange(text):
        names = text.split(",")
        names[first], names[second] = names[second], names[first]
        return ",".join(names)

    def rebuild(match):
        d, a, b, c = match.group(2), match.group(3), match.group(4), match.group(5)
        if group == 1:
            c = exchange(c)
        if group == 2:
            a = exchange(a)
        if group == 3:
            b = exchange(b)
        return f"{match.group(1)}{{{d}}}, {{{a}}}, {{{b}}}, {{{c}}}"
    return lambda code: re.sub(MMA, rebuild, code)


def moved(pattern, by):
    """An address that is off, of the instruction in the middle: [%rd1+16] -> [%rd1+20]."""
    def plant(code):
        found = list(re.finditer(pattern + r"\[(%rd\d+)(?:\+(-?\d+))?\]", code))
        match = found[len(found) // 2]
        return f"{code[:match.start(1) - 1]}[{match.group(1)}+{int(match.group(2) or 0) + by}]{code[match.end():]}"
    return plant


LOAD, STORE = r"ld\.global\S+\s+[^;\[]*", r"st\.global\S+\s+"
SHARED_LOAD, SHARED_STORE = r"ld\.shared\S+\s+[^;\[]*", r"st\.shared\S+\s+"
GUARD = (r"@%p(\d+) bra", r"@!%p\1 bra")
SHUFFLE = r"(shfl\.sync\.bfly\.b32\s*%r\d+, %r\d+), "

# Of an entry in every file or in those that are named: what, how. A dash: all files that have it.
FAULTS = []


def plant(targets, entry, what, how):
    for target in targets.split():
        FAULTS.append((target, entry, what, how))


for entry in ("gk_copy", "gk_add", "gk_launch"):
    plant("sm_60", entry, "a load four bytes on", moved(LOAD, 4))
plant("sm_80", "gk_triad", "a store four bytes on", moved(STORE, 4))
plant("sm_89", "gk_scale", "a store sixteen bytes back", moved(STORE, -16))
plant("sm_90a", "gk_copy", "the guard of a branch turned", nth(*GUARD))
plant("sm_120a", "gk_triad", "the guard of a branch turned", nth(*GUARD, n=-1))
plant("sm_60", "gk_scale", "the scalar one unit of the last place off", nth(r"0f3EC00000", "0f3EC00001"))
plant("sm_80", "gk_add", "a subtraction", nth(r"add\.rn\.f32", "sub.rn.f32"))
plant("sm_60", "gk_read", "a barrier gone", nth(BARRIER, ""))
plant("sm_80", "gk_read", "the last barrier gone", nth(BARRIER, "", -1))
plant("sm_60", "gk_latency", "a load four bytes on", moved(LOAD, 4))
for old, new in ((16, 8), (8, 4), (4, 2), (2, 1), (1, 16)):
    plant("sm_60", "gk_reduce", f"a shuffle by {old} that goes by {new}", nth(SHUFFLE + f"{old},", rf"\1, {new},"))
plant("sm_89", "gk_reduce", "the barrier gone", nth(BARRIER, ""))
plant("sm_120a", "gk_reduce", "another warp's sum twice", nth(r"(ld\.shared\.f32\s+%f\d+, \[\w+)\+4\]", r"\1+8]"))
for n in (0, 1):
    plant("sm_60 sm_90a", "gk_gemm", f"barrier {n} gone", nth(BARRIER, "", n))
plant("sm_80", "gk_gemm", "a word of shared memory too far", moved(SHARED_LOAD, 4))
plant("sm_89", "gk_gemm", "a store to shared memory four bytes on", moved(SHARED_STORE, 4))
for n in (2, 3):
    plant("sm_60", "gk_gemm", f"edge {n} one too far", nth(r"setp\.lt\.u64", "setp.le.u64", n))
plant("sm_60", "gk_gemm", "the edge of a load one too far", nth(r"setp\.ge\.u64", "setp.gt.u64"))
plant("sm_60", "gk_gemm", "another factor", middle(r"fma\.rn\.f32\s+(%f\d+), (%f\d+), (%f\d+), (%f\d+);", r"fma.rn.f32 \1, \2, \2, \4;"))
plant("sm_60", "gk_gemv_bf16", "the last shuffle by another distance", nth(SHUFFLE + "1,", r"\1, 2,", -1))
plant("sm_80", "gk_gemv_bf16", "a load two bytes on", moved(LOAD, 2))
plant("sm_60", "gk_gemv_i8", "bytes taken for unsigned", nth(r"bfe\.s32", "bfe.u32"))
plant("sm_80", "gk_gemv_i8", "a field one bit on", nth(r"(bfe\.s32\s+%r\d+, %r\d+), 8,", r"\1, 9,"))
plant("sm_89", "gk_gemv_i8", "whole numbers taken for unsigned", nth(r"cvt\.rn\.f32\.s16", "cvt.rn.f32.u16"))
plant("sm_89 sm_90a", "gk_gemv_fp8", "the halves of a pair in each other's place",
      nth(r"(cvt\.rn\.f16x2\.e4m3x2 (%r\d+), (%rs\d+);)", r"{ .reg .b16 x; .reg .b16 y; \1 mov.b32 {x, y}, \2; mov.b32 \2, {y, x}; }"))
plant("sm_60", "gk_gemv_fp8", "a number shifted by a bit more", middle(r"shl\.b32\s+(%r\d+), (%r\d+), 20;", r"shl.b32 \1, \2, 21;"))
plant("sm_60", "gk_gemv_i4", "nibbles taken from a bit on", middle(r"bfe\.u32\s+(%r\d+), (%r\d+), 16, 4;", r"bfe.u32 \1, \2, 17, 4;"))
plant("sm_80", "gk_gemv_i4", "a group's scale of the next", moved(r"ld\.global\.f32\s+[^;\[]*", 4))
plant("sm_60", "gk_gemv_mxfp4", "nibbles of another mask", middle(r"and\.b32\s+(%r\d+), (%r\d+), (\d+);", r"and.b32 \1, \2, 7;"))
plant("sm_120a", "gk_gemv_mxfp4", "a shuffle of another distance", nth(SHUFFLE + "2,", r"\1, 4,"))
plant("sm_60", "gk_rmsnorm", "a barrier gone", nth(BARRIER, ""))
plant("sm_80", "gk_rmsnorm", "epsilon gone", nth(r"0f35800000", "0f00000000"))
plant("sm_89", "gk_rmsnorm", "the weight of the column before", moved(LOAD, -4))
for n in (0, 1, 2, 3):
    plant("sm_60", "gk_softmax", f"barrier {n} gone", nth(BARRIER, "", n))
plant("sm_80", "gk_softmax", "the largest not taken away", nth(r"sub\.rn\.f32\s+(%f\d+), (%f\d+), (%f\d+)", r"sub.rn.f32 \1, \2, 0f00000000"))
plant("sm_89", "gk_softmax", "a coefficient of the exponential", nth(r"0f3D2AAAAB", "0f3D3AAAAB"))
plant("sm_60", "gk_rotary", "sine and cosine in each other's place", nth(r"sub\.rn\.f32\s+(%f\d+), (%f\d+), (%f\d+)", r"sub.rn.f32 \1, \3, \2"))
plant("sm_60", "gk_swiglu", "the sign of the gate", nth(r"neg\.f32\s+(%f\d+), (%f\d+)", r"mov.f32 \1, \2"))
plant("sm_80", "gk_swiglu", "a limit of the exponential", every(r"0f42B00000", "0f40000000"))
plant("sm_60", "gk_argmax", "a barrier gone", nth(BARRIER, ""))
plant("sm_80", "gk_argmax", "the smallest", every(r"setp\.gt\.f32", "setp.lt.f32"))
plant("sm_89", "gk_argmax", "the last shuffle missing a lane", nth(SHUFFLE + "1,", r"\1, 2,", -1))
plant("sm_60", "gk_topk", "a barrier gone", nth(BARRIER, ""))
plant("sm_90a", "gk_topk", "the last barrier gone", nth(BARRIER, "", -1))
plant("sm_80", "gk_topk", "a shuffle of another distance", nth(SHUFFLE + "4,", r"\1, 8,"))
plant("sm_60", "gk_moe_gather", "an expert's row of the next", moved(r"ld\.global\.u32\s+[^;\[]*", 4))
plant("sm_60", "gk_atomics", "the barrier gone", nth(BARRIER, ""))
plant("sm_80", "gk_atomics", "two at a time", nth(r"(atom\.global\.add\.u32\s+%r\d+, \[%rd\d+\]), 1;", r"\1, 2;"))
plant("sm_89", "gk_atomics", "a counter four bytes on", nth(r"(atom\.global\.add\.u32\s+%r\d+, \[%rd\d+)\], 1;", r"\1+4], 1;"))
plant("sm_60", "gk_atomics", "the fence gone", nth(r"membar\.gl;", ""))
plant("sm_60", "gk_differ", "what is the same counts", nth(*GUARD, n=-1))
plant("sm_60", "gk_pattern_fill", "another multiplier of the hash", nth(r"-?\b2246822507\b|-2048144789", "-2048144787"))
plant("sm_60", "gk_pattern_check", "a bit is not looked at", nth(r"setp\.(?:ne|eq)\.s32\s+(%p\d+), (%r\d+), (%r\d+);", r"setp.eq.s32 \1, \2, \2;"))

# Products on matrix units.
for target, entry in (("sm_80", "gk_gemm_f16"), ("sm_89", "gk_gemm_bf16"), ("sm_90a", "gk_gemm_i8"), ("sm_80", "gk_gemm_tf32"),
                      ("sm_89", "gk_gemm_fp8"), ("sm_120a", "gk_gemm_mxfp4")):
    plant(target, entry, "registers 1 and 2 of A exchanged", swapped(2, 1, 2))
    plant(target, entry, "the registers of B exchanged", swapped(3, 0, 1))
    plant(target, entry, "sums 1 and 2 exchanged on the way in", swapped(1, 1, 2))
    plant(target, entry, "the first barrier gone", nth(BARRIER, ""))
    plant(target, entry, "the last barrier gone", nth(BARRIER, "", -1))
    plant(target, entry, "a word of shared memory too far", moved(SHARED_LOAD, 4))
plant("sm_80", "gk_gemm_bf16", "bf16 taken for fp16", every(r"f32\.bf16\.bf16\.f32", "f32.f16.f16.f32"))
plant("sm_120a", "gk_gemm_mxfp4", "A's scales of the upper bytes", every(r"(\}, %r\d+, )\{0,0\}", r"\1{2,0}"))
plant("sm_120a", "gk_gemm_mxfp4", "A's scales of the other lanes", every(r"(\}, %r\d+, )\{0,0\}", r"\1{0,1}"))
plant("sm_120a", "gk_gemm_mxfp4", "B's scales of the next lane", every(r"\{0,0\};", "{0,1};"))
plant("sm_120a", "gk_gemm_mxfp4", "B's scales of the upper bytes", every(r"\{0,0\};", "{2,0};"))
for n in (0, 1, 2, 3):
    plant("sm_80", "gk_prefill", f"barrier {n} gone", nth(BARRIER, "", n))
plant("sm_90a", "gk_prefill", "the registers of B exchanged", swapped(3, 0, 1))
plant("sm_89", "gk_prefill", "its own token is not seen", every(r"setp\.gt\.u64", "setp.ge.u64"))
plant("sm_120a", "gk_prefill", "a shuffle of another distance", nth(SHUFFLE + "16,", r"\1, 8,"))
for n in (0, 1, 2):
    plant("sm_60", "gk_decode_gqa", f"barrier {n} gone", nth(BARRIER, "", n))
    plant("sm_60", "gk_decode_mla", f"barrier {n} gone", nth(BARRIER, "", n))
plant("sm_80", "gk_decode_gqa", "the next page", moved(r"ld\.global\.u32\s+[^;\[]*", 4))
plant("sm_89", "gk_decode_mla", "a word of shared memory too far", moved(SHARED_LOAD, 4))

# Hopper's products by warpgroups.
for entry in ("gk_wgmma_f16", "gk_wgmma_fp8"):
    plant("sm_90a", entry, "no proxy fence", every(r"fence\.proxy\.async\.shared::cta;", ""))
    plant("sm_90a", entry, "no wgmma.fence", every(r"wgmma\.fence\.sync\.aligned;", ""))
    plant("sm_90a", entry, "a product's wait left open by two more", every(r"wgmma\.wait_group\.sync\.aligned 1;", "wgmma.wait_group.sync.aligned 3;"))
    plant("sm_90a", entry, "the last wait leaves a product", every(r"wgmma\.wait_group\.sync\.aligned 0;", "wgmma.wait_group.sync.aligned 1;"))
    plant("sm_90a", entry, "the copies' wait leaves one more", every(r"cp\.async\.wait_group 1;", "cp.async.wait_group 2;"))
    plant("sm_90a", entry, "no commit of copies", nth(r"cp\.async\.commit_group;", "", -1))
    plant("sm_90a", entry, "no commit of products", nth(r"wgmma\.commit_group\.sync\.aligned;", ""))
    plant("sm_90a", entry, "the barrier of a stage gone", nth(BARRIER, "", 0))
    plant("sm_90a", entry, "the barrier between tiles gone", nth(BARRIER, "", -1))
    plant("sm_90a", entry, "a step of sixteen bytes", every("4611686293305360386", "4611686293305360385"))
    plant("sm_90a", entry, "a swizzle of 64 bytes", every(r"\b46116862933053603(\d\d)\b", lambda m: str(int(m.group(0)) + (1 << 62))))
    plant("sm_90a", entry, "eight rows half as far apart", every(r"\b46116862933053603(\d\d)\b", lambda m: str(int(m.group(0)) - (32 << 32))))
    plant("sm_90a", entry, "pieces are not turned", middle(r"xor\.b32\s+(%r\d+), (%r\d+), (%r\d+);", r"mov.b32 \1, \2;"))
    plant("sm_90a", entry, "sums 1 and 2 exchanged on the way out", lambda c: re.sub(
        r"(wgmma\.mma_async\S+ \{%f\d+,)(%f\d+),(%f\d+),", r"\1\3,\2,", c, count=1))
    plant("sm_90a", entry, "a copy of eight bytes", nth(r"(selp\.b32\s+%r\d+), 0, 16,", r"\1, 0, 8,"))

# What nobody could see: (target, entry, what) -> reason.
TWO_ARRAYS = "the largest and the sum go through arrays of their own: between two uses of one stands the barrier of the other"
NEXT_ITEM = "what the next item writes first was read before a barrier that stays"
EQUIVALENT = {
    ("sm_60", "gk_softmax", "barrier 0 gone"): TWO_ARRAYS,
    ("sm_60", "gk_softmax", "barrier 2 gone"): TWO_ARRAYS,
    ("sm_80", "gk_prefill", "barrier 0 gone"): NEXT_ITEM,
    ("sm_60", "gk_decode_gqa", "barrier 1 gone"): NEXT_ITEM,
    ("sm_60", "gk_decode_mla", "barrier 1 gone"): NEXT_ITEM,
    ("sm_60", "gk_atomics", "the fence gone"): "the barrier behind it orders the same accesses of the block",
    ("sm_120a", "gk_gemm_mxfp4", "A's scales of the other lanes"): "the kernel puts the same scales into both pairs of lanes",
    ("sm_120a", "gk_gemm_mxfp4", "B's scales of the next lane"): "the kernel puts the same scale into all four lanes",
    ("sm_60", "gk_gemv_i8", "bytes taken for unsigned"): "cvt.s8.s32 behind it takes the lowest eight bits and gives them their sign",
}
# What is a fault and not seen -> why.
MISSED = {
    ("sm_80", "gk_swiglu", "a limit of the exponential"): "no input of `bench` goes below -88, where the limit is taken",
    ("sm_60", "gk_gemm", "the edge of a load one too far"): "the other matrix has zeros beyond that edge: what is read too much counts nothing",
    ("sm_80", "gk_decode_gqa", "the next page"): "not looked into yet",
    ("sm_60", "gk_gemm", "edge 2 one too far"): "not looked into yet",
    ("sm_60", "gk_gemm", "edge 3 one too far"): "not looked into yet",
}


def planted(text, fault):
    target, entry, what, how = fault
    start = text.index(f".entry {entry}(")
    end = text.index("\n}\n", start)
    try:
        changed = how(text[start:end])
    except IndexError:
        raise SystemExit(f"faults.py: {target} {entry}: {what}: there is no such place") from None
    if changed == text[start:end]:
        raise SystemExit(f"faults.py: {target} {entry}: {what}: changes nothing")
    return text[:start] + changed + text[end:]


def seen(program, text, entry, folder):
    path = os.path.join(folder, "planted.ptx")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    run = subprocess.run([program, "--entry", entry, path], capture_output=True, text=True, check=False, timeout=600)
    if run.returncode == 0:
        return ""
    line = next((l for l in run.stdout.splitlines() if "WRONG" in l or "REFUSED" in l), run.stderr.strip() or "crashed")
    return re.sub(r"^.* s (?=\S)", "", line) if "WRONG" in line else line


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    program, words = arguments[0], arguments[1:]
    chosen = [f for f in FAULTS if all(w in " ".join(f[:3]) for w in words)]
    texts, missed, count = {}, [], 0
    with tempfile.TemporaryDirectory() as folder:
        for fault in chosen:
            target, entry, what, _ = fault
            if target not in texts:
                with open(os.path.join(ROOT, "kernels/prebuilt", target + ".ptx"), encoding="utf-8") as f:
                    texts[target] = f.read()
            why = seen(program, planted(texts[target], fault), entry, folder)
            count += bool(why)
            if not why:
                missed.append(fault[:3])
            print(f"{target:8} {entry:16} {what:46} {'seen: ' + why[:150] if why else 'NOT SEEN'}", flush=True)
    unexplained = [m for m in missed if m not in EQUIVALENT and m not in MISSED]
    for fault in missed:
        print("not seen:", *fault, "--", EQUIVALENT.get(fault) or MISSED.get(fault, "no reason is known"))
    could = len(chosen) - len([f for f in chosen if f[:3] in EQUIVALENT])
    print(f"{count} of {len(chosen)} faults seen; {could} could be seen: {100 * count / max(1, could):.1f} %")
    return 1 if unexplained or count < FLOOR * could else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
