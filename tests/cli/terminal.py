"""The screen in a pseudo-terminal whose other end is pyte's terminal emulator: for tests that press keys and read the screen."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

import harness

try:
    import pyte
except ImportError:
    pyte = None

KEYS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdn": "\x1b[6~", "enter": "\r",
        "esc": "\x1b", "tab": "\t", "backtab": "\x1b[Z", "space": " ", "backspace": "\x7f", "delete": "\x1b[3~", "f1": "\x1bOP", "f2": "\x1bOQ", "f6": "\x1b[17~",
        "f10": "\x1b[21~", "ctrl-l": "\x0c", "ctrl-z": "\x1a", "ctrl-b": "\x02", "ctrl-f": "\x06", "ctrl-u": "\x15", "ctrl-c": "\x03"}
# xterm sends these where the screen has asked for the application's cursor keys, as it does.
APPLICATION = {"up": "\x1bOA", "down": "\x1bOB", "right": "\x1bOC", "left": "\x1bOD", "home": "\x1bOH", "end": "\x1bOF"}


if pyte is not None:
    class Screen(pyte.Screen):
        """With what pyte lacks of xterm: scrolling a region up and down."""

        def scroll(self, count, edge, move):
            before = self.cursor.x, self.cursor.y
            self.cursor.y = edge
            for _ in range(count or 1):
                move()
            self.cursor.x, self.cursor.y = before

        def scroll_up(self, count=1):
            self.scroll(count, self.margins.bottom if self.margins else self.lines - 1, self.index)

        def scroll_down(self, count=1):
            self.scroll(count, self.margins.top if self.margins else 0, self.reverse_index)

    class Stream(pyte.ByteStream):
        csi = {**pyte.ByteStream.csi, "S": "scroll_up", "T": "scroll_down"}
        events = pyte.ByteStream.events | {"scroll_up", "scroll_down"}


class Terminal:
    """A program in a terminal of its own. `with Terminal(...) as t:` ends it whatever happens."""

    def __init__(self, args, home, width=80, height=24, env=None, program=None):
        self.screen = Screen(width, height)
        self.stream = Stream(self.screen)
        self.bytes = 0
        self.raw = b""
        self.status = None
        full = {**harness.environment(home), "TERM": "xterm-256color", **(env or {})}
        full = {k: v for k, v in full.items() if v is not None}
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
            os.chdir(home)
            os.execve(program or harness.BIN, [program or harness.BIN, *args], full)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            os.kill(self.pid, signal.SIGTERM)
            if self.end(5) is None:
                os.kill(self.pid, signal.SIGKILL)
                self.end(5)
        os.close(self.fd)

    def pump(self, seconds):
        """Takes what the program writes until it is quiet for `seconds`."""
        while True:
            ready, _, _ = select.select([self.fd], [], [], seconds)
            if not ready:
                return
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return
            if not data:
                return
            self.bytes += len(data)
            self.raw += data
            self.stream.feed(data)

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def wait(self, words, seconds=20):
        """Until all of `words` (a text or several) stand on the screen; gives the screen."""
        wanted = [words] if isinstance(words, str) else words
        until = time.monotonic() + seconds
        while True:
            self.pump(0.05)
            text = self.text()
            if all(w in text for w in wanted):
                return text
            if time.monotonic() > until:
                raise AssertionError(f"not on the screen: {[w for w in wanted if w not in text]}\n{text}")

    def gone(self, words, seconds=20):
        until = time.monotonic() + seconds
        while words in self.text():
            self.pump(0.05)
            if time.monotonic() > until:
                raise AssertionError(f"still on the screen: {words}\n{self.text()}")
        return self.text()

    def write(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        while data:  # a pseudo-terminal holds 4 kB that were not read yet
            data = data[os.write(self.fd, data[:1024]):]

    def send(self, key):
        """As press, without looking at what comes of it."""
        self.write(APPLICATION.get(key) or KEYS.get(key, key))

    def works(self):
        """Does the screen's own thread want the processor? On a busy machine it may not have looked at a key yet."""
        try:
            pid = self.child()
        except (OSError, IndexError):
            pid = self.pid
        try:
            with open(f"/proc/{pid}/task/{pid}/stat", encoding="utf-8", errors="replace") as f:
                return f.read().rpartition(")")[2].split()[0] in "RD"
        except OSError:
            return False

    def settle(self, quiet):
        """Takes what it writes until it is quiet for so many seconds and waits for the next key; gives the screen."""
        until = time.monotonic() + 20
        self.pump(quiet)
        while self.works() and time.monotonic() < until:
            self.pump(0.02)
        self.pump(0)
        return self.text()

    def press(self, *keys):
        """Names of keys, or texts that are typed; gives the screen when it is quiet."""
        for key in keys:
            self.send(key)
            self.settle(0.15)
        return self.text()

    def paste(self, text):
        """As a terminal sends a clipboard where the screen has asked for marks around it."""
        if b"\x1b[?2004h" not in self.raw:
            raise AssertionError("the screen has not asked for marks around pasted text")
        self.write("\x1b[200~" + text.replace("\n", "\r") + "\x1b[201~")
        return self.settle(0.15)

    def click(self, x, y, button=0):
        """Columns and rows from 0; button 64, 65: the wheel."""
        self.write(f"\x1b[<{button};{x + 1};{y + 1}M\x1b[<{button};{x + 1};{y + 1}m")
        return self.settle(0.3)

    def find(self, words):
        """Column and row of a text."""
        for y, line in enumerate(self.screen.display):
            x = line.find(words)
            if x >= 0:
                return x, y
        raise AssertionError(f"not on the screen: {words}\n{self.text()}")

    def resize(self, width, height):
        self.screen.resize(height, width)
        self.screen.reset()
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        return self.settle(0.5)

    def end(self, seconds=20):
        """Waits for its end: exit code, -N for a signal, None: it goes on."""
        until = time.monotonic() + seconds
        while self.status is None and time.monotonic() < until:
            self.pump(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid == self.pid:
                self.pump(0.1)
                self.status = os.waitstatus_to_exitcode(status)
        return self.status

    def child(self):
        """The process of the screen itself, whose parent watches over the terminal."""
        with open(f"/proc/{self.pid}/task/{self.pid}/children", encoding="ascii") as f:
            return int(f.read().split()[0])

    def modes(self):
        return termios.tcgetattr(self.fd)
