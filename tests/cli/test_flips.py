"""What a report says would flip its verdict, asked again on both sides. In the suite a sample that a fixed seed draws; with GPUADVISE_WHOLE=1
every serving workload at 7 loads and 3 lengths, every other one as it is, and moves (2/4: the second quarter of it).
"""
import collections
import contextlib
import json
import os
import random
import re
import shlex

import again
import harness

WHOLE = os.environ.get("GPUADVISE_WHOLE", "")
PART, PARTS = (int(x) for x in WHOLE.split("/")) if "/" in WHOLE else (1, 1)
LOADS = (0.125, 0.25, 0.5, 1, 2, 4, 8)
LENGTHS = (0.5, 1, 2)
NEAR = 0.002  # so far before and past the stated value
MOVES = (("--stack", "docs/stacks/moves.stack", "--current", "h100-sxm5-80gb@4"), ("--stack", "docs/stacks/moves.stack", "--gpu", "mi300x", "--current", "h100-sxm5-80gb@7"),
         ("--stack", "docs/stacks/stays.stack", "--gpu", "mi300x", "--current", "h100-sxm5-80gb@7"), ("--stack", "docs/stacks/moves.stack"))
PRICE = re.compile(r"price of (.*) at (\S+)$")
SPEED = re.compile(r"speed of (.*?)( against .*)?$")
TURNS = re.compile(r"at ([\d.,e+-]+) the verdict is (.*?), at ([\d.,e+-]+) still as now")
BECOMES = {"NVIDIA": "nvidia", "AMD": "amd", "to split": "split", "a tie": "tie", "that nothing does it": "neither", "not yet": "not-yet", "not known": None}
TERMS = {"price of an engineer's day": "engineer-day-usd", "load over the horizon": "load-factor", "AMD's prices against NVIDIA's over the horizon": "price-level", "work of changing provider": "contract-days",
         "both fleets paid": "dual-weeks", "both fleets paid where the vendor stays": "dual-weeks-provider", "engineers on the move": "team-size", "horizon": "horizon-months", "discount rate": "discount-rate"}
LEVEL = "AMD's prices against NVIDIA's over the horizon"


def number(text):
    return float(text.replace(",", ""))


