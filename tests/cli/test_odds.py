"""Odds of prices, caps and supply, worked out again outside the program (again.py, by docs/odds.md) and held against what it prints."""
import datetime
import re

import again
import harness

TODAY = datetime.date.fromisoformat(harness.NOW[:10])
AGES = (0, 60, 150, 300)


def later(days):
    return {"GPUADVISE_NOW": f"{TODAY + datetime.timedelta(days)}T00:00:00Z"}


def seen_today():
    """Every price seen today: what is replaced or doubted left out, and of prices that differ by their day alone the first."""
    first = set()

    def change(row):
        row["as_of"] = TODAY.isoformat()
        offer = tuple(row[k] for k in ("provider", "instance", "region", "sku_id", "listed_name", "gpu_count", "pricing_model"))
        if row["standing"] != "listed" or offer in first:
            return False
        first.add(offer)
        return None
    return harness.ChangedData("offers", change)


class Case(harness.Case):
    seeded = True
    facts = again.Facts()

    def report(self, *args, days=0, code=0):
        return self.json("report", *args, "--top", "1000", env=later(days), code=code)


class Doubts(Case):
    @harness.once
    def test_a_price_that_aged_by_hand(self):
        for by_hand in (("cloud", "on-demand", 30, 0.058, 0.019, 0.046), ("cloud", "on-demand", 45, 0.071, 0.0285, 0.046), ("hyperscaler", "on-demand", 90, 0.049, -0.005, 0.002),
                        ("marketplace-host", "on-demand", 0, 0.223, 0, 0.35), ("hyperscaler", "on-demand", 1460, 0.21, -0.036, 1 - 0.956 ** 4), ("unknown", "on-demand", 60, 0.469, -0.06, 0.588)):
            for got, want in zip(self.facts.moved(*by_hand[:3]), by_hand[3:]):
                self.assertAlmostEqual(got, want, msg=by_hand)

    @harness.once
    def test_every_option_says_what_the_table_says_of_its_age(self):
        seen = set()
        for args, code in (((), 0), (("--spot",), 0), (("--reserved", "1y"), 0), (("--reserved", "3y"), 0)):
            for days in (0, 20, 217, 900):  # some 60 ages: on rows of the table, between them and past the last one
                for option in self.report("--workload", "llama8b", *args, days=days, code=code)["options"]:
                    doubt = self.facts.doubt(option, TODAY + datetime.timedelta(days))
                    self.assertAlmostEqual(option["sigma_log_price"], doubt.sigma, delta=1e-8, msg=option)
                    self.assertAlmostEqual(option["gone_probability"], doubt.gone, delta=1e-8, msg=option)
                    seen.add((option["seller_class"], option["pricing_model"], doubt.years))
        self.assertGreater(len({years for _, _, years in seen}), 40)
        self.assertGreaterEqual({c for c, _, _ in seen}, {"hyperscaler", "cloud", "marketplace-host", "broker"})
        self.assertEqual({p for _, p, _ in seen}, {"on-demand", "spot", "reserved-1y", "reserved-3y"})


