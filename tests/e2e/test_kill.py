"""kill -9 at any moment: the session is taken up again, no prompt that was
acknowledged is lost, and nothing that was running survives."""

import glob
import json
import os
import random
import subprocess
import time

from rig import AWL, PATIENCE, Sandbox, running

ROUNDS = 200
SCRIPT = """\
pace 1ms
reply forever when prompt contains "once more"
  text "I am back."
reply forever when result_of contains Bash
  text "All of it is done."
reply forever when result_of contains Write
  text "Now the slow part."
  tool Bash {"command": "sleep 0.05; exec sleep 0.05%s"}
reply otherwise
  thinking "Let me see."
  text "I write a file and read it."
  tool Write {"file_path": "note.txt", "content": "hello"}
  tool Read {"file_path": "note.txt"}
"""


class KillTest(Sandbox):
    def setUp(self):
        super().setUp()
        # A sleep nobody else has: a fraction with this test's own digits.
        self.marker = f"{os.getpid():07d}31415"
        path = os.path.join(self.root, "model.script")
        with open(path, "w", encoding="utf-8") as file:
            file.write(SCRIPT % self.marker)
        self.server = subprocess.Popen([AWL, "model-server", path], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        url = self.server.stdout.readline().split()[-1]
        self.model = {"ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": url}

    def start(self, session):
        return subprocess.Popen(
            [AWL, "-p", f"prompt of {session}", "--session-id", session, "--output-format", "stream-json",
             "--verbose", "--permission-mode", "acceptEdits", "--allowedTools", "Bash"],
            cwd=self.cwd, env=self.environment(**self.model), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def resume(self, session):
        ran = self.awl("-p", "once more", "--resume", session, env=self.model)
        self.assertEqual((ran.returncode, ran.stdout), (0, b"I am back.\n"), ran.stderr)

    def transcript(self, session):
        paths = glob.glob(os.path.join(self.home, ".claude/projects/*", session + ".jsonl"))
        if not paths:
            return ""
        with open(paths[0], encoding="utf-8", errors="replace") as file:
            return file.read()

    def assert_gone(self):
        self.wait_until(lambda: not running(self.marker), "a child has survived")

    @staticmethod
    def read_to_assistant(process):
        seen = b""
        while b'"type":"assistant"' not in seen:
            line = process.stdout.readline()
            if not line:
                break
            seen += line
        return seen

    def test_nothing_acknowledged_is_lost_and_nothing_survives(self):
        chance = random.Random(1)
        started = time.monotonic()
        whole = self.start("00000000-0000-4000-8000-000000000000")
        whole.communicate(timeout=PATIENCE)
        self.assertEqual(whole.returncode, 0)
        span = time.monotonic() - started
        resumed = 0
        for i in range(1, ROUNDS + 1):
            session = f"00000000-0000-4000-8000-{i:012x}"
            process = self.start(session)
            # Every other time at any moment after the prompt was acknowledged: however slow the
            # machine has become meanwhile, enough is left to take up.
            seen = self.read_to_assistant(process) if i % 2 else b""
            time.sleep(chance.random() * span)
            process.kill()
            seen += process.communicate(timeout=PATIENCE)[0]
            self.assert_gone()
            if b'"type":"assistant"' not in seen and "prompt of" not in self.transcript(session):
                continue  # killed before it had taken the prompt: where it is may be kept already
            self.assertIn(f"prompt of {session}", self.transcript(session))
            self.resume(session)
            resumed += 1
        self.assertGreater(resumed, ROUNDS // 4)

    def test_every_record_of_a_killed_session_can_be_read(self):
        session = "00000000-0000-4000-8000-0000000f0000"
        process = self.start(session)
        for line in process.stdout:
            if b"slow part" in line:
                break
        process.kill()
        process.communicate(timeout=PATIENCE)
        for line in self.transcript(session).split("\n")[:-1]:
            json.loads(line)
        self.resume(session)
