#!/usr/bin/env python3
"""Writes data/kernels.tsv and data/moe_points.tsv from published kernel times of both vendors.

    pip download --no-deps aiconfigurator-core==0.12.0 && unzip aiconfigurator_core-0.12.0-*.whl -d WHEEL
    git clone https://github.com/ROCm/aiter AITER       (commit e4048607a535ace3a2b51ded31b1c8c2d45c0879)
    kernel_tables.py WHEEL AITER [FOLDER]               FOLDER: where the tables go, else data/

Needs numpy, scipy, pandas and pyarrow. Sources: aiconfigurator-core (NVIDIA, Apache-2.0), ROCm/aiter (MIT) and the points of
kernel_threads.tsv beside this file (each with its thread). What is fitted is in src/perf/kernels.h; a fit that
breaks a rule of GATE is left out and named on stderr. Nothing is written by hand: run it again to renew the tables.
"""
import csv
import glob
import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
from scipy.optimize import least_squares

HERE = os.path.dirname(os.path.abspath(__file__))
AS_OF_NVIDIA, AS_OF_AMD = "2026", "2026-08"
WHEEL_NAME, AITER_NAME = "aiconfigurator-core 0.12.0 (Apache-2.0)", "ROCm/aiter@e4048607 (MIT)"

# Folder of the wheel -> our GPU.
SYSTEMS = {
    "a100_sxm": "a100-sxm4-80gb", "h100_sxm": "h100-sxm5-80gb", "h200_sxm": "h200-sxm5-141gb",
    "b200_sxm": "b200-sxm6-180gb", "b300_sxm": "b300-sxm6-288gb", "gb200": "gb200-186gb", "l40s": "l40s-48gb",
    "rtx_pro_6000_server": "rtx-pro-6000-blackwell-server-96gb",
}
LIBRARIES = {"trtllm": "tensorrt-llm", "sglang": "sglang", "vllm": "vllm"}
DTYPES = {"bfloat16": "bf16", "fp8": "fp8", "fp8_block": "fp8-block", "nvfp4": "fp4"}
GEMM_DTYPES = {**DTYPES, "int4_wo": "int4"}
MOE_DTYPES = {**DTYPES, "w4a16_mxfp4": "fp4-bf16", "w4a8_mxfp4_mxfp8": "fp4-fp8", "int4_wo": "int4"}
PEAK_OF = {"bf16": "bf16_tflops", "fp8": "fp8_tflops", "fp8-block": "fp8_tflops", "fp4": "fp4_tflops",
           "fp4-bf16": "bf16_tflops", "fp4-fp8": "fp8_tflops", "int4": "bf16_tflops"}
BYTES_OF = {"bf16": 2, "fp8": 1, "fp8-block": 1, "fp4": 0.5625, "fp4-bf16": 0.53125, "fp4-fp8": 0.53125, "int4": 0.5625}
ACT_BYTES = {"bf16": 2, "fp8": 1, "fp8-block": 1, "fp4": 0.5625, "fp4-bf16": 2, "fp4-fp8": 1, "int4": 2}

OVERLAPS = [1, 2, 4]  # of memory and arithmetic: exponents that need no power

# What no fit may break: launch under 30 us, no share of a peak above the datasheet's, errors like those of a form that fits.
GATE = {"t0_us": 30, "eta": 1.0, "median": 0.25}
# An 8-bit cache is half the bytes: a kernel that takes longer over it than the same one over 16 bits, in the middle of the shapes
# that both were run at, by more than this converts the cache first, the whole of it at each call, which no engine serves with.
CONVERTS = 1.5

# Models whose experts' times are kept as points: (hidden, width of an expert, experts, experts of a token).
SHAPES = [(7168, 2048, 256, 8), (7168, 2048, 384, 8), (4096, 1536, 128, 8), (2880, 2880, 128, 4), (2048, 768, 128, 8),
          (4096, 14336, 8, 2), (6144, 2048, 256, 8), (3072, 1536, 256, 8), (2880, 2880, 32, 4), (5120, 8192, 128, 1)]
SPLITS = [(1, 1), (8, 1), (1, 8)]  # tensor and expert parallel
TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384]


def gpus():
    with open(os.path.join(HERE, "..", "gpus.tsv"), encoding="utf-8") as f:
        return {r["sku_id"]: r for r in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)}


