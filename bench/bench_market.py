#!/usr/bin/python3
"""A market with a long memory: how fast `prices list`, `history` and `report` answer over many observations.

    bench_market.py PROGRAM [--observations N] [--keep DB]

Makes price lists in the import form, each a day after the one before and with every price changed a little, and imports
them until the database holds N observations (a million by default). Then it times each command, median of eleven, against the
project's limits: one GPU's list under 50 ms, its history under 100 ms. Last, `prices diff` over all of it, once in each form: under 300 MB of memory.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

GPUS = ["mi300x-192gb", "mi325x-256gb", "mi355x-288gb", "h100-sxm5-80gb", "h100-pcie-80gb", "h200-sxm5-141gb", "b200-sxm6-180gb",
        "a100-sxm4-80gb", "a100-pcie-80gb", "l40s-48gb", "l4-24gb", "rtx-4090-24gb", "rtx-5090-32gb", "v520-8gb", "v710-28gb",
        "t4-16gb", "a10-24gb", "a10g-24gb", "h100-nvl-94gb", "mi350x-288gb"]
PROVIDERS, REGIONS, COUNTS = 20, 16, (1, 2, 4, 8)
START = 1704067200  # 2024-01-01


def price_list(path, day):
    """One list of all offers; how many."""
    n = 0
    with open(path, "w", encoding="utf-8") as f:
        f.write("provider,instance,region,gpu,gpu_count,vcpus,ram_gb,price_per_hour\n")
        for g, gpu in enumerate(GPUS):
            for p in range(PROVIDERS):
                for r in range(REGIONS):
                    for c in COUNTS:
                        price = c * (1 + g * 0.3) * (1 + ((p * 7 + r * 3 + day * 11) % 50) / 100)
                        f.write(f"cloud-{p},{gpu}-{c}x,region-{r},{gpu},{c},{c * 16},{c * 128},{price:.4f}\n")
                        n += 1
    return n


def timed(command, env):
    seconds = []
    for _ in range(11):
        start = time.perf_counter()
        done = subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        seconds.append(time.perf_counter() - start)
        if done.returncode not in (0, 3):
            sys.exit(f"{command}: exit {done.returncode}: {done.stderr.decode()}")
    return statistics.median(seconds) * 1000


def peak(command, env):
    """Seconds and the most memory, in MB, of one run."""
    start = time.perf_counter()
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode != 0:
        sys.exit(f"{command}: exit {run.returncode}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--observations", type=int, default=1000000)
    parser.add_argument("--keep", help="keep the database here, and use it when it exists")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        db = options.keep or os.path.join(folder, "market.db")
        env = {**os.environ, "HOME": folder, "LC_ALL": "C.UTF-8"}
        made = seen = 0
        day = 0
        start = time.perf_counter()
        while not (options.keep and os.path.exists(db) and seen == 0) and seen < options.observations:
            path = os.path.join(folder, "list.csv")
            made = price_list(path, day)
            env["GPUADVISE_NOW"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + day * 86400))
            subprocess.run([options.program, "--db", db, "prices", "import", path, "--name", "bench"], env=env, check=True,
                           stdout=subprocess.DEVNULL)
            seen += made
            day += 1
        if seen:
            print(f"{seen} observations of {made} offers in {time.perf_counter() - start:.1f} s, {os.path.getsize(db) / 1e6:.0f} MB")
        env["GPUADVISE_NOW"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + 3650 * 86400))
        base = [options.program, "--db", db]
        failed = False
        for words, limit in ((["prices", "list", "mi300x"], 50), (["prices", "list", "mi300x", "--all-regions", "--json"], None),
                             (["prices", "list", "--group-by", "gpu"], None), (["prices", "history", "mi300x"], 100),
                             (["prices", "history", "mi300x", "--format", "csv"], None), (["prices", "history", "mi300x", "--json"], None),
                             (["prices", "diff", "--since", "2d"], None), (["report", "--workload", "llama70b"], None)):
            ms = timed(base + words, env)
            over = limit is not None and ms > limit
            failed = failed or over
            print(f"{' '.join(words):55} {ms:8.1f} ms" + (f"  limit {limit} ms{'  OVER' if over else ''}" if limit else ""))
        for form in ("table", "csv", "json"):
            words = ["prices", "diff", "--since", "2023-01-01", "--format", form]
            seconds, megabytes = peak(base + words, env)
            failed = failed or megabytes > 300
            print(f"{' '.join(words):55} {seconds * 1000:8.1f} ms  {megabytes:.0f} MB, limit 300 MB{'  OVER' if megabytes > 300 else ''}")
        sys.exit(failed)


if __name__ == "__main__":
    main()
