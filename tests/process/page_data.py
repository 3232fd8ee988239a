# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Reads the data of a page as docs/page-format.md describes it, without any code of the engine."""

import array
import base64
import json
import re
import struct
import sys
import zlib


class Page:
    """A page's manifest and chunks; from index.html, or from any function that gives a chunk's packed bytes."""

    def __init__(self, manifest, chunk):
        self.manifest, self.packed = manifest, chunk

    @classmethod
    def of_file(cls, path):
        text = path.read_text(encoding="utf-8")
        found = re.findall(r'<script type="application/json" id="kairos-manifest">(.*?)</script>', text, re.S)
        assert len(found) == 1, f"{len(found)} manifests"
        assert "<" not in found[0]
        chunks = dict(re.findall(r'<script type="text/plain" id="kairos-chunk-(\d+)">(.*?)</script>', text, re.S))
        return cls(json.loads(found[0]), lambda k: base64.b64decode(chunks[str(k)], validate=True))

    @classmethod
    def of_side(cls, path):
        data = path.read_bytes()
        assert data[:8] == b"KAIVIEW1"
        index, = struct.unpack_from("<Q", data, 8)
        at, size, count = struct.unpack_from("<3Q", data, index)
        places = [struct.unpack_from("<2Q", data, index + 24 + 16 * k) for k in range(count)]
        return cls(json.loads(data[at:at + size]), lambda k: data[places[k][0]:places[k][0] + places[k][1]])

    def chunk(self, k, code):
        numbers = array.array(code)
        numbers.frombytes(zlib.decompress(self.packed(k)))
        if sys.byteorder != "little":
            numbers.byteswap()
        return numbers

    def times(self):
        return list(self.chunk(self.manifest["frames"]["times"]["chunk"], "d"))

    def frames(self):
        """For each frame: positions [movers][3] in m, and quaternions [rotated][4]."""
        f = self.manifest["frames"]
        for block in f["blocks"]:
            yield from self._block(f, block)

    @staticmethod
    def _planes(data, at, count, planes):
        """Numbers from byte planes, zigzag undone."""
        parts = [data[at + count * k:at + count * (k + 1)] for k in range(planes)]
        values = [sum(parts[k][i] << 8 * k for k in range(planes)) for i in range(count)]
        return [(v >> 1) ^ -(v & 1) for v in values], at + count * planes

    def _block(self, f, block):
        data = zlib.decompress(self.packed(block["chunk"]))
        n, movers, rotated, at = block["count"], f["movers"], f["rotated"], 0
        positions = [[[0.0] * 3 for _ in range(movers)] for _ in range(n)]
        rotations = [[[0.0] * 4 for _ in range(rotated)] for _ in range(n)]
        for c in range(3):
            v, at = self._planes(data, at, n * movers, 4)
            for k in range(n):
                for i in range(movers):
                    j = k * movers + i
                    if k == 1:
                        v[j] += v[j - movers]
                    elif k > 1:
                        v[j] += 2 * v[j - movers] - v[j - 2 * movers]
                    positions[k][i][c] = f["origin"][c] + f["position_step"] * v[j]
        for c in range(4):
            v, at = self._planes(data, at, n * rotated, 2)
            for j in range(n * rotated):
                if j >= rotated:
                    v[j] = (v[j] + v[j - rotated] + 32768) % 65536 - 32768
                rotations[j // rotated][j % rotated][c] = f["rotation_step"] * v[j]
        assert at == len(data), (at, len(data))
        return zip(positions, rotations)

    def contact_bytes(self):
        have = self.manifest["contacts"]
        return 22 + (12 if "force" in have else 0) + (8 if have.get("bodies") else 0)

    def pairs(self):
        """For each frame the two movers of its contacts; 2**32 - 1: a flexible surface."""
        for block in self.manifest["contacts"]["blocks"]:
            data, n, k = zlib.decompress(self.packed(block["chunk"])), block["count"], 0
            counts = struct.unpack_from(f"<{n}I", data, 0)
            total = sum(counts)
            planes = data[4 * n + (self.contact_bytes() - 8) * total:]
            a, b = ([sum(planes[4 * total * side + total * byte + i] << 8 * byte for byte in range(4)) for i in range(total)]
                    for side in (0, 1))
            for count in counts:
                yield list(zip(a[k:k + count], b[k:k + count]))
                k += count

    def contacts(self):
        """For each frame a list of (point [3] in m, normal [3], gap in m); forces() has the forces."""
        for block in self.manifest["contacts"]["blocks"]:
            data, n = zlib.decompress(self.packed(block["chunk"])), block["count"]
            counts = struct.unpack_from(f"<{n}I", data, 0)
            total, at, each = sum(counts), 4 * n, self.contact_bytes()
            points = struct.unpack_from(f"<{3 * total}f", data, at)
            gaps = struct.unpack_from(f"<{total}f", data, at + 12 * total)
            normals = struct.unpack_from(f"<{3 * total}h", data, at + (28 if "force" in self.manifest["contacts"] else 16) * total)
            assert len(data) == at + each * total, (len(data), total)
            origin, k = self.manifest["frames"]["origin"], 0
            for count in counts:
                yield [([o + x for o, x in zip(origin, points[3 * i:3 * i + 3])],
                        [x / 32767 for x in normals[3 * i:3 * i + 3]], gaps[i]) for i in range(k, k + count)]
                k += count

    def forces(self):
        """For each frame the forces [3] of its contacts on their second bodies, N."""
        for block in self.manifest["contacts"]["blocks"]:
            data, n, k = zlib.decompress(self.packed(block["chunk"])), block["count"], 0
            counts = struct.unpack_from(f"<{n}I", data, 0)
            numbers = struct.unpack_from(f"<{3 * sum(counts)}f", data, 4 * n + 16 * sum(counts))
            for count in counts:
                yield [list(numbers[3 * i:3 * i + 3]) for i in range(k, k + count)]
                k += count

    def field(self, name, mesh=None):
        """For each frame the numbers of a field, None where not known; and half a level as the bound of each frame."""
        f, = [f for f in self.manifest["fields"] if f["name"] == name and f.get("mesh") == mesh]
        count = self.manifest["frames"]["movers"] if mesh is None else self.manifest["skins"]["meshes"][mesh]["vertices"]
        for block in f["blocks"]:
            data = zlib.decompress(self.packed(block["chunk"]))
            v, at = self._planes(data, 0, block["count"] * count, 2)
            assert at == len(data), (at, len(data))
            step = (block["high"] - block["low"]) / 65534
            for j in range(count, len(v)):
                v[j] += v[j - count]
            for k in range(block["count"]):
                levels = [x % 65536 for x in v[k * count:(k + 1) * count]]
                yield [None if x == 65535 else block["low"] + step * x for x in levels], 0.5 * step

    def series(self, file):
        """Columns of a time series by name."""
        s, = [s for s in self.manifest["series"] if s["file"] == file]
        values = self.chunk(s["chunk"], "d")
        assert len(values) == s["rows"] * len(s["columns"])
        return {name: list(values[i * s["rows"]:(i + 1) * s["rows"]]) for i, name in enumerate(s["columns"])}
