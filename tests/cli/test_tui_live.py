"""The live screen: keys, mouse, resizing, signals, terminals, long work. `--once` is tested in test_tui.py."""
import base64
import csv
import io
import json
import os
import random
import re
import shutil
import signal
import time
import unittest

import harness
from terminal import Terminal, pyte
from test_own_runs import result

READY = "q Quit"
# On the console ncurses opens libgpm, which leaks ten bytes of its own.
NO_LEAKS = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}


@unittest.skipIf(pyte is None, "python3-pyte is not installed")
class Live(harness.Case):
    fields = None  # of What-if, in their order

    def down_to(self, title):
        """The keys from the first field to that one."""
        if Live.fields is None:
            Live.fields = [line[2:].strip() for line in self.ok("tui", "--once", "what-if", "--size", "140x60").split("\n") if line.startswith("│")]
        return ["down"] * next(i for i, field in enumerate(Live.fields) if field.startswith(title))

    def open(self, *args, **options):
        t = Terminal(["tui", *args], self.home, **options)
        self.addCleanup(t.__exit__)
        return t

    def ready(self, *args, **options):
        t = self.open(*args, **options)
        t.wait(READY)
        t.gone("being worked out")
        return t


class Frames(Live):
    def test_first_frame_is_the_one_of_once(self):
        for width, height in ((80, 24), (140, 50)):
            for view in ("advice", "gpus", "help"):
                t = self.ready(view, width=width, height=height)
                once = self.ok("tui", "--once", view, "--size", f"{width}x{height}")
                self.assertEqual(t.text().rstrip("\n"), "\n".join(line.rstrip() for line in once.rstrip("\n").split("\n")), view)

    def test_resizing_loses_nothing(self):
        t = self.ready("gpus")
        t.press("/", "mi3", "enter", "down")
        for width, height in ((140, 50), (100, 30), (60, 10), (80, 24)):
            text = t.resize(width, height)
            if width >= 80:
                self.assertIn("filter: mi3", text)
                self.assertIn("mi300x", text)
            else:
                self.assertIn("needs 60 x 18", " ".join(text.split()))

    def test_resizing_keeps_marks_and_the_row(self):
        t = self.ready("prices")
        t.press("/", "h100", "enter", "down", "down", "space", "space")
        marked = [line.split()[:4] for line in t.text().split("\n") if line.startswith("│•")]
        self.assertEqual(len(marked), 2)
        t.resize(100, 30)
        t.wait("tab Panel")
        again = [line.split()[:4] for line in t.text().split("\n") if line.startswith("│•")]
        self.assertEqual([m[:2] for m in again], [m[:2] for m in marked])
        t.press("space")  # the row after the two is the one that the cursor stood on
        lines = t.text().split("\n")
        rows = [i for i, line in enumerate(lines) if line.startswith("│•")]
        self.assertEqual(rows, list(range(rows[0], rows[0] + 3)), t.text())

    def test_no_arguments_start_it(self):
        t = Terminal([], self.home)
        self.addCleanup(t.__exit__)
        t.wait([READY, "1 Advice"])


