"""A run is written down, and runs again without a network."""

import json
import os
import shutil
import subprocess
import time
import unittest

from test_model_server import Server

SECRET = "sk-ant-never-write-this-down"
GIT_DEADLINE = 2  # seconds; then a session goes without


class Taped(Server):
    """A test with a file to record into."""

    def setUp(self):
        super().setUp()
        self.tape = os.path.join(self.root, "tape")

    def record(self, script, *args):
        """Runs awl against a server that plays `script`, and stops that."""
        port = self.serve(script)
        ran = self.awl("-p", *args, "--record", self.tape, env={
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}", "ANTHROPIC_API_KEY": SECRET})
        self.stop()
        return ran

    def replay(self, *args):
        return self.awl("-p", *args, "--replay", self.tape)

    def lines(self):
        with open(self.tape, encoding="utf-8") as file:
            return [json.loads(line) for line in file]


class Recording(Taped):
    def test_a_recorded_answer_is_given_again_without_server_or_key(self):
        first = self.record('reply\n  text "Hello from \u20ac."\n  split every 1\n', "hello")
        self.assertEqual((first.returncode, first.stdout.decode()), (0, "Hello from \u20ac.\n"))
        again = self.replay("hello")
        self.assertEqual((again.returncode, again.stdout), (0, first.stdout))
        timed = self.replay("hello", "--replay-speed", "recorded")
        self.assertEqual((timed.returncode, timed.stdout), (0, first.stdout))

    def test_a_recording_is_private_and_holds_no_key(self):
        self.record(f'reply\n  header x-echo: {SECRET}\n  text Thanks\n', f"my key is {SECRET}")
        request = next(line for line in self.lines() if line["type"] == "request")
        self.assertEqual(os.stat(self.tape).st_mode & 0o777, 0o600)
        with open(self.tape, encoding="utf-8") as file:
            self.assertNotIn(SECRET, file.read())
        self.assertIn(["x-api-key", "[redacted]"], request["headers"])

    def test_a_failure_is_recorded_and_fails_again_the_same_way(self):
        first = self.record('fail 400 invalid_request_error "No such thing"\n', "hello")
        again = self.replay("hello")
        self.assertEqual((first.returncode, again.returncode), (1, 1))
        self.assertIn(b"No such thing", first.stderr)
        self.assertEqual(again.stderr, first.stderr)

    def test_a_broken_stream_and_its_second_try_are_replayed(self):
        first = self.record("reply\n  text Hello\n  reset after 500\nreply\n  text Hello\n", "hi")
        self.assertEqual((first.returncode, first.stdout), (0, b"Hello\n"))
        ends = [line for line in self.lines() if line["type"] == "end"]
        self.assertEqual(ends[0]["error"]["kind"], "reset")
        self.assertNotIn("error", ends[1])
        again = self.replay("hi")
        self.assertEqual((again.returncode, again.stdout), (0, b"Hello\n"))

    def test_another_request_is_refused_with_what_differs(self):
        self.record("reply\n  text Hello\n", "hello")
        ran = self.replay("hello you")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b'recorded "hello", now "hello you"', ran.stderr)

    def test_the_whole_difference_is_an_event(self):
        self.record("reply\n  text Hello\n", "hello")
        ran = self.replay("hello you", "--output-format", "stream-json", "--verbose")
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        notes = [event["content"] for event in events if event.get("subtype") == "informational"]
        self.assertEqual(len(notes), 1)
        self.assertIn("--- recorded\n+++ now\n@@ ", notes[0])
        self.assertRegex(notes[0], r'\n- +"text": "hello",\n\+ +"text": "hello you",\n')
        self.assertEqual(events[-1]["type"], "result")
        self.assertTrue(events[-1]["is_error"])

    def test_what_is_no_recording_is_told_with_its_line(self):
        with open(self.tape, "w", encoding="utf-8") as file:
            file.write('{"type":"recording","version":1}\nhello\n')
        ran = self.replay("hello")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"tape:2: ", ran.stderr)


