"""bench --record and bench fleet: sixteen stand-in machines of a job, of which some are slow, hot, dead, broken or of another driver."""
import concurrent.futures
import glob
import json
import os
import shutil
import signal
import stat
import subprocess
import time
import unittest

import harness
import test_schema
from test_bench import nvidia
from test_bench_gpu import NVIDIA, World

RANKS = 16
BENCH = ("bench", "triad", "--quick", "--working-set", "1", "--shared")
CUDA = "pci=0000:07:00.0;name=NVIDIA H100 80GB HBM3;units=132;cc=90;driver=12040"
# Rank -> what is wrong with its machine, and what the fleet says of it.
WRONG = {3: ("FAKE_CUDA", "bw=30", "straggler"), 5: ("FAKE_NVML", "reasons=64", "throttled"), 7: ("FAKE_CUDA", "hang=gk_triad", "unfinished"),
         9: ("FAKE_NVML", "ecc_errors=4", "faulty"), 11: ("GPUADVISE_SYSROOT", "other", "mixed")}
DRAINED = {3: "straggler", 5: "throttled", 7: "unfinished", 9: "faulty"}


def node(rank):
    return f"node{rank + 1:02}"


class Machines(World):
    def setUp(self):
        super().setUp()
        self.records = os.path.join(self.home, "records")
        self.marks = os.path.join(self.home, "marks")
        os.makedirs(self.marks)
        for name, version in (("root", "580.95.05"), ("other", "570.86.10")):
            nvidia(os.path.join(self.home, name), "0000:07:00.0", "0x2330", "0x16c1", "NVIDIA H100 80GB HBM3", version=version)
        self.env = self.world(NVIDIA)

    def variables(self, rank):
        """What makes a rank's machine: the same for all but those of WRONG."""
        own = {**self.env, "FAKE_CUDA": f"{CUDA};bw=40;gflops=50000", "FAKE_NVML": f"uuid=GPU-{rank:04};serial={rank};limit=700;default=700", "NCCL_DEBUG": "WARN"}
        name, value, _ = WRONG.get(rank, ("", "", ""))
        if name == "GPUADVISE_SYSROOT":
            own[name] = os.path.join(self.home, value)
        elif name:
            own[name] += ";" + value
        if rank == 7:
            own["FAKE_CUDA"] += f";mark={self.marks}/{rank}"
        return own

    def script(self, rank_variable, extra=""):
        """A command for launchers: becomes the machine of its rank, then measures it. The dead one is killed by its own watch."""
        path = os.path.join(self.home, "rank.sh")
        lines = ["#!/bin/sh", f"rank=${rank_variable}", "case $rank in"]
        for rank in range(RANKS):
            lines.append(f"{rank})")
            lines += [f"  export {k}='{v}'" for k, v in self.variables(rank).items()]
            lines.append("  ;;")
        watch = f"(while [ ! -e {self.marks}/7 ]; do sleep 0.1; done; kill -9 $$) >/dev/null 2>&1 </dev/null &"
        lines += ["esac", f"export XDG_DATA_HOME={self.home}/data", extra, f"[ $rank = 7 ] && {{ {watch} }}",
                  f"exec {harness.BIN} {' '.join(BENCH)} --record {self.records}"]
        self.write(path, "\n".join(lines) + "\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def check_fleet(self, names, *options):
        """What the records of the sixteen must be taken for. names: rank -> how its node is called."""
        fleet = self.json("bench", "fleet", self.records, *options, code=5)
        self.assertEqual(test_schema.faults("bench-fleet", fleet), [])
        states = {n["node"]: n["state"] for n in fleet["nodes"]}
        self.assertEqual(states, {names(r): WRONG.get(r, ("", "", "good"))[2] for r in range(RANKS)}, fleet["nodes"])
        slow = next(n for n in fleet["nodes"] if n["node"] == names(3))
        self.assertLess(slow["slowest_pct"], 85)
        self.assertEqual(slow["slowest_test"], "triad of gpu0")
        drain = [line for line in self.run_tool("bench", "fleet", self.records, "-q", "--format", "slurm")[1].splitlines() if not line.startswith("#")]
        self.assertEqual(sorted(line.split(" Reason=")[0] for line in drain), sorted(f"scontrol update NodeName={names(r)} State=DRAIN" for r in DRAINED))
        for rank, state in DRAINED.items():
            self.assertEqual(len([line for line in drain if f"NodeName={names(rank)} " in line and f"gpuadvise: {state}: " in line]), 1)
        return fleet

    def record_of(self, rank):
        path, = glob.glob(f"{self.records}/{node(rank)}-*")
        with open(path, encoding="utf-8") as f:
            return json.load(f)


class Fleet(Machines):
    @harness.once
    def test_sixteen_machines(self):
        script = self.script("SLURM_PROCID")

        def rank(i):
            env = {**harness.environment(self.home), "SLURM_PROCID": str(i), "SLURM_NTASKS": str(RANKS), "SLURM_JOB_ID": "77", "SLURMD_NODENAME": node(i), "SLURM_LOCALID": "0"}
            return subprocess.run([script], env=env, capture_output=True, timeout=120, cwd=self.home)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = list(pool.map(rank, range(RANKS)))
        for i, p in enumerate(done):
            self.assertEqual(p.returncode, -signal.SIGKILL if i == 7 else 0, p.stderr)
        self.assertIn(b"recorded in", done[0].stdout)
        fleet = self.check_fleet(node)
        self.assertEqual(len(glob.glob(self.records + "/*")), RANKS)
        self.assertEqual({g["driver"] for g in fleet["groups"]}, {"nvidia 580.95.05", "nvidia 570.86.10"})
        record = self.record_of(0)
        self.assertEqual([record[k] for k in ("launcher", "job", "node", "rank", "ranks", "local_rank", "record")], ["slurm", "77", "node01", 0, 16, 0, "finished"])
        self.assertEqual(record["environment"], "NCCL_DEBUG=WARN")
        self.assertEqual([record["devices"][0][k] for k in ("uuid", "serial")], ["GPU-0000", "0"])
        self.assertEqual(self.record_of(7)["results"], [])
        self.forms()
        self.missing()
        self.estimates()
        self.compared()

    def forms(self):
        page = self.exits(5, "bench", "fleet", self.records, "--format", "html")[0]
        self.assertEqual(page.count('<table class="heat">'), 1)
        self.assertRegex(page, r'<th scope="row">node04</th><td>straggler</td>.*<td class="n h[34]">\d\d</td>')
        for form, words in (("csv", "node04,straggler,1"), ("md", "| node04 | straggler | 1 |"), ("table", "16 nodes: 11 good, 1 mixed, 1 straggler, 1 throttled, 1 unfinished, 1 faulty."),
                            ("k8s", "kubectl cordon node04\nkubectl taint nodes node04 gpuadvise/fleet=straggler:NoSchedule --overwrite\n")):
            self.assertIn(words, self.exits(5, "bench", "fleet", self.records, "--format", form)[0])
        self.assertIn("of `gpuadvise bench fleet` alone", self.exits(2, "bench", "list", "--format", "slurm")[1])

    def missing(self):
        for expect in ("node[01-16],node99", self.write("hosts.txt", "node[01-08]\nnode[09-16] # the rest\nnode99\n")):
            states = {n["node"]: n["state"] for n in self.json("bench", "fleet", self.records, "--expect", expect, code=5)["nodes"]}
            self.assertEqual((len(states), states["node99"]), (17, "missing"))
        self.assertIn("is no range of numbers", self.exits(2, "bench", "fleet", self.records, "--expect", "node[9-1]")[1])
        job = {"SLURM_JOB_ID": "77", "SLURM_JOB_NODELIST": "node[01-18]"}
        self.assertEqual(self.json("bench", "fleet", self.records, code=5, env=job)["summary"]["missing"], 2)
        self.assertEqual(self.json("bench", "fleet", self.records, code=5, env={**job, "SLURM_JOB_ID": "78"})["summary"]["missing"], 0)
        path, = glob.glob(f"{self.records}/{node(4)}-*")
        os.rename(path, path + ".gone")
        self.assertEqual([n["node"] for n in self.json("bench", "fleet", self.records, code=5)["nodes"] if n["state"] == "missing"], ["rank 4"])
        os.rename(path + ".gone", path)
        self.write("broken.json", "{")
        broken = os.path.join(self.home, "broken.json")
        self.assertEqual(self.json("bench", "fleet", self.records, broken, code=5)["summary"]["unreadable"], 1)

    def estimates(self):
        """The median of the good ones is kept when asked for; what may stand for the datasheet is said, and why not."""
        fleet = self.json("bench", "fleet", self.records, code=5)
        self.assertEqual((fleet["run"], "--keep" in fleet["estimates"]), (None, True))
        fleet = self.json("bench", "fleet", self.records, "--keep", code=5)
        self.assertIn("memory bandwidth of h100-sxm5-80gb not: its working set lies in the caches", fleet["estimates"])
        kept = self.json("bench", "runs", str(fleet["run"]))
        triad = next(r for r in kept["results"] if r["test"] == "triad")
        line = next(g for g in fleet["groups"] if g["test"] == "triad" and g["figure_count"] > 1)
        self.assertEqual((triad["samples"], triad["in_cache"]), (11, True))
        self.assertAlmostEqual(triad["median"], line["median"], delta=0.02 * line["median"])

    def compared(self):
        """One board is found again by its UUID wherever it stands; two boards of a model by that."""
        paths = {r: glob.glob(f"{self.records}/{node(r)}-*")[0] for r in (0, 3)}
        rows = self.json("bench", "compare", paths[0], paths[3])["comparison"]
        self.assertEqual({(r["device"], r["a_device"], r["matched_by"]) for r in rows}, {("gpu0", "gpu0", "model")})
        moved = self.record_of(0)
        moved["devices"][0]["id"] = "gpu5"
        for r in moved["results"]:
            r["device"] = "gpu5"
        rows = self.json("bench", "compare", paths[0], self.write("moved.json", json.dumps(moved)))["comparison"]
        self.assertEqual({(r["device"], r["a_device"], r["matched_by"]) for r in rows}, {("gpu5", "gpu0", "uuid")})
        self.assertIn("is gpu0 of A by model", " ".join(self.ok("bench", "compare", paths[0], paths[3]).split()))


class Records(harness.Case):
    """Whose run a record says it is; what a record may not be. On the CPU: no GPU is needed for that."""
    seeded = True

    def record(self, code=0, args=(), **env):
        """The one record that a run in this environment leaves."""
        folder = os.path.join(self.home, "records")
        shutil.rmtree(folder, ignore_errors=True)
        self.exits(code, "bench", "copy", "--device", "cpu", "--quick", "--working-set", "1", "--record", folder, *args, env=env)
        path, = glob.glob(folder + "/*.json")
        with open(path, encoding="utf-8") as f:
            return path, json.load(f)

    def test_whose_it_is(self):
        slurm = {"SLURM_PROCID": "1", "SLURM_NTASKS": "2", "SLURM_JOB_ID": "9", "SLURMD_NODENAME": "n1", "SLURM_LOCALID": "0"}
        ompi = {"OMPI_COMM_WORLD_RANK": "5", "OMPI_COMM_WORLD_SIZE": "8", "OMPI_COMM_WORLD_LOCAL_RANK": "3"}
        kubernetes = {"JOB_COMPLETION_INDEX": "4", "JOB_COMPLETIONS": "6", "JOB_NAME": "fleet", "NODE_NAME": "k4"}
        for env, want in (({}, [None, None, None, None, None, None]), (slurm, ["slurm", "9", "n1", 1, 2, 0]),
                          # mpirun within an allocation: the rank is mpirun's, job and node are Slurm's
                          ({**slurm, **ompi}, ["openmpi", "9", "n1", 5, 8, 3]), (kubernetes, ["kubernetes", "fleet", "k4", 4, 6, None]),
                          ({"SLURM_PROCID": "-1", "OMPI_COMM_WORLD_RANK": "x"}, [None, None, None, None, None, None])):
            path, record = self.record(**env)
            self.assertEqual([record[k] for k in ("launcher", "job", "node", "rank", "ranks", "local_rank")], want)
            self.assertTrue(os.path.basename(path).startswith(f"{want[2] or record['host']}-"))
        self.assertEqual(self.json("bench", "runs")["runs"], [])  # a record is kept in its folder alone

    def test_what_is_kept_of_the_environment(self):
        _, record = self.record(NCCL_ALGO="Ring", NCCL_SOCKET_IFNAME="eth0 or$(x)", RCCL_TOKEN="abc", NCCL_PROXY="http://me:pass@host", CUDA_VISIBLE_DEVICES="0,1",
                                NCCL_LONG="y" * 1000, AWS_SECRET_ACCESS_KEY="zzz", NCCL_lower="1")
        self.assertEqual(record["environment"], "CUDA_VISIBLE_DEVICES=0,1 NCCL_ALGO=Ring NCCL_LONG=" + "y" * 256 + "... NCCL_PROXY='(not kept)' "
                         "NCCL_SOCKET_IFNAME='eth0 or$(x)' RCCL_TOKEN='(not kept)'")

    def test_what_is_refused(self):
        self.write("file", "")
        for args, code in ((("--record", os.path.join(self.home, "file")), 1), (("--record", "x", "--fail-if", "low"), 2), (("--record", "x", "--baseline", "1"), 2)):
            self.exits(code, "bench", "copy", "--device", "cpu", *args)
        self.assertIn("no record here", self.exits(2, "bench", "fleet", self.home)[1])
        path, record = self.record(SLURMD_NODENAME="../../etc/x")
        self.assertEqual(os.path.dirname(path), os.path.join(self.home, "records"))
        record.update(record="started", results=[])
        stub = self.write("stub.json", json.dumps(record))
        self.assertEqual(self.json("bench", "import", stub, code=1)["imported"][0]["reason"], "a record that was begun and not finished: it has no results")
        self.assertEqual(self.json("bench", "fleet", stub, code=5)["summary"]["unfinished"], 1)
        self.assertEqual(self.json("bench", "fleet", path)["summary"]["good"], 1)

    def test_more_files_than_are_read_at_once(self):
        """Each is judged as alone, whoever of the threads reads it; members in any order, and of two alike the last counts."""
        _, record = self.record()
        folder = os.path.join(self.home, "many")
        os.makedirs(folder)
        for i in range(150):
            turned = {**record, "host": f"host{i:03}", "boot_id": f"{i:08}", "results": [dict(reversed(r.items())) for r in record["results"]]}
            text = json.dumps(dict(reversed(turned.items())))
            if i % 50 == 7:
                text = text[:-1]
            elif i % 50 == 8:
                text = text.replace('"taken_at"', '"taken"')
            elif i % 50 == 9:
                text = text[:-1] + ', "host": "last%03d"}' % i
            self.write(os.path.join(folder, f"{i:03}.json"), text)
        fleet = self.json("bench", "fleet", folder, code=5)
        nodes = {n["node"]: n for n in fleet["nodes"]}
        broken, dateless = ([f"{i + k:03}.json" for i in range(0, 150, 50)] for k in (7, 8))
        named = [f"{'last' if i % 50 == 9 else 'host'}{i:03}" for i in range(150) if i % 50 not in (7, 8)]
        self.assertEqual(sorted(nodes), sorted(broken + dateless + named))
        self.assertEqual({name for name, n in nodes.items() if n["state"] == "unreadable"}, {*broken, *dateless})
        self.assertIn("taken_at is missing", json.dumps(nodes[dateless[0]]))
        self.assertEqual({n["device_count"] for name, n in nodes.items() if name in named}, {1})


class Launchers(Machines):
    """The same sixteen under the launchers themselves, where they are installed, by the job files that are shipped."""

    @harness.once
    def test_open_mpi(self):
        if shutil.which("mpirun") is None:
            self.skipTest("Open MPI is not installed (Debian: openmpi-bin)")
        script = self.script("OMPI_COMM_WORLD_RANK", "export SLURMD_NODENAME=$(printf node%02d $(($OMPI_COMM_WORLD_RANK + 1)))")
        env = {**harness.environment(self.home), "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "TMPDIR": "/tmp"}
        # A process that is killed ends the job here: the dead machine comes by itself, as a node that is gone for mpirun does.
        done = subprocess.run(["mpirun", "-np", str(RANKS), "--oversubscribe", "--bind-to", "none", "--mca", "orte_abort_on_non_zero_status", "0",
                               "sh", "-c", f"{script} || exit 0"], env=env, capture_output=True, timeout=200, cwd=self.home)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_fleet(node)
        record = self.record_of(2)
        self.assertEqual([record[k] for k in ("launcher", "rank", "ranks", "node")], ["openmpi", 2, RANKS, "node03"])
        self.assertTrue(record["job"])

    @harness.once
    def test_slurm(self):
        for tool in ("slurmctld", "slurmd", "srun"):
            if shutil.which(tool) is None:
                self.skipTest(f"{tool} is not installed (Debian: slurm-wlm)")
        if os.geteuid() != 0 or not glob.glob("/usr/lib/*/slurm-wlm/auth_none.so"):
            self.skipTest("a Slurm of one machine needs root and the plugin auth_none")
        env = self.slurm()
        script = self.script("SLURM_PROCID")
        job = os.path.join(harness.ROOT, "share/slurm/gpuadvise-fleet.sbatch")
        shim = os.path.join(self.home, "bin")
        os.makedirs(shim)
        # `gpuadvise bench` of the job file becomes the machine of its rank first; `bench fleet` is the program itself
        self.write("bin/gpuadvise", f'#!/bin/sh\n[ "$2" = fleet ] && exec {harness.BIN} "$@"\nexec {script}\n')
        os.chmod(os.path.join(shim, "gpuadvise"), 0o755)
        env = {**env, "PATH": f"{shim}:{env['PATH']}", "GPUADVISE_RECORDS": self.records}
        done = subprocess.run(["salloc", "-Q", f"-N{RANKS}", "--ntasks-per-node=1", "-t", "5", job], env=env, capture_output=True, text=True, timeout=240, cwd=self.home)
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertIn("16 nodes: 11 good, 1 mixed, 1 straggler, 1 throttled, 1 unfinished, 1 faulty.", done.stdout)
        self.check_fleet(node)
        with open(self.records + "/drain.sh", encoding="utf-8") as f:
            drain = f.read()
        # Slurm itself takes the lines
        subprocess.run(["sh", "-e"], input=drain, text=True, env=env, check=True, timeout=60)
        shown = subprocess.run(["sinfo", "-h", "-N", "-o", "%N %T %E"], env=env, capture_output=True, text=True, timeout=60, check=True).stdout
        self.assertEqual({line.split()[0] for line in shown.splitlines() if line.split()[1].startswith("drain")}, {node(r) for r in DRAINED}, shown)

    def slurm(self):
        """Sixteen slurmd and their controller on this machine; their environment."""
        name = os.uname().nodename
        base = 20000 + os.getpid() % 20000
        self.write("slurm.conf", f"""ClusterName=t
SlurmctldHost={name}(127.0.0.1)
SlurmUser=root
SlurmctldPort={base}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={self.home}/state
SlurmdSpoolDir={self.home}/spool-%n
SlurmctldPidFile={self.home}/ctld.pid
SlurmdPidFile={self.home}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/linear
MpiDefault=none
ReturnToService=2
SlurmctldLogFile={self.home}/ctld.log
SlurmdLogFile={self.home}/slurmd-%n.log
NodeName=node[01-{RANKS}] NodeHostname={name} NodeAddr=127.0.0.1 Port=[{base + 1}-{base + RANKS}] CPUs=1 State=UNKNOWN
PartitionName=p Nodes=ALL Default=YES State=UP
""")
        os.makedirs(self.home + "/state")
        env = {**harness.environment(self.home), "SLURM_CONF": self.home + "/slurm.conf"}
        env["PATH"] += ":/usr/sbin:/sbin"
        self.addCleanup(self.stop_slurm)
        subprocess.run(["slurmctld"], env=env, check=True, timeout=60)
        for rank in range(RANKS):
            os.makedirs(f"{self.home}/spool-{node(rank)}")
            subprocess.run(["slurmd", "-N", node(rank)], env=env, check=True, timeout=60)
        for _ in range(100):
            shown = subprocess.run(["sinfo", "-h", "-o", "%t %D"], env=env, capture_output=True, text=True, timeout=60).stdout.split()
            if shown == ["idle", str(RANKS)]:
                return env
            time.sleep(0.3)
        self.fail(f"the nodes did not come up: {shown}")

    def stop_slurm(self):
        for path in [*glob.glob(self.home + "/slurmd-*.pid"), self.home + "/ctld.pid"]:
            if os.path.exists(path):
                with open(path, encoding="utf-8") as f:
                    pid = int(f.read())
                try:
                    os.kill(pid, signal.SIGTERM)
                except ProcessLookupError:
                    continue
                for _ in range(50):
                    if not os.path.exists(f"/proc/{pid}"):
                        break
                    time.sleep(0.1)


class Joined(Machines):
    """The processes of a job as one group: NCCL's stand-in spans processes."""

    def joined(self, n, slow=None, faults=None, args=("--json",), deadline="20", start=None):
        """Runs n ranks at once -> [(exit code, answer, text without --json; standard error)]. start: the ranks that are started, else all."""
        names = (*NVIDIA, "libnccl.so.2")
        base = self.world(names)
        running = []
        for r in start if start is not None else range(n):
            nccl = f"us=10;busbw={20 if r == slow else 50};{(faults or {}).get(r, '')}"
            env = {**harness.environment(self.home), **base, "SLURM_PROCID": str(r), "SLURM_NTASKS": str(n), "SLURM_JOB_ID": "5", "SLURMD_NODENAME": node(r),
                   "FAKE_CUDA": CUDA, "FAKE_NCCL": nccl, "OMP_NUM_THREADS": "1"}
            running.append(subprocess.Popen([harness.BIN, "bench", "all-reduce-large", "--join", os.path.join(self.home, "join"), "--working-set", "1", "--deadline", deadline,
                                             "-q", *args], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.home))
        done = []
        for p in running:
            out, err = p.communicate(timeout=120)
            done.append((p.returncode, json.loads(out) if out and "--json" in args else out, err))
        return done

    @harness.once
    def test_as_text(self):
        done = self.joined(3, slow=1, args=())
        self.assertEqual([code for code, _, _ in done], [4, 0, 0], done)
        self.assertRegex(done[0][1], r"\A3 ranks by libnccl.so.2, [^\n]*\.\nall-reduce-large: [0-9.]+ GB/s\n"
                         r"rank 0 \(node01\): its pairs exchange [0-9.]+ GB/s\nrank 1 \(node02\): its pairs exchange [0-9.]+ GB/s: slow\n"
                         r"rank 2 \(node03\): its pairs exchange [0-9.]+ GB/s\n\Z")
        self.assertEqual([out for _, out, _ in done[1:]], ["", ""])

    @harness.once
    def test_a_slow_rank_is_told_by_its_pairs(self):
        self.write("join", "{}")  # what an earlier attempt left
        self.write("join.rank1", '{"token": "old", "host": "x", "answer": "old", "state": "here", "why": "", "pairs": []}')
        done = self.joined(5, slow=3)
        self.assertEqual([code for code, _, _ in done], [4, 0, 0, 0, 0], done)
        answer = done[0][1]
        self.assertEqual(test_schema.faults("bench-join", answer), [])
        self.assertEqual([(p["rank"], p["host"], p["slow"]) for p in answer["pairs_by_rank"]], [(r, node(r), r == 3) for r in range(5)])
        for _, a, _ in done:
            result, = a["results"]
            self.assertEqual((result["test"], result["verified"], result["gpu_count"], result["unit"], result["device"]), ("all-reduce-large", True, 5, "GB/s", "5xranks"))
            # the slowest rank's 20 GB/s and 10 us
            self.assertAlmostEqual(result["median"], 1.6 * 1.048576e-3 / (1.6 * 1.048576e-3 / 20 + 10e-6), delta=0.5)
        self.assertEqual(glob.glob(self.home + "/join*"), [])

    @harness.once
    def test_wrong_and_missing(self):
        done = self.joined(2, faults={1: "fault=wrong-pair"})
        self.assertEqual([code for code, _, _ in done], [5, 5], done)
        done = self.joined(3, deadline="3", start=(0, 2))
        for code, _, err in done:
            self.assertEqual(code, 1)
            self.assertIn("not all of 3 ranks came in time: rank 1 (no note)", err)
        done = self.joined(3, deadline="3", faults={2: "fault=late"})
        self.assertEqual([code for code, _, _ in done], [1, 1, 1])
        self.assertIn("rank 2 (node03)", done[0][2])
        self.assertIn("is for the processes of a job", self.exits(2, "bench", "--join", "x")[1])


class JobFiles(unittest.TestCase):
    """The shipped job files parse, and say what the program understands."""

    def read(self, name):
        with open(os.path.join(harness.ROOT, "share", name), encoding="utf-8") as f:
            return f.read()

    def test_scripts(self):
        for shell, name in (("bash", "slurm/gpuadvise-fleet.sbatch"), ("sh", "openmpi/gpuadvise-fleet.sh")):
            done = subprocess.run([shell, "-n", os.path.join(harness.ROOT, "share", name)], capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn('--record "$records"', self.read(name))

    def test_kubernetes(self):
        text = self.read("kubernetes/gpuadvise-fleet.yaml")
        for words in ("completionMode: Indexed", "args: [bench, --record, /records]", "fieldPath: spec.nodeName", "{name: JOB_COMPLETIONS, value: \"16\"}", "completions: 16\n"):
            self.assertIn(words, text)
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is not installed")
        claim, job = yaml.safe_load_all(text)
        spec = job["spec"]
        pod = spec["template"]["spec"]
        container, = pod["containers"]
        env = {e["name"]: e.get("value") for e in container["env"]}
        self.assertEqual((int(env["JOB_COMPLETIONS"]), spec["parallelism"]), (spec["completions"], spec["completions"]))
        self.assertEqual(pod["volumes"][0]["persistentVolumeClaim"]["claimName"], claim["metadata"]["name"])
        self.assertLessEqual({"NODE_NAME", "JOB_NAME"}, set(env))


if __name__ == "__main__":
    harness.main()
