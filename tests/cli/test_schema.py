"""Every JSON answer against its installed schema (share/schema/COMMAND.json), by a real validator."""
import functools
import glob
import json
import os
import re

import jsonschema

import harness

FOLDER = os.path.join(harness.ROOT, "share/schema")
ROWS = os.path.join(harness.ROOT, "tests/payloads/measurements.csv")  # few: refits of all rows are the affair of test_validate.py
RUN_FILES = os.path.join(harness.ROOT, "tests/payloads/runs")
STACKS = os.path.join(harness.ROOT, "docs/stacks")

# Command -> command lines whose answers its schema must accept; a number in front is the exit code wanted, else 0.
ANSWERS = {
    "report": ["report --workload llama70b", "report --workload llama70b --pareto --top 3 --spot", "3 report --workload llama70b --max-price 0.001",
               "4 report --workload llama70b --fail-over-usd-per-mtok 0.000001", "report --workload llama70b --vendor amd",
               "3 report --workload llama70b --max-age 30 --explain", f"report --workload llama70b --source {harness.ROOT}/tests/fuzz/corpus --engineer-day-usd 900",
               f"3 report --workload llama70b --max-price 0.001 --source {harness.ROOT}/tests/fuzz/corpus",
               f"report --workload llama70b --stack {STACKS}/stays.stack --current h100-sxm5-80gb@3.5 --onprem --api-usd-per-mtok 0.4",
               "report --workload llama70b --gpu-price mi300x=9000 --gpu-price h200-sxm5-141gb=28000 --api-usd-per-mtok 0.01", "report --workload hpc-md --onprem --vendor amd",
               f"report --workload llama13b-train --stack {STACKS}/moves.stack --jobs-per-month 4", "report --workload hpc-md --current a100-sxm4-80gb@2",
               "report agentic-coding", "report agentic-coding --sessions 64 --host-gb 500 --memory-fraction 0.9", "report --model minimax-m2.5 --sessions 16 --isl 60000 --osl 500"],
    "stack": [f"stack show {STACKS}/stays.stack", f"stack show {STACKS}/moves.stack --gpu mi300x"],
    "report-diff": [f"report diff {harness.ROOT}/tests/fuzz/corpus/baseline/nvidia {harness.ROOT}/tests/fuzz/corpus/baseline/odd",
                    f"report diff {harness.ROOT}/tests/fuzz/corpus/baseline/nvidia {harness.ROOT}/tests/fuzz/corpus/baseline/moved",
                    f"report diff {harness.ROOT}/tests/fuzz/corpus/baseline/odd {harness.ROOT}/tests/fuzz/corpus/baseline/odd"],
    "estimate": ["estimate --model llama-3.1-70b --gpu mi300x --weights fp8", "estimate --model bge-m3 --gpu mi300x --gpus 2", "3 estimate --model qwen3-embedding-8b --gpu t4-16gb", "3 estimate --model llama-3.1-70b --gpu h100-sxm5-80gb --weights bf16",
                 "estimate --model mixtral-8x7b --gpu h100-sxm5-80gb --gpus 8 --tp 8 --concurrency 16 --isl 100 --osl 100 --explain",
                 "estimate --model kimi-k2.5 --gpu mi355x --weights mxfp4 --kv fp8 --tp 4 --sessions 32 --host-gb 1000", "estimate --model llama-3.1-70b --gpu rtx-4090 --engine llama.cpp --weights int4 --gpus 2 --split layer --gpu-layers 70 --host-gb-s 60", "estimate --model qwen3.5-397b-a17b --gpu mi355x --gpus 8 --tp 4 --engine sglang --weights fp8 --sessions 1"],
    "validate": ["validate", f"validate --leave-out cell --measurements {ROWS}"],
    "calibrate": [f"calibrate --measurements {ROWS}"],
    "gpus": ["gpus", "gpus --vendor amd", "gpus show mi300x"],
    "models": ["models", "models show mixtral-8x7b"],
    "workloads": ["workloads", "workloads show llama70b"],
    "traffic": ["traffic", "traffic show chat-real"],
    "traffic-describe": [f"traffic describe {harness.ROOT}/tests/payloads/traffic/day.csv", f"traffic describe {harness.ROOT}/tests/payloads/traffic/mooncake.jsonl"],
    "prices": ["prices list", "prices list amd:mi300x --all-regions", "prices list --unmapped", "prices list --group-by gpu"],
    "prices-quarantined": ["prices list --quarantined"],
    "prices-refresh": ["1 prices refresh oci --feed-url oci=https://localhost:1/"],
    "prices-history": ["prices history mi300x", "3 prices history mi300x --provider nobody"],
    "prices-diff": ["prices diff", "prices diff --since 2026-11-01"],
    "prices-prune": ["prices prune --older-than 30d"],
    "compat": ["compat", "compat vllm"],
    "migrate": ["migrate explain", "migrate explain wgmma", "migrate api cudaMalloc", "migrate api cusolver", "migrate api wmma", "migrate api threadIdx.x", "migrate api CUevent_st", "migrate ports", f"migrate fix {harness.ROOT}/tests/fuzz/corpus",
                f"migrate scan {harness.ROOT}/tests/fuzz/corpus --engineer-day-usd 900 --team expert"],
    "bench": ["bench --device cpu --quick --working-set 1 copy latency", "5 bench --device gpu77"],
    "bench-list": ["bench list"],
    "bench-import": [f"bench import {harness.ROOT}/tests/fuzz/corpus/runs/exported", f"bench import {harness.ROOT}/tests/fuzz/corpus/runs/answer",
                     f"1 bench import {harness.ROOT}/tests/fuzz/corpus/runs/exported {harness.ROOT}/README.md"],
    "bench-export": ["3 bench export"],  # tests/cli/test_bench.py has runs to export
    "bench-fleet": [f"5 bench fleet {harness.ROOT}/tests/fuzz/corpus/fleet/five", f"bench fleet {harness.ROOT}/tests/fuzz/corpus/fleet/one --keep --expect node0000"],
    "bench-runs": ["bench runs"],
    "check": ["check --model llama-3.1-70b --gpu mi300x --tokens-per-s 2000", "check --model llama-3.1-70b --gpu h100-sxm5-80gb --weights fp16 --batch 32 --tokens-per-s 19500"],
    "check-claims": ["check --claims", f"check --file {harness.ROOT}/tests/fuzz/corpus/claims/others"],
    "own": ["workloads add mine kind=hpc", "workloads add mine kind=hpc run_steps=5", "compat add mine platform=rocm status=full", "workloads remove mine",
            f"traffic import mine {harness.ROOT}/tests/payloads/traffic/day.csv", "traffic remove mine"],
    "runs": ["runs", "runs list"],
    "runs-import": [f"runs import {RUN_FILES}/own_csv", f"runs import {RUN_FILES}/own_csv --dry-run"],
    "runs-compare": [],  # tests/cli/test_own_runs.py has two
    "runs-plan": ["runs plan llama70b"],
    "validate-runs": ["3 validate --runs"],
    "runs-remove": [],  # tests/cli/test_runs.py has runs to remove
    "sources": ["sources"],
    "doctor": ["doctor"],
    "self-check": ["self-check"],
    "version": ["version"],
}
WITHOUT_JSON = {"help", "completion", "tui"}
SHARED = {"own": {"gpus", "models", "workloads", "compat", "traffic"}}  # one schema of subcommands of several commands