class Keys(Live):
    def test_every_key_of_the_help(self):
        """One script a key: what it does must be seen. The help must list no other."""
        t = self.ready("gpus")
        help_text = self.ok("tui", "--once", "help", "--size", "120x150")
        listed = {a for _, a in re.findall(r"^│   (\S.*?) {2,}([a-z-]+) {2,}\S", help_text.split("Keys (")[1].split("The mouse")[0], re.M)}
        done = set()

        def does(action, keys, words, gone=()):
            for key in keys.split():
                t.send(key)
                for word in [words] if isinstance(words, str) else words:
                    self.assertIn(word, t.wait(word, 10), (action, key))
                for word in gone:
                    t.gone(word)
            done.add(action)

        def row():
            """The first cell of the row under the cursor: the one whose background differs."""
            for y in range(2, 22):
                if t.screen.buffer[y][3].bg not in ("default",) and t.screen.buffer[y][2].data not in "│╭╰":
                    return t.screen.display[y].split()[1]
            return None

        def moves(action, keys, before=()):
            for key in keys.split():
                t.press(*before)
                was = row()
                t.press(key)
                self.assertNotEqual(row(), was, (action, key))
            done.add(action)
        moves("down", "down j")
        moves("up", "up k", ["end"])
        moves("page-down", "pgdn ctrl-f", ["home"])
        moves("page-up", "pgup ctrl-b", ["end"])
        moves("end", "end G", ["home"])
        moves("home", "home g", ["end"])
        t.press("home")
        does("right", "right l", "GPU", )
        does("left", "left h", "VENDOR")
        does("open", "enter", "gpus show a10-24gb")
        does("back", "esc", READY, ["show a10-24gb"])
        does("basis", "b", "What it rests on")
        t.press("esc")
        does("panel", "tab", "[models]")
        does("panel-back", "backtab", "[GPUs]")
        does("filter", "/", "filter:")
        t.press("mi3", "enter")
        t.press("esc")
        does("mark", "space space", "•")
        does("compare", "c", "Side by side")
        t.press("esc")
        t.press("U")
        self.assertNotIn("│•", t.text())
        done.add("unmark")
        does("sort-right", "> f6", "▲")
        does("sort-left", "<", "▲")
        does("sort-turn", "I", "▼")
        does("sort-then", ",", ["▼", "▲"])
        does("sort-by", "S", "sort by: -")
        t.press("ctrl-u", "enter")
        t.gone("▼")
        does("find", "f", "find:")
        t.press("mi3", "enter", "home")
        moves("next", "n")
        moves("previous", "N")
        does("copy", "y", "the row was sent")
        does("copy-command", "Y", "the command was sent")
        does("setup", "s", "Characters")
        t.press("esc")
        does("setup", "f2", "Characters")
        t.press("esc")
        does("export", "e", "write to:")
        t.press("esc")
        does("command", ":", ":")
        t.press("esc")
        does("start", "w", "question 1 of 4")
        t.press("esc")
        does("save", "W", "saved in")
        does("refresh", "r", "read again")
        t.press("esc")
        does("redraw", "ctrl-l", READY)
        does("view-1", "1", "llama70b:")
        does("edit", "i", "assumptions")
        t.press("down", "down", "right")
        t.wait(["1 changed", "--isl 1075"])
        does("pin", "p", "pinned")
        does("reset", "x", "assumptions", ["1 changed"])
        t.press("right", "down", "right")
        t.wait("2 changed")
        does("reset-all", "X", "assumptions", ["changed"])
        t.press("esc")
        for number, words in enumerate(("llama70b:", "assumptions", "[GPUs]", "[offers]", "[matrix]", "[runs]", "[findings]", "[sources]", "Help"), 1):
            does(f"view-{number}", str(number), words)
            t.press("esc")  # figures on a field of What-if are typed
        t.press("1")
        does("help", "? f1", "Every screen is the answer")
        done |= {"run", "cancel", "editor", "suspend"}  # Jobs, Migration, Signals
        for key in ("q", "f10"):
            other = self.ready("gpus")
            other.press(key)
            self.assertEqual(other.end(), 0)
        done.add("quit")
        listed.discard("view-1")  # "1 to 9", listed together
        self.assertEqual({a for a in done if not a.startswith("view-")}, listed)

    def test_filter_follows_and_comes_back(self):
        gpus = len(self.json("gpus")["gpus"])
        t = self.ready("gpus")
        t.press("/", "mi300a")
        t.wait(f"1 of {gpus}")
        self.assertIn("mi300a", t.text())
        t.press("backspace", *["backspace"] * 5)
        t.wait(f" {gpus} ")
        t.press("mi300x", "enter")
        t.wait(f"of {gpus}")
        t.press("esc")
        t.wait(f" {gpus} ")
        t.press("/", "zzz", "esc")
        t.wait(f" {gpus} ")

    def test_command_line(self):
        t = self.ready("help")
        t.press(":", "gpus show mi300x --json", "enter")
        t.wait('"sku_id": "mi300x-192gb"')
        t.press("esc", ":", "set isl 4096", "enter")
        t.wait(["1 changed", "--isl 4096"])
        t.press(":", "view gpus", "enter")
        t.wait("[GPUs]")
        t.press(":", "nonsense", "enter")
        t.wait("unknown command 'nonsense'")
        t.press("esc", ":", "gpus show 'open", "enter")
        t.wait("a quote is not closed")
        t.press(":", "q", "enter")
        self.assertEqual(t.end(), 0)

    def test_a_command_wants_enter(self):
        t = self.ready("gpus")
        t.press(":", "theme nonesuch", "pgdn", "tab")
        self.assertIn(":theme nonesuch", t.text())
        t.press("enter")
        t.wait("no theme is called 'nonesuch'")
        t.press(":", "x", "up")
        t.wait(":theme nonesuch")
        t.press("\x17", "light", "\x01", "\x0b", "view help", "enter")
        t.wait("─ Help ─")
        t.press("e", "up", "tab")
        t.wait("write to: gpuadvise-screen.txt")
        t.press("esc")
        self.assertFalse(os.path.exists(os.path.join(self.home, "gpuadvise-screen.txt")))

    def test_what_is_offered_gives_way_to_what_is_typed(self):
        t = self.ready("gpus")
        t.press("e", "~/frame.txt", "enter")
        t.wait("frame.txt")
        self.assertTrue(os.path.exists(os.path.join(self.home, "frame.txt")))
        t.press("e", "left", "x")
        t.wait("gpuadvise-gpus.csxv")
        t.press("esc")

    def test_answers_of_commands_fit_their_box(self):
        t = self.ready("gpus")
        t.press(":", "prices list", "enter")
        t.wait("─ prices list ─")
        t.wait(["PROVIDER", "$/GPU-h", "AGE d"])  # a table where its names fit, else a record a row
        self.assertNotIn("~", t.text().split("─ prices list ─")[1].split("╰")[0])

    @harness.once
    def test_long_words_are_read_to_their_end(self):
        t = self.ready("migrate")
        folder = "/no/such/folder/of/a/name/that/is/longer/than/half/of/the/screen"
        t.press("R", folder, "enter")
        t.wait("file or directory")
        text = " ".join(t.text().split())
        self.assertIn(f"cannot read '{folder}': No such file or directory", text)
        t.press("1", ":", "set isl 2048", "enter", ":", "set osl 700", "enter", ":", "set ttft 5000", "enter", ":", "set duty-cycle 0.5", "enter")
        t.wait("--duty-cycle 0.5")
        self.assertIn("--isl 2048 --osl 700 --ttft 5000", " ".join(t.text().split()))

    def test_export_writes_the_screen(self):
        t = self.ready("gpus")
        before = t.text()
        t.press("e", "ctrl-u", "frame.txt", "enter")
        t.wait("the screen was written to frame.txt")
        with open(os.path.join(self.home, "frame.txt"), encoding="utf-8") as f:
            self.assertEqual(f.read().rstrip("\n"), before.rstrip("\n"))
        t.press("e", "ctrl-u", "nowhere/frame.txt", "enter")
        t.wait("nowhere/frame.txt")
        self.assertIn("No such file", t.text())
        t.press("e", "ctrl-u", "/dev/full", "enter")
        t.wait("No space left")
        self.assertIn("[GPUs]", t.text())

    def test_the_filter_of_prices_stays_to_be_read(self):
        t = self.ready("prices")
        t.press("/", "h100-sxm", "enter")
        t.wait([", since ", "filter: h100-sxm"])

    def test_state_is_kept_when_asked(self):
        t = self.ready("prices")
        t.press("/", "mi300x", "enter", ">", "tab")
        t.press("q")
        self.assertEqual(t.end(), 0)
        self.assertFalse(os.path.exists(os.path.join(self.home, "state/gpuadvise/tui")))
        t = self.ready("gpus")
        t.press("/", "h200", "enter", ">", "W")
        t.wait("saved in")
        t.press("q")
        t.end()
        t = self.ready()
        t.wait(["[GPUs]", "filter: h200", "▲"])

    def test_columns_can_be_hidden(self):
        t = self.ready("gpus")
        t.press("s", "down", "down", "down", "down", "down", "space")
        self.assertIn("[ ] column VENDOR", t.text())
        t.press("esc")
        t.gone("VENDOR")

    @harness.once
    def test_the_sorted_column_is_shown(self):
        t = self.ready("advice")
        for _ in range(8):
            t.press(">")
            t.wait("▲")
        t = self.ready("prices")
        t.press(*[">"] * 5)
        t.wait("$/h▲")
        self.assertRegex(t.text().split("\n")[3], r" 0\.13 ")  # the cheapest, not the row that was first before

    def test_bound_keys(self):
        t = self.open("gpus", "--bind", "filter=f", "--bind", "quit=Z")
        t.wait("Z Quit")
        t.press("f")
        t.wait("filter:")
        t.press("esc", "q")
        self.assertIsNone(t.end(0.3))
        t.press("Z")
        self.assertEqual(t.end(), 0)


