# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""A real browser for tests: headless Chromium over the DevTools pipe, with nothing but the standard library."""

import base64
import itertools
import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

LIMIT = 60  # seconds for one answer; software rendering on a busy machine is slow

# Messages of the browser about itself, not of the page.
OWN_NOISE = ("GPU stall due to ReadPixels", "Automatic fallback to software WebGL", "GroupMarkerNotSet")


def find():
    """The browser, or None."""
    for name in (os.environ.get("KAIROS_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"):
        if name and shutil.which(name):
            return shutil.which(name)
    return None


class BrowserError(Exception):
    pass


class Browser:
    """with Browser() as b: b.open(url); b.evaluate("1 + 1")"""

    def __init__(self, width=1280, height=720, webgl=True, dark=None):
        self.size = (width, height)
        self.webgl = webgl
        self.dark = dark
        self.problems = []  # console errors and warnings, and uncaught exceptions
        self.answers = {}
        self.numbers = itertools.count(1)
        self.events = queue.Queue()
        self.session = None

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="kairos-browser-")
        read_end, self.to = os.pipe()
        self.back, write_end = os.pipe()
        graphics = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if self.webgl else ["--disable-gpu", "--disable-3d-apis"]
        command = [find(), "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", "--disable-dev-shm-usage",
                   "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
                   "--hide-scrollbars", "--mute-audio", "--force-device-scale-factor=1", f"--window-size={self.size[0]},{self.size[1]}",
                   f"--user-data-dir={self.folder}", *graphics, "about:blank"]

        def place():  # the browser reads commands from 3 and writes answers to 4
            a, b = os.dup(read_end), os.dup(write_end)
            os.dup2(a, 3)
            os.dup2(b, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        preexec_fn=place, close_fds=False, start_new_session=True)
        os.close(read_end)
        os.close(write_end)
        threading.Thread(target=self._read, daemon=True).start()
        targets = self._call("Target.getTargets", whole=True)["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        self.session = self._call("Target.attachToTarget", whole=True, targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._call(f"{domain}.enable")
        self.resize(*self.size)
        if self.dark is not None:
            self.prefer(self.dark)
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        for end in (self.to, self.back):
            try:
                os.close(end)
            except OSError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)

    # The pipe: JSON texts, each ended by a zero byte.

    def _read(self):
        rest = b""
        while True:
            try:
                data = os.read(self.back, 1 << 16)
            except OSError:
                return
            if not data:
                return
            rest += data
            while b"\0" in rest:
                text, rest = rest.split(b"\0", 1)
                self._take(json.loads(text))

    def _take(self, message):
        if "id" in message:
            self.answers.pop(message["id"], queue.Queue()).put(message)
            return
        what = message.get("params", {})
        if message["method"] == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details.get("text", ""))
        elif message["method"] == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(a.get("value", a.get("description", ""))) for a in what["args"]))
        elif message["method"] == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.problems.append(what["entry"]["text"])
        elif message["method"] == "Page.loadEventFired":
            self.events.put("load")

    def _call(self, method, whole=False, **parameters):
        number = next(self.numbers)
        answer = queue.Queue()
        self.answers[number] = answer
        message = {"id": number, "method": method, "params": parameters}
        if not whole:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        try:
            got = answer.get(timeout=LIMIT)
        except queue.Empty:
            raise BrowserError(f"{method}: no answer in {LIMIT} s (browser status {self.process.poll()})") from None
        if "error" in got:
            raise BrowserError(f"{method}: {got['error']['message']}")
        return got["result"]

    # What tests use.

    def open(self, url, wait=True):
        url = url if "://" in str(url) else Path(url).resolve().as_uri()
        self._call("Page.navigate", url="about:blank")
        self._call("Page.navigate", url=url)
        if wait:
            self.until("window.kairos && document.body && ['ready', 'failed'].includes(document.body.dataset.state)")
            self.evaluate("kairos.ready")

    def before(self, script):
        """Runs a script in every page before the page's own."""
        self._call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def evaluate(self, expression):
        """Value of an expression; promises are waited for."""
        result = self._call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise BrowserError(f"{expression}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def until(self, condition, limit=LIMIT):
        """Waits until an expression is true."""
        end = time.monotonic() + limit
        while True:
            try:
                value = self.evaluate(condition)
            except BrowserError:  # the page is being left
                value = None
            if value:
                return value
            if time.monotonic() > end:
                raise BrowserError(f"not true in {limit} s: {condition}; problems: {self.problems}")
            time.sleep(0.03)

    def pictures(self, count=2):
        """Waits for that many drawn frames."""
        self.evaluate(f"new Promise(done => {{ let n = {count}; const f = () => n-- > 0 ? requestAnimationFrame(f) : done(true); f(); }})")

    def resize(self, width, height, mobile=False):
        self.size = (width, height)
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if mobile else 1, mobile=mobile)

    def prefer(self, dark):
        self._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def screenshot(self, path):
        data = self._call("Page.captureScreenshot", format="png")["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def mouse(self, kind, x, y, button="left", **more):
        self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button if kind != "mouseMoved" or more.get("buttons") else "none",
                   **({"clickCount": 1} if kind != "mouseMoved" else {}), **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def drag(self, x0, y0, x1, y1, steps=6, release=True):
        self.mouse("mouseMoved", x0, y0)
        self.mouse("mousePressed", x0, y0)
        for i in range(1, steps + 1):
            self.mouse("mouseMoved", x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, buttons=1)
        if release:
            self.mouse("mouseReleased", x1, y1)

    def touchable(self, on=True):
        """Lets the page have a screen that is touched."""
        self._call("Emulation.setTouchEmulationEnabled", enabled=on, maxTouchPoints=5 if on else 1)

    def touch(self, kind, *points):
        """touchStart, touchMove or touchEnd with the fingers that are on the screen then."""
        self._call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])

    def tap(self, x, y):
        self.touch("touchStart", (x, y))
        self.touch("touchEnd")

    def swipe(self, *fingers, steps=6, release=True):
        """Fingers go from one point to another: ((x0, y0), (x1, y1)) each."""
        self.touch("touchStart", *[a for a, _ in fingers])
        for i in range(1, steps + 1):
            self.touch("touchMove", *[(a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps) for a, b in fingers])
        if release:
            self.touch("touchEnd")

    def key(self, key, code=None, down=True, up=True):
        parameters = {"key": key, "code": code or key}
        if len(key) == 1:
            parameters["text"] = key
        if down:
            self._call("Input.dispatchKeyEvent", type="keyDown", **parameters)
        if up:
            self._call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code or key)

    def faults(self):
        """Errors of the page so far."""
        return [p for p in self.problems if not any(n in p for n in OWN_NOISE)]
