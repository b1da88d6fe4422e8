#!/usr/bin/python3
"""Times `gpuadvise report --workload llama70b --json`: wall time and peak memory, warm and from an empty home.

    bench_report.py [PROGRAM]      medians of 20 runs each; PROGRAM: build/release/gpuadvise
"""
import os
import shutil
import statistics
import sys
import tempfile
import time

RUNS = 20
COMMAND = ["report", "--workload", "llama70b", "--json"]


def run_once(program, home):
    """(wall ms, peak resident MB) of one run. The peak is at least this script's own: the child starts as a copy of it."""
    env = {"PATH": os.environ.get("PATH", ""), "HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    with open(os.devnull, "wb") as nowhere:
        start = time.perf_counter()
        silent = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), stream) for stream in (1, 2)]
        pid = os.posix_spawn(program, [program, *COMMAND], env, file_actions=silent)
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{program} {' '.join(COMMAND)}: exit {os.waitstatus_to_exitcode(status)}")
    return 1e3 * wall, usage.ru_maxrss / 1024


def measure(name, program, home_of_run):
    walls, peaks = zip(*(run_once(program, home_of_run(i)) for i in range(RUNS)))
    print(f"{name:<12}{statistics.median(walls):9.1f} ms{min(walls):9.1f}{max(walls):9.1f}{max(peaks):10.1f} MB")


def main():
    default = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build/release/gpuadvise")
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else default)
    folder = tempfile.mkdtemp(prefix="gpuadvise-bench-")
    try:
        print(f"{program} {' '.join(COMMAND)}, {RUNS} runs each")
        print(f"{'':<12}{'median':>12}{'min':>9}{'max':>9}{'peak':>13}")
        warm = os.path.join(folder, "warm")
        os.mkdir(warm)
        _, floor = run_once("/bin/true", warm)
        run_once(program, warm)
        measure("warm", program, lambda i: warm)
        homes = [os.path.join(folder, str(i)) for i in range(RUNS)]
        for home in homes:
            os.mkdir(home)
        measure("empty home", program, lambda i: homes[i])
        print(f"peaks under {floor:.1f} MB cannot be told apart")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
