"""What scripts rely on: exit codes, streams, where options come from, what happens to files and databases."""
import glob
import os
import re
import sqlite3
import subprocess
import threading

import harness

REPORT = ("report", "--workload", "llama70b")


def but_command_line(report):
    """A report in text without the line that repeats how it was called."""
    return re.sub(r"(?m)^ *\$ gpuadvise .*\n", "", report)


class Usage(harness.Case):
    """Bad usage: exit 2, nothing on stdout, one line that names what is wrong."""

    def refuse(self, *args, says=(), **options):
        out, err = self.exits(2, *args, **options)
        self.assertEqual(out, "")
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, err)

    def test_full_disk_answers_from_memory(self):
        if os.geteuid() != 0:
            self.skipTest("mounting a small disk needs root")
        folder = os.path.join(self.home, "small")
        os.mkdir(folder)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", folder], capture_output=True).returncode != 0:
            self.skipTest("no disk can be mounted here")
        self.addCleanup(subprocess.run, ["umount", folder])
        for _ in range(2):
            code, out, err = self.run_tool("report", "--workload", "llama70b", "--json", env={"XDG_DATA_HOME": folder})
            self.assertEqual(code, 0, err)
            self.assertTrue(harness.parse_json(out)["options"])
            self.assertIn("no space left", err)

    def test_no_command(self):
        self.refuse(says="report")

    def test_did_you_mean(self):
        self.refuse("reprot", says="did you mean 'report'")
        self.refuse("gpus", "--vendr", "amd", says="did you mean '--vendor'")
        self.refuse("gpus", "--vendor", "and", says="did you mean 'amd'")
        self.refuse("report", "--workload", "lama70b", says="llama70b")
        self.refuse("gpus", "show", "mi300xx", says="mi300x")
        self.refuse("estimate", "--model", "llama-3.1-7b", "--gpu", "mi300x", says="llama-3.1-70b")
        self.refuse("gpus", "shwo", "mi300x", says="did you mean 'show'")

    def test_ambiguous_names_list_candidates(self):
        self.refuse("gpus", "show", "v100", says=["ambiguous", "v100-sxm2-16gb", "v100-pcie-32gb"])

    def test_numbers_are_refused_by_name(self):
        for option in ("--isl", "--osl", "--gpus", "--concurrency"):
            for bad in ("0", "-1", "1.5", "nan", "inf", "1e3", "0x10", "99999999999999999999", "", " 1"):
                self.refuse(*REPORT, option, bad, says=option)
        for option in ("--ttft", "--tpot", "--rate", "--max-price"):
            for bad in ("nan", "inf", "-inf", "-1", "1e309", "1,5", "5ms"):
                self.refuse(*REPORT, option, bad, says=option)

    def test_options_of_other_commands(self):
        self.refuse("gpus", "--isl", "5", says="--isl")
        self.refuse("gpus", "extra", says="extra")
        self.refuse("gpus", "show", says="GPU")
        self.refuse(*REPORT, "--isl", says="--isl")

    def test_text_of_the_user_cannot_write_to_the_terminal(self):
        for args in (["\x1b[31mred"], ["gpus", "show", "\x1b]0;x\x07"], ["gpus", "--\u009b31m"], ["report", "--isl", "\x1b[2J"]):
            _, err = self.exits(2, *args)
            self.assertIsNone(re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", err), repr(err))


class Streams(harness.Case):
    def test_answers_go_to_stdout_and_warnings_to_stderr(self):
        out, err = self.exits(0, *REPORT)
        self.assertNotIn("gpuadvise: warning", out)
        self.assertTrue(all(line.startswith("gpuadvise: ") for line in err.splitlines()), err)
        quiet, nothing = self.exits(0, *REPORT, "-q")
        self.assertEqual((but_command_line(quiet), nothing), (but_command_line(out), ""))

    def test_a_closed_pipe_is_quiet(self):
        tool = subprocess.Popen([harness.BIN, "models", "--json"], env=harness.environment(self.home), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)
        tool.stdout.close()
        err = tool.stderr.read()
        tool.stderr.close()
        self.assertEqual((tool.wait(), err), (0, b""))

    def test_a_full_disk_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([harness.BIN, "gpus"], env=harness.environment(self.home), stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"No space left", done.stderr)

    def test_closed_standard_streams_harm_nothing(self):
        line = f"{harness.BIN} gpus >&- 2>&- <&-"
        subprocess.run(["sh", "-c", line], env=harness.environment(self.home), check=False)
        self.assertIn("mi300x", self.ok("gpus"))  # the database was not written over

    def test_no_colour_but_where_asked(self):
        plain = self.ok(*REPORT)
        self.assertNotIn("\x1b", plain)
        colored = self.ok(*REPORT, "--color", "always")
        self.assertEqual(but_command_line(re.sub(r"\x1b\[[0-9;]*m", "", colored)), but_command_line(plain))
        self.assertNotIn("\x1b", self.ok(*REPORT, env={"TERM": "xterm-256color"}))


class Output(harness.Case):
    def test_a_file_holds_what_stdout_would(self):
        path = os.path.join(self.home, "out.json")
        self.assertEqual(self.ok("gpus", "--json", "-o", path), "")
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read(), self.ok("gpus", "--json"))

    def test_a_failing_run_leaves_the_old_file(self):
        path = self.write("out.txt", "old")
        self.exits(2, "gpus", "show", "nothing-like-it", "-o", path)
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read(), "old")

    def test_an_unwritable_place_is_a_failure(self):
        out, err = self.exits(1, "gpus", "-o", os.path.join(self.home, "missing/out.txt"))
        self.assertEqual(out, "")
        self.assertIn("missing/out.txt", err)
        self.exits(1, "gpus", "-o", self.home)

    def test_a_pipe_may_be_the_output(self):
        pipe = os.path.join(self.home, "pipe")
        os.mkfifo(pipe)
        got = []
        reader = threading.Thread(target=lambda: got.append(open(pipe, "rb").read()))
        reader.start()
        self.ok("version", "-o", pipe)
        reader.join(10)
        self.assertIn(b"0.", got[0])


