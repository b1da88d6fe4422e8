"""prices refresh: ways that answers take: encodings, proxies, signed snapshots, a disk that fills up."""
import json
import os
import shutil
import socket
import subprocess
import threading

import harness
from refresh_case import RefreshCase, servers


class Proxy:
    """A proxy for CONNECT. refuse: the status that it answers with instead."""
    def __init__(self, refuse=None):
        self.refuse, self.seen = refuse, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                c, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(c,), daemon=True).start()

    def serve(self, c):
        try:
            c.settimeout(20)
            head = b""
            while b"\r\n\r\n" not in head:
                head += c.recv(4096)
            self.seen.append(head)
            if self.refuse:
                c.sendall(f"HTTP/1.1 {self.refuse}\r\nContent-Length: 0\r\n\r\n".encode())
                c.close()
                return
            port = head.split(b" ")[1].decode().rsplit(":", 1)[1]
            with socket.create_connection(("127.0.0.1", int(port)), timeout=20) as to:  # whatever the name: a bare system resolves none
                c.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                back = threading.Thread(target=self.copy, args=(to, c), daemon=True)
                back.start()
                self.copy(c, to)
                back.join(20)
        except (OSError, ValueError):
            pass

    @staticmethod
    def copy(a, b):
        try:
            while piece := a.recv(65536):
                b.sendall(piece)
            b.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def stop(self):
        self.listener.close()


