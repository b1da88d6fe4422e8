"""`--model PATH`: a model of the user's own, from config.json, GGUF or safetensors, and what is said when it is none."""
import json
import os
import struct

import harness

LLAMA_70B = {"model_type": "llama", "torch_dtype": "bfloat16", "hidden_size": 8192, "intermediate_size": 28672, "num_hidden_layers": 80,
             "num_attention_heads": 64, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072}


def text(s):
    return struct.pack("<Q", len(s)) + s.encode()


def gguf(architecture="llama"):
    """The header of a dense model of eight billion parameters in 16 bits: embedding and one tensor for all the rest."""
    pairs = {"block_count": 32, "embedding_length": 4096, "feed_forward_length": 14336, "attention.head_count": 32, "attention.head_count_kv": 8}
    tensors = [("token_embd.weight", [4096, 128256]), ("output.weight", [4096, 128256]), ("blk.0.ffn_up.weight", [4096, 1704000])]
    body = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(pairs) + 1)
    body += text("general.architecture") + struct.pack("<I", 8) + text(architecture)
    body += b"".join(text(f"{architecture}.{k}") + struct.pack("<II", 4, v) for k, v in pairs.items())
    return body + b"".join(text(n) + struct.pack("<IQQIQ", 2, *d, 1, 0) for n, d in tensors)


class ModelPath(harness.Case):
    def model(self, name, **changes):
        return self.write(name, json.dumps({**LLAMA_70B, **changes}))

    def estimate(self, model, *words, **options):
        return self.json("estimate", "--model", model, "--gpu", "mi300x", "--gpus", "2", *words, **options)

    def test_config_equals_the_catalog(self):
        mine = self.estimate(self.model("llama/config.json"))
        listed = self.estimate("llama-3.3-70b")
        self.assertAlmostEqual(mine["memory"]["weights_gb"], 141.107, delta=0.001)
        self.assertEqual(mine["memory"]["kv_bytes_per_token"], 327680)
        for key in ("output_tokens_per_s", "ttft_p50_ms", "tpot_ms"):
            self.assertAlmostEqual(mine[key]["value"], listed[key]["value"], delta=listed[key]["value"] * 1e-3)
        self.assertEqual(mine["configuration"]["model"], "llama")
        self.assertTrue(any("llama/config.json" in s for s in mine["output_tokens_per_s"]["sources"]))

    def test_a_folder_and_relative_paths(self):
        folder = os.path.dirname(self.model("my-llama/config.json"))
        for words, cwd in (([folder], self.home), (["my-llama"], self.home), (["./my-llama/"], self.home), (["config.json"], folder), (["."], folder)):
            self.assertEqual(self.estimate(*words, cwd=cwd)["configuration"]["model"], "my-llama")

    def test_the_catalog_goes_before_the_folder(self):
        self.model("llama-3.1-8b/config.json")
        self.assertLess(self.estimate("llama-3.1-8b", cwd=self.home)["memory"]["weights_gb"], 20)
        self.assertGreater(self.estimate("./llama-3.1-8b", cwd=self.home)["memory"]["weights_gb"], 100)

    def test_a_name_of_the_hub_is_no_path(self):
        self.assertEqual(self.estimate("meta-llama/Llama-3.1-70B")["configuration"]["model"], "llama-3.1-70b")
        for path in ("nobody/nothing", "no/such/folder", "./nothing", "nobody/model.gguf"):
            self.assertRegex(self.exits(2, "estimate", "--model", path, "--gpu", "mi300x")[1], "No such file|no file or folder here")

    def test_gguf(self):
        path = os.path.join(self.home, "model-f16.gguf")
        with open(path, "wb") as f:
            f.write(gguf())
            f.truncate(17_000_000_000)
        a = self.estimate(path)
        self.assertAlmostEqual(a["memory"]["weights_gb"], (2 * 4096 * 128256 + 4096 * 1704000) * 2 / 1e9, places=3)
        self.assertEqual(a["configuration"]["weights"], "fp16")
        self.assertEqual(a["warnings"], [])

    def test_report(self):
        path = self.model("m/config.json", quantization_config={"quant_method": "fp8"})
        a = self.json("report", "--model", path, "--workload", "llama70b", "--top", "3")
        self.assertEqual(a["best"]["amd"]["weights"], "fp8")
        self.assertIn("m, ", self.ok("report", "--model", path))

    def test_missing_keys(self):
        path = self.write("config.json", '{"model_type": "llama", "hidden_size": 4096}')
        out, err = self.exits(2, "estimate", "--model", path, "--gpu", "mi300x")
        self.assertEqual(out, "")
        self.assertIn("missing: num_hidden_layers, num_attention_heads, vocab_size", err)

    def test_unknown_architecture(self):
        path = self.model("config.json", model_type="warp_drive")
        out, err = self.exits(2, "report", "--model", path)
        self.assertIn("unknown architecture 'warp_drive'", err)
        self.assertIn("--assume-dense", err)
        a = self.estimate(path, "--assume-dense")
        self.assertTrue(any("warp_drive" in w for w in a["warnings"]))
        self.assertTrue(a["inputs"]["assume_dense"])

    def test_hostile_files(self):
        os.mkfifo(os.path.join(self.home, "pipe.gguf"))
        cases = {"zero.gguf": b"", "zero.safetensors": b"", "deep.json": b"[" * 100000, "nan.json": b'{"model_type": "llama", "hidden_size": NaN}',
                 "binary.json": bytes(range(256)), "huge.gguf": b"GGUF" + struct.pack("<IQQ", 3, 2**64 - 1, 2**64 - 1), "long.safetensors": struct.pack("<Q", 2**63) + b"{}",
                 "escape\x1b[31m.json": b'{"model_type": "\\u001b[31mred"}'}
        for name, content in cases.items():
            with open(os.path.join(self.home, name), "wb") as f:
                f.write(content)
        for name in [*cases, "pipe.gguf", "none.json", self.home]:
            out, err = self.exits(2, "estimate", "--model", os.path.join(self.home, name), "--gpu", "mi300x")
            self.assertEqual(out, "")
            self.assertNotIn("\x1b", err)

    def test_completion_offers_files(self):
        self.assertIn(":files\n", self.ok("completion", "words", "--", "report", "--model", "./"))


if __name__ == "__main__":
    harness.main()