GPUS = gpus()


def peaks(gpu, dtype):
    """Dense flops and bytes a microsecond; None where the datasheet has no such path."""
    row = GPUS[gpu]
    peak = row[PEAK_OF[dtype]]
    if not peak and gpu == "mi308x-192gb":  # MI300X with fewer compute units; AMD names no peaks
        peak = float(GPUS["mi300x-192gb"][PEAK_OF[dtype]] or 0) * 80 / 304
    return (float(peak) * 1e6, float(row["memory_bw_gb_s"] or GPUS["mi300x-192gb"]["memory_bw_gb_s"]) * 1e3) if peak else None


# ---------------------------------------------------------------- forms (src/perf/kernels.h)

def p_norm(a, b, p):
    big = np.maximum(a, b)
    return big * ((a / big) ** p + (b / big) ** p) ** (1 / p)


def gemm_time(x, v, F, BW, dtype, units):
    t0, eb, ef, p, tail, wave = x
    m, n, k = v
    w, a = BYTES_OF[dtype], ACT_BYTES[dtype]
    read = n * k * w + m * k * a + 2 * m * n
    flops = 2 * n * k * (m + wave * units * 16384 / n)
    return t0 + p_norm(read / (eb * BW), flops / (ef * F), p) + tail * m * k / BW


def attention_time(x, v, F, BW):
    t0, eb, ef, p, tail = x
    read, flops, pairs = v
    return t0 + p_norm(read / (eb * BW), flops / (ef * F), p) + tail * pairs / 1000


def reduce_time(x, v, link):
    t0, eta = x
    return t0 + v / (eta * link)


def fit(time, values, us, start, low, high, seed=7, most=2500):
    """Least squares of the logarithms, robust; returns parameters, median and 80 % width of the errors."""
    us = np.asarray(us, float)
    if len(us) > most:
        pick = np.random.default_rng(seed).choice(len(us), most, replace=False)
        us, values = us[pick], tuple(np.asarray(v)[pick] for v in values) if isinstance(values, tuple) else values[pick]
    lo, hi = np.log(low), np.log(high)

    def residual(z):
        return np.log(time(np.exp(z), values) / us)

    best = None
    for overlap in OVERLAPS if len(low) > 2 else [None]:
        lo_at, hi_at = lo.copy(), hi.copy()
        if overlap is not None:  # held where it is
            lo_at[3], hi_at[3] = np.log(overlap) - 1e-9, np.log(overlap) + 1e-9
        for s in start:
            x0 = np.clip(np.log(s), lo_at + (hi_at - lo_at) * 1e-3, hi_at - (hi_at - lo_at) * 1e-3)
            r = least_squares(residual, x0, bounds=(lo_at, hi_at), loss="soft_l1", f_scale=0.15)
            if best is None or r.cost < best.cost:
                best = r
    errors = np.abs(residual(best.x))
    return np.exp(best.x), float(np.median(errors)), float(np.quantile(errors, 0.8) / 1.2816), len(us)


# ---------------------------------------------------------------- rows of data/kernels.tsv

ROWS, REFUSED = [], []


def keep(op, gpu, dtype, kv, library, x, quality, n, source, as_of, ranks=""):
    t0, eb, ef, p, tail, wave = x
    median, sigma = quality
    why = ("launch" if t0 >= GATE["t0_us"] * (2 if op.endswith("prefill") else 1) else "above a peak" if max(eb or 0, ef or 0) > GATE["eta"] else
           "form" if median > GATE["median"] else "")
    if why:
        REFUSED.append(f"{op} {gpu} {dtype} {kv} {library}: {why} (t0 {t0:.1f} us, eta {eb} {ef}, median {median:.2f})")
        return

    def show(v):
        return "" if v is None else f"{v:.4g}"

    ROWS.append([op, gpu, library, dtype, kv, ranks, show(t0), show(eb), show(ef), show(p), show(tail), show(wave),
                 f"{max(sigma, 0.02):.3g}", n, source, as_of])


