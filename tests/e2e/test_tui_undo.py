"""Going back at the terminal: Escape twice, a prompt, and what goes back."""

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
        terminal.wait_for("What goes back?")
        terminal.type("\r")
        terminal.wait_for("The conversation continues from before")
        self.assertEqual((os.path.exists(self.path("one")), os.path.exists(self.path("two"))), (True, False))
        self.leave(terminal)

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
        terminal.wait_for("What goes back?")
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