class RecordedSession(Taped):
    """A session with tools, recorded in one repository and replayed in another."""

    SCRIPT = ('reply\n  tool Bash {"command": "cat greeting"}\n'
              'reply\n  text "It says hello."\n')

    def setUp(self):
        super().setUp()
        self.write("greeting", "hello\n")
        self.git("init", "-q", "-b", "trunk")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "First")

    def write(self, name, text):
        with open(os.path.join(self.cwd, name), "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *args):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *args], cwd=self.cwd,
                       env=self.environment(), check=True, capture_output=True)

    def environment(self, **extra):
        return super().environment(**{"TZ": "UTC0", **extra})

    def move(self):
        """To a copy of the repository that stands differently."""
        elsewhere = os.path.join(self.root, "elsewhere")
        shutil.copytree(self.cwd, elsewhere)
        self.cwd = elsewhere
        self.git("checkout", "-q", "-b", "other")
        self.write("new", "not there before\n")

    def test_it_is_replayed_on_another_day_in_another_clone(self):
        first = self.record(self.SCRIPT, "what does it say?", "--allowedTools", "Bash")
        self.assertEqual((first.returncode, first.stdout), (0, b"It says hello.\n"))
        notes = [line for line in self.lines() if line["type"] == "note"]
        self.assertEqual([note["name"] for note in notes], ["surroundings"])
        self.assertIn("trunk", notes[0]["text"])
        self.move()
        again = self.awl("-p", "what does it say?", "--allowedTools", "Bash", "--replay", self.tape,
                         env={"TZ": "TOMORROW-24"})
        self.assertEqual((again.returncode, again.stdout, again.stderr), (0, first.stdout, b""))

    def test_a_replay_can_be_recorded_and_replayed_again(self):
        self.record(self.SCRIPT, "what does it say?", "--allowedTools", "Bash")
        self.move()
        copy = os.path.join(self.root, "copy")
        self.replay("what does it say?", "--allowedTools", "Bash", "--record", copy)
        self.tape = copy
        self.write("another", "file\n")
        again = self.replay("what does it say?", "--allowedTools", "Bash")
        self.assertEqual((again.returncode, again.stdout), (0, b"It says hello.\n"))

    def test_a_tool_that_answers_differently_stops_it(self):
        self.record(self.SCRIPT, "what does it say?", "--allowedTools", "Bash")
        self.write("greeting", "good bye\n")
        again = self.replay("what does it say?", "--allowedTools", "Bash")
        self.assertEqual(again.returncode, 1)
        self.assertIn(b'recorded "hello", now "good bye"', again.stderr)

    def replay_without_notes(self):
        """Records, and replays with the surroundings as they are now. On a busy machine git may
        have missed its deadline once, and at midnight the day is another: then again."""
        for _ in range(10):
            began, day = time.monotonic(), time.gmtime().tm_mday
            if os.path.exists(self.tape):
                os.remove(self.tape)
            self.record(self.SCRIPT, "what does it say?", "--allowedTools", "Bash")
            with open(self.tape, encoding="utf-8") as file:
                kept = [line for line in file if '"type":"note"' not in line]
            with open(self.tape, "w", encoding="utf-8") as file:
                file.writelines(kept)
            again = self.replay("what does it say?", "--allowedTools", "Bash")
            is_slow = time.monotonic() - began >= GIT_DEADLINE
            if again.returncode == 0 or (not is_slow and time.gmtime().tm_mday == day):
                break
        return again

    def test_without_its_notes_it_differs_in_what_changed(self):
        again = self.replay_without_notes()
        self.assertEqual((again.returncode, again.stdout), (0, b"It says hello.\n"), again.stderr)
        self.move()
        again = self.replay("what does it say?", "--allowedTools", "Bash")
        self.assertEqual(again.returncode, 1)
        self.assertIn(b"messages[0]", again.stderr)


class Demo(Server):
    def test_without_a_model_the_answer_says_that_it_is_none(self):
        ran = self.awl("-p", "hello", "--demo")
        self.assertEqual(ran.returncode, 0)
        self.assertIn(b"No model answers here", ran.stdout)


if __name__ == "__main__":
    unittest.main()
