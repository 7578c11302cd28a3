"""MCP servers that want to use the model: asked about, allowed by a rule, refused where nobody can be asked."""

import json

from emulated import Screen
from test_mcp_elicit import Asking

SCRIPT = """
reply forever when system contains terse
  text "Six words."
reply
  tool mcp__desk__sample {}
reply forever
  text "Done."
"""
RESULT = {"role": "assistant", "content": {"type": "text", "text": "Six words."}, "stopReason": "endTurn"}


class Samples(Asking):
    def sampled(self):
        """The request that was made for the server."""
        for request in self.requests():
            if "terse" in json.dumps(request.get("system")):
                return request
        return None

    def assertSampled(self):
        told = json.loads(self.told())
        self.assertTrue(told.pop("model"))
        self.assertEqual(told, RESULT)


class Scripted(Samples):
    def ask(self, *args, **env):
        self.serve(SCRIPT)
        ran = self.print("go", *self.args(**env), *args, "--output-format", "json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran

    def test_a_script_refuses_without_a_rule(self):
        ran = self.ask()
        self.assertIsNone(self.sampled())
        self.assertIn("User rejected sampling request", self.told())
        self.assertIn("McpSampling(NAME)", ran.stderr.decode())

    def test_a_rule_allows_one_server_in_both_eras(self):
        for era in ("old", "new"):
            ran = self.ask("--allowedTools", "McpSampling(desk)", MCP_ERA=era)
            self.assertSampled()
            request = self.sampled()
            self.assertEqual(request["max_tokens"], 200)
            self.assertEqual([block["text"] for block in request["messages"][0]["content"]], ["Sum up: one two three."])
            self.assertEqual(json.loads(ran.stdout)["num_turns"], 2)
        offered = self.received("tools/call")[0]["_meta"]["io.modelcontextprotocol/clientCapabilities"]
        self.assertEqual(offered["sampling"], {"tools": {}})

    def test_the_rule_of_another_server_does_not_help(self):
        self.ask("--allowedTools", "McpSampling(other)")
        self.assertIsNone(self.sampled())

    def test_what_it_costs_counts(self):
        without = json.loads(self.ask().stdout)["usage"]["output_tokens"]
        allowed = json.loads(self.ask("--allowedTools", "McpSampling(desk)").stdout)
        self.assertGreater(sum(m["outputTokens"] for m in allowed["modelUsage"].values()), without)

    def test_tools_and_limits_are_passed_on(self):
        asked = {"maxTokens": 1000000, "toolChoice": {"mode": "required"}, "stopSequences": ["END"],
                 "modelPreferences": {"hints": [{"name": "little"}]},
                 "tools": [{"name": "add", "description": "Adds.", "inputSchema": {"type": "object"}}],
                 "messages": [{"role": "user", "content": [{"type": "text", "text": "Add 1 and 2."}]},
                              {"role": "assistant", "content": {"type": "tool_use", "id": "t1", "name": "add",
                                                                "input": {"a": 1}}},
                              {"role": "user", "content": {"type": "tool_result", "toolUseId": "t1", "content": [
                                  {"type": "text", "text": "3"}]}}]}
        self.serve('reply forever when system contains terse\n  tool add {"a": 3}\n'
                   f'reply\n  tool mcp__desk__sample {json.dumps(asked)}\nreply forever\n  text "Done."\n')
        self.print("go", *self.args(), "--allowedTools", "McpSampling(desk)", ANTHROPIC_SMALL_FAST_MODEL="little-one")
        request, told = self.sampled(), json.loads(self.told())
        self.assertEqual(request["max_tokens"], 8192)
        self.assertEqual((request["model"], request["stop_sequences"]), ("little-one", ["END"]))
        self.assertEqual(request["tool_choice"], {"type": "any"})
        self.assertEqual(request["tools"][0]["input_schema"], {"type": "object"})
        self.assertEqual(request["messages"][2]["content"][0]["tool_use_id"], "t1")
        self.assertEqual((told["stopReason"], told["content"]["name"], told["content"]["input"]),
                         ("toolUse", "add", {"a": 3}))


class Asked(Samples, Screen):
    def ask(self):
        self.serve(SCRIPT)
        terminal = self.open(*self.args())
        self.wait_connected()
        terminal.type("go\r")
        terminal.wait_for("Let MCP server desk use the model")
        terminal.wait_for("❯ 1")
        return terminal

    def test_the_question_shows_server_prompt_and_model(self):
        terminal = self.ask()
        self.assertScreen("sampling", terminal)
        terminal.type("1")
        terminal.wait_idle("Done.")
        self.assertSampled()
        self.leave(terminal)

    def test_a_no_reaches_the_server(self):
        terminal = self.ask()
        terminal.type("\x1b")
        terminal.wait_idle("Done.")
        self.assertIn("User rejected sampling request", self.told())
        self.assertIsNone(self.sampled())
        self.leave(terminal)
