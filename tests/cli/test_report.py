"""`report` from outside: the contract, consistency on every workload, changed facts, exit codes."""
import csv
import os
import re

import again
import harness
from harness import DATA, ChangedData


def workloads():
    with open(os.path.join(DATA, "workloads.tsv"), encoding="utf-8") as f:
        return [row["workload_id"] for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)]


def key(option):
    return tuple(option[k] if k != "parallel" else str(option[k]) for k in
                 ("gpu", "gpu_count", "provider", "seller_class", "instance", "region", "engine", "weights", "kv", "parallel", "replicas"))


class Report(harness.Case):
    def report(self, workload, *options, code=0):
        return self.json("report", "--workload", workload, "--top", "500", *options, code=code)

    def test_names_verdict_and_best_of_each_vendor(self):
        answer = self.report("llama70b")
        self.assertIn(answer["verdict"]["winner"], ("nvidia", "amd", "tie"))
        self.assertTrue(0 <= answer["verdict"]["probability"] <= 1)
        for vendor in ("nvidia", "amd"):
            best = answer["best"][vendor]
            self.assertEqual(best["vendor"], vendor)
            self.assertRegex(best["price_seen_at"], r"^20\d\d-\d\d")
            for figure in ("output_tokens_per_s", "ttft_p50_ms", "tpot_ms", "output_usd_per_mtok"):
                e = best[figure]
                self.assertTrue(0 < e["low"] < e["value"] < e["high"], figure)
                self.assertIn(e["basis"], ("calibrated", "extrapolated"))
                self.assertTrue(e["sources"])

    @harness.once
    def test_the_best_gpus_of_each_vendor_are_kept(self):
        for name in ("llama70b", "llama8b", "sdxl-images"):
            everything, short = self.report(name), self.json("report", "--workload", name, "--top", "1")
            for vendor in ("nvidia", "amd"):
                best = list(dict.fromkeys(o["gpu"] for o in everything["options"] if o["vendor"] == vendor))[:3]
                self.assertGreater(len(best), 0)
                self.assertEqual([o["gpu"] for o in short["options"] if o["vendor"] == vendor], best, name)

    def lines(self, *args):
        """The ranked table for people: cells by the title of their column; and the whole text."""
        text = self.ok("report", "--format", "md", *args)
        table = [[c.strip() for c in line[1:-1].split("|")] for line in text.split("## Options")[1].split("\n\n")[1].splitlines() if line.startswith("|")]
        return [dict(zip(table[0], row)) for row in table[2:]], text

    @harness.once
    def test_a_gpu_at_several_sellers_is_one_line(self):
        groups = {}
        for o in self.report("llama70b")["options"]:
            groups.setdefault((o["gpu_count"], o["gpu"], o["engine"], o["weights"], o["kv"]), []).append(o)
        lines, text = self.lines("llama70b")
        several = 0
        for x in lines:
            count, gpu = re.match(r"[NA] (\d+) x (\S+)$", x["GPUS"]).groups()
            low = float(x["$/Mtok"].split("-")[0])
            group = next(g for k, g in groups.items() if k[:4] == (int(count), gpu, x["ENGINE"], x["DTYPE"]) and abs(g[0]["output_usd_per_mtok"]["value"] / low - 1) < 0.005)
            for ends, values in ((x["$/h"], [o["price_usd_per_hour"] for o in group]), (x["$/Mtok"], [o["output_usd_per_mtok"]["value"] for o in group])):
                shown = [float(e) for e in ends.split("-")]
                for end, value in ((shown[0], min(values)), (shown[-1], max(values))):
                    self.assertLess(abs(end / value - 1), 0.005)
            names, _, more = x["PROVIDER"].partition(" +")
            sellers = {o["provider"] for o in group}
            self.assertEqual(len(names.split(", ")) + int(more or 0), len(sellers))
            self.assertEqual(names.split(", ")[0], group[0]["provider"])
            self.assertEqual("d" in x["MARK"], group[0]["price_derived"])
            self.assertEqual("?" in x["MARK"], group[0]["instances_most_assumed"])
            self.assertEqual(x["SOLD BY"], group[0]["seller_class"])
            if group[0]["instances_most_assumed"]:
                machines = next(row["machines"] for row in again.table("seller_classes") if row["seller_class"] == group[0]["seller_class"])
                parts = "" if group[0]["seller_class"] in ("marketplace-host", "unknown") else " of 8 GPUs, whole or in parts,"
                self.assertRegex(text, rf"\b{group[0]['provider']}\b[^\n]* \({group[0]['seller_class']}\): taken to have {machines} machines?{parts} of a kind, which nobody counted")
            several += len(sellers) > 1
        self.assertGreater(several, 3)
        self.assertNotIn("****", text)
        for vendor in "NA":
            own = [x for x in lines if x["GPUS"][0] == vendor]
            self.assertGreaterEqual(len({x["GPUS"].split(" x ")[1] for x in own}), 3)
            self.assertEqual(own[0]["MARK"][0], "1")
            self.assertEqual(sum("2" in x["MARK"] for x in own), 1)

    @harness.once
    def test_what_runs_today_is_in_every_list(self):
        words = ("llama70b", "--current", "8xh100-sxm5-80gb@2.90")
        answer = self.json("report", *words)
        today = [o for o in answer["options"] if o["provider"] == "today"]
        self.assertEqual([(o["gpu"], o["gpu_count"], round(o["price_usd_per_hour"], 6)) for o in today], [("h100-sxm5-80gb", 8, 23.2)])
        costs = [o["output_usd_per_mtok"]["value"] for o in answer["options"]]
        self.assertEqual(costs, sorted(costs))
        rows = [r for r in csv.DictReader(self.ok("report", *words, "--format", "csv").splitlines()) if r["provider"] == "today"]
        self.assertEqual([(r["rank"], r["gpu"], float(r["usd_per_month"])) for r in rows], [("", "h100-sxm5-80gb", 23.2 * 730)])
        lines, _ = self.lines(*words)
        self.assertEqual([(x["GPUS"], x["$/month"]) for x in lines if "today" in x["PROVIDER"]], [("N 8 x h100-sxm5-80gb", "16,936")])
        self.assertEqual(answer["options_found"], self.json("report", "llama70b")["options_found"])
        # It is nobody's offer: where nothing else is left, nothing was found.
        alone = self.json("report", *words, "--max-price", "0.001", code=3)
        self.assertEqual([o["provider"] for o in alone["options"]], ["today"])

    @harness.once
    def test_sums_over_months(self):
        words = ("report", "llama70b", "--current", "8xh100-sxm5-80gb@2.90", "--onprem", "--horizon-months", "30")
        answer = self.json(*words)
        for x in [answer["costs"][k] for k in ("nvidia", "amd", "current")] + [answer["own"]["vendors"][v]["own"] for v in ("nvidia", "amd")]:
            self.assertEqual(x["term_months"], 30)
            for end in ("value", "low", "high"):
                self.assertAlmostEqual(x["usd_per_year"][end], 12 * x["usd_per_month"][end], delta=1e-3)
                self.assertAlmostEqual(x["usd_over_term"][end], 30 * x["usd_per_month"][end], delta=1e-3)
        text = self.ok(*words)
        self.assertIn("$ IN 30 MONTHS", text)
        self.assertRegex(text, r"\ntoday N 8 x h100-sxm5-80gb +as given +16,936 +203,232 +508,080\n")
        self.assertRegex(text, r"\nown +A ")

    @harness.once
    def test_the_date_stands_at_the_top(self):
        for form, line in (("table", "As of        2026-11-27, gpuadvise "), ("md", "- **As of**: 2026-11-27, gpuadvise ")):
            head = self.ok("report", "llama70b", "--format", form).splitlines()[:4]
            self.assertTrue(any(x.startswith(line) for x in head), head)

    def test_csv_has_the_verdict_and_the_month(self):
        answer = self.json("report", "llama70b")
        rows = list(csv.DictReader(self.ok("report", "llama70b", "--format", "csv").splitlines()))
        self.assertEqual(len(rows), len(answer["options"]))
        for r, o in zip(rows, answer["options"]):
            self.assertEqual((r["verdict_winner"], r["generated_at"], r["seller_class"]), (answer["verdict"]["winner"], harness.NOW, o["seller_class"]))
            self.assertAlmostEqual(float(r["verdict_probability"]), answer["verdict"]["probability"], 6)
            self.assertEqual(r["machines_seen"], "" if o["machines_seen"] is None else "%g" % o["machines_seen"])
            self.assertEqual(r["price_derived"], str(o["price_derived"]).lower())
            self.assertAlmostEqual(float(r["usd_per_month"]) / (o["price_usd_per_hour"] * 730), 1, 6)
            self.assertLess(float(r["kwh_per_mtok_low"]), float(r["kwh_per_mtok_high"]))

    @harness.once
    def test_bills_and_chances_name_their_question(self):
        stack = self.write("v.stack", "frameworks = vllm\n")
        words = ("report", "llama70b", "--current", "8xh100-sxm5-80gb@2.90", "--stack", stack)
        answer, text = self.json(*words), " ".join(self.ok(*words).split())
        lanes = {x["lane"]: x for x in answer["lanes"]}
        self.assertEqual(set(lanes), {"vendor", "provider"})
        for lane in lanes.values():
            whole = next(o for o in answer["options"] if all(o[k] == lane["to"][k] for k in ("gpu", "gpu_count", "provider")))
            self.assertAlmostEqual(lane["billed_after_usd_per_month"]["value"] / (730 * whole["price_usd_per_hour"]), 1, 6)
        across = lanes["vendor"]
        self.assertGreater(abs(across["billed_after_usd_per_month"]["value"] / across["bill_after_usd_per_month"]["value"] - 1), 0.01)
        self.assertRegex(text, r"a month as billed; \S+ \([^)]*\) for the work that the old fleet does")
        self.assertIn("a month are billed there", answer["verdict"]["text"])
        # Two chances, two questions: that it is worth more than nothing, and that it is worth more than all else.
        alone, of_all = (across[k] for k in ("pays_probability", "pays_more_than_other_moves_probability"))
        self.assertIsNone(lanes["provider"]["pays_more_than_other_moves_probability"])
        self.assertLess(of_all, alone)
        self.assertIn(f"above nothing with probability {alone:.2f} (20000 draws), and above what staying with NVIDIA at the best provider is worth with probability {of_all:.2f}, which is what the verdict asks", text)
        if answer["verdict"]["winner"] == "tie":
            self.assertIn(f"probability {int(100 * of_all + 1e-9) / 100:.2f} that it is worth more than staying", answer["verdict"]["text"])

    def test_titles_promise_no_speed_without_a_limit(self):
        with open(os.path.join(DATA, "workloads.tsv"), encoding="utf-8") as f:
            for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
                if re.search(r"\bfast", row["title"]) and not row["tpot_ms"]:
                    self.assertIn("cheapest first", row["title"], row["workload_id"])

    @harness.once
    def test_every_option_of_every_workload_adds_up(self):
        for name in workloads():
            answer = self.report(name)
            asked = answer["inputs"]["resolved"]
            self.assertTrue(answer["options"], name)
            for o in answer["options"]:
                price = o["price_usd_per_hour"]
                self.assertAlmostEqual(o["price_usd_per_gpu_hour"] * o["gpu_count"], price, delta=price * 1e-6)
                if asked["kind"] != "serve":
                    self.assertIsNone(o["output_tokens_per_s"]["value"])
                    self.assertTrue(any(o[k]["value"] for k in ("images_per_s", "train_tokens_per_s", "usd_per_run", "sequences_per_s")))
                    if asked["kind"] == "embed":
                        rate = o["input_tokens_per_s"]["value"]
                        self.assertAlmostEqual(rate, o["sequences_per_s"]["value"] * asked["isl_tokens"], delta=rate * 1e-6)
                        self.assertAlmostEqual(o["input_usd_per_mtok"]["value"], price / 3600 / rate * 1e6, delta=price * 1e-3)
                    continue
                e2e = (o["ttft_p50_ms"]["value"] + (asked["osl_tokens"] - 1) * o["tpot_ms"]["value"]) / 1000
                rate = o["output_tokens_per_s"]["value"]
                self.assertAlmostEqual(rate, o["concurrency"] * asked["osl_tokens"] / e2e, delta=rate * 0.02, msg=name)
                self.assertAlmostEqual(o["output_usd_per_mtok"]["value"], price / 3600 / rate * 1e6, delta=price * 1e-3)
                self.assertGreater(o["output_usd_per_mtok"]["value"], o["blended_usd_per_mtok"]["value"])
                if asked["ttft_p99_ms"]:
                    self.assertLessEqual(o["ttft_p99_ms"]["value"], asked["ttft_p99_ms"])
                self.assertLessEqual(o["memory_used_pct"], 100)

    @harness.once
    def test_the_nearest_measurement_stands_beside_each_best(self):
        with open(os.path.join(DATA, "measurements.tsv"), encoding="utf-8") as f:
            rows = {row["id"]: row for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)}
        vendors = {}
        with open(os.path.join(DATA, "gpus.tsv"), encoding="utf-8") as f:
            for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE):
                vendors[row["sku_id"]] = row["vendor"]
        for name in ("llama70b", "deepseek-r1", "llama8b"):
            answer = self.report(name)
            for vendor in ("nvidia", "amd"):
                best = answer["best"][vendor]
                near = best["nearest_measured"]
                row = rows[near["id"]]
                self.assertEqual(vendors[near["gpu"]], vendor)
                self.assertEqual((near["gpu"], near["model"], near["engine"]), (row["gpu_sku"], row["model"], row["engine"] or None))
                self.assertAlmostEqual(near["output_tokens_per_s"], float(row["output_tokens_per_s"]), delta=1e-6)
                self.assertEqual(near["distance"] > 0, bool(near["differs_in"]))
                self.assertEqual(row["gpu_sku"] in near["differs_in"], row["gpu_sku"] != best["gpu"])
                text = self.ok("report", "--workload", name)
                self.assertIn(near["id"], text)
                self.assertIn("Measured", text)
        self.assertIsNone(self.report("sdxl-images")["best"]["nvidia"]["nearest_measured"])

    def test_a_named_engine_beyond_what_was_measured_is_extrapolated(self):
        words = ["report", "--model", "llama-3.1-8b", "--gpu", "mi300x", "--weights", "int4", "--concurrency", "64"]
        answer = self.json(*words, "--engine", "llama.cpp")
        best = answer["best"]["amd"]
        self.assertEqual((best["engine"], best["output_tokens_per_s"]["basis"]), ("llama.cpp", "extrapolated"))
        self.assertTrue(any("llama.cpp was not measured on cdna3" in w for w in answer["warnings"]), answer["warnings"])
        free = self.json(*words)
        self.assertNotEqual(free["best"]["amd"]["engine"], "llama.cpp")
        self.assertTrue(any(x["what"] == "engines" and "not measured" in x["reason"] and "llama.cpp" in x["example"] for x in free["excluded"]), free["excluded"])

    def test_what_an_engine_cannot_run_is_refused_with_the_reason(self):
        answer = self.json("report", "--model", "llama-3.1-8b", "--gpu", "a100-sxm4-80gb", "--engine", "tensorrt-llm", "--weights", "fp8", code=3)
        self.assertEqual(answer["options"], [])
        self.assertTrue(any("TensorRT-LLM has no FP8 on Ampere" in x["example"] for x in answer["excluded"]), answer["excluded"])
        # Experts that cannot be cut are spread.
        answer = self.json("report", "--model", "minimax-m2.5", "--gpu", "h100-sxm5-80gb", "--engine", "vllm", "--top", "500")
        self.assertTrue(answer["options"])
        for option in answer["options"]:
            p = option["parallel"]
            self.assertTrue(p["tp"] <= 4 or p["ep"] >= p["tp"], p)

    @harness.once
    def test_best_is_the_cheapest_of_its_vendor(self):
        for name in workloads():
            answer = self.report(name)
            cost = {"serve": "output_usd_per_mtok", "images": "usd_per_1k_images", "train": "usd_total", "lora": "usd_total", "hpc": "usd_per_run", "embed": "input_usd_per_mtok"}
            figure = cost[answer["inputs"]["resolved"]["kind"]]
            for vendor in ("nvidia", "amd"):
                own = [o for o in answer["options"] if o["vendor"] == vendor]
                best = answer["best"][vendor]
                self.assertEqual(best is None, not own)
                if own:
                    self.assertEqual(best[figure]["value"], min(o[figure]["value"] for o in own))
                    self.assertIn({k: x for k, x in best.items() if k not in ("serve_command", "nearest_measured")}, own)
            costs = [o[figure]["value"] for o in answer["options"]]
            self.assertEqual(costs, sorted(costs))

    @harness.once
    def test_doubled_prices_double_every_cost(self):
        def double(row):
            row["price_usd_per_hour"] = "%.6f" % (2 * float(row["price_usd_per_hour"]))
        with ChangedData("offers", double) as folder:
            before, after = self.report("llama70b"), self.report("llama70b", "--data", folder)
        old = {key(o): o for o in before["options"]}
        self.assertEqual(len(old), len(after["options"]))
        for o in after["options"]:
            self.assertAlmostEqual(o["output_usd_per_mtok"]["value"] / old[key(o)]["output_usd_per_mtok"]["value"], 2, delta=1e-4)

    @harness.once
    def test_halved_bandwidth_slows_decoding(self):
        def halve(row):
            if row["memory_bw_gb_s"]:
                row["memory_bw_gb_s"] = "%.6f" % (float(row["memory_bw_gb_s"]) / 2)
        with ChangedData("gpus", halve) as folder:
            before, after = self.report("low-latency"), self.report("low-latency", "--data", folder)
        def same(o):  # a slower GPU may be better off in another layout: then it is another option
            return o["gpu"], o["provider"], o["seller_class"], o["instance"], o["gpu_count"], o["engine"], o["weights"], str(o["parallel"])
        old = {same(o): o for o in before["options"]}
        compared = [o for o in after["options"] if same(o) in old and old[same(o)]["bound_by"] in ("weights", "kv-cache")]
        self.assertGreater(len(compared), 10)
        for o in compared:
            self.assertLess(o["output_tokens_per_s"]["value"], old[same(o)]["output_tokens_per_s"]["value"])
            self.assertGreater(o["output_usd_per_mtok"]["value"], old[same(o)]["output_usd_per_mtok"]["value"])

    @harness.once
    def test_experts_are_spread_where_the_engine_does(self):
        def spread(answer):
            return [o for o in answer["options"] if o["parallel"]["ep"] > 1]

        answer = self.report("deepseek-r1", "--engine", "tensorrt-llm")
        self.assertTrue(spread(answer))
        for o in spread(answer):
            p = o["parallel"]
            self.assertEqual(p["ep"], p["tp"] * p["dp"])
            self.assertEqual(o["replicas"] % p["dp"], 0)
        self.assertIn("EP8", self.ok("report", "--workload", "deepseek-r1", "--engine", "tensorrt-llm", "--top", "500", "--format", "md"))
        wide = self.report("deepseek-r1", "--engine", "tensorrt-llm", "--concurrency", "4096", "--tpot", "40")
        several = [o for o in spread(wide) if o["instances"] > 1 and o["concurrency"] >= o["replicas"]]
        self.assertTrue(several)
        for o in several[:3]:
            p = o["parallel"]
            gpus = o["replicas"] * p["tp"]
            one = self.json("estimate", "--model", "deepseek-r1", "--gpu", o["gpu"], "--gpus", str(gpus), "--tp", str(p["tp"]), "--ep", str(p["ep"]), "--engine", o["engine"], "--weights", o["weights"],
                            "--kv", o["kv"], "--isl", "1024", "--osl", "4096", "--concurrency", "4096")
            self.assertAlmostEqual(one["output_tokens_per_s"]["value"] / o["output_tokens_per_s"]["value"], 1, places=6)
        with ChangedData("engine_limits", lambda row: row.update(spread_step_ratio="")) as folder:
            without = self.report("deepseek-r1", "--engine", "tensorrt-llm", "--data", folder)
        self.assertEqual(spread(without), [])

    def test_training_over_several_servers(self):
        words = ["llama13b-train", "--model", "llama-3.1-405b", "--top", "100"]
        answer = self.report(*words)
        self.assertTrue(answer["best"]["nvidia"] and answer["best"]["amd"])
        for o in answer["options"]:
            self.assertGreater(o["instances"], 1)
            self.assertEqual(o["gpu_count"] % o["instances"], 0)
            self.assertAlmostEqual(o["usd_total"]["value"] / (o["price_usd_per_hour"] * o["hours_total"]["value"]), 1, places=6)
        self.assertTrue(any("network" in risk for risk in answer["verdict"]["risks"]))
        self.assertTrue(all(o["gpu_count"] <= 48 for o in self.report(*words, "--gpus", "48")["options"]))

    def test_the_name_of_a_workload_means_nothing(self):
        def rename(row):
            if row["workload_id"] == "llama70b":
                row["workload_id"] = "zebra"
        with ChangedData("workloads", rename) as folder:
            before, after = self.report("llama70b"), self.report("zebra", "--data", folder)
        for part in ("options", "verdict", "best", "excluded", "sensitivity"):
            self.assertEqual(before[part], after[part])

    @harness.once
    def test_text_fits_80_columns_and_says_the_same(self):
        answer = self.report("llama70b")
        text = self.ok("report", "--workload", "llama70b", env={"COLUMNS": "80"})
        self.assertEqual(harness.too_wide(text, 80), [])
        for vendor in ("nvidia", "amd"):
            best = answer["best"][vendor]
            self.assertIn("%d x %s" % (best["gpu_count"], best["gpu"]), text)
            self.assertIn(best["price_seen_at"], text)
            self.assertIn("%.3g" % best["output_usd_per_mtok"]["value"], text)
        explained = self.ok("report", "--workload", "llama70b", "--explain")
        self.assertIn("sources", explained)

    def test_formats(self):
        self.assertTrue(self.ok("report", "--workload", "llama70b", "--format", "md").startswith("# gpuadvise report: llama70b"))
        rows = list(csv.DictReader(self.ok("report", "--workload", "llama70b", "--format", "csv").splitlines()))
        self.assertTrue(all(float(r["output_usd_per_mtok_low"]) < float(r["output_usd_per_mtok"]) <= float(r["output_usd_per_mtok_high"]) for r in rows))
        self.exits(2, "report", "--workload", "llama70b", "--format", "sarif")

    @harness.once
    def test_filters_keep_to_what_was_asked(self):
        self.assertEqual({o["vendor"] for o in self.report("llama70b", "--vendor", "amd")["options"]}, {"amd"})
        self.assertEqual({o["gpu"] for o in self.report("llama70b", "--gpu", "mi300x")["options"]}, {"mi300x-192gb"})
        self.assertEqual({o["provider"] for o in self.report("llama70b", "--provider", "azure")["options"]}, {"azure"})
        self.assertEqual({o["pricing_model"] for o in self.report("llama70b", "--spot")["options"]}, {"spot"})
        self.assertEqual({o["pricing_model"] for o in self.report("llama70b", "--reserved", "1y")["options"]}, {"reserved-1y"})
        self.assertEqual({o["engine"] for o in self.report("llama70b", "--engine", "vllm")["options"]}, {"vllm"})
        self.assertEqual({o["weights"] for o in self.report("llama70b", "--weights", "bf16")["options"]}, {"bf16"})
        self.assertTrue(all(o["gpu_count"] <= 4 for o in self.report("llama70b", "--gpus", "4")["options"]))
        self.assertTrue(all(o["price_usd_per_gpu_hour"] <= 2 for o in self.report("llama70b", "--max-price", "2", code=3)["options"]))
        self.assertTrue(all("us" in o["region"].lower() for o in self.report("llama70b", "--region", "us")["options"]))

    @harness.once
    def test_filters_take_lists(self):
        answer = self.report("llama70b", "--gpu", "mi300x,h200-sxm5-141gb", "--gpu", "mi300x")
        self.assertEqual({o["gpu"] for o in answer["options"]}, {"mi300x-192gb", "h200-sxm5-141gb"})
        self.assertEqual(answer["inputs"]["resolved"]["gpus"], ["mi300x-192gb", "h200-sxm5-141gb"])
        self.assertTrue(answer["best"]["nvidia"] and answer["best"]["amd"])
        self.assertIn("filter: other GPU", {x["reason"] for x in answer["excluded"]})
        self.assertEqual({o["provider"] for o in self.report("llama70b", "--provider", "azure", "--provider", "oci")["options"]}, {"azure", "oci"})
        self.assertEqual({o["engine"] for o in self.report("llama70b", "--engine", "vllm, sglang", "--pareto")["options"]}, {"vllm", "sglang"})
        self.assertEqual({o["vendor"] for o in self.report("llama70b", "--vendor", "amd", "--vendor", "nvidia")["options"]}, {"amd", "nvidia"})
        self.assertEqual({o["vendor"] for o in self.report("llama70b", "--vendor", "amd,amd")["options"]}, {"amd"})

    @harness.once
    def test_what_is_left_out_stays_out(self):
        before = self.report("llama70b")
        cheapest = before["options"][0]
        after = self.report("llama70b", "--exclude-provider", cheapest["provider"])
        self.assertNotIn(cheapest["provider"], {o["provider"] for o in after["options"]})
        self.assertIn("filter: provider left out", {x["reason"] for x in after["excluded"]})
        after = self.report("llama70b", "--exclude-gpu", cheapest["gpu"])
        self.assertNotIn(cheapest["gpu"], {o["gpu"] for o in after["options"]})
        self.assertIn("filter: GPU left out", {x["reason"] for x in after["excluded"]})
        text = self.ok("report", "--workload", "llama70b", "--gpu", "mi300x,h200-sxm5-141gb", "--exclude-provider", "aws,vast", "--gpus", "64", "--engine", "vllm,sglang", env={"COLUMNS": "200"})
        for words in ("mi300x-192gb, h200-sxm5-141gb, at most 64 GPUs", "engines vllm, sglang", "any provider but aws, vast"):
            self.assertIn(words, text)

    def test_lists_refuse_what_they_cannot_hold(self):
        def refused(*words):
            return self.exits(2, "report", "--workload", "llama70b", *words)[1]
        self.assertIn("did you mean 'azure'", refused("--provider", "aws,azur"))
        self.assertIn("did you mean 'vllm'", refused("--engine", "sglang", "--engine", "vlm"))
        self.assertIn("unknown GPU", refused("--gpu", "mi300x,nothing-like-it"))
        self.assertIn("unknown provider", refused("--exclude-provider", "nobody-at-all"))
        self.assertIn("leaves out all", refused("--gpu", "mi300x", "--exclude-gpu", "mi300x-192gb"))
        self.assertIn("leaves out all", refused("--provider", "aws", "--exclude-provider", "aws,oci"))
        with open(os.path.join(DATA, "gpus.tsv"), encoding="utf-8") as f:
            skus = [row["sku_id"] for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)]
        self.assertIn("more than 16", refused("--gpu", ",".join(skus[:17])))
        self.assertIn("the value is empty", refused("--gpu", "mi300x,"))

    @harness.once
    def test_precisions_that_the_owner_ships_are_searched(self):
        with open(os.path.join(DATA, "checkpoints.tsv"), encoding="utf-8") as f:
            rows = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
        self.assertTrue(any(r["maker"] == "third-party" for r in rows))
        moe = self.json("report", "--model", "qwen3-235b-a22b", "--pareto", "--top", "500")
        resolved = moe["inputs"]["resolved"]
        self.assertEqual(resolved["weights"], "fp8 bf16")
        self.assertEqual({o["weights"] for o in moe["options"]}, {"fp8", "bf16"})
        searched = {c["hf_name"]: c["searched"] for c in resolved["checkpoints"]}
        self.assertEqual(searched, {r["hf_name"]: r["maker"] == "owner" for r in rows if r["model_id"] == "qwen3-235b-a22b"})
        self.assertEqual(self.json("report", "--model", "qwen3-235b-a22b", "--weights", "bf16")["inputs"]["resolved"]["weights"], "bf16")
        for model, weights in (("llama-3.3-70b", "bf16"), ("gpt-oss-120b", "mxfp4"), ("deepseek-r1", "fp8"), ("gemma-4-31b", "bf16"), ("qwen3.5-27b", "fp8 bf16"), ("yi-34b", "bf16")):
            self.assertEqual(self.json("report", "--model", model)["inputs"]["resolved"]["weights"], weights, model)
        text = self.ok("report", "--model", "qwen3-235b-a22b", env={"COLUMNS": "400"})
        self.assertIn("weights searched: bf16 as released, fp8 from Qwen/Qwen3-235B-A22B-FP8 (of the model's owner); they are not of equal quality", text)
        self.assertIn("not searched: fp8 from nvidia/Llama-3.3-70B-Instruct-FP8 (of a third party)", self.ok("report", "--model", "llama-3.3-70b", env={"COLUMNS": "400"}))
        self.assertNotIn("weights searched", self.ok("report", "--model", "yi-34b", env={"COLUMNS": "400"}))

    @harness.once
    def test_workload_by_position(self):
        self.assertEqual(self.json("report", "llama70b")["options"], self.json("report", "--workload", "llama70b")["options"])
        self.assertEqual(self.json("report", "mixtral", env={"GPUADVISE_WORKLOAD": "llama70b"})["inputs"]["resolved"]["workload"], "mixtral")
        self.assertEqual(self.json("report", "llama70b", "--workload", "llama70b")["inputs"]["workload"], "llama70b")
        self.assertIn("two workloads", self.exits(2, "report", "llama70b", "--workload", "mixtral")[1])
        self.assertIn("did you mean 'llama70b'", self.exits(2, "report", "lama70b")[1])
        self.exits(2, "report", "llama70b", "mixtral")

    @harness.once
    def test_the_fleet_of_today_is_the_one_given(self):
        def bill(n, *words):
            answer = self.report("llama70b", "--current", "%d x h100-sxm5-80gb@2.90" % n, *words)
            now, costs = answer["inputs"]["resolved"]["current"], answer["costs"]["current"]
            self.assertEqual((now["gpu"], now["gpu_count"]), ("h100-sxm5-80gb", n))
            self.assertEqual(costs is None, now["does_not_do_it"] is not None)
            if costs is not None:
                self.assertAlmostEqual(costs["usd_per_month"]["value"], n * 2.9 * 730, delta=1)
            return now["does_not_do_it"]
        for n in (4, 7, 8, 11, 16, 64):
            self.assertIsNone(bill(n))
        self.assertRegex(bill(2), r"your 2 x .* carry about \d+ requests in flight within the limits; 256 are asked")
        self.assertRegex(bill(1, "--weights", "bf16"), r"do not hold llama-3.1-70b in bf16: weights 141 GB, usable 86 GB")
        slow = self.report("llama70b", "--tpot", "20", "--current", "16xl4-24gb@0.9")["inputs"]["resolved"]["current"]["does_not_do_it"]
        self.assertRegex(slow, r"your 16 x .* miss the limits with one request in flight: TTFT p99 about \d+ ms, TPOT p99 about \d\d")
        self.assertRegex(bill(2, "--rate", "50"), r"50 requests/s are asked")
        text = self.ok("report", "llama70b", "--current", "1xh100-sxm5-80gb@2.90", env={"COLUMNS": "200"})
        self.assertIn("Today        1 x h100-sxm5-80gb at $2.9 a GPU-hour: your 1 x", text)
        sized = self.report("llama70b", "--current", "h100-sxm5-80gb@2.90")
        self.assertIsNone(sized["inputs"]["resolved"]["current"]["gpu_count"])
        for workload, n in (("sdxl-images", 11), ("llama13b-train", 16), ("llama13b-train", 12), ("hpc-cfd", 24), ("embed-docs", 3)):
            answer = self.report(workload, "--current", "%dxh100-sxm5-80gb@2" % n, "--gpu", "mi300x")
            self.assertEqual(answer["best"]["nvidia"]["gpu_count"], n, workload)
            self.assertAlmostEqual(answer["best"]["nvidia"]["price_usd_per_hour"], 2 * n, places=5)
            self.assertAlmostEqual(answer["best"]["nvidia"]["price_usd_per_gpu_hour"], 2, places=5)

    @harness.once
    def test_todays_fleet_is_an_option_of_its_vendor(self):
        """What already runs is the best of its vendor where nothing for rent costs less, whichever vendor that is."""
        for workload, fleet, vendor in (("llama70b", "8xmi300x@0.6", "amd"), ("mixtral", "h200@0.5", "nvidia"), ("llama8b", "2xh100@9", "nvidia"), ("sdxl-images", "4xl40s@0.2", "nvidia"), ("gpt-oss-120b", "mi300x@8", "amd")):
            answer = self.json("report", workload, "--current", fleet, "--top", "500")
            options = [o for o in answer["options"] if o["vendor"] == vendor]
            self.assertEqual(sum(o["provider"] == "today" for o in options), 1, fleet)
            self.assertEqual(answer["best"][vendor]["provider"], options[0]["provider"], fleet)
            cheap = float(fleet.split("@")[1]) < 1
            self.assertEqual(answer["best"][vendor]["provider"] == "today", cheap, fleet)
            if cheap:  # nobody's listing is in doubt: the fleet is there at its price
                self.assertIn("(today's ", answer["verdict"]["text"])
                self.assertFalse([s for s in answer["verdict"]["next_steps"] if s["text"].startswith("rent") and "today" in s["text"]])

    def test_fleets_of_today_that_make_no_sense(self):
        for words, error in (("h100-sxm5-80gb", "no '@'"), ("0xh100-sxm5-80gb@2", "number of GPUs"), ("8xh100-sxm5-80gb@0", "price"), ("8xh100-sxm5-80gb@-1", "price"),
                             ("100001xh100-sxm5-80gb@2", "number of GPUs"), ("9" * 30 + "xh100-sxm5-80gb@2", "number of GPUs"), ("8xnothing-like-it@2", "unknown GPU"), ("8x@2", "empty"), ("@2", "empty"),
                             ("1xh100-sxm5-80gb@2,2xmi300x@3", "not 2"), ("8xh100-sxm5-80gb@nan", "price")):
            self.assertIn(error, self.exits(2, "report", "llama70b", "--current", words)[1], words)
        self.assertIn("not 2", self.exits(2, "report", "llama70b", "--current", "mi300x@2", "--current", "mi300x@3")[1])

    def test_a_fleet_takes_its_gpus_and_what_they_carry(self):
        small, large = self.report("llama70b", "--fleet", "8"), self.report("llama70b", "--fleet", "64")
        self.assertEqual((small["inputs"]["resolved"]["fleet_gpus"], small["inputs"]["resolved"]["concurrency"]), (8, None))
        for answer, n in ((small, 8), (large, 64)):
            self.assertEqual({o["gpu_count"] for o in answer["options"]}, {n})
            for o in answer["options"]:
                self.assertEqual(n % o["instances"], 0)
                if o["saturated_output_usd_per_mtok"]["value"] is None:  # measured with few requests alone
                    self.assertLessEqual(o["concurrency"], 8)
                    continue
                self.assertAlmostEqual(o["output_usd_per_mtok"]["value"] / o["saturated_output_usd_per_mtok"]["value"], 1, places=6)
                self.assertLessEqual(o["ttft_p99_ms"]["value"], 3000)
        eight = {key(o)[:10]: o for o in small["options"]}
        full = [o for o in large["options"] if o["saturated_output_usd_per_mtok"]["value"] is not None]
        same = [(eight[k], o) for o in full for k in [key(o)[:1] + (8,) + key(o)[2:10]] if k in eight]
        self.assertGreater(len(same), 20)
        for a, b in same:  # eight times as much of everything
            for figure in (lambda o: o["concurrency"], lambda o: o["output_tokens_per_s"]["value"], lambda o: o["price_usd_per_hour"]):
                self.assertAlmostEqual(figure(b) / figure(a), 8, places=6)
        odd = self.report("llama70b", "--fleet", "6")
        self.assertEqual({o["gpu_count"] for o in odd["options"]}, {6})
        self.assertIn("filter: the fleet is no whole number of such instances", {x["reason"] for x in odd["excluded"]})
        text = self.ok("report", "llama70b", "--fleet", "8", env={"COLUMNS": "150"})
        self.assertRegex(text, r"Asked +a fleet of 8 GPUs, llama-3.1-70b, .*as many in flight as fit")
        self.assertRegex(text, r"\nin flight +\d")

    @harness.once
    def test_a_fleet_does_other_work_too(self):
        for workload, rate in (("sdxl-images", "images_per_s"), ("embed-docs", "sequences_per_s"), ("llama13b-train", "train_tokens_per_s"), ("hpc-cfd", None)):
            small, large = self.report(workload, "--fleet", "8"), self.report(workload, "--fleet", "32")
            self.assertEqual({o["gpu_count"] for o in large["options"]}, {32}, workload)
            self.assertTrue(large["best"]["amd"] and large["best"]["nvidia"], workload)
            one = {(o["gpu"], o["provider"], o["instance"]): o for o in small["options"]}
            for o in large["options"]:
                before = one.get((o["gpu"], o["provider"], o["instance"]))
                if before is None or workload == "llama13b-train":
                    continue
                if rate:
                    self.assertAlmostEqual(o[rate]["value"] / before[rate]["value"], 4, places=6)
                else:  # each instance runs a job of its own
                    self.assertAlmostEqual(o["hours_total"]["value"] / before["hours_total"]["value"], 1, places=6)
                    self.assertAlmostEqual(o["usd_per_run"]["value"] / before["usd_per_run"]["value"], 1, places=6)
            if workload == "llama13b-train":
                self.assertTrue(all(o["train_tokens_per_s"]["basis"] == "extrapolated" for o in large["options"] if o["instances"] > 1))
                self.assertIn("training is spread over whole nodes with fast links only", {x["reason"] for x in large["excluded"]})
            self.assertEqual(any("network" in risk for risk in large["verdict"]["risks"]), workload == "llama13b-train")

    @harness.once
    def test_a_fleet_and_a_load_exclude_each_other(self):
        for words in (("--gpus", "8"), ("--rate", "2"), ("--concurrency", "64")):
            self.assertIn("exclude each other", self.exits(2, "report", "llama70b", "--fleet", "8", *words)[1])
            setting = {"GPUADVISE_" + words[0][2:].upper(): words[1]}
            self.assertEqual({o["gpu_count"] for o in self.report("llama70b", "--fleet", "16", code=0)["options"]},
                             {o["gpu_count"] for o in self.json("report", "llama70b", "--fleet", "16", env=setting)["options"]})
        for words in ("0", "-8", "1.5", "many", "100001"):
            self.assertIn("--fleet", self.exits(2, "report", "llama70b", "--fleet", words)[1])

    @harness.once
    def test_power_of_the_site(self):
        everything = self.report("llama70b")
        answer = self.report("llama70b", "--site-kw", "12")
        self.assertTrue(answer["options"])
        self.assertIn("filter: takes more power than the site has", {x["reason"] for x in answer["excluded"]})
        watts = {g["sku_id"]: g["board_power_w"] for g in self.json("gpus")["gpus"]}
        terms = {t["name"]: t["value"] for t in answer["assumptions"]}
        kw = {key(o): watts[o["gpu"]] * o["gpu_count"] * terms["host-power-factor"] * terms["pue"] / 1000 for o in everything["options"] if watts[o["gpu"]]}
        self.assertTrue(all(kw[key(o)] <= 12 for o in answer["options"] if key(o) in kw))
        self.assertTrue(any(x > 12 for x in kw.values()))
        for vendor in ("nvidia", "amd"):
            if answer["costs"][vendor]:
                self.assertLessEqual(answer["costs"][vendor]["power_kw"], 12)
        self.assertEqual(answer["inputs"]["resolved"]["site_kw"], 12)
        self.assertIn("at most 12 kW with servers and cooling", self.ok("report", "llama70b", "--site-kw", "12", env={"COLUMNS": "200"}))
        self.assertEqual(self.report("llama13b-train", "--site-kw", "0.5", code=3)["options"], [])
        for words in ("0", "-1", "nan", "inf", "a lot"):
            self.exits(2, "report", "llama70b", "--site-kw", words)

    def test_only_report_takes_lists(self):
        for command in ("prices", "list"), ("estimate", "--model", "llama-3.1-8b"):
            self.assertIn("'%s' takes one" % command[0], self.exits(2, *command, "--gpu", "mi300x,mi325x")[1])
            self.assertEqual(self.ok(*command, "--gpu", "mi325x", "--gpu", "mi300x"), self.ok(*command, "--gpu", "mi300x"))
        config = {"GPUADVISE_GPU": "mi300x,h100-sxm5-80gb"}
        self.assertEqual({o["gpu"] for o in self.json("report", "--workload", "llama70b", env=config)["options"]}, {"mi300x-192gb", "h100-sxm5-80gb"})
        self.assertIn("--gpu", self.exits(2, "estimate", "--model", "llama-3.1-8b", env=config)[1])

    @harness.once
    def test_discount_and_duty_cycle(self):
        full = self.report("llama70b", "--provider", "azure")["options"][0]
        half = self.report("llama70b", "--provider", "azure", "--discount", "azure=50")["options"][0]
        self.assertAlmostEqual(half["output_usd_per_mtok"]["value"], full["output_usd_per_mtok"]["value"] / 2, delta=1e-6)
        idle = self.report("llama70b", "--provider", "azure", "--duty-cycle", "0.5")["options"][0]
        self.assertAlmostEqual(idle["output_usd_per_mtok"]["value"], full["output_usd_per_mtok"]["value"] * 2, delta=1e-6)

    @harness.once
    def test_pareto_options_are_not_beaten(self):
        for vendor in ("nvidia", "amd"):
            own = [o for o in self.report("batch-offline", "--pareto")["options"] if o["vendor"] == vendor]
            for i, o in enumerate(own):
                self.assertFalse(any(p["tpot_ms"]["value"] <= o["tpot_ms"]["value"] for p in own[:i]))

    @harness.once
    def test_rate(self):
        answer = self.report("llama70b", "--rate", "20")
        for o in answer["options"]:
            self.assertAlmostEqual(o["output_tokens_per_s"]["value"], 20 * 512, delta=1)

    @harness.once
    def test_model_of_ones_own(self):
        answer = self.json("report", "--model", "qwen3-32b", "--isl", "2000", "--osl", "300")
        self.assertEqual(answer["inputs"]["resolved"]["workload"], "custom")
        self.assertTrue(answer["options"])
        swapped = self.report("llama70b", "--model", "gpt-oss-120b")
        self.assertIn("mxfp4", {o["weights"] for o in swapped["options"]})

    @harness.once
    def test_turning_points_turn(self):
        before = self.report("llama70b")
        flip = next(f for f in before["sensitivity"] if f["value"] and f["flip_value"])
        self.assertGreater(flip["flip_value"], 0)

    def test_nothing_fits_is_3_with_json(self):
        answer = self.report("llama70b", "--tpot", "0.5", code=3)
        self.assertEqual(answer["verdict"]["winner"], "neither")
        self.assertEqual(answer["options"], [])
        self.assertTrue(any("latency" in x["reason"] for x in answer["excluded"]))

    def test_too_old_is_6_with_json(self):
        answer = self.report("llama70b", "--max-age", "1h", code=6)
        self.assertEqual(answer["options"], [])
        self.assertGreater(answer["prices"]["offers_too_old"], 100)

    @harness.once
    def test_gate_is_4_with_the_answer(self):
        answer = self.report("llama70b", "--fail-over-usd-per-mtok", "0.0001", code=4)
        self.assertTrue(answer["options"])
        self.report("llama70b", "--fail-over-usd-per-mtok", "1000")

    def test_usage_is_2(self):
        for words in (["report"], ["report", "--workload", "lama70b"], ["report", "--workload", "llama70b", "--gpu", "v100"],
                      ["report", "--workload", "llama70b", "--isl", "-1"], ["report", "--workload", "llama70b", "--gpus", "0"],
                      ["report", "--workload", "llama70b", "--isl", "1e309"], ["report", "--workload", "llama70b", "--rate", "nan"],
                      ["report", "--workload", "llama70b", "--tpot", "inf"], ["report", "--workload", "llama70b", "--ttft", "-5"],
                      ["report", "--workload", "llama70b", "--rate", "1", "--concurrency", "2"],
                      ["report", "--workload", "sdxl-images", "--tpot", "5"], ["report", "--workload", "llama70b", "--current", "h100-sxm5-80gb"], ["report", "--workload", "llama70b", "--current", "h100-sxm5-80gb@x"],
                      ["report", "--workload", "llama70b", "--provider", "azur"], ["report", "--workload", "llama70b", "--engine", "vlm"],
                      ["report", "--workload", "llama70b", "--model", "sdxl"], ["report", "--workload", "hpc-md", "--model", "llama-3.1-8b"]):
            out, err = self.exits(2, *words)
            self.assertEqual(out, "")
            self.assertTrue(err.startswith("gpuadvise: "), err)
        self.assertIn("llama70b", self.exits(2, "report", "--workload", "lama70b")[1])
        self.assertIn("v100-sxm2-16gb", self.exits(2, "report", "--workload", "llama70b", "--gpu", "v100")[1])


