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

    def keep_run(self, sku, results, complete=1):
        """A run of the user's, as `bench` keeps it: results are (test, dtype, unit, median, verified)."""
        self.ok("sources")  # makes the database
        with sqlite3.connect(self.database()) as db:
            run = db.execute("INSERT INTO bench_run (taken_at, tool_version, system, options, complete) VALUES ('2026-11-20T10:00:00Z', '0', 'x', '', ?)", (complete,)).lastrowid
            db.execute("INSERT INTO bench_device (run, id, vendor, name, sku_id, state) VALUES (?, 'gpu0', 'amd', 'GPU', ?, 'tested')", (run, sku))
            for test, dtype, unit, median, verified in results:
                db.execute("INSERT INTO bench_result (run, device, test, dtype, shape, unit, median, verified, verdict) VALUES (?, 'gpu0', ?, ?, '', ?, ?, ?, 'as expected')",
                           (run, test, dtype, unit, median, verified))
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

    def test_a_healthy_run_changes_the_range_alone(self):
        before = self.speed()
        self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 0.82 * 5300, 1)])
        after = self.speed()
        self.assertAlmostEqual(after["value"], before["value"], delta=0.01 * before["value"])
        self.assertLess(after["high"], before["high"])

    def test_matrix_products_count_in_their_dtype(self):
        before = self.speed("--isl", "8192", "--osl", "1")
        self.keep_run("mi300x-192gb", [("gemm-fp8", "fp8", "TFLOP/s", 0.29 * 2615, 1)])  # half of a healthy one's
        self.assertLess(self.speed("--isl", "8192", "--osl", "1")["value"], 0.7 * before["value"])
        self.assertEqual(self.speed("--weights", "bf16")["basis"], self.speed("--weights", "bf16", "--db", os.path.join(self.home, "other.db"))["basis"])

    def test_what_does_not_count(self):
        before = self.speed()
        self.keep_run("mi325x-256gb", [("triad", "fp32", "GB/s", 2000, 1)])
        self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 2000, 0)])
        self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 2000, 1)], complete=0)
        self.keep_run("mi300x-192gb", [("softmax", "fp32", "GB/s", 1000, 1)])
        self.assertEqual(self.speed(), before)

    def test_the_newest_run_counts(self):
        self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 2000, 1)])
        newest = self.keep_run("mi300x-192gb", [("triad", "fp32", "GB/s", 4000, 1)])
        self.assertEqual([m["run"] for m in self.json(*LLAMA)["measured_here"]], [newest])

    def test_more_than_the_datasheet_is_not_believed(self):
        self.keep_run("mi300x-192gb", [("copy", "fp32", "GB/s", 90000, 1)])
        high = self.speed("--concurrency", "1")
        self.assertLess(high["value"], 5300e9 / 70e9)

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
