"""What is told as kept is kept: places where nothing can be kept, disks that are full, a database that fails, clocks that are wrong."""
import json
import os
import shutil
import sqlite3
import subprocess
import time

import harness
from refresh_case import RefreshCase, servers

LIST = "instance,region,gpu,gpu_count,price_per_hour\nm8,eu,MI300X,8,{}\nh8,eu,H100 SXM,8,{}\n"
WRITING = (("prices", "import", "{home}/q.csv"), ("prices", "refresh", "runpod", "--metrics", "{home}/m.prom"),
           ("prices", "refresh", "--from", "https://localhost:1/s", "--trusted-key", "k"), ("prices", "accept", "quote"),
           ("prices", "prune", "--older-than", "1d"), ("bench", "copy", "--device", "cpu", "--quick", "--working-set", "1"),
           ("bench", "import", "{home}/runs.json"), ("workloads", "add", "mine", "kind=serve", "model_id=llama-3.1-70b"),
           ("models", "import", "{home}/models.csv"), ("gpus", "remove", "mine"))
READING = (("prices", "list", "amd:mi300x"), ("report", "--workload", "llama70b"), ("bench", "runs"), ("gpus", "list"),
           ("prices", "list", "--quarantined"), ("prices", "history", "mi300x"))
BAD_USAGE = (("prices", "prune"), ("prices", "refresh", "runpodd"), ("bench", "coppy"), ("workloads", "add", "mine", "kind"))


class Places(harness.Case):
    """As any user, root too: what is in the way is a file, a mount or a disk, not a mode."""
    seeded = True

    def check(self, env, wrapped=None, why=""):
        self.write("q.csv", LIST.format(20, 22))
        self.write("models.csv", "model_id\nmine\n")
        self.write("runs.json", "{}")
        full = {k: v for k, v in {**harness.environment(self.home), **env}.items() if v is not None}

        def run(words, *more):
            words = [harness.BIN, *more, *(w.format(home=self.home) for w in words)]
            done = subprocess.run([*(wrapped or []), *words], env=full, capture_output=True, timeout=120, cwd=self.home)
            return done.returncode, done.stdout.decode(), done.stderr.decode()
        for words in WRITING:
            for quiet in harness.sampled(((), ("-q",))):
                code, out, err = run(words, *quiet)
                self.assertEqual((code, out), (1, ""), f"{words}: {err}")
                self.assertIn("nothing would be kept: ", err)
                self.assertIn(why, err)
        with open(os.path.join(self.home, "m.prom"), encoding="utf-8") as f:
            self.assertEqual([line for line in f if line.startswith("gpuadvise_prices_last_success{")], ['gpuadvise_prices_last_success{feed="runpod"} 0\n'])
        os.unlink(os.path.join(self.home, "m.prom"))
        for words in harness.sampled(READING):
            code, out, err = run(words, "-q")
            self.assertIn(code, (0, 3), f"{words}: {err}")
            self.assertEqual(err, "")
            self.assertNotEqual(out, "")
        for words in BAD_USAGE:
            self.assertEqual(run(words)[0], 2, words)

    def test_no_home(self):
        self.check({"HOME": None, "XDG_DATA_HOME": None}, why="HOME")

    @harness.once
    def test_a_file_where_the_folder_should_be(self):
        self.check({"XDG_DATA_HOME": self.write("file", "x")}, why="Not a directory")

    @harness.once
    def test_a_database_asked_for_by_name(self):
        path = self.write("file", "x")
        for words in WRITING:
            if words[0] == "prices":
                self.write("q.csv", LIST.format(20, 22))
                self.assertIn("nothing would be kept", self.exits(1, "--db", path + "/x.db", *(w.format(home=self.home) for w in words))[1])

    def own_mounts(self):
        own = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
        if shutil.which("unshare") is None or subprocess.run([*own, "mount -t tmpfs tmpfs " + self.home], capture_output=True, timeout=20).returncode != 0:
            self.skipTest("no disk of one's own can be mounted here")
        return own

    @harness.once
    def test_a_mount_that_is_read_only(self):
        folder = os.path.join(self.home, "data")
        self.check({}, [*self.own_mounts(), f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder} && exec \"$@\"", "sh"], "Read-only")

    @harness.once
    def test_a_disk_that_is_full(self):
        """Both with room for the facts and without: first use, and a home of some time."""
        folder, kept = os.path.join(self.home, "small"), os.path.join(self.home, "data")
        os.mkdir(folder)
        fill = f"dd if=/dev/zero of={folder}/fill bs=4k 2>/dev/null; exec \"$@\""
        for room, first in (("300k", ""), ("8m", f"cp -r {kept}/. {folder} && ")):
            self.check({"XDG_DATA_HOME": folder}, [*self.own_mounts(), f"mount -t tmpfs -o size={room} tmpfs {folder} && {first}{fill}", "sh"], "no space left")


