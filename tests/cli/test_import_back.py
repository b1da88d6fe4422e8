"""What `prices list --format csv` and --json print comes back by `prices import` as the same rows; and sellers keep their names."""
import csv
import io
import json

import harness

# What a row says that depends on the list it stands in, or on the day.
OF_THE_LIST = ("spot_price_usd_per_gpu_hour", "age_days")
HEAD = "provider,instance,region,country,gpu,listed_name,gpu_count,price_per_hour,pricing_model,available,standing,seller_class,machines_seen,hosts_seen,sold_by_gpu,as_of,source\n"


class ImportBack(harness.Case):
    def listed(self, *words):
        return list(csv.DictReader(io.StringIO(self.ok("prices", "list", "--all-regions", "--superseded", "--format", "csv", *words))))

    def fresh(self):
        """A home without what the other had."""
        self.setUp()

    def take(self, text, name, *words, ending="csv"):
        return self.json("prices", "import", self.write(f"{name}.{ending}", text), "--name", name, *words)["providers"][0]

    @staticmethod
    def plain(row):
        return tuple((k, v) for k, v in row.items() if k not in OF_THE_LIST)

    def text(self, *words):
        return self.ok("prices", "list", "--all-regions", "--superseded", "--format", "csv", *words)

    # ---------------------------------------------------------------- all that ships

    def back(self, *words):
        """Every shipped row of a pricing model, its newest word where it has several."""
        newest = {}
        for row in self.listed(*words):
            key = tuple(row[k] for k in ("provider", "instance", "region", "listed_name", "gpu_count", "vcpus", "ram_gb"))
            best = newest.get(key)
            if best is None or (row["seen_at"], -float(row["price_usd_per_gpu_hour"])) > (best["seen_at"], -float(best["price_usd_per_gpu_hour"])):
                newest[key] = row
        got = self.take(self.text(*words), "back")
        self.assertEqual({r["reason"] for r in got["rejected"]} - {"an earlier day's price of the same offer", "the same offer at a higher price", "the same offer twice"}, set())
        self.assertEqual(got["ignored_columns"], [*OF_THE_LIST, "one_host"])
        self.assertEqual(got["renamed_providers"], [])
        self.assertEqual(got["rows"] + sum(h["count"] for h in got["quarantined"]), len(newest))
        if got["quarantined"]:
            self.ok("prices", "accept", "back")
        mine = {(o["provider"], o["instance"], o["region"], o["listed_name"], o["gpu_count"], o["vcpus"], o["ram_gb"]): o
                for o in self.json("prices", "list", "--all-regions", "--superseded", *words)["offers"] if o["feed"] == "back"}
        self.assertEqual(len(mine), len(newest))
        as_json = {True: "yes", False: "no", None: ""}
        for o in mine.values():
            o = {k: as_json[v] if v is None or isinstance(v, bool) else v if isinstance(v, str) else f"{v:.10g}" for k, v in o.items()}
            row = newest[tuple(o[k] for k in ("provider", "instance", "region", "listed_name", "gpu_count", "vcpus", "ram_gb"))]
            for key in row:
                if key not in OF_THE_LIST + ("standing",):
                    self.assertEqual(o[key], row[key], (key, row))
            self.assertEqual(o["standing"] == "secondary", row["standing"] == "secondary", row)  # the other word of it is of the list that it stands in

    def test_on_demand(self):
        self.back()

    def test_spot(self):
        self.back("--spot")

    def test_reserved(self):
        self.back("--reserved", "1y")

    # ---------------------------------------------------------------- awkward rows

    AWKWARD = HEAD + "\n".join((
        "'=Acme,'@m1,\"'-r, 1\",DE,mi300x-192gb,MI300X,8,16.125,on-demand,yes,listed,marketplace-host,3,1,no,2026-11-01,'+a source",
        "''=Acme,m2,,,mi300x-192gb,MI300X,8,17,on-demand,no,secondary,,,,,2026-11-02,s",
        "O'Brien's \u00e9quipe,m\u00fcller's 8,\u6771\u4eac,JP,mi300x-192gb,\"it's \"\"the\"\" MI300X\",,2.5,spot,,listed,,,,,2026-11-03,s",
        "'quoted',m3,,,h100-sxm5-80gb,H100 SXM,1,3,reserved-1y,,listed,cloud,,,,2026-11-04,s",
        "nobody knows,m4,,,Zyx 9000,Zyx 9000,4,8,on-demand,,listed,,,,,2026-11-05,s",
        "one,m5,,,mi300x-192gb,MI300X,1,2.1,on-demand,,listed,,,,,2026-11-05,spot is what it is not",
        "one,m5,,,mi300x-192gb,Instinct MI300X,1,1.9,on-demand,,listed,,,,,2026-11-05,s",
        "one,m5,,,mi300x-192gb,MI300X,1,1,spot,,listed,,,,,2026-11-05,s")) + "\n"

    SELLERS = {"'=acme", "''=acme", "o'brien's-\u00e9quipe", "'quoted'", "nobody-knows", "one"}
    KINDS = ((), ("--spot",), ("--reserved", "1y"), ("--unmapped",))

    def rows(self, *words):
        return sorted(self.plain(r) for r in self.listed(*words) if r["provider"] in self.SELLERS)

    def test_awkward_rows(self):
        for form in harness.sampled(("csv", "json")):
            self.fresh()
            got = self.take(self.AWKWARD.replace(",,2.5,", ",1,2.5,"), "first")
            self.assertEqual((got["rows"], got["rejected"], got["quarantined"]), (8, [], []), got)
            want = {words: self.rows(*words) for words in self.KINDS}
            self.assertEqual([len(rows) for rows in want.values()], [4, 2, 1, 1])
            providers = {dict(row)["provider"] for rows in want.values() for row in rows}
            self.assertEqual(providers, self.SELLERS)
            lists = {words: self.text(*words) if form == "csv" else self.ok("prices", "list", "--all-regions", "--superseded", "--json", *words) for words in self.KINDS}
            self.fresh()
            for i, (words, text) in enumerate(lists.items()):
                self.take(text, f"list{i}", ending=form)
                self.assertEqual(self.rows(*words), want[words], (form, words))

    def test_unknown_words_of_standing(self):
        got = self.take("gpu,price_per_gpu_hour,standing\nMI300X,2,hearsay\nMI300X,2.1,listed\n", "q")
        self.assertEqual([(r["reason"], r["example"]) for r in got["rejected"]], [("standing is none of listed, secondary, superseded", "line 2: MI300X: 'hearsay'")])

    # ---------------------------------------------------------------- sellers

    def test_two_sellers_stay_two(self):
        """Letters of every script, and signs: what is taken away is case, blanks, '_' and '-', and what a terminal would run."""
        names = ["M\u00fcnchen GPU", "M\u00f6nchen GPU", "\u03a9", "\u039b", "\u963f\u91cc\u4e91", "\u817e\u8baf\u4e91", "A+B", "A&B", "A/B", "C#", "C", "Acme (EU)", "Acme (US)"]
        rows = "".join(f'"{name}",MI300X,1,{2 + i / 100}\n' for i, name in enumerate(names))
        got = self.take("provider,gpu,gpu_count,price_per_hour\n" + rows + "acme_gpu  cloud,MI300X,1,3\nAcme GPU-Cloud,MI300X,1,3.1\n\"ev\x1bil\",MI300X,1,3.2\n", "q")
        self.assertEqual(got["rows"], len(names) + 2)
        offers = self.json("prices", "list", "mi300x")["offers"]
        self.assertEqual({o["provider"] for o in offers if o["feed"] == "q"}, {n.lower().replace(" ", "-").replace("\u03c9", "\u03a9").replace("\u03bb", "\u039b") for n in names} | {"acme-gpu-cloud", "ev?il"})
        renamed = {r["stated"]: r["provider"] for r in got["renamed_providers"]}
        self.assertEqual(renamed["M\u00fcnchen GPU"], "m\u00fcnchen-gpu")
        self.assertEqual(renamed["acme_gpu  cloud"], renamed["Acme GPU-Cloud"])
        self.assertNotIn("\u03a9", renamed)
        self.assertEqual(len(self.json("prices", "list", "mi300x", "--provider", "M\u00fcnchen GPU")["offers"]), 1)
        out = self.ok("prices", "import", self.write("r.csv", "provider,gpu,gpu_count,price_per_hour\nLambda Labs,MI300X,1,3\n"))
        self.assertIn("1 seller by another name here: 'Lambda Labs' is lambda\n", out)

    def test_a_seller_is_one_by_all_of_its_names(self):
        rows = "provider,instance,gpu,gpu_count,price_per_hour\n" + "".join(f"{name},m{i},MI300X,1,{2 + i / 10}\n" for i, name in enumerate(("lambda", "lambdalabs", "Lambda Labs", "LAMBDA_CLOUD", "lambda.ai")))
        got = self.take(rows, "q")
        self.assertEqual(got["rows"], 5)
        mine = [o for o in self.json("prices", "list", "mi300x", "--provider", "lambdalabs")["offers"] if o["feed"] == "q"]
        self.assertEqual({o["provider"] for o in mine}, {"lambda"})
        self.assertEqual(len(mine), 5)
        half = [o for o in self.json("prices", "list", "mi300x", "--discount", "lambdalabs=50")["offers"] if o["feed"] == "q"]
        self.assertEqual({o["discount_pct"] for o in half}, {50})
        self.take("provider,instance,gpu,gpu_count,price_per_hour\nsagemaker,s,MI300X,1,9\n", "s")
        self.assertEqual([o["provider"] for o in self.json("prices", "list", "mi300x")["offers"] if o["feed"] == "s"], ["sagemaker"])

    def test_no_shipped_seller_goes_by_another_name(self):
        with open(harness.os.path.join(harness.DATA, "names.tsv"), encoding="utf-8") as f:
            others = {row["name"]: row["means"] for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if row["kind"] == "provider" and row["means"]}
        for table in ("offers", "sellers"):
            with open(harness.os.path.join(harness.DATA, table + ".tsv"), encoding="utf-8") as f:
                providers = {row["provider"] for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)}
            self.assertEqual({p for p in providers if p in others}, set(), table)


if __name__ == "__main__":
    harness.main()