def fit_gemm(gpu, dtype, library, m, n, k, us, source, as_of):
    known = peaks(gpu, dtype)
    if known is None or len(us) < 30:
        return
    F, BW = known
    units = float(GPUS[gpu]["compute_units"] or (80 if gpu == "mi308x-192gb" else 100))
    x, median, sigma, count = fit(lambda x, v: gemm_time(x, v, F, BW, dtype, units), (m, n, k), us,
                                  [(4, 0.7, 0.6, 2, 1, 0.05), (8, 0.5, 0.4, 1.2, 3, 0.2)],
                                  [1, 0.05, 0.05, 1.01, 1e-3, 1e-3], [400, 1.0, 1.0, 6, 30, 1.0])
    if dtype == "fp8-block" and library == "vllm" and np.median(us[m <= 16]) > 50:
        REFUSED.append(f"gemm {gpu} {dtype} {library}: bound by the host (median {np.median(us[m <= 16]):.0f} us at up to 16 tokens)")
        return
    keep("gemm", gpu, dtype, "", library, x, (median, sigma), count, source, as_of)


def newest(pattern):
    found = {}
    for path in glob.glob(pattern):
        parts = path.split(os.sep)
        found.setdefault(parts[-3], []).append(path)
    for library, paths in found.items():
        if library in LIBRARIES:
            yield library, sorted(paths, key=lambda p: [int(x) for x in re.findall(r"\d+", p.split(os.sep)[-2])])[-1]


def nvidia_gemm(root):
    for system, gpu in SYSTEMS.items():
        for library, path in newest(f"{root}/{system}/gemm/*/*/gemm_perf.parquet"):
            d = pd.read_parquet(path)
            d = d[(d.latency > 0) & (d.n >= 256) & (d.k >= 256) & (d.n <= 65536) & (d.k <= 32768) & (d.m <= 16384)]
            for dtype, part in d.groupby("gemm_dtype"):
                if dtype not in GEMM_DTYPES:
                    continue
                best = part.groupby(["m", "n", "k"]).latency.min().reset_index()
                fit_gemm(gpu, GEMM_DTYPES[dtype], LIBRARIES[library], best.m.values.astype(float), best.n.values.astype(float),
                         best.k.values.astype(float), best.latency.values * 1000, f"{WHEEL_NAME}: gemm, {library} {path.split(os.sep)[-2]}",
                         AS_OF_NVIDIA)


def attention_values(batch, heads, kv_heads, dim, q, context, kv_bytes, causal):
    """Bytes and flops of attention of `q` new tokens at `context` tokens."""
    pairs = q * context if not causal else q * (context - q / 2)
    read = batch * kv_heads * dim * 2 * context * kv_bytes + batch * q * heads * dim * 4
    return read, 4.0 * batch * heads * dim * pairs, batch * heads


def keep_attention(op, gpu, kv, library, values, us, source, as_of, compute="bf16", least=0.02):
    F, BW = peaks(gpu, "bf16" if compute == "bf16" else "fp8")
    x, median, sigma, count = fit(lambda x, v: attention_time(x, v, F, BW), values, us,
                                  [(10, 0.7, 0.4, 2, 0.3), (10, 0.5, 0.3, 1.05, 3)],
                                  [1, 0.03, least, 1.01, 1e-4], [60, 1.0, 1.0, 8, 60])
    t0, eb, ef, p, tail = x
    keep(op, gpu, "bf16" if compute == "bf16" else "fp8", kv, library, (t0, eb, ef, p, tail, None), (median, sigma), count, source, as_of)


