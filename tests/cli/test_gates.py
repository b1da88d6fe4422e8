"""Gates of `report` and `report diff`: against limits and against an earlier answer."""
import copy
import json
import math
import os
import re

import harness

REPORT = ["report", "--workload", "llama70b"]


def far(answer):
    """A probability that is another than the answer's, a coin toss or sure as that may be."""
    return 0.99 if answer["verdict"]["probability"] < 0.75 else 0.5


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

    @harness.once
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

    def parts(self, diff):
        """Vendor and kind -> part of the change of ln(ratio); checks that they add up."""
        ratio = diff["moved"]["cost_ratio_amd_to_nvidia"]
        self.assertAlmostEqual(ratio["ln_change"], math.log(ratio["to"] / ratio["from"]), places=6)
        known = [x for x in diff["moved"]["by"] if x["ln_cost_ratio"] is not None]
        self.assertAlmostEqual(sum(x["ln_cost_ratio"] for x in known), ratio["ln_change"], places=6)
        if abs(ratio["ln_change"]) > 1e-6:
            self.assertAlmostEqual(sum(x["share_pct"] for x in known), 100, places=4)
        sizes = [abs(x["ln_cost_ratio"]) for x in known]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        return {(x["vendor"], x["kind"]): x for x in diff["moved"]["by"]}

    def diff(self, before, after):
        return self.json("report", "diff", self.write("before.json", json.dumps(before)), self.write("after.json", json.dumps(after)))

    @harness.once
    def test_a_price_is_named(self):
        before = self.json(*REPORT)
        best = before["best"]["amd"]
        half = best["price_usd_per_gpu_hour"] / 2
        after = self.json(*REPORT, "--price", f"{best['provider']}:{best['gpu']}={half:.6f}")
        diff = self.diff(before, after)
        by = self.parts(diff)
        x = by["amd", "price"]
        self.assertEqual((x["what"], x["unit"]), (f"{best['gpu']} at {best['provider']}", "USD a GPU-hour"))
        self.assertAlmostEqual(x["from"], 2 * half, places=4)
        self.assertAlmostEqual(x["to"], half, places=4)
        self.assertAlmostEqual(x["ln_cost_ratio"], math.log(0.5), places=4)
        self.assertAlmostEqual(x["share_pct"], 100, places=2)
        self.assertEqual(by[None, "question"]["what"], "price")
        self.assertFalse({("amd", "option"), ("amd", "speed"), ("nvidia", "price"), (None, "facts")} & set(by))
        text = self.ok("report", "diff", os.path.join(self.home, "before.json"), os.path.join(self.home, "after.json"))
        self.assertIn("What moved it\n", text)
        self.assertIn("AMD price: ", text)
        self.assertIn("## What moved it\n", self.ok("report", "diff", os.path.join(self.home, "before.json"), os.path.join(self.home, "after.json"), "--format", "md"))

    @harness.once
    def test_an_option_that_takes_over_says_by_which_price(self):
        before = self.json(*REPORT)
        best, other = before["best"]["amd"], before["next_best"]["amd"]
        price = other["price_usd_per_gpu_hour"] * best["output_usd_per_mtok"]["value"] / other["output_usd_per_mtok"]["value"] / 2  # half the cost of the best
        after = self.json(*REPORT, "--price", f"{other['provider']}:{other['gpu']}={price:.6f}")
        self.assertEqual(after["best"]["amd"]["gpu"], other["gpu"])
        by = self.parts(self.diff(before, after))
        self.assertEqual(by["amd", "price"]["what"], f"{other['gpu']} at {other['provider']}")
        self.assertAlmostEqual(by["amd", "price"]["ln_cost_ratio"], math.log(0.5), places=3)
        option = by["amd", "option"]
        self.assertEqual((option["from"], option["to"]), (f"{best['gpu']} at {best['provider']}", f"{other['gpu']} at {other['provider']}"))
        self.assertAlmostEqual(option["ln_cost_ratio"], 0, places=6)
        self.assertEqual(len(option["why"]), 2)
        back = self.parts(self.diff(after, before))  # now the best one becomes dear: the other takes over
        self.assertAlmostEqual(back["amd", "price"]["ln_cost_ratio"], math.log(2), places=3)

    @harness.once
    def test_an_offer_that_is_new_or_gone(self):
        before = self.json(*REPORT)
        after = copy.deepcopy(before)
        after["best"]["amd"] = {**copy.deepcopy(before["next_best"]["amd"]), "serve_command": None}
        after["options"] = [o for o in after["options"] if o["vendor"] == "nvidia"]
        after["next_best"]["amd"] = None
        after["verdict"]["probability"] = far(before)
        by = self.parts(self.diff(before, after))
        cost = [x["best"]["amd"]["output_usd_per_mtok"]["value"] for x in (before, after)]
        self.assertEqual({k for k in by if k[0]}, {("amd", "option")})
        self.assertAlmostEqual(by["amd", "option"]["ln_cost_ratio"], math.log(cost[1] / cost[0]), places=6)
        self.assertTrue(any("is not among the options listed now" in w for w in by["amd", "option"]["why"]))
        none = copy.deepcopy(before)
        none["best"]["amd"] = None
        none["verdict"].update(winner=None, unknown_because="no price")
        diff = self.diff(before, none)
        self.assertEqual(diff["moved"]["cost_ratio_amd_to_nvidia"]["to"], None)
        self.assertEqual([(x["kind"], x["to"], x["ln_cost_ratio"], x["why"]) for x in diff["moved"]["by"]], [("option", None, None, ["no option is left"])])

    @harness.once
    def test_a_measurement_that_stands_for_the_estimate(self):
        before = self.json(*REPORT)
        after = copy.deepcopy(before)
        x = after["best"]["nvidia"]
        x["output_usd_per_mtok"].update(value=x["output_usd_per_mtok"]["value"] / 2, basis="measured")
        x["parallel"]["tp"] = 8
        x["published"]["n"] = 3
        after["facts"]["digest"] = "0123456789abcdef"
        after["tool_version"] = "99.0.0"
        after["assumptions"][0]["high"] += 1
        after["verdict"].update(probability=far(before), decided_by_needs=not before["verdict"]["decided_by_needs"])
        by = self.parts(self.diff(before, after))
        speed = by["nvidia", "speed"]
        self.assertAlmostEqual(speed["ln_cost_ratio"], math.log(2), places=6)
        self.assertAlmostEqual(speed["to"], 2 * speed["from"], places=6)
        whys = " | ".join(speed["why"])
        for part in ("tp8", "your own GPU stand for the datasheet", "public measurements of it", "facts or version differ"):
            self.assertIn(part, whys)
        self.assertEqual({k[1] for k in by if k[0] is None}, {"version", "facts", "assumption", "needs"})
        self.assertEqual(by[None, "assumption"]["what"], before["assumptions"][0]["name"])
        older = copy.deepcopy(before)
        del older["facts"]
        self.assertNotIn((None, "facts"), self.parts(self.diff(older, after)))

    @harness.once
    def test_both_vendors_move_at_once(self):
        before = self.json(*REPORT)
        after = self.json(*REPORT, "--osl", "600", "--discount", f"{before['best']['nvidia']['provider']}=10")
        diff = self.diff(before, after)
        by = self.parts(diff)
        self.assertAlmostEqual(by["nvidia", "price"]["ln_cost_ratio"], -math.log(0.9), places=6)
        self.assertIn("the question differs", by["nvidia", "speed"]["why"])
        self.assertEqual({x["what"] for x in diff["moved"]["by"] if x["kind"] == "question"}, {"osl", "discount"})

    @harness.once
    def test_nothing_moved(self):
        answer = self.json(*REPORT)
        self.assertEqual(self.diff(answer, {**answer, "tool_version": "99.0.0"})["moved"]["by"], [])

    @harness.once
    def test_other_kinds_are_compared_by_their_own_cost(self):
        ask = ["report", "--workload", "llama13b-train"]
        before = self.json(*ask)
        best = before["best"]["nvidia"]
        after = self.json(*ask, "--price", f"{best['provider']}:{best['gpu']}={0.8 * best['price_usd_per_gpu_hour']:.6f}")
        by = self.parts(self.diff(before, after))
        self.assertAlmostEqual(by["nvidia", "price"]["ln_cost_ratio"], -math.log(0.8), places=4)

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
