"""A session that becomes expensive."""

from emulated import Screen

SCRIPT = """
reply forever when prompt contains much
  text "Done."
  usage input=10 output=260000
reply forever
  text "Cheap."
  usage input=10 output=10
"""


class Cost(Screen):
    def setUp(self):
        super().setUp()
        self.serve(SCRIPT)

    def test_it_is_said_at_each_threshold(self):
        terminal = self.open()
        terminal.type("little\r")
        terminal.wait_idle("Cheap.")
        terminal.type("much\r")
        terminal.wait_for("This session has cost $5.20 so far")
        terminal.wait_for("again at $10")
        terminal.type("\r")
        self.wait_until_gone(terminal, "again at $10")
        terminal.type("much more\r")
        terminal.wait_for("This session has cost $10.40 so far")
        terminal.type("\x1b[B\x1b[B\r")
        terminal.wait_for("❯ /usage")
        terminal.wait_for(self.PROMPT)
        self.leave(terminal)
