"""The terminal front end in a real tmux, which has its own ideas about sizes, folding and keys."""

import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from rig import AWL, PATIENCE, Modelled

CONFIG = """set -g default-terminal tmux-256color
set -g history-limit 20000
set -g escape-time 0
set -g default-command "PS1='shell$ ' exec bash --norc --noprofile -i"
"""

ANSWER = 'reply when prompt contains "write"\n  text "I will."\n' \
         '  tool Write {"file_path": "x.txt", "content": "one\\ntwo\\n"}\n' \
         'reply when result_of contains "Write"\n  text "Written."\n' \
         'reply forever\n  text "# Greetings\\n\\nThis is **bold**."\n'


class Tmux:
    """A tmux server of its own with a shell in one pane. Its output comes through a pipe as well, so that a test can wait
    for it without polling."""

    def __init__(self, root, cwd, env, rows, cols):
        root = tempfile.mkdtemp(dir=root)
        self.socket = os.path.join(root, "tmux")
        self.cwd, self.env = cwd, env
        config, fifo = os.path.join(root, "tmux.conf"), os.path.join(root, "tmux.out")
        with open(config, "w", encoding="ascii") as file:
            file.write(CONFIG)
        os.mkfifo(fifo)
        self.fd = os.open(fifo, os.O_RDWR)  # it never ends
        self.run("-f", config, "new-session", "-d", "-x", str(cols), "-y", str(rows))
        self.run("pipe-pane", "-O", f"exec cat > '{fifo}'")
        self.wait_for("shell$")

    def run(self, *args):
        return subprocess.run(["tmux", "-S", self.socket, *args], cwd=self.cwd, env=self.env, check=True, capture_output=True,
                              text=True).stdout

    def type(self, text):
        self.run("send-keys", "-H", *(f"{ord(c):x}" for c in text))

    def resize(self, rows, cols):
        self.run("resize-window", "-x", str(cols), "-y", str(rows))

    def text(self):
        return self.run("capture-pane", "-p").rstrip("\n")

    def all(self):
        """The scrollback and the screen, folded lines in one."""
        lines = self.run("capture-pane", "-p", "-J", "-S", "-").split("\n")
        return "\n".join(line.rstrip() for line in lines).rstrip("\n")

    def ask(self, what):
        return self.run("display-message", "-p", what).strip()

    def wait(self, what):
        """Until `what` returns something true, which it may after any output."""
        deadline = time.monotonic() + PATIENCE
        while not what():
            # What was written before the pipe began is not announced by it.
            if select.select([self.fd], [], [], 0.2)[0]:
                os.read(self.fd, 65536)
            if time.monotonic() > deadline:
                raise AssertionError(f"gave up waiting; the screen shows:\n{self.text()}")

    def wait_for(self, text, after=None):
        def is_there():
            seen = self.text()
            return text in (seen.rpartition(after)[2] if after else seen) and (after or "") in seen

        self.wait(is_there)

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], env=self.env, check=False, capture_output=True)
        os.close(self.fd)


