"""prices: import, list, history, diff, accept, prune, export; processes that are killed, that meet, that find the disk full."""
import csv
import gzip
import io
import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import time

import harness
import test_schema

HEAD = "provider,instance,region,country,gpu,gpu_count,price_per_hour,pricing_model\n"
DAY = "2026-11-%02dT12:00:00Z"
WRITE_CRASHES = int(os.environ.get("GPUADVISE_TEST_KILLS", "6"))  # more by hand


def big_list(rows, factor=1.0):
    lines = [f"cloud-{i % 7},m{i},r{i % 5},DE,MI300X,8,{(16 + i % 9) * factor:.4f},on-demand\n" for i in range(rows)]
    return HEAD + "".join(lines)


class Prices(harness.Case):
    def fits(self, name, answer):
        self.assertEqual(test_schema.faults(name, answer), [])
        self.assertNotEqual(test_schema.faults(name, {k: v for k, v in answer.items() if k != "inputs"}), [])
        return answer

    def take(self, text, day=20, name="quote", code=0, *options):
        path = self.write("list.csv", text)
        return self.fits("prices-import", self.json("prices", "import", path, "--name", name, *options, code=code,
                                                    env={"GPUADVISE_NOW": DAY % day}))["providers"][0]

    def offers(self, *words, **options):
        return self.fits("prices", self.json("prices", "list", *words, **options))["offers"]

    def mine(self, *words, **options):
        return {o["instance"]: o for o in self.offers("mi300x", "--all-regions", *words, **options) if o["feed"] == "quote"}

    # ---------------------------------------------------------------- import and list

    def test_imported_prices_count_at_once(self):
        answer = self.take(HEAD + "acme,m8,eu-1,DE,MI300X,8,4.8,on-demand\nacme,m1,us-1,US,MI300X,1,5,on-demand\n")
        self.assertEqual((answer["status"], answer["rows"], answer["new"], answer["rejected"]), ("ok", 2, 2, []))
        first = self.offers("mi300x")[0]
        self.assertEqual((first["provider"], first["instance"], first["price_usd_per_gpu_hour"]), ("acme", "m8", 0.6))
        self.assertEqual((first["seen_at"], first["age_days"], first["first_seen_at"]), ("2026-11-20", 7, DAY % 20))
        best = self.json("report", "--workload", "llama70b", "--vendor", "amd")["best"]["amd"]
        self.assertEqual((best["provider"], best["instance"], best["price_usd_per_hour"], best["price_seen_at"]),
                         ("acme", "m8", 4.8, "2026-11-20"))
        self.assertEqual(self.take(HEAD + "acme,m1,us-1,US,MI300X,1,5,on-demand\nacme,m8,eu-1,DE,MI300X,8,4.8,on-demand\n", 21)["status"],
                         "unchanged")
        self.assertEqual(self.mine()["m8"]["seen_at"], "2026-11-21")

    def test_offers_tell_their_sellers(self):
        """As the list says; where it does not, as the catalog knows the provider; and read back as printed."""
        head = HEAD.rstrip("\n") + ",seller_class,machines_seen,sold_by_gpu\n"
        self.take(head + "acme,m8,eu-1,DE,MI300X,8,16,on-demand,broker,3,no\nrunpod,m1,community,,MI300X,1,1.9,on-demand,,,\n"
                         "runpod,m2,secure,,MI300X,1,2.4,on-demand,,,no\nnobody,m3,,,MI300X,1,2.2,on-demand,,,\n")
        want = {"m8": ("broker", 3, False), "m1": ("marketplace-host", None, True), "m2": ("cloud", None, False), "m3": (None, None, None)}
        sellers = lambda: {i: (o["seller_class"], o["machines_seen"], o["sold_by_gpu"]) for i, o in self.mine().items()}
        self.assertEqual(sellers(), want)
        rows = list(csv.DictReader(io.StringIO(self.ok("prices", "list", "mi300x", "--all-regions", "--format", "csv"))))
        self.assertEqual({r["instance"]: (r["seller_class"], r["machines_seen"], r["sold_by_gpu"]) for r in rows if r["instance"] in want},
                         {"m8": ("broker", "3", "no"), "m1": ("marketplace-host", "", "yes"), "m2": ("cloud", "", "no"), "m3": ("", "", "")})
        printed = json.dumps({"offers": list(self.mine().values())})
        self.json("prices", "import", self.write("again.json", printed), "--name", "quote")
        self.assertEqual(sellers(), want)
        # A class that nobody knows, or machines that nobody can have counted: that row is left out and named, the others count.
        path = self.write("odd.csv", head + "beta,m7,eu-1,DE,MI300X,8,16,on-demand,broker,3,no\nbeta,m9,eu-1,DE,MI300X,8,17,on-demand,friend,3,no\nbeta,m10,eu-1,DE,MI300X,8,17,on-demand,cloud,-1,no\n")
        left_out = self.json("prices", "import", path, "--name", "odd")["providers"][0]["rejected"]
        self.assertEqual(sorted(r["example"][:7] for r in left_out), ["line 3:", "line 4:"])
        self.assertTrue(any("seller_class is none of" in r["reason"] for r in left_out), left_out)
        self.assertEqual(sellers(), want)
        self.assertEqual([o["instance"] for o in self.offers("mi300x", "--all-regions") if o["feed"] == "odd"], ["m7"])
        wide = self.ok("prices", "list", "mi300x", "--all-regions", env={"COLUMNS": "220"})
        for word in ("SELLER", "MACHINES", "BY GPU"):
            self.assertIn(word, wide)

    def test_newest_word_on_an_offer_wins(self):
        shipped = [o for o in self.offers("mi300x", "--provider", "azure", "--region", "eastus2") if o["gpu_count"] == 8][0]
        line = "azure,{instance},{region},,{listed_name},8,50.5,on-demand\n".format(**shipped)
        self.take(HEAD + line)
        found = [o for o in self.offers("mi300x", "--provider", "azure", "--region", "eastus2", "--all-regions") if o["gpu_count"] == 8]
        self.assertEqual([(o["price_usd_per_hour"], o["feed"]) for o in found], [(50.5, "quote")])

    @harness.once
    def test_filters_order_and_discounts(self):
        self.take(HEAD + "acme,m8,eu-1,DE,MI300X,8,20,on-demand\nbeta,m4,us-1,US,MI300X,4,9,on-demand\nbeta,m2,x,,MI300X,2,5,on-demand\n")
        self.assertEqual(set(self.mine("--country", "de")), {"m8"})
        self.assertEqual(set(self.mine("--country", "eu,us")), {"m8", "m4"})
        self.assertEqual({o["country"] for o in self.offers("mi300x", "--provider", "azure", "--all-regions", "--country", "eu")} - {"NL", "DE", "FR", "SE", "IE", "IT", "PL", "ES"}, set())
        self.assertEqual({o["country"] for o in self.offers("nvidia:", "--provider", "vast", "--all-regions", "--country", "jp")}, {"JP"})
        self.exits(2, "prices", "list", "--country", "germany")
        prices = {k: o["price_usd_per_hour"] for k, o in self.mine("--discount", "acme=25").items()}
        self.assertEqual(prices, {"m8": 15, "m4": 9, "m2": 5})
        self.assertEqual(self.mine("--discount", "acme=25")["m8"]["discount_pct"], 25)
        for order, key in (("hour", "price_usd_per_hour"), ("region", "region"), ("provider", "provider"), ("age", "age_days")):
            values = [o[key] for o in self.offers("mi300x", "--all-regions", "--sort", order) if o[key] is not None]
            self.assertEqual(values, sorted(values), order)
        self.take(HEAD + "acme,m8,eu-1,DE,MI300X,8,20,on-demand\nbeta,m4,us-1,US,MI300X,4,9,on-demand\n", 21)
        self.assertFalse(self.mine()["m2"]["available"])
        self.assertNotIn("m2", self.mine("--available"))

    @harness.once
    def test_where_and_sort(self):
        """The same rows in every format, and what cannot be read is told."""
        every = self.offers("--all-regions")
        asked = ("--all-regions", "--where", "provider=azure|provider=runpod price_usd_per_gpu_hour<3 !h100", "--sort=-price_usd_per_gpu_hour,gpu")
        got = self.offers(*asked)
        text = (lambda o: " ".join(str(v) for k, v in o.items() if isinstance(v, str)))
        fits = [o for o in every if ("azure" in o["provider"] or "runpod" in o["provider"]) and o["price_usd_per_gpu_hour"] < 3 and "h100" not in text(o).lower()]
        self.assertEqual(sorted(map(repr, got)), sorted(map(repr, fits)))
        self.assertGreater(len(got), 3)
        self.assertEqual([o["price_usd_per_gpu_hour"] for o in got], sorted((o["price_usd_per_gpu_hour"] for o in got), reverse=True))
        rows = list(csv.DictReader(io.StringIO(self.ok("prices", "list", *asked, "--format", "csv"))))
        self.assertEqual([(r["provider"], r["instance"], r["region"]) for r in rows], [(o["provider"], o["instance"] or "", o["region"] or "") for o in got])
        for args, code, said in ((("--where", "price<3"), 2, "begins several columns"), (("--where", "nix<3"), 2, "no column is called 'nix'"), (("--sort", "nix"), 2, "no column is called 'nix'"),
                                 (("--where", "age<soon"), 2, "'soon' is no figure"), (("--where", "nothing-is-called-so"), 3, "none of ")):
            self.assertIn(said, self.exits(code, "prices", "list", *args)[1], args)
        self.assertIn("chooses rows of a list", self.exits(2, "gpus", "show", "mi300x", "--where", "amd")[1])
        whole = self.ok("prices", "list", "--all-regions")
        self.assertNotIn("~", whole)  # piped: no cell is cut
        for line in self.ok("prices", "list", "--all-regions", env={"COLUMNS": "64"}).splitlines():
            self.assertLessEqual(len(line), 64)
            self.assertNotIn("~", line)

    def test_bad_files_are_refused_and_change_nothing(self):
        self.take(HEAD + "acme,m8,eu-1,DE,MI300X,8,20,on-demand\n")
        for text in ("", "nothing,here\n1,2\n", "\0\0", '{"offers": 3}', "[[[[", HEAD + '"never closed', HEAD + "a,b,c,d,e,f,g,h,i\n"):
            _, err = self.exits(1, "prices", "import", self.write("bad.csv", text), "--name", "quote")
            self.assertIn("bad.csv", err)
        _, err = self.exits(1, "prices", "import", self.write("bad.csv", HEAD + "acme,m8,eu-1,DE,MI300X,8,0,on-demand\n"), "--name", "quote")
        self.assertIn("price of 0: unknown, not free", err)
        self.exits(1, "prices", "import", os.path.join(self.home, "missing.csv"))
        self.exits(2, "prices", "import")
        self.assertEqual(set(self.mine()), {"m8"})

    def rejected(self, path):
        return {r["reason"]: r["example"] for r in self.json("prices", "import", path)["providers"][0]["rejected"]}

    def test_cells_that_contradict_or_mean_nothing_are_rejected(self):
        head = "instance,gpu,gpu_count,price_per_hour,price_per_gpu_hour,available,country\n"
        path = self.write("cells.csv", head + "ok,MI300X,8,16,2,yes,DE\nround,MI300X,3,10,3.33,,\nbad,MI300X,8,16,16,,\n"
                          "maybe,MI300X,8,16,,perhaps,\nfar,MI300X,8,16,,no,Germany\nodd,MI300X,8,16,,no,1?\n")
        reasons = self.rejected(path)
        self.assertEqual(reasons["the price of the instance and that of one GPU contradict each other"], "line 4: bad: 16 for 8, 16 for one")
        self.assertEqual(reasons["available is none of yes, no"], "line 5: maybe")
        self.assertEqual(reasons["country is no code of two letters (ISO 3166)"], "line 6: far")
        self.assertEqual(len(reasons), 3)
        mine = [o["instance"] for o in self.offers("amd:mi300x") if o["feed"] == "import-cells.csv"]
        self.assertEqual(sorted(mine), ["ok", "round"])

    def test_lists_of_others_say_what_is_missing(self):
        path = os.path.join(self.home, "theirs.csv.gz")
        with gzip.open(path, "wt") as f:
            f.write("AcceleratorName,GPUs,Price\nMI300X,8,16\n")
        _, err = self.exits(2, "prices", "import", path)
        self.assertIn("--price-of", err)
        self.assertEqual(self.offers("mi300x", "--provider", "acme", code=3), [])
        self.exits(2, "prices", "import", path, "--price-of", "instance", "--as-of", "yesterday")
        out = self.ok("prices", "import", path, "--price-of", "instance", "--provider", "acme")
        self.assertIn("1 without a date", out)
        for of, price in (("instance", 16), ("gpu", 128)):
            answer = self.fits("prices-import", self.json("prices", "import", path, "--price-of", of, "--provider", of, "--as-of", "2026-10-01", "--name", of))
            self.assertEqual(answer["providers"][0]["undated"], 0)
            mine = self.offers("mi300x", "--provider", of, "--all-regions")
            self.assertEqual([(o["price_usd_per_hour"], o["gpu_count"], o["age_days"]) for o in mine], [(price, 8, 57)])

    def test_numbers_that_are_none_in_json_are_named(self):
        path = self.write("nan.json", '[{"gpu":"MI300X","instance":"a","gpu_count":8,"price_per_hour":NaN},\n{"gpu":"MI300X","gpu_count":Infinity,"price_per_hour":1},\n'
                          '{"gpu":"MI300X","instance":"b","gpu_count":8,"price_per_hour":16}]')
        reasons = self.rejected(path)
        self.assertIn("NaN", reasons["the price is not a plain decimal number"])
        self.assertEqual(reasons["gpu_count is not a number"], "offer 2: MI300X")
        for number in ("-nan", "1e999", "+1", "1,5"):
            path = self.write("bad.json", '[\n{"gpu":"MI300X","gpu_count":8,\n"price_per_hour":%s}]' % number)
            _, err = self.exits(1, "prices", "import", path)
            self.assertRegex(err, r"byte \d+ \(line 3\): ", number)

    def test_lists_of_one_name_and_two_endings_are_two(self):
        self.ok("prices", "import", self.write("x.csv", "gpu,instance,gpu_count,price_per_hour\nMI300X,c,8,16\n"))
        self.ok("prices", "import", self.write("x.json", '[{"gpu":"MI300X","instance":"j","gpu_count":8,"price_per_hour":17}]'))
        feeds = {o["feed"] for o in self.offers("amd:mi300x") if o["feed"]}
        self.assertEqual(feeds, {"import-x.csv", "import-x.json"})

    def test_a_rate_of_tomorrow_is_refused(self):
        path = self.write("eur.csv", "gpu,gpu_count,price_per_hour,currency\nMI300X,8,16,EUR\n")
        _, err = self.exits(2, "prices", "import", path, "--usd-per", "EUR=1.1@2026-12-24")
        self.assertIn("yet to come", err)
        self.ok("prices", "import", path, "--usd-per", "EUR=1.1@2026-11-27")

    def test_a_slice_can_be_asked_for(self):
        self.ok("prices", "import", self.write("s.csv", "gpu,instance,gpu_count,price_per_hour\nMI300X,half,0.5,1\nMI300X,third,0.333333,1\nMI300X,whole,1,2\n"))
        ask = lambda spec: sorted(o["instance"] for o in self.offers(spec) if o["feed"] == "import-s.csv")
        self.assertEqual(ask(":mi300x::0.5"), ["half"])
        self.assertEqual(ask(":::0.33"), ["third"])
        self.assertEqual(ask("amd:mi300x::1"), ["whole"])

    def test_hostile_text_stays_harmless(self):
        rows = '[{"provider":"a\\u001b]0;x\\u0007","instance":"=1+1\\u202e\\udb40\\udc41","gpu":"Evil\\u001b[31m","gpu_count":1,"price_per_hour":2}]'
        self.ok("prices", "import", self.write("x.json", rows))
        for form in ("table", "csv", "md", "json"):
            out = self.ok("prices", "list", "--unmapped", "--provider", "a?]0;x?", "--format", form)
            self.assertNotRegex(out, "[\x00-\x09\x0b-\x1f\x7f\u202e\U000e0041]")
        self.assertIn("'=1+1", self.ok("prices", "list", "--unmapped", "--provider", "a?]0;x?", "--format", "csv"))

    def test_what_list_prints_can_be_imported(self):
        listed = self.offers("amd:mi300x")
        path = self.write("all.json", self.ok("prices", "list", "amd:mi300x", "--json"))
        answer = self.json("prices", "import", path)["providers"][0]
        self.assertEqual(answer["name"], "import-all.json")
        self.assertEqual(answer["rows"] + sum(r["count"] for r in answer["rejected"]) + sum(r["count"] for r in answer["quarantined"]), len(listed))
        self.assertEqual(answer["unmapped"], 0)

    # ---------------------------------------------------------------- held rows

    def test_a_jump_waits_until_it_is_accepted(self):
        self.take(HEAD + "acme,m8,eu-1,DE,MI300X,8,20,on-demand\nacme,m4,eu-1,DE,MI300X,4,10,on-demand\n")
        held = self.take(HEAD + "acme,m8,eu-1,DE,MI300X,8,2,on-demand\nacme,m4,eu-1,DE,MI300X,4,11,on-demand\n", 21)["quarantined"]
        self.assertEqual([h["count"] for h in held], [1])
        self.assertEqual({k: o["price_usd_per_hour"] for k, o in self.mine().items()}, {"m8": 20, "m4": 11})
        waiting = self.fits("prices-quarantined", self.json("prices", "list", "--quarantined"))["quarantined"]
        self.assertEqual([(h["instance"], h["price_usd_per_hour"], h["before_usd_per_hour"]) for h in waiting], [("m8", 2, 20)])
        self.assertIn("10-fold", waiting[0]["reason"])
        self.exits(2, "prices", "accept", "99")
        self.exits(2, "prices", "accept", "nobody")
        answer = self.fits("prices-accept", self.json("prices", "accept", str(waiting[0]["id"])))
        self.assertEqual(answer["accepted"], [waiting[0]["id"]])
        self.assertEqual(self.mine()["m8"]["price_usd_per_hour"], 2)
        self.assertEqual(self.json("prices", "list", "--quarantined")["quarantined"], [])

    def test_another_currency_waits_for_a_dated_rate(self):
        text = "gpu,gpu_count,price_per_hour,currency,instance\nMI300X,8,16,EUR,m8\nMI300X,4,10,USD,m4\n"
        self.take(text)
        self.assertEqual(set(self.mine()), {"m4"})
        self.exits(2, "prices", "accept", "quote")
        for rate in ("EUR", "EUR=1.25", "EUR=x@2026-11-01", "EUR=1.25@soon", "EURO=1@2026-11-01", "EUR=0@2026-11-01"):
            self.exits(2, "prices", "accept", "quote", "--usd-per", rate)
        self.ok("prices", "accept", "quote", "--usd-per", "EUR=1.25@2026-11-01")
        self.assertEqual(self.mine()["m8"]["price_usd_per_hour"], 20)
        self.assertIn("EUR at 1.25 USD of 2026-11-01", self.mine()["m8"]["source"])

    # ---------------------------------------------------------------- history

    def test_history_and_diff(self):
        for day, price in ((20, 20), (21, 20), (22, 24), (24, 18)):
            self.take(HEAD + f"acme,m8,eu-1,DE,MI300X,8,{price},on-demand\nacme,m{day},eu-1,DE,MI300X,4,10,on-demand\n", day)
        answer = self.fits("prices-history", self.json("prices", "history", "mi300x", "--provider", "acme", "--since", "2026-11-01"))
        eight = [o for o in answer["observations"] if o["instance"] == "m8"]
        self.assertEqual([(o["price_usd_per_hour"], o["first_seen_at"], o["last_seen_at"], o["stands"]) for o in eight],
                         [(20, DAY % 20, DAY % 21, False), (24, DAY % 22, DAY % 22, False), (18, DAY % 24, DAY % 24, True)])
        self.assertEqual(len(answer["observations"]), 3 + 4)
        low = [s["lowest_usd_per_gpu_hour"] for s in answer["series"]]
        self.assertEqual((low[0], low[-1], max(low)), (2.5, 2.25, 2.5))
        self.assertGreaterEqual(answer["series"][-1]["from"][:10], "2026-11-26")  # to the day of asking, not to the last sighting
        out = self.ok("prices", "history", "mi300x", "--since", "2026-11-20", env={"COLUMNS": "80"})
        self.assertRegex(out, r"(?m)^ +2\.500 \|\*")
        self.assertLessEqual(max(map(len, out.splitlines())), 80)
        csv = self.ok("prices", "history", "mi300x", "--format", "csv", "--since", "2026-11-20")
        self.assertTrue(csv.startswith("first_seen_at,last_seen_at,provider"))
        self.exits(3, "prices", "history", "mi300x", "--provider", "nobody")
        self.exits(2, "prices", "history", "v100")
        self.exits(2, "prices", "history")
        self.exits(2, "prices", "history", "mi300x", "--since", "yesterday")
        now = {"GPUADVISE_NOW": DAY % 25}
        changes = self.fits("prices-diff", self.json("prices", "diff", "--since", "2026-11-23", env=now))
        self.assertEqual([(c["change"], c["instance"]) for c in changes["changes"]], [("gone", "m22"), ("new", "m24"), ("down", "m8")])
        self.assertEqual(changes["counts"], {"new": 1, "gone": 1, "up": 0, "down": 1})
        self.assertEqual([(c["before_usd_per_gpu_hour"], c["price_usd_per_gpu_hour"]) for c in changes["changes"]], [(2.5, None), (None, 2.5), (3, 2.25)])
        down = changes["changes"][2]
        self.assertEqual((down["before_usd_per_gpu_hour"], down["price_usd_per_gpu_hour"], down["change_pct"]), (3, 2.25, -25))
        self.assertEqual(self.json("prices", "diff", "--since", "12h", env=now)["changes"], [])
        pruned = self.fits("prices-prune", self.json("prices", "prune", "--older-than", "3d", env=now))
        self.assertEqual((pruned["deleted"], pruned["kept"]), (3, 4))
        self.exits(2, "prices", "prune")
        self.assertEqual(set(self.mine()), {"m8", "m24"})

    # ---------------------------------------------------------------- snapshots

    def test_snapshots_are_taken_in_only_when_signed(self):
        path = os.path.join(self.home, "team")
        key = os.path.join(self.home, "key")
        self.exits(2, "prices", "export")
        self.ok("prices", "export", "--new-key", key)
        self.assertEqual(os.stat(key).st_mode & 0o777, 0o600)
        self.exits(1, "prices", "export", "--new-key", key)
        self.exits(3, "prices", "export", "--snapshot", path, "--secret-key", key)
        self.take(HEAD + "acme,m8,eu-1,DE,MI300X,8,20,on-demand\nacme,^x,eu-1,DE,MI300X,4,10,on-demand\nacme,^,eu-1,,Foo,4,10,on-demand\n")
        _, err = self.exits(3, "prices", "export", "--snapshot", path, "--secret-key", key)  # a list of one's own is not handed on unasked
        self.assertFalse(os.path.exists(path))
        answer = self.fits("prices-export", self.json("prices", "export", "--snapshot", path, "--secret-key", key, "--with-imports"))
        self.assertEqual((answer["rows"], answer["bytes"]), (3, os.path.getsize(path)))
        other = {"XDG_DATA_HOME": os.path.join(self.home, "other")}
        public = ["--trusted-key", key + ".pub"]
        _, err = self.exits(2, "prices", "import", path, env=other)
        self.assertIn("--trusted-key", err)
        self.ok("prices", "export", "--new-key", key + "2")
        _, err = self.exits(1, "prices", "import", path, "--trusted-key", key + "2.pub", env=other)
        self.assertIn("another key", err)
        with open(path, "rb") as f:
            good = f.read()
        with open(path, "wb") as f:
            f.write(good.replace(b"20.000000", b"10.000000"))
        _, err = self.exits(1, "prices", "import", path, *public, env=other)
        self.assertIn("not those that were signed", err)
        with open(path, "wb") as f:
            f.write(good)
        self.assertEqual(self.mine(env=other), {})
        taken = self.fits("prices-import", self.json("prices", "import", path, *public, env=other))["providers"]
        self.assertEqual([(p["name"], p["status"], p["rows"], p["unmapped"]) for p in taken], [("quote", "ok", 3, 1)])
        self.assertEqual(self.mine(env=other), self.mine())
        self.assertEqual(self.json("prices", "import", path, *public, env=other)["providers"][0]["status"], "skipped")
        self.exits(3, "prices", "export", "--snapshot", path + "2", "--secret-key", key, env=other)  # nor by who got it
        os.remove(path + ".minisig")
        _, err = self.exits(1, "prices", "import", path, *public, env=other)
        self.assertIn("no signature beside it", err)

    # ---------------------------------------------------------------- crashes and crowds

    def database(self):
        return os.path.join(self.home, "data/gpuadvise/catalog.db")

    def check_database(self):
        with sqlite3.connect(self.database()) as db:
            self.assertEqual(db.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            self.assertEqual(db.execute("PRAGMA foreign_key_check").fetchall(), [])

    @harness.once
    def test_killed_at_any_moment_nothing_is_half_written(self):
        rows = 1000
        self.take(big_list(rows))
        path = self.write("next.csv", "")
        chance = random.Random(4)
        price = 1.0
        for i in range(WRITE_CRASHES):
            wanted = price * (1.01 if price < 2 else 0.6)
            self.write("next.csv", big_list(rows, wanted))
            env = {**harness.environment(self.home), "GPUADVISE_NOW": f"2026-11-21T{i // 60:02d}:{i % 60:02d}:00Z"}
            child = subprocess.Popen([harness.BIN, "prices", "import", path, "--name", "quote"], env=env, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL)
            time.sleep(chance.random() * 0.15)
            child.send_signal(signal.SIGKILL)
            child.wait()
            self.check_database()
            offers = [o for o in self.offers("mi300x", "--all-regions") if o["feed"] == "quote"]
            self.assertEqual(len(offers), rows)
            seen = {round(o["price_usd_per_hour"] / (16 + int(o["instance"][1:]) % 9), 3) for o in offers}
            self.assertEqual(len(seen), 1, "prices of two refreshes")
            price = wanted if round(wanted, 3) in seen else price

    @harness.once
    def test_writers_and_readers_at_once(self):
        self.take(big_list(500))
        paths = [self.write(f"w{i}.csv", big_list(2000, 1.0 + i / 10)) for i in range(3)]
        env = harness.environment(self.home)
        commands = [["prices", "import", p, "--name", f"w{i}"] for i, p in enumerate(paths)]
        commands += [["prices", "list", "mi300x", "--json"], ["report", "--workload", "llama70b", "--json"], ["prices", "diff", "--json"]]
        running = [(c, subprocess.Popen([harness.BIN, *c], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)) for c in commands]
        for command, child in running:
            _, err = child.communicate(timeout=60)
            self.assertEqual(child.returncode, 0, f"{command}: {err.decode()}")
        self.check_database()
        feeds = {o["feed"] for o in self.offers("mi300x", "--all-regions", "--superseded")}
        self.assertLessEqual({"w0", "w1", "w2", "quote"}, feeds)

    def test_a_list_replaces_the_one_of_its_name(self):
        self.take(HEAD + "acme,m8,eu-1,DE,MI300X,8,20,on-demand\nother,h8,eu-1,DE,H100 SXM,8,22,on-demand\n")
        self.take(HEAD + "acme,m8,eu-1,DE,MI300X,8,20,on-demand\n", 21)
        left = [o for o in self.offers("nvidia:h100", "--all-regions") if o["feed"] == "quote"]
        self.assertEqual([o["available"] for o in left], [False] * len(left), left)

    @harness.once
    def test_full_disk_leaves_the_old_data(self):
        self.take(HEAD + "acme,m8,eu-1,DE,MI300X,8,20,on-demand\n")
        path = self.write("big.csv", big_list(30000))
        size = os.path.getsize(self.database()) + 200000

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        done = subprocess.run([harness.BIN, "prices", "import", path, "--name", "quote"], env=harness.environment(self.home),
                              preexec_fn=limit, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr.decode(), "File too large|no space left")
        self.check_database()
        self.assertEqual({k: o["price_usd_per_hour"] for k, o in self.mine().items()}, {"m8": 20})


if __name__ == "__main__":
    harness.main()
