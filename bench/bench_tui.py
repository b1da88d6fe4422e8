#!/usr/bin/python3
"""What the screen costs: start to first frame, key to frame, bytes a key, memory, CPU while idle; htop and btop beside it where they are.

    bench_tui.py GPUADVISE [DATABASE]     DATABASE: such as bench_market.py GPUADVISE --keep DATABASE makes, with a million observations

Key to frame is the time from writing the key to the last byte of the frame, read through a pseudo-terminal; medians and 90th percentiles.
"""
import os
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests/cli"))
import harness  # noqa: E402
import terminal  # noqa: E402

SIZE = (140, 50)


def settle(t, quiet):
    """Reads until nothing comes for `quiet` seconds -> when the last byte came. The emulator, slower than the program, sees it afterwards."""
    last = time.perf_counter()
    parts = []
    while select.select([t.fd], [], [], quiet)[0]:
        try:
            data = os.read(t.fd, 1 << 16)
        except OSError:
            break
        last = time.perf_counter()
        parts.append(data)
    data = b"".join(parts)
    t.bytes += len(data)
    t.stream.feed(data)
    return last


def processes(pid):
    """The process and all below it."""
    found = [pid]
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
        for child in f.read().split():
            found += processes(int(child))
    return found


def memory_mb(pid):
    total = 0
    for one in processes(pid):
        with open(f"/proc/{one}/smaps_rollup", encoding="ascii") as f:
            total += next(int(line.split()[1]) for line in f if line.startswith("Pss:"))
    return total / 1024


def cpu_ticks(pid):
    total = 0
    for one in processes(pid):
        with open(f"/proc/{one}/stat", encoding="ascii") as f:
            fields = f.read().split(")")[1].split()
        total += int(fields[11]) + int(fields[12])
    return total


def keys(t, names, quiet=0.06, rest=0):
    times, sizes = [], []
    for name in names:
        before = t.bytes
        started = time.perf_counter()
        t.write(terminal.APPLICATION.get(name) or terminal.KEYS.get(name, name))
        times.append((settle(t, quiet) - started) * 1000)
        sizes.append(t.bytes - before)
        if rest:
            settle(t, rest)
    return times, sizes


def line(what, times, sizes):
    times, sizes = zip(*[(a, b) for a, b in zip(times, sizes) if b > 0])
    print(f"  {what:34} {statistics.median(times):8.1f} ms  p90 {sorted(times)[int(0.9 * (len(times) - 1))]:8.1f} ms  {statistics.median(sizes):8.0f} bytes")


def start(program, args, home, ready):
    started = time.perf_counter()
    t = terminal.Terminal(args, home, *SIZE, program=program)
    while ready not in t.text():
        t.pump(0.001)
        if time.perf_counter() - started > 60:
            raise SystemExit(f"{program}: no first frame\n{t.text()}")
    first = (time.perf_counter() - started) * 1000
    settle(t, 0.3)
    return t, first


def ours(home, extra):
    firsts = []
    for _ in range(5):
        t, first = start(harness.BIN, ["tui", "prices", *extra], home, "q Quit")
        firsts.append(first)
        t.__exit__()
    print(f"  {'start to first frame':34} {statistics.median(firsts):8.1f} ms")
    with start(harness.BIN, ["tui", "prices", *extra], home, "q Quit")[0] as t:
        line("one row down", *keys(t, ["down"] * 40))
        line("a page down", *keys(t, ["pgdn"] * 20))
        line("sort by the next column", *keys(t, [">"] * 12))
        keys(t, ["/"])
        line("a letter of a filter", *keys(t, list("mi300x") + ["backspace"] * 6))
        keys(t, ["esc"])
        line("another view", *keys(t, ["3", "5", "8", "3", "5", "8"]))
        line("back to Prices (kept)", *keys(t, ["4", "3", "4", "3", "4"]))
        keys(t, ["2", "down", "down"], 0.3)
        line("what-if: a field moved", *keys(t, ["right", "left"] * 10, 0.015, 0.5))
        line("what-if: the answer to it", *keys(t, ["right", "left"] * 10, 0.3))
        keys(t, ["3"], 0.3)
        before = cpu_ticks(t.pid)
        sent = t.bytes
        time.sleep(5)
        settle(t, 0.05)
        print(f"  {'idle for 5 s':34} {(cpu_ticks(t.pid) - before) * 1000 / os.sysconf('SC_CLK_TCK'):8.0f} ms of CPU, {t.bytes - sent} bytes")
        print(f"  {'memory (PSS, with the watcher)':34} {memory_mb(t.pid):8.1f} MB")


def other(name, ready):
    path = shutil.which(name)
    if path is None:
        print(f"{name}: not installed")
        return
    print(f"{name} (a program of the same kind, for scale)")
    with tempfile.TemporaryDirectory() as home:
        t, first = start(path, [], home, ready)
        with t:
            print(f"  {'start to first frame':34} {first:8.1f} ms")
            line("one row down", *keys(t, ["down"] * 20))
            before = cpu_ticks(t.pid)
            time.sleep(5)
            settle(t, 0.05)
            print(f"  {'idle for 5 s':34} {(cpu_ticks(t.pid) - before) * 1000 / os.sysconf('SC_CLK_TCK'):8.0f} ms of CPU")
            print(f"  {'memory (PSS)':34} {memory_mb(t.pid):8.1f} MB")


def main():
    harness.BIN = os.path.abspath(sys.argv[1])
    extra = ["--db", os.path.abspath(sys.argv[2])] if len(sys.argv) > 2 else []
    with tempfile.TemporaryDirectory() as home:
        subprocess.run([harness.BIN, "gpus", *extra], env=harness.environment(home), stdout=subprocess.DEVNULL, check=True)
        print(f"gpuadvise, {SIZE[0]} x {SIZE[1]}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}")
        ours(home, extra)
    other("htop", "Load average")
    other("btop", "cpu")


if __name__ == "__main__":
    main()
