"""The shipped jobs (share/systemd, share/cron, share/kubernetes), as they are installed, against servers of our own: each is run as the
system that it is for would run it, and asks, keeps and reports what it should."""
import os
import re
import shlex
import shutil
import subprocess
import tempfile

import harness
from refresh_case import RefreshCase, servers

BUILD = os.environ.get("GPUADVISE_BUILD", os.path.dirname(harness.BIN))
EXAMPLES = "share/gpuadvise/examples"
FEEDS = ("vultr", "cloudrift")
HOUR = 60


def minutes(text):
    """Of "6h", "20min" or "1d"."""
    number, unit = re.fullmatch(r"(\d+)(min|h|d)", text).groups()
    return int(number) * {"min": 1, "h": HOUR, "d": 24 * HOUR}[unit]


def read_unit(text):
    """Section -> key -> value of a unit whose keys stand once."""
    sections, section = {}, None
    for line in text.splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), {})
        elif line.strip() and not line.startswith(("#", ";")):
            key, value = line.split("=", 1)
            assert key not in section, f"{key} stands twice"
            section[key] = value
    return sections


def specified(text, folders):
    """The text with its specifiers filled; "%%" is a percent sign."""
    return re.sub("%(.)", lambda m: {"%": "%", **folders}[m.group(1)], text)


def cron_command(line):
    """Schedule and command of a crontab's line, read as cron does: a % that is not escaped ends the command."""
    fields = line.split(None, 5)
    command = re.split(r"(?<!\\)%", fields[5])
    assert len(command) == 1, "the rest of the line would be the command's input"
    return " ".join(fields[:5]), command[0].replace("\\%", "%")


def every_hours(schedule):
    """Hours between two starts of a crontab's schedule that names a minute of every so many hours."""
    return int(re.fullmatch(r"\d{1,2} \*/(\d+) \* \* \*", schedule).group(1))


