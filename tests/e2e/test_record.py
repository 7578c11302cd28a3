"""A run is written down, and runs again without a network."""

import json
import os
import unittest

from test_model_server import Server

SECRET = "sk-ant-never-write-this-down"


class Recording(Server):
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

    def test_a_recorded_answer_is_given_again_without_server_or_key(self):
        first = self.record('reply\n  text "Hello from \u20ac."\n  split every 1\n', "hello")
        self.assertEqual((first.returncode, first.stdout.decode()), (0, "Hello from \u20ac.\n"))
        again = self.replay("hello")
        self.assertEqual((again.returncode, again.stdout), (0, first.stdout))
        timed = self.replay("hello", "--replay-speed", "recorded")
        self.assertEqual((timed.returncode, timed.stdout), (0, first.stdout))

    def test_a_recording_is_private_and_holds_no_key(self):
        self.record(f'reply\n  header x-echo: {SECRET}\n  text Thanks\n', f"my key is {SECRET}")
        self.assertEqual(os.stat(self.tape).st_mode & 0o777, 0o600)
        with open(self.tape, encoding="utf-8") as file:
            self.assertNotIn(SECRET, file.read())
        self.assertIn(["x-api-key", "[redacted]"], self.lines()[1]["headers"])

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

    def test_what_is_no_recording_is_told_with_its_line(self):
        with open(self.tape, "w", encoding="utf-8") as file:
            file.write('{"type":"recording","version":1}\nhello\n')
        ran = self.replay("hello")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"tape:2: ", ran.stderr)


class Demo(Server):
    def test_without_a_model_the_answer_says_that_it_is_none(self):
        ran = self.awl("-p", "hello")
        self.assertEqual(ran.returncode, 0)
        self.assertIn(b"No model is configured", ran.stdout)


if __name__ == "__main__":
    unittest.main()