class Ways(RefreshCase):
    # ---------------------------------------------------------------- encodings

    def encoded(self, name, pack, bomb):
        """The body of an answer, packed as `name`, reaches the parser as it was; when cut, it is an error."""
        whole = servers.payload("runpod.json")
        server = self.serve({"/good": servers.reply(pack(whole), headers=f"Content-Encoding: {name}\r\n"),
                             "/cut": servers.reply(pack(whole)[:-20], headers=f"Content-Encoding: {name}\r\n"),
                             "/lie": servers.reply(whole, headers=f"Content-Encoding: {name}\r\n"),
                             "/bomb": servers.reply(bomb, headers=f"Content-Encoding: {name}\r\n")})
        ask = lambda path, code: self.refresh("runpod", "--feed-url", f"runpod=https://localhost:{server.port}/{path}", code=code)["runpod"]
        good = ask("good", 0)
        if name.encode() not in server.seen[0][2].lower().split(b"accept-encoding:")[1].split(b"\r\n")[0]:
            self.skipTest(f"this curl does not know {name}")
        self.assertEqual((good["status"], good["rows"], good["bytes"]), ("ok", 12, len(whole)))
        for path in ("cut", "lie", "bomb"):
            got = ask(path, 1)
            self.assertTrue(got["error"], path)
            if path == "bomb":
                self.assertRegex(got["error"], "over (the )?8388608")
        self.assertTrue([o for o in self.offers("amd:mi300x") if o["feed"] == "runpod" and o["available"] is not False])  # the earlier rows stand

    def test_brotli(self):
        self.encoded("br", servers.brotli_stored, servers.brotli_stored(b" " * (9 << 20)))

    def test_zstd(self):
        self.encoded("zstd", servers.zstd_stored, servers.zstd_bomb(9))

    # ---------------------------------------------------------------- proxies

    def test_proxy_of_the_environment(self):
        server, proxy = self.good(), Proxy()
        self.addCleanup(proxy.stop)
        urls = servers.feed_urls(server.port, ["oci"])
        for variable in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
            proxy.seen.clear()
            got = self.refresh("oci", *urls, env={**self.only_ours(), variable: f"http://127.0.0.1:{proxy.port}"})["oci"]
            self.assertIn(got["status"], ("ok", "unchanged"), (variable, got))
            self.assertTrue(proxy.seen and all(head.startswith(b"CONNECT localhost:%d " % server.port) for head in proxy.seen), variable)
        proxy.seen.clear()
        self.refresh("oci", *urls, env={**self.only_ours(), "HTTPS_PROXY": f"http://127.0.0.1:{proxy.port}", "NO_PROXY": "example.org,localhost"})
        self.refresh("oci", *urls, env={**self.only_ours(), "HTTP_PROXY": f"http://127.0.0.1:{proxy.port}"})
        self.assertEqual(proxy.seen, [])

    def test_certificates_hold_through_a_proxy(self):
        server, proxy = self.good(), Proxy()
        self.addCleanup(proxy.stop)
        got = self.refresh("oci", "--feed-url", f"oci=https://elsewhere.test:{server.port}/oci/products", code=1, env={**self.only_ours(), "HTTPS_PROXY": f"http://127.0.0.1:{proxy.port}"})["oci"]
        self.assertRegex(got["error"], "SSL|certificate")
        self.assertEqual(server.seen, [])

    def test_proxies_that_refuse_or_are_not_there(self):
        server, proxy = self.good(), Proxy(refuse="407 Proxy Authentication Required")
        self.addCleanup(proxy.stop)
        urls = servers.feed_urls(server.port, ["oci"])
        words = ["prices", "refresh", "oci", "--json", "--ca", os.path.join(self.folder, "ca.pem"), *urls]
        out, err = self.exits(1, *words, env={**self.only_ours(), "HTTPS_PROXY": f"http://somebody:s3cr3t@127.0.0.1:{proxy.port}"})
        self.assertIn("407", json.loads(out)["providers"][0]["error"])
        self.assertNotIn("s3cr3t", out + err)
        proxy.stop()
        got = self.refresh("oci", *urls, code=1, env={**self.only_ours(), "HTTPS_PROXY": "http://127.0.0.1:1"})["oci"]
        self.assertIn("connect", got["error"].lower())
        self.assertEqual(server.seen, [])

    # ---------------------------------------------------------------- snapshots

    def snapshot(self):
        path, key = os.path.join(self.home, "team"), os.path.join(self.home, "key")
        self.ok("prices", "export", "--new-key", key)
        self.ok("prices", "import", self.write("quote.csv", "instance,gpu,gpu_count,price_per_hour\nm8,MI300X,8,20\nm4,MI300X,4,10\n"), "--name", "quote")
        self.ok("prices", "export", "--with-imports", "--snapshot", path, "--secret-key", key)
        bodies = []
        for name in (path, path + ".minisig"):
            with open(name, "rb") as f:
                bodies.append(f.read())
        return bodies, ["--trusted-key", key + ".pub"]

    def test_snapshots_over_tls(self):
        (text, signature), key = self.snapshot()
        server = self.serve({"/team": servers.reply(text, type="text/plain"), "/team.minisig": servers.reply(signature, type="text/plain"),
                             "/unsigned": servers.reply(text), "/forged": servers.reply(text.replace(b"20.000000", b"10.000000")), "/forged.minisig": servers.reply(signature),
                             "/html": servers.reply("<html>"), "/html.minisig": servers.reply(signature), "/cut": servers.reply(text[:50], length=len(text)), "/cut.minisig": servers.reply(signature)})
        there = {**self.only_ours(), "XDG_DATA_HOME": os.path.join(self.home, "elsewhere")}
        mine = lambda: [o["instance"] for o in self.json("prices", "list", "amd:mi300x", env=there)["offers"] if o["feed"] == "quote"]
        url = f"https://localhost:{server.port}/"
        words = ["prices", "refresh", "--ca", os.path.join(self.folder, "ca.pem")]
        _, err = self.exits(2, *words, "--from", url + "team", env=there)
        self.assertIn("--trusted-key", err)
        for path, why in (("unsigned", "404"), ("forged", "signed"), ("html", ""), ("cut", ""), ("nothing", "404")):
            _, err = self.exits(1, *words, "--from", url + path, *key, env=there)
            self.assertIn(why, err, path)
            self.assertEqual(mine(), [], path)
        wrong = self.serve({"/team": servers.reply(text), "/team.minisig": servers.reply(signature)}, certificate="wrong")
        self.assertRegex(self.exits(1, *words, "--from", f"https://localhost:{wrong.port}/team", *key, env=there)[1], "SSL|certificate")
        self.exits(2, *words, "--from", f"http://localhost:{server.port}/team", *key, env=there)
        self.assertEqual(mine(), [])
        self.ok(*words, "--from", url + "team", *key, env=there)
        self.assertEqual(sorted(mine()), ["m4", "m8"])
        self.assertIn('"skipped"', self.ok(*words, "--from", url + "team", *key, "--json", env=there))

    # ---------------------------------------------------------------- a disk that fills up

    def test_a_small_disk_that_fills_up(self):
        inside = "mount -t tmpfs -o size=$0k tmpfs \"$XDG_DATA_HOME\" && cp -r \"$1\"/. \"$XDG_DATA_HOME\" && shift && \"$@\"; code=$?; cp -r \"$XDG_DATA_HOME\"/. \"$AFTER\"; exit $code"
        own = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
        if shutil.which("unshare") is None or subprocess.run([*own, "mount -t tmpfs tmpfs " + self.folder], capture_output=True, timeout=20).returncode != 0:
            self.skipTest("no disk of one's own can be mounted here")
        server = self.good()
        self.refresh("oci", *servers.feed_urls(server.port, ["oci"]))
        before, disk, after = (os.path.join(self.home, name) for name in ("data", "disk", "after"))
        rows = "".join(f"x{i},r{i % 7},MI300X,8,{16 + i % 50 / 10}\n" for i in range(20000))
        big = self.write("big.csv", "instance,region,gpu,gpu_count,price_per_hour\n" + rows)
        used = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(before) for name in names) // 1024
        failed = 0
        for free in (64, 512, 2048):
            for folder in (disk, after):
                shutil.rmtree(folder, ignore_errors=True)
                os.mkdir(folder)
            env = {**harness.environment(self.home), "XDG_DATA_HOME": disk, "AFTER": after}
            done = subprocess.run([*own, inside, str(used + free), before, harness.BIN, "prices", "import", big, "--name", "big"], env=env, capture_output=True, timeout=60)
            if done.returncode == 0:
                continue
            failed += 1
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr.decode(), "disk|space|full")
            there = {"XDG_DATA_HOME": after}
            mine = self.json("prices", "list", "amd:mi300x", "--all-regions", env=there)["offers"]
            self.assertEqual([o["price_usd_per_hour"] for o in mine if o["feed"] == "oci"], [48.8])
            self.assertEqual([o for o in mine if o["feed"] == "big"], [])
        self.assertGreater(failed, 0, "the disk never was too small")


if __name__ == "__main__":
    harness.main()
