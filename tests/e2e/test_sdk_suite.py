"""awl driven by the unmodified Agent SDK: every option, every method, every entry point (tests/e2e/sdk).

A subject is a table of cases in a file of its own. All lines that awl writes in a case are checked against
the type declarations of the installed SDK."""

import functools
import json
import os
import subprocess
import unittest

from rig import AWL

HERE = os.path.dirname(os.path.abspath(__file__))
SDK = os.environ.get("AWL_AGENT_SDK", os.path.join(HERE, "../../.deps/agent-sdk"))
SUBJECTS = ("checks", "launch", "initialize", "agents", "settings", "models", "permissions", "sessions", "prompts",
            "stream", "methods", "mcp", "undo", "plugins", "later", "entries", "project")

# Messages that the cases must have brought about, or the check of their members says nothing.
KINDS = {"system/init", "assistant", "user", "stream_event", "result/success", "result/error_during_execution",
         "result/error_max_turns", "result/error_max_budget_usd", "system/status", "system/api_retry",
         "system/permission_denied", "system/session_state_changed", "system/model_fallback",
         "control_request/can_use_tool", "control_cancel_request", "control_response", "rate_limit_event", "answer/initialize",
         "answer/get_context_usage"}


def node(*argv):
    return subprocess.run(["node", *argv], capture_output=True, text=True, check=False)


@functools.cache
def outcome(subject):
    """Runs a subject once: its cases, and what they exercised."""
    ran = node(os.path.join(HERE, "sdk/run.mjs"), SDK, AWL, subject)
    if ran.returncode:
        raise AssertionError(ran.stdout + ran.stderr)
    *cases, exercised = [json.loads(line) for line in ran.stdout.splitlines()]
    return cases, exercised


def exercised(what):
    return {name for subject in SUBJECTS for name in outcome(subject)[1][what]}


@unittest.skipUnless(os.path.exists(os.path.join(SDK, "sdk.mjs")), "the Agent SDK is not there")
class Suite(unittest.TestCase):
    def run_subject(self, subject):
        cases, _ = outcome(subject)
        self.assertTrue(cases)
        for case in cases:
            with self.subTest(case["name"]):
                self.assertIsNone(case["why"], case["why"])

    def test_every_option_and_method_of_the_installed_sdk_is_exercised(self):
        members = json.loads(node(os.path.join(HERE, "sdk/checklist.mjs"), SDK).stdout)
        self.assertGreater(len(members["options"]), 60)
        self.assertGreater(len(members["methods"]), 25)
        self.assertEqual(set(members["options"]) - exercised("options"), set())
        self.assertEqual(set(members["methods"]) - exercised("methods"), set())

    def test_the_messages_that_are_checked_are_there(self):
        self.assertEqual(KINDS - exercised("kinds"), set())

    def test_every_subject_is_in_the_list(self):
        tools = {"harness", "declarations", "messages", "run", "checklist"}
        files = {name[:-4] for name in os.listdir(os.path.join(HERE, "sdk")) if name.endswith(".mjs")}
        self.assertEqual(files - tools, set(SUBJECTS))


def add_subject(name):
    setattr(Suite, f"test_{name}", lambda self: self.run_subject(name))


for subject_name in SUBJECTS:
    add_subject(subject_name)

if __name__ == "__main__":
    unittest.main()
