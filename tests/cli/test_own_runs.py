"""Runs of the user's own in answers: what they move, what they leave alone, which do not count, and which would be worth having."""
import json
import os

import harness
import test_schema

GIVEN = ("--gpu", "h100-sxm5", "--gpus", "4", "--tp", "4", "--engine", "vllm:0.11.0", "--weights", "fp8", "--kv", "bf16")
ASKED = ("--model", "llama-3.1-70b", "--isl", "1024", "--osl", "512", "--weights", "fp8")


def result(concurrency, tokens_s, ttft_ms, tpot_ms, **more):
    """What `vllm bench serve --save-result` writes."""
    n, isl, osl = concurrency * 10, 1024, 512
    r = {"date": "20261120-101010", "backend": "vllm", "endpoint_type": "vllm", "model_id": "meta-llama/Llama-3.1-70B", "tokenizer_id": "x",
         "num_prompts": n, "completed": n, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": concurrency,
         "duration": n * osl / tokens_s, "total_input_tokens": n * isl, "total_output_tokens": n * osl, "request_throughput": tokens_s / osl,
         "output_throughput": tokens_s, "total_token_throughput": tokens_s * (isl + osl) / osl}
    for name, ms in (("ttft", ttft_ms), ("tpot", tpot_ms), ("itl", tpot_ms)):
        r.update({f"mean_{name}_ms": ms, f"median_{name}_ms": ms, f"std_{name}_ms": 1, f"p99_{name}_ms": 1.2 * ms})
    return {**r, **more}


