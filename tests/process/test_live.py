# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 240
"""`kairos run --live` and `kairos view` seen through sockets: who is let in, what viewers can do, what it changes."""

import json
import math
import os
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request

import page_data as page
import process as p
from websocket import Refused, Viewer


class Server:
    """A kairos process that prints an address."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([str(p.BIN), *map(str, arguments)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        self.url = self.process.stdout.readline().strip()
        if not self.url.startswith("http://"):
            self.process.kill()
            out, err = self.process.communicate()
            if "libwebsockets" in err:
                p.skip("built without libwebsockets")
            raise SystemExit(f"no address: {self.url!r} {out} {err}")
        self.lines = []
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr), daemon=True)
        self.reader.start()
        return self

    def end(self, wanted=0):
        """Waits for the end, or asks for it with wanted=None."""
        if wanted is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=p.LIMIT)
        self.reader.join()
        if wanted is not None:
            p.check(code == wanted, "status", code, "".join(self.lines))
        return "".join(self.lines)

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.reader.join()
        self.process.stderr.close()

    def get(self, name="", query=None, headers=None, method="GET"):
        """Status and body."""
        base, token = self.url.split("?")
        request = urllib.request.Request(f"{base}{name}?{token if query is None else query}", headers=headers or {},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, b""


def ball(folder, **changes):
    """A ball without weight that rests, pushed by a control; ten thousand seconds, unless somebody ends it."""
    content = {"kairos": 1, "name": "ball", "step": 1e-3, "end": 10000, "gravity": [0, 0, 0],
               "bodies": [{"name": "wall", "fixed": True, "position": [0, 0, -1],
                           "shapes": [{"type": "box", "size": [1, 1, 0.1], "collide": False}]},
                          {"name": "ball", "mass": 2, "inertia": [0.1, 0.1, 0.1], "position": [0, 0, 1],
                           "shapes": [{"type": "sphere", "radius": 0.2}]}],
               "forces": [{"name": "push", "type": "force", "body": "ball",
                           "value": [{"control": {"key": "ArrowUp", "key_low": "ArrowDown", "axis": 1,
                                                  "low": -4, "high": 4}}, 0, 0]}],
               "outputs": [{"body": "ball", "every": 0.01, "quantities": ["position", "velocity"], "file": "ball.csv"}],
               "trajectory": {"every": 0.1}}
    content.update(changes)
    path = folder / "ball.json"
    path.write_text(json.dumps(content))
    return path


def is_frame(m):
    return m["type"] == "frame"


def is_state(m):
    return m["type"] == "state"


def test_doors(folder):
    """Wrong token, origin, host or path; too many viewers; messages too large, or not JSON."""
    with Server("run", ball(folder), "-o", folder / "out", "--live", "-q") as server:
        port = server.url.split(":")[2].split("/")[0]
        p.check(server.url.startswith("http://127.0.0.1:"), server.url)
        token = server.url.split("token=")[1]
        p.check(len(token) == 32, "128 bits of token")
        for query in ("", "token=", "token=" + "0" * 32, "token=" + token[:-1], "token=" + token + "0", "token=" + "é" * 40):
            p.check(server.get(query=urllib.parse.quote(query, safe="=&"))[0] == 403, query)
            try:
                Viewer(server.url, query=urllib.parse.quote(query, safe="=&"))
                raise SystemExit(f"let in with {query!r}")
            except Refused as refused:
                p.check(refused.status in (403, None), refused.status)
        for origin in ("http://evil.example", "null", "http://127.0.0.1", f"https://127.0.0.1:{port}"):
            p.check(server.get(headers={"Origin": origin})[0] == 403, origin)
            try:
                Viewer(server.url, origin=origin)
                raise SystemExit(f"let in from {origin}")
            except Refused as refused:
                p.check(refused.status in (403, None), refused.status)
        p.check(server.get(headers={"Host": f"evil.example:{port}"})[0] == 403, "host")
        for name in ("../run.json", "run.json", "trajectory.h5", "%2e%2e/run.json", "chunk/-1", "chunk/1e9", "csv/ball.csv",
                     "csv/..%2fball.json", "live", "//etc/passwd", "a" * 2000):
            p.check(server.get(name)[0] in (404, 403, 400, 413, 414), name, server.get(name)[0])
        p.check(server.get(method="POST")[0] in (404, 405), "POST")
        status, body = server.get()
        p.check(status == 200 and b"<html" in body.lower(), status)
        status, body = server.get("manifest.json")
        manifest = json.loads(body)
        p.check(manifest["live"] and manifest["frames"]["movers"] == 2 and manifest["name"] == "ball", manifest)

        viewers = [Viewer(server.url, origin=f"http://127.0.0.1:{port}") for _ in range(8)]
        try:
            Viewer(server.url)
            raise SystemExit("a ninth viewer was let in")
        except Refused as refused:
            p.check(refused.status in (503, None), refused.status)
        p.check(all(v.receive()["type"] == "manifest" for v in viewers), "each gets the manifest first")

        # What is no message is answered, and harms nobody.
        for text in (b"", b"{", b"[]", b'"pause"', b'{"type":"fly"}', b'{"type":"step","count":-1}', b'{"type":"step","count":1e99}',
                     b'{"type":"drag","body":7,"point":[0,0,0],"target":[0,0,0]}', b'{"type":"drag","body":1}',
                     b'{"type":"speed","factor":-1}', b'{"type":"key","name":"' + b"k" * 99 + b'","down":true}',
                     b'{"type":"gamepad","axes":[2],"buttons":[]}', b'{"type":"pause","type":"continue"}', b"\0" * 50):
            viewers[0].send(text)
            if text:
                p.check(viewers[0].until(lambda m: m["type"] == "error")["message"], text)
        # Too large, in one piece and in several: that viewer has to go.
        viewers[1].send(b'{"type":"pause", "x":"' + b"a" * 5000 + b'"}')
        viewers[2].send(b'{"type":"pause", "x":"' + b"a" * 3000, final=False)
        viewers[2].send(b"a" * 3000 + b'"}', code=0)
        viewers[3].send(b"\x01\x02", code=2)
        for i in (1, 2, 3):
            try:
                while True:
                    viewers[i].receive()
            except (ConnectionError, OSError) as error:
                p.check(str(error) in ("1009", "closed") or isinstance(error, OSError), i, error)
        p.check(viewers[0].until(is_state)["paused"] is False, "nobody paused it")
        again = Viewer(server.url)  # there is room again
        p.check(again.receive()["type"] == "manifest")
        for v in viewers + [again]:
            v.close()
        err = server.end(None)
        p.check(server.process.returncode == 3 and "stopped" in err, server.process.returncode, err)


def test_pace(folder):
    """Pause stops time, step takes exactly so many steps, continue goes on, speed is kept; a second viewer sees it too."""
    with Server("run", ball(folder), "-o", folder / "out", "--live", "-q") as server:
        one, two = Viewer(server.url), Viewer(server.url)
        one.send({"type": "ready"})
        p.check(one.until(is_frame)["positions"][1][0] == 0, "the ball rests")
        one.send({"type": "pause"})
        paused = one.until(lambda m: is_state(m) and m["paused"])
        two.until(lambda m: is_state(m) and m["paused"])
        time.sleep(0.3)
        state = one.until(lambda m: is_state(m) and m["paused"])
        state = one.until(is_state)
        p.check(one.until(is_state)["step"] == state["step"], "time stands still", paused, state)
        one.send({"type": "step", "count": 7})
        one.until(lambda m: is_state(m) and m["step"] == state["step"] + 7)
        later = [one.until(is_state)["step"] for _ in range(2)]
        p.check(later == [state["step"] + 7] * 2, later)
        one.send({"type": "speed", "factor": 0})
        one.send({"type": "continue"})
        fast = two.until(lambda m: is_state(m) and m["time"] > 20 and not m["paused"], seconds=60)
        p.check(fast["speed"] == 0, fast)
        # At a hundredth of real time the clock nearly stands.
        one.send({"type": "speed", "factor": 0.01})
        one.until(lambda m: is_state(m) and m["speed"] == 0.01)
        first = one.until(is_state)
        time.sleep(0.5)
        begun, second = time.monotonic(), first
        while time.monotonic() - begun < 1:
            second = one.until(is_state)
        p.check(0 <= second["time"] - first["time"] < 0.2, "slow", first, second)
        server.end(None)
        summary = json.loads((folder / "out/run.json").read_text())
        p.check(summary["warnings"] == [], "pausing changes nothing", summary["warnings"])


def test_hands(folder):
    """A dragged body comes to the target and stays; keys and axes push; both are told as a warning."""
    with Server("run", ball(folder), "-o", folder / "out", "--live", "-q") as server:
        one = Viewer(server.url)
        manifest = one.receive()
        origin = manifest["frames"]["origin"]
        one.send({"type": "speed", "factor": 0})
        one.send({"type": "ready"})
        # Relative to the centre of mass, so that the ball does not turn.
        one.send({"type": "drag", "body": 1, "point": [0, 0, 0], "target": [0.5, -0.25, 2]})

        def there(m):
            return is_frame(m) and math.dist([a + b for a, b in zip(m["positions"][1], origin)], (0.5, -0.25, 2)) < 1e-3

        one.until(there)
        one.send({"type": "release"})
        # The spring is gone: pushed by the key, the ball leaves.
        one.send({"type": "key", "name": "ArrowUp", "down": True})
        one.until(lambda m: is_frame(m) and m["positions"][1][0] + origin[0] > 10)
        one.send({"type": "key", "name": "ArrowUp", "down": False})
        one.send({"type": "gamepad", "axes": [0, -1], "buttons": []})
        one.until(lambda m: is_frame(m) and m["positions"][1][0] + origin[0] < 0)
        # The fixed one does not move, whatever is asked.
        one.send({"type": "drag", "body": 0, "point": [0, 0, 0], "target": [9, 9, 9]})
        last = one.until(is_frame)
        p.check([a + b for a, b in zip(last["positions"][0], origin)] == [0, 0, -1], last)
        rows = one.until(lambda m: m["type"] == "series" and m["file"] == "ball.csv")
        p.check(all(len(row) == 7 for row in rows["rows"]), rows["rows"][:2])
        one.close()
        err = server.end(None)
        p.check("cannot be repeated" in err, err)
        summary = json.loads((folder / "out/run.json").read_text())
        p.check(len([w for w in summary["warnings"] if "live" in w]) == 1, summary["warnings"])
        p.check(page.Page.of_file(folder / "out/index.html").manifest["warnings"] == summary["warnings"], "page")
        left = sorted(f.name for f in (folder / "out").iterdir())
        p.check(left == ["ball.csv", "ball.json", "checkpoint.h5", "index.html", "run.json", "trajectory.h5"]
                or left == ["ball.csv", "checkpoint.h5", "index.html", "run.json", "trajectory.h5"], left)


def test_steered_arm(folder):
    """The scene that ships for steering: the slew follows an arrow key, the boom an axis of a game pad."""
    with Server("run", "steered-arm", "-o", folder / "out", "--live", "-q", "--end", "10000") as server:
        one = Viewer(server.url)
        manifest = one.receive()
        origin, names = manifest["frames"]["origin"], [b["name"] for b in manifest["bodies"]]
        boom = names.index("boom")

        def place(m):
            return [a + b for a, b in zip(m["positions"][boom], origin)]

        one.send({"type": "speed", "factor": 0})
        one.send({"type": "ready"})
        first = place(one.until(is_frame))
        p.check(abs(first[1]) < 1e-3 and first[0] > 1, "it begins along x:", first)
        one.send({"type": "key", "name": "ArrowLeft", "down": True})
        one.until(lambda m: is_frame(m) and place(m)[1] > 0.5)
        one.send({"type": "key", "name": "ArrowLeft", "down": False})
        one.send({"type": "gamepad", "axes": [0, 1, 0, 0], "buttons": []})
        one.until(lambda m: is_frame(m) and place(m)[2] > first[2] + 0.3)
        one.close()
        server.end(None)


def test_resume(folder):
    """A checkpoint in the middle of a drag holds no spring, and keeps the value of a control."""
    path = ball(folder, end=40)
    with Server("run", path, "-o", folder / "out", "--live", "-q") as server:
        one = Viewer(server.url)
        one.send({"type": "drag", "body": 1, "point": [0, 0, 0], "target": [0, 0, 3]})
        one.send({"type": "key", "name": "ArrowUp", "down": True})
        one.send({"type": "ready"})
        one.until(lambda m: is_frame(m) and m["time"] > 0.5)
        server.end(None)
    before = json.loads((folder / "out/run.json").read_text())["time"]
    p.run(path, "-o", folder / "out", "-q", "--resume")
    rows = [list(map(float, row.split(","))) for row in (folder / "out/ball.csv").read_text().splitlines()[1:]]
    after = [row for row in rows if row[0] > before + 0.02]
    # Force 4 N on 2 kg along x, and none along z.
    (t0, *_, vx0, _, vz0), (t1, *_, vx1, _, vz1) = after[0], after[-1]
    p.check(abs((vx1 - vx0) / (t1 - t0) - 2) < 1e-9, (vx1 - vx0) / (t1 - t0))
    p.check(vz0 == vz1, vz0, vz1)


def test_end(folder):
    """A live run comes to its end by itself; viewers are told, and results are those of a run nobody watched."""
    path = ball(folder, end=0.4)
    with Server("run", path, "-o", folder / "out", "--live", "-q") as server:
        one = Viewer(server.url)
        one.send({"type": "ready"})
        one.until(lambda m: m["type"] == "end")
        server.end()
    p.run(path, "-o", folder / "alone", "-q")
    p.same(p.results(folder / "out"), p.results(folder / "alone"), "live")


def test_slow_viewer(folder):
    """A viewer that never reads does not hold the run up."""
    with Server("run", ball(folder, end=30), "-o", folder / "out", "--live", "-q") as server:
        deaf, one = Viewer(server.url), Viewer(server.url)
        for _ in range(50):
            deaf.send({"type": "ready"})
        one.send({"type": "speed", "factor": 0})
        server.end()


def test_view(folder):
    """kairos view hands out the data of the page, and nothing else."""
    path = p.scene(folder, steps=500)
    out = folder / "out"
    p.run(path, "-o", out, "-q")
    (out / "secret.csv").write_text("time,x\n0,1\n")
    file = page.Page.of_file(out / "index.html")
    with Server("view", out) as server:
        status, body = server.get("manifest.json")
        served = page.Page(json.loads(body), lambda k: server.get(f"chunk/{k}")[1])
        p.check(served.manifest == file.manifest, "manifest")
        p.check(list(served.frames()) == list(file.frames()), "frames")
        p.check(server.get("csv/top.csv") == (200, (out / "top.csv").read_bytes()), "csv")
        p.check(b"kairos-manifest\">" not in server.get()[1], "the page asks for its data")
        for name in ("csv/secret.csv", "csv/../run.json", "run.json", "checkpoint.h5", "chunk/999", "chunk/00", "csv/"):
            p.check(server.get(name)[0] == 404, name)
        try:
            Viewer(server.url)
            raise SystemExit("there is nothing live here")
        except Refused as refused:
            p.check(refused.status in (404, None), refused.status)
        # Seventy connections that say nothing: the server answers once they are gone.
        import socket
        host, port = "127.0.0.1", int(server.url.split(":")[2].split("/")[0])
        idle = [socket.create_connection((host, port)) for _ in range(70)]
        for s in idle:
            s.close()
        deadline = time.monotonic() + 30
        while True:
            try:
                p.check(server.get()[0] == 200)
                break
            except (urllib.error.URLError, OSError):
                p.check(time.monotonic() < deadline, "the server is back")
        server.end(None)
        p.check(server.process.returncode == 0, server.process.returncode)
    for arguments in (("view",), ("view", folder / "nothing"), ("view", out, "--port", "99999999999"), ("view", folder)):
        code, _, err = p.call(*arguments)
        p.check(code == 2 and err.startswith("kairos: "), arguments, code, err)


if __name__ == "__main__":
    import sys
    p.need_program()
    for name, test in list(globals().items()):
        if name.startswith("test_") and (len(sys.argv) < 2 or name in sys.argv[1:]):
            with p.Folder() as place:
                test(place)
            print("ok", name, flush=True)
