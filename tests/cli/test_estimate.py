"""`estimate` from outside: what a configuration can do, consistency, exit codes."""
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

    def test_layout(self):
        a = self.json("estimate", "--model", "llama-3.1-8b", "--gpu", "mi300x", "--gpus", "8", "--tp", "2")
        self.assertEqual(a["configuration"]["parallel"], {"tp": 2, "pp": 1, "ep": 1, "dp": 4})
        self.exits(2, "estimate", "--model", "llama-3.1-8b", "--gpu", "mi300x", "--gpus", "8", "--tp", "3")
        self.exits(2, "estimate", "--model", "llama-3.1-8b", "--gpu", "mi300x", "--tp", "2", "--ep", "2")

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


if __name__ == "__main__":
    harness.main()
