"""Questions on the screen: why awl asks, and all of what it asks about."""

import json
import os
import re

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
reply when prompt contains patch
  tool apply_patch {"input": "*** Begin Patch\\n*** Update File: a.txt\\n@@\\n zero\\n-one\\n+eins\\n*** Add File: b.txt\\n+new\\n*** End Patch"}
reply when prompt contains notebook
  tool Read {"file_path": "n.ipynb"}
  tool ToolSearch {"query": "select:NotebookEdit"}
reply when request contains "select:NotebookEdit"
  tool NotebookEdit {"notebook_path": "n.ipynb", "cell_id": "c1", "new_source": "x = 1\\ny = 3"}
reply when prompt contains sed
  tool Bash {"command": "sed -i 's/one/ONE/' a.txt"}
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

    def test_who_leaves_at_a_question_can_resume(self):
        terminal = self.open()
        terminal.type("two\r")
        terminal.wait_for("ctrl+e for why")
        self.leave(terminal)
        said = re.search(r"To resume this session: awl --resume ([0-9a-f-]{36})", terminal.all())
        self.assertTrue(said, terminal.all())
        terminal = self.open("--resume", said[1])
        terminal.wait_for("❯ two")
        self.leave(terminal)

    def test_there_is_nothing_to_resume_in_a_new_conversation(self):
        terminal = self.open()
        terminal.type("hello\r")
        terminal.wait_idle("Fine.")
        terminal.type("/clear\r")
        terminal.wait_idle("New conversation")
        self.leave(terminal)
        self.assertNotIn("To resume", terminal.all())

    def test_an_edit_by_sed_is_shown_as_a_diff_and_written_as_it_was_shown(self):
        self.write("a.txt", "zero\none\ntwo\n")
        terminal = self.open()
        terminal.type("sed\r")
        terminal.wait_for("2 + ONE")
        self.assertIn("sed -i 's/one/ONE/' a.txt", terminal.text())
        self.assertIn("Update a.txt", terminal.text())
        self.assertIn("2 - one", terminal.text())
        self.assertEqual(self.read("a.txt"), "zero\none\ntwo\n")
        self.assertScreen("question-sed", terminal)
        terminal.type("y")
        terminal.wait_idle("Fine.")
        self.assertEqual(self.read("a.txt"), "zero\nONE\ntwo\n")
        self.leave(terminal)

    def test_a_file_that_changed_since_sed_was_shown_stays_as_it_is(self):
        self.write("a.txt", "one\n")
        terminal = self.open()
        terminal.type("sed\r")
        terminal.wait_for("1 + ONE")
        self.write("a.txt", "one\nmore\n")
        terminal.type("y")
        terminal.wait_for("has changed since the user was shown")
        terminal.wait_idle("Fine.")
        self.assertEqual(self.read("a.txt"), "one\nmore\n")
        self.leave(terminal)

    def test_a_patch_is_shown_as_diffs_of_its_files(self):
        self.write("a.txt", "zero\none\ntwo\n")
        terminal = self.open("--tools", "apply_patch")
        terminal.type("patch\r")
        terminal.wait_for("1 + new")
        self.assertScreen("question-patch", terminal)
        terminal.type("y")
        terminal.wait_idle("Fine.")
        self.assertEqual(self.read("a.txt"), "zero\neins\ntwo\n")
        self.assertEqual(self.read("b.txt"), "new\n")
        self.leave(terminal)

    def test_a_cell_of_a_notebook_is_shown_as_a_diff_of_its_source(self):
        cell = {"cell_type": "code", "id": "c1", "metadata": {}, "outputs": [], "execution_count": None,
                "source": ["x = 1\n", "y = 2"]}
        self.write("n.ipynb", json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
        terminal = self.open()
        terminal.type("notebook\r")
        terminal.wait_for("2 + y = 3")
        self.assertIn("Edit cell c1 of n.ipynb?", terminal.text())
        self.assertIn("2 - y = 2", terminal.text())
        self.assertNotIn("new_source", terminal.text())
        terminal.type("y")
        terminal.wait_idle("Fine.")
        self.assertIn("y = 3", self.read("n.ipynb"))
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
        self.assertRegex(terminal.all(), "here · declined\n\n❯ leave it\n")
        self.leave(terminal)
        terminal = self.open("-c")
        terminal.wait_for("Resumed, last used just now")
        self.assertRegex(terminal.all(), "here · declined\n\n❯ leave it\n")
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