@unittest.skipUnless(shutil.which("tmux"), "tmux is not there")
class InTmux(Modelled):
    PROMPT = "shift+tab to change"

    def open(self, rows=24, cols=80, script=ANSWER):
        self.serve(script)
        tmux = Tmux(self.root, self.cwd, self.environment(**self.modelled(CLAUDE_CODE_DISABLE_AUTO_MEMORY="1")), rows, cols)
        self.addCleanup(tmux.close)
        tmux.type(f"{AWL}\r")
        tmux.wait_for(self.PROMPT)
        return tmux

    def program(self, tmux):
        """The process of awl, the child of the shell."""
        shell = tmux.ask("#{pane_pid}")
        with open(f"/proc/{shell}/task/{shell}/children", encoding="ascii") as children:
            return int(children.read().split()[0])

    def check_sane(self, tmux, marker):
        """The shell has its terminal back: cooked, wrapping, with a cursor and without what awl had asked for."""
        tmux.wait_for("shell$", after=marker)
        tmux.type("stty -a; echo all''told\r")
        tmux.wait_for("alltold")
        text = tmux.text()
        for mode in ("icanon", "echo", "isig", "icrnl", "opost"):
            self.assertRegex(text, rf"(?<![-\w]){mode}\b")
        self.assertEqual(tmux.ask("#{cursor_flag}#{wrap_flag}#{alternate_on}#{keypad_cursor_flag}"), "1100")
        self.assertNotIn(self.PROMPT, text)

    def test_the_welcome_an_answer_and_the_way_out(self):
        tmux = self.open()
        self.assertIn("❯ What should be done?", tmux.text())
        tmux.type("hello\r")
        tmux.wait_for("tokens in")
        self.assertIn("This is bold.", tmux.text())
        self.assertIn("❯ hello", tmux.text())
        tmux.type("\x04")
        self.check_sane(tmux, "awl --resume")
        self.assertIn("Greetings", tmux.all())

    def test_a_question(self):
        tmux = self.open()
        tmux.type("write\r")
        tmux.wait_for("esc for no")
        self.assertIn("Write x.txt?", tmux.text())
        tmux.type("1")
        tmux.wait_for("Written.")
        self.assertEqual(self.read("x.txt"), "one\ntwo\n")

    def test_esc_interrupts_while_words_arrive(self):
        tmux = self.open(script='pace 2ms\nreply\n  text "some words " times 5000\n')
        tmux.type("go\r")
        tmux.wait_for("some words")
        tmux.type("\x1b")
        tmux.wait_for("Interrupted.")

    def test_the_scrollback_is_the_conversation_after_resizes_while_it_streams(self):
        words = [f"word{i:04}" for i in range(1600)]
        parts = [" ".join(words[i:i + 40]) for i in range(0, len(words), 40)]
        tmux = self.open(rows=30, cols=90, script="pace 1ms\nreply\n  text " +
                         json.dumps("\n".join(part + "\n" for part in parts)) + "\n")
        tmux.type("go\r")
        for last, rows, cols in (("word0300", 34, 60), ("word0600", 30, 100), ("word1000", 30, 80)):
            tmux.wait(lambda last=last: last in tmux.all())
            tmux.resize(rows, cols)
        tmux.wait(lambda: "tokens in" in tmux.text() and self.PROMPT in tmux.text() and "esc to interrupt" not in tmux.text())
        self.assertEqual(re.findall(r"word\d{4}", tmux.all()), words)
        self.assertEqual(tmux.all().count("shift+tab"), 1)
        self.assertEqual(tmux.all().count("esc to interrupt"), 0)

    def test_a_window_that_is_dragged_while_words_arrive(self):
        """Sizes follow each other faster than they can be drawn; some are there only for a moment."""
        words = [f"word{i:04}" for i in range(2400)]
        parts = [" ".join(words[i:i + 40]) for i in range(0, len(words), 40)]
        tmux = self.open(rows=30, cols=90, script="pace 1ms\nreply\n  text " +
                         json.dumps("\n".join(part + "\n" for part in parts)) + "\n")
        tmux.type("go\r")
        tmux.wait(lambda: "word0300" in tmux.all())
        for rows, cols in ((19, 115), (29, 56), (23, 117), (27, 120), (30, 48), (31, 41), (38, 100), (20, 110), (14, 60), (35, 79)):
            tmux.resize(rows, cols)
        tmux.wait(lambda: "tokens in" in tmux.all() and self.PROMPT in tmux.text() and "esc to interrupt" not in tmux.text())
        self.assertEqual(re.findall(r"word\d{4}", tmux.all()), words)
        self.assertEqual(tmux.all().count("shift+tab"), 1)
        self.assertEqual(tmux.all().count("❯ go"), 1)

    def test_ctrl_z_and_fg(self):
        tmux = self.open()
        tmux.type("a draft")
        tmux.wait_for("❯ a draft")
        tmux.type("\x1a")
        self.check_sane(tmux, "Stopped")
        tmux.type("clear; fg\r")
        tmux.wait_for("❯ a draft")
        tmux.type("\x03\x04")
        tmux.wait_for("shell$", after=os.path.basename(AWL))

    def test_signals_and_crashes_leave_a_sane_terminal(self):
        for signo, marker in ((signal.SIGTERM, "/work"), (signal.SIGHUP, "/work"), (signal.SIGSEGV, "Segmentation fault"),
                              (signal.SIGABRT, "Aborted")):
            with self.subTest(signo=signo):
                tmux = self.open()
                os.kill(self.program(tmux), signo)
                self.check_sane(tmux, marker)


if __name__ == "__main__":
    unittest.main()


@unittest.skipUnless(shutil.which("tmux"), "tmux is not there")
class Worktree(Modelled):
    """awl --worktree NAME --tmux"""

    def setUp(self):
        super().setUp()
        self.serve(ANSWER)
        for words in (["init", "-q", "-b", "main", "."], ["commit", "-q", "--allow-empty", "-m", "first"]):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.cwd, check=True)

    def test_inside_tmux_it_opens_a_window_with_its_name_and_a_prompt(self):
        tmux = Tmux(self.root, self.cwd, self.environment(**self.modelled(CLAUDE_CODE_DISABLE_AUTO_MEMORY="1")), 24, 100)
        self.addCleanup(tmux.close)
        tmux.type(f"{AWL} -w side --tmux hello\r")
        tmux.wait(lambda: tmux.ask("#{window_name}") == "work-side")
        tmux.wait(lambda: "This is bold" in tmux.text())
        self.assertTrue(os.path.isdir(self.path(".claude/worktrees/side")))

    def test_outside_it_becomes_the_client_of_a_session_of_that_name(self):
        home = os.path.join(self.root, "t")
        os.mkdir(home)
        env = self.modelled(CLAUDE_CODE_DISABLE_AUTO_MEMORY="1", TMUX_TMPDIR=home, TERM="xterm-256color")
        terminal = self.terminal("--permission-mode", "default", "-w", "a.b", "--tmux=classic", "hello", env=env)
        whole = self.environment(**env)
        self.addCleanup(lambda: subprocess.run(["tmux", "kill-server"], env=whole, check=False, capture_output=True))
        terminal.wait_for("This is bold")
        shown = subprocess.run(["tmux", "list-sessions", "-F", "#S"], env=whole, check=True, capture_output=True, text=True)
        self.assertEqual(shown.stdout, "work-a_b\n")

    def test_what_makes_no_sense_is_refused(self):
        for words, why in ((["--tmux"], "--tmux needs --worktree"), (["-w", "x", "--tmux=panes"], "can only be 'classic'"),
                           (["-w", "x", "--tmux", "-p", "hi"], "cannot be used with --print"),
                           (["-w", "x", "--tmux", "--bg"], "cannot be used with --bg"),
                           (["-w", "x", "--tmux"], "needs a terminal")):
            ran = self.awl(*words)
            self.assertEqual((ran.returncode, why in ran.stderr.decode()), (1, True), (words, ran.stderr))
