#!/usr/bin/python3
"""What `gpuadvise migrate scan` finds in a checkout, against the names that the peer converts.

    compare_hipify.py CHECKOUT [--program GPUADVISE] [--peer auto|hipify-perl|map] [--map FILE] [--json] [--all]

The peer is hipify-perl where it is on PATH. Without it the names of data/cuda_api_map.tsv that have a HIP name stand for what
the peer would convert in code (comments and strings apart); the answer says which of the two it was.

It reports names that the peer converts and the scan does not find ("missed"), and rules of the scan that the peer has no word
for ("only here"). Names that the checkout defines itself, or that stand only in comments and strings, are the peer's false
ones and are counted apart. Headers and kernel launches, which both know, are left out. Code between guards for AMD is none
of the scan's work, so that a project that is ported already shows names as missed that are not.

Exit: 0 nothing missed, 1 the comparison could not be made, 2 bad usage, 4 names were missed.
"""
import argparse
import collections
import csv
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXTENSIONS = (".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl")
FILE_BYTES_MAX = 16 << 20
PEER_SECONDS_MAX = 60
# What is no name in code: comments, raw strings, strings, characters.
APART = re.compile(r'//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)|R"([^\s()\\]{0,16})\(.*?(?:\)\1"|\Z)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
DEFINED = re.compile(r"#[ \t]*define[ \t]+(\w+)|\b(?:struct|class|union|enum)[ \t]+(\w+)\s*[:{]|\b\w+[ \t*&]+(\w+)\s*\([^(){};]*\)\s*\{")
WORD = re.compile(r"[A-Za-z_]\w*")
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.MULTILINE)
SHOWN = 40


class Failed(Exception):
    pass


def without_apart(text):
    """Code alone; newlines stay."""
    text = INCLUDE.sub("", text)
    return APART.sub(lambda m: " " + "\n" * m.group(0).count("\n"), text)


def names_of_map(path):
    """CUDA name -> HIP name, for what has one that is written differently."""
    try:
        with open(path, encoding="utf-8", newline="") as f:
            rows = csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)
            names = {r["cuda_name"]: r["hip_name"] for r in rows if r["hip_name"]}
    except (OSError, KeyError) as e:
        raise Failed(f"cannot read the map '{path}': {e}") from e
    return {cuda: hip for cuda, hip in names.items() if cuda != hip and WORD.fullmatch(cuda)}


def ignored_by_git(root, paths):
    """Those that .gitignore leaves out, tracked or not; none where this is no repository."""
    try:
        done = subprocess.run(["git", "-C", root, "check-ignore", "--no-index", "-z", "--stdin"], input=b"\0".join(os.fsencode(p) for p in paths), capture_output=True, check=False)
    except OSError:
        return set()
    return {os.fsdecode(p) for p in done.stdout.split(b"\0") if p} if done.returncode == 0 else set()


def sources(root, answer):
    """(path from the root, path) of what both can read; files that the scan did not analyse are named in its answer."""
    noted = {n["file"] for n in answer["not_analysed"] if re.search(r"not read|not analysed|could not|no longer", n["why"])}
    rows = list(walk(root, noted))
    ignored = ignored_by_git(root, [relative for relative, _ in rows])
    return [row for row in rows if row[0] not in ignored]


def walk(root, noted):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in (".git", ".hg", ".svn"))
        for name in sorted(files):
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, root)
            if not name.lower().endswith(EXTENSIONS) or relative in noted or not os.path.isfile(path) or os.path.islink(path):
                continue
            if os.path.getsize(path) <= FILE_BYTES_MAX:
                yield relative, path


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def scan(program, root):
    try:
        done = subprocess.run([program, "migrate", "scan", root, "--json", "-q"], capture_output=True, check=False)
    except OSError as e:
        raise Failed(f"cannot run '{program}': {e}") from e
    if done.returncode != 0:
        raise Failed(f"the scan ended with {done.returncode}: {done.stderr.decode('utf-8', 'replace').strip()}")
    return json.loads(done.stdout)


