"""The table of fuzzing: table.py BUILD-FOLDER SECONDS [TARGET...] [--merge] [--write [--fresh]]

    cmake --preset fuzz && cmake --build --preset fuzz -j2
    python3 tests/fuzz/table.py build/fuzz 600 --merge --write

Runs each target (or those named) for so many seconds of processor time on its inputs, which are corpus/TARGET (written by hand, named by document) and found/TARGET
(by this command, named by hash), and prints inputs, edges of these alone and after, and crashes. --merge takes the smallest new inputs that add edges into found/TARGET. --write adds each target's run to its row in docs/testing.md, and --fresh
replaces the row, as is right after a change of what the target calls. Several may run at once on different targets. Exit 1 when one crashed.
"""
import fcntl
import glob
import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(os.path.dirname(os.path.dirname(FOLDER)), "docs/testing.md")
LIMITS = ["-timeout=60", "-rss_limit_mb=2048"]  # of the clock, on a machine that may be busy


def run(binary, *words):
    done = subprocess.run([binary, *LIMITS, f"-artifact_prefix={os.path.dirname(binary)}/", *words], capture_output=True, text=True, errors="replace", check=False)
    return done.returncode, done.stderr


def spent(pid):
    """Seconds of processor time of a process."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_for(binary, seconds, *words):
    """As run(), with the seconds of processor time that it took: it is ended after so many, whatever else the machine does."""
    with tempfile.TemporaryFile() as log:
        child = subprocess.Popen([binary, *LIMITS, *words], stdout=subprocess.DEVNULL, stderr=log)
        told, used = False, 0
        while child.poll() is None:
            time.sleep(0.5)
            used = max(used, spent(child.pid))
            if not told and used >= seconds:
                child.send_signal(signal.SIGUSR1)  # libFuzzer ends in good order
                told = True
        log.seek(0)
        return child.returncode, log.read().decode("utf-8", "replace"), round(used)


def edges(binary, folders):
    found = re.findall(r"cov: (\d+)", run(binary, "-runs=0", *folders)[1])
    return int(found[-1]) if found else 0


def keep(binary, found, corpus, new):
    """Takes those of the new inputs into `found` that add edges to what is there and in `corpus`."""
    run(binary, "-merge=1", "-use_counters=0", "-max_len=4096", found, corpus, new)
    for name in os.listdir(corpus):  # the merge copies these as well
        with open(os.path.join(corpus, name), "rb") as f:
            copy = os.path.join(found, hashlib.sha1(f.read()).hexdigest())
        if os.path.exists(copy):
            os.remove(copy)


def fuzz(build, target, seconds, merge):
    """[seconds of processor time, inputs, edges of the first inputs, edges after, crashes] of one run."""
    binary = os.path.join(build, "tests/fuzz/fuzz_" + target)
    found, corpus = (os.path.join(FOLDER, kind, target) for kind in ("found", "corpus"))
    os.makedirs(found, exist_ok=True)
    before = edges(binary, (found, corpus))
    with tempfile.TemporaryDirectory() as new:
        code, log, used = run_for(binary, seconds, "-max_len=65536", f"-artifact_prefix={build}/{target}-", new, found, corpus)
        inputs = re.findall(r"(?m)^#(\d+)", log)
        after = re.findall(r"cov: (\d+)", log)
        if merge and code == 0:
            keep(binary, found, corpus, new)
    if code != 0:
        print(log[-3000:], file=sys.stderr)
    return [min(seconds, used), int(inputs[-1]) if inputs else 0, before, int(after[-1]) if after else 0, int(code != 0)]


def rows_of(text):
    """Target -> its row, of a table as table() writes it."""
    cells = [[c.strip().replace(",", "") for c in line.strip("|\n").split("|")] for line in text.splitlines() if line.startswith("| ")]
    return {row[0]: [int(c) for c in row[1:]] for row in cells if row[1].isdigit()}


def added(earlier, row):
    """A target's runs so far as one row: time, inputs and crashes add up; the edges are those of the first inputs and the most that were seen."""
    if earlier is None:
        return row
    return [earlier[0] + row[0], earlier[1] + row[1], earlier[2], max(earlier[3], row[3]), earlier[4] + row[4]]


def table(rows):
    lines = ["| target | seconds of processor time | inputs | edges of the first inputs | edges after | crashes |", "|---|---:|---:|---:|---:|---:|"]
    lines += ["| {} | {:,} | {:,} | {:,} | {:,} | {:,} |".format(target, *rows[target]) for target in sorted(rows)]
    return "\n".join(lines) + "\n"


def write(target, row, fresh):
    """Puts a run into the page's table, beside the rows of other targets and on top of this one's earlier runs."""
    begin, end = "<!-- fuzz -->\n", "<!-- end of fuzz -->"
    with open(PAGE, "r+", encoding="utf-8") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        before, rest = f.read().split(begin)
        middle, after = rest.split(end)
        rows = rows_of(middle)
        rows[target] = row if fresh else added(rows.get(target), row)
        f.seek(0)
        f.truncate()
        f.write(before + begin + table(rows) + end + after)


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    build, seconds = os.path.abspath(words[0]), int(words[1])
    targets = words[2:] or sorted(os.path.basename(p)[5:-2] for p in glob.glob(FOLDER + "/fuzz_*.c"))
    rows = {}
    for target in targets:
        rows[target] = fuzz(build, target, seconds, "--merge" in sys.argv)
        if "--write" in sys.argv:  # after each, so that a long run that is ended keeps what it has
            write(target, rows[target], "--fresh" in sys.argv)
    print(table(rows))
    sys.exit(any(row[-1] for row in rows.values()))


if __name__ == "__main__":
    main()