def nvidia_attention(root):
    for system, gpu in SYSTEMS.items():
        for op, name in (("attn_decode", "generation_attention_perf"), ("attn_prefill", "context_attention_perf")):
            for library, path in newest(f"{root}/{system}/attention/*/*/{name}.parquet"):
                d = pd.read_parquet(path)
                if "window_size" in d:
                    d = d[d.window_size == 0]
                d = d[(d.latency > 0) & d.head_dim.isin([64, 128])]
                group = d.num_heads / d.num_key_value_heads.replace(0, np.nan).fillna(d.num_heads)
                d = d[(group >= 4) & (d.num_heads >= 4)]
                # 8-bit caches are read into 16-bit arithmetic wherever a table has both
                for kv, part in d[d.attn_dtype == "bfloat16"].groupby("kv_cache_dtype"):
                    if kv not in ("bfloat16", "fp8"):
                        continue
                    context = (part.step + part.isl).astype(float) if op == "attn_decode" else part.isl.astype(float)
                    q = 1.0 if op == "attn_decode" else part.isl.astype(float)
                    part = part[context >= 64]
                    context, q = context[part.index], (q if op == "attn_decode" else q[part.index])
                    values = attention_values(part.batch_size.astype(float), part.num_heads.astype(float),
                                              part.num_key_value_heads.astype(float), part.head_dim.astype(float), q, context,
                                              2 if kv == "bfloat16" else 1, op == "attn_prefill")
                    values = tuple(np.asarray(v, float) for v in values)
                    if len(part) >= 50:
                        keep_attention(op, gpu, DTYPES[kv], LIBRARIES[library], values, part.latency.values * 1000,
                                       f"{WHEEL_NAME}: {name}, {library} {path.split(os.sep)[-2]}", AS_OF_NVIDIA)


def mla_values(batch, heads, q, context, kv_bytes, absorbed):
    """MLA of DeepSeek: 512 + 64 cached values a token; decoding works on them, prompts on heads of 192 and 128."""
    pairs = q * context if absorbed else q * (context - q / 2)
    flops = 2.0 * batch * heads * pairs * ((576 + 512) if absorbed else (192 + 128))
    read = batch * context * 576 * kv_bytes if absorbed else batch * heads * q * (192 + 128) * 2 * 2
    return read, flops, batch * heads


def converts_cache(d, context):
    """Does the table's kernel take longer over an 8-bit cache than over one of 16 bits, at contexts where the cache is what it reads?"""
    shapes = d[context >= 1024].groupby(["num_heads", "batch_size", "isl", "step", "kv_cache_dtype"]).latency.median().unstack()
    if "fp8" not in shapes or "bfloat16" not in shapes:
        return False
    ratio = (shapes["fp8"] / shapes["bfloat16"]).dropna()
    return len(ratio) > 0 and ratio.median() > CONVERTS


def nvidia_mla(root):
    for system, gpu in SYSTEMS.items():
        for op, name in (("mla_decode", "generation_mla_perf"), ("mla_prefill", "context_mla_perf")):
            for library, path in newest(f"{root}/{system}/mla/*/*/{name}.parquet"):
                d = pd.read_parquet(path)
                d = d[(d.latency > 0) & (d.num_heads >= 8)]
                same = d[d.mla_dtype == "bfloat16"]
                converts = op == "mla_decode" and converts_cache(same, same.step + same.isl)
                for kv, part in d[d.mla_dtype == "bfloat16"].groupby("kv_cache_dtype"):
                    if kv not in ("bfloat16", "fp8"):
                        continue
                    decode = op == "mla_decode"
                    if converts and kv == "fp8":
                        REFUSED.append(f"{op} {gpu} {library} {kv}: converts the cache first")
                        continue
                    context = (part.step + part.isl).astype(float) if decode else part.isl.astype(float)
                    part = part[context >= 64]
                    context = context[part.index]
                    values = mla_values(part.batch_size.astype(float), part.num_heads.astype(float), 1.0 if decode else context,
                                        context, 2 if kv == "bfloat16" else 1, decode)
                    if len(part) >= 50:
                        keep_attention(op, gpu, DTYPES[kv], LIBRARIES[library], tuple(np.asarray(v, float) for v in values),
                                       part.latency.values * 1000, f"{WHEEL_NAME}: {name}, {library} {path.split(os.sep)[-2]}",
                                       AS_OF_NVIDIA)


def keep_reduce(gpu, library, ranks, size, us, source, as_of):
    row = GPUS[gpu]
    link = float(row["link_gb_s"]) / 2 * 1e3
    if row["link_topology"] == "mesh":  # fewer GPUs see fewer of the seven links
        link *= (ranks - 1) / 7
    moved = 2 * (ranks - 1) / ranks * np.asarray(size, float)
    x, median, sigma, count = fit(lambda x, v: reduce_time(x, v, link), moved, us, [(5, 0.5)], [1, 0.02], [60, 1.0])
    keep("allreduce", gpu, "", "", library, (x[0], x[1], None, None, None, None), (min(median, 0.2), sigma), count, source, as_of, ranks)


