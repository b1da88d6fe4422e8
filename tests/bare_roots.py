"""The README's first command and the package, on Debian as debootstrap leaves it: bare_roots.py [RELEASE...] [--keep FOLDER] [--tests] [--cross]

    python3 tests/bare_roots.py bookworm trixie --keep /var/tmp/roots       # as root, with a network; some ten minutes a release

For each release (default: both), in a file system of its own over a fresh minbase root, which has no python3 and no compiler:

  report as root, as a user   git clone, `./bootstrap report` where build-essential, git and a sudo that asks nothing are there besides; the second
                              call gives the same answer, and `git status` stays clean
  tests                       --tests: `./bootstrap test` as the user (half an hour and more)
  package                     the .deb of that build, installed where nothing else is: report, bench, a frame of the screen, a refresh from a
                              server on this machine, by an ordinary user; then purged: what is left is that user's
  cross                       --cross: built for aarch64, whose report and kernels' answers are then those of the PC, under qemu-aarch64

Prints what was done and how long it took; exit 1 when something failed, 77 where this cannot run. Needs root, debootstrap (DEBOOTSTRAP=FILE names
another), unshare, overlay file systems and openssl. --keep: fresh roots are left in FOLDER and taken from there the next time.
"""
import contextlib
import filecmp
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

TESTS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(TESTS)
sys.path.insert(0, TESTS)
from servers import feeds as servers  # noqa: E402

MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
DEBOOTSTRAP = os.environ.get("DEBOOTSTRAP") or shutil.which("debootstrap", path=os.environ.get("PATH", "") + ":/usr/sbin")
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "TERM": "xterm"}
# What apt, dpkg and their triggers write for themselves wherever a package comes and goes.
OF_THE_SYSTEM = ("/var/cache/", "/var/lib/apt/", "/var/lib/dpkg/", "/var/log/", "/etc/ld.so.cache", "/etc/ssl/certs", "/etc/ca-certificates", "/usr/local/share/ca-certificates/", "/run/", "/tmp/", "/proc/", "/sys/", "/dev/")


class Failed(Exception):
    pass


class System:
    """A root: folders under it that are only read, and one that takes what is written. Commands run in mounts and process ids of their own."""

    def __init__(self, top, *lower):
        self.lower = lower
        self.upper, self.work, self.root = (os.path.join(top, name) for name in ("upper", "work", "root"))
        for folder in (self.upper, self.work, self.root):
            os.makedirs(folder)
        os.chmod(self.upper, 0o755)

    def run(self, command, user="root", check=True, limit=3600):
        """(exit code, stdout, stderr) of a shell's command line, run by `user` at home."""
        enter = ["chroot", self.root, "runuser", "-u", user, "--", "sh", "-c", f"cd ~{user} && export HOME=$PWD && {command}"]
        mounts = [["mount", "-t", "overlay", "overlay", "-o", f"lowerdir={':'.join(self.lower)},upperdir={self.upper},workdir={self.work}", self.root],
                  ["mount", "-t", "proc", "proc", self.root + "/proc"], ["mount", "--bind", "/dev", self.root + "/dev"],
                  ["mount", "-t", "devpts", "-o", "newinstance,ptmxmode=666,mode=620,gid=5", "devpts", self.root + "/dev/pts"], ["mount", "-t", "tmpfs", "tmpfs", self.root + "/dev/shm"]]
        script = " && ".join(shlex.join(words) for words in [*mounts, enter])
        done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script], env=ENVIRONMENT,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=limit, check=False)
        if check and done.returncode != 0:
            raise Failed(f"{user}: {command}\nexit {done.returncode}\n{done.stdout[-1500:]}\n{done.stderr[-3000:]}")
        return done.returncode, done.stdout, done.stderr

    def put(self, source, path):
        target = self.upper + path
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(source, target)
        os.chmod(target, 0o644)

    def files(self):
        _, out, _ = self.run("find / -xdev ! -type d -print; find / -xdev -type d -printf '%p/\\n'")
        return {path for path in out.splitlines() if not path.startswith(OF_THE_SYSTEM)}


def told(started, what):
    print(f"  ok  {what} ({time.monotonic() - started:.0f} s)", flush=True)


def fresh_root(release, folder):
    """debootstrap's minbase, made unless it is there."""
    root = os.path.join(folder, release + "-minbase")
    if os.path.isdir(root):
        return root
    started = time.monotonic()
    done = subprocess.run([DEBOOTSTRAP, "--variant=minbase", release, root + ".part", MIRROR], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"debootstrap {release}: {done.stdout[-2000:]}{done.stderr}")
    shutil.copyfile("/etc/resolv.conf", root + ".part/etc/resolv.conf")
    os.rename(root + ".part", root)
    told(started, "debootstrap --variant=minbase " + release)
    return root