class Database(RefreshCase):
    seeded = True

    def metric(self, path, name, feed):
        with open(path, encoding="utf-8") as f:
            return [line.split()[1] for line in f if line.startswith(f'gpuadvise_prices_{name}{{feed="{feed}"}}')]

    def test_a_failing_database_is_not_the_feeds_fault(self):
        """A table that refuses what one feed brings: exit 1 though the other feed went well, and metrics tell no success."""
        server = self.good()
        urls = servers.feed_urls(server.port, ["runpod", "oci"])
        metrics = os.path.join(self.home, "m.prom")
        self.refresh("runpod", "oci", *urls, "--metrics", metrics)
        self.assertEqual(self.metric(metrics, "last_success", "runpod"), ["1"])
        with self.database() as db:
            db.execute("UPDATE offer_latest SET as_of = '2026-11-01'")
            db.execute("CREATE TRIGGER broken BEFORE UPDATE ON offer_latest WHEN new.feed = 'runpod' BEGIN SELECT RAISE(ABORT, 'made to fail'); END")
            db.execute("CREATE TRIGGER worse BEFORE UPDATE ON feed_state WHEN new.error IS NOT NULL BEGIN SELECT RAISE(ABORT, 'made to fail'); END")
        got = self.refresh("runpod", "oci", *urls, "--metrics", metrics, code=1, now="2026-11-28T00:00:00Z")
        self.assertEqual((got["runpod"]["status"], got["oci"]["status"] in ("ok", "unchanged")), ("failed", True))
        self.assertIn("the program's own database", got["runpod"]["error"])
        self.assertEqual((self.metric(metrics, "last_success", "runpod"), self.metric(metrics, "last_success", "oci")), (["0"], ["1"]))

    def test_a_feed_that_was_never_kept_has_no_success(self):
        server = self.good()
        metrics = os.path.join(self.home, "m.prom")
        self.json("prices", "list", "amd:mi300x")
        with self.database() as db:
            db.execute("CREATE TRIGGER broken BEFORE INSERT ON feed_state BEGIN SELECT RAISE(ABORT, 'made to fail'); END")
        self.refresh("runpod", *servers.feed_urls(server.port, ["runpod"]), "--metrics", metrics, code=1)
        self.assertEqual(self.metric(metrics, "last_success", "runpod"), ["0"])
        self.assertEqual(self.metric(metrics, "age_seconds", "runpod"), [])

    def test_a_run_that_could_not_be_kept_is_a_failure(self):
        self.json("bench", "runs")
        with self.database() as db:
            db.execute("CREATE TRIGGER broken BEFORE INSERT ON bench_result BEGIN SELECT RAISE(ABORT, 'made to fail'); END")
        words = ("bench", "copy", "--device", "cpu", "--quick", "--working-set", "1")
        answer = self.json(*words, code=1)
        self.assertTrue(answer["results"])  # the answer itself is not lost
        self.assertTrue(any("keep the run" in w for w in answer["warnings"]))
        with self.database() as db:
            self.assertEqual(list(db.execute("SELECT * FROM bench_run")), [])