def nvidia_reduce(root):
    for system, gpu in SYSTEMS.items():
        if not GPUS[gpu]["link_gb_s"]:
            continue
        for library, path in newest(f"{root}/{system}/comm/*/*/custom_allreduce_perf.parquet"):
            d = pd.read_parquet(path)
            if "backend" in d:
                d = d[~d.backend.str.contains("eager")]
            for ranks, part in d.groupby("num_gpus"):
                if ranks in (2, 4, 8):  # message_size counts 16-bit elements
                    keep_reduce(gpu, LIBRARIES[library], int(ranks), part.message_size.values * 2, part.latency.values * 1000,
                                f"{WHEEL_NAME}: custom_allreduce_perf, {library} {path.split(os.sep)[-2]}", AS_OF_NVIDIA)


def nvidia_linear(root):
    """Linear attention: Gated DeltaNet and Kimi Delta Attention, convolution and recurrence of one layer together."""
    for system, gpu in SYSTEMS.items():
        tables = {}
        for folder, name in (("linear_attention", "gdn_perf"), ("kda", "kda_perf")):
            for library, path in newest(f"{root}/{system}/{folder}/*/*/{name}.parquet"):
                d = pd.read_parquet(path)
                d = d[(d.latency > 0) & (d.num_v_heads >= 8)].copy()
                d["state"] = d.num_v_heads * d.head_v_dim * d.head_k_dim
                d["part"] = d.kernel_source.str.contains("conv")
                best = d.groupby(["phase", "batch_size", "seq_len", "num_tokens", "num_k_heads", "state", "part"]).latency.min().unstack()
                best = best.dropna().sum(axis=1).rename("us").reset_index()
                tables.setdefault(library, []).append((best, f"{name} {path.split(os.sep)[-2]}"))
        for library, found in tables.items():
            d = pd.concat([t for t, _ in found])
            source = f"{WHEEL_NAME}: {library} " + ", ".join(name for _, name in found)
            decode = d[(d.phase == "generation") & (d.batch_size * d.state * 8 > 2e6 * float(GPUS[gpu]["cache_mb"] or 0))]
            read = np.asarray(decode.batch_size * decode.state * 8, float)  # read and written, in 32 bits
            keep_term("linear_decode", gpu, library, "bf16", read, None, decode.us.values * 1000, source)
            prompt = d[(d.phase == "context") & (d.seq_len >= 512) & d.num_tokens.between(512, 16384) & (d.batch_size <= 4)]
            keep_term("linear_prefill", gpu, library, "bf16", None, np.asarray(6 * prompt.num_tokens * prompt.state, float),
                      prompt.us.values * 1000, source)


def keep_term(op, gpu, library, dtype, read, flops, us, source):
    """t0 + bytes / (eta_bw BW) + flops / (eta_compute F) with either; what it has none of is at the peak."""
    known = peaks(gpu, dtype)
    if known is None or len(us) < 20:
        return
    F, BW = known
    start, low, high = [(10.0, 0.5)], [1, 1e-3], [60, 1.2]  # above 1: states of fewer bits, which the gate refuses
    rate = read / BW if flops is None else flops / F
    x, median, sigma, count = fit(lambda x, v: x[0] + v / x[1], np.asarray(rate, float), us, start, low, high)
    eta = (x[1], 1.0) if flops is None else (1.0, x[1])
    keep(op, gpu, dtype, "", LIBRARIES[library], (x[0], *eta, 1, None, None), (median, sigma), count, source, AS_OF_NVIDIA)