class Odds(Case):
    def holds(self, answer, msg):
        """The verdict and the second line of an answer are what comes out here. Returns the odds."""
        verdict = answer["verdict"]
        odds = again.of_report(self.facts, answer)
        self.same(verdict, odds, msg)
        like = verdict["like_for_like"]
        if like is not None:
            found = next(filter(None, (again.alike(self.facts, answer, answer["options"], days) for days in (60, 120, 240, 3650))))
            for option, vendor in zip(found, ("amd", "nvidia")):
                for key in ("gpu", "provider", "seller_class", "weights", "gpu_count"):
                    self.assertEqual(option[key], like[vendor][key], msg)
            self.same(like, found[2], (msg, "like with like"))
        return odds

    def same(self, said, odds, msg):
        ratio = said["cost_ratio_amd_to_nvidia"]
        self.assertAlmostEqual(said["probability"], odds.probability, delta=0.002, msg=msg)
        self.assertEqual(said["winner"], odds.winner, msg)
        self.assertAlmostEqual(ratio["low"] / odds.low, 1, delta=0.002, msg=msg)
        self.assertAlmostEqual(ratio["high"] / odds.high, 1, delta=0.002, msg=msg)

    @harness.once
    def test_shipped_prices_now_and_in_a_year(self):
        """No list makes surer by growing old: where age alone would, the probability stays."""
        fell = []
        for name in again.workloads():
            now = self.report("--workload", name)
            odds = self.holds(now, name)
            in_a_year = self.report("--workload", name, days=365)
            if odds.probability > 0.55:  # below, prices may well turn the vendors round
                self.assertLessEqual(in_a_year["verdict"]["probability"], now["verdict"]["probability"], name)
                fell.append(in_a_year["verdict"]["probability"] < now["verdict"]["probability"])
            if odds.one_host:
                self.assertLessEqual(now["verdict"]["probability"], 0.8, name)
                self.assertEqual(now["verdict"]["winner"], "tie", name)
        self.assertGreater(sum(fell), len(fell) / 2, fell)

    @harness.once
    def test_probabilities_fall_as_prices_age(self):
        """With every age, but where age alone would make surer, as the rival's best offer is the likelier one to go (DeepSeek-R1: a host's beside a
        cloud's): there what the younger list said stays (docs/odds.md, No surer than that)."""
        always = []
        with seen_today() as folder:
            for name in ("llama8b", "deepseek-r1", "llama70b", "qwen72b-fp8", "code-completion"):
                answers = [self.report("--workload", name, "--data", folder, days=days) for days in AGES]
                odds = [self.holds(answer, (name, days)) for answer, days in zip(answers, AGES)]
                said = [answer["verdict"]["probability"] for answer in answers]
                self.assertGreater(said[0], 0.7, name)  # a coin toss has nothing to fall by
                self.assertLess(said[-1], said[0], name)
                self.assertEqual([o.surest for o in odds], sorted((o.surest for o in odds), reverse=True), name)
                for younger, older, o in zip(said, said[1:], odds[1:]):
                    if max(o.amd_cheaper, 1 - o.amd_cheaper) > younger:
                        self.assertLessEqual(older, younger, name)
                    else:
                        self.assertLess(older, younger, name)
                if said == sorted(set(said), reverse=True):
                    always.append(name)
        self.assertGreaterEqual(len(always), 3, always)

    @harness.once
    def test_nothing_close_is_sure_at_300_days(self):
        close = 0
        with seen_today() as folder:
            for name in again.workloads():
                verdict = self.json("report", "--workload", name, "--top", "1", "--data", folder, env=later(300))["verdict"]
                for said in filter(None, (verdict, verdict["like_for_like"])):
                    ratio = said["cost_ratio_amd_to_nvidia"]["value"]
                    if 0.5 < ratio < 2:
                        close += 1
                        self.assertLessEqual(said["probability"], 0.95, (name, said["text"]))
        self.assertGreater(close, 10)

    @staticmethod
    def hosts(seen):
        """The listings of one marketplace, of which no verdict rests on the shipped ones, as if they could be had from `seen` hosts."""
        def change(row):
            if row["provider"] == "vast":
                row["standing"], row["machines_seen"] = "listed", seen
        return harness.ChangedData("offers", change)

    @harness.once
    def test_one_hosts_listing_is_no_supply(self):
        """The more hosts' machines were counted, the surer it may be; of one, never over 0.8."""
        with self.hosts("1") as one, self.hosts("2") as two:
            alone, more = (self.report("--workload", "hpc-md", "--data", folder) for folder in (one, two))
        self.assertTrue(self.holds(alone, "one host").one_host)
        self.assertFalse(self.holds(more, "two hosts").one_host)
        self.assertEqual(alone["best"]["nvidia"]["provider"], "vast")
        self.assertLessEqual(alone["verdict"]["probability"], 0.8)
        self.assertGreater(more["verdict"]["probability"], 0.9)

    def test_one_host_bounds_a_move_too(self):
        stack = f"{harness.ROOT}/docs/stacks/moves.stack"
        with self.hosts("1") as folder:
            answer = self.report("--workload", "llama70b", "--stack", stack, "--current", "h100-sxm5-80gb@4", "--gpu", "h100-sxm5-80gb,mi300x", "--data", folder)
        within, across = answer["lanes"]
        moved_to = next(option for option in answer["options"] if all(option[key] == within["to"][key] for key in ("gpu", "provider", "gpu_count", "price_usd_per_gpu_hour")))
        self.assertTrue(self.facts.doubt(moved_to, TODAY).one_host)
        self.assertLessEqual(within["pays_probability"], 0.8)
        self.assertLessEqual(answer["verdict"]["probability"], 0.8)
        self.assertEqual(across["lane"], "vendor")