class Clocks(RefreshCase):
    seeded = True
    AHEAD, RIGHT = "2036-01-01T00:00:00Z", "2026-11-28T00:00:00Z"

    def at(self, now):
        return {"GPUADVISE_NOW": now}

    def test_a_refresh_under_a_clock_of_2036_then_a_right_one(self):
        server = self.good()
        urls = servers.feed_urls(server.port, ["runpod", "oci"])
        metrics = os.path.join(self.home, "m.prom")
        self.refresh("runpod", "oci", *urls, now=self.AHEAD)
        listed = self.json("prices", "list", "amd:mi300x", "--provider", "oci", env=self.at(self.RIGHT))
        self.assertEqual([(o["seen_at"], o["age_days"]) for o in listed["offers"] if o["feed"] == "oci"], [("2036-01-01", None)])
        self.assertTrue(any("ahead of this machine's clock" in w for w in listed["warnings"]))
        limited = self.json("prices", "list", "amd:mi300x", "--provider", "oci", "--max-age", "7d", env=self.at(self.RIGHT), code=6)
        self.assertEqual((limited["offers"], limited["left_out"]["dated_ahead"]), ([], 1))
        _, err = self.exits(0, "prices", "refresh", "runpod", "oci", "--ca", os.path.join(self.folder, "ca.pem"), *urls, "--metrics", metrics,
                            env={**self.only_ours(), **self.at(self.RIGHT)})
        self.assertEqual(err.count("its last refresh was dated ahead of this machine's clock"), 2)
        listed = self.json("prices", "list", "amd:mi300x", "--provider", "oci", env=self.at(self.RIGHT))
        self.assertEqual([(o["price_usd_per_hour"], o["seen_at"], o["age_days"], o["first_seen_at"]) for o in listed["offers"] if o["feed"] == "oci"],
                         [(48.8, "2026-11-28", 0, self.RIGHT)])
        self.assertEqual(listed["warnings"], [])
        with open(metrics, encoding="utf-8") as f:
            text = f.read()
        self.assertIn('gpuadvise_prices_age_seconds{feed="oci"} 0\n', text)
        self.assertNotIn("} -", text)
        got = self.refresh("runpod", "oci", *urls, "--max-age", "6h", now="2026-11-28T01:00:00Z")
        self.assertEqual({p["status"] for p in got.values()}, {"skipped"})

    def test_metrics_of_a_feed_that_is_ahead_and_fails(self):
        server = self.good()
        urls = servers.feed_urls(server.port, ["oci"])
        metrics = os.path.join(self.home, "m.prom")
        self.refresh("oci", *urls, now=self.AHEAD)
        server.behaviours["/oci/products"] = servers.missing
        self.refresh("oci", *urls, "--metrics", metrics, code=1, now=self.RIGHT)
        with open(metrics, encoding="utf-8") as f:
            text = f.read()
        self.assertNotIn("age_seconds{", text)
        self.assertIn('gpuadvise_prices_last_success{feed="oci"} 0\n', text)

    def test_imports_under_any_clock(self):
        path = self.write("q.csv", LIST.format(20, 22))
        self.ok("prices", "import", path, "--name", "quote", env=self.at(self.AHEAD))
        self.write("q.csv", LIST.format(21, 22))
        _, err = self.exits(0, "prices", "import", path, "--name", "quote", env=self.at("2026-11-28T12:00:05Z"))
        self.assertIn("ahead of this machine's clock", err)
        _, err = self.exits(0, "prices", "import", path, "--name", "quote", env=self.at("2026-11-28T12:00:00Z"))  # put back by seconds
        prices = {o["price_usd_per_hour"]: o["age_days"] for o in self.json("prices", "list", "--all-regions", env=self.at(self.RIGHT))["offers"] if o["feed"] == "quote"}
        self.assertEqual(prices, {21: 0, 22: 0})

    def test_a_list_dated_ahead(self):
        path = self.write("q.csv", "instance,region,gpu,gpu_count,price_per_hour,as_of\nm8,eu,MI300X,8,8,2027-03-01\n")
        _, err = self.exits(0, "prices", "import", path, "--name", "quote")
        self.assertIn("1 row dated ahead of this machine's clock", err)
        answer = self.json("report", "--workload", "llama70b", "--vendor", "amd")
        best = next(o for o in answer["options"] if o["instance"] == "m8")
        self.assertEqual(best["price_seen_at"], "2027-03-01")
        self.assertTrue(any("2027-03-01, ahead of this machine's clock" in w for w in answer["warnings"]))
        self.assertNotIn(" 0 days ago", self.ok("report", "--workload", "llama70b", "--vendor", "amd"))

    def test_a_clock_of_1970_says_so(self):
        answer = self.json("prices", "list", "amd:mi300x", env=self.at("1970-01-01T00:00:00Z"))
        self.assertEqual({o["age_days"] for o in answer["offers"]}, {None})
        self.assertTrue(any("ahead of this machine's clock" in w for w in answer["warnings"]))
        tables = self.json("doctor", env=self.at("1970-01-01T00:00:00Z"))["tables"]
        self.assertEqual({t["age_days"] for t in tables}, {None})

    @harness.once
    def test_the_later_validity_counts(self):
        item = {"currencyCode": "USD", "tierMinimumUnits": 0.0, "armRegionName": "eastus", "meterName": "ND96isr_H100_v5", "productName": "Virtual Machines NDsr H100 v5 Series",
                "skuName": "ND96isr_H100_v5", "unitOfMeasure": "1 Hour", "type": "Consumption", "armSkuName": "Standard_ND96isr_H100_v5"}
        times = (("2024-05-01T00:00:00Z", 88), ("2026-10-01T00:00:00Z", 98), ("2026-11-27T06:00:00Z", 70), ("2026-12-01T00:00:00Z", 60))
        page = {"Items": [dict(item, effectiveStartDate=start, retailPrice=usd, unitPrice=usd) for start, usd in times], "NextPageLink": None}
        server = self.serve({"/azure/1": servers.reply(json.dumps(page))})
        urls = ["--feed-url", f"azure=https://localhost:{server.port}/azure/1", "--feed-url", f"azure.reserved=https://localhost:{server.port}/none"]
        for now, usd in (("2026-11-27T00:00:00Z", 98), ("2026-11-27T07:00:00Z", 70), ("2026-12-02T00:00:00Z", 60)):
            self.refresh("azure", *urls, now=now)
            got = [o["price_usd_per_hour"] for o in self.json("prices", "list", "--provider", "azure", "--all-regions", env=self.at(now))["offers"]
                   if o["feed"] == "azure" and o["region"] == "eastus"]
            self.assertEqual(got, [usd], now)