def nvidia_index(root):
    """The indexer of sparse attention. Decoding: what the attention of DeepSeek-V3.2 takes longer at a context than at 2,048
    tokens, from where on it reads no more of its own cache: keys of 132 bytes. Prompts: scores of all keys (32 heads of 128
    in 8 bits) and the choice of the best 2,048."""
    for system, gpu in SYSTEMS.items():
        for library, path in newest(f"{root}/{system}/sparse_attention/*/*/dsa_generation_module_perf.parquet"):
            d = pd.read_parquet(path)
            d = d[d.model.str.contains("V3.2") & (d.latency > 0) & (d.op_name == "dsa_generation_module")].assign(context=lambda t: t.step + t.isl)
            wide = d.groupby(["kv_cache_dtype", "gemm_type", "num_heads", "batch_size", "context"]).latency.min().rename("us").reset_index()
            base = wide[(wide.context - 2049).abs() <= 1].drop(columns="context").rename(columns={"us": "base"})
            both = wide[wide.context >= 8192].merge(base, on=["kv_cache_dtype", "gemm_type", "num_heads", "batch_size"])
            both = both[both.batch_size * both.context >= 5e5]
            keys = np.asarray(both.batch_size * (both.context - 2048) * 132, float)
            keep_term("index_decode", gpu, library, "fp8", keys, None, (both.us - both.base).clip(lower=1e-6).values * 1000,
                      f"{WHEEL_NAME}: dsa_generation_module, {library} {path.split(os.sep)[-2]}")
        for library, path in newest(f"{root}/{system}/sparse_attention/*/*/glm5_mqa_logits_module_perf.parquet"):
            at = ["batch_size", "isl", "step"]
            best = pd.read_parquet(path.replace("glm5_mqa_logits", "glm5_topk")).groupby(at).latency.max()
            d = (pd.read_parquet(path).groupby(at).latency.min() + best).dropna().rename("us").reset_index()
            pairs = d.batch_size * d.isl * (d.step + d.isl / 2)
            big = (d.isl >= 256) & (pairs >= 2e6)
            keep_term("index_prefill", gpu, library, "fp8", None, np.asarray(pairs[big] * 2 * 32 * 128, float), d.us[big].values * 1000,
                      f"{WHEEL_NAME}: glm5_mqa_logits and glm5_topk, {library} {path.split(os.sep)[-2]}")


# ---------------------------------------------------------------- AMD

# Compute units of a tuned row say the GPU: 304 MI300X, which MI325X shares; 256 MI355X, which MI350X shares.
UNITS = {"304": "mi300x-192gb", "256": "mi355x-288gb", "80": "mi308x-192gb"}


def aiter_tables(root):
    """Every tuned CSV: (path, rows as dicts)."""
    for path in sorted(glob.glob(f"{root}/aiter/configs/**/*tuned*.csv", recursive=True)):
        if "untuned" not in path:
            with open(path, encoding="utf-8") as f:
                yield path, list(csv.DictReader(f))


def aiter_dtype(path, row):
    name = os.path.basename(path)
    if "a4w4" in name:
        return "fp4"
    if "blockscale" in name:
        return "fp8-block"
    if "a8w8" in name:
        return "fp8" if "float8" in row.get("q_dtype_w", "") else ""
    if "bf16" in name and row.get("dtype") == "torch.bfloat16":
        return "bf16"
    return ""


def amd_gemm(root):
    times = {}
    for path, rows in aiter_tables(root):
        if "gemm" not in path or "batched" in path:
            continue
        for r in rows:
            gpu, dtype = UNITS.get(r.get("cu_num", "")), aiter_dtype(path, r)
            try:
                us, shape = float(r["us"]), (float(r["M"]), float(r["N"]), float(r["K"]))
            except (KeyError, ValueError, TypeError):
                continue
            if gpu is None or not dtype or us <= 1.0 or min(shape[1:]) < 256 or shape[1] > 65536 or shape[0] > 16384:
                continue
            known = peaks(gpu, dtype)
            if known is None:
                continue
            if us < 2 * shape[0] * shape[1] * shape[2] / known[0]:  # faster than the datasheet
                continue
            key = (gpu, dtype)
            times.setdefault(key, {})
            times[key][shape] = min(us, times[key].get(shape, us))
    for (gpu, dtype), found in sorted(times.items()):
        found = without_copies(found)
        s = np.array(list(found), float)
        fit_gemm(gpu, dtype, "aiter", s[:, 0], s[:, 1], s[:, 2], np.array(list(found.values())), f"{AITER_NAME}: configs", AS_OF_AMD)


def without_copies(found):
    """Tuned rows of which the time is that of another number of tokens were never run."""
    seen = {}
    for (m, n, k), us in found.items():
        seen.setdefault((n, k, us), []).append(m)
    return {s: us for s, us in found.items() if len(seen[(s[1], s[2], us)]) == 1}


