"""bench: the CPU measured and kept, libraries that go wrong, GPUs that are there and cannot be tested."""
import json
import os
import signal
import subprocess
import time

import harness
import test_schema

FAKES = os.environ.get("GPUADVISE_FAKES", os.path.join(harness.ROOT, "build/dev/fake"))
SMALL = ["bench", "--device", "cpu", "--quick", "--working-set", "1"]
BLANK = os.environ.get("GPUADVISE_FAKE_GPU", os.path.join(harness.ROOT, "build/dev/fake-gpu/libfake_gpu.so"))  # has no product of matrices


def put(root, path, text=""):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as f:
        f.write(text)


def pci(root, address, vendor, device, sub_vendor, sub_device, revision, cls, driver=None, **files):
    folder = f"sys/bus/pci/devices/{address}"
    for name, value in {"vendor": vendor, "device": device, "subsystem_vendor": sub_vendor, "subsystem_device": sub_device,
                        "revision": revision, "class": cls, "current_link_width": "16", "max_link_width": "16", **files}.items():
        put(root, f"{folder}/{name}", f"{value}\n")
    if driver:
        os.makedirs(os.path.join(root, f"sys/bus/pci/drivers/{driver}"), exist_ok=True)
        os.symlink(f"../../../bus/pci/drivers/{driver}", os.path.join(root, folder, "driver"))


def kfd(root, node, target, units, gib, location, minor):
    folder = f"sys/class/kfd/kfd/topology/nodes/{node}"
    put(root, f"{folder}/properties", f"cpu_cores_count 0\nsimd_count {units * 4}\nsimd_per_cu 4\ngfx_target_version {target}\n"
        f"location_id {location}\ndomain 0\ndrm_render_minor {minor}\n")
    put(root, f"{folder}/mem_banks/0/properties", f"heap_type 1\nsize_in_bytes {int(gib * 2**30)}\nflags 0\n")
    put(root, f"dev/dri/renderD{minor}")


def nvidia(root, address, device, sub, model, minor=0, version="580.95.05"):
    pci(root, address, "0x10de", device, "0x10de", sub, "0xa1", "0x030200", "nvidia")
    put(root, f"proc/driver/nvidia/gpus/{address}/information", f"Model: \t\t {model}\nIRQ:   \t\t 90\nDevice Minor: \t {minor}\n")
    put(root, "proc/driver/nvidia/version", f"NVRM version: NVIDIA UNIX x86_64 Kernel Module  {version}  Wed Sep 10\nGCC version: gcc 12\n")
    put(root, "dev/nvidiactl")
    put(root, f"dev/nvidia{minor}")


