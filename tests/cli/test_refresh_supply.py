"""prices refresh: how much of an offer there is, as feeds state it: stock by GPU count, machines and hosts behind a price."""
import json

import harness
from refresh_case import RefreshCase, servers


class Supply(RefreshCase):
    def taken(self, feed, *pricing):
        return [o for o in self.offers(*pricing) if o["feed"] == feed]

    # ---------------------------------------------------------------- stock by GPU count

    def runpod(self, *types):
        server = self.serve({"/runpod": servers.reply(json.dumps({"data": {"gpuTypes": types}}))})
        self.refresh("runpod", *servers.feed_urls(server.port, ["runpod"]))
        self.question = server.seen[0][2].split(b"\r\n\r\n", 1)[1].decode()
        return {(o["region"], o["gpu_count"]): o["available"] for o in self.taken("runpod")}

    MI300X = {"id": "AMD Instinct MI300X OAM", "memoryInGb": 192, "maxGpuCount": 8, "secureCloud": True, "communityCloud": True, "securePrice": 2.4, "communityPrice": 2}

    def test_runpod_is_asked_for_each_count_in_each_cloud(self):
        """No status is out of stock; what was not answered for is unknown."""
        status = {"secure1": "High", "secure2": "Low", "secure4": None, "community1": None}
        got = self.runpod({**self.MI300X, **{key: {"stockStatus": x} for key, x in status.items()}, "community8": None})
        self.assertEqual(got, {("secure", 1): True, ("secure", 2): True, ("secure", 4): False, ("secure", 8): None,
                               ("community", 1): False, ("community", 2): None, ("community", 4): None, ("community", 8): None})
        for cloud, secure in (("secure", "true"), ("community", "false")):
            for n in (1, 2, 4, 8):
                self.assertIn(f"{cloud}{n}: lowestPrice(input: {{gpuCount: {n}, secureCloud: {secure}}}) {{ stockStatus }}", json.loads(self.question)["query"])
        listed = {(o["region"], o["gpu_count"]) for o in self.offers("mi300x", "--available") if o["feed"] == "runpod"}
        self.assertNotIn(("secure", 4), listed)

    def test_the_stock_of_one_gpu_is_not_that_of_eight(self):
        """Answers with one lowestPrice speak of one GPU in either cloud."""
        secure = {**self.MI300X, "communityCloud": False, "communityPrice": None}
        unknown = {("secure", n): None for n in (2, 4, 8)}
        self.assertEqual(self.runpod({**secure, "lowestPrice": {"stockStatus": "High"}}), {("secure", 1): True, **unknown})
        self.assertEqual(self.runpod({**secure, "lowestPrice": {"stockStatus": None}}), {("secure", 1): False, **unknown})
        self.assertEqual(self.runpod({**secure, "lowestPrice": {}}), {("secure", 1): None, **unknown})
        both = self.runpod({**self.MI300X, "lowestPrice": {"stockStatus": "High"}})
        self.assertEqual((both["secure", 1], both["community", 1]), (None, None))

    # ---------------------------------------------------------------- machines

    def test_cloudrift_counts_its_nodes(self):
        server = self.serve({"/cloudrift": servers.reply(servers.payload("cloudrift.json"))})
        self.refresh("cloudrift", "--feed-url", f"cloudrift=https://localhost:{server.port}/cloudrift")
        self.assertEqual({o["region"]: (o["available"], o["machines_seen"]) for o in self.taken("cloudrift")}, {"us-east-nc-1": (True, 3), "us-west-1": (False, None)})

    def test_hotaisle_machines_of_another_cpu_are_others(self):
        server = self.serve({"/teams/available/": servers.reply(servers.payload("hotaisle.json"))})
        got = self.refresh("hotaisle", "--feed-url", f"hotaisle=https://localhost:{server.port}/teams/available/", env={**self.only_ours(), "HOTAISLE_API_KEY": "k", "HOTAISLE_TEAM": "us"})
        self.assertEqual((got["hotaisle"]["rows"], got["hotaisle"]["rejected"]), (2, []))
        self.assertEqual({o["instance"]: o["price_usd_per_hour"] for o in self.taken("hotaisle")}, {"1x MI300X Xeon Platinum 8470": 3.05, "1x MI300X Xeon Platinum 8462Y+": 2.99})

    # ---------------------------------------------------------------- hosts

    MACHINE = {"gpu_name": "A100 SXM4", "num_gpus": 8, "gpu_ram": 81920, "cpu_cores_effective": 32.0, "cpu_ram": 257000, "verified": True, "rentable": True, "rented": False}

    def vast(self, *machines):
        offers = [{**self.MACHINE, "geolocation": "Paris, FR", "id": i, **m} for i, m in enumerate(machines)]
        server = self.serve({"/vast": servers.reply(json.dumps({"offers": offers}))})
        self.refresh("vast", *servers.feed_urls(server.port, ["vast"]))

    def test_vast_counts_hosts_beside_machines(self):
        """Three machines of one host are three machines, and one host; memory tells cards apart; whose machine is not said is not counted."""
        self.vast({"dph_base": 8, "min_bid": 4, "host_id": 7}, {"dph_base": 8.1, "min_bid": 6, "host_id": 7}, {"dph_base": 8.2, "host_id": 7}, {"dph_base": 12, "host_id": 8},
                  {"dph_base": 9, "geolocation": "Oslo, NO", "host_id": 7}, {"dph_base": 9.1, "geolocation": "Oslo, NO", "host_id": 9},
                  {"dph_base": 9, "geolocation": "Austin, US", "host_id": 7}, {"dph_base": 9.1, "geolocation": "Austin, US"},
                  {"dph_base": 6, "gpu_ram": 40960, "host_id": 5})
        seen = {(o["region"], o["gpu"]): (o["price_usd_per_hour"], o["machines_seen"], o["hosts_seen"], o["one_host"]) for o in self.taken("vast")}
        self.assertEqual(seen, {("FR", "a100-sxm4-80gb"): (8, 3, 1, True), ("NO", "a100-sxm4-80gb"): (9, 2, 2, False), ("US", "a100-sxm4-80gb"): (9, 2, None, False),
                                ("FR", "a100-sxm4-40gb"): (6, 1, 1, True)})
        spot = [o for o in self.taken("vast", "--spot")]
        self.assertEqual([(o["price_usd_per_hour"], o["machines_seen"], o["hosts_seen"]) for o in spot], [(4, 1, 1)])
        words = ("prices", "list", "a100-sxm4-80gb", "--provider", "vast", "--all-regions", "--max-age", "1")
        text = self.ok(*words)
        self.assertRegex(text, r"vast 1 ")
        self.assertIn("1: 1 of one host each", " ".join(text.split()))
        self.assertRegex(self.ok(*words, "--format", "csv"), r"(?m)^one_host$|,one_host$")
        # The number of hosts changes at the same price: no new price, and the newest count.
        self.vast({"dph_base": 8, "min_bid": 4, "host_id": 7}, {"dph_base": 8.1, "host_id": 8})
        self.assertEqual([(o["machines_seen"], o["hosts_seen"], o["one_host"]) for o in self.taken("vast") if o["region"] == "FR" and o["gpu"] == "a100-sxm4-80gb" and o["available"]], [(2, 2, False)])

    def test_a_report_says_where_a_price_is_of_one_host(self):
        self.vast({"dph_base": 5.6, "host_id": 7}, {"dph_base": 5.7, "host_id": 7})
        words = ("report", "--workload", "llama8b", "--provider", "vast", "--gpu", "a100-sxm4-80gb", "--top", "1000")
        options = self.json(*words)["options"]
        mine = [o for o in options if o["hosts_seen"] == 1]
        self.assertTrue(mine)
        self.assertEqual({(o["machines_seen"], o["one_host"]) for o in mine}, {(2, True)})
        self.assertIn("(marketplace-host, one host)", self.ok(*words))

    # ---------------------------------------------------------------- places

    def test_a_continent_is_no_country(self):
        """SkyPilot's regions of marketplaces end with the continent."""
        places = {"Denmark, DK, EU": "DK", "Texas, US, NA": "US", "Oslo, NO": "NO", "Windhoek, NA": "NA", "Europe, EU": None, "EU": None}
        self.ok("prices", "import", self.write("q.csv", "provider,instance,region,gpu,gpu_count,price_per_hour\n" + "".join(f'acme,m{i},"{place}",MI300X,1,2\n' for i, place in enumerate(places))))
        self.assertEqual({o["region"]: o["country"] for o in self.offers("mi300x", "--provider", "acme")}, places)


if __name__ == "__main__":
    harness.main()
