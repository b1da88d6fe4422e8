"""The commands that would serve the best option of each vendor, in every format of `report`."""
import html
import json
import os
import re
import shlex

import harness

REPORT = ["report", "--workload", "llama70b"]
TITLE = "Commands that serve them"


class Launch(harness.Case):
    def commands(self, *args):
        return {v: o["serve_command"] for v, o in self.json(*args)["best"].items() if o}

    def test_every_format_says_the_same(self):
        commands = self.commands(*REPORT)
        self.assertEqual(set(commands), {"nvidia", "amd"})
        text = re.sub(r" \\\n +", " ", self.ok(*REPORT))
        md = self.ok(*REPORT, "--format", "md")
        page = html.unescape(self.ok(*REPORT, "--format", "html"))
        for x in commands.values():
            self.assertIn("\n  " + x["command"] + "\n", text)
            self.assertIn("\n```sh\n" + x["command"] + "\n```\n", md)
            self.assertIn("<pre>" + x["command"] + "</pre>", page)
            for note in x["notes"]:
                self.assertIn(" ".join(note.split()), " ".join(text.split()))

    def test_the_command_is_the_layout(self):
        for args in (["--gpus", "8"], ["--engine", "vllm"], ["--engine", "sglang"], ["--rate", "5"]):
            for option in filter(None, self.json(*REPORT, *args)["best"].values()):
                x, layout = option["serve_command"], option["parallel"]
                gpus = layout["tp"] * layout["pp"] * layout["dp"]
                self.assertEqual((x["gpus_per_replica"], x["replicas"] * layout["dp"]), (gpus, option["replicas"]))
                self.assertLessEqual(x["replicas"] * gpus, option["gpu_count"])
                self.assertLessEqual(x["replicas"], x["replicas_per_instance"] * option["instances"])
                words = shlex.split(x["command"])
                tensor = [words[i + 1] for i, w in enumerate(words) if w in ("--tensor-parallel-size", "--tp-size", "--tp_size")]
                self.assertEqual(tensor, [str(layout["tp"])] if layout["tp"] > 1 else [])

    def test_long_lines_break_between_options_only(self):
        out = self.ok(*REPORT, env={"COLUMNS": "80"}).split(TITLE)[1].split("\n\n")[0]
        lines = [line for line in out.splitlines() if re.match(r"  (vllm|python3|trtllm|llama)|      -", line)]
        self.assertGreater(len(lines), 2)
        self.assertEqual(harness.too_wide("\n".join(lines), 80), [])
        joined = re.sub(r" \\\n +", " ", out)
        for x in self.commands(*REPORT).values():
            self.assertIn(x["command"], joined)

    def test_other_kinds_have_none(self):
        answer = self.json("report", "--workload", "llama13b-train")
        self.assertEqual({o["serve_command"] for o in answer["best"].values() if o}, {None})
        self.assertNotIn(TITLE, self.ok("report", "--workload", "llama13b-train"))
        self.assertNotIn("serve_command", self.json(*REPORT)["options"][0])

    def test_a_path_is_one_word_of_the_shell(self):
        config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_key_value_heads": 8,
                  "num_hidden_layers": 32, "vocab_size": 128256, "max_position_embeddings": 131072, "torch_dtype": "bfloat16"}
        for name in ("with space", "it's $(here)", "plain"):
            folder = os.path.join(self.home, name)
            os.makedirs(folder)
            with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as f:
                json.dump(config, f)
            for path in (folder, os.path.join(folder, "config.json")):
                for x in self.commands("report", "--model", path, "--engine", "vllm", "--weights", "bf16").values():
                    self.assertEqual(shlex.split(x["command"])[:3], ["vllm", "serve", folder])
                    self.assertEqual("'" in x["command"], name != "plain")


if __name__ == "__main__":
    harness.main()
