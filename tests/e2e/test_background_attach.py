"""awl attach: a background session in the terminal."""

import os
import signal

from background_rig import Background


class Attach(Background):
    def attach(self, id):
        return self.terminal("attach", id, env=self.env())

    def test_the_conversation_is_shown_goes_on_and_outlives_the_terminal(self):
        id = self.begin("say hello")
        self.wait_for_state(id, "idle")
        terminal = self.attach(id)
        terminal.wait_for("Hello from the model.")
        terminal.wait_for("Resumed")
        terminal.type("touch it\r")
        terminal.wait_for("touch made")
        terminal.wait_for("1  Yes")
        self.wait_for_state(id, "blocked")
        terminal.type("1")
        terminal.wait_for("It is done.")
        terminal.type("\x04")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn(f"awl attach {id}", terminal.text())
        self.assertEqual(self.wait_for_state(id, "idle")["lastText"], "It is done.")

    def test_the_commands_of_the_screen_ask_the_session(self):
        id = self.begin("say hello")
        self.wait_for_state(id, "idle")
        terminal = self.attach(id)
        terminal.wait_for("Resumed")
        terminal.type("/mcp\r")
        terminal.wait_for("There are no MCP servers.")
        terminal.type("/context\r")
        terminal.wait_for("System prompt")
        terminal.type("\x04")
        self.assertEqual(terminal.wait_end(), 0)

    def test_an_open_question_is_asked_again(self):
        id = self.begin("touch it")
        self.assertEqual(self.wait_for_state(id, "blocked")["waitingFor"], "Bash touch made")
        terminal = self.attach(id)
        terminal.wait_for("1  Yes")
        terminal.type("1")
        terminal.wait_for("It is done.")
        self.assertTrue(os.path.exists(self.path("made")))

    def test_a_question_that_is_answered_elsewhere_is_withdrawn(self):
        id = self.begin("touch it")
        self.wait_for_state(id, "blocked")
        first, second = self.attach(id), self.attach(id)
        first.wait_for("1  Yes")
        second.wait_for("1  Yes")
        second.type("1")
        first.wait_for("It is done.")
        self.assertNotIn("1  Yes", first.text())

    def test_a_terminal_that_vanishes_leaves_the_session_alone(self):
        id = self.begin("touch it")
        self.wait_for_state(id, "blocked")
        terminal = self.attach(id)
        terminal.wait_for("1  Yes")
        os.kill(terminal.pid, signal.SIGHUP)
        terminal.wait_end()
        self.assertEqual(self.wait_for_state(id, "blocked")["waitingFor"], "Bash touch made")

    def test_ctrl_c_interrupts_the_turn_and_not_the_session(self):
        id = self.begin("--permission-mode", "bypassPermissions", "wait", IS_SANDBOX="1")
        self.wait_for_file("begun")
        terminal = self.terminal("attach", id, env=self.env(IS_SANDBOX="1"))
        terminal.wait_for("Resumed")
        terminal.type("\x03")
        self.wait_until(lambda: self.jobs()[id]["state"] in ("idle", "failed"), "the turn goes on")
        terminal.type("say hello\r")
        terminal.wait_for("It is done.")

    def test_the_end_of_the_session_ends_it(self):
        id = self.begin("say hello")
        job = self.wait_for_state(id, "idle")
        terminal = self.attach(id)
        terminal.wait_for("Resumed")
        os.kill(job["pid"], signal.SIGKILL)
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn("The background session has ended.", terminal.text())
        self.assertEqual(self.jobs()[id]["state"], "failed")

    def test_the_end_of_the_supervisor_ends_it(self):
        id = self.begin("say hello")
        self.wait_for_state(id, "idle")
        terminal = self.attach(id)
        terminal.wait_for("Resumed")
        os.kill(self.supervisor(), signal.SIGKILL)
        terminal.wait_end()
        self.assertIn("The background session has ended.", terminal.text())

    def test_a_finished_session_is_started_again(self):
        self.idle = "0"
        id = self.begin("say hello")
        self.wait_for_state(id, "done")
        terminal = self.attach(id)
        terminal.wait_for("Resumed")
        terminal.type("once more\r")
        terminal.wait_for("Hello from the model.", after="once more")
        self.assertIn("pid", self.jobs()[id])  # it is not idle while somebody looks at it
        terminal.type("\x04")
        terminal.wait_end()
        self.wait_for_state(id, "done")

    def test_it_needs_a_terminal(self):
        ran = self.run_awl("attach", "x")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"needs a terminal", ran.stderr)


class Handover(Background):
    """/bg: from the terminal into the background."""

    def test_a_session_goes_on_in_the_background(self):
        terminal = self.terminal(env=self.env())
        terminal.wait_for("should be done?")
        terminal.type("/bg\r")
        terminal.wait_for("Nothing has been said yet")
        terminal.type("say hello\r")
        terminal.wait_for("Hello from the model.")
        terminal.wait_for("tokens in")
        terminal.type("\x1b[Z")  # shift+tab: another permission mode
        terminal.wait_for("edits")
        terminal.type("/bg and go on\r")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn("Started background session", terminal.text())
        (id,) = self.jobs()
        job = self.wait_for_state(id, "idle")
        self.assertEqual(job["prompt"], "say hello")
        said = self.ok("logs", id)
        self.assertLess(said.index("say hello"), said.index("and go on"))
        self.ok("agents", "reply", id, "edit")
        self.wait_for_file("edited")
        again = self.terminal("attach", id, env=self.env())
        again.wait_for("say hello")
        again.type("/bg\r")
        self.assertEqual(again.wait_end(), 0)
        self.assertIn("continues in the background", again.text())

    def test_a_title_is_known_to_resume(self):
        id = self.begin("--name", "the fixer", "say hello")
        self.wait_for_state(id, "idle")
        self.ok("stop", id)
        self.assertEqual(self.run_awl("-p", "--resume", "the fixer", "hi").returncode, 0)
