"""Lines and branches that the tests take, by folder, against floors: coverage.py BUILD-FOLDER [--write]

    cmake --preset coverage && cmake --build --preset coverage -j2
    ctest --preset coverage -j2
    cmake --build --preset coverage --target coverage      # prints the table; exit 1 under a floor

Reads what gcc's --coverage left beside the objects through gcov's JSON, with no other tool. --write puts the table into
docs/testing.md. What a process counts that ends by _exit (workers of `bench`, whoever is killed) is not in it.
"""
import collections
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs/testing.md")
# Percent of lines and of branches. Raise one when the measured figure has left it behind; never lower one without saying why in the commit.
# That of kernels leaves room for processors that have not every instruction set.
FLOORS = {"src/base": (95, 85), "src/facts": (95, 85), "src/perf": (95, 85), "src/model": (95, 85), "src/market": (95, 85), "src/fit": (95, 85),
          "src/advise": (95, 85), "src/migrate": (95, 85), "src/report": (95, 85), "src/runs": (95, 85), "src/traffic": (95, 85),
          "catalog": (95, 85), "db": (95, 85), "cli": (95, 85), "kernels": (70, 58), "tui": (94, 82)}


def folder_of(path):
    """The folder of the table for a source, None for others: tests, system headers, generated files."""
    path = os.path.relpath(os.path.realpath(path), ROOT)
    parts = path.split("/")
    folder = "/".join(parts[:2]) if parts[0] == "src" else parts[0]
    return folder if path.endswith(".c") and folder in FLOORS else None


def measured(build):
    """Folder -> {(file, line): [executed, branches taken as a list]}; the same line from several objects counts once."""
    lines = collections.defaultdict(dict)
    data = [os.path.join(top, name) for top, _, names in os.walk(build) for name in names if name.endswith(".gcda") and "/tests/" not in top]
    if not data:
        sys.exit(f"{build}: nothing was counted; build the preset coverage and run its tests first")
    for start in range(0, len(data), 40):
        out = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", *data[start:start + 40]], cwd=build, capture_output=True, check=True).stdout
        for answer in out.decode().splitlines():
            report = json.loads(answer)
            for source in report["files"]:
                path = os.path.join(report["current_working_directory"], source["file"])
                folder = folder_of(path)
                if folder is None:
                    continue
                for line in source["lines"]:
                    at = lines[folder].setdefault((os.path.realpath(path), line["line_number"]), [0, []])
                    at[0] += line["count"]
                    taken = [b["count"] for b in line["branches"]]
                    at[1] = [x + y for x, y in zip(at[1], taken)] if len(at[1]) == len(taken) else at[1] or taken
    return lines


def table(lines):
    """Markdown, and the folders that lie under their floor."""
    rows, under = ["| folder | lines | of | floor | branches | of | floor |", "|---|---:|---:|---:|---:|---:|---:|"], []
    for folder, (line_floor, branch_floor) in FLOORS.items():
        found = lines.get(folder, {}).values()
        n, branches = len(found), [b for _, taken in found for b in taken]
        if not n:
            sys.exit(f"{folder}: not a line of it was counted")
        got = 100 * sum(count > 0 for count, _ in found) / n, 100 * sum(b > 0 for b in branches) / max(1, len(branches))
        rows.append(f"| {folder} | {got[0]:.1f} % | {n:,} | {line_floor} % | {got[1]:.1f} % | {len(branches):,} | {branch_floor} % |")
        if got[0] < line_floor or got[1] < branch_floor:
            under.append(folder)
    return "\n".join(rows), under


def write(text):
    begin, end = "<!-- coverage -->\n", "<!-- end of coverage -->"
    with open(PAGE, encoding="utf-8") as f:
        before, rest = f.read().split(begin)
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(before + begin + text + "\n" + end + rest.split(end)[1])


def main():
    text, under = table(measured(os.path.abspath(sys.argv[1])))
    print(text)
    if "--write" in sys.argv:
        write(text)
    if under:
        sys.exit("under the floor: " + ", ".join(under))


if __name__ == "__main__":
    main()
