"""What the tests of `prices refresh` share: an authority of their own, servers that behave and others, the database behind."""
import os
import shutil
import sqlite3
import sys
import tempfile

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests"))
from servers import feeds as servers  # noqa: E402


class RefreshCase(harness.Case):
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
