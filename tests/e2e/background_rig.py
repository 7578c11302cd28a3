"""What the tests of background sessions share."""

import glob
import json
import os
import signal

from rig import Modelled

SCRIPT = r"""
reply when prompt contains "touch" and no tool_result forever
  tool Bash {"command": "touch made"}
reply when prompt contains "wait" and no tool_result forever
  tool Bash {"command": "touch begun; while [ ! -e go ]; do sleep 0.01; done"}
reply when prompt contains "long" and no tool_result forever
  tool Bash {"command": "echo 1\necho 2\necho 3\necho 4\necho 5\necho 6\necho 7\necho 8\ntouch made"}
reply when prompt contains "edit" and no tool_result forever
  tool Write {"file_path": "edited", "content": "x"}
fail 400 invalid_request_error "No such luck" when prompt contains "fail"
reply when tool_result forever
  text "It is done."
reply forever
  text "Hello from the model."
"""


class Background(Modelled):
    def setUp(self):
        super().setUp()
        self.idle = "600"
        self.serve(SCRIPT)
        self.addCleanup(self.kill_supervisor)

    def env(self, **extra):
        return self.modelled(AWL_BACKGROUND_IDLE_SECONDS=self.idle, **extra)

    def run_awl(self, *args, **env):
        return self.awl(*args, env=self.env(**env))

    def ok(self, *args, **env):
        ran = self.run_awl(*args, **env)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout.decode()

    def begin(self, *args, **env):
        """Starts a background session and returns its id."""
        return self.ok("--bg", *args, **env).split(".")[0].split()[-1]

    def jobs(self):
        """The sessions by id. One whose turn is done and whose process waits is idle."""
        jobs = json.loads(self.ok("agents", "list", "--json"))
        for job in jobs:
            self.assertEqual("pid" in job, "status" in job)
            if job["state"] == "done" and "pid" in job:
                job["state"] = job["status"]
        return {job["id"]: job for job in jobs}

    def wait_for_state(self, id, state):
        self.wait_until(lambda: self.jobs()[id]["state"] == state, f"{id} is not {state}: {self.jobs()}")
        return self.jobs()[id]

    def directory(self):
        return os.path.join(self.home, ".claude", "awl", "background")

    def socket(self):
        return os.path.join(self.directory(), "socket")

    def supervisors(self):
        """The process of the supervisor and its guards: those that run with our HOME."""
        found = []
        for path in glob.glob("/proc/[0-9]*"):
            try:
                with open(path + "/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                if words[1:3] == [b"agents", b"supervise"] and self.has_lock(int(os.path.basename(path))):
                    found.append(int(os.path.basename(path)))
            except OSError:
                pass
        return found

    def has_lock(self, pid):
        lock = os.path.join(self.directory(), "lock")
        return any(os.path.realpath(fd) == lock for fd in glob.glob(f"/proc/{pid}/fd/*"))

    def supervisor(self):
        found = self.supervisors()
        self.assertEqual(len(found), 1, found)
        return found[0]

    def sessions(self):
        """The processes of sessions below this HOME."""
        found = []
        for path in glob.glob("/proc/[0-9]*"):
            try:
                if os.readlink(path + "/cwd") != self.cwd:
                    continue
                with open(path + "/cmdline", "rb") as file:
                    if b"--permission-prompts" in file.read().split(b"\0"):
                        found.append(int(os.path.basename(path)))
            except OSError:
                pass
        return found

    def kill_supervisor(self):
        for pid in self.supervisors():
            os.kill(pid, signal.SIGKILL)
        self.wait_until(lambda: not self.sessions(), "sessions outlive their supervisor")
