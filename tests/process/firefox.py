# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Firefox for tests, over its Marionette port, with nothing but the standard library: on a screen of its own (Xvfb), since without
one Firefox has no WebGL; without a window where there is no Xvfb."""

import base64
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

LIMIT = 60  # seconds for one answer

PREFERENCES = {
    "marionette.port": 0,  # one that is free; it is written to the profile
    "webgl.force-enabled": True,  # drawn by the processor where there is no graphics card
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "app.update.auto": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "dom.ipc.processCount": 1,
}


def find():
    """The browser, or None."""
    for name in (os.environ.get("KAIROS_FIREFOX"), "firefox-esr", "firefox"):
        if name and shutil.which(name):
            return shutil.which(name)
    return None


class FirefoxError(Exception):
    pass


class Firefox:
    """with Firefox() as f: f.open(url); f.evaluate("1 + 1")"""

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="kairos-firefox-"))
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        (self.folder / "user.js").write_text("\n".join(lines) + "\n")
        environment = {**os.environ, "HOME": str(self.folder), "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "800"}
        display = self._screen()
        environment.update({"DISPLAY": display} if display else {"MOZ_HEADLESS": "1"})
        self.process = subprocess.Popen([find(), "--no-remote", "--marionette", "--width", "1280", "--height", "800", "--profile", str(self.folder)],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env=environment, start_new_session=True)
        self.numbers = itertools.count(1)
        self.rest = b""
        try:
            self._connect()
            self.call("WebDriver:NewSession", {"strictFileInteractability": True})
        except BaseException:
            self.__exit__()
            raise
        return self

    def _screen(self):
        """The name of a new screen in memory, or None."""
        self.screen = None
        if not shutil.which("Xvfb"):
            return None
        read_end, write_end = os.pipe()
        self.screen = subprocess.Popen(["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
                                       pass_fds=[write_end], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write_end)
        with os.fdopen(read_end) as answer:
            number = answer.readline().strip()
        return f":{number}" if number else None

    def __exit__(self, *_):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        if self.screen:
            self.screen.kill()
            self.screen.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _connect(self):
        end = time.monotonic() + LIMIT
        port = self.folder / "MarionetteActivePort"
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", int(port.read_text())), timeout=LIMIT)
                break
            except (OSError, ValueError):
                if time.monotonic() > end or self.process.poll() is not None:
                    raise FirefoxError(f"no port (status {self.process.poll()})") from None
                time.sleep(0.1)
        self._read()  # who it is

    def _read(self):
        """A message: its length, a colon, JSON."""
        while b":" not in self.rest:
            self._more()
        size, self.rest = self.rest.split(b":", 1)
        while len(self.rest) < int(size):
            self._more()
        text, self.rest = self.rest[:int(size)], self.rest[int(size):]
        return json.loads(text)

    def _more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise FirefoxError("the connection has ended")
        self.rest += data

    def call(self, command, parameters):
        text = json.dumps([0, next(self.numbers), command, parameters])
        self.socket.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, result = self._read()
        if error:
            raise FirefoxError(f"{command}: {error.get('message')}")
        return result

    def open(self, url):
        self.call("WebDriver:Navigate", {"url": str(url)})
        self.until("window.kairos && document.body && ['ready', 'failed'].includes(document.body.dataset.state)")

    def evaluate(self, expression):
        return self.call("WebDriver:ExecuteScript", {"script": f"return ({expression})", "args": [], "sandbox": None})["value"]

    def until(self, condition, limit=LIMIT):
        end = time.monotonic() + limit
        while True:
            value = self.evaluate(condition)
            if value:
                return value
            if time.monotonic() > end:
                raise FirefoxError(f"not true in {limit} s: {condition}")
            time.sleep(0.05)

    def screenshot(self, path):
        data = self.call("WebDriver:TakeScreenshot", {"full": False})["value"]
        Path(path).write_bytes(base64.b64decode(data))
