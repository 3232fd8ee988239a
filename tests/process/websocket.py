# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""A web socket client (RFC 6455) of Python's standard library only: what a live viewer needs, and how to be rude."""

import base64
import json
import os
import socket
import struct
import time
from urllib.parse import urlsplit

MAGIC = 0x4B414946


class Refused(Exception):
    """The server did not let us in; its status, or None when it just closed."""

    def __init__(self, status):
        super().__init__(f"refused with {status}")
        self.status = status


class Viewer:
    def __init__(self, url, path="/live", origin=None, host=None, query=None, timeout=30):
        parts = urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=timeout)
        self.rest = b""
        lines = [f"GET {path}?{parts.query if query is None else query} HTTP/1.1",
                 f"Host: {host or parts.netloc}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13"]
        if origin:
            lines.append(f"Origin: {origin}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = b""
        try:
            while b"\r\n\r\n" not in head:
                piece = self.socket.recv(4096)
                if not piece:
                    raise Refused(None)
                head += piece
        except ConnectionError:
            raise Refused(None) from None
        head, self.rest = head.split(b"\r\n\r\n", 1)
        status = int(head.split()[1])
        if status != 101:
            raise Refused(status)
        self.frames, self.texts = [], []

    def send(self, data, code=1, final=True):
        """A dict as text, or bytes as they are."""
        if isinstance(data, dict):
            data = json.dumps(data).encode()
        key, n = os.urandom(4), len(data)
        size = bytes([0x80 | n]) if n < 126 else struct.pack("!BH", 0xfe, n) if n < 65536 else struct.pack("!BQ", 0xff, n)
        self.socket.sendall(bytes([(0x80 if final else 0) | code]) + size + key
                            + bytes(b ^ key[i % 4] for i, b in enumerate(data)))

    def _take(self, n):
        while len(self.rest) < n:
            piece = self.socket.recv(65536)
            if not piece:
                raise ConnectionError("closed")
            self.rest += piece
        data, self.rest = self.rest[:n], self.rest[n:]
        return data

    def receive(self):
        """The next message: a dict, or bytes. ConnectionError when the server closes (with its status)."""
        message = b""
        while True:
            one, two = self._take(2)
            n = two & 127
            if n == 126:
                n, = struct.unpack("!H", self._take(2))
            elif n == 127:
                n, = struct.unpack("!Q", self._take(8))
            data = self._take(n)
            kind = one & 15
            if kind == 8:
                raise ConnectionError(struct.unpack("!H", data[:2])[0] if len(data) >= 2 else "closed")
            if kind in (9, 10):
                continue
            message += data
            code = kind or code
            if one & 128:
                return json.loads(message) if code == 1 else message

    def until(self, wanted, seconds=30):
        """Messages up to the first for which wanted(message) holds; that one."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.receive()
            if isinstance(message, bytes):
                message = frame(message)
                self.send({"type": "ready"})
            if wanted(message):
                return message
        raise TimeoutError("no such message")

    def close(self):
        self.socket.close()


def frame(data):
    """A frame of a live run as a dict."""
    magic, number, time_, movers, rotated = struct.unpack_from("<IIdII", data)
    assert magic == MAGIC and len(data) == 24 + 12 * movers + 8 * rotated, (magic, len(data))
    x = struct.unpack_from(f"<{3 * movers}f", data, 24)
    q = struct.unpack_from(f"<{4 * rotated}h", data, 24 + 12 * movers)
    return {"type": "frame", "number": number, "time": time_, "positions": [x[3 * i:3 * i + 3] for i in range(movers)],
            "rotations": [[c / 16384 for c in q[4 * i:4 * i + 4]] for i in range(rotated)]}
