"""bench on GPUs that are not there: stand-ins for the vendors' libraries (tests/fake/gpu) and trees that stand for /sys."""
import os
import shutil
import signal
import struct
import subprocess
import time

import harness
from test_bench import kfd, nvidia, pci, put

FAKE = os.environ.get("GPUADVISE_FAKE_GPU", os.path.join(harness.ROOT, "build/dev/fake-gpu/libfake_gpu.so"))
NVIDIA = ("libcuda.so.1", "libnvidia-ml.so.1")
AMD = ("libamdhip64.so.6", "libhiprtc.so.6")
PRODUCTS = ("libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11", "libhipblaslt.so.1", "libhipblaslt.so.0")
NVRTC = ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so")
SUMS = ("libnccl.so.2", "libnccl.so", "librccl.so.1", "librccl.so")
SMALL = ("bench", "--quick", "--working-set", "1")
H100 = "pci=0000:07:00.0;name=NVIDIA H100 80GB HBM3;units=132;cc=90;driver=12040"
MI300X = "pci=0000:05:00.0;name=AMD Instinct MI300X;units=304;gfx=gfx942"


class World(harness.Case):
    """A home, a tree that stands for the machine, and a folder of libraries."""
    seeded = True

    def setUp(self):
        super().setUp()
        self.root = os.path.join(self.home, "root")
        self.libraries = os.path.join(self.home, "libraries")
        os.makedirs(self.libraries)

    def world(self, names, **variables):
        """The environment of a program that finds these libraries, and devices as the variables say."""
        for name in (*names, *PRODUCTS, *NVRTC, *SUMS):
            path = os.path.join(self.libraries, name)
            if name in names and os.path.exists(path) and not os.path.islink(path):
                os.remove(path)
            if name in names and not os.path.islink(path):
                os.symlink(FAKE, path)
            elif not os.path.exists(path):
                put(self.libraries, name)  # this machine's own is not meant: no library is in an empty file
        asan = os.environ.get("ASAN_OPTIONS", "") + ":handle_segv=0:handle_abort=0:detect_leaks=0"
        return {"LD_LIBRARY_PATH": self.libraries, "GPUADVISE_SYSROOT": self.root, "ASAN_OPTIONS": asan, **variables}

    def interrupted(self, world_with, *args):
        """The answer of a bench that Ctrl-C ends while it hangs: world_with(mark) makes its world, which leaves that file when it hangs."""
        mark = os.path.join(self.home, "hangs")
        env = harness.environment(self.home) | world_with(mark)
        p = subprocess.Popen([harness.BIN, *SMALL, *args, "--json"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not os.path.exists(mark) and p.poll() is None:
            time.sleep(0.05)
        p.send_signal(signal.SIGINT)
        out, err = p.communicate(timeout=30)
        self.assertEqual(p.returncode, 130, err)
        answer = harness.parse_json(out.decode())
        self.assertFalse(answer["complete"])
        return answer


class Gpu(World):
    def h100(self, cuda="", nvml="", names=NVIDIA):
        if not os.path.isdir(os.path.join(self.root, "proc")):
            nvidia(self.root, "0000:07:00.0", "0x2330", "0x16c1", "NVIDIA H100 80GB HBM3")
        return self.world(names, FAKE_CUDA=f"{H100};{cuda}", FAKE_NVML=nvml)

    def mi300x(self, hip="", parts=1, mode="SPX", memory="NPS1", rtc="", device="0x74a1", target=90402, units=304, gib=192):
        pci(self.root, "0000:05:00.0", "0x1002", device, "0x1002", device, "0x00", "0x120000", "amdgpu",
            current_compute_partition=mode, current_memory_partition=memory)
        for i in range(parts):
            kfd(self.root, 2 + i, target, units // parts, gib / parts, 0x500 + i, 128 + i)
        put(self.root, "dev/kfd")
        return self.world(AMD, FAKE_HIP=f"{MI300X};{hip}", FAKE_RTC=rtc)

    def bench(self, env, *args, code=0, timeout=80):
        return self.json(*SMALL, *args, env=env, code=code, timeout=timeout)

    def one(self, env, *args, code=0):
        answer = self.bench(env, *args, code=code)
        device, = answer["devices"]
        return device, answer["results"]

    # ------------------------------------------------------------ whole boards

    def test_every_kernel_on_an_h100(self):
        # Checking them all takes the sanitizers a minute: there one of each way to measure.
        some = ("copy", "latency", "gemm-fp32", "gemv-int8", "gemm-fp8", "gemm-fp8-fnuz", "gemm-bf16-wgmma", "atomics", "launch") if harness.SANITIZED else ()
        answer = self.bench(self.h100(nvml="clock=1755;temp=61"), *some)
        device, = answer["devices"]
        self.assertEqual((device["state"], device["sku_id"], device["why"]), ("tested", "h100-sxm5-80gb", None))
        self.assertIn("sm_90a, PTX 8.4 by libcuda.so.1 of CUDA 12.4", device["how"])
        self.assertEqual(len(answer["results"]), len(some) or 43)
        self.assertEqual([r["test"] for r in answer["results"] if not r["verified"]], ["gemm-fp8-fnuz", *([] if some else ["gemm-mxfp4"])])
        for r in answer["results"]:
            self.assertEqual(r["device"], "gpu0")
            if r["verdict"] == "not supported":
                continue
            self.assertTrue(r["verified"], r)
            self.assertGreater(r["median"], 0)
            self.assertLessEqual(r["max_error_of_bound"], 1)
            self.assertEqual((r["clock_mhz"], r["temperature_c"], r["throttle"]), (1755, 61, None))
        self.assertIn("no real GPU", answer["note"])
        self.assertEqual(self.json("bench", "runs", "1")["results"], answer["results"])

    def test_an_mi300x(self):
        # All entries of its code object are named by cli.device_code; here those that only it has, and one of each kind of arguments.
        device, results = self.one(self.mi300x(), "copy", "read", "rotary", "gemm-tf32", "gemm-fp8", "gemm-fp8-fnuz", "moe-gather", "launch")
        self.assertEqual((device["state"], device["sku_id"]), ("tested", "mi300x-192gb"))
        self.assertIn("gfx942 code object by libamdhip64.so.6, HIP 6.3", device["how"])
        self.assertEqual(len(results), 8)
        self.assertEqual([r["test"] for r in results if not r["verified"]], ["gemm-fp8"])

    def test_copies_between_host_and_device(self):
        copies = ("h2d-pinned", "d2h-pinned", "h2d-pageable", "d2h-pageable")
        for env, name in ((self.h100("link=51"), "h100"), (self.mi300x("link=51"), "mi300x")):
            answer = self.bench(env, *copies, "--device", name)
            results = {r["test"]: r for r in answer["results"]}
            self.assertEqual(list(results), list(copies))
            for r in results.values():
                self.assertTrue(r["verified"] and r["unit"] == "GB/s" and r["shape"] == "1048576", r)
                self.assertEqual((r["checked"], r["max_error"]), (1 + 4099 + 65537 + 1048576, 0))
                self.assertGreater(r["median"], 0)
            # Ordinary memory would reach half of that here.
            self.assertAlmostEqual(results["h2d-pinned"]["median"], 51, delta=3)
            self.assertEqual(results["h2d-pinned"]["verdict"], "as expected" if name == "h100" else "no reference")
            self.assertEqual(results["h2d-pageable"]["verdict"], "no reference")
        for node, words in ((-1, "names no NUMA node of this GPU"), (0, "NUMA node 0"), (1000, "not bound to NUMA node 1000: ")):
            put(self.root, "sys/bus/pci/devices/0000:07:00.0/numa_node", f"{node}\n")
            r, = self.bench(self.h100("link=20"), "d2h-pinned", "--device", "h100")["results"]
            self.assertEqual(r["verdict"], "low")
            self.assertIn(words, r["path"])

    @harness.once
    def test_copies_that_go_wrong(self):
        for fault, test in (("wrong-h2d", "h2d-pinned"), ("wrong-d2h", "d2h-pinned")):
            _, (r,) = self.one(self.h100(f"copies={fault}"), test, code=5)
            self.assertEqual((r["verdict"], r["median"]), ("wrong", None))
            self.assertIn("1 of 1 bytes arrived wrong, the first at 0", r["error"])
        _, results = self.one(self.h100("lockable=0"), "h2d-pinned", "h2d-pageable", code=5)
        self.assertIn("locked host memory: cuMemHostAlloc: error 2: out of memory", results[0]["error"])
        self.assertTrue(results[1]["verified"])

    # ------------------------------------------------------------ the vendors' products beside ours

    def beside(self, vendor, tests, lt="", code=0, *args):
        if vendor == "nvidia":
            env = self.h100(names=(*NVIDIA, "libcublasLt.so.12"))
        else:
            env = {**self.mi300x(), **self.world(["libhipblaslt.so.1"], FAKE_HIP=MI300X + ";")}
        answer = self.bench({**env, "FAKE_LT": lt}, *tests, *args, code=code)
        return {r["test"]: r for r in answer["results"]}, answer

    def test_products_of_the_vendors_libraries(self):
        gemms = ("gemm-fp32", "gemm-tf32", "gemm-fp16", "gemm-bf16", "gemm-int8", "gemm-fp8", "gemm-fp8-fnuz")
        some = ("gemm-fp32", "gemm-int8", "gemm-fp8", "gemm-fp8-fnuz")
        for vendor, tests, without, name in (("nvidia", some if harness.SANITIZED else gemms, "gemm-fp8-fnuz", "libcublasLt.so.12"),
                                             ("amd", some[1:], "gemm-fp8", "libhipblaslt.so.1")):
            results, answer = self.beside(vendor, tests, "gflops=600")
            self.assertEqual(answer["warnings"][1:], [], vendor)
            missing = results.pop(without)["verdict"]
            self.assertEqual(missing, "not supported")
            for r in results.values():
                self.assertTrue(r["verified"], r)
                self.assertEqual(r["library"], name)
                self.assertAlmostEqual(r["library_ceiling"], 600, delta=6)
            shutil.rmtree(self.root)

    def test_no_library_beside_ours(self):
        r, = self.bench(self.h100(), "gemm-bf16")["results"]
        self.assertTrue(r["verified"])
        self.assertEqual((r["library"], r["library_ceiling"]), (None, None))

    @harness.once
    def test_libraries_that_go_wrong(self):
        cases = [("crash", "signal 11"), ("wrong", "checked outputs are wrong"), ("stray", "wrote outside its output"), ("unsupported", "status 15: not supported"),
                 ("none", "no way to compute this product")]
        for fault, words in cases:
            results, answer = self.beside("nvidia", ("gemm-int8", "launch"), "fault=" + fault)
            self.assertTrue(results["gemm-int8"]["verified"] and results["launch"]["verified"], fault)
            self.assertIsNone(results["gemm-int8"]["library_ceiling"])
            self.assertTrue(any(words in w for w in answer["warnings"]), (fault, answer["warnings"]))
        results, answer = self.beside("nvidia", ("gemm-int8", "launch"), "fault=hang", 0, "--deadline", "12" if harness.SANITIZED else "5")
        self.assertTrue(results["launch"]["verified"])
        self.assertTrue(any("deadline" in w for w in answer["warnings"]))

    def judged(self, bw, nvml="", code=0):
        """By a working set that the caches do not hold: 200 MiB on an H100."""
        answer = self.json("bench", "--quick", "--working-set", "208", "triad", env=self.h100(f"bw={bw};memory=80", nvml), code=code)
        result, = answer["results"]
        return result

    def test_verdict_as_expected(self):
        r = self.judged(2960, "power=512")
        self.assertEqual(r["verdict"], "as expected")
        self.assertAlmostEqual(r["datasheet"], 3350, delta=10)
        self.assertAlmostEqual(r["pct_of_datasheet"], 88.3, delta=0.5)
        self.assertIn("BabelStream", r["expected_source"])
        self.assertIsNone(r["cause"])
        self.assertAlmostEqual(r["power_w"], 512, delta=30)  # by the energy counter

    @harness.once
    def test_verdict_low_by_heat(self):
        r = self.judged(2000, "reasons=64")
        self.assertEqual((r["verdict"], r["throttle"]), ("low", "heat"))
        self.assertIn("clocks held down by heat", r["cause"])
        text = " ".join(self.ok("bench", "runs", "1").split())
        self.assertIn("Probable cause: clocks held down by heat", text)
        self.assertIn("gpu0 under load: 1980 to 1980 MHz, 450 to 450 W, 55 to 55 C, clocks held down in 1 test by heat.", text)

    @harness.once
    def test_verdict_a_little_low_under_a_power_cap(self):
        r = self.judged(2700, "limit=400;default=700;reasons=4")
        self.assertEqual((r["verdict"], r["throttle"]), ("a little low", "power cap"))
        self.assertIn("power limit 400 W, default 700 W", r["cause"])

    def test_figures_of_the_cache_are_not_judged(self):
        answer = self.bench(self.h100("bw=9000"), "triad")
        self.assertEqual(answer["results"][0]["verdict"], "no reference")
        self.assertTrue(any("figures of the cache" in w for w in answer["warnings"]))

    # ------------------------------------------------------------ what estimates may rest on

    def a10g(self, cuda="", nvml="", *args, code=0):
        """The first result of a run on a GPU whose caches a small working set outgrows."""
        if not os.path.isdir(os.path.join(self.root, "proc")):
            nvidia(self.root, "0000:07:00.0", "0x2237", "0x152f", "NVIDIA A10G")
        env = self.world(NVIDIA, FAKE_CUDA=f"pci=0000:07:00.0;name=NVIDIA A10G;units=80;cc=86;driver=12040;cache=6;memory=24;{cuda}", FAKE_NVML=nvml)
        return self.json("bench", "--quick", "--working-set", "26", "copy", *args, env=env, code=code)["results"][0]

    def tpot(self):
        answer = self.json("estimate", "--model", "llama-3.1-8b", "--gpu", "a10g", "--batch", "4")
        return answer["tpot_ms"]["value"], answer["tpot_ms"]["basis"], [n["why"] for n in answer["not_taken"]]

    @harness.once
    def test_polluted_runs_change_no_estimate(self):
        before = self.tpot()
        cases = [("bw=70;memory=3;units=10", "mig=1", (), "a MIG slice: 12.5 % of the GPU"), ("bw=270", "processes=3;util=90", ("--shared",), "others computed on the GPU"),
                 ("bw=270", "reasons=32;temp=95", (), "clocks held down by heat"), ("bw=520", "reasons=4;limit=200;default=300", (), "power limit 200 W of 300 W"),
                 ("bw=360", "ecc_errors=3", (), "3 uncorrected memory errors"), ("bw=580", "", ("--working-set", "8"), "its working set lies in the caches")]
        for cuda, nvml, options, why in cases:
            self.a10g(cuda, nvml, *options, code=5 if "ecc" in nvml else 0)
            self.assertEqual(self.tpot(), (*before[:2], [why]))
        self.a10g("bw=360")
        value, basis, _ = self.tpot()
        self.assertEqual(basis, "measured")
        self.assertGreater(value, 1.2 * before[0])

    @harness.once
    def test_more_than_the_datasheet_is_impossible(self):
        r = self.a10g("bw=1000", code=5)
        self.assertEqual((r["verdict"], r["verified"], r["median"], r["burst"], r["expected_low"]), ("impossible", False, None, None, None))
        self.assertRegex(r["error"], r"^\d+ GB/s are 16\d\.\d % of the datasheet's 600: a cache")
        self.assertEqual(self.tpot()[2], ["its result is impossible"])
        self.assertTrue(self.a10g("bw=612")["verified"])  # 102 %

    def test_what_a_run_keeps(self):
        env = self.h100("memory=80", "limit=650;default=700")
        put(self.root, "proc/sys/kernel/random/boot_id", "0b6f5a7e-1111-4222-8333-444455556666\n")
        answer = self.bench(env, "copy", "gemm-bf16")
        self.assertEqual((answer["host"], answer["boot_id"], answer["quick"]), (os.uname().nodename, "0b6f5a7e-1111-4222-8333-444455556666", True))
        device, = answer["devices"]
        self.assertEqual((device["share"], device["part"], device["shared"], device["power_limit_w"], device["power_default_w"], device["ecc_errors"]), (1, None, False, 650, 700, 0))
        self.assertEqual((device["code"], device["uuid"], device["vbios"]), ("sm_90a, PTX 8.4", "GPU-00000000-1111-2222-3333-444444444444", "96.00.89.00.01"))
        self.assertEqual([r["in_cache"] for r in answer["results"]], [True, None])
        again = self.json("bench", "runs", "1")
        self.assertEqual([again[k] for k in ("host", "boot_id", "quick", "devices", "results")], [answer[k] for k in ("host", "boot_id", "quick", "devices", "results")])
        exported, = self.json("bench", "export")["runs"]
        self.assertEqual((exported["devices"], exported["host"]), (answer["devices"], answer["host"]))

    # ------------------------------------------------------------ parts of GPUs

    def test_mig_slice_is_no_whole_board(self):
        device, results = self.one(self.h100("units=42;memory=40", "mig=1"), "triad")
        self.assertEqual(device["state"], "tested")
        self.assertIn("MIG slice of 42 multiprocessors", device["how"])
        self.assertEqual((results[0]["verdict"], results[0]["expected_low"]), ("no reference", None))

    @harness.once
    def test_mig_slice_has_its_share_of_the_datasheet(self):
        answer = self.json("bench", "--quick", "--working-set", "208", "triad", env=self.h100("units=42;memory=40;bw=1500", "mig=1"))
        self.assertAlmostEqual(answer["results"][0]["datasheet"], 3350 / 2, delta=10)

    def test_mi250_is_two_devices(self):
        for i, bus in enumerate((0x29, 0x2c)):
            pci(self.root, f"0000:{bus:02x}:00.0", "0x1002", "0x740c", "0x1002", "0x0b0c", "0x01", "0x038000", "amdgpu")
            kfd(self.root, i + 1, 90010, 104, 64, bus << 8, 128 + i)
        put(self.root, "dev/kfd")
        answer = self.bench(self.world(AMD, FAKE_HIP="pci=0000:29:00.0,0000:2c:00.0;units=104;gfx=gfx90a"), "triad", "copy")
        self.assertEqual([d["state"] for d in answer["devices"]], ["tested"] * 2)
        self.assertEqual([(r["device"], r["test"]) for r in answer["results"]], [("gpu0", "copy"), ("gpu0", "triad"), ("gpu1", "copy"), ("gpu1", "triad")])
        self.assertTrue(all("gfx90a code object" in d["how"] for d in answer["devices"]))

    def test_mi300x_cpx(self):
        functions = ",".join(f"0000:05:00.{i}" for i in range(8))
        answer = self.bench(self.mi300x(f"pci={functions};units=38", parts=8, mode="CPX", memory="NPS4").copy(), "triad", code=0)
        self.assertEqual([d["state"] for d in answer["devices"]], ["tested"] * 8)
        self.assertIn("CPX/NPS4, part 3 of 8", answer["devices"][2]["how"])
        self.assertEqual([r["expected_low"] for r in answer["results"]], [None] * 8)

    @harness.once
    def test_eight_h100(self):
        addresses = [f"0000:{0x10 + i:02x}:00.0" for i in range(8)]
        for i, address in enumerate(addresses):
            nvidia(self.root, address, "0x2330", "0x16c1", "NVIDIA H100 80GB HBM3", i)
        # CUDA may order them as it likes: addresses count.
        env = self.world(NVIDIA, FAKE_CUDA=f"{H100};".replace("0000:07:00.0", ",".join(reversed(addresses))))
        answer = self.bench(env, "copy")
        self.assertEqual([(d["id"], d["pci"], d["state"]) for d in answer["devices"]], [(f"gpu{i}", a, "tested") for i, a in enumerate(addresses)])
        one = self.bench(env, "copy", "--device", "gpu5")
        self.assertEqual([d["pci"] for d in one["devices"]], ["0000:15:00.0"])

    # ------------------------------------------------------------ what a job was given

    def node(self, shown=range(8), nodes=range(8), **variables):
        """Eight H100 in sysfs; the driver shows some of them, device files are there for some."""
        shutil.rmtree(self.root, ignore_errors=True)
        addresses = [f"0000:{0x10 + i:02x}:00.0" for i in range(8)]
        for i, address in enumerate(addresses):
            nvidia(self.root, address, "0x2330", "0x16c1", "NVIDIA H100 80GB HBM3", i)
            if i not in nodes:
                os.remove(os.path.join(self.root, f"dev/nvidia{i}"))
        return self.world(NVIDIA, FAKE_CUDA=H100.replace("0000:07:00.0", ",".join(addresses[i] for i in shown)), **variables)

    def states(self, env, *args, code=0):
        return [d["state"] for d in self.bench(env, "copy", *args, code=code)["devices"] if d["pci"] is not None]

    def test_part_of_a_node(self):
        given = ["tested" if i in (2, 5) else "not in this allocation" for i in range(8)]
        self.assertEqual(self.states(self.node((2, 5), CUDA_VISIBLE_DEVICES="2,5")), given)
        self.assertEqual(self.states(self.node((2, 5)), code=5), ["tested" if i in (2, 5) else "not tested" for i in range(8)])  # nothing says why: lost, perhaps
        self.assertEqual(self.states(self.node((2, 5), CUDA_VISIBLE_DEVICES="2,5"), "--device", "gpu2,gpu5"), ["tested"] * 2)
        self.assertEqual(self.states(self.node((2, 5), CUDA_VISIBLE_DEVICES="2,5"), "--device", "2,3", code=5), ["tested", "not tested"])  # named, and not here
        self.assertEqual(self.states(self.node((2, 5), (2, 5))), given)
        why = self.bench(self.node((2, 5), (2, 5)), "copy")["devices"][0]["why"]
        self.assertIn("its device file is kept from this process", why)
        _, err = self.exits(2, "bench", "--device", "cpu,gpu1")
        self.assertIn("the CPU is tested by itself", err)
        _, err = self.exits(5, "bench", "--device", "gpu2,gpu9", "copy", *SMALL[1:], env=self.node((2, 5)))
        self.assertIn("no GPU 'gpu9' on this machine", err)

    def test_one_slice_of_a_node_with_busy_neighbours(self):
        env = self.node((0,)) | {"FAKE_NVML": "mig=1;processes=5;util=100"}
        env["FAKE_CUDA"] += ";units=16;memory=10"
        answer = self.bench(env, "copy")
        self.assertEqual([d["state"] for d in answer["devices"]], ["tested"] + ["not in this allocation"] * 7)
        self.assertEqual((answer["devices"][0]["part"], answer["devices"][0]["shared"]), ("MIG slice", None))

    def test_one_partition_of_an_mi300x(self):
        env = self.mi300x("pci=0000:05:00.0;units=38;memory=24", parts=8, mode="CPX", memory="NPS4")
        for i in range(1, 8):
            os.remove(os.path.join(self.root, f"dev/dri/renderD{128 + i}"))
        answer = self.bench(env, "copy")
        self.assertEqual([d["state"] for d in answer["devices"]], ["tested"] + ["not in this allocation"] * 7)
        self.assertEqual((answer["devices"][0]["part"], answer["devices"][0]["share"]), ("partition", 0.125))

    # ------------------------------------------------------------ gates

    def gated(self, gate, cuda, nvml, code):
        _, err = self.exits(code, "bench", "--quick", "--working-set", "208", "triad", "--fail-if", gate, env=self.h100(f"memory=80;{cuda}", nvml))
        return err

    @harness.once
    def test_gates(self):
        err = self.gated("low,throttled,ecc", "bw=2000", "reasons=64;ecc_corrected=9", 4)
        for words in ("gate 'low': triad of gpu0: 2000 GB/s", "gate 'throttled': triad of gpu0: clocks held down by heat", "gate 'ecc': gpu0: 9 corrected memory errors"):
            self.assertIn(words, err)
        self.assertEqual(self.gated("low,throttled,ecc,mixed", "bw=2960", "reasons=4", 0), "")  # its power cap at the default limit is the GPU's own
        self.assertIn("gate 'throttled'", self.exits(4, "bench", "copy", *SMALL[1:], "--fail-if", "throttled", env=self.h100(nvml="reasons=4;limit=400;default=700"))[1])
        self.exits(5, "bench", "copy", *SMALL[1:], "--fail-if", "low", env=self.h100(nvml="remap_pending=1"))
        self.exits(2, "bench", "--fail-if", "hot")
        env = self.node(range(2), range(2))
        self.exits(0, "bench", "copy", *SMALL[1:], "--fail-if", "mixed", env=env)
        put(self.root, "sys/bus/pci/devices/0000:11:00.0/device", "0x2331\n")
        put(self.root, "sys/bus/pci/devices/0000:11:00.0/subsystem_device", "0x1626\n")
        _, err = self.exits(4, "bench", "copy", *SMALL[1:], "--fail-if", "mixed", env=env)
        self.assertIn("gate 'mixed': gpu0 and gpu1 differ in their model", err)

    def test_memory_that_is_faulty(self):
        for nvml, words in (("ecc_errors=3", "3 uncorrected memory errors since its driver was loaded"), ("remap_pending=1", "rows of its memory wait to be remapped")):
            _, err = self.exits(5, "bench", "copy", *SMALL[1:], env=self.h100(nvml=nvml))
            self.assertIn(words, err)

    def test_two_vendors(self):
        env = {**self.h100(), **self.mi300x()}
        answer = self.bench(env, "triad")
        self.assertEqual([(d["vendor"], d["state"]) for d in answer["devices"]], [("amd", "tested"), ("nvidia", "tested")])

    # ------------------------------------------------------------ code

    def test_old_driver_gets_old_ptx(self):
        device, _ = self.one(self.h100("driver=11000;cc=80"), "copy")
        self.assertIn("sm_80, PTX 7.0 by libcuda.so.1 of CUDA 11.0", device["how"])

    def test_driver_too_old_for_any_ptx(self):
        device, results = self.one(self.h100("driver=8000"), "copy", code=5)
        self.assertEqual((device["state"], results), ("not tested", []))
        self.assertIn("the driver is too old", device["why"])

    def test_ptx_refused(self):
        device, _ = self.one(self.h100("refuse=218"), "copy", code=5)
        self.assertIn("the driver refused the PTX", device["why"])
        self.assertIn("NVRTC (libnvrtc.so) is not here", device["why"])

    def test_a_driver_without_a_compiler_gets_what_nvrtc_makes(self):
        env = self.h100("refuse=221", names=(*NVIDIA, "libnvrtc.so.12"))
        device, (r,) = self.one(env, "triad")
        self.assertIn("sm_90, compiled here by NVRTC", device["how"])
        self.assertTrue(r["verified"])
        device, _ = self.one({**env, "FAKE_RTC": "fail"}, "copy", code=5)
        self.assertIn("the driver has no PTX compiler", device["why"])
        self.assertIn("NVRTC does not compile it: error 6: kernels.hip:1:2: error: unknown type name 'gk_size'", device["why"])
        device, _ = self.one(self.h100("refuse=221;cc=100", names=(*NVIDIA, "libnvrtc.so.12")), "copy")
        self.assertIn("sm_100, compiled here by NVRTC", device["how"])

    def test_mi355x_by_hiprtc(self):
        device, results = self.one(self.mi300x("gfx=gfx950", device="0x75a3", target=90500, units=256, gib=288), "triad", "gemm-mxfp4")
        self.assertEqual(device["sku_id"], "mi355x-288gb")
        self.assertIn("gfx950, compiled here by hipRTC", device["how"])
        self.assertTrue(results[0]["verified"] and results[1]["verified"])
        self.assertEqual((results[1]["dtype"], results[1]["datasheet"]), ("mxfp4", 10066300))

    def mi355x(self, rtc):
        return self.one(self.mi300x("gfx=gfx950", device="0x75a3", target=90500, units=256, gib=288, rtc=rtc), "triad", code=5)[0]["why"]

    def test_hiprtc_fails(self):
        self.assertIn("unknown type name 'gk_size'", self.mi355x("fail"))

    def test_hiprtc_aborts(self):
        self.assertIn("signal 6", self.mi355x("abort"))

    def test_rx_7900_xtx(self):
        pci(self.root, "0000:03:00.0", "0x1002", "0x744c", "0x1eae", "0x7901", "0xc8", "0x030000", "amdgpu")
        kfd(self.root, 1, 110000, 96, 24, 0x300, 128)
        put(self.root, "dev/kfd")
        device, results = self.one(self.world(AMD, FAKE_HIP="pci=0000:03:00.0;units=48;gfx=gfx1100"), "triad")
        self.assertEqual(device["sku_id"], "rx-7900-xtx-24gb")
        self.assertIn("gfx1100 code object", device["how"])
        self.assertTrue(results[0]["verified"])

    # ------------------------------------------------------------ what keeps a program out

    def not_tested(self, env, words, *args):
        device, results = self.one(env, "copy", *args, code=5)
        self.assertEqual((device["state"], results), ("not tested", []))
        self.assertIn(words, device["why"])

    def test_no_library(self):
        self.not_tested(self.h100(names=()), "install NVIDIA's driver")

    def test_no_amd_library(self):
        env = self.mi300x()
        os.remove(os.path.join(self.libraries, AMD[0]))
        self.not_tested(env, "install ROCm's runtime")

    def test_stub_driver(self):
        self.not_tested(self.h100("init=34"), "stub")

    def test_no_device(self):
        self.not_tested({**self.h100("init=100"), "CUDA_VISIBLE_DEVICES": "7"}, "CUDA_VISIBLE_DEVICES=7")

    def test_another_device_only(self):
        self.not_tested(self.h100().copy() | {"FAKE_CUDA": H100.replace("07:00", "08:00")}, "does not show 0000:07:00.0")

    def test_driver_mismatch(self):
        self.not_tested(self.h100("init=803"), "reboot")

    def test_exclusive_mode(self):
        self.not_tested(self.h100("retain=46"), "exclusive")

    def test_too_old_library(self):
        env = self.h100(names=())
        source = os.path.join(self.home, "old.c")
        self.write("old.c", "unsigned cuInit(unsigned f) { return f; }\n")
        subprocess.run(["cc", "-shared", "-fPIC", source, "-o", os.path.join(self.libraries, "libcuda.so.1")], check=True)
        self.not_tested(env, "symbol cuDriverGetVersion is missing")

    def test_busy_gpu_is_refused(self):
        self.not_tested(self.h100(nvml="processes=2"), "2 other processes are computing on it")
        self.not_tested(self.h100(nvml="util=97;processes=-1"), "97 % busy")
        self.assertEqual(self.one(self.h100(nvml="util=100"), "copy")[0]["state"], "tested")  # no process: some GPUs say 100 % when they are idle
        answer = self.bench(self.h100(nvml="processes=1"), "copy", "--shared")
        self.assertEqual(answer["devices"][0]["state"], "tested")
        self.assertTrue(any("shared GPU" in w for w in answer["warnings"]))

    def test_cuda_without_nvml(self):
        device, results = self.one(self.h100(names=NVIDIA[:1]), "copy")
        self.assertIn("no NVML", device["how"])
        self.assertEqual((results[0]["clock_mhz"], results[0]["power_w"], results[0]["temperature_c"]), (None, None, None))

    def test_board_remarks(self):
        device, _ = self.one(self.h100(nvml="ecc=0;ecc_errors=3;limit=300;default=700;width=8"), "copy", code=5)
        for words in ("ECC off", "3 uncorrected memory errors", "power limit 300 W of 700 W", "PCIe x8 of x16"):
            self.assertIn(words, device["how"])

    def test_wsl(self):
        put(self.root, "dev/dxg")
        put(self.root, "usr/lib/wsl/lib/libcuda.so.1")
        env = self.world(NVIDIA[:1], FAKE_CUDA=H100.replace("H100 80GB HBM3", "L40S"))
        device, results = self.one(env, "copy")
        self.assertEqual((device["state"], device["name"], device["sku_id"], device["driver"]), ("tested", "NVIDIA L40S", "l40s-48gb", "dxgkrnl (WSL)"))
        self.assertTrue(results[0]["verified"])

    # ------------------------------------------------------------ faults while testing

    def faulty(self, cuda, *tests, code=5, args=()):
        answer = self.bench(self.h100(cuda), *tests, *args, code=code)
        return answer["devices"][0], {r["test"]: r for r in answer["results"]}

    def test_out_of_memory(self):
        device, results = self.faulty("memory=0.0009", "copy")
        self.assertIn("out of memory", results["copy"]["error"])
        self.assertEqual(results["copy"]["verdict"], "failed")

    def test_crash_takes_one_test_only(self):
        device, results = self.faulty("crash=gk_scale", "copy", "scale", "add")
        self.assertEqual([results[t]["verified"] for t in ("copy", "scale", "add")], [True, False, True])
        self.assertIn("signal 11", results["scale"]["error"])
        self.assertEqual(device["state"], "tested")

    def test_hang_ends_at_the_deadline(self):
        start = time.monotonic()
        device, results = self.faulty("hang=gk_scale", "copy", "scale", "add", args=("--deadline", "10" if harness.SANITIZED else "4"))
        self.assertLess(time.monotonic() - start, 60)
        self.assertTrue(results["copy"]["verified"])
        self.assertIn("deadline", results["scale"]["error"])
        self.assertNotIn("add", results)
        self.assertEqual(device["state"], "failed")

    def test_lost_device(self):
        mark = os.path.join(self.home, "gone")
        device, results = self.faulty(f"error=gk_scale:999;mark={mark}", "copy", "scale", "add")
        self.assertTrue(results["copy"]["verified"])
        self.assertIn("fallen off the bus", results["scale"]["error"])
        self.assertNotIn("add", results)
        self.assertEqual(device["state"], "failed")
        self.assertIn("cannot be opened again", device["why"])
        self.assertEqual(self.json("bench", "runs", "1")["devices"][0]["state"], "failed")

    def test_ecc_error(self):
        device, results = self.faulty("error=gk_scale:214", "scale", "add")
        self.assertIn("uncorrectable ECC error", results["scale"]["error"])
        self.assertTrue(results["add"]["verified"])

    def test_three_failures_end_it(self):
        device, results = self.faulty("crash=gk_copy", "copy")
        self.assertEqual(device["state"], "tested")
        device, results = self.faulty("memory=0.0009", "copy", "scale", "add", "triad")
        self.assertEqual((device["state"], len(results)), ("failed", 3))

    def test_wrong_results_have_no_speed(self):
        device, results = self.faulty("wrong=gk_triad", "triad", "copy")
        self.assertEqual((results["triad"]["verdict"], results["triad"]["median"]), ("wrong", None))
        self.assertTrue(results["copy"]["verified"])
        device, results = self.faulty("stray=gk_triad", "triad")
        self.assertIn("wrote outside its output", results["triad"]["error"])

    # Each way to compute an output: words one by one, rows, tiles of each kind of product, sequences.
    UNDER_LOAD = ("copy", "triad", "rotary", "swiglu", "rmsnorm", "softmax", "gemm-fp32", "gemm-tf32", "gemm-fp16", "gemm-bf16", "gemm-int8", "gemm-fp8", "gemm-bf16-wgmma",
                  "gemv-bf16", "attention-gqa")

    def test_wrong_under_load_only(self):
        tests = ("triad", "gemm-int8") if harness.SANITIZED else self.UNDER_LOAD
        for after in (20, 300) if not harness.SANITIZED else (20,):
            device, results = self.faulty(f"wrong_after={after}", *tests)
            for test, r in results.items():
                self.assertEqual((r["verdict"], r["verified"], r["median"], r["p5"], r["burst"]), ("wrong", False, None, None, None), test)
                self.assertRegex(r["error"], r"^right when it was checked, wrong under load: 1 of \d+ words of output \d+ differ: word \d+ is [0-9a-f]{8}, it was [0-9a-f]{8}$")
            self.assertEqual(set(results), set(tests))

    @harness.once
    def test_a_multiprocessor_that_is_always_wrong(self):
        # Large enough that every one of them has a tile, most of them between the samples of the check.
        for seed in range(1, 9):
            answer = self.json("bench", "--quick", "--working-set", "24", "--seed", str(seed), "gemm-int8", "gemm-fp64", "triad", "attention-gqa", env=self.h100(f"wrong_unit={2 + 7 * seed}"), code=5, timeout=80)
            for r in answer["results"]:
                self.assertEqual((r["verdict"], r["verified"]), ("wrong", False), (seed, r["test"]))

    def test_interrupted_keeps_what_is_done(self):
        answer = self.interrupted(lambda mark: self.h100(f"hang=gk_scale;mark={mark}"), "copy", "scale")
        self.assertEqual([r["test"] for r in answer["results"]], ["copy"])

    # ------------------------------------------------------------ AMD's sensors

    def metrics(self, folder, hotspot, watts, mhz, counters):
        """gpu_metrics 1.7 of an MI300X: counters are what they are held against, then five residencies."""
        data = bytearray(b"\xff" * 2208)
        struct.pack_into("<HBB", data, 0, 2208, 1, 7)
        struct.pack_into("<H", data, 4, hotspot)
        struct.pack_into("<H", data, 10, watts)
        struct.pack_into("<H", data, 12, 0)
        struct.pack_into("<6I", data, 40, *counters)
        struct.pack_into("<8H", data, 296, *[mhz] * 8)
        with open(os.path.join(self.root, folder, "gpu_metrics"), "wb") as f:
            f.write(data)

    def test_amd_sensors(self):
        env = self.mi300x()
        folder = "sys/bus/pci/devices/0000:05:00.0"
        put(self.root, f"{folder}/hwmon/hwmon3/power1_cap", "750000000\n")
        put(self.root, f"{folder}/hwmon/hwmon3/power1_cap_default", "1000000000\n")
        put(self.root, f"{folder}/ras/umc_err_count", "ue: 2\nce: 9\n")
        self.metrics(folder, 71, 640, 1987, (1000, 0, 0, 0, 0, 0))
        device, (r,) = self.one(env, "triad", code=5)
        self.assertEqual((r["clock_mhz"], r["power_w"], r["temperature_c"], r["throttle"]), (1987, 640, 71, None))
        self.assertIn("power limit 750 W of 1000 W", device["how"])
        self.assertIn("2 uncorrected memory errors", device["how"])

    def test_amd_without_metrics(self):
        env = self.mi300x()
        folder = "sys/bus/pci/devices/0000:05:00.0"
        put(self.root, f"{folder}/pp_dpm_sclk", "0: 132Mhz\n1: 1420Mhz *\n2: 2100Mhz\n")
        put(self.root, f"{folder}/hwmon/hwmon0/power1_average", "300000000\n")
        put(self.root, f"{folder}/hwmon/hwmon0/temp2_label", "junction\n")
        put(self.root, f"{folder}/hwmon/hwmon0/temp2_input", "66000\n")
        _, (r,) = self.one(env, "triad")
        self.assertEqual((r["clock_mhz"], r["power_w"], r["temperature_c"]), (1420, 300, 66))

    def test_amd_busy(self):
        env = self.mi300x()
        put(self.root, "sys/bus/pci/devices/0000:05:00.0/gpu_busy_percent", "88\n")
        self.not_tested(env, "88 % busy")

    # ------------------------------------------------------------ doctor

    def test_doctor_opens_the_driver(self):
        device, = self.json("doctor", env=self.h100())["devices"]
        self.assertIn("`gpuadvise bench` tests it", device["why"])
        self.assertIn("PTX 8.4", device["how"])

    def test_doctor_says_what_is_missing(self):
        device, = self.json("doctor", env=self.h100(names=()))["devices"]
        self.assertIn("install NVIDIA's driver", device["why"])


if __name__ == "__main__":
    harness.main()
