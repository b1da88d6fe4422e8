"""runs: result files of benchmark tools, all made up (tests/fuzz/corpus/run_files), become rows once, or are refused with the reason."""
import csv
import gzip
import io
import json
import os
import pty
import select
import shutil
import sqlite3
import subprocess
import time

import harness

FILES = os.path.join(harness.ROOT, "tests/fuzz/corpus/run_files")
GIVEN = {"gpu": "h200", "gpus": "8", "engine": "vllm:0.11.0", "weights": "fp8", "model": "llama-3.1-8b"}
# File of the corpus -> what is given (None: all of GIVEN that its file does not say), then of each record its status and some figures.
# Units and kinds of throughput are those of each tool: what a reader gets wrong shows as a factor.
EXPECTED = {
    "vllm_serve": ("gpu gpus engine weights", [("taken", dict(input_tokens=1024, output_tokens=128, batch_or_concurrency=32, output_tokens_per_s=819.2, ttft_ms=100, tpot_ms=37.5, model="llama-3.1-8b"))]),
    "vllm_serve_appended": ("gpu gpus engine weights", [("taken", {}), ("flagged", dict(batch_or_concurrency=64)), ("refused", {})]),
    "inferencex_client": ("gpu gpus engine weights", [("taken", dict(ttft_ms=500, tpot_ms=50, output_tokens_per_s=256))]),
    "vllm_throughput": ("gpu gpus weights model", [("flagged", dict(output_tokens_per_s=0.64 * 2048, ttft_ms=None, input_tokens=128))]),
    "vllm_latency": ("gpu gpus weights model isl=1024 osl=128 concurrency=8", [("flagged", dict(output_tokens_per_s=8 * 128 / 0.7))]),
    "vllm_pooling": (None, [("refused", {})]),
    "pytorch_ci": (None, [("refused", {})]),
    "serving_text": ("gpu gpus engine weights", [("taken", dict(model="qwen3-8b", batch_or_concurrency=32, input_tokens=1024, ttft_ms=180)), ("refused", {}), ("refused", {})]),
    "sglang_serve": ("gpu", [("taken", dict(model="qwen3-8b", gpu_count=2, weights="fp8", engine="sglang", input_tokens=508, output_tokens=512)), ("incomplete", {})]),
    "sglang_one_batch_server": ("gpu gpus weights model", [("flagged", dict(output_tokens_per_s=16 * 64 / 2.5, ttft_ms=500))]),
    "sglang_one_batch": ("gpu gpus weights model", [("flagged", dict(ttft_ms=100, tpot_ms=10))]),
    "sglang_offline": ("gpu gpus weights model", [("flagged", dict(output_tokens_per_s=284.4, input_tokens=512))]),
    "aiperf": ("gpus engine weights", [("taken", dict(gpu="h200-sxm5-141gb", ttft_ms=140, tpot_ms=59, batch_or_concurrency=16, output_tokens=131))]),
    "aiperf_cancelled": ("gpus engine weights", [("quarantined", {})]),
    "genai_perf": ("gpu gpus engine weights", [("taken", dict(output_tokens_per_s=262))]),
    "aiperf_requests": (None, [("refused", {})]),
    "aiperf_server": (None, [("refused", {})]),
    "aiperf_csv": (None, [("flagged", dict(ttft_ms=140, tpot_ms=59, output_tokens_per_s=262, batch_or_concurrency=16))]),
    "guidellm1": ("gpu gpus engine weights", [("flagged", dict(output_tokens_per_s=192, tpot_ms=5, batch_or_concurrency=1))]),
    "guidellm2": ("gpu gpus engine weights model", [("quarantined", dict(rate_rps=1.5))]),
    "inference_perf": (None, [("taken", dict(ttft_ms=30, tpot_ms=3.5, rate_rps=1))]),
    "llmd_yaml": ("weights model", [("taken", dict(gpu_count=8, ttft_ms=200, tpot_ms=20, output_tokens_per_s=54))]),
    "trtllm": ("", [("flagged", dict(gpu="h100-sxm5-80gb", gpu_count=2, weights="fp8", engine="tensorrt-llm", output_tokens_per_s=3840, tpot_ms=None))]),
    "trtllm_text": ("gpu", [("flagged", dict(gpu_count=2, output_tokens_per_s=3840, weights="fp8"))]),
    "trtllm_crash": (None, [("refused", {})]),
    "inferencex": ("", [("flagged", dict(gpu="b200-sxm6-180gb", gpu_count=8, output_tokens_per_s=800, ttft_ms=200, tpot_ms=20, model="deepseek-r1"))]),
    "inferencex_agentic": ("", [("flagged", dict(output_tokens_per_s=500, input_tokens=60000))]),
    "inferencex_csv": ("", [("flagged", dict(gpu="mi355x-288gb", output_tokens_per_s=1200, tpot_ms=25))]),
    "llama_bench": ("", [("taken", dict(gpu="rtx-4090-24gb", gpu_count=1, weights="int4", output_tokens_per_s=None)), ("taken", dict(output_tokens_per_s=130, tpot_ms=1000 / 130, batch_or_concurrency=1)),
                             ("refused", {}), ("refused", {})]),
    "llama_bench_csv": ("model", [("taken", dict(gpu="rx-7900-xtx-24gb", weights="int8", output_tokens_per_s=70.5))]),
    "llama_bench_md": ("", [("taken", dict(gpu="rx-7900-xtx-24gb", gpu_count=1)), ("taken", dict(output_tokens_per_s=90.1, input_tokens=4096))]),
    "llmperf": ("gpu gpus engine weights", [("flagged", dict(ttft_ms=190, tpot_ms=(2300 - 200) / 149, output_tokens_per_s=320))]),
    "llmperf_hosted": (None, [("refused", {})]),
    "llmperf_requests": (None, [("refused", {})]),
    "mlperf": ("gpu gpus engine weights model isl=300", [("taken", dict(output_tokens_per_s=24000, ttft_ms=875.073063, rate_rps=83.5, output_tokens=300))]),
    "torchtitan": ("gpu gpus weights model", [("taken", {})]),
    "megatron": ("gpu gpus weights model isl=4096", [("flagged", {})]),
    "maxtext": ("gpu gpus weights model", [("flagged", {})]),
    "nemo": ("gpu gpus weights model isl=4096", [("flagged", {})]),
    "prometheus": (None, [("refused", {})]),
    "trace": (None, [("refused", {})]),
    "trace_csv": (None, [("refused", {})]),
    "estimate": (None, [("refused", {})]),
    "environment": (None, [("passed over", {})]),
    "own_csv": ("", [("taken", dict(gpu="h200-sxm5-141gb", output_tokens_per_s=2000, ttft_ms=90))]),
    "bad": (None, [("refused", {})]),
    "deep": (None, [("refused", {})]),
    "huge_number": (None, [("refused", {})]),
    "empty": (None, [("refused", {})]),
}