class Settings(harness.Case):
    def format_of(self, *args, **options):
        out = self.ok(*args, **options)
        return "json" if out.startswith("{") else "csv" if out.startswith("sku_id,") else "table"

    def test_flags_go_before_environment_before_file(self):
        self.assertEqual(self.format_of("gpus"), "table")
        self.write("config/gpuadvise/config", "# mine\nformat = json\n")
        self.assertEqual(self.format_of("gpus"), "json")
        env = {"GPUADVISE_FORMAT": "csv"}
        self.assertEqual(self.format_of("gpus", env=env), "csv")
        self.assertEqual(self.format_of("gpus", "--format", "table", env=env), "table")

    def test_options_stand_before_or_after_the_command(self):
        after = self.ok("gpus", "--json", "-q")
        self.assertEqual(self.ok("--json", "-q", "gpus"), after)
        self.assertEqual(self.ok("--format=json", "gpus", "--quiet"), after)

    def test_bad_settings_are_named(self):
        self.write("config/gpuadvise/config", "\nformt = json\n")
        _, err = self.exits(2, "gpus")
        self.assertIn("config:2", err)
        self.assertIn("format", err)
        _, err = self.exits(2, "gpus", env={"GPUADVISE_FORMAT": "pdf", "XDG_CONFIG_HOME": None})
        self.assertIn("GPUADVISE_FORMAT", err)
        self.exits(2, "gpus", env={"GPUADVISE_NOW": "yesterday", "XDG_CONFIG_HOME": None})
        self.ok("help", env={"XDG_CONFIG_HOME": os.path.join(self.home, "config")})


