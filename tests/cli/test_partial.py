"""llama.cpp on small GPUs: layers and experts in host memory, GPUs that take turns."""
import os
import re
import sqlite3

import harness

CARD = ["estimate", "--gpu", "rtx-4090", "--engine", "llama.cpp", "--concurrency", "1"]
DENSE = CARD + ["--model", "llama-3.1-70b", "--weights", "int4"]


class Partial(harness.Case):
    def term(self, answer):
        return [t for t in answer["terms"] if t["term"] == "host-memory"][0]

    # What was kept never changes but here.
    def change(self, statement):
        with sqlite3.connect(os.path.join(self.home, "data/gpuadvise/catalog.db")) as db:
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name LIKE 'bench_%'").fetchall():
                db.execute(f"DROP TRIGGER {name}")
            db.execute(statement)

    @harness.once
    def test_a_part_that_fits(self):
        self.exits(3, *DENSE)
        answer = self.json(*DENSE, "--gpu-layers", "40", "--host-gb-s", "60")
        memory, layout = answer["memory"], answer["configuration"]
        self.assertAlmostEqual(memory["weights_cpu_gb"] / memory["weights_gb"], 0.5, delta=0.02)
        self.assertEqual((layout["host_layers"], layout["host_gb_per_s"], layout["split"]), (40, 60, None))
        self.assertIn("--host-gb-s", layout["host_gb_per_s_source"])
        # bytes there, and half of the cache of 1,280 tokens, over the bandwidth
        there = memory["weights_cpu_gb"] * 1e9 + 1280 * memory["kv_bytes_per_token"] / 2
        self.assertAlmostEqual(self.term(answer)["ms_per_output_token"], there / 60e9 * 1e3, places=6)
        self.assertEqual(self.json(*DENSE, "--cpu-offload", "40", "--host-gb-s", "60")["tpot_ms"], answer["tpot_ms"])
        text = self.ok(*DENSE, "--gpu-layers", "40", "--host-gb-s", "60", "--explain")
        self.assertIn("GB of weights stay in host memory", text)
        self.assertRegex(text, r"host-memory: [0-9.]+ ms a token")

    @harness.once
    def test_two_cards_by_layer_or_row(self):
        layer, row = [self.json(*DENSE, "--gpus", "2", "--split", way) for way in ("layer", "row")]
        self.assertEqual([a["configuration"]["split"] for a in (layer, row)], ["layer", "row"])
        self.assertEqual(layer["memory"]["usable_gb"], row["memory"]["usable_gb"])
        self.assertLess(row["tpot_ms"]["value"], layer["tpot_ms"]["value"])
        self.assertGreater([i for i in row["breakdown"] if i["item"] == "interconnect"][0]["ms_per_output_token"], 0)

    @harness.once
    def test_the_bandwidth_is_told_or_measured(self):
        experts = CARD + ["--model", "gpt-oss-120b", "--cpu-experts"]
        self.assertIn("give '--host-gb-s GB/S', or measure", self.exits(2, *experts)[1])
        self.json("bench", "triad", "--device", "cpu", "--quick", "--working-set", "1")
        self.exits(2, *experts)  # a figure of the cache
        self.change("UPDATE bench_result SET in_cache = 0, median = 50")
        layout = self.json(*experts)["configuration"]
        self.assertEqual(layout["host_gb_per_s"], 50)
        self.assertIn("triad of run 1 on this CPU", layout["host_gb_per_s_source"])
        self.change("UPDATE bench_device SET name = 'another'")
        self.exits(2, *experts)

    def test_what_does_not_agree(self):
        for want, words in (("only with '--engine llama.cpp'", ["estimate", "llama-3.1-8b", "h100", "--gpu-layers", "8"]),
                            ("not both", DENSE + ["--gpu-layers", "8", "--cpu-offload", "8", "--host-gb-s", "60"]),
                            ("has no experts", DENSE + ["--cpu-experts", "--host-gb-s", "60"]),
                            ("one at least stays on a GPU", DENSE + ["--cpu-offload", "80", "--host-gb-s", "60"]),
                            ("nothing is in host memory", DENSE + ["--host-gb-s", "60"]),
                            ("'--gpus 2' or more", DENSE + ["--split", "layer"]),
                            ("one replica only", DENSE + ["--gpu-layers", "8", "--host-gb-s", "60", "--gpus", "2", "--tp", "1"])):
            self.assertIn(want, re.sub(r"\s+", " ", self.exits(2, *words)[1]))


if __name__ == "__main__":
    harness.main()
