"""Golden files: tests/golden/NAME.txt holds a command line and all that it must print.

    # Why this case exists (any number of # lines).
    $ gpuadvise gpus --vendor amd --format csv
    exit 0
    --- stdout
    ...
    --- stderr
    ...

The command line is split as a shell would, but nothing is expanded. Optional lines between `$` and `exit`:
`env NAME=VALUE` and `stdin TEXT` (one line each). In the output <HOME>, <ROOT> and <VERSION> stand for the home folder of
the run, the folder of the sources, and the program's version, <DEVICE CODE> for what `version` says of it. UPDATE_GOLDEN=1 writes what the program prints into the files.
"""
import glob
import os
import re
import shlex
import shutil
import tempfile
import unittest

import harness

FOLDER = os.path.join(harness.ROOT, "tests/golden")


def version():
    with open(os.path.join(harness.ROOT, "CMakeLists.txt"), encoding="utf-8") as f:
        return re.search(r"^project\(gpuadvise VERSION (\S+)", f.read(), re.M).group(1)


def head_of(text):
    """The lines before `exit`, and what they ask for: arguments, environment, stdin."""
    head = text.split("\nexit ", 1)[0]
    args, env, stdin = None, {}, ""
    for line in head.split("\n"):
        if line.startswith("$ gpuadvise"):
            args = shlex.split(line[2:])[1:]
        elif line.startswith("env "):
            name, env_value = line[4:].split("=", 1)
            env[name] = env_value
        elif line.startswith("stdin "):
            stdin = line[6:] + "\n"
        elif not line.startswith("#"):
            raise ValueError(f"not understood: '{line}'")
    if args is None:
        raise ValueError("no line '$ gpuadvise ...'")
    return head, args, env, stdin


def printed(text):
    """What the golden file should be, from running its command."""
    head, args, env, stdin = head_of(text)
    home = tempfile.mkdtemp(prefix="gpuadvise-home-")
    try:
        code, out, err = harness.run(args, env=env, stdin=stdin, home=home, cwd=harness.ROOT)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    body = f"--- stdout\n{out}--- stderr\n{err}"
    for what, name in ((home, "<HOME>"), (harness.ROOT, "<ROOT>"), (version(), "<VERSION>")):
        body = body.replace(what, name)
    # What is inside depends on the compilers that were there.
    body = re.sub(r"(?s)Device code for NVIDIA: .*? For AMD: .*?\.\n", "<DEVICE CODE>\n", body)
    return f"{head}\nexit {code}\n{body}"


class Golden(unittest.TestCase):
    maxDiff = None


def add(path):
    def test(self):
        with open(path, encoding="utf-8", newline="") as f:
            want = f.read()
        got = printed(want)
        if os.environ.get("UPDATE_GOLDEN") == "1":
            with open(path, "w", encoding="utf-8", newline="") as f:
                f.write(got)
        else:
            self.assertEqual(want, got, f"{path}: UPDATE_GOLDEN=1 rewrites it")
    setattr(Golden, "test_" + re.sub(r"\W", "_", os.path.basename(path)[:-4]), test)


for golden in sorted(glob.glob(os.path.join(FOLDER, "*.txt"))):
    add(golden)

if __name__ == "__main__":
    harness.main()
