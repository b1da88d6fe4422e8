"""`check`: public claims held against bounds; one by options, a table, those that ship."""
import csv
import io

import harness

SEVENTY = ["check", "--model", "llama-3.1-70b"]


class Check(harness.Case):
    @harness.once
    def test_the_well_known_claims(self):
        x = self.json(*SEVENTY, "--gpu", "h100-sxm5-80gb", "--weights", "fp16", "--batch", "32", "--tokens-per-s", "19500")
        self.assertEqual(x["verdict"], "impossible")
        self.assertAlmostEqual(x["bound"], 765, delta=15)
        self.assertIn("3350 GB/s", x["arithmetic"])
        self.assertEqual(self.json(*SEVENTY, "--gpu", "mi300x", "--weights", "fp8", "--tokens-per-s", "2500")["verdict"], "plausible")
        x = self.json(*SEVENTY, "--gpu", "h100-sxm5-80gb", "--tokens-per-s", "2500")
        self.assertEqual(x["verdict"], "conditional")
        self.assertIn("fp8", " ".join(x["conditions"]))

    @harness.once
    def test_prices(self):
        x = self.json(*SEVENTY, "--gpu", "h100-sxm5-80gb", "--gpus", "8", "--weights", "fp16", "--batch", "32", "--tokens-per-s", "19500", "--usd-per-hour", "2.90", "--usd-per-mtok", "0.041")
        self.assertEqual(x["verdict"], "impossible")
        x = self.json(*SEVENTY, "--gpu", "mi300x", "--usd-per-hour", "1.75", "--usd-per-mtok", "0.2", "--weights", "fp8")
        self.assertAlmostEqual(x["claimed"], 1.75 / 3600 / 0.2 * 1e6, places=3)

    @harness.once
    def test_far_over_anything_measured(self):
        x = self.json("check", "--model", "gpt-oss-120b", "--gpu", "b200", "--tokens-per-s", "500000")
        self.assertEqual(x["verdict"], "conditional")
        best = x["best_measured"]
        self.assertAlmostEqual(x["times_measured"], 500000 / best["rate_per_gpu"])
        self.assertAlmostEqual(best["rate_per_gpu"], best["output_tokens_per_s"] / best["gpus"])
        self.assertGreater(x["times_measured"], 10)
        self.assertGreater(x["times_estimate_high"], 5)
        self.assertIn("anything measured of it", " ".join(x["conditions"]))
        self.assertLess(x["share_most"], x["claimed_over_bound"])
        text = self.ok("check", "--model", "gpt-oss-120b", "--gpu", "b200", "--tokens-per-s", "500000")
        self.assertIn(best["id"], text)
        self.assertRegex(text, "(?m)^estimate +`estimate` gives")
        # What was measured is plausible, and is its own yardstick.
        x = self.json("check", "--model", "llama-3.3-70b", "--gpu", "h200-sxm5-141gb", "--weights", "fp8", "--batch", "8", "--isl", "922", "--osl", "7373", "--tokens-per-s", "356")
        self.assertEqual((x["verdict"], x["best_measured"]["same_load"]), ("plausible", True))
        self.assertLessEqual(x["times_measured"], 1)

    @harness.once
    def test_check_and_estimate_agree(self):
        args = ["--model", "qwen2.5-72b", "--gpu", "h100-sxm5-80gb", "--weights", "fp8", "--batch", "64", "--isl", "1024", "--osl", "512"]
        x = self.json("check", *args, "--tokens-per-s", "1000")
        given = x["estimate"]
        said = self.json("estimate", *args, "--engine", given["engine"], "--kv", "fp8")["output_tokens_per_s"]
        self.assertAlmostEqual(given["output_tokens_per_s"]["value"], said["value"], delta=said["value"] * 0.02)
        over = said["high"] * 1.25
        x = self.json("check", *args, "--tokens-per-s", str(over))
        self.assertAlmostEqual(x["times_estimate_high"], over / x["estimate"]["output_tokens_per_s"]["high"])
        self.assertEqual(x["verdict"], "conditional")

    @harness.once
    def test_options_of_no_use(self):
        model = ["check", "--model", "llama-3.1-70b", "--gpu", "mi300x", "--tokens-per-s", "900"]
        for args, word in (([*model, "--usd-per-mtok", "0.2"], "--usd-per-mtok"), ([*model, "--assume-dense"], "--assume-dense"), (["check", "--claims", "--assume-dense"], "--assume-dense"),
                           (["check", "--claims", "--usd-per-mtok", "2"], "--usd-per-mtok"), ([*model, "--steps", "5"], "--steps")):
            _, err = self.exits(2, *args)
            self.assertIn(word, err)
        for columns, values, word in (("kind,gpu,weights,tflops,batch", "peak,mi300x,fp16,1300,5", "batch"), ("model,gpu,tokens_per_s,hours", "llama-3.1-70b,mi300x,900,5", "hours"),
                                      ("kind,hours,usd_per_hour,usd_total,weights", "bill,5,2,10,fp8", "weights"), ("kind,subject,platform,status,gpu", "support,vllm,rocm,full,mi300x", "gpu"),
                                      ("model,gpu,tokens_per_s,usd_per_mtok", "llama-3.1-70b,mi300x,900,1", "usd_per_mtok")):
            _, err = self.exits(2, "check", "--file", self.write("useless.csv", f"claim,{columns}\nx,{values}\n"))
            self.assertIn(word, err)
            self.assertIn("claim 'x'", err)

    @harness.once
    def test_peaks(self):
        rows = [("superchip", "b200", "fp4", 20000, "conditional", "GB200"), ("own", "b200", "fp4", 18000, "conditional", "sparsity"), ("dense", "mi355x", "fp6", 10066, "plausible", ""),
                ("form", "h100-pcie-80gb", "fp16", 989, "conditional", "H100 SXM5"), ("ultra", "b300", "fp4", 15000, "conditional", "GB300"), ("whole", "gb200", "fp4", 40000, "conditional", "superchip"),
                ("server", "b200", "fp8", 72000, "impossible", ""), ("nothing", "mi355x", "fp6", 15000, "impossible", ""), ("volta", "v100-sxm2-32gb", "fp16", 250, "impossible", "")]
        path = self.write("peaks.csv", "claim,kind,gpu,weights,tflops\n" + "".join(f"{c},peak,{g},{w},{t}\n" for c, g, w, t, _, _ in rows))
        for answer, (name, _, _, _, verdict, words) in zip(self.json("check", "--file", path)["claims"], rows):
            self.assertEqual(answer["verdict"], verdict, name)
            self.assertIn(words, " ".join(answer["conditions"]), name)

    @harness.once
    def test_usage(self):
        for args in (["check"], ["check", "--model", "llama-3.1-70b"], [*SEVENTY, "--gpu", "mi300x"], [*SEVENTY, "--gpu", "mi300x", "--usd-per-hour", "2"],
                     [*SEVENTY, "--gpu", "mi300x", "--tokens-per-s", "0"], [*SEVENTY, "--gpu", "mi300x", "--tokens-per-s", "nan"], [*SEVENTY, "--gpu", "mi300y", "--tokens-per-s", "5"],
                     ["check", "--claims", "--model", "llama-3.1-70b"], ["check", "--claims", "--file", "x"], ["check", "--model", "sdxl", "--gpu", "mi300x", "--tokens-per-s", "5"]):
            _, err = self.exits(2, *args)
            self.assertRegex(err, "^gpuadvise: ")

    def test_shipped_claims(self):
        verdicts = {c["claim"]: c["verdict"] for c in self.json("check", "--claims")["claims"]}
        for name, verdict in {"h100-fp16-1979": "conditional", "mi300x-fp16-1300": "plausible", "h100-70b-19500": "impossible", "h100-0.041": "impossible",
                              "mi250x-51h-1632": "impossible", "a100-42h-622": "plausible", "vllm-cuda-only": "impossible", "video-decode-software": "impossible",
                              "tensorrt-llm-none": "plausible", "a100-13b-185000": "impossible"}.items():
            self.assertEqual(verdicts[name], verdict, name)
        text = self.ok("check", "--claims")
        for name in verdicts:
            self.assertIn(name, text)

    @harness.once
    def test_the_same_numbers_in_every_format(self):
        answers = self.json("check", "--claims")["claims"]
        rows = list(csv.DictReader(io.StringIO(self.ok("check", "--claims", "--format", "csv"))))
        self.assertEqual([r["claim"] for r in rows], [a["claim"] for a in answers])
        for row, answer in zip(rows, answers):
            self.assertEqual(row["arithmetic"], answer["arithmetic"])
            self.assertEqual(float(row["bound"]) if row["bound"] else None, answer["bound"])
            self.assertEqual(float(row["times_measured"]) if row["times_measured"] else None, answer["times_measured"])
        self.assertIn("19,500", self.ok("check", "--claims", "--format", "md"))

    def test_a_table(self):
        path = self.write("claims.csv", "tokens_per_s,claim,model,gpu,weights,batch,mine\n19500,one,llama-3.1-70b,h100-sxm5-80gb,fp16,32,x\n900,two,llama-3.1-70b,mi300x,,,\n")
        rows = self.json("check", "--file", path)["claims"]
        self.assertEqual([(r["claim"], r["verdict"]) for r in rows], [("one", "impossible"), ("two", "plausible")])
        tabs = self.write("claims.tsv", "claim\tmodel\tgpu\ttokens_per_s\nz\tllama-3.1-70b\tmi300x\t900\na\tllama-3.1-70b\tmi300x\t1e9\n")
        self.assertEqual([r["verdict"] for r in self.json("check", "--file", tabs)["claims"]], ["plausible", "impossible"])

    @harness.once
    def test_ratios(self):
        rows = [("faster", "serving,mi300x,h200-sxm5-141gb,,,,,100,", "impossible", "measured"), ("usual", "serving,mi300x,h200-sxm5-141gb,,,,,0.6,0.8", "plausible", "measured"),
                ("engine", "serving,mi300x,h200-sxm5-141gb,,,sglang,,0.9,", "conditional", "measured"), ("apart", "serving,mi300x,l40s,,,,llama-3.1-8b,20,40", "conditional", "estimate"),
                ("holds", "memory,mi300x,h100-sxm5-80gb,1,3,,,1,", "impossible", "datasheet"), ("alike", "all-reduce,h200-sxm5-141gb,h100-sxm5-80gb,8,,,,1,1.1", "plausible", "measured"),
                ("dear", "price,mi300x,h100-sxm5-80gb,,,,,5,", "conditional", "price")]
        path = self.write("ratios.csv", "claim,kind,compares,gpu,against_gpu,gpus,against_gpus,engine,model,claimed_low,claimed_high\n" + "".join(f"{name},ratio,{cells}\n" for name, cells, _, _ in rows))
        answers = self.json("check", "--file", path)["claims"]
        for answer, (name, _, verdict, basis) in zip(answers, rows):
            self.assertEqual((answer["verdict"], answer["ratios"]["basis"]), (verdict, basis), name)
            self.assertLessEqual(answer["ratios"]["least"], answer["ratios"]["median"])
        listed = list(csv.DictReader(io.StringIO(self.ok("check", "--file", path, "--format", "csv"))))
        self.assertEqual([int(r["ratio_n"]) for r in listed], [a["ratios"]["n"] for a in answers])
        models = {r["model"] for r in csv.DictReader(open(f"{harness.ROOT}/data/measurements.tsv", encoding="utf-8"), delimiter="\t")}
        for groups in ([g for g in answers[1]["ratios"]["groups"] if g["of"] in models], [g for g in answers[1]["ratios"]["groups"] if g["of"] not in models]):
            self.assertEqual(sum(g["n"] for g in groups), answers[1]["ratios"]["n"])

    @harness.once
    def test_statements_follow_the_tables(self):
        with open(f"{harness.ROOT}/data/cuda_api_map.tsv", encoding="utf-8") as f:
            names = list(csv.DictReader(f, delimiter="\t"))
        path = self.write("said.csv", "claim,kind,subject,claimed_low\nnames,statement,cuda-names,0.5\nlead,statement,,\n")
        answers = self.json("check", "--file", path)["claims"]
        self.assertEqual((answers[0]["count"]["part"], answers[0]["count"]["all"]), (sum(bool(n["hip_name"]) and not n["hip_removed"] for n in names), len(names)))
        self.assertEqual([a["verdict"] for a in answers], ["conditional"] * 2)
        self.assertIsNone(answers[1]["count"])

    @harness.once
    def test_ratios_that_say_too_little_or_too_much(self):
        columns = "claim,kind,gpu,against_gpu,claimed_low,claimed_high,compares,engine,batch"
        for cells, word in (("ratio,mi300x,,0.5,,,,", "against_gpu"), ("ratio,mi300x,b200,,,,,", "claimed_low"), ("ratio,mi300x,b200,2,1,,,", "over claimed_high"), ("ratio,b200,b200,2,,,,", "two sides"), ("ratio,b200,b200,2,,,vllm,", "two sides"), ("statement,mi300x,,1,,,,", "gpu"),
                            ("ratio,mi300x,b300x,1,,,,", "b300x"), ("peak,mi300x,,,,memory,,", "compares"), ("ratio,mi300x,b200,1,,memory,,8", "batch"), ("ratio,mi300x,b200,1,,price,vllm,", "engines"),
                            ("ratio,mi300x,b200,1,,,vlm,", "'vlm'")):
            self.assertIn(word, self.exits(2, "check", "--file", self.write("bad.csv", f"{columns}\nx,{cells}\n"))[1], cells)

    def test_bad_tables(self):
        for code, text, words in ((1, "", "no header"), (1, "model,gpu\n", "column 'claim' is missing"), (1, "claim,tokens_per_s\nx,-1\n", "line 2"), (1, "claim,kind\nx,y\n", "kind"),
                                  (2, "claim,model,gpu,tokens_per_s\nx,llama-9,mi300x,1\n", "claim 'x': unknown model"), (2, "claim,kind\nx,support\n", "claim 'x'")):
            _, err = self.exits(code, "check", "--file", self.write("bad.csv", text))
            self.assertIn(words, err)
        self.exits(1, "check", "--file", "/nonexistent")


if __name__ == "__main__":
    harness.main()