class Pasted(Live):
    """Text from a clipboard is text: it presses no key, opens no view and writes no file."""
    LINES = "mi300x\n:q\ne\n3\nthe notes\n\x03\x1bq:w stolen\n"
    LONG = ("q3:w stolen\nR" * 1000)[:10240]

    def untouched(self, t):
        self.assertIsNone(t.end(0.1))
        self.assertEqual(sorted(os.listdir(self.home)), self.files)

    @harness.once
    def test_no_view_takes_it_for_keys(self):
        t = self.ready("advice", width=100, height=30)
        self.files = sorted(os.listdir(self.home))
        for number, words in enumerate(("llama70b:", "assumptions", "[GPUs]", "[offers]", "[matrix]", "[runs]", "[findings]", "[sources]", "Help"), 1):
            t.press("esc", str(number))
            t.wait(words)
            for text in (self.LINES, self.LONG):
                t.paste(text)
                t.wait("pasted text is no keys")
                self.assertIn(words, t.text())
                self.untouched(t)
        for key, words in (("b", "What it rests on"), ("s", "Characters"), ("w", "question 1 of 4")):
            t.press("3", key)
            t.wait(words)
            for text in (self.LINES, self.LONG):
                t.paste(text)
                self.assertIn(words, t.text())
                self.untouched(t)
            t.press("esc")
        t.press("q")
        self.assertEqual(t.end(), 0)

    @harness.once
    def test_prompts_take_it_whole_or_not_at_all(self):
        for view, keys, title in (("gpus", ["/"], "filter: "), ("gpus", [":"], ":"), ("gpus", ["e"], "write to: "), ("gpus", ["S"], "sort by: "), ("gpus", ["f"], "find: "), ("migrate", ["R"], "scan folder: "), ("what-if", ["i"], "workload")):
            t = self.ready(view, width=140, height=40)
            self.files = sorted(os.listdir(self.home))
            t.press(*keys)
            t.paste("mi3\n:q\n")
            t.wait("mi3 :q")
            self.untouched(t)
            self.assertRegex(t.text(), f"{title} *mi3 :q")
            t.paste(self.LONG)
            t.wait("no room for all of the pasted text")
            self.untouched(t)
            self.assertIn("mi3 :q", t.text())
            t.press("esc")
            t.gone("mi3 :q")
            self.untouched(t)
            t.press("q")
            self.assertEqual(t.end(), 0)

    def test_it_stays_pasted_when_it_comes_in_pieces(self):
        t = self.ready("gpus")
        for piece in ("\x1b[200~", "q", "3", "\x1b[201~"):
            t.write(piece)
            t.pump(0.1)
        t.wait("pasted text is no keys")
        t.press("/", "mi3")
        t.paste("00x")
        t.wait("filter: mi300x")

    def test_characters_past_unicode_are_no_keys(self):
        """Four bytes of UTF-8's form hold numbers past U+10FFFF. Those are what the screen calls other keys by: one would end a paste."""
        past = b"".join(b"\xf4\x90\x80" + bytes([0x80 + i]) for i in range(0x30))
        t = self.ready("gpus", width=140)
        t.write(b"\x1b[200~" + past + b"q\x1b[201~")
        t.wait("pasted text is no keys")
        self.assertIsNone(t.end(0.1))
        t.press("/", "mi3")
        t.write(b"\xf4\x90\x80\x8b" + b"\xf5\x80\x80\x80")  # Insert, and none
        t.wait("filter: mi3\ufffd\ufffd")

    def test_the_terminal_is_asked_and_told_to_stop(self):
        t = self.ready("gpus")
        t.press("q")
        t.end()
        self.assertGreater(t.raw.rindex(b"\x1b[?2004l"), t.raw.rindex(b"\x1b[?2004h"))
        t = self.ready("gpus")
        os.kill(t.child(), signal.SIGKILL)
        t.end()
        self.assertGreater(t.raw.rindex(b"\x1b[?2004l"), t.raw.rindex(b"\x1b[?2004h"))


class Typing(Live):
    @harness.once
    def test_a_field_is_replaced_by_what_is_typed(self):
        t = self.ready("what-if", width=140, height=50)
        t.press(*self.down_to("in flight"), "enter", "32")
        t.wait("--concurrency 32 ")
        t.press("enter", "enter", "backspace", "6", "4", "enter")
        t.wait("--concurrency 64 ")
        t.press("enter", "left", "0", "enter")  # a cursor key keeps what is there
        t.wait("--concurrency 604 ")
        t.press("enter")
        t.paste("48\n")
        t.wait("--concurrency 48 ")

    @harness.once
    def test_a_price_keeps_whose_it_is(self):
        t = self.ready("what-if", width=140, height=50)
        t.press(*self.down_to("price of my own"), "enter")
        name = re.search(r"([a-z]+:[a-z0-9-]+)=", t.text()).group(1)
        t.press("2.20", "enter")
        t.wait(f"--price {name}=2.20 ")
        t.press("enter", "r")
        t.gone(name)

    @harness.once
    def test_figures_on_a_field_change_no_view(self):
        t = self.ready("what-if", width=140, height=50)
        t.press(*self.down_to("in flight"), "32", "enter")
        t.wait(["assumptions, 1 changed", "--concurrency 32 "])
        t.press("home", *self.down_to("vendor"), "3")
        t.wait(["assumptions", "vendor is no number"])
        t.press("esc", "home", "down", "9", "1", "esc", "esc")
        t.wait("llama70b:")  # what was typed is gone, then What-if is left for the view before
        t.press("3")
        t.wait("[GPUs]")

    @harness.once
    def test_units(self):
        t = self.ready("what-if", width=140, height=60)
        for title, text, word in (("input tokens", "2k", "--isl 2000 "), ("input tokens", "1,500 tokens", "--isl 1500 "), ("TTFT p99 limit", "1.5 s", "--ttft 1500 "),
                                  ("power cap", "0.5 kW", "--power-cap 500 "), ("duty cycle", "40 %", "--duty-cycle 0.4 "), ("horizon", "2 years", "--horizon-months 24 "),
                                  ("price at most", "$9", "--max-price 9 ")):
            t.press("home", *self.down_to(title), "enter", text, "enter")
            t.wait(word)
            t.press("x")
            t.gone(word.split()[0])
        t.press("home", "down", "down", "enter", "12 parsecs", "enter")
        t.wait("12 parsecs")
        t.press(":", "set isl 3k", "enter")
        t.wait("--isl 3000 ")

    def test_ctrl_c_closes_what_is_open(self):
        t = self.ready("gpus")
        t.press("/", "zzz", "ctrl-c")
        t.gone("zzz")
        for key in (":", "e", "S", "f"):
            t.press(key, "abc", "ctrl-c")
            t.gone("abc")
        t.press("b")
        t.wait("What it rests on")
        t.press("ctrl-c")
        t.gone("What it rests on")
        # two in a row are two: the box, then the filter; and no beginning of another key
        t.press("/", "mi3", "enter", "b")
        t.wait(["What it rests on", "filter: mi3"])
        t.write("\x1b\x1b")
        t.gone("What it rests on")
        t.gone("filter: mi3")
        self.assertIsNone(t.end(0.1))
        t.press("ctrl-c")
        self.assertEqual(t.end(), 128 + signal.SIGINT)