class Flips(harness.Case):
    seeded = True

    def setUp(self):
        super().setUp()
        self.skus = {row["name"]: row["sku_id"] for row in again.table("gpus")}
        self.vendors = {row["sku_id"]: row["vendor"] for row in again.table("gpus")}
        self.random = random.Random(20261127)
        self.counts = collections.Counter()
        self.failures = []

    def ask(self, args):
        """(winner, answer); the winner alone where there is no answer to compare."""
        code, out, err = self.run_tool("report", *args, "--top", "1", "--json", cwd=harness.ROOT)
        self.assertIn(code, (0, 3), (args, err))
        answer = harness.parse_json(out)
        return answer["verdict"]["winner"], answer

    def expect(self, kind, args, same, winner, why):
        self.counts[kind] += 1
        got = self.ask(args)[0]
        if (got == winner) != same:
            self.failures.append(f"{kind}: {why}: {winner} {'should stay' if same else 'should change'}, is {got}: gpuadvise report {shlex.join(args)}")
            print(self.failures[-1], flush=True)

    @contextlib.contextmanager
    def priced(self, meant, times):
        """A folder of facts in which the offers that are meant cost so many times as much."""
        def change(row):
            if meant(row):
                row["price_usd_per_hour"] = f"{float(row['price_usd_per_hour']) * times:.9f}"
        with harness.ChangedData("offers", change) as folder:
            yield folder

    def both_sides(self, kind, args, winner, meant, times, why):
        """The verdict holds just before the factor on prices and is another one just past it."""
        past = 1 + NEAR if times > 1 else 1 - NEAR
        for side, same in ((1 / past, True), (past, False)):
            with self.priced(meant, times * side) as folder:
                self.expect(kind, [*args, "--data", folder], same, winner, f"{why}, prices times {times * side:.6g}")

    def check_price(self, args, winner, flip, name, provider):
        at = flip["verdict_changes_at"]
        sku = self.skus[name]
        if provider == "today":
            if at is not None:
                past = 1 + NEAR if at > flip["value"] else 1 - NEAR
                i = args.index("--current") + 1
                for side, same in ((1 / past, True), (past, False)):
                    asked = [*args[:i], f"{args[i].split('@')[0]}@{at * side:.9g}", *args[i + 1:]]
                    self.expect("price of today", asked, same, winner, flip["text"])
            return

        def meant(row):
            return row["provider"] == provider and row["sku_id"] == sku
        if at is not None:
            self.both_sides("price", args, winner, meant, at / flip["value"], flip["text"])
        elif "the verdict stays" in flip["text"]:
            for times in (0.5, 2):
                if flip["result"] == "npv_usd" and times > 1:
                    continue  # past the vendor's next offer nothing is said
                with self.priced(meant, times) as folder:
                    self.expect("price that stays", [*args, "--data", folder], True, winner, f"{flip['text']}, prices times {times}")

    def check_knob(self, args, winner, flip, option):
        def at(x):
            return [*args, option, f"{x:.10g}"]
        if flip["verdict_changes_at"] is None:
            for x in filter(None, flip["text"].partition("the same at ")[2].split(", ")):
                self.expect(f"{option} that stays", at(number(x)), True, winner, flip["text"])
            return
        self.expect(option, at(flip["verdict_changes_at"]), False, winner, flip["text"])
        self.expect(option, at(flip["holds_at"]), True, winner, flip["text"])
        for x, becomes, holds in TURNS.findall(flip["text"]):
            self.expect(f"{option} in words", at(number(x)), True, BECOMES[becomes], flip["text"])
            self.expect(f"{option} in words", at(number(holds)), True, winner, flip["text"])

    def check_term(self, args, winner, flip, name):
        """A term that the stack file states holds in every draw, as the report has it."""
        at = flip["verdict_changes_at"]
        if at is None or at == flip["value"]:
            return
        past = 1 + NEAR if at > flip["value"] else 1 - NEAR
        i = args.index("--stack") + 1
        with open(os.path.join(harness.ROOT, args[i]), encoding="utf-8") as f:
            stack = f.read()
        for side, same in ((1 / past, True), (past, False)):
            if same and min(flip["value"], at) / max(flip["value"], at) > 1 - NEAR:
                continue
            path = self.write(f"{name}.stack", f"{stack}{name} = {at * side:.9g}\n")
            self.expect(name, [*args[:i], path, *args[i + 1:]], same, winner, flip["text"])

    def check(self, args):
        winner, answer = self.ask(args)
        self.counts["answers"] += 1
        self.assertTrue(answer["sensitivity"] or not (answer["best"]["amd"] and answer["best"]["nvidia"]))
        flips = answer["sensitivity"]
        for flip in flips if WHOLE else self.random.sample(flips, min(len(flips), 5)):
            what, at = flip["assumption"], flip["verdict_changes_at"]
            if price := PRICE.match(what):
                self.check_price(args, winner, flip, *price.groups())
            elif what.startswith("load (requests in flight)"):
                self.check_knob(args, winner, flip, "--concurrency")
            elif what == "load":
                self.check_knob(args, winner, flip, "--rate")
            elif what.startswith("context length"):
                self.check_knob(args, winner, flip, "--isl")
            elif flip["result"] == "cost_ratio_amd_to_nvidia" and at is not None:
                if speed := SPEED.match(what):  # so many times as fast is so many times as cheap
                    sku = self.skus[speed.group(1)]
                    self.both_sides("speed", args, winner, lambda row, sku=sku: row["sku_id"] == sku, 1 / at, flip["text"])
                elif what == LEVEL:
                    self.both_sides("AMD's prices", args, winner, lambda row: self.vendors.get(row["sku_id"]) == "amd", at / flip["value"], flip["text"])
            elif flip["result"] == "npv_usd" and what in TERMS and "--stack" in args:
                self.check_term(args, winner, flip, TERMS[what])

    def finish(self, least):
        print(json.dumps(self.counts), f"{len(self.failures)} do not hold", flush=True)
        self.assertGreater(sum(self.counts.values()), least)
        self.assertEqual(self.failures, [])

    def asked(self):
        """Every workload at every load and length, as options."""
        for row in again.table("workloads"):
            if row["kind"] != "serve":
                yield ["--workload", row["workload_id"]]
                continue
            for length in LENGTHS:
                args = ["--workload", row["workload_id"], "--isl", f"{round(float(row['isl_tokens']) * length)}"]
                for load in LOADS:
                    if row["rate_rps"]:
                        yield [*args, "--rate", f"{float(row['rate_rps']) * load:.9g}"]
                    else:
                        yield [*args, "--concurrency", f"{max(round(float(row['concurrency'] or 256) * load), 1)}"]
                if not row["rate_rps"] + row["concurrency"]:
                    yield args  # as many at once as GPUs carry

    @harness.once
    def test_every_stated_flip_holds_on_both_sides(self):
        asked = list(self.asked())
        for args in asked[PART - 1::PARTS] if WHOLE else self.random.sample(asked, 4):
            self.check(args)
        self.finish(20)

    @harness.once
    def test_flips_of_moves(self):
        for move in MOVES[PART - 1::PARTS] if WHOLE else MOVES[:1]:
            self.check(["--workload", "llama70b", *move])
        self.finish(5)


if __name__ == "__main__":
    harness.main()
