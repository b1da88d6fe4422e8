"""Faults: one call of the program fails, for every call of every main command; writers are killed; many run at once.

    cmake --build --preset dev --target faults      # all of it: prints the table, exit 1 unless its last columns are 0
    sweep.py [PLACES [KILLS]] [--write]             # so many places of each call (all of open and stat), kills of each writer; --write: into docs/testing.md

tests/cli/test_faults.py runs a sample of the same. What must hold after a fault:

  no crash     no signal ends it
  no hang      it ends within HANG_S
  right exit   0 only with the answer that it gives without the fault, or with a word on standard error about what is missing;
               else a message and a code that the command has
  nothing lost the database is whole, the user's own rows are there, what was told as kept is kept, a file of -o is whole or as it was
"""
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import harness  # noqa: E402
sys.path.insert(0, os.path.join(harness.ROOT, "tests"))
from servers import feeds as servers  # noqa: E402

CALLS = ("malloc", "read", "write", "short", "fsync", "rename", "open", "mmap", "stat", "unlink", "truncate")
SHIM = os.environ.get("GPUADVISE_FAULTS", os.path.join(harness.ROOT, "build/dev/faults/libfaults.so"))
OUT = "{home}/out"  # the file of -o
OLD = "as it was\n"
HANG_S = 40
PAGE = os.path.join(harness.ROOT, "docs/testing.md")
MIGRATIONS = os.path.join(harness.ROOT, "db/migrations")
FACTS_LEFT = 29  # the first schema without tables of facts
COLUMNS = ("injected", "crashed", "hung", "wrong exit", "lost")


class Job:
    """A command line. codes: exit codes that its answer has; own: a row of `table` that is there when it says 0; home: the folder it starts from;
    fails: codes of a failure: 2 where an option names a file that the contract has as usage when it cannot be read."""

    def __init__(self, name, *words, codes=(0,), own=None, home="own", env=None, fails=(1,)):
        self.name, self.words, self.codes, self.own, self.home, self.env, self.fails = name, words, codes, own, home, env or {}, fails


def jobs(server_port, folder):
    corpus = os.path.join(harness.ROOT, "tests/fuzz/corpus")
    refresh = ("prices", "refresh", "runpod", "oci", "--strict", "--ca", os.path.join(folder, "ca.pem"), *servers.feed_urls(server_port, ["runpod", "oci"]))
    report = ("report", "--workload", "llama70b")
    return [
        Job("report", *report, "--json"),
        Job("report to a file", *report, "--format", "html", "-o", OUT),
        Job("report, first use", *report, "--format", "md", "-o", OUT, home="empty"),
        Job("report, gates", *report, "--fail-over-usd-per-mtok", "0.0001", codes=(4,)),
        Job("report diff", "report", "diff", corpus + "/baseline/nvidia", corpus + "/baseline/moved", "--json"),
        Job("report, stack", *report, "--stack", os.path.join(harness.ROOT, "docs/stacks/moves.stack"), "--json"),
        Job("estimate", "estimate", "--model", "llama-3.1-70b", "--gpu", "mi300x", "--json"),
        Job("check", "check", "--model", "llama-3.1-70b", "--gpu", "mi300x", "--tokens-per-s", "2000"),
        Job("gpus", "gpus", "--format", "csv", "-o", OUT),
        Job("prices list", "prices", "list", "amd:mi300x", "--json"),
        Job("prices import", "prices", "import", "{home}/quote.csv", "--name", "quote", own="SELECT count(*) FROM offer_seen WHERE feed = 'import:quote' OR feed = 'quote'"),
        Job("prices refresh", *refresh, "--json", own="SELECT count(*) FROM offer_seen WHERE feed = 'oci'", env={"SSL_CERT_FILE": os.path.join(folder, "ca.pem")}, fails=(1, 2)),
        Job("prices export", "prices", "export", "--snapshot", OUT, "--secret-key", "{home}/k.key", "--with-imports"),
        Job("workloads add", "workloads", "add", "second", "kind=serve", "model_id=llama-3.1-70b", own="SELECT count(*) FROM own_fact WHERE name = 'second'"),
        Job("migrate scan", "migrate", "scan", "{home}/tree", "--fail-over-days", "0.1", "--json", codes=(4,)),
        Job("migrate fix", "migrate", "fix", "{home}/tree", "-o", OUT),
        Job("runs import", "runs", "import", os.path.join(harness.ROOT, "tests/payloads/runs/own_csv"), own="SELECT count(*) FROM own_run WHERE id > 0"),
        Job("traffic import", "traffic", "import", "mine", os.path.join(harness.ROOT, "tests/payloads/traffic/day.csv"), own="SELECT count(*) FROM own_fact WHERE table_name = 'traffic'"),
        Job("traffic describe", "traffic", "describe", os.path.join(harness.ROOT, "tests/payloads/traffic/day.csv"), "--json"),
        Job("bench import", "bench", "import", corpus + "/runs/exported", own="SELECT count(*) FROM bench_run WHERE id > 1"),
        Job("bench", "bench", "copy", "--device", "cpu", "--quick", "--working-set", "1", codes=(0, 5), own="SELECT count(*) FROM bench_run WHERE id > 1"),
        Job("screen", "tui", "--once", "prices", "--size", "100x30"),
        Job("doctor", "doctor"),
        Job("upgrade", "gpus", home="old"),
    ]


