#!/usr/bin/python3
"""What the scan counts in the documented ports' trees before they were ported -> data/port_findings.tsv.

    bench/port_findings.py TREES [GPUADVISE]

TREES holds a checkout of each tree of data/port_trees.tsv in a folder named after its repository (the part after the slash).
Tests, CI and documents are apart, as in the first total of the scan. Prints the lines of CUDA of each tree for data/port_trees.tsv.
Run it again whenever rules or lexers change what the scan finds; then `gpuadvise migrate ports --format md` ends docs/effort.md.
"""
import csv
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "data")


def main():
    trees = sys.argv[1]
    program = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "build/release/gpuadvise")
    as_of = subprocess.run(["date", "+%Y-%m-%d"], capture_output=True, text=True, check=True).stdout.strip()
    with open(os.path.join(DATA, "port_trees.tsv"), encoding="utf-8") as f:
        names = sorted({row["tree"] for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)})
    rows = []
    for tree in names:
        folder = os.path.join(trees, tree.split("@")[0].split("/")[1])
        # Facts that are being made anew are no input: the counts do not depend on the fit.
        done = subprocess.run([program, "migrate", "scan", "--json", folder], capture_output=True, check=True)
        answer = json.loads(done.stdout)
        print(f"{tree}\t{answer['summary']['cuda_lines']}")
        for part in answer["effort_parts"]["rule"]:
            rows.append((tree, part["name"], f"{part['count']:.10g}"))
    with open(os.path.join(DATA, "port_findings.tsv"), "w", encoding="utf-8") as f:
        f.write("tree\trule\tcount\tsource\tas_of\n")
        for tree, rule, count in sorted(rows):
            f.write(f"{tree}\t{rule}\t{count}\town scan of {tree}\t{as_of}\n")


main()
