"""Runs the program as a user would: its own empty home, a fixed locale, time zone and clock. For tests/cli/test_*.py.

    class Version(harness.Case):
        def test_prints_a_number(self):
            code, out, err = self.run_tool("version")

    if __name__ == "__main__":
        harness.main()

`test_x.py` runs all cases, `test_x.py Class.method` one, `test_x.py --list` names them (CMake registers each).
"""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "data")
BIN = os.environ.get("GPUADVISE_BIN", os.path.join(ROOT, "build/dev/gpuadvise"))
NOW = "2026-11-27T00:00:00Z"
SKIPPED = 77          # CTest's SKIP_RETURN_CODE
SANITIZER_EXIT = 99   # set in tests/CMakeLists.txt; the program never uses it
DEVICE_CODE = os.environ.get("GPUADVISE_DEVICE_DIR", os.path.join(ROOT, "build/device"))  # what clang 19 makes of kernels/device
SANITIZED = bool(os.environ.get("GPUADVISE_SANITIZE"))  # several times slower
COVERED = os.environ.get("GPUADVISE_COVERAGE") == "ON"  # at its end each process writes what it counted
# For tests whose time goes into waiting, or into arithmetic that the C tests run under sanitizers as well: once, without.
once = unittest.skipIf(SANITIZED, "run without sanitizers; other tests take the same code through them")

SEEDS = os.path.join(os.environ.get("GPUADVISE_BUILD", os.path.join(ROOT, "build/dev")), "test-seeds")


def sampled(items, every=4):
    """All; under sanitizers one of so many, where each takes the same code to other facts."""
    return items[::every] if SANITIZED else items


def environment(home):
    """Nothing of the caller's environment but PATH and the sanitizers' options."""
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")}
    folders = {f"XDG_{name}_HOME": os.path.join(home, name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    # Threads of `bench` sleep while they wait: spinning takes the processors from the other tests.
    return {**kept, **folders, "OMP_WAIT_POLICY": "passive", "HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC", "GPUADVISE_NOW": NOW}


def run(args, env=None, stdin="", cwd=None, home=None, timeout=240):
    """Runs the program with a list of arguments -> (exit code, stdout, stderr), both decoded. Exit by signal N: -N.

    env: variables added, or removed where None. home: kept between runs; without it each run gets a new one.
    """
    own = home is None
    if own:
        home = tempfile.mkdtemp(prefix="gpuadvise-home-")
    try:
        full = environment(home)
        full.update(env or {})
        full = {k: v for k, v in full.items() if v is not None}
        done = subprocess.run([BIN, *args], env=full, input=stdin.encode(), capture_output=True, cwd=cwd or home, timeout=timeout)
    finally:
        if own:
            shutil.rmtree(home, ignore_errors=True)
    out, err = done.stdout.decode("utf-8", "backslashreplace"), done.stderr.decode("utf-8", "backslashreplace")
    if done.returncode == SANITIZER_EXIT or done.returncode < 0 and -done.returncode in (4, 6, 7, 8, 11):
        raise AssertionError(f"crashed with {done.returncode}: gpuadvise {' '.join(args)}\n{err}")
    return done.returncode, out, err


class ChangedData:
    """A copy of data/ in which `change(row)` has been applied to every row of one table. A row for which it returns False is left out."""

    def __init__(self, table, change):
        self.folder = tempfile.mkdtemp(prefix="gpuadvise-data-")
        for entry in os.scandir(DATA):
            if entry.is_file():
                shutil.copy(entry.path, self.folder)
        path = os.path.join(self.folder, table + ".tsv")
        with open(path, encoding="utf-8") as f:
            rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
        with open(path, "w", encoding="utf-8") as f:
            f.write("\t".join(rows[0]) + "\n")
            f.writelines("\t".join(row.values()) + "\n" for row in rows if change(row) is not False)

    def __enter__(self):
        return self.folder

    def __exit__(self, *_):
        shutil.rmtree(self.folder)


def seed():
    """A database with the shipped facts, as the program's first start leaves it: made once for each build of the program."""
    path = os.path.join(SEEDS, f"{os.stat(BIN).st_mtime_ns}.db")
    if not os.path.exists(path):
        os.makedirs(SEEDS, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=SEEDS) as home:
            code, _, err = run(["gpus", "list"], home=home)
            if code != 0:
                raise AssertionError(err)
            os.replace(os.path.join(home, "data/gpuadvise/catalog.db"), path)
    return path


class Case(unittest.TestCase):
    """A test with a home of its own that lives until the test ends."""
    maxDiff = None
    seeded = False  # True: the home has a database with the shipped facts already, which saves loading them

    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="gpuadvise-home-")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        if self.seeded:
            os.makedirs(os.path.join(self.home, "data/gpuadvise"))
            shutil.copyfile(seed(), os.path.join(self.home, "data/gpuadvise/catalog.db"))

    def run_tool(self, *args, **options):
        return run(list(args), home=options.pop("home", self.home), **options)

    def ok(self, *args, **options):
        """stdout of a run that must exit 0."""
        return self.exits(0, *args, **options)[0]

    def exits(self, want, *args, **options):
        """(stdout, stderr) of a run that must exit with `want`."""
        code, out, err = self.run_tool(*args, **options)
        self.assertEqual(code, want, f"gpuadvise {' '.join(args)}\n--- stdout\n{out[-2000:]}\n--- stderr\n{err[-2000:]}")
        return out, err

    def json(self, *args, code=0, **options):
        """The JSON that a run with --json prints; strict: no NaN, one object, nothing after it."""
        out, _ = self.exits(code, *args, "--json", **options)
        return parse_json(out)

    def write(self, name, text):
        """A file in the home; returns its path."""
        path = os.path.join(self.home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path


def parse_json(text):
    def refuse(word):
        raise ValueError(f"{word} is no JSON")

    def once(pairs):
        keys = [k for k, _ in pairs]
        if len(set(keys)) != len(keys):
            raise ValueError(f"a key stands twice: {keys}")
        return dict(pairs)
    return json.loads(text, parse_constant=refuse, object_pairs_hook=once)


def too_wide(text, width):
    """Lines that are wider; of a command to copy one argument in quotes may be, which cannot be broken."""
    return [line for line in text.splitlines() if len(line) > width and not re.fullmatch(r" +--\S+ '[^']*'( \\)?", line)]


def names(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from names(test)
        else:
            yield test.id().split(".", 1)[1]


def main():
    module = sys.modules["__main__"]
    loader = unittest.TestLoader()
    if sys.argv[1:] == ["--list"]:
        print("\n".join(names(loader.loadTestsFromModule(module))))
        return
    suite = loader.loadTestsFromNames(sys.argv[1:], module) if sys.argv[1:] else loader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    if not result.wasSuccessful() or result.testsRun == 0:
        sys.exit(1)
    sys.exit(SKIPPED if len(result.skipped) == result.testsRun else 0)
