#!/usr/bin/python3
"""No block of six equal code lines stands twice: what is the same is written once.

    twins.py              checks the tree that this file stands in
    twins.py --self-test  plants twins, and what only looks like them, and checks that the first are found and the others not

A line counts without its blanks and comments. Not counted: empty lines, includes and lines of brackets alone; the footer of a
command (`const Command cmd_x = {...}`); migrations, which are never edited once they were released.
"""
import os
import re
import subprocess
import sys

BLOCK = 6
READ = (".c", ".h", ".cu", ".cpp", ".py", ".sql", ".sh", ".js", ".css")
FOOTER = re.compile(r"^const Command \w+ = \{.*?^\};", re.M | re.S)
C_COMMENT = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/", re.S)
LINE_COMMENT = {".py": "#", ".sh": "#", ".sql": "--"}
NOTHING = re.compile(r"[\[\](){};,]*|#include .*|(import|from) .*")


def blanked(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def code_lines(path, text):
    """[(number, line without blanks at its ends and runs of them)] of what counts."""
    ending = os.path.splitext(path)[1]
    if ending in LINE_COMMENT:
        text = re.sub(rf"^[ \t]*{LINE_COMMENT[ending]}[^\n]*", "", text, flags=re.M)
    else:
        text = C_COMMENT.sub(lambda m: m.group(0) if m.group(0)[0] in "\"'" else blanked(m), text)
        text = FOOTER.sub(blanked, text)
    lines = [(number, " ".join(line.split())) for number, line in enumerate(text.split("\n"), 1)]
    return [(number, line) for number, line in lines if not NOTHING.fullmatch(line)]


def twins(files):
    """[(lines, path, line, path and line where it stands first)] of the blocks that stood somewhere before."""
    first, found = {}, []
    for path, text in sorted(files.items()):
        lines, last = code_lines(path, text), None
        for at in range(len(lines) - BLOCK + 1):
            where, start = first.setdefault(tuple(line for _, line in lines[at:at + BLOCK]), (path, at))
            if (where, start) == (path, at) or (where == path and at - start < BLOCK):
                last = None  # seen for the first time, or one line many times in a row
            elif last == (where, start - 1):
                found[-1][0] += 1
                last = (where, start)
            else:
                found.append([BLOCK, path, lines[at][0], where, code_lines(where, files[where])[start][0]])
                last = (where, start)
    return found


def tree(root):
    out = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, check=False).stdout.decode()
    paths = [p for p in out.split("\0") if p]
    if not paths:  # no git: an unpacked archive
        paths = [os.path.relpath(os.path.join(folder, f), root) for folder, _, files in os.walk(root) for f in files]
    files = {}
    for path in paths:
        if path.endswith(READ) and not path.startswith(("build/", "db/migrations/")) and os.path.isfile(os.path.join(root, path)):
            with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
                files[path] = f.read()
    return files


SIX = "".join(f"    step_{i}(x);\n" for i in range(BLOCK))
FIVE = SIX[:SIX.index("    step_5")]
# Files -> how many twins they hold.
PLANTED = [
    ({"a.c": f"void f(int x) {{\n{SIX}}}\n", "b.c": f"void g(int x) {{\n{SIX}}}\n"}, 1),
    ({"a.c": f"void f(int x) {{\n{SIX}}}\nvoid g(int x) {{\n{SIX}}}\n"}, 1),
    ({"a.c": SIX, "b.c": SIX.replace("    ", "\t").replace(";\n", ";  // why\n\n")}, 1),
    ({"a.c": SIX, "b.c": SIX.replace("step_3(x);\n", 'step_3(x);\n}\n#include "c.h"\n')}, 1),
    ({"a.c": SIX + "more(1);\n", "b.c": SIX + "more(1);\n", "c.c": SIX + "more(1);\n"}, 2),
    ({"a.py": SIX.replace(";", ""), "b.py": "# x\n" + SIX.replace(";", "")}, 1),
    ({"a.c": FIVE + "a();\n", "b.c": FIVE + "b();\n"}, 0),
    ({"a.c": SIX, "b.c": SIX.replace("step_3", "step_x")}, 0),
    ({"a.c": "NAN,\n" * 8}, 0),
    ({"a.c": SIX.replace("(x)", '("// x")'), "b.c": SIX.replace("(x)", '("// y")')}, 0),
    ({f"{c}.c": "const Command cmd_" + c + " = {\n" + SIX + "};\n" for c in "ab"}, 0),
]


def self_test():
    missed = [f"{files}: wanted {wanted} twins, got {got}" for files, wanted in PLANTED if len(got := twins(files)) != wanted]
    print("\n".join(missed) or f"{len(PLANTED)} trees judged")
    return 1 if missed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    files = tree(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found = twins(files)
    for lines, path, line, where, start in found:
        print(f"{path}:{line}: {lines} lines that stand at {where}:{start} too")
    print(f"{len(files)} files, {len(found)} twins")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