class Export(Live):
    def written(self, name):
        with open(os.path.join(self.home, name), encoding="utf-8", newline="") as f:
            return f.read()

    @harness.once
    def test_rows_as_filtered_and_sorted_by_the_ending(self):
        options = self.json("report", "--workload", "llama70b", "--top", "10000")["options"]
        amd = [o for o in options if o["vendor"] == "amd"]
        t = self.ready("advice", width=140, height=50)
        t.press("/", "amd", "enter", ">", ">", ">", ">")
        t.wait("$/h▲")
        for name in ("a.csv", "a.json", "a.md", "a.HTML"):
            t.press("e", name, "enter")
            t.wait(f"{len(amd)} of {len(options)} rows were written to {name}")
        rows = list(csv.DictReader(io.StringIO(self.written("a.csv"))))
        wanted = sorted(round(o["price_usd_per_hour"], 6) for o in amd)
        price = next(k for k, x in rows[0].items() if x and abs(float(x if x.replace(".", "").isdigit() else "nan") - wanted[0]) < 1e-6)
        self.assertEqual([round(float(r[price]), 6) for r in rows], wanted)
        answer = json.loads(self.written("a.json"))
        self.assertEqual((answer["schema_version"], answer["command"]), (1, "tui"))
        self.assertIn("report --workload llama70b", answer["inputs"]["answer_of"])
        listed = next(x for x in answer.values() if isinstance(x, list) and x)
        self.assertEqual([round(r[price], 6) for r in listed], wanted)
        self.assertEqual(len([x for x in self.written("a.md").split("\n") if x.startswith("| ") and "mi3" in x]), len(amd))
        page = self.written("a.HTML")
        self.assertEqual(page.count("<tr>") - 1, len(amd))
        self.assertTrue(page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>"))

    def test_the_name_that_is_offered_is_of_data(self):
        t = self.ready("gpus")
        t.press("/", "mi3", "enter", "e", "enter")
        t.wait("rows were written to gpuadvise-gpus.csv")
        rows = list(csv.DictReader(io.StringIO(self.written("gpuadvise-gpus.csv"))))
        self.assertEqual(sorted(r["sku_id"] for r in rows), sorted(g["sku_id"] for g in self.json("gpus")["gpus"] if "mi3" in g["sku_id"]))

    @harness.once
    def test_a_file_that_exists_is_asked_about_once(self):
        path = self.write("important.csv", "my own words\n")
        t = self.ready("gpus")
        for keys in (("e", "important.csv", "enter"), (":", "w important.csv", "enter")):
            for answer in ("n", "enter", "esc", "ctrl-c", "q"):
                t.press(*keys)
                t.wait(["it exists", "important.csv"])
                t.press(answer)
                t.wait("nothing was written")
                self.assertEqual(self.written("important.csv"), "my own words\n")
        t.press("e", "important.csv", "enter")
        t.paste("y")
        self.assertEqual(self.written("important.csv"), "my own words\n")
        t.press("y")
        t.wait("rows were written to important.csv")
        self.assertNotIn("my own words", self.written("important.csv"))
        self.assertTrue(path.endswith("important.csv"))

    def test_a_view_without_rows_has_no_data(self):
        t = self.ready("help")
        t.press("e", "x.csv", "enter")
        t.wait("lists no rows")
        self.assertFalse(os.path.exists(os.path.join(self.home, "x.csv")))


class Lists(Live):
    def test_filter_and_order_see_every_option(self):
        options = self.json("report", "--workload", "llama70b", "--top", "10000")["options"]
        amd = [o for o in options if o["vendor"] == "amd"]
        t = self.ready("advice", width=140, height=50)
        t.wait(f" {len(options)} ─")
        t.press("/", "amd", "enter")
        text = t.wait(f" {len(amd)} of {len(options)} ─")
        for o in amd:
            self.assertRegex(text, rf"A {o['gpu_count']} x {re.escape(o['gpu'])} +{o['provider'][:8]}")
        t.press("esc", "home", ">", ">", ">", ">")  # by $/h
        t.wait("$/h▲")
        cheapest = min(options, key=lambda o: o["price_usd_per_hour"])
        first = t.text().split("$/h▲")[1].split("\n")[1]
        self.assertIn(cheapest["gpu"], first)

    def test_marks_are_taken_away_together(self):
        t = self.ready("prices")
        t.press(*["space"] * 5)
        self.assertEqual(t.text().count("│•"), 5)
        t.press("U")
        self.assertNotIn("│•", t.text())
        t.press("c")
        t.wait("mark two rows")


    @harness.once
    def test_any_filter_and_order_give_the_rows_of_the_command(self):
        """On the screen, by --where and --sort of the command that it names, and in the file that is written."""
        chance = random.Random(24)
        t = self.ready("prices", width=200, height=50)
        words = ["mi300", "h100", "!vast", "azure|aws", "$/GPU-h<3", "$/h>=10", "age<100", "age>60", "qty=8", "provider=a", "gpu!=h100", "\"a b\"", "region=eu", "x", "!-"]
        for number in range(12):
            where = " ".join(chance.sample(words, chance.randrange(1, 4)))
            sort = ",".join(chance.sample(["provider", "-age", "gpu", "-$/GPU-h", "qty"], chance.randrange(3)))
            t.press("/", "ctrl-u", where, "enter", "S", "ctrl-u", sort, "enter", "home", "e", f"rows{number}.csv", "enter")
            said = t.wait(f"rows were written to rows{number}.csv")
            shown = int(re.search(r"(\d+) of \d+ rows were written", said).group(1))
            code, listed, _ = self.run_tool("prices", "list", f"--where={where}", *([f"--sort={sort}"] if sort else []), "--format", "csv")
            self.assertEqual(code, 0 if shown else 3, where)  # 3: nothing fits
            with open(os.path.join(self.home, f"rows{number}.csv"), encoding="utf-8", newline="") as f:
                written = f.read()
            self.assertEqual(written, listed, (where, sort))
            rows = list(csv.DictReader(io.StringIO(listed)))
            self.assertEqual(len(rows), shown, where)
            screen = [line.split()[1] for line in t.text().split("\n")[3:3 + min(len(rows), 12)]]
            self.assertEqual([cell.rstrip("~") for cell in screen], [r["gpu"][:len(cell.rstrip("~"))] for r, cell in zip(rows, screen)], where)


class FirstJob(Live):
    @harness.once
    def test_the_cheapest_amd_option_by_the_keys_on_screen(self):
        """Somebody who knows no key but those that the screen shows finds the cheapest AMD option at 32 in flight, takes the list along as CSV and leaves."""
        t = self.ready("advice", width=100, height=30)

        def press(*labels):
            """The keys that the line of keys says do that; in brackets what is typed."""
            for label in labels:
                line = t.text().rstrip().split("\n")[-1]
                found = re.search(rf"(\S+) {re.escape(label)}(  |$)", line)
                self.assertTrue(label[0] == "[" or found, (label, line))
                t.press(label[1:-1] if label[0] == "[" else found.group(1))
        press("Cmd", "[in flight]")
        t.wait("assumption: --concurrency")
        press("Take")
        t.wait("assumptions")
        press("[32]", "Take")
        t.wait(["--concurrency 32 ", "─ answer ─"])
        press("Back")
        t.wait("[options]")
        press("Filter", "[amd]", "Take")
        options = [o for o in self.json("report", "--workload", "llama70b", "--concurrency", "32", "--top", "10000")["options"] if o["vendor"] == "amd"]
        t.wait(f" {len(options)} of ")
        press("Detail")
        best = min(options, key=lambda o: o["output_usd_per_mtok"]["value"])
        t.wait([f"{best['gpu_count']} x {best['gpu']}, {best['provider']}", "engine ", "layout ", "memory ", f"${best['price_usd_per_gpu_hour']:.4g} per GPU-hour"])
        press("Close", "Export", "[amd.csv]", "Take")
        t.wait(f"{len(options)} of ")
        with open(os.path.join(self.home, "amd.csv"), encoding="utf-8", newline="") as f:
            rows = list(csv.DictReader(f))
        self.assertEqual([(r["gpus"], r["provider"]) for r in rows], [(f"A {o['gpu_count']} x {o['gpu']}", o["provider"]) for o in options])
        press("Quit")
        self.assertEqual(t.end(), 0)

    @harness.once
    def test_four_questions_end_in_a_command(self):
        t = self.ready(width=100, height=30)
        t.wait("w asks four questions")
        t.press("w")
        t.wait("question 1 of 4")
        t.press("home", "enter", "down", "down", "down", "enter")
        t.wait(["question 3 of 4", "--workload agentic-coding --concurrency 32"])
        t.press("left", "left", "end", "enter", "mixtral-8x7b", "enter", "down", "enter", "enter")
        t.wait("question 4 of 4")
        t.press("down", "enter")
        line = re.search(r"\$ gpuadvise (report .*?)\s+│", t.wait("Start: the command")).group(1)
        self.assertEqual(line, "report --workload llama70b --model mixtral-8x7b --concurrency 1 --ttft 1000")
        t.press("enter")
        t.wait(["mixtral-8x7b", "$ gpuadvise report --workload llama70b --model mixtral-8x7b --concurrency 1 --ttft 1000"])
        self.exits(0, *line.split())


class Prompts(Live):
    @harness.once
    def test_lines_come_back_and_complete(self):
        self.write("proj/notes.csv", "x\n")
        t = self.ready("gpus", width=120, height=40)
        t.press(":", "theme nonesuch", "enter", ":", "set isl 4096", "\x10")
        t.wait(":theme nonesuch")
        t.press("\x0e")
        t.wait(":set isl 4096")
        t.press("esc", "e", "~/pro", "tab", "tab")
        t.wait("write to: ~/proj/notes.csv")
        t.press("ctrl-u", "../../..", "esc", "S", "mem", "tab")
        t.wait("sort by: memory_")
        t.press("esc", ":", "set conc", "tab")
        t.wait(":set concurrency")
        t.press("ctrl-u", "view pri", "tab", "enter")
        t.wait("[offers]")
        t.press(":", "filt")
        t.wait("show only rows with these words")
        t.press("enter", "h100", "enter")
        t.wait("filter: h100")
        t.press(":", "quarant", "down", "enter")
        t.wait("[quarantined]")
        t.press(":", "zzzz", "enter")
        t.wait("unknown command 'zzzz'")
        t.press("esc", "2", "home", "down", "i", "ctrl-u", "mixtral-8x2", "tab")
        t.wait("mixtral-8x22b")
        t.press("esc")

    def test_what_is_copied_is_text(self):
        t = self.ready("gpus")
        t.press("/", "mi300x", "enter", "y")
        t.wait("the row was sent")
        t.press("Y")
        t.wait("the command was sent")
        sent = [base64.b64decode(x).decode() for x in re.findall(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", t.raw)]
        self.assertEqual(sent[0].split("\t")[0], "mi300x-192gb")
        self.assertEqual(sent[1], "gpuadvise gpus --where mi300x")
        self.assertEqual(self.json(*sent[1].split()[1:])["gpus"][0]["sku_id"], "mi300x-192gb")


class Mouse(Live):
    def test_clicks(self):
        t = self.ready("advice")
        t.click(*t.find("3 GPUs"))
        t.wait("[GPUs]")
        t.click(*t.find("MEM GB"))
        t.wait("▲")
        t.click(*t.find("MEM GB"))
        t.wait("▼")
        name = t.screen.display[6].split()[1]
        t.click(5, 6)
        t.click(5, 6)
        t.wait(f"gpus show {name}")
        t.click(1, 1)
        t.gone(f"gpus show {name}")
        t.click(*t.find("models"))
        t.wait("[models]")
        first = t.screen.display[3]
        for _ in range(12):
            t.click(10, 10, 65)
        self.assertNotEqual(t.screen.display[3], first)
        for _ in range(12):
            t.click(10, 10, 64)
        self.assertEqual(t.screen.display[3], first)
        t.click(*t.find("Quit"))
        self.assertEqual(t.end(), 0)

    def test_fields(self):
        t = self.ready("what-if")
        x, y = t.find("output tokens")
        t.click(x, y)
        t.click(x, y)
        t.press("ctrl-u", "2048", "enter")
        t.wait(["1 changed", "--osl 2048"])


class WhatIf(Live):
    def test_no_key_waits_for_the_first_answer(self):
        """Other views open before it is there; what needs its rows, typed ahead, meets them."""
        t = self.open(width=140, height=40)
        t.write("9")
        t.wait("this page")
        t.write("1")
        t.wait(["N NVIDIA", "$ gpuadvise report"])
        t = self.open(width=140, height=40)
        t.write("/amd\r")
        found = re.search(r" (\d+) of (\d+) ", t.wait(["filter: amd", "$ gpuadvise report", " of "]))
        self.assertLess(int(found.group(1)), int(found.group(2)))

    def test_screen_equals_its_command(self):
        """Number for number: every figure of the answer stands in the plain command's JSON."""
        t = self.ready("what-if", width=140, height=50)
        t.press("down", "down", "i", "ctrl-u", "2000", "enter", "down", "i", "ctrl-u", "300", "enter")
        text = t.wait(["2 changed", "--osl 300", "─ answer ─"])
        command = re.search(r"\$ gpuadvise (.*)", text).group(1).split()
        report = self.json(*command)
        words = " ".join(" ".join(line.split("││")[-1].rstrip("│ ").split()) for line in text.split("\n"))
        self.assertIn(report["verdict"]["text"], words)
        for vendor in ("nvidia", "amd"):
            best = report["best"][vendor]
            self.assertIn(f"{best['gpu_count']} x {best['gpu']}", words)
            self.assertIn(f"${best['output_usd_per_mtok']['value']:.4g}", words)
            self.assertIn(f"${best['price_usd_per_gpu_hour']:.4g}/GPU-h", words)

    @harness.once
    def test_a_traffic_and_sessions_are_fields(self):
        t = self.ready("what-if", width=140, height=60)
        t.press(*self.down_to("traffic"), "enter", "chat-real", "enter")
        text = t.wait(["--traffic chat-real ", "the busy hour as its requests come", "p99 of TTFT"])
        command = re.search(r"\$ gpuadvise (.*)", text).group(1).split()
        fleet = self.json(*command)["traffic"]["fleets"][0]
        self.assertIn(f"{fleet['gpu_count']} x {fleet['gpu']}, ${fleet['fixed']['usd_per_day']:.4g} a day", text)
        t.press("x")
        t.gone("the busy hour as its requests come")
        t.press("home", "enter", "agentic-coding", "enter")
        t.wait("--workload agentic-coding ")
        t.press(*self.down_to("agent sessions"), "enter", "8", "enter")
        t.wait("--sessions 8 ")

    @harness.once
    def test_raising_a_price_until_the_verdict_flips(self):
        """The best AMD offer gets dearer step by step; the verdict leaves AMD where the report says that it does, and costs are equal at its indifference price."""
        ask = ["report", "--workload", "llama70b", "--top", "10000", "--provider", "runpod"]
        report = self.json(*ask)
        offer = f"runpod:{report['best']['amd']['gpu']}"

        def of_amd(answer):
            return next(f for f in answer["sensitivity"] if re.match("price of AMD .* at runpod", f["assumption"]))
        flip = of_amd(report)
        t = self.ready("what-if", width=120, height=40)
        t.press(":", "set provider runpod", "enter")
        t.press(":", f"set price {offer}={flip['verdict_changes_at'] * 0.9:.4g}", "enter")
        t.wait(["2 changed", "AMD: "])  # the listed price is a tie: it has to fall far before AMD wins
        t.press(*self.down_to("price of my own"))

        def shown():
            return float(re.search(rf"--price {offer}=(\S+)", t.text()).group(1))
        before, price = None, shown()
        for _ in range(40):
            before = price
            t.press("right")
            until = time.monotonic() + 20
            while shown() == before and time.monotonic() < until:
                t.pump(0.05)
            price = shown()
            if "AMD: " not in t.text().split("answer")[1].split("$")[0]:
                break
        else:
            self.fail("the verdict never left AMD")
        for name, value in (("before", before), ("after", price)):
            winner = self.json(*ask, "--price", f"{offer}={value}")["verdict"]["winner"]
            self.assertEqual(winner == "amd", name == "before")
        edge = of_amd(self.json(*ask, "--price", f"{offer}={before}"))
        self.assertGreaterEqual(edge["verdict_changes_at"], before)
        self.assertLessEqual(edge["verdict_changes_at"], price)
        self.assertAlmostEqual(edge["flip_value"] / flip["flip_value"], 1, 6)
        best = self.json(*ask, "--price", f"{offer}={flip['flip_value']:.9f}")["best"]
        self.assertAlmostEqual(best["amd"]["output_usd_per_mtok"]["value"] / best["nvidia"]["output_usd_per_mtok"]["value"], 1, 5)

    def test_recomputes_while_typing_and_says_what_is_wrong(self):
        t = self.ready("what-if")
        t.press("down", "down", "i", "ctrl-u")
        t.press("4")
        t.wait("--isl 4 ")
        t.press("0")
        t.wait("--isl 40 ")
        t.press("x")
        t.wait("--isl")
        t.wait("answer before the last change")
        self.assertIn("NVIDIA", t.text())
        t.press("backspace")
        t.wait("--isl 40 ")
        t.press("esc")
        t.gone("--isl")

    @harness.once
    def test_the_name_of_a_folder_counts_when_it_is_whole(self):
        """Half of a path is another folder: nothing is scanned before Enter, and what the move costs stands there after it."""
        self.write("proj/a.cu", Migration.CODE)
        t = self.ready("what-if", width=140, height=50)
        t.press(*self.down_to("code to move"))
        t.press("i", os.path.join(self.home, "proj"))
        t.wait("/proj")
        t.pump(0.5)
        self.assertNotIn("--source", t.text())
        t.press("enter")
        text = t.wait(["--source", "─ answer ─", "moving to AMD:", "break-even:", "a month"])
        command = re.search(r"\$ gpuadvise (.*)", text).group(1).split()
        lane = next(x for x in self.json(*command)["lanes"] if x["lane"] == "vendor")
        self.assertIn(f"above nothing with probability {lane['pays_probability']:.2f}", text)

    def test_the_answer_has_pages(self):
        t = self.ready("what-if")
        pages = int(re.search(r"page 1 of (\d+)", t.wait("page 1 of")).group(1))
        self.assertGreater(pages, 1)
        t.press("tab")
        t.wait(f"page 2 of {pages}")
        t.press("backtab")
        t.press("backtab")
        t.wait(f"page {pages} of {pages}")

    def test_a_stack_is_judged(self):
        path = self.write("s.stack", self.ok("stack", "init"))
        t = self.ready("what-if", width=140, height=50)
        t.press(":", f"set stack {path}", "enter")
        t.wait(["--stack", "moving to AMD:"])
        t.press("esc", "5", "tab", "tab", "tab")
        text = t.wait(["[stack]", "FlashAttention", "works with changes"])
        self.assertIn("stack show", text)
        t.press("b")
        t.wait(["What it rests on", "install"])

    def test_choices_turn(self):
        t = self.ready("what-if")
        t.press(*self.down_to("vendor"))
        t.press("right")
        t.wait("--vendor nvidia")
        t.press("right")
        t.wait("--vendor amd")
        t.press("right")
        t.gone("--vendor")


class Migration(Live):
    CODE = ('#include <cuda_runtime.h>\n__global__ void k(float *x) { asm("mov.u32 %0, %laneid;"); x[0] = __shfl_sync(0xffffffff, x[0], 0); }\n'
            'int main(void) { float *p; cudaMalloc(&p, 4); k<<<1, 32>>>(p); cudaFree(p); }\n')

    def scanned(self, **options):
        self.write("proj/a.cu", self.CODE)
        t = self.ready("migrate", **options)
        t.wait("Nothing was scanned yet")
        t.press("R", "ctrl-u", "proj", "enter")
        t.wait(["first port", "manual 1", "▾ manual"])
        return t

    def test_scan_becomes_a_tree(self):
        t = self.scanned(width=140, height=50)
        answer = self.json("migrate", "scan", os.path.join(self.home, "proj"))
        # In the order of work of `migrate scan`.
        steps = ["▾ first: does not build", "▾ besides: nothing breaks"]
        t.wait(steps)
        text = t.text()
        self.assertTrue(text.index(steps[0]) < text.index(steps[1]))
        t.press("home", "down", "down", "right", "down", "right")
        t.wait("▾ a.cu")
        finding = next(f for f in answer["findings"] if f["class"] == "manual")
        t.wait([finding["rule"], f"{finding['line']}:{finding['column']}"])
        t.press("down", "b")
        t.wait([f"a.cu:{finding['line']}", "why:", "fix:", "source:"])
        t.press("esc", "tab")
        t.wait(["by class", "by rule", "by file"])
        t.press("tab", "tab")
        t.wait("[rules]")
        days = answer["effort_days"]["first_port"]["value"]
        t.press("backtab")
        self.assertIn(f"first port {days:.2g} (", t.text())

    def test_editor_opens_the_line(self):
        log = os.path.join(self.home, "log")
        editor = self.write("editor", f"#!/bin/sh\necho \"$@\" > {log}\n")
        os.chmod(editor, 0o755)
        t = self.scanned(env={"EDITOR": f"{editor} --wait", "VISUAL": None})
        t.press("home", "down", "down", "o")
        t.wait("▾ manual")
        until = time.monotonic() + 10
        while not os.path.exists(log) and time.monotonic() < until:
            t.pump(0.05)
        with open(log, encoding="utf-8") as f:
            self.assertEqual(f.read().split(), ["--wait", "+2", "proj/a.cu"])
        os.remove(os.path.join(self.home, "proj/a.cu"))
        t.press("o")
        t.wait("cannot be read any more")
        t.press("R", "ctrl-u", "no/such/folder", "enter")
        t.wait("no/such/folder")
        t.wait("▾ manual")

    def test_an_editor_that_is_not_there(self):
        t = self.scanned(env={"EDITOR": "no-such-editor", "VISUAL": None})
        t.press("home", "down", "down", "o")
        t.wait("no-such-editor")


class Terminals(Live):
    def test_dumb_and_unset_are_refused_politely(self):
        for name in ("dumb", ""):
            t = self.open(env={"TERM": name})
            self.assertEqual(t.end(), 2, name)
            self.assertIn("--once", t.text().replace("\n", ""))

    def test_an_unknown_terminal_is_taken_for_a_plain_one(self):
        t = self.ready("gpus", env={"TERM": "no-such-terminal", **NO_LEAKS})
        t.wait(["no terminal is known as 'no-such-terminal' (TERM); it is taken for", "xterm-256color"])
        self.assertIn("a10-24gb", t.text())
        t.press("q")
        self.assertEqual(t.end(), 0)

    def test_the_console_of_linux_gets_letters_its_font_has(self):
        t = self.ready("advice", env={"TERM": "linux", **NO_LEAKS})
        self.assertTrue(t.raw.isascii())
        t.press("2")
        t.wait("in flight")
        self.assertTrue(t.raw.isascii())

    def test_the_mouse_may_be_left_to_the_terminal(self):
        t = self.ready("gpus")
        self.assertIn(b"\x1b[?1006;1000h", t.raw)
        t.press("s", "down", "down", "down", "right", "esc", "W")
        t.wait("saved in")
        self.assertIn(b"\x1b[?1006;1000l", t.raw)
        t.press("q")
        t.end()
        self.assertNotIn(b"1000h", self.ready("gpus").raw)

    def test_help_is_left_by_the_keys_of_a_box(self):
        for key in ("q", "esc"):
            t = self.ready("gpus")
            t.press("?")
            t.gone("[GPUs]")
            t.press(key)
            t.wait("[GPUs]")
            t.press("q")
            self.assertEqual(t.end(), 0)

    def test_many_terminals(self):
        for name in ("xterm", "xterm-256color", "tmux", "tmux-256color", "screen", "linux", "vt100", "xterm-direct"):
            if not any(os.path.exists(os.path.join(folder, name[0], name)) for folder in ("/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo")):
                continue  # Debian's ncurses-base has all but the last
            t = self.ready("gpus", env={"TERM": name, **NO_LEAKS})
            self.assertIn("a10-24gb", t.text(), name)
            t.press("q")
            self.assertEqual(t.end(), 0, name)

    def test_no_frame_stays_where_there_is_no_second_screen(self):
        for term in ("vt100", "linux"):
            t = self.ready("gpus", env={"TERM": term, **NO_LEAKS})
            t.press("q")
            self.assertEqual(t.end(), 0)
            self.assertNotIn("Quit", t.text(), term)

    def test_c_locale_draws_ascii(self):
        t = self.ready("gpus", env={"LC_ALL": "C"})
        self.assertTrue(t.raw.isascii())
        self.assertIn("+-", t.text())

    def test_no_color_sends_none(self):
        t = self.ready("advice", env={"NO_COLOR": "1"})
        t.press("3", "4")
        self.assertNotRegex(t.raw.decode("utf-8", "replace"), r"\x1b\[[0-9;]*(3[0-7]|4[0-7]|38;5|48;5)[;m]")

    def test_themes(self):
        seen = set()
        for theme in ("dark", "light", "mono"):
            t = self.ready("advice", "--theme", theme)
            x, y = t.find("N NVIDIA")
            seen.add(t.screen.buffer[y][x].fg)
        self.assertEqual(len(seen), 3)

    def vendor_color(self, t):
        x, y = t.find("N NVIDIA")
        return t.screen.buffer[y][x].fg

    def test_the_ground_is_asked_and_answered(self):
        wanted = {theme: self.vendor_color(self.ready("advice", "--theme", theme)) for theme in ("dark", "light")}
        for answer, theme in (("\x1b]11;rgb:ffff/ffff/ffff\x07", "light"), ("\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\", "light"), ("\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", "dark")):
            t = self.ready("advice")
            self.assertIn(b"\x1b]11;?", t.raw)
            t.write(answer)
            t.pump(0.4)
            self.assertIn("llama70b:", t.text())  # no digit of the answer was a key
            self.assertEqual(self.vendor_color(t), wanted[theme], answer)
            t.press("esc", "3")
            t.wait("[GPUs]")
        for value, theme in (("0;15", "light"), ("15;0", "dark"), ("0;default;15", "light")):
            self.assertEqual(self.vendor_color(self.ready("advice", env={"COLORFGBG": value})), wanted[theme], value)

    def test_a_theme_that_was_chosen_stays(self):
        t = self.ready("advice", "--theme", "dark", env={"COLORFGBG": "0;15"})
        before = self.vendor_color(t)
        self.assertNotIn(b"\x1b]11;?", t.raw)
        self.assertEqual(before, self.vendor_color(self.ready("advice", env={"COLORFGBG": "15;0"})))
        t = self.ready("gpus", env={"TERM": "linux", **NO_LEAKS})
        self.assertNotIn(b"\x1b]11;?", t.raw)

    def test_setup_changes_theme_and_characters(self):
        t = self.ready("gpus")
        t.press("s", "down", "down", "right", "esc")
        self.assertIn("+-", t.text())
        self.assertNotIn("│", t.text())


class Signals(Live):
    def started(self):
        # A sanitizer would catch the crash before what watches over the terminal sees it.
        t = self.open("gpus", env={"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":handle_segv=0"})
        before = t.modes()
        t.wait(READY)
        return t, before

    def check_restored(self, t, before):
        # What watches over the terminal flushes: the modes are back, the screen's own page is left.
        self.assertEqual(t.modes()[:4], before[:4])
        self.assertIn(b"\x1b[?1049l", t.raw)

    def test_term_and_hangup(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            t, before = self.started()
            os.kill(t.pid, number)
            self.assertEqual(t.end(), 128 + number)
            self.check_restored(t, before)

    def test_crash_and_kill_restore(self):
        for number in (signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT):
            t, before = self.started()
            os.kill(t.child(), number)
            self.assertEqual(t.end(), 128 + number)
            self.check_restored(t, before)
            self.assertIn(f"signal {int(number)}", t.text())

    def test_leaves_when_its_starter_is_killed(self):
        t, _ = self.started()
        child = t.child()
        os.kill(t.pid, signal.SIGKILL)
        until = time.monotonic() + 10
        while os.path.exists(f"/proc/{child}") and time.monotonic() < until:
            with open(f"/proc/{child}/stat", encoding="ascii") as f:
                if f.read().split(")")[1].split()[0] == "Z":
                    break
            time.sleep(0.05)
        else:
            self.assertFalse(os.path.exists(f"/proc/{child}"))

    def test_suspend_and_continue(self):
        shell = shutil.which("bash")
        if shell is None:
            self.skipTest("no bash")
        t = Terminal(["--norc", "-i"], self.home, program=shell, env={"PS1": "prompt> "})
        self.addCleanup(t.__exit__)
        t.wait("prompt>")
        t.press(f"{harness.BIN} tui gpus", "enter")
        t.wait(READY)
        t.press("down")
        t.press("ctrl-z")
        t.wait(["prompt>", "Stopped"])
        t.press("echo back in the sh''ell", "enter")
        t.wait("back in the shell")
        t.press("fg", "enter")
        t.wait([READY, "a100-pcie-40gb"])
        t.press("ctrl-z")
        t.wait("prompt>")
        t.resize(100, 30)
        t.press("fg", "enter")
        t.wait("3 GPUs   4 Prices")
        self.assertIn("q Quit", t.screen.display[29])
        t.press("tab")
        t.wait("[models]")
        t.press("q")
        t.wait("prompt>")
        t.press("exit", "enter")
        t.end()


class Idle(Live):
    def test_costs_nothing(self):
        t = self.ready("gpus")
        t.pump(0.5)

        def used():
            with open(f"/proc/{t.child()}/stat", encoding="ascii") as f:
                fields = f.read().split(")")[1].split()
            return int(fields[11]) + int(fields[12])
        before, sent = used(), t.bytes
        time.sleep(2)
        t.pump(0.1)
        self.assertEqual((used() - before, t.bytes - sent), (0, 0))


class Trouble(Live):
    def test_database_turns_corrupt(self):
        path = os.path.join(self.home, "t.db")
        self.ok("gpus", "--db", path)
        t = self.ready("gpus", "--db", path)
        with open(path, "r+b") as f:
            f.write(b"this is no database any more, whatever its name says" * 100)
        t.press("1")
        t.press("3", "r")
        t.wait("t.db")
        self.assertIn("a10-24gb", t.text())
        t.press("1")
        t.wait("t.db")
        t.press("2", "down", "down", "right", "b", "esc", "esc", "esc", "4", "9")
        t.wait("Help")
        t.press("9")
        t.wait("Help")
        t.press("q")  # leaves the help
        t.wait("[offers]")
        t.press("q")
        self.assertEqual(t.end(), 0)

    def test_facts_vanish(self):
        folder = os.path.join(self.home, "facts")
        shutil.copytree(os.path.join(harness.ROOT, "data"), folder)
        t = self.ready("gpus", "--data", folder)
        shutil.rmtree(folder)
        t.press("r")
        t.wait("facts")
        self.assertIn("a10-24gb", t.text())
        t.press("1")
        self.assertIn("q Quit", t.wait("facts"))

    def test_a_child_is_killed_or_cancelled(self):
        t = self.ready("bench")
        t.press("R")
        t.wait("cancels")
        with open(f"/proc/{t.child()}/task/{t.child()}/children", encoding="ascii") as f:
            os.kill(int(f.read().split()[0]), signal.SIGKILL)
        t.wait("ended by signal 9")
        t.press("R")
        t.wait("cancels")
        for _ in range(2):  # a key between makes the next one the first again
            t.press("q")
            t.wait("bench is running: q again leaves and ends it, K cancels it")
            t.press("down")
        t.press("K")
        t.wait("was cancelled")
        t.press("3", "tab")
        t.wait("[models]")
        t.press("6", "R")
        t.wait("cancels")
        with open(f"/proc/{t.child()}/task/{t.child()}/children", encoding="ascii") as f:
            running = int(f.read().split()[0])
        t.press("q", "q")
        self.assertEqual(t.end(), 0)
        self.assertFalse(os.path.exists(f"/proc/{running}"))

    def test_own_runs_are_imported_and_walked(self):
        given = ["--gpu", "h100-sxm5", "--gpus", "4", "--tp", "4", "--engine", "vllm:0.11.0", "--weights", "fp8", "--kv", "bf16"]
        folder = os.path.join(self.home, "results")
        os.mkdir(folder)
        for load, tokens_s in ((8, 400), (32, 1500), (64, 480)):
            with open(os.path.join(folder, f"{load}.json"), "w", encoding="utf-8") as f:
                json.dump(result(load, tokens_s, 150, 1000 * load / tokens_s - 150 / 512), f)
        t = self.ready("bench", width=130, height=40)
        t.press("i")
        t.wait(":runs import")
        t.press("~/results --gpu h100", "enter")
        t.wait("not said: --gpus")
        t.press("esc", "i", f"{folder} {' '.join(given)}", "enter")
        t.wait("3 files: 3 taken")
        t.press("esc")
        text = t.wait(["[own runs]", "o counts, ? counts less", "measured", "quaranti~", "$ gpuadvise runs list"])
        self.assertIn("80 % range for the row under the cursor", text)

        def chosen():
            """Label, column and row of the point that stands out in the chart."""
            points = [(t.screen.buffer[y][x].data, x, y) for y in range(3, 20) for x in range(10, 128)
                      if t.screen.buffer[y][x].data in "o?x" and t.screen.buffer[y][x].bg != "default"]
            self.assertEqual(len(points), 1, t.text())
            return points[0]
        t.press("home")
        walked = [chosen()]
        for _ in range(2):
            t.press("down")
            walked.append(chosen())
        self.assertEqual(sorted(p[0] for p in walked), ["o", "o", "x"])
        self.assertEqual(len({p[1:] for p in walked}), 3)
        t.press("home", "/", "quarantined", "enter")
        t.wait("$ gpuadvise runs list --where quarantined")
        self.assertEqual(chosen()[0], "x")
        t.press("enter")
        t.wait(["runs show 2", "quarantined: 480 output tokens/s"])
        t.press("esc", "esc", ":", "runs accept 2", "enter")
        t.wait("run 2: doubtful: accepted by you on")
        t.press("esc")
        t.wait("doubtful")
        t.press("/", "accepted", "enter")
        self.assertEqual(chosen()[0], "?")

    @harness.once
    def test_runs_are_compared_and_fleets_judged(self):
        self.ok("bench", "--quick", "--working-set", "1", "--shared", "triad", "gemm-fp32")
        run = json.loads(self.ok("bench", "export", "1"))["runs"][0]
        for r in run["results"]:  # figures without the noise of this machine
            r["p5"] = r["p95"] = r["median"] = 100 if r["test"] == "triad" else 50
        run["taken_at"] = "2026-01-01T03:04:05Z"
        self.ok("bench", "import", self.write("older.json", json.dumps({"runs": [run]})))
        run["taken_at"] = "2026-01-02T03:04:05Z"
        for r in list(run["results"]):
            run["results"].append({**r, "device": "gpu0"})
            for key in ("median", "p5", "p95"):
                r[key] /= 4
        run["devices"].append({**run["devices"][0], "id": "gpu0", "vendor": "nvidia", "name": "NVIDIA H100 80GB HBM3"})
        self.ok("bench", "import", self.write("run.json", json.dumps({"runs": [run]})))
        records = os.path.join(self.home, "records")
        os.mkdir(records)
        for i in range(5):
            record = {**run, "devices": run["devices"][:1], "results": [dict(r) for r in run["results"] if r["device"] == "cpu"], "host": f"node{i}"}
            for key in ("median", "p5", "p95"):
                record["results"][0][key] /= 2 if i == 3 else 1
            self.write(os.path.join(records, f"{i}.json"), json.dumps({"runs": [record]}))
        self.write(os.path.join(records, "torn.json"), "{")

        t = self.ready("bench")
        t.press("home", "space", "c")
        t.wait("takes two runs: mark two first (space); marked: 1")
        t.press("space", "c")
        text = t.wait(["[compare]", "$ gpuadvise bench compare 2 3", "slower"])
        rows = self.json("bench", "compare", "2", "3")["comparison"]
        for row in rows:
            self.assertRegex(text, rf"{row['device']} +{row['test']} .* {row['speed_ratio']:.3g} +{row['change']} ")
        self.assertIn("! of 2 and 4 tests both have 2.", text)

        t.press("backtab", "backtab", "backtab", "backtab")
        t.wait("[runs]")
        t.press("home", "backtab", "backtab")
        t.wait(["[roofline]", "$ gpuadvise bench runs 3", "roofline of cpu, measured: memory", "GFLOP/s, log scale"])
        t.press("end")
        text = t.wait("roofline of gpu0, measured: memory")
        roofs = {r["device"]: r for r in self.json("bench", "runs", "3")["rooflines"]}
        self.assertEqual(set(roofs), {"cpu", "gpu0"})
        for device, roof in roofs.items():
            for point in roof["points"]:
                self.assertRegex(text, rf"{device} +{point['mark']}  {point['test']} .* {point['bound_by']} ")
        drawn = {t.screen.buffer[y][x].data for y in range(3, 10) for x in range(10, 78)}
        self.assertLessEqual({"a", "b"}, drawn)
        t.press("backtab", "backtab", "backtab", "backtab", "backtab", "down", "backtab", "backtab")
        t.wait("$ gpuadvise bench runs 2")

        t.press("tab")
        t.wait("No folder of records is named yet: i asks for one")
        t.press("i", f"{self.home}/nowhere", "enter")
        t.wait(["nowhere  unreadable", "1 node: 1 unreadable."])
        t.press("i", records, "enter")
        text = t.wait(["$ gpuadvise bench fleet", "6 nodes: 4 good, 1 straggler, 1 unreadable."])
        self.assertRegex(text, r"node3 +straggler .* 50 ")
        t.press("/", "straggler", "enter", "enter")
        t.wait(["node: ", "node3", "why:"])
        t.press("esc")
        self.assertIn("node3", t.resize(140, 50))

    def test_refresh_fails_in_place(self):
        t = self.ready("prices", "--offline")
        t.press("r")
        t.wait("--offline refuses it")
        self.assertIn("[offers]", t.text())



if __name__ == "__main__":
    harness.main()
