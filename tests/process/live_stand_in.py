# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Stands in for `kairos run --live` and `kairos view`: serves the page, its chunks and a websocket, so that the
page's side of the protocol is tested by itself. One body swings on a circle; a drag pulls it to the target."""

import base64
import hashlib
import json
import math
import socket
import struct
import threading
import time

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
MANIFEST = {"type": "manifest", "kairos": 1, "version": "0.1.0", "name": "live swing", "live": True, "up": [0, 0, 1],
            "bodies": [{"name": "ground", "group": "bodies", "fixed": True, "shapes": [{"type": "box", "size": [2, 2, 0.1]}]},
                       {"name": "ball", "group": "bodies", "fixed": False, "shapes": [{"type": "sphere", "radius": 0.3}]}],
            "frames": {"count": 0, "origin": [0, 0, 0], "movers": 2, "rotated": 2, "position_step": 1e-6, "rotation_step": 2**-14, "blocks": []},
            "series": [{"file": "ball.csv", "columns": ["time", "ball.position.x"], "rows": 0, "chunk": -1}]}


class StandIn:
    """with StandIn(page, files) as s: browser.open(s.url)"""

    def __init__(self, page, files=None, live=True):
        self.page, self.files, self.live = page, files or {}, live
        self.token = "sesame"
        self.received = []  # messages of the page
        self.paused, self.steps, self.ball = False, 0, (0.4, 0.0, 0.5)
        self.target = None
        self.clients = []

    def __enter__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/?token={self.token}"
        self.open = True
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.open = False
        self.socket.close()
        self.drop()

    def drop(self):
        """Cuts all connections, as a lost network would."""
        for client in self.clients:
            try:
                client.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.clients = []

    def _accept(self):
        while self.open:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            self._answer(client)
        except (OSError, struct.error):
            pass
        finally:
            client.close()

    def _answer(self, client):
        head = b""
        while b"\r\n\r\n" not in head:
            data = client.recv(4096)
            if not data:
                return
            head += data
        path, _, query = head.split()[1].decode().partition("?")
        allowed = query == f"token={self.token}"
        key = next((line.split(b":", 1)[1].strip() for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key:")), None)
        if path == "/live" and key and allowed:
            accept = base64.b64encode(hashlib.sha1(key + MAGIC).digest())
            client.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
            self.clients.append(client)
            return self._talk(client)
        body = {"/": self.page, **self.files}.get(path) if allowed else None
        status = b"200 OK" if body is not None else b"404 Not Found"
        kind = b"text/html; charset=utf-8" if path == "/" else b"application/octet-stream"
        body = body or b""
        client.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Type: " + kind + b"\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body)

    def _send(self, client, data):
        kind, data = (0x81, data.encode()) if isinstance(data, str) else (0x82, data)
        size = bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data)) if len(data) < 65536 else b"\x7f" + struct.pack(">Q", len(data))
        client.sendall(bytes([kind]) + size + data)

    def _frame(self, number):
        t = 0.01 * self.steps
        head = struct.pack("<IIdII", 0x4B414946, number, t, 2, 2)
        return head + struct.pack("<6f", 0, 0, 0, *self.ball) + struct.pack("<8h", 16384, 0, 0, 0, 16384, 0, 0, 0)

    def _advance(self):
        self.steps += 1
        if self.target:
            self.ball = tuple(b + 0.3 * (t - b) for b, t in zip(self.ball, self.target))
        else:
            angle = 0.03 * self.steps
            self.ball = (0.4 * math.cos(angle), 0.4 * math.sin(angle), 0.5)

    def _state(self, client):
        self._send(client, json.dumps({"type": "state", "time": 0.01 * self.steps, "paused": self.paused, "speed": 1, "real_time_factor": 0.5}))

    def _talk(self, client):
        self._send(client, json.dumps(MANIFEST))
        self._state(client)
        client.settimeout(0.02)
        number, rest, ready = 0, b"", False
        while self.open:
            try:
                data = client.recv(4096)
                if not data:
                    return
                rest += data
            except TimeoutError:
                pass
            while True:
                message, rest = self._unpack(rest)
                if message is None:
                    break
                ready = self._command(client, message) or ready
            if not self.paused:
                self._advance()
            if ready:
                ready, number = False, number + 1
                self._send(client, self._frame(number))
                self._send(client, json.dumps({"type": "series", "file": "ball.csv", "row": [0.01 * self.steps, self.ball[0]]}))

    def _unpack(self, data):
        """(message, rest): the first whole text message of masked frames, or (None, data)."""
        if len(data) < 6:
            return None, data
        size, at = data[1] & 127, 2
        if size == 126:
            if len(data) < 8:
                return None, data
            size, at = struct.unpack(">H", data[2:4])[0], 4
        if len(data) < at + 4 + size:
            return None, data
        mask, body = data[at:at + 4], data[at + 4:at + 4 + size]
        text = bytes(b ^ mask[i % 4] for i, b in enumerate(body))
        if data[0] & 15 != 1:
            return {"type": "control"}, data[at + 4 + size:]
        return json.loads(text), data[at + 4 + size:]

    def _command(self, client, message):
        """Obeys; true when the page can take the next frame."""
        kind = message["type"]
        if kind == "ready":
            return True
        self.received.append(message)
        if kind in ("pause", "continue"):
            self.paused = kind == "pause"
        elif kind == "step":
            for _ in range(message["count"]):
                self._advance()
        elif kind == "drag":
            self.target = message["target"]
        elif kind == "release":
            self.target = None
        self._state(client)
        return kind == "step"

    def wait(self, kind, seconds=20):
        """The newest message of a kind."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = [m for m in self.received if m["type"] == kind]
            if found:
                return found[-1]
            time.sleep(0.02)
        raise SystemExit(f"the page sent no {kind}; it sent {self.received}")