class World:
    """Homes that every run starts from, a server for the feeds, and what is among them the user's."""

    def __init__(self):
        self.top = tempfile.mkdtemp(prefix="gpuadvise-faults-")
        servers.make_authority(self.top)
        self.server = servers.Misbehaving(self.top, {}, "localhost")
        self.server.behaviours.update(servers.good_documents(self.server.port))
        self.jobs = jobs(self.server.port, self.top)
        self.random = random.Random(27)
        self.homes = {name: os.path.join(self.top, name) for name in ("own", "empty", "old")}
        for home in self.homes.values():
            self.furnish(home)
        self.own_home()
        self.old_home(self.homes["old"], 15)
        self.own_rows = {name: self.rows(home) for name, home in self.homes.items()}
        self.clean = {}

    def close(self):
        self.server.stop()
        shutil.rmtree(self.top, ignore_errors=True)

    def furnish(self, home):
        """Files that commands read."""
        os.makedirs(os.path.join(home, "tree"))
        with open(os.path.join(home, "quote.csv"), "w", encoding="ascii") as f:
            f.write("instance,region,gpu,gpu_count,price_per_hour\n" + "".join(f"m{i},eu-{i % 3},MI300X,8,{16 + i % 9}\n" for i in range(60)))
        for i in range(3):
            with open(os.path.join(home, f"tree/k{i}.cu"), "w", encoding="ascii") as f:
                f.write("#include <cuda_runtime.h>\n__global__ void k(float *a) { asm volatile(\"mov.u32 %0, %laneid;\" : \"=r\"(x)); }\n"
                        "int main() { cudaMalloc(&p, 4); nvrtcCompileProgram(p, 0, 0); k<<<1, 32>>>(p); }\n")
        with open(os.path.join(home, "tree/requirements.txt"), "w", encoding="ascii") as f:
            f.write("tensorrt-llm\nflash-attn\n")

    def own_home(self):
        home = self.homes["own"]
        words = (("workloads", "add", "mine", "kind=serve", "model_id=llama-3.1-70b"), ("prices", "import", "{home}/quote.csv", "--name", "kept"),
                 ("bench", "import", os.path.join(harness.ROOT, "tests/fuzz/corpus/runs/answer")), ("prices", "export", "--new-key", "{home}/k.key"))
        for line in words:
            code, _, err = harness.run([w.format(home=home) for w in line], home=home)
            if code != 0:
                raise AssertionError(err)

    @staticmethod
    def path(home):
        return os.path.join(home, "data/gpuadvise/catalog.db")

    def database(self, home):
        return sqlite3.connect(self.path(home))

    def old_home(self, home, version):
        """A database as the program of that schema left it, with rows of the user's own."""
        os.makedirs(os.path.dirname(self.path(home)), mode=0o700)
        db = self.database(home)
        for name in sorted(os.listdir(MIGRATIONS)):
            if int(name[:4]) > version:
                break
            with open(os.path.join(MIGRATIONS, name), encoding="utf-8") as f:
                db.executescript(f.read())
        if version < FACTS_LEFT:  # their tables were part of the schema, whatever they looked like
            db.executescript("CREATE TABLE gpus (sku_id TEXT PRIMARY KEY); CREATE TABLE offers (sku_id TEXT REFERENCES gpus (sku_id)); "
                             "CREATE VIEW offer_current AS SELECT sku_id FROM offers; INSERT INTO gpus VALUES ('x'); INSERT INTO offers VALUES ('x')")
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "bench_run" in tables:
            db.execute("INSERT INTO bench_run (id, taken_at, tool_version, system, options, complete) VALUES (1, '2026-01-01T00:00:00Z', '0', 's', 'o', 1)")
        if "own_fact" in tables:
            db.execute("INSERT INTO own_fact (table_name, name, content) VALUES ('workloads', 'mine', ?)",
                       ("workload_id\tkind\tmodel_id\tisl_tokens\tosl_tokens\nmine\tserve\tllama-3.1-70b\t1000\t200",))
        if "offer_seen" in tables:
            db.execute("INSERT INTO offer_seen (id, provider, listed_name, gpu_count, pricing_model, price_micro_usd_per_hour, available, standing, source, as_of, feed, seen_at) "
                       "VALUES (1, 'acme', 'MI300X', 8, 'on-demand', 5000000, 'unknown', 'listed', 's', '2026-01-01', 'kept', '2026-01-01T00:00:00Z')")
        db.execute("PRAGMA application_id = %d" % 0x47505541)
        db.execute("PRAGMA user_version = %d" % version)
        db.commit()
        db.close()

    def rows(self, home):
        """What is the user's: of each table the keys."""
        if not os.path.exists(self.path(home)):
            return {}
        db = self.database(home)
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        found = {t: {tuple(r) for r in db.execute(f"SELECT {columns} FROM {t}")} for t, columns in
                 (("bench_run", "id, taken_at"), ("own_fact", "table_name, name, content"), ("own_run", "identity"), ("offer_seen", "id, feed, price_micro_usd_per_hour"))
                 if t in tables}
        db.close()
        return found

    def fresh(self, home_name):
        home = os.path.join(self.top, "run")
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self.homes[home_name], home)
        with open(os.path.join(home, "out"), "w", encoding="ascii") as f:
            f.write(OLD)
        return home

    def environment(self, job, home, more):
        return {**harness.environment(home), **job.env, **more}

    def start(self, job, home, more):
        words = [harness.BIN, *(w.format(home=home) for w in job.words)]
        return subprocess.Popen(words, env=self.environment(job, home, more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=home)

    def run(self, job, home, more):
        """(exit code, None when it hung; stdout, stderr)."""
        child = self.start(job, home, more)
        try:
            out, err = child.communicate(timeout=HANG_S)
            return child.returncode, out, err
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return None, b"", b""

    def file(self, home):
        with open(os.path.join(home, "out"), "rb") as f:
            return f.read()

    def answer_without(self, job):
        if job.name not in self.clean:
            home = self.fresh(job.home)
            code, out, err = self.run(job, home, {})
            if code not in job.codes:
                raise AssertionError(f"{job.name}: exit {code} without a fault: {err.decode()}")
            self.clean[job.name] = (out, set(err.splitlines()), self.file(home))
        return self.clean[job.name]

    def counts(self, job):
        """How often the program makes each call: the most of its processes."""
        path = os.path.join(self.top, "report")
        if os.path.exists(path):
            os.unlink(path)
        self.run(job, self.fresh(job.home), {"LD_PRELOAD": SHIM, "FAULT_REPORT": path})
        with open(path, encoding="ascii") as f:
            processes = [[int(n) for n in line.split()[1:]] for line in f]
        return {call: max(p[i] for p in processes) for i, call in enumerate(CALLS)}

    def whole(self, job, home):
        """What is wrong with the database and the user's rows; None: nothing."""
        if not os.path.exists(self.path(home)):
            return "the database is gone" if self.own_rows[job.home] else None
        start = self.path(self.homes[job.home])
        if os.path.exists(start) and os.stat(start).st_mtime_ns == os.stat(self.path(home)).st_mtime_ns and not os.path.exists(self.path(home) + "-wal"):
            return None  # nobody wrote to it
        db = self.database(home)
        try:
            if db.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
                return "the database is damaged"
            if db.execute("PRAGMA foreign_key_check").fetchall():
                return "a reference leads nowhere"
        except sqlite3.DatabaseError as error:
            return f"the database is damaged: {error}"
        finally:
            db.close()
        now = self.rows(home)
        lost = [t for t, rows in self.own_rows[job.home].items() if not rows <= now.get(t, set())]
        return f"own rows are gone from {', '.join(lost)}" if lost else None

    def effect(self, job, home):
        try:
            db = self.database(home)
            there = db.execute(job.own).fetchone()[0] > 0
            db.close()
            return there
        except sqlite3.DatabaseError:
            return False

    def verdict(self, job, home, code, out, err):
        """(column, why) of what went wrong, None when nothing did."""
        clean_out, clean_err, clean_file = self.answer_without(job)
        if code is None:
            return "hung", f"no end within {HANG_S} s"
        if code < 0 or code == harness.SANITIZER_EXIT:
            return "crashed", f"ended by {code}"
        wrong = self.whole(job, home)
        file = self.file(home)
        if wrong is None and file not in (OLD.encode(), clean_file) and code != 0:
            wrong = "the file of -o is neither old nor new"
        if wrong is None and code == 0 and job.own is not None and not self.effect(job, home):
            wrong = "told as kept, and not there"
        if wrong is not None:
            return "lost", wrong
        said = set(err.splitlines()) - clean_err
        if code in job.codes and not said and (out != clean_out or file != clean_file) and not volatile(job):
            return "wrong exit", f"exit {code} with another answer, and not a word"
        if code not in job.codes and (code not in job.fails or not err.strip()):
            return "wrong exit", f"exit {code}: {err.decode(errors='replace').strip()[:200]}"
        return None

    def inject(self, job, call, nth, stays):
        """(1 if the fault struck, finding or None)."""
        self.answer_without(job)  # before the home of this run is made
        path = os.path.join(self.top, "report")
        if os.path.exists(path):
            os.unlink(path)
        home = self.fresh(job.home)
        more = {"LD_PRELOAD": SHIM, "FAULT_CALL": call, "FAULT_NTH": str(nth), "FAULT_REPORT": path}
        if stays:
            more["FAULT_STAYS"] = "1"
        code, out, err = self.run(job, home, more)
        finding = self.verdict(job, home, code, out, err)
        struck = code is None or code < 0
        if os.path.exists(path):
            with open(path, encoding="ascii") as f:
                struck = struck or any(line.startswith("1") for line in f)
        if finding:
            finding = (finding[0], f"{job.name}: {call} number {nth}{' and all later' if stays else ''}: {finding[1]}")
        return int(struck), finding


def volatile(job):
    """Answers that tell times or measurements."""
    return job.name in ("bench", "doctor", "prices export", "prices refresh")


def places(n, most):
    """Up to `most` numbers of 1..n: the first ones, where most differ, and evenly over the rest."""
    if n <= most:
        return list(range(1, n + 1))
    first = max(1, most // 4)
    rest = most - first
    return sorted({*range(1, first + 1), *(first + round((n - first) * (i + 1) / rest) for i in range(rest))})


EACH = ("open", "stat")  # few enough to try all, and each may be of another file


def faults_of(world, call, n, most):
    """[(number of the call that fails, and all later)]. most: so many places, each once and for ever after; 0: one place, once or for ever."""
    if most == 0:
        return [(world.random.randint(1, n), world.random.random() < 0.5)] if n else []
    sampled = places(n, most)
    return [(nth, stays) for nth in (range(1, n + 1) if call in EACH else sampled) for stays in (False, True) if nth in sampled or not stays]


def sweep(world, most, jobs_of=None, tell=None):
    """Rows of the table, by job, and the findings."""
    table, findings = {}, []
    for job in jobs_of or world.jobs:
        row = dict.fromkeys(COLUMNS, 0)
        for call, n in world.counts(job).items():
            for nth, stays in faults_of(world, call, n, most):
                struck, finding = world.inject(job, call, nth, stays)
                row["injected"] += struck
                if finding:
                    row[finding[0]] += 1
                    findings.append(finding)
                    if tell:
                        tell("%s: %s" % finding)
        table[job.name] = row
        if tell:
            tell("%-20s %s" % (job.name, row))
    return table, findings


# ---------------------------------------------------------------- kills

KILLED = ("killed", "at work", "damaged or lost", "next run failed")


def kill_sweep(world, rounds):
    """Writers killed at a random moment: the database is whole, and the same command then does its work."""
    table, findings = {}, []
    for job in world.jobs:
        if job.own is None and job.home == "own":
            continue
        row = dict.fromkeys(KILLED, 0)
        started = time.monotonic()
        world.run(job, world.fresh(job.home), {})
        took = time.monotonic() - started
        for _ in range(rounds):
            home = world.fresh(job.home)
            child = world.start(job, home, {})
            time.sleep(world.random.random() * took)
            row["at work"] += child.poll() is None
            child.send_signal(signal.SIGKILL)
            child.communicate()
            row["killed"] += 1
            wrong = world.whole(job, home)
            if wrong:
                row["damaged or lost"] += 1
                findings.append(("lost", f"{job.name}, killed: {wrong}"))
            code, _, err = world.run(job, home, {})
            again = job.name == "workloads add" and code == 2  # it was added before the kill
            if (code not in job.codes and not again) or world.whole(job, home) or (job.own is not None and not world.effect(job, home)):
                row["next run failed"] += 1
                findings.append(("lost", f"{job.name}, run again after a kill: exit {code}: {err.decode(errors='replace')[:300]}"))
        table[job.name] = row
    return table, findings


# ---------------------------------------------------------------- many at once, old databases

def crowd(world, n):
    """n processes on one home that is empty, half of them writers -> findings."""
    home = world.fresh("empty")
    words = [("report", "--workload", "llama70b", "--json"), ("workloads", "add", "w{i}", "kind=serve", "model_id=llama-3.1-70b"),
             ("gpus", "--json"), ("prices", "import", "{home}/quote.csv", "--name", "list{i}")]
    children = []
    for i in range(n):
        line = [w.format(home=home, i=i) for w in words[i % len(words)]]
        children.append((line, subprocess.Popen([harness.BIN, *line], env=harness.environment(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=home)))
    findings = []
    for line, child in children:
        _, err = child.communicate(timeout=300)
        if child.returncode != 0:
            findings.append(("wrong exit", f"{' '.join(line)}: exit {child.returncode}: {err.decode()[:200]}"))
    db = world.database(home)
    if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)] or db.execute("PRAGMA foreign_key_check").fetchall():
        findings.append(("lost", "the database is damaged"))
    added = db.execute("SELECT count(*) FROM own_fact").fetchone()[0]
    lists = db.execute("SELECT count(DISTINCT feed) FROM offer_seen").fetchone()[0]
    db.close()
    wanted = (sum(line[0] == "workloads" for line, _ in children), sum(line[1] == "import" for line, _ in children))
    if (added, lists) != wanted:
        findings.append(("lost", f"{added} workloads and {lists} lists of {wanted}"))
    return findings


def upgrades(world, step=1):
    """From the database of every migration that was released, or every step-th -> (how many, findings)."""
    findings = []
    newest = max(int(name[:4]) for name in os.listdir(MIGRATIONS))
    versions = range(1, newest, step)
    for version in versions:
        home = os.path.join(world.top, "upgrade")
        shutil.rmtree(home, ignore_errors=True)
        os.makedirs(home)
        world.old_home(home, version)
        before = world.rows(home)
        code, _, err = harness.run(["gpus"], home=home)
        after = world.rows(home)
        db = world.database(home)
        sound = db.execute("PRAGMA integrity_check").fetchall() == [("ok",)] and not db.execute("PRAGMA foreign_key_check").fetchall()
        schema = db.execute("PRAGMA user_version").fetchone()[0]
        db.close()
        if code != 0 or not sound or schema != newest or any(not rows <= after[t] for t, rows in before.items()):
            findings.append(("lost", f"from schema {version}: exit {code}, schema {schema}, whole {sound}: {err[:200]}"))
    return len(versions), findings


def table_text(title, table, columns):
    lines = [f"| {title} | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    total = dict.fromkeys(columns, 0)
    for name, row in table.items():
        lines.append(f"| {name} | " + " | ".join(str(row[c]) for c in columns) + " |")
        for c in columns:
            total[c] += row[c]
    return "\n".join([*lines, "| **all** | " + " | ".join(str(total[c]) for c in columns) + " |"]) + "\n"


def write(text):
    """Into docs/testing.md."""
    begin, end = "<!-- faults -->\n", "<!-- end of faults -->"
    with open(PAGE, encoding="utf-8") as f:
        before, rest = f.read().split(begin)
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(before + begin + text + end + rest.split(end)[1])


def main():
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    most, rounds = numbers[0] if numbers else 12, numbers[1] if len(numbers) > 1 else 20
    world = World()
    started = time.monotonic()
    try:
        table, findings = sweep(world, most, tell=lambda line: print(line, file=sys.stderr, flush=True))
        kills, killed = kill_sweep(world, rounds)
        old, late = upgrades(world)
        late += crowd(world, 24)
        findings += killed + late
    finally:
        world.close()
    text = f"{table_text('fault in', table, COLUMNS)}\n{table_text('writer', kills, KILLED)}\n" \
           f"24 processes at once on an empty home, and upgrades from {old} earlier schemas: {'all well' if not late else 'see the findings'}.\n"
    print(text)
    print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    if "--write" in sys.argv:
        write(text)
    for finding in findings:
        print("%s: %s" % finding)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
