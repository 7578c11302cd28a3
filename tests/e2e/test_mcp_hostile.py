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
    def call(self, *names, given="{}", **env):
        """One reply with all calls, then one with `echo`; returns the results by the name of the tool."""
        self.serve("reply\n" + "".join(f"  tool mcp__bad__{name} {given}\n" for name in names) +
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
            events = self.events = [json.loads(line) for line in out]
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

    def warnings(self):
        return [event["content"] for event in self.events if event.get("subtype") == "informational"]

    def offered(self):
        return [name[len("mcp__bad__"):] for name in self.events[0]["tools"] if name.startswith("mcp__bad__")]

    def test_answers_that_are_nearly_right_are_taken(self):
        results = self.call("quoted", "both", "nothing")
        self.assertEqual(results["quoted"], "quoted", "the id of the request came back as a string")
        self.assertEqual(results["both"], "both at once")
        self.assertEqual(results["nothing"], "(no content)")

    def test_a_server_that_dies_in_the_middle_of_an_answer_starts_again(self):
        self.assertEqual(self.call("half")["half"], "Connection closed")

    def test_a_storm_of_changes_neither_keeps_it_from_connecting_nor_awl_busy(self):
        self.call("first", "second", MODE="storm", MCP_LISTS=self.path("lists"))
        self.assertIn("echo", self.offered())
        with open(self.path("lists"), encoding="ascii") as file:
            self.assertLess(len(file.readlines()), 30)

    def test_a_list_that_leads_back_to_itself_is_read_once(self):
        self.call("first", "second", MODE="round", MCP_LISTS=self.path("lists"))
        with open(self.path("lists"), encoding="ascii") as file:
            self.assertEqual(len(file.readlines()), 2)

    def test_names_and_descriptions_have_nothing_that_no_screen_shows(self):
        self.call("first", "second", MODE="names")
        self.assertEqual([name for name in self.offered() if name not in ("first", "second") and name.startswith(
            ("a", "ech", "_"))], ["______etc_passwd", "a__31mred_", "ech_", "echo", "echo_"])
        self.assertIn("A tool of MCP server bad is skipped: it has no name", self.warnings())
        self.assertIn("A tool of MCP server bad is skipped: echo: another one has the same name", self.warnings())

    def test_thousands_of_tools_that_cannot_be_used_are_few_warnings(self):
        self.call("first", "second", MODE="nameless")
        self.assertEqual(len(self.warnings()), 6)
        self.assertEqual(self.warnings()[5], "4995 more tools of MCP server bad are skipped")

    def test_what_no_screen_shows_is_left_out_of_schemas(self):
        self.call("first", "second", MODE="hidden", ENABLE_TOOL_SEARCH="false")
        tools = {tool["name"]: tool for tool in self.requests()[0]["tools"]}
        self.assertEqual(tools["mcp__bad__hidden"]["input_schema"]["properties"], {"p": {"description": "seen"}})

    def test_a_schema_of_megabytes_costs_its_tool_alone(self):
        self.call("first", "second", MODE="huge")
        self.assertNotIn("big", self.offered())
        self.assertIn('A tool of MCP server bad is skipped: big: its "inputSchema" is longer than 128 KiB', self.warnings())

    def test_schemas_that_go_round_in_circles_or_lead_elsewhere_end(self):
        given = '{"n":{"next":{"next":{}}},"self":{},"file":1,"http":2}'
        results = self.call("loops", "elsewhere", given=given, MODE="loops")
        self.assertEqual((results["loops"], results["elsewhere"]), ("loops", "elsewhere"))
        self.assertIn("`x` takes too long to check", self.call("loops", given='{"x":"y"}', MODE="loops")["loops"])
        given = json.dumps({"slow": "a" * 40 + "!"})
        self.assertIn("`slow` takes too long to check", self.call("loops", given=given, MODE="loops")["loops"])

    def test_a_list_that_fails_is_reported(self):
        self.serve('reply\n  text "Done."\n')
        config = json.dumps({"mcpServers": {"bad": {"command": sys.executable, "args": [SERVER]}}})
        ran = self.print("go", "--mcp-config", config, MODE="failing")
        self.assertIn("MCP server bad is connected, but does not list its tools: database locked", ran.stderr.decode())

    def test_an_answer_to_initialize_that_is_none_is_reported(self):
        self.serve('reply\n  text "Done."\n')
        config = json.dumps({"mcpServers": {"bad": {"command": sys.executable, "args": [SERVER]}}})
        ran = self.print("go", "--mcp-config", config, MODE="mute")
        self.assertIn("MCP server bad is not connected: its answer to initialize names no protocolVersion", ran.stderr.decode())

    def test_a_server_that_asks_all_the_time_is_few_warnings(self):
        self.call("first", "second", MODE="curious")
        self.assertLessEqual(len(self.warnings()), 12, "before the turn and in it")
        self.assertIn("are refused without a notice", self.warnings()[5])


if __name__ == "__main__":
    unittest.main()
