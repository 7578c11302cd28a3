"""Going back at the terminal: Escape twice, a prompt, and what goes back."""

import json
import os

from emulated import Screen

DONE = " tokens in "
SCRIPT = """
reply
  tool Bash {"command": "echo 1 > one"}
reply
  text "Made one."
reply
  tool Bash {"command": "echo 2 > two"}
reply
  text "Made two."
"""


class Undo(Screen):
    def test_escape_twice_goes_back_to_a_prompt(self):
        self.serve(SCRIPT)
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("make one\r")
        terminal.wait_for("Made one.")
        terminal.wait_idle(DONE)
        terminal.type("make two\r")
        terminal.wait_for("Made two.")
        terminal.wait_idle(DONE)
        terminal.type("\x1b")
        terminal.wait_for("Press Escape again to go back")
        terminal.type("\x1b")
        terminal.wait_for("Go back to before which prompt?")
        terminal.wait_for("1 file changed")
        terminal.type("\r")
        terminal.wait_for("What should happen at this prompt?")
        terminal.type("\r")
        terminal.wait_for("The conversation continues from before")
        terminal.wait_for("❯ make two\n")
        self.assertEqual((os.path.exists(self.path("one")), os.path.exists(self.path("two"))), (True, False))
        terminal.type("\x15")
        self.leave(terminal)

    def test_all_of_the_prompt_returns_to_the_editor_with_the_conversation_and_not_with_the_files(self):
        self.serve('reply when prompt contains first\n  tool Bash {"command": "echo 1 > one"}\n'
                   'reply otherwise\n  text "Hello."\n')
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("\x1b[200~first\n" + "word " * 60 + "last\x1b[201~\r")
        terminal.wait_idle(DONE)
        terminal.type("/rewind\r")
        terminal.wait_for("Go back to before which prompt?")
        terminal.type("\r")
        terminal.wait_for("What should happen at this prompt?")
        terminal.type("\x1b[B\x1b[B\r")
        terminal.wait_idle("Files are as they were before that prompt")
        self.assertEqual(terminal.all().count("❯ first"), 1)
        terminal.type("/rewind\r")
        terminal.wait_for("Go back to before which prompt?")
        terminal.type("\r")
        terminal.wait_for("What should happen at this prompt?")
        terminal.type("\x1b[B\r")
        terminal.wait_for("The conversation continues from before")
        terminal.wait_for("  last\n────")
        terminal.type(" and more")
        terminal.wait_for("last and more")
        terminal.type("\r")
        self.wait_until(lambda: len(self.requests()) == 3, "the prompt was not sent")
        said = json.dumps(self.requests()[-1]["messages"])
        self.assertEqual(said.count("first\\n" + "word " * 60 + "last and more"), 1)
        self.assertNotIn('last"', said)
        self.leave(terminal)

    def summarise(self, keys):
        """Three prompts; the second one is chosen, and then what these keys choose. Returns what a fourth one is sent with."""
        self.serve('reply when prompt contains summary\n  text "<summary>In short.</summary>"\n'
                   'reply otherwise\n  text "Hello."\n')
        terminal = self.open()
        for prompt in ("the first", "the second", "the third"):
            terminal.type(prompt + "\r")
            terminal.wait_for(f"❯ {prompt}\n")
            terminal.wait_idle(DONE)
        terminal.type("/rewind\r")
        terminal.wait_for("Go back to before which prompt?")
        terminal.type("\x1b[B\r")
        terminal.wait_for("What should happen at this prompt?")
        self.assertRegex(terminal.text(), r"\n ❯ Restore the conversation {2}no files have changed since\n"
                                          r"   Summarise from here {7}what came .*\n   Summarise up to here {6}this prompt .*\n")
        terminal.type(keys + "\r")
        terminal.wait_idle("The conversation was summarised")
        terminal.wait_for("❯ the second\n─" if keys == "\x1b[B" else "❯\n─")
        terminal.type("\x15the fourth\r")
        self.wait_until(lambda: len(self.requests()) == 5, "the prompt was not sent")
        terminal.wait_idle("❯ the fourth")
        self.leave(terminal)
        return json.dumps(self.requests()[-1]["messages"])

    def test_what_follows_a_prompt_is_summarised(self):
        said = self.summarise("\x1b[B")
        self.assertLess(said.index("the first"), said.index("In short."))
        self.assertNotIn("the second", said)
        self.assertLess(said.index("In short."), said.index("the fourth"))

    def test_what_precedes_a_prompt_is_summarised(self):
        said = self.summarise("\x1b[B" * 2)
        self.assertNotIn("the first", said)
        self.assertLess(said.index("In short."), said.index("the second"))
        self.assertLess(said.index("the second"), said.index("the fourth"))

    def test_a_command_of_the_user_is_undone_too(self):
        self.serve('reply otherwise\n  text "Hello."\n')
        self.write("kept.txt", "mine\n")
        terminal = self.open()
        terminal.type("!rm kept.txt\r")
        terminal.wait_idle("● Bash rm kept.txt")
        self.assertFalse(os.path.exists(self.path("kept.txt")))
        terminal.type("/undo\r")
        terminal.wait_idle('Undid what "! rm kept.txt" changed: 1 file.')
        with open(self.path("kept.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine\n")
        terminal.type("/redo\r")
        terminal.wait_idle("Took the last undo back")
        self.assertFalse(os.path.exists(self.path("kept.txt")))
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        terminal.type("/rewind\r")
        terminal.wait_for("! rm kept.txt    ")
        terminal.type("\x1b[B\r")
        terminal.wait_for("What should happen at this prompt?")
        terminal.type("\r")
        terminal.wait_for('The conversation continues from before "! rm kept.txt"')
        self.assertTrue(os.path.exists(self.path("kept.txt")))
        self.leave(terminal)

    def test_a_command_that_only_reads_is_nothing_to_undo(self):
        self.serve('reply otherwise\n  text "Hello."\n')
        terminal = self.open()
        terminal.type("!ls\r")
        terminal.wait_idle("● Bash ls")
        terminal.type("/undo\r")
        terminal.wait_idle("There is nothing to undo.")
        self.leave(terminal)
