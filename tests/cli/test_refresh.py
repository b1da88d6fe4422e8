"""prices refresh: all feeds from a real HTTPS server, every fault of a server that misbehaves, kills, two at once."""
import concurrent.futures
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests"))
from servers import feeds as servers  # noqa: E402


class Refresh(harness.Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="gpuadvise-tls-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        servers.make_authority(cls.folder)

    def serve(self, behaviours, certificate="localhost"):
        server = servers.Misbehaving(self.folder, behaviours, certificate)
        self.addCleanup(server.stop)
        return server

    def good(self):
        server = self.serve({})
        server.behaviours.update(servers.good_documents(server.port))
        return server

    def nginx(self):
        if servers.Nginx.path() is None:
            self.skipTest("nginx is not installed")
        folder = tempfile.mkdtemp(prefix="gpuadvise-nginx-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        for name in ("localhost.pem", "localhost.key"):
            shutil.copy(os.path.join(self.folder, name), folder)
        server = servers.Nginx(folder)
        self.addCleanup(server.stop)
        return server

    def only_ours(self):
        """The system's authorities aside, which cost each connection time; test_one_line_of_text has them."""
        return {"SSL_CERT_FILE": os.path.join(self.folder, "ca.pem")}

    def refresh(self, *args, code=0, **options):
        options.setdefault("env", self.only_ours())
        now = options.pop("now", None)
        if now is not None:
            options["env"] = {**options["env"], "GPUADVISE_NOW": now}
        answer = self.json("prices", "refresh", "--ca", os.path.join(self.folder, "ca.pem"), *args, code=code, **options)
        return {p["name"]: p for p in answer["providers"]}

    def offers(self, *args):
        return self.json("prices", "list", "--all-regions", *args)["offers"]

    def database(self):
        return sqlite3.connect(os.path.join(self.home, "data", "gpuadvise", "catalog.db"))

    # ---------------------------------------------------------------- all of them, from nginx

    def test_all_feeds_at_once_then_304(self):
        server = self.nginx()
        got = self.refresh(*servers.FEEDS, *servers.feed_urls(server.port))
        self.assertEqual({n: (p["status"], p["error"]) for n, p in got.items()}, {n: ("ok", None) for n in servers.FEEDS})
        rows = {n: p["rows"] for n, p in got.items()}
        self.assertEqual(rows, {"azure": 6, "aws": 5, "oci": 4, "vultr": 6, "runpod": 12, "vast": 3, "cloudrift": 2, "gpuhunt": 2,
                                "skypilot": 5, "gpurentalprices": 2}, json.dumps(got, indent=1))
        reasons = {r["reason"] for r in got["azure"]["rejected"]}
        self.assertLessEqual({"Windows price", "Low Priority price", "DevTest price", "effective in the future"}, reasons)
        self.assertLessEqual({"Windows price", "capacity block", "dedicated host or instance"}, {r["reason"] for r in got["aws"]["rejected"]})
        self.assertEqual(got["aws"]["unmapped"], 1)
        azure = {(o["pricing_model"], o["price_usd_per_hour"]) for o in self.offers("amd:mi300x", "--provider", "azure") if o["feed"] == "azure"}
        self.assertEqual(azure, {("on-demand", 49.5)})
        oci = [o["price_usd_per_hour"] for o in self.offers("amd:mi300x", "--provider", "oci") if o["feed"] == "oci"]
        self.assertEqual(oci, [48.8])
        gb200 = [o["price_usd_per_hour"] for o in self.offers("nvidia:gb200", "--provider", "oci") if o["feed"] == "oci"]
        self.assertEqual(gb200, [66])  # priced by the estimator's list alone, whose parts name no unit
        self.assertLessEqual({"a part of the shape is not billed by the hour", "shape that is hidden or no longer sold"}, {r["reason"] for r in got["oci"]["rejected"]})
        with self.database() as db:
            before = list(db.execute("SELECT count(*), max(id) FROM offer_seen"))
        logged = len(server.log())
        again = self.refresh(*servers.FEEDS, *servers.feed_urls(server.port))
        self.assertEqual({p["status"] for p in again.values()}, {"unchanged"}, json.dumps(again, indent=1))
        self.assertEqual({p["new"] for p in again.values()}, {0})
        for name in ("azure", "aws", "oci", "vultr", "skypilot", "gpuhunt", "gpurentalprices"):
            self.assertGreater(again[name]["not_modified"], 0, name)
        statuses = server.log()[logged:]
        self.assertEqual(statuses.count("200"), 3, statuses)  # the three that are POSTs
        with self.database() as db:
            self.assertEqual(list(db.execute("SELECT count(*), max(id) FROM offer_seen")), before)

    def test_a_changed_page_refetches_its_feed(self):
        server = self.nginx()
        urls = servers.feed_urls(server.port, ["azure"])
        self.refresh("azure", *urls)
        path = os.path.join(server.folder, "www/azure/2")
        with open(path, encoding="utf-8") as f:
            text = f.read().replace("7.25", "7.75")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.utime(path, (time.time() + 5, time.time() + 5))
        got = self.refresh("azure", *urls)["azure"]
        self.assertEqual((got["status"], got["new"], got["unchanged"]), ("ok", 1, 5), got)

    def test_max_age_skips_and_metrics(self):
        server = self.nginx()
        metrics = os.path.join(self.home, "feeds.prom")
        urls = servers.feed_urls(server.port, ["oci", "vultr"])
        self.refresh("oci", *urls)
        got = self.refresh("oci", "vultr", "--max-age", "6h", "--metrics", metrics, *urls)
        self.assertEqual((got["oci"]["status"], got["vultr"]["status"]), ("skipped", "ok"))
        with open(metrics, encoding="utf-8") as f:
            text = f.read()
        self.assertIn('"oci"', text)
        self.assertIn('"vultr"', text)

    def test_one_line_of_text(self):
        server = self.nginx()
        out = self.ok("prices", "refresh", "oci", "--ca", os.path.join(self.folder, "ca.pem"), *servers.feed_urls(server.port, ["oci"]))
        self.assertEqual(out, "1 refreshed, 0 unchanged, 0 failed, 0 skipped: 4 rows, 4 new, 0 gone, 0 held, 2 rejected, 0 unmapped\n")

    # ---------------------------------------------------------------- usage

    def test_feeds_with_a_key(self):
        """From the environment, a file or a command; to the feed's host alone; in no output."""
        rows = {"digitalocean": 2, "hotaisle": 1, "lambda": 1, "shadeform": 2, "hyperstack": 1}
        key = "s3cr3t-k3y"
        other = self.serve({"/stolen": servers.missing})
        for at, (name, (path, file, variable, header)) in enumerate(servers.KEYED.items()):
            server = self.serve({path: servers.reply(servers.payload(file)), "/away": servers.reply("", status="302 Found", headers=f"Location: https://localhost:{other.port}/stolen\r\n")})
            source = [{variable: key}, {variable + "_FILE": self.write("key", key + "\n")}, {variable + "_COMMAND": "echo " + key}][at % 3]
            env = {**source, "HOTAISLE_TEAM": "us"}
            words = ["prices", "refresh", name, "--json", "-v", "--ca", os.path.join(self.folder, "ca.pem"), "--feed-url", f"{name}=https://localhost:{server.port}"]
            out, err = self.exits(0, *words[:-1], words[-1] + path, env=env)
            got = json.loads(out)["providers"][0]
            self.assertEqual((got["status"], got["rows"]), ("ok", rows[name]), got)
            self.assertIn(header + key.encode(), server.seen[0][2])
            self.assertNotIn(key, out + err)
            out, err = self.exits(1, *words[:-1], words[-1] + "/away", env=env)
            self.assertNotIn(key, out + err)
            self.assertIn(variable, self.exits(1, *words[:-1], words[-1] + path)[1])  # no key
        self.assertEqual(len(other.seen), len(rows))
        self.assertFalse([head for _, _, head in other.seen if key.encode() in head])

    def test_gcp_adds_machines_up_from_their_parts(self):
        key = "AIza-s3cr3t"
        one, two = (servers.reply(servers.payload(f"gcp-{i}.json")) for i in (1, 2))
        server = self.serve({"/skus": lambda c, head: (two if b"pageToken=AB%2Fc%2B1%3D " in head else one)(c, head)})
        got = self.refresh("gcp", "--feed-url", f"gcp=https://localhost:{server.port}/skus", env={**self.only_ours(), "GCP_API_KEY": key})["gcp"]
        self.assertEqual((got["status"], got["error"]), ("ok", None), got)
        for _, _, head in server.seen:
            self.assertIn(b"X-Goog-Api-Key: " + key.encode(), head)
            self.assertNotIn(key.encode(), head.split(b"\r\n")[0])
        rows = {(o["instance"], o["pricing_model"]): o for o in self.offers("nvidia:") + self.offers("nvidia:", "--spot") if o["feed"] == "gcp"}
        # 4 + 12 x 0.03 + 170 x 0.004 + 375 x 0.073 / 730; half the disk price on spot.
        self.assertAlmostEqual(rows["a2-ultragpu-1g", "on-demand"]["price_usd_per_hour"], 5.0775, places=4)
        self.assertAlmostEqual(rows["a2-ultragpu-8g", "on-demand"]["price_usd_per_hour"], 8 * 5.0775, places=4)
        self.assertAlmostEqual(rows["a2-ultragpu-1g", "spot"]["price_usd_per_hour"], 1.5 + 0.12 + 0.17 + 0.01875, places=4)
        self.assertEqual(rows["a4-highgpu-8g", "spot"]["price_usd_per_hour"], 34)
        self.assertEqual(len(rows), 9)
        self.assertEqual({o["region"] for o in rows.values()}, {"us-central1"})
        self.assertEqual({r["reason"]: r["count"] for r in got["rejected"]}, {
            "a part of the machine has no price in that region": 4,  # the GPU is priced in a region where nothing else is
            "priced, but not sold on demand": 1, "commitment for parts, not a price of a machine": 1, "flexible-start or calendar reservation": 1,
            "a GPU alone, or of a machine that is not known": 1, "effective in the future": 1, "another unit than its part has": 1})

    def test_gcp_pages_that_repeat(self):
        server = self.serve({"/skus": servers.reply(servers.payload("gcp-1.json"))})
        got = self.refresh("gcp", "--feed-url", f"gcp=https://localhost:{server.port}/skus", code=1, env={**self.only_ours(), "GCP_API_KEY": "k"})["gcp"]
        self.assertIn("a page repeats", got["error"])

    def verda(self, token, **more):
        answers = {"/v1/oauth2/token": token, "/v1/instance-types": servers.reply(servers.payload("verda.json")),
                   "/v1/instance-availability": lambda c, head: servers.reply(servers.payload("verda-spot.json" if b"is_spot=true" in head else "verda-available.json"))(c, head)}
        server = self.serve({**answers, **more})
        return server, ["prices", "refresh", "verda", "--json", "-v", "--ca", os.path.join(self.folder, "ca.pem"), "--feed-url", f"verda=https://localhost:{server.port}/v1/instance-types"]

    def test_verda_trades_its_secret_for_a_token(self):
        env = {**self.only_ours(), "VERDA_CLIENT_ID": "the-id", "VERDA_CLIENT_SECRET": "s3cr\"3t"}
        server, words = self.verda(servers.reply('{"access_token": "t0k3n", "expires_in": 3600}'))
        out, err = self.exits(0, *words, env=env)
        got = json.loads(out)["providers"][0]
        self.assertEqual((got["status"], got["requests"]), ("ok", 4), got)
        question = json.loads(server.seen[0][2].split(b"\r\n\r\n", 1)[1])
        self.assertEqual(question, {"grant_type": "client_credentials", "client_id": "the-id", "client_secret": 's3cr"3t'})
        for _, path, head in server.seen[1:]:
            self.assertIn(b"Authorization: Bearer t0k3n", head, path)
            self.assertNotIn(b"s3cr", head)
        self.assertNotRegex(out + err, "s3cr|t0k3n")
        offers = {(o["instance"], o["region"], o["pricing_model"]): o for o in self.offers("nvidia:") + self.offers("nvidia:", "--spot") if o["feed"] == "verda"}
        self.assertEqual({k: (o["price_usd_per_hour"], o["available"], o["gpu"]) for k, o in offers.items()}, {
            ("8H100.80S.176V", "FIN-01", "on-demand"): (18.4, True, "h100-sxm5-80gb"), ("8H100.80S.176V", "FIN-03", "on-demand"): (18.4, True, "h100-sxm5-80gb"),
            ("8H100.80S.176V", None, "spot"): (6.44, False, "h100-sxm5-80gb")})
        self.assertEqual(got["unmapped"], 2)  # a V100 without its form
        self.assertIn("VERDA_CLIENT_ID", self.exits(1, *words, env={**env, "VERDA_CLIENT_ID": None})[1])

    def test_verda_tokens_that_are_none(self):
        env = {**self.only_ours(), "VERDA_CLIENT_ID": "the-id", "VERDA_CLIENT_SECRET": "s3cr3t"}
        for token, why in ((servers.reply("no", status="401 Unauthorized"), "HTTP 401"), (servers.reply("{}"), "no access_token"), (servers.reply('{"access_token": "a\\r\\nX: y"}'), "no access_token"),
                           (servers.reply('{"access_token": 7}'), "no access_token"), (servers.reply("t0k3n{"), "no JSON"), (servers.reply('"' + "x" * 200000), "announces")):
            server, words = self.verda(token)
            out, err = self.exits(1, *words, env=env)
            self.assertIn(why, json.loads(out)["providers"][0]["error"])
            self.assertNotRegex(out + err, "s3cr3t|t0k3n")
            self.assertEqual([path for _, path, _ in server.seen], ["/v1/oauth2/token"])

    def test_aws_reads_the_regions_asked_for(self):
        two = servers.payload("aws.csv").replace(b"us-east-1", b"eu-central-1")
        server = self.serve({"/us-east-1/index.csv": servers.reply(servers.payload("aws.csv"), type="text/csv", headers='ETag: "1"\r\n'),
                             "/eu-central-1/index.csv": servers.reply(two, type="text/csv", headers='ETag: "2"\r\n'),
                             "/spot.js": servers.reply(servers.payload("aws-spot.js"), type="text/plain", headers='ETag: "3"\r\n')})
        words = ["aws", "--feed-url", f"aws=https://localhost:{server.port}/{{region}}/index.csv"]
        self.refresh(*words)
        self.assertEqual({path for _, path, _ in server.seen}, {"/us-east-1/index.csv", "/spot.js"})
        regions = lambda: {o["region"] for o in self.offers("nvidia:", "--available") + self.offers("nvidia:") if o["feed"] == "aws" and o["available"] is not False}
        self.assertEqual(regions(), {"us-east-1"})
        server.seen.clear()
        self.refresh(*words, "--feed-regions", "eu-central-1", now="2026-11-28T00:00:00Z")
        self.assertNotIn("/us-east-1/index.csv", {path for _, path, _ in server.seen})
        self.assertEqual(regions(), {"us-east-1", "eu-central-1"})  # what was not asked for stands
        self.refresh(*words, "--feed-regions", "us-east-1, eu-central-1", now="2026-11-29T00:00:00Z")
        self.assertEqual(regions(), {"us-east-1", "eu-central-1"})
        got = self.refresh(*words, "--feed-regions", "../secret", code=1, now="2026-11-30T00:00:00Z")["aws"]
        self.assertIn("is no region", got["error"])

    def test_usage(self):
        self.assertIn("--offline", self.exits(2, "prices", "refresh", "--offline")[1])
        self.assertIn("did you mean 'vultr'", self.exits(2, "prices", "refresh", "vulture")[1])
        for url in ("oci=http://localhost/x", "oci=file:///etc/passwd", "oci=https://u:p@localhost/", "nosuch=https://localhost/", "oci.nopart=https://localhost/", "oci"):
            _, err = self.exits(2, "prices", "refresh", "oci", "--feed-url", url)
            self.assertNotIn("u:p", err)
        self.exits(2, "prices", "refresh", "oci", "--ca", self.write("not.pem", "no certificate"))

    # ---------------------------------------------------------------- faults

    # Name -> what the server does with RunPod's one document, and what the error (or rejected reason) says.
    FAULTS = {
        "500": (servers.reply("{}", status="500 Internal Server Error"), "HTTP 500 (tried 4 times)"),
        "429": (servers.reply("{}", status="429 Too Many Requests", headers="Retry-After: 3600\r\n"), "HTTP 429, asks to wait 3600 s"),
        "drip": (servers.drip, "too slow"),
        "cut": (servers.reply('{"data":', length=5000), "tried 4 times"),
        "short": (servers.reply(servers.payload("runpod.json"), length=100), "bad JSON"),
        "type": (servers.reply(servers.payload("runpod.json"), type="image/png"), "content type 'image/png'"),
        "html": (servers.reply("<!DOCTYPE html><html></html>"), "HTML"),
        "truncated": (servers.reply(servers.payload("runpod.json")[:300]), "bad JSON"),
        "deep": (servers.reply("[" * 100000), "bad JSON"),
        "huge": (servers.reply(b"{", length=10 << 30), "10737418240 bytes"),
        "loop": (servers.reply("", status="302 Found", headers="Location: /loop\r\n"), "more than 5 redirects"),
        "plain": (servers.reply("", status="302 Found", headers="Location: http://localhost/x?secret=1\r\n"), "no https URL"),
        "file": (servers.reply("", status="302 Found", headers="Location: file:///etc/passwd\r\n"), "no https URL"),
        "bomb": (servers.gzip_bomb(200), "over 8388608 bytes"),
        "utf8": (servers.reply(servers.payload("runpod.json").replace(b"MI300X OAM", b"MI300X \xff\xfe")), "bad JSON"),
        "controls": (servers.reply(servers.runpod_with(id="AMD \x1b[31mMI300X\x07")), "control characters in a name"),
        "nan": (servers.reply(servers.runpod_with(securePrice=float("nan"), secureSpotPrice=None, communityPrice=None)), "usable"),
        "negative": (servers.reply(servers.runpod_with(securePrice=-2.0, secureSpotPrice=None, communityPrice=None)), "usable"),
        "infinite": (servers.reply(servers.runpod_with(securePrice=1e308, secureSpotPrice=None, communityPrice=None)), "usable"),
        "thousands": (servers.reply(servers.runpod_with(securePrice="1,234.50", secureSpotPrice=None, communityPrice=None)), "the price is no number"),
        "comma": (servers.reply(servers.runpod_with(securePrice="2,45", secureSpotPrice=None, communityPrice=None)), "the price is no number"),
        "graphql": (servers.reply('{"errors":[{"message":"nope"}],"data":null}'), "nope"),
        "array": (servers.reply("[]"), "no list 'gpuTypes'"),
        "empty": (servers.reply(""), "bad JSON"),
    }

    def fault(self, name, urls):
        """One refresh of oci (good) and runpod (bad) in this test's home; runpod had prices before."""
        behaviour, says = self.FAULTS[name]
        server = self.serve({f"/{name}": behaviour, "/loop": self.FAULTS["loop"][0]})
        home = os.path.join(self.home, name)
        shutil.copytree(os.path.join(self.home, "start"), home)
        words = [harness.BIN, "prices", "refresh", "oci", "runpod", "--json", "--ca", os.path.join(self.folder, "ca.pem"), *urls,
                 "--feed-url", f"runpod=https://localhost:{server.port}/{name}"]
        env = {**harness.environment(home), **self.only_ours(), "GPUADVISE_NOW": "2026-11-28T00:00:00Z"}
        return home, says, subprocess.run(words, env=env, capture_output=True, timeout=100)

    def test_faults(self):
        good = self.good()
        urls = servers.feed_urls(good.port, ["oci"])
        start = os.path.join(self.home, "start")
        os.mkdir(start)
        self.refresh("oci", "runpod", *servers.feed_urls(good.port, ["oci", "runpod"]), home=start)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:  # "drip" and those tried again wait most of their time
            done = {name: pool.submit(self.fault, name, urls) for name in self.FAULTS}
        for name, future in done.items():
            with self.subTest(fault=name):
                home, says, process = future.result()
                out, err = process.stdout, process.stderr
                self.assertEqual(process.returncode, 0, f"{name}\n{out}\n{err}")
                self.assertNotIn(b"\x1b", out + err)
                self.assertNotIn(b"secret=1", out + err)
                got = {p["name"]: p for p in harness.parse_json(out.decode())["providers"]}
                self.assertEqual(got["oci"]["status"], "unchanged", name)
                self.assertEqual(got["runpod"]["status"], "failed", f"{name}\n{json.dumps(got['runpod'], indent=1)}")
                self.assertIn(says, got["runpod"]["error"], name)
                left = [o for o in self.json("prices", "list", "amd:mi300x", "--all-regions", "--provider", "runpod", home=home)["offers"] if o["feed"] == "runpod"]
                self.assertEqual(len(left), 4, name)  # 1, 2, 4 and 8 GPUs, as they were

    def test_a_page_that_repeats_and_one_elsewhere(self):
        page = json.loads(servers.payload("azure-1.json"))
        def link(to):
            return servers.reply(json.dumps({**page, "NextPageLink": to}))
        server = self.serve({})
        base = f"https://localhost:{server.port}"
        server.behaviours.update({"/same": link(base + "/same"), "/fresh": lambda c, head: link(f"{base}/fresh?n={time.monotonic_ns()}")(c, head),
                                  "/away": link("https://example.com/steal")})
        for name, says in (("same", "repeats"), ("fresh", "a page repeats"), ("away", "another host")):
            got = self.refresh("azure", "--feed-url", f"azure={base}/{name}", "--feed-url", f"azure.reserved={base}/none", code=1)["azure"]
            self.assertIn(says, got["error"])

    def test_certificates(self):
        for name, says in (("expired", "expired"), ("wrong", "matches target host name")):
            server = self.serve({"/x": servers.reply(servers.payload("runpod.json"))}, certificate=name)
            got = self.refresh("runpod", "--feed-url", f"runpod=https://localhost:{server.port}/x", code=1)["runpod"]
            self.assertIn(says, got["error"])
        server = self.serve({"/x": servers.reply(servers.payload("runpod.json"))})
        out, err = self.exits(1, "prices", "refresh", "runpod", "--feed-url", f"runpod=https://localhost:{server.port}/x")  # without --ca
        self.assertIn("certificate", err)
        self.ok("prices", "refresh", "runpod", "--feed-url", f"runpod=https://localhost:{server.port}/x", env={"SSL_CERT_FILE": os.path.join(self.folder, "ca.pem")})

    def test_retry_after_is_honoured(self):
        calls = []
        def busy_once(c, head):
            calls.append(time.monotonic())
            answer = servers.reply("", status="429 Too Many Requests", headers="Retry-After: 2\r\n") if len(calls) == 1 else servers.reply(servers.payload("runpod.json"))
            answer(c, head)
        server = self.serve({"/x": busy_once})
        got = self.refresh("runpod", "--feed-url", f"runpod=https://localhost:{server.port}/x")["runpod"]
        self.assertEqual((got["status"], got["requests"]), ("ok", 2))
        self.assertGreaterEqual(calls[1] - calls[0], 2)

    def test_strict_and_partial_failure(self):
        server = self.good()
        del server.behaviours["/runpod"]
        urls = servers.feed_urls(server.port, ["oci", "runpod"])
        self.assertEqual(self.refresh("oci", "runpod", *urls)["runpod"]["status"], "failed")
        self.refresh("oci", "runpod", "--strict", *urls, code=1)
        self.refresh("runpod", *urls, code=1)

    def test_a_part_that_is_missing_takes_nothing_away(self):
        server = self.good()
        urls = servers.feed_urls(server.port, ["vultr"])
        first = self.refresh("vultr", *urls)["vultr"]
        before = self.json("prices", "list", "--provider", "vultr", "--all-regions", "--unmapped")["offers"]
        for broken in (servers.reply("<html>sorry</html>", type="text/html"), servers.reply("", status="404 Not Found"), servers.reply('{"plans": [{"id"')):
            server.behaviours["/vultr/plans"] = broken
            got = self.refresh("vultr", *urls)["vultr"]
            self.assertEqual((got["gone"], got["error"]), (0, None), got)
            self.assertTrue(got["note"])
            self.assertLess(got["rows"], first["rows"])
            self.assertEqual([(o["instance"], o["available"]) for o in self.json("prices", "list", "--provider", "vultr", "--all-regions", "--unmapped")["offers"]],
                             [(o["instance"], o["available"]) for o in before])

    # ---------------------------------------------------------------- interrupted

    def start(self, server, *names):
        words = [harness.BIN, "prices", "refresh", *names, "--ca", os.path.join(self.folder, "ca.pem"), *servers.feed_urls(server.port)]
        return subprocess.Popen(words, env={**harness.environment(self.home), **self.only_ours()}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_interrupt_keeps_finished_feeds(self):
        server = self.good()
        server.behaviours["/runpod"] = servers.drip
        process = self.start(server, "oci", "runpod")
        for _ in range(200):
            time.sleep(0.05)
            if any(path == "/runpod" for _, path, _ in server.seen):
                break
        time.sleep(0.7)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertLess(time.monotonic() - started, 5)
        self.assertEqual(len([o for o in self.offers("amd:mi300x", "--provider", "oci") if o["feed"] == "oci"]), 1)

    def test_kill_at_random_moments(self):
        server = self.good()
        names = ["oci", "vultr", "runpod", "vast", "cloudrift", "azure"]
        want = {"oci": 4, "vultr": 6, "runpod": 12, "vast": 3, "cloudrift": 2, "azure": 6}
        draw = random.Random(4)
        self.ok("version")
        self.ok("prices", "list", "amd:mi300x")  # the database is there
        times = int(os.environ.get("GPUADVISE_KILLS", "12"))
        for round_ in range(times):
            process = self.start(server, *names)
            time.sleep(draw.uniform(0, 0.25))
            process.kill()
            process.communicate(timeout=20)
            with self.database() as db:
                self.assertEqual(list(db.execute("PRAGMA integrity_check")), [("ok",)])
                counts = dict(db.execute("SELECT feed, count(*) FROM offer_latest WHERE gone = 0 GROUP BY feed"))
            for feed, n in counts.items():
                self.assertEqual(n, want[feed], f"round {round_}: {feed} is half-written")
        got = self.refresh(*names, *servers.feed_urls(server.port, names))
        self.assertLessEqual({p["status"] for p in got.values()}, {"ok", "unchanged"})

    def test_two_at_once(self):
        server = self.good()
        self.ok("prices", "list", "amd:mi300x")
        both = [self.start(server, "oci", "vultr"), self.start(server, "oci", "vultr")]
        reader = self.json("prices", "list", "amd:mi300x")
        self.assertTrue(reader["offers"])
        for process in both:
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, err)

    def test_a_full_disk(self):
        server = self.good()
        self.refresh("oci", *servers.feed_urls(server.port, ["oci"]))
        path = os.path.join(self.home, "data", "gpuadvise", "catalog.db")
        limit = os.path.getsize(path) // 1024
        words = ["prlimit", f"--fsize={limit * 1024}", harness.BIN, "prices", "refresh", "azure", "runpod", "--ca", os.path.join(self.folder, "ca.pem"), *servers.feed_urls(server.port)]
        if shutil.which("prlimit") is None:
            self.skipTest("prlimit is not installed")
        done = subprocess.run(words, env={**harness.environment(self.home), **self.only_ours()}, capture_output=True, timeout=60)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        with self.database() as db:
            self.assertEqual(list(db.execute("PRAGMA integrity_check")), [("ok",)])
        self.assertEqual(len([o for o in self.offers("amd:mi300x", "--provider", "oci") if o["feed"] == "oci"]), 1)


if __name__ == "__main__":
    harness.main()