def perl_converts(peer, path, known):
    """Names that hipify-perl takes out of one file: in the text before, fewer times in the text after. Its warnings, a hundred times
    slower than the work itself in releases before 2026, are off: they change nothing in the text."""
    try:
        done = subprocess.run([peer, "-quiet-warnings", path], capture_output=True, check=False, timeout=PEER_SECONDS_MAX, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    before = collections.Counter(WORD.findall(INCLUDE.sub("", read(path))))
    after = collections.Counter(WORD.findall(INCLUDE.sub("", done.stdout.decode("utf-8", "replace"))))
    return {name for name in before if name in known and after[name] < before[name]}


def names_defined(code):
    """What the text defines: macros, types, and functions with a body."""
    return {next(filter(None, m.groups())) for m in DEFINED.finditer(code)}


def compare(root, answer, peer, known):
    """Everything by name: where the peer converts it, and whether the scan finds it in the same file."""
    found = collections.defaultdict(set)
    for f in answer["findings"]:
        found[f["file"]].update(WORD.findall(f["name"]))
    missed, false = collections.defaultdict(list), collections.defaultdict(list)
    converted, failed, defined = set(), [], set()
    files = 0
    for relative, path in sources(root, answer):
        files += 1
        code = without_apart(read(path))
        in_code = set(WORD.findall(code))
        defined.update(names_defined(code))
        names = in_code & set(known) if peer is None else perl_converts(peer, path, known)
        if names is None:
            failed.append(relative)
            continue
        for name in sorted(names):
            converted.add(name)
            if name in found[relative]:
                continue
            (missed if name in in_code else false)[name].append(relative)
    for name in sorted(defined & set(missed)):
        false[name] += missed.pop(name)
    return {"files": files, "converted": converted, "missed": missed, "false": false, "peer_failed": failed}


def only_here(root, answer, known):
    """Rules with findings that no name, header or launch of the peer's stands for."""
    rules = {}
    includes = {}
    for f in answer["findings"]:
        if f["file"] not in includes:
            text = read(os.path.join(root, f["file"])) if f["file"].lower().endswith(EXTENSIONS) else ""
            includes[f["file"]] = {1 + text.count("\n", 0, m.start()) for m in INCLUDE.finditer(text)}
        if f["rule"] in ("api-rename", "kernel-launch") or f["name"] in known or f["line"] in includes[f["file"]]:
            continue
        row = rules.setdefault(f["rule"], {"rule": f["rule"], "class": f["class"], "what": f["what"], "count": 0, "first": f"{f['file']}:{f['line']}"})
        row["count"] += 1
    return sorted(rules.values(), key=lambda r: (-r["count"], r["rule"]))


def clean(text):
    return "".join(c if c.isprintable() else "?" for c in text)


def print_text(result, everything):
    print(f"peer: {result['peer']}; {result['files']} files of C, C++ and CUDA, {result['findings']} findings")
    print(f"names that the peer converts: {result['converted']}; found by the scan too: {result['converted'] - len(result['missed'])}")
    limit = None if everything else SHOWN
    for title, key in (("missed: the peer converts it, the scan does not find it", "missed"), ("false ones of the peer: in comments or strings, or the project's own", "peer_false")):
        rows = result[key]
        print(f"\n{title}: {len(rows)}")
        for row in rows[:limit]:
            print(clean(f"  {row['name']} in {row['files'][0]}" + (f" and {len(row['files']) - 1} more" if len(row["files"]) > 1 else "")))
    print(f"\nonly here, no word of the peer's: {len(result['only_here'])} rules")
    for row in result["only_here"][:limit]:
        print(clean(f"  {row['count']:6} {row['class']:9} {row['rule']}: {row['what']} ({row['first']})"))
    if result["peer_failed"]:
        print(clean(f"\nthe peer failed on {len(result['peer_failed'])} files, such as {result['peer_failed'][0]}"))


def main():
    parser = argparse.ArgumentParser(description="gpuadvise migrate scan against hipify-perl, on any checkout")
    parser.add_argument("checkout")
    parser.add_argument("--program", default=os.environ.get("GPUADVISE_BIN", os.path.join(ROOT, "build/release/gpuadvise")))
    parser.add_argument("--peer", choices=("auto", "hipify-perl", "map"), default="auto")
    parser.add_argument("--map", default=os.path.join(ROOT, "data/cuda_api_map.tsv"))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--all", action="store_true", help="print every row")
    args = parser.parse_args()
    try:
        if not os.path.isdir(args.checkout):
            raise Failed(f"'{args.checkout}' is no folder")
        peer = None if args.peer == "map" else shutil.which("hipify-perl")
        if args.peer == "hipify-perl" and peer is None:
            raise Failed("hipify-perl is not on PATH; --peer map takes the shipped list of names instead")
        known = names_of_map(args.map)
        answer = scan(args.program, args.checkout)
        x = compare(args.checkout, answer, peer, known)
        if x["files"] > 0 and len(x["peer_failed"]) == x["files"]:
            raise Failed("the peer failed on every file")
    except (Failed, OSError, json.JSONDecodeError) as e:
        print(clean(f"compare_hipify: {e}"), file=sys.stderr)
        return 1
    result = {"peer": "hipify-perl" if peer else "names of the shipped map (hipify-perl is not used)", "files": x["files"], "findings": len(answer["findings"]), "converted": len(x["converted"]),
              "missed": [{"name": n, "files": f} for n, f in sorted(x["missed"].items())], "peer_false": [{"name": n, "files": f} for n, f in sorted(x["false"].items())],
              "only_here": only_here(args.checkout, answer, known), "peer_failed": x["peer_failed"]}
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        print_text(result, args.all)
    return 4 if result["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