class Report(Case):
    def test_both_lines_the_free_step_and_the_measured_rows(self):
        out = self.ok("report", "--workload", "llama70b", env={"COLUMNS": "1000"})
        answer = self.report("--workload", "llama70b")
        verdict = answer["verdict"]
        for label, text in (("VERDICT", verdict["text"]), ("Same class", verdict["like_for_like"]["text"]), ("Next", verdict["next_step"])):
            self.assertRegex(out, rf"(?m)^{label} ")
            self.assertIn(text, " ".join(out.split()))
        first = verdict["next_steps"][0]
        self.assertEqual(first["cost_usd"], 0)
        self.assertTrue(first["text"].startswith("look at today's price of ") and verdict["next_step"].startswith(first["text"]))
        measured = {row["id"]: row for row in again.table("measurements")}
        for title in ("NVIDIA", "AMD"):
            row = measured[re.search(rf"(?m)^Measured +{title}: .*?row (\w+),", out).group(1)]
            self.assertIn("llama-3", row["model"])
            self.assertEqual({g["sku_id"]: g["vendor"] for g in again.table("gpus")}[row["gpu_sku"]], title.lower())

    @harness.once
    def test_filters_do_what_they_say(self):
        plain = self.report("--workload", "llama70b")
        ages = {(o["gpu"], o["provider"]): (TODAY - again.day_of(o["price_seen_at"])).days for o in plain["options"]}
        young = self.report("--workload", "llama70b", "--max-age", "60")
        self.assertIsNone(self.report("--workload", "llama70b", "--max-age", "30", code=3)["verdict"]["winner"])  # no AMD price is so young
        self.assertGreaterEqual({(o["gpu"], o["provider"]) for o in young["options"]}, {x for x, age in ages.items() if age <= 60})
        self.assertTrue(all((TODAY - again.day_of(o["price_seen_at"])).days <= 60 for o in young["options"]))
        cheapest = {(o["gpu"], o["provider"]): o["output_usd_per_mtok"]["value"] for o in reversed(plain["options"])}
        for o in young["options"]:  # another price of a seller takes the place of an older one only by costing no less
            self.assertGreaterEqual(o["output_usd_per_mtok"]["value"], cheapest[o["gpu"], o["provider"]] * (1 - 1e-9))
        without = self.report("--workload", "llama70b", "--exclude-provider", "runpod")
        self.assertEqual([o for o in plain["options"] if o["provider"] != "runpod"], without["options"])
        for args, code in (([], 0), (["--exclude-provider", "azure", "--exclude-provider", "digitalocean"], 3)):
            reserved = self.report("--workload", "llama70b", "--reserved", "1y", *args, code=code)
            self.assertEqual({o["pricing_model"] for o in reserved["options"]}, {"reserved-1y"})
        self.assertIsNone(reserved["verdict"]["winner"])
        self.assertIn("no reserved-1y price of an AMD GPU", reserved["verdict"]["unknown_because"])
        fleet = self.report("--workload", "llama70b", "--current", "8xh100-sxm5-80gb@2.90")
        self.assertAlmostEqual(fleet["costs"]["current"]["usd_per_month"]["value"], 8 * 2.9 * 730, delta=0.01)
        self.assertEqual(fleet["lanes"][0]["from"]["gpu_count"], 8)

    @harness.once
    def test_what_a_filter_leaves_out_is_not_missing(self):
        planned = {g["name"] for g in again.table("gpus")} - {g["name"] for g in again.table("gpus") for o in again.table("offers") if o["sku_id"] == g["sku_id"]}
        for args, where in ((("llama8b", "--max-price", "1"), "passes the filters"), (("llama405b", "--exclude-gpu", "mi300x,mi325x,mi350x,mi355x"), "passes the filters"),
                            (("llama405b", "--provider", "aws"), "passes the filters"), (("llama405b", "--gpus", "6"), "is in the catalog")):
            why = self.report("--workload", *args, code=3)["verdict"]["unknown_because"]
            self.assertIn(f"does the work {where} in the number needed", why, args)
        why = self.report("--workload", "embed-docs", "--provider", "aws", code=3)["verdict"]["unknown_because"]
        self.assertFalse([name for name in planned if f"an {name} would" in why], why)  # of what does the work, one that anybody sells


