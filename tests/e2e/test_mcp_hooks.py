"""Hooks of type mcp_tool: a tool of an MCP server sees what happens and may block it."""

import json
import os

from test_mcp_elicit import Asking


class ToolHooks(Asking):
    def run_command(self, handler):
        hooks = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "mcp_tool", **handler}]}]}}
        self.serve('reply\n  tool Bash {"command": "touch made"}\nreply forever\n  text "Done."\n')
        ran = self.print("go", *self.args(), "--allowedTools", "Bash", "--settings", json.dumps(hooks))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return os.path.exists(os.path.join(self.cwd, "made")), ran.stderr.decode()

    def test_a_tool_blocks_a_call(self):
        made, _ = self.run_command({"server": "desk", "tool": "check", "input": {
            "command": "${tool_input.command}", "all": ["${tool_name} in ${cwd}", 7, "${nothing}"]}})
        self.assertFalse(made)
        self.assertIn("not touch made", self.told())
        self.assertEqual(self.received("tools/call")[0]["arguments"], {
            "command": "touch made", "all": [f"Bash in {os.path.realpath(self.cwd)}", 7, ""]})

    def test_a_tool_that_says_nothing_of_it_lets_the_call_pass(self):
        made, _ = self.run_command({"tool": "mcp__desk__talk"})
        self.assertTrue(made)
        self.assertEqual(self.received("tools/call")[0]["arguments"]["tool_input"], {"command": "touch made"})

    def test_a_guard_whose_server_is_missing_lets_nothing_pass(self):
        made, told = self.run_command({"server": "nobody", "tool": "check"})
        self.assertFalse(made)
        self.assertIn('there is no MCP server "nobody"', self.told() + told)
