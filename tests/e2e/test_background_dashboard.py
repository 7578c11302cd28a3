"""awl agents: the background sessions on a screen."""

import os
import signal
import subprocess
import time

from background_rig import Background
from rig import PATIENCE


class Dashboard(Background):
    def open(self, **kind):
        terminal = self.terminal("agents", env=self.env(), **kind)
        terminal.wait_for("q quit")
        return terminal

    def wait_gone(self, terminal, text):
        """Reads until the screen does not show the text any more."""
        while text in terminal.text():
            terminal._read(time.monotonic() + PATIENCE)

    @staticmethod
    def under_cursor(terminal):
        return "".join(line for line in terminal.text().splitlines() if line.startswith("❯"))

    def leave(self, terminal, key="q"):
        terminal.type(key)
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn(b"\x1b[?1049l", terminal.bytes)

    def test_sessions_appear_change_and_go_while_one_looks(self):
        terminal = self.open()
        self.assertIn("There are no background sessions", terminal.text())
        id = self.begin("--name", "fixer", "touch it")
        terminal.wait_for("fixer")
        terminal.wait_for("needs input")
        self.ok("agents", "answer", id, "yes")
        terminal.wait_for("It is done.")
        terminal.wait_for("idle")
        self.ok("agents", "rm", id)
        terminal.wait_for("There are no background sessions")
        self.leave(terminal)

    def test_a_question_is_shown_and_answered_yes(self):
        id = self.begin("touch it")
        terminal = self.open()
        terminal.wait_for("touch made")
        terminal.wait_for("y yes")
        terminal.type("y")
        terminal.wait_for("It is done.")
        self.assertTrue(os.path.exists(self.path("made")))
        self.wait_for_state(id, "idle")
        self.assertNotIn("y yes", terminal.text())

    def test_no_with_a_reason_reaches_the_model(self):
        self.begin("touch it")
        terminal = self.open()
        terminal.wait_for("y yes")
        terminal.type("n")
        terminal.wait_for("Why not?")
        terminal.type("use another name\r")
        terminal.wait_for("idle")
        self.assertFalse(os.path.exists(self.path("made")))
        self.assertIn("use another name", str(self.requests()[-1]["messages"][-1]))

    def test_always_is_not_asked_again(self):
        id = self.begin("touch it")
        terminal = self.open()
        terminal.wait_for("a always")
        terminal.type("a")
        terminal.wait_for("It is done.")
        os.unlink(self.path("made"))
        self.ok("agents", "reply", id, "touch it again")
        self.wait_for_file("made")

    def test_a_question_that_does_not_fit_is_not_answered_here(self):
        self.begin("long")
        terminal = self.open(rows=12)
        terminal.wait_for("needs input")
        self.assertNotIn("y yes", terminal.text())
        terminal.type("y")
        terminal.type("\r")  # attach
        terminal.wait_for("1  Yes")

    def test_a_reply_is_sent_and_wakes_a_finished_session(self):
        self.idle = "0"
        id = self.begin("say hello")
        self.wait_for_state(id, "done")
        terminal = self.open()
        terminal.wait_for("finished")
        terminal.type("r")
        terminal.wait_for("enter to send")
        terminal.type("once more\r")
        self.wait_until(lambda: "once more" in self.ok("agents", "logs", id), "it is not sent")
        self.leave(terminal)

    def test_enter_attaches_and_leaving_comes_back(self):
        self.begin("say hello")
        terminal = self.open()
        terminal.wait_for("idle")
        terminal.type("\r")
        terminal.wait_for("Resumed")
        terminal.type("and more\r")
        terminal.wait_for("$0.04")
        terminal.type("\x04")
        while terminal.bytes.count(b"\x1b[?1049h") < 2:  # until the list is back
            terminal._read(time.monotonic() + PATIENCE)
        terminal.wait_for("$0.04")
        self.leave(terminal)

    def test_stop_and_remove(self):
        id = self.begin("say hello")
        terminal = self.open()
        terminal.wait_for("idle")
        terminal.type("s")
        terminal.wait_for("stopped")
        terminal.type("d")
        terminal.wait_for("Press d again")
        terminal.type("j")  # another key: not removed
        self.wait_gone(terminal, "Press d again")
        self.assertIn(id, self.jobs())
        terminal.type("d")
        terminal.wait_for("Press d again")
        terminal.type("d")
        terminal.wait_for("There are no background sessions")
        self.leave(terminal)

    def test_the_cursor_stays_on_its_session(self):
        self.begin("--name", "older", "say hello")
        self.begin("--name", "younger", "say hello")
        terminal = self.open()
        terminal.wait_for("older")
        terminal.type("j")
        while "older" not in self.under_cursor(terminal):
            terminal._read(time.monotonic() + PATIENCE)
        self.begin("--name", "third", "say hello")
        terminal.wait_for("third")
        self.assertIn("older", self.under_cursor(terminal))

    def test_two_dashboards_see_the_same(self):
        self.begin("touch it")
        first, second = self.open(), self.open(rows=30, cols=120)
        first.wait_for("y yes")
        second.wait_for("y yes")
        first.type("y")
        second.wait_for("It is done.")
        self.leave(first, "\x03")
        self.leave(second, "\x1b")

    def test_a_killed_session_and_a_killed_supervisor_are_seen(self):
        id = self.begin("say hello")
        job = self.wait_for_state(id, "idle")
        terminal = self.open()
        os.kill(job["pid"], signal.SIGKILL)
        terminal.wait_for("its process was ended by signal 9")
        self.ok("agents", "respawn", id)
        terminal.wait_for("idle")
        os.kill(self.supervisor(), signal.SIGKILL)
        terminal.wait_for("The supervisor was ended")
        terminal.wait_for("finished")
        self.leave(terminal)

    def test_a_terminal_that_vanishes_ends_the_dashboard_alone(self):
        id = self.begin("say hello")
        self.wait_for_state(id, "idle")
        terminal = self.open()
        os.kill(terminal.pid, signal.SIGHUP)
        terminal.wait_end()
        self.assertIn("pid", self.jobs()[id])

    def test_nothing_is_drawn_and_nobody_wakes_up_while_nothing_happens(self):
        id = self.begin("say hello")
        self.wait_for_state(id, "idle")
        terminal = self.open()

        def switches():
            found = []
            for pid in (terminal.pid, self.supervisor()):
                with open(f"/proc/{pid}/status", encoding="utf-8") as file:
                    found += [line for line in file if "ctxt_switches" in line]
            return found

        def is_calm():
            before = switches()
            subprocess.run(["sleep", "0.3"], check=True)
            return switches() == before

        self.wait_until(is_calm, "it wakes up again and again")

    def test_in_a_pipe_it_is_a_list(self):
        id = self.begin("say hello")
        self.assertIn(id, self.ok("agents"))
        self.assertIn(id, self.ok("agents", "--json"))

    def test_answers_from_a_script(self):
        id = self.begin("touch it")
        self.wait_for_state(id, "blocked")
        self.assertEqual(self.run_awl("agents", "answer", id, "perhaps").returncode, 1)
        self.ok("agents", "answer", id, "no", "not", "now")
        self.wait_for_state(id, "idle")
        self.assertIn("not now", str(self.requests()[-1]["messages"][-1]))
        ran = self.run_awl("agents", "answer", id, "yes")
        self.assertIn(b"does not wait for an answer", ran.stderr)
