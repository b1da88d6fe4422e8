"""What is known of the very hardware or configuration: runs of `bench`, public measurements; neither reaches `validate`."""
import csv
import os
import sqlite3

import harness

LLAMA = ["estimate", "--model", "llama-3.1-70b", "--gpu", "mi300x", "--weights", "fp8", "--isl", "1024", "--osl", "512", "--concurrency", "16"]
PUBLISHED = ["estimate", "--model", "deepseek-v4-pro", "--gpu", "mi355x", "--gpus", "8", "--engine", "sglang", "--weights", "mxfp4", "--isl", "7373", "--osl", "922"]


class Known(harness.Case):
    def database(self):
        return os.path.join(self.home, "data/gpuadvise/catalog.db")

    # How a run is that may stand for the datasheet.
    CLEAN = {"share": 1, "part": None, "shared": 0, "power_limit_w": 750, "power_default_w": 750, "ecc_errors": 0}
    FULL = {"shape": "8192x8192x8192", "in_cache": 0, "throttle": None, "library_ceiling": None, "verdict": "as expected"}

    def keep_run(self, sku, results, complete=1, device=None, result=None):
        """A run of the user's, as `bench` keeps it: results are (test, dtype, unit, figure, verified). A product's figure is its library's."""
        self.ok("sources")  # makes the database
        device, result = self.CLEAN | (device or {}), self.FULL | (result or {})
        with sqlite3.connect(self.database()) as db:
            run = db.execute("INSERT INTO bench_run (taken_at, tool_version, system, options, complete) VALUES ('2026-11-20T10:00:00Z', '0', 'x', '', ?)", (complete,)).lastrowid
            db.execute(f"INSERT INTO bench_device (run, id, vendor, name, sku_id, state, {', '.join(device)}) VALUES (?, 'gpu0', 'amd', 'GPU', ?, 'tested'{', ?' * len(device)})",
                       (run, sku, *device.values()))
            for test, dtype, unit, figure, verified in results:
                more = dict(result)
                if test.startswith("gemm-") and result["library_ceiling"] is None:
                    more["library_ceiling"] = figure
                db.execute(f"INSERT INTO bench_result (run, device, test, dtype, unit, median, verified, {', '.join(more)}) VALUES (?, 'gpu0', ?, ?, ?, ?, ?{', ?' * len(more)})",
                           (run, test, dtype, unit, figure, verified, *more.values()))
        return run

    def speed(self, *more):
        return self.json(*LLAMA, *more)["output_tokens_per_s"]

    def test_a_run_replaces_the_datasheet(self):
        before = self.speed()
        run = self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 2000, 1), ("copy", "fp32", "GB/s", 1900, 1), ("latency", "-", "ns", 500, 1)])
        answer = self.json(*LLAMA)
        after = answer["output_tokens_per_s"]
        self.assertEqual(after["basis"], "measured")
        self.assertLess(after["value"], 0.8 * before["value"])  # less than half of what a healthy one reads
        self.assertLess(after["high"] / after["low"], before["high"] / before["low"])
        self.assertEqual([(m["run"], m["what"], m["gb_per_s"]) for m in answer["measured_here"]], [(run, "memory-bandwidth", 2000)])
        self.assertIn("bench run", "".join(after["sources"]))
        self.assertIn("Measured on this machine", self.ok(*LLAMA))
        best = self.json("report", "--workload", "llama70b", "--gpu", "mi300x")["best"]["amd"]
        self.assertEqual(best["output_tokens_per_s"]["basis"], "measured")

    @harness.once
    def test_a_healthy_run_changes_the_range_alone(self):
        before = self.speed()
        self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 0.82 * 5300, 1)])
        after = self.speed()
        self.assertAlmostEqual(after["value"], before["value"], delta=0.01 * before["value"])
        self.assertLess(after["high"], before["high"])

    @harness.once
    def test_matrix_products_count_in_their_dtype(self):
        before = self.speed("--isl", "8192", "--osl", "1")
        self.keep_run("mi300x-192gb", [("gemm-fp8", "fp8", "TFLOP/s", 0.29 * 2615, 1)])  # half of a healthy one's
        self.assertLess(self.speed("--isl", "8192", "--osl", "1")["value"], 0.7 * before["value"])
        self.assertEqual(self.speed("--weights", "bf16")["basis"], self.speed("--weights", "bf16", "--db", os.path.join(self.home, "other.db"))["basis"])

    @harness.once
    def test_what_does_not_count(self):
        before = self.speed()
        self.keep_run("mi325x-256gb", [("triad", "fp32", "GB/s", 2000, 1)])
        self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 2000, 0)])
        self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 2000, 1)], complete=0)
        self.keep_run("mi300x-192gb", [("softmax", "fp32", "GB/s", 1000, 1)])
        after = self.speed()
        self.assertEqual([after[k] for k in ("value", "low", "high", "basis")], [before[k] for k in ("value", "low", "high", "basis")])

    # What a run is that may not stand for the datasheet, and what the answer says of it: of memory and products, of memory, of products.
    POLLUTED = [
        ({"share": 0.125, "part": "MIG slice"}, {}, "a MIG slice: 12.5 % of the GPU"),
        ({"share": 0.125, "part": "partition"}, {}, "a partition: 12.5 % of the GPU"),
        ({"share": None}, {}, "it does not say how much of the GPU was tested"),
        ({"shared": 1}, {}, "others computed on the GPU"),
        ({"shared": None}, {}, "it does not say whether others computed on the GPU"),
        ({}, {"throttle": "heat"}, "clocks held down by heat"),
        ({}, {"throttle": "power cap, heat"}, "clocks held down by power cap, heat"),
        ({"power_limit_w": 400}, {}, "power limit 400 W of 750 W"),
        ({"power_limit_w": None}, {"throttle": "power cap"}, "clocks held down by power cap"),
        ({"ecc_errors": 2}, {}, "2 uncorrected memory errors"),
    ]
    OF_MEMORY = [({}, {"in_cache": 1}, "its working set lies in the caches"), ({}, {"in_cache": None}, "it does not say whether its working set lies in the caches")]
    OF_PRODUCTS = [({}, {"shape": "4096x4096x4096"}, "a product of side 4096 does not fill the GPU"), ({}, {"shape": "-"}, "its size is not known")]

    @harness.once
    def test_what_was_measured_of_half_a_gpu_stands_for_none(self):
        before, prompts = self.speed(), self.speed("--isl", "8192", "--osl", "1")
        triad, gemm = ("triad", "fp32", "GB/s", 2000, 1), ("gemm-fp8", "fp8", "TFLOP/s", 0.29 * 2615, 1)
        cases = [(triad, c) for c in self.POLLUTED + self.OF_MEMORY] + [(gemm, c) for c in self.POLLUTED[-5:] + self.OF_PRODUCTS]
        for result, (device, more, why) in cases:
            run = self.keep_run("mi300x-192gb", [result], device=device, result=more)
            answer = self.json(*LLAMA)
            self.assertEqual(answer["measured_here"], [], why)
            self.assertIn((run, why), [(n["run"], n["why"]) for n in answer["not_taken"]])
            after = answer["output_tokens_per_s"]
            self.assertEqual([after[k] for k in ("value", "low", "high", "basis")], [before[k] for k in ("value", "low", "high", "basis")], why)
            self.assertIn(f"bench run {run} of 2026-11-20 not taken", "".join(after["sources"]))
            self.assertEqual(self.speed("--isl", "8192", "--osl", "1")["value"], prompts["value"], why)
        self.assertIn(f"bench run {run} of 2026-11-20 not taken for products in fp8: its size is not known.", " ".join(self.ok(*LLAMA).split()))
        best = self.json("report", "--workload", "llama70b", "--gpu", "mi300x")["best"]["amd"]
        self.assertNotEqual(best["output_tokens_per_s"]["basis"], "measured")

    @harness.once
    def test_our_own_product_is_not_the_gpus(self):
        before = self.speed("--isl", "8192", "--osl", "1")
        self.keep_run("mi300x-192gb", [("gemm-fp8", "fp8", "TFLOP/s", 500, 1)])
        with sqlite3.connect(self.database()) as db:
            db.execute("DROP TRIGGER bench_result_stays")
            db.execute("UPDATE bench_result SET library_ceiling = NULL")
        self.assertEqual(self.speed("--isl", "8192", "--osl", "1")["value"], before["value"])
        self.assertIn("no figure of the vendor's library", self.json(*LLAMA)["not_taken"][0]["why"])

    @harness.once
    def test_a_power_cap_at_its_default_is_the_gpus_own(self):
        run = self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 2000, 1)], result={"throttle": "power cap"})
        self.assertEqual([m["run"] for m in self.json(*LLAMA)["measured_here"]], [run])

    @harness.once
    def test_a_small_gpu_is_full_sooner(self):
        self.keep_run("l4-24gb", [("gemm-bf16", "bf16", "TFLOP/s", 5, 1)], result={"shape": "4096x4096x4096"})  # 27 ms each
        answer = self.json("estimate", "--model", "llama-3.1-8b", "--gpu", "l4")
        self.assertEqual([(m["what"], m["tflop_per_s"]) for m in answer["measured_here"]], [("matrix-products", 5)])

    @harness.once
    def test_a_die_counts_by_its_share(self):
        small = ("estimate", "--model", "llama-3.1-8b", "--gpu", "mi250x", "--batch", "32")
        before = self.json(*small)["tpot_ms"]
        self.keep_run("mi250x-128gb", [("triad", "fp32", "GB/s", 1344, 1)], device={"share": 0.5, "part": "die"})  # 82 % of its half: healthy
        answer = self.json(*small)
        self.assertEqual((answer["tpot_ms"]["basis"], answer["measured_here"][0]["gb_per_s"]), ("measured", 2688))
        self.assertAlmostEqual(answer["tpot_ms"]["value"], before["value"], delta=0.02 * before["value"])

    def test_a_refused_run_leaves_the_one_before_it(self):
        good = self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 2000, 1)])
        bad = self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 1000, 1)], device={"shared": 1})
        answer = self.json(*LLAMA)
        self.assertEqual(([m["run"] for m in answer["measured_here"]], [m["run"] for m in answer["not_taken"]]), ([good], [bad]))
        best = self.json("report", "--workload", "llama70b", "--gpu", "mi300x")["best"]["amd"]["output_tokens_per_s"]
        self.assertIn(f"bench run {good} of 2026-11-20: 2 TB/s", best["sources"])
        self.assertIn(f"bench run {bad} of 2026-11-20 not taken for the memory: others computed on the GPU", best["sources"])

    @harness.once
    def test_the_newest_run_counts(self):
        self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 2000, 1)])
        newest = self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 4000, 1)])
        self.assertEqual([m["run"] for m in self.json(*LLAMA)["measured_here"]], [newest])

    @harness.once
    def test_more_than_the_datasheet_is_not_believed(self):
        self.keep_run("mi300x-192gb", [("copy", "fp32", "GB/s", 90000, 1)])
        answer = self.json(*LLAMA, "--concurrency", "1")
        self.assertEqual(answer["measured_here"], [])
        self.assertEqual(answer["not_taken"][0]["why"], "1698 % of the datasheet")
        self.keep_run("mi300x-192gb", [("copy", "fp32", "GB/s", 5400, 1)])  # 102 %
        self.assertLess(self.speed("--concurrency", "1")["value"], 5300e9 / 70e9)

    @harness.once
    def test_the_very_configuration_is_shown(self):
        answer = self.json(*PUBLISHED, "--concurrency", "4")
        self.assertEqual((answer["published"]["n"], answer["published"]["output_tokens_per_s"]), (1, 176.44))
        self.assertEqual(answer["output_tokens_per_s"]["basis"], "published")
        self.assertAlmostEqual(answer["output_tokens_per_s"]["value"], 176.44, delta=0.01)
        other = self.json(*PUBLISHED, "--concurrency", "5")
        self.assertEqual((other["published"]["n"], other["published"]["sources"]), (0, None))
        self.assertNotEqual(other["output_tokens_per_s"]["basis"], "published")
        ratio = [x["output_tokens_per_s"]["high"] / x["output_tokens_per_s"]["low"] for x in (answer, other)]
        self.assertLess(ratio[0], ratio[1])
        self.assertIn("Published for this very configuration", self.ok(*PUBLISHED, "--concurrency", "4"))

    @harness.once
    def test_the_estimator_is_judged_without_either(self):
        with open(os.path.join(harness.ROOT, "data/measurements.tsv"), encoding="utf-8") as f:
            rows = list(csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
        path = os.path.join(self.home, "rows.csv")
        with open(path, "w", encoding="utf-8", newline="") as f:
            csv.writer(f).writerows([rows[0]] + [r for r in rows if r[0] == "GX0639" or r[1] == "mi300x-192gb"][:200])
        before = self.json("validate", "--measurements", path)["rows"]
        self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 1000, 1)])
        self.assertEqual(self.json("validate", "--measurements", path)["rows"], before)


if __name__ == "__main__":
    harness.main()
