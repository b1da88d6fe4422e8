"""A headless Chromium, spoken to through its DevTools pipe, that reports what a page logged, threw and asked for.

    with browser.Page("report.html", width=400, dark=True) as page:
        page.value("document.title"), page.problems, page.requests, page.screenshot(), page.pdf()
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SECONDS = 60


class Page:
    """One page of a browser of its own. `problems`: console messages of level warning or error, exceptions, violations of the page's
    policy; `requests`: every URL that was asked for, the page's own aside."""

    def __init__(self, path, width=1280, height=900, dark=False, scripts=True):
        self.path, self.width, self.height, self.dark, self.scripts = os.path.abspath(path), width, height, dark, scripts
        self.problems, self.requests, self.loaded = [], [], False

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="gpuadvise-browser-")
        out_read, out_write = os.pipe()
        in_read, in_write = os.pipe()

        def wire():  # the browser reads from descriptor 3 and writes to 4
            high_in, high_out = os.dup(in_read), os.dup(out_write)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)
        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync", "--hide-scrollbars",
             "--force-device-scale-factor=1", f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self.profile})
        os.close(out_write)
        os.close(in_read)
        self.reader, self.writer, self.pending, self.number, self.session = out_read, in_write, b"", 0, None
        try:
            self.open()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *_):
        os.close(self.writer)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.reader)
        shutil.rmtree(self.profile, ignore_errors=True)

    def open(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=self.width, height=self.height, deviceScaleFactor=1, mobile=self.width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not self.scripts)
        self.call("Page.navigate", url="file://" + self.path)
        self.read_until(lambda: self.loaded, "the page to load")
        self.call("Page.getLayoutMetrics")  # everything that loading said has been read by now

    def event(self, message):
        method, x = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = x["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and x["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(a.get("value", a.get("description"))) for a in x["args"]))
        elif method == "Log.entryAdded" and x["entry"]["level"] in ("error", "warning"):
            self.problems.append(x["entry"]["text"])
        elif method == "Audits.issueAdded" and x["issue"]["code"] == "ContentSecurityPolicyIssue":
            self.problems.append(json.dumps(x["issue"]["details"]))
        elif method == "Network.requestWillBeSent" and x["request"]["url"] != "file://" + self.path:
            self.requests.append(x["request"]["url"])

    def read_until(self, done, what):
        end = time.monotonic() + SECONDS
        while not done():
            if not select.select([self.reader], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"waited {SECONDS} s for {what}")
            data = os.read(self.reader, 1 << 20)
            if not data:
                raise EOFError("the browser ended")
            self.pending += data
            *messages, self.pending = self.pending.split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self.answers[message["id"]] = message
                else:
                    self.event(message)

    answers = {}

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params, **({"sessionId": self.session} if self.session else {})}
        self.answers = {**self.answers} if self.number > 1 else {}
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        number = self.number
        self.read_until(lambda: number in self.answers, method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def value(self, expression):
        """What a JavaScript expression gives, as JSON. Promises are waited for."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def screenshot(self):
        """The whole page as PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 16000), "scale": 1}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"])

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])
