#!/usr/bin/python3
"""Do two builds give the same answers? For changes that move code and mean to change nothing.

    same_answers.py OLD NEW          runs every command with both programs and compares output, errors and exit codes
    same_answers.py --list           prints the commands

Every command runs in an empty home of its own under a fixed clock, with the facts of its own program: give both programs the
same facts with --data DIR where these differ. Prints what differs, and how many commands were compared; exit 1 on a difference.
"""
import argparse
import concurrent.futures
import difflib
import os
import re
import subprocess
import sys
import tempfile

NOW = "2026-11-29T12:00:00Z"
FORMATS = ("table", "json", "csv", "md")


def all_formats(*words):
    return [(*words, "--format", f) for f in FORMATS]


def commands(program):
    """The commands as tuples of words; workloads and GPUs are those that the program lists."""
    def ids(*words):
        done = subprocess.run([program, *words, "--format", "csv"], capture_output=True, text=True, check=True, env=environment(tempfile.gettempdir()))
        return [line.split(",")[0] for line in done.stdout.splitlines()[1:]]
    found = []
    workloads, gpus = ids("workloads"), ids("gpus")
    for workload in workloads[::2]:
        found += all_formats("report", "--workload", workload)
    for workload in workloads[:6]:
        found += [("report", "--workload", workload, "--explain"), ("report", "--workload", workload, "--format", "html"),
                  ("report", "--workload", workload, "--current", "8xh100-sxm5-80gb@2.5"), ("report", "--workload", workload, "--rate", "2/s", "--format", "json")]
    for gpu in gpus[::6]:
        found += [("estimate", "--gpu", gpu, "--model", "llama-3.1-8b"), ("estimate", "--gpu", gpu, "--model", "llama-3.1-8b", "--format", "json", "--explain")]
    for words in (("gpus",), ("models",), ("workloads",), ("prices", "list"), ("prices", "history", "h100-sxm5-80gb"), ("compat",),
                  ("sources",), ("bench", "list"), ("bench", "runs"), ("runs", "list"), ("validate",)):
        found += all_formats(*words)
    for screen in ("advice", "what-if", "gpus", "prices", "compat", "sources", "help"):
        found += [("tui", "--once", screen, "--size", size) for size in ("80x24", "140x50")]
    for command in ("report", "estimate", "prices", "prices import", "migrate", "migrate scan", "bench", "runs", "traffic", "tui", "check", "validate", "gpus", "models"):
        found.append((*command.split(), "--help"))
    found += [("version",), ("help",), ("completion", "bash"), ("nonsense",), ("report",), ("report", "--workload", "nonsense"), ("doctor", "--nonsense")]
    return found


def environment(home):
    return {"PATH": os.environ["PATH"], "HOME": home, "GPUADVISE_NOW": NOW, "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": "100"}


def answer(program, data, words):
    with tempfile.TemporaryDirectory() as home:
        given = ["--data", data] if data else []
        done = subprocess.run([program, *given, *words], capture_output=True, env=environment(home), stdin=subprocess.DEVNULL, timeout=120, check=False)
        text = b"exit %d\n" % done.returncode + done.stdout + b"\n-- standard error\n" + done.stderr
        text = text.decode(errors="replace").replace(home, "HOME")
        text = re.sub(r'"digest": "[0-9a-f]{16}"', '"digest": "D"', text)  # of the facts and of the schema's version
        return re.sub(r"\b\d+(\.\d+)? ?ms\b", "N ms", text)


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--list", action="store_true", help="print the commands")
    ask.add_argument("--data", help="facts of both programs")
    ask.add_argument("programs", nargs="+", metavar="PROGRAM")
    asked = ask.parse_args()
    if len(asked.programs) != (1 if asked.list else 2):
        ask.error("two programs, or one with --list")
    every = commands(asked.programs[0])
    if asked.list:
        print("\n".join(" ".join(words) for words in every))
        return 0

    def compare(words):
        return words, [answer(p, asked.data, words).splitlines(keepends=True) for p in asked.programs]
    differ = failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for words, (old, new) in pool.map(compare, every):
            failed += old[0] == "exit 2\n"
            if old != new:
                differ += 1
                print(f"--- {' '.join(words)}")
                sys.stdout.writelines(list(difflib.unified_diff(old, new, *asked.programs, n=0))[2:14])
    print(f"{len(every)} commands compared, {differ} differ; {failed} are refused by both or by the first")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
