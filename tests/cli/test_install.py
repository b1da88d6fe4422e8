"""`cmake --install` to an empty prefix: every promised file is there, the installed program works alone, and it can be taken away."""
import glob
import json
import os
import re
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
    "share/gpuadvise/examples/kubernetes/gpuadvise-refresh.yaml",
    "share/gpuadvise/examples/systemd/gpuadvise-refresh.timer",
    "share/gpuadvise/examples/systemd/gpuadvise-refresh.service",
    "share/gpuadvise/examples/cron/gpuadvise-refresh",
]  # tests/cli/test_jobs.py runs the examples


class Install(unittest.TestCase):
    def setUp(self):
        top = tempfile.mkdtemp(prefix="gpuadvise-prefix-")
        self.addCleanup(shutil.rmtree, top)
        self.prefix = os.path.join(top, "a 20 % [ö]")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.prefix], check=True, stdout=subprocess.DEVNULL)

    def read(self, path):
        with open(os.path.join(self.prefix, path), encoding="utf-8") as f:
            return f.read()

    def test_puts_everything_in_its_place(self):
        for path in PROMISED:
            full = os.path.join(self.prefix, path)
            self.assertTrue(os.path.isfile(full) and os.path.getsize(full) > 0, path)
        schemas = os.path.join(self.prefix, "share/gpuadvise/schema")
        self.assertEqual(sorted(os.listdir(schemas)), sorted(os.listdir(os.path.join(harness.ROOT, "share/schema"))))
        self.assertIn(".TH", self.read("share/man/man1/gpuadvise.1")[:2000])
        subprocess.run(["bash", "-n", os.path.join(self.prefix, PROMISED[2])], check=True)
        self.assertFalse([f for _, _, files in os.walk(self.prefix) for f in files if ".part" in f or f.endswith(".a")])

    def test_documents_find_each_other(self):
        documents = os.path.join(self.prefix, "share/doc/gpuadvise")
        pages = glob.glob(os.path.join(glob.escape(documents), "**/*.md"), recursive=True)
        links = 0
        for page in pages:
            with open(page, encoding="utf-8") as f:
                text = f.read()
            for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text) + [os.path.join(documents, name) for name in re.findall(r"docs/[a-z-]+\.md", text)]:
                links += 1
                self.assertTrue(os.path.exists(os.path.join(os.path.dirname(page), link)), f"{page}: {link}")
        self.assertGreater(links, 10)
        named = {os.path.basename(page) for page in pages}
        self.assertLessEqual({os.path.basename(page) for page in glob.glob(os.path.join(harness.ROOT, "docs/*.md"))}, named)

    def test_a_release_does_not_tell_where_it_was_built(self):
        with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as f:
            cache = f.read()
        if "CMAKE_BUILD_TYPE:STRING=Release" not in cache:
            self.skipTest("debuggers want to know it of other builds")
        with open(os.path.join(self.prefix, "bin/gpuadvise"), "rb") as f:
            self.assertEqual(f.read().count(harness.ROOT.encode() + b"/"), 0)

    def test_uninstall_leaves_what_is_of_others(self):
        other = os.path.join(self.prefix, "share/man/man1/other.1")
        database = os.path.join(self.prefix, "share/gpuadvise/catalog.db")
        # As CMake writes it; that of the build is of whichever test came last.
        installed = [os.path.join(folder, name) for folder, _, names in os.walk(self.prefix) for name in names]
        manifest = os.path.join(os.path.dirname(self.prefix), "install_manifest.txt")
        with open(manifest, "w", encoding="utf-8") as f:
            f.write("\n".join(installed))
        for path in (other, database):
            with open(path, "w", encoding="ascii") as f:
                f.write("mine\n")
        uninstall = ["sh", os.path.join(harness.ROOT, "cmake/uninstall.sh"), manifest]
        done = subprocess.run(uninstall, check=True, capture_output=True, text=True)
        self.assertIn("its database", done.stdout)
        files = [os.path.join(folder, name) for folder, _, names in os.walk(self.prefix) for name in names]
        self.assertEqual(sorted(files), sorted([other, database]))
        empty = [folder for folder, folders, names in os.walk(self.prefix) if not folders and not names]
        self.assertEqual(empty, [os.path.join(self.prefix, "bin")])
        self.assertNotEqual(subprocess.run(uninstall, capture_output=True).returncode, 0)

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
