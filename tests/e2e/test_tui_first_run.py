"""The first run: no model is set up."""

import os
import re

from emulated import Emulated, Screen
from rig import AWL


class FirstRun(Screen):
    def begin(self, *args, rows=24, cols=80, **env):
        terminal = Emulated([AWL, *args], self.cwd, self.environment(**env), rows, cols)
        self.addCleanup(terminal.close)
        return terminal

    def assertUntouched(self):
        self.assertEqual(os.listdir(self.cwd), [])

    def test_what_to_set(self):
        terminal = self.begin()
        terminal.wait_for("2  Exit")
        self.assertScreen("first-run", terminal)
        terminal.type(" x")
        terminal.type("\x1b[B\r")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertUntouched()
        self.assertEqual(os.listdir(self.home), [])

    def test_a_tiny_screen(self):
        terminal = self.begin(rows=10, cols=20)
        terminal.wait_for("2  Exit")
        self.assertScreen("first-run-tiny", terminal)
        terminal.type("\x04")
        self.assertEqual(terminal.wait_end(), 0)

    def test_the_tour(self):
        self.needs_sandbox()
        temp = os.path.join(self.root, "temp")
        os.mkdir(temp)
        terminal = self.begin("fix the bug", rows=50, cols=100, TMPDIR=temp)
        terminal.wait_for("2  Exit")
        terminal.type("1")
        terminal.wait_for("Edit add.sh?")
        terminal.wait_for("❯ 1  Yes")
        self.assertScreen("tour-question", re.sub(r"\S+/awl-\w+/tour", "(scratch)", terminal.text()))
        terminal.type("\x05")
        terminal.wait_for("tour/add.sh")
        terminal.type("\x05")
        terminal.wait_for("Edit add.sh?")
        terminal.type("1")
        terminal.wait_for("Run this command?")
        terminal.wait_for("❯ 1  Yes")
        seen = terminal.all()
        for text in ("2 of 3 failed", "0 of 3 failed", "No rule allows git push", "Read-only file system"):
            self.assertIn(text, seen)
        self.assertNotIn("fix the bug", seen)
        terminal.type("1")
        terminal.wait_idle("That was the tour")
        self.assertIn("no network, no key", terminal.all())
        self.leave(terminal)
        self.assertUntouched()
        self.assertEqual(os.listdir(temp), [])

    def test_a_local_server_that_answers_is_offered(self):
        url = self.serve('model llama3:8b\nreply forever\n  text "A local answer."\n')
        host = url.removeprefix("http://")
        terminal = self.begin("hello", OLLAMA_HOST=host)
        terminal.wait_for("Use llama3:8b of Ollama, which answers on port")
        terminal.type("3")
        terminal.wait_idle("A local answer.")
        self.assertIn(f"export OPENAI_BASE_URL=http://{host}/v1", " ".join(terminal.all().split()))
        self.assertEqual(self.requests()[-1]["model"], "llama3:8b")
        self.leave(terminal)
