"""`estimate` from outside: what a configuration can do, consistency, exit codes."""
import again
import harness


class Estimate(harness.Case):
    def test_70b_in_fp16_at_batch_32_on_one_gpu(self):
        h100 = self.json("estimate", "--model", "llama-3.1-70b", "--gpu", "h100-sxm5-80gb", "--weights", "fp16", "--batch", "32", code=3)
        self.assertFalse(h100["fits"])
        self.assertAlmostEqual(h100["memory"]["weights_gb"], 141.1, delta=0.05)
        self.assertEqual(h100["memory"]["kv_bytes_per_token"], 327680)
        self.assertIsNone(h100["output_tokens_per_s"]["value"])
        mi300x = self.json("estimate", "--model", "llama-3.1-70b", "--gpu", "mi300x", "--weights", "fp16", "--batch", "32")
        self.assertTrue(mi300x["fits"])
        self.assertLess(mi300x["output_tokens_per_s"]["high"], 1202)

    def test_files_of_4_bits_fit_where_people_run_them(self):
        def small(gpu, model, code=0):
            return self.json("estimate", "--model", model, "--gpu", gpu, "--engine", "llama.cpp", "--weights", "int4", "--batch", "1",
                             "--isl", "286", "--osl", "300", code=code)
        for model, file_gb in (("qwen3-32b", 19.76), ("qwen3-30b-a3b", 18.56)):  # Q4_K_M files as published
            a = small("rx-7900-xt-20gb", model)
            self.assertTrue(a["fits"], model)
            self.assertAlmostEqual(a["memory"]["weights_gb"], file_gb, delta=0.02 * file_gb)
        self.assertFalse(small("rx-9070-xt-16gb", "qwen3-32b", 3)["fits"])
        self.assertFalse(small("rx-7900-xt-20gb", "llama-3.1-70b", 3)["fits"])
        for gpu in ("gb10-dgx-spark-128gb", "mi50-32gb", "mi60-32gb", "mi100-32gb", "v620-32gb"):
            self.assertGreater(small(gpu, "llama-3.1-8b")["output_tokens_per_s"]["value"], 5, gpu)

    def test_what_speaks_against_an_engine_is_said(self):
        words = ["estimate", "--model", "llama-3.1-8b", "--batch", "1", "--engine", "vllm", "--gpu"]
        self.assertIn("community builds only", self.exits(0, *words, "mi100-32gb")[1])
        self.assertNotIn("vllm on", self.exits(0, *words, "mi300x")[1])

    def test_adds_up(self):
        for words in (["--model", "llama-3.1-8b", "--gpu", "l40s"], ["--model", "deepseek-r1", "--gpu", "mi355x", "--gpus", "8"],
                      ["--model", "gpt-oss-120b", "--gpu", "h200-sxm5", "--gpus", "8", "--tp", "2", "--concurrency", "64"],
                      ["--model", "llama-3.1-70b", "--gpu", "mi300x", "--gpus", "8", "--tp", "2", "--pp", "2", "--rate", "2"],
                      ["--model", "llama-3.1-8b", "--gpu", "a10-24gb", "--concurrency", "5000"]):
            a = self.json("estimate", "--isl", "700", "--osl", "300", *words)
            e2e = a["ttft_p50_ms"]["value"] + 299 * a["tpot_ms"]["value"]
            self.assertAlmostEqual(a["e2e_ms"]["value"], e2e, delta=e2e * 0.02)
            rate = a["output_tokens_per_s"]["value"]
            self.assertAlmostEqual(rate, a["concurrency"] * 300 / e2e * 1000, delta=rate * 0.02)
            self.assertAlmostEqual(a["output_tokens_per_s_per_gpu"]["value"] * a["configuration"]["gpu_count"], rate, delta=rate * 1e-6)
            self.assertAlmostEqual(a["total_tokens_per_s"]["value"], rate * 1000 / 300, delta=rate * 0.01)
            self.assertIn(a["bound_by"], [b["item"] for b in a["breakdown"]])
            m = a["memory"]
            used = m["weights_gb"] * a["configuration"]["parallel"]["dp"] + m["kv_cache_gb"] + m["workspace_gb"]
            self.assertLessEqual(used, m["usable_gb"])

    def test_precisions_of_engines_and_architectures(self):
        fp8 = ["estimate", "--model", "llama-3.1-8b", "--gpu", "a100-sxm4-80gb", "--weights", "fp8"]
        refused = self.json(*fp8, "--engine", "tensorrt-llm", code=3)
        self.assertIn("TensorRT-LLM has no FP8 on Ampere", refused["reason"])
        self.assertEqual(self.json(*fp8, "--engine", "vllm")["configuration"]["weights_run"], "weight-only (Marlin)")
        self.assertTrue(self.json(*fp8, "--engine", "sglang")["fits"])
        experts = ["--model", "qwen3-30b-a3b", "--gpu", "a100-sxm4-80gb", "--weights", "fp8"]
        self.assertIn("not in experts", self.json("estimate", *experts, "--engine", "sglang", code=3)["reason"])
        self.assertTrue(self.json("estimate", *experts, "--engine", "vllm")["fits"])
        self.assertIn("llama.cpp runs no fp8 weights", self.json(*fp8, "--engine", "llama.cpp", code=3)["reason"])
        for gpu in ("mi50-32gb", "mi100-32gb", "v620-32gb", "v100-sxm2-32gb"):
            for weights in ("int4", "int8"):
                a = self.json("estimate", "--model", "llama-3.1-8b", "--gpu", gpu, "--engine", "llama.cpp", "--weights", weights, "--concurrency", "1")
                self.assertEqual(a["output_tokens_per_s"]["basis"], "extrapolated")
                self.assertLess(a["output_tokens_per_s"]["value"], 250)
        self.exits(3, "estimate", "--model", "llama-3.1-8b", "--gpu", "mi300x", "--engine", "tensorrt-llm")

    def test_blocks_of_quantised_weights_are_not_cut(self):
        for model, gpus, block in (("minimax-m2.5", 8, "192"), ("qwen3-235b-a22b", 8, "192"), ("qwen3-30b-a3b", 4, "192"), ("qwen3-coder-480b-a35b", 8, "320"),
                                     ("qwen3-coder-30b-a3b", 4, "192"), ("qwen3-vl-235b-a22b", 8, "192")):
            words = ["estimate", "--model", model, "--gpu", "mi355x", "--gpus", str(gpus), "--weights", "fp8"]
            refused = self.json(*words, code=3)
            self.assertIn(f"cut by {gpus} leave {block}, no multiple of the 128-block", refused["reason"])
            self.assertIn(f"pure TP{gpus} is not supported; spread the experts over the GPUs (EP{gpus}) or use TP{gpus // 2}", refused["reason"])
            self.assertTrue(self.json(*words, "--ep", str(gpus))["fits"])
            self.assertTrue(self.json(*words, "--tp", str(gpus // 2))["fits"])
        for model, gpus, block in (("step-3.5-flash", 4, "320"), ("qwen3.6-35b-a3b", 8, "64"), ("qwen3.5-122b-a10b", 16, "64")):  # the shared expert is cut even where the others are spread
            refused = self.json("estimate", "--model", model, "--gpu", "h200", "--gpus", str(gpus), "--weights", "fp8", code=3)
            self.assertIn(f"cut by {gpus} leave {block}, no multiple of the 128-block", refused["reason"])
            self.assertTrue(refused["reason"].endswith(f"pure TP{gpus} is not supported; use TP{gpus // 2}"), refused["reason"])
        self.assertTrue(self.json("estimate", "--model", "deepseek-r1", "--gpu", "mi355x", "--gpus", "8")["fits"])

    def test_every_fp8_checkpoint_of_an_owner_that_quantises_in_blocks_says_so(self):
        experts = {row["model_id"] for row in again.table("models") if row["experts"] not in ("", "0")}
        blocks = {row["hf_name"] for row in again.table("block_checkpoints")}
        owners = {name.split("/")[0] for name in blocks}
        released = {row["hf_name"] for row in again.table("checkpoints") if row["weights"] == "fp8" and row["maker"] == "owner" and row["model_id"] in experts}
        self.assertEqual({name for name in released if name.split("/")[0] in owners} - blocks, set())

    def test_loads_beyond_what_was_measured_are_extrapolated(self):
        for gpu, load, said in (("rtx-4090", "1", False), ("rtx-4090", "9", True), ("mi300x", "1", True)):
            a = self.json("estimate", "--model", "llama-3.1-8b", "--gpu", gpu, "--engine", "llama.cpp", "--weights", "int4", "--concurrency", load)
            self.assertEqual(any("in flight are extrapolated" in w for w in a["warnings"]), said, (gpu, load, a["warnings"]))
            if said:
                self.assertEqual(a["output_tokens_per_s"]["basis"], "extrapolated")

    def test_layout(self):
        a = self.json("estimate", "--model", "llama-3.1-8b", "--gpu", "mi300x", "--gpus", "8", "--tp", "2")
        self.assertEqual(a["configuration"]["parallel"], {"tp": 2, "pp": 1, "ep": 1, "dp": 4})
        self.exits(2, "estimate", "--model", "llama-3.1-8b", "--gpu", "mi300x", "--gpus", "8", "--tp", "3")
        self.exits(2, "estimate", "--model", "llama-3.1-8b", "--gpu", "mi300x", "--tp", "2", "--ep", "2")

    def test_ways_of_serving(self):
        """Speculation, cached prompts, power caps, experts over replicas, two pools: each moves what it should, and doubts more."""
        base = ["estimate", "--model", "llama-3.1-70b", "--gpu", "h100-sxm5-80gb", "--gpus", "8", "--tp", "2", "--weights", "fp8", "--isl", "4000", "--osl", "400", "--concurrency", "16"]
        plain = self.json(*base)

        def spread(a):
            return a["output_tokens_per_s"]["high"] / a["output_tokens_per_s"]["low"]

        def speed(*more):
            a = self.json(*base, *more)
            self.assertGreater(spread(a), spread(plain), more)
            self.assertEqual(a["output_tokens_per_s"]["basis"], "extrapolated")
            return a
        known, usual = speed("--draft-tokens", "3", "--kept-tokens", "2.8"), speed("--draft-tokens", "3")
        self.assertGreater(known["output_tokens_per_s"]["value"], usual["output_tokens_per_s"]["value"])
        self.assertEqual(known["output_tokens_per_s"], speed("--draft-tokens", "3", "--accepted-tokens", "2.8")["output_tokens_per_s"])  # its name today
        self.assertGreater(usual["output_tokens_per_s"]["value"], plain["output_tokens_per_s"]["value"])
        self.assertGreater(spread(usual), spread(known))
        self.assertEqual(known["configuration"]["tokens_per_step"], 2.8)
        cached = speed("--cached-prompt", "0.75")
        self.assertLess(cached["ttft_p50_ms"]["value"], 0.7 * plain["ttft_p50_ms"]["value"])
        self.assertLess(speed("--power-cap", "300")["output_tokens_per_s"]["value"], plain["output_tokens_per_s"]["value"])
        split = speed("--prefill-gpus", "4")
        self.assertLess(split["ttft_p50_ms"]["value"], split["e2e_ms"]["value"])
        self.assertEqual((split["configuration"]["prefill_gpus"], split["configuration"]["gpu_count"]), (4, 8))
        wide = self.json("estimate", "--model", "deepseek-r1", "--gpu", "h200-sxm5-141gb", "--gpus", "16", "--tp", "8", "--ep", "16")
        self.assertGreater(wide["memory"]["sequences_max"], self.json("estimate", "--model", "deepseek-r1", "--gpu", "h200-sxm5-141gb", "--gpus", "16", "--tp", "8", "--ep", "8")["memory"]["sequences_max"])
        text = self.ok(*base, "--draft-tokens", "2", "--accepted-tokens", "1.5", "--cached-prompt", "0.5")
        self.assertIn("2 tokens speculated a step; with its own it gives 1.50. 50 % of each", text)

    def test_ways_that_make_no_sense(self):
        base = ["estimate", "--model", "llama-3.1-70b", "--gpu", "h100-sxm5-80gb", "--gpus", "4", "--tp", "2", "--weights", "fp8"]
        for more, message in ((["--accepted-tokens", "2"], "needs '--draft-tokens'"), (["--draft-tokens", "2", "--accepted-tokens", "3.5"], "at most 3"),
                              (["--cached-prompt", "1.5"], "cached-prompt"), (["--power-cap", "100"], "without computing"), (["--prefill-gpus", "3"], "whole replicas"),
                              (["--prefill-gpus", "4"], "at most 2"), (["--prefill-gpus", "2", "--rate", "1"], "concurrency")):
            self.assertIn(message, self.exits(2, *base, *more)[1])
        self.exits(2, "report", "--workload", "sdxl-images", "--draft-tokens", "2")

    def test_report_with_speculation_costs_less(self):
        cost = [self.json("report", "--workload", "low-latency", *more)["best"]["nvidia"]["tpot_ms"]["value"] for more in ([], ["--draft-tokens", "3", "--accepted-tokens", "3"])]
        self.assertLess(cost[1], cost[0])

    def test_embeddings(self):
        words = ["estimate", "--model", "bge-m3", "--gpu", "h200-sxm5"]
        one = self.json(*words, "--isl", "1000")
        two = self.json(*words, "--isl", "1000", "--gpus", "2")
        self.assertTrue(one["fits"])
        self.assertAlmostEqual(one["memory"]["weights_gb"], 1.1355, delta=0.001)
        self.assertIsNone(one["memory"]["kv_bytes_per_token"])
        self.assertIsNone(one["output_tokens_per_s"]["value"])
        rate = one["sequences_per_s"]
        self.assertTrue(rate["low"] < rate["value"] < rate["high"])
        self.assertAlmostEqual(one["input_tokens_per_s"]["value"], rate["value"] * 1000, delta=1)
        self.assertAlmostEqual(two["sequences_per_s"]["value"], 2 * rate["value"], delta=1e-3)
        self.assertAlmostEqual(two["sequences_per_s_per_gpu"]["value"], rate["value"], delta=1e-3)
        self.assertGreater(self.json(*words, "--isl", "1000", "--weights", "fp8")["sequences_per_s"]["value"], rate["value"])
        self.assertLess(self.json(*words, "--isl", "8000")["input_tokens_per_s"]["value"], one["input_tokens_per_s"]["value"])
        amd = self.json("estimate", "--model", "bge-m3", "--gpu", "mi300x", "--isl", "1000")["sequences_per_s"]
        self.assertEqual((rate["basis"], amd["basis"]), ("calibrated", "extrapolated"))  # no row of AMD GPUs since CDNA2
        self.assertGreater(amd["high"] / amd["low"], 1.5 * rate["high"] / rate["low"])
        for extra, said in ((["--osl", "5"], "--osl"), (["--rate", "2"], "--rate"), (["--tp", "2"], "--tp"), (["--isl", "9000"], "at most 8192 tokens")):
            self.assertIn(said, self.exits(2, *words, *extra)[1])
        self.exits(2, "estimate", "--model", "whisper-large-v3", "--gpu", "mi300x")
        self.assertIn("of them are reached", self.ok(*words, "--explain"))

    def test_report_of_embeddings(self):
        own = self.json("report", "--model", "e5-large-v2", "--top", "3")
        self.assertEqual((own["inputs"]["resolved"]["kind"], own["inputs"]["resolved"]["isl_tokens"]), ("embed", 512))
        self.exits(2, "report", "--workload", "embed-docs", "--isl", "900")
        self.exits(2, "report", "--workload", "embed-docs", "--concurrency", "9")
        decoder = self.json("report", "--workload", "embed-docs", "--model", "llama-3.1-8b", "--top", "3")
        self.assertGreater(decoder["options"][0]["input_usd_per_mtok"]["value"], 5 * own["options"][0]["input_usd_per_mtok"]["value"])

    def test_report_under_a_power_cap(self):
        """Arithmetic gets dearer and electricity less; a board that cannot run so is counted, not shown."""
        words = ["report", "--workload", "llama70b", "--gpu", "h100-sxm5", "--top", "40"]
        free, capped, loose = self.json(*words), self.json(*words, "--power-cap", "350"), self.json(*words, "--power-cap", "5000")
        self.assertLess(free["best"]["nvidia"]["output_usd_per_mtok"]["value"], capped["best"]["nvidia"]["output_usd_per_mtok"]["value"])
        self.assertEqual(free["best"]["nvidia"]["output_usd_per_mtok"], loose["best"]["nvidia"]["output_usd_per_mtok"])
        self.assertIn("350 W a GPU", self.ok(*words, "--power-cap", "350"))
        self.assertIn("350 W a GPU", self.ok(*words, "--power-cap", "350", "--format", "md"))
        starved = self.json("report", "--workload", "llama70b", "--power-cap", "120", code=3)
        self.assertTrue(any("power cap" in x["reason"] and x["example"] for x in starved["excluded"]))
        self.assertIn("MI300A would do it", starved["verdict"]["unknown_because"])  # nobody has a price of the one that could
        self.assertFalse([o for o in starved["options"] if o["gpu"].startswith("mi300x")])  # takes more than 120 W at rest
        self.assertIn("--power-cap", self.exits(2, "report", "--workload", "sdxl-images", "--power-cap", "300")[1])

    def test_unsupported_is_no(self):
        a = self.json("estimate", "--model", "llama-3.1-8b", "--gpu", "mi300x", "--engine", "tensorrt-llm", code=3)
        self.assertIn("engine", a["reason"])

    def test_usage_is_2(self):
        for words in ([], ["--model", "llama-3.1-8b"], ["--model", "llama-3.1-8b", "--gpu", "mi300"], ["--model", "nosuch", "--gpu", "mi300x"],
                      ["--model", "sdxl", "--gpu", "mi300x"], ["--model", "llama-3.1-8b", "--gpu", "mi300x", "--gpus", "0"],
                      ["--model", "llama-3.1-8b", "--gpu", "mi300x", "--osl", "1e309"], ["--model", "llama-3.1-8b", "--gpu", "mi300x", "--batch", "1", "--rate", "1"]):
            self.assertEqual(self.exits(2, "estimate", *words)[0], "")

    def test_text(self):
        text = self.ok("estimate", "--model", "llama-3.1-70b", "--gpu", "mi300x", "--explain")
        self.assertIn("bound by", text)
        self.assertIn("sources", text)

    def test_explained_text_names_what_sharing_experts_takes(self):
        words = ["estimate", "--model", "deepseek-r1", "--gpu", "h200-sxm5", "--gpus", "8", "--tp", "1", "--dp", "8", "--engine", "sglang", "--batch", "64", "--explain"]
        text = self.ok(*words, "--ep", "8")
        self.assertIn("8 replicas share experts", " ".join(text.split()))
        self.assertIn("spread_step_ratio", text)
        self.assertEqual([line for line in text.splitlines() if len(line) > 80], [])
        self.assertEqual(self.json(*words, "--ep", "8")["reason"], None)
        self.assertIn("memory", self.json(*words, code=3)["reason"])

    def test_room_holds_what_runs_and_times_keep_to_physics(self):
        for words in (["--model", "qwen2.5-72b", "--gpu", "l40s", "--gpus", "2", "--weights", "fp8", "--isl", "9000"], ["--model", "mistral-nemo-12b", "--gpu", "a100-pcie-40gb", "--engine", "tensorrt-llm", "--batch", "4000"]):
            a = self.json("estimate", *words)
            self.assertLessEqual(a["memory"]["kv_cache_gb"], a["memory"]["kv_room_gb"])
        a = self.json("estimate", "--model", "mixtral-8x7b", "--gpu", "h100-sxm5", "--weights", "fp8", "--isl", "16", "--batch", "1")
        first_only = self.json("estimate", "--model", "llama-3.1-8b", "--gpu", "h100-sxm5", "--gpus", "4", "--tp", "1", "--prefill-gpus", "2", "--osl", "1", "--concurrency", "64")["output_tokens_per_s"]
        self.assertGreater(first_only["high"], first_only["value"])
        read_ms = 12.9e9 / 3350e9 * 1000  # the parameters in use, 8 bits each
        self.assertGreater(a["tpot_ms"]["low"], read_ms * 0.99)


if __name__ == "__main__":
    harness.main()