def options(words):
    pairs = [w.split("=") if "=" in w else (w, GIVEN[w]) for w in (" ".join(GIVEN) if words is None else words).split()]
    return [x for name, value in pairs for x in ("--" + name, value)]


def serve(**changed):
    with open(os.path.join(FILES, "vllm_serve"), encoding="utf-8") as f:
        return {**json.loads(f.read()[1:]), **changed}


class Runs(harness.Case):
    seeded = True
    ALL = options("gpu gpus engine weights")

    def file(self, name, as_name=None):
        with open(os.path.join(FILES, name), encoding="utf-8") as f:
            return self.write(as_name or "in/" + name, f.read()[1:])

    def put(self, name, *objects):
        return self.write(name, "\n".join(json.dumps(o) for o in objects))

    def fails(self, want, *args, code=2):
        out, err = self.exits(code, "runs", *args)
        self.assertEqual(out, "")
        self.assertIn(want, err)

    # ------------------------------------------------------------ forms

    def test_every_form_is_told_and_read(self):
        left = set(os.listdir(FILES)) - set(EXPECTED) - {"columns", "columns_csv", "given"}
        self.assertEqual(left, set(), "a form without an expectation")
        for name, (given, want) in EXPECTED.items():
            with self.subTest(name):
                folder = os.path.join("one", name)
                self.file(name, os.path.join(folder, "x.txt"))
                self.put(os.path.join(folder, "zz.json"), serve())  # something is taken, so that all of the answer is printed
                side = "".join(f"{o[2:]} = {v}\n" for o, v in zip(options(given)[::2], options(given)[1::2]))
                self.write(os.path.join(folder, "zz", "keep"), "no run")
                self.write(os.path.join(folder, "gpuadvise.runs"), side)
                records = [r for r in self.json("runs", "import", os.path.join(self.home, folder), "--dry-run", code=None)["records"] if r["file"].endswith("x.txt")]
                self.assertEqual([r["status"] for r in records if r["status"] != "passed over" or name == "environment"] or ["refused"], [s for s, _ in want], records)
                for record, (_, figures) in zip(records, want):
                    for key, value in figures.items():
                        same = self.assertAlmostEqual if isinstance(value, float) else self.assertEqual
                        same(record[key], value, **({"delta": 1e-6 * value} if isinstance(value, float) else {}), msg=(key, record))

    def json(self, *args, code=0, **options):
        if code is not None:
            return super().json(*args, code=code, **options)
        got, out, err = self.run_tool(*args, "--json", **options)
        self.assertIn(got, (0, 2), err)
        if got == 2:  # nothing at all was taken
            return {"records": [{"file": "x.txt", "status": "refused", "reason": err}]}
        return harness.parse_json(out)

    def test_wrapped_and_mixed(self):
        path = self.put("w.json", {"host": {"a": 1}, "all": {"first": serve(), "rest": [serve(max_concurrency=16)]}})
        self.assertEqual(len(self.json("runs", "import", path, *self.ALL, "--dry-run")["records"]), 2)

    def test_what_a_client_printed_is_read_out_of_a_wrapper(self):
        with open(self.file("serving_text"), encoding="utf-8") as f:
            path = self.put("w.json", [{"name": "one user", "raw_output": f.read()}])
        records = self.json("runs", "import", path, *self.ALL, "--dry-run")["records"]
        self.assertEqual((records[0]["status"], records[0]["model"], records[0]["output_tokens_per_s"]), ("taken", "qwen3-8b", 409.6))

    def test_prose_is_no_command(self):
        block = "To test the model on eight GPUs run `vllm bench serve`:\n============ Serving Benchmark Result ============\nSuccessful requests: 320\nBenchmark duration (s): 100\n" \
                "Total input tokens: 327680\nTotal generated tokens: 40960\nOutput token throughput (tok/s): 409.60\n================\n"
        self.fails("not said: --model", "import", self.write("a.md", block), *self.ALL)
        self.write("a.md", block.replace("`vllm bench serve`", "`vllm bench serve --model Qwen/Qwen3-8B --max-concurrency 32`"))
        record = self.json("runs", "import", os.path.join(self.home, "a.md"), *self.ALL, "--dry-run")["records"][0]
        self.assertEqual((record["model"], record["batch_or_concurrency"]), ("qwen3-8b", 32))

    def test_one_run_in_two_forms_is_one(self):
        self.file("trtllm", "both/a.report.json")
        self.file("trtllm_text", "both/a.txt")
        self.write("both/gpuadvise.runs", "model = llama-3.1-8b\ngpu = h100\n")
        records = self.json("runs", "import", os.path.join(self.home, "both"))["records"]
        self.assertEqual([(r["tool"], r["status"]) for r in records], [("trtllm-bench", "flagged"), ("trtllm-text", "refused")])
        self.assertIn("the same run as in", records[1]["reason"])

    def test_other_accelerators_by_the_path(self):
        path = self.put("results/Ascend_910/a.json", serve())
        record = self.json("runs", "import", path, *self.ALL, "--dry-run")["records"][0]
        self.assertEqual((record["status"], "'ascend'" in record["reason"]), ("quarantined", True))

    def test_names_of_gguf_files(self):
        row = {"build_commit": "a", "build_number": 1, "gpu_info": "Radeon 8060S Graphics", "backends": "ROCm", "model_type": "qwen3 8B Q4_K - Medium", "n_prompt": 0, "n_gen": 128, "avg_ts": 40.0}
        for name in ("Qwen3-8B-UD-Q4_K_XL-00001-of-00003.gguf", "Qwen3-8B-Q4_K_M.gguf", "/m/qwen3-8b.gguf"):
            record = self.json("runs", "import", self.put("l.json", [{**row, "model_filename": name}]), "--gpus", "1", "--dry-run")["records"][0]
            self.assertEqual((record["model"], record["weights"], record["gpu"]), ("qwen3-8b", "int4", "ryzen-ai-max-plus-395-128gb"), name)

    def test_several_forms_in_one_text(self):
        text = ""
        for name in ("serving_text", "llama_bench_md"):
            with open(self.file(name), encoding="utf-8") as f:
                text += f.read()
        self.write("mix/README.md", text)
        self.write("mix/gpuadvise.runs", "gpu = rx-7900-xtx\ngpus = 1\nengine = llama.cpp\nweights = int4\n")
        records = self.json("runs", "import", os.path.join(self.home, "mix"), "--dry-run")["records"]
        self.assertEqual([r["tool"] for r in records], ["serving-text"] * 3 + ["llama-bench-table"] * 2)

    def test_a_machine_s_description_names_the_gpu(self):
        record, = self.json("runs", "import", self.file("environment"), code=0)["records"]
        self.assertEqual(record["status"], "passed over")
        self.assertIn('"NVIDIA H200"', record["reason"])

    def test_columns_of_an_unknown_file(self):
        path = self.put("mine.json", {"results": [{"speed": 100.5, "lat": {"first": 0.25}, "users": 4, "model": "qwen3-8b", "i": 1024, "o": 128}]})
        self.fails("no form that is known", "import", path, *self.ALL)
        record = self.json("runs", "import", path, *self.ALL, *(x for p in ("speed=output_tokens_per_s", "lat.first=ttft_s", "users=batch_or_concurrency", "model=model", "i=input_tokens",
                                                                            "o=output_tokens") for x in ("--column", p)))["records"][0]
        self.assertEqual((record["status"], record["output_tokens_per_s"], record["ttft_ms"], record["batch_or_concurrency"]), ("taken", 100.5, 250, 4))
        self.fails("is not KEY=COLUMN", "import", path, "--column", "speed=velocity")

    # ------------------------------------------------------------ what is given

    def test_what_no_file_says_is_named_and_never_guessed(self):
        self.fails("not said: --gpu, --gpus, --engine, --weights", "import", self.put("h100-tp8/mi300x.json", serve()))
        self.assertEqual(self.json("runs", "list")["runs"], [])

    def test_a_test_of_no_tokens_is_no_run(self):
        head = "cpu_info,gpu_info,build_commit,backends,model_type,model_filename,n_prompt,n_gen,avg_ts\nc,NVIDIA GeForce RTX 4090,abc,CUDA,llama 8B Q8_0,llama-3.1-8b.gguf,0,"
        for tokens in ("-28", "0", ""):
            _, err = self.exits(2, "runs", "import", self.write("answer.csv", head + tokens + ",70.5\n"), "--model", "llama-3.1-8b")
            self.assertIn("tokens of neither a prompt nor an answer", err)
        self.exits(0, "runs", "import", self.write("answer.csv", head + "128,70.5\n"), "--model", "llama-3.1-8b")

    def test_settings_for_other_commands_answer_nothing(self):
        path = self.put("a.json", serve())
        code, _, err = self.run_tool("runs", "import", path, "--gpus", "8", "--engine", "vllm", "--weights", "fp8", env={"GPUADVISE_GPU": "h200"})
        self.assertEqual(code, 2)
        self.assertIn("not said: --gpu", err)

    def test_the_file_wins_and_a_contradiction_is_an_error(self):
        path = self.put("a.json", serve(tp="8", gpu="H100", num_gpus=8, framework="sglang", version="0.5"))
        record = self.json("runs", "import", path, "--weights", "fp8", "--dry-run")["records"][0]
        self.assertEqual((record["gpu"], record["gpu_count"], record["engine"]), ("h100-sxm5-80gb", 8, "sglang"))
        record = self.json("runs", "import", path, "--weights", "fp8", "--gpu", "h100-pcie", "--model", "meta-llama/Llama-3.1-8B-Instruct", "--dry-run")["records"][0]
        self.assertEqual(record["gpu"], "h100-pcie-80gb")  # an H100, and which one
        for wrong in (["--gpu", "mi300x"], ["--gpus", "4"], ["--tp", "4"], ["--engine", "vllm"], ["--model", "qwen3-8b"]):
            with self.subTest(wrong):
                self.fails("the file says", "import", path, "--weights", "fp8", *wrong)
        self.fails("tp '8', --tp says '1 GPUs'", "import", self.put("b.json", serve(tp=8)), "--gpu", "h200", "--gpus", "1", "--engine", "vllm", "--weights", "fp8")
        self.fails("unknown GPU", "import", path, "--gpu", "h77")

    def test_side_files_nearest_first(self):
        self.write("all/gpuadvise.runs", "# the cluster\ngpu = mi300x\ngpus = 8\nengine = vllm:0.10.0\nweights = bf16\n")
        self.write("all/deep/gpuadvise.runs", "gpus = 4\n")
        self.put("all/a.json", serve())
        self.put("all/deep/b.json", serve(max_concurrency=64))
        records = self.json("runs", "import", os.path.join(self.home, "all"))["records"]
        self.assertEqual([(r["gpu"], r["gpu_count"], r["weights"]) for r in records], [("mi300x-192gb", 8, "bf16"), ("mi300x-192gb", 4, "bf16")])
        self.write("all/gpuadvise.runs", "gpu = mi300x\nspeed = 3\n")
        self.fails("line 2: 'speed' is none of", "import", os.path.join(self.home, "all"))

    # ------------------------------------------------------------ kept

    def test_kept_once_replaced_listed_exported_and_removed(self):
        path = self.put("a.json", serve())
        args = ["runs", "import", path, "--gpu", "h200", "--engine", "vllm:0.11.0", "--weights", "fp8", "--host", "node7"]
        self.assertEqual(self.json(*args, "--gpus", "1", "--dry-run")["records"][0]["run"], None)
        self.assertEqual(self.json("runs", "list")["runs"], [])
        self.assertEqual(self.json(*args, "--gpus", "1")["records"][0]["fate"], "new")
        self.assertEqual(self.json(*args, "--gpus", "8")["records"][0]["fate"], "replaced")
        shutil.copyfile(path, os.path.join(self.home, "copy.json"))
        again = self.json("runs", "import", os.path.join(self.home, "copy.json"), *args[3:], "--gpus", "8")
        self.assertEqual((again["records"][0]["fate"], again["counts"]["unchanged"]), ("unchanged", 1))
        run, = self.json("runs", "list")["runs"]
        self.assertEqual((run["run"], run["gpu_count"], run["host"], run["engine_version"], run["ran_at"], run["as_of"], run["imported_at"]),
                         (1, 8, "node7", "0.11.0", "2026-03-01", "2026-03-01", harness.NOW[:10]))
        exported = list(csv.DictReader(io.StringIO(self.ok("runs", "export"))))
        self.assertEqual((exported[0]["gpu_sku"], exported[0]["output_tokens_per_s"], exported[0]["host"]), ("h200-sxm5-141gb", "819.2", "node7"))
        clean = self.ok("runs", "export", "--redact")
        for word in ("node7", "a.json", self.home):
            self.assertNotIn(word, clean)
        back = self.json("runs", "import", self.write("back.csv", clean), "--dry-run")  # what was exported is the same run
        self.assertNotEqual(back["records"][0]["fate"], "new")
        self.assertIn("819.2", self.ok("runs", "show", "1"))
        self.fails("no run 7 of your own", "show", "7")
        self.fails("no run 7 of your own", "remove", "1", "7")
        self.assertEqual(self.ok("runs", "remove", "1"), "1 run removed\n")
        self.assertEqual(self.json("runs", "list")["runs"], [])

    def test_prompts_and_answers_are_never_kept(self):
        self.ok("runs", "import", self.put("a.json", serve(generated_texts=["secret words"], prompts=["secret words"], errors=["secret words"])), *self.ALL)
        for folder, _, names in os.walk(os.path.join(self.home, "data")):
            for name in names:
                with open(os.path.join(folder, name), "rb") as f:
                    self.assertNotIn(b"secret words", f.read())

    def test_standard_input_gz_and_folder(self):
        text = json.dumps(serve())
        answer = harness.parse_json(self.ok("runs", "import", "-", *self.ALL, "--json", stdin=text))
        self.assertEqual(answer["records"][0]["file"], "standard input")
        os.makedirs(os.path.join(self.home, "z"))
        with gzip.open(os.path.join(self.home, "z/a.json.gz"), "wt") as f:
            f.write(text)
        self.put("z/b.json", serve(date="20260302-101500"))
        self.write("z/notes.md", "nothing here")
        answer = self.json("runs", "import", os.path.join(self.home, "z"), *self.ALL)
        self.assertEqual((answer["files"], answer["counts"]["taken"], answer["counts"]["unchanged"], answer["counts"]["passed_over"]), (3, 2, 1, 1))

    # ------------------------------------------------------------ what is no good run

    def test_checks_that_need_no_prediction(self):
        cases = {
            "short": (serve(duration=30.0, completed=192, num_prompts=192, total_input_tokens=196608, total_output_tokens=24576), "flagged"),
            "losses": (serve(num_prompts=1000), "quarantined"),
            "client-bound": (serve(mean_e2el_ms=2500.0), "flagged"),
            "few-requests": (serve(completed=64, num_prompts=64, duration=64 / 6.4 * 7, request_throughput=64 / 70, output_throughput=64 * 128 / 70, total_token_throughput=1152 * 64 / 70,
                                   mean_e2el_ms=35000.0, total_input_tokens=65536, total_output_tokens=8192), "flagged"),
            "queued": (serve(max_concurrency=None), "flagged"),
            "a wrong unit": (serve(mean_e2el_ms=5.0, median_ttft_ms=0.1, p99_ttft_ms=0.4), "quarantined"),
            "give": (serve(output_throughput=8192.0, total_token_throughput=9000.0), "quarantined"),
            "fewer tokens in all": (serve(total_token_throughput=100.0), "quarantined"),
            "below the median": (serve(p99_tpot_ms=3.0), "quarantined"),
        }
        for word, (result, status) in cases.items():
            with self.subTest(word):
                record = self.json("runs", "import", self.put("c.json", result), *self.ALL, "--dry-run")["records"][0]
                self.assertEqual(record["status"], status, record)
                self.assertIn(word, (record["flags"] or "") + record["reason"])

    def test_hostile_files_end_with_a_message(self):
        def sparse(path):
            with open(path, "wb") as f:
                f.truncate(2 << 30)

        made = {
            "NUL bytes": lambda p: self.write(p, '{"a": "\0"}'),
            "too deep": lambda p: self.write(p, '{"a":' * 5000 + "1" + "}" * 5000),
            "too large": lambda p: self.write(p, '{"completed": 1e400, "duration": 3}'),
            "middle of a value": lambda p: self.write(p, '{"completed": [1, 2'),
            "UTF-16": lambda p: open(os.path.join(self.home, p), "wb").write("{}".encode("utf-16")),
            "not valid UTF-8": lambda p: open(os.path.join(self.home, p), "wb").write(b'{"a": "\xff\xfe\xfd"}'),
            "over 256 MiB": lambda p: sparse(os.path.join(self.home, p)),
            "a pipe": lambda p: os.mkfifo(os.path.join(self.home, p)),
            "bad .gz": lambda p: open(os.path.join(self.home, p), "wb").write(b"\x1f\x8b\x08" + b"x" * 100),
            "it is empty": lambda p: self.write(p, ""),
        }
        for i, (word, make) in enumerate(made.items()):
            with self.subTest(word):
                make(f"hostile{i}")
                self.fails(word, "import", os.path.join(self.home, f"hostile{i}"), *self.ALL)
        bomb = os.path.join(self.home, "bomb.gz")
        with gzip.open(bomb, "wb", compresslevel=9) as f:
            for _ in range(300):
                f.write(b" " * (1 << 20))
        self.fails("over 256 MiB", "import", bomb)
        self.fails("it is not there", "import", os.path.join(self.home, "nothing"))

    def test_what_cannot_be_read_is_a_failure_and_not_a_bad_file(self):
        self.fails("cannot be read: Input/output error", "import", "/proc/self/mem", code=1)
        folder = os.path.dirname(self.put("some/a.json", serve()))
        os.symlink("/proc/self/mem", os.path.join(folder, "link"))
        self.fails("no run was taken", "import", folder, code=2)  # no link is followed
        self.fails("cannot be read", "import", "/proc/self/fdinfo/../mem", code=1)

    def test_terminal_escapes_of_a_file_reach_no_terminal(self):
        path = self.put("a.json", serve(gpu="\x1b]0;x\x07h200", model_id="llama-3.1-8b"))
        _, out, err = self.run_tool("runs", "import", path, "--gpus", "8", "--engine", "vllm", "--weights", "fp8")
        self.assertNotIn("\x1b", out + err)

    # ------------------------------------------------------------ questions

    def test_questions_on_a_terminal(self):
        path = self.put("q/mi300x_run.json", serve())
        main, other = pty.openpty()
        child = subprocess.Popen([harness.BIN, "runs", "import", path], stdin=other, stdout=other, stderr=other, env=harness.environment(self.home), close_fds=True)
        os.close(other)
        screen, answers = b"", [(b"GPU (a name", b"y\n"), (b"Number of GPUs", b"none\n"), (b"is not a number", b"8\n"), (b"Engine and version", b"vllm:0.11.0\n"), (b"Dtype of the weights", b"fp8\n"),
                                (b"Tensor-parallel", b"8\n"), (b"KV cache", b"\n"), (b"prefix cache", b"\n"), (b"speculated", b"\n"), (b"Write these answers", b"y\n")]
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if not select.select([main], [], [], 0.2)[0]:
                if child.poll() is not None:
                    break
                continue
            try:
                part = os.read(main, 65536)
            except OSError:
                break
            screen += part
            if answers and answers[0][0] in screen:
                screen = screen.split(answers[0][0], 1)[1]
                os.write(main, answers.pop(0)[1])
        self.assertEqual((child.wait(30), answers), (0, []), screen)
        os.close(main)
        run, = self.json("runs", "list")["runs"]
        self.assertEqual((run["gpu_sku"], run["gpu_count"], run["tp"], run["engine_version"], run["precision_kv"]), ("mi300x-192gb", 8, 8, "0.11.0", None))
        with open(os.path.join(self.home, "q/gpuadvise.runs"), encoding="utf-8") as f:
            self.assertIn("gpus = 8\n", f.read())
        self.put("q/second.json", serve(date="20260302-101500"))  # the next import asks nothing
        self.assertEqual(self.json("runs", "import", os.path.join(self.home, "q"))["counts"]["taken"], 2)

    # ------------------------------------------------------------ many

    def test_a_thousand_files(self):
        for i in range(1000):
            self.put(f"many/{i // 100}/{i}.json", serve(max_concurrency=16 + i, date=f"202603{1 + i % 28:02d}-101500"))
        start = time.monotonic()
        answer = self.json("runs", "import", os.path.join(self.home, "many"), *self.ALL)
        self.assertEqual(answer["counts"]["taken"] + answer["counts"]["flagged"] + answer["counts"]["quarantined"], 1000)
        self.assertLess(time.monotonic() - start, 60 if harness.SANITIZED else 20)
        db = sqlite3.connect(os.path.join(self.home, "data/gpuadvise/catalog.db"))
        self.assertEqual(db.execute("SELECT count(*) FROM own_run").fetchone(), (1000,))
        db.close()


if __name__ == "__main__":
    harness.main()
