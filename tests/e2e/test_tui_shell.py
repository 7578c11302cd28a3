"""Commands for the shell at the prompt."""

import glob
import os

from emulated import Screen
from rig import Modelled

DONE = " tokens in "


def texts(request):
    """What the user's side has said, in order."""
    return [block["text"] for message in request["messages"] if message["role"] == "user"
            for block in ([{"type": "text", "text": message["content"]}]
                          if isinstance(message["content"], str) else message["content"])
            if block["type"] == "text"]


class Shell(Screen):
    def setUp(self):
        super().setUp()
        self.serve('reply otherwise\n  text "Hello."\n')

    def test_the_model_gets_command_and_output_with_the_next_prompt(self):
        self.write("here.txt", "")
        terminal = self.open()
        terminal.type("!ls *.txt; echo err >&2; false")
        terminal.wait_for(" !ls *.txt")
        self.assertNotIn("❯", terminal.text())
        terminal.type("\r")
        terminal.wait_idle("  Exit code 1\n  here.txt\n  err")
        self.assertEqual(self.requests(), [])
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        said = texts(self.requests()[0])
        at = said.index("<bash-input>ls *.txt; echo err >&2; false</bash-input>")
        self.assertEqual(said[at + 1],
                         "<bash-stdout>Exit code 1\nhere.txt\nerr</bash-stdout><bash-stderr></bash-stderr>")
        self.assertEqual(said[-1], "hello")
        self.leave(terminal)
        transcript, = glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl"))
        with open(transcript, encoding="utf-8") as file:
            self.assertEqual(file.read().count("<bash-input>"), 1)
        terminal = self.open("-c")
        terminal.wait_for("! ls *.txt; echo err >&2; false")
        self.leave(terminal)

    def test_a_new_conversation_knows_nothing_of_it(self):
        terminal = self.open()
        terminal.type("!echo before\r")
        terminal.wait_idle("● Bash echo before")
        terminal.type("/clear\r")
        terminal.wait_idle("New conversation")
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        self.assertFalse([text for text in texts(self.requests()[0]) if "bash-input" in text])
        self.leave(terminal)

    def test_it_is_shown_while_it_runs_and_escape_ends_it(self):
        terminal = self.open()
        terminal.type("!echo begun; exec sleep 1000\r")
        terminal.wait_for("  begun\n")
        terminal.wait_for("esc to interrupt")
        terminal.type("!ls\r")
        terminal.wait_for("Your last command is still running")
        terminal.type("\x1b")
        terminal.wait_idle("[interrupted]")
        self.leave(terminal)

    def test_no_rule_of_the_model_holds_it_and_it_can_change_the_directory(self):
        os.mkdir(self.path("sub"))
        terminal = self.open("--disallowedTools", "Bash")
        terminal.type("!cd sub\r")
        terminal.wait_for("(No output)")
        terminal.type("!touch made; basename $PWD\r")
        terminal.wait_idle("  sub\n")
        self.assertTrue(os.path.exists(self.path("sub/made")))
        self.leave(terminal)

    def test_tab_completes_paths_and_earlier_commands(self):
        os.mkdir(self.path("sub"))
        for name in ("main.c", "mail box.txt", "sub/one.txt", "sub/.hidden"):
            self.write(name, name)
        terminal = self.open()
        terminal.type("!cat ma\t")
        terminal.wait_for(" !cat mai\n")
        terminal.wait_for("❯ mail box.txt\n  main.c")
        terminal.type("\t")
        terminal.wait_for(" !cat mail\\ box.txt\n")
        terminal.type("\x1b[D; head s\t")
        terminal.wait_for("; head sub/")
        terminal.type("\t")
        terminal.wait_for("; head sub/one.txt")
        terminal.type("\r")
        terminal.wait_idle("  mail box.txt")
        terminal.type("!cat\t")
        terminal.wait_for(" !cat mail\\ box.txt; head sub/one.txt")
        terminal.type("\x15!echo @x\t")
        terminal.wait_for("There is no completion.")
        terminal.type("\x15")
        self.leave(terminal)

    def test_it_has_a_history_of_its_own(self):
        terminal = self.open()
        for line, shown in (("!echo one", "  one\n"), ("hello", DONE), ("!echo two", "  two\n"), ("thanks", "❯ thanks")):
            terminal.type(line + "\r")
            terminal.wait_idle(shown)
        terminal.type("!\x1b[A")
        terminal.wait_for("\n !echo two")
        terminal.type("\x1b[A")
        terminal.wait_for("\n !echo one")
        terminal.type("\x1b[A\x1b[B")
        terminal.wait_for("\n !echo two")
        terminal.type("\x12e")
        terminal.wait_for("search earlier prompts: e")
        terminal.wait_for("\n !echo two")
        terminal.type("\x12")
        terminal.wait_for("\n !echo one")
        terminal.type("\x03\x1b[B\x1b")  # back to the exclamation mark, which Escape removes
        terminal.wait_for("❯ ")
        terminal.type("\x1b[A")
        terminal.wait_for("\n❯ thanks", after="two")
        terminal.type("\x15")
        self.leave(terminal)


class PlainShell(Modelled):
    def test_the_plain_screen_runs_commands_too(self):
        self.serve('reply otherwise\n  text "Hello."\n')
        terminal = self.terminal("--plain", env=self.modelled())
        terminal.wait_for("\n>")
        terminal.type("!echo one; exit 3\r")
        terminal.wait_for("(Exit code 3)")
        terminal.type("hello\r")
        terminal.wait_for("Hello.")
        self.assertIn("<bash-stdout>Exit code 3\none</bash-stdout><bash-stderr></bash-stderr>",
                      texts(self.requests()[0]))
        terminal.type("\x04")
        self.assertEqual(terminal.wait_end(), 0)
