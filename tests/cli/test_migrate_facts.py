"""migrate explain, api and ports from outside."""
import harness


class Explain(harness.Case):
    def test_says_why_and_what_to_do(self):
        out = self.ok("migrate", "explain", "dynamic-parallelism")
        for word in ("blocker", "why:", "fix:", "effort: 480 to 2400 minutes", "left out, you lose:", "source:"):
            self.assertIn(word, out)

    def test_wave64_rules_say_where(self):
        self.assertIn("64 lanes only", self.ok("migrate", "explain", "lane-arith-32"))
        self.assertNotIn("64 lanes only", self.ok("migrate", "explain", "wgmma"))

    def test_lists_all_rules(self):
        rules = self.json("migrate", "explain")["rules"]
        self.assertGreaterEqual(len(rules), 160)
        self.assertEqual(len({r["rule"] for r in rules}), len(rules))
        # The class and the minutes of a rule decide days and money. Whoever changes one of them on purpose changes a line here too.
        totals = {c: (len(of), round(sum(r["minutes_low"] or 0 for r in of)), round(sum(r["minutes_high"] or 0 for r in of)))
                  for c in ("automatic", "review", "manual", "blocker") for of in [[r for r in rules if r["class"] == c]]}
        self.assertEqual(totals, {'automatic': (19, 5, 134), 'review': (118, 1651, 11865), 'manual': (53, 3749, 27870), 'blocker': (17, 12660, 75360)})

    def test_unknown_rule_gets_a_hint(self):
        err = self.exits(2, "migrate", "explain", "wgma")
        self.assertIn("did you mean 'wgmma'", str(err))


class Api(harness.Case):
    def name(self, name):
        return self.json("migrate", "api", name)["names"]

    def test_renamed(self):
        x = self.name("cudaMalloc")[0]
        self.assertEqual((x["hip_name"], x["status"], x["class"]), ("hipMalloc", "renamed", "automatic"))

    def test_came_later_than_the_tables(self):
        x = self.name("cudaStreamGetAttribute")[0]
        self.assertEqual((x["hip_name"], x["hip_since"], x["status"]), ("hipStreamGetAttribute", "7.1", "renamed"))
        self.assertIn("change log", x["source"])

    def test_unmapped_and_gone(self):
        self.assertEqual(self.name("cuTensorMapEncodeTiled")[0]["status"], "unmapped")
        self.assertEqual(self.name("cutensorContraction")[0]["status"], "removed-from-hip")

    def test_one_name_of_two_libraries(self):
        self.assertEqual({x["library"] for x in self.name("CUevent_st")}, {"driver", "runtime"})

    def test_words_of_other_languages_are_marked(self):
        self.assertTrue(self.name("fabs")[0]["shared_name"])
        self.assertFalse(self.name("__ldg")[0]["shared_name"])

    def test_unknown_name_gets_a_hint(self):
        self.assertIn("did you mean 'cudaMalloc'", str(self.exits(2, "migrate", "api", "cudaMaloc")))

    def test_hostile_name_is_escaped(self):
        self.assertNotIn("\x1b", str(self.exits(2, "migrate", "api", "cuda\x1b[31m")))

    def test_text_csv_and_markdown(self):
        self.assertIn("cudaMalloc (function, runtime) -> hipMalloc", self.ok("migrate", "api", "cudaMalloc"))
        self.assertIn("cudaMalloc,runtime,function,hipMalloc", self.ok("migrate", "api", "cudaMalloc", "--format", "csv"))
        self.assertIn("| cudaMalloc |", self.ok("migrate", "api", "cudaMalloc", "--format", "md"))


class Ports(harness.Case):
    def test_held_out_ports_lie_inside(self):
        answer = self.json("migrate", "ports")
        self.assertEqual(answer["held_out"], 9)
        self.assertGreaterEqual(answer["held_out_inside"], 7)
        unseen = answer["unseen"]
        self.assertEqual(unseen["ports"], 9)
        self.assertAlmostEqual(unseen["skill"], 1 - (unseen["rms_log_model"] / unseen["rms_log_constant"]) ** 2, places=6)
        if unseen["skill"] <= 0:  # no better than the base rate: the range says so
            self.assertGreaterEqual(unseen["range_spread_log"], unseen["rms_log_model"])
        counted = [p for p in answer["ports"] if p["set"] == "held-out" and p["inside"]]
        self.assertEqual(len(counted), answer["held_out_inside"])
        for p in answer["ports"]:
            x = p["predicted_days"]
            if p["inside"] is not None:
                self.assertEqual(p["inside"], x["low"] <= p["author_days"] <= x["high"], p["port"])
            if p["set"] != "shown":
                self.assertIsNotNone(x["value"], p["port"])

    def test_the_document_is_this_output(self):
        with open(harness.ROOT + "/docs/effort.md", encoding="utf-8") as f:
            self.assertTrue(f.read().endswith(self.ok("migrate", "ports", "--format", "md")))


if __name__ == "__main__":
    harness.main()