def command_of(name):
    """NAME-SUBCOMMAND; one command has a dash in its own name."""
    return name if name == "self-check" else name.split("-")[0]


@functools.cache
def validator(name):
    path = os.path.join(FOLDER, name + ".json")
    with open(path, encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    del schema["$id"]  # jsonschema before 4.18 finds no "#/$defs/..." under a URN; no schema refers outside itself
    return jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())


def faults(name, answer):
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in validator(name).iter_errors(answer)][:10]


class Schema(harness.Case):
    def test_every_command_has_one(self):
        commands = set(re.findall(r"^  ([a-z-]+)  ", self.ok("--help").split("Commands:")[1].split("\n\n")[0], re.M))
        self.assertEqual(commands - WITHOUT_JSON, {command_of(name) for name in ANSWERS.keys() - SHARED.keys()})  # NAME-SUBCOMMAND
        files = {os.path.basename(f)[:-5] for f in glob.glob(os.path.join(FOLDER, "*.json"))}
        self.assertLessEqual(set(ANSWERS), files)

    def test_each_stands_alone(self):
        def references(node):
            for key, part in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
                yield from [part] if key == "$ref" else references(part)

        for path in glob.glob(os.path.join(FOLDER, "*.json")):
            with open(path, encoding="utf-8") as f:
                schema = json.load(f)
            # A URN has no folder that the name of another file could be looked up in.
            self.assertEqual([r for r in references(schema) if not r.startswith("#/")], [], path)
            self.assertTrue(schema["$id"].startswith("urn:"), path)

    def test_devices_are_the_same_everywhere(self):
        with open(os.path.join(FOLDER, "bench.json"), encoding="utf-8") as bench, open(os.path.join(FOLDER, "doctor.json"), encoding="utf-8") as doctor:
            self.assertEqual(json.load(bench)["properties"]["devices"]["items"], json.load(doctor)["$defs"]["device"])

    def test_golden_answers_fit(self):
        for path in glob.glob(os.path.join(harness.ROOT, "tests/golden/*.txt")):
            with open(path, encoding="utf-8") as f:
                text = f.read()
            command = re.search(r"^\$ gpuadvise (.*)$", text, re.M).group(1)
            out = text.split("\n--- stdout\n", 1)[1].split("--- stderr\n", 1)[0]
            if out.startswith("{"):
                answer = harness.parse_json(out)
                self.assertEqual(faults(answer["command"].split()[0], answer), [], command)


def add(name):
    def test(self):
        for line in harness.sampled(ANSWERS[name], len(ANSWERS[name]) or 1):
            words = line.split()
            code = int(words.pop(0)) if words[0].isdigit() else 0
            answer = self.json(*words, code=code)
            if harness.SANITIZED:
                continue  # they see each command here; the same answers are held against the schemas without them
            self.assertEqual(faults(name, answer), [], line)
            self.assertIn(answer["command"].split()[0], SHARED.get(name, {command_of(name)}))
        if harness.SANITIZED:
            return
        # A schema that accepts anything proves nothing.
        self.assertFalse(validator(name).is_valid({}))
        for key in ("schema_version", "tool_version", "generated_at", "command", "inputs", "warnings") if ANSWERS[name] else ():
            self.assertFalse(validator(name).is_valid({k: v for k, v in answer.items() if k != key}), f"{key} may be left out")
    setattr(Schema, "test_" + name.replace("-", "_"), test)


for each in ANSWERS:
    add(each)

if __name__ == "__main__":
    harness.main()
