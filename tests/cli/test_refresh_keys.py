"""prices refresh: feeds with keys, tokens, parts to add up, and regions to choose."""
import json
import os

import harness
from refresh_case import RefreshCase, servers


class Keys(RefreshCase):
    def test_feeds_with_a_key(self):
        """From the environment, a file or a command; to the feed's host alone; in no output."""
        rows = {"digitalocean": 2, "hotaisle": 2, "lambda": 1, "shadeform": 2, "hyperstack": 1, "seeweb": 4, "jarvislabs": 10}
        key = "s3cr3t-k3y" + 3000 * "x"  # as long as tokens get
        other = self.serve({"/stolen": servers.missing})
        for at, (name, (path, file, variable, header)) in enumerate(servers.KEYED.items()):
            server = self.serve({path: servers.reply(servers.payload(file)), "/away": servers.reply("", status="302 Found", headers=f"Location: https://localhost:{other.port}/stolen\r\n")})
            source = [{variable: key}, {variable + "_FILE": self.write("key", key + "\n")}, {variable + "_COMMAND": "echo " + key}][at % 3]
            env = {**source, "HOTAISLE_TEAM": "us"}
            words = ["prices", "refresh", name, "--json", "-v", "--usd-per", "EUR=1.1@2026-11-20", "--ca", os.path.join(self.folder, "ca.pem"), "--feed-url", f"{name}=https://localhost:{server.port}"]
            out, err = self.exits(0, *words[:-1], words[-1] + path, env=env)
            got = json.loads(out)["providers"][0]
            self.assertEqual((got["status"], got["rows"]), ("ok", rows[name]), got)
            self.assertIn(header + key.encode(), server.seen[0][2])
            self.assertNotIn("s3cr3t", out + err)
            out, err = self.exits(1, *words[:-1], words[-1] + "/away", env=env)
            self.assertNotIn("s3cr3t", out + err)
            self.assertIn(variable, self.exits(1, *words[:-1], words[-1] + path)[1])  # no key
        self.assertEqual(len(other.seen), len(rows))
        memory = {o["feed"]: o["ram_gb"] for o in self.offers("--all-regions")}
        self.assertAlmostEqual(memory["lambda"], 1800 * 1.073741824, 3)  # the feed says GiB
        self.assertAlmostEqual(memory["digitalocean"], 245760 * 1.048576 / 1000, 3)  # MiB
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


if __name__ == "__main__":
    harness.main()
