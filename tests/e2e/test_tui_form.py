"""The questions of the model, as a form on the screen."""

import json

from emulated import Screen


def question(text, header, several=False, **options):
    return {"question": text, "header": header, "multiSelect": several,
            "options": [{"label": label, "description": what} for label, what in options.items()]}


DATABASE = question("Which database should the service use?", "Database",
                    PostgreSQL="What the team knows", SQLite="One file, no server to run")
LOGS = question("Where should the logs go?", "Logs", several=True,
                Journal="systemd keeps them", File="/var/log/service.log", Nowhere="Only errors are shown")
NAME = question("What is it called?", "Name", ports="After what it checks", gate="Shorter")

SCRIPT = """
reply forever when result_of contains AskUserQuestion
  text "Thank you."
reply forever when prompt contains three
  tool AskUserQuestion %s
reply forever when prompt contains several
  tool AskUserQuestion %s
reply forever when prompt contains look
  tool AskUserQuestion %s
reply forever
  tool AskUserQuestion %s
""" % tuple(json.dumps({"questions": asked}) for asked in (
    [DATABASE, LOGS, NAME], [LOGS],
    [{**DATABASE, "options": [{**DATABASE["options"][0], "preview": "```sql\nselect 1;\n```"}, DATABASE["options"][1]]}],
    [DATABASE]))


class Form(Screen):
    def setUp(self):
        super().setUp()
        self.serve(SCRIPT)

    def ask(self, prompt, text="Which database", **size):
        terminal = self.open(**size)
        terminal.type(prompt + "\r")
        terminal.wait_for(text)
        terminal.wait_for("❯ 1")
        return terminal

    def answers(self):
        """What the model was told, from the result of the call."""
        for block in self.requests()[-1]["messages"][-1]["content"]:
            if block["type"] == "tool_result":
                content = block["content"]
                return content if isinstance(content, str) else content[0]["text"]
        return None

    def test_one_question(self):
        terminal = self.ask("one")
        self.assertScreen("form-one", terminal)
        terminal.type("\x1b[B\r")
        terminal.wait_idle("Thank you.")
        self.assertIn("Which database should the service use?\n  SQLite", self.answers())
        self.assertIn("  → SQLite", terminal.text())
        self.leave(terminal)

    def test_a_number_answers_and_space_does_not(self):
        terminal = self.ask("one")
        terminal.type(" yn")
        terminal.type("1")
        terminal.wait_idle("Thank you.")
        self.assertIn("\n  PostgreSQL", self.answers())
        self.leave(terminal)

    def test_own_words(self):
        terminal = self.ask("one")
        terminal.type("3\r")
        terminal.wait_for("Type your answer first.")
        terminal.type("none, 2 files\x1b[D\x1b[D")
        terminal.wait_for("none, 2 files")
        terminal.type("\r")
        terminal.wait_idle("Thank you.")
        self.assertIn("\n  none, 2 files", self.answers())
        self.leave(terminal)

    def test_a_paste_is_own_words(self):
        terminal = self.ask("one")
        terminal.type("\x1b[200~a pasted answer\x1b[201~")
        terminal.wait_for("❯ 3  a pasted answer")
        terminal.type("\r")
        terminal.wait_idle("Thank you.")
        self.assertIn("\n  a pasted answer", self.answers())
        self.leave(terminal)

    def test_several_answers(self):
        terminal = self.ask("several", "Where should")
        self.assertScreen("form-several", terminal)
        terminal.type("\r")
        terminal.wait_for("Choose with Space first.")
        terminal.type(" \x1b[B\x1b[B 2")  # the first, the third, and the second by number
        terminal.wait_for("❯ 2  [x] File")
        terminal.type("3\x1b[B")  # not the third, but own words
        terminal.type("a pipe")
        terminal.wait_for("❯ 4  [x] a pipe")
        terminal.type("\r")
        terminal.wait_idle("Thank you.")
        self.assertIn("\n  Journal, File, a pipe", self.answers())
        self.leave(terminal)

    def test_several_questions_and_a_review(self):
        terminal = self.ask("three", rows=30, cols=100)
        self.assertScreen("form-three", terminal)
        terminal.type("2")
        terminal.wait_for("2 of 3")
        terminal.type(" \r")
        terminal.wait_for("3 of 3")
        terminal.type("\x1b[D")  # back
        terminal.wait_for("[x] Journal")
        terminal.type("\x1b[D")
        terminal.wait_for("❯ 2  SQLite")
        terminal.type("1")
        terminal.wait_for("2 of 3")
        terminal.type("\t")
        terminal.wait_for("3 of 3")
        terminal.type("1")
        terminal.wait_for("Send these answers?")
        self.assertScreen("form-review", terminal)
        terminal.type("\r")
        terminal.wait_idle("Thank you.")
        self.assertEqual(self.answers().count("\n- "), 3)
        self.assertIn("service use?\n  PostgreSQL", self.answers())
        self.assertIn("logs go?\n  Journal", self.answers())
        self.assertScreen("form-answered", terminal)
        self.leave(terminal)

    def test_escape_declines(self):
        terminal = self.ask("one")
        terminal.type("3half")
        terminal.wait_for("❯ 3  half")
        terminal.type("\x1b")  # leaves the line first
        terminal.wait_for("❯ 1  PostgreSQL")
        terminal.type("\x1b")
        terminal.wait_idle("Thank you.")
        self.assertIn("did not answer", self.answers())
        self.leave(terminal)

    def test_a_preview_is_shown_for_its_option(self):
        terminal = self.ask("look")
        terminal.wait_for("select 1;")
        terminal.type("\x1b[B")
        self.wait_until_gone(terminal, "select 1;")
        terminal.type("2")
        terminal.wait_idle("Thank you.")
        self.leave(terminal)

    def test_a_tiny_screen(self):
        terminal = self.ask("three", "1 of 3", rows=10, cols=20)
        self.assertScreen("form-tiny", terminal)
        terminal.type("\x1b[B\x1b[B")
        terminal.wait_for("❯ 3")
        terminal.type("x\r")
        terminal.wait_for("2 of 3")
        terminal.type(" \r")
        terminal.wait_for("3 of 3")
        terminal.type("1")
        terminal.wait_for("\n review\n Send these answers?")
        terminal.type("\x03")
        terminal.wait_for("instead?")
        self.leave(terminal)

    def test_resuming_shows_the_answers(self):
        terminal = self.ask("one")
        terminal.type("2")
        terminal.wait_idle("Thank you.")
        self.leave(terminal)
        terminal = self.open("-c")
        terminal.wait_for("→ SQLite")
        self.leave(terminal)