class Commands(RefreshCase):
    """A command that prints a key."""
    seeded = True

    def asks(self, command, code):
        server = self.serve({"/instance-types": servers.reply(servers.payload("lambda.json"))})
        started = time.monotonic()
        got = self.refresh("lambda", "--feed-url", f"lambda=https://localhost:{server.port}/instance-types", code=code,
                           env={**self.only_ours(), "LAMBDA_API_KEY_COMMAND": command})["lambda"]
        return got, time.monotonic() - started, server

    def script(self, text):
        path = self.write("key.sh", "#!/bin/sh\n" + text)
        os.chmod(path, 0o700)
        return path

    @harness.once
    def test_one_that_does_not_stop_printing(self):
        for command in ("yes", self.script("head -c 70000 /dev/zero | tr '\\0' k")):
            got, took, server = self.asks(command, 1)
            self.assertIn("LAMBDA_API_KEY_COMMAND printed more than 64 KiB", got["error"])
            self.assertLess(took, 20)
            self.assertEqual(server.seen, [])

    def test_one_that_fails(self):
        for command in ("false", "true", "no-such-program-here", self.script("echo k; exit 3"), self.script("kill -9 $$")):
            got, _, _ = self.asks(command, 1)
            self.assertIn("LAMBDA_API_KEY_COMMAND", got["error"], command)

    def test_one_whose_key_is_none(self):
        for command, why in ((self.script("head -c 9000 /dev/zero | tr '\\0' k"), "longer than the 8000 characters"), ("echo a b", "holds a blank")):
            got, _, server = self.asks(command, 1)
            self.assertIn(why, got["error"], command)
            self.assertEqual(server.seen, [])
        got, _, server = self.asks("echo" + 64 * " k", 1)
        self.assertIn("LAMBDA_API_KEY_COMMAND cannot be started", got["error"])

    def test_one_that_leaves_a_child_behind(self):
        """Whose output stays open: the key is taken all the same, and a key in pieces is one key."""
        got, took, server = self.asks(self.script("sleep 100 2>/dev/null &\nprintf s3; sleep 0.2; echo cr3t\n"), 0)
        self.assertLess(took, 20)
        self.assertIn(b"Bearer s3cr3t\r\n", server.seen[0][2])
        self.assertEqual(got["status"], "ok")

    def test_one_that_is_not_needed_is_not_run(self):
        path = os.path.join(self.home, "asked")
        command = self.script(f"echo x >> {path}; echo k\n")
        server = self.serve({"/instance-types": servers.reply(servers.payload("lambda.json"))})
        words = ("lambda", "--feed-url", f"lambda=https://localhost:{server.port}/instance-types", "--max-age", "6h")
        for _ in range(2):
            self.refresh(*words, env={**self.only_ours(), "LAMBDA_API_KEY_COMMAND": command})
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read(), "x\n")

    @harness.once
    def test_one_that_hangs_holds_up_nobody(self):
        """Half a minute for it, also where it takes no notice of being told to end; an import is taken in meanwhile."""
        self.write("q.csv", LIST.format(20, 22))
        command = self.script("trap '' TERM\nwhile :; do sleep 1; done\n")
        env = {**harness.environment(self.home), **self.only_ours(), "LAMBDA_API_KEY_COMMAND": command}
        started = time.monotonic()
        with subprocess.Popen([harness.BIN, "prices", "refresh", "lambda"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as hanging:
            time.sleep(2)
            self.ok("prices", "import", os.path.join(self.home, "q.csv"), "--name", "quote")
            self.assertIsNone(hanging.poll())
            _, err = hanging.communicate(timeout=90)
        self.assertEqual(hanging.returncode, 1)
        self.assertIn(b"LAMBDA_API_KEY_COMMAND did not end within 30 s", err)
        self.assertLess(time.monotonic() - started, 60)


if __name__ == "__main__":
    harness.main()
