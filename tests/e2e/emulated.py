"""A program on a pty behind a real terminal emulator (xterm.js, which script/bootstrap fetches): it answers queries, folds
lines on resize and has a scrollback. Golden screens are kept in tests/e2e/tui; AWL_GOLDEN=write writes them anew."""

import base64
import fcntl
import json
import os
import re
import struct
import subprocess
import termios
import time
import unittest

from rig import AWL, PATIENCE, Modelled, Terminal

HERE = os.path.dirname(os.path.abspath(__file__))
XTERM = os.path.abspath(os.path.join(HERE, "../../.deps/xterm"))
GOLDEN = os.path.join(HERE, "tui")
PICTURES = os.path.abspath(os.path.join(HERE, "../../docs/screens"))


class Emulated(Terminal):
    def __init__(self, argv, cwd, env, rows, cols):
        self.emulator = subprocess.Popen(
            ["node", os.path.join(HERE, "emulator.mjs"), XTERM, str(cols), str(rows)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.state = None
        self.ask()
        super().__init__(argv, cwd, env, rows, cols)
        self.stream = self  # Terminal feeds what arrives to it

    def ask(self, **request):
        self.emulator.stdin.write(json.dumps(request) + "\n")
        self.emulator.stdin.flush()
        self.state = json.loads(self.emulator.stdout.readline())
        return self.state

    def feed(self, data):
        answer = self.ask(write=base64.b64encode(data).decode())["answer"]
        if answer:
            os.write(self.fd, answer.encode())

    def resize(self, rows, cols, reads=0):
        """The emulator has the new size at once, whatever is under way; the program is told after so many more reads, as
        tmux and others do it."""
        self.ask(resize=[cols, rows])
        for _ in range(reads):
            self._read(time.monotonic() + PATIENCE)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def text(self):
        return "\n".join(line.rstrip() for line in self.state["screen"]).rstrip("\n")

    def wait_for_count(self, text, count):
        """Reads until the conversation contains `text` so many times."""
        deadline = time.monotonic() + PATIENCE
        while self.all().count(text) < count:
            self._read(deadline)

    def wait_idle(self, text):
        """Reads until the screen contains `text` and nothing is under way."""
        self.wait_for(text)
        deadline = time.monotonic() + PATIENCE
        while "esc to interrupt" in self.text() or re.search(r"^[⠀-⣿] ", self.text(), re.M):
            self._read(deadline)

    def all(self):
        """The scrollback and the screen, folded lines in one."""
        return "\n".join(line.rstrip() for line in self.state["all"]).rstrip("\n")

    def close(self):
        super().close()
        self.emulator.stdin.close()
        self.emulator.stdout.close()
        self.emulator.wait()


@unittest.skipUnless(os.path.exists(XTERM), "xterm.js is not there")
class Screen(Modelled):
    """A test of the terminal front end."""

    PROMPT = "shift+tab to change"

    def modelled(self, **env):
        """Scripts look for words in the prompt: what the model is told about its memory has many."""
        return super().modelled(**{"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1", **env})

    def open(self, *args, rows=24, cols=80, **env):
        terminal = Emulated([AWL, *args], self.cwd, self.environment(**self.modelled(**env)), rows, cols)
        self.addCleanup(terminal.close)
        terminal.wait_for(self.PROMPT if cols >= 60 else "❯")
        return terminal

    def leave(self, terminal, status=0):
        terminal.type("\x04")
        self.assertEqual(terminal.wait_end(), status)

    def wait_until_gone(self, terminal, text):
        deadline = time.monotonic() + PATIENCE
        while text in terminal.text():
            terminal._read(deadline)

    def plain(self, text):
        """Without what differs from run to run."""
        text = re.sub(r"/tmp/awl-e2e-\w+", "/tmp/awl-e2e-________", text)
        text = re.sub(r"[\d.]+[kM]? tokens in .*(\n  .+)*", "(what it took)", text)
        text = re.sub(r"(?:\$[\d.]+ · )?(?:\d+% context · )?(?=[^ ]+$)", lambda match: " " * len(match[0]), text,
                      flags=re.MULTILINE)
        text = re.sub(r" +[\d.]+[kM]? +[\d.]+%$", " (tokens)", text, flags=re.MULTILINE)
        text = re.sub(r"[\d.]+[kM]? of [\d.]+[kM]? tokens, \d+%", "(tokens)", text)
        text = re.sub(r"█+░+", "█░", text)
        text = re.sub(r"[\d.]+[kM]?(\s+tokens\s+of\s+this\s+conversation)", r"N\1", text)
        return re.sub(r"awl \d+\.\d+\.\d+", "awl 0.0.0", text) + "\n"

    def picture(self, name, terminal, light=False):
        """Compares the screen with what is kept. With AWL_PICTURES=write, docs/screens gets a picture of it."""
        self.assertScreen("picture-" + name, terminal)
        if os.environ.get("AWL_PICTURES") == "write":
            import picture
            picture.draw(os.path.join(PICTURES, name + ".png"), terminal.ask(cells=True)["cells"], light)

    def settled(self, terminal, wanted):
        """What a terminal shows; waits a while for what is wanted, since a frame may come in pieces."""
        deadline = time.monotonic() + 20
        try:
            while self.plain(terminal.text()) != wanted and terminal._read(deadline):
                pass
        except AssertionError:
            pass
        return terminal.text()

    def assertScreen(self, name, shown):
        """Compares a terminal, or a text, with what is kept."""
        path = os.path.join(GOLDEN, name + ".txt")
        if os.environ.get("AWL_GOLDEN") == "write":
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.plain(shown if isinstance(shown, str) else shown.text()))
        with open(path, encoding="utf-8") as file:
            wanted = file.read()
        text = shown if isinstance(shown, str) else self.settled(shown, wanted)
        self.assertEqual(self.plain(text), wanted, f"differs from {path}")