class Jobs(RefreshCase):
    def setUp(self):
        super().setUp()
        self.prefix = os.path.join(self.home, "a 20 % [ö]")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.prefix], check=True, stdout=subprocess.DEVNULL)
        self.user = os.path.join(self.home, "user")
        os.makedirs(self.user)

    def read(self, path):
        with open(os.path.join(self.prefix, EXAMPLES, path), encoding="utf-8") as f:
            return f.read()

    def crontab(self):
        lines = [line for line in self.read("cron/gpuadvise-refresh").splitlines() if line and not line.startswith("#")]
        self.assertEqual(len(lines), 1)
        return cron_command(lines[0])

    def unit(self):
        return read_unit(self.read("systemd/gpuadvise-refresh.service")), read_unit(self.read("systemd/gpuadvise-refresh.timer"))

    def cron_job(self):
        """Schedule and words of the CronJob's container."""
        text = self.read("kubernetes/gpuadvise-refresh.yaml")
        lists = [re.search(rf"^ +{key}: \[(.*)\]$", text, re.M).group(1).split(", ") for key in ("command", "args")]
        return re.search(r'schedule: "(.*)"', text).group(1), lists[0] + lists[1]

    def only_local_feeds(self):
        """The installed program asks a server of ours for two feeds, and for nothing else; returns the server."""
        server = self.good()
        program = os.path.join(self.prefix, "bin/gpuadvise")
        os.rename(program, program + ".real")
        words = [*FEEDS, "--ca", os.path.join(self.folder, "ca.pem"), *servers.feed_urls(server.port, FEEDS)]
        with open(program, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\nexec {shlex.quote(program + ".real")} "$@" {shlex.join(words)}\n')
        os.chmod(program, 0o755)
        return server

    def run_job(self, words, now, code=0, **variables):
        """In the bare environment that such systems give a job."""
        kept = {k: v for k, v in harness.environment(self.home).items() if k.endswith("SAN_OPTIONS")}
        env = {**kept, **self.only_ours(), "PATH": "/usr/bin:/bin", "GPUADVISE_NOW": now, **variables}
        done = subprocess.run(words, env=env, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=80)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def check_a_day(self, server, metrics, run):
        """A run asks; four hours later there is nothing to ask; six hours later it asks again; one feed in trouble fails it."""
        def asked():
            paths = {path.split("/")[1] for _, path, _ in server.seen}
            server.seen.clear()
            return paths
        run("2026-11-27T00:17:00Z", 0)
        self.assertEqual(asked(), set(FEEDS))
        with open(metrics, encoding="utf-8") as f:
            ages = re.findall(r'^gpuadvise_prices_age_seconds\{feed="(\w+)"\} (\d+)$', f.read(), re.M)
        self.assertEqual(sorted(ages), sorted((feed, "0") for feed in FEEDS))
        run("2026-11-27T04:17:00Z", 0)
        self.assertEqual(asked(), set())
        server.behaviours["/cloudrift"] = servers.reply("no", status="404 Not Found")
        run("2026-11-27T06:17:00Z", 1)
        self.assertEqual(asked(), set(FEEDS))
        run("2026-11-27T06:18:00Z", 1)
        self.assertEqual(asked(), {"cloudrift"})

    # ---------------------------------------------------------------- run as installed

    def test_the_crontab_line_runs(self):
        _, command = self.crontab()
        server = self.only_local_feeds()
        self.check_a_day(server, os.path.join(self.user, ".local/state/gpuadvise/prices.prom"),
                         lambda now, code: self.run_job(["/bin/sh", "-c", command], now, code, HOME=self.user, SHELL="/bin/sh", LOGNAME="user"))
        self.assertTrue(os.path.exists(os.path.join(self.user, ".local/share/gpuadvise/catalog.db")))

    def test_the_unit_runs(self):
        service = self.unit()[0]["Service"]
        server = self.only_local_feeds()
        folders = {"S": os.path.join(self.user, ".config"), "E": os.path.join(self.user, ".config")}
        os.makedirs(os.path.join(folders["S"], service["StateDirectory"]))  # systemd makes it
        words = [specified(word, folders) for word in shlex.split(service["ExecStart"])]
        self.check_a_day(server, os.path.join(folders["S"], service["StateDirectory"], "prices.prom"), lambda now, code: self.run_job(words, now, code, HOME=self.user))
        self.assertTrue(specified(service["EnvironmentFile"], folders).startswith("-" + folders["E"]))  # it may be absent

    def test_the_cron_job_runs(self):
        _, words = self.cron_job()
        server = self.only_local_feeds()
        volume = os.path.join(self.home, "volume")
        os.makedirs(volume)
        words = [volume + word[len("/data"):] if word.startswith("/data/") else word for word in words]
        path = os.path.join(self.prefix, "bin") + ":/usr/bin:/bin"
        self.check_a_day(server, os.path.join(volume, "prices.prom"), lambda now, code: self.run_job(["env", *words], now, code, PATH=path))
        self.assertEqual(os.listdir(self.user), [])  # no home, and nothing outside of the volume
        self.assertIn("catalog.db", os.listdir(volume))

    # ---------------------------------------------------------------- what they say

    def test_ages_are_in_step_with_the_schedules(self):
        """A run must not find the prices of the one before still fresh, however late that one began."""
        service, timer = self.unit()
        step = re.fullmatch(r"00/(\d+):\d\d", timer["Timer"]["OnCalendar"])
        jobs = {"systemd": (service["Service"]["ExecStart"], int(step.group(1)), timer["Timer"]["RandomizedDelaySec"]),
                "cron": (self.crontab()[1], every_hours(self.crontab()[0]), "0min"),
                "kubernetes": (" ".join(self.cron_job()[1]), every_hours(self.cron_job()[0]), "0min")}
        for name, (command, hours, late) in jobs.items():
            age = minutes(re.search(r"--max-age (\w+)", command).group(1))
            self.assertLess(age, hours * HOUR - minutes(late), name)
            self.assertGreater(age, hours * HOUR / 2, name)  # a retry leaves out what came in
            self.assertIn(" --strict ", command, name)
            self.assertIn(" --metrics ", command, name)

    def test_systemd_accepts_the_units(self):
        if shutil.which("systemd-analyze") is None:
            self.skipTest("systemd-analyze is not installed")
        with tempfile.TemporaryDirectory() as folder:
            for name in ("service", "timer"):
                shutil.copy(os.path.join(self.prefix, EXAMPLES, f"systemd/gpuadvise-refresh.{name}"), folder)
            units = [os.path.join(folder, f"gpuadvise-refresh.{name}") for name in ("service", "timer")]
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, timeout=60)
            ours = [line for line in (done.stdout + done.stderr).splitlines() if "gpuadvise" in line]
            self.assertEqual((done.returncode, ours), (0, []), done.stdout + done.stderr)
            with open(units[0], "a", encoding="utf-8") as f:
                f.write("ExecStart=/nowhere/gpuadvise\nNoSuchKey=1\n")
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, timeout=60)
            self.assertIn("gpuadvise-refresh.service", done.stdout + done.stderr)  # it does look


if __name__ == "__main__":
    harness.main()
