"""A session that becomes expensive."""

from emulated import Screen

SCRIPT = """
reply forever when prompt contains much
  text "Done."
  usage input=10 output=260000
reply when prompt contains half
  tool Bash {"command": "until test -e go; do sleep 0.01; done; touch x"}
  usage input=450000 output=1000
reply when result_of contains Bash
  text "Cheap."
  usage input=10 cache_read=450000 output=10
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

    def test_it_is_said_after_the_first_turn_too(self):
        terminal = self.open()
        terminal.type("much\r")
        terminal.wait_for("This session has cost $5.20 so far")
        terminal.type("\r")
        self.wait_until_gone(terminal, "again at $10")
        self.leave(terminal)

    def test_the_cost_and_the_context_are_shown_below_the_prompt(self):
        terminal = self.open()
        self.assertNotIn("$", terminal.text())
        terminal.type("half\r")
        terminal.wait_for("❯ 1  Yes")
        terminal.type("1")
        terminal.wait_for("$1.82 · esc to interrupt")
        self.write("go", "")
        terminal.wait_idle("Cheap.")
        terminal.wait_for("$1.91 · 45% context · claude-opus-5-5")
        terminal.resize(24, 70)
        self.wait_until_gone(terminal, "$1.91 · 45%")
        terminal.wait_for(" 45% context · claude-opus-5-5")
        terminal.type("/clear\r")
        self.wait_until_gone(terminal, "45% context")
        self.leave(terminal)

    def test_a_turn_that_used_nothing_shows_no_cost(self):
        self.serve("reply\n  stall forever\n")
        terminal = self.open()
        terminal.type("hello\r")
        terminal.wait_for("esc to interrupt")
        terminal.type("\x1b")
        terminal.wait_idle("Interrupted.")
        self.assertNotIn("tokens in", terminal.all())
        self.leave(terminal)
