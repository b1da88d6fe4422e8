"""`tui --once`: frames as text against what the plain commands say, and what is refused. The live screen: test_tui_live.py."""
import os
import re
import unicodedata

import harness
import test_bench_gpu
from terminal import Terminal, pyte
from test_bench import put

VIEWS = ("advice", "what-if", "gpus", "prices", "compat", "bench", "migrate", "sources", "help")
SIZES = ("60x18", "80x23", "80x24", "100x30", "140x50", "300x100")
NO_DEVICES = {"GPUADVISE_SYSROOT": "/nonexistent"}  # the same machine everywhere
DOCS = os.path.join(harness.ROOT, "docs/tui.md")


def columns(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def shape(frame):
    """What of a frame does not move when facts do: lines of boxes, the header, the keys."""
    lines = frame.rstrip("\n").split("\n")
    masked = [re.sub(r"[^│╭╮╰╯┃]", " ", line).rstrip().replace("┃", "│") for line in lines[1:-2]]
    return [lines[0], *masked, lines[-1]]


class Frames(harness.Case):
    def frame(self, *args, **options):
        return self.ok("tui", "--once", *args, **options)

    def test_every_view_fills_every_size(self):
        for view in VIEWS:
            for size in harness.sampled(SIZES, 2):
                width, height = map(int, size.split("x"))
                frame = self.frame(view, "--size", size)
                lines = frame.split("\n")
                self.assertEqual(len(lines), height + 1, (view, size))
                self.assertLessEqual(max(map(columns, lines)), width, (view, size))
                for number, line in enumerate(lines[1:-3]):
                    if line[:1] == "│":
                        self.assertEqual(columns(line), width, (view, size, number, line))
                self.assertIn("q Quit", lines[-2])

    def test_advice_is_the_report(self):
        report = self.json("report", "--workload", "llama70b", "--top", "10000")
        frame = " ".join(self.frame("advice", "--size", "140x50").split())
        self.assertIn(report["verdict"]["text"], frame)
        best = report["best"]["nvidia"]
        self.assertIn(f"{best['gpu_count']} x {best['gpu']}", frame)
        self.assertIn(f"{report['options'][0]['output_usd_per_mtok']['value']:.3g}", frame)
        self.assertIn("$ gpuadvise report --workload llama70b --top 10000", frame)

    def test_workload_is_chosen(self):
        frame = self.frame("advice", "--workload", "mixtral")
        self.assertIn("mixtral: Chat on Mixtral", frame)
        self.assertIn("report --workload mixtral", frame)

    def test_gpus_are_the_catalog(self):
        rows = {g["sku_id"]: g for g in self.json("gpus")["gpus"]}
        frame = self.frame("gpus", "--size", "140x120")
        self.assertIn(f" {len(rows)} ", frame.split("\n")[1])
        for name, row in rows.items():
            line = next(line for line in frame.split("\n") if line.startswith(f"│ {name} "))
            self.assertIn(f" {row['vendor']} ", line)
            self.assertIn(f" {row['memory_gb']:g} ", line)

    def test_prices_are_the_list(self):
        offers = self.json("prices", "list")["offers"]
        frame = self.frame("prices")
        self.assertIn(f" {len(offers)} ", frame.split("\n")[1])
        self.assertIn(f"{offers[0]['price_usd_per_gpu_hour']:.4g}", frame.split("\n")[3])

    def test_ascii_is_ascii(self):
        for view in VIEWS:
            self.assertTrue(self.frame(view, "--ascii").isascii(), view)

    def test_help_lists_every_action_and_view(self):
        frame = self.frame("help", "--size", "120x120")
        for word in ("filter", "compare", "ctrl-l", "ctrl-z", "f10", "space", "Migrate", "What-if"):
            self.assertIn(word, frame)

    def test_bindings_show(self):
        frame = self.frame("help", "--size", "120x120", "--bind", "filter=f", "--bind", "quit=Q")
        self.assertRegex(frame, r"f +filter ")
        self.assertIn("Q Quit", frame.split("\n")[-2])
        self.write("config/gpuadvise/config", "bind = quit=Z\ntheme = light\nascii = yes\n")
        frame = self.frame("help")
        self.assertIn("Z Quit", frame)
        self.assertTrue(frame.isascii())

    def test_answered_no_says_why(self):
        self.write("config/gpuadvise/config", "max-price = 0.001\n")
        frame = self.frame("advice")
        self.assertIn("Neither", frame)
        self.assertIn("nothing meets what was asked", frame)
        for asked, other in (("amd", "NVIDIA"), ("nvidia", "AMD")):
            self.write("config/gpuadvise/config", f"vendor = {asked}\n")
            frame = self.frame("what-if", "--size", "140x50")
            self.assertIn(f"{other} was not asked for (--vendor {asked})", frame)
            self.assertNotIn("nothing meets", frame)
            self.assertIn(f"{other[0]} {other}, not asked for", self.frame("advice", "--size", "140x50"))
        self.write("config/gpuadvise/config", "vendor = amd\nmax-price = 0.001\n")
        self.assertIn("nothing of AMD meets what was asked; no other was asked for", self.frame("advice"))
        frame = self.frame("what-if", "--size", "140x50")
        self.assertIn("AMD: nothing meets what was asked", frame)
        self.assertIn("NVIDIA was not asked for (--vendor amd)", frame)

    def test_documents_show_these_frames(self):
        with open(DOCS, encoding="utf-8") as f:
            text = f.read()
        pattern = re.compile(r"(?<=```\n\$ gpuadvise )(tui --once [^\n]*)\n(.*?)(?=```)", re.S)
        found = pattern.findall(text)
        self.assertEqual([args.split()[2] for args, _ in found], list(VIEWS))
        if os.environ.get("UPDATE_GOLDEN"):
            with open(DOCS, "w", encoding="utf-8") as f:
                f.write(pattern.sub(lambda m: m.group(1) + "\n" + self.ok(*m.group(1).split(), env=NO_DEVICES), text))
                return
        for args, frame in found:
            self.assertEqual(shape(frame), shape(self.ok(*args.split(), env=NO_DEVICES)), f"{args}: UPDATE_GOLDEN=1 writes it anew")


class Devices(harness.Case):
    """The Bench view on machines with GPUs: stand-ins for NVML, trees that stand for /sys."""
    world, h100, mi300x = test_bench_gpu.Gpu.world, test_bench_gpu.Gpu.h100, test_bench_gpu.Gpu.mi300x

    def setUp(self):
        super().setUp()
        self.root = os.path.join(self.home, "root")
        self.libraries = os.path.join(self.home, "libraries")
        os.makedirs(self.libraries)

    def devices(self, env, *args, size="140x30"):
        """The box of the devices, in one line."""
        frame = self.ok("tui", "--once", "bench", "--size", size, *args, env=env)
        return frame, " ".join(frame.split("[runs]")[0].replace("│", " ").split())

    def test_nvidia(self):
        env = self.h100(nvml="clock=1755;temp=61;power=512;util=97;used=41.5;reasons=4")
        for size in ("140x30", "80x24", "60x18"):
            _, box = self.devices(env, size=size)
            for figure in ("N NVIDIA H100 80GB HBM3", "97 %", "1755 of 1830", "512 of 700 W", "61 C", "41.5 of 80 GiB", "h100-sxm5-80gb should do: 700 W"):
                self.assertIn(figure, box)
        self.assertIn("power cap", self.devices(env)[1])
        self.assertIn("PCIe x16", self.devices(env)[1])

    def test_a_power_limit_says_what_it_leaves(self):
        _, box = self.devices(self.h100(nvml="power=480;limit=500;default=700"))
        self.assertIn("480 of 500 W", box)
        self.assertRegex(box, r"the limit of 500 W leaves [5-9]\d % of its arithmetic")

    @harness.once
    def test_a_power_limit_says_what_it_costs_of_the_work_in_question(self):
        if not pyte:
            self.skipTest("python3-pyte is not installed")
        with Terminal(["tui", "--workload", "llama70b"], self.home, 140, 30, env=self.h100(nvml="power=480;limit=500;default=700")) as screen:
            screen.wait("$/Mtok")
            screen.press("6")
            screen.wait("of its arithmetic")
            self.assertRegex(screen.text(), r"costs about [1-3]?\d % of the tok/s of llama70b")

    def test_many_gpus_are_a_line_each(self):
        pages = [f"0000:{7 + i:02x}:00.0" for i in range(8)]
        for page in pages:
            test_bench_gpu.nvidia(self.root, page, "0x2330", "0x16c1", "NVIDIA H100 80GB HBM3")
        env = self.world(test_bench_gpu.NVIDIA, FAKE_CUDA=test_bench_gpu.H100.replace("pci=0000:07:00.0", "pci=" + ",".join(pages)), FAKE_NVML="power=512;util=97")
        frame, _ = self.devices(env)
        lines = [line for line in frame.split("\n") if re.match(r"│ gpu[0-7] ", line)]
        self.assertEqual(len(lines), 8, frame)
        for line in lines:
            for figure in ("97 % busy", "512 of 700 W"):
                self.assertIn(figure, line)

    def test_nvml_that_is_not_there(self):
        _, box = self.devices(self.h100(names=("libcuda.so.1",)))
        self.assertIn("no NVML", box)
        self.assertNotRegex(box, r"\b0 (W|%|C)\b")

    def test_amd(self):
        env = self.mi300x()
        folder = "sys/bus/pci/devices/0000:05:00.0/"
        for name, text in (("gpu_busy_percent", "88\n"), ("mem_info_vram_used", f"{96 * 2**30}\n"), ("pp_dpm_sclk", "0: 132Mhz\n1: 2100Mhz *\n"),
                           ("hwmon/hwmon3/power1_average", "687000000\n"), ("hwmon/hwmon3/temp1_label", "edge\n"), ("hwmon/hwmon3/temp1_input", "40000\n"),
                           ("hwmon/hwmon3/temp2_label", "junction\n"), ("hwmon/hwmon3/temp2_input", "71000\n")):
            put(self.root, folder + name, text)
        _, box = self.devices(env)
        for figure in ("A ", "88 %", "2100 of 2100 MHz", "687 of 750 W", "71 C", "96.0 of 192 GiB", "mi300x-192gb should do"):
            self.assertIn(figure, box)

    def test_hosts_are_asked_through_ssh(self):
        """A stand-in for ssh: one machine like this one, one that refuses, one that wants the terminal, one that never stops, one of another version."""
        env = self.h100(nvml="power=512;util=97")
        folder = os.path.join(self.home, "bin")
        put(folder, "ssh", f"""#!/bin/sh
echo "$*" >> {self.home}/asked
while [ "$1" != -- ]; do shift; done
case $2 in
 bad) echo "ssh: connect to host bad port 22: Connection refused" >&2; exit 255;;
 evil) printf 'sensors 2 1\\ndevice 0 amd - - - - - 192 amdgpu \\033]0;mine\\007\\033[31mMI300X\\n0 2100 700 71 88 96 - 750 - - - \\033[2Jheat\\n'; exec sleep 60;;
 flood) exec yes;;
 old) echo "0 1755 350.2 61 98 41.2 power cap"; exec sleep 60;;
 *) exec {harness.BIN} $4;;
esac
""")
        os.chmod(os.path.join(folder, "ssh"), 0o755)
        env["PATH"] = folder + ":" + os.environ["PATH"]
        frame, box = self.devices(env, "--host", "node1,bad,evil,flood,old", size="120x40")
        for words in ("node1 gpu0 N NVIDIA H100", "512 of 700 W", "bad ssh: connect to host bad port 22: Connection refused", "evil gpu0 A ?]0;mine??[31mMI300X", "?[2Jheat",
                      "flood says no figures of GPUs", "old says no figures of GPUs"):
            self.assertIn(words, box)
        self.assertFalse([c for c in frame if ord(c) < 32 and c != "\n"])
        with open(os.path.join(self.home, "asked"), encoding="utf-8") as f:
            self.assertIn("-o BatchMode=yes -o ConnectTimeout=10 -- node1 gpuadvise --gpu-sensors\n", f.read())
        for name in ("-oProxyCommand=x", "a b", "a,,b", "$(x)"):
            _, err = self.exits(2, "tui", "--once", "bench", f"--host={name}")
            self.assertIn("is no name of a host", err)

    def test_a_driver_that_hangs_or_crashes_takes_nothing_along(self):
        for what in ("hang=1", "crash=1"):
            frame = self.ok("tui", "--once", "bench", "--size", "100x30", env=self.h100(nvml=what), timeout=40)
            self.assertIn("NVIDIA H100 80GB HBM3", frame)
            self.assertIn("[runs]", frame)
            self.assertEqual("ended by signal" in frame, what == "crash=1", frame)


class Refusals(harness.Case):
    def test_not_a_terminal(self):
        _, err = self.exits(2, "tui")
        self.assertIn("no terminal", err)
        self.assertIn("--once", err)
        _, err = self.exits(2, "tui", "-o", "frame.txt")
        self.assertIn("--output", err)

    def test_frame_goes_to_a_file(self):
        path = os.path.join(self.home, "frame.txt")
        self.assertEqual(self.ok("tui", "--once", "gpus", "-o", path), "")
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read(), self.ok("tui", "--once", "gpus"))

    def test_sizes(self):
        for size in ("59x24", "80x17", "1001x30", "80", "x", "80x24x1", "-80x24", "80xtall", "0x0", "99999999999999999999x30"):
            _, err = self.exits(2, "tui", "--once", f"--size={size}")
            self.assertIn("--size" if "frame of" not in err else "frame of", err, size)

    def test_views_and_options(self):
        _, err = self.exits(2, "tui", "--once", "advise")
        self.assertIn("advise", err)
        _, err = self.exits(2, "tui", "--once", "--bind", "fliter=f")
        self.assertIn("fliter", err)
        _, err = self.exits(2, "tui", "--once", "--bind", "filter=nokey")
        self.assertIn("nokey", err)
        _, err = self.exits(2, "tui", "--theme", "blue")
        self.assertIn("blue", err)

    def test_unknown_workload_is_an_error(self):
        _, err = self.exits(2, "tui", "--once", "advice", "--workload", "llama71b")
        self.assertIn("llama70b", err)

    def test_corrupt_database(self):
        path = self.write("bad.db", "this is no database, whatever its name says\n" * 100)
        _, err = self.exits(1, "tui", "--once", "gpus", "--db", path)
        self.assertIn("bad.db", err)


class Hostile(harness.Case):
    NAMES = ("\\u001b[31mred", "a\\tb", "\\u202eevil", "\\ud83d\\ude00 emoji", "\\u4e2d\\u6587", "e\\u0301te", "x" * 190)

    def test_names_keep_columns_aligned(self):
        rows = "".join(f'{{"provider": "p{i}", "instance": "{name}", "gpu": "mi300x", "gpu_count": 8, "price_usd_per_hour": 20.5}},' for i, name in enumerate(self.NAMES))
        path = self.write("quote.json", f'{{"offers": [{rows.rstrip(",")}]}}')
        code, out, err = self.run_tool("prices", "import", path)
        self.assertEqual(code, 0, err)
        for size in SIZES:
            frame = self.ok("tui", "--once", "prices", "--size", size)
            self.assertNotRegex(frame, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b-\u200f]")
            for line in frame.split("\n")[2:-4]:
                self.assertEqual(columns(line), int(size.split("x")[0]), line)


if __name__ == "__main__":
    harness.main()
