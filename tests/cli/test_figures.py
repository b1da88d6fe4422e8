"""Every figure of three decisions of docs/decisions.md, worked out again from the inputs in their JSON: the commands are the page's, the figures
those of the moment.
"""
import math
import random
import re
import shlex

import again
import harness
from test_decisions import BLOCK, read

WEEKS_A_MONTH = 365 / 12 / 7
Z80 = 1.2815515655446004
DRAWS = 20000
GPUS = {row["sku_id"]: row for row in again.table("gpus")}


def spread(estimate):
    """The standard deviation of ln that an 80 % range stands for."""
    low, high = estimate["low"], estimate["high"]
    return math.log(high / low) / (2 * Z80) if low and high > low else 0


def annuity(months, percent_a_year):
    month = (1 + percent_a_year / 100) ** (1 / 12)
    return (1 - month ** -months) / (month - 1) if month > 1 else months


class Lane:
    """A move in one world: `f` has a factor on what is drawn, by name."""

    def __init__(self, answer, lane):
        self.terms = {t["name"]: t["value"] for t in answer["assumptions"]}
        self.across = lane["lane"] == "vendor"
        self.bill = lane["from"]["price_usd_per_gpu_hour"] * lane["from"]["gpu_count"] * 730
        costs = answer["costs"]
        came_from = costs["current"] or costs[lane["from"]["vendor"]]
        self.ratio = costs[lane["to"]["vendor"]]["output_usd_per_mtok"]["value"] / came_from["output_usd_per_mtok"]["value"]
        effort = answer["migration"]["effort_days"] if self.across else None
        self.port = effort["first_port"]["value"] + effort["tests_and_ci"]["value"] if effort else 0
        self.kept = effort["kept_a_year"]["value"] if effort else 0
        self.weeks = self.terms["dual-weeks" if self.across else "dual-weeks-provider"]

    def world(self, load=1, ratio=1, price=1, effort=1, contract=1, day=1, dual=1):
        t = self.terms
        w = {"bill_usd_per_month": self.bill * load, "bill_after_usd_per_month": self.bill * load * self.ratio * ratio * price}
        day_usd = t["engineer-day-usd"] * day
        w["days"] = self.port * effort + t["contract-days"] * contract
        w["work_usd"] = w["days"] * day_usd
        w["dual_running_usd"] = w["bill_after_usd_per_month"] * self.weeks * dual / WEEKS_A_MONTH
        w["once_usd"] = w["work_usd"] + w["dual_running_usd"]
        w["upkeep_usd_per_month"] = self.kept * effort * day_usd / 12
        w["saving_usd_per_month"] = w["bill_usd_per_month"] - w["bill_after_usd_per_month"]
        net = w["saving_usd_per_month"] - w["upkeep_usd_per_month"]
        w["months"] = w["once_usd"] / net if net > 0 else None
        w["weeks_to_production"] = w["days"] / 5 / t["team-size"]
        live = w["weeks_to_production"] / WEEKS_A_MONTH
        paid = max(annuity(t["horizon-months"], t["discount-rate"]) - annuity(live, t["discount-rate"]), 0)
        w["npv_usd"] = net * paid - w["once_usd"]
        return w


