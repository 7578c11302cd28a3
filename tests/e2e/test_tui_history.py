"""Prompts of other sessions, at the prompt of this one."""

import json
import os
import stat

from emulated import Screen

DONE = " tokens in "


class History(Screen):
    def setUp(self):
        super().setUp()
        self.serve('reply otherwise\n  text "Hello."\n')
        self.file = os.path.join(self.home, ".claude", "history.jsonl")

    def records(self):
        with open(self.file, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def say(self, terminal, text):
        terminal.type(text + "\r")
        terminal.wait_idle(DONE)

    def test_up_and_ctrl_r_find_prompts_of_earlier_sessions(self):
        terminal = self.open()
        self.say(terminal, "the first one")
        self.leave(terminal)
        record = self.records()[0]
        self.assertEqual(set(record), {"display", "pastedContents", "timestamp", "project", "sessionId"})
        self.assertEqual((record["display"], record["project"]), ("the first one", self.cwd))
        self.assertEqual(stat.S_IMODE(os.stat(self.file).st_mode), 0o600)
        terminal = self.open()
        self.say(terminal, "the second one")
        terminal.type("\x1b[A")
        terminal.wait_for("❯ the second one\n──")
        terminal.type("\x1b[A")
        terminal.wait_for("❯ the first one\n──")
        terminal.type("\x1b[B\x1b[B\x12first")
        terminal.wait_for("search earlier prompts: first")
        terminal.wait_for("❯ the first one\n──")
        terminal.type("\x03")
        self.leave(terminal)

    def test_prompts_of_this_directory_come_first(self):
        os.makedirs(os.path.dirname(self.file))
        with open(self.file, "w", encoding="utf-8") as file:
            for display, project in (("here", self.cwd), ("elsewhere", "/nowhere")):
                file.write(json.dumps({"display": display, "pastedContents": {}, "timestamp": 1,
                                       "project": project, "sessionId": "x"}) + "\n")
        terminal = self.open()
        terminal.type("\x1b[A")
        terminal.wait_for("❯ here\n──")
        terminal.type("\x1b[A")
        terminal.wait_for("❯ elsewhere\n──")
        terminal.type("\x03")
        self.leave(terminal)

    def test_nothing_is_written_if_the_user_does_not_want_it(self):
        for args, env in (((), {"CLAUDE_CODE_SKIP_PROMPT_HISTORY": "1"}), (("--no-session-persistence",), {})):
            with self.subTest(args=args, env=env):
                terminal = self.open(*args, **env)
                self.say(terminal, "a secret")
                self.leave(terminal)
                self.assertFalse(os.path.exists(self.file))
