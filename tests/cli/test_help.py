"""Help of commands and subcommands, the examples in it, the man page, completion, the pager."""
import fcntl
import json
import os
import pty
import re
import shlex
import shutil
import struct
import subprocess
import termios

import harness

# Examples that measure, ask the network, refit for minutes, draw the screen or need a key: only their words are checked.
NOT_RUN = ("prices refresh", "bench --quick", "bench gemm", "bench verify", "bench compare", "bench import", "bench fleet", "runs accept", "prices export", "validate --leave-out", "calibrate", "prices accept", "tui")
NO_FACTS = {"GPUADVISE_DATA": "/dev/null/none"}  # every command that needs facts fails with it, once its words are read


class Help(harness.Case):
    seeded = True

    def commands(self):
        return re.findall(r"^  ([a-z]+)  ", self.ok("help").split("Commands:")[1].split("\n\n")[0], re.M)

    def verbs(self, command):
        text = self.ok("help", command)
        part = text.split("\nSubcommands")[1].split("\n\n")[0] if "\nSubcommands" in text else ""
        return re.findall(r"^  ([a-z]+)  ", part, re.M)

    @staticmethod
    def examples(text):
        part = text.split("\nExamples:\n")[1].split("\n\n")[0] if "\nExamples:\n" in text else ""
        return [line.strip() for line in part.splitlines() if line.startswith("  ") and not line.startswith("  # ")]

    def options(self, text):
        """Options by heading, those of every command aside."""
        parts = re.findall(r"^([A-Z][^\n]*):\n((?:[ ].*\n)+)", text.split("\nOptions of every command")[0] + "\n", re.M)
        return {title: re.findall(r"^  (?:-\w,|   ) --([a-z-]+)", body, re.M) for title, body in parts}

    @harness.once
    def test_subcommands_share_the_options_of_their_command(self):
        for command in self.commands():
            text = self.ok("help", command)
            groups = self.options(text)
            every = [o for part in groups.values() for o in part]
            self.assertEqual(len(every), len(set(every)), command)
            self.assertNotIn("Others", groups, f"{command}: cli/option_groups.c has no group for {groups.get('Others')}")
            of_verbs = set()
            for verb in self.verbs(command):
                own = self.ok("help", command, verb)
                self.assertEqual(self.ok(command, verb, "--help"), own)
                self.assertIn(f"gpuadvise {command}", own)
                of_verbs |= {o for part in self.options(own).values() for o in part}
            self.assertLessEqual(of_verbs, set(every), command)
            if self.verbs(command) and command not in ("bench", "completion", "report"):  # those do something without a subcommand
                self.assertEqual(set(every), of_verbs, command)

    def test_every_option_stands_in_a_group(self):
        with open(os.path.join(harness.ROOT, "cli/option_table.h"), encoding="utf-8") as f:
            rows = re.findall(r'ROW\(OPT_\w+, "([a-z-]+)"(.*)', f.read())
        wanted = {name for name, rest in rows if ".global" not in rest}
        page = self.ok("help", "--man").replace("\\-", "-")
        commands = page.split(".SH COMMANDS")[1].split(".SH OPTIONS")[0]
        self.assertEqual(set(re.findall(r"^\.B --([a-z-]+)", commands, re.M)), wanted)

    def test_what_a_subcommand_has_no_use_for_is_not_in_its_help(self):
        self.assertNotIn("--snapshot", self.ok("prices", "list", "--help"))
        self.assertIn("--snapshot", self.ok("help", "prices", "export"))
        report = list(self.options(self.ok("help", "report")))
        self.assertLess(report.index("What to run"), report.index("Which offers"))
        self.assertIn("did you mean 'list'", self.exits(2, "help", "prices", "lst")[1])
        self.assertIn("has no subcommands", self.exits(2, "help", "doctor", "lst")[1])

    def everything(self):
        """Lines of the man page's EXAMPLES."""
        page = self.ok("help", "--man").replace("\\-", "-").replace("\\e", "\\").replace("\\&", "")
        return re.findall(r"^\.B (gpuadvise .*)", page.split(".SH EXAMPLES")[1].split("\n.SH ")[0], re.M)

    def test_three_examples_of_each_command(self):
        lines = self.everything()
        for command in self.commands():
            if command != "version":
                self.assertGreaterEqual(len([x for x in lines if x.startswith(f"gpuadvise {command}")]), 3, command)
            self.assertGreaterEqual(len(self.examples(self.ok("help", command))), 3, command)
            for verb in self.verbs(command):
                if (command, verb) != ("completion", "words"):
                    self.assertTrue(self.examples(self.ok("help", command, verb)), (command, verb))

    def surroundings(self):
        """The files that the examples name."""
        self.write("mine.csv", "id,gpu_sku,gpu_count,model\n")
        answer = self.ok("report", "llama70b", "--json", "-q")
        for name in ("before.json", "after.json"):
            self.write(name, answer)
        row = {"gpus": "sku_id,vendor,architecture,memory_gb,memory_bw_gb_s,link_topology\nother-gpu,amd,cdna3,64,3000,mesh\n",
               "models": "model_id,family,attention,weights_native,params_total,layers,hidden,heads,kv_heads,head_dim,intermediate,vocab\n"
                         "other-model,dense,gqa,bf16,8.03e9,32,4096,32,8,128,14336,128256\n",
               "workloads": "workload_id,kind,model_id,isl_tokens,osl_tokens,concurrency\nother-chat,serve,llama-3.1-70b,100,100,4\n",
               "claims": "subject,platform,status,note\nvllm,rocm,full,here\n"}
        for name, text in row.items():
            self.write(name + ".csv", text)
        self.write("access.jsonl", "".join('{"timestamp": %d, "input_length": %d, "output_length": 20, "hash_ids": [%d]}\n' % (i * 500, 100 + i % 7, i % 5) for i in range(200)))
        self.write("quote.csv", "gpu,gpu_count,price_per_hour\nmi300x,8,16\n")
        self.write("src/a.cu", "#include <cuda_runtime.h>\n__global__ void f(float *x) { x[0] = __shfl_sync(0xffffffff, x[0], 0); }\n")
        for i in (1, 2):
            self.write(f"results/{i}.json", result(50 + i))

    @harness.once
    def test_examples_run(self):
        self.surroundings()
        self.ok("runs", "import", "results", "--gpu", "mi300x", "--gpus", "1", "--weights", "bf16", "--engine", "vllm:0.9.0", cwd=self.home)
        ran, failed = 0, []
        for line in self.everything():
            words = shlex.split(line)[1:]
            checked = line.split(" ", 1)[1].startswith(NOT_RUN) and "--once" not in words
            code, _, err = self.run_tool(*words, cwd=self.home, env=NO_FACTS if checked else None)
            ran += not checked
            if (code == 2 and "terminal" not in err) if checked else code not in (0, 3, 4):
                failed.append((line, code, err))
        self.assertEqual(failed, [])
        self.assertGreater(ran, 60)

    def test_man_page_has_its_sections(self):
        page = self.write("gpuadvise.1", self.ok("help", "--man"))
        with open(page, encoding="utf-8") as f:
            text = f.read()
        for part in ("NAME", "SYNOPSIS", "COMMANDS", "OPTIONS", "EXAMPLES", "EXIT STATUS", "FILES", "ENVIRONMENT", "SEE ALSO"):
            self.assertIn(f"\n.SH {part}\n", text)
        for lint in (["man", "--warnings", "-l", page], ["mandoc", "-T", "lint", "-W", "warning", page]):
            if shutil.which(lint[0]):
                done = subprocess.run(lint, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"}, check=False)
                self.assertEqual(done.stderr, b"", lint)


def result(seconds):
    """What vLLM's benchmark writes: 100 requests of 1000 tokens in and 500 out."""
    return json.dumps({
        "date": "20260901-101010", "backend": "vllm", "model_id": "meta-llama/Llama-3.1-8B-Instruct", "num_prompts": 100, "request_rate": "inf", "max_concurrency": 8,
        "duration": seconds, "completed": 100, "total_input_tokens": 100000, "total_output_tokens": 50000, "request_throughput": 100 / seconds, "output_throughput": 50000 / seconds,
        "total_token_throughput": 150000 / seconds, "mean_ttft_ms": 80.0, "median_ttft_ms": 75.0, "p99_ttft_ms": 200.0, "mean_tpot_ms": 8.0, "median_tpot_ms": 8.0, "p99_tpot_ms": 12.0})


class Names(harness.Case):
    """Positional names, and errors that say where names are listed."""
    seeded = True

    def test_a_name_is_enough(self):
        self.assertEqual(self.ok("gpus", "MI300X"), self.ok("gpus", "show", "mi300x-192gb"))
        self.assertEqual(self.ok("models", "llama-3.1-70b"), self.ok("models", "show", "llama-3.1-70b"))
        self.assertEqual(self.ok("workloads", "llama70b"), self.ok("workloads", "show", "llama70b"))
        self.assertEqual(self.ok("sources", "gpus"), self.ok("sources", "show", "gpus"))
        one = self.json("estimate", "llama-3.1-70b", "mi300x", "--concurrency", "8")
        two = self.json("estimate", "--model", "llama-3.1-70b", "--gpu", "mi300x", "--concurrency", "8")
        self.assertEqual(one, two)
        self.assertEqual(self.json("report", "llama-3.1-8b", "--concurrency", "8")["best"], self.json("report", "--model", "llama-3.1-8b", "--concurrency", "8")["best"])
        self.assertIn("are two", self.exits(2, "estimate", "llama-3.1-70b", "--model", "llama-3.1-8b", "--gpu", "mi300x")[1])
        self.assertIn("did you mean 'list'", self.exits(2, "prices", "lst")[1])

    @harness.once
    def test_an_unknown_name_says_what_lists_them(self):
        for args, lister in ((["gpus", "zzzz"], "gpus"), (["models", "zzzz"], "models"), (["workloads", "zzzz"], "workloads"), (["traffic", "zzzz"], "traffic"),
                             (["report", "llama70b", "--provider", "zzzz"], "prices list --group-by provider"), (["migrate", "explain", "zzzz"], "migrate explain"),
                             (["compat", "zzzz"], "compat"), (["sources", "zzzz"], "sources"), (["bench", "zzzz"], "bench list"), (["report", "zzzz"], "workloads"),
                             (["runs", "show", "zzzz"], "runs"), (["bench", "runs", "zzzz"], "bench runs"), (["bench", "export", "zzzz"], "bench runs"),
                             (["report", "--zzzz"], "report --help"), (["gpus", "mi30x"], "gpus"), (["migrate", "explain", "warp-mask-literal3"], "migrate explain")):
            code, out, err = self.run_tool(*args)
            self.assertEqual((code, out), (2, ""), args)
            self.assertIn(f"`gpuadvise {lister}`", err, args)
            parts = shlex.split(lister)
            if "--help" not in parts:
                self.ok(*parts)
        for args, some in ((["runs", "import", "x", "--engine", "zzzz"], "sglang, "), (["prices", "refresh", "zzzz"], "runpod, "), (["completion", "tcsh"], "zsh")):
            self.assertIn(some, self.exits(2, *args)[1])

    def test_all_that_is_missing_at_once(self):
        self.assertIn("columns 'vendor', 'architecture', 'link_topology' are empty", self.exits(2, "gpus", "add", "mine", "memory_gb=80")[1])
        self.assertIn("options '--model', '--gpu', '--tokens-per-s' are missing", self.exits(2, "check")[1])
        self.assertIn("options '--model', '--gpu' are missing", self.exits(2, "estimate")[1])
        path = self.write("some.csv", "memory_gb\n80\n")
        self.assertIn("columns 'sku_id', 'vendor', 'architecture', 'link_topology' are missing", self.exits(1, "gpus", "import", path)[1])

    def test_what_else_was_meant(self):
        self.assertIn("'llama70b' is a workload of model 'llama-3.1-70b' and no model: `gpuadvise report llama70b`", self.exits(2, "report", "--model", "llama70b")[1])
        self.assertIn("U+200D, a character that is not shown", self.exits(2, "workloads", "add", "x", "kind=serve", "title=\U0001f469\u200d\U0001f469")[1])
        self.assertIn("a control character (U+001B)", self.exits(2, "workloads", "add", "x", "kind=serve", "title=\x1b[1m")[1])
        path = self.home + "/other/x.db"
        self.assertIn("is new: it has the shipped facts and nothing of your own", self.exits(0, "gpus", "mi300x", "--db", path)[1])
        self.assertEqual(self.exits(0, "gpus", "mi300x", "--db", path)[1], "")

    def test_a_format_is_no_file(self):
        for word in ("json", "csv", "HTML"):
            self.assertIn("did you mean '--format", self.exits(2, "gpus", "-o", word, cwd=self.home)[1])
            self.assertFalse(os.path.exists(os.path.join(self.home, word)))


class Completion(harness.Case):
    seeded = True

    def words(self, *words):
        return [line.split("\t")[0] for line in self.ok("completion", "words", "--", *words).splitlines()]

    @harness.once
    def test_names_of_the_catalog(self):
        for words, some in ((["prices", "list", "mi300"], "mi300x-192gb"), (["gpus", "mi300"], "mi300x-192gb"), (["report", "llama70"], "llama70b"), (["models", "show", "llama-3.1-7"], "llama-3.1-70b"),
                            (["estimate", "llama-3.1-70b", "mi300x"], "mi300x-192gb"), (["report", "--provider", "run"], "runpod"), (["report", "--engine", "v"], "vllm"),
                            (["migrate", "explain", "warp-m"], "warp-mask-literal32"), (["migrate", "scan", ".", "--rule", "warp-m"], "warp-mask-literal32"), (["tui", "pri"], "prices"),
                            (["compat", "vl"], "vllm"), (["prices", "refresh", "va"], "vast"), (["bench", "gemm-b"], "gemm-bf16"), (["sources", "show", "gp"], "gpus"), (["help", "prices", "ref"], "refresh"),
                            (["report", "--gpu", "=", "mi300x"], "mi300x-192gb"), (["report", "--vendor", "a"], "amd"), (["report", "-q", "--exclude-gpu", "mi300x"], "mi300x-192gb"), (["pri"], "prices"),
                            (["gpus", "--wh"], "--where"), (["stack", "show", ""], ":files"), (["report", "--model", "./"], ":files"), (["report", "--traffic", "chat"], "chat-real"), (["completion", "z"], "zsh")):
            self.assertIn(some, self.words(*words), words)
        self.assertEqual(self.words("report", "--gpu=mi300x"), ["--gpu=mi300x-192gb"])
        self.assertEqual(self.words("gpus", "show", "mi300x-192gb", ""), [])
        self.assertNotIn("--snapshot", self.words("prices", "list", "--s"))
        self.assertIn("--snapshot", self.words("prices", "export", "--s"))

    @harness.once
    def test_no_placeholders(self):
        for command in re.findall(r"^  ([a-z]+)  ", self.ok("help").split("Commands:")[1].split("\n\n")[0], re.M):
            for word in self.words(command, ""):
                self.assertNotRegex(word, r"[A-Z]{3}|\.\.\.|\[", command)

    def test_runs(self):
        self.write("results/1.json", result(50))
        self.ok("runs", "import", self.home + "/results", "--gpu", "mi300x", "--gpus", "1", "--weights", "bf16", "--engine", "vllm:0.9.0")
        self.assertEqual(self.words("runs", "show", ""), ["1"])

    def in_shell(self, shell, script):
        path = os.path.join(self.home, "bin")
        os.makedirs(path, exist_ok=True)
        if not os.path.exists(path + "/gpuadvise"):
            os.symlink(harness.BIN, path + "/gpuadvise")
        env = harness.environment(self.home)
        env["PATH"] = path + ":" + env["PATH"]
        return subprocess.run([shell, "-c", script], env=env, stdout=subprocess.PIPE, check=True, cwd=self.home).stdout.decode().split()

    def test_fish(self):
        if not shutil.which("fish"):
            self.skipTest("no fish")
        file = self.write("c.fish", self.ok("completion", "fish"))
        self.assertEqual(self.in_shell("fish", f"source {file}; complete -C 'gpuadvise prices list mi300x'")[0], "mi300x-192gb")
        self.assertIn("--vendor", " ".join(self.in_shell("fish", f"source {file}; complete -C 'gpuadvise gpus --ven'")))

    def test_zsh(self):
        if not shutil.which("zsh"):
            self.skipTest("no zsh")
        file = self.write("c.zsh", self.ok("completion", "zsh"))
        stub = "compdef() { :; }; _describe() { print -l -- ${(P)2}; }; _files() { print files; }; "
        got = self.in_shell("zsh", f"{stub} source {file}; words=(gpuadvise prices list mi300x); CURRENT=4; _gpuadvise")
        self.assertTrue(got and got[0].startswith("mi300x-192gb:"), got)
        self.assertEqual(self.in_shell("zsh", f"{stub} source {file}; words=(gpuadvise stack show ''); CURRENT=4; _gpuadvise"), ["files"])


class Tables(harness.Case):
    """Off a terminal no table of any command is cut; COLUMNS limits it all the same."""
    seeded = True

    @harness.once
    def test_whole_and_within_columns(self):
        for args in (["report", "llama70b", "--current", "8xh100@2.90", "--onprem"], ["gpus"], ["compat"], ["sources"], ["workloads"], ["traffic"], ["migrate", "ports"], ["bench", "list"],
                     ["check", "--claims"], ["prices", "list", "mi300x"], ["prices", "list", "--group-by", "provider"], ["prices", "history", "mi300x"], ["migrate", "explain"],
                     ["estimate", "llama-3.1-70b", "mi300x", "--explain"]):
            whole = self.ok(*args, "-q")
            self.assertNotRegex(whole, r"(?m)\w~(  |$)", args)
            width = 70
            narrow = self.ok(*args, "-q", env={"COLUMNS": str(width)})
            self.assertNotRegex(narrow, r"(?m)\w~(  |$)", args)
            longest = max((line for line in narrow.splitlines() if not line.endswith(" \\")), key=len)  # commands to copy break between options only
            self.assertLessEqual(len(longest), width, (args, longest))
        self.assertIn("digitalocean", self.ok("prices", "list", "mi300x", "-q"))
        self.assertIn("SELLER", self.ok("prices", "list", "mi300x", "-q").splitlines()[0])


class Pager(harness.Case):
    seeded = True

    def shown(self, *args, height=24, width=100, **env):
        """What a terminal gets."""
        full = {**harness.environment(self.home), "TERM": "xterm", "GPUADVISE_PAGER": "sed s/^/P:/", **env}
        pid, fd = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
            os.execve(harness.BIN, [harness.BIN, *args], {k: v for k, v in full.items() if v is not None})
        raw = b""
        try:
            while data := os.read(fd, 65536):
                raw += data
        except OSError:  # how a pseudo-terminal says that nobody writes any more
            pass
        self.code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.close(fd)
        return raw.decode()

    def test_long_answers_only(self):
        self.assertIn("P:", self.shown("gpus"))
        self.assertNotIn("P:", self.shown("version"))
        self.assertNotIn("P:", self.shown("gpus", height=2000))
        self.assertIn("P:", self.shown("gpus", GPUADVISE_PAGER=None, PAGER="sed s/^/P:/"))

    def test_ways_without(self):
        self.assertNotIn("P:", self.shown("gpus", "--no-pager"))
        self.assertNotIn("P:", self.shown("gpus", TERM="dumb"))
        self.assertNotIn("P:", self.shown("gpus", GPUADVISE_PAGER=""))
        self.assertNotIn("P:", self.shown("gpus", "-o", self.home + "/x"))
        self.assertIn("is no program", self.shown("gpus", GPUADVISE_PAGER="no-such-program -x"))
        self.assertNotIn("P:", self.ok("gpus", env={"GPUADVISE_PAGER": "sed s/^/P:/", "TERM": "xterm"}))

    def test_names_are_whole_on_a_narrow_terminal(self):
        for args in (("prices", "list", "mi300x"), ("gpus",), ("report", "llama70b")):
            lines = self.shown(*args, "-q", "--no-pager", width=60, NO_COLOR="1").splitlines()
            self.assertIn("mi300x-192gb", "\n".join(lines))
            self.assertFalse([line for line in lines if "mi300x-" in line and "mi300x-192gb" not in line and "-~" in line], args)
        rows = self.shown("prices", "list", "mi300x", "-q", "--no-pager", width=60, NO_COLOR="1")
        self.assertRegex(rows, r"GPU: +mi300x-192gb\r?\n")
        self.assertLessEqual(max(len(line.rstrip()) for line in rows.splitlines()), 60)

    def test_the_exit_code_stays(self):
        self.assertLess(len(self.shown("help", GPUADVISE_PAGER="head -1").splitlines()), 3)
        self.assertEqual(self.code, 0)
        self.shown("report", "llama70b", "--max-price", "0.01")
        self.assertEqual(self.code, 3)

    def test_less_as_git_sets_it(self):
        self.assertIn("FRX", self.shown("gpus", GPUADVISE_PAGER="echo $LESS; cat >/dev/null", LESS=None))
        self.assertIn("mine", self.shown("gpus", GPUADVISE_PAGER="echo $LESS; cat >/dev/null", LESS="mine"))


if __name__ == "__main__":
    harness.main()
