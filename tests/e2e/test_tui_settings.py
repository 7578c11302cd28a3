"""Settings of the terminal front end that change while a session runs, in a real emulator."""

import json
import os

from emulated import Screen

DONE = " tokens in "
ANSWER = """
reply forever when prompt contains wait
  stall forever
reply forever when prompt contains run
  tool Bash {"command": "seq 20"}
reply otherwise
  text "Hello."
"""


class LiveSettings(Screen):
    def setUp(self):
        super().setUp()
        self.serve(ANSWER)

    def settings(self, **values):
        folder = os.path.join(self.home, ".claude")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "settings.new"), "w", encoding="utf-8") as file:
            json.dump({"permissions": {"allow": ["Bash(seq:*)"]}, **values}, file)
        os.replace(os.path.join(folder, "settings.new"), os.path.join(folder, "settings.json"))

    def prompt(self, terminal, text):
        terminal.type(text + "\r")
        terminal.wait_idle(DONE)

    # changes live: spinnerVerbs.verbs, spinnerTipsOverride.tips, spinnerTipsOverride.excludeDefault
    # changes live: spinnerTipsEnabled, prefersReducedMotion
    def test_what_is_shown_while_the_model_works_follows(self):
        terminal = self.open(rows=60)
        self.prompt(terminal, "hello")
        own = {"tips": ["Drink water."], "excludeDefault": True}
        self.settings(spinnerVerbs={"verbs": ["Pondering"]}, spinnerTipsOverride=own)
        terminal.wait_for("spinnerVerbs.verbs (applies")
        terminal.type("wait\r")
        terminal.wait_for("Pondering")
        terminal.wait_for("Tip: Drink water.")
        self.assertRegex(terminal.text(), r"(?m)^[⠀-⣿] Pondering")
        # All of these count for a turn that is under way, too.
        self.settings(spinnerTipsOverride={"tips": ["Drink water."]}, spinnerVerbs={"verbs": ["Musing"]})
        terminal.wait_for("Musing")
        self.settings(spinnerTipsOverride=own, spinnerVerbs={"verbs": ["Brooding"]}, prefersReducedMotion=True)
        terminal.wait_for("● Brooding")
        terminal.wait_for("Tip: Drink water.")
        self.settings(spinnerTipsEnabled=False, spinnerTipsOverride=own)
        terminal.wait_for("Waiting")
        self.wait_until_gone(terminal, "Tip:")
        terminal.type("\x1b")
        terminal.wait_for("Interrupted.")
        self.leave(terminal)

    # changes live: verbose, theme, preferredNotifChannel
    def test_how_much_is_shown_in_which_colours_and_how_the_user_is_called_follow(self):
        os.makedirs(os.path.join(self.home, ".claude/themes"))
        with open(os.path.join(self.home, ".claude/themes/mine.json"), "w", encoding="ascii") as file:
            json.dump({"base": "dark", "overrides": {"claude": "ansi256(208)"}}, file)
        terminal = self.open(rows=60)
        self.prompt(terminal, "run")
        self.assertIn("more lines", terminal.all())
        self.assertNotIn(b"38;5;208m", terminal.bytes)
        self.settings(verbose=True, theme="custom:mine", preferredNotifChannel="kitty")
        terminal.wait_for("verbose (applies")
        terminal.type("\x1b[O")
        self.prompt(terminal, "run")
        terminal.wait_for("\n  2\n")
        terminal.wait_for_bytes(b"38;5;208m")
        terminal.wait_for_bytes(b"\x1b]99;;awl: finished\x1b\\")
        self.leave(terminal)

    # changes live: statusLine.command, statusLine.padding, statusLine.hideVimModeIndicator, statusLine.refreshInterval
    def test_the_status_line_follows(self):
        line = {"type": "command", "command": "echo x >>runs; echo runs: $(wc -l <runs)"}
        self.settings(editorMode="vim", statusLine={"type": "command", "command": "echo the first"})
        terminal = self.open()
        terminal.wait_for("\n  the first")
        self.prompt(terminal, "hello")
        terminal.type("\x1b")
        terminal.wait_for("NORMAL")
        self.settings(editorMode="vim", statusLine=line)
        terminal.wait_for("\n  runs: ")
        self.settings(editorMode="vim", statusLine={**line, "padding": 3, "hideVimModeIndicator": True})
        terminal.wait_for("\n     runs: ")
        self.wait_until_gone(terminal, "NORMAL")
        self.settings(editorMode="vim", statusLine={**line, "refreshInterval": 1})
        terminal.wait_for("\n  runs: 9")
        self.leave(terminal)

    def test_a_change_counts_before_the_first_prompt(self):
        terminal = self.open()
        self.settings(editorMode="vim", statusLine={"type": "command", "command": "echo the second"})
        terminal.wait_for("\n  the second")
        terminal.type("\x1b")
        terminal.wait_for("NORMAL")
        self.assertEqual(self.requests(), [])
        self.leave(terminal)

    # changes live: fastMode, fastModePerSessionOptIn
    def test_whether_the_fast_mode_is_chosen_again_follows(self):
        self.settings()
        terminal = self.open()
        self.assertNotIn("↯", terminal.text())
        self.settings(fastMode=True)
        terminal.wait_for("↯")
        self.settings(fastMode=True, fastModePerSessionOptIn=True)
        self.wait_until_gone(terminal, "↯")
        self.leave(terminal)
