"""A recap for a user who returns, in a real emulator; and the command that asks for one."""

import json
import os

from emulated import Screen

DONE = " tokens in "
RECAP = "The parser is fixed.\nThe tests are next."
SCRIPT = f'''
reply forever when request contains "has been away"
  text {json.dumps(RECAP)}
reply forever
  text "Hello."
'''
LINE = "While you were away: The parser is fixed. The tests are next."


class Away(Screen):
    def begin(self, turns, **env):
        self.serve(SCRIPT)
        terminal = self.open(rows=40, cols=100, CLAUDE_AFK_TIMEOUT_MS="1", **env)
        for turn in range(turns):
            terminal.type(f"prompt {turn}\r")
            terminal.wait_for_count(DONE, turn + 1)
            terminal.wait_idle(DONE)
        return terminal

    def summaries(self):
        return [record for record in self.records() if record.get("subtype") == "away_summary"]

    def records(self):
        folder = os.path.join(self.home, ".claude/projects")
        paths = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names
                 if name.endswith(".jsonl")]
        lines = []
        for path in paths:
            with open(path, encoding="utf-8") as file:
                lines += [json.loads(line) for line in file if line.endswith("\n")]
        return lines

    def test_a_user_who_returns_reads_where_the_work_stands(self):
        terminal = self.begin(3)
        terminal.type("\x1b[O")  # the focus is lost
        terminal.wait_for(LINE)
        self.assertEqual([record["content"] for record in self.summaries()], [RECAP.replace("\n", " ")])
        terminal.type("\x1b[I\x1b[O")  # nothing has happened since
        terminal.type("prompt more\r")
        terminal.wait_for_count(LINE, 2)
        self.leave(terminal)
        self.assertEqual(len(self.summaries()), 2)

    def test_a_short_session_and_a_user_who_wants_none_get_no_recap(self):
        for turns, env in ((2, {}), (3, {"CLAUDE_CODE_ENABLE_AWAY_SUMMARY": "0"})):
            terminal = self.begin(turns, **env)
            terminal.type("\x1b[O/recap\r")
            terminal.wait_for("The parser is fixed.")
            self.leave(terminal)
            self.assertNotIn("While you were away", terminal.text())
            self.assertEqual(self.summaries(), [])

    def test_there_is_nothing_to_say_before_the_first_turn(self):
        terminal = self.begin(0)
        terminal.type("/recap\r")
        terminal.wait_for("nothing has happened yet")
        self.leave(terminal)
