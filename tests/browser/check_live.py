"""Is a run shown while it goes on, and pushed? A browser opens the page of `sarrus run --live`, and a body is dragged.

check_live.py SARRUS BROWSER: Chromium, or Firefox where the name says so. Then, without a browser, what others may ask of the server: everything is refused.
"""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

from firefox import Firefox

SCENE = """gravity: [0, 0, 0]
models:
- name: ball
  base: floating
  links: [{name: body, mass: 1, inertia: [1, 1, 1]}]
  shapes: [{link: body, kind: sphere, radius: 0.3}]
duration: %g
"""


def start(sarrus, place, duration):
    scene = os.path.join(place, "ball.yaml")
    with open(scene, "w") as file:
        file.write(SCENE % duration)
    run = subprocess.Popen([sarrus, "run", scene, "--live", "0", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = run.stderr.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", line)
    assert found, line
    return run, found[0], int(found[1]), found[2]


class Chromium:
    """Spoken to in its DevTools protocol over two pipes."""

    def __init__(self, chromium, place):
        to_read, self.write = os.pipe()
        self.read, to_write = os.pipe()
        os.set_inheritable(to_read, True), os.set_inheritable(to_write, True)
        command = (f'exec "{chromium}" --headless --no-sandbox --disable-gpu --use-gl=swiftshader --enable-unsafe-swiftshader '
                   f'--no-first-run --remote-debugging-pipe --window-size=900,640 --user-data-dir="{place}/profile" about:blank '
                   f'3<&{to_read} 4>&{to_write}')
        self.process = subprocess.Popen(["sh", "-c", command], pass_fds=(to_read, to_write), env={**os.environ, "HOME": place},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read), os.close(to_write)
        self.number, self.session, self.rest, self.complaints = 0, None, b"", []

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                self.rest += os.read(self.read, 1 << 20)
            one, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(one)
            is_error = answer.get("params", {}).get("entry", {}).get("level") == "error"
            if answer.get("method") == "Runtime.exceptionThrown" or is_error:
                self.complaints.append(answer["params"])
            if answer.get("id") == self.number:
                assert "result" in answer, answer
                return answer["result"]

    def open(self, address):
        target = self.call("Target.createTarget", url=address)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Runtime.enable"), self.call("Log.enable")

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=0 if kind == "mouseReleased" else 1, clickCount=1)

    def close(self):
        self.process.terminate()
        self.process.wait()


class Fox(Firefox):
    complaints = ()

    def value(self, expression):  # with the names that the page's scripts share
        return super().value(f"window.eval({json.dumps(expression)})")


def wait(browser, expression):
    for _ in range(300):
        if browser.value(expression):
            return
        time.sleep(0.1)
    raise AssertionError(f"never: {expression}; {browser.complaints}")


def check_page(sarrus, program, place):
    run, address, _, _ = start(sarrus, place, 3600)
    browser = Fox(program, place) if "firefox" in os.path.basename(program) else Chromium(program, place)
    try:
        browser.open(address)
        wait(browser, "Boolean(window.sarrus && sarrus.live && sarrus.run.time.length > 5)")
        assert browser.value("sarrus.player.time === sarrus.run.end"), "it shows the newest state"
        assert browser.value("sarrus.run.positions.every((x) => x === 0)"), "nothing moves before it is pushed"
        at = browser.value("(({ x, y }) => [x, y])(sarrus.stage.project(sarrus.stage.centreOf(0, new THREE.Vector3())))")
        browser.mouse("mousePressed", *at)
        for i in range(8):
            time.sleep(0.05)
            browser.mouse("mouseMoved", at[0] + 10 * (i + 1), at[1])
        browser.mouse("mouseReleased", at[0] + 80, at[1])
        wait(browser, "Math.hypot(...sarrus.run.positions.subarray(-3)) > 0.01")
        right = "sarrus.stage.project(sarrus.stage.centreOf(0, new THREE.Vector3())).x"
        wait(browser, f"{right} > {at[0]}")  # the ball goes where it was pushed; what is drawn comes after what is known
        assert browser.value("sarrus.stage.orbit.enabled"), "the view can be turned again"
        assert not browser.complaints, browser.complaints
    finally:
        browser.close()
        run.terminate()
        run.communicate()


def ask(port, text):
    answer = b""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(10)
        try:
            connection.sendall(text)
            while True:
                part = connection.recv(65536)
                if not part:
                    break
                answer += part
        except ConnectionResetError:
            pass
    return answer.split(b"\r\n")[0].decode()


def check_server(sarrus, place):
    run, _, port, token = start(sarrus, place, 1)
    host = f"Host: 127.0.0.1:{port}\r\n"
    push = "0 0 0 0 1 0 0"

    def request(method, path, fields=host, body=""):
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        return ask(port, f"{method} {path} HTTP/1.1\r\n{fields}{length}\r\n{body}".encode())

    here = f"/{token}/"
    try:
        assert request("GET", here).endswith("200 OK")
        refused = {
            "404": [request("GET", "/"), request("GET", "/favicon.ico"), request("GET", f"/{'0' * 32}/"), request("GET", here[:-2] + "/"),
                    request("GET", here + "../../etc/passwd"), request("GET", here + "%2e%2e/etc/passwd"), request("GET", here + "x"),
                    request("GET", here, f"Host: evil.example:{port}\r\n"), request("GET", here, ""), request("GET", here, host + host),
                    request("POST", here + "push", host + "Origin: http://evil.example\r\n", push),
                    request("POST", here + "push", host + "Origin: null\r\n", push)],
            "405": [request("PUT", here), request("OPTIONS", here + "push")],
            "400": [request("POST", here + "push", host, text) for text in
                    ("nan 0 0 0 1 0 0", "1 0 0 0 1 0 0", "-1 0 0 0 1 0 0", "0.5 0 0 0 1 0 0", "0 0 0 0 1e300 0 0", "0 0 0 0 1 0", push + " 0", "x")] +
                   [ask(port, b"\0\xff\r\n\r\n"), ask(port, b"GET\r\n\r\n"), ask(port, f"GET {here} HTTP/9.9\r\n{host}\r\n".encode())],
            "413": [request("POST", here + "push", host, "0 " * 4000)[:0] or ask(port, f"POST {here}push HTTP/1.1\r\n{host}Content-Length: 99999999\r\n\r\n".encode()),
                    ask(port, f"POST {here}push HTTP/1.1\r\n{host}Content-Length: -5\r\n\r\n".encode())],
            "431": [ask(port, f"GET {here} HTTP/1.1\r\n{host}X: {'a' * 9000}".encode())],
        }
        for status, answers in refused.items():
            for i, answer in enumerate(answers):
                assert answer.split(" ")[1:2] == [status] or (status == "431" and answer == ""), (status, i, answer)
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]  # more than it takes
        for each in silent:
            each.close()
        with socket.socket() as other:  # the loopback alone
            other.settimeout(2)
            name = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
            assert not name or other.connect_ex((name[0], port)) != 0
        # A push moves the ball as force over mass does: 1 N on 1 kg.
        with socket.create_connection(("127.0.0.1", port)) as stream:
            stream.sendall(f"GET {here}states HTTP/1.1\r\n{host}\r\n".encode())
            lines = stream.makefile()
            for line in lines:
                if line.startswith('data: {"time"'):
                    assert request("POST", here + "push", host + f"Origin: http://127.0.0.1:{port}\r\n", push).split(" ")[1] == "204"
                    break
            for line in lines:
                if '"end"' in line:
                    break
        out, error = run.communicate(timeout=60)
        speed = json.loads(out)["final"]["v"]["root.vx"]
        assert run.returncode == 0 and 0.3 < speed < 0.7, (speed, error)  # half a second, then it is let go
    finally:
        run.kill()


def main():
    sarrus, program = sys.argv[1:3]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        check_server(sarrus, place)
        print("the server refuses what it must")
        check_page(sarrus, program, place)
        print("the page shows the run and pushes it")


main()
