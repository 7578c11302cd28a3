"""The command lines of the Agent SDK: each flag it sends, as one argument and as two."""

import json
import os
import re

from rig import Modelled
from test_print_stream import SDK

UUID = "11111111-2222-4333-8444-555555555555"
SCHEMA = json.dumps({"type": "object", "properties": {"n": {"type": "number"}}})

# What the SDK sends for its options. These start a session.
VALUES = [
    ("--thinking", "adaptive"), ("--thinking", "disabled"), ("--max-thinking-tokens", "2000"),
    ("--thinking-display", "summarized"), ("--thinking-display", "omitted"), ("--effort", "high"), ("--max-turns", "3"),
    ("--max-budget-usd", "0.5"), ("--task-budget", "5000"), ("--model", "haiku"), ("--fallback-model", "sonnet,haiku"),
    ("--betas", "context-1m-2025-08-07"), ("--json-schema", SCHEMA), ("--permission-prompt-tool", "stdio"),
    ("--permission-prompt-tool", "mcp__a__b"),
    ("--permission-prompts", "none"), ("--permission-prompts", "host"), ("--session-id", UUID),
    ("--allowedTools", "Read,Bash(git log:*)"), ("--disallowedTools", "Bash(rm -rf:*),WebFetch"), ("--tools", "Read,Bash"),
    ("--tools", ""), ("--tools", "default"), ("--mcp-config", '{"mcpServers":{}}'), ("--setting-sources", "user,project"),
    ("--setting-sources", ""), ("--settings", '{"model":"haiku"}'),
    ("--managed-settings", '{"permissions":{"deny":["Bash"]}}'), ("--permission-mode", "acceptEdits"),
    ("--permission-mode", "plan"), ("--add-dir", "/tmp"), ("--plugin-dir", "/tmp"), ("--plugin-dir-no-mcp", "/tmp"),
    ("--project-config-root", "/tmp"),
]
SWITCHES = ["--fork-session", "--no-session-persistence", "--session-mirror", "--strict-mcp-config",
            "--allow-dangerously-skip-permissions", "--include-partial-messages", "--include-hook-events", "--debug",
            "--replay-user-messages", "--await-initialize"]

# These are known and refused, with the reason.
REFUSED = [("--resume-drops-turn", UUID), ("--permission-prompts", "ask"), ("--resume-session-at", UUID)]
REFUSED_SWITCHES = ["--await-claim"]


class Argv(Modelled):
    def start_up(self, *flags):
        """A session without a prompt."""
        return self.awl(*SDK, *flags, stdin=b"", env=self.modelled(IS_SANDBOX="1"))

    def setUp(self):
        super().setUp()
        self.serve("reply forever\n  text Done\n")

    def test_a_value_is_part_of_the_flag_or_the_next_argument(self):
        for flag, value in VALUES:
            for argv in ([f"{flag}={value}"], [flag, value]):
                with self.subTest(argv):
                    ran = self.start_up(*argv)
                    self.assertEqual((ran.returncode, ran.stdout), (0, b""), ran.stderr)

    def test_switches_have_no_value(self):
        for flag in SWITCHES:
            with self.subTest(flag):
                ran = self.start_up(flag)
                self.assertEqual((ran.returncode, ran.stdout), (0, b""), ran.stderr)

    def test_what_cannot_be_done_is_refused_with_its_reason(self):
        for flag, value in REFUSED:
            for argv in ([f"{flag}={value}"], [flag, value]):
                with self.subTest(argv):
                    ran = self.start_up(*argv)
                    self.assertEqual((ran.returncode, ran.stdout), (1, b""))
                    self.assertNotIn(b"unknown option", ran.stderr)
                    self.assertRegex(ran.stderr, re.escape(flag[2:]).encode())

    def test_switches_that_cannot_be_honoured_are_refused_with_their_reason(self):
        for flag in REFUSED_SWITCHES:
            ran = self.start_up(flag)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""))
            self.assertRegex(ran.stderr, rf"option '{flag}' is not supported: \w+".encode())

    def talk(self, *flags):
        prompt = json.dumps({"type": "user", "message": {"role": "user", "content": "go"}}).encode()
        ran = self.awl(*SDK, *flags, stdin=prompt, env=self.modelled())
        return ran.returncode, json.loads(ran.stdout.splitlines()[-1])

    def test_sessions_are_continued_and_resumed_in_both_spellings(self):
        status, first = self.talk("--continue")  # there is none yet
        self.assertEqual(status, 0)
        uuid = first["session_id"]
        for argv in (["--continue"], [f"--resume={uuid}"], ["--resume", uuid]):
            status, result = self.talk(*argv)
            self.assertEqual((status, result["session_id"]), (0, uuid))
        for argv in ([f"--resume={uuid}", "--fork-session"], ["--continue", "--fork-session"]):
            status, result = self.talk(*argv)
            self.assertEqual(status, 0)
            self.assertNotEqual(result["session_id"], uuid)

    def test_a_resumed_session_is_cut_where_it_is_told_in_both_spellings(self):
        _, first = self.talk()
        uuid = first["session_id"]
        path = next(os.path.join(folder, name) for folder, _, names in os.walk(self.home) for name in names
                    if name == f"{uuid}.jsonl")
        with open(path, encoding="utf-8") as file:
            answer = [json.loads(line) for line in file if '"assistant"' in line][-1]["uuid"]
        self.talk(f"--resume={uuid}")
        for argv in ([f"--resume-session-at={answer}"], ["--resume-session-at", answer]):
            status, _ = self.talk("--resume", uuid, "--fork-session", *argv)
            roles = [message["role"] for message in self.requests()[-1]["messages"]]
            self.assertEqual((status, roles), (0, ["user", "assistant", "user"]))

    def test_a_session_that_is_not_there_is_an_error_result(self):
        status, result = self.talk(f"--resume={UUID}")
        self.assertEqual((status, result["subtype"], result["errors"]),
                         (1, "error_during_execution", [f"No conversation found with session ID: {UUID}"]))

    def test_the_debug_log_goes_to_the_file_in_both_spellings(self):
        for at, argv in enumerate((["--debug-file={}"], ["--debug-file", "{}"])):
            path = os.path.join(self.home, f"log{at}")
            ran = self.start_up(*[word.format(path) for word in argv])
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"", b""))
            with open(path, encoding="utf-8") as file:
                self.assertIn("session", file.read())

    def test_both_spellings_mean_the_same(self):
        prompt = json.dumps({"type": "user", "message": {"role": "user", "content": "go"}}).encode()
        for flags in (["--model", "haiku"], ["--effort", "low"], ["--max-thinking-tokens", "2000"], ["--tools", "Read"],
                      ["--append-system-prompt", "Be kind."]):
            bodies = []
            for argv in (flags, ["=".join(flags)]):
                ran = self.awl(*SDK, *argv, stdin=prompt, env=self.modelled())
                self.assertEqual(ran.returncode, 0, ran.stderr)
                bodies.append({key: value for key, value in self.requests()[-1].items() if key != "metadata"})
            self.assertEqual(bodies[0], bodies[1])

    def test_an_unknown_flag_ends_it_before_it_begins(self):
        for argv in (["--no-such-flag"], ["--no-such-flag=1"], ["--no-such-flag", "1"]):
            ran = self.start_up(*argv)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""))
            self.assertIn(b"--no-such-flag", ran.stderr)
        self.assertEqual(self.requests(), [])