class Database(harness.Case):
    def path(self):
        return os.path.join(self.home, "data/gpuadvise/catalog.db")

    def untouched(self, content, *args, says):
        os.makedirs(os.path.dirname(self.path()), exist_ok=True)
        with open(self.path(), "wb") as f:
            f.write(content)
        out, err = self.exits(1, *args)
        self.assertEqual(out, "")
        self.assertIn(says, err)
        self.assertIn("catalog.db", err)
        with open(self.path(), "rb") as f:
            self.assertEqual(f.read(), content)

    def made(self):
        self.ok("gpus")
        with open(self.path(), "rb") as f:
            return bytearray(f.read())

    def test_is_private_and_made_once(self):
        self.made()
        self.assertEqual(os.stat(self.path()).st_mode & 0o777, 0o600)
        before = os.stat(self.path())
        self.ok(*REPORT)
        self.assertEqual(os.stat(self.path()).st_mtime_ns, before.st_mtime_ns)

    def test_a_corrupt_one_is_left_alone(self):
        self.untouched(b"this is no database" * 100, "gpus", says="")

    def test_a_newer_one_is_left_alone(self):
        content = self.made()
        content[60:64] = (9999).to_bytes(4, "big")  # PRAGMA user_version
        self.untouched(bytes(content), "gpus", says="newer")

    def test_another_programs_is_left_alone(self):
        content = self.made()
        content[68:72] = b"MPBX"  # PRAGMA application_id
        self.untouched(bytes(content), "gpus", says="")

    def test_observations_outlive_an_upgrade(self):
        """A database of the version before offers knew their sellers: what it saw stays, its sellers unknown."""
        os.makedirs(os.path.dirname(self.path()), mode=0o700)
        db = sqlite3.connect(self.path())
        for name in sorted(glob.glob(os.path.join(harness.ROOT, "db/migrations/*.sql"))):
            if os.path.basename(name) < "0016":
                with open(name) as f:
                    db.executescript(f.read())
        # Facts were a part of that schema, whatever they looked like.
        db.executescript("CREATE TABLE gpus (sku_id TEXT PRIMARY KEY); CREATE TABLE offers (sku_id TEXT REFERENCES gpus (sku_id)); "
                         "CREATE VIEW offer_current AS SELECT sku_id FROM offers; INSERT INTO gpus VALUES ('x'); INSERT INTO offers VALUES ('x')")
        seen = dict(id=1, provider="runpod", region="secure", sku_id="mi300x-192gb", listed_name="MI300X", gpu_count=1, pricing_model="on-demand",
                    price_micro_usd_per_hour=2123457, available="yes", standing="listed", source="s", as_of="2026-11-26", feed="runpod", seen_at="2026-11-26T00:00:00Z")
        db.execute("INSERT INTO offer_seen (%s) VALUES (%s)" % (", ".join(seen), ", ".join(":" + k for k in seen)), seen)
        db.execute("INSERT INTO offer_latest (id, feed, provider, sku_id, thing, pricing_model, region, gpu_count, standing, as_of, dated) "
                   "SELECT id, feed, provider, sku_id, thing, pricing_model, region, gpu_count, standing, as_of, 1 FROM offer_seen")
        db.execute("PRAGMA application_id = %d" % 0x47505541)
        db.execute("PRAGMA user_version = 15")
        db.commit()
        db.close()
        found = [o for o in self.json("prices", "list", "mi300x", "--all-regions")["offers"] if o["feed"] == "runpod"]
        self.assertEqual([o["price_usd_per_hour"] for o in found], [2.123457])
        db = sqlite3.connect(self.path())
        self.assertEqual(db.execute("SELECT seller_class, machines_seen, sold_by_gpu FROM offer_seen").fetchall(), [("unknown", None, "unknown")])
        for column in ("seller_class", "machines_seen", "sold_by_gpu", "price_micro_usd_per_hour"):
            with self.assertRaisesRegex(sqlite3.IntegrityError, "append-only"):
                db.execute("UPDATE offer_seen SET %s = 5" % column)
        db.close()

    def test_none_is_needed(self):
        out = self.ok("gpus", "-q")
        folder = os.path.dirname(self.write("file", ""))
        self.assertEqual(self.ok("gpus", "-q", env={"XDG_DATA_HOME": os.path.join(folder, "file")}), out)
        self.assertEqual(self.ok("gpus", "-q", env={"XDG_DATA_HOME": None, "HOME": None}), out)

    def test_first_runs_side_by_side(self):
        env = harness.environment(self.home)
        tools = [subprocess.Popen([harness.BIN, *REPORT, "--json"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
        answers = [tool.communicate() + (tool.returncode,) for tool in tools]
        self.assertEqual({code for _, _, code in answers}, {0}, [err for _, err, _ in answers])
        self.assertEqual(len({out for out, _, _ in answers}), 1)


class Facts(harness.Case):
    def copy_of_data(self):
        folder = os.path.join(self.home, "facts")
        subprocess.run(["cp", "-r", os.path.join(harness.ROOT, "data"), folder], check=True)
        return folder

    def test_from_a_folder_they_answer_the_same(self):
        built_in = self.json(*REPORT, "-q")
        folder = self.json(*REPORT, "-q", "--data", self.copy_of_data())
        self.assertEqual(built_in["verdict"], folder["verdict"])
        self.assertEqual(self.json(*REPORT, "-q")["verdict"], built_in["verdict"])

    def test_a_bad_row_is_named(self):
        folder = self.copy_of_data()
        with open(os.path.join(folder, "gpus.tsv"), "a", encoding="utf-8") as f:
            f.write("only-a-key\n")
        out, err = self.exits(1, "gpus", "--data", folder)
        self.assertEqual(out, "")
        self.assertRegex(err, r"gpus\.tsv.*line \d+")
        self.exits(1, "gpus", "--data", os.path.join(self.home, "missing"))

    def test_too_old_is_refused(self):
        self.exits(6, *REPORT, "--max-age", "1h")
        self.exits(6, "prices", "list", "--max-age", "1h")


class Repeatable(harness.Case):
    def test_the_same_question_has_the_same_answer(self):
        first = harness.run([*REPORT, "--json"])
        elsewhere = harness.run([*REPORT, "--json"], cwd="/", env={"TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"})
        self.assertEqual(first, elsewhere)
        self.assertEqual(harness.parse_json(first[1])["generated_at"], harness.NOW)


class Help(harness.Case):
    def test_every_command_explains_itself(self):
        commands = re.findall(r"^  ([a-z-]+)  ", self.ok("help").split("Commands:")[1].split("\n\n")[0], re.M)
        self.assertIn("report", commands)
        for command in commands:
            text = self.ok("help", command)
            self.assertEqual(self.ok(command, "--help"), text)
            self.assertIn(f"gpuadvise {command}", text)

    def test_exit_codes_are_listed(self):
        text = self.ok("--help")
        for code in (0, 1, 2, 3, 4, 5, 6, 130):
            self.assertRegex(text, rf"(?m)^  {code} +\S")

    def test_lines_fit_the_terminal(self):
        for width in (80, 100, 140):
            for args in (["--help"], ["help", "report"], [*REPORT, "-q"], ["gpus", "-q"], ["prices", "list", "-q"]):
                self.assertEqual(harness.too_wide(self.ok(*args, env={"COLUMNS": str(width)}), width), [])

    def test_scripts_are_valid(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.write(f"completion.{shell}", self.ok("completion", shell))
            if subprocess.run(["which", shell], stdout=subprocess.DEVNULL, check=False).returncode == 0:
                subprocess.run([shell, "-n", script], check=True)
        self.assertTrue(self.ok("help", "--man").startswith(".TH") or ".TH GPUADVISE" in self.ok("help", "--man"))


if __name__ == "__main__":
    harness.main()
