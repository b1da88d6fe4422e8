"""`stack`, and the decision in `report`, from outside."""
import os

import harness

STACKS = os.path.join(harness.ROOT, "docs/stacks")
MOVES = os.path.join(STACKS, "moves.stack")


class Stack(harness.Case):
    def test_the_example_is_judged(self):
        path = self.write("my.stack", self.ok("stack", "init"))
        shown = self.ok("stack", "show", path, "--gpu", "mi300x")
        for word in ("vllm 0.14: works with changes", "trap:", "install:", "The move, step by step", "gfx942"):
            self.assertIn(word, shown)
        answer = self.json("stack", "show", path, "--gpu", "mi300x")["compatibility"]
        self.assertEqual([i["name"] for i in answer["items"]], ["vllm", "torch", "flash-attention-2", "fp8"])
        for item in answer["items"]:
            self.assertEqual(sum(c["wins"] for c in item["claims"]), 1 if item["claims"] else 0, item["name"])
            self.assertTrue(item["source"] and item["as_of"])
        self.assertTrue(self.ok("stack", "show", path, "--format", "md").lstrip().startswith("## "))

    def test_hostile_text_is_inert(self):
        path = self.write("evil.stack", "frameworks = \x1b[2Jred 1, <script>alert(1)</script>\nneeds = a\u202eb\n")
        for args in (["stack", "show", path], ["report", "--workload", "llama70b", "--stack", path], ["stack", "show", path, "--format", "md"]):
            out = self.ok(*args)
            self.assertNotIn("\x1b", out)
            self.assertNotIn("\u202e", out)
        self.json("stack", "show", path)

    def test_wrong_use(self):
        self.exits(1, "stack", "show", os.path.join(self.home, "none"))
        for text, says in (("vllm", "line 1"), ("\nfoo = 1", "line 2"), ("horizon-months = 1e99", "horizon-months")):
            _, err = self.exits(2, "stack", "show", self.write("bad.stack", text))
            self.assertIn(says, err)
        self.exits(2, "stack", "show")
        self.exits(2, "stack", "show", MOVES, "--gpu", "h100-sxm5-80gb")
        self.exits(2, "stack", "init", "--json")
        self.exits(2, "report", "--workload", "llama70b", "--current", "v100@2")
        self.exits(2, "report", "--workload", "llama70b", "--current", "h100-sxm5-80gb@-2")

    def test_too_many_entries_are_refused(self):
        self.exits(2, "stack", "show", self.write("long.stack", "needs = " + "a," * 5000))