def clone(system, user, bundle):
    system.put(bundle, "/srv/project.bundle")
    system.run("git clone -q /srv/project.bundle g", user)


def report(system, user, bundle):
    """The README's first command, twice."""
    clone(system, user, bundle)
    before = system.run("dpkg-query -W | wc -l")[1]
    started = time.monotonic()
    _, first, said = system.run("cd g && ./bootstrap report", user)
    if "NVIDIA" not in first or "bootstrap: building release" not in said:
        raise Failed(f"{user}: no report\n{first}{said}")
    told(started, f"./bootstrap report as {user}: {int(system.run('dpkg-query -W | wc -l')[1]) - int(before)} packages installed; "
         f"python3 {'is' if system.run('command -v python3', check=False)[0] == 0 else 'is not'} there")
    started = time.monotonic()
    if system.run("cd g && ./bootstrap report", user)[1] != first:
        raise Failed(f"{user}: the second report is another")
    dirty = system.run("cd g && git status --porcelain", user)[1]
    if dirty:
        raise Failed(f"{user}: ./bootstrap report leaves {dirty}")
    told(started, f"./bootstrap report as {user} again: the same bytes, git status clean")


def suite(system, user):
    started = time.monotonic()
    code, out, err = system.run("cd g && ./bootstrap test", user, check=False, limit=4 * 3600)
    if code != 0:
        raise Failed(f"./bootstrap test: exit {code}: {out}{err[-6000:]}")
    told(started, f"./bootstrap test as {user}: {out.strip()}")


def cross(system, native):
    """A build for another machine, run by an emulator: the answer is the same."""
    started = time.monotonic()
    libraries = ("libc6-dev", "libsqlite3-dev", "libcjson-dev", "libcurl4-openssl-dev", "libutf8proc-dev", "libzip-dev", "zlib1g-dev", "libsodium-dev", "libncurses-dev")
    system.run("dpkg --add-architecture arm64 && apt-get update -q && apt-get install -y -q --no-install-recommends make cmake gcc-aarch64-linux-gnu "
               "libc6-dev-arm64-cross libgomp1:arm64 qemu-user libjs-chart.js " + " ".join(name + ":arm64" for name in libraries))
    told(started, "aarch64: compiler, libraries, emulator")
    started = time.monotonic()
    _, out, err = system.run("cmake -S g -B x -DCMAKE_BUILD_TYPE=Release -DGPUADVISE_TESTS=OFF -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 "
                             "-DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu -DCMAKE_CROSSCOMPILING_EMULATOR=/usr/bin/qemu-aarch64 "
                             "&& cmake --build x -j $(nproc) && DESTDIR=$PWD/tree cmake --install x --prefix /usr && ls tree/usr/share/man/man1/gpuadvise.1")
    warnings = (out + err).count("warning:")
    told(started, f"aarch64: built and installed with its man page, {warnings} warnings")
    started = time.monotonic()
    line = "report --workload llama70b"
    here = native.run("g/build/release/gpuadvise " + line)[1]
    there = system.run("qemu-aarch64 tree/usr/bin/gpuadvise " + line)[1]
    if here != there:
        raise Failed("aarch64: another report\n" + there)
    checked = system.run("qemu-aarch64 tree/usr/bin/gpuadvise self-check")[1]
    if "kernels   ok" not in checked:
        raise Failed("aarch64: " + checked)
    told(started, "aarch64 under qemu-aarch64: the report of the PC byte for byte; self-check: " + next(x for x in checked.splitlines() if x.startswith("kernels")))


