"""`cmake --install` to an empty prefix: every promised file is there, the installed program works alone, and it can be taken away."""
import glob
import hashlib
import json
import os
import platform
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
    "share/gpuadvise/examples/kubernetes/gpuadvise-fleet.yaml",
    "share/gpuadvise/examples/slurm/gpuadvise-fleet.sbatch",
    "share/gpuadvise/examples/openmpi/gpuadvise-fleet.sh",
    "share/gpuadvise/examples/systemd/gpuadvise-refresh.timer",
    "share/gpuadvise/examples/systemd/gpuadvise-refresh.service",
    "share/gpuadvise/examples/cron/gpuadvise-refresh",
    "share/gpuadvise/examples/oci/Containerfile",
    "share/gpuadvise/examples/github/action.yml",
    "share/doc/gpuadvise/gpuadvise.cdx.json",
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

    def test_what_it_is_made_of_is_listed(self):
        """Every library that the program is linked to has a component, and each component a version that was found."""
        bill = json.loads(self.read("share/doc/gpuadvise/gpuadvise.cdx.json"))
        self.assertEqual((bill["bomFormat"], bill["specVersion"]), ("CycloneDX", "1.5"))
        for component in bill["components"]:
            self.assertRegex(component["version"], r"^\d+\.\d+", component["name"])
        self.assertEqual(sorted(c["bom-ref"] for c in bill["components"]), sorted(bill["dependencies"][0]["dependsOn"]))
        names = {c["name"] for c in bill["components"]} | {"c", "m", "tinfo", "pthread", "dl", "asan", "ubsan"}  # C's own, and what ncurses brings
        needed = set(re.findall(r"NEEDED.*\[lib([^\]]+?)(?:-gnutls)?\.so", self.readelf("-d")))
        self.assertGreater(len(needed), 5)
        self.assertLessEqual(needed, names)

    def readelf(self, *words):
        return subprocess.run(["readelf", *words, os.path.join(self.prefix, "bin/gpuadvise")], check=True, capture_output=True, text=True).stdout

    def release_only(self):
        with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as f:
            if "CMAKE_BUILD_TYPE:STRING=Release" not in f.read():
                self.skipTest("what only releases have")

    def test_a_release_is_hardened(self):
        self.release_only()
        segments, dynamic, symbols = self.readelf("-lW"), self.readelf("-dW"), self.readelf("-sW", "--dyn-syms")
        self.assertRegex(self.readelf("-h"), r"Type: +DYN \(Position-Independent Executable")
        self.assertIn("GNU_RELRO", segments)
        self.assertIn("BIND_NOW", dynamic)
        self.assertRegex(segments, r"GNU_STACK .* RW +0x")
        self.assertNotIn(" RWE ", segments)
        self.assertIn("__stack_chk_fail", symbols)
        self.assertRegex(symbols, r"__(memcpy|snprintf|vsnprintf)_chk")
        if platform.machine() == "x86_64":
            code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", os.path.join(self.prefix, "bin/gpuadvise")], check=True, capture_output=True, text=True).stdout
            # Where indirect jumps may land; the note that says so of the whole file is there only where C's own start files have it.
            self.assertGreater(len(re.findall(r"\bendbr64\b", code)), 500)
            self.assertRegex(code, r"or[ql] +\$0x0,\(%rsp\)")  # the touch of each page that -fstack-clash-protection adds

    @staticmethod
    def bytes_of(tree):
        """Path below the tree -> digest."""
        paths = [os.path.join(top, name) for top, _, names in os.walk(tree) for name in names]
        digests = {}
        for path in paths:
            with open(path, "rb") as f:
                digests[os.path.relpath(path, tree)] = hashlib.sha256(f.read()).hexdigest()
        return digests

    def test_a_package_is_the_install_tree(self):
        self.release_only()
        if shutil.which("dpkg-deb") is None:
            self.skipTest("no dpkg-deb")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cpack", "-G", "DEB;TGZ", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", folder], check=True, stdout=subprocess.DEVNULL)
            package, = glob.glob(os.path.join(folder, "*.deb"))
            archive, = glob.glob(os.path.join(folder, "*.tar.gz"))
            fields = subprocess.run(["dpkg-deb", "-f", package], check=True, capture_output=True, text=True).stdout
            self.assertRegex(fields, r"(?m)^Depends: .*libsqlite3-0 .*$")
            self.assertRegex(os.path.basename(archive), r"-glibc\d+\.\d+\.tar\.gz$")
            tree = os.path.join(folder, "tree")
            subprocess.run(["dpkg-deb", "-x", package, tree], check=True)
            wanted = sorted(os.path.relpath(os.path.join(top, name), self.prefix) for top, _, names in os.walk(self.prefix) for name in names)
            got = sorted(os.path.relpath(os.path.join(top, name), os.path.join(tree, "usr")) for top, _, names in os.walk(tree) for name in names)
            self.assertEqual(got, wanted)
            with open(os.path.join(tree, "usr/share/gpuadvise/examples/systemd/gpuadvise-refresh.service"), encoding="utf-8") as f:
                self.assertIn('"/usr/bin/gpuadvise"', f.read())
            unpacked = os.path.join(folder, "unpacked")
            os.mkdir(unpacked)
            subprocess.run(["tar", "-xzf", archive, "--strip-components=1", "-C", unpacked], check=True)
            self.assertEqual(self.bytes_of(unpacked), self.bytes_of(tree))  # no file of either says where it was packed
            out = subprocess.run([os.path.join(tree, "usr/bin/gpuadvise"), "self-check"], env=harness.environment(folder), check=True, capture_output=True, text=True).stdout
            self.assertIn("kernels   ok", out)

    def test_the_recipes_use_what_there_is(self):
        """The image needs what bootstrap installs and a .deb; the action calls commands with options that they take."""
        with open(os.path.join(harness.ROOT, "bootstrap"), encoding="utf-8") as f:
            packages = set(re.search(r'(?m)^packages="([^"]*)"', f.read()).group(1).split())
        recipe = self.read("share/gpuadvise/examples/oci/Containerfile")
        lines = [line.split(None, 1) for line in recipe.splitlines() if line and not line.startswith("#")]
        self.assertLessEqual({line[0] for line in lines}, {"FROM", "RUN", "COPY", "USER", "ENTRYPOINT", "CMD"})
        first = next(rest for word, rest in lines if word == "RUN")
        self.assertLessEqual(packages | {"dpkg-dev", "file"}, set(first.split()))  # cpack asks these two which libraries a .deb needs
        self.assertEqual(json.loads(next(rest for word, rest in lines if word == "ENTRYPOINT")), ["gpuadvise"])
        action = self.read("share/gpuadvise/examples/github/action.yml")
        inputs = set(re.findall(r"(?m)^  ([a-z]+):$", action.split("inputs:")[1].split("runs:")[0]))
        self.assertEqual(inputs, set(re.findall(r"inputs\.([a-z]+)", action)))
        for line in re.findall(r"run: gpuadvise (.*)", action):
            command = line.split()[0]
            help_text = harness.run(["help", command])[1]
            for option in re.findall(r"--[a-z-]+", line):
                self.assertIn(option, help_text, line)

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