class Supply(Case):
    @harness.once
    def test_no_option_rents_more_than_its_offers_allow(self):
        def change(row):
            if row["provider"] == "vast":
                row["standing"] = "listed"
        offers = {}
        for row in again.table("offers"):
            offers.setdefault((row["provider"], row["region"], row["sku_id"]), []).append(row)
        counted = assumed = 0
        asked = [(name, "--concurrency", "2048") for name in again.workloads("serve")]
        asked += [(name,) for name in ("low-latency", "hpc-md", "sdxl-images", "llama13b-train", "llama70b-lora")]
        with harness.ChangedData("offers", change) as folder:
            for name, *load in asked:
                too_many = name.startswith("agentic") and "2048" in load  # nobody is taken to have so many machines
                answer = self.report("--workload", name, *load, "--data", folder, code=3 if too_many else 0)
                self.assertNotEqual(bool(answer["options"]), too_many, name)
                for o in answer["options"]:
                    rows = offers[o["provider"], o["region"] or "", o["gpu"]]
                    seller = self.facts.sellers.get((o["provider"], o["region"] or "")) or self.facts.sellers[o["provider"], ""]
                    self.assertIn(o["seller_class"], {row["seller_class"] or seller["seller_class"] for row in rows}, o)
                    self.assertIn(o["machines_seen"], {float(row["machines_seen"]) if row["machines_seen"] else None for row in rows}, o)
                    self.assertEqual(o["instances_most"], self.facts.instances_most(o), o)
                    self.assertEqual(o["instances_most_assumed"], o["machines_seen"] is None)
                    self.assertLessEqual(o["instances"], o["instances_most"], o)
                    counted += o["machines_seen"] is not None
                    assumed += o["machines_seen"] is None
                if "2048" in load:  # no workload has so many users on what every offer has
                    self.assertTrue(any(x["reason"].startswith("the load takes more machines than") for x in answer["excluded"]), name)
        self.assertGreater(counted, 20)
        self.assertGreater(assumed, 500)

    @harness.once
    def test_a_seller_by_the_gpu_sells_eight_at_eight_times_the_price(self):
        answer = self.report("--workload", "deepseek-r1", "--provider", "runpod")
        ones = {(row["region"], row["sku_id"]): float(row["price_usd_per_hour"]) for row in again.table("offers")
                if row["provider"] == "runpod" and row["gpu_count"] == "1" and row["pricing_model"] == "on-demand" and row["standing"] == "listed"}
        vendors = set()
        for o in answer["options"]:
            if o["price_derived"] and o["gpu_count"] == 8 and o["instances"] == 1:
                self.assertAlmostEqual(o["price_usd_per_hour"], 8 * ones[o["region"] or "", o["gpu"]], delta=1e-6)
                vendors.add(o["vendor"])
        self.assertEqual(vendors, {"nvidia", "amd"})
        self.assertTrue(answer["best"]["nvidia"] and answer["best"]["amd"])


if __name__ == "__main__":
    harness.main()
