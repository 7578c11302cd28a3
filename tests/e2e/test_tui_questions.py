"""Questions on the screen: why awl asks, and all of what it asks about."""

import json
import os

from emulated import Screen

SCRIPT = """
reply when prompt contains long
  tool Write {"file_path": "long.txt", "content": "%s"}
reply when prompt contains two
  tool Bash {"command": "ls; touch here"}
reply when prompt contains wait
  tool Bash {"command": "while ! test -e go; do sleep 0.01; done"}
reply when prompt contains lose
  tool Bash {"command": "git checkout ."}
reply when request contains "and said: only this once"
  text "Only once."
reply forever
  text "Fine."
""" % "\\n".join(f"line {i}" for i in range(1, 101))


class Questions(Screen):
    def setUp(self):
        super().setUp()
        self.serve(SCRIPT)

    def test_ctrl_e_explains_and_shows_the_call_again(self):
        terminal = self.open()
        terminal.type("two\r")
        terminal.wait_for("ctrl+e for why")
        terminal.type("\x05")
        terminal.wait_for("asked about:")
        terminal.wait_for("touch here")
        terminal.wait_for("These rules, together, would allow it:")
        terminal.type("\x05")
        self.wait_until_gone(terminal, "asked about:")
        terminal.type("y")
        terminal.wait_idle("Fine.")
        self.wait_for_file("here")
        self.leave(terminal)

    def test_words_go_with_a_yes(self):
        terminal = self.open()
        terminal.type("two\r")
        terminal.wait_for("tab adds words")
        terminal.type("\t")
        terminal.wait_for("what the model should know")
        terminal.type("only this once\r")
        terminal.wait_idle("Only once.")
        self.wait_for_file("here")
        self.assertIn("❯ only this once", terminal.all())
        self.leave(terminal)

    def test_tab_on_a_no_says_what_to_do_instead(self):
        terminal = self.open()
        terminal.type("two\r")
        terminal.wait_for("❯ 1  Yes")
        terminal.type("\x1b[A")
        terminal.wait_for("❯ 3  No")
        terminal.type("\t")
        terminal.wait_for("what should be done instead")
        terminal.type("leave it\r")
        terminal.wait_idle("Fine.")
        self.assertFalse(os.path.exists(self.path("here")))
        self.leave(terminal)

    def test_a_line_warns_of_what_is_hard_to_undo(self):
        terminal = self.open()
        terminal.type("lose\r")
        terminal.wait_for("Hard to undo: checkout discards changes to files.")
        self.assertNotIn("Reason:", terminal.text())
        terminal.type("\x1b")
        terminal.wait_idle("Fine.")
        self.leave(terminal)

    def test_what_does_not_fit_can_be_scrolled(self):
        terminal = self.open()
        terminal.type("long\r")
        terminal.wait_for("ctrl+e for why")
        self.assertIn("+ line 1", terminal.text())
        terminal.type("5")  # show all of it
        terminal.wait_for("rows are not shown")
        seen = terminal.text()
        for _ in range(20):
            terminal.type("\x1b[6~")
        terminal.wait_for("+ line 100")
        terminal.wait_for("page up, page down")
        self.assertNotIn("+ line 50", seen)
        for _ in range(6):
            terminal.type("\x1b[5~")
        terminal.wait_for("+ line 50")
        terminal.type("n")
        terminal.wait_idle("Fine.")
        self.leave(terminal)

    def test_a_hook_changes_what_is_read_on_the_screen(self):
        answer = {"hookSpecificOutput": {"hookEventName": "MessageDisplay", "displayContent": "All is well."}}
        hook = {"type": "command", "command": f"echo '{json.dumps(answer)}'"}
        terminal = self.open("--settings", json.dumps({"hooks": {"MessageDisplay": [{"hooks": [hook]}]}}))
        terminal.type("hi\r")
        terminal.wait_idle("All is well.")
        self.assertNotIn("Fine.", terminal.all())
        self.leave(terminal)

    def test_ctrl_b_lets_a_command_go_on_in_the_background(self):
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("wait\r")
        terminal.wait_for("● Bash while")
        terminal.type("\x02")
        terminal.wait_for("Fine.")
        self.write("go", "")
        terminal.wait_for("has ended with exit code 0")
        terminal.wait_idle("Fine.")
        self.assertEqual(terminal.all().count("has ended with exit code 0"), 1)
        self.leave(terminal)

    def test_a_tiny_screen_shows_what_it_asks_about(self):
        terminal = self.open(rows=10, cols=20)
        terminal.type("two\r")
        terminal.wait_for("❯ 1  Yes")
        self.assertScreen("question-tiny", terminal)
        terminal.type("\x1b[B")
        terminal.wait_for("❯ 2")
        terminal.type("n")
        terminal.wait_idle("Fine.")
        self.leave(terminal)
