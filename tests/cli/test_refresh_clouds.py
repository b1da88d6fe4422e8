"""prices refresh: clouds whose answers are joined, come in pages or are not in dollars; and the names that their keys go by elsewhere."""
import json

import harness
from refresh_case import RefreshCase, servers

SCALEWAY = "/instance/v1/zones/{}/products/servers"
RATE = ["--usd-per", "EUR=1.1@2026-11-20"]


def paged(pages):
    """Answers by the number in the query."""
    def run(c, head):
        number = head.split(b"&page=")[1].split(b" ")[0].decode()
        servers.reply(json.dumps({"servers": pages.get(number, {})}))(c, head)
    return run


class Clouds(RefreshCase):
    def taken(self, feed, *pricing):
        return {(o["instance"], o["region"], o["pricing_model"]): o for o in self.offers(*pricing) if o["feed"] == feed}

    # ---------------------------------------------------------------- Scaleway

    def scaleway(self, **more):
        nothing = servers.reply('{"servers": {}}')
        zones = ("fr-par-1", "fr-par-2", "fr-par-3", "nl-ams-1", "nl-ams-2", "nl-ams-3", "pl-waw-1", "pl-waw-2", "pl-waw-3", "it-mil-1")
        paths = {SCALEWAY.format(zone) + end: nothing for zone in zones for end in ("", "/availability")}
        server = self.serve({**paths, **more})
        return server, ["scaleway", "-v", "--feed-url", f"scaleway=https://localhost:{server.port}" + SCALEWAY.format("fr-par-2")]

    def test_scaleway_joins_zones_pages_and_stock(self):
        paris, warsaw = SCALEWAY.format("fr-par-2"), SCALEWAY.format("pl-waw-2")
        types = json.loads(servers.payload("scaleway.json"))["servers"]
        machines = {f"DEV1-{i}": types["DEV1-S"] for i in range(99)}
        stock = json.loads(servers.payload("scaleway-stock.json"))["servers"]
        server, words = self.scaleway(**{
            paris: paged({"1": {**machines, "L4-1-24G": types["L4-1-24G"]}, "2": {k: v for k, v in types.items() if k != "L4-1-24G"}}),
            paris + "/availability": paged({"1": {**{name: {"availability": "available"} for name in machines}, "L4-1-24G": {"availability": "soon"}}, "2": stock}),
            warsaw: paged({"1": {"L4-1-24G": types["L4-1-24G"]}}), warsaw + "/availability": paged({"1": {"L4-1-24G": {"availability": "available"}}})})
        got = self.refresh(*words, *RATE)["scaleway"]
        self.assertEqual((got["status"], got["error"], got["note"], got["rows"], got["held"], got["unmapped"]), ("ok", None, None, 4, 0, 0), got)
        self.assertEqual({r["reason"]: r["count"] for r in got["rejected"]}, {"no GPU": 100, "a part of a GPU": 1, "no longer sold": 1})
        self.assertEqual(len(server.seen), 10 + 10 + 2)
        offers = {(instance, region): (o["gpu"], o["gpu_count"], round(o["price_usd_per_hour"], 4), o["available"], o["country"]) for (instance, region, _), o in self.taken("scaleway").items()}
        self.assertEqual(offers, {
            ("H100-SXM-8-80G", "fr-par-2"): ("h100-sxm5-80gb", 8, 26.4, False, "FR"), ("H100-1-80G", "fr-par-2"): ("h100-pcie-80gb", 1, 2.75, True, "FR"),
            ("L4-1-24G", "fr-par-2"): ("l4-24gb", 1, 0.825, None, "FR"), ("L4-1-24G", "pl-waw-2"): ("l4-24gb", 1, 0.825, True, "PL")})

    def test_scaleway_prices_wait_for_a_rate(self):
        _, words = self.scaleway(**{SCALEWAY.format("fr-par-2"): servers.reply(servers.payload("scaleway.json"))})
        got = self.refresh(*words)["scaleway"]
        self.assertEqual((got["rows"], got["held"], got["quarantined"][0]["reason"]), (0, 3, "price in EUR: no dated rate for it (--usd-per)"), got)

    def test_scaleway_pages_without_end(self):
        """A server that gives the same page for every number: the other zones come in, and the pages are not followed for ever."""
        types = json.loads(servers.payload("scaleway.json"))["servers"]
        full = servers.reply(json.dumps({"servers": {f"DEV1-{i}": types["DEV1-S"] for i in range(100)}}))
        server, words = self.scaleway(**{SCALEWAY.format("fr-par-2"): full, SCALEWAY.format("pl-waw-2"): paged({"1": {"L4-1-24G": types["L4-1-24G"]}})})
        got = self.refresh(*words, *RATE)["scaleway"]
        self.assertEqual((got["status"], got["rows"]), ("ok", 1), got)
        self.assertIn("more than 20 pages", got["note"])
        self.assertLess(len(server.seen), 60)

    # ---------------------------------------------------------------- Seeweb

    def test_seeweb_joins_plans_and_what_can_be_had(self):
        server = self.serve({"/ecs/v2/plans": servers.reply(servers.payload("seeweb.json")), "/ecs/v2/plans/availables": servers.reply(servers.payload("seeweb-available.json"))})
        words = ["seeweb", *RATE, "--feed-url", f"seeweb=https://localhost:{server.port}/ecs/v2/plans"]
        got = self.refresh(*words, env={**self.only_ours(), "SEEWEB_API_TOKEN": "k"})["seeweb"]
        self.assertEqual((got["status"], got["rows"], got["unmapped"]), ("ok", 4, 0), got)
        self.assertEqual({r["reason"]: r["count"] for r in got["rejected"]}, {"no GPU": 1, "no longer sold": 1})
        offers = {(instance, region): (o["gpu"], o["gpu_count"], round(o["price_usd_per_hour"], 4), o["available"], o["country"]) for (instance, region, _), o in self.taken("seeweb").items()}
        self.assertEqual(offers, {
            ("ECS1GPU9", "it-fr2"): ("mi300x-192gb", 1, 1.65, False, "IT"), ("ECS1GPU9", "it-mi2"): ("mi300x-192gb", 1, 1.65, True, "IT"),
            ("ECS8GPU8", "it-fr2"): ("h100-sxm5-80gb", 8, 17.6, False, "IT"), ("ECS1GPU7", "it-fr2"): ("l40s-48gb", 1, 0.88, False, "IT")})
        for _, _, head in server.seen:
            self.assertIn(b"X-APITOKEN: k", head)

    def test_skypilot_has_seeweb_in_euros(self):
        """Its columns say no currency, and its prices of Seeweb are those of Seeweb's own list."""
        table = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\nECS1GPU9,MI300X,1,32,256,2.0,it-fr2,,\n"
        server = self.serve({"/skypilot-org/skypilot-catalog/master/catalogs/v8/seeweb/vms.csv": servers.reply(table, type="text/csv")})
        got = self.refresh("skypilot", *RATE, "--feed-url", f"skypilot=https://localhost:{server.port}/catalogs/v8/gcp/vms.csv")["skypilot"]
        self.assertEqual((got["status"], got["rows"]), ("ok", 1), got)
        self.assertAlmostEqual(next(iter(self.taken("skypilot").values()))["price_usd_per_hour"], 2.2)

    # ---------------------------------------------------------------- JarvisLabs

    def jarvislabs(self, body, code=0):
        server = self.serve({"/misc/server_meta": servers.reply(body)})
        words = ["jarvislabs", "--feed-url", f"jarvislabs=https://localhost:{server.port}/misc/server_meta"]
        return self.refresh(*words, code=code, env={**self.only_ours(), "JL_API_KEY": "k"})["jarvislabs"]

    def test_jarvislabs_counts_of_a_pool(self):
        got = self.jarvislabs(servers.payload("jarvislabs.json"))
        self.assertEqual((got["status"], got["rows"], got["unmapped"]), ("ok", 10, 1), got)  # an A100 without its form
        offers = {key: (o["gpu"], o["price_usd_per_hour"], o["available"], o["country"]) for pricing in ((), ("--spot",)) for key, o in self.taken("jarvislabs", *pricing).items()}
        h100, noida, free = "h100-sxm5-80gb", "india-noida-01", {1: True, 2: True, 4: False, 8: False}
        self.assertEqual(offers, {
            **{(f"{n}x H100 vm", noida, "on-demand"): (h100, 2.5 * n, free[n], "IN") for n in free},
            **{(f"{n}x H100 container", noida, "on-demand"): (h100, 2.5 * n, True, "IN") for n in (1, 2)},
            **{(f"{n}x H100 container", noida, "spot"): (h100, 1.25 * n, n == 1, "IN") for n in (1, 2)},
            ("1x H200", "europe-01", "on-demand"): ("h200-sxm5-141gb", 4, False, "FI")})

    def test_jarvislabs_prices_in_the_currency_of_the_account(self):
        body = json.loads(servers.payload("jarvislabs.json"))
        got = self.jarvislabs(json.dumps({**body, "currency": "INR"}))
        self.assertEqual((got["rows"], got["held"]), (0, 10), got)
        del body["currency"]
        self.assertIn("does not say in which currency", self.jarvislabs(json.dumps(body), code=1)["error"])

    # ---------------------------------------------------------------- keys

    def test_keys_by_the_names_of_other_tools(self):
        """Ours counts first where both are set."""
        others = {"digitalocean": ("DIGITALOCEAN_TOKEN", ["DIGITALOCEAN_ACCESS_TOKEN", "DIGITAL_OCEAN_API_KEY"]), "lambda": ("LAMBDA_API_KEY", ["LAMBDALABS_TOKEN"]),
                  "seeweb": ("SEEWEB_API_TOKEN", ["ECSAPI_TOKEN"]), "jarvislabs": ("JL_API_KEY", ["JARVISLABS_API_KEY"])}
        for feed, (ours, names) in others.items():
            path, file, _, header = servers.KEYED[feed]
            server = self.serve({path: servers.reply(servers.payload(file))})
            words = [feed, *RATE, "--feed-url", f"{feed}=https://localhost:{server.port}{path}"]
            for name in names:
                for env, key in (({name: "theirs"}, b"theirs"), ({name: "theirs", ours: "ours"}, b"ours"), ({name + "_FILE": self.write("key", "kept\n")}, b"kept")):
                    server.seen.clear()
                    self.refresh(*words, env={**self.only_ours(), **env})
                    self.assertIn(header + key, server.seen[0][2], name)
        error = self.exits(1, "prices", "refresh", "lambda", env={"LAMBDALABS_TOKEN": "a b"})[1]
        self.assertIn("LAMBDALABS_TOKEN holds a blank", error)

    def test_the_team_by_either_name(self):
        for name in ("HOTAISLE_TEAM", "HOTAISLE_TEAM_HANDLE"):
            server = self.serve({"/api/teams/us/virtual_machines/available/": servers.reply(servers.payload("hotaisle.json"))})
            words = ["hotaisle", "--feed-url", f"hotaisle=https://localhost:{server.port}/api/teams/us/virtual_machines/available/"]
            got = self.refresh(*words, env={**self.only_ours(), "HOTAISLE_API_KEY": "k", name: "us"})["hotaisle"]
            self.assertEqual(got["error"], None)


if __name__ == "__main__":
    harness.main()