class Decision(harness.Case):
    def report(self, *args):
        return self.json("report", "--workload", "llama70b", *args)

    def test_without_software_a_move_has_no_price(self):
        answer = self.report("--current", "h100-sxm5-80gb@4")
        lanes = {lane["lane"]: lane for lane in answer["lanes"]}
        self.assertIsNotNone(lanes["provider"]["npv_usd"]["value"])
        self.assertIsNone(lanes["vendor"]["once_usd"]["value"])
        self.assertIn("--stack", lanes["vendor"]["text"])

    @harness.once
    def test_lanes_differ_by_the_software(self):
        answer = self.report("--current", "h100-sxm5-80gb@4", "--stack", MOVES)
        lanes = {lane["lane"]: lane for lane in answer["lanes"]}
        days = answer["migration"]["effort_days"]
        software = days["first_port"]["value"] + days["tests_and_ci"]["value"]
        self.assertAlmostEqual(lanes["vendor"]["days"]["value"], lanes["provider"]["days"]["value"] + software, 6)
        self.assertEqual(answer["break_even"]["npv_usd"], lanes["vendor"]["npv_usd"])
        for lane in lanes.values():
            parts = sum(lane[k]["value"] or 0 for k in ("work_usd", "dual_running_usd", "egress_usd", "leaving_usd"))
            self.assertAlmostEqual(lane["once_usd"]["value"] / parts, 1, 6)
            self.assertAlmostEqual(lane["curve"][-1]["value_usd"] / lane["npv_usd"]["value"], 1, 6)
            self.assertEqual(lane["curve"][-1]["month"], 24)

    @harness.once
    def test_owned_amd_stays_where_money_says_so(self):
        # What AMD GPUs that stand there cost an hour is power and space; moving away takes engineers.
        path = self.write("owned.stack", "port-days = 40\nupkeep-days-per-year = 10\n")
        for usd in (0.6, 0.9):
            verdict = self.report("--current", f"8xmi300x@{usd}", "--stack", path)["verdict"]
            self.assertEqual(verdict["winner"], "amd", usd)
            self.assertRegex(verdict["text"], "^AMD: stay")
            self.assertGreater(verdict["probability"], 0.9)
        dear = self.report("--current", "8xmi300x@12", "--stack", path)["verdict"]
        self.assertNotRegex(dear["text"], "^AMD: stay(?! with the vendor, but move to )")  # not where it is
        for flag, value in (("--current", "8xmi300x@0"), ("--gpu-price", "mi300x=0")):
            self.exits(2, "report", "--workload", "llama70b", flag, value)

    @harness.once
    def test_the_seed_draws(self):
        one, same, other = (self.report("--stack", MOVES, *seed) for seed in ([], [], ["--seed", "5"]))
        self.assertEqual(one["lanes"], same["lanes"])
        self.assertNotEqual(one["lanes"][0]["npv_usd"]["low"], other["lanes"][0]["npv_usd"]["low"])
        self.assertEqual(one["verdict"]["draws"], 20000)

    @harness.once
    def test_terms_of_flags_go_before_those_of_the_file(self):
        path = self.write("a.stack", "frameworks = vllm\nengineer-day-usd = 500\nhorizon-months = 12\n")
        def terms(*args):
            return {t["name"]: t["value"] for t in self.report("--stack", path, *args)["assumptions"]}
        self.assertEqual((terms()["engineer-day-usd"], terms()["horizon-months"]), (500, 12))
        self.assertEqual(terms("--engineer-day-usd", "800")["engineer-day-usd"], 800)

    @harness.once
    def test_a_stack_keeps_its_engine(self):
        self.assertEqual({o["engine"] for o in self.report("--stack", MOVES)["options"]}, {"vllm"})
        self.assertEqual({o["engine"] for o in self.report("--stack", MOVES, "--engine", "sglang")["options"]}, {"sglang"})

    def test_owning_api_and_energy(self):
        answer = self.report("--onprem", "--power-price", "0.2", "--pue", "1.2", "--api-usd-per-mtok", "0.5", "--gpu", "mi300x")
        own = answer["onprem"]["amd"]
        self.assertAlmostEqual(own["price_usd_per_gpu_hour"], own["capital_usd_per_gpu_hour"] + own["power_usd_per_gpu_hour"] + own["hosting_usd_per_gpu_hour"], 6)
        self.assertAlmostEqual(answer["api"]["even_duty_cycle"], answer["options"][0]["output_usd_per_mtok"]["value"] / 0.5, 6)
        cost = answer["costs"]["amd"]
        kwh = cost["power_kw"] / 3600 / answer["best"]["amd"]["output_tokens_per_s"]["value"] * 1e6
        self.assertAlmostEqual(cost["kwh_per_mtok"]["value"] / kwh, 1, 6)
        self.assertIsNone(answer["costs"]["nvidia"])

    def test_text_in_the_order_of_the_contract(self):
        out = self.ok("report", "--workload", "llama70b", "--stack", MOVES, "--current", "h100-sxm5-80gb@4", "--onprem", "--api-usd-per-mtok", "1", env={"COLUMNS": "80"})
        order = [out.index(word) for word in ("VERDICT", "Best of each vendor", "Options, cheapest", "What would flip it", "Moving the code to AMD", "Across vendors", "Left out", "Assumptions and ages", "Warnings", "To repeat")]
        self.assertEqual(order, sorted(order))
        self.assertLessEqual(max(len(line) for line in out.splitlines()), 80)


if __name__ == "__main__":
    harness.main()