def package(system, built, top):
    """The .deb of `built`, installed, used by somebody, and purged."""
    started = time.monotonic()
    built.run("apt-get install -y -q --no-install-recommends file && cd g/build/release && cpack -G DEB && cp gpuadvise*.deb /srv/gpuadvise.deb")
    system.put(built.upper + "/srv/gpuadvise.deb", "/srv/gpuadvise.deb")
    told(started, f"cpack: a .deb of {os.path.getsize(built.upper + '/srv/gpuadvise.deb'):,} bytes")
    system.run("useradd -m -s /bin/sh somebody && apt-get update -q")
    before = system.files()

    started = time.monotonic()
    n = int(system.run("dpkg-query -W | wc -l")[1])
    system.run("apt-get install -y -q --no-install-recommends /srv/gpuadvise.deb")
    told(started, f"apt-get install: {int(system.run('dpkg-query -W | wc -l')[1]) - n} packages with it")

    started = time.monotonic()
    servers.make_authority(top)
    server = servers.Misbehaving(top, {}, "localhost")
    server.behaviours.update(servers.good_documents(server.port))
    system.put(os.path.join(top, "ca.pem"), "/srv/ca.pem")
    try:
        refresh = shlex.join(["gpuadvise", "prices", "refresh", "oci", "runpod", "--strict", "--ca", "/srv/ca.pem", *servers.feed_urls(server.port, ["oci", "runpod"])])
        for line, word in (("gpuadvise self-check", "kernels   ok"), ("gpuadvise report --workload llama70b", "NVIDIA"),
                           ("gpuadvise bench --quick triad copy", "copy"), ("gpuadvise tui --once advice --size 100x30", "Advice"),
                           (refresh, "2 refreshed"), ("gpuadvise prices list --provider runpod", "runpod"), ("man=/usr/share/man/man1/gpuadvise.1*; ls $man", "gpuadvise.1")):
            out = system.run(line, "somebody")[1]
            if word not in out:
                raise Failed(f"{line}: no '{word}' in\n{out}")
    finally:
        server.stop()
    told(started, "self-check, report, bench, a frame of the screen, refresh, prices list as an ordinary user")

    started = time.monotonic()
    system.run("apt-get purge -y -q gpuadvise && apt-get autoremove --purge -y -q")
    after = system.files()
    # ca-certificates may stay, by apt's own rules: files of packages that are still there are theirs.
    others = set(system.run("cat /var/lib/dpkg/info/*.list")[1].splitlines())
    left = sorted(path for path in after - before if path.rstrip("/") not in others and not path.startswith(("/home/somebody/", "/srv/")))
    gone = sorted(before - after)
    if left or gone:
        raise Failed(f"left behind after the purge: {' '.join(left[:30])}; gone with it: {' '.join(gone[:30])}")
    database = os.path.join(system.upper, "home/somebody/.local/share/gpuadvise/catalog.db")
    with contextlib.closing(sqlite3.connect(database)) as db:
        offers = db.execute("SELECT count(*) FROM offer_seen").fetchone()[0]
        runs = db.execute("SELECT count(*) FROM bench_run").fetchone()[0]
    if offers == 0 or runs == 0:
        raise Failed("the user's data are gone")
    told(started, f"apt-get purge: no file or folder is left but the user's ({offers} prices and {runs} benchmark runs in the database)")


def try_release(release, kept, top, bundle, words):
    print(release, flush=True)
    minbase = fresh_root(release, kept)
    folders = {name: os.path.join(top, release, name) for name in ("tools", "root", "user", "package", "cross")}
    tools = System(folders["tools"], minbase)
    started = time.monotonic()
    tools.run("apt-get update -q && apt-get install -y -q --no-install-recommends build-essential git ca-certificates sudo && "
              "useradd -m -s /bin/sh somebody && echo 'somebody ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/somebody")
    told(started, "build-essential, git, sudo")
    as_root, as_user = (System(folders[name], tools.upper, minbase) for name in ("root", "user"))
    report(as_root, "root", bundle)
    report(as_user, "somebody", bundle)
    two = [as_root.upper + "/root/g/build/release/gpuadvise", as_user.upper + "/home/somebody/g/build/release/gpuadvise"]
    if not filecmp.cmp(*two, shallow=False):
        raise Failed("the builds of root and of the user differ")
    print(f"  ok  both built the same {os.path.getsize(two[0]):,} bytes, in two folders", flush=True)
    package(System(folders["package"], minbase), as_root, os.path.join(top, release))
    if "--cross" in words:
        other = System(folders["cross"], tools.upper, minbase)
        clone(other, "root", bundle)
        cross(other, as_root)
    if "--tests" in words:
        suite(as_user, "somebody")


def main():
    words = sys.argv[1:]
    kept = words.pop(words.index("--keep") + 1) if "--keep" in words else None
    releases = [w for w in words if not w.startswith("--")] or ["bookworm", "trixie"]
    if os.getuid() != 0 or not DEBOOTSTRAP or not shutil.which("unshare"):
        print("skipped: needs root, debootstrap and unshare", file=sys.stderr)
        sys.exit(77)
    failed = False
    top = tempfile.mkdtemp(prefix="gpuadvise-roots-", dir=kept or "/var/tmp")
    os.chmod(top, 0o755)
    try:
        bundle = os.path.join(top, "project.bundle")
        subprocess.run(["git", "-C", ROOT, "bundle", "create", "-q", bundle, "HEAD"], check=True)
        print("of commit " + subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%h %s"], check=True, capture_output=True, text=True).stdout.strip(), flush=True)
        for release in releases:
            try:
                try_release(release, kept or top, top, bundle, words)
            except (Failed, subprocess.TimeoutExpired) as error:
                print(f"  FAILED  {error}", flush=True)
                failed = True
    finally:
        shutil.rmtree(top, ignore_errors=True)
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