class Source(harness.Case):
    def setUp(self):
        super().setUp()
        self.tree = os.path.join(self.home, "tree")
        os.mkdir(self.tree)
        self.put("a.cu", "__global__ void k(int *p) {}\nvoid f(int *p) { cudaMalloc(&p, 4); k<<<1, 2>>>(p); }\n")
        self.put("requirements.txt", "tensorrt-llm\n")

    def put(self, name, text):
        with open(os.path.join(self.tree, name), "w", encoding="utf-8") as f:
            f.write(text)

    def report(self, *args):
        return self.json("report", "--workload", "llama70b", "--source", self.tree, *args)

    def test_the_days_are_those_of_the_scan(self):
        x = self.report("--engineer-day-usd", "900", "--team", "expert")
        scan = self.json("migrate", "scan", self.tree, "--engineer-day-usd", "900", "--team", "expert", "--gpu", x["best"]["amd"]["gpu"])
        self.assertEqual(x["migration"]["effort_days"], scan["effort_days"])
        self.assertEqual(x["migration"]["effort_usd"], scan["effort_usd"])
        self.assertEqual(x["migration"]["findings"], {k: v for k, v in scan["summary"]["own"].items() if k != "files"})
        self.assertEqual([b["name"] for b in x["migration"]["blockers"]], ["tensorrt-llm"])

    def test_money_adds_up(self):
        x = self.report("--engineer-day-usd", "1000")
        even, days = x["break_even"], x["migration"]["effort_days"]
        terms = {t["name"]: t["value"] for t in x["assumptions"]}
        work = 1000 * (x["migration"]["first_port_with_blockers_days"] + days["tests_and_ci"]["value"] + terms["contract-days"])
        bill = 730 * x["best"]["nvidia"]["price_usd_per_hour"]
        after = bill * x["verdict"]["cost_ratio_amd_to_nvidia"]["value"]
        self.assertAlmostEqual(even["work_usd"]["value"] / work, 1, 6)
        self.assertAlmostEqual(even["once_usd"]["value"] / (work + after * terms["dual-weeks"] / (365 / 12 / 7)), 1, 6)
        self.assertAlmostEqual(even["upkeep_usd_per_month"]["value"] / (1000 * days["kept_a_year"]["value"] / 12), 1, 6)
        self.assertAlmostEqual((even["saving_usd_per_month"]["value"] - (bill - after)) / bill, 0, 8)  # by the bill: costs may be all but equal

    def test_without_a_day_rate_or_a_source(self):
        x = self.report()
        wage = {t["name"]: t for t in x["assumptions"]}["engineer-day-usd"]
        self.assertIn("Bureau of Labor Statistics", wage["source"])
        self.assertAlmostEqual(x["break_even"]["work_usd"]["value"] / x["break_even"]["days"]["value"] / wage["value"], 1, 6)
        x = self.json("report", "--workload", "llama70b")
        self.assertEqual((x["migration"], x["break_even"], x["lanes"], x["compatibility"]), (None, None, [], None))
        self.assertIn("--source", self.ok("report", "--workload", "llama70b"))

    def test_text_and_markdown(self):
        for form in ("table", "md"):
            out = self.ok("report", "--workload", "llama70b", "--source", self.tree, "--engineer-day-usd", "900", "--format", form)
            order = [out.index(word) for word in ("What would flip it", "Moving the code to AMD", "Assumptions and ages")]
            self.assertEqual(order, sorted(order))
            self.assertIn("break-even", out)
            self.assertIn("tensorrt-llm", out)

    def test_nothing_to_port(self):
        os.remove(os.path.join(self.tree, "a.cu"))
        self.put("requirements.txt", "numpy\n")
        x = self.report("--engineer-day-usd", "900")
        self.assertEqual(x["migration"]["effort_days"]["first_port"]["value"], 0)
        self.assertIn("nothing to port", x["break_even"]["text"])

    def test_wrong_use(self):
        self.exits(2, "report", "--workload", "llama70b", "--team", "expert")
        _, err = self.exits(1, "report", "--workload", "llama70b", "--source", os.path.join(self.tree, "no\x1b[31m"))
        self.assertNotIn("\x1b", err)

    def test_price_of_ones_own(self):
        ask = ["report", "--workload", "llama70b"]
        listed = self.json(*ask)["best"]["amd"]
        own = self.json(*ask, "--price", f"{listed['provider']}:mi300x=1.25")
        self.assertEqual(own["best"]["amd"]["price_usd_per_gpu_hour"], 1.25)
        self.assertEqual(own["best"]["amd"]["provider"], listed["provider"])
        self.assertTrue(any("--price" in w and "1.25" in w for w in own["warnings"]))
        for words in ("runpd:mi300x=1", "runpod=1", "runpod:mi300y=1", "aws:mi300x=1", "runpod:mi300x=0", "runpod:mi300x=nan", "runpod:=1"):
            _, err = self.exits(2, *ask, "--price", words)
            self.assertIn("--price", err, words)


if __name__ == "__main__":
    harness.main()
