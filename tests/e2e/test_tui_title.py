"""Titles that the small model writes for conversations at a terminal."""

import glob
import json
import os

from emulated import Screen

DONE = " tokens in "
SCRIPT = """
reply when model is "small"
  text "\\"Counting the files\\"\\nof a project"
reply otherwise
  text "Hello."
"""
SMALL = {"ANTHROPIC_SMALL_FAST_MODEL": "small"}


class Title(Screen):
    def setUp(self):
        super().setUp()
        self.serve(SCRIPT)

    def asked(self):
        return [request for request in self.requests() if request["model"] == "small"]

    def titles(self):
        transcript, = glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl"))
        with open(transcript, encoding="utf-8") as file:
            return [record for record in map(json.loads, file) if record["type"].endswith("title")]

    def talk(self, *args, **env):
        terminal = self.open(*args, **env)
        for prompt in ("how many files are there?", "and now?"):
            terminal.type(prompt + "\r")
            terminal.wait_idle(DONE)
        self.leave(terminal)

    def test_the_first_turn_gives_it_and_lists_show_it(self):
        terminal = self.open(**SMALL)
        terminal.type("how many files are there?\r")
        terminal.wait_idle(DONE)
        self.wait_until(self.titles, "there is no title")
        terminal.type("and now?\r")
        terminal.wait_for("and now?\n\nHello.")
        self.leave(terminal)
        self.assertEqual(len(self.asked()), 1)
        self.assertIn("how many files are there?", json.dumps(self.asked()[0]["messages"]))
        self.assertEqual([title["aiTitle"] for title in self.titles()], ["Counting the files"])
        listed = self.awl("sessions").stdout.decode()
        self.assertIn("Counting the files", listed)
        self.assertNotIn("how many", listed)

    def test_a_title_of_the_users_counts_more(self):
        self.talk("--name", "Mine", **SMALL)
        self.assertEqual(self.asked(), [])
        self.assertIn("Mine", self.awl("sessions").stdout.decode())

    def test_nobody_is_asked_where_it_is_off_or_no_small_model_is_known(self):
        for args, env in ((("--settings", '{"awl": {"sessionTitles": false}}'), SMALL),
                          ((), {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", **SMALL}), ((), {})):
            with self.subTest(args=args, env=env):
                self.talk(*args, **env)
                self.assertEqual(self.asked(), [])

    def test_scripts_do_not_ask(self):
        self.print("how many files are there?", **SMALL)
        self.assertEqual(self.asked(), [])
