"""The table of fuzzing: table.py BUILD-FOLDER SECONDS [TARGET...] [--merge] [--write]

    cmake --preset fuzz && cmake --build --preset fuzz -j2
    python3 tests/fuzz/table.py build/fuzz 600 --write

Runs each target (or those named) for so many seconds of processor time on its corpus and prints inputs, edges of the corpus alone and after, and crashes. --merge
then takes the smallest new inputs that add edges into the corpus; --write puts the table into docs/testing.md. Exit 1 when one crashed.
"""
import glob
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
    done = subprocess.run([binary, *LIMITS, *words], capture_output=True, text=True, errors="replace", check=False)
    return done.returncode, done.stderr


def spent(pid):
    """Seconds of processor time of a process."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_for(binary, seconds, *words):
    """As run(), ended after so many seconds of processor time, whatever else the machine does."""
    with tempfile.TemporaryFile() as log:
        child = subprocess.Popen([binary, *LIMITS, *words], stdout=subprocess.DEVNULL, stderr=log)
        told = False
        while child.poll() is None:
            time.sleep(0.5)
            if not told and spent(child.pid) >= seconds:
                child.send_signal(signal.SIGUSR1)  # libFuzzer ends in good order
                told = True
        log.seek(0)
        return child.returncode, log.read().decode("utf-8", "replace")


def edges(binary, corpus):
    found = re.findall(r"cov: (\d+)", run(binary, "-runs=0", corpus)[1])
    return int(found[-1]) if found else 0


def fuzz(build, target, seconds, merge):
    binary, corpus = os.path.join(build, "tests/fuzz/fuzz_" + target), os.path.join(FOLDER, "corpus", target)
    before = edges(binary, corpus)
    with tempfile.TemporaryDirectory() as found:
        code, log = run_for(binary, seconds, "-max_len=65536", f"-artifact_prefix={build}/{target}-", found, corpus)
        inputs = re.findall(r"(?m)^#(\d+)", log)
        after = re.findall(r"cov: (\d+)", log)
        if merge and code == 0:
            run(binary, "-merge=1", "-max_len=4096", corpus, found)
    if code != 0:
        print(log[-3000:], file=sys.stderr)
    return [target, int(inputs[-1]) if inputs else 0, before, int(after[-1]) if after else 0, int(code != 0)]


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    build, seconds = os.path.abspath(words[0]), int(words[1])
    targets = words[2:] or sorted(os.path.basename(p)[5:-2] for p in glob.glob(FOLDER + "/fuzz_*.c"))
    rows = [fuzz(build, target, seconds, "--merge" in sys.argv) for target in targets]
    text = f"{seconds} s of processor time a target.\n\n| target | inputs | edges of the corpus | edges after | crashes |\n|---|---:|---:|---:|---:|\n"
    text += "".join("| {} | {:,} | {:,} | {:,} | {} |\n".format(*row) for row in rows)
    print(text)
    if "--write" in sys.argv:
        begin, end = "<!-- fuzz -->\n", "<!-- end of fuzz -->"
        with open(PAGE, encoding="utf-8") as f:
            before, rest = f.read().split(begin)
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(before + begin + text + end + rest.split(end)[1])
    sys.exit(any(row[-1] for row in rows))


if __name__ == "__main__":
    main()