class Figures(harness.Case):
    seeded = True
    facts = again.Facts()

    def decision(self, *words):
        """The JSON of the page's command that holds just these words, and how its report reads."""
        line = next(line for line, _ in BLOCK.findall(read()) if all(word in line for word in words))
        args = shlex.split(line)
        return self.json(*args, "--top", "1000", cwd=harness.ROOT)

    def near(self, got, want, msg, places=3):
        self.assertLess(abs(got / want - 1), 0.5 * 10 ** (1 - places), f"{msg}: {got}, here {want}")

    def costs(self, answer):
        """Price over speed, month and ratio of both vendors' best options."""
        for vendor, best in answer["best"].items():
            usd = best["price_usd_per_hour"] / 3600 / best["output_tokens_per_s"]["value"] * 1e6
            self.near(best["output_usd_per_mtok"]["value"], usd, vendor)
            self.near(best["price_usd_per_hour"], best["price_usd_per_gpu_hour"] * best["gpu_count"], vendor)
            self.near(answer["costs"][vendor]["usd_per_month"]["value"], best["price_usd_per_hour"] * 730, vendor)
        costs = {vendor: best["output_usd_per_mtok"]["value"] for vendor, best in answer["best"].items()}
        ratio = answer["verdict"]["cost_ratio_amd_to_nvidia"]
        odds = again.of_report(self.facts, {**answer, "options": answer["options"] + [b for b in answer["best"].values() if b["provider"] == "today"]})
        for end, want in (("value", costs["amd"] / costs["nvidia"]), ("low", odds.low), ("high", odds.high)):
            self.near(ratio[end], want, end)
        return odds

    def speed_within(self, answer, lane):
        """How far the speeds of both ends of a move within a vendor may be apart: what their estimates have in common is cancelled."""
        there, current = answer["best"][lane["to"]["vendor"]], answer["costs"]["current"]
        if there["gpu"] == lane["from"]["gpu"] and there["gpu_count"] == lane["from"]["gpu_count"]:
            return 0  # the same configuration at another seller
        here = next(option for option in answer["options"] if option["gpu"] == lane["from"]["gpu"])
        constants = self.facts.constants
        shared = constants["share_model"] + constants["share_engine"] * (there["engine"] == here["engine"]) + constants["share_gpu"] * (there["gpu"] == here["gpu"])
        x, y = there["sigma_log_speed"], spread(current["output_usd_per_mtok"])  # of today's the price is certain
        return math.sqrt(x * x + y * y - 2 * (shared * x * y + constants["share_hand"] * min(x, y) ** 2))  # whoever asks runs both

    def draw(self, answer, odds_seed=7):
        """Worlds by chance: for each the price factors of both vendors and the factors of the terms."""
        rng = random.Random(odds_seed)
        today = again.day_of(answer["generated_at"][:10])
        terms = {t["name"]: spread(t) for t in answer["assumptions"] if t["low"] is not None}
        speed = next((spread(flip) for flip in answer["sensitivity"] if flip["assumption"].startswith("speed of")), 0)
        effort = spread(answer["migration"]["effort_days"]["first_port"]) if answer["migration"] else 0
        ladders = {vendor: again.Ladder(self.facts, [o for o in answer["options"] if o["vendor"] == vendor], "serve", today).rungs for vendor in ("amd", "nvidia")}

        def price(vendor, market):
            at, rungs = rng.random(), ladders[vendor]
            for weight, cost, _, doubt in rungs:
                at -= weight
                if at < 0:
                    break
            return cost / rungs[0][1] * math.exp(doubt.drift + self.facts.constants["sigma_market_year"] * doubt.years * market + doubt.sigma * rng.gauss(0, 1))

        within = next((lane for lane in answer["lanes"] if lane["lane"] == "provider"), None)
        speed_within = self.speed_within(answer, within) if within else 0

        def term(name):
            return math.exp(terms[name] * rng.gauss(0, 1))
        for _ in range(DRAWS):
            market = rng.gauss(0, 1)
            yield {"amd": price("amd", market) if ladders["amd"] else 1, "nvidia": price("nvidia", market) if ladders["nvidia"] else 1, "ratio": math.exp(speed * rng.gauss(0, 1)), "ratio_same": math.exp(speed_within * rng.gauss(0, 1)),
                   "effort": math.exp(effort * rng.gauss(0, 1)), "level": term("price-level"), "load": term("load-factor"), "contract": term("contract-days"), "day": term("engineer-day-usd"),
                   "dual": math.exp(terms["dual-weeks"] * rng.gauss(0, 1)), "dual_same": math.exp(terms["dual-weeks-provider"] * rng.gauss(0, 1))}

    def lanes(self, answer):
        """Both lanes by the likely figures, then by chance. Returns what each likely figure is."""
        likely, worlds = {}, {}
        lanes = {lane["lane"]: lane for lane in answer["lanes"]}
        models = {name: Lane(answer, lane) for name, lane in lanes.items()}
        for name, lane in lanes.items():
            likely[name] = models[name].world()
            for key, want in likely[name].items():
                if want:
                    self.near(lane[key]["value"], want, (name, key))
                else:
                    self.assertIn(lane[key]["value"], (None, 0), (name, key))
            self.near(lane["curve"][-1]["value_usd"], likely[name]["npv_usd"], name)
            worlds[name] = []
        for d in self.draw(answer):
            shared = {"load": d["load"], "contract": d["contract"], "day": d["day"]}
            for name, lane in lanes.items():
                move = {"ratio": d["ratio"] * d["level"], "effort": d["effort"], "dual": d["dual"]} if name == "vendor" else {"ratio": d["ratio_same"], "dual": d["dual_same"]}
                worlds[name].append(models[name].world(price=d[lane["to"]["vendor"]], **shared, **move))
        for name, lane in lanes.items():
            for key in ("npv_usd", "once_usd", "bill_after_usd_per_month", "days"):
                drawn = sorted(w[key] for w in worlds[name])
                size = drawn[int(0.9 * DRAWS)] - drawn[int(0.1 * DRAWS)]
                for end, at in (("low", 0.1), ("high", 0.9)):
                    want = min(drawn[int(at * DRAWS)], lane[key]["value"]) if end == "low" else max(drawn[int(at * DRAWS)], lane[key]["value"])
                    self.assertLess(abs(lane[key][end] - want), 0.05 * size, (name, key, end, lane[key][end], want))
        return likely, worlds

    def chance(self, answer, worlds):
        """Share of worlds in which going across is worth more than the best move within the vendor, no surer than lists and hosts allow."""
        within = worlds.get("provider")
        pays = sum(w["npv_usd"] > max(within[i]["npv_usd"] if within else 0, 0) for i, w in enumerate(worlds["vendor"])) / DRAWS
        today = again.day_of(answer["generated_at"][:10])
        lanes = {lane["lane"]: lane for lane in answer["lanes"]}
        there = self.facts.doubt(answer["best"][lanes["vendor"]["to"]["vendor"]], today)
        here = self.facts.doubt(answer["best"][lanes["vendor"]["from"]["vendor"]], today)
        bounds = []
        for doubt in (there, here):
            most = self.facts.constants["one_host_surest"] if doubt.one_host else 1
            bounds.append(max(most - self.facts.constants["list_doubt_year"] * max(there.years, here.years), 0.5))
        return min(max(pays, 1 - bounds[1]), bounds[0])

    def written(self, answer, likely, probability):
        """Every number in verdict, reasons, risks and next step is one of those worked out here, to the digits that it shows."""
        best, verdict = answer["best"], answer["verdict"]
        usd, percent, plain = [], [], [1, 60, 100 * probability, probability, 1 - probability]
        pairs, today = [best], again.day_of(answer["generated_at"][:10])
        if verdict["like_for_like"]:
            like = verdict["like_for_like"]
            pairs.append({"amd": like["amd"], "nvidia": like["nvidia"]})
            plain += [like["weight_bits"], max(60, abs((again.day_of(like["amd"]["price_seen_at"]) - again.day_of(like["nvidia"]["price_seen_at"])).days))]
            within = next(x for x in (again.alike(self.facts, answer, answer["options"], days) for days in (60, 120, 240, 3650)) if x)
            plain.append(within[2].probability)
            self.assertAlmostEqual(like["probability"], within[2].probability, delta=0.002)
        for pair in pairs:
            for x, y in ((pair["amd"], pair["nvidia"]), (pair["nvidia"], pair["amd"])):
                usd += [x["output_usd_per_mtok"]["value"], x["price_usd_per_gpu_hour"], x["price_usd_per_hour"] / x["instances"], x["price_usd_per_hour"]]
                percent += [100 * abs(x[k] / y[k] - 1) for k in ("price_usd_per_gpu_hour",)]
                percent += [100 * abs(x[k]["value"] / y[k]["value"] - 1) for k in ("output_usd_per_mtok", "output_tokens_per_s_per_gpu")]
                plain += [x["gpu_count"], x["gpu_count"] // x["instances"], float(GPUS[x["gpu"]]["memory_usable_mib"]) / 1024, float(GPUS[x["gpu"]]["memory_gb"])]
                if x["provider"] != "today":
                    plain.append((again.day_of(answer["generated_at"][:10]) - again.day_of(x["price_seen_at"])).days)
        for name, world in likely.items():
            once = next(lane for lane in answer["lanes"] if lane["lane"] == name)["once_usd"]
            usd += [once["low"], once["high"], world["once_usd"], world["npv_usd"], world["saving_usd_per_month"] - world["upkeep_usd_per_month"]]
            plain += [x for x in (world["days"], world["months"], Lane(answer, answer["lanes"][0]).terms["horizon-months"]) if x is not None]
            percent.append(100 * probability)
        for vendor, x in best.items():  # what stands beside a price that was seen long ago
            young = [o for o in answer["options"] if o["vendor"] == vendor and (today - again.day_of(o["price_seen_at"])).days <= 60]
            if young:
                usd.append(young[0]["output_usd_per_mtok"]["value"])
                percent.append(100 * (usd[-1] / x["output_usd_per_mtok"]["value"] - 1))
                plain.append(young[0]["gpu_count"])
        said = verdict["next_steps"][0]["worth_up_to_usd"] if verdict["next_steps"] else None
        usd += [said] if said is not None else []
        texts = [verdict["text"], verdict["next_step"], *verdict["reasons_for"], *verdict["reasons_against"], *verdict["risks"]]
        texts += [verdict["like_for_like"]["text"]] if verdict["like_for_like"] else []
        count = 0
        for text in texts:
            bare = text
            for name in sorted((row["name"] for row in GPUS.values()), key=len, reverse=True):
                bare = bare.replace(name, "GPU")
            bare = re.sub(r"\(\d{4}-\d\d(-\d\d)?\)|`[^`]*`|FlashAttention \d|probability over 0.99", "", bare)
            for sign, digits, unit in re.findall(r"(\$?)(\d[\d,]*(?:\.\d+)?)( ?%?)", bare):
                value = float(digits.replace(",", ""))
                shown = 0.5 * 10 ** -len(digits.partition(".")[2])
                if value <= 1:
                    shown *= 2  # probabilities are rounded down
                if value >= 1000:
                    shown = max(shown, 0.5 * 10 ** (math.floor(math.log10(value)) - 2))
                among = usd if sign else percent if unit.strip() else plain
                billed = [x["value"] if isinstance(x, dict) else x for lane in answer["lanes"] for x in [lane.get("billed_after_usd_per_month")] if x is not None]
                chances = billed if among is usd else [(100 if among is percent else 1) * p for p in (probability, 1 - probability)]
                slack = 0.012 if any(abs(value - x) < (3 if among is percent else 0.05) for x in chances) else 0  # a share of draws
                self.assertTrue(any(abs(value - abs(x)) <= shown * 1.02 + slack * (100 if among is percent else 1) for x in [*among, *chances]), f"{sign}{digits}{unit} in '{text}' is none of {sorted(map(abs, among))}")
                count += 1
        return count

    def test_one_provider_without_a_move(self):
        answer = self.decision("--engine vllm", "--provider runpod")
        odds = self.costs(answer)
        self.assertEqual(answer["lanes"], [])
        self.assertAlmostEqual(answer["verdict"]["probability"], odds.probability, delta=0.002)
        self.assertEqual(answer["verdict"]["winner"], odds.winner)
        self.assertGreater(self.written(answer, {}, odds.probability), 20)
        # What looking a price up is worth: over the horizon, decided for each part of where it may be instead of once.
        terms = {t["name"]: t["value"] for t in answer["assumptions"]}
        month = answer["best"]["nvidia"]["price_usd_per_hour"] * 730 * annuity(terms["horizon-months"], terms["discount-rate"])
        best = answer["best"]
        ratio = best["amd"]["output_usd_per_mtok"]["value"] / best["nvidia"]["output_usd_per_mtok"]["value"]
        shared = self.facts.constants["share_model"] + (self.facts.constants["share_engine"] if best["amd"]["engine"] == best["nvidia"]["engine"] else 0)
        a, n = (best[vendor]["sigma_log_speed"] for vendor in ("amd", "nvidia"))
        speed = math.exp((a * a + n * n - 2 * (shared * a * n + self.facts.constants["share_hand"] * min(a, n) ** 2)) / 2)
        draws = [(d["nvidia"], month * (d["nvidia"] - ratio * speed * d["amd"])) for d in self.draw(answer)]
        bins = {}
        for factor, gain in draws:
            at = min(max(int(40 * (0.5 + math.log(factor) / (2 * math.log(5)))), 0), 39)
            bins[at] = bins.get(at, 0) + gain
        worth = (sum(max(x, 0) for x in bins.values()) - max(sum(gain for _, gain in draws), 0)) / DRAWS
        step = next(s for s in answer["verdict"]["next_steps"] if s["text"].startswith("look at today's price of NVIDIA"))
        self.assertEqual(step["cost_usd"], 0)
        self.assertLess(abs(step["worth_up_to_usd"] - worth), 0.15 * max(worth, month / 100), (step, worth))

    def test_within_and_across_from_a_high_price(self):
        answer = self.decision("moves.stack", "--current h100-sxm5-80gb@4")
        self.costs(answer)
        likely, worlds = self.lanes(answer)
        self.assertEqual(set(likely), {"provider", "vendor"})
        pays = self.chance(answer, worlds)
        stays = answer["verdict"]["winner"] == "nvidia"
        self.assertAlmostEqual(answer["verdict"]["probability"], 1 - pays if stays else max(pays, 1 - pays), delta=0.02)
        self.assertGreater(self.written(answer, likely, answer["verdict"]["probability"]), 20)

    def test_one_gpu_of_each_vendor(self):
        answer = self.decision("moves.stack", "--current h100-sxm5-80gb@9")
        self.costs(answer)
        likely, worlds = self.lanes(answer)
        self.assertEqual(set(likely), {"vendor"})
        pays = self.chance(answer, worlds)
        self.assertAlmostEqual(answer["verdict"]["probability"], max(pays, 1 - pays), delta=0.02)
        self.assertEqual(answer["verdict"]["winner"] == "amd", answer["verdict"]["probability"] >= 0.9 and pays > 0.5)
        self.assertGreater(self.written(answer, likely, answer["verdict"]["probability"]), 20)


if __name__ == "__main__":
    harness.main()
