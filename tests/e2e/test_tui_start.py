"""What is asked before a session begins: whether the project is trusted."""

import json
import os

from emulated import Emulated, Screen
from rig import AWL

SCRIPT = 'reply forever\n  text "Hello."\n'
SETTINGS = {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "touch ../hook-ran"}]}]},
            "permissions": {"allow": ["Bash(make:*)"], "deny": ["Read(.env)"]}}


class Trust(Screen):
    def setUp(self):
        super().setUp()
        self.serve(SCRIPT)
        self.write(".claude/settings.json", json.dumps(SETTINGS, indent=1))

    def write(self, name, text):
        path = os.path.join(self.cwd, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        super().write(name, text)

    def ask(self, *args, rows=24, cols=80, **env):
        terminal = Emulated([AWL, *args], self.cwd, self.environment(**self.modelled(**env)), rows, cols)
        self.addCleanup(terminal.close)
        terminal.wait_for("3  Exit")
        return terminal

    def ran(self):
        return os.path.exists(os.path.join(self.root, "hook-ran"))

    def test_what_would_run_is_shown_and_counts_once_it_is_trusted(self):
        terminal = self.ask("hi")  # the prompt of the command line waits, too
        self.assertScreen("trust", terminal)
        self.assertFalse(self.ran())
        terminal.type("1")
        terminal.wait_idle("Hello.")
        self.assertTrue(self.ran())
        self.leave(terminal)
        terminal = self.open()  # nobody is asked again
        self.leave(terminal)
        self.write(".claude/settings.json", json.dumps(SETTINGS))
        terminal = self.ask()
        self.assertIn("have changed since you trusted them", terminal.text())
        terminal.type("\x04")
        self.assertEqual(terminal.wait_end(), 0)

    def test_a_session_goes_on_without_them(self):
        terminal = self.ask()
        terminal.type("\x1b[B\r")
        terminal.wait_for(self.PROMPT)
        terminal.type("hi\r")
        terminal.wait_idle("Hello.")
        self.assertFalse(self.ran())
        self.leave(terminal)

    def test_exit_is_the_last_answer_and_what_escape_means(self):
        for keys in ("3", "\x1b", "\x03", "\x04"):
            with self.subTest(keys=keys):
                terminal = self.ask()
                terminal.type(keys)
                self.assertEqual(terminal.wait_end(), 0)
        self.assertFalse(self.ran())

    def test_space_and_letters_answer_nothing_and_ctrl_e_shows_the_files(self):
        terminal = self.ask()
        terminal.type(" yn")
        terminal.type("\x05")
        terminal.wait_for('"command": "touch ../hook-ran"')
        terminal.type("\x05")
        terminal.wait_for("What takes effect")
        terminal.type("3")
        self.assertEqual(terminal.wait_end(), 0)

    def test_a_tiny_screen(self):
        terminal = self.ask(rows=10, cols=20)
        self.assertScreen("trust-tiny", terminal)
        terminal.type("3")
        self.assertEqual(terminal.wait_end(), 0)

    def test_a_flag_vouches_and_other_sources_need_nobody(self):
        for flag in (["--trust-project"], ["--setting-sources", "user"], ["--bare"]):
            with self.subTest(flag=flag):
                self.leave(self.open(*flag))


class Queue(Screen):
    def test_questions_that_come_at_once_are_counted(self):
        self.serve("""
reply when prompt contains read
  tool Read {"file_path": "/etc/hostname"}
  tool Read {"file_path": "/etc/hosts"}
  tool Read {"file_path": "/etc/passwd"}
reply forever
  text "Read."
""")
        terminal = self.open()
        terminal.type("read\r")
        for i in (1, 2, 3):
            terminal.wait_for(f" {i} of 3 ")
            terminal.type(" ")  # answers nothing
            terminal.type("n")
        terminal.wait_idle("Read.")
        self.leave(terminal)
