"""`check`: public claims held against bounds; one by options, a table, those that ship."""
import csv
import io

import harness

SEVENTY = ["check", "--model", "llama-3.1-70b"]


class Check(harness.Case):
    def test_the_well_known_claims(self):
        x = self.json(*SEVENTY, "--gpu", "h100-sxm5-80gb", "--weights", "fp16", "--batch", "32", "--tokens-per-s", "19500")
        self.assertEqual(x["verdict"], "impossible")
        self.assertAlmostEqual(x["bound"], 765, delta=15)
        self.assertIn("3350 GB/s", x["arithmetic"])
        self.assertEqual(self.json(*SEVENTY, "--gpu", "mi300x", "--weights", "fp8", "--tokens-per-s", "2500")["verdict"], "plausible")
        x = self.json(*SEVENTY, "--gpu", "h100-sxm5-80gb", "--tokens-per-s", "2500")
        self.assertEqual(x["verdict"], "conditional")
        self.assertIn("fp8", " ".join(x["conditions"]))

    def test_prices(self):
        x = self.json(*SEVENTY, "--gpu", "h100-sxm5-80gb", "--gpus", "8", "--weights", "fp16", "--batch", "32", "--tokens-per-s", "19500", "--usd-per-hour", "2.90", "--usd-per-mtok", "0.041")
        self.assertEqual(x["verdict"], "impossible")
        x = self.json(*SEVENTY, "--gpu", "mi300x", "--usd-per-hour", "1.75", "--usd-per-mtok", "0.2", "--weights", "fp8")
        self.assertAlmostEqual(x["claimed"], 1.75 / 3600 / 0.2 * 1e6, places=3)

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

    def test_the_same_numbers_in_every_format(self):
        answers = self.json("check", "--claims")["claims"]
        rows = list(csv.DictReader(io.StringIO(self.ok("check", "--claims", "--format", "csv"))))
        self.assertEqual([r["claim"] for r in rows], [a["claim"] for a in answers])
        for row, answer in zip(rows, answers):
            self.assertEqual(row["arithmetic"], answer["arithmetic"])
            self.assertEqual(float(row["bound"]) if row["bound"] else None, answer["bound"])
        self.assertIn("19,500", self.ok("check", "--claims", "--format", "md"))

    def test_a_table(self):
        path = self.write("claims.csv", "tokens_per_s,claim,model,gpu,weights,batch,mine\n19500,one,llama-3.1-70b,h100-sxm5-80gb,fp16,32,x\n900,two,llama-3.1-70b,mi300x,,,\n")
        rows = self.json("check", "--file", path)["claims"]
        self.assertEqual([(r["claim"], r["verdict"]) for r in rows], [("one", "impossible"), ("two", "plausible")])
        tabs = self.write("claims.tsv", "claim\tmodel\tgpu\ttokens_per_s\nz\tllama-3.1-70b\tmi300x\t900\na\tllama-3.1-70b\tmi300x\t1e9\n")
        self.assertEqual([r["verdict"] for r in self.json("check", "--file", tabs)["claims"]], ["plausible", "impossible"])

    def test_bad_tables(self):
        for code, text, words in ((1, "", "no header"), (1, "model,gpu\n", "column 'claim' is missing"), (1, "claim,tokens_per_s\nx,-1\n", "line 2"), (1, "claim,kind\nx,y\n", "kind"),
                                  (2, "claim,model,gpu,tokens_per_s\nx,llama-9,mi300x,1\n", "claim 'x': unknown model"), (2, "claim,kind\nx,support\n", "claim 'x'")):
            _, err = self.exits(code, "check", "--file", self.write("bad.csv", text))
            self.assertIn(words, err)
        self.exits(1, "check", "--file", "/nonexistent")


if __name__ == "__main__":
    harness.main()
