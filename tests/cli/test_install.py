"""`cmake --install` to an empty prefix: every promised file is there, and the installed program works alone."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

import harness

BUILD = os.environ.get("GPUADVISE_BUILD", os.path.dirname(harness.BIN))
PROMISED = [
    "bin/gpuadvise",
    "share/man/man1/gpuadvise.1",
    "share/bash-completion/completions/gpuadvise",
    "share/zsh/site-functions/_gpuadvise",
    "share/fish/vendor_completions.d/gpuadvise.fish",
    "share/gpuadvise/schema/report.json",
    "share/doc/gpuadvise/README.md",
    "share/doc/gpuadvise/LICENSE",
]


class Install(unittest.TestCase):
    def setUp(self):
        self.prefix = tempfile.mkdtemp(prefix="gpuadvise-prefix-")
        self.addCleanup(shutil.rmtree, self.prefix)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.prefix], check=True, stdout=subprocess.DEVNULL)

    def test_puts_everything_in_its_place(self):
        for path in PROMISED:
            full = os.path.join(self.prefix, path)
            self.assertTrue(os.path.isfile(full) and os.path.getsize(full) > 0, path)
        schemas = os.path.join(self.prefix, "share/gpuadvise/schema")
        self.assertEqual(sorted(os.listdir(schemas)), sorted(os.listdir(os.path.join(harness.ROOT, "share/schema"))))
        with open(os.path.join(self.prefix, "share/man/man1/gpuadvise.1"), encoding="utf-8") as f:
            self.assertIn(".TH", f.read(2000))
        subprocess.run(["bash", "-n", os.path.join(self.prefix, PROMISED[2])], check=True)
        self.assertFalse([f for _, _, files in os.walk(self.prefix) for f in files if ".part" in f or f.endswith(".a")])

    def test_installed_program_needs_no_other_file(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            alone = os.path.join(elsewhere, "gpuadvise")
            shutil.copy(os.path.join(self.prefix, "bin/gpuadvise"), alone)
            env = harness.environment(elsewhere)
            out = subprocess.run([alone, "report", "--workload", "llama70b", "--json"], cwd=elsewhere, env=env, check=True,
                                 stdout=subprocess.PIPE).stdout
            self.assertEqual(json.loads(out)["command"], "report")


if __name__ == "__main__":
    harness.main()
