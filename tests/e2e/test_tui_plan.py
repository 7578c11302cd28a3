"""The question about a plan on the screen: its choices, its keys, and the plan as the user edits it."""

import base64
import os

from emulated import Screen
from test_tui_attach import png

SCRIPT = """
reply when prompt contains "Implement the following plan"
  tool Write {"file_path": "made.txt", "content": "made\\n"}
reply when prompt contains plan
  tool ExitPlanMode {"plan": "# The plan\\n\\n1. Make it"}
  usage input=20000 output=10
reply when result_of contains ExitPlanMode and tool_error
  text "I'll plan again."
reply when result_of contains ExitPlanMode
  tool Write {"file_path": "made.txt", "content": "made\\n"}
reply forever
  text "It is done."
"""


class Plans(Screen):
    def setUp(self):
        super().setUp()
        self.serve(SCRIPT)

    def plan(self, **env):
        terminal = self.open("--permission-mode", "plan", "--settings", '{"showClearContextOnPlanAccept": true}',
                             rows=30, cols=100, **env)
        terminal.type("plan it\r")
        terminal.wait_for("Make it")
        terminal.wait_for("% used)")
        return terminal

    def test_the_first_choice_begins_anew(self):
        terminal = self.plan()
        self.assertScreen("plan-choices", terminal)
        terminal.type("\x1b[Z")
        terminal.wait_for("New conversation.")
        terminal.wait_idle("It is done.")
        self.assertNotIn("plan it", str(self.requests()[-1]["messages"]))
        self.assertTrue(os.path.exists(os.path.join(self.cwd, "made.txt")))
        self.leave(terminal)

    def test_the_second_choice_accepts_edits_and_the_plan_stays_on_the_screen(self):
        terminal = self.plan()
        terminal.type("2")
        terminal.wait_idle("It is done.")
        terminal.wait_for("edits are accepted")
        self.assertIn("● Plan accepted", terminal.all())
        self.assertTrue(os.path.exists(os.path.join(self.cwd, "made.txt")))
        self.leave(terminal)

    def test_the_third_choice_asks_before_each_edit(self):
        terminal = self.plan()
        terminal.type("3")
        terminal.wait_for("Write made.txt?")
        terminal.wait_for("esc for no")
        terminal.type("n")
        terminal.wait_idle("It is done.")
        self.leave(terminal)

    def test_what_to_change_may_be_an_image(self):
        path = os.path.join(self.cwd, "dot.png")
        with open(path, "wb") as file:
            file.write(png())
        terminal = self.plan()
        terminal.type("4")
        terminal.wait_for("what should be done instead")
        terminal.type(f"like \x1b[200~{path}\x1b[201~")
        terminal.wait_for("like [Image #1]")
        terminal.type("\r")
        terminal.wait_idle("I'll plan again.")
        said = self.requests()[-1]["messages"]
        self.assertIn("They said: like [Image #1]", str(said))
        images = [block for message in said for block in message["content"] if block["type"] == "image"]
        self.assertEqual([image["source"]["data"] for image in images], [base64.b64encode(png()).decode()])
        self.leave(terminal)

    def test_the_fourth_choice_says_what_to_change(self):
        terminal = self.plan()
        terminal.type("4")
        terminal.wait_for("what should be done instead")
        terminal.type("smaller steps\r")
        terminal.wait_idle("I'll plan again.")
        terminal.wait_for("plan mode")
        self.assertIn("smaller steps", str(self.requests()[-1]["messages"]))
        self.check_declined(terminal)
        self.leave(terminal)
        terminal = self.open("-c", "--permission-mode", "plan")
        terminal.wait_for("Resumed")
        self.check_declined(terminal)
        self.leave(terminal)

    def check_declined(self, terminal):
        """The plan stays in the conversation, with what was said about it below."""
        shown = terminal.all()
        self.assertEqual(shown.count("● Plan declined"), 1)
        self.assertNotIn("ExitPlanMode", shown)
        self.assertRegex(shown.partition("● Plan declined")[2], r"(?s)Make it.*❯ smaller steps.*I'll plan again")

    def test_ctrl_g_edits_the_plan_before_it_is_accepted(self):
        editor = os.path.join(self.root, "editor")
        with open(editor, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nprintf '# My plan\\n\\n1. Make it well\\n' > \"$1\"\n")
        os.chmod(editor, 0o755)
        terminal = self.plan(EDITOR=editor)
        terminal.type("\x07")
        terminal.wait_for("Make it well")
        terminal.wait_for("as you have changed it")
        terminal.type("2")
        terminal.wait_idle("It is done.")
        told = str([r["messages"] for r in self.requests()])
        self.assertIn("Make it well", told)
        self.leave(terminal)
