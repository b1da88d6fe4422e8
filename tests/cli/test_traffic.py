"""traffic: files in, gzip or not, described, kept, listed, taken back."""
import gzip
import os

import harness

DAY = os.path.join(harness.ROOT, "tests/payloads/traffic/day.csv")
MOONCAKE = os.path.join(harness.ROOT, "tests/payloads/traffic/mooncake.jsonl")


def rows():
    with open(DAY, encoding="utf-8") as f:
        return f.read().splitlines()


class Traffic(harness.Case):
    def write(self, name, data):
        path = os.path.join(self.home, name)
        with open(path, "wb") as f:
            f.write(data)
        return path

    def test_gzip_says_the_same(self):
        with open(DAY, "rb") as f:
            packed = self.write("day.csv.gz", gzip.compress(f.read()))
        plain, unpacked = self.json("traffic", "describe", DAY), self.json("traffic", "describe", packed)
        for key in ("requests", "input_tokens", "output_tokens", "arrivals", "in_flight"):
            self.assertEqual(plain[key], unpacked[key])
        with open(packed, "rb") as f:
            cut = self.write("cut.gz", f.read()[:-20])
        self.assertIn("ends too soon", self.exits(1, "traffic", "describe", cut)[1])

    def test_figures_of_a_day(self):
        answer = self.json("traffic", "describe", DAY)
        lengths = sorted(int(row.split(",")[1]) for row in rows()[1:])
        self.assertEqual(answer["requests"], len(lengths))
        self.assertAlmostEqual(answer["input_tokens"]["mean"], sum(lengths) / len(lengths), 5)
        at = (len(lengths) - 1) * 0.9
        low, high = lengths[int(at)], lengths[int(at) + 1]
        self.assertAlmostEqual(answer["input_tokens"]["p90"], low + (high - low) * (at - int(at)), 5)
        self.assertEqual(len(answer["arrivals"]["hours_of_day"]), 24)
        self.assertEqual(answer["arrivals"]["hours_of_day"].index(max(answer["arrivals"]["hours_of_day"])) in range(11, 17), True)

    def test_faster_and_slower(self):
        """The same requests ten times as fast: rates times ten, lengths as they are."""
        import datetime
        start = datetime.datetime(2026, 3, 2)
        once = self.json("traffic", "describe", DAY)
        for factor in (0.1, 10):
            lines = [rows()[0]]
            for row in rows()[1:]:
                stamp, rest = row.split(",", 1)
                seconds = (datetime.datetime.strptime(stamp, "%Y-%m-%d %H:%M:%S.%f") - start).total_seconds() * factor
                lines.append((start + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S.%f") + "," + rest)
            other = self.json("traffic", "describe", self.write("other.csv", "\n".join(lines).encode()))
            self.assertAlmostEqual(other["arrivals"]["rate_rps"] * factor / once["arrivals"]["rate_rps"], 1, 6)
            self.assertAlmostEqual(other["arrivals"]["gap_cv"] / once["arrivals"]["gap_cv"], 1, 6)
            self.assertEqual(other["input_tokens"], once["input_tokens"])

    def test_order_does_not_matter(self):
        once = self.json("traffic", "describe", DAY)
        turned = self.write("turned.csv", "\n".join([rows()[0]] + rows()[:0:-1]).encode())
        other = self.json("traffic", "describe", turned)
        self.assertEqual(once["arrivals"], other["arrivals"])
        self.assertEqual(once["in_flight"], other["in_flight"])

    def test_bad_rows_are_refused_with_their_line(self):
        for row, words in (("2026-03-02 23:00:00,-1,5", "-1 is below 0"), ("2026-03-02 23:00:00,5,1000000000", "more than any request has"), ("2026-03-02 23:0", "ends too soon")):
            path = self.write("bad.csv", "\n".join(rows() + [row]).encode())
            code, _, err = self.run_tool("traffic", "describe", path)
            self.assertEqual(code, 1, err)
            self.assertIn(f"line {len(rows()) + 1}: ", err)
            self.assertIn(words, err)

    def test_a_map_for_other_columns(self):
        path = self.write("mine.csv", b"when,p,c\n1,10,2\n3,20,4\n")
        self.assertIn("--map", self.exits(2, "traffic", "describe", path)[1])
        answer = self.json("traffic", "describe", path, "--map", "time=when:s,input=p,output=c")
        self.assertEqual((answer["requests"], answer["arrivals"]["span_s"]), (2, 2))
        self.assertIn("there is no column 'q'", self.exits(2, "traffic", "describe", path, "--map", "time=when:s,input=q,output=c")[1])
        self.assertIn("three numbers", self.exits(2, "traffic", "describe", DAY, "--service-ms", "1,2")[1])

    def test_kept_and_taken_back(self):
        self.ok("traffic", "import", "mine", DAY)
        kept = self.json("traffic", "show", "mine")["traffic"][0]
        told = self.json("traffic", "describe", DAY)
        self.assertAlmostEqual(kept["input_mean"], told["input_tokens"]["mean"], 4)
        self.assertAlmostEqual(kept["idc_60s"], told["arrivals"]["dispersion"][2]["index"], 6)
        self.assertTrue(kept["source"].startswith("own: "))
        self.assertEqual(len(kept["hours"].split()), 24)
        self.assertIn("ships with the program", self.exits(2, "traffic", "import", "chat-real", DAY)[1])
        self.ok("traffic", "remove", "mine")
        self.assertIn("unknown traffic", self.exits(2, "traffic", "show", "mine")[1])

    def test_report_sizes_for_a_traffic(self):
        answer = self.json("report", "llama70b", "--traffic", DAY, "--rate", "5")
        told = answer["traffic"]
        self.assertTrue(told["covers_a_day"])
        self.assertAlmostEqual(told["busy_rps"], 5, 6)
        self.assertGreaterEqual(len(told["fleets"]), 2)
        for fleet in told["fleets"]:
            if fleet["limits_kept"]:
                self.assertLessEqual(fleet["ttft_ms"]["p99"], 3000)
                self.assertLessEqual(fleet["tpot_ms"]["p99"], 60)
            self.assertLessEqual(fleet["scaled"]["usd_per_day"], fleet["fixed"]["usd_per_day"] * (1 + 1e-9))
            self.assertLessEqual(fleet["scaled"]["idle_share"], fleet["fixed"]["idle_share"] + 1e-9)
        again = self.json("report", "llama70b", "--traffic", DAY, "--rate", "5")
        self.assertEqual(told, again["traffic"])
        self.assertIsNone(self.json("report", "llama70b")["traffic"])

    def test_bursts_take_more_than_poisson(self):
        """Code completion comes in bursts: the simulated fleet is larger than that of Poisson arrivals of its rate."""
        told = self.json("report", "--model", "llama-3.1-8b", "--ttft", "2000", "--tpot", "50", "--traffic", "code-completion")["traffic"]
        self.assertTrue(any(f["instances"] > f["instances_poisson"] for f in told["fleets"]))
        mixed = self.json("report", "--model", "llama-3.1-8b", "--traffic", "code-completion,chat-real")["traffic"]
        self.assertAlmostEqual(mixed["busy_rps"], 2.5664 + 5.53014, 3)

    def test_growth(self):
        told = self.json("report", "--model", "llama-3.1-8b", "--ttft", "2000", "--tpot", "50", "--traffic", "chat-real", "--growth", "6%", "--horizon-months", "12")["traffic"]
        self.assertEqual(told["growth_pct_per_month"], 6)
        for fleet in told["fleets"]:
            grown = fleet["growth"]
            if not fleet["limits_kept"]:
                self.assertIsNone(grown)
                continue
            self.assertEqual([m["month"] for m in grown["months"]], list(range(1, 13)))
            self.assertEqual(grown["months"][0]["instances"], fleet["instances"])
            self.assertAlmostEqual(grown["fixed_usd"], sum(m["fixed_usd"] for m in grown["months"]), 3)
            short = next((m["month"] for m in grown["months"] if m["instances"] > fleet["instances"]), None)
            self.assertEqual(grown["short_in_month"], short)
        self.assertTrue(any(f["growth"] and f["growth"]["short_in_month"] for f in told["fleets"]))
        for words, args in (("is of a traffic", ()), ("option '--growth'", ("--traffic", "chat-real"))):
            self.assertIn(words, self.exits(2, "report", "llama8b", "--growth", "5" if not args else "five", *args)[1])
        self.assertIn("is of sessions", self.exits(2, "report", "agentic-coding", "--traffic", "agentic-coding", "--growth", "5")[1])

    def test_what_report_refuses(self):
        for words, args in (("exclude each other", ("--traffic", DAY, "--isl", "5")), ("is for token serving", ()), ("unknown traffic", ("--traffic", "nobody"))):
            workload = "hpc-md" if not args else "llama70b"
            _, err = self.exits(2, "report", workload, *(args or ("--traffic", DAY)))
            self.assertIn(words, err)
        self.assertIn("has no rate", self.exits(2, "report", "llama70b", "--traffic", "agentic-coding,chat-real")[1])
        self.exits(2, "report", "agentic-coding", "--traffic", "agentic-coding", "--isl", "5")

    @harness.once
    def test_a_traffic_of_sessions_is_sized_by_them(self):
        answer = self.json("report", "agentic-coding", "--traffic", "agentic-coding", "--sessions", "32")
        self.assertIsNone(answer["traffic"])
        self.assertEqual(answer["best"]["amd"]["sessions"]["sessions"], 32)
        self.assertEqual(answer["best"], self.json("report", "agentic-coding", "--sessions", "32")["best"])
        free = self.json("report", "agentic-coding", "--traffic", "agentic-coding")
        self.assertGreaterEqual(free["best"]["amd"]["sessions"]["sessions"], 1)
        self.assertIsNotNone(self.json("report", "agentic-coding", "--traffic", "agentic-coding", "--rate", "1")["traffic"])

    def test_text_page_and_tables(self):
        for form in ("table", "md", "csv", "html"):
            out = self.ok("traffic", "describe", MOONCAKE, "--format", form)
            self.assertIn("endless cache", out)
        page = self.ok("traffic", "describe", DAY, "--format", "html")
        self.assertIn('id="load"', page)
        self.assertNotIn("<script src", page)

    def test_names_of_files_are_escaped(self):
        path = os.path.join(self.home, "<b>\x1b[31m.csv")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(rows()[:5]))
        self.assertNotIn("<b>", self.ok("traffic", "describe", path, "--format", "html"))
        self.assertNotIn("\x1b", self.ok("traffic", "describe", path))


if __name__ == "__main__":
    harness.main()
