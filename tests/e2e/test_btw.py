"""/btw: a question beside the conversation, on the screen of a real emulator and in print mode."""

import json

from emulated import Screen

SCRIPT = '''
reply when request contains "Which file"
  text "It is in **parser.c**."
reply when prompt contains "first"
  text "Working."
  stall forever
reply forever
  text "Done."
'''


class Btw(Screen):
    def test_the_model_answers_while_it_works_and_the_conversation_does_not_know(self):
        self.serve(SCRIPT)
        terminal = self.open(rows=30, cols=100)
        terminal.type("first\r")
        terminal.wait_for("Working.")
        terminal.type("/btw Which file is it?\r")
        terminal.wait_for("It is in parser.c.")
        self.assertIn("❯ /btw Which file is it?", terminal.all())
        terminal.type("\x1b")
        terminal.wait_idle("Interrupted")
        terminal.type("second\r")
        terminal.wait_for("Done.")
        self.leave(terminal)
        self.assertNotIn("Which file", json.dumps(self.requests()[-1]))

    def test_a_question_is_required_and_an_error_is_shown(self):
        self.serve('fail 400 invalid_request_error "No such luck"\n')
        terminal = self.open(rows=30, cols=100)
        terminal.type("/btw\r")
        terminal.wait_for("Type a question after /btw.")
        terminal.type("/btw why\r")
        terminal.wait_for("No such luck")
        self.leave(terminal)

    def test_print_mode_answers_it_without_a_turn(self):
        self.serve(SCRIPT)
        ran = self.print("/btw Which file is it?", "--output-format", "json")
        result = json.loads(ran.stdout)
        self.assertEqual((result["result"], result["num_turns"], result["is_error"]),
                         ("It is in **parser.c**.", 0, False))
        ran = self.print("/btw")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"type a question after /btw", ran.stderr)
