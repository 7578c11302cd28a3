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
