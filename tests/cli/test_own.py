"""gpus, models, workloads, compat: add, import, remove rows of the user's own; where they are seen, and what is refused."""
import csv
import io
import os
import sqlite3

import harness

CHAT = ["workloads", "add", "my-chat", "kind=serve", "model_id=llama-3.1-70b", "isl_tokens=2000", "osl_tokens=300", "concurrency=64"]
GPU = ["gpus", "add", "my-gpu", "vendor=amd", "architecture=cdna3", "memory_gb=192", "link_topology=mesh", "memory_bw_gb_s=5300", "bf16_tflops=1300", "fp8_tflops=2600"]
MODEL = ["models", "add", "my-model", "family=dense", "attention=gqa", "weights_native=bf16", "params_total=8.03e9", "layers=32", "hidden=4096", "heads=32", "kv_heads=8",
         "head_dim=128", "intermediate=14336", "vocab=128256"]


class Own(harness.Case):
    seeded = True

    def rows(self, command):
        return list(csv.DictReader(io.StringIO(self.ok(command, "--format", "csv"))))

    def names(self, command):
        return [list(r.values())[0] for r in self.rows(command)]

    def fails(self, want, *args, code=2):
        out, err = self.exits(code, *args)
        self.assertEqual(out, "")
        self.assertIn(want, err)

    def test_added_workload_is_asked_and_removed(self):
        answer = self.json(*CHAT)
        self.assertEqual([answer[k] for k in ("added", "replaced", "removed", "warnings")], [["my-chat"], [], [], []])
        row = self.json("workloads", "show", "my-chat")["workloads"][0]
        self.assertEqual((row["isl_tokens"], row["rate_rps"], row["source"], row["as_of"]), (2000, None, "own: typed in", harness.NOW[:10]))
        report = self.json("report", "--workload", "my-chat")
        self.assertIn(report["verdict"]["winner"], ("nvidia", "amd", "tie", "split"))
        self.assertEqual(report["best"]["nvidia"]["weights"], "bf16")  # none given: as the model is released
        answer = self.json(*CHAT[:-1], "concurrency=32")
        self.assertEqual((answer["added"], answer["replaced"]), ([], ["my-chat"]))
        self.assertEqual(self.json("workloads", "show", "my-chat")["workloads"][0]["concurrency"], 32)
        self.assertEqual(self.ok("workloads", "remove", "my-chat"), "1 workload removed: my-chat\n")
        self.fails("unknown workload", "workloads", "show", "my-chat")

    def test_added_gpu_and_model_are_estimated_priced_and_gone(self):
        self.ok(*GPU)
        self.ok(*MODEL)
        self.assertIn("my-gpu", self.ok("tui", "--once", "gpus", "--size", "120x100"))
        answer = self.json("estimate", "--model", "my-model", "--gpu", "my-gpu")
        self.assertTrue(answer["fits"])
        self.assertGreater(answer["output_tokens_per_s"]["value"], 0)
        self.assertEqual(answer["memory"]["kv_bytes_per_token"], 2 * 2 * 8 * 128 * 32)
        self.ok("prices", "import", self.write("quote.csv", "provider,gpu,gpu_count,price_usd_per_hour\nmyshop,my-gpu,8,9.5\n"))
        alone = self.json("report", "--model", "my-model", "--provider", "myshop", code=3)  # with nothing to compare
        self.assertIn("NVIDIA", alone["verdict"]["unknown_because"])
        best = alone["best"]["amd"]
        self.assertEqual((best["gpu"], best["price_usd_per_hour"]), ("my-gpu", 9.5))
        self.ok("gpus", "remove", "my-gpu")
        self.assertEqual([o["gpu"] for o in self.json("prices", "list", "--provider", "myshop", code=3)["offers"]], [])
        self.exits(3, "report", "--model", "my-model", "--provider", "myshop")
        self.fails("unknown GPU", "gpus", "show", "my-gpu")

    def test_removed_model_leaves_its_workload_out(self):
        self.ok(*MODEL)
        self.ok("workloads", "add", "mine", "kind=serve", "model_id=my-model", "isl_tokens=100", "osl_tokens=100")
        want = "workload 'mine' of your own is left out: column 'model_id': 'my-model' is not among the models"
        self.assertEqual(self.json("models", "remove", "my-model")["warnings"], [want])
        self.assertEqual(self.json("workloads")["warnings"], [want])
        self.assertNotIn("mine", self.names("workloads"))
        self.assertEqual(self.json(*MODEL)["added"], ["my-model"])
        self.assertEqual(self.json("workloads")["warnings"], [])
        self.ok("report", "--workload", "mine")

    def test_own_claim_counts(self):
        self.ok("compat", "add", "vllm", "platform=rocm", "status=partial", "note=hangs here")
        claims = [c for c in self.json("compat", "vllm")["claims"] if c["platform"] == "rocm"]
        self.assertEqual([(c["status"], c["source"]) for c in claims if c["wins"]], [("partial", "own: typed in")])
        self.assertEqual(self.json("compat", "remove", "vllm")["removed"], ["vllm"])
        self.fails("'vllm' ships with the program", "compat", "remove", "vllm")
        self.fails("ships with the program and stays as it is", "compat", "import", self.write("all.csv", self.ok("compat", "--format", "csv")))

    def test_a_listing_comes_back_as_rows(self):
        for command in ("gpus", "workloads"):
            rows = self.rows(command)
            key = list(rows[0])[0]
            out = io.StringIO()
            writer = csv.DictWriter(out, list(reversed(list(rows[0]))))
            writer.writeheader()
            for r in rows:
                writer.writerow({**r, key: "own-" + r[key]})
            answer = self.json(command, "import", self.write("rows.csv", out.getvalue()))
            self.assertEqual(len(answer["added"]), len(rows))
            after = {r[key]: r for r in self.rows(command)}
            for r in rows:
                mine = after["own-" + r[key]]
                self.assertEqual(mine, {**r, key: "own-" + r[key], "source": "own: " + r["source"]})
        self.assertEqual(self.exits(0, "gpus", "import", self.write("x.tsv", "sku_id\tcolour\tvendor\tarchitecture\tmemory_gb\tlink_topology\nx\tred\tamd\tcdna3\t64\tnone\n"))[1],
                         "gpuadvise: warning: column 'colour' is ignored: gpus have none of that name\n")

    def test_bad_words_are_refused_by_name(self):
        before = self.ok("workloads", "--format", "csv")
        for args, want in [
                (["llama70b", "kind=serve"], "workload 'llama70b' ships with the program"), (["x", "kind=foo"], "column 'kind': 'foo' is none of serve"),
                (["x", "kind"], "'kind' is not COLUMN=VALUE"), (["x", "knd=serve"], "unknown column 'knd'; did you mean 'kind'?"),
                (["x", "kind=serve", "isl_tokens=-1"], "column 'isl_tokens': '-1' is outside"), (["x", "kind=serve", "isl_tokens=nan"], "'nan' is not a number"),
                (["x", "isl_tokens=5"], "column 'kind': is empty"), (["x", "kind=serve", "model_id=llama-70b"], "'llama-70b' is not among the models"),
                (["../x", "kind=serve"], "'../x' is no id"), (["x", "kind=serve", "title=a\tb"], "holds a control character"),
                (["x", "kind=serve", "title=a\x1b[31m"], "holds a control character"), (["x", "kind=serve", "kind=hpc"], "column 'kind' is given twice"),
                (["x", "workload_id=y", "kind=hpc"], "column 'workload_id' is the first argument"), (["x"], "needs an argument"),
                (["x", "kind=serve", "weights=fp8 fp9"], "'fp9' is no dtype")]:
            self.fails(want, "workloads", "add", *args)
        self.fails("no workload of your own is called 'nobody'", "workloads", "remove", "nobody")
        self.fails("'llama70b' ships with the program: only rows of your own can be removed", "workloads", "remove", "llama70b")
        self.fails("No such file", "workloads", "import", os.path.join(self.home, "none.csv"), code=1)
        path = self.write("bad.csv", "workload_id,kind\ngood,hpc\nbad,hpx\n")
        self.fails(f"read '{path}': line 3: column 'kind': 'hpx' is none of", "workloads", "import", path, code=1)
        self.assertEqual(self.ok("workloads", "--format", "csv"), before)

    def test_incomplete_workloads_say_what_they_lack(self):
        for name, columns, want in [("w1", ["kind=serve"], "has no model"), ("w2", ["kind=serve", "model_id=llama-3.1-70b"], "has no input or output length"),
                                    ("w3", ["kind=train", "model_id=llama-3.1-70b"], "has no tokens to train on"), ("w4", ["kind=images"], "has no model"),
                                    ("w5", ["kind=embed", "model_id=bge-m3"], "has no input length")]:
            self.ok("workloads", "add", name, *columns)
            self.fails(want, "report", "--workload", name)

    def test_incomplete_gpus_and_models_do_no_harm(self):
        self.ok("gpus", "add", "bare", "vendor=nvidia", "architecture=hopper", "memory_gb=80", "link_topology=none")
        self.ok("gpus", "add", "strange", "vendor=nvidia", "architecture=nobody", "memory_gb=80", "link_topology=none")
        self.ok("models", "add", "shapeless", "family=dense", "attention=gqa", "weights_native=unknown", "params_total=8e9")
        for gpu in ("bare", "strange"):
            code, out, err = self.run_tool("estimate", "--model", "llama-3.1-8b", "--gpu", gpu, "--json")
            self.assertIn(code, (2, 3), out)
            self.assertNotIn("nan", out)
        self.fails("no decoder", "estimate", "--model", "shapeless", "--gpu", "mi300x")
        self.ok("report", "--workload", "llama70b")

    def test_other_facts_keep_own_rows(self):
        self.ok(*CHAT)
        folder = os.path.join(self.home, "facts")
        os.symlink(os.path.join(harness.ROOT, "data"), folder)
        with sqlite3.connect(os.path.join(self.home, "data/gpuadvise/catalog.db")) as db:
            db.execute("UPDATE meta SET value = 'another' WHERE key = 'facts_digest'")
        self.assertIn("my-chat", self.names("workloads"))
        self.assertIn("my-chat", self.ok("workloads", "--data", folder))

    def test_nothing_is_kept_without_a_home(self):
        _, err = self.exits(1, *CHAT, env={"XDG_DATA_HOME": "/proc/nowhere"})
        self.assertIn("nothing would be kept", err)

    def test_age_of_the_shipped_facts_stays(self):
        before = self.json("doctor")
        self.ok(*CHAT, env={"GPUADVISE_NOW": "2027-05-01T00:00:00Z"})
        after = self.json("doctor")
        self.assertEqual([t for t in before["tables"] if t["table"] == "workloads"], [t for t in after["tables"] if t["table"] == "workloads"])


if __name__ == "__main__":
    harness.main()
