"""docs/cli.md says what the program does: its commands, formats, exit codes, environment and bases."""
import glob
import os
import re

import harness


def column(page, heading, n):
    """The words in backticks, or bare figures, of column n of the first table under a heading."""
    part = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [re.split(r" *\| *", line.strip())[1:-1] for line in part.splitlines() if line.startswith("| ")][1:]
    return [row[n] for row in rows]


class Page(harness.Case):
    def setUp(self):
        super().setUp()
        with open(os.path.join(harness.ROOT, "docs/cli.md"), encoding="utf-8") as f:
            self.page = f.read()
        self.help = self.exits(0, "--help")[0]

    def section(self, title):
        return self.help.split(f"\n{title}")[1].split(":\n", 1)[1].split("\n\n")[0]

    def test_commands_and_subcommands(self):
        commands = re.findall(r"(?m)^  ([a-z-]+) ", self.section("Commands"))
        told = [re.findall(r"`([a-z-]+)`", c)[0] for c in column(self.page, "Commands", 0)]
        self.assertEqual(told, commands)
        for command, said in zip(told, column(self.page, "Commands", 1)):
            usages = re.findall(rf"(?m)^(?:Usage:| {{6}}) gpuadvise {command} \[?([a-z]+)\]?(?: |$)", self.exits(0, "help", command)[0])
            self.assertEqual(re.findall(r"`([a-z-]+)`", said), usages, command)

    def test_formats(self):
        every = {"json", "csv", "md", "html", "sarif", "slurm", "k8s"}
        for command, said in zip(column(self.page, "Commands", 0), column(self.page, "Commands", 2)):
            told = {w for w in re.split(r"[ ,|]+", said) if w}
            self.assertLessEqual(told, every)
            for other in sorted(every - told):
                words = [command.strip("`")] + ["bash"] * (command == "`completion`")
                err = self.exits(2, *words, "--format", other)[1]
                self.assertRegex(err, "not available", f"{command} {other}")

    def test_exit_codes(self):
        self.assertEqual(column(self.page, "Exit codes", 0), re.findall(r"(?m)^  (\d+) ", self.section("Exit codes")))
        with open(os.path.join(harness.ROOT, "cli/cli.h"), encoding="utf-8") as f:
            self.assertEqual(column(self.page, "Exit codes", 0), re.findall(r"EXIT_[A-Z]+ = (\d+)", f.read()))

    def test_environment(self):
        told = set(re.findall(r"[A-Z_]{4,}", " ".join(column(self.page, "Where a value comes from", 0))))
        read = set()
        for folder in ("cli", "catalog", "tui", "kernels"):
            for path in glob.glob(os.path.join(harness.ROOT, folder, "**/*.[ch]"), recursive=True):
                with open(path, encoding="utf-8") as f:
                    read |= set(re.findall(r'"(GPUADVISE_[A-Z_]*[A-Z])"', f.read()))
        read -= {"GPUADVISE_MAX_AGE"}  # the example of a setting
        self.assertEqual({t for t in told if t.startswith("GPUADVISE")}, read)
        for word in re.findall(r"[A-Z_]{4,}", self.section("Environment").replace("GPUADVISE_<OPTION>", "").replace("GPUADVISE_MAX_AGE", "")):
            self.assertIn(word, told | {"LESS", "FRX"})

    def test_bases(self):
        with open(os.path.join(harness.ROOT, "src/facts/facts.c"), encoding="utf-8") as f:
            names = re.search(r"basis_names\[\] = \{(.*?)NULL", f.read(), re.S).group(1)
        self.assertEqual([b.strip("`") for b in column(self.page, "JSON", 0)], re.findall(r'"([a-z]+)"', names))


if __name__ == "__main__":
    harness.main()
