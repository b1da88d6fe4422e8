"""Gates of `report` and `report diff`: against limits and against an earlier answer."""
import json
import os
import re

import harness

REPORT = ["report", "--workload", "llama70b"]


class Gates(harness.Case):
    def baseline(self, *args, **changes):
        answer = self.json(*REPORT, *args)
        answer["verdict"].update(changes)
        return self.write("baseline.json", json.dumps(answer))

    def test_the_same_verdict_passes(self):
        self.assertNotIn("gate", self.exits(0, *REPORT, "--fail-if-verdict-changes", self.baseline())[1])

    def test_another_verdict_fails_and_is_printed(self):
        now = self.json(*REPORT)["verdict"]["winner"]
        other = "amd" if now == "nvidia" else "nvidia"
        path = self.baseline(winner=other)
        out, err = self.exits(4, *REPORT, "--json", "--fail-if-verdict-changes", path)
        self.assertEqual(harness.parse_json(out)["verdict"]["winner"], now)
        self.assertIn(f"gate: the verdict is {now}, and was {other}", err)
        self.exits(4, *REPORT, "--format", "html", "--fail-if-verdict-changes", path)

    def test_both_gates_are_told(self):
        _, err = self.exits(4, *REPORT, "--fail-over-usd-per-mtok", "0.0001", "--fail-if-verdict-changes", self.baseline(winner="not-yet"))
        self.assertEqual(len(re.findall("gate:", err)), 2)

    def test_bad_baselines_are_refused_before_the_work(self):
        good = json.loads(open(self.baseline(), encoding="utf-8").read())
        bad = {"empty": "", "words": "hello", "array": "[]", "number": "5", "other": json.dumps({**good, "command": "estimate"}), "newer": json.dumps({**good, "schema_version": 2}),
               "winner": json.dumps({**good, "verdict": {"winner": "intel"}}), "none": json.dumps({**good, "verdict": None}), "deep": "[" * 5000, "cut": json.dumps(good)[:500],
               "bytes": "{\"command\": \"\x00\"}"}
        for name, text in bad.items():
            out, err = self.exits(2, *REPORT, "--fail-if-verdict-changes", self.write(name + ".json", text))
            self.assertEqual(out, "", name)
            self.assertRegex(err, r"^gpuadvise: option '--fail-if-verdict-changes': read '.*\.json': ", name)
        self.exits(1, *REPORT, "--fail-if-verdict-changes", "/nonexistent")

    def test_diff(self):
        a = self.write("a.json", self.ok(*REPORT, "--json"))
        b = self.write("b.json", self.ok(*REPORT, "--json", "--gpus", "4", "--isl", "2048"))
        same = self.json("report", "diff", a, a)
        self.assertEqual((same["changes"], same["verdict_changed"], same["other_question"]), ([], False, False))
        self.assertIn("Nothing that is compared differs", self.ok("report", "diff", a, a))
        one, two = (json.loads(open(x, encoding="utf-8").read()) for x in (a, b))
        diff = self.json("report", "diff", a, b)
        self.assertTrue(diff["other_question"])
        self.assertEqual(diff["verdict_changed"], one["verdict"]["winner"] != two["verdict"]["winner"])

        def at(answer, path):
            for key in path.split("."):
                answer = answer.get(key) if isinstance(answer, dict) else None
            return answer
        keys = {c["key"] for c in diff["changes"]}
        self.assertLessEqual({"inputs.gpus", "inputs.resolved.isl_tokens", "options_found"}, keys)
        for c in diff["changes"]:
            self.assertEqual((c["from"], c["to"]), (at(one, c["key"]), at(two, c["key"])))
            if isinstance(c["from"], (int, float)) and isinstance(c["to"], (int, float)) and c["from"]:
                self.assertAlmostEqual(c["change_pct"], 100 * (c["to"] / c["from"] - 1), places=5)
        text = self.ok("report", "diff", a, b, "--format", "csv")
        self.assertEqual([line.split(",")[0] for line in text.splitlines()[1:]], [c["key"] for c in diff["changes"]])

    def test_hostile_answers_stay_text(self):
        answer = json.loads(self.ok(*REPORT, "--json"))
        before = self.write("x.json", json.dumps(answer))
        answer["best"]["nvidia"]["provider"] = "\u001b[31mred\u202e\n=cmd()"
        answer["best"]["nvidia"]["gpu"] = {"no": "text"}
        answer["verdict"]["probability"] = "high"
        after = self.write("y.json", json.dumps(answer))
        for form in ("table", "md", "csv", "json"):
            out = self.ok("report", "diff", before, after, "--format", form)
            self.assertNotRegex(out, "[\x00-\x09\x0b-\x1f\u202e]")
            self.assertIn("best.nvidia.provider", out)

    def test_usage(self):
        self.exits(2, "report", "diff")
        self.exits(2, "report", "diff", "a.json")
        self.exits(1, "report", "diff", "/nonexistent", "/nonexistent")

    def test_the_workflow_in_the_docs_uses_what_there_is(self):
        with open(os.path.join(harness.ROOT, "docs/ci.md"), encoding="utf-8") as f:
            text = f.read()
        options = set(re.findall(r"--[a-z][a-z-]+", " ".join(re.findall(r"gpuadvise (?:report|migrate|prices)[^`\n]*(?:\n\s+--[^\n]*)*", text))))
        known = self.ok("help", "report") + self.ok("help", "migrate")
        self.assertGreater(len(options), 4)
        for option in options:
            self.assertIn(option, known)


if __name__ == "__main__":
    harness.main()
