"""What every end-to-end test stands on: the real binary, started with a private
HOME and nothing of the caller's environment, in a pipe or on a terminal."""

import glob
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import fcntl
import json
import unittest

import pyte

BUILD = os.environ.get("AWL_BUILD", os.path.join(os.path.dirname(__file__), "../../build/gcc"))
AWL = os.path.abspath(os.path.join(BUILD, "src/cli/awl"))

# How long anything may take before a test gives up. Only a failure waits this long.
PATIENCE = 120


def running(marker):
    """The processes whose command line has the marker."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                if marker.encode() in file.read():
                    found.append(path)
        except OSError:
            pass
    return found


class Sandbox(unittest.TestCase):
    """A test with a HOME and a working directory of its own."""

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="awl-e2e-")
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.home = os.path.join(self.root, "home")
        self.cwd = os.path.join(self.root, "work")
        os.mkdir(self.home)
        os.mkdir(self.cwd)

    def wait_until(self, true, why):
        """Looks again and again, and lets others run in between."""
        deadline = time.monotonic() + PATIENCE
        while not true():
            self.assertLess(time.monotonic(), deadline, why)
            time.sleep(0.002)

    def needs_sandbox(self):
        if self.awl("sandbox", "--", "true").returncode:
            self.skipTest("no sandbox works here")

    def environment(self, **extra):
        env = {
            "HOME": self.home,
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }
        env.update(extra)
        return env

    def awl(self, *args, stdin=b"", env=None):
        """Runs awl to its end, which may not be a crash, and returns its status and both outputs."""
        ran = subprocess.run([AWL, *args], input=stdin, capture_output=True, timeout=PATIENCE,
                             cwd=self.cwd, env=self.environment(**(env or {})))
        self.assertGreaterEqual(ran.returncode, 0, ran)
        return ran

    def terminal(self, *args, program=AWL, rows=24, cols=80, env=None):
        """Starts awl on a terminal of its own."""
        terminal = Terminal([program, *args], self.cwd, self.environment(**(env or {})), rows, cols)
        self.addCleanup(terminal.close)
        return terminal


class Modelled(Sandbox):
    """A test with a scripted model behind real HTTP."""

    SECRET = "sk-ant-very-secret-0123456789"

    def serve(self, script):
        """Starts the model of this script (docs/model-script.md); returns its URL."""
        path = os.path.join(self.root, "model.script")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script)
        self.request_log = os.path.join(self.root, "requests.jsonl")
        server = subprocess.Popen([AWL, "model-server", "--record-requests", self.request_log, path],
                                  stdout=subprocess.PIPE, text=True, env=self.environment())
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait, PATIENCE)
        self.addCleanup(server.terminate)
        self.url = server.stdout.readline().split()[-1]
        return self.url

    def requests(self):
        """The bodies of all requests so far."""
        with open(self.request_log, encoding="utf-8") as file:
            bodies = (json.loads(line).get("text") for line in file if line.endswith("\n"))
            return [json.loads(body) for body in bodies if body]

    def under_policy(self, policy):
        """The words of a program that runs another where the policy is this one, in a mount namespace of its own."""
        folder = os.path.join(self.root, "policy")
        os.makedirs(folder, exist_ok=True)
        self.put_policy(policy)
        script = ("mount -t tmpfs none /etc && mkdir /etc/claude-code && "
                  'mount --bind "$0" /etc/claude-code && exec "$@"')
        words = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, folder]
        try:
            works = subprocess.run([*words, "true"], check=False, capture_output=True).returncode == 0
        except OSError:
            works = False
        if not works:
            self.skipTest("no mount namespace can be made here")
        return words

    def put_policy(self, policy):
        path = os.path.join(self.root, "policy/managed-settings.json")
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(policy, file)
        os.replace(path + ".new", path)

    def modelled(self, **env):
        """The environment in which that model is asked."""
        return {"ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": self.SECRET, **env}

    def print(self, *args, stdin=b"", **env):
        """Runs awl -p to its end."""
        return self.awl("-p", *args, stdin=stdin, env=self.modelled(**env))

    def start(self, *args, stdin=subprocess.DEVNULL, under=(), **env):
        """Starts awl with pipes; it is killed when the test ends. `under` are the words of a program that runs it."""
        process = subprocess.Popen([*under, AWL, *args], stdin=stdin, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=self.cwd,
                                   env=self.environment(**self.modelled(**env)))
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe:
                pipe.close()

    def path(self, name):
        return os.path.join(self.cwd, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def wait_for_file(self, name):
        self.wait_until(lambda: os.path.exists(self.path(name)), f"{name} has not been made")

    def wait_for_line(self, name):
        """The file's first line, once all of it is there."""
        self.wait_for_file(name)
        self.wait_until(lambda: "\n" in self.read(name), f"{name} has no line")
        return self.read(name).splitlines()[0]


class Terminal:
    """A program on a pty whose output goes through a terminal emulator, so that
    a test sees what a person would see."""

    def __init__(self, argv, cwd, env, rows, cols):
        self.screen = pyte.Screen(cols, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = b""  # all that it has written
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(cwd)
                os.execvpe(argv[0], argv, env)
            finally:
                os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        self.status = None

    def type(self, text):
        os.write(self.fd, text.encode())

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip("\n")

    def _read(self, deadline):
        """Feeds what arrives to the emulator; False at end of file."""
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self.fd], [], [], left)[0]:
            raise AssertionError(f"gave up waiting; the screen shows:\n{self.text()}")
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.bytes += data
        self.stream.feed(data)
        return bool(data)

    def wait_for(self, text, after=None):
        """Reads until the screen contains `text`, somewhere after the first `after` if that is given."""
        deadline = time.monotonic() + PATIENCE
        while text not in (self.text().partition(after)[2] if after else self.text()):
            if not self._read(deadline):
                raise AssertionError(f"ended without showing {text!r}:\n{self.text()}")

    def wait_for_bytes(self, wanted):
        """Reads until the program has written these bytes, which need not be visible."""
        deadline = time.monotonic() + PATIENCE
        while wanted not in self.bytes:
            if not self._read(deadline):
                raise AssertionError(f"ended without writing {wanted!r}")

    def wait_end(self):
        """Reads to the end and returns the exit status."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline):
            pass
        return self._reap()

    def _reap(self):
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.status

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            self._reap()
        os.close(self.fd)
