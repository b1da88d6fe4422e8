"""prices refresh: all feeds from a real HTTPS server, every fault of a server that misbehaves, kills, two at once."""
import concurrent.futures
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import time

import harness
from refresh_case import RefreshCase, servers


class Refresh(RefreshCase):
    def bytes_of_the_database(self):
        folder = os.path.join(self.home, "data", "gpuadvise")
        found = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as f:
                found[name] = hashlib.sha256(f.read()).hexdigest()
        self.assertIn("catalog.db", found)
        return found

    # ---------------------------------------------------------------- all of them, from nginx

    def test_a_seller_that_no_feed_asks(self):
        for name in ("nebius", "Crusoe", "tensorwave"):
            _, err = self.exits(2, "prices", "refresh", name)
            self.assertIn(f"prices list --provider {name.lower()}", err)
        self.assertIn("did you mean 'vultr'?", self.exits(2, "prices", "refresh", "vlutr")[1])

    def test_all_feeds_at_once_then_304(self):
        server = self.nginx()
        got = self.refresh(*servers.FEEDS, *servers.feed_urls(server.port))
        self.assertEqual({n: (p["status"], p["error"]) for n, p in got.items()}, {n: ("ok", None) for n in servers.FEEDS})
        rows = {n: p["rows"] for n, p in got.items()}
        self.assertEqual(rows, servers.ROWS, json.dumps(got, indent=1))
        reasons = {r["reason"] for r in got["azure"]["rejected"]}
        self.assertLessEqual({"Windows price", "Low Priority price", "DevTest price", "takes effect in the future"}, reasons)
        self.assertLessEqual({"Windows price", "capacity block", "dedicated host or instance"}, {r["reason"] for r in got["aws"]["rejected"]})
        self.assertEqual(got["aws"]["unmapped"], 1)
        self.assertEqual(got["scaleway"]["held"], 3)  # prices in euros, and no rate
        azure = {(o["pricing_model"], o["price_usd_per_hour"]) for o in self.offers("amd:mi300x", "--provider", "azure") if o["feed"] == "azure"}
        self.assertEqual(azure, {("on-demand", 49.5)})
        oci = [o["price_usd_per_hour"] for o in self.offers("amd:mi300x", "--provider", "oci") if o["feed"] == "oci"]
        self.assertEqual(oci, [48.8])
        gb200 = [o["price_usd_per_hour"] for o in self.offers("nvidia:gb200", "--provider", "oci") if o["feed"] == "oci"]
        self.assertEqual(gb200, [66])  # priced by the estimator's list alone, whose parts name no unit
        self.assertLessEqual({"a part of the shape is not billed by the hour", "shape that is hidden or no longer sold"}, {r["reason"] for r in got["oci"]["rejected"]})
        before = self.bytes_of_the_database()
        logged = len(server.log())
        metrics = os.path.join(self.home, "feeds.prom")
        again = self.refresh(*servers.FEEDS, *servers.feed_urls(server.port), "--metrics", metrics, env={**self.only_ours(), "GPUADVISE_NOW": "2026-11-27T00:30:00Z"})
        self.assertEqual({p["status"] for p in again.values()}, {"unchanged"}, json.dumps(again, indent=1))
        self.assertEqual({p["new"] for p in again.values()}, {0})
        for name in ("azure", "aws", "oci", "vultr", "skypilot", "gpuhunt", "gpurentalprices"):
            self.assertGreater(again[name]["not_modified"], 0, name)
        statuses = server.log()[logged:]
        self.assertEqual(statuses.count("200"), 3, statuses)  # the three that are POSTs
        self.assertEqual(self.bytes_of_the_database(), before)
        with open(metrics, encoding="utf-8") as f:
            ages = [line.split()[1] for line in f if line.startswith("gpuadvise_prices_age_seconds{")]
        self.assertEqual(ages, ["0"] * len(servers.FEEDS))  # just checked, though that is not written
        self.refresh(*servers.FEEDS, *servers.feed_urls(server.port), env={**self.only_ours(), "GPUADVISE_NOW": "2026-11-28T12:00:00Z"})
        with self.database() as db:
            self.assertEqual({d for d, in db.execute("SELECT DISTINCT as_of FROM offer_latest WHERE NOT dated")}, {"2026-11-28"})

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

    def test_other_facts_read_the_same_answers_again(self):
        """A size that the tables know since yesterday counts at once, though the list that names it has not changed."""
        server = self.nginx()
        data = os.path.join(self.home, "facts")
        shutil.copytree(os.path.join(harness.ROOT, "data"), data)
        urls = servers.feed_urls(server.port, ["azure"])
        self.refresh("azure", *urls)
        self.assertEqual(self.refresh("azure", "--data", data, *urls)["azure"]["not_modified"], 3)
        with open(os.path.join(data, "instance_gpus.tsv"), "a", encoding="utf-8") as f:
            f.write("zz\tzz.large\tmi300x-192gb\tAMD Instinct MI300X\t1\ttest\t2026\n")
        got = self.refresh("azure", "--data", data, *urls)["azure"]
        self.assertEqual((got["not_modified"], got["rows"]), (0, 6), got)
        self.assertEqual(self.refresh("azure", "--data", data, *urls)["azure"]["not_modified"], 3)

    def test_sizes_of_unknown_gpus_are_named(self):
        """Lists that leave GPUs out: the table of sizes fills them in, and what it lacks is named, size by size, apart from plain machines."""
        item = json.loads(servers.payload("azure-2.json"))["Items"][0]
        sizes = ["Standard_ND96isr_MI300X_v5", "Standard_NC8xx_Z9_v7", "Standard_NV9xx_Z9_v7", "Standard_NC8xx_Z9_v7"]
        page = {"Items": [dict(item, type="Consumption", skuName="x", meterName="x", productName="x", retailPrice=40 + i, armSkuName=size, meterId=str(i))
                          for i, size in enumerate(sizes)], "NextPageLink": None}
        table = ("InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,Generation\n"
                 "Standard_ND96isr_MI300X_v5,,,96,1850,,48,20,swedencentral,V2\nStandard_NC8xx_Z9_v7,,,8,64,,3,1,westus3,V2\nStandard_D2s_v5,,,2,8,,0.1,0.02,westus3,V2\n")
        spot = {"config": {"regions": [{"region": "us-east", "instanceTypes": [{"sizes": [
            {"size": size, "valueColumns": [{"name": "linux", "prices": {"USD": "1.5"}}]} for size in ("g4ad.xlarge", "p99.48xlarge", "c5.large")]}]}]}}
        server = self.good()
        server.behaviours.update({"/azure/1": servers.reply(json.dumps(page)), "/catalogs/v8/azure/vms.csv": servers.reply(table, type="text/csv"),
                                  "/aws/spot.js": servers.reply(f"callback({json.dumps(spot)});", type="text/javascript")})
        urls = servers.feed_urls(server.port, ["azure", "aws", "skypilot"])
        got = self.refresh("azure", "aws", "skypilot", *urls, "--feed-url", f"skypilot.azure=https://localhost:{server.port}/catalogs/v8/azure/vms.csv")
        unknown = {name: r for name, feed in got.items() for r in feed["rejected"] if r["reason"].startswith("machine with GPUs that are not known")}
        self.assertEqual((unknown["azure"]["count"], unknown["azure"]["example"]), (3, "Standard_NC8xx_Z9_v7, Standard_NV9xx_Z9_v7"))
        self.assertEqual((unknown["aws"]["count"], unknown["aws"]["example"]), (1, "p99.48xlarge"))
        self.assertEqual((unknown["skypilot"]["count"], unknown["skypilot"]["example"]), (1, "Standard_NC8xx_Z9_v7"))
        rows = {(o["provider"], o["instance"], o["gpu_count"], o["price_usd_per_hour"]) for o in self.offers("mi300x") if o["feed"] == "skypilot"}
        self.assertEqual(rows, {("azure", "Standard_ND96isr_MI300X_v5", 8, 48)})

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
        self.assertEqual(out, "1 refreshed, 0 unchanged, 0 failed, 0 skipped: 4 rows, 4 new, 0 gone, 0 quarantined, 2 rejected, 0 unmapped\n")

    # ---------------------------------------------------------------- prices that nobody is sold at

    def test_placeholders_are_held_and_win_nothing(self):
        """RunPod's 0.50 for an H200 NVL, and Vast's mirror of a 5090 at 53.34 $/h."""
        nvl = {"id": "NVIDIA H200 NVL", "memoryInGb": 143, "maxGpuCount": 2, "secureCloud": True, "communityCloud": True, "securePrice": 3.39,
               "communityPrice": 0.5, "lowestPrice": {"stockStatus": "High"}}
        mi300x = {"id": "AMD Instinct MI300X OAM", "memoryInGb": 192, "maxGpuCount": 1, "secureCloud": True, "securePrice": 0.5}
        machine = {"gpu_name": "RTX 5090", "num_gpus": 1, "gpu_ram": 32607, "cpu_cores_effective": 16.0, "cpu_ram": 64000, "rentable": True,
                   "rented": False, "verified": True, "min_bid": 0.2}
        offers = [dict(machine, id=1, dph_total=0.45, dph_base=0.45, geolocation="Oslo, NO"),
                  dict(machine, id=2, dph_total=53.34, dph_base=53.34, min_bid=33.33, geolocation="Kyiv, UA")]
        server = self.serve({"/runpod": servers.reply(json.dumps({"data": {"gpuTypes": [nvl, mi300x]}})), "/vast": servers.reply(json.dumps({"offers": offers}))})
        urls = servers.feed_urls(server.port, ["runpod", "vast"])
        got = self.refresh("runpod", "vast", *urls)
        self.assertEqual((got["runpod"]["rows"], got["runpod"]["held"], got["vast"]["rows"], got["vast"]["held"]), (2, 3, 2, 2), got)
        held = self.json("prices", "list", "--quarantined")["quarantined"]
        self.assertEqual(sorted(h["price_usd_per_hour"] for h in held), [0.5, 0.5, 1.0, 33.33, 53.34])
        for h in held:
            self.assertRegex(h["reason"], "under 35 % of|over 20 times")
        asked = {o["price_usd_per_gpu_hour"] for o in self.offers("h200-nvl-141gb", "--provider", "runpod") if o["feed"] == "runpod"}
        self.assertEqual(asked, {3.39})
        self.assertNotIn(0.5, {o["price_usd_per_gpu_hour"] for o in self.offers("mi300x")})
        best = self.json("report", "--workload", "llama70b")["best"]
        self.assertGreater(min(best["amd"]["price_usd_per_gpu_hour"], best["nvidia"]["price_usd_per_gpu_hour"]), 0.5)
        again = self.refresh("runpod", "vast", *urls)
        self.assertEqual({(p["status"], p["held_new"]) for p in again.values()}, {("unchanged", 0)}, again)
        number = next(h["id"] for h in held if h["gpu"] == "mi300x-192gb")
        self.ok("prices", "accept", str(number))
        got = self.refresh("runpod", *urls)
        self.assertEqual((got["runpod"]["rows"], got["runpod"]["held"]), (3, 2))
        self.assertIn(0.5, {o["price_usd_per_gpu_hour"] for o in self.offers("mi300x")})

    def test_vast_counts_the_machines_behind_a_price(self):
        """Of machines alike those that ask at most a tenth more than the cheapest count as of its price; rented ones do not."""
        machine = {"gpu_name": "H100 SXM", "num_gpus": 8, "gpu_ram": 81559, "cpu_cores_effective": 32.0, "cpu_ram": 257000, "verified": True,
                   "geolocation": "Paris, FR", "rentable": True, "rented": False}
        asked = [(20, 10), (21.9, 10.5), (22.1, 15), (25, None)]
        offers = [dict(machine, id=i, dph_base=usd, min_bid=bid) for i, (usd, bid) in enumerate(asked)]
        offers += [dict(machine, id=8, dph_base=20, min_bid=10, rented=True), dict(machine, id=9, dph_base=20, min_bid=10, geolocation="Oslo, NO")]
        server = self.serve({"/vast": servers.reply(json.dumps({"offers": offers}))})
        self.refresh("vast", *servers.feed_urls(server.port, ["vast"]))
        for words, want in (((), {"FR": (20, 2), "NO": (20, 1)}), (("--spot",), {"FR": (10, 2), "NO": (10, 1)})):
            found = [o for o in self.offers("h100-sxm5-80gb", "--provider", "vast", *words) if o["feed"] == "vast"]
            self.assertEqual({o["region"]: (o["price_usd_per_hour"], o["machines_seen"]) for o in found}, want)
            self.assertEqual({(o["seller_class"], o["sold_by_gpu"]) for o in found}, {("marketplace-host", False)})

    # ---------------------------------------------------------------- usage

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
        for name, says in (("expired", "expired"), ("wrong", "matches target host")):
            server = self.serve({"/x": servers.reply(servers.payload("runpod.json"))}, certificate=name)
            got = self.refresh("runpod", "--feed-url", f"runpod=https://localhost:{server.port}/x", code=1)["runpod"]
            self.assertIn(says, got["error"])
        server = self.serve({"/x": servers.reply(servers.payload("runpod.json"))})
        out, err = self.exits(1, "prices", "refresh", "runpod", "--feed-url", f"runpod=https://localhost:{server.port}/x")  # without --ca
        self.assertIn("certificate", err)
        self.ok("prices", "refresh", "runpod", "--feed-url", f"runpod=https://localhost:{server.port}/x", env={"SSL_CERT_FILE": os.path.join(self.folder, "ca.pem")})

    @harness.once
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

    def test_strict_is_about_parts_too(self):
        server = self.good()
        urls = servers.feed_urls(server.port, ["vultr"])
        self.assertEqual(self.refresh("vultr", *urls, "--strict")["vultr"]["missing_documents"], 0)
        server.behaviours["/vultr/plans"] = servers.missing
        self.assertEqual(self.refresh("vultr", *urls)["vultr"]["missing_documents"], 1)
        self.refresh("vultr", *urls, "--strict", code=1)
        nginx = self.nginx()
        os.remove(os.path.join(nginx.folder, "www/vultr/plans"))
        urls = servers.feed_urls(nginx.port, ["vultr"])
        self.refresh("vultr", *urls)
        again = self.refresh("vultr", *urls, "--strict", code=1)["vultr"]  # known to be missing, the rest unchanged
        self.assertEqual((again["status"], again["missing_documents"]), ("unchanged", 1), again)

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

    @harness.once
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

    @harness.once
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
