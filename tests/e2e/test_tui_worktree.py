"""Leaving a session whose worktree has work that is nowhere else."""

import os
import subprocess

from emulated import Screen

SCRIPT = """
reply forever when prompt contains "again"
  text "It goes on."
reply forever when prompt contains "make" and no tool_result
  tool Write {"file_path": "made.txt", "content": "made\\n"}
reply forever
  text "It is done."
"""


class Leaving(Screen):
    def setUp(self):
        super().setUp()
        self.serve(SCRIPT)
        self.git("init", "-q", "-b", "main")
        self.git("commit", "-q", "--allow-empty", "-m", "one")

    def git(self, *args):
        env = self.environment(GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b", GIT_COMMITTER_NAME="a",
                               GIT_COMMITTER_EMAIL="a@b")
        return subprocess.run(["git", *args], cwd=self.cwd, env=env, check=True, capture_output=True,
                              text=True).stdout

    def made(self):
        return os.path.exists(os.path.join(self.cwd, ".claude/worktrees/side/made.txt"))

    def work(self, prompt):
        terminal = self.open("-w", "side", "--permission-mode", "acceptEdits", rows=30, cols=100)
        terminal.type(prompt + "\r")
        terminal.wait_idle("It is done.")
        return terminal

    def ask(self, terminal):
        terminal.type("/exit\r")
        terminal.wait_for("The worktree of this session has 1 changed file. Keep it?")

    def test_it_stays_if_the_user_wants_that(self):
        terminal = self.work("make it")
        self.ask(terminal)
        terminal.type("\r")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn("Your work stays in", terminal.text())
        self.assertTrue(self.made())

    def test_it_is_removed_with_its_branch_if_the_user_wants_that(self):
        terminal = self.work("make it")
        self.ask(terminal)
        terminal.type("\x1b[B\r")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertFalse(self.made())
        self.assertNotIn("worktree-side", self.git("branch"))

    def test_the_session_goes_on_if_the_user_wants_that(self):
        terminal = self.work("make it")
        self.ask(terminal)
        terminal.type("\x1b[B\x1b[B\r")
        self.wait_until_gone(terminal, "Keep it?")
        terminal.type("again\r")
        terminal.wait_idle("It goes on.")
        self.ask(terminal)
        terminal.type("\r")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertTrue(self.made())

    def test_without_work_it_is_removed_without_a_question(self):
        terminal = self.work("hello")
        terminal.type("/exit\r")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertEqual(len(self.git("worktree", "list").splitlines()), 1)
