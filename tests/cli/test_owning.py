"""Owning in `report`: recomputed from the terms of its JSON; quotes that turn the verdict, and quotes that are none."""
import math
import os

import harness

Z80 = 1.2815515655446004


class Owning(harness.Case):
    def report(self, *args, workload="llama70b"):
        return self.json("report", "--workload", workload, *args)

    def terms(self, answer):
        return {t["name"]: t for t in answer["assumptions"]}

    def hour(self, gpu_usd, watts, t):
        """Capital, electricity and hosting of a GPU-hour, all hours used; the capital as a loan paid off month by month."""
        rate = t["capital-rate"] if t["capital-rate"] is not None else t["discount-rate"]
        server = gpu_usd * t["street-price-factor"] * t["host-price-factor"]
        month = (1 + rate / 100) ** (1 / 12)
        months = int(t["amortise-months"])

        def owed(payment):
            left = server
            for _ in range(months):
                left = left * month - payment
            return left - server * t["residual"] / 100
        low, high = 0.0, server
        for _ in range(200):  # the payment after which just the residual value is left
            middle = (low + high) / 2
            low, high = (middle, high) if owed(middle) > 0 else (low, middle)
        kw = watts / 1000 * t["host-power-factor"]
        return low / 730, kw * t["pue"] * t["power-price"], kw * t["hosting-usd-per-kw"] / 730

    def test_recomputed(self):
        watts = {g["sku_id"]: g["board_power_w"] for g in self.json("gpus")["gpus"]}
        for args, quoted in (([], False), (["--gpu-price", "mi300x=9000", "--capital-rate", "14", "--residual", "7", "--amortise-months", "33", "--host-price-factor", "1.2"], True)):
            answer = self.report("--onprem", "--gpu", "mi300x", *args)
            terms = self.terms(answer)
            likely = {name: t["value"] for name, t in terms.items()}
            if quoted:
                likely["street-price-factor"] = 1
            own = answer["onprem"]["amd"]
            self.assertEqual(own["quoted"], quoted)
            if quoted:
                self.assertEqual([own["gpu_price"][k] for k in ("value", "low", "high")], [9000] * 3)
            parts = self.hour(own["gpu_usd"], watts["mi300x-192gb"], likely)
            for key, part in zip(("capital", "power", "hosting"), parts):
                self.assertAlmostEqual(own[key + "_usd_per_gpu_hour"] / part, 1, 6)
            variance = 0
            for name in ("street-price-factor", "host-price-factor", "amortise-months", "residual", "discount-rate", "host-power-factor", "pue", "power-price", "hosting-usd-per-kw"):
                if (quoted and name == "street-price-factor") or (name == "discount-rate" and likely["capital-rate"] is not None):
                    continue
                ends = [sum(self.hour(own["gpu_usd"], watts["mi300x-192gb"], {**likely, name: terms[name][end]})) for end in ("low", "high")]
                variance += (math.log(ends[1] / ends[0]) / 2 / Z80) ** 2
            self.assertAlmostEqual(math.log(own["gpu_hour"]["high"] / own["price_usd_per_gpu_hour"]), Z80 * math.sqrt(variance), 5)
            # One figure for whole servers.
            fleet = next(o for o in answer["onprem"]["options"] if o["gpu"] == "mi300x-192gb")
            self.assertEqual(fleet["gpu_count"] % 8, 0)
            self.assertAlmostEqual(fleet["output_usd_per_mtok"]["value"], own["output_usd_per_mtok"], 9)
            lane = answer["own"]["vendors"]["amd"]["own"]
            self.assertAlmostEqual(lane["usd_per_month"]["value"], own["price_usd_per_gpu_hour"] * fleet["gpu_count"] * 730, 2)

    def test_a_quote_turns_the_verdict(self):
        rented = self.report()
        self.assertIsNone(rented["verdict"]["own"])
        self.assertIsNone(rented["own"])
        loser = "amd" if rented["verdict"]["cost_ratio_amd_to_nvidia"]["value"] > 1 else "nvidia"
        sku = {"amd": "mi300x", "nvidia": "h200-sxm5-141gb"}[loser]
        winners = []
        for usd in (100, 90000):
            answer = self.report("--gpu-price", f"{sku}={usd}", "--power-price", "0.05", "--pue", "1.1")
            own = answer["verdict"]["own"]
            sides = {v: min(lanes[k]["cost"]["value"] for k in ("rent", "own") if lanes[k]) for v, lanes in answer["own"]["vendors"].items()}
            self.assertAlmostEqual(own["cost_ratio_amd_to_nvidia"]["value"] / (sides["amd"] / sides["nvidia"]), 1, 6)
            low, high = own["cost_ratio_amd_to_nvidia"]["low"], own["cost_ratio_amd_to_nvidia"]["high"]
            self.assertIn(own["winner"], ("nvidia", "tie") if low > 1 else ("amd", "tie") if high < 1 else ("tie",))
            self.assertEqual(own["winner"] == "tie", own["probability"] < 0.9)
            self.assertEqual(own["changes_verdict"], own["winner"] != answer["verdict"]["winner"])
            self.assertEqual(answer["verdict"]["winner"], rented["verdict"]["winner"])
            self.assertEqual(own["changes_verdict"], "changes the verdict" in own["text"])
            costs = {k: lane["cost"]["value"] for k, lane in answer["own"]["lanes"].items() if lane}
            self.assertEqual(answer["own"]["cheapest"], min(costs, key=costs.get))
            self.assertAlmostEqual(answer["own"]["cost_ratio_own_to_rent"]["value"], costs["own"] / costs["rent"], 6)
            winners.append((own["winner"], answer["own"]["owning_cheaper_probability"]))
        self.assertEqual(winners[0][0], loser)
        self.assertGreater(winners[0][1], 0.9)
        self.assertNotEqual(winners[1][0], loser)
        self.assertLess(winners[1][1], 0.25)  # one host's listing is never the cheaper one for sure

    def test_what_is_no_quote(self):
        for quote, says in (("mi300x=-3", "outside"), ("mi300x=0", "outside"), ("mi300x=nan", "not a number"), ("mi300x=1e99", "outside"), ("mi300x=", "number"), ("mi300x", "is not SKU=USD"), ("nothing=3", "unknown GPU 'nothing'"),
                            ("mi300x=3,mi300x-192gb=4", "given twice")):
            _, err = self.exits(2, "report", "--workload", "llama70b", "--gpu-price", quote)
            self.assertIn("--gpu-price", err)
            self.assertIn(says, err)
        for option in ("--residual", "--capital-rate", "--amortise-months", "--host-price-factor"):
            self.exits(2, "report", "--workload", "llama70b", option, "-1")

    def test_text(self):
        out = self.ok("report", "--workload", "llama70b", "--gpu-price", "mi300x=9000", "--current", "h100-sxm5-80gb@2.9", "--api-usd-per-mtok", "0.6", env={"COLUMNS": "80"})
        self.assertLess(out.index("VERDICT"), out.index("Owning "))
        self.assertLess(out.index("Owning "), out.index("Best of each vendor"))
        words = " ".join(out.split())
        for word in ("quote of $9000 a GPU", "street price: ", "What runs today costs", "today N 4 x h100", "million output tokens a month", "requests a day", "GeForce driver"):
            self.assertIn(word, words)
        lines = [line for line in out.splitlines() if not line.endswith("\\")]  # an argument of a command to copy is never cut
        self.assertLessEqual(max(map(len, lines)), 80)
        own = out[out.index("Own, rent,"):out.index("An API instead")]
        self.assertNotIn("~", own)
        page = self.ok("report", "--workload", "llama70b", "--gpu-price", "mi300x=9000", "--format", "html")
        for word in ("quote (--gpu-price)", "quote of $9000 a GPU"):
            self.assertIn(word, page)

    def test_the_smallest_of_servers_that_cost_the_same(self):
        """Images come at one cost from one card or eight: no digit of a price makes it another number."""
        for usd in (500, 3001, 7999.99, 12345.67, 30000, 90001):
            self.assertEqual(self.report("--gpu-price", f"l40s={usd}", workload="sdxl-images")["own"]["lanes"]["own"]["gpu_count"], 1, usd)

    def test_every_kind_of_work(self):
        for workload in ("llama13b-train", "hpc-md", "sdxl-images", "embed-docs", "llama70b-lora"):
            answer = self.report("--onprem", workload=workload)
            self.assertTrue(answer["verdict"]["own"]["text"], workload)
            self.assertGreater(answer["own"]["lanes"]["own"]["cost"]["value"], 0, workload)

    def test_fleets_and_licences(self):
        answer = self.report("--onprem")
        fleets = answer["onprem"]["options"]
        smallest = min(o["gpu_count"] for o in fleets)
        self.assertLessEqual(max(o["gpu_count"] for o in fleets), 8 * smallest)
        self.assertTrue(any(x["what"] == "fleets" and x["count"] > 0 for x in answer["excluded"]))
        self.assertTrue(any("GeForce" in note and "data centre" in note for note in answer["onprem"]["notes"]))
        self.assertNotIn("rtx-5090-32gb", [lanes["own"]["gpu"] for lanes in answer["own"]["vendors"].values() if lanes["own"]])


if __name__ == "__main__":
    harness.main()
