"""--await-initialize: the first line of the input names plugins that the session opens with."""

import json
import os
import subprocess

from rig import PATIENCE, Modelled
from test_print_stream import SDK, control, user

AWAIT = [*SDK, "--await-initialize"]


class AwaitInitialize(Modelled):
    def setUp(self):
        super().setUp()
        self.serve("reply forever\n  text Done\n")

    def plugin(self, name):
        path = os.path.join(self.cwd, name)
        os.makedirs(os.path.join(path, "commands"))
        with open(os.path.join(path, "commands", "hello.md"), "w", encoding="utf-8") as file:
            file.write("Greet $1.\n")
        return path

    def talk(self, stdin, *args):
        ran = self.awl(*AWAIT, *args, stdin=stdin, env=self.modelled())
        return ran, [json.loads(line) for line in ran.stdout.splitlines()]

    @staticmethod
    def lines(*messages):
        return b"".join(json.dumps(m).encode() + b"\n" for m in messages)

    def test_what_comes_with_the_first_line_is_read_after_it(self):
        plugins = [{"type": "local", "path": self.plugin("one")}]
        ran, events = self.talk(self.lines(control("initialize", plugins=plugins), user("/one:hello Ada")),
                                "--plugin-dir", self.plugin("two"))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertTrue(events[0]["response"]["response"]["plugins_applied"])
        init = next(e for e in events if e.get("subtype") == "init")
        self.assertEqual(sorted(p["name"] for p in init["plugins"]), ["one", "two"])
        self.assertIn("Greet Ada.", json.dumps(self.requests()[-1]["messages"]))

    def test_a_first_line_may_come_in_pieces(self):
        process = self.start(*AWAIT, stdin=subprocess.PIPE)
        line = self.lines(control("initialize", title="x" * 200000))
        for part in (line[:7], line[7:100000], line[100000:]):
            process.stdin.write(part)
            process.stdin.flush()
        self.assertEqual(json.loads(process.stdout.readline())["type"], "control_response")
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_anything_else_in_the_first_line_starts_no_session(self):
        for first in (user("go"), control("interrupt"), {"type": "keep_alive"}):
            self.refuses(self.lines(first, control("initialize")))
        for text in (b"no json\n", b"\n", b'{"type":"control_request"', b"[]\n"):
            self.refuses(text)

    def refuses(self, stdin):
        with self.subTest(stdin=stdin):
            ran, events = self.talk(stdin)
            self.assertEqual((ran.returncode, len(events)), (1, 1), ran.stderr)
            self.assertEqual((events[0]["subtype"], events[0]["startup_failure_reason"]),
                             ("error_during_execution", "initialize_not_first"))
            self.assertIn("must be the initialize request", events[0]["errors"][0])
            self.assertIn(b"must be the initialize request", ran.stderr)

    def test_a_list_that_is_wrong_is_refused_and_loads_nothing(self):
        path = self.plugin("one")
        for plugins in ({}, [{"type": "remote", "path": path}], [{"type": "local", "path": path}, {}]):
            with self.subTest(plugins=plugins):
                _, events = self.talk(self.lines(control("initialize", plugins=plugins), user("go")))
                self.assertEqual(events[0]["response"]["subtype"], "error")
                self.assertIn("plugin", events[0]["response"]["error"])
                self.assertEqual(next(e for e in events if e.get("subtype") == "init")["plugins"], [])

    def test_without_the_flag_the_list_loads_nothing_and_says_so(self):
        plugins = [{"type": "local", "path": self.plugin("one")}]
        ran = self.awl(*SDK, stdin=self.lines(control("initialize", plugins=plugins)), env=self.modelled())
        self.assertIs(json.loads(ran.stdout.splitlines()[0])["response"]["response"]["plugins_applied"], False)

    def test_it_needs_input_in_lines(self):
        ran = self.print("hi", "--await-initialize")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"--input-format stream-json", ran.stderr)