class Cpu(harness.Case):
    seeded = True
    def test_a_small_run_is_verified_and_kept(self):
        # The sanitizers see every kernel in other tests: here one of each way to measure.
        some = ("copy", "latency", "gemm-fp32", "gemv-int8", "atomics", "launch") if harness.SANITIZED else ()
        answer = self.json(*SMALL, *some)
        n = len(some) or 34
        self.assertEqual(answer["devices"][0]["id"], "cpu")
        self.assertTrue(answer["complete"])
        self.assertEqual(len(answer["results"]), n)
        for r in answer["results"]:
            self.assertTrue(r["verified"], r)
            self.assertGreater(r["median"], 0)
            self.assertLessEqual(r["p5"], r["median"])
            self.assertLessEqual(r["median"], r["p95"])
            self.assertLessEqual(r["max_error_of_bound"], 1)
            self.assertIsNone(r["datasheet"])
        roof, = answer["rooflines"]
        by_test = {r["test"]: r for r in answer["results"]}
        self.assertEqual((roof["device"], roof["memory_gb_per_s"]), ("cpu", by_test[roof["memory_by"]]["median"]))
        gemm, = [p for p in roof["points"] if p["test"] == "gemm-fp32"]
        self.assertEqual(gemm["gflop_per_s"], by_test["gemm-fp32"]["median"])
        self.assertEqual(test_schema.faults("bench", answer), [])
        self.assertTrue(any("figures of the cache" in w for w in answer["warnings"]) or answer["devices"][0]["working_set"] == "1 MiB")
        runs = self.json("bench", "runs")["runs"]
        self.assertEqual([(r["run"], r["complete"], r["result_count"]) for r in runs], [(1, "yes", n)])
        kept = self.json("bench", "runs", "1")
        self.assertEqual(kept["results"], answer["results"])
        self.assertEqual(kept["rooflines"], answer["rooflines"])
        self.assertIn("Roofline of cpu, measured: memory", self.ok("bench", "runs", "1"))
        self.assertEqual(kept["devices"], answer["devices"])

    def test_copies_need_a_gpu(self):
        r, = self.json(*SMALL, "h2d-pinned", code=5)["results"]
        self.assertEqual((r["verdict"], r["error"]), ("not supported", "a CPU has no memory of a device to copy to"))

    def test_products_by_warpgroups_need_a_hopper(self):
        other, r = self.json(*SMALL, "gemm-bf16-wgmma", "gemv-mxfp4")["results"]
        self.assertEqual((other["test"], other["verified"]), ("gemv-mxfp4", True))
        self.assertEqual(r["verdict"], "not supported")
        self.assertIn("Hopper", r["error"])

    def test_a_chosen_test_alone(self):
        answer = self.json(*SMALL, "triad")
        self.assertEqual([r["test"] for r in answer["results"]], ["triad"])
        _, err = self.exits(2, *SMALL, "triads")
        self.assertIn("did you mean 'triad'", err)

    def test_an_empty_machine_measures_the_cpu_and_says_so(self):
        out, _ = self.exits(0, "bench", "--quick", "--working-set", "1", "copy", env={"GPUADVISE_SYSROOT": self.home})
        self.assertIn("No GPU of NVIDIA or AMD is visible on this machine: the CPU was measured.", " ".join(out.split()))

    def test_compare_and_baseline(self):
        first = self.json(*SMALL, "copy", "latency")
        before = self.write("before.json", json.dumps(first))
        self.ok(*SMALL, "copy", "latency")
        rows = self.json("bench", "compare", "1", "2")["comparison"]
        self.assertEqual([r["test"] for r in rows], ["copy", "latency"])
        same = self.json("bench", "compare", before, "1")["comparison"]
        self.assertEqual([(r["speed_ratio"], r["change"]) for r in same], [(1, "same"), (1, "same")])
        for r in first["results"]:  # a machine beyond any noise
            factor = 1e-9 if r["unit"] == "ns" else 1e9
            for key in ("median", "p5", "p95"):
                r[key] *= factor
        fast = self.write("fast.json", json.dumps(first))
        _, err = self.exits(4, *SMALL, "copy", "latency", "--baseline", fast)
        self.assertIn("copy on cpu is slower", err)
        self.assertIn("latency on cpu is slower", err)

    def test_files_that_are_no_answers(self):
        for text in ("", "[]", "{}", '{"results": 3}', "{", '{"results": [{"test": "\\u001b[31mcopy"}]'):
            path = self.write("bad.json", text)
            code, out, err = self.run_tool("bench", "compare", path, path)
            self.assertIn(code, (1, 2), text)
            self.assertNotIn("\x1b", out + err)
        self.exits(2, "bench", "compare", "77", "78")
        self.exits(2, "bench", "runs", "77")
        self.exits(2, "bench", "runs", "x")

    def test_what_would_fail_at_the_end_fails_before_measuring(self):
        there = self.write("there.json", "{}")
        for code, args in ((1, ("-o", self.home + "/none/answer.json")), (1, ("-o", self.home)), (1, ("--baseline", self.home + "/none.json")),
                           (2, ("--baseline", there)), (2, ("--baseline", "77"))):
            self.exits(code, *SMALL, "copy", *args)
        self.exits(2, "bench", "verify", "copy", "--device", "cpu", "--reference", there)
        self.assertEqual(self.json("bench", "runs")["runs"], [])
        self.assertEqual(sorted(os.listdir(self.home)), ["data", "there.json"])

    def test_an_answer_goes_into_a_pipe(self):
        pipe = os.path.join(self.home, "pipe")
        os.mkfifo(pipe)
        reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
        self.ok(*SMALL, "copy", "--json", "-o", pipe)
        answer = harness.parse_json(reader.communicate(timeout=30)[0].decode())
        self.assertEqual([r["test"] for r in answer["results"]], ["copy"])

    def test_the_verdict_fits_a_narrow_terminal(self):
        narrow = self.ok(*SMALL, "copy", "gemm-fp32", env={"COLUMNS": "80"})
        self.assertRegex(narrow, r"(?m)^gemm-fp32 .*no reference$")
        self.assertIn("2 of 2 tests verified", narrow)
        self.assertNotIn("BURST", narrow)
        self.assertIn("BURST", self.ok("bench", "runs", "1", env={"COLUMNS": "120"}))
        self.assertIn("BURST", self.ok("bench", "runs", "1", "--format", "md"))
        listed = self.ok("bench", "runs", env={"COLUMNS": "80"})
        self.assertNotIn("COMPLETE", listed)
        self.assertEqual(self.json("bench", "runs")["runs"][0]["device_names"], self.json("doctor")["processor"]["name"])

    def test_interrupted_keeps_what_is_done(self):
        env = harness.environment(self.home)
        p = subprocess.Popen([harness.BIN, "bench", "--device", "cpu", "--working-set", "1", "--json", "copy", "scale", "add", "triad"],
                             env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(3)
        p.send_signal(signal.SIGINT)
        out, err = p.communicate(timeout=30)
        self.assertEqual(p.returncode, 130, err)
        answer = harness.parse_json(out.decode())
        self.assertFalse(answer["complete"])
        self.assertLess(len(answer["results"]), 4)


class Verify(harness.Case):
    """Two machines' bits: this one's, and files that say they are another's."""
    seeded = True
    TESTS = ("copy", "reduce", "gemm-int8", "gemm-bf16")

    def measured(self, *tests):
        """What the other machine is said to have answered."""
        self.there = self.json(*SMALL, *tests)

    def verify(self, code, change=None):
        doctored = json.loads(json.dumps(self.there))
        tests = [r["test"] for r in doctored["results"]]
        for r in doctored["results"] if change else ():
            r["bits"] = change(r["test"], r["bits"])
        path = self.write("there.json", json.dumps(doctored))
        answer = self.json("bench", "verify", *tests, "--device", "cpu", "--reference", path, code=code)
        self.assertEqual(test_schema.faults("bench-verify", answer), [])
        self.assertEqual(answer["agree"], code == 0)
        return {r["test"]: r for r in answer["verification"]}, answer

    @staticmethod
    def flip(bits, word, mask):
        words = bits.split(" ")
        words[word] = f"{int(words[word], 16) ^ mask:0{len(words[word])}x}"
        return " ".join(words)

    def test_the_same_machine_agrees(self):
        self.measured(*self.TESTS)
        rows, _ = self.verify(0)
        self.assertEqual({r["outcome"] for r in rows.values()}, {"identical"})
        self.assertEqual(rows["gemm-bf16"]["max_ulp"], 0)
        self.assertIsNone(rows["gemm-int8"]["max_ulp"])
        self.assertEqual(self.json("bench", "runs")["runs"][0]["result_count"], 4)  # the check alone is not kept

    @harness.once
    def test_last_bits_of_sums_may_differ(self):
        self.measured("copy", "gemm-bf16", "rotary")
        flipped = {"gemm-bf16": 5, "rotary": 1}  # an output in its last bit; the digest of those that were not sampled
        rows, _ = self.verify(0, lambda test, bits: self.flip(bits, flipped[test], 1) if test in flipped else bits)
        self.assertEqual((rows["gemm-bf16"]["outcome"], rows["gemm-bf16"]["differing"], rows["gemm-bf16"]["max_ulp"]), ("within bounds", 1, 1))
        self.assertIn("matrix units", rows["gemm-bf16"]["why"])
        self.assertEqual((rows["rotary"]["outcome"], rows["copy"]["outcome"]), ("within bounds", "identical"))

    @harness.once
    def test_bits_that_may_not_differ(self):
        self.measured("copy", "read")
        rows, _ = self.verify(4, lambda test, bits: self.flip(bits, 1, 1) if test == "copy" else bits)
        self.assertEqual((rows["copy"]["outcome"], rows["read"]["outcome"]), ("different", "identical"))

    @harness.once
    def test_a_wrong_machine_is_found(self):
        self.measured(*self.TESTS)
        rows, _ = self.verify(4, lambda test, bits: self.flip(bits, 3, 0x600000))
        self.assertEqual({t: r["outcome"] for t, r in rows.items()}, {test: "wrong there" for test in self.TESTS})

    @harness.once
    def test_other_inputs_and_none(self):
        self.measured("copy", "reduce")
        rows, answer = self.verify(3, lambda test, bits: None if test == "copy" else self.flip(bits, 0, 1))
        self.assertEqual((rows["copy"]["outcome"], rows["reduce"]["outcome"]), ("not in the reference", "other inputs"))
        self.assertTrue(any("no test here can be compared" in w for w in answer["warnings"]))

    def test_bad_files(self):
        self.measured("copy")
        for bits in ("x", "\x1b[31m", "0" * 16, 7):
            self.there["results"][0]["bits"] = bits
            path = self.write("bad.json", json.dumps(self.there))
            code, out, err = self.run_tool("bench", "verify", "copy", "--device", "cpu", "--reference", path)
            self.assertEqual(code, 3 if bits == 7 else 1, bits)
            self.assertNotIn("\x1b", out + err)
        self.exits(2, "bench", "verify", "copy")
        self.exits(1, "bench", "verify", "copy", "--device", "cpu", "--reference", self.home + "/none.json")

    @harness.once
    def test_compare_fits_its_schema(self):
        self.measured("copy", "reduce")
        path = self.write("there.json", json.dumps(self.there))
        self.assertEqual(test_schema.faults("bench-compare", self.json("bench", "compare", path, "1")), [])


class Files(harness.Case):
    """Runs between machines."""
    seeded = True
    EXPORTED = os.path.join(harness.ROOT, "tests/fuzz/corpus/runs/exported")

    def imported(self, *files, code=0):
        answer = self.json("bench", "import", *files, code=code)
        self.assertEqual(test_schema.faults("bench-import", answer), [])
        return answer["imported"]

    def test_a_run_goes_and_comes_back(self):
        answer = self.json(*SMALL, "copy", "gemm-fp32")
        path = os.path.join(self.home, "runs.json")
        self.ok("bench", "export", "-o", path)
        with open(path, encoding="utf-8") as f:
            exported = json.load(f)
        self.assertEqual(test_schema.faults("bench-export", exported), [])
        self.assertEqual(self.imported(path)[0]["status"], "unchanged")
        same = self.json("bench", "compare", path, "1")["comparison"]
        self.assertEqual([r["change"] for r in same], ["same", "same"])
        self.ok("bench", "export", "1", "1", "-o", os.path.join(self.home, "two.json"))
        self.assertIn("holds several runs", self.exits(2, "bench", "compare", os.path.join(self.home, "two.json"), "1")[1])
        there = os.path.join(self.home, "there")
        os.makedirs(there)
        self.ok("bench", "import", path, home=there)
        back = self.json("bench", "runs", "1", home=there)
        self.assertEqual((back["results"], back["devices"]), (answer["results"], answer["devices"]))
        self.assertEqual(self.json("bench", "runs", home=there)["runs"][0]["imported_from"], path)
        again = os.path.join(self.home, "again.json")
        self.ok("bench", "export", "1", "-o", again, home=there)
        with open(again, encoding="utf-8") as f:
            self.assertEqual(json.load(f)["runs"], exported["runs"])

    def test_an_answer_is_taken_too(self):
        answer = self.json(*SMALL, "copy")
        answer["results"].append(dict(answer["results"][0], test="of-the-future"))
        row, = self.imported(self.write("answer.json", json.dumps(answer)))
        self.assertEqual((row["status"], row["run"], row["result_count"]), ("unchanged", 1, 1))
        self.assertIn("as this version does not know their tests: 1 result", row["reason"])

    @harness.once
    def test_estimates_rest_on_the_newest_run_of_that_gpu(self):
        with open(self.EXPORTED, encoding="utf-8") as f:
            runs = json.load(f)
        self.assertEqual([r["status"] for r in self.imported(self.EXPORTED)], ["new"])
        refused = self.json("estimate", "--model", "llama-3.1-8b", "--gpu", "h100-sxm5-80gb")["not_taken"]
        self.assertEqual({n["why"] for n in refused}, {"it does not say how much of the GPU was tested"})  # versions before this kept no share
        for d in runs["runs"][0]["devices"]:
            d.update(share=1, part=None, shared=False, power_limit_w=None, power_default_w=None, ecc_errors=0)
        for r in runs["runs"][0]["results"]:
            r.update(in_cache=False)
        runs["runs"][0]["taken_at"] = "2026-01-03T00:00:00Z"
        old = json.loads(json.dumps(runs["runs"][0]))
        old["taken_at"] = "2026-01-02T00:00:00Z"
        for r in old["results"]:
            r["median"] = r["median"] and r["median"] * 0.9
            r["pct_of_datasheet"] = r["pct_of_datasheet"] and r["pct_of_datasheet"] * 0.9
        runs["runs"].append(old)  # taken in last, measured first
        self.assertEqual([r["status"] for r in self.imported(self.write("two.json", json.dumps(runs)))], ["new", "new"])
        measured = self.json("estimate", "--model", "llama-3.1-8b", "--gpu", "h100-sxm5-80gb")["measured_here"]
        self.assertEqual([(m["what"], m["gb_per_s"], m["run"]) for m in measured if m["what"] == "memory-bandwidth"], [("memory-bandwidth", 2048, 2)])

    def changed(self, change, words):
        with open(self.EXPORTED, encoding="utf-8") as f:
            runs = json.load(f)
        change(runs["runs"][0])
        row, = self.imported(self.write("bad.json", json.dumps(runs)), code=1)
        self.assertEqual(row["status"], "rejected")
        self.assertIn(words, row["reason"])

    def test_files_that_are_no_runs(self):
        def result(**keys):
            return lambda run: run["results"][0].update(keys)
        cases = [(result(unit="TB/s"), "unit 'TB/s', this test is measured in GB/s"), (result(unit=None), "unit ''"), (result(median=-1), "a speed of -1"),
                 (result(median=1e300, p95=1e300), "a speed of 1e+300"), (result(p5=4000), "out of order"), (result(median=None), "out of order"),
                 (result(verified=False), "a speed although it was not verified"), (result(max_error_of_bound=2), "above the bound"), (result(dtype="fp64"), "dtype"),
                 (result(shape="12x12"), "sizes '12x12'"), (result(shape="\x1b[31m"), "sizes"), (result(device="gpu9"), "not among the devices"),
                 (result(verdict="splendid"), "no verdict"), (result(pct_of_datasheet=90), "of a datasheet's"), (result(bits="xyz"), "hexadecimal"),
                 (lambda run: run["results"].append(run["results"][0]), "stands twice"), (lambda run: run["devices"].append(run["devices"][0]), "stands twice"),
                 (lambda run: run.update(taken_at="2027-06-01T00:00:00Z"), "future"), (lambda run: run.update(taken_at="yesterday"), "no time"),
                 (lambda run: run.update(taken_at="2026-02-30T00:00:00Z"), "no time"), (lambda run: run.update(results=[]), "none or too many"),
                 (lambda run: run.update(devices=7), "none or too many"), (lambda run: run.pop("system"), "system is missing"),
                 (lambda run: run["devices"][0].update(vendor="intel"), "no vendor 'intel'"), (lambda run: run.update(complete="yes"), "neither true nor false")]
        for change, words in cases:
            self.changed(change, words)
        for text in ("", "[]", "{}", '{"runs": 3}', '{"runs": []}', "{", '{"runs": [7]}', '{"results": {}}', "[" * 100000):
            row, = self.imported(self.write("bad.json", text), code=1)
            self.assertEqual(row["status"], "rejected", text[:20])
        self.assertEqual(self.json("bench", "runs")["runs"], [])
        out, err = self.exits(1, "bench", "import", self.write("\x1b[31mred.json", "{}"))
        self.assertNotIn("\x1b", out + err)

    def test_export_of_nothing(self):
        self.assertEqual(self.json("bench", "export", code=3)["runs"], [])
        self.exits(2, "bench", "export", "77")
        self.exits(2, "bench", "export", "x")
        self.exits(2, "bench", "export", "--format", "csv")
        self.exits(2, "bench", "import")


class Libraries(harness.Case):
    """Our own figure survives whatever the libraries beside it do; the fastest that is right is the ceiling."""
    seeded = True

    def beside(self, *args, onednn=False, **faults):
        """An answer with OpenBLAS in sight, oneDNN where it is wanted, and no other library."""
        folder = os.path.join(self.home, "lib")
        if not os.path.exists(folder):
            os.makedirs(folder)
            for name in ("libopenblas.so.0", "libblis.so.4", "libmkl_rt.so.2", "libdnnl.so.3", "libdnnl.so.2"):
                real = name == "libopenblas.so.0" or onednn and name == "libdnnl.so.3"
                os.symlink(os.path.join(FAKES, name) if real else BLANK, os.path.join(folder, name))
        quiet = os.environ.get("ASAN_OPTIONS", "") + ":handle_segv=0:handle_abort=0"
        answer = self.json(*SMALL, *args, "gemm-fp32", env={"LD_LIBRARY_PATH": folder, "ASAN_OPTIONS": quiet, **faults})
        self.assertTrue(answer["results"][0]["verified"])
        self.assertGreater(answer["results"][0]["median"], 0)
        return answer

    def check_lost(self, fault, words, *args):
        answer = self.beside(*args, FAKE_BLAS=fault)
        self.assertIsNone(answer["results"][0]["library_ceiling"])
        self.assertTrue(any("libopenblas.so.0" in w and words in w for w in answer["warnings"]), answer["warnings"])
        return answer["results"][1:]

    def ceiling(self, **faults):
        answer = self.beside(onednn=True, **faults)
        return answer["results"][0]["library"], answer["warnings"]

    @harness.once
    def test_the_fastest_is_the_ceiling(self):
        self.assertEqual(self.ceiling(FAKE_BLAS="slow")[0], "libdnnl.so.3")
        self.assertEqual(self.ceiling(FAKE_DNNL="slow")[0], "libopenblas.so.0")

    @harness.once
    def test_one_that_fails_leaves_the_other(self):
        for faults, left, words in (({"FAKE_BLAS": "crash"}, "libdnnl.so.3", "no figure of libopenblas.so.0 beside it: "),
                                    ({"FAKE_DNNL": "wrong"}, "libopenblas.so.0", "gemm-fp32 of libdnnl.so.3: 1 of "),
                                    ({"FAKE_DNNL": "refuse"}, "libopenblas.so.0", "gemm-fp32 of libdnnl.so.3: it refuses this product")):
            name, warnings = self.ceiling(**faults)
            self.assertEqual(name, left)
            self.assertTrue(any(words in w for w in warnings), warnings)

    def test_crash(self):
        after, = self.check_lost("crash", "ended by signal 11", "gemv-bf16")
        self.assertTrue(after["verified"])

    @harness.once
    def test_abort(self):
        self.check_lost("abort", "ended by signal 6")

    @harness.once
    def test_exit(self):
        self.check_lost("exit", "ended with exit code 3")

    def test_garbage(self):
        self.check_lost("garbage", "something that is no answer")

    @harness.once
    def test_wrong_result_is_no_ceiling(self):
        self.check_lost("wrong", "checked outputs are wrong")

    def test_stray_write_is_seen(self):
        self.check_lost("stray", "wrote outside its output")

    @harness.once
    def test_hang_ends_at_the_deadline(self):
        start = time.monotonic()
        self.check_lost("hang", "deadline", "--deadline", "12" if harness.SANITIZED else "5")
        self.assertLess(time.monotonic() - start, 60)


class Devices(harness.Case):
    seeded = True
    def look(self, code=5, *args):
        answer = self.json("bench", *args, env={"GPUADVISE_SYSROOT": self.root}, code=code)
        self.assertEqual(answer["results"], [])
        for d in answer["devices"]:
            self.assertEqual(d["state"], "not tested")
            self.assertTrue(d["why"])
        return answer["devices"]

    def setUp(self):
        super().setUp()
        self.root = os.path.join(self.home, "root")

    def test_a100(self):
        nvidia(self.root, "0000:07:00.0", "0x20b2", "0x1463", "NVIDIA A100-SXM4-80GB")
        d, = self.look()
        self.assertEqual((d["id"], d["vendor"], d["sku_id"], d["driver"]), ("gpu0", "nvidia", "a100-sxm4-80gb", "nvidia 580.95.05"))

    def test_eight_h100(self):
        for i in range(8):
            nvidia(self.root, f"0000:{0x10 + i:02x}:00.0", "0x2330", "0x16c1", "NVIDIA H100 80GB HBM3", i)
        devices = self.look()
        self.assertEqual([d["sku_id"] for d in devices], ["h100-sxm5-80gb"] * 8)
        one, = self.look(5, "--device", "0000:13:00.0")
        self.assertEqual(one["id"], "gpu3")
        one, = self.look(5, "--gpu", "7")
        self.assertEqual(one["id"], "gpu7")

    def test_mi250_is_two_dies(self):
        for i, bus in enumerate((0x29, 0x2c)):
            pci(self.root, f"0000:{bus:02x}:00.0", "0x1002", "0x740c", "0x1002", "0x0b0c", "0x01", "0x038000", "amdgpu")
            kfd(self.root, i + 1, 90010, 104, 64, bus << 8, 128 + i)
        put(self.root, "dev/kfd")
        self.assertEqual([d["sku_id"] for d in self.look()], ["mi250-128gb"] * 2)

    def test_mi300x_spx(self):
        pci(self.root, "0000:05:00.0", "0x1002", "0x74a1", "0x1002", "0x74a1", "0x00", "0x120000", "amdgpu",
            current_compute_partition="SPX", current_memory_partition="NPS1")
        kfd(self.root, 2, 90402, 304, 192, 0x500, 128)
        put(self.root, "dev/kfd")
        d, = self.look()
        self.assertEqual(d["sku_id"], "mi300x-192gb")

    def test_mi300x_cpx_is_eight_slices(self):
        pci(self.root, "0000:05:00.0", "0x1002", "0x74a1", "0x1002", "0x74a1", "0x00", "0x120000", "amdgpu",
            current_compute_partition="CPX", current_memory_partition="NPS4")
        for i in range(8):
            kfd(self.root, 2 + i, 90402, 38, 24, 0x500 + i, 128 + i)
        put(self.root, "dev/kfd")
        devices = self.look()
        self.assertEqual([d["sku_id"] for d in devices], ["mi300x-192gb"] * 8)
        self.assertIn("CPX/NPS4, part 3 of 8", devices[2]["how"])

    def test_rx_7900_xtx_by_its_revision(self):
        for i, revision in enumerate(("0xc8", "0xcc")):
            pci(self.root, f"0000:0{i + 3}:00.0", "0x1002", "0x744c", "0x1eae", "0x7901", revision, "0x030000", "amdgpu")
            kfd(self.root, i + 1, 110000, (96, 84)[i], (24, 20)[i], (i + 3) << 8, 128 + i)
        put(self.root, "dev/kfd")
        self.assertEqual([d["sku_id"] for d in self.look()], ["rx-7900-xtx-24gb", "rx-7900-xt-20gb"])

    def test_what_is_missing_is_said(self):
        pci(self.root, "0000:05:00.0", "0x1002", "0x74a1", "0x1002", "0x74a1", "0x00", "0x120000", "amdgpu")
        kfd(self.root, 2, 90402, 304, 192, 0x500, 128)
        pci(self.root, "0000:07:00.0", "0x10de", "0x20b2", "0x10de", "0x1463", "0xa1", "0x030200")
        pci(self.root, "0000:08:00.0", "0x10de", "0x20b2", "0x10de", "0x1463", "0xa1", "0x030200", "nouveau")
        amd, bare, nouveau = self.look()
        self.assertIn("--device=/dev/kfd", amd["why"])
        self.assertIn("no kernel driver is bound", bare["why"])
        self.assertIn("nouveau", nouveau["why"])

    def test_no_permission_names_the_group(self):
        if os.geteuid() == 0:
            self.skipTest("root may open anything")
        pci(self.root, "0000:05:00.0", "0x1002", "0x74a1", "0x1002", "0x74a1", "0x00", "0x120000", "amdgpu")
        kfd(self.root, 2, 90402, 304, 192, 0x500, 128)
        put(self.root, "dev/kfd")
        os.chmod(os.path.join(self.root, "dev/kfd"), 0)
        d, = self.look()
        self.assertIn("group render", d["why"])

    def test_unknown_and_hostile_devices(self):
        pci(self.root, "0000:05:00.0", "0x1002", "0x7fff", "0x1002", "0x0001", "0x00", "0x120000", "amdgpu", product_name="\x1b[31mred\x07")
        pci(self.root, "0000:06:00.0", "0x1a03", "0x2000", "0x1a03", "0x2000", "0x41", "0x030000", "ast")
        pci(self.root, "0000:07:00.0", "0x10de", "nonsense", "0x", "0xzz", "99999999999999999999", "0x030200")
        put(self.root, "sys/class/kfd/kfd/topology/nodes/0/properties", "simd_count x\n" * 1000)
        devices = self.look()
        self.assertEqual([d["sku_id"] for d in devices], [None, None])
        out, err = self.exits(5, "bench", env={"GPUADVISE_SYSROOT": self.root})
        self.assertRegex(err, r"exit code 5: gpu0: not tested: \S")
        self.assertNotIn("\x1b", out + err)
        self.assertIn("not tested", out)

    def test_a_gpu_that_is_not_there(self):
        nvidia(self.root, "0000:07:00.0", "0x20b2", "0x1463", "NVIDIA A100-SXM4-80GB")
        for name in ("gpu1", "mi300x", "0000:99:00.0"):
            _, err = self.exits(5, "bench", "--device", name, env={"GPUADVISE_SYSROOT": self.root})
            self.assertIn("no GPU '" + name, err)

    def test_the_cpu_beside_a_gpu_when_it_is_named(self):
        nvidia(self.root, "0000:07:00.0", "0x20b2", "0x1463", "NVIDIA A100-SXM4-80GB")
        answer = self.json(*SMALL, "copy", env={"GPUADVISE_SYSROOT": self.root})
        self.assertEqual([d["id"] for d in answer["devices"]], ["cpu"])

    def test_what_stands_before_is_not_said_again(self):
        for i in range(3):
            nvidia(self.root, f"0000:{0x10 + i:02x}:00.0", "0x2330", "0x16c1", "NVIDIA H100 80GB HBM3", i)
        out = self.ok("doctor", env={"GPUADVISE_SYSROOT": self.root})
        self.assertEqual((out.count("not tested: "), out.count("not tested: as gpu")), (3, 2))

    def test_numbers_past_their_registers_are_not_known(self):
        nvidia(self.root, "0000:07:00.0", "0x120b2", "0x1463", "NVIDIA of Tomorrow")  # its lower half is an A100's
        device, = self.json("doctor", env={"GPUADVISE_SYSROOT": self.root})["devices"]
        self.assertEqual((device["sku_id"], device["name"]), (None, "NVIDIA of Tomorrow"))
        put(self.root, "sys/bus/pci/devices/0000:07:00.0/class", "84467441716\n")
        self.assertEqual(self.json("doctor", env={"GPUADVISE_SYSROOT": self.root})["devices"], [])

    def test_doctor_lists_them(self):
        nvidia(self.root, "0000:07:00.0", "0x20b2", "0x1463", "NVIDIA A100-SXM4-80GB")
        answer = self.json("doctor", env={"GPUADVISE_SYSROOT": self.root})
        self.assertEqual([d["sku_id"] for d in answer["devices"]], ["a100-sxm4-80gb"])
        self.assertEqual(test_schema.faults("doctor", answer), [])
        self.assertTrue(test_schema.faults("doctor", {**answer, "devices": [{**answer["devices"][0], "state": "asleep"}]}))
        self.assertIn("NVIDIA A100-SXM4-80GB", self.ok("doctor", env={"GPUADVISE_SYSROOT": self.root}))


if __name__ == "__main__":
    harness.main()
