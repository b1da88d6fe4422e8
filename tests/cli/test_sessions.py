"""KV capacity and sessions of agents, from outside."""
import os

import harness

KIMI = ["estimate", "--model", "kimi-k2.5", "--kv", "fp8", "--tp", "4", "--memory-fraction", "0.9"]
B200 = KIMI + ["--gpu", "b200", "--weights", "nvfp4"]
MI355X = KIMI + ["--gpu", "mi355x", "--weights", "mxfp4"]


class Sessions(harness.Case):
    @harness.once
    def test_what_apis_ask_stands_beside(self):
        answer = self.json("report", "agentic-coding", "--sessions", "16")
        model = answer["inputs"]["resolved"]["model"]
        with open(os.path.join(harness.DATA, "api_prices.tsv"), encoding="utf-8") as f:
            rows = [line for line in f if line.startswith(model + "\t")]
        self.assertEqual(len(answer["api_prices"]), len(rows))
        self.assertGreaterEqual(len(rows), 1)
        w = answer["inputs"]["resolved"]
        for api in answer["api_prices"]:
            ins, outs, share = w["isl_tokens"], w["osl_tokens"], api["cached_share"]
            fresh = (ins * api["input_usd_per_mtok"] + outs * api["output_usd_per_mtok"]) / (ins + outs)
            self.assertAlmostEqual(api["total_usd_per_mtok"], fresh, 6)
            saved = ins * share * (api["input_usd_per_mtok"] - api["cached_input_usd_per_mtok"]) / (ins + outs)
            self.assertAlmostEqual(api["cached_total_usd_per_mtok"], fresh - saved, 6)
        self.assertIn("APIs of this model", self.ok("report", "agentic-coding", "--sessions", "16"))
        self.assertIn("knows no API price of qwen3.5-397b-a17b", self.ok("report", "agentic-coding", "--model", "qwen3.5-397b-a17b"))
        self.assertNotIn("APIs of this model", self.ok("report", "llama70b"))

    def test_every_estimate_has_a_capacity(self):
        answer = self.json(*MI355X)["kv_capacity"]
        tokens = answer["tokens"]
        self.assertLess(tokens["low"], tokens["value"])
        self.assertLess(tokens["value"], tokens["high"])
        self.assertAlmostEqual(tokens["value"] / 3.65e6, 1, delta=0.1)  # as vLLM prints
        self.assertEqual(answer["copies"], 4)
        self.assertEqual(answer["bytes_per_token"], 4 * 61 * 576)
        self.assertEqual(answer["host_tokens"], 0)
        hosted = self.json(*MI355X, "--host-gb", "100")["kv_capacity"]
        self.assertAlmostEqual(hosted["host_tokens"], 100e9 / (61 * 576), delta=1)
        self.assertIn("KV capacity", self.ok(*MI355X))
        double = self.json("estimate", "--model", "llama-3.1-8b", "--gpu", "mi300x", "--gpus", "2", "--tp", "1")["kv_capacity"]
        self.assertAlmostEqual(double["tokens"]["value"], 2 * double["tokens_of_a_replica"], delta=1)

    def test_past_the_cliff_more_sessions_give_less(self):
        few, many = (self.json(*B200, "--sessions", n) for n in ("4", "16"))
        self.assertGreater(few["total_tokens_per_s"]["value"], 1.5 * many["total_tokens_per_s"]["value"])
        self.assertGreater(few["sessions"]["hit_rate"], 0.9)
        self.assertLess(many["sessions"]["hit_rate"], 0.1)
        self.assertEqual(many["bound_by"], "kv-capacity")
        self.assertTrue(any("beyond the cliff" in w for w in many["warnings"]))
        self.assertFalse(few["sessions"]["bound_by_kv_capacity"])
        hosted = self.json(*B200, "--sessions", "16", "--host-gb", "1000")
        self.assertGreater(hosted["total_tokens_per_s"]["value"], 1.5 * many["total_tokens_per_s"]["value"])
        self.assertLess(hosted["sessions"]["hit_rate_on_gpus"], 0.1)
        amd = self.json(*MI355X, "--sessions", "16")
        self.assertGreater(amd["total_tokens_per_s"]["value"], 2 * many["total_tokens_per_s"]["value"])
        self.assertIn("cliff of the prefix cache at", self.ok(*B200, "--sessions", "4"))

    def test_loads_that_contradict_each_other_are_refused(self):
        for more in (["--concurrency", "4"], ["--rate", "1"], ["--cached-prompt", "0.5"]):
            self.exits(2, *B200, "--sessions", "4", *more)
            self.exits(2, "report", "agentic-coding", "--sessions", "4", *more)
        self.exits(2, "report", "agentic-coding", "--sessions", "4", "--fleet", "8")
        self.exits(2, *B200, "--sessions", "0")
        self.exits(2, *B200, "--host-gb", "-1")
        self.exits(2, *B200, "--memory-fraction", "1.5")

    def test_a_report_says_where_the_cliff_is(self):
        answer = self.json("report", "agentic-coding", "--sessions", "64", "--top", "5")
        for vendor in ("nvidia", "amd"):
            best = answer["best"][vendor]
            self.assertEqual(best["sessions"]["sessions"], 64)
            self.assertGreaterEqual(best["sessions"]["cliff_sessions"], 64)  # nothing past it is chosen
            self.assertGreater(best["kv_capacity"]["tokens"]["value"], 64 * 87500)
            curve = answer["session_curve"][vendor]["points"]
            rates = [p["total_tokens_per_s"] for p in curve]
            self.assertLess(rates[-1], max(rates) / 2)
            self.assertLess(min(p["blended_usd_per_mtok"] for p in curve), curve[-1]["blended_usd_per_mtok"] / 2)
        text = self.ok("report", "agentic-coding", "--sessions", "64")
        for words in ("KV capacity", "cliff at", "64 sessions at once", "half of what could be found"):
            self.assertIn(words, " ".join(text.split()))
        self.assertLess(text.index("$/Mtok in+out"), text.index("$/Mtok  "))
        page = self.ok("report", "agentic-coding", "--sessions", "64", "--format", "html")
        self.assertIn("Throughput against sessions", page)
        self.assertEqual(answer["leading_price"], "blended_usd_per_mtok")

    def test_every_format_leads_with_the_same_price(self):
        load = ["llama8b", "--gpu", "h100-sxm5-80gb", "--gpu", "mi300x", "--osl", "64"]
        for isl, leads, per in ((8 * 64, "blended_usd_per_mtok", "per million input and output tokens"),
                                (8 * 64 - 1, "output_usd_per_mtok", "per million output tokens")):
            ask = ["report", *load, "--isl", str(isl)]
            both = leads.startswith("blended")
            answer = self.json(*ask)
            self.assertEqual(answer["leading_price"], leads)
            md, page = (self.ok(*ask, "--format", form) for form in ("md", "html"))
            for text in (answer["verdict"]["text"], md, page):
                self.assertEqual("per million input and output tokens" in " ".join(text.split()), both)
                self.assertIn("per million output tokens", " ".join(text.split()))
            for text in (md, page):
                self.assertEqual("$ IN+OUT" in text and "$ OUT" in text, both)
            self.assertRegex(page, rf"Bars: cost of \d+ options in USD {per}, cheapest first")

    def test_growth_stands_in_every_format(self):
        ask = ["report", "llama8b", "--traffic", "code-completion", "--growth", "5%", "--gpu", "h100-sxm5-80gb"]
        for form in ("md", "html"):
            text = self.ok(*ask, "--format", form)
            self.assertIn("SHORT IN MONTH", text)
            self.assertIn("growing 5 % a month for 24 months", " ".join(text.split()))

    def test_requests_that_share_prefixes_find_what_capacity_holds(self):
        self.ok("workloads", "add", "rag", "title=rag", "who=me", "kind=serve", "model_id=llama-3.1-70b", "traffic_id=rag-shared-prefix",
                "isl_tokens=15325", "osl_tokens=149", "weights=fp8", "kv=fp8", "concurrency=32")
        with_cache = self.json("report", "rag", "--gpu", "h200-sxm5-141gb", "--gpu", "mi355x")
        without = self.json("report", "rag", "--gpu", "h200-sxm5-141gb", "--gpu", "mi355x", "--cached-prompt", "0.000001")
        shares = {v: with_cache["best"][v]["cached_prompt_share"] for v in ("nvidia", "amd")}
        for v, share in shares.items():
            self.assertTrue(0 < share < 0.65124, share)
            self.assertLess(with_cache["best"][v]["output_usd_per_mtok"]["value"], without["best"][v]["output_usd_per_mtok"]["value"])

    def test_validate_holds_agents_and_capacities(self):
        answer = self.json("validate")
        self.assertEqual(len(answer["agentic"]["runs"]), 200)
        self.assertEqual(len(answer["kv_capacities"]), 13)
        whole = answer["agentic"]["groups"][0]
        self.assertEqual((whole["name"], whole["n"]), ("all", 123))
        flagged = [r for r in answer["agentic"]["runs"] if r["left_out"]]
        self.assertEqual(len(flagged), 77)


if __name__ == "__main__":
    harness.main()
