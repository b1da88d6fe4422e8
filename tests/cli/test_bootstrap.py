"""./bootstrap: what it says and hands on, on machines that are not this one. Its tools are stand-ins, so that nothing is installed or built."""
import os
import shutil
import subprocess

import harness

TOOLS = ("sh", "dirname", "mkdir", "grep", "sed", "tail", "head", "cat", "expr", "rm", "uname", "find")
STAND_INS = {
    "cmake": 'echo "cmake $*" >>"$SEEN"; echo "-- Device code: the committed PTX"; case "$*" in *"${CMAKE_FAILS:-none}"*) exit 1 ;; esac',
    "cc": "exit 0", "make": "exit 0", "id": 'echo "$USER_ID"', "nproc": "echo 2", "python3": "exit 0",
    "dpkg-query": 'for p; do :; done; [ "$p" = "$LACKING" ] || echo "install ok installed"',
    "apt-get": 'echo "apt-get $*" >>"$SEEN"; exit 1',
    "sudo": 'echo "sudo $*" >>"$SEEN"; echo "sudo: a password is required" >&2; exit 1',
    "ctest": 'for i in $(cat "$COUNTED"); do echo "$i/20 Test #$i: a.case ....   Passed    0.01 sec"; done; exit ${CTEST_CODE:-0}',
}


class Bootstrap(harness.Case):
    def setUp(self):
        super().setUp()
        self.bin = os.path.join(self.home, "bin")
        self.seen = os.path.join(self.home, "seen")
        for name in TOOLS:
            os.makedirs(self.bin, exist_ok=True)
            os.symlink(shutil.which(name), os.path.join(self.bin, name))
        for name, script in STAND_INS.items():
            self.write("bin/" + name, "#!/bin/sh\n" + script + "\n")
            os.chmod(os.path.join(self.bin, name), 0o755)
        self.write("seen", "")
        shutil.copy(os.path.join(harness.ROOT, "bootstrap"), self.home)

    def without(self, *names):
        for name in names:
            os.remove(os.path.join(self.bin, name))

    def bootstrap(self, word, code, **variables):
        """(stdout, stderr, the calls of stand-ins that note theirs)."""
        env = {"PATH": self.bin, "HOME": self.home, "SEEN": self.seen, "USER_ID": "1000", "LC_ALL": "C.UTF-8", **variables}
        done = subprocess.run(["./bootstrap", word], cwd=self.home, env=env, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        with open(self.seen, encoding="utf-8") as f:
            return done.stdout, done.stderr, f.read()

    # ------------------------------------------------------------ what is missing

    def test_sudo_that_wants_a_password(self):
        _, err, seen = self.bootstrap("build", 1, LACKING="zlib1g-dev")
        self.assertIn("sudo wants a password", err)
        self.assertIn("sudo sh -c 'apt-get update && apt-get install --no-install-recommends zlib1g-dev", err)
        self.assertEqual(seen, "sudo -n true\n")

    def test_neither_root_nor_sudo(self):
        self.without("sudo")
        _, err, _ = self.bootstrap("build", 1, LACKING="zlib1g-dev")
        self.assertIn("neither root nor sudo", err)
        self.assertIn("apt-get update && apt-get install --no-install-recommends zlib1g-dev", err)

    def test_root_without_a_network(self):
        _, err, seen = self.bootstrap("build", 1, LACKING="zlib1g-dev", USER_ID="0")
        self.assertIn("is there a network?", err)
        self.assertEqual(seen, "apt-get update\n")

    def test_chart_js_elsewhere_than_debian(self):
        self.without("apt-get")
        _, err, _ = self.bootstrap("build", 1, CHART_JS="/nonexistent/chart.min.js")
        self.assertIn("not found: /nonexistent/chart.min.js", err)
        named = self.write("a folder/chart.min.js", "")
        _, _, seen = self.bootstrap("build", 0, CHART_JS=named)
        self.assertIn(f"-DCHART_JS={named} ", seen)

    # ------------------------------------------------------------ building and testing

    def test_a_release_needs_no_python_and_stops_at_no_warning(self):
        _, err, seen = self.bootstrap("build", 0)
        self.assertEqual(seen, "cmake --preset release -DGPUADVISE_TESTS=OFF\ncmake --build --preset release -j 2\n")
        self.assertIn("bootstrap: Device code: the committed PTX\n", err)

    def test_ci_has_warnings_as_errors(self):
        _, _, seen = self.bootstrap("build", 0, GPUADVISE_WERROR="ON")
        self.assertIn("cmake --preset release -DGPUADVISE_WERROR=ON -DGPUADVISE_TESTS=OFF\n", seen)

    def test_a_build_that_fails(self):
        _, err, _ = self.bootstrap("build", 1, CMAKE_FAILS="release")
        self.assertIn("building release failed (build/release.log)", err)

    def test_tests_say_how_far_they_are(self):
        counted = self.write("counted", "\n".join(map(str, range(1, 21))))
        out, err, _ = self.bootstrap("test", 1, COUNTED=counted)
        told = [line for line in err.splitlines() if line.endswith(" tests")]
        self.assertEqual(told, [f"bootstrap: {preset}: {n}/20 tests" for preset in ("dev", "asan") for n in range(2, 21, 2)])
        self.assertEqual(out, "0 passed, 2 failed, 0 skipped\n")  # no results were written
        with open(os.path.join(self.home, "build/dev-test.log"), encoding="utf-8") as f:
            self.assertEqual(len(f.readlines()), 20)

    def test_failures_of_ctest_without_a_failed_test(self):
        junit = '<testsuite\n\ttests="3"\n\tfailures="0"\n\tdisabled="0"\n\tskipped="0"\n>\n'
        self.write("bin/ctest", f"#!/bin/sh\nfor p; do file=$p; done\nprintf '%s' '{junit}' >\"$file\"\nexit ${{CTEST_CODE:-0}}\n")
        out, _, _ = self.bootstrap("test", 0)
        self.assertEqual(out, "6 passed, 0 failed, 0 skipped\n")
        out, err, _ = self.bootstrap("test", 1, CTEST_CODE="8")
        self.assertIn("the tests of dev did not run", err)
        self.assertEqual(out, "0 passed, 2 failed, 0 skipped\n")

    def test_floors_of_coverage_are_one_test(self):
        junit = '<testsuite\n\ttests="3"\n\tfailures="0"\n\tdisabled="0"\n\tskipped="0"\n>\n'
        self.write("bin/ctest", f"#!/bin/sh\nfor p; do file=$p; done\nprintf '%s' '{junit}' >\"$file\"\n")
        stale = self.write("build/dev/of_before.gcda", "")
        out, _, seen = self.bootstrap("test", 0, GPUADVISE_COVERAGE="ON")
        self.assertEqual(out, "7 passed, 0 failed, 0 skipped\n")
        self.assertFalse(os.path.exists(stale))
        self.assertIn("cmake --preset dev -DGPUADVISE_COVERAGE=ON\n", seen)
        self.assertIn("cmake --preset asan\n", seen)
        self.assertIn("cmake --build --preset dev --target coverage\n", seen)
        out, _, _ = self.bootstrap("test", 1, GPUADVISE_COVERAGE="ON", CMAKE_FAILS="coverage")
        self.assertEqual(out, "6 passed, 1 failed, 0 skipped\n")


if __name__ == "__main__":
    harness.main()