def amd_threads():
    with open(os.path.join(HERE, "kernel_threads.tsv"), encoding="utf-8") as f:
        rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
    groups = {}
    for r in rows:
        groups.setdefault((r["op"], r["gpu"], r["ranks"]), []).append(r)
    for (op, gpu, ranks), part in sorted(groups.items()):
        def column(name, otherwise="0"):
            return np.array([float(r[name] or otherwise) for r in part])
        source, as_of = ", ".join(sorted({r["source"] for r in part})), max(r["as_of"] for r in part)
        us = column("us")
        if len(part) < 5:
            continue
        if op == "allreduce":
            keep_reduce(gpu, "aiter", int(ranks), column("bytes"), us, source, as_of)
        elif op == "mla_decode":
            size = np.array([1.0 if r["dtype_kv"] == "fp8" else 2.0 for r in part])
            values = mla_values(column("batch"), column("heads"), 1.0, column("seq"), size, True)
            for kv in ("bf16", "fp8"):
                keep_attention(op, gpu, kv, "aiter", values, us, source, as_of)
        elif op == "attn_decode":
            values = attention_values(column("batch"), column("heads"), column("kv_heads"), column("head_dim"), 1.0, column("seq"), 2, False)
            for kv in ("bf16", "fp8"):
                keep_attention(op, gpu, kv, "aiter", values, us, source, as_of, least=0.2)


def amd_prefill(root):
    """Table of op_tests/cpp/mha/README.md: TFLOPS of causal prompts, half of all pairs counted."""
    columns = {"mi300x-192gb": 7, "mi355x-288gb": 8}
    rows = []
    with open(f"{root}/op_tests/cpp/mha/README.md", encoding="utf-8") as f:
        for line in f:
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            if len(cells) == 13 and cells[0].isdigit() and cells[6] == "1":
                rows.append([float(c) for c in cells])
    v = np.array(rows)
    values = attention_values(v[:, 0], v[:, 1], v[:, 2], v[:, 5], v[:, 3], v[:, 4], 2, True)
    for gpu, column in columns.items():
        us = values[1] / (v[:, column] * 1e6)
        for kv in ("bf16", "fp8"):
            keep_attention("attn_prefill", gpu, kv, "aiter", values, us, f"{AITER_NAME}: op_tests/cpp/mha README", AS_OF_AMD)


# ---------------------------------------------------------------- points of the experts

def faster_than_physics(gpu, dtype, shape, tp, ep, tokens, us):
    """Beats the datasheet's bandwidth on the experts that an even routing touches, or the peak."""
    known = peaks(gpu, dtype)
    if known is None:
        return True
    hidden, inter, experts, topk = shape
    local = experts / ep
    hit = min(local, tokens * topk * local / experts) if tokens > 1 else min(topk, local)
    hit = local * (1 - (1 - topk / experts) ** tokens)
    read = hit * 3 * hidden * inter / tp * BYTES_OF[dtype]
    flops = 2 * tokens * topk / ep * 3 * hidden * inter / tp
    return us < read / known[1] or us < flops / known[0]


def nvidia_moe(root):
    for system, gpu in SYSTEMS.items():
        if system in ("gb200",):
            continue  # same chip as B200
        for library, path in newest(f"{root}/{system}/moe/*/*/moe_perf.parquet"):
            d = pd.concat([pd.read_parquet(p) for p in glob.glob(f"{root}/{system}/moe/{library}/*/moe_perf.parquet")
                           if p.split(os.sep)[-2] in (path.split(os.sep)[-2], "1.3.0rc20", "0.24.0", "0.5.14", "0.5.10")])
            d = d[(d.latency > 0) & (d.distribution == "balanced") & ~d.kernel_source.str.contains("nongated") & d.num_tokens.isin(TOKENS)]
            for shape in SHAPES:
                s = d[(d.hidden_size == shape[0]) & (d.inter_size == shape[1]) & (d.num_experts == shape[2]) & (d.topk == shape[3])]
                for tp, ep in SPLITS:
                    part = s[(s.moe_tp_size == tp) & (s.moe_ep_size == ep)]
                    for dtype, rows in part.groupby("moe_dtype"):
                        if dtype in MOE_DTYPES:
                            add_curve(gpu, LIBRARIES[library], MOE_DTYPES[dtype], shape, tp, ep, rows.groupby("num_tokens").latency.min() * 1000,
                                      f"{WHEEL_NAME}: moe_perf, {library}", AS_OF_NVIDIA)


