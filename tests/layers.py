#!/usr/bin/python3
"""The rules that the compiler does not know: who may include whom, which calls live where, how long a function may get.

    layers.py              checks the tree that this file stands in
    layers.py --self-test  plants one violation of every rule in a small tree and checks that each is found
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Folder -> folders that its files may include from, themselves aside. From the ground up: each names only earlier ones.
LAYERS = {
    "src/base": [],
    "src/facts": ["src/base"],
    "src/perf": ["src/base", "src/facts"],
    "src/model": ["src/base", "src/facts", "src/perf"],
    "src/market": ["src/base", "src/facts"],
    "src/runs": ["src/base", "src/facts"],
    "src/fleet": ["src/base", "src/facts"],
    "src/migrate": ["src/base", "src/facts"],
    "src/fit": ["src/base", "src/facts", "src/perf"],
    "src/traffic": ["src/base", "src/facts", "src/perf"],
    "src/advise": ["src/base", "src/facts", "src/perf", "src/fit", "src/market", "src/traffic", "src/migrate"],
    "src/report": ["src"],
    "db": ["src/base"],
    "kernels": ["src/base", "src/facts"],
    "catalog/facts": ["src", "db"],
    "catalog/market": ["src", "db", "catalog/facts"],
    "catalog/feeds": ["src", "db", "catalog/facts", "catalog/market"],
    "tui": ["src", "catalog", "kernels"],
    "cli": ["src", "db", "kernels", "catalog", "tui"],
    "tests": ["src", "db", "kernels", "catalog", "tui", "cli"],
}

# Header of a library (regular expression) -> the only files (prefix of their path) that may include it.
OWNERS = {
    r"sqlite3\.h": ("db/", "tests/test_statements.c"),
    r"cjson/.*|cJSON\.h": "src/base/",
    r"curl/.*": ("catalog/feeds/http.c", "tests/fuzz/fuzz_url.c"),
    r"sodium\.h": ("catalog/feeds/minisign.c", "catalog/facts/catalog.c"),
    r"utf8proc\.h": "src/base/text.c",
    r"zip\.h|zlib\.h": "catalog/feeds/feed_zip.c",
    r"(n?curses(w?/.*)?|panel|term)\.h": "tui/term.c",
    r"dlfcn\.h|cuda.*|hip/.*|nvml\.h|rocm_smi/.*|amd_smi/.*": "kernels/",
}
# Nothing in src but base sees a clock, a process, a thread or a socket; migrate walks the tree it is given, on all cores.
WORLD = r"(time|unistd|fcntl|signal|locale|pthread|threads|dirent|poll|netdb|termios|spawn|sys/.*|net/.*|netinet/.*|arpa/.*)\.h"
WORLD_ALLOWED = {"src/migrate/": r"(dirent|fcntl|unistd|pthread|sys/stat|sys/types)\.h"}

# Calls -> where they may stand (prefixes of paths), with the reason.
CALLS = [
    (r"malloc|calloc|realloc|free|strdup|strndup|asprintf|vasprintf", ["src/base/"], "memory comes from an Arena or a Buf"),
    (r"strto(d|f|ld|l|ul|ll|ull|imax|umax)|ato[fil]|atoll|sscanf|vsnprintf", ["src/base/"],
     "numbers are read by parse_number and its like"),
    (r"sprintf|vsprintf|strcpy|strcat|strncpy|strncat|gets|strtok|strtok_r|stpcpy|alloca|mktemp|tmpnam|rand|srand", [],
     "unbounded, stateful or unseeded"),
    (r"setlocale|uselocale|newlocale", ["tui/term.c"], "the numeric locale stays C"),
    (r"system|popen", [], "no shell"),
    (r"printf|vprintf|puts|putchar|perror|exit|abort|assert", ["cli/", "src/base/json.c", "src/base/memory.c"],
     "libraries neither print nor end the program"),
    (r"_exit|_Exit", ["cli/", "src/base/json.c", "src/base/memory.c", "kernels/worker.c"], "libraries end no process but a child of their own that runs nothing"),
    (r"fprintf|vfprintf|fputs|fputc|putc|fwrite|fopen|fdopen|freopen", ["cli/", "src/base/"], "files are written by file_write"),
    (r"getenv|secure_getenv", ["cli/", "catalog/feeds/http.c", "tui/", "kernels/"], "settings come from the caller"),
]
SPELLED = r"(?<![\w.>])({})\s*\("
FUNCTION_MAX, FILE_MAX = 60, 500
# What is longer for now, up to these, and why. Each row is printed, and none is added.
FUNCTION_EXCEPTED, FILE_EXCEPTED = 80, 600
LONGER_FILES = {
}
LONGER_FUNCTIONS = {
}
RECIPE_MAX = 330  # two lines of a wide window
C_FILES = (".c", ".h", ".cu", ".cuh", ".hip", ".cpp", ".hpp")
SKIPPED_FOLDERS = {".git", "build", "__pycache__", ".cache"}
# Written in pieces, so that this file does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.-])/" + r"work/|\.\./" + r"shared")


def without_comments(text):
    """The code with comments and the insides of literals blanked, line by line as before."""
    def blank(match):
        found = match.group(0)
        if found[0] in "\"'":
            return found[0] + " " * (len(found) - 2) + found[-1]
        return re.sub(r"[^\n]", " ", found)
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text, flags=re.S)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def folder_of(path):
    """The layer that a file belongs to, or None."""
    return next((f for f in LAYERS if path.startswith(f + "/")), None)


def top_level(code):
    """Splits preprocessed-free code into (start, text, body) statements at brace depth 0; body is '' for a declaration."""
    code = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: re.sub(r"[^\n]", " ", m.group(0)), code, flags=re.M)
    start = depth = 0
    opened = None
    for found in re.finditer("[{};]", code):
        at, c = found.start(), found.group()
        if c == "{":
            if depth == 0:
                opened = at
            depth += 1
        elif c == "}":
            depth -= 1
            head = code[start:opened] if opened is not None else ""
            if depth == 0 and re.search(r"\)\s*$", head) and "=" not in head.split("(")[0]:
                yield start + len(head) - len(head.lstrip()), head.strip(), code[opened:at + 1]
                start, opened = at + 1, None
        elif c == ";" and depth == 0:
            head = code[start:at]
            yield start + len(head) - len(head.lstrip()), head.strip(), ""
            start, opened = at + 1, None


def is_mutable(declaration):
    """Does this file-scope (or static local) declaration create something that can be written to?"""
    nested = 1
    while nested:
        declaration, nested = re.subn(r"\{[^{}]*\}", " ", declaration)
    head = declaration.split("=")[0].strip()
    if not head or re.match(r"(typedef|extern|_Static_assert|static_assert)\b", head):
        return False
    if re.fullmatch(r"(struct|union|enum)\s*\w*", head):  # a type, no object
        return False
    if re.search(r"volatile\s+sig_atomic_t", head):  # the flag of a signal handler
        return False
    if "(" in head:
        pointer = re.match(r"\(\s*\*([^)]*)\)", head[head.index("("):])  # to functions; else a prototype
        return bool(pointer) and "const" not in pointer.group(1)
    return "const" not in head.rsplit("*", 1)[-1]


class Check:
    def __init__(self, root):
        self.root = root
        self.faults, self.warnings = [], []
        self.paths = sorted(self.listed())
        self.includes = {}

    def listed(self):
        """Every file that git tracks or would, or every file where there is no git."""
        try:
            out = subprocess.run(["git", "-C", self.root, "ls-files", "-co", "--exclude-standard", "-z"],
                                 capture_output=True, check=True).stdout.decode()
            if out:
                return [p for p in out.split("\0") if p and os.path.isfile(os.path.join(self.root, p))]
        except (OSError, subprocess.CalledProcessError):
            pass
        found = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = [f for f in folders if f not in SKIPPED_FOLDERS]
            found += [os.path.relpath(os.path.join(folder, f), self.root) for f in files]
        return found

    def fault(self, path, line, text):
        self.faults.append(f"{path}:{line}: {text}")

    def run(self):
        for path in self.paths:
            with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as f:
                text = f.read()
            for match in MACHINE_PATH.finditer(text):
                self.fault(path, line_of(text, match.start()), f"names a path of one machine: '{match.group(0)}'")
            if path == "CONTRIBUTING.md":
                self.check_recipes(text[text.find("## How to add ..."):])
            if path.endswith(C_FILES) and folder_of(path):
                self.check_c(path, text)
            elif path.endswith(".sql") and not text.startswith("--"):
                self.fault(path, 1, "does not start with a one-line comment")
        self.check_cycles()
        return self

    def check_c(self, path, text):
        if not re.match(r"// ?\S", text):
            self.fault(path, 1, "does not start with a one-line comment")
        lines = text.count("\n")
        self.check_length(path, lines, lines, "", FILE_MAX, FILE_EXCEPTED, LONGER_FILES)
        code = without_comments(text)
        self.check_includes(path, text, code)
        if not path.startswith("tests/"):
            self.check_calls(path, code)
        for start, head, body in top_level(code):
            self.check_statement(path, code, start, head, body)

    def check_includes(self, path, text, code):
        folder = folder_of(path)
        self.includes[path] = []
        for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', text, re.M):
            if not code[match.start():match.end()].strip().startswith("#"):
                continue  # inside a comment
            quote, name = match.groups()
            line = line_of(text, match.start())
            if quote == '"':
                self.check_quoted(path, folder, name, line)
            else:
                self.check_system(path, folder, name, line)

    def check_quoted(self, path, folder, name, line):
        if (name == "version.h" and folder in ("cli", "tests")) or (name == "page_policy.h" and folder == "src/report"):
            return  # generated
        target = folder_of(name)
        if target is None or ".." in name:
            self.fault(path, line, f'"{name}" is not written from the root of the tree')
        elif name not in self.paths:
            self.fault(path, line, f'"{name}" does not exist')
        elif target != folder and not any(name.startswith(below + "/") for below in LAYERS[folder]):
            self.fault(path, line, f"{folder} may not include {target}")
        else:
            self.includes[path].append(name)

    def check_system(self, path, folder, name, line):
        for pattern, owner in OWNERS.items():
            if re.fullmatch(pattern, name) and not path.startswith(owner):
                self.fault(path, line, f"<{name}> belongs to {owner if isinstance(owner, str) else ' and '.join(owner)} alone")
        if folder.startswith("src/") and folder != "src/base" and re.fullmatch(WORLD, name):
            allowed = next((a for f, a in WORLD_ALLOWED.items() if path.startswith(f)), r"(?!)")
            if not re.fullmatch(allowed, name):
                self.fault(path, line, f"<{name}>: nothing in src but base sees files, clocks or processes")

    def check_calls(self, path, code):
        for names, places, why in CALLS:
            if any(path.startswith(p) for p in places):
                continue
            for match in re.finditer(SPELLED.format(names), code):
                self.fault(path, line_of(code, match.start()), f"{match.group(1)}(): {why}")

    def check_statement(self, path, code, start, head, body):
        line = line_of(code, start)
        if body:
            length = head.count("\n") + body.count("\n") + 1
            name = re.search(r"(\w+)\s*\(", head)
            self.check_length(path, line, length, name.group(1) if name else "?", FUNCTION_MAX, FUNCTION_EXCEPTED, LONGER_FUNCTIONS)
        if path.startswith("tests/"):
            return
        if not body and is_mutable(head):
            self.fault(path, line, f"mutable global: {' '.join(head.split())[:60]}")
        for match in re.finditer(r"^[ \t]*(static\b[^;{(]*[;{=])", body, re.M):
            if is_mutable(match.group(1).rstrip(";{= ")):
                self.fault(path, line_of(code, start) + head.count("\n") + line_of(body, match.start()) - 1,
                           f"mutable static: {' '.join(match.group(1).split())[:60]}")

    def check_length(self, path, line, lines, function, most, excepted, longer):
        why = longer.get(f"{path}:{function}" if function else path)
        allowed = excepted if why else most
        what = f"{function}() has {lines} lines" if function else f"{lines} lines"
        if lines > allowed:
            self.fault(path, line, f"{what}, at most {allowed}")
        elif lines > most:
            self.warnings.append(f"{path}:{line}: {what}, more than {most}: {why}")
        elif why:
            self.warnings.append(f"{path}:{line}: {what}: it needs no exception any more")

    def check_recipes(self, text):
        """The tables of CONTRIBUTING.md: what a row names is there, a test by its area. `x`, NAME and NNNN stand for what is new."""
        for match in re.finditer(r"^\| (?!thing|---)(.*) \| (.*) \| (.*) \|$", text, re.M):
            line = line_of(text, match.start())
            if len(match.group(0)) > RECIPE_MAX:
                self.fault("CONTRIBUTING.md", line, f"a row of {len(match.group(0))} characters, at most {RECIPE_MAX}")
            for name in re.findall(r"`([\w./*-]+/[\w./*-]+)`", match.group(2)):
                pattern = re.escape(name.rstrip("/")).replace(r"\*", "[^/]*")
                if not re.search(r"_x\.|NNNN|NAME|/name", name) and not any(re.match(pattern + "(/|$)", p) for p in self.paths):
                    self.fault("CONTRIBUTING.md", line, f"'{name}' does not exist")
            for area in re.findall(r"`((?:cli\.)?\w+)(?:\.\w+)?`", match.group(3)):
                test = f"tests/cli/test_{area[4:]}.py" if area.startswith("cli.") else f"tests/test_{area}.c"
                if test not in self.paths and not area.isupper():
                    self.fault("CONTRIBUTING.md", line, f"no test is called '{area}'")

    def check_cycles(self):
        done, stack = set(), []

        def visit(path):
            if path in stack:
                self.fault(path, 1, "include cycle: " + " -> ".join(stack[stack.index(path):] + [path]))
            elif path not in done:
                stack.append(path)
                for target in self.includes.get(path, []):
                    visit(target)
                stack.pop()
                done.add(path)
        for path in self.includes:
            visit(path)


# ---------------------------------------------------------------- self-test

CLEAN = {
    "src/base/base.h": "// Ground.\n#include <stddef.h>\nvoid base_do(void);\nextern const char *const names[];\n",
    "src/base/base.c": '// Ground.\n#include <stdlib.h>\n#include "src/base/base.h"\n'
                       "static const struct { int a; } table[] = {{1}, {2}};\nenum { MAX = 3 };\nstruct Later;\n"
                       'const char *const names[] = {"free(", NULL};\n'
                       "// calls printf( in a comment\nvoid base_do(void) { free(NULL); (void)table; }\n",
    "src/perf/perf.h": '// Perf.\n#include "src/base/base.h"\ntypedef struct Perf {\n    void (*free)(void);\n} Perf;\n',
    "src/perf/perf.c": '// Perf.\n#include "src/perf/perf.h"\nstatic bool go(Perf *p) {\n    static const int steps[] = {1};\n'
                       "    p->free();\n    return steps[0] == 1;\n}\n",
    "db/db.c": '// Db.\n#include <sqlite3.h>\n#include "src/base/base.h"\n',
    "db/queries/gpus.sql": "-- All GPUs.\nSELECT 1;\n",
    "cli/main.c": '// Main.\n#include <stdio.h>\n#include "version.h"\n#include "db/db.h"\n'
                  "static volatile sig_atomic_t interrupted;\nint main(void) { puts(\"x\"); }\n",
    "db/db.h": "// Db.\ntypedef struct Db Db;\n",
    "data/gpus.tsv": "source\nhttps://example.com/" + "work/x\n",
}

# A violation: file -> text (added to or replacing CLEAN), and what the message must say.
PLANTED = [
    ({"src/base/up.c": '// X.\n#include "src/perf/perf.h"\n'}, "src/base may not include src/perf"),
    ({"src/perf/up.c": '// X.\n#include "db/db.h"\n'}, "src/perf may not include db"),
    ({"src/perf/side.c": '// X.\n#include "src/migrate/m.h"\n', "src/migrate/m.h": "// X.\n"}, "src/perf may not include src/migrate"),
    ({"db/up.c": '// X.\n#include "catalog/facts/c.h"\n', "catalog/facts/c.h": "// X.\n"}, "db may not include catalog/facts"),
    ({"catalog/facts/up.c": '// X.\n#include "catalog/market/m.h"\n', "catalog/market/m.h": "// X.\n"},
     "catalog/facts may not include catalog/market"),
    ({"catalog/market/up.c": '// X.\n#include "catalog/feeds/f.h"\n', "catalog/feeds/f.h": "// X.\n"},
     "catalog/market may not include catalog/feeds"),
    ({"src/perf/up.c": '// X.\n#include "src/fit/f.h"\n', "src/fit/f.h": "// X.\n"}, "src/perf may not include src/fit"),
    ({"db/up.c": '// X.\n#include "src/perf/perf.h"\n'}, "db may not include src/perf"),
    ({"tui/up.c": '// X.\n#include "db/db.h"\n'}, "tui may not include db"),
    ({"catalog/feeds/up.c": '// X.\n#include "cli/cli.h"\n', "cli/cli.h": "// X.\n"}, "catalog/feeds may not include cli"),
    ({"cli/bare.c": '// X.\n#include "cmd.h"\n', "cli/cmd.h": "// X.\n"}, "not written from the root"),
    ({"cli/dots.c": '// X.\n#include "../db/db.h"\n'}, "not written from the root"),
    ({"cli/none.c": '// X.\n#include "db/none.h"\n'}, "does not exist"),
    ({"db/a.h": '// X.\n#include "db/b.h"\n', "db/b.h": '// X.\n#include "db/a.h"\n'}, "include cycle"),
    ({"catalog/facts/x.c": "// X.\n#include <sqlite3.h>\n"}, "<sqlite3.h> belongs to db/ and"),
    ({"cli/x.c": "// X.\n#include <cjson/cJSON.h>\n"}, "belongs to src/base/"),
    ({"catalog/facts/x.c": "// X.\n#include <curl/curl.h>\n"}, "belongs to catalog/feeds/http.c"),
    ({"tui/x.c": "// X.\n#include <ncurses.h>\n"}, "belongs to tui/term.c"),
    ({"cli/x.c": "// X.\n#include <dlfcn.h>\n"}, "belongs to kernels/"),
    ({"src/perf/x.c": "// X.\n#include <time.h>\n"}, "nothing in src but base"),
    ({"src/report/x.c": "// X.\n#include <sys/stat.h>\n"}, "nothing in src but base"),
    ({"db/x.c": "// X.\nvoid f(void) {\n    int *p = malloc(4);\n}\n"}, "malloc()"),
    ({"db/x.c": "// X.\nvoid f(void) { free (0); }\n"}, "free()"),
    ({"cli/x.c": "// X.\nvoid f(void) { strtod(0, 0); }\n"}, "strtod()"),
    ({"src/base/x.c": "// X.\nvoid f(char *a) { strcpy(a, a); }\n"}, "strcpy()"),
    ({"cli/x.c": "// X.\nvoid f(void) { setlocale(1, 0); }\n"}, "setlocale()"),
    ({"cli/x.c": '// X.\nvoid f(void) { system("x"); }\n'}, "system()"),
    ({"src/perf/x.c": '// X.\nvoid f(void) { printf("x"); }\n'}, "printf()"),
    ({"catalog/facts/x.c": '// X.\nvoid f(void) { fprintf(stderr, "x"); }\n'}, "fprintf()"),
    ({"db/x.c": "// X.\nvoid f(void) { exit(1); }\n"}, "exit()"),
    ({"src/perf/x.c": "// X.\nvoid f(void) { getenv(0); }\n"}, "getenv()"),
    ({"db/x.c": "// X.\nstatic int counter;\n"}, "mutable global: static int counter"),
    ({"db/x.c": "// X.\nint counter = 0;\n"}, "mutable global: int counter"),
    ({"db/x.c": "// X.\nstatic const char *names[] = {0};\n"}, "mutable global: static const char *names"),
    ({"db/x.c": "// X.\nstatic struct { int a; } state;\n"}, "mutable global: static struct"),
    ({"db/x.c": "// X.\nstatic bool (*step)(int) = 0;\n"}, "mutable global: static bool (*step)"),
    ({"db/x.c": "// X.\nstatic Db *db;\n"}, "mutable global: static Db *db"),
    ({"db/x.c": "// X.\nvoid f(void) {\n    static int calls;\n    calls++;\n}\n"}, "mutable static: static int calls"),
    ({"db/x.c": "// X.\nvoid f(void) {\n    static int calls = 0;\n    calls++;\n}\n"}, "mutable static: static int calls"),
    ({"db/x.c": "int f(void);\n"}, "does not start with a one-line comment"),
    ({"db/queries/x.sql": "SELECT 1;\n"}, "does not start with a one-line comment"),
    ({"db/x.c": "// X.\nint f(int a,\n      int b) {\n" + "    a += b;\n" * 58 + "}\n"}, "f() has 61 lines"),
    ({"db/x.c": "// X.\n" + "int f(void);\n" * 500}, "501 lines"),
    ({"src/migrate/excepted.c": "// X.\n" + "int f(void);\n" * 600}, "601 lines"),
    ({"CONTRIBUTING.md": "## How to add ...\n| a GPU | `data/gpus.tsv`, `src/none/y.c` | `db` |\n| a | `data/gpus.tsv` | `db` |\n", "tests/test_db.c": "// X.\n"},
     "'src/none/y.c' does not exist"),
    ({"CONTRIBUTING.md": "## How to add ...\n| a GPU | `data/gpus.tsv` | `none` |\n"}, "no test is called 'none'"),
    ({"README.md": "see /" + "work/main\n"}, "names a path of one machine"),
    ({"tests/x.sh": "cat ../" + "shared/x\n"}, "names a path of one machine"),
]


def check_tree(files):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                f.write(text)
        return Check(root).run()


def self_test():
    missed = [f"the clean tree: {fault}" for fault in check_tree(CLEAN).faults]
    for at, (folder, below) in enumerate(LAYERS.items()):
        upward = [f for f in list(LAYERS)[at + 1:] if any((f + "/").startswith(b + "/") for b in below)]
        missed += [f"{folder} may include {f}, which is above it" for f in upward]
    LONGER_FILES["src/migrate/excepted.c"] = "planted"
    for files, message in PLANTED:
        faults = check_tree({**CLEAN, **files}).faults
        if len(faults) != 1 or message not in faults[0]:
            missed.append(f"{str(files)[:200]}: wanted one fault with '{message}', got {faults}")
    excepted = check_tree({**CLEAN, "src/migrate/excepted.c": "// X.\n" + "int f(void);\n" * 505, "db/x.c": "// X.\nint f(void) {\n" + "    f();\n" * 58 + "}\n"})
    if excepted.faults or len(excepted.warnings) != 1:
        missed.append("a long file that is excepted and a function of 60 lines: wanted one warning")
    print("\n".join(missed) or f"{len(PLANTED)} planted violations found")
    return 1 if missed else 0


FORMATTER, FORMATTER_VERSION = "clang-format", 14  # another version lays some lines out otherwise


def formatted(root, paths):
    """What is not laid out as .clang-format says; None: this machine has no such formatter."""
    program = shutil.which(f"{FORMATTER}-{FORMATTER_VERSION}") or shutil.which(FORMATTER)
    if program is None or f" {FORMATTER_VERSION}." not in subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout:
        return None
    done = subprocess.run([program, "--dry-run", "-Werror", "--ferror-limit=1", *paths], cwd=root, capture_output=True, text=True, check=False)
    return sorted({f"{m.group(1)}:{m.group(2)}: not laid out as .clang-format says" for m in re.finditer(r"^(\S+?):(\d+):\d+: error:", done.stderr, re.M)})


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    check = Check(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))).run()
    unformatted = formatted(check.root, list(check.includes))
    if unformatted is None:
        check.warnings.append(f"the layout was not checked: no {FORMATTER} {FORMATTER_VERSION} here")
    check.faults += unformatted or []
    for line in check.warnings:
        print("warning:", line)
    for line in check.faults:
        print(line)
    print(f"{len(check.includes)} C files, {len(check.faults)} faults, {len(check.warnings)} warnings")
    return 1 if check.faults or not check.includes else 0


if __name__ == "__main__":
    sys.exit(main())
