"""Decisions without a move, worked out again from the data files and the options of `report --top 1000 --json`: nothing here comes from the
program's sources, everything from docs/odds.md. For tests/cli/test_odds.py and test_flips.py.
"""
import csv
import datetime
import math
import os
from dataclasses import dataclass

from harness import DATA

RUNGS = 6
COSTS = {"serve": "output_usd_per_mtok", "embed": "input_usd_per_mtok", "images": "usd_per_1k_images", "train": "usd_total", "lora": "usd_total", "hpc": "usd_per_run"}


def table(name, folder=DATA):
    with open(os.path.join(folder, name + ".tsv"), encoding="utf-8") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def workloads(kind=None):
    return [row["workload_id"] for row in table("workloads") if kind in (None, row["kind"])]


def day_of(text):
    """The last day that 2026, 2026-07 or 2026-07-20 may mean."""
    year, month, day = ([int(x) for x in text.split("-")] + [None, None])[:3]
    if day is not None:
        return datetime.date(year, month, day)
    return datetime.date(year + (month or 12) // 12, (month or 12) % 12 + 1, 1) - datetime.timedelta(1)


def normal_below(z):
    return math.erfc(-z / math.sqrt(2)) / 2


@dataclass
class Doubt:
    sigma: float
    drift: float
    gone: float
    years: float
    one_host: bool


@dataclass
class Odds:
    amd_cheaper: float
    low: float
    high: float
    surest: float
    one_host: bool

    @property
    def probability(self):
        return min(max(self.amd_cheaper, 1 - self.amd_cheaper), self.surest)

    @property
    def winner(self):
        return "tie" if self.probability < 0.9 else "amd" if self.amd_cheaper > 0.5 else "nvidia"


class Facts:
    def __init__(self, folder=DATA):
        self.constants = {row["name"]: float(row["value"]) for row in table("constants", folder)}
        self.machines = {row["seller_class"]: float(row["machines"]) for row in table("seller_classes", folder)}
        self.sellers = {(row["provider"], row["region"]): row for row in table("sellers", folder)}
        self.moves = {}
        for row in table("price_moves", folder):
            figures = tuple(float(row[k]) for k in ("lag_days", "sigma_log", "drift_log", "gone"))
            self.moves.setdefault((row["seller_class"], row["pricing_model"]), []).append(figures)
        for rows in self.moves.values():
            rows.sort()

    def moved(self, seller_class, pricing_model, days):
        """sigma, drift and gone of a price seen so many days ago."""
        rows = self.moves[seller_class if seller_class != "unknown" else "broker", pricing_model]
        for (lag, *before), (next_lag, *after) in zip(rows, rows[1:]):
            if lag <= days <= next_lag:
                share = (days - lag) / (next_lag - lag)
                return tuple(x + share * (y - x) for x, y in zip(before, after))
        lag, sigma, drift, gone = rows[-1]
        times = days / lag
        return sigma * math.sqrt(times), drift * times, 1 - (1 - gone) ** times

    def doubt(self, option, today):
        if option["provider"] == "today":
            return Doubt(0, 0, 0, 0, False)
        days = max((today - day_of(option["price_seen_at"])).days, 0)
        host = option["seller_class"] == "marketplace-host" and not (option["hosts_seen"] or option["machines_seen"] or 0) >= 2
        return Doubt(*self.moved(option["seller_class"], option["pricing_model"], days), days / 365, host)

    def instances_most(self, option):
        """Counted, else by class of seller; parts of a node of eight are rented from as many nodes, but of hosts as listed."""
        if option["machines_seen"] is not None:
            return math.floor(option["machines_seen"])
        seller = option["seller_class"]
        size = option["gpu_count"] / option["instances"]
        parts = math.floor(8 / size) if seller not in ("marketplace-host", "unknown") and size < 8 else 1
        return self.machines[seller] * parts


class Ladder:
    """A vendor's options, cheapest first, each of another GPU, provider or class of seller; the program's list has each but once."""

    def __init__(self, facts, options, kind, today, times=lambda option: 1):
        self.of = facts, options, kind, today, times
        rungs = sorted(((o[COSTS[kind]]["value"] * times(o), o) for o in options), key=lambda rung: rung[0])
        taken, seen = [], set()
        for cost, o in rungs:
            seller = o["gpu"], o["provider"], o["seller_class"]
            if seller not in seen and len(taken) < RUNGS:
                seen.add(seller)
                taken.append((cost, o, facts.doubt(o, today)))
        self.rungs = []
        left = 1
        for i, (cost, o, doubt) in enumerate(taken):
            weight = left * (1 - doubt.gone) if i + 1 < len(taken) else left
            left -= weight
            self.rungs.append((weight, cost, o, doubt))

    def before(self, days):
        """The same so many days ago."""
        facts, options, kind, today, times = self.of
        return Ladder(facts, options, kind, today - datetime.timedelta(days), times)


def mixture(facts, amd, nvidia, kind):
    """The normals of ln(cost of AMD / cost of NVIDIA): weight, mean, sigma of each pair of rungs."""
    parts = []
    for wa, cost_a, a, da in amd.rungs:
        for wn, cost_n, n, dn in nvidia.rungs:
            shared = facts.constants["share_model"] if kind == "serve" else 0
            shared += facts.constants["share_engine"] if a["engine"] and a["engine"] == n["engine"] else 0
            sa, sn = a["sigma_log_speed"], n["sigma_log_speed"]
            market = facts.constants["sigma_market_year"] * (da.years - dn.years)
            hand = facts.constants["share_hand"] * min(sa, sn) ** 2 if kind == "serve" else 0  # whoever asks runs both
            variance = sa * sa + sn * sn - 2 * (shared * sa * sn + hand) + da.sigma ** 2 + dn.sigma ** 2 + market ** 2
            parts.append((wa * wn, math.log(cost_a / cost_n) + da.drift - dn.drift, math.sqrt(variance)))
    return parts


def below(parts, x):
    return sum(w * normal_below((x - mean) / sigma) for w, mean, sigma in parts)


def quantile(parts, q):
    low, high = -20.0, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if below(parts, middle) < q else (low, middle)
    return math.exp(low)


def odds(facts, amd, nvidia, kind):
    """The odds of two ladders, no surer than the same list was some time ago."""
    parts = mixture(facts, amd, nvidia, kind)
    p = below(parts, 0)
    first = {"amd": amd.rungs[0], "nvidia": nvidia.rungs[0]}
    one_host = first["amd" if p >= 0.5 else "nvidia"][3].one_host
    surest = facts.constants["one_host_surest"] if one_host else 1
    years = max(rung[3].years for rung in first.values())
    if years > 0:
        surest = max(surest - facts.constants["list_doubt_year"] * years, 0.5)
    oldest = round(365 * years)
    for days in (0, 7, 30, 60, 90, 150, 365):
        if days < oldest:
            then = below(mixture(facts, amd.before(oldest - days), nvidia.before(oldest - days), kind), 0)
            surest = min(surest, max(then if p >= 0.5 else 1 - then, 0.5))
    listed = first["amd"][1] / first["nvidia"][1]
    return Odds(p, min(quantile(parts, 0.1), listed), max(quantile(parts, 0.9), listed), surest, one_host)


def of_report(facts, report, times=lambda option: 1):
    """The odds of a report with all of its options; times: a factor on what each costs."""
    kind, today = report["inputs"]["resolved"]["kind"], day_of(report["generated_at"][:10])
    ladders = [Ladder(facts, [o for o in report["options"] if o["vendor"] == vendor], kind, today, times) for vendor in ("amd", "nvidia")]
    return odds(facts, *ladders, kind)


def bits(option):
    widths = {"fp64": 64, "fp32": 32, "tf32": 32, "fp16": 16, "bf16": 16, "fp8": 8, "int8": 8, "fp4": 4, "mxfp4": 4, "nvfp4": 4, "int4": 4}
    return widths.get(option["weights"], 0)


def alike(facts, report, options, within):
    """The pair of one class of sellers and one precision that costs least, its odds; None: there is none at prices so near to each other."""
    kind, today = report["inputs"]["resolved"]["kind"], day_of(report["generated_at"][:10])

    def age(o):
        return max((today - day_of(o["price_seen_at"])).days, 0)

    def cost(o):
        return o[COSTS[kind]]["value"]

    def like(x, y):
        return x["seller_class"] == y["seller_class"] != "unknown" and bits(x) == bits(y) and abs(age(x) - age(y)) <= within
    amd, nvidia = ([o for o in options if o["vendor"] == vendor] for vendor in ("amd", "nvidia"))
    pairs = [(cost(x) * cost(y), i, k) for i, x in enumerate(amd) for k, y in enumerate(nvidia) if like(x, y)]
    if not pairs:
        return None
    _, i, k = min(pairs)
    x, y = amd[i], nvidia[k]
    within = max(60, abs(age(x) - age(y)))
    sides = [[o for o in side if cost(o) >= cost(mine) and o["seller_class"] == mine["seller_class"] and bits(o) == bits(mine) and abs(age(o) - age(other)) <= within]
             for side, mine, other in ((amd, x, y), (nvidia, y, x))]
    return x, y, odds(facts, *(Ladder(facts, side, kind, today) for side in sides), kind)
