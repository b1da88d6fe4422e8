#!/usr/bin/python3
"""Does the suite see a wrong answer? Plants one plausible mistake at a time and looks for a test that fails.

    mutants.py FOLDER [NAME...]   copies the tree into FOLDER, builds it there, plants each mistake, runs the tests named beside
                                  it and prints a table: caught by which test, or "NOT CAUGHT" (exit code 1). About ten minutes.
    mutants.py --check            every mistake can still be planted: its line stands in its file exactly once (a test of the suite)

A mistake that no test catches is a hole in the suite: it gets a test, then a row here.
"""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# name, file, what stands there, what is planted, pattern of the tests that should tell (as in `ctest -R`)
MUTANTS = [
    ("memory-in-gib", "src/perf/gpu.c", "g->memory_gb * 1e9", "g->memory_gb * 1073741824", r"^perf\."),
    ("kv-keys-alone", "src/perf/model.c", "m->kv_lora_rank + m->qk_rope_head_dim : 2 * m->kv_heads * m->head_dim;",
     "m->kv_lora_rank + m->qk_rope_head_dim : m->kv_heads * m->head_dim;", r"^perf\."),
    ("window-forgotten", "src/perf/model.c", "return context * model_kv_bytes_per_token(m, kv) + windowed *",
     "return context * model_kv_bytes_per_token(m, kv) + fmax(windowed, context) *", r"^perf\."),
    ("fp4-without-scales", "src/facts/facts.c", "case DTYPE_MXFP4: return 4.25;", "case DTYPE_MXFP4: return 4;", r"^(facts|perf)\."),
    ("all-reduce-whole", "src/perf/replica.h", "2 * (n - 1) / n / gpu_link_bytes_s", "2 / gpu_link_bytes_s", r"^(perf|ways)\."),
    ("input-price", "src/advise/option.c", "prefill_share * outputs / (1 - outputs)", "prefill_share * outputs", r"^advise"),
    ("saturated-by-duty", "src/advise/option.c", "estimate_inverse(&saturated, usd_per_mtok(o->price_usd_h, 1))",
     "estimate_inverse(&saturated, usd_per_mtok(usd_h, 1))", r"^advise"),
    ("ttft-limit-on-median", "src/advise/serving.c", "!(p->ttft_p99_s * 1000 > w->ttft_p99_ms)", "!(p->ttft_s * 1000 > w->ttft_p99_ms)",
     r"^(advise|advise_fleet|queue)\."),
    ("surer-than-it-is", "src/advise/prices.h", "SURE = 0.9;", "SURE = 0.8;", r"^(advise|advise_fleet|decide|flips|verdict|odds)\."),
    ("tie-by-the-older-price", "src/advise/search.c", "strcmp(b->offer->as_of, a->offer->as_of)", "strcmp(a->offer->as_of, b->offer->as_of)",
     r"^(advise|advise_fleet|order)\."),
    ("pareto-keeps-equals", "src/advise/search.c", "options[i].tpot_ms.value >= best_tpot[vendor]", "options[i].tpot_ms.value > best_tpot[vendor]",
     r"^(advise|advise_fleet|order)\."),
    ("three-years-share", "catalog/market/market_worth.c", "[PRICING_RESERVED_3Y] = 0.25}", "[PRICING_RESERVED_3Y] = 0.10}", r"^market"),
    ("low-share", "catalog/market/market_worth.c", "low_share[PRICING_COUNT] = {[PRICING_ON_DEMAND] = 0.35", "low_share[PRICING_COUNT] = {[PRICING_ON_DEMAND] = 0.30",
     r"^market"),
    ("high-factor", "catalog/market/market_worth.c", "high_factor = 20;", "high_factor = 40;", r"^market"),
    ("lambda-gib", "catalog/feeds/feed_lambda.c", 'feed_number(json_get(specs, "memory_gib")) * 1.073741824', 'feed_number(json_get(specs, "memory_gib"))',
     r"^cli\.refresh_keys\.feeds_with"),
    ("prune-at-the-edge", "db/queries/market_prune.sql", "last_seen_at < :before", "last_seen_at <= :before", r"^market\."),
    ("age-at-the-edge", "src/market/price_list.c", "(double)row.age_days > f->max_age_days", "(double)row.age_days >= f->max_age_days", r"^cli\.commands\.age"),
    ("secret-to-another-host", "catalog/feeds/http.c", "t->r.secret_header != NULL && t->same_host", "t->r.secret_header != NULL", r"^cli\.refresh_keys"),
    ("blocker-is-an-error", "src/report/scan_json.c", '[PORT_BLOCKER] = "error"', '[PORT_BLOCKER] = "warning"', r"^cli\.migrate_scan\.(sarif|what_is_listed)"),
    ("class-of-a-rule", "data/cuda_constructs.tsv", "addr-space\tsource\tmanual", "addr-space\tsource\treview", r"^(migrate_text\.|cli\.migrate_facts)"),
    ("filter-at-the-edge", "src/report/filter.c", "case OP_AT_MOST: return order <= 0;", "case OP_AT_MOST: return order < 0;", r"^filter\."),
    ("hit-at-the-edge", "src/traffic/reuse.c", "(double)next < blocks)", "(double)next <= blocks)", r"^traffic\."),
    ("break-even-without-a-bound", "src/advise/transitions.c", "transition->break_even_months.value = finite(o.months);",
     "transition->break_even_months.value = o.months;", r"^(decide|advise|advise_fleet|verdict)\."),
]


def planted(text, mutant):
    name, path, old, new, _ = mutant
    if text.count(old) != 1:
        raise SystemExit(f"mutants.py: {name}: {path} holds {old!r} {text.count(old)} times, not once: bring the row up to date")
    return text.replace(old, new)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def run(folder, *command):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def copy_tree(folder):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        target = os.path.join(folder, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(os.path.join(ROOT, name), target)


def build(folder):
    found = run(folder, "cmake", "--build", "--preset", "dev", "-j2")
    if found.returncode != 0:
        raise SystemExit(f"mutants.py: the tree does not build:\n{found.stdout[-2000:]}")


def failures(folder, pattern):
    found = run(folder, "ctest", "--preset", "dev", "-j2", "-R", pattern, "--stop-on-failure")
    if "No tests were found" in found.stdout + found.stderr:
        raise SystemExit(f"mutants.py: no test is named {pattern}")
    return re.findall(r"^\s*\d+/\d+ Test\s+#\d+: (\S+) .*\*\*\*(?:Failed|Exception|Timeout)", found.stdout, flags=re.M)


def main():
    arguments = sys.argv[1:]
    if not arguments:
        raise SystemExit(__doc__)
    if arguments == ["--check"]:
        for mutant in MUTANTS:
            planted(read(os.path.join(ROOT, mutant[1])), mutant)
        return 0
    folder, names = os.path.abspath(arguments[0]), arguments[1:]
    copy_tree(folder)
    if run(folder, "cmake", "--preset", "dev").returncode != 0:
        raise SystemExit("mutants.py: the tree cannot be configured")
    build(folder)
    missed = 0
    for mutant in MUTANTS:
        if names and mutant[0] not in names:
            continue
        path = os.path.join(folder, mutant[1])
        before = read(path)
        write(path, planted(before, mutant))
        try:
            build(folder)
            failed = failures(folder, mutant[4])
        finally:
            write(path, before)
        missed += not failed
        print(f"{mutant[0]:26} {'caught by ' + failed[0] if failed else 'NOT CAUGHT'}", flush=True)
    build(folder)
    print(f"{missed} mistakes that no test sees")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