class OwnRuns(harness.Case):
    def estimate(self, concurrency=32, gpu="h100-sxm5", gpus=4, **more):
        words = [w for key, value in more.items() for w in ("--" + key, value)]
        return self.json("estimate", *ASKED, "--gpu", gpu, "--gpus", str(gpus), "--concurrency", str(concurrency), *words)

    def measure(self, slower, loads=(8, 32, 128)):
        """Imports runs that take `slower` times what is estimated now."""
        os.makedirs(os.path.join(self.home, "results"), exist_ok=True)
        for load in loads:
            x = self.estimate(load)
            r = result(load, x["output_tokens_per_s"]["value"] / slower, x["ttft_p50_ms"]["value"] * slower, x["tpot_ms"]["value"] * slower)
            with open(os.path.join(self.home, f"results/{load}.json"), "w", encoding="utf-8") as f:
                json.dump(r, f)
        return self.json("runs", "import", os.path.join(self.home, "results"), *GIVEN)

    def test_estimate_moves_to_what_was_measured_others_little_and_other_models_not(self):
        others = [("mi300x", 8), ("h200", 4), ("b200", 4), ("a100-sxm4-80gb", 8)]
        before = {g: self.estimate(gpu=g, gpus=n)["output_tokens_per_s"] for g, n in others}
        of_another_model = ("estimate", "--model", "qwen2.5-72b", "--gpu", "mi300x", "--gpus", "8", "--weights", "fp8", "--concurrency", "32")
        alone = self.json(*of_another_model)
        was, between = self.estimate(32), self.estimate(64)
        self.assertEqual(was["own_runs"], [])
        self.assertIsNone(was["own_runs_move_time_pct"])
        self.assertEqual({r["counts"] for r in self.measure(1.3)["records"]}, {"yes"})
        now, middle = self.estimate(32), self.estimate(64)
        for old, new in ((was, now), (between, middle)):
            ratio = old["output_tokens_per_s"]["value"] / new["output_tokens_per_s"]["value"]
            self.assertLess(abs(ratio / 1.3 - 1), 0.04)
            self.assertEqual(new["output_tokens_per_s"]["basis"], "measured")
            self.assertEqual(len(new["own_runs"]), 3)
            self.assertLess(abs(new["own_runs_move_time_pct"] - 100 * (ratio - 1)), 0.5)
        for gpu, n in others:
            after = self.estimate(gpu=gpu, gpus=n)
            self.assertTrue(1.02 < before[gpu]["value"] / after["output_tokens_per_s"]["value"] < 1.15, gpu)
            self.assertTrue(all(0 < r["likeness"] <= 0.36 for r in after["own_runs"]), gpu)
        unmoved = self.json(*of_another_model)
        self.assertEqual((unmoved["output_tokens_per_s"], unmoved["own_runs"]), (alone["output_tokens_per_s"], []))
        kin = self.estimate(32, gpus=8)
        self.assertEqual(kin["output_tokens_per_s"]["basis"], "informed")
        self.assertTrue(all(r["likeness"] < 1 for r in kin["own_runs"]))
        text = self.ok("estimate", *ASKED, "--gpu", "h100-sxm5", "--gpus", "4", "--concurrency", "64", "--explain")
        self.assertIn("3 runs of your own on this GPU count (of this very configuration)", " ".join(text.split()))
        self.assertIn("what each does to the time of an answer", text)
        self.ok("runs", "remove", "1", "2", "3")
        self.assertEqual(self.estimate(32)["output_tokens_per_s"], was["output_tokens_per_s"])

    def test_a_run_of_eight_gpus_called_one_does_not_count(self):
        x = self.estimate(64, gpus=8)
        path = os.path.join(self.home, "one.json")
        r = result(64, x["output_tokens_per_s"]["value"], x["ttft_p50_ms"]["value"], x["tpot_ms"]["value"])
        with open(path, "w", encoding="utf-8") as f:
            json.dump(r, f)
        record, = self.json("runs", "import", path, "--gpu", "h100-sxm5", "--gpus", "1", "--engine", "vllm", "--weights", "fp8")["records"]
        self.assertEqual(record["counts"], "no")
        self.assertRegex(record["counts_why"], "GPU|memory")
        run, = self.json("runs")["runs"]
        self.assertFalse(run["counts"])
        self.assertIn("quarantined: ", run["state"])
        self.assertEqual(self.estimate(64, gpus=8)["own_runs"], [])

    def test_the_user_may_overrule_a_quarantine(self):
        self.measure(1.1, (8, 32))
        self.measure(6, (128,))
        where = lambda counts: [r["run"] for r in self.json("runs", "list", "--sort", "-conc")["runs"] if r["counts"] is counts]
        self.assertEqual((where(True), where(False)), ([1, 2], [3]))
        without = self.estimate(128)["output_tokens_per_s"]
        self.exits(2, "runs", "accept", "1")
        self.exits(2, "runs", "accept", "9")
        self.exits(2, "runs", "accept", "3", "1")
        self.assertEqual(where(False), [3])
        taken = self.json("runs", "accept", "3")
        self.assertEqual(test_schema.faults("runs", taken), [])
        self.assertEqual([r["accepted"] for r in self.json("runs")["runs"]], [None, None, "2026-11-27"])
        state = self.json("runs", "show", "3")["runs"][0]["state"]
        self.assertRegex(state, r"^doubtful: accepted by you on 2026-11-27 against: .* are expected")
        now = self.estimate(128)
        self.assertLess(now["output_tokens_per_s"]["value"], without["value"] / 1.5)
        self.assertEqual(sorted(filter(None, (r["accepted"] for r in now["own_runs"]))), ["2026-11-27"])
        self.assertIn("1 accepted against a quarantine", " ".join(now["output_tokens_per_s"]["sources"]))
        text = " ".join(self.ok("estimate", *ASKED, "--gpu", "h100-sxm5", "--gpus", "4", "--concurrency", "128", "--explain").split())
        self.assertIn("accepted on 2026-11-27 against a quarantine", text)
        report = self.json("report", "llama70b", "--gpu", "h100-sxm5,mi300x", "--weights", "fp8", "--kv", "bf16")
        self.assertIn("(1 accepted by you against a quarantine)", report["verdict"]["own_runs_changed"])
        again = self.json("runs", "import", os.path.join(self.home, "results/128.json"), *GIVEN)["records"][0]
        self.assertEqual((again["fate"], again["counts"]), ("unchanged", "less"))
        self.ok("runs", "import", os.path.join(self.home, "results/128.json"), *GIVEN, "--dp", "1", "--host", "other")
        self.assertEqual(where(False), [3])  # other words on it: judged anew

    def test_list_takes_where_and_sort(self):
        self.measure(1.2)
        loads = lambda *words: [r["batch_or_concurrency"] for r in self.json("runs", "list", *words)["runs"]]
        self.assertEqual(loads("--sort", "-conc"), [128, 32, 8])
        self.assertEqual(loads("--where", "conc>20", "--sort", "out_tok/s"), [32, 128])
        run = self.json("runs")["runs"][0]
        self.assertLess(abs(run["predicted_tokens_per_s"] / run["measured_tokens_per_s"] - 1.2), 0.01)
        self.assertLess(run["predicted_low_tokens_per_s"], run["measured_tokens_per_s"])
        self.assertEqual(self.ok("runs", "list", "--where", "conc=32", "--format", "csv").count("\n"), 2)
        self.exits(2, "runs", "show", "1", "--where", "conc=32")
        self.assertEqual([r["traffic_id"] for r in self.json("traffic", "list", "--where", "coding", "--sort", "traffic")["traffic"]], ["agentic-coding"])
        self.exits(2, "traffic", "show", "agentic-coding", "--where", "coding")

    def test_report_says_in_a_line_what_changed(self):
        only = ("report", "llama70b", "--gpu", "h100-sxm5,mi300x", "--weights", "fp8", "--kv", "bf16")
        before = self.json(*only)["verdict"]
        self.assertIsNone(before["own_runs_changed"])
        self.measure(1.3)
        after = self.json(*only)
        line = after["verdict"]["own_runs_changed"]
        self.assertRegex(line, r"^3 runs of your own count: NVIDIA's best costs \d+ % more .*; AMD's best costs \d % more .*; ")
        self.assertIn(line.split(":")[0], " ".join(self.ok(*only).split()))
        self.assertEqual(test_schema.faults("report", after), [])
        steps = " ".join(s["text"] for s in after["verdict"]["next_steps"])
        self.assertRegex(steps, r"`vllm bench serve .*--random-input-len 1024 --random-output-len 512 .*--max-concurrency \d+ --num-prompts \d+")

    def test_plan_names_two_to_four_runs_as_commands(self):
        answer = self.json("runs", "plan", "llama70b")
        self.assertIn(len(answer["plan"]), (2, 3, 4))
        self.assertEqual({r["vendor"] for r in answer["plan"]}, {"NVIDIA", "AMD"})
        for r in answer["plan"]:
            self.assertLessEqual(r["range_pct_after"], r["range_pct_before"])
            self.assertRegex(r["command"], "random-input-len 1024")
        ranges = [answer["cost_ratio_range_pct"]] + [r["cost_ratio_range_pct_after"] for r in answer["plan"]]
        self.assertEqual({r["vendor"] for r in answer["plan"][:2]}, {"NVIDIA", "AMD"})
        self.assertEqual(ranges, sorted(ranges, reverse=True))
        self.assertLess(ranges[2], ranges[0] / 2)
        self.exits(2, "runs", "plan", "hpc-md")

    def test_validate_and_compare(self):
        self.exits(3, "validate", "--runs")
        self.measure(1.25)
        answer = self.json("validate", "--runs")
        self.assertEqual(test_schema.faults("validate-runs", answer), [])
        self.assertEqual(answer["runs_counting"], 3)
        whole = answer["groups"][0]
        self.assertEqual((whole["by"], whole["metric"], whole["n"]), ("all", "output-tokens", 3))
        self.assertLess(abs(whole["median_abs_error_pct"] - 25), 0.5)
        self.assertLess(abs(whole["bias_pct"] - 25), 0.5)
        self.assertLess(whole["median_abs_with_earlier_pct"], 10)
        self.assertEqual({g["name"] for g in answer["groups"] if g["by"] == "tool"}, {"vllm-serve"})
        page = self.ok("validate", "--runs", "--format", "md")
        self.assertIn("# How estimates did on own runs", page)
        self.assertIn("| all |", page)
        compared = self.json("runs", "compare", "1", "2")
        self.assertEqual(test_schema.faults("runs-compare", compared), [])
        self.assertIn("no more than they vary", compared["verdict"])
        rate = next(r for r in compared["compared"] if r["what"] == "output tokens/s")
        self.assertLess(abs(rate["b_over_a"] / rate["expected_b_over_a"] - 1), 0.01)
        self.exits(2, "validate", "--runs", "--gate")
        self.exits(2, "runs", "compare", "1", "9")


if __name__ == "__main__":
    harness.main()
