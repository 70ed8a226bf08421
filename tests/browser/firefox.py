"""Opens a page in Firefox and prints what a script in it comes to.  firefox.py FIREFOX PAGE EXPRESSION

Firefox is spoken to by Marionette, which every build of it has: messages of JSON over a socket, each behind its length.
Where there is no display it runs in xvfb-run: its headless mode has no WebGL.
"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

PREFERENCES = {
    "webgl.force-enabled": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "network.proxy.type": 1,  # nothing but the page is loaded: a proxy that is not there
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
}


class Firefox:
    def __init__(self, program, place):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with open(os.path.join(place, "user.js"), "w") as file:
            for name, value in {**PREFERENCES, "marionette.port": port}.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        display = [] if "DISPLAY" in os.environ else ["xvfb-run", "-a", "-s", "-screen 0 1300x1000x24"]
        command = [program, "--marionette", "--no-remote", "--profile", place, "--width", "1200", "--height", "800"]
        self.process = subprocess.Popen(display + command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                        env={**os.environ, "HOME": place, "LIBGL_ALWAYS_SOFTWARE": "1", "MOZ_CRASHREPORTER_DISABLE": "1"})
        self.number = 0
        self.stream = self.connect(port).makefile("rwb")
        self.read()  # who it is

    def connect(self, port):
        for _ in range(600):
            try:
                return socket.create_connection(("127.0.0.1", port))
            except OSError:
                assert self.process.poll() is None, "Firefox ended"
                time.sleep(0.1)
        raise AssertionError("Firefox does not answer")

    def read(self):
        length = b""
        while not length.endswith(b":"):
            length += self.stream.read(1) or self.fail()
        return json.loads(self.stream.read(int(length[:-1])))

    def fail(self):
        raise AssertionError("Firefox hung up")

    def call(self, command, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.stream.write(b"%d:%s" % (len(text), text))
        self.stream.flush()
        _, number, error, result = self.read()
        assert number == self.number and error is None, (command, error)
        return result

    def open(self, page):
        version = self.call("WebDriver:NewSession")["capabilities"]["browserVersion"]
        self.call("WebDriver:Navigate", url=page if "://" in page else "file://" + os.path.abspath(page))
        return version

    def value(self, expression):
        return self.call("WebDriver:ExecuteScript", script=f"return {expression}", args=[])["value"]

    def mouse(self, kind, x, y):
        steps = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}]
        if kind != "mouseMoved":
            steps.append({"type": "pointerDown" if kind == "mousePressed" else "pointerUp", "button": 0})
        self.call("WebDriver:PerformActions", actions=[{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}])

    def close(self):
        for sign in (15, 9):
            try:
                os.killpg(self.process.pid, sign)
                self.process.wait(10)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass


def main():
    program, page, expression = sys.argv[1:4]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        browser = Firefox(program, place)
        try:
            browser.open(page)
            value = None
            for _ in range(300):
                value = browser.value(expression)
                if value:
                    break
                time.sleep(0.2)
            print(value or "")
        finally:
            browser.close()


if __name__ == "__main__":
    main()
