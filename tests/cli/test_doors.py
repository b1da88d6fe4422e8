"""Doors: links that another user laid, files that may not be written or read, keys that all can read, rights that are not the caller's."""
import os
import shutil
import stat
import subprocess

import harness
from refresh_case import RefreshCase, servers

STRANGER = 65534  # nobody


class Output(harness.Case):
    """-o. Root alone can lay a link that is of another user, so that these need root."""

    def sticky(self, link_to, owner=STRANGER):
        """A folder like /tmp with a link in it that `owner` laid."""
        if os.geteuid() != 0:
            self.skipTest("needs root")
        folder = os.path.join(self.home, "sticky")
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o1777)
        link = os.path.join(folder, "out")
        os.symlink(link_to, link)
        os.chown(link, owner, owner, follow_symlinks=False)
        return link

    def test_a_link_of_another_user_is_not_followed(self):
        victim = self.write("victim", "secret\n")
        os.chmod(victim, 0o600)
        link = self.sticky(victim)
        out, err = self.exits(1, "version", "-o", link)
        self.assertEqual(out, "")
        self.assertIn("Permission denied", err)
        with open(victim, encoding="utf-8") as f:
            self.assertEqual(f.read(), "secret\n")
        self.assertEqual(stat.S_IMODE(os.stat(victim).st_mode), 0o600)

    def test_nor_one_to_a_file_that_is_not_there_nor_a_folder(self):
        link = self.sticky(os.path.join(self.home, "new"))
        self.assertIn("Permission denied", self.exits(1, "version", "-o", link)[1])
        os.unlink(link)
        os.mkdir(os.path.join(self.home, "folder"))
        link = self.sticky(os.path.join(self.home, "folder"))
        self.assertIn("Permission denied", self.exits(1, "version", "-o", os.path.join(link, "file"))[1])
        self.assertFalse(os.path.exists(os.path.join(self.home, "new")))
        self.assertEqual(os.listdir(os.path.join(self.home, "folder")), [])

    def test_ones_own_is(self):
        victim = self.write("victim", "old\n")
        link = self.sticky(victim, owner=0)
        self.ok("version", "-o", link)
        self.assertTrue(os.path.islink(link))
        with open(victim, encoding="utf-8") as f:
            self.assertNotEqual(f.read(), "old\n")

    def test_a_link_keeps_pointing_where_it_points(self):
        """Also to a file that is not there yet, over several links, and from another folder."""
        os.mkdir(os.path.join(self.home, "a"))
        os.symlink("../b", os.path.join(self.home, "a/one"))
        os.symlink("new", os.path.join(self.home, "b"))
        self.ok("version", "-o", os.path.join(self.home, "a/one"))
        self.assertTrue(os.path.islink(os.path.join(self.home, "a/one")) and os.path.islink(os.path.join(self.home, "b")))
        self.assertTrue(os.path.isfile(os.path.join(self.home, "new")))
        os.symlink("round", os.path.join(self.home, "round"))
        self.assertIn("symbolic links", self.exits(1, "version", "-o", os.path.join(self.home, "round"))[1])

    def test_a_read_only_file_is_kept(self):
        path = self.write("out", "old\n")
        os.chmod(path, 0o400)
        self.assertIn("it is read-only", self.exits(1, "version", "-o", path)[1])
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read(), "old\n")
        os.chmod(path, 0o640)
        self.ok("version", "-o", path)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)

    def test_a_place_that_cannot_be_looked_at_is_not_an_empty_one(self):
        """The same through the tables of all that is written: metrics, keys, plans."""
        file = self.write("file", "x")
        for words in (("gpus", "--format", "csv", "-o"), ("prices", "export", "--new-key"), ("prices", "refresh", "runpod", "--metrics")):
            self.assertIn("Not a directory", self.exits(1, *words, file + "/x")[1], words)