CURVES = {}


def add_curve(gpu, library, dtype, shape, tp, ep, us_of, source, as_of):
    good = {t: u for t, u in us_of.items() if not faster_than_physics(gpu, dtype, shape, tp, ep, t, u)}
    shown = [f"{u:.4g}" for u in good.values()]
    good = {t: u for (t, u), text in zip(good.items(), shown) if shown.count(text) == 1}  # none copied from other tokens
    if len(good) >= 3:
        CURVES[(gpu, library, dtype, shape, tp, ep)] = (good, source, as_of)


AITER_MOE = {("torch.bfloat16", "No"): "bf16", ("float8", "per_1x128"): "fp8-block", ("float8", "per_Token"): "fp8",
             ("float8", "per_Tensor"): "fp8", ("float4", "per_1x32"): "fp4"}


def amd_moe(root):
    found = {}
    for path, rows in aiter_tables(root):
        if "fmoe" not in path or "grouped" in path:
            continue
        for r in rows:
            gpu = UNITS.get(r.get("cu_num", "")) if r.get("cu_num") != "80" else None  # its datasheet names no peaks
            dtype = next((v for (w, q), v in AITER_MOE.items() if w in r.get("q_dtype_w", "") and q in r.get("q_type", "")), "")
            act = r.get("q_dtype_a", "")
            try:
                us, tokens = float(r["us"]), int(r["token"])
                shape = tuple(int(r[c]) for c in ("model_dim", "inter_dim", "expert", "topk"))
            except (KeyError, ValueError, TypeError):
                continue
            if gpu is None or not dtype or us <= 1.0 or r.get("use_g1u1", "1") not in ("1", "True"):
                continue
            if dtype == "fp4" and "float4" not in act:
                dtype = "fp4-fp8" if "float8" in act else "fp4-bf16"
            curve = found.setdefault((gpu, dtype, shape), {})
            curve[tokens] = min(us, curve.get(tokens, us))
    for (gpu, dtype, shape), curve in sorted(found.items()):
        # what a GPU holds: the width is cut already
        times = list(curve.values())
        curve = {t: u for t, u in curve.items() if times.count(u) == 1}
        near = {}
        for t, u in curve.items():
            if t in TOKENS:
                near[t] = u
        add_curve(gpu, "aiter", dtype, shape, 1, 1, dict(sorted(near.items())), f"{AITER_NAME}: configs, tuned fmoe", AS_OF_AMD)


def main():
    wheel, aiter = sys.argv[1], sys.argv[2]
    root = f"{wheel}/aiconfigurator_core/systems/data"
    out = sys.argv[3] if len(sys.argv) > 3 else os.path.join(HERE, "..")
    nvidia_gemm(root)
    nvidia_attention(root)
    nvidia_mla(root)
    nvidia_reduce(root)
    nvidia_linear(root)
    nvidia_index(root)
    amd_gemm(aiter)
    amd_threads()
    amd_prefill(aiter)
    nvidia_moe(root)
    amd_moe(aiter)
    curves = [[gpu, library, dtype, *shape, tp, ep, *[f"{curve[t]:.4g}" if t in curve else "" for t in TOKENS], source, as_of]
              for (gpu, library, dtype, shape, tp, ep), (curve, source, as_of) in sorted(CURVES.items(), key=lambda c: c[0][:3])]  # those of one GPU, library and type together
    write(f"{out}/kernels.tsv", ["op", "gpu", "library", "dtype", "kv", "ranks", "t0_us", "eta_bw", "eta_compute", "overlap", "tail", "wave",
                                 "sigma_log", "n", "source", "as_of"], ROWS)
    write(f"{out}/moe_points.tsv", ["gpu", "library", "dtype", "hidden", "inter", "experts", "topk", "tp", "ep", *[f"us_{t}" for t in TOKENS],
                                    "source", "as_of"], curves)
    print("\n".join(REFUSED), file=sys.stderr)


def write(path, header, rows):
    with open(path, "w", encoding="utf-8", newline="\n") as f:
        f.write("\t".join(header) + "\n")
        for r in rows:
            f.write("\t".join(str(c) for c in r) + "\n")


main()
