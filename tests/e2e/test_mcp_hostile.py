"""MCP servers that misbehave. Whatever they do, the model gets an answer to each call, the session goes on, and awl stays
small."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from rig import AWL, Modelled

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_hostile_server.py")


class McpHostile(Modelled):
    def call(self, *names, **env):
        """One reply with all calls, then one with `echo`; returns the results by the name of the tool."""
        self.serve("reply\n" + "".join(f"  tool mcp__bad__{name} {{}}\n" for name in names) +
                   'reply\n  tool mcp__bad__echo {}\nreply\n  text "Done."\n')
        config = json.dumps({"mcpServers": {"bad": {"command": sys.executable, "args": [SERVER]}}})
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen([AWL, "-p", "go", "--mcp-config", config, "--allowedTools", "mcp__bad",
                                        "--output-format", "stream-json", "--verbose"], stdin=subprocess.DEVNULL,
                                       stdout=out, cwd=self.cwd, env=self.environment(**self.modelled(**env)))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.kilobytes = usage.ru_maxrss
            out.seek(0)
            events = [json.loads(line) for line in out]
        self.assertEqual(events[-1].get("result"), "Done.")
        asked = {block["id"]: block["name"][len("mcp__bad__"):] for event in events if event["type"] == "assistant"
                 for block in event["message"]["content"] if block["type"] == "tool_use"}
        results = [(asked[block["tool_use_id"]], block["content"]) for event in events if event["type"] == "user"
                   for block in event["message"]["content"] if block["type"] == "tool_result"]
        self.assertEqual(results[-1], ("echo", "echo"))
        return dict(results)

    def test_a_flood_of_stderr_is_cut(self):
        self.assertEqual(self.call("stderr")["stderr"], "after the flood")

    def test_answers_out_of_order_reach_their_calls(self):
        results = self.call("first", "second")
        self.assertEqual((results["first"], results["second"]), ("first", "second"))

    def test_a_call_that_is_never_answered_times_out(self):
        self.assertIn('MCP server "bad" tool "never" timed out after', self.call("never", MCP_TOOL_TIMEOUT="300")["never"])

    def test_a_result_of_100_megabytes_fails_its_call_alone_and_is_never_held(self):
        self.assertIn("message of more than 16 MiB", self.call("huge")["huge"])
        self.assertLess(self.kilobytes, 90 << 10, "the most that awl or the server took")

    def test_a_notification_of_100_megabytes_ends_the_server_which_starts_again(self):
        self.assertIn("Connection closed", self.call("huge_notice")["huge_notice"] or "")

    def test_lines_that_are_not_json_are_dropped(self):
        self.assertEqual(self.call("invalid")["invalid"], "after nonsense")

    def test_answers_that_nobody_waits_for_are_dropped(self):
        results = self.call("stranger", "twice")
        self.assertEqual((results["stranger"], results["twice"]), ("mine", "one"))

    def test_json_that_is_too_deep_is_an_error_and_not_a_crash(self):
        self.assertTrue(self.call("deep", MCP_TOOL_TIMEOUT="2000")["deep"])


if __name__ == "__main__":
    unittest.main()