class Names(harness.Case):
    def test_names_in_other_encodings_stay_two(self):
        tree = os.path.join(self.home, "tree").encode()
        os.mkdir(tree)
        for name in (b"\xe4.cu", b"\xff.cu", b"\\xff.cu", b"a\nb.cu", "ä.cu".encode()):
            with open(os.path.join(tree, name), "wb") as f:
                f.write(b"void f(void *p) { cudaFree(p); }\n")
        tree = tree.decode()
        files = sorted({f["file"] for f in self.json("migrate", "scan", tree)["findings"]})
        self.assertEqual(files, sorted([r"\xe4.cu", r"\xff.cu", r"\x5cxff.cu", r"a\x0ab.cu", "ä.cu"]))
        for form in ("table", "csv", "md"):
            out = self.ok("migrate", "scan", tree, "--format", form)
            for name in (r"\xe4.cu", "ä.cu"):
                self.assertIn(name, out, form)


class Gates(harness.Case):
    def test_a_gate_does_not_pass_on_what_it_could_not_read(self):
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("needs root and setpriv")
        os.chmod(self.home, 0o755)
        tree = os.path.join(self.home, "tree")
        os.mkdir(tree)
        self.write("tree/k.cu", "int main() { cudaMalloc(0, 0); nvrtcCompileProgram(p, 0, 0); }\n")
        words = ["migrate", "scan", tree, "--fail-over-days", "1000"]
        self.ok(*words)
        os.chmod(os.path.join(tree, "k.cu"), 0)
        copy = os.path.join(self.home, "gpuadvise")
        shutil.copy(harness.BIN, copy)
        env = {**harness.environment("/nonexistent")}
        done = subprocess.run(["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups", "--bounding-set=-all", copy, *words, "--json"],
                              env=env, capture_output=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 4, done.stderr)
        answer = harness.parse_json(done.stdout.decode())
        self.assertIn("1 path could not be read", done.stderr.decode())
        self.assertEqual([n["file"] for n in answer["not_analysed"] if n["file"]], ["k.cu"])


class Keys(RefreshCase):
    seeded = True

    def test_a_key_that_all_can_read_is_warned_of(self):
        server = self.serve({"/instance-types": servers.reply(servers.payload("lambda.json"))})
        path = self.write("key", "s3cr3t\n")
        for mode, says in ((0o600, None), (0o640, None), (0o644, "can read"), (0o622, "can write")):
            os.chmod(path, mode)
            _, err = self.exits(0, "prices", "refresh", "lambda", "--ca", os.path.join(self.folder, "ca.pem"),
                                "--feed-url", f"lambda=https://localhost:{server.port}/instance-types", env={**self.only_ours(), "LAMBDA_API_KEY_FILE": path})
            self.assertEqual("LAMBDA_API_KEY_FILE: every user of this machine " + (says or "") in err, says is not None, (oct(mode), err))
            self.assertNotIn("s3cr3t", err)

    def test_a_new_key_is_its_owners(self):
        path = os.path.join(self.home, "k.key")
        self.ok("prices", "export", "--new-key", path)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)


class Rights(harness.Case):
    def test_a_program_with_other_rights_heeds_no_environment(self):
        """Set to another user's id it takes no library path, no home and no settings from whoever starts it."""
        if os.geteuid() != 0 or harness.SANITIZED:
            self.skipTest("needs root, and a program that may have other rights")
        os.chmod(self.home, 0o755)
        copy = os.path.join(self.home, "gpuadvise")
        shutil.copy(harness.BIN, copy)
        os.chown(copy, STRANGER, STRANGER)
        os.chmod(copy, 0o4755)
        env = {**harness.environment(self.home), "GPUADVISE_FORMAT": "json"}
        done = subprocess.run([copy, "gpus"], env=env, capture_output=True, check=True)
        if b"more rights" not in done.stderr:
            self.skipTest("a file system that gives no other rights")
        self.assertFalse(done.stdout.startswith(b"{"))
        self.assertTrue(self.ok("gpus", env={"GPUADVISE_FORMAT": "json"}).startswith("{"))


if __name__ == "__main__":
    harness.main()
